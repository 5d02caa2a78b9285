//! The answer of `odds` as a page of pictures.

use std::borrow::Cow;

use super::charts::{Cell, Curve, Curves, Group, Heat, Place, Row, Whiskers};
use super::figure::{Figure, Table as Numbers};
use super::page::{Block as Shown, Page, Section};
use super::palette::side;
use crate::output::chart::Unit;
use crate::report::{Block, Fact, Grid, Report, Table, Value, cell, cells, text};

/// The file name by which the page refers to the rows of `--format csv`.
const ROWS: &str = "odds.csv";

/// The note below a figure whose numbers are exact, without an interval.
const EXACT: &str = "Computed, not simulated: these numbers are exact and have no interval.";

/// Returns the page of an answer. `made` has the command that gives this answer.
pub(crate) fn odds(report: &Report, made: [Shown; 2]) -> Page {
    let rules = report
        .rules
        .iter()
        .map(|rule| Shown::paragraph(rule.clone()));
    let lead = (!report.answer.is_empty()).then(|| Shown::Lead {
        text: report.answer.clone(),
    });
    let mut answer: Vec<Shown> = lead.into_iter().chain(rules).collect();
    let mut figures = Vec::new();
    for (index, block) in report.blocks.iter().enumerate() {
        match block {
            Block::Facts(list) => answer.push(Shown::Table(facts(list))),
            Block::Note(note) => answer.push(Shown::paragraph(note.clone())),
            Block::Grid(grid) => figures.push(Shown::Figure(picture(report, grid, index))),
            Block::Table(table) => {
                figures.push(distribution(report, table, index));
                answer.extend(table.hidden().map(Shown::paragraph));
            }
        }
    }
    // The answer of a grid is its picture.
    let is_rule = answer.len() == report.rules.len() && report.answer.is_empty();
    let title = if is_rule { "The rule" } else { "The answer" };
    let mut sections = vec![Section::new("answer", title, answer)];
    if !figures.is_empty() {
        sections.push(Section::new("chances", "The chances", figures));
    }
    sections.push(Section::new("made", "How this was made", made));
    Page {
        title: report.title.clone(),
        subtitle: None,
        sections,
        footer: vec![format!("Made by skirmish {}.", env!("CARGO_PKG_VERSION"))],
    }
}

fn facts(list: &[Fact]) -> Numbers {
    let mut table = Numbers::new(&["what"], &["value"]);
    for fact in list {
        table.row(vec![fact.label.clone(), text(&fact.value)]);
    }
    table
}

fn picture(report: &Report, grid: &Grid, index: usize) -> Figure {
    let names = |heads: &[i64]| heads.iter().map(ToString::to_string).collect();
    let (down, across) = (grid.row_label, grid.column_label);
    let drawn = |row: &i64, column: &i64, value: &Value| {
        let text = cell(value);
        Some(Cell {
            value: value.number(),
            title: format!("{down} {row}, {across} {column}: {text}"),
            text,
        })
    };
    let lines = grid.row_heads.iter().zip(&grid.cells).map(|(row, cells)| {
        let cells = grid.column_heads.iter().zip(cells);
        let cells = cells.map(|(column, value)| drawn(row, column, value));
        cells.collect()
    });
    let heat = Heat::new(
        (down, names(&grid.row_heads)),
        (across, names(&grid.column_heads)),
        lines,
    );
    let description = "The more a cell stands out, the higher its number.";
    let words = [grid.title.as_str(), description];
    let id = format!("grid-{index}");
    Figure::new(id, words, &heat.draw(), rows(report.rows()), EXACT)
}

/// Returns a table, or a picture with the table if the table has chances that are shown as bars.
fn distribution(report: &Report, table: &Table, index: usize) -> Shown {
    let numbers = if table.key == report.rows().key {
        rows(table)
    } else {
        seen(table)
    };
    if table.is_curves {
        return overlay(table, numbers, index);
    }
    let Some(at) = table.bars else {
        return Shown::Table(numbers);
    };
    let bars = table.shown().map(|row| {
        let name = row.first().map_or_else(String::new, text);
        Row::new(name, 0, (row[at].number(), None), text(&row[at]))
    });
    let drawn = Whiskers::new(Unit::Share, "chance", vec![Group::new("", bars)]);
    let label = table.columns.first().map_or("", |one| one.label.as_str());
    let all: f64 = table.shown().map(|row| row[at].number()).sum();
    let all = match all {
        // As of an extended roll that may fail.
        ..0.999 => format!(" Together they are {}.", Unit::Share.in_words(all, None)),
        _ => String::new(),
    };
    let number = if label == "rolls" { "number of " } else { "" };
    let words = [
        table.title.as_str(),
        &format!("The chance of each {number}{label}.{all}"),
    ];
    let id = format!("chances-{index}");
    Shown::Figure(Figure::new(id, words, &drawn.draw(), numbers, EXACT))
}

/// Returns the columns of a table as curves in one picture.
fn overlay(table: &Table, numbers: Numbers, index: usize) -> Shown {
    let names = table.columns.iter().skip(1);
    let curves = names.enumerate().map(|(at, column)| Curve {
        name: column.label.clone(),
        series: side(at),
        rank: at,
        places: places(table, at + 1),
        end: None,
    });
    let drawn = Curves {
        whole: true,
        ..Curves::new(Unit::Share, "value", curves.collect())
    };
    let words = [table.title.as_str(), "A curve for each roll."];
    let id = format!("curves-{index}");
    Shown::Figure(Figure::new(id, words, &drawn.draw(), numbers, EXACT))
}

/// Returns the places of a column's curve. They start at the last value before its chance changes, and end at the first
/// value after the last change.
fn places(table: &Table, at: usize) -> Vec<Place> {
    let chance = |row: &Vec<Value>| row[at].number();
    let rows = &table.rows;
    let changes = |pair: &[Vec<Value>]| (chance(&pair[0]) - chance(&pair[1])).abs() > 0.0;
    let first = rows.windows(2).position(changes).unwrap_or_default();
    let last = rows
        .windows(2)
        .rposition(changes)
        .map_or(rows.len(), |pair| pair + 2);
    let column = &table.columns[at].label;
    let of = rows[first..last].iter().map(|row| {
        let title = format!("{column}, {}: {}", text(&row[0]), text(&row[at]));
        Place::new(row[0].number(), (chance(row), None), title)
    });
    of.collect()
}

/// Returns the rows that `--format csv` prints, cell by cell.
fn rows(table: &Table) -> Numbers {
    let mut all = table_of(table, |column| column.key).of(ROWS, &[]);
    for row in &table.rows {
        all.row(cells(row).map(Cow::into_owned).collect());
    }
    all
}

/// Returns the rows that are shown to people.
fn seen(table: &Table) -> Numbers {
    let mut all = table_of(table, |column| &column.label);
    for row in table.shown() {
        all.row(row.iter().map(text).collect());
    }
    all
}

fn table_of(table: &Table, name: impl Fn(&crate::report::Column) -> &str) -> Numbers {
    let names: Vec<&str> = table.columns.iter().map(name).collect();
    let (first, others) = names.split_at(names.len().min(1));
    Numbers::new(first, others)
}
