//! `initiative.dice`, `initiative.ties` and `initiative.share`, which every system has.

use super::gear;
use super::keys::GREATEST;
use crate::dice::{Notation, PlainSum};
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Node, Value};
use crate::document::reader::{self, Reader};
use crate::fight::Combatant;
use crate::fight::health::Roll;
use crate::fight::initiative::{MOST_ROLL, Ties, Vocabulary};
use crate::fight::world::bit;
use crate::names;

/// Reads `dice`, if the file has it.
pub(crate) fn dice(table: &mut Reader<'_>, key: &'static str) -> Option<Roll> {
    let entry = table.entry(key)?;
    table.ok_or_report(read_dice(&entry.node))
}

/// Refuses `initiative.dice` beside `mode = "fixed"`.
pub(crate) fn no_dice(rules: &mut Reader<'_>) {
    if let Some((table, key)) = rules.at("initiative.dice") {
        table.refuse_beside(key, "`mode = \"fixed\"` rolls none");
    }
}

fn read_dice(node: &Node) -> Result<Roll, Diagnostic> {
    const KEY: &str = "dice";
    if matches!(node.value, Value::Integer(_)) {
        let bonus = reader::integer(node, KEY, -MOST_ROLL..=MOST_ROLL)?;
        return Ok(Roll::from(PlainSum::points(bonus)));
    }
    bounded(node, KEY, gear::notation(node, KEY)?.1)
}

/// Returns the roll of dice whose totals are in range.
pub(crate) fn bounded(node: &Node, key: &str, notation: Notation) -> Result<Roll, Diagnostic> {
    // Exploding dice have no bound in one direction; a roll beyond `MOST_ROLL` counts as that.
    let low = notation.min() != i64::MIN && notation.min() < -MOST_ROLL;
    if low || notation.max().is_some_and(|most| most > MOST_ROLL) {
        let expected = format!("expected dice that show -{MOST_ROLL} to {MOST_ROLL}");
        let title = format!("`{key}` is out of range");
        return Err(Diagnostic::error(node.span, title, expected));
    }
    Ok(Roll::from(notation))
}

/// Reads `initiative` of a combatant on a clock of one's own: a rating, or dice of its own with one.
pub(crate) fn own_initiative(table: &mut Reader<'_>) -> (i32, Option<Roll>) {
    const KEY: &str = "initiative";
    let Some(entry) = table.entry(KEY) else {
        return (0, None);
    };
    let read = match entry.node.value {
        Value::Text(..) => gear::notation(&entry.node, KEY)
            .and_then(|(_, notation)| bounded(&entry.node, KEY, notation))
            .map(|roll| (0, Some(roll))),
        _ => reader::integer(&entry.node, KEY, -GREATEST..=GREATEST)
            .map(|rating| (rating as i32, None)),
    };
    table.ok_or_report(read).unwrap_or_default()
}

/// Reads `ties`, if the file has it.
pub(crate) fn ties(
    table: &mut Reader<'_>,
    key: &'static str,
    vocabulary: &Vocabulary,
) -> Option<Ties> {
    let entry = table.entry(key)?;
    table.ok_or_report(read_ties(&entry.node, vocabulary))
}

fn read_ties(node: &Node, vocabulary: &Vocabulary) -> Result<Ties, Diagnostic> {
    const KEY: &str = "ties";
    let list = reader::list(node, KEY).map_err(|problem| problem.help(vocabulary.example()))?;
    if list.is_empty() {
        let problem = Diagnostic::error(node.span, format!("`{KEY}` is empty"), "expected words");
        return Err(problem.help(vocabulary.example()));
    }
    let words: Result<Vec<&str>, Diagnostic> =
        list.iter().map(|node| reader::text(node, KEY)).collect();
    vocabulary.read(&words?).map_err(|wrong| {
        let span = list[wrong.at].span;
        Diagnostic::error(span, wrong.title, wrong.label).maybe_help(wrong.help)
    })
}

/// Reads `rules.initiative.share`: the combatants that act on one initiative as sets.
pub(crate) fn share(
    rules: Option<&Node>,
    sides: &[String],
    combatants: &[Combatant],
    problems: &mut Vec<Diagnostic>,
) -> Vec<u64> {
    let Some(node) = rules
        .and_then(Node::table)
        .and_then(|rules| rules.table("initiative")?.get("share"))
    else {
        return Vec::new();
    };
    let list = match reader::list(&node.node, "share") {
        Ok(list) => list,
        Err(problem) => {
            problems.push(problem.help("name the sides or groups that share an initiative"));
            return Vec::new();
        }
    };
    let mut shared: Vec<u64> = Vec::new();
    for node in list {
        let name = match reader::text(node, "share") {
            Ok(name) => name,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let members = combatants
            .iter()
            .enumerate()
            .filter(|(_, combatant)| combatant.group == name || sides[combatant.side] == name)
            .fold(0, |all, (who, _)| all | bit(who));
        let known = || {
            sides
                .iter()
                .map(String::as_str)
                .chain(combatants.iter().map(|combatant| combatant.group.as_str()))
        };
        if members == 0 {
            let label = names::suggest(name, known(), '"').unwrap_or_else(|| {
                "expected the name of a side or of a combatant with a `count`".to_owned()
            });
            problems.push(Diagnostic::error(
                node.span,
                format!("no combatant is called \"{}\"", reader::shown(name)),
                label,
            ));
        } else if shared.iter().any(|other| other & members != 0) {
            problems.push(Diagnostic::error(
                node.span,
                format!("\"{name}\" shares two initiatives"),
                "a member of it is in an earlier name of the list",
            ));
        } else {
            shared.push(members);
        }
    }
    shared
}
