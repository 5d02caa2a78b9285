//! Checks: `{ dice, bonus }`, `{ pool, difficulty, ... }` or `{ skill, ... }`, or `"2d10+9"`, `6`, `"55%"` for short.

use super::Rulings;
use super::gear::{notation, nothing};
use super::keys::{CHECK, MOST_DICE, MOST_SIDES, POOL};
use super::sums;
use super::{degrees, words};
use crate::dice::pool::{Again, Botch, Ones, PoolError, Tens};
use crate::dice::{Chronicles, Notation, PlainSum, Storyteller};
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Value};
use crate::document::reader::{self, Reader};
use crate::fight::check::{Check, CheckKind, CriticalDamage, Dice, Natural};
use crate::fight::health::Roll;
use crate::fight::lasting::Number;
use crate::fight::system::{Pools, System};
use crate::fight::words::{Terms, Words};

/// The most dice that traits of the scenario's own add to the tables of a pool; with more, it is rolled without a table.
const DICE_OF_FACTS: i64 = 30;

/// Whether a percentile success with doubles ignores armour (EP-9).
pub(crate) const CRITICALS: &[(&str, bool)] = &[("ignores-armor", true), ("none", false)];

/// Whether all successes of a pool do extra damage, or only those beyond the required ones (MD-3, CD-6).
pub(crate) const COUNTS: &[(&str, bool)] = &[("all", true), ("extra", false)];

/// The keys of the d10s of Mage and of Chronicles, which no other dice have.
const OF_D10S: [&str; 6] = [
    "difficulty",
    "tens",
    "ones_on_explosion",
    "specialty",
    "again",
    "rote",
];

/// The ways to write `critical` of a roll.
const CRITICAL_FORMS: &str =
    "written like `critical = 20` or `critical = { on = 20, damage = \"double dice\" }`";

/// Reads a check. A weapon's `mastery` counts towards the largest pool.
pub(crate) fn check(
    node: &Node,
    mastery: i64,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> Check {
    let nothing = || Check::RollOver { roll: nothing() };
    let pool = node.text().and_then(words::pool_keys);
    let pool = pool.map(|keys| words::table_of(node.span, keys));
    if let Some(text) = node.text().filter(|_| pool.is_none())
        && words::is_in_words(text, rulings)
    {
        let read = reader::ok_or_report(words::in_words(node, "check", rulings), problems);
        return read.map_or_else(nothing, |words| Check::Words(Box::new(words)));
    }
    // A text that says what it counts needs no other kind.
    let wanted = rulings.check.filter(|_| pool.is_none());
    let whole;
    let spelled_out = match pool {
        Some(table) => Ok(Some(table)),
        None => spelled_out(node, rulings),
    };
    let node = match spelled_out {
        Ok(None) => node,
        Ok(Some(table)) => {
            whole = table;
            &whole
        }
        Err(problem) => {
            problems.push(problem);
            return nothing();
        }
    };
    let Some(mut table) = Reader::open(node, &CHECK, "`check`", problems) else {
        return nothing();
    };
    let degrees = degrees::degrees(&mut table);
    let check = if let Some(entry) = table.entry("roll").filter(|_| table.has("roll")) {
        for (_, kind) in CheckKind::ALL {
            table.refuse_beside(kind.key(), "`roll` says what is rolled");
        }
        let read = words::in_words(&entry.node, "roll", rulings);
        table
            .ok_or_report(read)
            .map(|words| Check::Words(Box::new(words)))
    } else if let Some(wanted) = wanted {
        // All kinds that are written are read; the kind set by `rules.check` is taken.
        let mut taken = None;
        for (name, kind) in CheckKind::ALL {
            if table.has(kind.key()) {
                let read = of_kind(*kind, &mut table, mastery, rulings);
                if *kind == wanted {
                    taken = read;
                }
            } else if *kind == wanted {
                // Marked as known, so that a key of another name gets a hint.
                table.entry(kind.key());
                table.report(
                    Diagnostic::error(
                        table.span(),
                        format!("`check` has no `{}`", kind.key()),
                        format!("`rules.check` is \"{name}\""),
                    )
                    .help("a check may have the keys of several kinds beside one another"),
                );
            }
        }
        taken
    } else {
        let kind = [CheckKind::Pool, CheckKind::Percentile, CheckKind::RollOver]
            .into_iter()
            .find(|kind| table.has(kind.key()))
            .or(table.has("success").then_some(CheckKind::Pool));
        if kind.is_none() {
            for (_, kind) in CheckKind::ALL {
                table.entry(kind.key());
            }
        }
        of_kind(
            kind.unwrap_or(rulings.system.check),
            &mut table,
            mastery,
            rulings,
        )
    };
    table.finish(problems);
    let check = check.unwrap_or_else(nothing);
    if degrees.is_empty() {
        return check;
    }
    Check::Words(Box::new(Words {
        degrees,
        ..Words::around(check)
    }))
}

/// Returns a check of a kind as an example.
pub(super) fn form(kind: CheckKind, system: &System) -> &'static str {
    match (kind, system.pools) {
        (CheckKind::RollOver, _) => "{ dice = \"2d10\", bonus = 9 }",
        (CheckKind::Pool, Pools::Chronicles) => "{ pool = 6 }",
        (CheckKind::Pool, Pools::Plain | Pools::OfTraits) => "{ pool = 6, difficulty = 7 }",
        (CheckKind::Percentile, _) => "{ skill = 55 }",
    }
}

