//! Pairs: the values of two fights in the same encounters.

use super::code::{self, Malformed, Reader, contradicts};
use super::{Distribution, Histogram};
use std::ops::Range;

/// A metric of two fights in the same encounters, counted in integers.
///
/// The counts of the differences determine the mean difference; the sums determine the correlation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pairs {
    /// The number of encounters in which both fights showed a value.
    pub n: u64,
    /// The sums of the values, first and second.
    pub sums: [i128; 2],
    /// The sums of the squares.
    pub squares: [i128; 2],
    /// The sum of the products.
    pub products: i128,
    /// Histograms of the differences: where the second value was less than the first, and where it was more.
    differing: [Histogram; 2],
}

impl Pairs {
    /// Counts an encounter. Values and their differences fit in 32 bits.
    #[inline]
    pub fn add(&mut self, encounter: u64, first: i64, second: i64) {
        if first != second {
            let gap = first.abs_diff(second) as u32;
            self.differing[usize::from(second > first)].add(gap, encounter);
        }
        let (first, second) = (i128::from(first), i128::from(second));
        self.n += 1;
        self.sums[0] += first;
        self.sums[1] += second;
        self.squares[0] += first * first;
        self.squares[1] += second * second;
        self.products += first * second;
    }

    /// Adds all counts of other pairs.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        for index in 0..2 {
            self.sums[index] += other.sums[index];
            self.squares[index] += other.squares[index];
            self.differing[index].merge(&other.differing[index]);
        }
        self.products += other.products;
    }

    /// Writes the pairs, which cover `encounters`: their number, and, if there are any, the sums and the histograms of
    /// the differences.
    pub(crate) fn encode(&self, encounters: &Range<u64>, out: &mut Vec<u8>) {
        code::write(self.n, out);
        if self.n > 0 {
            for sum in [self.sums, self.squares].into_iter().flatten() {
                code::write_wide(sum.unsigned_abs(), out);
            }
            code::write_wide(self.products.unsigned_abs(), out);
            for histogram in &self.differing {
                histogram.encode(encounters, out);
            }
        }
    }

    /// Reads pairs that cover `encounters`. Metrics are whole numbers of 32 bits and never negative, so their sums are
    /// not negative either.
    pub(crate) fn decode(
        encounters: &Range<u64>,
        bytes: &mut Reader<'_>,
    ) -> Result<Self, Malformed> {
        const GREATEST: u128 = u32::MAX as u128;
        let n = bytes.number()?;
        if n > encounters.end - encounters.start {
            return contradicts("more pairs than encounters that were played");
        }
        if n == 0 {
            return Ok(Self::default());
        }
        let mut sum = |power: u32| {
            let sum = bytes.wide()?;
            let most = u128::from(n).checked_mul(GREATEST.pow(power));
            if most.is_none_or(|most| sum <= most) {
                i128::try_from(sum).map_err(|_| Malformed::Great)
            } else {
                contradicts("a sum is greater than all it sums up")
            }
        };
        let mut pairs = Self {
            n,
            sums: [sum(1)?, sum(1)?],
            squares: [sum(2)?, sum(2)?],
            products: sum(2)?,
            differing: Default::default(),
        };
        let mut differing = 0;
        for histogram in &mut pairs.differing {
            let (read, total) = Histogram::decode(encounters, bytes)?;
            *histogram = read;
            differing += total;
        }
        if differing > n || pairs.gap() != pairs.sums[1] - pairs.sums[0] {
            return contradicts("pairs differ by more or less than their sums");
        }
        Ok(pairs)
    }

    /// Returns the sum of all differences, second less first.
    fn gap(&self) -> i128 {
        let [less, more] = self.differing.each_ref().map(|histogram| {
            let entries = histogram.distribution();
            let all = entries.entries().iter();
            all.map(|entry| i128::from(entry.value) * i128::from(entry.count))
                .sum::<i128>()
        });
        more - less
    }

    /// Returns two distributions: of how much less than the first value the second was, over the encounters in which it
    /// was less; and of how much more.
    pub fn differing(&self) -> [Distribution; 2] {
        self.differing.each_ref().map(Histogram::distribution)
    }

    /// Returns the same pairs with first and second exchanged.
    pub fn swapped(&self) -> Self {
        let mut swapped = self.clone();
        swapped.sums.reverse();
        swapped.squares.reverse();
        swapped.differing.reverse();
        swapped
    }

    /// Returns the number of encounters in which only the first value was 1, and in which only the second was, for
    /// values of 0 and 1.
    ///
    /// # Panics
    /// If other values have been counted.
    pub fn discordant(&self) -> (u64, u64) {
        assert!(
            self.squares == self.sums,
            "only values of 0 and 1 have a table of pairs"
        );
        let [only_first, only_second] = &self.differing;
        (only_first.count(1), only_second.count(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[(i64, i64)]) -> Pairs {
        let mut pairs = Pairs::default();
        for (encounter, &(first, second)) in (0..).zip(values) {
            pairs.add(encounter, first, second);
        }
        pairs
    }

    #[test]
    fn the_table_of_pairs_is_counted() {
        let pairs = of(&[(1, 1), (1, 0), (1, 0), (0, 1), (0, 0), (1, 0)]);
        assert_eq!(pairs.discordant(), (3, 1));
        assert_eq!(pairs.swapped().discordant(), (1, 3));
    }

    proptest! {
        #[test]
        fn parts_add_up_to_the_whole(
            values in prop::collection::vec((0..=i64::from(u32::MAX), 0..=i64::from(u32::MAX)), 0..40),
            cut in 0usize..40,
        ) {
            let cut = cut.min(values.len());
            let mut parts = of(&values[..cut]);
            let mut rest = Pairs::default();
            for (encounter, &(first, second)) in (cut as u64..).zip(&values[cut..]) {
                rest.add(encounter, first, second);
            }
            parts.merge(&rest);
            prop_assert_eq!(parts, of(&values));
        }
    }
}
