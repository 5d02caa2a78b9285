//! Tables as columns of one type each, for programs that take numbers instead of their text.

use super::Value;
use std::sync::Arc;

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedColumn {
    /// The name of the column.
    pub name: Arc<str>,
    /// The cells, one for each row.
    pub cells: TypedCells,
}

/// The cells of a column, `None` where the cell in the file is empty.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the types say what the columns hold")]
pub enum TypedCells {
    Text(Vec<Option<Arc<str>>>),
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
}

/// The types of columns. A column of one can hold the cells of those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CellType {
    Whole,
    Real,
    Text,
}

impl CellType {
    /// Returns the type of a value; `None` if the value is missing.
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Sampled(None) | Value::Exact(None) => None,
            Value::Whole(_) => Some(Self::Whole),
            Value::Text(_) | Value::Flag(_) => Some(Self::Text),
            _ => Some(Self::Real),
        }
    }
}

impl TypedCells {
    /// Returns the numbers of a column of text that holds nothing else.
    fn numbers(texts: &[Option<Arc<str>>]) -> Option<Self> {
        fn parsed<T: std::str::FromStr>(texts: &[Option<Arc<str>>]) -> Option<Vec<Option<T>>> {
            let number =
                |text: &Option<Arc<str>>| text.as_ref().map(|text| text.parse()).transpose();
            texts.iter().map(number).collect::<Result<_, _>>().ok()
        }
        let whole = parsed(texts).map(Self::Whole);
        whole.or_else(|| parsed(texts).map(Self::Real))
    }
}

impl TypedColumn {
    /// Creates a column of values as they are read from their file: of the type `known`, or another that holds them all.
    pub(crate) fn new(name: &str, known: Option<CellType>, values: &[Value]) -> Self {
        let found = values.iter().filter_map(CellType::of).max();
        let cells = match found.max(known) {
            Some(CellType::Text) => TypedCells::Text(values.iter().map(text).collect()),
            Some(CellType::Whole) => TypedCells::Whole(values.iter().map(whole).collect()),
            _ => TypedCells::Real(values.iter().map(real).collect()),
        };
        Self {
            name: name.into(),
            cells,
        }
    }

    /// Returns the column with numbers instead of their texts, if all texts are numbers.
    pub(crate) fn with_numbers(mut self) -> Self {
        if let TypedCells::Text(texts) = &self.cells
            && let Some(numbers) = TypedCells::numbers(texts)
        {
            self.cells = numbers;
        }
        self
    }
}

/// Turns rows into columns of values as they are read from their file; `count` is the number of columns.
pub(crate) fn transposed(
    count: usize,
    rows: impl IntoIterator<Item = Vec<Value>>,
) -> Vec<Vec<Value>> {
    let mut columns = vec![Vec::new(); count];
    for row in rows {
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value.read_back());
        }
    }
    columns
}

fn text(value: &Value) -> Option<Arc<str>> {
    let text: Arc<str> = match value {
        Value::Text(text) => text.clone(),
        value => super::csv_cell(value).into(),
    };
    Some(text).filter(|text| !text.is_empty())
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Whole(number) => Some(*number),
        _ => None,
    }
}

fn real(value: &Value) -> Option<f64> {
    let is_missing = matches!(value, Value::Sampled(None) | Value::Exact(None));
    Some(value.number()).filter(|number| !is_missing && number.is_finite())
}
