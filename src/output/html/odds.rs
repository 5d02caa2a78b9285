//! The answer of `odds` as a page of pictures.

use super::charts::{Curve, CurvePoint, Curves, Group, Heat, HeatCell, Whisker, Whiskers};
use super::figure::{Figure, Table as Numbers};
use super::page::{Page, PageBlock, Section};
use super::palette::side;
use crate::output::chart::Unit;
use crate::report::{Block, Column, Fact, Grid, Report, Table, Value, cell, csv_cell, text};

/// The file name by which the page refers to the rows of `--format csv`.
const ROWS: &str = "odds.csv";

/// The note below a figure whose numbers are exact, without an interval.
const EXACT: &str = "Computed, not simulated: these numbers are exact and have no interval.";

/// Returns the page of an answer. `made` has the command that gives this answer.
pub(crate) fn odds(report: &Report, made: [PageBlock; 2]) -> Page {
    let rules = report
        .rules
        .iter()
        .map(|rule| PageBlock::paragraph(rule.clone()));
    let lead = (!report.answer.is_empty()).then(|| PageBlock::Lead(report.answer.clone()));
    let mut answer: Vec<PageBlock> = lead.into_iter().chain(rules).collect();
    let mut figures = Vec::new();
    for (index, block) in report.blocks.iter().enumerate() {
        match block {
            Block::Facts(list) => answer.push(PageBlock::Table(facts(list))),
            Block::Note(note) => answer.push(PageBlock::paragraph(note.clone())),
            Block::Grid(grid) => figures.push(PageBlock::Figure(picture(report, grid, index))),
            Block::Table(table) => {
                figures.push(distribution(report, table, index));
                answer.extend(table.hidden().map(PageBlock::paragraph));
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
    let [rows_of, columns] = [&grid.row_heads, &grid.column_heads]
        .map(|heads| -> Vec<&str> { heads.iter().map(String::as_str).collect() });
    let (down, across) = (&*grid.row_label, &*grid.column_label);
    let at = |names: &[&str], name: &str| names.iter().position(|other| *other == name);
    let shown = |row: &str, column: &str| {
        let value = &grid.cells[at(&rows_of, row)?][at(&columns, column)?];
        let text = cell(value);
        Some(HeatCell {
            value: value.number(),
            title: format!("{down} {row}, {across} {column}: {text}"),
            text,
        })
    };
    let heat = Heat::new([down, across], [&rows_of, &columns], None, shown);
    let words = [
        &grid.title,
        "The more a cell stands out, the higher its number.",
    ];
    let id = format!("grid-{index}");
    Figure::new(id, words, &heat.draw(), rows(report.rows()), EXACT)
}

/// Returns a table, or a picture with the table if the table has chances that are shown as bars.
fn distribution(report: &Report, table: &Table, index: usize) -> PageBlock {
    let numbers = if table.key == report.rows().key {
        rows(table)
    } else {
        seen(table)
    };
    if table.is_curves {
        return overlay(table, numbers, index);
    }
    let Some(at) = table.bars else {
        return PageBlock::Table(numbers);
    };
    let bars = table.shown().map(|row| {
        let name = row.first().map_or_else(String::new, text);
        Whisker::new(name, 0, (row[at].number(), None), text(&row[at]))
    });
    let drawn = Whiskers::new(Unit::Share, "chance", vec![Group::new("", bars)]);
    let label = table
        .columns
        .first()
        .map_or("", |column| column.label.as_str());
    let all: f64 = table.shown().map(|row| row[at].number()).sum();
    let all = match all {
        // As of an extended roll that may fail.
        ..0.999 => format!(" Together they are {}.", Unit::Share.in_words(all, None)),
        _ => String::new(),
    };
    let number = if label == "rolls" { "number of " } else { "" };
    let chances = match table.key {
        "cells" => format!("A bar for each {label}."),
        _ => format!("The chance of each {number}{label}.{all}"),
    };
    let words = [table.title.as_str(), &chances];
    let id = format!("chances-{index}");
    PageBlock::Figure(Figure::new(id, words, &drawn.draw(), numbers, EXACT))
}

/// Returns the columns of a table as curves in one picture.
fn overlay(table: &Table, numbers: Numbers, index: usize) -> PageBlock {
    let names = table.columns.iter().skip(1);
    let curves = names.enumerate().map(|(at, column)| Curve {
        name: column.label.clone(),
        series: side(at),
        rank: at,
        points: places(table, at + 1),
        switch: None,
    });
    let drawn = Curves {
        whole: true,
        ..Curves::new(Unit::Share, "value", curves.collect())
    };
    let words = [table.title.as_str(), "A curve for each roll."];
    let id = format!("curves-{index}");
    PageBlock::Figure(Figure::new(id, words, &drawn.draw(), numbers, EXACT))
}

/// Returns the places of a column's curve. They start at the last value before its chance changes, and end at the first
/// value after the last change.
fn places(table: &Table, at: usize) -> Vec<CurvePoint> {
    let chance = |row: &Vec<Value>| row[at].number();
    let rows = &table.rows;
    let changes = |pair: &[Vec<Value>]| (chance(&pair[0]) - chance(&pair[1])).abs() > 0.0;
    let first = rows.windows(2).position(changes).unwrap_or_default();
    let last = rows
        .windows(2)
        .rposition(changes)
        .map_or(rows.len(), |pair| pair + 2);
    let column = &table.columns[at].label;
    let point = |row: &Vec<Value>| CurvePoint {
        x: row[0].number(),
        y: chance(row),
        interval: None,
        title: format!("{column}, {}: {}", text(&row[0]), text(&row[at])),
    };
    rows[first..last].iter().map(point).collect()
}

/// Returns the rows that `--format csv` prints, as they are shown to people.
fn rows(table: &Table) -> Numbers {
    let cell = |value| csv_cell(value).into_owned();
    let cells = table.rows.iter().map(|row| row.iter().map(cell));
    let shown = table.rows.iter().map(|row| row.iter().map(text).collect());
    numbers(table, |column| &column.key, shown).of(ROWS, &[], cells)
}

/// Returns the rows that are shown to people.
fn seen(table: &Table) -> Numbers {
    let rows = table.shown().map(|row| row.iter().map(text).collect());
    numbers(table, |column| &column.label, rows)
}

fn numbers(
    table: &Table,
    name: impl Fn(&Column) -> &str,
    rows: impl Iterator<Item = Vec<String>>,
) -> Numbers {
    let names: Vec<&str> = table.columns.iter().map(name).collect();
    let (first, others) = names.split_at(names.len().min(1));
    let mut numbers = Numbers::new(first, others);
    for row in rows {
        numbers.row(row);
    }
    numbers
}
