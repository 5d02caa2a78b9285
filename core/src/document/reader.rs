//! Reads tables key by key and collects all errors.
//!
//! Every method returns `None` for a value that is absent or wrong. A wrong value has been reported by then, and the
//! caller may continue with any value, because a scenario with errors is never simulated.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::diagnostics::{Diagnostic, MOST_KEPT, UnknownKey};
use super::format::{Keys, REQUIRED};
use super::node::{Entry, Node, Table, Value};
use super::source::Span;
use crate::clean::acts;
use crate::decimal::Decimal;
use crate::names;

/// The greatest number of entries of a list or a table: more than any fight needs.
const MOST: usize = 1000;

/// The greatest length of a name, in characters.
const LONGEST_NAME: usize = 64;

/// Reads one table.
pub(crate) struct Reader<'a> {
    table: &'a Table,
    keys: &'static Keys,
    span: Span,
    /// The subject of the table: `weapon "longbow"`.
    what: String,
    asked: Vec<&'static str>,
    /// The keys whose names are the file's own.
    own: Vec<&'a str>,
    /// The tables that [`Reader::at`] has opened.
    inner: Vec<(&'static str, Self)>,
    missing: Vec<&'static str>,
    problems: Vec<Diagnostic>,
    /// The problems of pools and tables inside the table, which come before its own.
    pub(crate) nested: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    /// Starts reading a table; reports an error if the value is not a table.
    pub(crate) fn open(
        node: &'a Node,
        keys: &'static Keys,
        what: impl Into<String>,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let what = what.into();
        match &node.value {
            Value::Table(table) => Some(Self {
                table,
                keys,
                span: node.span,
                what,
                asked: Vec::new(),
                own: Vec::new(),
                inner: Vec::new(),
                missing: Vec::new(),
                problems: Vec::new(),
                nested: Vec::new(),
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

    /// Returns the subject of the table.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Returns the place where the table is named.
    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// Adds an error or a warning.
    pub(crate) fn report(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    /// Ends the table: reports missing keys and unknown keys. A key that seems to be misspelt does not count as missing.
    pub(crate) fn finish(mut self, problems: &mut Vec<Diagnostic>) {
        for (_, inner) in std::mem::take(&mut self.inner) {
            inner.finish(&mut self.nested);
        }
        let asked = || self.asked.iter().copied();
        let entries = self.table.entries.iter();
        let is_own = |entry: &Entry| self.own.contains(&&*entry.key);
        let unknown =
            entries.filter(|entry| !asked().any(|key| key == &*entry.key) && !is_own(entry));
        let mut missing = std::mem::take(&mut self.missing);
        missing.retain(|key| {
            let mut unknown = unknown.clone();
            !unknown.any(|entry| names::nearest(&entry.key, asked()) == Some(key))
        });
        if !missing.is_empty() {
            let keys = names::list(missing.iter().copied(), "and");
            let verb = if missing.len() > 1 { "are" } else { "is" };
            let title = format!("{} lacks {keys}", self.what);
            let label = format!("{keys} {verb} required here");
            let mut problem = Diagnostic::error(self.span, title, label);
            problem.is_lack = true;
            self.problems.push(problem);
        }
        for entry in unknown.take(MOST_KEPT) {
            let first = entry.key.split_once('.').map(|(first, _)| first);
            let label = if first.is_some_and(|first| asked().any(|key| key == first)) {
                "write a key with a dot without quotes".to_owned()
            } else {
                names::suggest(&entry.key, asked(), '`').unwrap_or_else(|| "unknown key".to_owned())
            };
            let problem = Diagnostic::error(
                entry.span,
                format!("{} has no key `{}`", self.what, entry.key),
                label,
            );
            let problem = problem.about(UnknownKey {
                key: entry.key.to_string(),
                known: self.asked.clone(),
            });
            let keys = all(self.asked.iter().copied());
            self.problems
                .push(problem.help(format!("its keys are {keys}")));
        }
        problems.append(&mut self.nested);
        problems.append(&mut self.problems);
    }

    /// Returns whether a key is present.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// Returns the entry of a key. A key that no table may lack is reported as missing.
    pub(crate) fn entry(&mut self, key: &'static str) -> Option<&'a Entry> {
        let required = self
            .keys
            .get(key)
            .is_some_and(|row| row.default == REQUIRED);
        self.find(key, required)
    }

    /// Returns the entries whose keys are the file's own, such as names of traits.
    pub(crate) fn own(&mut self, is_own: impl Fn(&str) -> bool) -> Vec<&'a Entry> {
        let entries = self.table.entries.iter();
        let own: Vec<&Entry> = entries.filter(|entry| is_own(&entry.key)).collect();
        self.own.extend(own.iter().map(|entry| &*entry.key));
        own
    }

    /// Returns the entry of a key that is required here.
    pub(crate) fn needed(&mut self, key: &'static str) -> Option<&'a Entry> {
        self.find(key, true)
    }

    fn find(&mut self, key: &'static str, required: bool) -> Option<&'a Entry> {
        self.asked.push(key);
        let entry = self.table.get(key);
        if required && entry.is_none() && !self.missing.contains(&key) {
            self.missing.push(key);
        }
        entry
    }

    /// Returns the keys of the table, or the tables, that a key holds.
    pub(crate) fn inside(&self, key: &str) -> &'static Keys {
        self.keys.inside(key)
    }

    /// Returns the whole numbers that a key may have.
    fn range(&self, key: &str) -> RangeInclusive<i64> {
        let range = self.keys.get(key).and_then(|row| row.values.range());
        range.unwrap_or_else(|| {
            panic!(
                "no row of `{}` has whole numbers for `{key}`",
                self.keys.name
            )
        })
    }

    /// Returns the value of a result, or reports its error.
    pub(crate) fn ok_or_report<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        ok_or_report(result, &mut self.problems)
    }

    /// Reads an optional whole number.
    pub(crate) fn integer(&mut self, key: &'static str) -> Option<i64> {
        self.within(key, self.range(key))
    }

    /// Reads a whole number that is required here.
    pub(crate) fn needed_integer(&mut self, key: &'static str) -> Option<i64> {
        self.needed(key)?;
        self.integer(key)
    }

    /// Reads an optional whole number whose range depends on other keys.
    pub(crate) fn within(&mut self, key: &'static str, range: RangeInclusive<i64>) -> Option<i64> {
        let entry = self.entry(key)?;
        self.ok_or_report(integer(&entry.node, key, range))
    }

    /// Reads an optional number from 0 to 1.
    pub(crate) fn chance(&mut self, key: &'static str) -> Option<f64> {
        let entry = self.entry(key)?;
        let result = match entry.node.value.number() {
            // NaN is in no range.
            Some(value) if (0.0..=1.0).contains(&value) => Ok(value),
            Some(value) => Err(Diagnostic::error(
                entry.node.span,
                format!("`{key}` is out of range: {value}"),
                "expected a number from 0 to 1",
            )),
            None => Err(wrong_kind(&entry.node, key, "a number from 0 to 1")),
        };
        self.ok_or_report(result)
    }

    /// Reads an optional boolean.
    pub(crate) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let entry = self.entry(key)?;
        let result = match entry.node.value {
            Value::Boolean(truth) => Ok(truth),
            _ => Err(wrong_kind(&entry.node, key, "`true` or `false`")),
        };
        self.ok_or_report(result)
    }

    /// Reads an optional text.
    pub(crate) fn text(&mut self, key: &'static str) -> Option<&'a str> {
        let entry = self.entry(key)?;
        self.ok_or_report(text(&entry.node, key))
    }

    /// Reads a name.
    pub(crate) fn name(&mut self, key: &'static str) -> Option<&'a str> {
        let entry = self.entry(key)?;
        let name = self.ok_or_report(text(&entry.node, key))?;
        self.ok_or_report(check_name(name, entry.node.span))
            .map(|()| name)
    }

    /// Reads an optional choice of a few words.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let entry = self.entry(key)?;
        self.ok_or_report(choice(&entry.node, key, choices))
    }

    /// Reads an optional list.
    pub(crate) fn list(&mut self, key: &'static str) -> Option<&'a [Arc<Node>]> {
        let entry = self.entry(key)?;
        let list = self.ok_or_report(list(&entry.node, key))?;
        let things = format!("entries in `{key}`");
        Some(first_of(list, entry.span, &things, &mut self.problems))
    }

    /// Reads an optional list of texts; wrong members are left out.
    pub(crate) fn texts(&mut self, key: &'static str) -> Option<Vec<(&'a str, &'a Node)>> {
        let list = self.list(key)?;
        let mut texts = Vec::with_capacity(list.len());
        for node in list {
            if let Some(text) = self.ok_or_report(text(node, key)) {
                texts.push((text, &**node));
            }
        }
        Some(texts)
    }

    /// Opens an optional table.
    pub(crate) fn table(
        &mut self,
        key: &'static str,
        what: impl Into<String>,
    ) -> Option<Reader<'a>> {
        let entry = self.entry(key)?;
        let keys = self.inside(key);
        Reader::open(&entry.node, keys, what, &mut self.problems)
    }

    /// Returns the table of a key that may have a dot, and its last part. Tables of `[rules]` are opened and ended here.
    pub(crate) fn at(&mut self, path: &'static str) -> Option<(&mut Self, &'static str)> {
        let Some((name, key)) = path.split_once('.') else {
            return Some((self, path));
        };
        if !self.asked.contains(&name) {
            let inner = self.table(name, format!("`rules.{name}`"));
            self.inner.extend(inner.map(|inner| (name, inner)));
        }
        let mut opened = self.inner.iter_mut();
        let (_, table) = opened.find(|(opened, _)| *opened == name)?;
        Some((table, key))
    }

    /// Ends a table inside this one.
    pub(crate) fn close(&mut self, mut inner: Reader<'a>) {
        self.nested.append(&mut inner.nested);
        inner.finish(&mut self.problems);
    }

    /// Refuses a key that has no effect beside another key.
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
            // Pushed only now, so that no message suggests the key.
            self.asked.push(key);
            self.problems.push(Diagnostic::error(
                entry.span,
                format!("{} has no `{key}`", self.what),
                why,
            ));
        }
    }
}

/// Returns the value of a result, or adds its error to `problems`.
pub(crate) fn ok_or_report<T>(
    result: Result<T, Diagnostic>,
    problems: &mut Vec<Diagnostic>,
) -> Option<T> {
    result.map_err(|problem| problems.push(problem)).ok()
}

/// Returns all names, sorted; keys are few enough to list.
fn all<'a>(keys: impl Iterator<Item = &'a str>) -> String {
    let mut keys: Vec<&str> = keys.collect();
    keys.sort_unstable();
    keys.dedup();
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    keys.join(", ")
}

/// Returns the error for a value of the wrong kind.
pub(crate) fn wrong_kind(node: &Node, key: &str, expected: &str) -> Diagnostic {
    let kind = match node.value {
        // 1e6 has no point.
        Value::Float(_) if expected.contains("whole number") => "not a whole number",
        _ => node.value.kind(),
    };
    let problem = Diagnostic::error(
        node.span,
        format!("`{key}` is {kind}"),
        format!("expected {expected}"),
    );
    let text = node.text().filter(|_| expected.contains("number"));
    problem.maybe_help(text.and_then(|text| quoted_number(text.trim(), expected)))
}

/// Returns the way out of a text that begins with a number, where a number is expected.
fn quoted_number(text: &str, expected: &str) -> Option<String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    if number(text).is_some() {
        return Some("write numbers without quotes".to_owned());
    }
    if let Some(share) = Decimal::read(text).filter(|decimal| decimal.percent)
        && expected.ends_with("from 0 to 1")
    {
        return Some(format!("write it as a share of 1: {}", share.value));
    }
    if let Some((from, to)) = text.split_once('-')
        && number(from).and(number(to)).is_some()
    {
        return Some(format!("to vary it over a range, write {from}..{to}"));
    }
    let is_part = |letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+' | '.');
    let number = text.split(|letter| !is_part(letter)).next()?;
    number.parse::<f64>().ok()?;
    let rest = text[number.len()..].trim_start();
    if rest.starts_with('d') && rest[1..].starts_with(|letter: char| letter.is_ascii_digit()) {
        return Some("no dice are rolled here: write one number, such as the mean".to_owned());
    }
    rest.starts_with(|letter: char| letter == '%' || letter.is_alphabetic())
        .then(|| format!("write the number alone: {number}"))
}

/// Returns the value, if it is a whole number within a range.
pub(crate) fn integer(
    node: &Node,
    key: &str,
    range: RangeInclusive<i64>,
) -> Result<i64, Diagnostic> {
    let expected = if range.start() == range.end() {
        range.start().to_string()
    } else {
        format!("a whole number from {} to {}", range.start(), range.end())
    };
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

/// Returns the value, if it is text.
pub(crate) fn text<'a>(node: &'a Node, key: &str) -> Result<&'a str, Diagnostic> {
    node.text()
        .ok_or_else(|| wrong_kind(node, key, "text in quotes"))
}

