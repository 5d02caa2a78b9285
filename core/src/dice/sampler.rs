//! Draws from a fixed distribution by one look-up.
//!
//! An alias table (Walker, Vose) in whole numbers: the 2^64 patterns of 64 random bits are dealt out to the values in
//! proportion to their weights, a whole number of patterns to each. The table is divided into equal slots of two values
//! each, so that a draw is one shift, one load and one comparison.
//!
//! # Bias
//!
//! A share is off by at most one pattern, 5.4 * 10^-20; the likeliest value takes the remainder of the rounding. A
//! value rarer than half a pattern is not in the table: it would come up less than once in 3 * 10^19 draws.

use super::distribution::Distribution;
use super::pool::PoolOdds;
use super::weight::Weight;

/// A table that draws the result of a pool: net successes and botch in one look-up, with the odds of the dice.
///
/// ```
/// use skirmish_core::dice::{PoolTable, Storyteller};
/// let table = PoolTable::of(&Storyteller::new(3, 6).compile()?.odds());
/// let drawn = table.draw(1 << 63);
/// assert!(table.weights().iter().any(|(result, _)| *result == drawn));
/// # Ok::<(), skirmish_core::dice::pool::PoolError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolTable {
    slots: Vec<Slot>,
    /// The number of bits below the index of the slot.
    low_bits: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slot {
    /// Low bits below this value mean `own`, others `other`. Both are packed [`PoolDraw`]s.
    limit: u64,
    own: i32,
    other: i32,
}

impl PoolTable {
    /// Creates the table of a pool's odds.
    pub fn of(odds: &PoolOdds) -> Self {
        let packed = |part: &Distribution, botch: i32| -> Vec<(i32, Weight)> {
            part.weights()
                .map(|(net, weight)| (net as i32 * 2 + botch, weight))
                .collect()
        };
        let mut terms = packed(odds.clean(), 0);
        terms.extend(packed(odds.botched(), 1));
        Self::new(&terms)
    }

    /// Creates the table of values and their weights, which should add up to 1.
    ///
    /// # Panics
    /// If there are no values, or if no value has weight.
    fn new(terms: &[(i32, Weight)]) -> Self {
        let shares = shares(terms);
        let size = shares.len().next_power_of_two().max(2);
        let low_bits = 64 - size.trailing_zeros();
        let room = 1_u64 << low_bits;
        // Every value starts in a slot of its own, and the other slots are empty. Then each slot with too little is
        // filled from a slot with too much.
        let mut slots: Vec<Slot> = shares
            .iter()
            .map(|&(value, _)| value)
            .chain(std::iter::repeat(shares[0].0))
            .take(size)
            .map(|value| Slot {
                limit: room,
                own: value,
                other: value,
            })
            .collect();
        let mut left: Vec<u128> = shares.iter().map(|&(_, share)| share).collect();
        left.resize(size, 0);
        let (mut short, mut long): (Vec<usize>, Vec<usize>) =
            (0..size).partition(|&at| left[at] < u128::from(room));
        while let (Some(&giver), Some(taker)) = (long.last(), short.pop()) {
            slots[taker].limit = left[taker] as u64;
            slots[taker].other = slots[giver].own;
            left[giver] -= u128::from(room) - left[taker];
            if left[giver] < u128::from(room) {
                long.pop();
                short.push(giver);
            }
        }
        Self { slots, low_bits }
    }

    /// Returns the results and the weight that a draw gives to each, in no particular order.
    pub fn weights(&self) -> Vec<(PoolDraw, Weight)> {
        let mut patterns: Vec<(i32, u128)> = Vec::new();
        for slot in &self.slots {
            let room = 1 << self.low_bits;
            let shares = [(slot.own, slot.limit), (slot.other, room - slot.limit)];
            for (value, share) in shares.into_iter().filter(|(_, share)| *share > 0) {
                match patterns.iter_mut().find(|(known, _)| *known == value) {
                    Some((_, all)) => *all += u128::from(share),
                    None => patterns.push((value, share.into())),
                }
            }
        }
        let weighed = |(packed, share)| (PoolDraw::unpacked(packed), Weight::of_patterns(share));
        patterns.into_iter().map(weighed).collect()
    }

