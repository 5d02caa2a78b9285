//! The facts of a report one by one, for rows of the CSV files and objects of JSON.

use crate::report::Value;
use crate::stats::intervals::of_rate;
use crate::stats::quantile::quantile;
use crate::stats::{Confidence, Point, STATISTICS, Summary};
use crate::tally::{Kind, Metric, SolvedMetric, Tally, ValueCount};

/// A metric of one subject.
pub(super) struct Measured<'a> {
    pub(super) metric: &'static Metric,
    pub(super) subject: &'a str,
    index: usize,
    tally: &'a Tally,
    confidence: Confidence,
}

/// Returns every metric of every subject, in the order of all output. Empty if nothing was played.
pub(super) fn measured(
    tally: &Tally,
    confidence: Confidence,
) -> impl Iterator<Item = Measured<'_>> {
    tally
        .metrics()
        .filter(|_| !tally.is_empty())
        .flat_map(move |metric| {
            let subjects = 0..tally.subjects(metric.scope);
            let known = subjects.filter(move |index| tally.knows(metric, *index));
            known.map(move |index| Measured {
                metric,
                subject: tally.subject(metric.scope, index),
                index,
                tally,
                confidence,
            })
        })
}

impl Measured<'_> {
    /// Returns the summary, if the metric has one.
    pub(super) fn summary(&self) -> Option<Summary> {
        let (metric, index) = (self.metric, self.index);
        let summary = || Summary::of_metric(self.tally, metric, index, self.confidence);
        metric.kind.has_summary().then(summary)
    }

    /// Returns the quantiles of a summary that was counted, each with an encounter that shows it.
    pub(super) fn points(&self) -> Option<[Point; STATISTICS.len()]> {
        let distribution = self.tally.distribution(self.metric, self.index);
        let points = || STATISTICS.map(|(_, percent)| quantile(&distribution, percent));
        (self.metric.kind.has_summary() && distribution.total() > 0).then(points)
    }

    /// Returns the distribution, if it says more than the summary. Each value has the cells of `distributions.csv` from
    /// `value` on.
    pub(super) fn values(&self) -> Vec<Vec<Value>> {
        if !self.metric.kind.has_distribution() {
            return Vec::new();
        }
        let distribution = self.tally.distribution(self.metric, self.index);
        if let Some(fact) = distribution.fact() {
            return self.weights(fact);
        }
        let total = distribution.total();
        let mut below = 0;
        let row = |entry: &ValueCount| {
            below += entry.count;
            let ends = Value::ends(of_rate(entry.count, total, self.confidence));
            let shares = [entry.count, below].map(|count| count as f64 / total as f64);
            self.cells(entry.value, Some(entry.count), shares, ends)
        };
        distribution.entries().iter().map(row).collect()
    }

    /// Returns the distribution of a solved fight, which has exact probabilities and no counts.
    fn weights(&self, fact: &SolvedMetric) -> Vec<Vec<Value>> {
        let mut below = 0.0;
        let row = |&(value, weight): &(u32, f64)| {
            below += weight;
            let ends = Value::bounds(fact.bounds(weight));
            self.cells(value, None, [weight, f64::min(below, 1.0)], ends)
        };
        fact.weights.iter().flatten().map(row).collect()
    }

    /// Returns the cells of a value, with its share and the share of all values up to it.
    fn cells(
        &self,
        value: u32,
        count: Option<u64>,
        [share, below]: [f64; 2],
        [low, high]: [Value; 2],
    ) -> Vec<Value> {
        let is_exact = count.is_none();
        let is_count = self.metric.kind == Kind::Count;
        vec![
            self.value(value),
            Value::count(count),
            Value::estimate(share, is_exact),
            low,
            high,
            Value::estimate(is_count.then_some(below), is_exact),
            Value::method(is_exact),
        ]
    }

    /// Returns a value of the metric; for an ending, its name.
    fn value(&self, value: u32) -> Value {
        match self.metric.kind {
            Kind::Category => Value::text(self.tally.winner(value)),
            _ => Value::Whole(value.into()),
        }
    }
}
