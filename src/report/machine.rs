//! CSV and JSON output, with numbers in their shortest exact form. Rows are written as they are made, so that an answer
//! of a million rows takes no memory beyond its own.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::ser::{Serialize, Serializer};

use super::format::{shortest, text};
use super::number::Rounded;
use super::{Block, Report, Table, Value};
use crate::clean;

/// Writes rows of CSV. Cells are cleaned so that none is a formula in a spreadsheet or controls a terminal.
pub(crate) struct CsvRows<W: Write>(csv::Writer<W>);

impl<W: Write> CsvRows<W> {
    /// Creates a writer of rows into `out`.
    pub(crate) fn new(out: W) -> Self {
        Self(csv::Writer::from_writer(out))
    }

    /// Writes a row.
    pub(crate) fn write(
        &mut self,
        cells: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> io::Result<()> {
        let write = || {
            for text in cells {
                let text = clean::clean(text.as_ref());
                self.0.write_field(clean::cell(&text).as_bytes())?;
            }
            self.0.write_record(None::<&[u8]>)
        };
        // Callers must be able to recognize a closed pipe, so the I/O error is passed on.
        write().map_err(|error: csv::Error| match error.into_kind() {
            csv::ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        })
    }

    /// Flushes the buffer.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes rows of CSV, after a header row if `head` is set. Values beyond the columns are not written.
pub(crate) fn write_csv(
    columns: &[&str],
    head: bool,
    rows: impl Iterator<Item = Vec<Value>>,
    out: impl Write,
) -> io::Result<()> {
    let mut lines = CsvRows::new(out);
    if head {
        lines.write(columns)?;
    }
    for row in rows {
        lines.write(cells(&row).take(columns.len()))?;
    }
    lines.flush()
}

/// Writes the rows of the answer as CSV.
pub(crate) fn csv(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let table = report.rows();
    let columns: Vec<&str> = table.columns.iter().map(|column| column.key).collect();
    write_csv(&columns, true, table.rows.iter().cloned(), out)
}

/// Returns the cells of a row of CSV.
pub(crate) fn cells(row: &[Value]) -> impl Iterator<Item = Cow<'_, str>> {
    row.iter().map(|value| match value {
        Value::Text(text) => Cow::Borrowed(text.as_str()),
        Value::Flag(flag) => flag.to_string().into(),
        Value::OneIn(number) if number.is_infinite() => "".into(),
        Value::Chance(number)
        | Value::Points(number)
        | Value::Real(number)
        | Value::OneIn(number) => shortest(*number).into(),
        other => text(other).into(),
    })
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
        let keys = || self.0.columns.iter().map(|column| column.key);
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
            Self::Chance(number)
            | Self::Points(number)
            | Self::Real(number)
            | Self::OneIn(number) => serializer.serialize_f64(*number),
            Self::Sampled(number) => number.map(Rounded::new).serialize(serializer),
            Self::Exact(number) => number.serialize(serializer),
            Self::Object(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
            }
            Self::List(values) => values.serialize(serializer),
            Self::Json(value) => value.serialize(serializer),
        }
    }
}
