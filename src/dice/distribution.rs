//! Values and their exact weights: the one type in which every dice question is answered.

use super::series::Series;
use super::weight::Weight;

/// Whole values and the weight of each.
///
/// Usually the weights add up to 1; a *part* of a distribution (the botched rolls of a pool, say)
/// adds up to less, which [`mass`](Self::mass) tells. A die that explodes without limit has no
/// greatest value: its weights are carried until they fall below 10^-280, where an `f64` ends.
///
/// Tails are sums of weights from their thin end, never `1 - p`, so a chance of 10^-20 has all its
/// digits.
///
/// ```
/// use skirmish::dice::Distribution;
/// let two = Distribution::die(6).dice(2);
/// assert_eq!(two.probability(7), 1.0 / 6.0);
/// assert_eq!(two.at_least(11), 1.0 / 12.0);
/// assert_eq!(two.mean(), 7.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    series: Series,
}

/// How two independent throws compare.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Versus {
    /// The first is higher.
    pub win: f64,
    /// Both are equal.
    pub tie: f64,
    /// The first is lower.
    pub lose: f64,
}

/// One value of a distribution, with its tails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The value.
    pub value: i64,
    /// The chance of exactly it.
    pub exactly: f64,
    /// The chance of it or more.
    pub at_least: f64,
    /// The chance of it or less.
    pub at_most: f64,
}

impl Distribution {
    /// One value, for sure.
    #[must_use]
    pub fn certain(value: i64) -> Self {
        Self::from(Series::single(value, Weight::ONE))
    }

    /// A fair die with faces 1 to `sides`.
    ///
    /// # Panics
    /// If it has no sides.
    #[must_use]
    pub fn die(sides: u32) -> Self {
        assert!(sides > 0, "a die needs a side");
        Self::from(super::series::fair_dice(1, sides))
    }

    /// From values and their weights, in any order; equal values add up.
    #[must_use]
    pub fn collect(terms: &[(i64, Weight)]) -> Self {
        Self::from(Series::collect(terms))
    }

    /// The least value that has any weight; 0 if none has.
    #[must_use]
    pub fn first(&self) -> i64 {
        self.series.first
    }

    /// The greatest value whose weight is still carried; 0 if none is.
    #[must_use]
    pub fn last(&self) -> i64 {
        if self.series.is_empty() {
            self.series.first
        } else {
            self.series.last()
        }
    }

