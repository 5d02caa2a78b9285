//! A figure: a question, a picture that answers it, and the numbers of the picture.

use super::drawing::Drawing;
use super::render;
use super::sides::VariantClasses;
use crate::output::chart::Unit;
use crate::output::sheet::{self, Column, Record};
use crate::tally::metrics;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

/// Text that is already markup, made by a template, and is not escaped again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markup(String);

impl Markup {
    /// Wraps markup that a template has made.
    pub(super) fn trusted(text: String) -> Self {
        Self(text)
    }

    /// Returns the markup as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for Markup {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Markup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::from_safe_string(self.0.clone()).serialize(serializer)
    }
}

/// A picture with its question, and its numbers in a table that can be unfolded.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// Its id within the page: lower-case letters, digits and `-`. Every id in its picture begins with it.
    pub id: String,
    /// The question that it answers.
    pub title: String,
    /// How to read the figure, also for screen readers.
    pub description: String,
    /// The picture.
    pub svg: Markup,
    /// The numbers of the picture.
    pub table: Table,
    /// The label of the folded figure; `None` if it is always open.
    pub folded: Option<String>,
    /// Caveats, such as the level of the intervals and omissions.
    pub note: Option<String>,
}

impl Figure {
    /// Creates a figure from a drawing, its title, description, numbers and caveats.
    pub(super) fn new(
        id: String,
        [title, description]: [&str; 2],
        drawing: &Drawing,
        table: Table,
        note: &str,
    ) -> Self {
        Self {
            title: title.to_owned(),
            description: description.to_owned(),
            svg: drawing.svg(&id, [title, description]),
            folded: None,
            id,
            table,
            note: (!note.is_empty()).then(|| note.to_owned()),
        }
    }
}

/// Numbers as text, ready to be shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The file that holds these rows, and the values that all of them share there; `None` if there is no such file.
    pub source: Option<Source>,
    /// Description of the content, if that is not numbers.
    pub summary: Option<String>,
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// Its rows, with a text for each column.
    pub rows: Vec<Vec<String>>,
    /// The class that switches each row off, if there is one.
    pub switches: Vec<Option<String>>,
}

/// The CSV file that a table's rows come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Name of the file: `summary.csv`.
    pub file: String,
    /// Columns of the file in which all rows have the same value, with that value.
    pub fixed: Vec<(String, String)>,
    /// The cells of the file, with all digits, as a CSV file that is a link.
    pub link: Markup,
}

