//! Committed results, read back: the manifest that says how to get them again, and their numbers.

use crate::clean::from_cell;
use crate::output::{FORMAT, Manifest, csv, digest};
use crate::tally::{Distribution, Kind, metrics};
use anyhow::{Context, bail, ensure};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Reads the manifest of results called `stem`.
pub(super) fn manifest(folder: &Path, stem: &str) -> anyhow::Result<Manifest> {
    let place = folder.join("manifest.json");
    let shown = format!("`{}`", place.display());
    let manifest = Manifest::read(&shown, &read(&place)?)?;
    let name = &manifest.scenario.name;
    ensure!(name == stem, "{shown} is of another scenario, `{name}`");
    ensure!(!manifest.variants.is_empty(), "{shown} has no variants");
    Ok(manifest)
}

/// Reads a file beside a manifest, and checks that it belongs to it.
pub(super) fn fellow(manifest: &Manifest, folder: &Path, name: &str) -> anyhow::Result<Vec<u8>> {
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

/// The bytes of a file.
fn read(place: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(place).with_context(|| format!("cannot read `{}`", place.display()))
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
/// rates, means, and the shares of metrics without a mean.
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
