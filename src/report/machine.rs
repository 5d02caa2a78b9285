//! CSV and JSON output, with numbers in their shortest exact form. Rows are written as they are made, so that an answer
//! of a million rows takes no memory beyond its own.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use serde::ser::{Serialize, Serializer};

use super::format::{shortest, text};
use super::{Block, Report, Table, Value};
use crate::clean::push_cell;
use crate::decimal::{push_decimal, push_rounded, rounded};

/// Writes rows of CSV, after a header row if `head` is set. Values beyond the columns are not written.
pub(crate) fn write_csv(
    columns: &[&str],
    head: bool,
    rows: impl Iterator<Item = Vec<Value>>,
    out: impl Write,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let mut line = Vec::new();
    let head = head.then(|| columns.iter().map(|column| Value::text(column)).collect());
    for row in head.into_iter().chain(rows) {
        for value in row.iter().take(columns.len()) {
            push_value(value, &mut line);
            line.push(b',');
        }
        line.pop();
        line.push(b'\n');
        out.write_all(&line)?;
        line.clear();
    }
    out.flush()
}

/// Writes a cell of CSV.
fn push_value(value: &Value, line: &mut Vec<u8>) {
    match value {
        Value::Text(text) => push_cell(text, line),
        Value::Whole(number @ 0..) => push_decimal(*number as u64, 0, line),
        Value::Sampled(Some(number)) => push_rounded(*number, line),
        other => line.extend_from_slice(cell(other).as_bytes()),
    }
}

/// Writes the rows of the answer as CSV.
pub(crate) fn csv(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let table = report.rows();
    let columns: Vec<&str> = table.columns.iter().map(|column| &*column.key).collect();
    write_csv(&columns, true, table.rows.iter().cloned(), out)
}

/// Returns the text of a cell of CSV.
pub(crate) fn cell(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Text(text) => Cow::Borrowed(text),
        Value::Flag(flag) => flag.to_string().into(),
        Value::OneIn(number) if number.is_infinite() => "".into(),
        Value::Chance(number) | Value::Real(number) | Value::OneIn(number) => {
            shortest(*number).into()
        }
        other => text(other).into(),
    }
}

/// Writes the whole answer as JSON.
pub(crate) fn json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut answer = Document {
        program: env!("CARGO_PKG_NAME"),
        answer: &report.answer,
        facts: BTreeMap::new(),
        notes: Vec::new(),
        question: &report.title,
        rules: &report.rules,
        tables: BTreeMap::new(),
    };
    for block in &report.blocks {
        match block {
            Block::Facts(list) => {
                let facts = list.iter().map(|fact| (fact.key, &fact.value));
                answer.facts.extend(facts);
            }
            Block::Table(table) => {
                answer.tables.insert(table.key, Objects(table));
            }
            Block::Grid(_) => {}
            Block::Note(note) => answer.notes.push(note),
        }
    }
    let rows = report.rows();
    answer.tables.entry(rows.key).or_insert(Objects(rows));
    write_json(&answer, out)
}

/// Writes a JSON document and ends its last line.
pub(crate) fn write_json(document: &impl Serialize, mut out: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, document)?;
    out.write_all(b"\n")
}

/// An answer as a JSON document. Behind the name of the program, by which its files are known, its keys are in
/// alphabetical order, and so are the keys of its tables.
#[derive(serde::Serialize)]
struct Document<'a> {
    program: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    answer: &'a str,
    facts: BTreeMap<&'static str, &'a Value>,
    notes: Vec<&'a String>,
    question: &'a String,
    rules: &'a [String],
    tables: BTreeMap<&'static str, Objects<'a>>,
}

/// The rows of a table as JSON objects, with their keys in alphabetical order.
struct Objects<'a>(&'a Table);

impl Serialize for Objects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let keys = || self.0.columns.iter().map(|column| &*column.key);
        let object = |row| keys().zip(row).collect::<BTreeMap<&str, &Value>>();
        serializer.collect_seq(self.0.rows.iter().map(object))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Whole(number) => serializer.serialize_i64(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Chance(number) | Self::Real(number) | Self::OneIn(number) => {
                serializer.serialize_f64(*number)
            }
            Self::Sampled(number) => number.map(rounded).serialize(serializer),
            Self::Exact(number) => number.serialize(serializer),
            Self::Object(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
            }
            Self::List(values) => values.serialize(serializer),
            Self::Json(value) => value.serialize(serializer),
        }
    }
}
