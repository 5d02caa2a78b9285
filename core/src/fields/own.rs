//! Traits of the scenario's own: numbers of combatants with names that the file chooses.

use super::Rulings;
use crate::dice::Notation;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node};
use crate::document::reader::{self, Reader, shown};
use crate::fight::lasting::MOST_TRAITS;
use crate::fight::variables::rows;
use std::sync::Arc;

/// The greatest absolute value of a trait of the scenario's own.
pub(crate) const GREATEST_TRAIT: i64 = 10_000;

/// The traits of a scenario's own.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnTraits {
    /// Their names.
    pub(crate) names: Arc<[String]>,
    /// For each of them the first combatant that does not have it.
    lacking: Arc<[Option<String>]>,
}

impl OwnTraits {
    /// Finds the traits of all combatants of a tree. Wrong names are reported where the combatants are read.
    pub(crate) fn of(root: &Node) -> Self {
        let list = root.get("combatants");
        let list = list.and_then(|entry| reader::list(&entry.node, "combatants").ok());
        let combatants = list.unwrap_or_default();
        let of = |node: &Node| {
            let names = node.entries("traits").iter();
            let names: Vec<String> = names.map(|entry| entry.key.to_string()).collect();
            names
        };
        let mut names: Vec<String> = Vec::new();
        for name in combatants.iter().flat_map(|node| of(node)) {
            if name_problem(&name).is_none() && !names.contains(&name) && names.len() < MOST_TRAITS
            {
                names.push(name);
            }
        }
        let lacking = names.iter().map(|name| {
            let lacks = |node: &&Arc<Node>| !of(node).contains(name);
            let first = combatants.iter().find(lacks)?;
            Some(first.text_at("name").unwrap_or_default().to_owned())
        });
        Self {
            lacking: lacking.collect(),
            names: names.into(),
        }
    }

    /// Traits with these names, which every combatant has; `target.ac` names `ac`.
    pub(crate) fn named<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut own: Vec<String> = Vec::new();
        for name in names {
            let name = name.strip_prefix("target.").unwrap_or(name);
            if name_problem(name).is_none() && !own.iter().any(|known| known == name) {
                own.push(name.to_owned());
            }
        }
        Self {
            lacking: vec![None; own.len()].into(),
            names: own.into(),
        }
    }

    /// The name of the first combatant that does not have a trait.
    pub(crate) fn lacks(&self, own: u8) -> Option<&str> {
        self.lacking[usize::from(own)].as_deref()
    }

    /// The index of a trait.
    pub(crate) fn find(&self, name: &str) -> Option<u8> {
        let mut names = self.names.iter();
        names.position(|known| known == name).map(|at| at as u8)
    }
}

/// Words with a meaning in checks and conditions.
const TAKEN: &[&str] = &[
    "and",
    "or",
    "not",
    "if",
    "until",
    "with",
    "to",
    "true",
    "false",
    "vs",
    "by",
    "ties",
    "margin",
    "natural",
    "total",
    "successes",
];

/// Whether a text is letters, digits and `_`, and begins with no digit.
pub(super) fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.chars().all(is_part) && text.starts_with(|c: char| !c.is_numeric() && is_part(c))
}

/// Returns the reason why a trait cannot have this name.
fn name_problem(name: &str) -> Option<&'static str> {
    if !is_word(name) || name.chars().count() > 64 {
        return Some("expected letters, digits and `_`, beginning with a letter, as in `con_save`");
    }
    let is_fact = rows().any(|row| row.word() == name);
    if is_fact || TAKEN.contains(&name) || name == "hp" || Notation::parse(name).is_ok() {
        return Some("this word means something else in checks and conditions");
    }
    None
}

/// Reads `traits` of a combatant.
pub(crate) fn own_traits(table: &mut Reader<'_>, rulings: &Rulings) -> Arc<[Option<i32>]> {
    let mut values = vec![None; rulings.own.names.len()];
    let Some(entry) = table.entry("traits") else {
        return values.into();
    };
    let Some(inner) = entry.node.table() else {
        let expected = "a table like `{ ac = 15, con_save = 3 }`";
        table.report(reader::wrong_kind(&entry.node, "traits", expected));
        return values.into();
    };
    for Entry { key, span, node } in &inner.entries {
        let problem = if let Some(label) = name_problem(key) {
            let title = format!("no trait can be called \"{}\"", shown(key));
            Diagnostic::error(*span, title, label)
        } else if let Some(index) = rulings.own.find(key) {
            let value = reader::integer(node, key, -GREATEST_TRAIT..=GREATEST_TRAIT);
            values[usize::from(index)] = table.ok_or_report(value).map(|value| value as i32);
            continue;
        } else {
            let label = format!("a scenario has at most {MOST_TRAITS}");
            Diagnostic::error(node.span, "too many different `traits`", label)
        };
        table.report(problem);
    }
    values.into()
}
