//! Pools of dice: successes, cancelled successes, rerolls and botches.
//!
//! A [`Storyteller`] pool (MD-1 to MD-4, or of dice with any number of sides) and a [`Chronicles`] pool (CD-6) are both
//! compiled to a [`Pool`]: the value of each face of a first die and of an extra die. Rolling, solving and drawing from
//! tables all use it.

use super::distribution::Distribution;
use super::weight::Weight;
use super::{Faces, PoolDraw, such_dice};
use std::ops::AddAssign;

mod exact;
mod rules;
mod stepwise;

pub use exact::Growth;
pub use rules::{Again, Botch, Chronicles, Ones, Storyteller, Tens};

/// The greatest number of dice in a pool; the exact odds take a fraction of a second.
pub const MAX_POOL: u32 = 10_000;

/// The greatest number of dice if successes and 1s must be followed together: 10s cancel 1s, or 1s do not cancel but
/// still make a botch.
pub const MAX_JOINT_POOL: u32 = 200;

/// The greatest number of dice if a botch is judged after every extra die.
pub const MAX_STEPWISE_POOL: u32 = 1000;

/// The reason why a pool is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// The difficulty is not from 2 to 10 (MD-1), or to the sides of another die.
    #[error("difficulty {0}: a difficulty lies from 2 to 10")]
    Difficulty(i64),
    /// There are more dice than can be solved.
    #[error("a pool of {0} dice: the limit is {MAX_POOL}, beyond which exact odds take too long")]
    TooManyDice(i64),
    /// There are more dice than can be solved with successes and 1s apart.
    #[error(
        "a pool of {0} dice: the limit is {MAX_JOINT_POOL} where 10s cancel 1s, or 1s do not cancel \
         but still botch, because successes and 1s must then be followed together"
    )]
    TooManyJointDice(u32),
    /// There are more dice than can be solved die by die.
    #[error(
        "a pool of {0} dice: the limit is {MAX_STEPWISE_POOL} where a botch is judged at any time, \
         because extra dice must then be followed one after the other"
    )]
    TooManyStepwiseDice(u32),
    /// The number of dice is negative.
    #[error("a pool of {0} dice: a pool has 0 dice or more")]
    Negative(i64),
    /// No success is required.
    #[error("{0} successes required: at least 1 is")]
    Required(i64),
}

/// The worth of a face, or the sum of those of several dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct FaceValue {
    successes: u32,
    /// The number of 1s that count.
    ones: u32,
    /// The number of 1s that it cancels, before these cancel successes.
    saves: u32,
    /// The number of extra dice.
    again: u32,
}

impl FaceValue {
    const fn new(successes: u32, ones: u32, again: bool) -> Self {
        Self {
            successes,
            ones,
            saves: 0,
            again: again as u32,
        }
    }

    /// Returns the number of 1s that are not cancelled.
    #[inline]
    const fn ones_left(self) -> u32 {
        self.ones.saturating_sub(self.saves)
    }

    #[inline]
    const fn has_more_ones(self) -> bool {
        self.ones_left() > self.successes
    }
}

impl AddAssign for FaceValue {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.successes += other.successes;
        self.ones += other.ones;
        self.saves += other.saves;
        self.again += other.again;
    }
}

/// Neighbouring faces that are worth the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Band {
    /// The least of them; they end below the next band.
    least: u32,
    /// The worth of each on a first die, and on an extra die.
    worth: [FaceValue; 2],
}

/// A compiled pool: the worth of every face, and the rules for judging the sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pool {
    dice: u32,
    /// The number of sides of each die.
    sides: u32,
    /// All faces, from the 1 on.
    bands: [Band; 4],
    ones_cancel: bool,
    botch: Botch,
    required: u32,
    willpower: bool,
}

/// The result of a roll of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PoolResult {
    /// Successes less cancelled ones, with the effect of Willpower.
    pub net: i64,
    /// The number of successes before cancelling (a doubled 10 counts twice).
    pub successes: u32,
    /// The number of 1s that count and that no 10 cancels.
    pub ones: u32,
    /// Whether the result is a botch (in Chronicles: a dramatic failure).
    pub botch: bool,
}

impl Pool {
    /// Returns the number of dice that are rolled first.
    pub const fn dice(&self) -> u32 {
        self.dice
    }

    /// Returns the number of net successes for the full effect.
    pub const fn required(&self) -> u32 {
        self.required
    }

    /// Returns the same rule with another number of dice (penalties, split pools). A Chronicles pool that falls to 0
    /// has another rule, the chance die, and must be compiled anew.
    pub const fn with_dice(self, dice: u32) -> Self {
        Self { dice, ..self }
    }

