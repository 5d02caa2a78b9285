//! Reading dice that lie on the table: what given faces come to.

use super::{Degree, Pool, PoolResult, Worth};

/// What given faces come to in a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The dice that were read, in order: first all dice of the pool, then extra dice.
    pub dice: Vec<ReadDie>,
    /// What they come to, extra dice that are still owed left out.
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
    /// What it shows.
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
        /// What it shows.
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

#[cfg(test)]
mod tests {
    use super::ReadingError;
    use crate::dice::pool::{Botch, Degree, Named, Pool, Storyteller, Tens};

    fn pool(dice: u32, difficulty: u32, required: u32) -> Pool {
        let rule = Storyteller {
            required,
            ..Storyteller::new(dice, difficulty)
        };
        rule.compile().unwrap()
    }

    #[test]
    fn md_1_the_worked_rolls_of_the_text() {
        let reading = pool(5, 6, 1).read(&[7, 4, 3, 8, 1]).unwrap();
        assert_eq!((reading.result.successes, reading.result.ones), (2, 1));
        assert_eq!((reading.result.net, reading.owed), (1, 0));
        assert_eq!(reading.degree, Degree::Success);
        let reading = pool(5, 6, 1).read(&[6, 2, 5, 10, 9]).unwrap();
        assert_eq!((reading.result.net, reading.owed), (3, 1));
    }

    #[test]
    fn md_5_james_and_his_three_difficulties() {
        let read = |difficulty| pool(4, difficulty, 2).read(&[6, 9, 2, 5]).unwrap();
        assert_eq!((read(6).result.net, read(6).degree), (2, Degree::Success));
        assert_eq!(
            (read(7).result.net, read(7).degree),
            (1, Degree::Diminished)
        );
        assert_eq!(
            (read(8).result.net, read(8).degree),
            (1, Degree::Diminished)
        );
    }

    #[test]
    fn extra_dice_are_read_as_long_as_one_is_owed() {
        let pool = pool(2, 6, 1);
        let reading = pool.read(&[10, 10, 3, 10, 1, 7]).unwrap();
        // Two are owed; the second of them gives a third; the last face is one too many.
        assert_eq!((reading.owed, reading.surplus), (0, 1));
        assert_eq!((reading.result.successes, reading.result.ones), (3, 1));
        let reading = pool.read(&[10, 10, 3, 10]).unwrap();
        assert_eq!((reading.owed, reading.surplus), (1, 0));
        let plain = Storyteller {
            tens: Tens::Plain,
            ..Storyteller::new(2, 6)
        };
        let reading = plain.compile().unwrap().read(&[10, 10, 3, 10]).unwrap();
        assert_eq!((reading.owed, reading.surplus), (0, 2));
    }

    #[test]
    fn md_2_a_botch_at_any_time_is_seen_while_reading() {
        let botch = |botch, faces: &[i64]| {
            let rule = Storyteller {
                botch,
                ..Storyteller::new(3, 6)
            };
            let reading = rule.compile().unwrap().read(faces).unwrap();
            (reading.degree == Degree::Botch, reading.owed)
        };
        // 1 1 10 is more 1s than successes until the extra die succeeds.
        assert_eq!(botch(Botch::AnyTime, &[1, 1, 10]), (true, 1));
        assert_eq!(botch(Botch::AnyTime, &[1, 1, 10, 7]), (true, 0));
        assert_eq!(botch(Botch::OnesExceed, &[1, 1, 10, 7]), (false, 0));
        // Within the first roll the order does not matter.
        assert_eq!(botch(Botch::AnyTime, &[1, 7, 3]), (false, 0));
    }

    #[test]
    fn faces_that_no_die_shows_are_refused() {
        for face in [0, 11, -1] {
            let error = pool(2, 6, 1).read(&[4, face]).unwrap_err();
            assert_eq!(error, ReadingError::Face { at: 1, face });
        }
        let error = pool(3, 6, 1).read(&[4, 5]).unwrap_err();
        assert_eq!(error, ReadingError::TooFew { given: 2, pool: 3 });
    }

    #[test]
    fn reading_agrees_with_rolling() {
        use crate::dice::SampledFaces;
        let mut sampled = SampledFaces::new(11);
        for seed in 0..2000 {
            let botch = Botch::ALL[seed as usize % Botch::ALL.len()].1;
            let rule = Storyteller {
                botch,
                ..Storyteller::new(seed % 7, 2 + seed % 9)
            };
            let rule = rule.compile().unwrap();
            let mut faces: Vec<i64> = Vec::new();
            let rolled = rule.roll(&mut |sides: u32| {
                let face = crate::dice::Faces::face(&mut sampled, sides);
                faces.push(i64::from(face));
                face
            });
            let reading = rule.read(&faces).unwrap();
            assert_eq!(reading.result, rolled);
            assert_eq!((reading.owed, reading.surplus), (0, 0));
        }
    }
}
