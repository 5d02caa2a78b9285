//! Tidy CSV: one row one fact, the columns never change their order.

use super::Report;
use super::rows::{Measured, measured};
use crate::report::{Value, write_csv};
use crate::stats::{STATISTICS, Summary};
use std::io::{self, Write};

/// Columns of `summary.csv`.
pub const SUMMARY: [&str; 28] = [
    "scenario", "variant", "metric", "subject", "n", "mean", "sd", "se", "ci_low", "ci_high",
    "min", "p05", "p25", "p50", "p75", "p95", "max", "p05_low", "p05_high", "p25_low", "p25_high",
    "p50_low", "p50_high", "p75_low", "p75_high", "p95_low", "p95_high", "unseen",
];

/// Columns that `summary.csv` had in the first version of the program.
pub const SUMMARY_FIRST: usize = 17;

/// Columns of `distributions.csv`.
pub const DISTRIBUTIONS: [&str; 10] = [
    "scenario",
    "variant",
    "metric",
    "subject",
    "value",
    "count",
    "probability",
    "ci_low",
    "ci_high",
    "cumulative",
];

/// Columns of `examples.csv`.
pub const EXAMPLES: [&str; 7] = [
    "scenario",
    "variant",
    "metric",
    "subject",
    "statistic",
    "value",
    "encounter",
];

/// Writes means, intervals and quantiles, with the columns' names first if `head` is set.
///
/// # Errors
/// If `out` cannot be written.
pub fn summary(report: &Report, out: impl Write, head: bool) -> io::Result<()> {
    write_csv(&SUMMARY, head, summary_rows(report), out)
}

/// Writes how often each value came.
///
/// # Errors
/// If `out` cannot be written.
pub fn distributions(report: &Report, out: impl Write) -> io::Result<()> {
    write_csv(&DISTRIBUTIONS, true, distribution_rows(report), out)
}

/// Writes an encounter that shows each quantile, to be replayed.
///
/// # Errors
/// If `out` cannot be written.
pub fn examples(report: &Report, out: impl Write) -> io::Result<()> {
    write_csv(&EXAMPLES, true, example_rows(report), out)
}

/// The rows of `summary.csv`.
pub(crate) fn summary_rows(report: &Report) -> impl Iterator<Item = Vec<Value>> {
    rows(report, |measured| {
        let summary = measured.summary();
        summary.iter().map(summary_cells).collect()
    })
}

/// The rows of `distributions.csv`.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is not general enough over lifetimes"
)]
pub(crate) fn distribution_rows(report: &Report) -> impl Iterator<Item = Vec<Value>> {
    rows(report, |measured| measured.values())
}

/// The rows of `examples.csv`.
pub(crate) fn example_rows(report: &Report) -> impl Iterator<Item = Vec<Value>> {
    rows(report, |measured| {
        let points = measured.summary().and_then(|summary| summary.points);
        let points = STATISTICS.iter().zip(points.into_iter().flatten());
        let cells = points.map(|((statistic, _), point)| {
            let value = Value::Whole(point.value.into());
            vec![Value::text(statistic), value, Value::count(point.encounter)]
        });
        cells.collect()
    })
}

/// Rows that begin with scenario, variant, metric and subject; what follows is of each metric of each
/// subject.
fn rows<'a>(
    report: &'a Report,
    cells: impl Fn(&Measured<'_>) -> Vec<Vec<Value>> + Copy + 'a,
) -> impl Iterator<Item = Vec<Value>> + 'a {
    report.variants.iter().flat_map(move |variant| {
        measured(&variant.tally, report.confidence).flat_map(move |measured| {
            let names = [
                &report.scenario,
                &variant.name,
                measured.metric.name,
                measured.subject,
            ];
            let names = names.map(Value::text);
            let rows = cells(&measured).into_iter();
            rows.map(move |cells| [&names[..], &cells].concat())
        })
    })
}

/// The cells of a summary, from `n` to `unseen`.
pub(super) fn summary_cells(summary: &Summary) -> Vec<Value> {
    let [low, high] = Value::ends(summary.interval);
    let mut cells = vec![
        Value::count(summary.n),
        Value::sampled(summary.mean),
        Value::sampled(summary.sd),
        Value::sampled(summary.se),
        low,
        high,
    ];
    let point = |statistic: usize| summary.points.map(|points| points[statistic].value.into());
    cells.extend((0..STATISTICS.len()).map(|statistic| Value::count(point(statistic))));
    for ((_, percent), interval) in STATISTICS.iter().zip(summary.point_intervals) {
        if (1..100).contains(percent) {
            cells.extend(Value::ends(interval));
        }
    }
    cells.push(Value::sampled(summary.unseen));
    cells
}