/// Expands a check that is a number or a text to the table that it stands for; `None` for a table.
fn spelled_out(node: &Node, rulings: &Rulings) -> Result<Option<Node>, Diagnostic> {
    let forms = || {
        // `rules.check` needs its own kind in every check.
        let kinds = CheckKind::ALL.iter().map(|(_, kind)| kind);
        let kinds = kinds.filter(|kind| rulings.check.is_none_or(|wanted| wanted == **kind));
        let forms: Vec<String> = kinds
            .map(|kind| format!("`check = {}`", form(*kind, rulings.system)))
            .collect();
        format!("written like {}", forms.join(", or\n"))
    };
    let kind = rulings.check.unwrap_or(rulings.system.check);
    let number = |text: &str| text.trim().parse().ok();
    let (key, value) = match &node.value {
        Value::Table(_) => return Ok(None),
        Value::Integer(_) if kind != CheckKind::RollOver => (kind.key(), node.value.clone()),
        Value::Text(text, _) => {
            let percent = text.trim().strip_suffix('%').and_then(number);
            let dice = Notation::parse(text).ok();
            let sum = dice.as_ref().and_then(Notation::as_sum);
            if let Some(percent) = percent {
                (CheckKind::Percentile.key(), Value::Integer(Some(percent)))
            } else if let Some(number) = number(text).filter(|_| kind != CheckKind::RollOver) {
                (kind.key(), Value::Integer(Some(number)))
            } else if kind == CheckKind::RollOver && number(text).is_none()
                || sum.is_some_and(|sum| sum.count > 0 && sum.bonus != 0)
            {
                (CheckKind::RollOver.key(), node.value.clone())
            } else if dice.is_none()
                && rulings.system.pools == Pools::OfTraits
                && sums::is_sum(node)
            {
                (CheckKind::Pool.key(), node.value.clone())
            } else {
                let title = "`check` may mean several things";
                let label = "expected a table that says which kind of check it is";
                return Err(Diagnostic::error(node.span, title, label).help(forms()));
            }
        }
        _ => return Err(reader::wrong_kind(node, "check", "a table").help(forms())),
    };
    Ok(Some(words::table_of(node.span, vec![(key, value)])))
}

