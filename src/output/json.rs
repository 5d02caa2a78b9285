//! All results in one JSON document: manifest, summaries, examples and distributions.

use super::csv::estimate;
use super::rows::measured;
use super::sheet::DISTRIBUTIONS;
use super::{Answer as _, Manifest, RunReport, VariantReport};
use crate::report::Value;
use crate::stats::{Point, STATISTICS, Summary};
use crate::tally::Metric;
use std::io::{self, Write};

/// Returns the members of the object of a metric of a subject, without its distribution.
pub(super) fn measurement(
    metric: &Metric,
    subject: &str,
    summary: Option<&Summary>,
) -> Vec<(&'static str, Value)> {
    let mut members = vec![
        ("metric", Value::text(metric.name)),
        ("subject", Value::text(subject)),
        ("scope", Value::text(metric.scope.name())),
        ("kind", Value::text(metric.kind.name())),
        ("unit", Value::text(metric.unit)),
    ];
    members.extend(summary.into_iter().flat_map(summary_members));
    members
}

fn summary_members(summary: &Summary) -> [(&'static str, Value); 8] {
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
        Value::NONE
    } else {
        Value::Object(quantiles)
    };
    [
        ("n", n),
        ("mean", mean),
        ("sd", sd),
        ("se", se),
        ("ci_low", low),
        ("ci_high", high),
        ("quantiles", quantiles),
        // Bound on the share of values beyond the extremes that were seen, on either side.
        ("unseen", Value::sampled(summary.unseen)),
    ]
}

/// Writes a report as one JSON document.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(report: &RunReport, manifest: &Manifest, mut out: impl Write) -> io::Result<()> {
    report.json(manifest, &mut out)
}

/// Returns the members of the document of a run.
pub(super) fn members(report: &RunReport) -> Vec<(&'static str, Value)> {
    let metrics = |variant: &VariantReport| {
        let objects = measured(&variant.tally, report.confidence).map(|measured| {
            let summary = measured.summary();
            let mut members = measurement(measured.metric, measured.subject, summary.as_ref());
            let values = measured.values().into_iter();
            let values: Vec<_> = values.map(|cells| DISTRIBUTIONS.object(4, cells)).collect();
            if !values.is_empty() {
                members.push(("distribution", Value::List(values)));
            }
            Value::Object(members)
        });
        Value::List(objects.collect())
    };
    let variants = report.variants.iter().map(|variant| {
        Value::Object(vec![
            ("name", Value::text(&variant.name)),
            ("encounters", Value::count(variant.tally.encounters())),
            ("notes", Value::texts(report.notes(variant))),
            ("metrics", metrics(variant)),
        ])
    });
    vec![
        ("question", Value::named(report.question.as_deref())),
        ("notes", Value::texts(report.common_notes())),
        ("variants", Value::List(variants.collect())),
    ]
}
