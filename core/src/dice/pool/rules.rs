//! The options of the two families of pools, and the value of a face under each.

use super::{Band, FaceValue, MAX_JOINT_POOL, MAX_POOL, MAX_STEPWISE_POOL, Pool, PoolError};
use crate::names::named;

named! {
    /// The effect of a 10 in a Storyteller pool (MD-1).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Tens {
        /// A success and one more die, which may be a 10 again.
        #[default]
        Explode "explode";
        /// A success and one more die, whose 10 is a plain success.
        Once "once";
        /// Two successes.
        Double "double";
        /// A success like any other.
        Plain "plain";
        /// A success, and one 1 fewer that cancels a success.
        Cancel "cancel";
    }
}

named! {
    /// Whether a 1 cancels a success.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Ones {
        /// A 1 cancels a success.
        #[default]
        Cancel "cancel";
        /// A 1 does not cancel a success.
        Ignore "ignore";
    }
}

named! {
    /// The condition of a botch (MD-2).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Botch {
        /// More 1s than successes after all dice are rolled.
        #[default]
        OnesExceed "ones-exceed";
        /// More 1s than successes at any time: after the first roll, or after any extra die.
        AnyTime "at-any-time";
        /// No success before cancelling, and at least one 1.
        NoSuccess "no-success";
        /// There are no botches.
        None "none";
    }
}

named! {
    /// The faces of a Chronicles die that are rolled again (CD-6).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Again {
        /// 10s.
        #[default]
        Ten "10";
        /// 9s and 10s.
        Nine "9";
        /// 8s and up: every success.
        Eight "8";
        /// No face.
        Never "none";
    }
}

/// A Storyteller pool: `pool` d10s, or other dice, against `difficulty`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Storyteller {
    /// The number of dice.
    pub pool: u32,
    /// The number of sides of each die: 10 but for pools of other dice.
    pub sides: u32,
    /// The least face that is a success: 2 to `sides`.
    pub difficulty: u32,
    /// The effect of 10s.
    pub tens: Tens,
    /// The least face to which `tens` applies, if it is a success: 10 but for pools of other dice.
    pub top: u32,
    /// The effect of 1s.
    pub ones: Ones,
    /// The effect of 1s on extra dice. Ignored 1s neither cancel nor count towards a botch.
    pub ones_on_explosion: Ones,
    /// The condition of a botch.
    pub botch: Botch,
    /// The number of net successes for the full effect.
    pub required: u32,
    /// Whether there is one sure success, which is never cancelled (MD-4).
    pub willpower: bool,
}

impl Storyteller {
    /// Creates a pool with the rules of the text and one success required.
    pub const fn new(pool: u32, difficulty: u32) -> Self {
        Self {
            pool,
            sides: 10,
            difficulty,
            tens: Tens::Explode,
            top: 10,
            ones: Ones::Cancel,
            ones_on_explosion: Ones::Cancel,
            botch: Botch::OnesExceed,
            required: 1,
            willpower: false,
        }
    }

    /// Returns whether successes and 1s must be followed together.
    pub const fn is_joint(&self) -> bool {
        let counts_ones = matches!(self.botch, Botch::OnesExceed | Botch::AnyTime);
        matches!(self.tens, Tens::Cancel)
            || counts_ones && matches!(self.ones, Ones::Ignore) && !self.willpower
    }

    /// Returns whether extra dice must be followed one after the other, because each may botch.
    pub const fn is_stepwise(&self) -> bool {
        let explodes = matches!(self.tens, Tens::Explode | Tens::Once);
        explodes && matches!(self.botch, Botch::AnyTime) && !self.willpower
    }

