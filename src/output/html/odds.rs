//! Figures of exact chances: in rows, and over two varying quantities.

use super::charts::{Cell, Group, Heat, Row, Whiskers};
use super::figure::{Figure, Table};
use crate::output::chart::Unit;

/// The caveat of a figure whose numbers have no interval.
const EXACT: &str = "Computed, not played: these numbers are exact and have no interval.";

/// A number, short and in words.
#[derive(Debug, Clone)]
pub struct Exact {
    /// The number.
    pub value: f64,
    /// The number as text.
    pub text: String,
}

/// Numbers over two things that vary.
#[derive(Debug, Clone)]
pub struct Grid {
    /// What varies from row to row, and its values.
    pub down: (String, Vec<String>),
    /// What varies from column to column, and its values.
    pub across: (String, Vec<String>),
    /// A number for each row and column.
    pub cells: Vec<Vec<Exact>>,
}

impl Grid {
    /// The grid as a picture.
    #[must_use]
    pub fn figure(&self, id: &str, title: &str, table: Table) -> Figure {
        let cell = |row: usize, column: usize, exact: &Exact| Cell {
            value: exact.value,
            text: exact.text.clone(),
            title: format!(
                "{} {}, {} {}: {}",
                self.down.0, self.down.1[row], self.across.0, self.across.1[column], exact.text
            ),
        };
        let row = |(index, row): (usize, &Vec<Exact>)| {
            let cells = row.iter().enumerate();
            cells
                .map(|(column, exact)| Some(cell(index, column, exact)))
                .collect()
        };
        let drawn = Heat {
            down: (&self.down.0, self.down.1.clone()),
            across: (&self.across.0, self.across.1.clone()),
            cells: self.cells.iter().enumerate().map(row).collect(),
        }
        .draw();
        let description = "The darker the greater; on dark paper, the lighter the greater.";
        Figure::new(id.to_owned(), [title, description], &drawn, table, EXACT)
    }
}

/// Chances in rows, each with its label.
#[must_use]
pub fn chances(id: &str, words: [&str; 2], rows: Vec<(String, Exact)>, table: Table) -> Figure {
    let row = |(name, exact): (String, Exact)| Row {
        name,
        series: 0,
        value: exact.value,
        interval: None,
        text: exact.text,
        wanted: None,
    };
    let drawn = Whiskers {
        groups: vec![Group {
            name: String::new(),
            rows: rows.into_iter().map(row).collect(),
        }],
        unit: Unit::Share,
        differences: false,
        range: None,
        axis: "chance",
    }
    .draw();
    Figure::new(id.to_owned(), words, &drawn, table, EXACT)
}
