//! Answers for machines: CSV and JSON, numbers in their shortest exact form. Rows are written as
//! they are made, so that an answer of a million rows takes no memory beyond its own.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::format::shortest;
use super::report::{Block, Report, Table, Value};

/// Writes the rows of the answer.
pub(super) fn csv(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let table = report.rows();
    writer.write_record(table.columns.iter().map(|column| column.key))?;
    for row in &table.rows {
        writer.write_record(row.iter().map(cell))?;
    }
    writer.flush()
}

/// A cell of a row.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Whole(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::OneIn(number) if number.is_infinite() => String::new(),
        Value::Chance(number)
        | Value::Points(number)
        | Value::Real(number)
        | Value::OneIn(number) => shortest(*number),
    }
}

/// Writes the whole answer.
pub(super) fn json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut answer = Answer {
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
                answer.tables.insert(table.key, Rows(table));
            }
            Block::Grid(_) => {}
            Block::Note(note) => answer.notes.push(note),
        }
    }
    let rows = report.rows();
    answer.tables.entry(rows.key).or_insert(Rows(rows));
    serde_json::to_writer_pretty(&mut *out, &answer)?;
    writeln!(out)
}

/// An answer as JSON; its keys are in the order of the alphabet, as those of its tables are.
#[derive(serde::Serialize)]
struct Answer<'a> {
    facts: BTreeMap<&'static str, &'a Value>,
    notes: Vec<&'a String>,
    question: &'a String,
    rules: &'a [String],
    tables: BTreeMap<&'static str, Rows<'a>>,
}

struct Rows<'a>(&'a Table);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = self.0.columns.iter().enumerate();
        let mut order: Vec<(&str, usize)> = columns.map(|(at, column)| (column.key, at)).collect();
        order.sort_unstable();
        let mut rows = serializer.serialize_seq(Some(self.0.rows.len()))?;
        for cells in &self.0.rows {
            rows.serialize_element(&Row {
                order: &order,
                cells,
            })?;
        }
        rows.end()
    }
}

/// A row, its cells by the names of their columns.
struct Row<'a> {
    order: &'a [(&'a str, usize)],
    cells: &'a [Value],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        for &(key, at) in self.order {
            if let Some(value) = self.cells.get(at) {
                row.serialize_entry(key, value)?;
            }
        }
        row.end()
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
        }
    }
}