    /// Returns the result for 64 random bits.
    #[inline]
    pub fn draw(&self, bits: u64) -> PoolDraw {
        let slot = self.slots[(bits >> self.low_bits) as usize];
        let low = bits & ((1 << self.low_bits) - 1);
        PoolDraw::unpacked(if low < slot.limit {
            slot.own
        } else {
            slot.other
        })
    }
}

/// Returns the number of the 2^64 patterns that belong to each value.
fn shares(terms: &[(i32, Weight)]) -> Vec<(i32, u128)> {
    let mut shares: Vec<(i32, u128)> = terms
        .iter()
        .map(|&(value, weight)| (value, weight.of_two_to_64()))
        .filter(|&(_, share)| share > 0)
        .collect();
    let given: u128 = shares.iter().map(|&(_, share)| share).sum();
    let largest = shares
        .iter_mut()
        .max_by_key(|(_, share)| *share)
        .expect("a table needs a value with weight");
    largest.1 = largest.1 + (1 << 64) - given;
    shares
}

/// The result of a draw from the table of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PoolDraw {
    /// Net successes.
    pub net: i64,
    /// Whether the result is a botch.
    pub botch: bool,
}

impl PoolDraw {
    /// Returns the result with Willpower: one sure success, never cancelled, and never a botch (MD-4).
    pub fn with_willpower(self) -> Self {
        Self {
            net: self.net.max(0) + 1,
            botch: false,
        }
    }

    #[inline]
    fn unpacked(packed: i32) -> Self {
        Self {
            net: i64::from(packed >> 1),
            botch: packed & 1 == 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PoolTable, shares};
    use crate::dice::pool::Storyteller;
    use crate::dice::{Distribution, Weight};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Returns the number of patterns that draw each value, read from the slots.
    fn patterns(table: &PoolTable) -> std::collections::BTreeMap<i32, u128> {
        let mut found = std::collections::BTreeMap::new();
        for slot in &table.slots {
            *found.entry(slot.own).or_insert(0) += u128::from(slot.limit);
            let rest = (1_u128 << table.low_bits) - u128::from(slot.limit);
            *found.entry(slot.other).or_insert(0) += rest;
        }
        found.retain(|_, count| *count > 0);
        found
    }

    #[test]
    fn every_value_gets_exactly_its_share_of_the_bits() {
        for distribution in [
            Distribution::certain(5),
            Distribution::die(2),
            Distribution::die(6).dice(2),
            Distribution::die(100),
            Storyteller::new(8, 6).compile().unwrap().odds().net(),
        ] {
            let terms: Vec<_> = distribution.weights().map(|(v, w)| (v as i32, w)).collect();
            let table = PoolTable::new(&terms);
            let wanted: std::collections::BTreeMap<_, _> = shares(&terms).into_iter().collect();
            assert_eq!(patterns(&table), wanted);
            assert_eq!(wanted.values().sum::<u128>(), 1 << 64);
        }
    }

    #[test]
    fn shares_are_the_weights_to_one_pattern() {
        let shares = shares(&[(1, Weight::ratio(1, 3)), (2, Weight::ratio(2, 3))]);
        assert_eq!(
            shares,
            [(1, 0x5555_5555_5555_5555), (2, 0xaaaa_aaaa_aaaa_aaab)]
        );
    }

    #[test]
    fn value_stability() {
        let odds = Storyteller::new(5, 6).compile().unwrap().odds();
        let table = PoolTable::of(&odds);
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(11);
        let drawn: Vec<_> = (0..12)
            .map(|_| table.draw(generator.next_u64()).net)
            .collect();
        assert_eq!(drawn, [4, 3, -1, 2, 1, 3, 4, 0, 3, 1, 3, 1]);
    }
}
