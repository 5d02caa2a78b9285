//! Reads tables key by key and collects all errors.
//!
//! Every method returns `None` for a value that is absent or wrong. A wrong one has been reported by then,
//! and the caller may go on with any value, because a scenario with errors is never played.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::diagnostics::{Diagnostic, UnknownKey};
use super::node::{Entry, Node, Table, Value};
use super::source::Span;
use crate::clean::acts;
use crate::names;

/// The longest a name may be.
const LONGEST_NAME: usize = 64;

/// Reads one table.
pub(crate) struct Reader<'a> {
    table: &'a Table,
    span: Span,
    /// The subject of the table: `weapon "longbow"`.
    what: String,
    asked: Vec<&'static str>,
    missing: Vec<&'static str>,
    problems: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    /// Begins to read a table; complains if it is none.
    pub(crate) fn open(
        node: &'a Node,
        what: impl Into<String>,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let what = what.into();
        match &node.value {
            Value::Table(table) => Some(Self {
                table,
                span: node.span,
                what,
                asked: Vec::new(),
                missing: Vec::new(),
                problems: Vec::new(),
            }),
            other => {
                problems.push(Diagnostic::error(
                    node.span,
                    format!("{what} is not a table"),
                    format!("expected a table, found {}", other.kind()),
                ));
                None
            }
        }
    }

    /// The subject of the table.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Where the table is named.
    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// Adds a complaint.
    pub(crate) fn complain(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    /// Ends the table: reports missing keys and keys that were never read.
    pub(crate) fn finish(mut self, problems: &mut Vec<Diagnostic>) {
        if !self.missing.is_empty() {
            let keys = names::list(self.missing.iter().copied(), "and");
            let verb = if self.missing.len() > 1 { "are" } else { "is" };
            self.problems.push(Diagnostic::error(
                self.span,
                format!("{} lacks {keys}", self.what),
                format!("{keys} {verb} required here"),
            ));
        }
        for entry in &self.table.entries {
            if self.asked.contains(&&*entry.key) {
                continue;
            }
            let label = names::suggest(&entry.key, self.asked.iter().copied(), '`')
                .unwrap_or_else(|| "unknown key".to_owned());
            let problem = Diagnostic::error(
                entry.span,
                format!("{} has no key `{}`", self.what, entry.key),
                label,
            );
            self.problems.push(Diagnostic {
                unknown: Some(Box::new(UnknownKey {
                    key: entry.key.to_string(),
                    known: self.asked.clone(),
                })),
                ..problem.help(format!("its keys are {}", all(self.asked.iter().copied())))
            });
        }
        problems.append(&mut self.problems);
    }

    /// Whether a key is there at all.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// An optional key as it stands.
    pub(crate) fn entry(&mut self, key: &'static str) -> Option<&'a Entry> {
        self.asked.push(key);
        self.table.get(key)
    }

    /// A required key as it stands.
    pub(crate) fn needed(&mut self, key: &'static str) -> Option<&'a Entry> {
        let entry = self.entry(key);
        if entry.is_none() {
            self.missing.push(key);
        }
        entry
    }

    /// Returns the value of a result, or reports its error.
    pub(crate) fn keep<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        keep(result, &mut self.problems)
    }

    /// An optional whole number.
    pub(crate) fn integer(&mut self, key: &'static str, range: RangeInclusive<i64>) -> Option<i64> {
        let entry = self.entry(key)?;
        self.keep(integer(&entry.node, key, range))
    }

    /// A required whole number.
    pub(crate) fn needed_integer(
        &mut self,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<i64> {
        let entry = self.needed(key)?;
        self.keep(integer(&entry.node, key, range))
    }

    /// An optional number from 0 to 1.
    pub(crate) fn chance(&mut self, key: &'static str) -> Option<f64> {
        let entry = self.entry(key)?;
        let value = match &entry.node.value {
            Value::Integer(Some(number)) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        };
        let result = match value {
            // Not a number is in no range.
            Some(value) if (0.0..=1.0).contains(&value) => Ok(value),
            Some(value) => Err(Diagnostic::error(
                entry.node.span,
                format!("`{key}` is out of range: {value}"),
                "expected a number from 0 to 1",
            )),
            None => Err(wrong_kind(&entry.node, key, "a number from 0 to 1")),
        };
        self.keep(result)
    }

    /// An optional truth value.
    pub(crate) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let entry = self.entry(key)?;
        let result = match entry.node.value {
            Value::Boolean(truth) => Ok(truth),
            _ => Err(wrong_kind(&entry.node, key, "`true` or `false`")),
        };
        self.keep(result)
    }

    /// An optional text.
    pub(crate) fn text(&mut self, key: &'static str) -> Option<&'a str> {
        let entry = self.entry(key)?;
        self.keep(text(&entry.node, key))
    }

    /// A required name.
    pub(crate) fn needed_name(&mut self, key: &'static str) -> Option<&'a str> {
        let entry = self.needed(key)?;
        let name = self.keep(text(&entry.node, key))?;
        self.keep(check_name(name, entry.node.span)).map(|()| name)
    }

    /// An optional word out of a few.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let entry = self.entry(key)?;
        self.keep(choice(&entry.node, key, choices))
    }

    /// A required word out of a few.
    pub(crate) fn needed_choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let entry = self.needed(key)?;
        self.keep(choice(&entry.node, key, choices))
    }

    /// An optional list.
    pub(crate) fn list(&mut self, key: &'static str) -> Option<&'a [Arc<Node>]> {
        let entry = self.entry(key)?;
        self.keep(list(&entry.node, key))
    }

    /// An optional list of texts; wrong members are left out.
    pub(crate) fn texts(&mut self, key: &'static str) -> Option<Vec<(&'a str, &'a Node)>> {
        let list = self.list(key)?;
        let mut texts = Vec::with_capacity(list.len());
        for node in list {
            if let Some(text) = self.keep(text(node, key)) {
                texts.push((text, &**node));
            }
        }
        Some(texts)
    }

    /// An optional table.
    pub(crate) fn table(
        &mut self,
        key: &'static str,
        what: impl Into<String>,
    ) -> Option<Reader<'a>> {
        let entry = self.entry(key)?;
        Reader::open(&entry.node, what, &mut self.problems)
    }

    /// Ends the reading of a table inside this one.
    pub(crate) fn close(&mut self, inner: Reader<'a>) {
        inner.finish(&mut self.problems);
    }

    /// Refuses a key that says nothing beside another.
    pub(crate) fn refuse_beside(&mut self, key: &'static str, why: &str) {
        if let Some(entry) = self.table.get(key) {
            let title = format!("`{key}` does nothing here");
            self.problems
                .push(Diagnostic::error(entry.span, title, why));
        }
    }

    /// Refuses a key that this kind of table does not have.
    pub(crate) fn refuse(&mut self, key: &'static str, why: &str) {
        if let Some(entry) = self.table.get(key) {
            // Only now, so that no message suggests the key.
            self.asked.push(key);
            self.problems.push(Diagnostic::error(
                entry.span,
                format!("{} has no `{key}`", self.what),
                why,
            ));
        }
    }
}

/// What was read; what is wrong goes to `problems`.
pub(crate) fn keep<T>(result: Result<T, Diagnostic>, problems: &mut Vec<Diagnostic>) -> Option<T> {
    result.map_err(|problem| problems.push(problem)).ok()
}

/// All names, however many: keys are few.
fn all<'a>(keys: impl Iterator<Item = &'a str>) -> String {
    let mut keys: Vec<&str> = keys.collect();
    keys.sort_unstable();
    keys.dedup();
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    keys.join(", ")
}

