//! A figure: a question, a picture that answers it, and its numbers.

use super::charts::Drawn;
use super::sides::Switches;
use crate::output::sheet::Record;
use minijinja::Value;
use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

/// Text that is markup already, made by a template: it is not escaped again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markup(String);

impl Markup {
    /// Markup that a template has made.
    pub(super) fn trusted(text: String) -> Self {
        Self(text)
    }

    /// As text.
    #[must_use]
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

/// A picture with its question, and its numbers as a table that can be unfolded.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// Its name within the page: small letters, digits and `-`. Every id in its picture begins with it.
    pub id: String,
    /// The question it answers.
    pub title: String,
    /// How to read it, also for screen readers.
    pub description: String,
    /// The picture.
    pub svg: Markup,
    /// The same for a narrow window, if there is one.
    pub narrow: Option<Markup>,
    /// The same with every combatant, where the picture shows those of a `count` as one.
    pub each: Option<Each>,
    /// Its numbers.
    pub table: Table,
    /// The label of the folded figure; nothing if it is always open.
    pub folded: Option<String>,
    /// Caveats: the level of its intervals, omissions.
    pub note: Option<String>,
}

/// A picture that can be unfolded below another.
#[derive(Debug, Clone, Serialize)]
pub struct Each {
    /// The picture in words.
    pub summary: String,
    /// The picture.
    pub svg: Markup,
    /// The same for a narrow window, if there is one.
    pub narrow: Option<Markup>,
}

impl Figure {
    /// A drawing with its title, description, numbers and caveats.
    pub(super) fn new(
        id: String,
        [title, description]: [&str; 2],
        drawn: &Drawn,
        table: Table,
        note: &str,
    ) -> Self {
        let [svg, narrow] = drawn.svgs(&id, "", [title, description]);
        Self {
            title: title.to_owned(),
            description: description.to_owned(),
            svg,
            narrow: Some(narrow),
            each: None,
            folded: None,
            id,
            table,
            note: (!note.is_empty()).then(|| note.to_owned()),
        }
    }

    /// The same, with a picture of every combatant to be unfolded, if there is one.
    pub(super) fn with_each(self, summary: &str, drawn: Option<&Drawn>) -> Self {
        let each = drawn.map(|drawn| {
            let title = format!("{} {summary}", self.title);
            let [svg, narrow] = drawn.svgs(&self.id, "-each", [&title, &self.description]);
            Each {
                summary: summary.to_owned(),
                svg,
                narrow: Some(narrow),
            }
        });
        Self { each, ..self }
    }
}

/// Numbers as text, ready to be set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The file whose rows these are, and the values that all of them have in it; nothing if there is
    /// no such file.
    pub source: Option<Source>,
    /// Its content, where that is not numbers.
    pub summary: Option<String>,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows: a text for each column.
    pub rows: Vec<Vec<String>>,
    /// The class that switches each row off, if any does.
    pub switches: Vec<Option<String>>,
}

/// The CSV file that a table's rows come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Name of the file: `summary.csv`.
    pub file: String,
    /// Columns of the file in which all rows have one value, and that value.
    pub fixed: Vec<(String, String)>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// What stands at its head; if the table comes from a CSV file, the column's name there.
    pub title: String,
    /// Whether it holds numbers, which stand to the right.
    pub numeric: bool,
}

impl Table {
    /// A table with those columns, and nothing in it. Names stand to the left, numbers to the right.
    #[must_use]
    pub fn new(names: &[&str], numbers: &[&str]) -> Self {
        let column = |numeric: bool| {
            move |title: &&str| Column {
                title: (*title).to_owned(),
                numeric,
            }
        };
        let names = names.iter().map(column(false));
        Self {
            source: None,
            summary: None,
            columns: names.chain(numbers.iter().map(column(true))).collect(),
            rows: Vec::new(),
            switches: Vec::new(),
        }
    }

    /// The same, if its first column is that of variants with rows that are switched off with these.
    pub(super) fn switched(mut self, switches: &Switches<'_>) -> Self {
        if self
            .columns
            .first()
            .is_some_and(|first| first.title == "variant")
        {
            let rows = self.rows.iter().map(|row| switches.class(&row[0]));
            self.switches = rows.collect();
        }
        self
    }

    /// The same, said to hold rows of a CSV file, all of which have those values there.
    #[must_use]
    pub fn of(mut self, file: &str, fixed: &[(&str, &str)]) -> Self {
        let owned = |(column, value): &(&str, &str)| ((*column).to_owned(), (*value).to_owned());
        self.source = Some(Source {
            file: file.to_owned(),
            fixed: fixed.iter().map(owned).collect(),
        });
        self
    }

    /// Cells of rows of a CSV file, word for word, in columns that are called as they are there: names
    /// to the left, numbers to the right. In the columns of `fixed` all rows have that value.
    pub(super) fn excerpt(
        rows: &[Record<'_>],
        names: &[&str],
        numbers: &[&str],
        fixed: &[(&str, &str)],
    ) -> Self {
        let mut table = Self::new(names, numbers);
        if let Some(first) = rows.first() {
            let scenario = [("scenario", first.text("scenario"))];
            let fixed: Vec<(&str, &str)> = scenario.iter().chain(fixed).copied().collect();
            table = table.of(first.kind().file, &fixed);
        }
        for row in rows {
            let columns = names.iter().chain(numbers);
            table.row(columns.map(|column| row.text(column).to_owned()).collect());
        }
        table
    }

    /// One more row, a text for each column.
    ///
    /// # Panics
    /// If it has more or fewer: a defect.
    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.columns.len(), "a text for each column");
        self.rows.push(cells);
    }
}
