//! Checks: whether an attempt works.
//!
//! Any weapon or spell may use any kind of check, whatever the clock: roll and add against the
//! defender's `evade` (TC-22), a Storyteller pool against a difficulty (MD-1 to MD-3), or a
//! percentile test against a skill (EP-9).

use super::health::Roll;
use crate::chance::{Chance, Purpose};
use crate::dice::percentile::Percentile;
use crate::dice::pool::PoolError;
use crate::dice::{Faces, Pool, PoolDraw, PoolTable, Storyteller};

/// A kind of check, compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// Roll and add; at or over the target number works (TC-22).
    RollOver {
        /// Dice and bonus together.
        roll: Roll,
    },
    /// A pool; `required` net successes work, more raise the damage (MD-1 to MD-3).
    Pool {
        /// Without the mastery bonus.
        plain: Box<PoolDice>,
        /// With as many dice more as mastery gives.
        mastered: Box<PoolDice>,
        /// Damage for each success beyond what is required.
        extra_damage: i64,
    },
    /// A d100, 00 to 99, at or under a skill (EP-9).
    Percentile {
        /// The skill.
        skill: i64,
        /// Whether a success with doubles ignores armour.
        critical_ignores_armor: bool,
    },
}

/// A pool in both its forms: dice to be seen, and a table that draws from their exact distribution
/// by one look-up.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolDice {
    /// The dice.
    pub pool: Pool,
    /// Their distribution.
    pub table: PoolTable,
}

impl PoolDice {
    /// Compiles a pool.
    ///
    /// # Errors
    /// If the rules do not know such a pool.
    pub fn new(rules: &Storyteller) -> Result<Self, PoolError> {
        let pool = rules.compile()?;
        Ok(Self {
            pool,
            table: PoolTable::of(&pool.odds()),
        })
    }

    /// Rolls the dice.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> PoolDraw {
        let rolled = self.pool.roll(faces);
        PoolDraw {
            net: rolled.net,
            botch: rolled.botch,
        }
    }
}

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// What was reached: a total, net successes, or what the d100 shows.
    pub total: i64,
    /// What had to be reached, or for a percentile test not to be passed.
    pub needed: i64,
    /// Whether it works.
    pub works: bool,
    /// The lowest natural face of a roll against Evade, `u32::MAX` for other checks and without
    /// dice.
    pub lowest: u32,
    /// What it adds to the damage.
    pub extra_damage: i64,
    /// Whether armour does not count.
    pub ignores_armor: bool,
}

/// Whose check it is, and against what.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// Who rolls.
    pub who: usize,
    /// The defender's Evade, for checks against it.
    pub evade: i64,
    /// Added to the roll or the skill, or so many dice more.
    pub mastery: i64,
    /// Whether a roll that only meets Evade works.
    pub meeting_hits: bool,
}

impl Check {
    /// Makes the check. A pool is drawn from its table where `chance` draws from tables; otherwise
    /// its dice are rolled by `faces`, as all other dice are.
    #[inline]
    pub fn attempt<'a, C, F>(
        &self,
        question: Question,
        chance: &'a mut C,
        faces: impl FnOnce(&'a mut C) -> F,
    ) -> Attempt
    where
        C: Chance,
        F: Faces,
    {
        match self {
            Self::RollOver { roll } => roll_over(roll, question, &mut faces(chance)),
            Self::Pool {
                plain,
                mastered,
                extra_damage,
            } => {
                let dice = if question.mastery == 0 {
                    plain
                } else {
                    mastered
                };
                let drawn = match chance.pool(question.who, Purpose::Check, &dice.table) {
                    Some(drawn) => drawn,
                    None => dice.roll(&mut faces(chance)),
                };
                let needed = i64::from(dice.pool.required());
                let extra = (drawn.net - needed).max(0);
                Attempt {
                    total: drawn.net,
                    needed,
                    works: drawn.net >= needed && !drawn.botch,
                    lowest: u32::MAX,
                    extra_damage: extra * extra_damage,
                    ignores_armor: false,
                }
            }
            Self::Percentile {
                skill,
                critical_ignores_armor,
            } => {
                let test = Percentile {
                    skill: skill + question.mastery,
                };
                let result = test.roll(&mut faces(chance));
                Attempt {
                    total: result.shown.into(),
                    needed: test.skill,
                    works: result.success,
                    lowest: u32::MAX,
                    extra_damage: 0,
                    ignores_armor: result.critical && *critical_ignores_armor,
                }
            }
        }
    }
}

#[inline]
fn roll_over<F: Faces>(roll: &Roll, question: Question, faces: &mut F) -> Attempt {
    let mut lowest = u32::MAX;
    let rolled = roll.roll(&mut |sides| {
        let face = faces.face(sides);
        lowest = lowest.min(face);
        face
    });
    let (total, needed) = (rolled + question.mastery, question.evade);
    Attempt {
        total,
        needed,
        works: total > needed || (total == needed && question.meeting_hits),
        lowest,
        extra_damage: 0,
        ignores_armor: false,
    }
}
