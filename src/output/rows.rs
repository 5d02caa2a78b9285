//! The facts of a report, one by one: rows of the CSV files, and objects of JSON.

use crate::report::Value;
use crate::stats::intervals::of_rate;
use crate::stats::{Confidence, Summary};
use crate::tally::{Kind, Metric, Tally};

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

impl Measured<'_> {
    /// Its summary, if it has one.
    pub(super) fn summary(&self) -> Option<Summary> {
        self.metric.kind.has_summary().then(|| {
            let distribution = self.tally.distribution(self.metric, self.index);
            Summary::of(&distribution, self.metric.kind, self.confidence)
        })
    }

    /// Its distribution, if that says more than the summary: for each value the cells of
    /// `distributions.csv` from `value` on.
    pub(super) fn values(&self) -> Vec<Vec<Value>> {
        if !self.metric.kind.has_distribution() {
            return Vec::new();
        }
        let distribution = self.tally.distribution(self.metric, self.index);
        let total = distribution.total();
        let mut below = 0;
        let row = |entry: &crate::tally::Entry| {
            below += entry.count;
            let [low, high] = Value::ends(of_rate(entry.count, total, self.confidence));
            let is_count = self.metric.kind == Kind::Count;
            vec![
                match self.metric.kind {
                    Kind::Category => Value::text(self.tally.winner(entry.value)),
                    _ => Value::Whole(entry.value.into()),
                },
                Value::count(entry.count),
                Value::sampled(share(entry.count, total)),
                low,
                high,
                Value::sampled(is_count.then(|| share(below, total))),
            ]
        };
        distribution.entries().iter().map(row).collect()
    }
}

fn share(count: u64, total: u64) -> f64 {
    count as f64 / total as f64
}
