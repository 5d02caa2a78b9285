//! Makes every change of a fight: removed things, other values, and the policy lines that are removed with them.

use super::changes::{Change, ChangeKind, GEAR};
use super::lines::{Edit, PolicyList};
use super::{Variant, numbers};
use crate::document::Document;
use crate::document::diagnostics::{Diagnostic, Diagnostics};
use crate::document::format::KeyRow;
use crate::document::node::{Entry, Node, Table, Value};
use crate::document::path::quoted;
use crate::document::source::Span;
use crate::names;
use crate::policy::ast::Usage;
use crate::policy::parser::usage;
use crate::systems::SHARED_RULINGS;
use std::sync::Arc;

/// The parts of `[encounter]` that have names and can be removed.
const SURROUNDINGS: [(&str, ChangeKind); 3] = [
    ("hazards", ChangeKind::Hazard),
    ("ground", ChangeKind::Ground),
    ("goals", ChangeKind::Goal),
];

/// Makes the changes of a document.
pub(super) struct ChangeBuilder<'a> {
    document: &'a Document,
    variant: &'a str,
    lists: Vec<PolicyList>,
}

impl<'a> ChangeBuilder<'a> {
    pub(super) fn new(document: &'a Document, variant: &'a str) -> Self {
        Self {
            lists: document.policy_lists(),
            document,
            variant,
        }
    }

    /// Returns every change, with policy lines first and numbers last.
    pub(super) fn all(&self, base: &Variant) -> Vec<Change> {
        let mut all = self.lines();
        all.extend(self.possessions());
        all.extend(self.conditions());
        all.extend(self.surroundings());
        all.extend(self.rulings(base));
        all.extend(numbers::of_combatants(self.document, self.variant));
        all
    }

    /// Returns the entries of a top-level table.
    fn table(&self, name: &str) -> &[Entry] {
        self.document.root.entries(name)
    }

    fn combatants(&self) -> impl Iterator<Item = (&str, &Table)> {
        self.document.root.combatants().iter().filter_map(|node| {
            let table = node.table()?;
            Some((table.text("name")?, table))
        })
    }

    /// Removes every policy line that is switched on, one at a time.
    fn lines(&self) -> Vec<Change> {
        let mut all = Vec::new();
        for list in &self.lists {
            let owner = owner(list);
            for (at, text) in list.lines() {
                let (usage, text) = usage(text);
                if usage == Usage::Off {
                    continue;
                }
                let change = Change {
                    line: at + 1,
                    ..Change::of(owner, ChangeKind::Line, &list.key, text.trim())
                };
                let made = self.make(&[(list.key.clone(), list.without(at))], &[]);
                all.push(change.attempt("", made));
            }
        }
        all
    }

    /// Removes everything that a combatant has, one thing at a time, from that combatant alone.
    fn possessions(&self) -> Vec<Change> {
        let mut all = Vec::new();
        for (name, table) in self.combatants() {
            let path = |key: &str| format!("combatants.{}.{key}", quoted(name));
            let kinds = GEAR.iter().copied();
            for (key, kind) in kinds.chain([("abilities", ChangeKind::Ability)]) {
                let things = listed(table, key);
                for thing in &things {
                    let others = |names: &[&str]| {
                        let others = names.iter().filter(|other| *other != thing);
                        list_of(others.copied())
                    };
                    let mut sets = vec![(path(key), others(&things))];
                    let undrawn = listed(table, "undrawn");
                    if kind == ChangeKind::Weapon && undrawn.contains(thing) {
                        sets.push((path("undrawn"), others(&undrawn)));
                    }
                    let change = Change::of(name, kind, &path(key), thing);
                    all.push(change.attempt("", self.make(&sets, &self.list_of(name, table))));
                }
            }
            if has_morale(table) {
                let change = Change::of(name, ChangeKind::Ability, &path("morale"), "morale");
                let sets = [(path("morale"), Value::Boolean(false))];
                all.push(change.attempt("", self.make(&sets, &self.list_of(name, table))));
            }
        }
        all
    }

