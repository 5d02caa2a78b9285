//! Everything in one JSON document: manifest, summaries, examples and distributions.

use super::csv::DISTRIBUTIONS;
use super::rows::{Measured, measured};
use super::{Manifest, Report};
use crate::report::Objects;
use crate::report::number::Rounded;
use crate::stats::{STATISTICS, Summary};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

#[derive(Serialize)]
struct Document<'a> {
    manifest: &'a Manifest,
    question: Option<&'a str>,
    variants: Vec<Variant<'a>>,
}

#[derive(Serialize)]
struct Variant<'a> {
    name: &'a str,
    encounters: u64,
    notes: Vec<String>,
    metrics: Vec<Measurement<'a>>,
}

#[derive(Serialize)]
struct Measurement<'a> {
    metric: &'static str,
    subject: &'a str,
    scope: &'static str,
    kind: &'static str,
    unit: &'static str,
    #[serde(flatten)]
    summary: Option<SummaryObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Objects<'static>>,
}

/// A summary as an object.
#[derive(Serialize)]
pub(super) struct SummaryObject {
    n: u64,
    mean: Option<Rounded>,
    sd: Option<Rounded>,
    se: Option<Rounded>,
    ci_low: Option<Rounded>,
    ci_high: Option<Rounded>,
    quantiles: Option<Quantiles>,
    /// How often values beyond the least and the greatest may come, to each side.
    unseen: Option<Rounded>,
}

/// An object with the statistics' names as keys, in their own order.
struct Quantiles([Quantile; STATISTICS.len()]);

#[derive(Serialize)]
struct Quantile {
    value: u32,
    encounter: Option<u64>,
    ci_low: Option<Rounded>,
    ci_high: Option<Rounded>,
}

impl Serialize for Quantiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(STATISTICS.iter().map(|(name, _)| name).zip(&self.0))
    }
}

impl From<Summary> for SummaryObject {
    fn from(summary: Summary) -> Self {
        Self {
            n: summary.n,
            mean: summary.mean.map(Rounded::new),
            sd: summary.sd.map(Rounded::new),
            se: summary.se.map(Rounded::new),
            ci_low: summary.interval.map(|one| Rounded::new(one.low)),
            ci_high: summary.interval.map(|one| Rounded::new(one.high)),
            quantiles: summary.points.map(|points| {
                Quantiles(std::array::from_fn(|index| {
                    let (point, interval) = (points[index], summary.point_intervals[index]);
                    Quantile {
                        value: point.value,
                        encounter: point.encounter,
                        ci_low: interval.map(|one| Rounded::new(one.low)),
                        ci_high: interval.map(|one| Rounded::new(one.high)),
                    }
                }))
            }),
            unseen: summary.unseen.map(Rounded::new),
        }
    }
}

fn distribution(measured: &Measured<'_>) -> Option<Objects<'static>> {
    const KEYS: &str = "value count probability ci_low ci_high cumulative";
    let values = measured.values();
    (!values.is_empty()).then(|| Objects::new(&DISTRIBUTIONS[4..], KEYS, values))
}

/// Writes a report as one document.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(report: &Report, manifest: &Manifest, mut out: impl Write) -> io::Result<()> {
    let document = Document {
        manifest,
        question: report.question.as_deref(),
        variants: report
            .variants
            .iter()
            .map(|variant| Variant {
                name: &variant.name,
                encounters: variant.tally.encounters(),
                notes: report.notes(variant),
                metrics: measured(&variant.tally, report.confidence)
                    .map(|measured| Measurement {
                        metric: measured.metric.name,
                        subject: measured.subject,
                        scope: measured.metric.scope.name(),
                        kind: measured.metric.kind.name(),
                        unit: measured.metric.unit,
                        summary: measured.summary().map(SummaryObject::from),
                        distribution: distribution(&measured),
                    })
                    .collect(),
            })
            .collect(),
    };
    serde_json::to_writer_pretty(&mut out, &document)?;
    out.write_all(b"\n")
}
