//! skirmish as a Python package: experiments and tables as they are, for notebooks and clusters.
//!
//! A function turns its arguments into a task (`arguments`), plays it without the interpreter's lock (`play`) and returns
//! its results (`results`). Errors become exceptions (`errors`).

#![expect(
    clippy::doc_markdown,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "Python calls these functions by the names of their arguments, and shows their documentation"
)]

mod arguments;
mod errors;
mod play;
mod results;

use arguments::{
    Given, Length, answer, names_in, precise, prepared, read_plan, task, varied, words,
};
use errors::{Diagnostic, Error, ScenarioError, raised};
use play::during;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyBytesMethods, PyDict, PyTuple};
use results::{Results, Table};
use skirmish::odds;
use skirmish::scenario::BASE;
use skirmish::task::shard::{Head, JobSpec, Plan, ScenarioText};
use skirmish::task::{Compare, ENCOUNTERS, Failure, Measure, Question, Until, usual_end};
use std::num::NonZeroU64;

/// The most encounters of a run to a precision.
const MOST: NonZeroU64 = NonZeroU64::new(1_000_000_000).unwrap();

/// The usual encounters of each point of a sweep.
const EACH_POINT: NonZeroU64 = NonZeroU64::new(100_000).unwrap();

/// Plays every variant of a scenario.
///
/// `scenario` is the path of a file, or the text of one, which has several lines. Each variant is played `n` times, or
/// until its win rates are known to `precision` ("0.5%" unless given), or solved if `exact` is set. `set` changes values
/// of the scenario: {"combatants.archer.move": 12}. `progress` is True for a line on standard error, or a function that
/// is called with a label, the encounters so far and those expected.
#[pyfunction]
#[pyo3(
    signature = (scenario, *, n=None, precision=None, variants=None, **settings),
    text_signature = "(scenario, *, n=None, precision=None, variants=None, exact=False, set=None, seed=1, \
                      confidence='95%', threads=None, progress=None)"
)]
fn run<'py>(
    py: Python<'py>,
    scenario: Bound<'py, PyAny>,
    n: Given<'py>,
    precision: Given<'py>,
    variants: Given<'py>,
    settings: Option<Bound<'py, PyDict>>,
) -> PyResult<Results> {
    let variant = names_in(variants)?;
    let length = Length::new(n, usual_end())?.or_precise(precision, MOST)?;
    answer(py, Question::Run { variant }, length, settings, [scenario])
}

/// Compares variants with a baseline, encounter by encounter on the same dice.
///
/// With `other`, the variants of that scenario are compared with the baseline instead. The other arguments are those of
/// `run`.
#[pyfunction]
#[pyo3(
    signature = (scenario, other=None, *, n=None, baseline=BASE, variants=None, metrics=None, **settings),
    text_signature = "(scenario, other=None, *, n=1_000_000, baseline='base', variants=None, metrics=None, \
                      exact=False, set=None, seed=1, confidence='95%', threads=None, progress=None)"
)]
fn compare<'py>(
    py: Python<'py>,
    scenario: Bound<'py, PyAny>,
    other: Given<'py>,
    n: Given<'py>,
    baseline: &str,
    variants: Given<'py>,
    metrics: Given<'py>,
    settings: Option<Bound<'py, PyDict>>,
) -> PyResult<Results> {
    let question = Question::Compare(Compare {
        baseline: baseline.to_owned(),
        variant: names_in(variants)?,
        metric: names_in(metrics)?,
    });
    let length = Length::new(n, Until::Encounters(ENCOUNTERS))?;
    answer(
        py,
        question,
        length,
        settings,
        [scenario].into_iter().chain(other),
    )
}

/// Plays a variant at every value of one key, or of two.
///
/// `vary` has the values of each key: {"combatants.archer.move": range(8, 21)}, or "8..20:2" as on the command line.
/// With a `threshold`, such as "50%", the answer says where the win rate crosses it. The other arguments are those of
/// `run`.
#[pyfunction]
#[pyo3(
    signature = (
        scenario, vary, *, n=None, threshold=None, metrics=None, variant=BASE, side=None, combatant=None,
        outcome=None, **settings
    ),
    text_signature = "(scenario, vary, *, n=100_000, threshold=None, metrics=('win_rate',), variant='base', \
                      side=None, combatant=None, outcome=None, exact=False, set=None, seed=1, confidence='95%', \
                      threads=None, progress=None)"
)]
fn sweep<'py>(
    py: Python<'py>,
    scenario: Bound<'py, PyAny>,
    vary: Bound<'py, PyAny>,
    n: Given<'py>,
    threshold: Given<'py>,
    metrics: Given<'py>,
    variant: &str,
    side: Option<String>,
    combatant: Option<String>,
    outcome: Option<String>,
    settings: Option<Bound<'py, PyDict>>,
) -> PyResult<Results> {
    let question = Question::Sweep {
        vary: varied(vary)?,
        threshold: threshold.map(|level| level.to_string()),
        measure: Measure {
            variant: variant.to_owned(),
            metric: match metrics {
                None => vec!["win_rate".to_owned()],
                metrics => names_in(metrics)?,
            },
            side,
            combatant,
            outcome,
        },
    };
    let length = Length::new(n, Until::Encounters(EACH_POINT))?;
    answer(py, question, length, settings, [scenario])
}

