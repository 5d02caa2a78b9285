//! Draws the total of a roll by one look-up, if nothing reads the single dice.
//!
//! The 2^64 patterns of 64 random bits are dealt out to the totals in rising order, a whole number of patterns to each:
//! a draw is the inverse of the distribution function. A guide table gives the first possible total for the upper 8
//! bits; the few remaining steps go upwards.
//!
//! # Why not an alias table
//!
//! A draw never falls while its bits rise. Variants of a scenario are compared on the same bits, so the bits that give
//! one variant a high total give the other a high one too, as with a die ([`face_from_bits`](super::face_from_bits)).
//! This makes a paired comparison precise. The alias table of a [`PoolTable`](super::PoolTable) scatters the totals over
//! the bits and would lose the precision.
//!
//! # Bias
//!
//! Every share is off by at most one pattern, 5.4 * 10^-20. A total rarer than half a pattern may have no pattern: it
//! would come up less than once in 3 * 10^19 draws.

use std::fmt;

use super::distribution::Distribution;
use super::notation::{Notation, PlainSum};
use super::series::{fair_dice, fair_die_more};
use super::weight::Weight;
use super::{Faces, such_dice};

/// The greatest number of totals in a table. A roll with more totals has no table.
pub const MOST_TOTALS: usize = 1000;

/// The greatest number of multiplications for the distribution of a roll, which take some milliseconds. A roll that
/// needs more has no table.
const MOST_WORK: u64 = 1_000_000;

/// The number of slots of the guide table: one for each value of the upper 8 bits.
const SLOTS: usize = 256;

/// A table that draws totals of a fixed distribution, which rise with the bits.
///
/// ```
/// use skirmish_core::dice::{Distribution, TotalTable};
/// let table = TotalTable::of(&Distribution::die(6).dice(2));
/// assert_eq!((table.draw(0), table.draw(1 << 63), table.draw(u64::MAX)), (2, 7, 12));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TotalTable {
    /// The index of the first possible total for each value of the upper 8 bits.
    guide: [u16; SLOTS],
    totals: Box<[Total]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Total {
    /// The greatest pattern of bits with this total.
    last: u64,
    value: i64,
}

impl TotalTable {
    /// Returns the table of a distribution; of a partial distribution, that of the part.
    ///
    /// # Panics
    /// If there are no values with weight, or more than 65,535.
    pub fn of(distribution: &Distribution) -> Self {
        let mass = distribution.mass();
        let mut below = Weight::ZERO;
        let mut given = 0;
        let mut totals: Vec<Total> = Vec::new();
        for (value, weight) in distribution.weights() {
            below += weight;
            let patterns = (below / mass).of_two_to_64().min(1 << 64);
            if patterns > given {
                given = patterns;
                let last = (patterns - 1) as u64;
                totals.push(Total { last, value });
            }
        }
        totals.last_mut().expect("a table needs a value").last = u64::MAX;
        let mut guide = [0; SLOTS];
        let mut at = 0;
        for (slot, first) in guide.iter_mut().enumerate() {
            while totals[at].last < (slot as u64) << 56 {
                at += 1;
            }
            *first = u16::try_from(at).expect("few totals");
        }
        Self {
            guide,
            totals: totals.into(),
        }
    }

    /// Returns the totals and the weight that a draw gives to each.
    pub fn weights(&self) -> Vec<(i64, Weight)> {
        let mut below = 0;
        let weighed = self.totals.iter().map(|total| {
            let patterns = u128::from(total.last) + 1 - below;
            below += patterns;
            (total.value, Weight::of_patterns(patterns))
        });
        weighed.collect()
    }

    /// Returns the total for 64 random bits.
    #[inline]
    pub fn draw(&self, bits: u64) -> i64 {
        let mut at = usize::from(self.guide[(bits >> 56) as usize]);
        loop {
            let total = self.totals[at];
            // The last total has the last pattern, so the search ends.
            if bits <= total.last {
                return total.value;
            }
            at += 1;
        }
    }
}

impl fmt::Debug for TotalTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.totals.first(), self.totals.last());
        let ends = [first, last].map(|end| end.map_or(0, |total| total.value));
        write!(f, "TotalTable({} to {})", ends[0], ends[1])
    }
}

/// A roll of which only the total counts: the table of its totals, and its dice for observers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    table: TotalTable,
    dice: SingleDice,
}

/// Dice that are rolled one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SingleDice {
    /// A sum of equal dice and a bonus.
    Sum(PlainSum),
    /// Any other notation.
    Notation(Box<Notation>),
}

