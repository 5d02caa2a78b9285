//! `[weapons]`, `[spells]`, `[items]`, `[tasks]`: what combatants name.

use super::checks::{check, pool};
use super::diagnostics::Diagnostic;
use super::node::{Entry, Node, Value};
use super::reader::{self, Reader, check_name};
use super::rulings::{Rulings, attack_offsets};
use super::source::Span;
use super::sums::has_sums;
use crate::dice::extended::MAX_REQUIRED;
use crate::dice::magick::MAX_RATING;
use crate::dice::{Notation, PlainSum};
use crate::fight::check::{Check, Dice};
use crate::fight::health::Diminished;
use crate::fight::health::{Damage, Roll};
use crate::fight::system::Clock;
use crate::fight::{Cost, Item, MOST_ONGOING, Magick, Ongoing, Spell, Task, Weapon, WeaponKind};
use crate::systems::Rules;
use crate::systems::tara_corax::rules::Costs;
use std::sync::Arc;

/// Rolls beyond this are slips of the finger, and would take their time.
const MOST_DICE: u32 = 1000;

/// The greatest size of a bonus, a target number, a mastery.
pub(super) const GREATEST: i64 = 1000;

/// The greatest number of points that one roll may give or take without dice.
const MOST_POINTS: i64 = 1_000_000;

/// One thing that the file defines.
#[derive(Debug, Clone)]
pub(super) struct Defined<T> {
    /// Where its name stands.
    pub(super) span: Span,
    /// The value; a placeholder if `broken`.
    pub(super) thing: T,
    /// What says it, if pools of it are sums of traits: it is read anew for each who has it (MD-4).
    pub(super) sums: Option<Arc<Node>>,
    /// Set if its errors are so serious that later checks must skip it.
    pub(super) broken: bool,
}

/// Everything that the file defines for combatants to have.
#[derive(Debug, Clone, Default)]
pub(super) struct Gear {
    pub(super) weapons: Vec<Defined<Weapon>>,
    pub(super) spells: Vec<Defined<Spell>>,
    pub(super) items: Vec<Defined<Item>>,
    pub(super) tasks: Vec<Defined<Task>>,
}

/// Something with a name.
pub(super) trait Thing {
    /// As the file names it.
    fn name(&self) -> &str;
}

