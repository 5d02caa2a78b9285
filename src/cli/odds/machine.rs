//! Answers for machines: CSV and JSON, numbers in their shortest exact form.

use serde_json::{Map, Value as Json, json};

use super::format::shortest;
use super::report::{Block, Report, Table, Value};

/// The rows of the answer.
pub(super) fn csv(report: &Report) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let table = &report.rows;
    let head = table
        .columns
        .iter()
        .map(|column| column.key.to_owned())
        .collect();
    let rows = table.rows.iter().map(|row| row.iter().map(cell).collect());
    for row in std::iter::once::<Vec<String>>(head).chain(rows) {
        // Nothing fails in memory, and all rows are as long as their head.
        let _ = writer.write_record(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
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

/// The whole answer.
pub(super) fn json(report: &Report) -> String {
    let mut facts = Map::new();
    let mut tables = Map::new();
    let mut notes = Vec::new();
    for block in &report.blocks {
        match block {
            Block::Facts(list) => {
                facts.extend(
                    list.iter()
                        .map(|fact| (fact.key.to_owned(), plain(&fact.value))),
                );
            }
            Block::Table(table) => {
                tables.insert(table.key.to_owned(), rows(table));
            }
            Block::Grid(_) => {}
            Block::Note(note) => notes.push(note),
        }
    }
    tables
        .entry(report.rows.key)
        .or_insert_with(|| rows(&report.rows));
    let answer = json!({
        "question": report.title,
        "rules": report.rules,
        "facts": facts,
        "tables": tables,
        "notes": notes,
    });
    format!("{answer:#}\n")
}

fn rows(table: &Table) -> Json {
    let row = |values: &Vec<Value>| {
        let keys = table.columns.iter().map(|column| column.key.to_owned());
        Json::Object(keys.zip(values.iter().map(plain)).collect())
    };
    table.rows.iter().map(row).collect()
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Text(text) => json!(text),
        Value::Whole(number) => json!(number),
        Value::Flag(flag) => json!(flag),
        Value::Chance(number)
        | Value::Points(number)
        | Value::Real(number)
        | Value::OneIn(number) => json!(number),
    }
}