    /// Removes every condition from the effects and the morale that cause it, one condition at a time.
    fn conditions(&self) -> Vec<Change> {
        let mut lists = Vec::new();
        for (kind, _) in GEAR {
            for entry in self.table(kind) {
                let path = [kind.to_owned(), quoted(&entry.key)];
                effects(&entry.node, &path, &mut lists);
            }
        }
        if let Some(entry) = self.document.root.get("encounter") {
            effects(&entry.node, &["encounter".to_owned()], &mut lists);
        }
        let begins = |node: &Node, name: &str| node.text_at("condition") == Some(name);
        let mut all = Vec::new();
        for entry in self.table("conditions") {
            let name = &*entry.key;
            let key = format!("conditions.{}", quoted(name));
            let change = Change::new(ChangeKind::Condition, &key, name);
            let afraid = self.combatants().filter(|(_, table)| {
                let morale = table.get("morale");
                morale.is_some_and(|entry| begins(&entry.node, name))
            });
            let calm = afraid.map(|(who, _)| {
                let path = format!("combatants.{}.morale", quoted(who));
                (path, Value::Boolean(false))
            });
            let sets: Vec<(String, Value)> = lists
                .iter()
                .filter(|(_, list)| list.iter().any(|effect| begins(effect, name)))
                .map(|(path, list)| {
                    let others = list.iter().filter(|effect| !begins(effect, name));
                    (path.clone(), Value::List(others.cloned().collect()))
                })
                .chain(calm)
                .collect();
            if !sets.is_empty() {
                all.push(change.attempt("", self.make(&sets, &self.lists)));
            }
        }
        all
    }

    /// Removes every hazard, stretch of ground and goal, one at a time.
    fn surroundings(&self) -> Vec<Change> {
        let mut all = Vec::new();
        for (key, kind) in SURROUNDINGS {
            let mut encounter = self.table("encounter").iter();
            let entry = encounter.find(|entry| &*entry.key == key);
            let Some(table) = entry.and_then(|entry| entry.node.table()) else {
                continue;
            };
            for entry in &table.entries {
                let others = table.entries.iter().filter(|other| other.key != entry.key);
                let others = Value::Table(Table {
                    entries: others.cloned().collect(),
                });
                let path = format!("encounter.{key}");
                let change = Change::new(kind, &path, &entry.key);
                let mut made = self.make(&[(path, others)], &self.lists);
                // A line that asks about a stretch of ground keeps its meaning if the stretch is moved out of reach.
                if matches!(&made, Ok((_, without)) if !without.is_empty())
                    && kind == ChangeKind::Ground
                {
                    let path = format!("encounter.{key}.{}.stretch", quoted(&entry.key));
                    let moved = self.make(&[(path, out_of_reach())], &[]);
                    made = moved.or(made);
                }
                all.push(change.attempt("", made));
            }
        }
        all
    }

    /// Sets every ruling of the system to each other word or truth value, and to 1 less and 1 more if it is a number or
    /// dice.
    fn rulings(&self, base: &Variant) -> Vec<Change> {
        let system = base.fight.system;
        let mut all = Vec::new();
        for ruling in SHARED_RULINGS.iter().chain(system.rulings) {
            let key = format!("rules.{}", ruling.name);
            let default = match ruling.name {
                "check" => system.check.name(),
                "health" => system.health.name(),
                _ => ruling.default,
            };
            let value = self.document.ruling(ruling.name);
            let value = value.unwrap_or_else(|| default.to_owned());
            for (word, other) in choices(ruling) {
                // Hyphens and underscores are equal.
                if names::alike(word, &value) {
                    continue;
                }
                let change = Change::new(ChangeKind::Ruling, &key, &value);
                let made = self.make(&[(key.clone(), other)], &self.lists);
                all.push(change.attempt(word, made));
            }
            if !choices(ruling).any(|(word, _)| names::alike(word, &value)) {
                all.extend(numbers::of_key(self.document, self.variant, &key, &value));
            }
        }
        all
    }

    /// Returns the lines that a combatant follows, as a list of its own.
    fn list_of(&self, name: &str, table: &Table) -> Vec<PolicyList> {
        let key = format!("combatants.{}.policy", quoted(name));
        let named = table.text("policy");
        let named = named.map(|named| format!("policies.{}", quoted(named)));
        let followed = named.as_ref().unwrap_or(&key);
        let list = self.lists.iter().find(|list| list.key == *followed);
        let own = list.cloned().map(|mut list| {
            list.key = key;
            list
        });
        own.into_iter().collect()
    }

