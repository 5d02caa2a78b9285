//! What pairs allow one to say: differences, how certain they are, and what pairing was worth.

use super::intervals::{self, Interval};
use super::{Confidence, Summary, quantile, significance};
use crate::tally::{Distribution, Kind, Pairs, are_few};

/// The difference between two fights in one number: second less first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Difference {
    /// Encounters that the two values are of.
    pub counts: [u64; 2],
    /// Encounters in which both showed a value.
    pub n: u64,
    /// Value of the first.
    pub first: f64,
    /// Value of the second.
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
    /// Whether it is of solved fights: the difference is exact, the interval holds guaranteed bounds, and
    /// nothing was counted.
    pub is_exact: bool,
}

/// Whether two fights have faced the same dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Luck {
    /// The same dice in each encounter: the shared variation cancels in the difference.
    Common,
    /// Each its own.
    Separate,
}

impl Difference {
    /// Whether there is a difference: by the bounds of solved fights, or by a p-value, adjusted or not. Without a p-value,
    /// if it was the same in every encounter of several.
    #[must_use]
    pub fn is_apart(&self, p_value: Option<f64>, confidence: Confidence) -> bool {
        if self.is_exact {
            return self.interval.is_some_and(Interval::excludes_zero);
        }
        let is_known = p_value.map_or(self.se == Some(0.0), |p| p <= confidence.error());
        self.difference != 0.0 && is_known
    }

    /// Whether it is 0 in every encounter of several, or exactly 0 as far as rounding allows.
    #[must_use]
    pub fn is_none(&self) -> bool {
        if self.is_exact {
            let is_rounding = |bounds: Interval| bounds.is_rounding(self.first);
            return { self.interval }.is_some_and(|one| !one.excludes_zero() && is_rounding(one));
        }
        self.difference == 0.0 && self.se == Some(0.0)
    }

    /// Whether the bounds of solved fights leave open if there is a difference.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let reaches_zero = { self.interval }.is_none_or(|bounds| !bounds.excludes_zero());
        self.is_exact && reaches_zero && !self.is_none()
    }

    /// The difference of the means of a metric of that kind: of those that each fight shows by itself,
    /// whatever the other does. `values` are the two distributions of all that `pairs` are of; `None` if
    /// one of them is empty.
    ///
    /// Where each shows a value in the same encounters, this is the mean of the differences. Where not, the
    /// two means are of different encounters, and are held against each other as ratios whose numerators
    /// and denominators go together (W. G. Cochran, "Sampling Techniques" (1977), 6.9).
    #[must_use]
    pub fn of_means(
        pairs: &Pairs,
        values: [&Distribution; 2],
        kind: Kind,
        luck: Luck,
        confidence: Confidence,
    ) -> Option<Self> {
        if let [Some(one), Some(other)] = values.map(Distribution::fact) {
            return Some(Self::of_bounds(one.mean?, other.mean?));
        }
        let counts = values.map(Distribution::total);
        if luck == Luck::Common && counts == [pairs.n; 2] {
            return Self::of_pairs(pairs, kind, reach(values), confidence);
        }
        let [one, other] = values.map(|values| Summary::of(values, kind, confidence));
        let (first, second) = (one.mean?, other.mean?);
        let difference = second - first;
        let covariance = match luck {
            Luck::Common => covariance(pairs, [first, second], counts),
            Luck::Separate => 0.0,
        };
        let errors = one.se.zip(other.se);
        let se = errors.map(|(one, other)| {
            let variance = one * one + other * other - 2.0 * covariance;
            variance.max(0.0).sqrt()
        });
        let correlation = errors
            .map(|(one, other)| covariance / (one * other))
            .filter(|correlation| correlation.is_finite())
            .map(|correlation| correlation.clamp(-1.0, 1.0));
        let interval = one.interval.zip(other.interval).map(|(one, other)| {
            let estimates = ((first, one), (second, other));
            intervals::of_difference(estimates.0, estimates.1, correlation.unwrap_or(0.0))
        });
        let tested = match (kind, luck) {
            (Kind::Rate, Luck::Separate) => Some(pooled([first, second], counts)),
            _ => se.filter(|&se| se > 0.0).map(|se| difference / se),
        };
        let paired = luck == Luck::Common;
        let apart = errors.map(|(one, other)| one * one + other * other);
        let shrinkage = apart.zip(se.filter(|&se| paired && se > 0.0));
        Some(Self {
            counts,
            n: pairs.n,
            first,
            second,
            difference,
            se,
            interval,
            p_value: tested.map(significance::two_sided),
            correlation: correlation.filter(|_| paired),
            shrinkage: shrinkage.map(|(apart, se)| apart / (se * se)),
            is_exact: false,
        })
    }

    /// The difference of two numbers that are known between bounds.
    #[must_use]
    pub fn of_bounds(
        [first_low, first, first_high]: [f64; 3],
        [second_low, second, second_high]: [f64; 3],
    ) -> Self {
        Self {
            first,
            second,
            difference: second - first,
            interval: Some(Interval::new(
                below(second_low - first_high),
                -below(first_low - second_high),
            )),
            is_exact: true,
            ..Self::default()
        }
    }

    /// The mean of the differences in those encounters in which both showed a value; `None` if there are
    /// none. `reach` is the greatest difference that there may be, in either direction, where that is
    /// known: it bounds what may be hidden where hardly an encounter has shown any.
    #[must_use]
    pub fn of_pairs(
        pairs: &Pairs,
        kind: Kind,
        reach: Option<f64>,
        confidence: Confidence,
    ) -> Option<Self> {
        if pairs.n == 0 {
            return None;
        }
        let n = pairs.n as f64;
        let spread = Spread::of(pairs);
        let difference = (pairs.sums[1] - pairs.sums[0]) as f64 / n;
        let apart = spread.values[0] + spread.values[1];
        let se = (pairs.n > 1).then(|| (spread.difference / (n - 1.0) / n).sqrt());
        let differences = differences(pairs);
        let differing = differences.iter().filter(|(gap, _)| *gap != 0.0);
        let seen = differing
            .clone()
            .fold(0.0, |most: f64, (gap, _)| most.max(gap.abs()));
        let reach = if kind == Kind::Rate {
            Some(1.0)
        } else if are_few(differing.map(|(_, n)| n).sum(), pairs.n) {
            reach
        } else {
            Some(seen)
        };
        let ends = reach.map(|reach| Interval::new(-reach, reach));
        let (interval, p_value) = if kind == Kind::Rate {
            let (first, second) = pairs.discordant();
            let interval = ends.and_then(|ends| intervals::of_few(&differences, ends, confidence));
            (interval, Some(significance::mcnemar(first, second)))
        } else {
            let interval = se.zip(ends).and_then(|(se, ends)| {
                intervals::of_values(&differences, (difference, se), ends, confidence)
            });
            let normal = se.map(|se| significance::two_sided(difference / se));
            let few = intervals::p_value_of_few(&differences, reach.unwrap_or(seen));
            (interval, normal.filter(|_| seen > 0.0).map(|p| p.max(few)))
        };
        Some(Self {
            counts: [pairs.n; 2],
            n: pairs.n,
            first: pairs.sums[0] as f64 / n,
            second: pairs.sums[1] as f64 / n,
            difference,
            se,
            interval,
            p_value,
            correlation: spread.correlation(),
            shrinkage: (spread.difference > 0.0).then(|| apart / spread.difference),
            is_exact: false,
        })
    }
}

