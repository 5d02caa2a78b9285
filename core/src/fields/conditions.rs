//! `[conditions]`: what lasts, and how it begins and ends (W-11).

use super::Rulings;
use super::effects::{check_of_each, own_check, unknown};
use super::gear::harm;
use super::keys::{ENDS, GREATEST, MOST_ROUNDS};
use super::sums::refuse_sums;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader, shown};
use crate::fight::effect::{Change, Morale, Strain};
use crate::fight::lasting::{
    Changes, Condition, Ends, Length, Number, Stacks, Twice, Until, numbers,
};
use crate::names;

/// Reads `[conditions.NAME]`.
pub(crate) fn condition(
    name: &str,
    table: &mut Reader<'_>,
    rulings: &Rulings,
) -> (Condition, bool) {
    let mut condition = Condition {
        name: name.to_owned(),
        changes: Changes::default(),
        stuns: false,
        stacks: table.choice("stacks", Stacks::ALL).unwrap_or_default(),
        ends: Ends::OwnTurn,
        ongoing: None,
    };
    let ends: Vec<_> = ENDS.iter().map(|word| (*word, *word)).collect();
    condition.ends = match table.choice("ends", &ends) {
        // The target of an action is the bearer of its conditions, so both words mean the same.
        None | Some("own_turn" | "target_turn") => Ends::OwnTurn,
        Some("source_turn") => Ends::SourceTurn,
        Some("round_end") => Ends::RoundEnd,
        Some("damage") => Ends::Damage,
        Some("check") => Ends::Check(check_of_each(table, rulings)),
        Some(_) => Ends::Never,
    };
    if !matches!(condition.ends, Ends::Check(_)) {
        for key in ["check", "needs"] {
            table.refuse(key, "only a condition with `ends = \"check\"` has one");
        }
    }
    modifies(table, &mut condition, rulings);
    refuse_sums(table, "ongoing", "the pool of ongoing damage", rulings);
    if let Some(mut inner) = table.table("ongoing", "`ongoing`") {
        inner.choice("when", &[("own_turn", ())]);
        condition.ongoing = Some(harm(&mut inner, rulings));
        table.close(inner);
    }
    (condition, false)
}

/// The words for rolling twice, and whether the better roll counts.
const ADVANTAGES: &[(&str, bool)] = &[("advantage", true), ("disadvantage", false)];

/// Reads `modifies`: the numbers that a condition changes.
pub(super) fn modifies(table: &mut Reader<'_>, condition: &mut Condition, rulings: &Rulings) {
    let Some(mut inner) = table.table("modifies", "`modifies`") else {
        return;
    };
    let here = rulings.system.clock;
    for (name, number, _) in numbers(here) {
        let edge = match number {
            Number::Attack => Some(Twice::Attack),
            Number::AttacksAgainst => Some(Twice::Against),
            _ => None,
        };
        if let Some(edge) = edge
            && inner
                .entry(name)
                .is_some_and(|entry| entry.node.text().is_some())
        {
            if let Some(advantage) = inner.choice(name, ADVANTAGES) {
                condition.changes.add_advantage(edge, advantage);
            }
        } else if let Some(more) = inner.integer(name) {
            condition.changes.add(number, more as i16);
        }
    }
    // A trait with the name of a number is another.
    let is_number = |name: &str| Number::ALL.iter().any(|(known, ..)| *known == name);
    for entry in inner.own(|name| rulings.own.find(name).is_some() && !is_number(name)) {
        let Some(own) = rulings.own.find(&entry.key) else {
            continue;
        };
        if entry.node.text().is_some() {
            let read = reader::choice(&entry.node, &entry.key, ADVANTAGES);
            if let Some(advantage) = inner.ok_or_report(read) {
                condition
                    .changes
                    .add_advantage(Twice::Trait(own), advantage);
            }
        } else {
            let read = reader::integer(&entry.node, &entry.key, -GREATEST..=GREATEST);
            let more = inner.ok_or_report(read).unwrap_or(0);
            condition.changes.add_to_trait(own, more as i16);
        }
    }
    for (name, _, clocks, _) in Number::ALL {
        if !clocks.has(here) {
            let known = names::list(numbers(here).map(|(name, ..)| name), "and");
            let system = rulings.system.title;
            inner.refuse(
                name,
                &format!("{system} has no such number; it has {known}, and `actions = 0`"),
            );
        }
    }
    if let Some(actions) = inner.within("actions", 0..=GREATEST) {
        condition.stuns = actions == 0;
        if actions > 0 {
            inner.report(Diagnostic::error(
                inner.span(),
                "`actions` of a condition is 0 or not there",
                "with `actions = 0` one begins nothing",
            ));
        }
    }
    table.close(inner);
}

