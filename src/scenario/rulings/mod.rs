//! `[rules]` and `[encounter]`: the rulings of the system, and the frame of the fight.

/// Reads keys that replace defaults, one row each: a truth value (`bool`), one of some words, or a whole
/// number of a range.
macro_rules! fields {
    ($table:expr;) => {};
    ($table:expr; $key:literal bool => $field:expr; $($rest:tt)*) => {
        $field = $table.boolean($key).unwrap_or($field);
        fields! { $table; $($rest)* }
    };
    ($table:expr; $key:literal in $words:expr => $field:expr; $($rest:tt)*) => {
        $field = $table.choice($key, $words).unwrap_or($field);
        fields! { $table; $($rest)* }
    };
    ($table:expr; $key:literal [$($word:literal: $value:expr),+] => $field:expr; $($rest:tt)*) => {
        fields! { $table; $key in &[$(($word, $value)),+] => $field; $($rest)* }
    };
    ($table:expr; $key:literal ($range:expr) $(as $number:ty)? => $field:expr; $($rest:tt)*) => {
        if let Some(number) = $table.integer($key, $range) {
            $field = number $(as $number)?;
        }
        fields! { $table; $($rest)* }
    };
}

mod initiative;
mod marks;
mod order;
mod phases;
mod turns;

pub(super) use marks::attack_offsets;
pub(super) use turns::share;

use std::collections::BTreeMap;

use super::diagnostics::Diagnostic;
use super::gear;
use super::node::{Node, Value};
use super::reader::{self, Reader};
use super::sums::Sheet;
use crate::dice::Storyteller;
use crate::dice::pool::Again;
use crate::fight::check::CheckKind;
use crate::fight::health::{HealthModel, Setback};
use crate::fight::system::{Clock, System};
use crate::fight::{Arena, Limit};
use crate::systems::Rules;
use crate::systems::tara_corax::rules::Costs;

/// The ends of everything that lies on the line.
pub(super) const FARTHEST: i64 = 100_000;

/// What `[rules]` says.
#[derive(Debug, Clone)]
pub(super) struct Rulings {
    /// The system it is written for.
    pub(super) system: &'static System,
    /// The clock's part.
    pub(super) rules: Rules,
    /// The kind of all checks, where the file says it.
    pub(super) check: Option<CheckKind>,
    /// What health is.
    pub(super) health: HealthModel,
    /// Whether a roll that only meets Evade hits (TC-22).
    pub(super) meeting_hits: bool,
    /// Whether one may wait (TC-23).
    pub(super) may_wait: bool,
    /// Spacing of attacks, by their number (TC-8).
    pub(super) offsets: BTreeMap<usize, Vec<u8>>,
    /// The effects of the faces of a pool, unless a check overrides them (MD-1, MD-2).
    pub(super) pool: Storyteller,
    /// The traits of the combatant whose pools are read; none while things are defined (MD-4).
    pub(super) sheet: Option<Sheet>,
    /// The faces that are rolled again, unless a check overrides them (CD-6).
    pub(super) again: Again,
    /// Damage for each extra success, unless a check says otherwise (MD-3, MA-9).
    pub(super) extra_damage: i64,
    /// Whether a percentile success with doubles ignores armour, unless a check says otherwise (EP-9).
    pub(super) critical_ignores_armor: bool,
}

impl Rulings {
    /// What holds if the file says nothing.
    pub(super) fn of(system: &'static System) -> Self {
        Self {
            system,
            rules: Rules::of(system.clock),
            check: None,
            health: system.health,
            meeting_hits: true,
            may_wait: true,
            offsets: marks::spaced_evenly(Costs::DEFAULT.full),
            pool: Storyteller::new(0, 6),
            sheet: None,
            again: Again::default(),
            extra_damage: i64::from(matches!(system.clock, Clock::Turns | Clock::Order)),
            critical_ignores_armor: true,
        }
    }
}

