//! Values and their exact weights: the type of the answer to every dice question.

use super::series::{Die, fair_dice};
use super::weight::Weight;

/// Whole numbers, each with a weight.
///
/// Usually the weights add up to 1. A *part* of a distribution (the botched rolls of a pool, say) adds up to less: see
/// [`mass`](Self::mass). A die that explodes without limit has no greatest value; its weights are carried until they
/// fall below 10^-280, near the end of the range of `f64`.
///
/// Tails are sums of weights from their thin end, never `1 - p`, so a chance of 10^-20 has all its digits.
///
/// ```
/// use skirmish_core::dice::Distribution;
/// let two = Distribution::die(6).dice(2);
/// assert_eq!(two.probability(7), 1.0 / 6.0);
/// assert_eq!(two.at_least(11), 1.0 / 12.0);
/// assert_eq!(two.mean(), 7.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// The least value.
    pub(super) first: i64,
    /// The weights of the values from the least on.
    pub(super) weights: Vec<Weight>,
}

impl Distribution {
    /// Returns the distribution of a single certain value.
    pub fn certain(value: i64) -> Self {
        Self::single(value, Weight::ONE)
    }

    /// Returns the distribution of a fair die with faces 1 to `sides`.
    ///
    /// # Panics
    /// If `sides` is 0.
    pub fn die(sides: u32) -> Self {
        assert!(sides > 0, "a die needs a side");
        fair_dice(1, sides)
    }

    /// Creates a distribution from values and their weights, in any order. The weights of equal values add up.
    pub fn collect(terms: &[(i64, Weight)]) -> Self {
        let Some(first) = terms.iter().map(|term| term.0).min() else {
            return Self::empty();
        };
        let last = terms.iter().map(|term| term.0).max().unwrap_or(first);
        let mut weights = vec![Weight::ZERO; (last - first + 1) as usize];
        for &(exponent, weight) in terms {
            weights[(exponent - first) as usize] += weight;
        }
        Self::new(first, weights)
    }

    /// Returns the least value that has any weight; 0 if there is none.
    pub fn first(&self) -> i64 {
        self.first
    }

    /// Returns the greatest value whose weight is still carried; 0 if there is none.
    pub fn last(&self) -> i64 {
        self.first + self.weights.len().saturating_sub(1) as i64
    }

