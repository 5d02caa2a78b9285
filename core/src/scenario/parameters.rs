//! `[parameters]`: named values, put into the tree in place of each `$NAME` before it is read.
//!
//! Policy lines keep their text, because the parser of lines looks up the names itself.

use std::collections::HashMap;
use std::sync::Arc;

use super::keys::PARAMETER;
use super::sweep::values;
use crate::document::diagnostics::Diagnostic;
use crate::document::node::{Entry, Node, Table, Value};
use crate::document::reader::{Reader, first_of};
use crate::document::source::Span;
use crate::policy::parameters::{ParameterKind, Parameters, name_of, replaced};

/// The table of parameters.
pub(super) const TABLE: &str = "parameters";

/// Top-level tables and keys in which parameters are not replaced.
const APART: &[&str] = &[
    TABLE, "format", "title", "question", "base", "silence", "policies", "variants", "builds",
    "expect",
];

/// A parameter as the file declares it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Declared {
    pub(super) name: Arc<str>,
    /// The place of the name.
    pub(super) span: Span,
    pub(super) value: Arc<Node>,
    /// The values that a search may use.
    pub(super) range: Option<Vec<Arc<Node>>>,
}

/// Reads the parameters of a tree, without warnings about unused ones.
pub(super) fn declared(root: &Node, problems: &mut Vec<Diagnostic>) -> Vec<Declared> {
    let Some(entry) = root.get(TABLE) else {
        return Vec::new();
    };
    let Some(table) = entry.node.table() else {
        problems.push(Diagnostic::error(
            entry.node.span,
            "`parameters` is not a table",
            "expected a table, as in `parameters = { near = 5 }`",
        ));
        return Vec::new();
    };
    let entries = first_of(&table.entries, entry.span, "parameters", problems);
    entries
        .iter()
        .filter_map(|entry| parameter(entry, problems))
        .collect()
}