/// Reads `[rules]`.
pub(super) fn rulings(
    mut table: Reader<'_>,
    system: &'static System,
    problems: &mut Vec<Diagnostic>,
) -> Rulings {
    let mut rulings = Rulings::of(system);
    rulings.check = table.choice("check", CheckKind::ALL);
    fields! { table;
        "health" in HealthModel::ALL => rulings.health;
        "hit" ["meet": true, "beat": false] => rulings.meeting_hits;
    }
    let mut rules = Rules::of(system.clock);
    match &mut rules {
        Rules::Marks(rules) => marks::read(&mut table, rules, &mut rulings, problems),
        Rules::Turns(rules) => turns::read(&mut table, rules, &mut rulings, problems),
        Rules::Order(rules) => order::read(&mut table, rules, &mut rulings, problems),
        Rules::Phases(rules) => phases::read(&mut table, rules, &mut rulings, problems),
    }
    rulings.rules = rules;
    table.finish(problems);
    rulings
}

/// Reads the cost of a roll that is worse than a failure: nothing more, the next turn, or damage, which has
/// a key of its own.
fn setback(
    table: &mut Reader<'_>,
    (key, nothing): (&'static str, &str),
    damage_key: &'static str,
) -> Setback {
    let cost = table.choice(key, &[(nothing, 0), ("lose-turn", 1), ("damage", 2)]);
    let damage = gear::points(table, damage_key, cost == Some(2));
    if cost != Some(2) {
        table.refuse(damage_key, &format!("only `{key} = \"damage\"` does any"));
    }
    match (cost, damage) {
        (Some(2), Some(damage)) => Setback::Damage(damage),
        (Some(1), _) => Setback::LoseTurn,
        _ => Setback::Nothing,
    }
}

/// Whether Sleepers watch (MD-5).
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sleepers {
    /// In no turn.
    #[default]
    Never,
    /// In every turn.
    Always,
    /// In each turn with a chance, in parts of 2^32.
    Chance(u64),
}

/// What `[encounter]` says.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The most Rounds.
    pub(super) max_rounds: Option<u32>,
    /// The ends of the line.
    pub(super) arena: Option<Arena>,
    /// Whether all movement strains (MA-6).
    pub(super) strenuous: bool,
    /// Whether Sleepers watch (MD-5).
    pub(super) sleepers: Sleepers,
    /// Whether it is watched which side acts first.
    pub(super) first_mover: bool,
    /// Whether it is watched who acts first in each Round.
    pub(super) acted_first: bool,
    /// Distances at which it is over.
    pub(super) ends: Vec<Limit>,
}

/// Reads `[encounter]`.
pub(super) fn encounter(
    mut table: Reader<'_>,
    system: &System,
    problems: &mut Vec<Diagnostic>,
) -> Frame {
    let rounds = table
        .integer("max_rounds", 1..=10_000)
        .map(|rounds| rounds as u32);
    let mut arena = None;
    if let Some(entry) = table.entry("arena") {
        match ends(&entry.node) {
            Ok(ends) => arena = Some(ends),
            Err(problem) => table.complain(problem),
        }
    }
    let mut frame = Frame {
        max_rounds: rounds,
        arena,
        ends: ends_when(&mut table),
        ..Frame::default()
    };
    fields! { table;
        "first_mover" bool => frame.first_mover;
        "acted_first" bool => frame.acted_first;
    }
    if system.clock == Clock::Turns {
        fields! { table;
            "strenuous" bool => frame.strenuous;
        }
        if let Some(entry) = table.entry("sleepers") {
            match sleepers(&entry.node) {
                Ok(sleepers) => frame.sleepers = sleepers,
                Err(problem) => table.complain(problem),
            }
        }
    }
    table.finish(problems);
    frame
}

