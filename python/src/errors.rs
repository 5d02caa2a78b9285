//! Exceptions with the text and the places that the command line prints.

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use skirmish::scenario::Diagnostics;
use skirmish::task::{Exit, Failure};
use std::ffi::CString;

/// The width of a message: that of a terminal.
const COLUMNS: usize = 80;

create_exception!(
    skirmish,
    Error,
    PyValueError,
    "A question cannot be answered."
);
create_exception!(
    skirmish,
    ScenarioError,
    Error,
    "A scenario has errors: the text shows them in their lines, and `diagnostics` lists them."
);

/// An error or a warning about a scenario, with its place.
#[pyclass(frozen, get_all, module = "skirmish")]
pub(crate) struct Diagnostic {
    /// "error" or "warning".
    severity: &'static str,
    /// The problem.
    title: String,
    /// The expected value; empty without a place.
    label: String,
    /// The file, or "--set"; None without a place.
    file: Option<String>,
    /// The line, from 1.
    line: Option<usize>,
    /// The column, from 1.
    column: Option<usize>,
    /// Ways to fix the problem.
    help: Vec<String>,
}

#[pymethods]
impl Diagnostic {
    fn __repr__(&self) -> String {
        let place = match (&self.file, self.line, self.column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
            _ => String::new(),
        };
        format!("{place}{}: {}", self.severity, self.title)
    }
}

/// Returns what was found, or raises the failure.
pub(crate) fn raised<T>(py: Python<'_>, found: Result<T, Failure>) -> PyResult<T> {
    found.map_err(|failure| match failure.error.downcast_ref() {
        Some(wrong) => of_scenario(py, wrong),
        None if failure.exit == Exit::Io => PyOSError::new_err(failure.to_string()),
        None => {
            let text = failure.to_string();
            Error::new_err(text.strip_prefix("error: ").unwrap_or(&text).to_owned())
        }
    })
}

fn of_scenario(py: Python<'_>, wrong: &Diagnostics) -> PyErr {
    let error = ScenarioError::new_err(shown(wrong));
    let place_of = |diagnostic: &skirmish::scenario::Diagnostic| {
        let (span, label) = diagnostic.place.as_ref()?;
        let file = wrong.sources.get(span.source())?.name.clone();
        Some((file, wrong.sources.line_and_column(*span), label.clone()))
    };
    let diagnostics = wrong.list().into_iter().map(|diagnostic| {
        let (file, place, label) = match place_of(diagnostic) {
            Some((file, place, label)) => (Some(file), Some(place), label),
            None => (None, None, String::new()),
        };
        Diagnostic {
            severity: if diagnostic.is_error() {
                "error"
            } else {
                "warning"
            },
            title: diagnostic.title.to_string(),
            label,
            file,
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            help: diagnostic.help.clone(),
        }
    });
    let diagnostics: Vec<Diagnostic> = diagnostics.collect();
    match error.value(py).setattr("diagnostics", diagnostics) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Returns messages as the command line prints them; empty if there are none.
pub(crate) fn shown(messages: &Diagnostics) -> String {
    let text = messages.render(false, COLUMNS);
    match messages.errors() {
        0 | 1 => text,
        errors => format!("{text}\n\n{errors} errors"),
    }
}

/// Warns the user, unless the message is empty.
pub(crate) fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    if message.is_empty() {
        return Ok(());
    }
    let text = CString::new(message.replace('\0', ""))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}
