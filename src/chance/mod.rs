//! Chance: whoever answers the random questions of a fight.
//!
//! The clocks ask a [`Chance`] for every die. [`stream::Streams`] samples, [`script::Replay`] reads
//! a dice script, [`scripted::Scripted`] says what a test has written down. Every question names whose die it is and what for, so that a
//! source can keep those streams apart: then a change to one combatant's rolls leaves everybody
//! else's luck as it was, and two variants of a scenario can be compared pair by pair.

pub mod script;
pub mod scripted;
pub mod stream;

pub use script::{Replay, Script};
pub use scripted::Scripted;
pub use stream::Streams;

use crate::dice::{PoolDraw, PoolTable, face_from_bits};

/// What a die is rolled for. Each combatant has one stream of luck for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Purpose {
    /// Initiative.
    Initiative,
    /// Attack rolls.
    Check,
    /// Damage rolls.
    Damage,
    /// Everything else: healing, skills, fizzling.
    Other,
    /// The dice that a trace shows of a pool that was drawn from its table: nothing depends on them.
    Shown,
}

impl Purpose {
    /// How many there are.
    pub const COUNT: usize = 5;

    /// Those whose dice decide something: a dice script may name them.
    pub const DECISIVE: [Self; 4] = [Self::Initiative, Self::Check, Self::Damage, Self::Other];

    /// As traces and messages name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Initiative => "initiative",
            Self::Check => "check",
            Self::Damage => "damage",
            Self::Other => "other",
            Self::Shown => "shown",
        }
    }
}

/// A source of answers to random questions.
pub trait Chance {
    /// One face, 1 to `sides`, of a die that `who` (a combatant, by file order) rolls for `purpose`.
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32;

    /// What the next `count` such faces add up to.
    #[inline]
    fn sum(&mut self, who: usize, purpose: Purpose, count: u32, sides: u32) -> u64 {
        let faces = (0..count).map(|_| u64::from(self.face(who, purpose, sides)));
        faces.sum()
    }

    /// Whether something of that chance, in parts of 2^32, happens to `who`.
    fn happens(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool;

    /// The outcome of a pool that `who` rolls for `purpose`, drawn from the table of its exact
    /// distribution; `None` where the dice themselves are wanted.
    fn pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        let _ = (who, purpose, table);
        None
    }
}

/// A source of random bits. Whatever gives bits answers every question, and all that do answer the
/// same bits alike.
pub trait Bits {
    /// The next 64 bits of what `who` rolls for `purpose`.
    fn bits(&mut self, who: usize, purpose: Purpose) -> u64;

    /// What the faces of the next `count` dice add up to.
    #[inline]
    fn sum_of_faces(&mut self, who: usize, purpose: Purpose, count: u32, sides: u32) -> u64 {
        let faces = (0..count).map(|_| face_from_bits(self.bits(who, purpose), sides));
        faces.map(u64::from).sum()
    }
}

impl<B: Bits> Chance for B {
    #[inline]
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        face_from_bits(self.bits(who, purpose), sides)
    }

    #[inline]
    fn sum(&mut self, who: usize, purpose: Purpose, count: u32, sides: u32) -> u64 {
        self.sum_of_faces(who, purpose, count, sides)
    }

    #[inline]
    fn happens(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool {
        (self.bits(who, purpose) >> 32) < chance
    }

    #[inline]
    fn pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        Some(table.draw(self.bits(who, purpose)))
    }
}
