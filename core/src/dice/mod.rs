//! Dice: exact distributions and sampling.
//!
//! This module is about one roll, or one series of rolls, of known dice. It knows neither combatants nor clocks. From
//! the ground up:
//!
//! - [`Faces`] is a source of faces: a generator for sampling, a script in tests, an enumeration of every roll.
//! - [`Weight`] is a probability with about 31 digits, so that a sum of thousands of products is still right to the
//!   last digit of an `f64`.
//! - [`Distribution`] is the answer to every exact question: values and their weights.
//! - [`Pool`] is a pool of dice, Storyteller or Chronicles, rolled or solved.
//! - [`PoolTable`] draws the result of a pool by one look-up; [`TotalTable`] draws totals, which rise with the bits.
//! - [`Extended`] is a task of many rolls (a ritual), solved.
//! - [`magick`], [`initiative`] and [`percentile`] are the rolls of the rule books that are more than a pool or a sum;
//!   [`standoff`] compares the dice of two sides.
//! - [`Notation`] reads dice notation (`2d10+7`, `4d6kh3`), rolls it and solves it.
//!
//! Explosions without limit are solved, not cut off: a die that rolls again on a 10 is the series `N(s) / (1 - E(s))`,
//! which is divided out until the weights fall below the range of `f64`.

pub mod distribution;
pub mod extended;
pub mod initiative;
pub mod magick;
pub mod notation;
pub mod percentile;
pub mod pool;
pub mod sampler;
mod series;
pub mod standoff;
pub mod total;
mod weight;

pub use distribution::Distribution;
pub use extended::{Extended, ExtendedOdds};
pub use notation::{Notation, NotationError, PlainSum};
pub use pool::{Chronicles, Pool, PoolOdds, PoolResult, Storyteller};
pub use sampler::{PoolDraw, PoolTable};
pub use total::{SingleDice, TotalTable, Totals};
pub use weight::Weight;

/// A source of die faces.
///
/// Any closure from a number of sides to a face is a source:
///
/// ```
/// use skirmish_core::dice::{Faces, Notation};
/// let mut script = [3, 5].into_iter();
/// let mut faces = |_sides: u32| script.next().unwrap();
/// assert_eq!(Notation::parse("2d6+1").unwrap().roll(&mut faces), 9);
/// ```
pub trait Faces {
    /// Returns the next face of a die with `sides` sides: 1 to `sides`.
    fn face(&mut self, sides: u32) -> u32;

    /// Returns the sum of the next `count` faces of dice with `sides` sides.
    #[inline]
    fn sum(&mut self, count: u32, sides: u32) -> u64 {
        (0..count).map(|_| u64::from(self.face(sides))).sum()
    }

    /// Reports that a pool was drawn from its table instead of rolled, so that a trace can show dice with the same
    /// result.
    #[inline]
    fn stand_in(&mut self, pool: &Pool, drawn: PoolDraw) {
        let _ = (pool, drawn);
    }

    /// Draws a total from the table of a roll; `None` if the dice themselves must be rolled.
    #[inline]
    fn total(&mut self, table: &TotalTable) -> Option<i64> {
        let _ = table;
        None
    }

    /// Draws the total of a roll from its table or, for exact odds, from the distribution of its dice.
    #[inline]
    fn total_of(&mut self, totals: &Totals) -> Option<i64> {
        self.total(totals.table())
    }

    /// Reports that a total was drawn from its table instead of rolled, so that a trace can show dice with the same
    /// total.
    #[inline]
    fn stand_in_for(&mut self, totals: &Totals, total: i64) {
        let _ = (totals, total);
    }
}

impl<F: FnMut(u32) -> u32 + ?Sized> Faces for F {
    #[inline]
    fn face(&mut self, sides: u32) -> u32 {
        self(sides)
    }
}

/// Converts 64 random bits into a face from 1 to `sides`: the high half of `bits * sides`, plus one.
///
/// This is the project's own draw; results of earlier versions depend on it, so it never changes.
///
/// # Bias
///
/// A face corresponds to either `floor(2^64 / sides)` or one more of the 2^64 patterns of bits, so its chance is off by
/// less than 2^-64. Relative to a fair face this is less than `sides * 2^-64`: one part in 10^18 for a d10, which no
/// feasible run can show.
#[inline]
pub const fn face_from_bits(bits: u64, sides: u32) -> u32 {
    1 + ((bits as u128 * sides as u128) >> 64) as u32
}

/// The greatest number of rolls in the search for dice with a given outcome. The dice of a rarer outcome are not shown.
const MOST_THROWS: u32 = 1_000_000;

/// Returns the dice of a roll that `is_such`, by rejection, each with its sides. It rolls until a roll is, which takes as
/// many rolls on average as there are outcomes. Empty if no roll of many is.
fn such_dice<F: Faces + ?Sized>(
    faces: &mut F,
    is_such: impl Fn(&mut dyn FnMut(u32) -> u32) -> bool,
) -> Vec<(u32, u32)> {
    let mut shown = Vec::new();
    for _ in 0..MOST_THROWS {
        shown.clear();
        let mut show = |sides| {
            let face = faces.face(sides);
            shown.push((sides, face));
            face
        };
        if is_such(&mut show) {
            return shown;
        }
    }
    Vec::new()
}