/// Reads `morale`: when and how a combatant tests it (W-13). `None` if it is `false`.
pub(crate) fn morale(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Box<Morale>> {
    let entry = table.entry("morale")?;
    if entry.node.value == Value::Boolean(false) {
        return None;
    }
    let mut inner = table.table("morale", "`morale`")?;
    let when = inner.choice("when", Strain::ALL);
    let check = own_check(&mut inner, rulings);
    let effect = begin(&mut inner, rulings);
    table.close(inner);
    Some(Box::new(Morale {
        when: when?,
        by: check,
        effect: effect?,
    }))
}

/// Reads a condition that begins: `condition = "stunned"` with `lasts = "2 rounds"` or `until = "end of my next turn"`.
pub(super) fn begin(table: &mut Reader<'_>, rulings: &Rulings) -> Option<Change> {
    let (condition, ends) = named(table, "condition", rulings)?;
    let until = table.entry("until").map(|entry| until(&entry.node));
    let until = until.and_then(|read| table.ok_or_report(read));
    if until.is_some() {
        table.refuse("lasts", "`until` says how long it lasts");
    }
    let written = table.entry("lasts").map(|entry| lasts(&entry.node));
    let length = match written {
        Some(read) => Length::rounds(table.ok_or_report(read).unwrap_or(1)),
        None => until.unwrap_or_else(|| {
            if ends.needs_rounds() && !table.has("until") {
                table.needed("lasts");
            }
            Length::ENDLESS
        }),
    };
    Some(Change::Begin { condition, length })
}

/// Reads a number of Rounds: `2`, `"2 rounds"`.
fn lasts(node: &Node) -> Result<u8, Diagnostic> {
    const EXPECTED: &str = "a number of Rounds: `2` or \"2 rounds\"";
    let Value::Text(text, _) = &node.value else {
        return reader::integer(node, "lasts", 1..=MOST_ROUNDS).map(|rounds| rounds as u8);
    };
    let (number, unit) = text.trim().split_once(' ').unwrap_or((text, ""));
    let is_unit = ["", "round", "rounds", "turn", "turns"].contains(&unit.trim());
    match number.parse::<i64>() {
        Ok(rounds) if is_unit && (1..=MOST_ROUNDS).contains(&rounds) => Ok(rounds as u8),
        _ => Err(Diagnostic::error(
            node.span,
            format!("`lasts` is \"{}\"", shown(text)),
            format!("expected {EXPECTED}, at most {MOST_ROUNDS}"),
        )),
    }
}

/// Reads the words of `until`: `"end of my next turn"`, `"3 rounds"`.
fn until(node: &Node) -> Result<Length, Diagnostic> {
    let text = node.text().unwrap_or_default();
    let rounds = text.split_once(' ');
    let rounds = rounds.and_then(|(number, unit)| Some((number.parse::<i64>().ok()?, unit)));
    match rounds {
        Some((rounds @ 1..=MOST_ROUNDS, "rounds")) => Ok(Length::rounds(rounds as u8)),
        Some((1, "round")) => Ok(Length::rounds(1)),
        Some((rounds, _)) => Err(Diagnostic::error(
            node.span,
            format!("`until` cannot be \"{}\"", shown(text)),
            format!(
                "expected Rounds: \"{} rounds\"",
                rounds.clamp(1, MOST_ROUNDS)
            ),
        )),
        None => {
            let read = reader::choice(node, "until", Until::WORDS).map(Length::until);
            read.map_err(|problem| {
                problem.help(
                    "`my` and `source` mean the one who uses it, `target` the one who has the \
                     condition; a number of Rounds is written \"3 rounds\"",
                )
            })
        }
    }
}

/// The condition that a key names, and what ends it.
pub(crate) fn named<'a>(
    table: &mut Reader<'_>,
    key: &'static str,
    rulings: &'a Rulings,
) -> Option<(u8, &'a Ends)> {
    let span = table.entry(key)?.node.span;
    let name = table.text(key)?;
    let conditions = rulings.defined_conditions();
    let place = conditions.iter().position(|one| one.name == name);
    if place.is_none() {
        let known = conditions.iter().map(|condition| condition.name.as_str());
        let problem = unknown(span, "condition", name, known);
        table.report(problem.help("conditions are defined in tables `[conditions.NAME]`"));
    }
    place.map(|place| (place as u8, &conditions[place].ends))
}
