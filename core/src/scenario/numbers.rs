//! Every number of every combatant and its gear, each with the fights in which it is 1 less and 1 more.
//!
//! The numbers are found in the tree, not in a list, so that new keys of the format are found too. A number that the
//! file omits, so that its default holds, is not found.

use super::changes::{Change, ChangeKind, Changed, GEAR};
use super::knockouts::reason;
use crate::dice::Notation;
use crate::document::Document;
use crate::document::node::{Node, Value};
use crate::document::overrides;
use crate::document::path::quoted;

/// The keys of a combatant that identify it rather than measure it.
const IDENTITY: &[&str] = &["name", "side", "count", "policy"];

/// A number in the tree: its path, and its values 1 less, unchanged, and 1 more.
struct Found {
    path: Vec<String>,
    values: [Option<Value>; 3],
}

/// Returns the numbers of all combatants and their gear, as changes of a document with a single variant.
pub(super) fn of_combatants(document: &Document, variant: &str) -> Vec<Change> {
    let found = found(&document.root).into_iter();
    let mut all: Vec<Change> = found.map(|found| found.change(document, variant)).collect();
    // The dice of a check with a bonus are the same number as the bonus.
    let dice = |number: &Change| number.value.parse::<i64>().is_err();
    let doubles: Vec<bool> = all
        .iter()
        .map(|one| dice(one) && all.iter().any(|other| !dice(other) && same(one, other)))
        .collect();
    let mut doubles = doubles.into_iter();
    all.retain(|_| !doubles.next().unwrap_or(false));
    all
}

/// Returns the change of a key whose value is a whole number or dice, given as text; `None` for any other value.
pub(super) fn of_key(document: &Document, variant: &str, key: &str, value: &str) -> Option<Change> {
    let value = match value.parse::<i64>() {
        Ok(number) => Value::from(number),
        Err(_) => Value::from(value),
    };
    let span = document.root.span;
    let mut found = Vec::new();
    let path = key.split('.').map(str::to_owned);
    walk(&Node { span, value }, path.collect(), &mut found);
    Some(found.pop()?.change(document, variant))
}

impl Found {
    fn change(self, document: &Document, variant: &str) -> Change {
        let [less, value, more] = self.values;
        let key: Vec<String> = self.path.iter().map(|part| quoted(part)).collect();
        let key = key.join(".");
        let mut refused = None;
        let mut changed = |value: Option<Value>| {
            let value = value?;
            let text = value.plain();
            match document.set(&[(&key, value)], variant) {
                Ok(fight) => Some((text, fight)),
                Err(problems) => {
                    refused = Some(reason(&problems));
                    None
                }
            }
        };
        // If both are refused, the reason is that for 1 more.
        let (from, to) = (changed(less), changed(more));
        let value = value.map_or_else(String::new, |value| value.plain());
        let mut change = Change {
            from,
            to,
            ..Change::new(ChangeKind::Number, &key, &value)
        };
        if !change.is_possible() {
            let neither = || "it can be neither 1 more nor 1 less".to_owned();
            change.reason = refused.unwrap_or_else(neither);
        }
        change
    }
}

/// Returns whether two numbers change the fight in the same way.
fn same(one: &Change, other: &Change) -> bool {
    let alike = |one: &Option<Changed>, other: &Option<Changed>| match (one, other) {
        (Some((_, one)), Some((_, other))) => one.plays_like(other),
        (one, other) => one.is_none() && other.is_none(),
    };
    one.is_possible() && alike(&one.from, &other.from) && alike(&one.to, &other.to)
}

/// Returns the numbers of all combatants, of the gear that any of them names, and of the parameters.
fn found(root: &Node) -> Vec<Found> {
    let mut all = Vec::new();
    let tables = || root.combatants().iter().filter_map(|node| node.table());
    for table in tables() {
        let Some(name) = table.text("name") else {
            continue;
        };
        let own = table.entries.iter();
        for entry in own.filter(|entry| !IDENTITY.contains(&&*entry.key)) {
            let path = ["combatants", name, &entry.key].map(str::to_owned);
            walk(&entry.node, path.to_vec(), &mut all);
        }
    }
    for (kind, _) in GEAR {
        let named = |name: &str| {
            let mut names = tables().flat_map(|table| table.list(kind));
            names.any(|node| node.text() == Some(name))
        };
        let gear = root.entries(kind).iter();
        for entry in gear.filter(|entry| named(&entry.key)) {
            let path = [kind, &entry.key].map(str::to_owned);
            walk(&entry.node, path.to_vec(), &mut all);
        }
    }
    for entry in root.entries("parameters") {
        let path = ["parameters", &entry.key].map(str::to_owned).to_vec();
        if let Some(value) = overrides::parameter(root, &entry.key) {
            walk(value, path, &mut all);
        }
    }
    all
}

/// Collects the numbers below a node.
fn walk(node: &Node, path: Vec<String>, all: &mut Vec<Found>) {
    let values = match &node.value {
        Value::Integer(Some(number)) => {
            let value = |number: Option<i64>| number.map(Value::from);
            [
                value(number.checked_sub(1)),
                Some(node.value.clone()),
                value(number.checked_add(1)),
            ]
        }
        Value::Text(text, _) if Notation::parse(text).is_ok() => [
            shifted(text, -1),
            Some(node.value.clone()),
            shifted(text, 1),
        ],
        Value::Table(table) => {
            for entry in &table.entries {
                let mut path = path.clone();
                path.push(entry.key.to_string());
                walk(&entry.node, path, all);
            }
            return;
        }
        _ => return,
    };
    all.push(Found { path, values });
}

/// Returns dice notation with `by` added.
fn shifted(text: &str, by: i64) -> Option<Value> {
    let notation = Notation::parse(text).ok()?;
    let shifted = match notation.as_sum() {
        Some(sum) => {
            let bonus = sum.bonus.checked_add(by)?;
            match (sum.count, bonus) {
                (0, bonus) => bonus.to_string(),
                (count, 0) => format!("{count}d{}", sum.sides),
                (count, bonus) => format!("{count}d{}{bonus:+}", sum.sides),
            }
        }
        None => format!("{text} {by:+}"),
    };
    Notation::parse(&shifted).ok()?;
    Some(Value::from(shifted.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_shifted_by_their_bonus() {
        let by = |text, by| shifted(text, by).map(|value| value.plain());
        assert_eq!(by("2d6", 1).unwrap(), "2d6+1");
        assert_eq!(by("2d6+1", -1).unwrap(), "2d6");
        assert_eq!(by("2d6", -1).unwrap(), "2d6-1");
        assert_eq!(by("5", 1).unwrap(), "6");
        assert_eq!(by("4d6kh3", 1).unwrap(), "4d6kh3 +1");
        assert_eq!(by("fight", 1), None);
    }
}