/// The complaint about a value of the wrong kind.
pub(crate) fn wrong_kind(node: &Node, key: &str, expected: &str) -> Diagnostic {
    let problem = Diagnostic::error(
        node.span,
        format!("`{key}` is {}", node.value.kind()),
        format!("expected {expected}"),
    );
    let quoted_number = expected.contains("number")
        && node
            .text()
            .is_some_and(|text| text.trim().parse::<f64>().is_ok());
    problem.maybe_help(quoted_number.then_some("write numbers without quotes"))
}

/// A whole number within a range.
pub(crate) fn integer(
    node: &Node,
    key: &str,
    range: RangeInclusive<i64>,
) -> Result<i64, Diagnostic> {
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    match node.value {
        Value::Integer(Some(number)) if range.contains(&number) => Ok(number),
        Value::Integer(_) => Err(Diagnostic::error(
            node.span,
            format!("`{key}` is out of range"),
            format!("expected {expected}"),
        )),
        Value::Float(number) if !number.is_finite() => Err(Diagnostic::error(
            node.span,
            format!("`{key}` is not a finite number"),
            format!("expected {expected}"),
        )),
        _ => Err(wrong_kind(node, key, &expected)),
    }
}

/// A text.
pub(crate) fn text<'a>(node: &'a Node, key: &str) -> Result<&'a str, Diagnostic> {
    node.text()
        .ok_or_else(|| wrong_kind(node, key, "text in quotes"))
}

/// A list.
pub(crate) fn list<'a>(node: &'a Node, key: &str) -> Result<&'a [Arc<Node>], Diagnostic> {
    match &node.value {
        Value::List(list) => Ok(list),
        Value::Text(..) => {
            Err(wrong_kind(node, key, "a list").help("write it in brackets: `[\"...\"]`"))
        }
        _ => Err(wrong_kind(node, key, "a list")),
    }
}

/// A word out of a few. Hyphens and underscores are the same.
pub(crate) fn choice<T: Copy>(
    node: &Node,
    key: &str,
    choices: &[(&str, T)],
) -> Result<T, Diagnostic> {
    let words = || choices.iter().map(|choice| choice.0);
    let quoted: Vec<String> = words().map(|word| format!("\"{word}\"")).collect();
    let expected = match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => quoted.concat(),
    };
    let Some(found) = node.text() else {
        return Err(wrong_kind(node, key, &expected));
    };
    if let Some(choice) = choices.iter().find(|choice| names::alike(choice.0, found)) {
        return Ok(choice.1);
    }
    let problem = Diagnostic::error(
        node.span,
        format!("`{key}` cannot be \"{}\"", shown(found)),
        format!("expected {expected}"),
    );
    let nearest = names::nearest(found, words());
    Err(problem.maybe_help(nearest.map(|nearest| format!("did you mean \"{nearest}\"?"))))
}

/// The start of a text that may be any length.
pub(crate) fn shown(text: &str) -> String {
    let mut start: String = text.chars().take(LONGEST_NAME).collect();
    if start.len() < text.len() {
        start.push_str("...");
    }
    start
}

/// Whether something may be a name.
pub(crate) fn check_name(name: &str, span: Span) -> Result<(), Diagnostic> {
    let wrong = if name.trim().is_empty() {
        "a name is empty"
    } else if name.chars().count() > LONGEST_NAME {
        "a name is too long"
    } else if name.contains(['\n', '\t']) || name.contains(acts) {
        "a name has control characters"
    } else if name.contains('"') {
        "a name has double quotes"
    } else {
        return Ok(());
    };
    Err(Diagnostic::error(
        span,
        wrong,
        format!(
            "expected 1 to {LONGEST_NAME} characters without control characters or double quotes"
        ),
    ))
}
