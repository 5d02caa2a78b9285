//! Reads dice that were rolled on the table: the result of given faces.

use super::{Degree, FaceValue, Pool, PoolResult};

/// The result of given faces in a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The dice that were read, in order: first all dice of the pool, then extra dice.
    pub dice: Vec<ReadDie>,
    /// The result, without extra dice that are still owed.
    pub result: PoolResult,
    /// The degree of success of the result.
    pub degree: Degree,
    /// The number of extra dice that must be rolled and were not given.
    pub owed: u32,
    /// The number of faces at the end beyond the dice that were owed.
    pub surplus: usize,
}

/// One die that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadDie {
    /// The face.
    pub face: u32,
    /// Whether an earlier die caused this die.
    pub is_extra: bool,
    /// The number of successes.
    pub successes: u32,
    /// Whether the face is a 1 that counts.
    pub is_one: bool,
    /// Whether the face gives one more die.
    pub gives_die: bool,
}

/// The reason why faces cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// The face is not one of a d10.
    #[error("die {} shows {face}: a d10 shows 1 to 10", .at + 1)]
    Face {
        /// The index among the faces, from 0.
        at: usize,
        /// The face.
        face: i64,
    },
    /// There are fewer faces than dice in the pool.
    #[error("{given} faces for a pool of {pool} dice: name a face for every die of the pool")]
    TooFew {
        /// The number of faces.
        given: usize,
        /// The number of dice in the pool.
        pool: u32,
    },
}

impl Pool {
    /// Reads faces in order: first all dice of the pool, then the extra dice, then the extra dice of those. Faces
    /// beyond the dice that are owed are counted as [`Reading::surplus`].
    ///
    /// # Errors
    /// If a die has no such face, or if there are fewer faces than dice in the pool.
    pub fn read(&self, faces: &[i64]) -> Result<Reading, ReadingError> {
        for (at, &face) in faces.iter().enumerate() {
            if !(1..=i64::from(self.sides)).contains(&face) {
                return Err(ReadingError::Face { at, face });
            }
        }
        if faces.len() < self.dice as usize {
            return Err(ReadingError::TooFew {
                given: faces.len(),
                pool: self.dice,
            });
        }
        let (mut sum, mut owed, mut exceeded) = (FaceValue::default(), 0, false);
        let mut dice = Vec::new();
        for (at, &face) in faces.iter().enumerate() {
            let is_extra = at >= self.dice as usize;
            if is_extra && owed == 0 {
                break;
            }
            let worth = self.worth(face as u32, is_extra);
            owed = owed - u32::from(is_extra) + worth.again;
            sum += worth;
            // A botch at any time is judged after the first roll and after every extra die.
            exceeded |= at + 1 >= self.dice as usize && sum.has_more_ones();
            dice.push(ReadDie {
                face: face as u32,
                is_extra,
                successes: worth.successes,
                is_one: worth.ones > 0,
                gives_die: worth.again > 0,
            });
        }
        let result = self.judged(sum, exceeded);
        Ok(Reading {
            surplus: faces.len() - dice.len(),
            dice,
            result,
            degree: self.degree(result.net, result.botch),
            owed,
        })
    }
}
