//! Sums over pairs: what two fights showed in the same encounters.

use super::code::{self, Malformed, Reader};

/// A number that two fights showed in the same encounters, summed up in integers.
///
/// From these sums come the mean difference, its spread, and how far the two went together. For a
/// number that is 0 or 1 they are the whole table of pairs: see [`Pairs::discordant`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pairs {
    /// Encounters in which both showed a value.
    pub n: u64,
    /// Sums of the values, first and second.
    pub sums: [i128; 2],
    /// Sums of their squares.
    pub squares: [i128; 2],
    /// Sum of their products.
    pub products: i128,
}

impl Pairs {
    /// Counts an encounter.
    #[inline]
    pub fn add(&mut self, first: i64, second: i64) {
        let (first, second) = (i128::from(first), i128::from(second));
        self.n += 1;
        self.sums[0] += first;
        self.sums[1] += second;
        self.squares[0] += first * first;
        self.squares[1] += second * second;
        self.products += first * second;
    }

    /// Takes over all counts of another.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        for index in 0..2 {
            self.sums[index] += other.sums[index];
            self.squares[index] += other.squares[index];
        }
        self.products += other.products;
    }

    /// Writes them down: how many, and the sums, if there is anything to sum up.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        code::write(self.n, out);
        if self.n > 0 {
            for sum in [self.sums, self.squares].into_iter().flatten() {
                code::write_wide(sum.unsigned_abs(), out);
            }
            code::write_wide(self.products.unsigned_abs(), out);
        }
    }

    /// Reads those of no more than so many encounters. Metrics are whole numbers of 32 bits, never
    /// negative, and so are their sums.
    pub(crate) fn decode(encounters: u64, bytes: &mut Reader<'_>) -> Result<Self, Malformed> {
        const GREATEST: u128 = u32::MAX as u128;
        let n = bytes.number()?;
        if n > encounters {
            return Err(Malformed::Contradiction(
                "more pairs than encounters that were played",
            ));
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
                Err(Malformed::Contradiction(
                    "a sum is greater than all it sums up",
                ))
            }
        };
        Ok(Self {
            n,
            sums: [sum(1)?, sum(1)?],
            squares: [sum(2)?, sum(2)?],
            products: sum(2)?,
        })
    }

    /// The same pairs with first and second changed.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let [first, second] = self.sums;
        let [first_squares, second_squares] = self.squares;
        Self {
            sums: [second, first],
            squares: [second_squares, first_squares],
            ..*self
        }
    }

    /// For values of 0 and 1: in how many encounters only the first was 1, and only the second.
    ///
    /// # Panics
    /// If other values have been counted.
    #[must_use]
    pub fn discordant(&self) -> (u64, u64) {
        assert!(
            self.squares == self.sums,
            "only values of 0 and 1 have a table of pairs"
        );
        let only = |index: usize| (self.sums[index] - self.products) as u64;
        (only(0), only(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[(i64, i64)]) -> Pairs {
        let mut pairs = Pairs::default();
        for &(first, second) in values {
            pairs.add(first, second);
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
            parts.merge(&of(&values[cut..]));
            prop_assert_eq!(parts, of(&values));
        }
    }
}