/// Plays every build of a scenario against every other.
///
/// Each pair is played until its score is known to `precision` ("1%" unless given), or `n` times, or solved. The other
/// arguments are those of `run`.
#[pyfunction]
#[pyo3(
    signature = (scenario, *, n=None, precision=None, variant=BASE, **settings),
    text_signature = "(scenario, *, n=None, precision='1%', variant='base', exact=False, set=None, seed=1, \
                      confidence='95%', threads=None, progress=None)"
)]
fn matchup<'py>(
    py: Python<'py>,
    scenario: Bound<'py, PyAny>,
    n: Given<'py>,
    precision: Given<'py>,
    variant: &str,
    settings: Option<Bound<'py, PyDict>>,
) -> PyResult<Results> {
    let variant = variant.to_owned();
    let usual = precise("1%", ENCOUNTERS)?;
    let length = Length::new(n, usual)?.or_precise(precision, ENCOUNTERS)?;
    answer(
        py,
        Question::Matchup { variant },
        length,
        settings,
        [scenario],
    )
}

/// Answers a question about dice or a check exactly: the words after `skirmish odds`, and its options as arguments.
///
/// odds("4d6kh3", at_least=15), odds(pool="4..6", difficulty=9, show="botch"), odds("kiting.toml",
/// check="weapons.longbow", vary={"evade": "10..20"}).
#[pyfunction(name = "odds", signature = (*question, **options))]
fn dice_odds<'py>(
    py: Python<'py>,
    question: Bound<'py, PyTuple>,
    options: Option<Bound<'py, PyDict>>,
) -> PyResult<Results> {
    let words = words(&question, options)?;
    let answer = py.detach(|| odds::ask(&words));
    Ok(Results::of_odds(raised(py, answer)?))
}

/// Plans a run in shards, and returns the plan: the text of the file that `skirmish plan` writes.
#[pyfunction]
#[pyo3(signature = (scenario, shards, *, n=None, variants=None, **settings), text_signature =
    "(scenario, shards, *, n=1_000_000, variants=None, set=None, seed=1, confidence='95%')")]
fn plan<'py>(
    py: Python<'py>,
    scenario: Bound<'py, PyAny>,
    shards: NonZeroU64,
    n: Given<'py>,
    variants: Given<'py>,
    settings: Option<Bound<'py, PyDict>>,
) -> PyResult<String> {
    let variant = names_in(variants)?;
    let length = Length::new(n, Until::Encounters(ENCOUNTERS))?;
    let (task, _) = task(Question::Run { variant }, length, settings)?;
    let prepared = prepared(py, &task, [scenario])?;
    let input = prepared.input();
    let (file, text) = (input.file.display().to_string(), ScenarioText::of(input));
    let job = JobSpec::new(task, vec![text]);
    let plan = Plan::new(job, vec![file], prepared.fights(), shards).map_err(Failure::input);
    let mut text = Vec::new();
    raised(py, plan)?.write(&mut text)?;
    Ok(String::from_utf8(text)?)
}

/// Plays a shard of a plan, from 0, and returns the bytes of the file that `skirmish run --plan` writes.
///
/// `plan` is the path of a plan or of its folder, or its text.
#[pyfunction]
#[pyo3(signature = (plan, shard, *, threads=None, progress=None))]
fn play_shard<'py>(
    py: Python<'py>,
    plan: Bound<'py, PyAny>,
    shard: u64,
    threads: Given<'py>,
    progress: Given<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let plan = read_plan(&plan)?;
    let shards = plan.layout.shards();
    if shard >= shards {
        let last = shards - 1;
        return Err(Error::new_err(format!(
            "shard {shard}: the plan has {shards} shards, with the numbers 0 to {last}"
        )));
    }
    let prepared = raised(py, plan.prepare())?;
    let parts: Vec<_> = plan.layout.parts(shard).collect();
    let head = Head::shard(&plan, shard);
    let counts = during(py, [threads, progress], |context| {
        let label = format!("shard {shard}/{shards}");
        let encounters = head.encounters * prepared.each();
        context.watch.begin(&label, encounters, 0, false);
        prepared.play_parts(&parts, context)
    })?;
    let parts: Vec<_> = parts.into_iter().zip(counts).collect();
    Ok(PyBytes::new(py, &head.file(&parts)))
}

/// Adds up all shards of a plan, in any order. The results are those of the whole run, byte for byte.
#[pyfunction]
fn merge<'py>(
    py: Python<'py>,
    plan: Bound<'py, PyAny>,
    shards: Bound<'py, PyAny>,
) -> PyResult<Results> {
    let plan = read_plan(&plan)?;
    let prepared = raised(py, plan.prepare())?;
    let shards = shards
        .try_iter()?
        .map(|shard| Ok(shard?.cast_into::<PyBytes>()?));
    let shards = shards.collect::<PyResult<Vec<_>>>()?;
    let shards: Vec<&[u8]> = shards.iter().map(PyBytesMethods::as_bytes).collect();
    let played = py.detach(|| prepared.merge(&plan, &shards));
    Results::of_task(prepared, raised(py, played)?)
}

/// Plays a tabletop fight millions of times and shows how your rules decide it, with error bars.
#[pymodule]
#[pyo3(name = "skirmish")]
mod module {
    #[pymodule_export]
    use super::{
        Diagnostic, Error, Results, ScenarioError, Table, compare, dice_odds, matchup, merge, plan,
        play_shard, run, sweep,
    };
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "a name of Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
