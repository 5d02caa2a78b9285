//! Committed results, read back: their manifest and their numbers.

use crate::output::sheet::{Column, DISTRIBUTIONS, Record, SUMMARY, Sheet};
use crate::output::{Manifest, RunReport, csv, digest};
use crate::tally::{Distribution, Kind, metrics};
use crate::task::files::read;
use anyhow::{Context, ensure};
use std::collections::HashMap;
use std::path::Path;

/// Reads the manifest of the results called `stem`.
pub(super) fn manifest(folder: &Path, stem: &str) -> anyhow::Result<Manifest> {
    let place = folder.join("manifest.json");
    let shown = format!("`{}`", place.display());
    let manifest = Manifest::read(&shown, &read(&place)?)?;
    let name = &manifest.scenario.name;
    ensure!(name == stem, "{shown} is of another scenario, `{name}`");
    ensure!(!manifest.variants.is_empty(), "{shown} has no variants");
    Ok(manifest)
}

/// Reads a file beside a manifest, and checks its checksum against the manifest.
pub(super) fn read_beside(
    manifest: &Manifest,
    folder: &Path,
    name: &str,
) -> anyhow::Result<Vec<u8>> {
    let place = folder.join(name);
    let content = read(&place)?;
    let known = manifest.files.get(name);
    ensure!(
        known.is_none_or(|known| *known == digest::sum(&content)),
        "`{}` does not belong to the manifest beside it: two runs were mixed, or it was changed; \
         write the results anew with `skirmish run`",
        place.display()
    );
    Ok(content)
}

/// Returns the checksum of a missing result file, if the manifest has one.
pub(super) fn left_out<'a>(manifest: &'a Manifest, folder: &Path, name: &str) -> Option<&'a str> {
    let sum = manifest.files.get(name)?;
    (!folder.join(name).exists()).then_some(sum)
}

/// Identifies a number in results.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct NumberKey {
    pub(super) variant: String,
    pub(super) metric: String,
    pub(super) subject: String,
    /// The value whose share the number is; `None` for a mean.
    pub(super) value: Option<String>,
}

/// A mean or a share.
#[derive(Debug, PartialEq)]
pub(super) struct Number {
    pub(super) n: u64,
    pub(super) mean: f64,
    /// The values behind a mean; `None` for rates and shares, which `n` and `mean` describe completely.
    pub(super) values: Option<Distribution>,
}

/// The rows of `summary.csv` and `distributions.csv`.
#[derive(Debug)]
pub(super) struct Sheets {
    summary: Sheet,
    distributions: Sheet,
}

impl Sheets {
    /// Reads `summary.csv` and `distributions.csv` of a scenario.
    pub(super) fn read(
        summary: &[u8],
        distributions: &[u8],
        scenario: &str,
    ) -> anyhow::Result<Self> {
        let sheets = Self {
            summary: Sheet::read(&SUMMARY, summary)?,
            distributions: Sheet::read(&DISTRIBUTIONS, distributions)?,
        };
        ensure!(
            !sheets
                .summary
                .rows()
                .any(|row| row.is(Column::Method, "exact")),
            "the results were solved, and a baseline has to be played: write them anew without --exact"
        );
        for sheet in [&sheets.summary, &sheets.distributions] {
            for (at, row) in sheet.rows().enumerate() {
                ensure!(
                    row.is(Column::Scenario, scenario),
                    "{} is of another scenario, `{}`",
                    line(row, at),
                    row.text(Column::Scenario)
                );
            }
        }
        Ok(sheets)
    }

    /// Returns the rows of fresh results.
    pub(super) fn of(report: &RunReport) -> Self {
        Self {
            summary: Sheet::of(&SUMMARY, csv::summary_rows(report)),
            distributions: Sheet::of(&DISTRIBUTIONS, csv::distribution_rows(report)),
        }
    }

    /// Returns all means and shares in the order of the files: rates, means, then the shares of metrics without
    /// a mean.
    pub(super) fn numbers(&self) -> anyhow::Result<Vec<(NumberKey, Number)>> {
        let mut counted: HashMap<NumberKey, Vec<(u32, u64)>> = HashMap::new();
        let mut shares = Vec::new();
        for (at, row) in self.distributions.rows().enumerate() {
            let line = || line(row, at);
            let count = count_in(row, Column::Count).with_context(line)?;
            match kind(row) {
                Some(Kind::Count) => {
                    let value = count_in(row, Column::Value).with_context(line)?;
                    let value = u32::try_from(value).with_context(line)?;
                    counted
                        .entry(key(row, None))
                        .or_default()
                        .push((value, count));
                }
                Some(Kind::Category | Kind::Curve) => {
                    let mean = share(row, Column::Probability).with_context(line)?;
                    // If the count is 0, the share does not tell the number of encounters; other rows do.
                    let n = if count > 0 {
                        (count as f64 / mean).round() as u64
                    } else {
                        0
                    };
                    let values = None;
                    shares.push((key(row, Some(Column::Value)), Number { n, mean, values }));
                }
                _ => {}
            }
        }
        let mut all = Vec::new();
        for (at, row) in self.summary.rows().enumerate() {
            let line = || line(row, at);
            let Some(mean) = row.number(Column::Mean) else {
                continue;
            };
            let key = key(row, None);
            let n = count_in(row, Column::N).with_context(line)?;
            let values = match kind(row) {
                Some(Kind::Count) => {
                    let counts = counted.remove(&key).unwrap_or_default();
                    let total: u128 = counts.iter().map(|(_, count)| u128::from(*count)).sum();
                    ensure!(
                        total == u128::from(n),
                        "{}: of {n} encounters, of which distributions.csv has {total}: the files do \
                         not belong together; write the results anew with `skirmish run`",
                        line()
                    );
                    Some(Distribution::of_counts(counts))
                }
                Some(Kind::Rate) => {
                    share(row, Column::Mean).with_context(line)?;
                    None
                }
                _ => None,
            };
            all.push((key, Number { n, mean, values }));
        }
        all.append(&mut shares);
        Ok(all)
    }
}

/// Returns the file and line of the row at index `at`.
fn line(row: Record<'_>, at: usize) -> String {
    format!("{}, line {}", row.kind().files[0], at + 2)
}

fn kind(row: Record<'_>) -> Option<Kind> {
    metrics::find(row.text(Column::Metric)).map(|metric| metric.kind)
}

fn key(row: Record<'_>, value: Option<Column>) -> NumberKey {
    NumberKey {
        variant: row.variant().to_owned(),
        metric: row.text(Column::Metric).to_owned(),
        subject: row.subject().to_owned(),
        value: value.map(|column| row.cell(column).into_owned()),
    }
}

fn count_in(row: Record<'_>, column: Column) -> anyhow::Result<u64> {
    let count = row.count(column);
    count.with_context(|| format!("`{}` is no count", row.cell(column)))
}

fn share(row: Record<'_>, column: Column) -> anyhow::Result<f64> {
    row.number(column)
        .filter(|share| (0.0..=1.0).contains(share))
        .with_context(|| format!("`{}` is no share", row.cell(column)))
}
