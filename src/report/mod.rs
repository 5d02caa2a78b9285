//! Results as typed tables, and one writer for each format: text, Markdown, CSV and JSON.
//!
//! A [`Value`] is a number with its kind. A row is a list of values, and a [`Table`] names its columns. A [`Report`] is
//! an answer in facts, tables, grids and notes. This module computes and plays nothing.

#![cfg_attr(
    not(feature = "cli"),
    expect(
        dead_code,
        unused_imports,
        reason = "only the command line writes reports as text and as files"
    )
)]

mod columns;
mod format;
mod grid;
mod machine;
pub(crate) mod number;
mod page;
mod text;

pub(crate) use columns::{CellType, transposed};
pub use columns::{TypedCells, TypedColumn};
pub(crate) use format::{cell, text};
pub(crate) use grid::TextGrid;
pub(crate) use machine::{cell as csv_cell, csv, json, write_csv, write_json};
pub(crate) use page::Page;
pub use page::{Style, Width};
pub(crate) use text::{bar, page as text_page};

use crate::clean::clean;
use crate::decimal::rounded;
use crate::stats::Interval;
use std::borrow::Cow;
use std::sync::Arc;

/// An answer to a question, ready to be written in any format.
#[derive(Debug, Clone, Default)]
pub(crate) struct Report {
    /// The question, in words.
    pub(crate) title: String,
    /// A sentence with the question and the number that answers it. Empty if there is no single number.
    pub(crate) answer: String,
    /// The rules in force, one a line.
    pub(crate) rules: Vec<String>,
    /// The parts, in the order in which they are shown.
    pub(crate) blocks: Vec<Block>,
    /// The rows of CSV if no block holds them; see [`rows`](Self::rows).
    pub(crate) rows: Table,
    /// Index of the block whose table is written as CSV.
    pub(crate) main: Option<usize>,
}

#[derive(Debug, Clone)]
pub(crate) enum Block {
    /// Single figures.
    Facts(Vec<Fact>),
    /// Values, each with its estimates.
    Table(Table),
    /// One figure over two keys. Only people see the grid; `rows` holds the numbers.
    Grid(Grid),
    /// A note.
    Note(String),
}

#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) key: &'static str,
    pub(crate) label: String,
    pub(crate) value: Value,
}

impl Fact {
    pub(crate) fn new(key: &'static str, label: impl Into<String>, value: Value) -> Self {
        Self {
            key,
            label: label.into(),
            value,
        }
    }
}

/// Creates a fact from a probability.
pub(crate) fn chance(key: &'static str, label: impl Into<String>, chance: f64) -> Fact {
    Fact::new(key, label, Value::Chance(chance))
}

/// Creates a fact from a number.
pub(crate) fn real(key: &'static str, label: impl Into<String>, number: f64) -> Fact {
    Fact::new(key, label, Value::Real(number))
}

