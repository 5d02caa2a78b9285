//! Distributions as power series with positive coefficients, which represent sums of many dice.
//!
//! A die is a polynomial whose exponents are its values. A die that rolls again is `once + chain / (1 - again)`:
//! `again` holds the faces that are rolled again, so dividing by `1 - again` follows every chain of them without end.
//! Everything here adds and multiplies positive numbers, so no digits are ever lost in a difference.

use super::distribution::Distribution;
use super::weight::{FLOOR, Weight};

impl Distribution {
    /// Creates a series from coefficients. Vanishing coefficients at both ends are trimmed.
    pub(crate) fn new(first: i64, weights: Vec<Weight>) -> Self {
        let mut series = Self { first, weights };
        series.trim();
        series
    }

    /// Returns the series with `weight` at one exponent.
    pub(crate) fn single(exponent: i64, weight: Weight) -> Self {
        Self::new(exponent, vec![weight])
    }

    /// Returns the series without terms.
    pub(crate) const fn empty() -> Self {
        Self {
            first: 0,
            weights: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    fn trim(&mut self) {
        while self.weights.last().is_some_and(|weight| weight.vanishes()) {
            self.weights.pop();
        }
        let lead = self.weights.iter().take_while(|w| w.vanishes()).count();
        self.weights.drain(..lead);
        self.first += lead as i64;
    }

    /// Returns the series with its coefficients multiplied by a weight.
    pub(crate) fn scaled(&self, factor: Weight) -> Self {
        let weights = self.weights.iter().map(|&weight| weight * factor).collect();
        Self::new(self.first, weights)
    }

    /// Returns this and another part together, with their weights added.
    pub fn with(&self, other: &Self) -> Self {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        let first = self.first.min(other.first);
        let last = self.last().max(other.last());
        let mut weights = vec![Weight::ZERO; (last - first + 1) as usize];
        for series in [self, other] {
            let offset = (series.first - first) as usize;
            for (slot, &weight) in weights[offset..].iter_mut().zip(&series.weights) {
                *slot += weight;
            }
        }
        Self { first, weights }
    }

    /// Returns the number of terms with exponents below a limit, for a series without end.
    fn terms_below(&self, limit: i64) -> usize {
        let terms = limit.saturating_sub(self.first).max(0);
        usize::try_from(terms).unwrap_or(usize::MAX)
    }

    /// Returns the terms below the exponent `limit`.
    fn cut(mut self, limit: i64) -> Self {
        self.weights.truncate(self.terms_below(limit));
        self
    }

    /// Returns the distribution of the sum of this and an independent roll of `other`.
    pub fn plus(&self, other: &Self) -> Self {
        let (long, short) = if self.weights.len() < other.weights.len() {
            (other, self)
        } else {
            (self, other)
        };
        if short.is_empty() {
            return Self::empty();
        }
        let mut weights = vec![Weight::ZERO; long.weights.len() + short.weights.len() - 1];
        for (shift, &factor) in short.weights.iter().enumerate() {
            if factor.vanishes() {
                continue;
            }
            for (slot, &weight) in weights[shift..].iter_mut().zip(&long.weights) {
                *slot += weight * factor;
            }
        }
        Self::new(self.first + other.first, weights)
    }

    /// Returns the terms below the exponent `limit` of this series divided by `1 - again`. All exponents of `again` are above 0, and its sum is below 1.
    ///
    /// The quotient has no end; it is carried until a whole stride of it weighs less than `least`.
    pub(crate) fn over_one_minus(&self, again: &Self, least: f64, limit: i64) -> Self {
        if again.is_empty() || self.is_empty() {
            return self.clone();
        }
        debug_assert!(again.first > 0, "a chain must move upwards");
        let stride = again.last() as usize;
        let steps: Vec<(usize, Weight)> = (again.first as usize..)
            .zip(again.weights.iter().copied())
            .filter(|(_, weight)| !weight.vanishes())
            .collect();
        let mut weights = self.weights.clone();
        let mut quiet = 0;
        for at in 0..self.terms_below(limit) {
            if at >= weights.len() {
                weights.push(Weight::ZERO);
            }
            let mut sum = weights[at];
            for &(back, weight) in steps.iter().take_while(|(back, _)| *back <= at) {
                sum += weights[at - back] * weight;
            }
            weights[at] = sum;
            quiet = if sum.value() < least { quiet + 1 } else { 0 };
            if at + 1 >= self.weights.len() && quiet >= stride {
                break;
            }
        }
        Self::new(self.first, weights)
    }
}

/// One die that may roll again: `once + chain / (1 - again)`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Die {
    /// The faces that end the die at once.
    pub(crate) once: Distribution,
    /// The ends of chains of any length, multiplied by the faces that begin a chain.
    pub(crate) chain: Distribution,
    /// The faces that continue a chain.
    pub(crate) again: Distribution,
    /// The weight down to which a chain is followed.
    pub(crate) least: f64,
}

/// Up to this many dice are multiplied one by one; more, by halves.
const ONE_BY_ONE: u32 = 24;

impl Die {
    /// Creates a die with these values that never rolls again.
    pub(crate) fn plain(once: Distribution) -> Self {
        Self {
            once,
            chain: Distribution::empty(),
            again: Distribution::empty(),
            least: FLOOR,
        }
    }

