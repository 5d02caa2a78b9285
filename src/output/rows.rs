//! The facts of a report, one by one: what the CSV files have as rows and JSON as objects.

use super::number::Rounded;
use crate::stats::intervals::of_rate;
use crate::stats::{Confidence, Interval, Summary};
use crate::tally::{Kind, Metric, Tally};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// A metric of one subject.
pub(super) struct Measured<'a> {
    pub(super) metric: &'static Metric,
    pub(super) subject: &'a str,
    index: usize,
    tally: &'a Tally,
    confidence: Confidence,
}

/// Every metric of every subject, in the order of all output. Nothing when nothing was played.
pub(super) fn measured(
    tally: &Tally,
    confidence: Confidence,
) -> impl Iterator<Item = Measured<'_>> {
    tally
        .metrics()
        .filter(|_| tally.encounters() > 0)
        .flat_map(move |metric| {
            (0..tally.subjects(metric.scope)).map(move |index| Measured {
                metric,
                subject: tally.subject(metric.scope, index),
                index,
                tally,
                confidence,
            })
        })
}

impl<'a> Measured<'a> {
    /// Its summary, if it has one.
    pub(super) fn summary(&self) -> Option<Summary> {
        self.metric.kind.has_summary().then(|| {
            let distribution = self.tally.distribution(self.metric, self.index);
            Summary::of(&distribution, self.metric.kind, self.confidence)
        })
    }

    /// Its distribution, if that says more than the summary.
    pub(super) fn values(&self) -> Vec<ValueRow<'a>> {
        if !self.metric.kind.has_distribution() {
            return Vec::new();
        }
        let distribution = self.tally.distribution(self.metric, self.index);
        let total = distribution.total();
        let mut below = 0;
        let row = |entry: &crate::tally::Entry| {
            below += entry.count;
            let interval = of_rate(entry.count, total, self.confidence);
            ValueRow {
                value: match self.metric.kind {
                    Kind::Category => Value::Name(self.tally.winner(entry.value)),
                    _ => Value::Number(entry.value),
                },
                count: entry.count,
                probability: share(entry.count, total),
                ci_low: interval.map(low),
                ci_high: interval.map(high),
                cumulative: (self.metric.kind == Kind::Count).then(|| share(below, total)),
            }
        };
        distribution.entries().iter().map(row).collect()
    }
}

/// One value of a metric, and how often it came.
#[derive(Debug, Serialize)]
pub(super) struct ValueRow<'a> {
    pub(super) value: Value<'a>,
    pub(super) count: u64,
    pub(super) probability: Rounded,
    pub(super) ci_low: Option<Rounded>,
    pub(super) ci_high: Option<Rounded>,
    pub(super) cumulative: Option<Rounded>,
}

/// A value of a metric: a number, or the name of an ending.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Value<'a> {
    Number(u32),
    Name(&'a str),
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

fn share(count: u64, total: u64) -> Rounded {
    Rounded::new(count as f64 / total as f64)
}

/// The lower end of an interval, for output.
pub(super) fn low(interval: Interval) -> Rounded {
    Rounded::new(interval.low)
}

/// The upper end of an interval, for output.
pub(super) fn high(interval: Interval) -> Rounded {
    Rounded::new(interval.high)
}
