//! Exact odds of a pool in which more 1s than successes botch at any time (MD-2): after the first roll, and again after
//! each extra die.
//!
//! The first roll is sorted by its number of 10s. Then the chains of extra dice of the 10s are rolled one after the
//! other, for all rolls with any 10s left. Rolls that have had more 1s than successes are kept apart from then on. A
//! row holds rolls by their net successes; if 1s do not cancel, there is a row for each number of 1s.

use super::{FaceValue, Pool};
use crate::dice::distribution::Distribution;
use crate::dice::weight::Weight;

/// Rolls by the number of their 1s (all in one row if 1s cancel) and by net successes.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows(Vec<Distribution>);

impl Rows {
    /// Returns the rows with one more die, which is not rolled again. It has the chances of a success, of neither, and of
    /// a 1.
    fn with_die(&self, [success, blank, one]: [Weight; 3], cancel: bool) -> Self {
        let stay = [(0, blank), (1, success)];
        let mut rows: Vec<Distribution>;
        if cancel {
            let die = Distribution::collect(&[(-1, one), stay[0], stay[1]]);
            rows = self.0.iter().map(|row| row.plus(&die)).collect();
        } else {
            let die = Distribution::collect(&stay);
            rows = self.0.iter().map(|row| row.plus(&die)).collect();
            rows.push(Distribution::empty());
            for (at, row) in self.0.iter().enumerate() {
                rows[at + 1] = rows[at + 1].with(&row.scaled(one));
            }
            while rows.last().is_some_and(Distribution::is_empty) {
                rows.pop();
            }
        }
        Self(rows)
    }

    fn map(&self, row: impl Fn(&Distribution) -> Distribution) -> Self {
        Self(self.0.iter().map(row).collect())
    }

    fn with(&self, other: &Self) -> Self {
        let length = self.0.len().max(other.0.len());
        let none = Distribution::empty();
        let row = |rows: &Self, at: usize| rows.0.get(at).unwrap_or(&none).clone();
        Self(
            (0..length)
                .map(|at| row(self, at).with(&row(other, at)))
                .collect(),
        )
    }

    /// Returns the rolls without and the rolls with more 1s than successes.
    fn parted(&self) -> (Self, Self) {
        let rows = || (0..).zip(&self.0);
        let clean = rows().map(|(ones, row)| row.part(ones, i64::MAX));
        let exceeded = rows().map(|(ones, row)| row.part(i64::MIN, ones - 1));
        (Self(clean.collect()), Self(exceeded.collect()))
    }

    /// Returns all rows together, by net successes.
    fn sum(&self) -> Distribution {
        let rows = self.0.iter();
        rows.fold(Distribution::empty(), |sum, row| sum.with(row))
    }
}

impl Pool {
    /// Returns the chance that a die is rolled again, and the chances of a success, of neither, and of a 1 otherwise.
    fn chances(&self, is_extra: bool) -> (Weight, [Weight; 3]) {
        let count = |wanted: fn(FaceValue) -> bool| {
            let faces = self.faces(is_extra).filter(|face| wanted(*face)).count();
            Weight::ratio(faces as u32, self.sides)
        };
        let ends = [
            count(|face| face.again == 0 && face.successes > 0),
            count(|face| face.again == 0 && face.successes == 0 && face.ones == 0),
            count(|face| face.again == 0 && face.ones > 0),
        ];
        (count(|face| face.again > 0), ends)
    }

    /// Returns the rolls of `dice` dice that never had more 1s than successes, and those that had, by their final net.
    /// Chains of extra dice are followed down to the weight `least`.
    pub(super) fn stepwise(&self, dice: u32, least: f64) -> (Distribution, Distribution) {
        let cancel = self.ones_cancel;
        let (ten, plain) = self.chances(false);
        let (again, last) = self.chances(true);
        let carries = Distribution::single(1, again);
        // A chain of extra dice consists of 10s, each a success, and a last die that is not rolled again. Only the last
        // die can be a 1, so a chain is judged at its end.
        let chain = |rows: &Rows| {
            let rows = rows.with_die(last, cancel);
            rows.map(|row| row.over_one_minus(&carries, least, i64::MAX))
        };
        let (mut clean, mut exceeded) = (Rows::default(), Rows::default());
        let mut others = Rows(vec![Distribution::certain(0)]);
        // From all 10s down to none.
        for (tens, ways) in ways(dice, ten).into_iter().enumerate().rev() {
            let shifted = others.map(|row| row.scaled(ways).shifted(tens as i64));
            others = others.with_die(plain, cancel);
            let (still, parted) = chain(&clean).parted();
            exceeded = chain(&exceeded).with(&parted);
            let (first, parted) = shifted.parted();
            clean = still.with(&first);
            exceeded = exceeded.with(&parted);
        }
        (clean.sum(), exceeded.sum())
    }
}

/// Returns, for each number of 10s among `dice` dice, the number of ways to place them times the weight of these 10s,
/// without the weight of the other dice.
fn ways(dice: u32, ten: Weight) -> Vec<Weight> {
    let mut ways = vec![Weight::ONE];
    for tens in 0..dice {
        let last = ways[tens as usize];
        ways.push(last * ten * Weight::ratio(dice - tens, tens + 1));
    }
    ways
}