impl From<Notation> for SingleDice {
    fn from(notation: Notation) -> Self {
        let sum = notation.as_sum().map(Self::Sum);
        sum.unwrap_or_else(|| Self::Notation(Box::new(notation)))
    }
}

impl SingleDice {
    /// Returns the number that is added to the dice.
    pub fn added(&self) -> i64 {
        match self {
            Self::Sum(sum) => sum.bonus,
            Self::Notation(notation) => notation.added(),
        }
    }

    /// Rolls the dice.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        match self {
            Self::Sum(sum) => sum.roll(faces),
            Self::Notation(notation) => notation.roll(faces),
        }
    }

    /// Returns the distribution of the total, unless it has too many totals or takes too long to compute.
    fn distribution(&self) -> Option<Distribution> {
        match self {
            Self::Sum(sum) => {
                let (count, sides) = (u64::from(sum.count), u64::from(sum.sides));
                let values = count.checked_mul(sides.checked_sub(1)?)? + 1;
                let is_small = values <= MOST_TOTALS as u64 && 6 * count * values <= MOST_WORK;
                is_small.then(|| fair_dice(sum.count, sum.sides).shifted(sum.bonus))
            }
            Self::Notation(notation) => {
                (notation.work() <= MOST_WORK).then(|| notation.distribution())
            }
        }
    }
}

impl Totals {
    /// Returns the table of dice.
    ///
    /// # Errors
    /// If the table is too large or takes too long to compute: the dice.
    pub fn of(dice: SingleDice) -> Result<Self, SingleDice> {
        let table = dice.distribution().map(|totals| TotalTable::of(&totals));
        match table.filter(|table| table.totals.len() <= MOST_TOTALS) {
            Some(table) => Ok(Self { table, dice }),
            None => Err(dice),
        }
    }

    /// Returns the number that is added to the dice.
    pub fn added(&self) -> i64 {
        self.dice.added()
    }

    /// Returns the table.
    #[inline]
    pub const fn table(&self) -> &TotalTable {
        &self.table
    }

    /// Returns the totals with their weights, of which a draw gives a share of 2^-64 at most too many or too few.
    pub fn weights(&self) -> Vec<(i64, Weight)> {
        let exact = self.dice.distribution();
        exact.map_or_else(|| self.table.weights(), |totals| totals.weights().collect())
    }

    /// Draws the total, if `faces` draws from tables; otherwise rolls the dice.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        match faces.total_of(self) {
            Some(total) => {
                faces.stand_in_for(self, total);
                total
            }
            None => self.roll_dice(faces),
        }
    }

    #[cold]
    #[inline(never)]
    fn roll_dice<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        self.dice.roll(faces)
    }

    /// Returns the sides and the face of each die of a roll with this total, with the same distribution as rolled dice
    /// that have this total. Returns no dice if `faces` does not draw from tables.
    ///
    /// Plain dice are drawn one after the other, each from its distribution given the total. A notation is rolled until
    /// it has the total; after a million rolls no dice are returned.
    pub fn such<F: Faces + ?Sized>(&self, total: i64, faces: &mut F) -> Vec<(u32, u32)> {
        match &self.dice {
            SingleDice::Sum(sum) => sum_to(*sum, total - sum.bonus, faces).unwrap_or_default(),
            SingleDice::Notation(notation) => {
                such_dice(faces, |faces| notation.roll(faces) == total)
            }
        }
    }
}

/// Draws dice whose sum is `left`.
fn sum_to<F: Faces + ?Sized>(
    sum: PlainSum,
    mut left: i64,
    faces: &mut F,
) -> Option<Vec<(u32, u32)>> {
    // The sums of zero dice, one, two and so on.
    let none = Distribution::certain(0);
    let more = |rest: &Distribution| Some(fair_die_more(rest, sum.sides));
    let sums: Vec<Distribution> = std::iter::successors(Some(none), more)
        .take(sum.count as usize)
        .collect();
    let mut shown = Vec::with_capacity(sums.len());
    for rest in sums.iter().rev() {
        let chances: Vec<_> = (1..=i64::from(sum.sides))
            .map(|face| (face, rest.weight(left - face)))
            .filter(|(_, weight)| weight.value() > 0.0)
            .collect();
        let face = match chances[..] {
            [] => return None,
            [(only, _)] => only,
            _ => faces.total(&TotalTable::of(&Distribution::collect(&chances)))?,
        };
        left -= face;
        shown.push((sum.sides, face as u32));
    }
    Some(shown)
}