    /// Returns the values and their weights, in rising order, without impossible values.
    pub fn weights(&self) -> impl DoubleEndedIterator<Item = (i64, Weight)> + '_ {
        let first = self.first;
        let weights = self.weights.iter().enumerate();
        weights
            .filter(|(_, weight)| weight.value() > 0.0)
            .map(move |(at, &weight)| (first + at as i64, weight))
    }

    /// Returns the values and their probabilities, in rising order, without impossible values.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (i64, f64)> + '_ {
        self.weights()
            .map(|(value, weight)| (value, weight.value()))
    }

    /// Returns the weight of one value.
    pub fn weight(&self, value: i64) -> Weight {
        let at = value.checked_sub(self.first);
        at.and_then(|at| usize::try_from(at).ok())
            .and_then(|at| self.weights.get(at).copied())
            .unwrap_or(Weight::ZERO)
    }

    /// Returns the chance of one value.
    pub fn probability(&self, value: i64) -> f64 {
        self.weight(value).value()
    }

    /// Returns the weight of `value` and all greater values.
    pub fn weight_at_least(&self, value: i64) -> Weight {
        self.weights()
            .rev()
            .take_while(|term| term.0 >= value)
            .map(|term| term.1)
            .sum()
    }

    /// Returns the weight of all values below `value`.
    pub fn weight_below(&self, value: i64) -> Weight {
        self.weights()
            .take_while(|term| term.0 < value)
            .map(|term| term.1)
            .sum()
    }

    /// Returns the chance of `value` or more.
    pub fn at_least(&self, value: i64) -> f64 {
        self.weight_at_least(value).value()
    }

    /// Returns the chance of `value` or less.
    pub fn at_most(&self, value: i64) -> f64 {
        self.weight_below(value.saturating_add(1)).value()
    }

    /// Returns the chance of less than `value`.
    pub fn below(&self, value: i64) -> f64 {
        self.weight_below(value).value()
    }

    /// Returns every value with the chances of exactly it, of it or more, and of it or less, in rising order. The tails
    /// take one pass from each end.
    pub fn rows(&self) -> Vec<(i64, [f64; 3])> {
        let mut below = Weight::ZERO;
        let mut rows: Vec<_> = self
            .weights()
            .map(|(value, weight)| {
                below += weight;
                (value, [weight.value(), 0.0, below.value()])
            })
            .collect();
        let mut above = Weight::ZERO;
        for ((_, [_, at_least, _]), (_, weight)) in rows.iter_mut().rev().zip(self.weights().rev())
        {
            above += weight;
            *at_least = above.value();
        }
        rows
    }

    /// Returns the sum of all weights: 1 for a whole distribution.
    pub fn mass(&self) -> Weight {
        self.weights().map(|term| term.1).sum()
    }

    /// Returns the mean; of a partial distribution, the mean of that part.
    pub fn mean(&self) -> f64 {
        self.mean_and_sd().0
    }

    /// Returns the standard deviation.
    pub fn sd(&self) -> f64 {
        self.mean_and_sd().1
    }

    /// Returns the mean and the standard deviation.
    pub fn mean_and_sd(&self) -> (f64, f64) {
        let (mass, first, second) = self.moments();
        let above = first / mass;
        let variance = second / mass - above * above;
        let least = self.first as f64;
        let mean = (Weight::from(least) + above).value();
        // A mean of 0 is exactly 0, without rounding errors.
        let is_none = mean.abs() < 1e-28 * least.abs();
        (if is_none { 0.0 } else { mean }, variance.sqrt())
    }

    /// Returns the mass, and the first and second moments about the least value. Terms too small to affect a moment are
    /// left out: a weight below the 10^-70th part of the heaviest is lost in the rounding, for values up to 10^15.
    fn moments(&self) -> (Weight, Weight, Weight) {
        let weights = &self.weights;
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

    /// Returns the distribution of the sum of `count` independent rolls.
    pub fn dice(&self, count: u32) -> Self {
        Die::plain(self.clone()).dice(count)
    }

    /// Returns the distribution with every value moved by `step`.
    pub fn shifted(&self, step: i64) -> Self {
        Self {
            first: self.first + step,
            weights: self.weights.clone(),
        }
    }

    /// Returns the distribution with every value negated.
    pub fn negated(&self) -> Self {
        Self {
            first: -self.last(),
            weights: self.weights.iter().rev().copied().collect(),
        }
    }

    /// Returns the distribution with every value replaced by `change` of it.
    pub fn map(&self, change: impl Fn(i64) -> i64) -> Self {
        let terms: Vec<_> = self.weights().map(|(v, w)| (change(v), w)).collect();
        Self::collect(&terms)
    }

    /// Returns the distribution of the product of this and an independent roll of `other`.
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
        Self::new(low, weights)
    }

    /// Returns the values from `low` to `high` as a part.
    pub fn part(&self, low: i64, high: i64) -> Self {
        let (low, high) = (low.max(self.first()), high.min(self.last()));
        if low > high || self.is_empty() {
            return Self::empty();
        }
        let at = |value: i64| (value - self.first) as usize;
        let weights = self.weights[at(low)..=at(high)].to_vec();
        Self::new(low, weights)
    }

    /// Returns the chances that a roll of this is higher than, equal to and lower than an independent roll of `other`.
    pub fn versus(&self, other: &Self) -> [f64; 3] {
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
        [below(self, other), tie.value(), below(other, self)]
    }
}
