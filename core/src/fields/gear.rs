//! `[weapons]`, `[spells]`, `[items]`, `[tasks]`: the gear that combatants name.

use super::budget::{self, turn_price};
use super::checks::{check, pool};
use super::degrees;
use super::effects::{amounts, effects, needs, power_of_item, power_of_spell, resist};
use super::sums::has_sums;
use super::{Fields, Rulings};
use crate::dice::{Notation, PlainSum};
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Value};
use crate::document::reader::{self, Reader, check_name, first_of};
use crate::document::source::Span;
use crate::fight::budget::Paid;
use crate::fight::check::{Check, Dice};
use crate::fight::effect::{Effect, Power, Recipient};
use crate::fight::health::{Damage, DamageRoll, Roll};
use crate::fight::lasting::Number;
use crate::fight::system::Clock;
use crate::fight::{Cost, Item, Ongoing, Recharge, Spell, Task, Weapon, WeaponKind};
use std::cell::Cell;
use std::sync::Arc;

/// The most dice of a roll: more are typing mistakes, and would take long to roll.
const MOST_DICE: u32 = 1000;

/// The greatest number of points that one roll may give or take without dice.
const MOST_POINTS: i64 = 1_000_000;

/// A value that the file defines under a name.
#[derive(Debug, Clone)]
pub(crate) struct Defined<T> {
    /// As the file names it.
    pub(crate) name: String,
    /// The place of its name.
    pub(crate) span: Span,
    /// The value; a placeholder if `broken`.
    pub(crate) thing: T,
    /// Its source, if any of its pools is a sum of traits: it is read again for each combatant that has it (MD-4).
    pub(crate) sums: Option<Arc<Node>>,
    /// Set if its errors are so serious that later checks must skip it.
    pub(crate) broken: bool,
    /// Set if a combatant has it.
    pub(crate) used: Cell<bool>,
}

/// All gear that the file defines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gear {
    pub(crate) weapons: Vec<Defined<Weapon>>,
    pub(crate) spells: Vec<Defined<Spell>>,
    pub(crate) items: Vec<Defined<Item>>,
    pub(crate) tasks: Vec<Defined<Task>>,
}