/// A single value, with its kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(Arc<str>),
    Whole(i64),
    Flag(bool),
    /// A probability.
    Chance(f64),
    /// Any other number.
    Real(f64),
    /// The `N` of "1 in N".
    OneIn(f64),
    /// A number that was counted or estimated from encounters, written with ten digits. `None` if it is unknown.
    Sampled(Option<f64>),
    /// A number of a solved fight, written with all digits that distinguish it from others. `None` if it is unknown.
    Exact(Option<f64>),
    /// Values with their keys, for JSON only.
    Object(Vec<(&'static str, Value)>),
    /// Values one after the other, for JSON only.
    List(Vec<Value>),
    /// Anything else, for JSON only.
    Json(serde_json::Value),
}

impl Value {
    /// A missing number or text: an empty cell.
    pub(crate) const NONE: Self = Self::Sampled(None);

    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// Returns the number that a picture shows, or 0 if there is none.
    pub(crate) fn number(&self) -> f64 {
        match self {
            Self::Chance(number) | Self::Real(number) | Self::OneIn(number) => *number,
            Self::Whole(number) => *number as f64,
            Self::Sampled(number) | Self::Exact(number) => number.unwrap_or(0.0),
            _ => 0.0,
        }
    }

    /// Creates a value from a count, which may be missing.
    pub(crate) fn count(count: impl Into<Option<u64>>) -> Self {
        count
            .into()
            .map_or(Self::NONE, |count| Self::Whole(count as i64))
    }

    pub(crate) fn sampled(number: impl Into<Option<f64>>) -> Self {
        Self::Sampled(number.into())
    }

    /// Returns both guaranteed bounds, rounded outwards so that their digits do not narrow them.
    pub(crate) fn bounds([low, high]: [f64; 2]) -> [Self; 2] {
        let [low, high] = [number::floor(low), number::ceiling(high)];
        // Where nothing bounds a number, the cell is empty.
        [low, high].map(|bound| Self::Exact(Some(bound).filter(|bound| bound.is_finite())))
    }

    /// Returns the value of the `method` column: `exact`, or nothing if the number was counted from encounters.
    pub(crate) fn method(is_exact: bool) -> Self {
        Self::named(is_exact.then_some("exact"))
    }

    /// Creates a value from an exact number, written with all its digits, or from an estimate, written with ten.
    pub(crate) fn estimate(number: impl Into<Option<f64>>, is_exact: bool) -> Self {
        if is_exact {
            Self::Exact(number.into())
        } else {
            Self::sampled(number)
        }
    }

    /// Returns both ends of an interval, as guaranteed bounds if `is_exact` is set.
    pub(crate) fn between(interval: Option<Interval>, is_exact: bool) -> [Self; 2] {
        match interval {
            Some(bounds) if is_exact => Self::bounds(bounds.ends()),
            interval => Self::ends(interval),
        }
    }

    /// Creates a value from a text, which may be missing.
    pub(crate) fn named(text: Option<&str>) -> Self {
        text.map_or(Self::NONE, Self::text)
    }

    /// Returns the value that is read from the cell that this one is written to.
    pub(crate) fn read_back(self) -> Self {
        match self {
            Self::Text(text) => Self::text(&clean(&text)),
            Self::Sampled(number) => Self::Exact(number.map(rounded)),
            other => other,
        }
    }

    /// Creates a list of texts.
    pub(crate) fn texts(texts: impl IntoIterator<Item = String>) -> Self {
        let texts = texts.into_iter().map(|text| Self::text(&text));
        Self::List(texts.collect())
    }

    /// Creates an object from the cells of a row of CSV with these columns. The unit of the metric follows the other
    /// cells in a row, and the subject in an object. Which method found the numbers stands in the manifest.
    pub(crate) fn object(
        columns: impl IntoIterator<Item = &'static str>,
        cells: impl IntoIterator<Item = Self>,
    ) -> Self {
        let mut cells = cells.into_iter();
        let members = columns.into_iter().zip(cells.by_ref());
        let mut members: Vec<_> = members.filter(|(column, _)| *column != "method").collect();
        let subject = members.iter().position(|(column, _)| *column == "subject");
        if let Some((subject, unit)) = subject.zip(cells.next()) {
            members.insert(subject + 1, ("unit", unit));
        }
        Self::Object(members)
    }

    /// Returns both ends of an interval.
    pub(crate) fn ends(interval: Option<Interval>) -> [Self; 2] {
        let ends = interval.map_or([None; 2], |one| one.ends().map(Some));
        ends.map(Self::Sampled)
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) key: &'static str,
    pub(crate) title: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Value>>,
    /// The column of chances that a terminal shows as bars.
    pub(crate) bars: Option<usize>,
    /// Whether a page draws the columns after the first as curves over the first; each holds the chance of each value.
    pub(crate) is_curves: bool,
    /// Text and pages leave out rows whose second cell is a chance below this.
    pub(crate) hidden_below: f64,
    /// The first of the rows that text and pages fold into one: this value or more.
    folded: Option<usize>,
}

#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) key: Arc<str>,
    pub(crate) label: String,
}

impl Table {
    pub(crate) fn new(key: &'static str, title: &str, columns: &[(&str, &str)]) -> Self {
        Self {
            key,
            title: title.to_owned(),
            columns: columns
                .iter()
                .map(|&(key, label)| Column {
                    key: key.into(),
                    label: label.to_owned(),
                })
                .collect(),
            rows: Vec::new(),
            bars: None,
            is_curves: false,
            hidden_below: 0.0,
            folded: None,
        }
    }