fn of_kind(
    kind: CheckKind,
    table: &mut Reader<'_>,
    mastery: i64,
    rulings: &Rulings,
) -> Option<Check> {
    match kind {
        CheckKind::RollOver => roll_over(table),
        CheckKind::Pool => {
            let facts = own_sum(table, "pool", rulings);
            let most = if facts.is_some() { DICE_OF_FACTS } else { 0 };
            let dice = dice(table, mastery + most, rulings)?;
            let counts = table.choice("counts", COUNTS);
            // Who says which successes count wants them to do damage.
            let usual = rulings.extra_damage.max(counts.is_some().into());
            let extra_damage = table.integer("extra_damage");
            if !table.has(CheckKind::RollOver.key()) {
                if !table.has(CheckKind::Percentile.key()) {
                    table.refuse(
                        "critical",
                        "`critical` of a pool is not modelled; its extra successes may do damage (`extra_damage`)",
                    );
                }
                table.refuse(
                    "fumble",
                    "`fumble` of a pool is not modelled; botches and dramatic failures are its own",
                );
            }
            let check = Check::Pool {
                dice,
                extra_damage: extra_damage.unwrap_or(usual),
                // CD-6: damage is successes and weapon together.
                every_success: counts.unwrap_or(rulings.system.pools == Pools::Chronicles),
            };
            Some(with_facts(check, facts.unwrap_or_default()))
        }
        CheckKind::Percentile => {
            let (skill, facts) = match own_sum(table, "skill", rulings) {
                Some(terms) => (Some(terms.number), terms),
                None => (table.needed_integer("skill"), Terms::default()),
            };
            let is_over = table.has(CheckKind::RollOver.key());
            let is_text = |entry: &Entry| matches!(entry.node.value, Value::Text(..));
            let ignores = if !is_over || table.entry("critical").is_some_and(is_text) {
                table.choice("critical", CRITICALS)
            } else {
                None
            };
            if !is_over {
                table.refuse(
                    "fumble",
                    "`fumble` of a percentile test is not modelled; 99 always fails (EP-9)",
                );
            }
            let check = Check::Percentile {
                skill: skill?,
                critical_ignores_armor: ignores.unwrap_or(rulings.critical_ignores_armor),
            };
            Some(with_facts(check, facts))
        }
    }
}

/// Reads a pool or a skill that is a sum of traits of the scenario's own.
fn own_sum(table: &mut Reader<'_>, key: &'static str, rulings: &Rulings) -> Option<Terms> {
    let entry = table.entry(key)?;
    let text = entry.node.text()?;
    if !words::names_own(text, rulings) {
        return None;
    }
    table.ok_or_report(words::facts_only(&entry.node, key, rulings))
}

/// Adds facts to a check.
fn with_facts(base: Check, facts: Terms) -> Check {
    if facts.facts.is_empty() {
        return base;
    }
    Check::Words(Box::new(Words {
        facts: Terms { number: 0, ..facts },
        ..Words::around(base)
    }))
}

fn roll_over(table: &mut Reader<'_>) -> Option<Check> {
    let dice = table.needed("dice");
    let bonus = table.integer("bonus").unwrap_or(0);
    let entry = dice?;
    match notation(&entry.node, "dice") {
        Ok((text, notation)) => {
            if let Some(roll) = with_bonus(text, notation, bonus) {
                return Some(natural(table, roll));
            }
            table.report(Diagnostic::error(
                entry.node.span,
                "the bonus cannot be added to these dice",
                "expected dice to which a number may be added",
            ));
        }
        Err(problem) => table.report(problem),
    }
    None
}

