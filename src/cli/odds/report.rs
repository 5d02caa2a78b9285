//! An answer before it is written: facts and tables, the same for every format.

/// An answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Report {
    /// What was asked, in words.
    pub(super) title: String,
    /// The rules in force, each on a line.
    pub(super) rules: Vec<String>,
    /// What is told, in this order.
    pub(super) blocks: Vec<Block>,
    /// The rows of CSV where no block has them; see [`rows`](Self::rows).
    pub(super) rows: Table,
    /// The block whose table CSV holds.
    pub(super) main: Option<usize>,
}

#[derive(Debug, Clone)]
pub(super) enum Block {
    /// Single figures.
    Facts(Vec<Fact>),
    /// Values and what is known of each.
    Table(Table),
    /// One measure over pools and difficulties; for eyes only, the rows hold the numbers.
    Grid(Grid),
    /// A remark.
    Note(String),
}

#[derive(Debug, Clone)]
pub(super) struct Fact {
    pub(super) key: &'static str,
    pub(super) label: String,
    pub(super) value: Value,
}

impl Fact {
    pub(super) fn new(key: &'static str, label: impl Into<String>, value: Value) -> Self {
        Self {
            key,
            label: label.into(),
            value,
        }
    }
}

/// A probability as a fact.
pub(super) fn chance(key: &'static str, label: impl Into<String>, chance: f64) -> Fact {
    Fact::new(key, label, Value::Chance(chance))
}

/// A number as a fact.
pub(super) fn real(key: &'static str, label: impl Into<String>, number: f64) -> Fact {
    Fact::new(key, label, Value::Real(number))
}

/// One figure, with what it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Whole(i64),
    Flag(bool),
    /// A probability.
    Chance(f64),
    /// A difference of probabilities.
    Points(f64),
    /// Any other number.
    Real(f64),
    /// The `N` of "1 in N".
    OneIn(f64),
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub(super) key: &'static str,
    pub(super) title: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Value>>,
    /// The column of chances that bars show, on a terminal.
    pub(super) bars: Option<usize>,
    /// Rows whose second cell is a lesser chance are not for eyes.
    pub(super) hidden_below: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) key: &'static str,
    pub(super) label: String,
}

impl Table {
    pub(super) fn new(key: &'static str, title: &str, columns: &[(&'static str, &str)]) -> Self {
        Self {
            key,
            title: title.to_owned(),
            columns: columns
                .iter()
                .map(|&(key, label)| Column {
                    key,
                    label: label.to_owned(),
                })
                .collect(),
            rows: Vec::new(),
            bars: None,
            hidden_below: 0.0,
        }
    }

    /// A table for programs, whose columns are called by their keys.
    pub(super) fn of_keys(key: &'static str, keys: impl IntoIterator<Item = &'static str>) -> Self {
        let keys: Vec<_> = keys.into_iter().map(|key| (key, key)).collect();
        Self::new(key, "", &keys)
    }

    /// The rows for eyes.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Vec<Value>> {
        self.rows.iter().filter(|row| match row.get(1) {
            Some(Value::Chance(chance)) => *chance >= self.hidden_below,
            _ => true,
        })
    }
}

#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) title: String,
    pub(super) row_label: &'static str,
    pub(super) column_label: &'static str,
    pub(super) row_heads: Vec<i64>,
    pub(super) column_heads: Vec<i64>,
    pub(super) cells: Vec<Vec<Value>>,
}

impl Report {
    /// An answer of which only the question is known.
    pub(super) fn new(title: String, rules: Vec<String>) -> Self {
        Self {
            title,
            rules,
            ..Self::default()
        }
    }

    pub(super) fn facts(&mut self, facts: Vec<Fact>) {
        self.blocks.push(Block::Facts(facts));
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.blocks.push(Block::Note(note.into()));
    }

    /// Adds a table that is also what CSV holds. A table may have a million rows, so it is kept
    /// once.
    pub(super) fn main_table(&mut self, table: Table) {
        self.main = Some(self.blocks.len());
        self.blocks.push(Block::Table(table));
    }

    /// What CSV holds.
    pub(super) fn rows(&self) -> &Table {
        let main = self.main.and_then(|at| self.blocks.get(at));
        match main {
            Some(Block::Table(table)) if self.rows.columns.is_empty() => table,
            _ => &self.rows,
        }
    }
}
