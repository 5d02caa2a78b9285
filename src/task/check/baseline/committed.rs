//! Committed results, read back: the manifest that says how to get them again, and their numbers.

use crate::clean::from_cell;
use crate::output::{FORMAT, csv, digest};
use crate::stats::Confidence;
use crate::tally::{Distribution, Kind, metrics};
use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

/// What of `manifest.json` says how to get the same bytes again.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Manifest {
    program: String,
    format: u32,
    scenario: Scenario,
    pub(super) seed: u64,
    confidence: Option<String>,
    #[serde(default)]
    pub(super) options: Options,
    pub(super) variants: Vec<Variant>,
    /// Checksums of the files beside it; none in results of older versions.
    #[serde(default)]
    files: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
struct Scenario {
    name: String,
    hash: String,
}

/// Options of the command line that changed what was played.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Options {
    #[serde(default)]
    pub(super) set: Vec<String>,
}

/// A variant that was played.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) encounters: u64,
}

impl Manifest {
    /// Reads the manifest of results called `stem`.
    pub(super) fn read(folder: &Path, stem: &str) -> anyhow::Result<Self> {
        let place = folder.join("manifest.json");
        let text = read(&place)?;
        // Whatever else is in it: another format may have anything.
        let format: serde_json::Value =
            serde_json::from_slice(&text).with_context(|| broken(&place))?;
        let found = &format["format"];
        ensure!(
            *found == FORMAT,
            "`{}` is of format {found}; this version reads {FORMAT}: write the results anew with \
             `skirmish run`",
            place.display()
        );
        let manifest: Self = serde_json::from_value(format).with_context(|| broken(&place))?;
        ensure!(
            manifest.program == env!("CARGO_PKG_NAME") && manifest.format == FORMAT,
            "`{}` was not written by skirmish",
            place.display()
        );
        let name = &manifest.scenario.name;
        ensure!(
            name == stem,
            "`{}` is of another scenario, `{name}`",
            place.display()
        );
        ensure!(
            !manifest.variants.is_empty(),
            "`{}` has no variants",
            place.display()
        );
        Ok(manifest)
    }

    /// Reads a file beside it, and proves that it belongs to it.
    pub(super) fn fellow(&self, folder: &Path, name: &str) -> anyhow::Result<Vec<u8>> {
        let place = folder.join(name);
        let content = read(&place)?;
        let known = self.files.get(name);
        ensure!(
            known.is_none_or(|known| *known == digest::sum(&content)),
            "`{}` does not belong to the manifest beside it: two runs were mixed, or it was changed; \
             write the results anew with `skirmish run`",
            place.display()
        );
        Ok(content)
    }

    /// The fingerprint of the scenario's text.
    pub(super) fn hash(&self) -> &str {
        &self.scenario.hash
    }

    /// The level of the intervals.
    pub(super) fn confidence(&self) -> anyhow::Result<Confidence> {
        match &self.confidence {
            None => Ok(Confidence::DEFAULT),
            Some(text) => Ok(text.parse()?),
        }
    }
}

/// The bytes of a file.
fn read(place: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(place).with_context(|| format!("cannot read `{}`", place.display()))
}

fn broken(place: &Path) -> String {
    format!("`{}` is no manifest of skirmish", place.display())
}

/// The name of a number in results.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) variant: String,
    pub(super) metric: String,
    pub(super) subject: String,
    /// The value whose share it is; none for a mean.
    pub(super) value: Option<String>,
}

/// A mean or a share.
#[derive(Debug, PartialEq)]
pub(super) struct Number {
    pub(super) n: u64,
    pub(super) mean: f64,
    /// The values that a mean is of; none for rates and shares, of which `n` and `mean` say all.
    pub(super) values: Option<Distribution>,
}

