//! The results of a sweep for programs: `sweep.csv` and JSON.

use super::super::csv::summary_cells;
use super::super::json::Measurement;
use super::super::sheet::{self, SheetKind};
use super::super::{Answer, Manifest, Style};
use super::page;
use super::{Point, SweepReport};
use crate::report::{Value, write_json};
use crate::stats::threshold::Finding;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Columns of `sweep.csv`.
pub const COLUMNS: [&str; 33] = [
    "scenario", "variant", "key1", "value1", "key2", "value2", "metric", "subject", "n", "mean",
    "sd", "se", "ci_low", "ci_high", "min", "p05", "p25", "p50", "p75", "p95", "max", "p05_low",
    "p05_high", "p25_low", "p25_high", "p50_low", "p50_high", "p75_low", "p75_high", "p95_low",
    "p95_high", "unseen", "method",
];

impl Answer for SweepReport {
    fn kind(&self) -> &'static SheetKind {
        &sheet::SWEEP
    }

    fn is_exact(&self) -> bool {
        self.until.is_exact()
    }

    fn answer(&self) -> Vec<String> {
        page::answers(self)
    }

    fn table(&self, style: Style) -> String {
        page::table(self, style)
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Value>> + '_> {
        Box::new(self.points.iter().flat_map(move |point| {
            let mut first = vec![Value::text(&self.scenario), Value::text(&self.variant)];
            for index in 0..2 {
                let set = self.keys.get(index).zip(point.at.get(index));
                let texts = set.map_or(["", ""], |(key, at)| [&key.name, &key.values[*at].text]);
                first.extend(texts.map(Value::text));
            }
            point.facts.iter().map(move |fact| {
                let names = [fact.metric.name, &fact.subject].map(Value::text);
                [&first[..], &names, &summary_cells(&fact.summary)].concat()
            })
        }))
    }

    fn json(&self, manifest: &Manifest, out: &mut dyn Write) -> io::Result<()> {
        let document = Document {
            manifest,
            threshold: threshold(self),
            points: self
                .points
                .iter()
                .map(|point| object(self, point))
                .collect(),
        };
        write_json(&document, out)
    }
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
    metrics: Vec<Measurement<'a>>,
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

fn object<'a>(report: &'a SweepReport, point: &'a Point) -> PointObject<'a> {
    let values = report.keys.iter().zip(&point.at);
    let metrics = point.facts.iter();
    let metrics =
        metrics.map(|fact| Measurement::new(fact.metric, &fact.subject, Some(&fact.summary)));
    PointObject {
        values: values
            .map(|(key, &at)| (key.name.as_str(), &key.values[at].json))
            .collect(),
        notes: &point.notes,
        metrics: metrics.collect(),
    }
}

fn threshold(report: &SweepReport) -> Option<ThresholdObject> {
    let (threshold, shown) = (report.threshold.as_ref()?, report.shown.first()?);
    let key = report.keys.first()?;
    let value = |at: usize| key.values[at].json.clone();
    let both = |(one, other): (usize, usize)| [one, other].map(value);
    let finding: Option<&Finding> = threshold.finding.as_ref();
    Some(ThresholdObject {
        metric: shown.metric.name,
        subject: shown.subject.clone(),
        threshold: threshold.value,
        crossings: finding.map(|finding| {
            let crossings = finding.crossings.iter().map(|one| Crossing {
                from: value(one.from),
                to: value(one.to),
                rises: one.rises,
            });
            crossings.collect()
        }),
        compatible: finding.and_then(|finding| finding.compatible).map(both),
        bounds: finding.map(|finding| [finding.bounds.0.map(value), finding.bounds.1.map(value)]),
        bend: finding.and_then(|finding| finding.bend).map(both),
    })
}
