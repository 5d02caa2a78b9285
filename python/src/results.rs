//! Results: an answer with its tables, which other libraries read as Arrow.

use crate::errors::Error;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use skirmish::names;
use skirmish::odds::OddsAnswer;
use skirmish::output::{Style, TypedCells, TypedColumn, Width, html};
use skirmish::task::{self, Played, Prepared};
use std::sync::Arc;

/// The results of a question.
#[pyclass(frozen, name = "Result", module = "skirmish")]
pub(crate) struct Results(Content);

enum Content {
    Task(Box<Prepared>, Box<task::Results>),
    Odds(Box<OddsAnswer>),
}

impl Results {
    pub(crate) fn of_task(prepared: Prepared, played: Played) -> PyResult<Self> {
        if played.is_empty() {
            return Err(Error::new_err(prepared.nothing_played()));
        }
        let results = prepared.results(played);
        Ok(Self(Content::Task(Box::new(prepared), Box::new(results))))
    }

    pub(crate) fn of_odds(answer: OddsAnswer) -> Self {
        Self(Content::Odds(Box::new(answer)))
    }

    fn html(&self) -> String {
        let page = match &self.0 {
            Content::Task(prepared, results) => {
                let files = prepared.inputs.iter().map(|input| input.file.as_path());
                let command = prepared
                    .task
                    .command(files)
                    .options("--report", ["page.html"]);
                html::page(&[results.chapter(prepared, command.text())])
            }
            Content::Odds(answer) => answer.page(),
        };
        page.html().as_str().to_owned()
    }
}

#[pymethods]
impl Results {
    /// The sentences that sum up the answer; empty if there are none.
    #[getter]
    fn answer(&self) -> String {
        match &self.0 {
            Content::Task(_, results) => results.answer.headline(),
            Content::Odds(answer) => answer.headline().to_owned(),
        }
    }

    /// The warnings to read before the numbers.
    #[getter]
    fn notes(&self) -> Vec<String> {
        match &self.0 {
            Content::Task(_, results) => results.answer.notes(),
            Content::Odds(_) => Vec::new(),
        }
    }

    /// The names of the tables: those of the files that the command line writes.
    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        match &self.0 {
            Content::Task(_, results) => results
                .names
                .split_last()
                .map_or(&[][..], |(_, tables)| tables)
                .to_vec(),
            Content::Odds(_) => Vec::new(),
        }
    }

    /// A table: that of the first file, or of the one called `name`.
    #[pyo3(signature = (name=None))]
    fn table(&self, name: Option<&str>) -> PyResult<Table> {
        let columns = match (&self.0, name) {
            (Content::Task(_, results), name) => results.columns(name),
            (Content::Odds(answer), None) => Some(answer.columns()),
            (Content::Odds(_), Some(_)) => None,
        };
        let unknown = || names::unknown("table", name.unwrap_or_default(), self.tables());
        Table::new(columns.ok_or_else(|| PyKeyError::new_err(unknown()))?)
    }

    /// Everything as the document of `--format json`: dictionaries and lists.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut text = Vec::new();
        match &self.0 {
            Content::Task(_, results) => results.json(&mut text)?,
            Content::Odds(answer) => answer.json(&mut text)?,
        }
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Everything as a page with figures: the text of an HTML file.
    fn page(&self, py: Python<'_>) -> String {
        py.detach(|| self.html())
    }

    /// The table that the command line prints.
    fn __str__(&self) -> String {
        let style = Style::Terminal(Width::USUAL);
        match &self.0 {
            Content::Task(_, results) => results.answer.table(style),
            Content::Odds(answer) => answer.table(style),
        }
    }

    fn __repr__(&self) -> String {
        format!("<skirmish.Result: {}>", self.answer())
    }

    /// The page in a frame, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        let page = self.page(py).replace('&', "&amp;").replace('"', "&quot;");
        format!(r#"<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>"#)
    }
}

/// A table of results. Libraries that know Arrow read it without copies: `polars.DataFrame(table)`,
/// `pyarrow.table(table)`, `pandas.DataFrame.from_arrow(table)`.
#[pyclass(frozen, module = "skirmish")]
pub(crate) struct Table(RecordBatch);

impl Table {
    fn new(columns: Vec<TypedColumn>) -> PyResult<Self> {
        let arrays = columns.into_iter().map(|column| {
            let cells: ArrayRef = match column.cells {
                TypedCells::Text(cells) => Arc::new(cells.into_iter().collect::<StringArray>()),
                TypedCells::Whole(cells) => Arc::new(Int64Array::from(cells)),
                TypedCells::Real(cells) => Arc::new(Float64Array::from(cells)),
            };
            (column.name.to_string(), cells, true)
        });
        RecordBatch::try_from_iter_with_nullable(arrays)
            .map(Self)
            .map_err(|error| Error::new_err(error.to_string()))
    }

    /// Returns the message about a column that the table lacks.
    fn unknown(&self, name: &str) -> String {
        let columns = self.columns();
        names::unknown("column", name, columns.iter().map(String::as_str))
    }

    fn list<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
        if let Some(texts) = array.as_string_opt::<i32>() {
            PyList::new(py, texts.iter().collect::<Vec<_>>())
        } else if let Some(counts) = array.as_primitive_opt::<Int64Type>() {
            PyList::new(py, counts.iter().collect::<Vec<_>>())
        } else {
            PyList::new(
                py,
                array
                    .as_primitive::<Float64Type>()
                    .iter()
                    .collect::<Vec<_>>(),
            )
        }
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.0.schema();
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    /// The rows as dictionaries.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let lists = self.0.columns().iter().map(|array| Self::list(py, array));
        let lists: Vec<_> = lists.collect::<PyResult<_>>()?;
        let names = self.columns();
        let row = |at| {
            let row = PyDict::new(py);
            for (name, list) in names.iter().zip(&lists) {
                row.set_item(name, list.get_item(at)?)?;
            }
            Ok(row)
        };
        (0..self.0.num_rows()).map(row).collect()
    }

    /// The cells of a column.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let unknown = || PyKeyError::new_err(self.unknown(name));
        Self::list(py, self.0.column_by_name(name).ok_or_else(unknown)?)
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!(
            "<skirmish.Table: {} rows of {}>",
            self.0.num_rows(),
            self.columns().join(", ")
        )
    }

    /// The Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A request may be left unheeded.
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}
