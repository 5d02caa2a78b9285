//! Statistics of pairs: differences, their certainty, and the gain from pairing.

use super::intervals::{self, Interval};
use super::{Confidence, Summary, quantile, significance};
use crate::names::named;
use crate::tally::{Distribution, Kind, Pairs, are_few};

/// The difference between two fights in one metric: second less first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Difference {
    /// The number of encounters behind each of the two values.
    pub counts: [u64; 2],
    /// The number of encounters in which both fights showed a value.
    pub n: u64,
    /// The value of the first fight.
    pub first: f64,
    /// The value of the second fight.
    pub second: f64,
    /// The second value less the first.
    pub difference: f64,
    /// The standard error of the difference; `None` with fewer than two encounters.
    pub se: Option<f64>,
    /// The interval for the difference; `None` if nothing is known about the spread.
    pub interval: Option<Interval>,
    /// The probability that chance alone shows a difference at least as great, in either direction, if there is none.
    pub p_value: Option<f64>,
    /// The correlation of the two values; `None` if one of them never changed, or if the fights have separate dice.
    pub correlation: Option<f64>,
    /// The factor by which pairing has reduced the variance of the difference, compared with separate dice; `None` if
    /// nothing varied.
    pub shrinkage: Option<f64>,
    /// Whether the fights were solved: the difference is exact, the interval holds guaranteed bounds, and nothing was
    /// counted.
    pub is_exact: bool,
}

named! {
    /// Whether two fights use the same dice.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Luck {
        /// The same dice in each encounter: the shared variation cancels in the difference.
        Common "common";
        /// Separate dice for each fight.
        Separate "separate";
    }
}

impl Difference {
    /// Returns whether there is a difference: by the bounds of solved fights, or by a p-value, adjusted or not. Without
    /// a p-value, there is one if the difference was the same in every encounter, and these are not few.
    pub fn is_apart(&self, p_value: Option<f64>, confidence: Confidence) -> bool {
        if self.is_exact {
            return self.interval.is_some_and(Interval::excludes_zero);
        }
        let is_same = || self.se == Some(0.0) && !self.counts.iter().any(|n| are_few(*n, *n));
        let is_known = p_value.map_or_else(is_same, |p| p <= confidence.error());
        self.difference != 0.0 && is_known
    }

    /// Returns whether the difference is 0 in every one of several encounters, or exactly 0 as far as rounding allows.
    pub fn is_none(&self) -> bool {
        if self.is_exact {
            let is_rounding = |bounds: Interval| bounds.is_rounding(self.first);
            return { self.interval }.is_some_and(|one| !one.excludes_zero() && is_rounding(one));
        }
        self.difference == 0.0 && self.se == Some(0.0)
    }

    /// Returns whether the bounds of solved fights leave open whether there is a difference.
    pub fn is_open(&self) -> bool {
        let reaches_zero = { self.interval }.is_none_or(|bounds| !bounds.excludes_zero());
        self.is_exact && reaches_zero && !self.is_none()
    }

    /// Returns the difference of the means of a metric of kind `kind`, each mean over all encounters in which its own
    /// fight shows a value. `values` are the two distributions of all encounters that `pairs` counts. `None` if one of
    /// them is empty.
    ///
    /// If both fights show a value in every encounter, this is the mean of the differences. Otherwise the two means are
    /// of different encounters, and are compared as ratios whose numerators and denominators are correlated (W. G.
    /// Cochran, "Sampling Techniques" (1977), 6.9). There is no p-value then if one of the means is of few encounters.
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
            return Self::of_pairs(pairs, kind, Self::reach(values), confidence);
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
            _ if counts.iter().any(|n| are_few(*n, *n)) => None,
            (Kind::Rate, Luck::Separate) => pooled([first, second], counts),
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

    /// Returns the difference of two numbers that are known between bounds.
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

    /// Returns the greatest possible difference of two fights in one encounter, if their limits are known. No value is below
    /// 0. The values that came do not bound it: what the two fights do differently may be rare in both.
    pub fn reach(values: [&Distribution; 2]) -> Option<f64> {
        let [one, other] = values.map(Distribution::limit);
        Some(one?.max(other?).into())
    }

    /// Returns the mean of the differences over the encounters in which both fights showed a value; `None` if there are
    /// none. `reach` is the greatest possible difference in either direction, if it is known. It bounds the unseen
    /// differences where hardly any encounter has shown one.
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
            (interval, normal.map(|p| p.max(few)))
        };
        Some(Self {
            counts: [pairs.n; 2],
            n: pairs.n,
            first: pairs.sums[0] as f64 / n,
            second: pairs.sums[1] as f64 / n,
            difference,
            se,
            interval,
            p_value: p_value.filter(|_| seen > 0.0),
            correlation: spread.correlation(),
            shrinkage: (spread.difference > 0.0).then(|| apart / spread.difference),
            is_exact: false,
        })
    }
}

/// Rounds a difference down instead of to nearest. A difference of 0 is that of equal numbers, and exact.
fn below(difference: f64) -> f64 {
    if difference == 0.0 {
        0.0
    } else {
        difference.next_down()
    }
}

/// Returns the differences that occurred, each with the number of encounters that showed it.
fn differences(pairs: &Pairs) -> Vec<(f64, u64)> {
    let [less, more] = pairs.differing();
    let same = pairs.n - less.total() - more.total();
    let below = less.weighted().into_iter().rev();
    let below = below.map(|(gap, count)| (-gap, count));
    below.chain([(0.0, same)]).chain(more.weighted()).collect()
}

/// Returns the covariance of two means that share some of their encounters. `counts` are the numbers of encounters of
/// the two means.
fn covariance(pairs: &Pairs, means: [f64; 2], counts: [u64; 2]) -> f64 {
    // Products are taken about whole numbers near the means, so that the large parts cancel in integers.
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
    /// Returns the difference of the medians of two distributions; `None` if one is empty. `n` is the number of
    /// encounters that showed a value in both.
    ///
    /// Each median has an interval that misses half as often as `confidence` allows, so that both hold together. The
    /// ends of the difference are those farthest apart. This is safe whatever dice the two fights share, and wider than
    /// necessary. There is no p-value.
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

/// Sums of squares and products about the means.
struct Spread {
    values: [f64; 2],
    products: f64,
    difference: f64,
}

impl Spread {
    /// Computes the sums. Squares are taken about the whole numbers nearest to the means, so that the large parts
    /// cancel in integers and no digits are lost.
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

/// Returns the statistic of the test that two independent rates are equal; `None` if nothing varied.
fn pooled(rates: [f64; 2], counts: [u64; 2]) -> Option<f64> {
    let [n, m] = counts.map(|count| count as f64);
    let rate = (rates[0] * n + rates[1] * m) / (n + m);
    let se = (rate * (1.0 - rate) * (1.0 / n + 1.0 / m)).sqrt();
    (se > 0.0).then(|| (rates[1] - rates[0]) / se)
}