/// Returns a CSV file of these rows as the address of a link.
fn link(names: &[&str], rows: impl Iterator<Item: Iterator<Item = String>>) -> Markup {
    let names = names.iter().map(ToString::to_string).collect();
    let rows = std::iter::once(names).chain(rows.map(Iterator::collect::<Vec<String>>));
    let mut csv = ::csv::WriterBuilder::new();
    let mut csv = csv.flexible(true).from_writer(Vec::new());
    for row in rows {
        csv.write_record(row)
            .unwrap_or_else(|error| unreachable!("{error}"));
    }
    let text = csv.into_inner().unwrap_or_default();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b",.-_".contains(&byte);
    let encoded = text.into_iter().map(|byte| match char::from(byte) {
        letter if plain(byte) => letter.to_string(),
        _ => format!("%{byte:02X}"),
    });
    Markup::trusted(
        std::iter::once("data:text/csv;charset=utf-8,".to_owned())
            .chain(encoded)
            .collect(),
    )
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableColumn {
    /// The heading.
    pub title: String,
    /// Whether the column holds numbers, which are aligned right.
    pub numeric: bool,
}

impl Table {
    /// Creates an empty table with these columns. Names are aligned left, numbers right.
    pub fn new(names: &[&str], numbers: &[&str]) -> Self {
        let column = |numeric: bool| {
            move |title: &&str| TableColumn {
                title: (*title).to_owned(),
                numeric,
            }
        };
        Self {
            source: None,
            summary: None,
            columns: names
                .iter()
                .map(column(false))
                .chain(numbers.iter().map(column(true)))
                .collect(),
            rows: Vec::new(),
            switches: Vec::new(),
        }
    }

    /// Creates an empty table with these columns of a CSV file.
    pub(super) fn with(names: &[Column], numbers: &[Column]) -> Self {
        let titles = |columns: &[Column]| columns.iter().map(|column| column.name()).collect();
        let [names, numbers]: [Vec<&str>; 2] = [names, numbers].map(titles);
        Self::new(&names, &numbers)
    }

    /// Lets readers switch off the rows of a variant, if the first column has the variants.
    pub(super) fn switched(mut self, switches: &VariantClasses<'_>) -> Self {
        if matches!(&self.columns[..], [first, ..] if first.title == "variant") {
            let rows = self.rows.iter().map(|row| switches.class(&row[0]));
            self.switches = rows.collect();
        }
        self
    }

    /// States that the table shows these rows of a CSV file, all of which have these values there.
    pub(super) fn of(
        mut self,
        file: &str,
        fixed: &[(&str, &str)],
        rows: impl Iterator<Item: Iterator<Item = String>>,
    ) -> Self {
        let owned = |(column, value): &(&str, &str)| ((*column).to_owned(), (*value).to_owned());
        let names: Vec<&str> = { self.columns.iter() }
            .map(|column| &*column.title)
            .collect();
        self.source = Some(Source {
            file: file.to_owned(),
            fixed: fixed.iter().map(owned).collect(),
            link: link(&names, rows),
        });
        for column in &mut self.columns {
            column.title = column.title.replace('_', " ");
        }
        self
    }

    /// Creates a table from cells of rows of a CSV file: names aligned left, numbers right, with four digits. In the
    /// columns of `fixed` all rows have the given value.
    pub(super) fn excerpt(
        rows: &[Record<'_>],
        names: &[Column],
        numbers: &[Column],
        fixed: &[(Column, &str)],
    ) -> Self {
        let mut table = Self::with(names, numbers);
        let columns = || names.iter().chain(numbers);
        if let Some(first) = rows.first() {
            let scenario = (Column::Scenario, first.text(Column::Scenario));
            let fixed = std::iter::once(&scenario).chain(fixed);
            let fixed: Vec<_> = fixed
                .map(|(column, value)| (column.name(), *value))
                .collect();
            let cells = rows
                .iter()
                .map(|row| columns().map(|column| row.cell(*column).into_owned()));
            table = table.of(first.kind().files[0], &fixed, cells);
        }
        for row in rows {
            table.row(columns().map(|column| shown(row, *column)).collect());
        }
        table
    }

    /// Returns the bytes that the table takes on a page.
    pub(super) fn bytes(&self) -> usize {
        let context = context! { table => Serde(self), label => "" };
        render("table.html", context).as_str().len()
    }

    /// Adds a row, with a text for each column.
    ///
    /// # Panics
    /// If the row has more or fewer texts, which is a bug.
    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.columns.len(), "a text for each column");
        self.rows.push(cells);
    }
}

/// Returns a cell as it is shown: a share in per cent.
fn shown(row: &Record<'_>, column: Column) -> String {
    let text = row.text(column);
    match row.number(column) {
        Some(number) if text.is_empty() => unit(row, column).four(number),
        _ => text.to_owned(),
    }
}

/// Returns the unit of the numbers in a column of a row.
fn unit(row: &Record<'_>, column: Column) -> Unit {
    let is_share = match column {
        Column::N | Column::Count | Column::Times | Column::PValue | Column::PAdjusted => false,
        Column::Value if row.kind() == &sheet::DISTRIBUTIONS => false,
        _ if row.kind() == &sheet::DISTRIBUTIONS || row.kind() == &sheet::BEST_PLAY => true,
        _ if row.kind() == &sheet::MATCHUP => !row.text(Column::Fact).contains("point"),
        _ => return metrics::find(row.text(Column::Metric)).map_or(Unit::Plain, Unit::of),
    };
    if is_share { Unit::Share } else { Unit::Plain }
}
