//! Arguments as Python has them, turned into the words of the command line and tasks.

use crate::errors::{self, Error, raised, warn};
use crate::play::during;
use crate::results::Results;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyRange, PyRangeMethods, PyString, PyTuple};
use skirmish::exact::{Budget, MAX_STATES};
use skirmish::names;
use skirmish::options::{count, seed};
use skirmish::task::shard::Plan;
use skirmish::task::{
    Failure, Files, Folder, Input, NarrowEnough, Prepared, Question, Source as _, Task, Text,
    Until, usual_metrics,
};
use std::fmt::Display;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;

/// An argument that may be left out.
pub(crate) type Given<'py> = Option<Bound<'py, PyAny>>;

/// Returns a value as it is written on the command line.
fn word(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyList>() {
        let json = value.py().import("json")?;
        return json.call_method1("dumps", (value,))?.extract();
    }
    Ok(value.str()?.to_string())
}

/// Reads the text of the argument called `name`.
fn parsed<T: FromStr<Err: Display>>(name: &str, text: &str) -> PyResult<T> {
    let parsed = text.parse();
    parsed.map_err(|wrong| Error::new_err(format!("{name}={text}: {wrong}")))
}

/// Returns the end of play when all win rates are known to a precision, or after `most` encounters.
pub(crate) fn precise(precision: &str, most: NonZeroU64) -> PyResult<Until> {
    Ok(Until::Precision(NarrowEnough {
        precision: parsed("precision", precision)?,
        metrics: usual_metrics(),
        most,
    }))
}

/// Returns the names in a list, or the only one.
pub(crate) fn names_in(given: Given<'_>) -> PyResult<Vec<String>> {
    match given {
        None => Ok(Vec::new()),
        Some(name) if name.is_instance_of::<PyString>() => Ok(vec![name.extract()?]),
        Some(names) => names.extract(),
    }
}

/// Returns `KEY=VALUE` for each key of a dictionary, or a list of such as it is.
fn pairs<'py>(
    given: Bound<'py, PyAny>,
    text: impl Fn(&Bound<'py, PyAny>) -> PyResult<String>,
) -> PyResult<Vec<String>> {
    let Ok(dict) = given.cast::<PyDict>() else {
        return names_in(Some(given));
    };
    let pair = |(key, value)| Ok(format!("{key}={}", text(&value)?));
    dict.iter().map(pair).collect()
}

/// Returns `KEY=VALUES` for each key that varies.
pub(crate) fn varied(vary: Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    pairs(vary, |values| {
        if values.is_instance_of::<PyString>() {
            return word(values);
        }
        if let Ok(range) = values.cast::<PyRange>()
            && values.len()? > 1
        {
            let (first, last) = (values.get_item(0)?, values.get_item(-1)?);
            return Ok(format!("{first}..{last}:{}", range.step()?));
        }
        let words = values.try_iter()?.map(|value| word(&value?));
        Ok(words.collect::<PyResult<Vec<_>>>()?.join(","))
    })
}

/// The path of a file, or its text, which has several lines.
enum FileArgument {
    Path(PathBuf),
    Text(String),
}

impl FileArgument {
    fn new(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        match file.extract::<String>() {
            Ok(text) if text.contains('\n') => Ok(Self::Text(text)),
            _ => file.extract().map(Self::Path),
        }
    }
}

/// The name of a scenario that is given as text.
const UNNAMED: &str = "scenario.toml";

fn input(py: Python<'_>, scenario: &Bound<'_, PyAny>, set: &[String]) -> PyResult<Input> {
    let read = match FileArgument::new(scenario)? {
        FileArgument::Path(path) => Files.input(&path, set),
        FileArgument::Text(text) => Text(&text).input(UNNAMED.as_ref(), set),
    };
    let input = raised(py, read)?;
    warn(py, &errors::shown(&input.loaded.warnings))?;
    Ok(input)
}

/// Reads a plan: the path of its file or folder, or its text.
pub(crate) fn read_plan(plan: &Bound<'_, PyAny>) -> PyResult<Plan> {
    let read = match FileArgument::new(plan)? {
        FileArgument::Path(path) => Folder::open(&path).map(|folder| folder.plan),
        FileArgument::Text(text) => Plan::parse(text.as_bytes()).map_err(Failure::input),
    };
    raised(plan.py(), read)
}

/// When the play of each fight ends.
pub(crate) struct Length {
    until: Until,
    /// The argument that says so, if any.
    given: Option<&'static str>,
}

impl Length {
    /// Returns the end after `n` encounters, or else the usual one.
    pub(crate) fn new(n: Given<'_>, usual: Until) -> PyResult<Self> {
        let Some(n) = n else {
            return Ok(Self {
                until: usual,
                given: None,
            });
        };
        let text = word(&n)?;
        let count = count(&text).map_err(|wrong| Error::new_err(format!("n={text}: {wrong}")))?;
        Ok(Self {
            until: Until::Encounters(count),
            given: Some("n"),
        })
    }