fn parameter(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Declared> {
    let key = &*entry.key;
    if key.is_empty() || name_of(key) != key || key.chars().count() > 64 {
        let title = format!(
            "a parameter cannot be called \"{}\"",
            crate::document::reader::shown(key)
        );
        let label = "expected letters, digits and `_`, as in `keep_away`";
        problems.push(Diagnostic::error(entry.span, title, label));
        return None;
    }
    let one = Node::new(entry.node.span, 1);
    let (value, range) = match &entry.node.value {
        Value::Table(_) => {
            let what = format!("parameter \"{key}\"");
            let mut table = Reader::open(&entry.node, &PARAMETER, what, problems)?;
            let value = table.entry("value").map(|entry| Arc::clone(&entry.node));
            let range = table.entry("range").map(|entry| Arc::clone(&entry.node));
            table.finish(problems);
            (value.unwrap_or_else(|| Arc::new(one.clone())), range)
        }
        _ => (Arc::clone(&entry.node), None),
    };
    let is_wrong = kind(&value, key, problems).is_none();
    let range = range.map(|range| ranged(&range, key, problems));
    Some(Declared {
        name: Arc::clone(&entry.key),
        span: entry.span,
        // A wrong value must not cause errors where it is used.
        value: if is_wrong { Arc::new(one) } else { value },
        range,
    })
}

/// Returns the kind of a parameter's value.
fn kind(node: &Node, name: &str, problems: &mut Vec<Diagnostic>) -> Option<ParameterKind> {
    Some(match &node.value {
        Value::Integer(Some(_)) => ParameterKind::Whole,
        Value::Float(number) if number.is_finite() => ParameterKind::Decimal,
        Value::Boolean(_) => ParameterKind::Truth,
        Value::Text(text, _) if !text.starts_with('$') && !text.trim().is_empty() => {
            ParameterKind::Word
        }
        Value::Text(..) => {
            let title = format!("parameter \"{name}\" has no value of its own");
            problems.push(Diagnostic::error(
                node.span,
                title,
                "expected a number or a word",
            ));
            return None;
        }
        other => {
            let title = format!("parameter \"{name}\" is {}", other.kind());
            let problem = Diagnostic::error(node.span, title, "expected a number or a word");
            problems.push(
                problem.help("written `near = 5`, or `near = { value = 5, range = \"1..20\" }`"),
            );
            return None;
        }
    })
}

/// Reads the values of a range: `"1..20"`, `"1..20:2"`, `"full,simple"`, or a list.
fn ranged(range: &Node, name: &str, problems: &mut Vec<Diagnostic>) -> Vec<Arc<Node>> {
    // It would be read as a word.
    if let Some((text, meant)) = range.text().and_then(with_dots) {
        let title = format!("the range of parameter \"{name}\" is no range");
        let label = format!("`{text}` is written `{meant}`");
        let problem = Diagnostic::error(0..text.len(), title, label);
        let problem = problem.meaning(0..text.len(), meant);
        problems.push(problem.moved(|bytes| range.span_of(bytes)));
        return Vec::new();
    }
    let read = match &range.value {
        Value::List(list) => Ok(list.clone()),
        Value::Text(text, start) => {
            let bytes = start.unwrap_or_else(|| range.span.bytes().start);
            values(text, range.span.source(), bytes)
        }
        _ => {
            let title = format!(
                "the range of parameter \"{name}\" is {}",
                range.value.kind()
            );
            let problem =
                Diagnostic::error(range.span, title, "expected a range in quotes, or a list");
            Err(vec![
                problem.help("written `range = \"1..20\"` or `range = [1, 2, 5]`"),
            ])
        }
    };
    match read {
        Ok(values) if values.is_empty() => {
            let title = format!("the range of parameter \"{name}\" is empty");
            problems.push(Diagnostic::error(
                range.span,
                title,
                "expected at least one value",
            ));
            Vec::new()
        }
        Ok(values) => {
            for value in &values {
                kind(value, name, problems);
            }
            values
        }
        Err(wrong) => {
            problems.extend(wrong);
            Vec::new()
        }
    }
}

/// Returns a text of two numbers with a dash between them, and the range that it means.
fn with_dots(text: &str) -> Option<(&str, String)> {
    let (from, to) = text.split_once(['-', '–', '—'])?;
    let [from, to] = [from.trim(), to.trim()];
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    (is_number(from) && is_number(to)).then(|| (text, format!("{from}..{to}")))
}

/// The parameters in the form that policy lines and the tree use.
#[derive(Debug, Default)]
pub(super) struct BoundParameters {
    declared: Vec<Declared>,
    /// The parameters for policy lines.
    pub(super) known: Parameters,
    /// The places where a parameter is used, each with the index of the first one.
    uses: HashMap<Span, usize>,
}

impl BoundParameters {
    /// Reads the parameters of a tree.
    pub(super) fn read(root: &Node, problems: &mut Vec<Diagnostic>) -> Self {
        let mut bound = Self {
            declared: declared(root, problems),
            ..Self::default()
        };
        for one in &bound.declared {
            let kind = kind(&one.value, &one.name, &mut Vec::new()).unwrap_or(ParameterKind::Word);
            bound.known.add(&one.name, one.value.value.plain(), kind);
        }
        bound
    }

    /// Returns the tree with parameters replaced by values; `None` if it uses no parameter.
    pub(super) fn put_into(&mut self, root: &Node, problems: &mut Vec<Diagnostic>) -> Option<Node> {
        let top = root.table()?;
        let mut changed = None;
        for (at, entry) in top.entries.iter().enumerate() {
            if APART.contains(&&*entry.key) {
                continue;
            }
            if let Some(node) = self.node(&entry.node, problems) {
                let table: &mut Table = changed.get_or_insert_with(|| top.clone());
                table.entries[at].node = node;
            }
        }
        changed.map(|table| Node::new(root.span, table))
    }

    /// Returns a value with parameters replaced; `None` if it uses no parameter.
    fn node(&mut self, node: &Arc<Node>, problems: &mut Vec<Diagnostic>) -> Option<Arc<Node>> {
        let value = match &node.value {
            Value::Text(text, _) => self.text(text, node.span, problems)?,
            Value::List(list) => {
                let mut changed: Option<Vec<Arc<Node>>> = None;
                for (at, member) in list.iter().enumerate() {
                    if let Some(member) = self.node(member, problems) {
                        changed.get_or_insert_with(|| list.clone())[at] = member;
                    }
                }
                Value::List(changed?)
            }
            Value::Table(table) => {
                let mut changed: Option<Table> = None;
                for (at, entry) in table.entries.iter().enumerate() {
                    // Policy lines have their own parser, and paths find a combatant by its name.
                    let lines =
                        &*entry.key == "policy" && matches!(entry.node.value, Value::List(_));
                    if lines || &*entry.key == "name" {
                        continue;
                    }
                    if let Some(node) = self.node(&entry.node, problems) {
                        changed.get_or_insert_with(|| table.clone()).entries[at].node = node;
                    }
                }
                Value::Table(changed?)
            }
            _ => return None,
        };
        Some(Arc::new(Node::new(node.span, value)))
    }

    /// Returns the value of a text that is a parameter, or contains some.
    fn text(&mut self, text: &str, span: Span, problems: &mut Vec<Diagnostic>) -> Option<Value> {
        let whole = text
            .strip_prefix('$')
            .filter(|name| !name.is_empty() && name_of(name) == *name);
        if let Some(name) = whole {
            let index = self.declared.iter().position(|one| &*one.name == name);
            self.known.mark(name);
            let Some(index) = index else {
                problems.push(self.known.unknown(name, span));
                return None;
            };
            self.uses.entry(span).or_insert(index);
            return Some(self.declared[index].value.value.clone());
        }
        let replaced = replaced(text, |name| {
            let index = self.declared.iter().position(|one| &*one.name == name)?;
            self.known.mark(name);
            self.uses.entry(span).or_insert(index);
            Some(self.declared[index].value.value.plain())
        });
        replaced.map(|text| Value::Text(text, None))
    }

    /// Adds the value of a parameter to an error at a place that uses it.
    pub(super) fn explain(&self, problem: Diagnostic) -> Diagnostic {
        let place = problem.place.as_ref().map(|place| place.0);
        let Some(index) = place.and_then(|place| self.uses.get(&place)) else {
            return problem;
        };
        let one = &self.declared[*index];
        let label = format!("`{}` is {} here", one.name, one.value.value);
        problem.context(one.value.span, label)
    }

    /// Warns about unused parameters.
    pub(super) fn idle(&self, unused: &mut Vec<Diagnostic>) {
        for one in &self.declared {
            if !self.known.is_used(&one.name) {
                unused.push(Diagnostic::warning(
                    one.span,
                    format!("parameter \"{}\" is never used", one.name),
                    format!("no `${}` stands anywhere", one.name),
                ));
            }
        }
    }
}
