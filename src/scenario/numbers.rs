//! Every number of every combatant and its gear, each with the fights in which it is 1 less and 1 more.
//!
//! The numbers are found in the tree, not in a list, so that new keys of the format are found too.
//! A number that is left out of the file, so that its default holds, is not there to be found.

use std::sync::Arc;

use super::Variant;
use crate::dice::Notation;
use crate::document::Document;
use crate::document::diagnostics::Diagnostics;
use crate::document::node::{Node, Value};
use crate::document::overrides::{self, FROM_SWEEP, Override, apply};
use crate::document::path::{Part, Path, quoted};

/// Tables of things that combatants name.
const GEAR: &[&str] = &["weapons", "spells", "items", "tasks"];

/// Keys of a combatant that say who it is rather than how good.
const IDENTITY: &[&str] = &["name", "side", "count", "policy"];

/// A number, and the fights in which it is another.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Its dotted path.
    pub key: String,
    /// Its value, as the file has it; dice are text.
    pub value: String,
    /// The value that is 1 less, and the fight with it; none if that is not allowed.
    pub less: Option<(String, Variant)>,
    /// The value that is 1 more, and the fight with it; none if that is not allowed.
    pub more: Option<(String, Variant)>,
}

/// All numbers of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// The variant as it is.
    pub base: Variant,
    /// Its numbers: combatant by combatant, then their gear, in the order of the file.
    pub all: Vec<Number>,
}

impl Number {
    /// Whether another number changes the fight in the same way.
    fn same(&self, other: &Self) -> bool {
        let alike = |one: &Option<(String, Variant)>, other: &Option<(String, Variant)>| {
            one.as_ref().map(|(_, fight)| fight) == other.as_ref().map(|(_, fight)| fight)
        };
        let changes = self.less.is_some() || self.more.is_some();
        changes && alike(&self.less, &other.less) && alike(&self.more, &other.more)
    }
}

/// A number in the tree: its path, and its value less 1, as it is, and plus 1.
struct Found {
    path: Vec<String>,
    values: [Option<Value>; 3],
}

impl Document {
    /// Finds the numbers of a variant, `base` for the file as it stands. Dice count as one number,
    /// their bonus, unless a number beside them is that bonus; numbers in lists do not count.
    ///
    /// # Errors
    /// Everything that is wrong with the scenario; also if there is no such variant.
    pub fn numbers(&self, variant: &str) -> Result<Numbers, Diagnostics> {
        let (document, changes) = self.only(variant)?;
        let base = document.base(variant, changes.clone())?;
        let mut all: Vec<Number> = found(&document.root)
            .into_iter()
            .map(|found| {
                let [less, value, more] = found.values;
                let key: Vec<String> = found.path.iter().map(|part| quoted(part)).collect();
                let changed = |value: Option<Value>| {
                    let value = value?;
                    let fight = document.changed(&found.path, &value, variant)?;
                    Some((value.plain(), fight))
                };
                Number {
                    key: key.join("."),
                    value: value.map_or_else(String::new, |value| value.plain()),
                    less: changed(less),
                    more: changed(more),
                }
            })
            .collect();
        // The dice of a check with a bonus are its bonus under another name.
        let dice = |number: &Number| number.value.parse::<i64>().is_err();
        let doubles: Vec<bool> = all
            .iter()
            .map(|one| dice(one) && all.iter().any(|other| !dice(other) && one.same(other)))
            .collect();
        let mut doubles = doubles.into_iter();
        all.retain(|_| !doubles.next().unwrap_or(false));
        Ok(Numbers { base, all })
    }

    /// The fight with one value changed, if that is allowed.
    fn changed(&self, path: &[String], value: &Value, variant: &str) -> Option<Variant> {
        let mut document = self.clone();
        let span = self.root.span;
        let part = |name: &String| Part {
            name: name.clone(),
            span,
        };
        let change = Override {
            path: Path {
                parts: path.iter().map(part).collect(),
                span,
            },
            value: Arc::new(Node {
                span,
                value: value.clone(),
            }),
        };
        apply(&mut document.root, &change, &FROM_SWEEP).ok()?;
        document.base(variant, Vec::new()).ok()
    }
}

/// The numbers of all combatants, then those of the gear that any of them names.
fn found(root: &Node) -> Vec<Found> {
    let mut all = Vec::new();
    let Some(top) = root.table() else {
        return all;
    };
    let combatants = match top.get("combatants").map(|entry| &entry.node.value) {
        Some(Value::List(list)) => list.as_slice(),
        _ => &[],
    };
    let tables = || combatants.iter().filter_map(|node| node.table());
    for table in tables() {
        let Some(name) = table.get("name").and_then(|entry| entry.node.text()) else {
            continue;
        };
        let own = table.entries.iter();
        for entry in own.filter(|entry| !IDENTITY.contains(&&*entry.key)) {
            let path = ["combatants", name, &entry.key].map(str::to_owned);
            walk(&entry.node, path.to_vec(), &mut all);
        }
    }
    for &kind in GEAR {
        let named = |name: &str| {
            tables().any(
                |table| match table.get(kind).map(|entry| &entry.node.value) {
                    Some(Value::List(names)) => names.iter().any(|node| node.text() == Some(name)),
                    _ => false,
                },
            )
        };
        let Some(table) = top.get(kind).and_then(|entry| entry.node.table()) else {
            continue;
        };
        for entry in table.entries.iter().filter(|entry| named(&entry.key)) {
            let path = [kind, &entry.key].map(str::to_owned);
            walk(&entry.node, path.to_vec(), &mut all);
        }
    }
    let parameters = top.get("parameters").and_then(|entry| entry.node.table());
    for entry in parameters.into_iter().flat_map(|table| &table.entries) {
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
