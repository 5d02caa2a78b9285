//! A sweep for programs: `sweep.csv`, JSON, the manifest.

use super::super::Manifest;
use super::super::csv::{summary_cells, unwrapped};
use super::super::json::SummaryObject;
use super::{Point, Report};
use crate::stats::threshold::Finding;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Columns of `sweep.csv`.
pub const COLUMNS: [&str; 32] = [
    "scenario", "variant", "key1", "value1", "key2", "value2", "metric", "subject", "n", "mean",
    "sd", "se", "ci_low", "ci_high", "min", "p05", "p25", "p50", "p75", "p95", "max", "p05_low",
    "p05_high", "p25_low", "p25_high", "p50_low", "p50_high", "p75_low", "p75_high", "p95_low",
    "p95_high", "unseen",
];

/// Columns that `sweep.csv` had in the first version of the program.
pub const COLUMNS_FIRST: usize = 21;

/// Writes a row for every metric and subject of every point.
///
/// # Errors
/// If `out` cannot be written.
pub fn csv(report: &Report, out: impl Write) -> io::Result<()> {
    let mut rows = super::super::csv::Rows::new(out);
    rows.write_record(COLUMNS).map_err(unwrapped)?;
    for point in &report.points {
        for fact in &point.facts {
            let mut row = vec![report.scenario.clone(), report.variant.clone()];
            for index in 0..2 {
                match (report.keys.get(index), point.at.get(index)) {
                    (Some(key), Some(&at)) => {
                        row.extend([key.name.clone(), key.values[at].text.clone()]);
                    }
                    _ => row.extend([String::new(), String::new()]),
                }
            }
            row.extend([fact.metric.name.to_owned(), fact.subject.clone()]);
            row.extend(summary_cells(&fact.summary));
            rows.write_record(&row).map_err(unwrapped)?;
        }
    }
    rows.flush()
}

#[derive(Serialize)]
struct Document<'a> {
    manifest: &'a Manifest,
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<ThresholdObject>,
    points: Vec<PointObject<'a>>,
}

#[derive(Serialize)]
struct PointObject<'a> {
    values: BTreeMap<&'a str, &'a serde_json::Value>,
    notes: &'a [String],
    metrics: Vec<FactObject<'a>>,
}

#[derive(Serialize)]
struct FactObject<'a> {
    metric: &'static str,
    subject: &'a str,
    scope: &'static str,
    kind: &'static str,
    unit: &'static str,
    #[serde(flatten)]
    summary: SummaryObject,
}

#[derive(Serialize)]
struct ThresholdObject {
    metric: &'static str,
    subject: String,
    threshold: f64,
    crossings: Option<Vec<Crossing>>,
    compatible: Option<[serde_json::Value; 2]>,
    bounds: Option<[Option<serde_json::Value>; 2]>,
    bend: Option<[serde_json::Value; 2]>,
}

#[derive(Serialize)]
struct Crossing {
    from: serde_json::Value,
    to: serde_json::Value,
    rises: bool,
}

/// Writes everything as one document.
///
/// # Errors
/// If `out` cannot be written.
pub fn json(report: &Report, manifest: &Manifest, mut out: impl Write) -> io::Result<()> {
    let document = Document {
        manifest,
        threshold: threshold(report),
        points: report
            .points
            .iter()
            .map(|point| object(report, point))
            .collect(),
    };
    serde_json::to_writer_pretty(&mut out, &document)?;
    out.write_all(b"\n")
}

fn object<'a>(report: &'a Report, point: &'a Point) -> PointObject<'a> {
    let values = report.keys.iter().zip(&point.at);
    PointObject {
        values: values
            .map(|(key, &at)| (key.name.as_str(), &key.values[at].json))
            .collect(),
        notes: &point.notes,
        metrics: point
            .facts
            .iter()
            .map(|fact| FactObject {
                metric: fact.metric.name,
                subject: &fact.subject,
                scope: fact.metric.scope.name(),
                kind: fact.metric.kind.name(),
                unit: fact.metric.unit,
                summary: fact.summary.clone().into(),
            })
            .collect(),
    }
}

fn threshold(report: &Report) -> Option<ThresholdObject> {
    let (threshold, shown) = (report.threshold.as_ref()?, report.shown.first()?);
    let key = report.keys.first()?;
    let value = |at: usize| key.values[at].json.clone();
    let finding: Option<&Finding> = threshold.finding.as_ref();
    Some(ThresholdObject {
        metric: shown.metric.name,
        subject: shown.subject.clone(),
        threshold: threshold.value,
        crossings: finding.map(|finding| {
            let object = |crossing: &crate::stats::threshold::Crossing| Crossing {
                from: value(crossing.from),
                to: value(crossing.to),
                rises: crossing.rises,
            };
            finding.crossings.iter().map(object).collect()
        }),
        compatible: finding
            .and_then(|finding| finding.compatible)
            .map(|(first, last)| [value(first), value(last)]),
        bounds: finding.map(|finding| [finding.bounds.0.map(value), finding.bounds.1.map(value)]),
        bend: finding
            .and_then(|finding| finding.bend)
            .map(|(one, other)| [value(one), value(other)]),
    })
}