    /// Values and weights, upwards, without those that cannot come.
    #[must_use]
    pub fn weights(&self) -> impl DoubleEndedIterator<Item = (i64, Weight)> + '_ {
        let first = self.series.first;
        let weights = self.series.weights.iter().enumerate();
        weights
            .filter(|(_, weight)| weight.value() > 0.0)
            .map(move |(at, &weight)| (first + at as i64, weight))
    }

    /// Values and probabilities, upwards, without those that cannot come.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (i64, f64)> + '_ {
        self.weights()
            .map(|(value, weight)| (value, weight.value()))
    }

    /// The weight of one value.
    #[must_use]
    pub fn weight(&self, value: i64) -> Weight {
        let at = value.checked_sub(self.series.first);
        at.and_then(|at| usize::try_from(at).ok())
            .and_then(|at| self.series.weights.get(at).copied())
            .unwrap_or(Weight::ZERO)
    }

    /// The chance of one value.
    #[must_use]
    pub fn probability(&self, value: i64) -> f64 {
        self.weight(value).value()
    }

    /// The weight of `value` and everything above it.
    #[must_use]
    pub fn weight_at_least(&self, value: i64) -> Weight {
        self.weights()
            .rev()
            .take_while(|term| term.0 >= value)
            .map(|term| term.1)
            .sum()
    }

    /// The weight of everything below `value`.
    #[must_use]
    pub fn weight_below(&self, value: i64) -> Weight {
        self.weights()
            .take_while(|term| term.0 < value)
            .map(|term| term.1)
            .sum()
    }

    /// The chance of `value` or more.
    #[must_use]
    pub fn at_least(&self, value: i64) -> f64 {
        self.weight_at_least(value).value()
    }

    /// The chance of `value` or less.
    #[must_use]
    pub fn at_most(&self, value: i64) -> f64 {
        self.weight_below(value.saturating_add(1)).value()
    }

    /// The chance of less than `value`.
    #[must_use]
    pub fn below(&self, value: i64) -> f64 {
        self.weight_below(value).value()
    }

    /// Every value with its tails, upwards, in one pass from either end.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let mut below = Weight::ZERO;
        let mut rows: Vec<Row> = self
            .weights()
            .map(|(value, weight)| {
                below += weight;
                Row {
                    value,
                    exactly: weight.value(),
                    at_least: 0.0,
                    at_most: below.value(),
                }
            })
            .collect();
        let mut above = Weight::ZERO;
        for (row, (_, weight)) in rows.iter_mut().rev().zip(self.weights().rev()) {
            above += weight;
            row.at_least = above.value();
        }
        rows
    }

    /// The sum of all weights: 1 for a whole distribution.
    #[must_use]
    pub fn mass(&self) -> Weight {
        self.weights().map(|term| term.1).sum()
    }

    /// Returns the mean; of a partial distribution, the mean of that part.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.weight_mean().value()
    }

    /// The mean, with all its digits.
    #[must_use]
    pub fn weight_mean(&self) -> Weight {
        let (mass, first, _) = self.moments();
        self.above_least(first / mass)
    }

    /// The sum of the least value and a number; a mean of 0 has no digits left over from rounding.
    fn above_least(&self, more: Weight) -> Weight {
        let least = self.series.first as f64;
        let sum = Weight::from(least) + more;
        if sum.value().abs() < 1e-28 * least.abs() {
            Weight::ZERO
        } else {
            sum
        }
    }

    /// The standard deviation.
    #[must_use]
    pub fn sd(&self) -> f64 {
        self.mean_and_sd().1
    }

    /// Mean and standard deviation.
    #[must_use]
    pub fn mean_and_sd(&self) -> (f64, f64) {
        let (mass, first, second) = self.moments();
        let mean = first / mass;
        let variance = second / mass - mean * mean;
        (self.above_least(mean).value(), variance.sqrt())
    }

    /// The mass, and the first and second moments about the least value. Terms that no moment
    /// can feel are left out: a weight below the 10^-70th part of the heaviest is lost in the
    /// rounding, for values up to 10^15.
    fn moments(&self) -> (Weight, Weight, Weight) {
        let weights = &self.series.weights;
        let heaviest = weights.iter().map(|weight| weight.value());
        let least = heaviest.fold(0.0, f64::max) * 1e-70;
        let felt = |weight: &Weight| weight.value() >= least;
        let low = weights.iter().position(felt).unwrap_or(0);
        let high = weights.iter().rposition(felt).map_or(low, |at| at + 1);
        let (mut mass, mut first, mut second) = (Weight::ZERO, Weight::ZERO, Weight::ZERO);
        for (at, &weight) in weights[low..high].iter().enumerate() {
            let apart = Weight::from((low + at) as f64);
            let moment = weight * apart;
            mass += weight;
            first += moment;
            second += moment * apart;
        }
        (mass, first, second)
    }

    /// The least value at which at least `share` of the weight lies at or below.
    #[must_use]
    pub fn quantile(&self, share: f64) -> i64 {
        let wanted = self.mass() * Weight::from(share);
        let mut sum = Weight::ZERO;
        for (value, weight) in self.weights() {
            sum += weight;
            if sum >= wanted {
                return value;
            }
        }
        self.last()
    }

    /// The sum of this and an independent throw of `other`.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::from(self.series.times(&other.series))
    }

    /// The sum of `count` independent throws.
    #[must_use]
    pub fn dice(&self, count: u32) -> Self {
        Self::from(super::series::Die::plain(self.series.clone()).dice(count))
    }

    /// Every value moved by `step`.
    #[must_use]
    pub fn shifted(&self, step: i64) -> Self {
        let mut series = self.series.clone();
        series.first += step;
        Self { series }
    }

    /// Every value with its sign turned.
    #[must_use]
    pub fn negated(&self) -> Self {
        let mut weights = self.series.weights.clone();
        weights.reverse();
        Self {
            series: Series {
                first: -self.last(),
                weights,
            },
        }
    }

    /// Every value replaced by what `change` makes of it.
    #[must_use]
    pub fn map(&self, change: impl Fn(i64) -> i64) -> Self {
        let terms: Vec<_> = self.weights().map(|(v, w)| (change(v), w)).collect();
        Self::collect(&terms)
    }

    /// The product of this and an independent throw of `other`.
    #[must_use]
    pub fn product(&self, other: &Self) -> Self {
        let ends = [self.first(), self.last()].map(|a| [a * other.first(), a * other.last()]);
        let (low, high) = (ends.iter().flatten().min(), ends.iter().flatten().max());
        let (Some(&low), Some(&high)) = (low, high) else {
            return self.clone();
        };
        let mut weights = vec![Weight::ZERO; (high - low + 1) as usize];
        for (left, a) in self.weights() {
            for (right, b) in other.weights() {
                weights[(left * right - low) as usize] += a * b;
            }
        }
        Self::from(Series::new(low, weights))
    }

    /// This and another part together, weights added.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self::from(self.series.plus(&other.series))
    }

    /// The values from `low` to `high` as a part.
    #[must_use]
    pub fn part(&self, low: i64, high: i64) -> Self {
        let (low, high) = (low.max(self.first()), high.min(self.last()));
        if low > high || self.series.is_empty() {
            return Self::from(Series::empty());
        }
        let at = |value: i64| (value - self.series.first) as usize;
        let weights = self.series.weights[at(low)..=at(high)].to_vec();
        Self::from(Series::new(low, weights))
    }

    /// How a throw of this compares with an independent throw of `other`.
    #[must_use]
    pub fn versus(&self, other: &Self) -> Versus {
        let below = |mine: &Self, theirs: &Self| {
            let mut rest = theirs.weights().peekable();
            let (mut under, mut sum) = (Weight::ZERO, Weight::ZERO);
            for (value, weight) in mine.weights() {
                while let Some((_, lower)) = rest.next_if(|term| term.0 < value) {
                    under += lower;
                }
                sum += weight * under;
            }
            sum.value()
        };
        let tie: Weight = self
            .weights()
            .map(|(value, weight)| weight * other.weight(value))
            .sum();
        Versus {
            win: below(self, other),
            tie: tie.value(),
            lose: below(other, self),
        }
    }
}

impl From<Series> for Distribution {
    fn from(series: Series) -> Self {
        Self { series }
    }
}