    /// Returns the worth of a face of a first or of an extra die.
    #[inline]
    fn worth(&self, face: u32, is_extra: bool) -> FaceValue {
        // A die that is still owed shows no face.
        if face == 0 {
            return FaceValue::default();
        }
        let mut worth = self.bands[0].worth;
        for band in &self.bands[1..] {
            if face >= band.least {
                worth = band.worth;
            }
        }
        worth[usize::from(is_extra)]
    }

    /// Returns the worth of each face of a first or of an extra die.
    fn faces(&self, is_extra: bool) -> impl Iterator<Item = FaceValue> {
        (1..=self.sides).map(move |face| self.worth(face, is_extra))
    }

    /// Returns the same pool with Willpower: one sure success, and no botch (MD-4).
    pub const fn with_willpower(self) -> Self {
        Self {
            willpower: true,
            ..self
        }
    }

    /// Rolls the dice: first all dice of the pool, then the extra dice, then the extra dice of those. All of them are
    /// rolled even if the roll has already botched. A face of 0 is that of a die still to be rolled, and counts for
    /// nothing.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> PoolResult {
        let mut sum = FaceValue::default();
        for _ in 0..self.dice {
            sum += self.worth(faces.face(self.sides), false);
        }
        let mut exceeded = sum.has_more_ones();
        let mut extra = 0;
        while extra < sum.again {
            sum += self.worth(faces.face(self.sides), true);
            extra += 1;
            exceeded |= sum.has_more_ones();
        }
        self.judged(sum, exceeded)
    }

    /// Returns dice with the drawn result, each with its sides; none if a million rolls do not match.
    pub fn such<F: Faces + ?Sized>(&self, drawn: PoolDraw, faces: &mut F) -> Vec<(u32, u32)> {
        such_dice(faces, |faces| {
            let result = self.roll(faces);
            (result.net, result.botch) == (drawn.net, drawn.botch)
        })
    }

    /// Returns the result of all dice; `exceeded` if there were ever more 1s than successes.
    #[inline]
    fn judged(&self, sum: FaceValue, exceeded: bool) -> PoolResult {
        let (successes, ones) = (sum.successes, sum.ones_left());
        let rolled = i64::from(successes) - i64::from(ones) * i64::from(self.ones_cancel);
        let botch = match self.botch {
            Botch::OnesExceed => sum.has_more_ones(),
            Botch::AnyTime => exceeded,
            Botch::NoSuccess => successes == 0 && ones > 0,
            Botch::None => false,
        };
        PoolResult {
            net: if self.willpower {
                rolled.max(0) + 1
            } else {
                rolled
            },
            successes,
            ones,
            botch: botch && !self.willpower,
        }
    }

    /// Returns the exact odds.
    pub fn odds(&self) -> PoolOdds {
        Growth::to(self, self.dice).odds()
    }
}

/// The exact odds of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolOdds {
    clean: Distribution,
    botched: Distribution,
    required: u32,
}

impl PoolOdds {
    /// Returns the net successes of the rolls that are not botches (a part, whose mass is their chance).
    pub const fn clean(&self) -> &Distribution {
        &self.clean
    }

    /// Returns the net successes of the rolls that are botches (a part).
    pub const fn botched(&self) -> &Distribution {
        &self.botched
    }

    /// Returns the net successes of all rolls.
    pub fn net(&self) -> Distribution {
        self.clean.with(&self.botched)
    }

    /// Returns the results with their weights.
    pub fn draws(&self) -> Vec<(PoolDraw, Weight)> {
        let part = |part: &Distribution, botch: bool| -> Vec<(PoolDraw, Weight)> {
            let draw = |(net, weight)| (PoolDraw { net, botch }, weight);
            part.weights().map(draw).collect()
        };
        [part(&self.clean, false), part(&self.botched, true)].concat()
    }

    /// Returns the chance of a botch.
    pub fn botch(&self) -> f64 {
        self.botched.mass().value()
    }

    /// Returns the chance of a failure that is not a botch.
    pub fn failure(&self) -> f64 {
        self.clean.at_most(0)
    }

    /// Returns the chance of some net successes, but fewer than required.
    pub fn diminished(&self) -> f64 {
        let high = i64::from(self.required) - 1;
        self.clean.part(1, high).mass().value()
    }

    /// Returns the chance of at least the required net successes.
    pub fn success(&self) -> f64 {
        self.clean.at_least(i64::from(self.required))
    }
}
