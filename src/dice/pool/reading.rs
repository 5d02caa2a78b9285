//! Reading dice that lie on the table: what given faces come to.

use super::{Degree, Pool, PoolResult, Worth};

/// What given faces come to in a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The dice that were read, in order: first all dice of the pool, then extra dice.
    pub dice: Vec<ReadDie>,
    /// Their result, without extra dice that are still owed.
    pub result: PoolResult,
    /// How that counts.
    pub degree: Degree,
    /// Extra dice that are to be rolled and were not given.
    pub owed: u32,
    /// Faces at the end that no die was owed for.
    pub surplus: usize,
}

/// One die that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadDie {
    /// Its face.
    pub face: u32,
    /// Whether an earlier die gave it.
    pub is_extra: bool,
    /// Its successes.
    pub successes: u32,
    /// Whether it is a 1 that counts.
    pub is_one: bool,
    /// Whether it gives one more die.
    pub gives_die: bool,
}

/// Why faces cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// No d10 shows this.
    #[error("die {} shows {face}: a d10 shows 1 to 10", .at + 1)]
    Face {
        /// The place among the faces, from 0.
        at: usize,
        /// Its face.
        face: i64,
    },
    /// The pool was not rolled to its end.
    #[error("{given} faces for a pool of {pool} dice: name a face for every die of the pool")]
    TooFew {
        /// How many faces there are.
        given: usize,
        /// How many dice the pool has.
        pool: u32,
    },
}

impl Pool {
    /// Reads faces in order: first all dice of the pool, then the dice that these give, then
    /// theirs. Faces beyond the dice that are owed are left over as [`Reading::surplus`].
    ///
    /// # Errors
    /// If a face is none of a d10, or there are fewer faces than dice in the pool.
    pub fn read(&self, faces: &[i64]) -> Result<Reading, ReadingError> {
        for (at, &face) in faces.iter().enumerate() {
            if !(1..=10).contains(&face) {
                return Err(ReadingError::Face { at, face });
            }
        }
        if faces.len() < self.dice as usize {
            return Err(ReadingError::TooFew {
                given: faces.len(),
                pool: self.dice,
            });
        }
        let (mut sum, mut owed, mut exceeded) = (0, 0, false);
        let mut dice = Vec::new();
        for (at, &face) in faces.iter().enumerate() {
            let is_extra = at >= self.dice as usize;
            if is_extra && owed == 0 {
                break;
            }
            let table = if is_extra { &self.extra } else { &self.first };
            let worth = table[face as usize];
            owed = owed - u32::from(is_extra) + worth.again();
            sum += worth.0 & ((1 << Worth::AGAIN) - 1);
            // A botch at any time is judged after the first roll, and after every extra die.
            exceeded |= at + 1 >= self.dice as usize && Worth(sum).ones() > Worth(sum).successes();
            dice.push(ReadDie {
                face: face as u32,
                is_extra,
                successes: worth.successes(),
                is_one: worth.ones() > 0,
                gives_die: worth.again() > 0,
            });
        }
        let result = self.judged(Worth(sum), exceeded);
        Ok(Reading {
            surplus: faces.len() - dice.len(),
            dice,
            result,
            degree: self.degree(result.net, result.botch),
            owed,
        })
    }
}