/// Reads each table inside a table of tables, if it is there. `read` returns the value and whether it is broken.
pub(crate) fn define<T>(
    top: &mut Reader<'_>,
    key: &'static str,
    problems: &mut Vec<Diagnostic>,
    mut read: impl FnMut(&str, &mut Reader<'_>) -> (T, bool),
) -> Vec<Defined<T>> {
    let Some(entry) = top.entry(key) else {
        return Vec::new();
    };
    let Some(table) = entry.node.table() else {
        let kind = format!("tables `[{key}.NAME]`");
        problems.push(reader::wrong_kind(&entry.node, key, &kind));
        return Vec::new();
    };
    let entries = first_of(
        &table.entries,
        entry.span,
        &format!("entries in `{key}`"),
        problems,
    );
    let mut all = Vec::with_capacity(entries.len());
    for Entry {
        key: name,
        span,
        node,
    } in entries
    {
        problems.extend(check_name(name, *span).err());
        let kind = key.trim_end_matches('s');
        let what = format!("{kind} \"{}\"", reader::shown(name));
        let before = problems.len();
        if let Some(mut table) = Reader::open(node, top.inside(key), what, problems) {
            let (thing, broken) = read(name, &mut table);
            table.finish(problems);
            let sound = problems.len() == before;
            all.push(Defined {
                name: name.to_string(),
                span: *span,
                thing,
                sums: (sound && has_sums(node)).then(|| Arc::clone(node)),
                broken,
                used: Cell::new(false),
            });
        }
    }
    all
}

/// Reads `[weapons.NAME]`.
pub(crate) fn weapon(
    name: &str,
    table: &mut Reader<'_>,
    own: &dyn Fields,
    rulings: &Rulings,
) -> (Weapon, bool) {
    let kind = table.choice("kind", WeaponKind::ALL);
    let range = match kind {
        Some(WeaponKind::Melee) => {
            let reach = table.integer("reach").unwrap_or(0);
            table.refuse("range", "a melee weapon has a `reach` instead");
            reach
        }
        Some(_) => {
            let range = table.needed_integer("range").unwrap_or(1);
            table.refuse(
                "reach",
                "only a melee weapon has one; this one has a `range`",
            );
            range
        }
        None => {
            table.entry("reach");
            table.entry("range");
            0
        }
    };
    let mut weapon = Weapon {
        name: name.to_owned(),
        kind: kind.unwrap_or(WeaponKind::Melee),
        range: range as i32,
        farthest: None,
        offsets: vec![0],
        spacings: Vec::new(),
        check: Check::RollOver { roll: nothing() },
        mastery: 0,
        ready_turns: 0,
        ready_check: None,
        damage: nothing().into(),
        ongoing: None,
        ignores_defence: false,
        effects: Vec::new(),
        resist: None,
        in_words: false,
        spends: false,
        price: Vec::new(),
        turn_price: turn_price(table, Paid::Attack, rulings),
        penalties: Vec::new(),
        uses: table.integer("uses").map(|uses| uses as u16),
        recharge: None,
        natural: table.boolean("natural").unwrap_or(false),
    };
    if kind == Some(WeaponKind::Melee) && rulings.may_change(Number::Reach) {
        weapon.farthest = Some(weapon.range + rulings.most_added(Number::Reach) as i32);
    }
    weapon.recharge = recharge(table);
    if weapon.uses.is_none() {
        table.refuse_beside("recharge", "without `uses` a weapon is never used up");
    }
    own.read_weapon(table, &mut weapon, rulings);
    weapon.mastery = table.integer("mastery").unwrap_or(0);
    if let Some(entry) = table.entry("check") {
        weapon.check = check(&entry.node, weapon.mastery, rulings, &mut table.nested);
    }
    let rulings = &rulings.of_check(Some(&weapon.check));
    weapon.damage = harm(table, rulings);
    weapon.effects = effects(table, rulings);
    weapon.resist = resist(table, rulings);
    weapon.price = amounts(table, "cost", 1, rulings);
    weapon.penalties.clone_from(&rulings.penalties);
    if let Some(entry) = table.entry("penalties")
        && let Some(own) = table.ok_or_report(budget::penalties(&entry.node))
    {
        weapon.penalties = own;
    }
    let damage = weapon.effects.iter().filter_map(Effect::damage);
    weapon.check.ask_margin(damage.chain([&weapon.damage]));
    weapon.spends = weapon.uses.is_some() || !weapon.price.is_empty();
    let mut conditions = rulings.conditions.iter();
    weapon.in_words = conditions.any(|one| one.changes.has_advantages())
        || rulings.revises
        || matches!(weapon.check, Check::Words(_))
        || weapon.damage.extra.is_some()
        || weapon.resist.is_some()
        || !weapon.penalties.is_empty();
    for key in ["area", "target"] {
        table.refuse(
            key,
            "of a weapon it is not modelled; an item or a spell may have one",
        );
    }
    (weapon, kind.is_none())
}

/// Reads the category of `cost`, alone or as `action` beside the traits that a use takes.
pub(crate) fn category<T: Copy>(table: &mut Reader<'_>, words: &[(&str, T)]) -> Option<T> {
    let entry = table.entry("cost")?;
    match entry.node.get("action") {
        Some(action) => table.ok_or_report(reader::choice(&action.node, "action", words)),
        None if entry.node.table().is_some() => None,
        None => table.choice("cost", words),
    }
}

/// Reads `ready_check`: the pool that is rolled to get a weapon or item ready (MA-3).
pub(crate) fn ready_check(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Dice> {
    let entry = table.entry("ready_check")?;
    pool(&entry.node, "ready_check", 0, rulings, &mut table.nested)
}

/// The most dice that extra successes add to the tables of a damage pool; with more, it is rolled without a table.
const EXTRA_DICE: i64 = 20;

/// Reads the damage of a hit: points, dice, or a pool.
pub(crate) fn harm(table: &mut Reader<'_>, rulings: &Rulings) -> Damage {
    let kind: Option<Arc<str>> = table.text("damage_type").map(Arc::from);
    if let Some(damage) = harm_in_words(table, rulings) {
        return damage.of_kind(&kind);
    }
    if table.has("damage")
        && let Some(entry) = table.entry("damage")
        && entry.node.table().is_some()
    {
        let dice = pool(
            &entry.node,
            "damage",
            EXTRA_DICE,
            rulings,
            &mut table.nested,
        );
        let amount = dice.map_or_else(|| DamageRoll::Roll(nothing()), DamageRoll::Pool);
        return Damage {
            amount,
            kind,
            extra: None,
        };
    }
    let entry = table.needed("damage");
    let roll = entry.and_then(|entry| {
        let read = roll(&entry.node, "damage").map_err(|problem| {
            let text = entry.node.text().unwrap_or_default();
            let is_word = |word: &str| word.len() > 3 && word.chars().all(char::is_alphabetic);
            let is_sum =
                text.starts_with(char::is_alphabetic) && text.split_ascii_whitespace().any(is_word);
            let sum = format!("a sum of traits is a pool: `damage = {{ pool = \"{text}\" }}`");
            problem.maybe_help(is_sum.then_some(sum))
        });
        table.ok_or_report(read)
    });
    let amount = DamageRoll::Roll(roll.unwrap_or_else(nothing));
    Damage {
        amount,
        kind,
        extra: None,
    }
}

/// Reads damage in words, alone or by degrees; `None` if it is plain.
fn harm_in_words(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Damage> {
    let node = &table.entry("damage")?.node;
    if let Some(text) = node.text() {
        return degrees::asks_result(text, rulings)
            .then(|| table.ok_or_report(degrees::damage(node, "damage", rulings)))?;
    }
    if node.get("pool").is_some() {
        return None;
    }
    node.get("success")?;
    table.ok_or_report(degrees::blows(node, rulings))
}

/// Reads `ongoing`: damage that goes on (CD-5).
pub(crate) fn ongoing(table: &mut Reader<'_>) -> Option<Ongoing> {
    let mut inner = table.table("ongoing", "`ongoing`")?;
    let damage = inner.integer("damage");
    let rounds = inner.integer("rounds");
    table.close(inner);
    Some(Ongoing {
        damage: damage? as u16,
        rounds: rounds? as u8,
    })
}

/// Reads `[spells.NAME]`.
pub(crate) fn spell(
    name: &str,
    table: &mut Reader<'_>,
    own: &dyn Fields,
    rulings: &Rulings,
) -> (Spell, bool) {
    let mut spell = Spell {
        name: name.to_owned(),
        casting_time: 0,
        channel: false,
        range: 0,
        check: None,
        harder: Vec::new(),
        witnessed: Vec::new(),
        magick: None,
        damage: nothing().into(),
        ongoing: None,
        price: amounts(table, "cost", 1, rulings),
        turn_price: turn_price(table, Paid::Cast, rulings),
        power: Power::default(),
    };
    let broken = own.read_spell(table, &mut spell, rulings);
    let own_only =
        matches!(table.entry("target"), Some(entry) if entry.node.text() == Some("self"));
    if own_only {
        table.refuse("range", "it is cast on oneself; `target` says otherwise");
    } else {
        spell.range = table.needed_integer("range").unwrap_or(0) as i32;
    }
    // The caster supplies the pool of magick (MD-5).
    if spell.magick.is_none() {
        spell.check = table
            .entry("check")
            .map(|entry| check(&entry.node, 0, rulings, &mut table.nested));
    }
    let rulings = &rulings.of_check(spell.check.as_ref());
    let harmless = table.has("effects") && !table.has("damage");
    let damage = (!harmless).then(|| harm(table, rulings));
    if let Some(damage) = &damage {
        spell.damage = damage.clone();
    }
    let damage = damage.map(|damage| Effect::Damage {
        damage,
        falloff: 0,
        pierces: 0,
    });
    spell.power = power_of_spell(table, damage, rulings);
    if !spell.power.effects.is_empty() && spell.ongoing.is_some() {
        table.report(
            Diagnostic::error(
                table.span(),
                "a spell with further effects has no `ongoing` of its own",
                "a condition does such damage",
            )
            .help(
                "define it as `[conditions.burning]` with `ongoing = { damage = \"1d6\" }`, and begin it by an effect:\n\
                 `effects = [{ condition = \"burning\", lasts = 2 }]`",
            ),
        );
    }
    let friendly = matches!(
        spell.power.recipient,
        Recipient::Own | Recipient::Ally | Recipient::Point
    );
    match &spell.check {
        Some(check) if friendly => spell.power.needs = needs(table, check, rulings),
        _ => table.refuse("needs", "the roll is held against the target's evade"),
    }
    if let Some(check) = &mut spell.check {
        let damage = spell.power.effects.iter().filter_map(Effect::damage);
        check.ask_margin(damage.chain([&spell.damage]));
    }
    (spell, broken)
}

/// Reads `[items.NAME]`.
pub(crate) fn item(
    name: &str,
    table: &mut Reader<'_>,
    own: &dyn Fields,
    rulings: &Rulings,
) -> (Item, bool) {
    let mut item = Item {
        name: name.to_owned(),
        cost: Cost::Half,
        quick: false,
        ready_check: None,
        power: Power::default(),
        price: Vec::new(),
        turn_price: turn_price(table, Paid::Use, rulings),
        uses: 1,
        recharge: None,
    };
    own.read_item(table, &mut item, rulings);
    let has_category = matches!(rulings.system.clock, Clock::Marks | Clock::Phases);
    let is_table = |entry: &Entry| entry.node.table().is_some();
    if !has_category || table.entry("cost").is_some_and(is_table) {
        item.price = amounts(table, "cost", 1, rulings);
    }
    item.power = power_of_item(table, rulings);
    item.uses = table.integer("uses").unwrap_or(1) as u16;
    item.recharge = recharge(table);
    (item, false)
}

/// Reads `recharge`: a number of Rounds, or a roll and the number that it must reach.
fn recharge(table: &mut Reader<'_>) -> Option<Recharge> {
    let entry = table.entry("recharge")?;
    let node = &entry.node;
    let read = if let Value::Text(text, _) = &node.value {
        by_roll(node, text)
    } else {
        let rounds = reader::integer(node, "recharge", 1..=10_000);
        rounds.map(|rounds| Recharge::Rounds(rounds as u32))
    };
    table.ok_or_report(read)
}

/// Reads a roll and the number that it must reach: `"1d6 >= 5"`.
fn by_roll(node: &Node, text: &str) -> Result<Recharge, Diagnostic> {
    let parts = text.split_once(">=").and_then(|(dice, least)| {
        let least: i64 = least.trim().parse().ok()?;
        Some((Notation::parse(dice.trim()).ok()?, least))
    });
    let Some((dice, least)) = parts else {
        return Err(Diagnostic::error(
            node.span,
            format!("`recharge` is \"{}\"", reader::shown(text)),
            "expected a number of Rounds, or a roll such as \"1d6 >= 5\"",
        ));
    };
    if least <= dice.min() || dice.max().is_some_and(|most| least > most) {
        return Err(Diagnostic::error(
            node.span,
            format!("`recharge` is \"{}\"", reader::shown(text)),
            "the roll decides nothing: it always comes to so much, or never",
        ));
    }
    Ok(Recharge::Roll(dice.into(), least))
}

/// Reads `[tasks.NAME]` (EP-3).
pub(crate) fn task(name: &str, table: &mut Reader<'_>, rulings: &Rulings) -> (Task, bool) {
    let phases = table.integer("phases");
    let heal = points(table, "heal", false);
    let strike = if table.has("damage") {
        let range = table.needed_integer("range").unwrap_or(0);
        Some((range as i32, harm(table, rulings)))
    } else {
        table.refuse("range", "only a task that does `damage` has a target");
        None
    };
    let task = Task {
        name: name.to_owned(),
        phases: phases.unwrap_or(1) as u16,
        heal,
        strike,
    };
    (task, false)
}

/// The roll that is always 0.
pub(crate) fn nothing() -> Roll {
    Roll::from(PlainSum::points(0))
}

/// Reads dice, or points without dice.
pub(crate) fn points(table: &mut Reader<'_>, key: &'static str, required: bool) -> Option<Roll> {
    let entry = if required {
        table.needed(key)
    } else {
        table.entry(key)
    }?;
    table.ok_or_report(roll(&entry.node, key))
}

/// Reads dice, or points without dice, never below 0.
pub(crate) fn roll(node: &Node, key: &str) -> Result<Roll, Diagnostic> {
    let negative = |problem: &str| {
        Diagnostic::error(
            node.span,
            format!("`{key}` is out of range"),
            problem.to_owned(),
        )
    };
    if let Value::Integer(_) = node.value {
        let bonus = reader::integer(node, key, 0..=MOST_POINTS)?;
        Ok(Roll::from(PlainSum::points(bonus)))
    } else {
        let (_, notation) = notation(node, key)?;
        // A bad roll may do nothing (`1d6-2`); a roll that always does is a mistake.
        let constant = notation.as_sum().is_some_and(|sum| sum.count == 0);
        if constant && notation.min() < 0 {
            return Err(negative("expected dice, or a whole number from 0"));
        }
        if key == "heal" && notation.min() < 0 {
            return Err(negative(
                "healing never takes health away: it may roll below 0",
            ));
        }
        Ok(notation.into())
    }
}

/// Reads a text in dice notation. Errors point at their place inside the text.
pub(crate) fn notation<'a>(node: &'a Node, key: &str) -> Result<(&'a str, Notation), Diagnostic> {
    let expected = "dice such as \"2d6+3\"";
    let text = node.text().ok_or_else(|| {
        let problem = reader::wrong_kind(node, key, expected);
        match node.value {
            Value::Integer(Some(number)) => problem.help(format!(
                "a number without dice is written in quotes: `{key} = \"{number}\"`"
            )),
            _ => problem,
        }
    })?;
    let notation = Notation::parse(text).map_err(|error| {
        let mut bytes = error.span;
        bytes.end = bytes.end.min(text.len());
        bytes.start = bytes.start.min(bytes.end);
        let title = if error.is_too_much {
            format!("`{key}` is too much to compute")
        } else {
            format!("`{key}` is not in dice notation")
        };
        Diagnostic::error(node.span_of(bytes), title, error.message)
            .help(error.help.unwrap_or_else(|| format!("expected {expected}")))
    })?;
    if let Some(sum) = notation.as_sum()
        && (sum.count > MOST_DICE
            || i64::from(sum.sides) > MOST_POINTS
            || sum.bonus.unsigned_abs() > MOST_POINTS as u64)
    {
        return Err(Diagnostic::error(
            node.span,
            format!("`{key}` is out of range"),
            format!(
                "at most {MOST_DICE} dice, {MOST_POINTS} sides and {MOST_POINTS} points besides"
            ),
        ));
    }
    Ok((text, notation))
}