/// `sleepers`: `true` and `false` in words or not, or a chance from 0 to 1 or in per cent.
fn sleepers(node: &Node) -> Result<Sleepers, Diagnostic> {
    const EXPECTED: &str =
        "expected `true`, `false`, \"always\", \"never\", or a chance for each turn: 0.25, \"25%\"";
    const WHOLE: u64 = 1 << 32;
    let wrong = |title: String| Err(Diagnostic::error(node.span, title, EXPECTED));
    let chance = match &node.value {
        Value::Boolean(true) => 1.0,
        Value::Boolean(false) => 0.0,
        Value::Integer(Some(number)) => *number as f64,
        Value::Float(number) => *number,
        Value::Text(text, _) => match (text.as_str(), text.strip_suffix('%')) {
            ("always", _) => 1.0,
            ("never", _) => 0.0,
            (_, Some(number)) => match number.trim().parse::<f64>() {
                Ok(number) => number / 100.0,
                Err(_) => {
                    return wrong(format!("`sleepers` is no chance: {}", reader::shown(text)));
                }
            },
            (_, None) => {
                return wrong(format!("unknown `sleepers`: \"{}\"", reader::shown(text)));
            }
        },
        _ => return wrong(format!("`sleepers` is {}", node.value.kind())),
    };
    // Not a number is in no range.
    if !(0.0..=1.0).contains(&chance) {
        return wrong(format!("`sleepers` is out of range: {chance}"));
    }
    Ok(match (chance * WHOLE as f64).round() as u64 {
        0 => Sleepers::Never,
        WHOLE.. => Sleepers::Always,
        parts => Sleepers::Chance(parts),
    })
}

/// `ends_when`: a distance, or a list of them.
fn ends_when(table: &mut Reader<'_>) -> Vec<Limit> {
    let Some(entry) = table.entry("ends_when") else {
        return Vec::new();
    };
    let nodes: Vec<&Node> = match &entry.node.value {
        Value::List(list) => list.iter().map(|node| &**node).collect(),
        _ => vec![&*entry.node],
    };
    let mut limits = Vec::with_capacity(nodes.len());
    for node in nodes {
        match limit(node) {
            Ok(limit) => limits.push(limit),
            Err(problem) => {
                table.complain(problem.help(
                    "written `ends_when = \"distance >= 100\"`, or a list of such conditions",
                ));
            }
        }
    }
    limits
}

fn limit(node: &Node) -> Result<Limit, Diagnostic> {
    let text = reader::text(node, "ends_when")?;
    let wrong = |label: &str| {
        Diagnostic::error(
            node.span,
            "`ends_when` is no distance to end at",
            label.to_owned(),
        )
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let [name, sign, number] = words[..] else {
        return Err(wrong("expected `distance`, a comparison and a number"));
    };
    if name != "distance" {
        return Err(wrong("expected `distance`, the only variable here"));
    }
    let units = number
        .parse::<i64>()
        .ok()
        .filter(|units| (0..=2 * FARTHEST).contains(units))
        .ok_or_else(|| wrong("expected a whole number of Units from 0 to 200000"))?
        as i32;
    let (far, distance) = match sign {
        ">=" => (true, units),
        ">" => (true, units + 1),
        "<=" => (false, units),
        "<" if units > 0 => (false, units - 1),
        "<" => return Err(wrong("no distance is below 0")),
        _ => return Err(wrong("expected one of `<=`, `<`, `>=`, `>`")),
    };
    Ok(Limit { far, distance })
}

fn ends(node: &Node) -> Result<Arena, Diagnostic> {
    let list = reader::list(node, "arena")?;
    let [min, max] = list else {
        return Err(Diagnostic::error(
            node.span,
            "`arena` has two ends",
            format!("expected `[min, max]`, found a list of {}", list.len()),
        ));
    };
    let min = reader::integer(min, "arena", -FARTHEST..=FARTHEST)?;
    let end = reader::integer(max, "arena", -FARTHEST..=FARTHEST)?;
    if min >= end {
        return Err(Diagnostic::error(
            max.span,
            "`arena` ends before it begins",
            format!("expected more than {min}"),
        ));
    }
    Ok(Arena {
        min: min as i32,
        max: end as i32,
    })
}