impl Thing for Weapon {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Thing for Spell {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Thing for Item {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Thing for Task {
    fn name(&self) -> &str {
        &self.name
    }
}

/// Reads each table inside a table of tables. `read` gives a thing and whether it is broken.
pub(super) fn define<T>(
    node: &Node,
    key: &str,
    problems: &mut Vec<Diagnostic>,
    mut read: impl FnMut(&str, Reader<'_>, &mut Vec<Diagnostic>) -> (T, bool),
) -> Vec<Defined<T>> {
    let Some(table) = node.table() else {
        problems.push(reader::wrong_kind(
            node,
            key,
            &format!("tables `[{key}.NAME]`"),
        ));
        return Vec::new();
    };
    let mut all = Vec::with_capacity(table.entries.len());
    for Entry {
        key: name,
        span,
        node,
    } in &table.entries
    {
        problems.extend(check_name(name, *span).err());
        let kind = key.trim_end_matches('s');
        let what = format!("{kind} \"{}\"", reader::shown(name));
        let before = problems.len();
        if let Some(reader) = Reader::open(node, what, problems) {
            let (thing, broken) = read(name, reader, problems);
            let sound = problems.len() == before;
            all.push(Defined {
                span: *span,
                thing,
                sums: (sound && has_sums(node)).then(|| Arc::clone(node)),
                broken,
            });
        }
    }
    all
}

/// Reads `[weapons.NAME]`.
pub(super) fn weapon(
    name: &str,
    mut table: Reader<'_>,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> (Weapon, bool) {
    let kind = table.needed_choice(
        "kind",
        &[
            ("melee", WeaponKind::Melee),
            ("ranged", WeaponKind::Ranged),
            ("thrown", WeaponKind::Thrown),
        ],
    );
    let range = match kind {
        Some(WeaponKind::Melee) => {
            let reach = table.integer("reach", 0..=1000).unwrap_or(0);
            table.refuse("range", "a melee weapon has a `reach` instead");
            reach
        }
        Some(_) => {
            let range = table.needed_integer("range", 1..=100_000).unwrap_or(1);
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
        offsets: vec![0],
        check: Check::RollOver { roll: nothing() },
        mastery: 0,
        ready_turns: 0,
        ready_check: None,
        damage: nothing().into(),
        ongoing: None,
        ignores_defence: false,
    };
    match rulings.system.clock {
        Clock::Marks => weapon.offsets = offsets(&mut table, rulings),
        Clock::Turns => {
            weapon.ready_turns = table.integer("ready_turns", 0..=100).unwrap_or(0) as u8;
            weapon.ready_check = ready_check(&mut table, rulings, problems);
        }
        Clock::Order => {
            weapon.ignores_defence = table.boolean("ignores_defence").unwrap_or(false);
            weapon.ongoing = ongoing(&mut table);
        }
        Clock::Phases => {}
    }
    weapon.mastery = table.integer("mastery", -GREATEST..=GREATEST).unwrap_or(0);
    if let Some(entry) = table.needed("check") {
        weapon.check = check(&entry.node, weapon.mastery, rulings, problems);
    }
    weapon.damage = harm(&mut table, rulings, problems);
    table.finish(problems);
    (weapon, kind.is_none())
}

/// `ready_check`: the pool that is rolled to get a thing ready (MA-3).
fn ready_check(
    table: &mut Reader<'_>,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> Option<Dice> {
    let entry = table.entry("ready_check")?;
    pool(&entry.node, "ready_check", 0, rulings, problems)
}

/// When the attacks of a full set come (TC-8).
fn offsets(table: &mut Reader<'_>, rulings: &Rulings) -> Vec<u8> {
    let last = match &rulings.rules {
        Rules::Marks(rules) => rules.costs.full,
        _ => Costs::DEFAULT.full,
    };
    let attacks_entry = table.entry("attacks");
    let attacks = table.integer("attacks", 1..=30);
    match (table.entry("attack_offsets"), attacks) {
        (Some(entry), _) => {
            let wrong = attacks_entry.is_some() && attacks.is_none();
            let count = attacks.unwrap_or(1) as usize;
            // Without a valid number of attacks there is no telling how many offsets are needed.
            if wrong {
                vec![0]
            } else {
                attack_offsets(&entry.node, count, last).unwrap_or_else(|problem| {
                    table.complain(problem);
                    vec![0]
                })
            }
        }
        (None, attacks) => {
            let count = attacks.unwrap_or(1) as usize;
            rulings.offsets.get(&count).cloned().unwrap_or_else(|| {
                let span = attacks_entry.map_or(table.span(), |entry| entry.node.span);
                table.complain(
                    Diagnostic::error(
                        span,
                        format!("the rules do not say when {count} attacks come"),
                        "more than 5 attacks need `attack_offsets`",
                    )
                    .help(format!(
                        "add the Marks after the first at which each comes, {count} of them: `attack_offsets = [0, 2, 4, ...]`"
                    )),
                );
                vec![0]
            })
        }
    }
}

/// Dice that extra successes may add to a damage pool, beyond which it is rolled without a table.
const EXTRA_DICE: i64 = 20;

/// Reads the damage of a hit: points, dice, or a pool.
fn harm(table: &mut Reader<'_>, rulings: &Rulings, problems: &mut Vec<Diagnostic>) -> Damage {
    if table.has("damage")
        && let Some(entry) = table.entry("damage")
        && entry.node.table().is_some()
    {
        let dice = pool(&entry.node, "damage", EXTRA_DICE, rulings, problems);
        return dice.map_or_else(|| nothing().into(), Damage::Pool);
    }
    points(table, "damage", true).unwrap_or_else(nothing).into()
}

/// `ongoing`: damage that goes on (CD-5).
pub(super) fn ongoing(table: &mut Reader<'_>) -> Option<Ongoing> {
    let mut inner = table.table("ongoing", "`ongoing`")?;
    let damage = inner.needed_integer("damage", 1..=GREATEST);
    let rounds = inner.needed_integer("rounds", 1..=MOST_ONGOING as i64);
    table.close(inner);
    Some(Ongoing {
        damage: damage? as u16,
        rounds: rounds? as u8,
    })
}

/// Reads `[spells.NAME]`.
pub(super) fn spell(
    name: &str,
    mut table: Reader<'_>,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> (Spell, bool) {
    if rulings.system.clock == Clock::Turns {
        return effect(name, table, rulings, problems);
    }
    let (mut casting_time, mut channel, mut broken) = (0, false, false);
    let mut after = None;
    if rulings.system.clock == Clock::Order {
        after = ongoing(&mut table);
    } else {
        (casting_time, channel, broken) = casting(&mut table);
    }
    let range = table.needed_integer("range", 0..=100_000).unwrap_or(0);
    let damage = harm(&mut table, rulings, problems);
    let check = table
        .entry("check")
        .map(|entry| check(&entry.node, 0, rulings, problems));
    table.finish(problems);
    let spell = Spell {
        name: name.to_owned(),
        casting_time: casting_time as i32,
        channel,
        range: range as i32,
        check,
        harder: Vec::new(),
        witnessed: Vec::new(),
        magick: None,
        damage,
        ongoing: after,
    };
    (spell, broken)
}

/// How long a spell takes, whether it is a Channel, and whether that could not be made out (TC-12,
/// TC-15).
fn casting(table: &mut Reader<'_>) -> (i64, bool, bool) {
    let asked = table.has("channel");
    let channel = table.boolean("channel");
    let broken = asked && channel.is_none();
    let channel = channel.unwrap_or(false);
    let time = if broken {
        table.entry("casting_time");
        0
    } else if channel {
        table.refuse(
            "casting_time",
            "a Channel takes all Marks of a Round, and comes at its end",
        );
        0
    } else {
        table.needed_integer("casting_time", 1..=3000).unwrap_or(1)
    };
    (time, channel, broken)
}

/// Reads `[spells.NAME]` of a mage: an effect of magick (MD-5). The caster supplies its pool.
fn effect(
    name: &str,
    mut table: Reader<'_>,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> (Spell, bool) {
    let ratings = 1..=i64::from(MAX_RATING);
    let sphere = table.needed_integer("sphere", ratings.clone());
    let vulgar = table.boolean("vulgar").unwrap_or(false);
    let ritual = table.boolean("ritual").unwrap_or(false);
    let turns_per_roll = table.integer("turns_per_roll", 1..=100).unwrap_or(1);
    if !ritual {
        table.refuse_beside(
            "turns_per_roll",
            "only a ritual is worked on for several turns: `ritual = true` (MD-7)",
        );
    }
    let required = table.integer("required", 1..=i64::from(MAX_REQUIRED));
    let dice = table.integer("dice", ratings);
    let extra_damage = table.integer("extra_damage", 0..=GREATEST);
    let extra_range = table.integer("extra_range", 0..=100_000).unwrap_or(0);
    let diminished = table.choice("diminished", Diminished::ALL);
    let range = table.needed_integer("range", 0..=100_000).unwrap_or(0);
    let damage = harm(&mut table, rulings, problems);
    table.finish(problems);
    let spell = Spell {
        name: name.to_owned(),
        casting_time: 0,
        channel: false,
        range: range as i32,
        check: None,
        harder: Vec::new(),
        witnessed: Vec::new(),
        magick: Some(Magick {
            sphere: sphere.unwrap_or(1) as u32,
            vulgar,
            dice: dice.map(|dice| dice as u32),
            // A standard effect (MD-5).
            required: required.unwrap_or(2) as u32,
            extra_damage: extra_damage.unwrap_or(rulings.extra_damage),
            extra_range: extra_range as i32,
            diminished,
            ritual,
            turns_per_roll: turns_per_roll as u8,
            paradox: 0,
        }),
        damage,
        ongoing: None,
    };
    (spell, sphere.is_none())
}

/// Reads `[items.NAME]`.
pub(super) fn item(
    name: &str,
    mut table: Reader<'_>,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> (Item, bool) {
    // On other clocks using a thing takes an action like any other.
    let cost = match rulings.system.clock {
        Clock::Marks => table.choice(
            "cost",
            &[
                ("free", Cost::Free),
                ("quarter", Cost::Quarter),
                ("half", Cost::Half),
                ("full", Cost::Full),
            ],
        ),
        Clock::Turns | Clock::Order | Clock::Phases => None,
    };
    let quick = rulings.system.clock == Clock::Phases
        && table.choice("cost", &[("quick", true), ("complex", false)]) == Some(true);
    let ready_check = match rulings.system.clock {
        Clock::Turns => ready_check(&mut table, rulings, problems),
        Clock::Marks | Clock::Order | Clock::Phases => None,
    };
    let heal = points(&mut table, "heal", false).unwrap_or_else(nothing);
    let uses = table.integer("uses", 1..=1000).unwrap_or(1);
    table.finish(problems);
    let item = Item {
        name: name.to_owned(),
        cost: cost.unwrap_or(Cost::Half),
        quick,
        ready_check,
        heal,
        uses: uses as u16,
    };
    (item, false)
}

/// Reads `[tasks.NAME]` (EP-3).
pub(super) fn task(
    name: &str,
    mut table: Reader<'_>,
    rulings: &Rulings,
    problems: &mut Vec<Diagnostic>,
) -> (Task, bool) {
    let phases = table.needed_integer("phases", 1..=1000);
    let heal = points(&mut table, "heal", false);
    let strike = if table.has("damage") {
        let range = table.needed_integer("range", 0..=100_000).unwrap_or(0);
        Some((range as i32, harm(&mut table, rulings, problems)))
    } else {
        table.refuse("range", "only a task that does `damage` has a target");
        None
    };
    table.finish(problems);
    let task = Task {
        name: name.to_owned(),
        phases: phases.unwrap_or(1) as u16,
        heal,
        strike,
    };
    (task, false)
}

/// The roll that is always 0.
pub(super) fn nothing() -> Roll {
    Roll::Sum(PlainSum {
        count: 0,
        sides: 1,
        bonus: 0,
    })
}

/// Dice, or points without dice.
pub(super) fn points(table: &mut Reader<'_>, key: &'static str, required: bool) -> Option<Roll> {
    let entry = if required {
        table.needed(key)
    } else {
        table.entry(key)
    }?;
    roll(&entry.node, key)
        .map_err(|problem| table.complain(problem))
        .ok()
}

/// Dice, or points without dice, never below 0.
pub(super) fn roll(node: &Node, key: &str) -> Result<Roll, Diagnostic> {
    let negative = |problem: &str| {
        Diagnostic::error(
            node.span,
            format!("`{key}` is out of range"),
            problem.to_owned(),
        )
    };
    if let Value::Integer(_) = node.value {
        let bonus = reader::integer(node, key, 0..=MOST_POINTS)?;
        Ok(Roll::Sum(PlainSum {
            count: 0,
            sides: 1,
            bonus,
        }))
    } else {
        let (_, notation) = notation(node, key)?;
        // A bad roll may come to nothing (`1d6-2`); one that always does is a slip.
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

/// A text in dice notation, its mistakes underlined inside the text.
pub(super) fn notation<'a>(node: &'a Node, key: &str) -> Result<(&'a str, Notation), Diagnostic> {
    let expected = "dice such as \"2d6+3\"";
    let text = node
        .text()
        .ok_or_else(|| reader::wrong_kind(node, key, expected))?;
    let notation = Notation::parse(text).map_err(|error| {
        let mut bytes = error.span;
        bytes.end = bytes.end.min(text.len());
        bytes.start = bytes.start.min(bytes.end);
        Diagnostic::error(
            node.span_of(bytes),
            format!("`{key}` is not in dice notation"),
            error.message,
        )
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