    /// Returns the series of `sum` with one more such die.
    pub(crate) fn add_to(&self, sum: &Distribution) -> Distribution {
        self.add_below(sum, i64::MAX)
    }

    /// Returns the terms of [`add_to`](Self::add_to) below the exponent `limit`.
    pub(crate) fn add_below(&self, sum: &Distribution, limit: i64) -> Distribution {
        let once = sum.plus(&self.once).cut(limit);
        if self.chain.is_empty() {
            return once;
        }
        let chain = sum.plus(&self.chain).cut(limit);
        once.with(&chain.over_one_minus(&self.again, self.least, limit))
    }

    /// Returns the series of `count` such dice.
    pub(crate) fn dice(&self, count: u32) -> Distribution {
        if count <= ONE_BY_ONE {
            return (0..count).fold(Distribution::certain(0), |sum, _| self.add_to(&sum));
        }
        let half = self.dice(count / 2);
        let whole = half.plus(&half);
        if count % 2 == 1 {
            self.add_to(&whole)
        } else {
            whole
        }
    }
}

/// Returns the sum of `count` fair dice of `sides` sides.
pub(crate) fn fair_dice(count: u32, sides: u32) -> Distribution {
    let none = Distribution::certain(0);
    (0..count).fold(none, |sum, _| fair_die_more(&sum, sides))
}

/// Returns the series of `sum` with one more fair die of `sides` sides. The result is a moving sum over `sides` terms,
/// computed as the tail of one block and the head of the next, so that three additions are enough for any number of
/// sides and nothing is subtracted.
pub(crate) fn fair_die_more(sum: &Distribution, sides: u32) -> Distribution {
    let share = Weight::ratio(1, sides);
    let width = sides as usize;
    let length = sum.weights.len() + width - 1;
    let term = |at: usize| sum.weights.get(at).copied().unwrap_or(Weight::ZERO);
    let mut weights = vec![Weight::ZERO; length];
    let mut tails = vec![Weight::ZERO; width];
    let mut block = 0;
    while block < length {
        // `tails` holds the sums up to the end of the previous block.
        let mut head = Weight::ZERO;
        for place in 0..width.min(length - block) {
            head += term(block + place);
            let tail = tails.get(place + 1).copied().unwrap_or(Weight::ZERO);
            weights[block + place] = (head + tail) * share;
        }
        let mut tail = Weight::ZERO;
        for place in (0..width).rev() {
            tail += term(block + place);
            tails[place] = tail;
        }
        block += width;
    }
    Distribution::new(sum.first + 1, weights)
}

#[cfg(test)]
mod tests {
    use super::{Die, Distribution, fair_dice};
    use crate::dice::weight::{FLOOR, Weight};

    fn close(left: &Distribution, right: &Distribution) -> bool {
        left.first == right.first
            && left.weights.len() == right.weights.len()
            && left
                .weights
                .iter()
                .zip(&right.weights)
                .all(|(l, r)| (*l - *r).value().abs() <= 1e-28 * r.value())
    }

    #[test]
    fn fair_dice_are_dice() {
        for (count, sides) in [(1, 1), (3, 6), (2, 10), (5, 7), (30, 4)] {
            let faces: Vec<_> = (1..=i64::from(sides))
                .map(|face| (face, Weight::ratio(1, sides)))
                .collect();
            let slow = Die::plain(Distribution::collect(&faces)).dice(count);
            assert!(close(&fair_dice(count, sides), &slow), "{count}d{sides}");
        }
    }

    #[test]
    fn a_chain_is_a_geometric_series() {
        let half = Distribution::single(1, Weight::ratio(1, 2));
        let chain = half.over_one_minus(&half, FLOOR, i64::MAX);
        assert_eq!(chain.first, 1);
        assert!(chain.weights.len() > 900);
        let sum: Weight = chain.weights.iter().copied().sum();
        assert!((sum - Weight::ONE).value().abs() < 1e-30);
    }

    #[test]
    fn many_dice_by_halves_are_dice_one_by_one() {
        let die = Die {
            once: Distribution::empty(),
            chain: Distribution::collect(&[(0, Weight::ratio(7, 10)), (1, Weight::ratio(2, 10))]),
            again: Distribution::single(1, Weight::ratio(1, 10)),
            least: FLOOR,
        };
        let slow = (0..50).fold(Distribution::certain(0), |sum, _| die.add_to(&sum));
        let fast = die.dice(50);
        assert_eq!(fast.first, slow.first);
        for (l, r) in fast.weights.iter().zip(&slow.weights).take(250) {
            assert!((*l - *r).value().abs() <= 1e-26 * r.value());
        }
    }
}
