//! Dice, tested against an oracle that shares no code with the crate, published tables, theory, and samples; and the
//! command as typed by users.

mod as_in_fights;
mod checks;
mod command;
mod extended;
mod notation;
mod oracle;
mod pool;
mod properties;
mod published;
mod rolls;
mod sources;
pub(crate) mod statistics;
mod totals;
mod written;

use crate::support::{Outcome, skirmish};
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use skirmish::dice::{Faces, TotalTable, face_from_bits};

/// Faces drawn from a seeded generator.
struct SampledFaces(Xoshiro256PlusPlus);

impl SampledFaces {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns the next 64 random bits, for draws from a table.
    fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }
}

impl Faces for SampledFaces {
    fn face(&mut self, sides: u32) -> u32 {
        face_from_bits(self.bits(), sides)
    }

    fn total(&mut self, table: &TotalTable) -> Option<i64> {
        Some(table.draw(self.bits()))
    }
}

/// Runs `skirmish odds LINE`.
#[track_caller]
fn odds(line: &str) -> Outcome {
    let words: Vec<&str> = line.split_whitespace().collect();
    skirmish(&[&["odds"], &words[..]].concat())
}