/// All means and shares of `summary.csv` and `distributions.csv`, in the order of the files:
/// rates and means, and the shares of what has no mean.
pub(super) fn numbers(
    summary: &[u8],
    distributions: &[u8],
    scenario: &str,
) -> anyhow::Result<Vec<(Key, Number)>> {
    let in_values = |what: &str| format!("distributions.csv: {what}");
    let values = rows(distributions, &csv::DISTRIBUTIONS, scenario)
        .with_context(|| in_values("not readable"))?;
    let mut counted: HashMap<Key, Vec<(u32, u64)>> = HashMap::new();
    let mut shares = Vec::new();
    for row in values {
        let line = || in_values(&format!("line {}", row.line));
        let count = whole(&row.cells[5]).with_context(line)?;
        let kind = metrics::find(&row.cells[2]).map(|metric| metric.kind);
        if kind == Some(Kind::Count) {
            let value = whole(&row.cells[4]).with_context(line)?;
            let value = u32::try_from(value).with_context(line)?;
            counted
                .entry(row.key(None))
                .or_default()
                .push((value, count));
        }
        if !matches!(kind, Some(Kind::Category | Kind::Curve)) {
            continue;
        }
        let mean = number(&row.cells[6]).with_context(line)?;
        ensure!((0.0..=1.0).contains(&mean), line() + ": no share");
        // Where nothing was counted the share does not tell the number of encounters: other rows do.
        let n = if count > 0 {
            (count as f64 / mean).round() as u64
        } else {
            0
        };
        let values = None;
        shares.push((
            row.key(Some(row.cells[4].clone())),
            Number { n, mean, values },
        ));
    }
    let mut all = Vec::new();
    let in_summary = |what: &str| format!("summary.csv: {what}");
    // Later versions of the program have appended columns; none of them is looked at.
    let columns = &csv::SUMMARY[..csv::SUMMARY_FIRST];
    for row in rows(summary, columns, scenario).with_context(|| in_summary("not readable"))? {
        let line = || in_summary(&format!("line {}", row.line));
        let kind = metrics::find(&row.cells[2]).map(|metric| metric.kind);
        if row.cells[5].is_empty() {
            continue;
        }
        let key = row.key(None);
        let n = whole(&row.cells[4]).with_context(line)?;
        let mean = number(&row.cells[5]).with_context(line)?;
        let values = match kind {
            Some(Kind::Count) => {
                let counts = counted.remove(&key).unwrap_or_default();
                let total: u128 = counts.iter().map(|(_, count)| u128::from(*count)).sum();
                ensure!(
                    total == u128::from(n),
                    "{}: of {n} encounters, of which distributions.csv has {total}: the files do not belong \
                     together; write the results anew with `skirmish run`",
                    line()
                );
                Some(Distribution::of_counts(counts))
            }
            Some(Kind::Rate) => {
                ensure!((0.0..=1.0).contains(&mean), line() + ": no rate");
                None
            }
            _ => None,
        };
        all.push((key, Number { n, mean, values }));
    }
    all.append(&mut shares);
    Ok(all)
}

struct Row {
    line: u64,
    cells: Vec<String>,
}

impl Row {
    fn key(&self, value: Option<String>) -> Key {
        Key {
            variant: self.cells[1].clone(),
            metric: self.cells[2].clone(),
            subject: self.cells[3].clone(),
            value,
        }
    }
}

/// The rows of a table that begins with these columns.
fn rows(bytes: &[u8], columns: &[&str], scenario: &str) -> anyhow::Result<Vec<Row>> {
    let mut reader = ::csv::Reader::from_reader(bytes);
    let head = reader.headers()?;
    if head.iter().take(columns.len()).ne(columns.iter().copied()) {
        bail!("its columns are not those of format {FORMAT}");
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, ::csv::Position::line);
        ensure!(
            from_cell(&record[0]) == scenario,
            "line {line} is of another scenario, `{}`",
            &record[0]
        );
        rows.push(Row {
            line,
            cells: record
                .iter()
                .map(|cell| from_cell(cell).to_owned())
                .collect(),
        });
    }
    Ok(rows)
}

fn whole(cell: &str) -> anyhow::Result<u64> {
    cell.parse()
        .with_context(|| format!("`{cell}` is no count"))
}

fn number(cell: &str) -> anyhow::Result<f64> {
    let number: f64 = cell
        .parse()
        .with_context(|| format!("`{cell}` is no number"))?;
    ensure!(number.is_finite(), "`{cell}` is no number one could use");
    Ok(number)
}
