//! The answer as a page of pictures.

use super::format::{cell, text};
use super::machine;
use super::report::{Block, Fact, Grid, Report, Table, Value};
use crate::output::html::{self, Exact, Page, Section, chances};

/// The name under which the rows of `--format csv` are known on the page.
const ROWS: &str = "odds.csv";

/// The page of an answer; `command` makes it again.
pub(super) fn page(report: &Report, command: &str) -> Page {
    let rules = report
        .rules
        .iter()
        .map(|rule| html::Block::Paragraph { text: rule.clone() });
    let mut answer: Vec<html::Block> = rules.collect();
    let mut figures = Vec::new();
    for (index, block) in report.blocks.iter().enumerate() {
        match block {
            Block::Facts(list) => answer.push(html::Block::Table(facts(list))),
            Block::Note(note) => answer.push(html::Block::Paragraph { text: note.clone() }),
            Block::Grid(grid) => figures.push(html::Block::Figure(picture(report, grid, index))),
            Block::Table(table) => figures.push(distribution(report, table, index)),
        }
    }
    let section = |id: &str, title: &str, blocks| Section {
        id: id.to_owned(),
        title: title.to_owned(),
        blocks,
    };
    let mut sections = vec![section("answer", "The answer", answer)];
    if !figures.is_empty() {
        sections.push(section("chances", "The chances", figures));
    }
    let again = vec![
        html::Block::Paragraph {
            text: "This command makes the page again, byte for byte:".to_owned(),
        },
        html::Block::Command {
            text: command.to_owned(),
        },
    ];
    sections.push(section("made", "How this was made", again));
    Page {
        title: report.title.clone(),
        subtitle: None,
        sections,
        footer: vec![format!("Made by skirmish {}.", env!("CARGO_PKG_VERSION"))],
    }
}

fn facts(list: &[Fact]) -> html::Table {
    let mut table = html::Table::new(&["what"], &["value"]);
    for fact in list {
        table.row(vec![fact.label.clone(), text(&fact.value)]);
    }
    table
}

/// A number and what it is called in a picture.
fn exact(value: &Value, text: fn(&Value) -> String) -> Exact {
    Exact {
        value: match value {
            Value::Chance(number)
            | Value::Points(number)
            | Value::Real(number)
            | Value::OneIn(number) => *number,
            Value::Whole(number) => *number as f64,
            Value::Text(_) | Value::Flag(_) => 0.0,
        },
        text: text(value),
    }
}

fn picture(report: &Report, grid: &Grid, index: usize) -> html::Figure {
    let heads = |heads: &[i64]| heads.iter().map(ToString::to_string).collect();
    let cells = grid.cells.iter();
    let grid_of = html::Grid {
        down: (grid.row_label.to_owned(), heads(&grid.row_heads)),
        across: (grid.column_label.to_owned(), heads(&grid.column_heads)),
        cells: cells
            .map(|row| row.iter().map(|value| exact(value, cell)).collect())
            .collect(),
    };
    grid_of.figure(&format!("grid-{index}"), &grid.title, rows(report.rows()))
}

/// A table; if it has chances that bars show, a picture of them.
fn distribution(report: &Report, table: &Table, index: usize) -> html::Block {
    let numbers = if table.key == report.rows().key {
        rows(table)
    } else {
        seen(table)
    };
    let Some(at) = table.bars else {
        return html::Block::Table(numbers);
    };
    let shown = table.shown().map(|row| {
        let name = row.first().map_or_else(String::new, text);
        (name, exact(&row[at], text))
    });
    let label = |at: usize| table.columns.get(at).map_or("", |one| one.label.as_str());
    let description = format!("The chance of each {}.", label(0));
    let words = [table.title.as_str(), &description];
    let shown = shown.collect();
    html::Block::Figure(chances(&format!("chances-{index}"), words, shown, numbers))
}

/// The rows that `--format csv` prints, cell by cell.
fn rows(table: &Table) -> html::Table {
    let mut all = table_of(table, |column| column.key).of(ROWS, &[]);
    for row in &table.rows {
        all.row(row.iter().map(machine::cell).collect());
    }
    all
}

/// The rows that eyes see.
fn seen(table: &Table) -> html::Table {
    let mut all = table_of(table, |column| &column.label);
    for row in table.shown() {
        all.row(row.iter().map(text).collect());
    }
    all
}

fn table_of(table: &Table, name: impl Fn(&super::report::Column) -> &str) -> html::Table {
    let names: Vec<&str> = table.columns.iter().map(name).collect();
    let (first, others) = names.split_at(names.len().min(1));
    html::Table::new(first, others)
}