    /// Compiles the pool.
    ///
    /// # Errors
    /// If the difficulty is not from 2 to the sides of the dice, if the pool is too large to be solved, or if no success
    /// is required.
    pub fn compile(&self) -> Result<Pool, PoolError> {
        if !(2..=self.sides).contains(&self.difficulty) {
            return Err(PoolError::Difficulty(self.difficulty.into()));
        }
        if self.pool > MAX_POOL {
            return Err(PoolError::TooManyDice(self.pool.into()));
        }
        if self.is_joint() && self.pool > MAX_JOINT_POOL {
            return Err(PoolError::TooManyJointDice(self.pool));
        }
        if self.is_stepwise() && self.pool > MAX_STEPWISE_POOL {
            return Err(PoolError::TooManyStepwiseDice(self.pool));
        }
        if self.required == 0 {
            return Err(PoolError::Required(0));
        }
        let top = self.top.max(self.difficulty);
        let worth = |face: u32, is_extra: bool| match face {
            1 => {
                let counts = !is_extra || self.ones_on_explosion == Ones::Cancel;
                FaceValue::new(0, counts.into(), false)
            }
            _ if face < top => FaceValue::new((face >= self.difficulty).into(), 0, false),
            _ => {
                let again = self.tens == Tens::Explode || self.tens == Tens::Once && !is_extra;
                let successes = if self.tens == Tens::Double { 2 } else { 1 };
                FaceValue {
                    saves: (self.tens == Tens::Cancel).into(),
                    ..FaceValue::new(successes, 0, again)
                }
            }
        };
        Ok(Pool {
            dice: self.pool,
            sides: self.sides,
            bands: bands([2, self.difficulty, top], worth),
            ones_cancel: self.ones == Ones::Cancel,
            botch: self.botch,
            required: self.required,
            willpower: self.willpower,
        })
    }
}

/// A Chronicles pool: 8 or more succeeds, 1s have no effect, high faces are rolled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chronicles {
    /// The number of dice; 0 or less is a chance die.
    pub pool: i32,
    /// The faces that are rolled again.
    pub again: Again,
    /// Whether dice of the pool that fail are rolled a second time.
    pub rote: bool,
    /// The number of successes for the full effect.
    pub required: u32,
    /// Whether there is one sure success, as in MD-4.
    pub willpower: bool,
}

impl Chronicles {
    /// Creates a pool with 10s rolled again and one success required.
    pub const fn new(pool: i32) -> Self {
        Self {
            pool,
            again: Again::Ten,
            rote: false,
            required: 1,
            willpower: false,
        }
    }

    /// Returns whether this is a chance die.
    pub const fn is_chance(&self) -> bool {
        self.pool < 1
    }

    /// Compiles the pool. A chance die succeeds on a 10 and is never rolled again, not even as a rote. Its 1 is a
    /// dramatic failure.
    ///
    /// # Errors
    /// If the pool is too large to be solved, or if no success is required.
    pub fn compile(&self) -> Result<Pool, PoolError> {
        if self.pool > MAX_POOL as i32 {
            return Err(PoolError::TooManyDice(self.pool.into()));
        }
        if self.required == 0 {
            return Err(PoolError::Required(0));
        }
        let chance = self.is_chance();
        let least = match self.again {
            Again::Ten => 10,
            Again::Nine => 9,
            Again::Eight => 8,
            Again::Never => 11,
        };
        let worth = |face: u32, is_extra: bool| match (chance, face) {
            (true, 1) => FaceValue::new(0, 1, false),
            (true, _) => FaceValue::new((face == 10).into(), 0, false),
            (false, 8..) => FaceValue::new(1, 0, face >= least),
            (false, _) => FaceValue::new(0, 0, self.rote && !is_extra),
        };
        Ok(Pool {
            dice: self.pool.max(1).unsigned_abs(),
            sides: 10,
            bands: bands([2, 8, if chance { 10 } else { least }], worth),
            ones_cancel: false,
            botch: Botch::NoSuccess,
            required: self.required,
            willpower: self.willpower,
        })
    }
}

/// Returns the bands that begin at the 1 and at the `starts`.
fn bands(starts: [u32; 3], worth: impl Fn(u32, bool) -> FaceValue) -> [Band; 4] {
    let mut starts = [1, starts[0], starts[1], starts[2]];
    starts.sort_unstable();
    starts.map(|least| Band {
        least,
        worth: [worth(least, false), worth(least, true)],
    })
}