/// Reads `critical` and `fumble` of a roll (W-9).
fn natural(table: &mut Reader<'_>, roll: Roll) -> Check {
    let fumble = table.integer("fumble");
    let critical = match table.entry("critical").map(|entry| &entry.node) {
        None => None,
        Some(node) => match &node.value {
            Value::Integer(_) => {
                let least = table.integer("critical");
                least.map(|least| (least, CriticalDamage::DoubleDice))
            }
            Value::Table(_) => table.table("critical", "`critical`").and_then(|mut inner| {
                let least = inner.integer("on");
                let damage = inner.choice("damage", CriticalDamage::ALL);
                table.close(inner);
                Some((least?, damage.unwrap_or(CriticalDamage::DoubleDice)))
            }),
            // The `critical` of a percentile test, if the check has the keys of both kinds.
            Value::Text(..) if table.has(CheckKind::Percentile.key()) => None,
            _ => {
                let expected = "a number from which on the dice are critical, or a table";
                let problem = reader::wrong_kind(node, "critical", expected);
                table.report(problem.help(CRITICAL_FORMS));
                None
            }
        },
    };
    if let (Some((least, _)), Some(most), Some(entry)) = (critical, fumble, table.entry("fumble"))
        && most >= least
    {
        table.report(Diagnostic::error(
            entry.node.span,
            format!("a natural {most} cannot be a fumble and a critical hit"),
            format!("expected less than the {least} of `critical`"),
        ));
    }
    if critical.is_none() && fumble.is_none() {
        return Check::RollOver { roll };
    }
    let added = roll.added();
    Check::Natural(Box::new(Natural {
        roll,
        critical: critical.map(|(least, damage)| (least + added, damage)),
        fumble: fumble.map(|most| most + added),
    }))
}

/// Reads a pool and its rules, without the effect of its successes; up to `more` dice may be added to it.
pub(crate) fn dice(table: &mut Reader<'_>, more: i64, rulings: &Rulings) -> Option<Dice> {
    let pool = pool_size(table, rulings);
    let is_other = ["die", "success", "explode"].map(|key| table.has(key));
    let compiled = if is_other.contains(&true) {
        other_dice(table, pool, more, rulings)?
    } else if rulings.system.pools == Pools::Chronicles {
        chronicles(table, pool, more, rulings)?
    } else {
        storyteller(table, pool, more, rulings)?
    };
    let span = table.span();
    table.ok_or_report(
        compiled.map_err(|wrong| Diagnostic::error(span, wrong.to_string(), "this pool cannot be")),
    )
}

/// Reads `pool`: a number of dice or, in Mage, a sum of traits (MD-4).
fn pool_size(table: &mut Reader<'_>, rulings: &Rulings) -> Option<i64> {
    if let Some(entry) = table.entry("pool")
        && entry
            .node
            .text()
            .is_some_and(|text| words::names_own(text, rulings))
    {
        let terms = words::facts_only(&entry.node, "pool", rulings).ok()?;
        return Some(terms.number.clamp(0, MOST_DICE));
    }
    let is_sum =
        |entry: &&Entry| rulings.system.pools == Pools::OfTraits && sums::is_sum(&entry.node);
    let Some(entry) = table.needed("pool").filter(is_sum) else {
        return table.integer("pool");
    };
    let dice = sums::dice(&entry.node, rulings.sheet.as_ref(), MOST_DICE);
    table.ok_or_report(dice)
}

/// Reads `again`: a face, or `"none"` (CD-6).
pub(crate) fn again(table: &mut Reader<'_>, key: &'static str) -> Option<Again> {
    match table.entry(key)?.node.value {
        Value::Integer(_) => match table.within(key, 8..=10)? {
            8 => Some(Again::Eight),
            9 => Some(Again::Nine),
            _ => Some(Again::Ten),
        },
        _ => table.choice(key, Again::ALL),
    }
}

/// Reads a Chronicles pool (CD-6).
fn chronicles(
    table: &mut Reader<'_>,
    pool: Option<i64>,
    more: i64,
    rulings: &Rulings,
) -> Option<Result<Dice, PoolError>> {
    let required = table.integer("required");
    let again = again(table, "again");
    let rote = table.boolean("rote");
    let rules = Chronicles {
        pool: pool? as i32,
        again: again.unwrap_or(rulings.again),
        rote: rote.unwrap_or(false),
        required: required.unwrap_or(1) as u32,
        willpower: false,
    };
    let more = more + rulings.most_added(Number::Attack);
    Some(Dice::chronicles(&rules, greatest(rules.pool.into(), more)))
}

