//! The summary of one distribution: mean, spread, interval and quantiles.

use super::Confidence;
use super::intervals::{self, Interval};
use super::quantile::{quantile, quantile_interval, unseen};
use crate::tally::{Distribution, Kind, Metric, SolvedMetric, Tally};

/// The quantiles of a summary: the name of each in columns, and its per cent.
pub const STATISTICS: [(&str, u64); 7] = [
    ("min", 0),
    ("p05", 5),
    ("p25", 25),
    ("p50", 50),
    ("p75", 75),
    ("p95", 95),
    ("max", 100),
];

/// The index of the median in [`STATISTICS`].
const MEDIAN: usize = 3;

/// A quantile, and an encounter that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The value.
    pub value: u32,
    /// The lowest number of an encounter that showed the value, if single encounters are known.
    pub encounter: Option<u64>,
}

/// The summary of a distribution.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// The number of encounters that showed a value.
    pub n: u64,
    /// The mean; `None` without encounters.
    pub mean: Option<f64>,
    /// The standard deviation of a single encounter; `None` with fewer than two.
    pub sd: Option<f64>,
    /// The standard error of the mean; `None` with fewer than two encounters.
    pub se: Option<f64>,
    /// The interval for the mean. `None` for a count of fewer than two encounters and, where no limit bounds the values
    /// of others, of fewer than 20 or if hardly any encounter showed another value than the commonest.
    pub interval: Option<Interval>,
    /// The quantiles of [`STATISTICS`]; `None` without encounters, or if the bounds of a solved fight leave the value
    /// open.
    pub points: [Option<Point>; STATISTICS.len()],
    /// The intervals of the quantiles. The least and the greatest value have none, nor does a quantile of so few
    /// encounters that one end is open.
    pub point_intervals: [Option<Interval>; STATISTICS.len()],
    /// The bound on the share of values beyond the least and the greatest, to each side ([`unseen`]); `None` for rates,
    /// which have no other values than 0 and 1.
    pub unseen: Option<f64>,
    /// Whether the fight was solved: the mean is exact, the interval holds guaranteed bounds, and nothing was counted.
    pub is_exact: bool,
}

impl Summary {
    /// Sums up the values of a metric of one subject.
    pub fn of_metric(
        tally: &Tally,
        metric: &Metric,
        subject: usize,
        confidence: Confidence,
    ) -> Self {
        let distribution = tally.distribution(metric, subject);
        Self::of(&distribution, metric.kind, confidence)
    }

    /// Summarizes a distribution, with an interval at the level `confidence`.
    pub fn of(distribution: &Distribution, kind: Kind, confidence: Confidence) -> Self {
        if let Some(fact) = distribution.fact() {
            return Self::of_fact(fact);
        }
        let n = distribution.total();
        if n == 0 {
            return Self::default();
        }
        let (mean, sd) = moments(distribution);
        let se = sd.map(|sd| sd / (n as f64).sqrt());
        let interval = if kind == Kind::Rate {
            intervals::of_rate(distribution.count(1), n, confidence)
        } else {
            se.and_then(|se| of_counts(distribution, (mean, se), confidence))
        };
        Self {
            n,
            mean: Some(mean),
            sd,
            se,
            interval,
            points: STATISTICS.map(|(_, percent)| Some(quantile(distribution, percent))),
            point_intervals: STATISTICS.map(|(_, percent)| match percent {
                1..100 => quantile_interval(distribution, percent, confidence),
                _ => None,
            }),
            unseen: (kind != Kind::Rate).then(|| unseen(n, confidence.error() / 2.0)),
            is_exact: false,
        }
    }

    /// Summarizes a metric of a solved fight.
    fn of_fact(fact: &SolvedMetric) -> Self {
        let encounter = None;
        let point = |value| Point { value, encounter };
        Self {
            mean: fact.mean.map(|[_, mean, _]| mean),
            sd: fact.sd(),
            interval: fact.mean.map(|[low, _, high]| Interval::new(low, high)),
            points: STATISTICS.map(|(_, percent)| fact.quantile(percent).map(point)),
            is_exact: true,
            ..Self::default()
        }
    }

    /// Returns the median and an encounter that shows it.
    pub fn median(&self) -> Option<Point> {
        self.points[MEDIAN]
    }

    /// Returns the interval of the median.
    pub fn median_interval(&self) -> Option<Interval> {
        self.point_intervals[MEDIAN]
    }
}

/// Returns the interval for the mean of counts, within the possible values.
fn of_counts(
    distribution: &Distribution,
    estimate: (f64, f64),
    confidence: Confidence,
) -> Option<Interval> {
    let [least, greatest] = distribution.ends()?;
    let ends = Interval::new(least.into(), greatest.into());
    let interval = intervals::of_values(&distribution.weighted(), estimate, ends, confidence)?;
    Some(Interval::new(
        interval.low.max(distribution.least().into()),
        match distribution.limit() {
            Some(limit) => interval.high.min(limit.into()),
            None => interval.high,
        },
    ))
}

/// Returns the mean and the sample standard deviation.
///
/// Deviations are taken from the whole number nearest to the mean. Their sums are exact integers, and no digits cancel:
/// each deviation is whole, so the sum of the squares is at least the sum of the deviations, which is at most half of
/// n.
fn moments(distribution: &Distribution) -> (f64, Option<f64>) {
    let n = i128::from(distribution.total());
    let sum: i128 = distribution
        .entries()
        .iter()
        .map(|entry| i128::from(entry.value) * i128::from(entry.count))
        .sum();
    let centre = (2 * sum + n) / (2 * n);
    let (mut deviations, mut squares) = (0_i128, 0_i128);
    for entry in distribution.entries() {
        let deviation = i128::from(entry.value) - centre;
        deviations += deviation * i128::from(entry.count);
        squares += deviation * deviation * i128::from(entry.count);
    }
    let (count, deviations) = (n as f64, deviations as f64);
    let mean = sum as f64 / count;
    let sd = (n > 1).then(|| {
        let about_mean = squares as f64 - deviations * deviations / count;
        (about_mean / (count - 1.0)).sqrt()
    });
    (mean, sd)
}
