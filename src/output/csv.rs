//! Tidy CSV: one row one fact, the columns never change their order.

use super::number::Rounded;
use super::rows::{self, measured};
use super::{Report, VariantReport};
use crate::clean;
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
    file(
        report,
        out,
        head.then_some(&SUMMARY),
        |rows, scenario, variant| {
            for measured in measured(&variant.tally, report.confidence) {
                let Some(summary) = measured.summary() else {
                    continue;
                };
                let mut row = vec![
                    scenario.to_owned(),
                    variant.name.clone(),
                    measured.metric.name.to_owned(),
                    measured.subject.to_owned(),
                ];
                row.extend(summary_cells(&summary));
                rows.write_record(&row)?;
            }
            Ok(())
        },
    )
}

/// The cells of a summary, from `n` to `unseen`.
pub(super) fn summary_cells(summary: &Summary) -> Vec<String> {
    let mut cells = vec![
        summary.n.to_string(),
        cell(summary.mean.map(Rounded::new)),
        cell(summary.sd.map(Rounded::new)),
        cell(summary.se.map(Rounded::new)),
        cell(summary.interval.map(rows::low)),
        cell(summary.interval.map(rows::high)),
    ];
    let points = |statistic: usize| summary.points.map(|points| points[statistic].value);
    cells.extend((0..STATISTICS.len()).map(|statistic| cell(points(statistic))));
    for ((_, percent), interval) in STATISTICS.iter().zip(summary.point_intervals) {
        if (1..100).contains(percent) {
            cells.push(cell(interval.map(rows::low)));
            cells.push(cell(interval.map(rows::high)));
        }
    }
    cells.push(cell(summary.unseen.map(Rounded::new)));
    cells
}

/// Writes how often each value came.
///
/// # Errors
/// If `out` cannot be written.
pub fn distributions(report: &Report, out: impl Write) -> io::Result<()> {
    file(
        report,
        out,
        Some(&DISTRIBUTIONS),
        |rows, scenario, variant| {
            for measured in measured(&variant.tally, report.confidence) {
                for value in measured.values() {
                    rows.write_record([
                        scenario,
                        &variant.name,
                        measured.metric.name,
                        measured.subject,
                        &value.value.to_string(),
                        &value.count.to_string(),
                        &value.probability.to_string(),
                        &cell(value.ci_low),
                        &cell(value.ci_high),
                        &cell(value.cumulative),
                    ])?;
                }
            }
            Ok(())
        },
    )
}

/// Writes an encounter that shows each quantile, to be replayed.
///
/// # Errors
/// If `out` cannot be written.
pub fn examples(report: &Report, out: impl Write) -> io::Result<()> {
    file(report, out, Some(&EXAMPLES), |rows, scenario, variant| {
        for measured in measured(&variant.tally, report.confidence) {
            let points = measured.summary().and_then(|summary| summary.points);
            for ((statistic, _), point) in STATISTICS.iter().zip(points.into_iter().flatten()) {
                rows.write_record([
                    scenario,
                    &variant.name,
                    measured.metric.name,
                    measured.subject,
                    statistic,
                    &point.value.to_string(),
                    &cell(point.encounter),
                ])?;
            }
        }
        Ok(())
    })
}

fn file<W: Write>(
    report: &Report,
    out: W,
    head: Option<&[&str]>,
    rows_of: impl Fn(&mut Rows<W>, &str, &VariantReport) -> csv::Result<()>,
) -> io::Result<()> {
    let mut rows = Rows::new(out);
    if let Some(columns) = head {
        rows.write_record(columns).map_err(unwrapped)?;
    }
    for variant in &report.variants {
        rows_of(&mut rows, &report.scenario, variant).map_err(unwrapped)?;
    }
    rows.flush()
}

/// Rows on their way into a file of CSV. No cell of them is a formula, or steers a terminal.
pub(super) struct Rows<W: Write>(csv::Writer<W>);

impl<W: Write> Rows<W> {
    /// Into that file.
    pub(super) fn new(out: W) -> Self {
        Self(csv::Writer::from_writer(out))
    }

    /// Writes a row.
    pub(super) fn write_record(
        &mut self,
        cells: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> csv::Result<()> {
        for text in cells {
            let text = clean::clean(text.as_ref());
            self.0.write_field(clean::cell(&text).as_bytes())?;
        }
        self.0.write_record(None::<&[u8]>)
    }

    /// Hands on what has been written.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The error of the writer underneath: a closed pipe must be known for one.
pub(super) fn unwrapped(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A cell, empty where there is nothing.
pub(super) fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