/// Returns the value, if it is a list.
pub(crate) fn list<'a>(node: &'a Node, key: &str) -> Result<&'a [Arc<Node>], Diagnostic> {
    match &node.value {
        Value::List(list) => Ok(list),
        Value::Text(text, _) => {
            let written = Value::from(&*shown(text));
            let help = format!("write it in brackets: `[{written}]`");
            Err(wrong_kind(node, key, "a list").help(help))
        }
        _ => Err(wrong_kind(node, key, "a list")),
    }
}

/// Returns the entries of a list or a table that are read, and reports it if there are more.
pub(crate) fn first_of<'a, T>(
    all: &'a [T],
    span: Span,
    things: &str,
    problems: &mut Vec<Diagnostic>,
) -> &'a [T] {
    if all.len() > MOST {
        let label = format!("{}; at most {MOST} are read", all.len());
        problems.push(Diagnostic::error(span, format!("too many {things}"), label));
    }
    &all[..all.len().min(MOST)]
}

/// Returns the choice that a word names. Hyphens and underscores are equal.
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

/// Returns the start of a text of any length, for messages.
pub(crate) fn shown(text: &str) -> String {
    let mut start: String = text.chars().take(LONGEST_NAME).collect();
    if start.len() < text.len() {
        start.push_str("...");
    }
    start
}

/// Checks whether a text may be a name.
pub(crate) fn check_name(name: &str, span: Span) -> Result<(), Diagnostic> {
    let wrong = if name.contains(is_invisible) {
        "a name has invisible characters"
    } else if name.chars().all(|c| c.is_whitespace() || is_joiner(c)) {
        "a name is empty"
    } else if name.trim() != name {
        "a name begins or ends with a blank"
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
        format!("expected 1 to {LONGEST_NAME} visible characters without double quotes"),
    ))
}

/// Returns whether a character is never seen and changes no other, so that a name with it looks like another name.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{3164}' | '\u{feff}'
    )
}

/// Returns whether a character is not seen, but may join its neighbours, as in some scripts and emoji.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}