    /// Sets values, and removes the lines of `lists` that become invalid. Returns the fight and the removed lines, or
    /// the reason why the change is impossible.
    fn make(
        &self,
        sets: &[(String, Value)],
        lists: &[PolicyList],
    ) -> Result<(Variant, Vec<String>), String> {
        let mut edits = vec![Edit::default(); lists.len()];
        loop {
            let mut all: Vec<(&str, Value)> = Vec::new();
            all.extend(
                sets.iter()
                    .map(|(key, value)| (key.as_str(), value.clone())),
            );
            for (list, edit) in lists.iter().zip(&edits) {
                if !edit.without.is_empty() {
                    all.push((&list.key, list.edited(edit)));
                }
            }
            let problems = match self.document.set(&all, self.variant) {
                Ok(fight) => return Ok((fight, left_out(lists, &edits))),
                Err(problems) => problems,
            };
            let mut found = false;
            for problem in errors(&problems) {
                let place = problem.place.as_ref();
                let line = place.and_then(|(span, _)| line_at(lists, *span));
                let Some((list, line)) = line else {
                    return Err(problem.title.to_string());
                };
                if !edits[list].without.contains(&line) {
                    edits[list].without.push(line);
                    found = true;
                }
            }
            if !found {
                return Err(reason(&problems));
            }
        }
    }
}

/// Returns the combatant or the policy that a list belongs to.
fn owner(list: &PolicyList) -> &str {
    let name = list.key.strip_prefix("policies.").or_else(|| {
        let name = list.key.strip_prefix("combatants.")?;
        name.strip_suffix(".policy")
    });
    let name = name.unwrap_or(&list.key);
    name.strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'))
        .unwrap_or(name)
}

/// Returns whether a combatant makes morale checks.
fn has_morale(table: &Table) -> bool {
    let morale = table.get("morale");
    morale.is_some_and(|entry| entry.node.table().is_some())
}

/// Returns the texts of a list of names.
fn listed<'a>(table: &'a Table, key: &str) -> Vec<&'a str> {
    let list = table.list(key).iter();
    list.filter_map(|node| node.text()).collect()
}

fn list_of<'a>(names: impl Iterator<Item = &'a str>) -> Value {
    let node = |name: &str| Arc::new(Node::new(Span::new(0, 0..0), name));
    Value::List(names.map(node).collect())
}

/// Returns a stretch at the end of the line.
fn out_of_reach() -> Value {
    let end = |unit: i64| Arc::new(Node::new(Span::new(0, 0..0), unit));
    Value::List(vec![end(99_999), end(100_000)])
}

/// Collects the lists of effects below a node, with their paths.
fn effects(node: &Node, path: &[String], all: &mut Vec<(String, Vec<Arc<Node>>)>) {
    let Some(table) = node.table() else { return };
    for entry in &table.entries {
        let mut path = path.to_vec();
        path.push(quoted(&entry.key));
        match &entry.node.value {
            Value::List(list) if &*entry.key == "effects" => {
                all.push((path.join("."), list.clone()));
            }
            _ => effects(&entry.node, &path, all),
        }
    }
}

/// Returns the words, truth values and numbers that a ruling can have, each as text and as a value.
fn choices(ruling: &KeyRow) -> impl Iterator<Item = (&'static str, Value)> {
    let value = |word: &str| match (word.parse::<bool>(), word.parse::<i64>()) {
        (Ok(truth), _) => Value::Boolean(truth),
        (_, Ok(number)) => Value::from(number),
        _ => Value::from(word),
    };
    let words = ruling.values.listed().iter();
    words.map(move |word| (*word, value(word)))
}

fn errors(problems: &Diagnostics) -> impl Iterator<Item = &Diagnostic> {
    let list = problems.list().into_iter();
    list.filter(|problem| problem.is_error())
}

/// Returns the reason why a change is impossible.
pub(super) fn reason(problems: &Diagnostics) -> String {
    errors(problems)
        .next()
        .map_or_else(String::new, |problem| problem.title.to_string())
}

/// Returns the line that contains a place, as the index of its list and its index in the list.
fn line_at(lists: &[PolicyList], span: Span) -> Option<(usize, usize)> {
    let holds = |node: &Node| {
        let (line, bytes) = (node.span.bytes(), span.bytes());
        node.span.source() == span.source()
            && line.start <= bytes.start
            && bytes.end <= line.end
            && !line.is_empty()
    };
    lists.iter().enumerate().find_map(|(at, list)| {
        let Value::List(members) = list.edited(&Edit::default()) else {
            return None;
        };
        let line = members.iter().position(|node| holds(node))?;
        Some((at, line))
    })
}

/// Returns the lines that edits remove: `line 2, set if not ready`.
fn left_out(lists: &[PolicyList], edits: &[Edit]) -> Vec<String> {
    let mut all = Vec::new();
    for (list, edit) in lists.iter().zip(edits) {
        let lines = list.lines().filter(|(at, _)| edit.without.contains(at));
        all.extend(lines.map(|(at, text)| {
            let text = usage(text).1.trim();
            let of = if lists.len() > 1 {
                format!("{}: ", owner(list))
            } else {
                String::new()
            };
            format!("{of}line {}, {text}", at + 1)
        }));
    }
    all
}
