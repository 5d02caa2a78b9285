//! The file as a tree of values, each with its place.
//!
//! Children are shared: an override copies only the path to the value that it changes, so that a sweep can apply
//! thousands of overrides.

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::source::Span;

/// The deepest allowed nesting. A scenario needs only a few levels.
const DEEPEST: usize = 32;

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The place; for a table with a header, that of the header.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A TOML value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text, and the byte at which it stands verbatim in its source; `None` if it has escapes.
    Text(String, Option<usize>),
    /// A whole number; `None` if it does not fit 64 bits.
    Integer(Option<i64>),
    /// Any other number.
    Float(f64),
    /// True or false.
    Boolean(bool),
    /// A date or time, which no scenario contains.
    Datetime,
    /// A list.
    List(Vec<Arc<Node>>),
    /// A table, in the order of the file.
    Table(Table),
}

/// A table, in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The entries; keys are unique.
    pub entries: Vec<Entry>,
}

/// A key of a table and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key, without quotes.
    pub key: Arc<str>,
    /// The place of the key.
    pub span: Span,
    /// The value.
    pub node: Arc<Node>,
}

impl Table {
    /// Returns the entry with that key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| &*entry.key == key)
    }

    /// Returns the entry with that key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| &*entry.key == key)
    }

    /// Returns the value of that key, if it is text.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.node.text()
    }

    /// Returns the value of that key, if it is a table.
    pub fn table(&self, key: &str) -> Option<&Self> {
        self.get(key)?.node.table()
    }

    /// Returns the members of the list at that key; an empty slice if there is no list.
    pub fn list(&self, key: &str) -> &[Arc<Node>] {
        match self.get(key).map(|entry| &entry.node.value) {
            Some(Value::List(list)) => list,
            _ => &[],
        }
    }

    /// Returns the keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| &*entry.key)
    }
}

impl Node {
    /// Creates a value at a place.
    pub(crate) fn new(span: Span, value: impl Into<Value>) -> Self {
        let value = value.into();
        Self { span, value }
    }

    /// Returns the value, if it is a table.
    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Returns the value, if it is text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text, _) => Some(text),
            _ => None,
        }
    }

    /// Returns the entry of a key, if the value is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.table()?.get(key)
    }

    /// Returns the entries of the table at a key; none if the value is no table that has it.
    pub fn entries(&self, key: &str) -> &[Entry] {
        let table = self.get(key).and_then(|entry| entry.node.table());
        table.map_or(&[], |table| &table.entries)
    }

    /// Returns the text at a key, if the value is a table with such a text.
    pub fn text_at(&self, key: &str) -> Option<&str> {
        self.table()?.text(key)
    }

    /// Returns the combatants, if this is the root of a scenario.
    pub fn combatants(&self) -> &[Arc<Self>] {
        self.table().map_or(&[], |top| top.list("combatants"))
    }

    /// Returns the combatants, to change them.
    pub fn combatants_mut(self: &mut Arc<Self>) -> Option<&mut Vec<Arc<Self>>> {
        let Value::Table(top) = &mut Arc::make_mut(self).value else {
            return None;
        };
        match &mut Arc::make_mut(&mut top.get_mut("combatants")?.node).value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the place of some bytes of a text, or of the whole text if it does not stand verbatim in its source.
    pub fn span_of(&self, bytes: std::ops::Range<usize>) -> Span {
        match &self.value {
            Value::Text(text, Some(start)) if bytes.end <= text.len() => {
                Span::new(self.span.source(), start + bytes.start..start + bytes.end)
            }
            _ => self.span,
        }
    }
}

impl Value {
    /// Returns the name of the kind of value, for messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(..) => "text",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number with a point",
            Self::Boolean(_) => "true or false",
            Self::Datetime => "a date or time",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    /// Returns the value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(Some(number)) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the value as tables show it: text without quotes, a number without an unnecessary point.
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text, _) => text.clone(),
            Self::Float(number) => number.to_string(),
            other => other.to_string(),
        }
    }
}

/// Converts the output of the TOML parser into a tree. Its methods return the place of a value that is nested too
/// deeply as an error.
pub(crate) struct Reading<'a> {
    /// Index of the source.
    pub(crate) source: usize,
    /// The text that the TOML parser has parsed.
    pub(crate) text: &'a str,
    /// The byte at which the text begins in the source.
    pub(crate) offset: usize,
}

impl Reading<'_> {
    pub(crate) fn span(&self, bytes: std::ops::Range<usize>) -> Span {
        Span::new(
            self.source,
            bytes.start + self.offset..bytes.end + self.offset,
        )
    }

    pub(crate) fn table(&self, table: &DeTable<'_>, depth: usize) -> Result<Table, Span> {
        let mut entries = Vec::with_capacity(table.len());
        for (key, value) in table {
            entries.push(Entry {
                key: key.get_ref().as_ref().into(),
                span: self.span(key.span()),
                node: Arc::new(self.node(value.get_ref(), value.span(), depth + 1)?),
            });
        }
        // The parser sorts by name; messages and sides need the order of the file.
        entries.sort_by_key(|entry| entry.span);
        Ok(Table { entries })
    }

    pub(crate) fn node(
        &self,
        value: &DeValue<'_>,
        bytes: std::ops::Range<usize>,
        depth: usize,
    ) -> Result<Node, Span> {
        let span = self.span(bytes.clone());
        if depth > DEEPEST {
            return Err(span);
        }
        let value = match value {
            DeValue::String(text) => {
                Value::Text(text.as_ref().to_owned(), self.verbatim(text, bytes))
            }
            DeValue::Integer(integer) => {
                Value::Integer(i64::from_str_radix(integer.as_str(), integer.radix()).ok())
            }
            DeValue::Float(float) => Value::Float(float.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(truth) => Value::Boolean(*truth),
            DeValue::Datetime(_) => Value::Datetime,
            DeValue::Array(array) => Value::List(
                array
                    .iter()
                    .map(|member| self.node(member.get_ref(), member.span(), depth + 1))
                    .map(|member| member.map(Arc::new))
                    .collect::<Result<_, _>>()?,
            ),
            DeValue::Table(table) => Value::Table(self.table(table, depth)?),
        };
        Ok(Node { span, value })
    }

    /// Returns the byte at which the text between the quotes begins, if the text stands there verbatim.
    fn verbatim(&self, text: &str, bytes: std::ops::Range<usize>) -> Option<usize> {
        let raw = self.text.get(bytes.clone())?;
        let quote = raw.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let is_long = raw.len() >= 6 && raw.chars().take(3).all(|letter| letter == quote);
        let quotes = if is_long { 3 } else { 1 };
        let mut inner = raw.get(quotes..raw.len().checked_sub(quotes)?)?;
        if is_long {
            // A line break right after the quotes is not part of the text.
            let after = inner.strip_prefix("\r\n").or(inner.strip_prefix('\n'));
            inner = after.unwrap_or(inner);
        }
        let end = self.offset + bytes.end - quotes;
        (inner == text).then_some(end - inner.len())
    }
}