/// A rounded difference, rounded down instead; 0 is the difference of equals, and exact.
fn below(difference: f64) -> f64 {
    if difference == 0.0 {
        0.0
    } else {
        difference.next_down()
    }
}

/// By how much two fights can differ in one encounter: as far as their values lie apart.
fn reach(values: [&Distribution; 2]) -> Option<f64> {
    let [one, other] = values.map(Distribution::ends);
    let ([low, high], [other_low, other_high]) = (one?, other?);
    Some(f64::from(high.max(other_high) - low.min(other_low)))
}

/// The differences that came, with the number of encounters that showed each.
fn differences(pairs: &Pairs) -> Vec<(f64, u64)> {
    let [less, more] = pairs.differing();
    let same = pairs.n - less.total() - more.total();
    let below = less.weighted().into_iter().rev();
    let below = below.map(|(gap, count)| (-gap, count));
    below.chain([(0.0, same)]).chain(more.weighted()).collect()
}

/// Returns the covariance of two means that share some of their encounters; `counts` is how many each is of.
fn covariance(pairs: &Pairs, means: [f64; 2], counts: [u64; 2]) -> f64 {
    // About whole numbers near the means, so that the great parts cancel in integers.
    let [a, b] = means.map(f64::round);
    let [whole_a, whole_b] = [a as i128, b as i128];
    let (n, [first, second]) = (i128::from(pairs.n), pairs.sums);
    let products = pairs.products - whole_a * second - whole_b * first + n * whole_a * whole_b;
    let [first, second] = [(first - n * whole_a) as f64, (second - n * whole_b) as f64];
    let (rest_a, rest_b) = (means[0] - a, means[1] - b);
    let about = products as f64 - rest_a * second - rest_b * first + n as f64 * rest_a * rest_b;
    about / counts[0] as f64 / counts[1] as f64
}

impl Difference {
    /// The difference of the medians of two distributions, of which `n` encounters showed a value in
    /// both; `None` if one is empty.
    ///
    /// Each median has an interval that misses half as often as `confidence` allows, so that both
    /// hold together; the ends of the difference are those that are farthest apart. That is safe,
    /// whatever luck the two share, and wider than need be. There is no p-value.
    #[must_use]
    pub fn of_medians(n: u64, values: [&Distribution; 2], confidence: Confidence) -> Option<Self> {
        if let [Some(one), Some(other)] = values.map(Distribution::fact) {
            let [first, second] = [one, other].map(|fact| fact.quantile(50).map(f64::from));
            let (first, second) = (first?, second?);
            let gap = second - first;
            return Some(Self {
                interval: Some(Interval::new(gap, gap)),
                ..Self::of_bounds([first; 3], [second; 3])
            });
        }
        let [first, second] = values;
        let counts = values.map(Distribution::total);
        if counts.contains(&0) {
            return None;
        }
        let median = |of| f64::from(quantile::quantile(of, 50).value);
        let each = Confidence::of_error(confidence.error() / 2.0)?;
        let interval = |of| quantile::quantile_interval(of, 50, each);
        let ends = interval(first).zip(interval(second));
        Some(Self {
            counts,
            n,
            first: median(first),
            second: median(second),
            difference: median(second) - median(first),
            interval: ends.map(|(first, second)| {
                Interval::new(second.low - first.high, second.high - first.low)
            }),
            ..Self::default()
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

/// The statistic of the test that two independent rates are one.
fn pooled(rates: [f64; 2], counts: [u64; 2]) -> f64 {
    let [n, m] = counts.map(|count| count as f64);
    let rate = (rates[0] * n + rates[1] * m) / (n + m);
    let se = (rate * (1.0 - rate) * (1.0 / n + 1.0 / m)).sqrt();
    if se > 0.0 {
        (rates[1] - rates[0]) / se
    } else {
        0.0
    }
}