    /// Returns the same end, unless a precision is given.
    pub(crate) fn or_precise(self, precision: Given<'_>, most: NonZeroU64) -> PyResult<Self> {
        let Some(width) = precision else {
            return Ok(self);
        };
        if self.given.is_some() {
            return Err(Error::new_err(
                "n and precision exclude each other: one sets the count, the other finds it",
            ));
        }
        Ok(Self {
            until: precise(&word(&width)?, most)?,
            given: Some("precision"),
        })
    }
}

/// Returns the task that asks a question with the settings that all questions share, and those that do not change the
/// answer: `threads` and `progress`.
pub(crate) fn task<'py>(
    question: Question,
    length: Length,
    settings: Option<Bound<'py, PyDict>>,
) -> PyResult<(Task, [Given<'py>; 2])> {
    const NAMES: [&str; 6] = ["exact", "set", "seed", "confidence", "threads", "progress"];
    let mut given: [Given<'py>; NAMES.len()] = Default::default();
    for (name, value) in settings.iter().flatten() {
        let name = name.to_string();
        let Some(at) = NAMES.iter().position(|known| *known == name) else {
            return Err(PyTypeError::new_err(names::unknown(
                "argument", &name, NAMES,
            )));
        };
        given[at] = Some(value).filter(|value| !value.is_none());
    }
    let [exact, set, number, confidence, threads, progress] = given;
    let mut task = Task::new(question, NonZeroU64::MIN);
    task.until = length.until;
    if let Some(set) = set {
        task.set = pairs(set, word)?;
    }
    if exact.map_or(Ok(false), |exact| exact.extract())? {
        let idle = [
            length.given,
            number.as_ref().and(Some("seed")),
            confidence.as_ref().and(Some("confidence")),
        ];
        if let Some(name) = idle.into_iter().flatten().next() {
            return Err(Error::new_err(format!(
                "{name} does nothing to exact=True, which plays no encounter and has bounds instead of intervals: leave \
                 it out"
            )));
        }
        task.until = Until::Exact(Budget {
            max_states: MAX_STATES,
            bound: 0.0,
        });
    }
    if let Some(number) = number {
        let wrong = |wrong| Error::new_err(format!("seed={number}: {wrong}"));
        task.seed = seed(&word(&number)?).map_err(wrong)?;
    }
    if let Some(level) = confidence {
        task.confidence = parsed("confidence", &word(&level)?)?;
    }
    Ok((task, [threads, progress]))
}

/// Reads the scenarios of a task and checks the task.
pub(crate) fn prepared<'py>(
    py: Python<'py>,
    task: &Task,
    scenarios: impl IntoIterator<Item = Bound<'py, PyAny>>,
) -> PyResult<Prepared> {
    raised(py, task.validate().map_err(Failure::input))?;
    let inputs = scenarios
        .into_iter()
        .map(|scenario| input(py, &scenario, &task.set));
    let inputs = inputs.collect::<PyResult<_>>()?;
    let prepared = raised(py, task.prepare(inputs).map_err(Failure::from))?;
    warn(py, prepared.warning().unwrap_or_default())?;
    Ok(prepared)
}

/// Answers a question about scenarios.
pub(crate) fn answer<'py>(
    py: Python<'py>,
    question: Question,
    length: Length,
    settings: Option<Bound<'py, PyDict>>,
    scenarios: impl IntoIterator<Item = Bound<'py, PyAny>>,
) -> PyResult<Results> {
    let (task, play) = task(question, length, settings)?;
    let prepared = prepared(py, &task, scenarios)?;
    let played = during(py, play, |context| prepared.play(context))?;
    Results::of_task(prepared, played)
}

/// Returns the words of a command line: these, and an option for each argument.
pub(crate) fn words(
    question: &Bound<'_, PyTuple>,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Vec<String>> {
    let words = question.iter().map(|asked| word(&asked));
    let mut words = words.collect::<PyResult<Vec<_>>>()?;
    for (name, value) in options.iter().flatten() {
        // `with` is a word of Python, and `with_` is not.
        let name = name.to_string();
        let option = format!("--{}", name.trim_end_matches('_').replace('_', "-"));
        if let Ok(is_given) = value.extract::<bool>() {
            words.extend(is_given.then_some(option));
            continue;
        }
        let values = if value.is_instance_of::<PyDict>() || value.is_instance_of::<PyList>() {
            pairs(value, word)?
        } else {
            vec![word(&value)?]
        };
        words.extend(values.into_iter().map(|value| format!("{option}={value}")));
    }
    Ok(words)
}
