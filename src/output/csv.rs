//! Tidy CSV: each row holds one fact, and the columns never change their order.

use super::rows::{Measured, measured};
use super::{RunReport, sheet};
use crate::report::Value;
use crate::stats::{Point, STATISTICS, Summary};
use std::io::{self, Write};

/// Writes means, intervals and quantiles, after a header row if `head` is set.
///
/// # Errors
/// If `out` cannot be written.
pub fn summary(report: &RunReport, out: impl Write, head: bool) -> io::Result<()> {
    sheet::SUMMARY.write([head, report.until.is_exact()], summary_rows(report), out)
}

/// Writes how often each value occurred.
///
/// # Errors
/// If `out` cannot be written.
pub fn distributions(report: &RunReport, out: impl Write) -> io::Result<()> {
    sheet::DISTRIBUTIONS.write(
        [true, report.until.is_exact()],
        distribution_rows(report),
        out,
    )
}

/// Writes an encounter to replay for each quantile.
///
/// # Errors
/// If `out` cannot be written.
pub fn examples(report: &RunReport, out: impl Write) -> io::Result<()> {
    sheet::EXAMPLES.write([true; 2], example_rows(report), out)
}

/// Returns the rows of `summary.csv`.
pub(crate) fn summary_rows(report: &RunReport) -> impl Iterator<Item = Vec<Value>> {
    rows(report, |measured| {
        let summary = measured.summary();
        summary.iter().map(summary_cells).collect()
    })
}

/// Returns the rows of `distributions.csv`.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is not general enough over lifetimes"
)]
pub(crate) fn distribution_rows(report: &RunReport) -> impl Iterator<Item = Vec<Value>> {
    rows(report, |measured| measured.values())
}

/// Returns the rows of `examples.csv`.
pub(crate) fn example_rows(report: &RunReport) -> impl Iterator<Item = Vec<Value>> {
    rows(report, |measured| {
        let points = measured.points().into_iter().flatten();
        let cells = STATISTICS
            .iter()
            .zip(points)
            .map(|((statistic, _), point)| {
                let value = Value::Whole(point.value.into());
                [Value::text(statistic), value, Value::count(point.encounter)].into()
            });
        cells.collect()
    })
}

/// Returns rows that begin with scenario, variant, metric and subject, followed by the cells that `cells` makes of each
/// metric of each subject.
fn rows<'a>(
    report: &'a RunReport,
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
            rows.map(move |mut cells| {
                let mut row = Vec::with_capacity(names.len() + cells.len());
                row.extend_from_slice(&names);
                row.append(&mut cells);
                row
            })
        })
    })
}

/// Returns the cells of a summary, from `n` to `method`.
pub(super) fn summary_cells(summary: &Summary) -> Vec<Value> {
    let mut cells = estimate(summary).to_vec();
    let point = |point: Option<Point>| Value::count(point.map(|point| point.value.into()));
    cells.extend(summary.points.map(point));
    for ((_, percent), interval) in STATISTICS.iter().zip(summary.point_intervals) {
        if (1..100).contains(percent) {
            cells.extend(Value::ends(interval));
        }
    }
    cells.extend([
        Value::sampled(summary.unseen),
        Value::method(summary.is_exact),
    ]);
    cells
}

/// Returns the cells of a summary from `n` to `ci_high`. An exact mean has guaranteed bounds, and neither a count nor a
/// standard error.
pub(super) fn estimate(summary: &Summary) -> [Value; 6] {
    if summary.is_exact {
        let [low, high] = Value::between(summary.interval, true);
        let [mean, sd] = [summary.mean, summary.sd].map(Value::Exact);
        return [Value::count(None), mean, sd, Value::count(None), low, high];
    }
    let [low, high] = Value::ends(summary.interval);
    let n = Value::count(summary.n);
    let [mean, sd, se] = [summary.mean, summary.sd, summary.se].map(Value::sampled);
    [n, mean, sd, se, low, high]
}
