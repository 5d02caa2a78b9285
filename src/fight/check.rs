//! Checks: whether an attempt works.

use super::health::Roll;
use crate::dice::Faces;

/// A kind of check, compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// Roll and add; at or over the target number works (TC-22).
    RollOver {
        /// Dice and bonus together.
        roll: Roll,
    },
}

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// The total rolled, bonuses included.
    pub total: i64,
    /// The lowest natural face; 0 without dice.
    pub lowest: u32,
}

impl Check {
    /// Rolls it, adding `bonus`.
    #[inline]
    pub fn attempt<F: Faces + ?Sized>(&self, faces: &mut F, bonus: i64) -> Attempt {
        let Self::RollOver { roll } = self;
        let mut lowest = u32::MAX;
        let total = roll.roll(&mut |sides| {
            let face = faces.face(sides);
            lowest = lowest.min(face);
            face
        });
        Attempt {
            total: total + bonus,
            lowest: if lowest == u32::MAX { 0 } else { lowest },
        }
    }
}
