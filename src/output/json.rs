//! All results in one JSON document: manifest, summaries, examples and distributions.

use super::csv::{DISTRIBUTIONS, estimate};
use super::rows::{Measured, measured};
use super::{Manifest, RunReport};
use crate::report::{Objects, Value, write_json};
use crate::stats::{Point, STATISTICS, Summary};
use crate::tally::Metric;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Document<'a> {
    manifest: &'a Manifest,
    question: Option<&'a str>,
    notes: Vec<String>,
    variants: Vec<Variant<'a>>,
}

#[derive(Serialize)]
struct Variant<'a> {
    name: &'a str,
    encounters: u64,
    notes: Vec<String>,
    metrics: Vec<Measurement<'a>>,
}

/// A metric of a subject as a JSON object.
#[derive(Serialize)]
pub(super) struct Measurement<'a> {
    metric: &'static str,
    subject: &'a str,
    scope: &'static str,
    kind: &'static str,
    unit: &'static str,
    #[serde(flatten)]
    summary: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Objects<'static>>,
}

impl<'a> Measurement<'a> {
    /// Creates the object of a metric with its summary but without its distribution.
    pub(super) fn new(metric: &Metric, subject: &'a str, summary: Option<&Summary>) -> Self {
        Self {
            metric: metric.name,
            subject,
            scope: metric.scope.name(),
            kind: metric.kind.name(),
            unit: metric.unit,
            summary: summary.map(summary_object),
            distribution: None,
        }
    }
}

/// Returns a summary as a JSON object.
fn summary_object(summary: &Summary) -> Value {
    let ends = |interval| {
        let [low, high] = Value::ends(interval);
        [("ci_low", low), ("ci_high", high)]
    };
    let [n, mean, sd, se, low, high] = estimate(summary);
    let points = summary.points.into_iter().zip(summary.point_intervals);
    let object = |((name, _), (point, interval)): (&(&'static str, _), (Option<Point>, _))| {
        let [low, high] = ends(interval);
        let value = ("value", Value::Whole(point?.value.into()));
        let encounter = ("encounter", Value::count(point?.encounter));
        Some((*name, Value::Object(vec![value, encounter, low, high])))
    };
    let quantiles: Vec<_> = STATISTICS.iter().zip(points).filter_map(object).collect();
    let quantiles = if quantiles.is_empty() {
        Value::Sampled(None)
    } else {
        Value::Object(quantiles)
    };
    Value::Object(vec![
        ("n", n),
        ("mean", mean),
        ("sd", sd),
        ("se", se),
        ("ci_low", low),
        ("ci_high", high),
        ("quantiles", quantiles),
        // Bound on the share of values beyond the extremes that were seen, on either side.
        ("unseen", Value::sampled(summary.unseen)),
    ])
}

fn distribution(measured: &Measured<'_>) -> Option<Objects<'static>> {
    const KEYS: &str = "value count probability ci_low ci_high cumulative";
    let values = measured.values();
    (!values.is_empty()).then(|| Objects::new(&DISTRIBUTIONS[4..], KEYS, values))
}

/// Writes a report as one JSON document.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(report: &RunReport, manifest: &Manifest, out: impl Write) -> io::Result<()> {
    let document = Document {
        manifest,
        question: report.question.as_deref(),
        notes: report.common_notes().collect(),
        variants: report
            .variants
            .iter()
            .map(|variant| Variant {
                name: &variant.name,
                encounters: variant.tally.encounters(),
                notes: report.notes(variant),
                metrics: measured(&variant.tally, report.confidence)
                    .map(|one| Measurement {
                        distribution: distribution(&one),
                        ..Measurement::new(one.metric, one.subject, one.summary().as_ref())
                    })
                    .collect(),
            })
            .collect(),
    };
    write_json(&document, out)
}