/// Reads a Storyteller pool (MD-1 to MD-3).
fn storyteller(
    table: &mut Reader<'_>,
    pool: Option<i64>,
    more: i64,
    rulings: &Rulings,
) -> Option<Result<Dice, PoolError>> {
    let difficulty = table.integer("difficulty");
    let required = table.integer("required");
    let mut tens = table.choice("tens", Tens::ALL);
    if table.boolean("specialty") == Some(true) {
        table.refuse("tens", "`specialty` says that 10s count twice");
        tens = Some(Tens::Double);
    }
    let ones = table.choice("ones", Ones::ALL);
    let ones_on_explosion = table.choice("ones_on_explosion", Ones::ALL);
    let botch = table.choice("botch", Botch::ALL);
    let house = rulings.pool;
    let rules = Storyteller {
        pool: pool? as u32,
        sides: house.sides,
        difficulty: difficulty.unwrap_or(6) as u32,
        top: house.top,
        tens: tens.unwrap_or(house.tens),
        ones: ones.unwrap_or(house.ones),
        ones_on_explosion: ones_on_explosion.unwrap_or(house.ones_on_explosion),
        botch: botch.unwrap_or(house.botch),
        required: required.unwrap_or(1) as u32,
        willpower: false,
    };
    Some(compile(&rules, more, rulings))
}

/// Reads a pool of dice with a number of sides of its own.
fn other_dice(
    table: &mut Reader<'_>,
    pool: Option<i64>,
    more: i64,
    rulings: &Rulings,
) -> Option<Result<Dice, PoolError>> {
    for key in OF_D10S {
        table.refuse(
            key,
            "a pool with `die` has `success`, `explode`, `ones`, `botch`",
        );
    }
    let sides = table.needed_integer("die");
    table.needed("success");
    let success = table.within("success", 2..=sides.unwrap_or(MOST_SIDES));
    // Only successes are rolled again. Chains of more than nine faces in ten would take too long to follow.
    let least = success.unwrap_or(2).max((sides.unwrap_or(2) + 9) / 10 + 1);
    let explode = table.within("explode", least..=sides.unwrap_or(MOST_SIDES));
    let required = table.integer("required");
    let ones = table.choice("ones", Ones::ALL);
    let botch = table.choice("botch", Botch::ALL);
    let sides = sides? as u32;
    let rules = Storyteller {
        sides,
        top: explode.map_or(sides + 1, |face| face as u32),
        ones: ones.unwrap_or(Ones::Ignore),
        botch: botch.unwrap_or(Botch::None),
        required: required.unwrap_or(1) as u32,
        ..Storyteller::new(pool? as u32, success? as u32)
    };
    Some(compile(&rules, more, rulings))
}

/// Compiles a pool to which up to `more` dice may be added, besides those that conditions add.
pub(crate) fn compile(
    rules: &Storyteller,
    more: i64,
    rulings: &Rulings,
) -> Result<Dice, PoolError> {
    let more = more + rulings.most_added(Number::Attack);
    let dice = Dice::new(rules, greatest(rules.pool.into(), more))?;
    let is_changed = [Number::Difficulty, Number::Evade].map(|number| rulings.may_change(number));
    if rulings.system.pools == Pools::OfTraits && is_changed.contains(&true) {
        return Ok(dice.at_any_difficulty(rules));
    }
    Ok(dice)
}

/// The most dice for which a pool gets a table.
fn greatest(pool: i64, more: i64) -> u32 {
    (pool + more).clamp(0, MOST_DICE) as u32
}

/// Reads a pool as a value of its own: `{ pool = 4 }`.
pub(crate) fn pool(
    node: &Node,
    what: &str,
    more: i64,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> Option<Dice> {
    let mut table = Reader::open(node, &POOL, format!("`{what}`"), problems)?;
    let dice = dice(&mut table, more, rulings);
    table.finish(problems);
    dice
}

fn with_bonus(text: &str, notation: Notation, bonus: i64) -> Option<Roll> {
    if let Some(sum) = notation.as_sum() {
        return Some(Roll::from(PlainSum {
            bonus: sum.bonus.checked_add(bonus)?,
            ..sum
        }));
    }
    if bonus == 0 {
        return Some(notation.into());
    }
    Notation::parse(&format!("{text} {bonus:+}"))
        .ok()
        .map(Roll::from)
}