    /// Lets text and pages fold the last rows, which are all rarer than `chance`, into one. The second cell of a row is
    /// the chance of exactly its value, and the third that of this value or more.
    pub(crate) fn fold_below(&mut self, chance: f64) {
        let is_common = |row: &Vec<Value>| row[1].number() >= chance;
        let first = self.rows.iter().rposition(is_common).map(|last| last + 1);
        self.folded = first.filter(|first| first + 1 < self.rows.len());
        self.hidden_below = chance;
    }

    /// Creates a table for programs, with columns labelled by their keys.
    pub(crate) fn of_keys(key: &'static str, keys: impl IntoIterator<Item = &'static str>) -> Self {
        let keys: Vec<_> = keys.into_iter().map(|key| (key, key)).collect();
        Self::new(key, "", &keys)
    }

    /// Keeps the columns whose index is wanted.
    pub(crate) fn retain_columns(&mut self, keeps: impl Fn(usize) -> bool) {
        let mut at = 0..;
        self.columns.retain(|_| at.next().is_some_and(&keeps));
        for row in &mut self.rows {
            let mut at = 0..;
            row.retain(|_| at.next().is_some_and(&keeps));
        }
    }

    /// Whether the last row that text and pages show stands for several.
    pub(crate) const fn is_folded(&self) -> bool {
        self.folded.is_some()
    }

    /// Returns the note to show if rows are hidden.
    pub(crate) fn hidden(&self) -> Option<String> {
        let one_in = 1.0 / self.hidden_below;
        (self.shown().count() < self.rows.len()).then(|| {
            let place = if self.is_folded() {
                "in the last row"
            } else {
                "left out here"
            };
            format!("Values rarer than 1 in {one_in:.0} are {place}; `--format json` lists them.")
        })
    }

    /// Returns the rows that text and pages show.
    pub(crate) fn shown(&self) -> impl Iterator<Item = Cow<'_, [Value]>> {
        let folded = self.folded.unwrap_or(self.rows.len());
        let rows = self.rows[..folded].iter().filter(|row| match row.get(1) {
            Some(Value::Chance(chance)) => *chance >= self.hidden_below,
            _ => true,
        });
        let last = self.rows.get(folded).map(|row| {
            let value = Value::Text(format!("{} or more", text(&row[0])).into());
            let (all, one_in) = (row[2].clone(), Value::OneIn(1.0 / row[2].number()));
            Cow::Owned(vec![value, all.clone(), all, Value::Chance(1.0), one_in])
        });
        rows.map(|row| Cow::Borrowed(row.as_slice())).chain(last)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) title: String,
    pub(crate) row_label: String,
    pub(crate) column_label: String,
    pub(crate) row_heads: Vec<String>,
    pub(crate) column_heads: Vec<String>,
    pub(crate) cells: Vec<Vec<Value>>,
}

impl Report {
    /// Creates a report that holds the question but no answer yet.
    pub(crate) fn new(title: String, rules: Vec<String>) -> Self {
        Self {
            title,
            rules,
            ..Self::default()
        }
    }

    pub(crate) fn facts(&mut self, facts: Vec<Fact>) {
        self.blocks.push(Block::Facts(facts));
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.blocks.push(Block::Note(note.into()));
    }

    /// Adds a table that is also written as CSV. A table may have a million rows, so it is stored only once.
    pub(crate) fn main_table(&mut self, table: Table) {
        self.main = Some(self.blocks.len());
        self.blocks.push(Block::Table(table));
    }

    /// Returns the first line of text.
    fn headline(&self) -> &str {
        if self.answer.is_empty() {
            &self.title
        } else {
            &self.answer
        }
    }

    /// Returns the table that is written as CSV.
    pub(crate) fn rows(&self) -> &Table {
        let main = self.main.and_then(|at| self.blocks.get(at));
        match main {
            Some(Block::Table(table)) if self.rows.columns.is_empty() => table,
            _ => &self.rows,
        }
    }
}
