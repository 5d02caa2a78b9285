//! What pairs allow one to say: differences, how certain they are, and what pairing was worth.

use super::intervals::{self, Interval};
use super::{Confidence, quantile, significance};
use crate::tally::{Distribution, Kind, Pairs};

/// The difference between two fights in one number: second less first.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Encounters in which both showed a value.
    pub n: u64,
    /// Mean of the first in them.
    pub first: f64,
    /// Mean of the second in them.
    pub second: f64,
    /// Second less first.
    pub difference: f64,
    /// Standard error of the difference; none with fewer than two encounters.
    pub se: Option<f64>,
    /// Interval for the difference; none where nothing is known about the spread.
    pub interval: Option<Interval>,
    /// How likely chance alone shows a difference as great as this, in either direction, if there
    /// is none.
    pub p_value: Option<f64>,
    /// Correlation of the two; none where one of them never changed, or where they face luck of
    /// their own.
    pub correlation: Option<f64>,
    /// By what factor pairing has shrunk the variance of the difference, against luck of their own
    /// for both; none if nothing varied.
    pub shrinkage: Option<f64>,
}

/// Whether two fights have faced the same luck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Luck {
    /// Encounter by encounter the same: what they share cancels in the difference.
    Common,
    /// Each its own.
    Separate,
}

impl Difference {
    /// The difference of the means of a metric of that kind; `None` without pairs.
    #[must_use]
    pub fn of_means(pairs: &Pairs, kind: Kind, luck: Luck, confidence: Confidence) -> Option<Self> {
        if pairs.n == 0 {
            return None;
        }
        let n = pairs.n as f64;
        let spread = Spread::of(pairs);
        let difference = (pairs.sums[1] - pairs.sums[0]) as f64 / n;
        let apart = spread.values[0] + spread.values[1];
        let variance = match luck {
            Luck::Common => spread.difference,
            Luck::Separate => apart,
        };
        let se = (pairs.n > 1).then(|| (variance / (n - 1.0) / n).sqrt());
        let (interval, p_value) = match (kind, luck) {
            (Kind::Rate, Luck::Common) => {
                let (first, second) = pairs.discordant();
                let interval = bonett_price(first, second, pairs.n, confidence);
                (Some(interval), Some(significance::mcnemar(first, second)))
            }
            (Kind::Rate, Luck::Separate) => (
                Some(agresti_caffo(pairs, confidence)),
                Some(significance::two_sided(pooled(pairs))),
            ),
            _ => {
                let interval =
                    se.and_then(|se| intervals::of_mean(difference, se, pairs.n, confidence));
                // Nothing varied: then any difference at all is certain, and none is none.
                let p_value = se.filter(|&se| se > 0.0).map(|se| difference / se);
                (interval, p_value.map(significance::two_sided))
            }
        };
        let paired = luck == Luck::Common;
        Some(Self {
            n: pairs.n,
            first: pairs.sums[0] as f64 / n,
            second: pairs.sums[1] as f64 / n,
            difference,
            se,
            interval,
            p_value,
            correlation: spread.correlation().filter(|_| paired),
            shrinkage: (paired && spread.difference > 0.0).then(|| apart / spread.difference),
        })
    }
}

impl Difference {
    /// The difference of the medians of two distributions; `None` if one is empty.
    ///
    /// Each median has an interval that misses half as often as `confidence` allows, so that both
    /// hold together; the ends of the difference are those that are farthest apart. That is safe,
    /// whatever luck the two share, and wider than need be. There is no p-value.
    #[must_use]
    pub fn of_medians(
        first: &Distribution,
        second: &Distribution,
        confidence: Confidence,
    ) -> Option<Self> {
        let n = first.total().min(second.total());
        if n == 0 {
            return None;
        }
        let median = |of| f64::from(quantile::quantile(of, 50).value);
        let each = Confidence::of_error(confidence.error() / 2.0)?;
        let interval = |of| quantile::quantile_interval(of, 50, each);
        let ends = interval(first).zip(interval(second));
        Some(Self {
            n,
            first: median(first),
            second: median(second),
            difference: median(second) - median(first),
            se: None,
            interval: ends.map(|(first, second)| Interval {
                low: second.low - first.high,
                high: second.high - first.low,
            }),
            p_value: None,
            correlation: None,
            shrinkage: None,
        })
    }
}

/// Sums of squares about the mean.
struct Spread {
    values: [f64; 2],
    products: f64,
    difference: f64,
}

impl Spread {
    /// Squares are taken about the whole numbers nearest to the means: so the great parts cancel
    /// in integers, and none of the digits is lost.
    fn of(pairs: &Pairs) -> Self {
        let n = i128::from(pairs.n);
        let centre = |sum: i128| (2 * sum + n).div_euclid(2 * n);
        let [a, b] = pairs.sums.map(centre);
        let about = |products: i128, one: i128, other: i128, a: i128, b: i128| {
            let products = products - a * other - b * one + n * a * b;
            let (one, other) = (one - n * a, other - n * b);
            products as f64 - one as f64 * (other as f64 / n as f64)
        };
        let [first, second] = pairs.sums;
        let squares = pairs.squares[0] + pairs.squares[1] - 2 * pairs.products;
        let gap = second - first;
        let c = centre(gap);
        Self {
            values: [
                about(pairs.squares[0], first, first, a, a).max(0.0),
                about(pairs.squares[1], second, second, b, b).max(0.0),
            ],
            products: about(pairs.products, first, second, a, b),
            difference: about(squares, gap, gap, c, c).max(0.0),
        }
    }

    fn correlation(&self) -> Option<f64> {
        let scale = (self.values[0] * self.values[1]).sqrt();
        (scale > 0.0).then(|| (self.products / scale).clamp(-1.0, 1.0))
    }
}

/// The interval for the difference of two rates from pairs of which `first` showed the event in the
/// first alone and `second` in the second alone. It has a width even if no pair differed.
///
/// Source: D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of
/// binomial proportions based on paired data", Journal of Educational and Behavioral Statistics 37
/// (2012).
fn bonett_price(first: u64, second: u64, n: u64, confidence: Confidence) -> Interval {
    let total = n as f64 + 2.0;
    let (first, second) = ((first as f64 + 1.0) / total, (second as f64 + 1.0) / total);
    let difference = second - first;
    let half = confidence.z() * ((first + second - difference * difference) / total).sqrt();
    within_one(difference, half)
}

/// The interval for the difference of two rates from independent samples of one size.
///
/// Source: A. Agresti and B. Caffo, "Simple and effective confidence intervals for proportions and
/// differences of proportions result from adding two successes and two failures", The American
/// Statistician 54 (2000).
fn agresti_caffo(pairs: &Pairs, confidence: Confidence) -> Interval {
    let total = pairs.n as f64 + 2.0;
    let [first, second] = pairs.sums.map(|sum| (sum as f64 + 1.0) / total);
    let variance = first * (1.0 - first) + second * (1.0 - second);
    within_one(second - first, confidence.z() * (variance / total).sqrt())
}

fn within_one(middle: f64, half: f64) -> Interval {
    Interval {
        low: (middle - half).max(-1.0),
        high: (middle + half).min(1.0),
    }
}

/// The statistic of the test that two independent rates are one.
fn pooled(pairs: &Pairs) -> f64 {
    let n = pairs.n as f64;
    let [first, second] = pairs.sums.map(|sum| sum as f64 / n);
    let rate = f64::midpoint(first, second);
    let se = (2.0 * rate * (1.0 - rate) / n).sqrt();
    if se > 0.0 { (second - first) / se } else { 0.0 }
}
