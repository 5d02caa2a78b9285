//! The options of the two families of pools, and the value of a face under each.

use super::{FaceValue, MAX_JOINT_POOL, MAX_POOL, MAX_STEPWISE_POOL, Pool, PoolError};

/// An option whose values have names, which are the same on the command line, in files and in columns.
pub trait Named: Copy + PartialEq + 'static {
    /// All values with their names, the default first.
    const ALL: &'static [(&'static str, Self)];

    /// Returns the name of this value.
    #[must_use]
    fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(_, value)| *value == self);
        named.map_or("", |(name, _)| name)
    }

    /// Returns the value with this name.
    #[must_use]
    fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }
}

/// The effect of a 10 in a Storyteller pool (MD-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tens {
    /// A success and one more die, which may be a 10 again.
    #[default]
    Explode,
    /// A success and one more die, whose 10 is a plain success.
    Once,
    /// Two successes.
    Double,
    /// A success like any other.
    Plain,
}

/// Whether a 1 cancels a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ones {
    /// A 1 cancels a success.
    #[default]
    Cancel,
    /// A 1 does not cancel a success.
    Ignore,
}

/// The condition of a botch (MD-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Botch {
    /// More 1s than successes after all dice are rolled.
    #[default]
    OnesExceed,
    /// More 1s than successes at any time: after the first roll, or after any extra die.
    AnyTime,
    /// No success before cancelling, and at least one 1.
    NoSuccess,
    /// There are no botches.
    None,
}

/// The faces of a Chronicles die that are rolled again (CD-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Again {
    /// 10s.
    #[default]
    Ten,
    /// 9s and 10s.
    Nine,
    /// 8s and up: every success.
    Eight,
    /// No face.
    Never,
}

impl Named for Tens {
    const ALL: &'static [(&'static str, Self)] = &[
        ("explode", Self::Explode),
        ("once", Self::Once),
        ("double", Self::Double),
        ("plain", Self::Plain),
    ];
}

impl Named for Ones {
    const ALL: &'static [(&'static str, Self)] =
        &[("cancel", Self::Cancel), ("ignore", Self::Ignore)];
}

impl Named for Botch {
    const ALL: &'static [(&'static str, Self)] = &[
        ("ones-exceed", Self::OnesExceed),
        ("at-any-time", Self::AnyTime),
        ("no-success", Self::NoSuccess),
        ("none", Self::None),
    ];
}

impl Named for Again {
    const ALL: &'static [(&'static str, Self)] = &[
        ("10", Self::Ten),
        ("9", Self::Nine),
        ("8", Self::Eight),
        ("none", Self::Never),
    ];
}

/// A Storyteller pool: `pool` d10s against `difficulty`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Storyteller {
    /// The number of dice.
    pub pool: u32,
    /// The least face that is a success: 2 to 10.
    pub difficulty: u32,
    /// The effect of 10s.
    pub tens: Tens,
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
    #[must_use]
    pub const fn new(pool: u32, difficulty: u32) -> Self {
        Self {
            pool,
            difficulty,
            tens: Tens::Explode,
            ones: Ones::Cancel,
            ones_on_explosion: Ones::Cancel,
            botch: Botch::OnesExceed,
            required: 1,
            willpower: false,
        }
    }

    /// Returns whether successes and 1s must be followed together.
    #[must_use]
    pub const fn is_joint(&self) -> bool {
        let counts_ones = matches!(self.botch, Botch::OnesExceed | Botch::AnyTime);
        counts_ones && matches!(self.ones, Ones::Ignore) && !self.willpower
    }

    /// Returns whether extra dice must be followed one after the other, because each may botch.
    #[must_use]
    pub const fn is_stepwise(&self) -> bool {
        let explodes = matches!(self.tens, Tens::Explode | Tens::Once);
        explodes && matches!(self.botch, Botch::AnyTime) && !self.willpower
    }

    /// Compiles the pool.
    ///
    /// # Errors
    /// If the difficulty is not from 2 to 10, if the pool is too large to be solved, or if no success is required.
    pub fn compile(&self) -> Result<Pool, PoolError> {
        if !(2..=10).contains(&self.difficulty) {
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
        let again = matches!(self.tens, Tens::Explode | Tens::Once);
        let worth = |face: u32, one: bool, again: bool| match face {
            1 => FaceValue::new(0, u32::from(one), false),
            10 => FaceValue::new(if self.tens == Tens::Double { 2 } else { 1 }, 0, again),
            _ => FaceValue::new(u32::from(face >= self.difficulty), 0, false),
        };
        let one = self.ones_on_explosion == Ones::Cancel;
        let explode = self.tens == Tens::Explode;
        Ok(Pool {
            dice: self.pool,
            first: faces(|face| worth(face, true, again)),
            extra: faces(|face| worth(face, one, explode)),
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
    #[must_use]
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
    #[must_use]
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
        let worth = |face: u32, rote: bool| match (chance, face) {
            (true, 1) => FaceValue::new(0, 1, false),
            (true, _) => FaceValue::new(u32::from(face == 10), 0, false),
            (false, 8..) => FaceValue::new(1, 0, face >= least),
            (false, _) => FaceValue::new(0, 0, rote),
        };
        Ok(Pool {
            dice: self.pool.max(1).unsigned_abs(),
            first: faces(|face| worth(face, self.rote)),
            extra: faces(|face| worth(face, false)),
            ones_cancel: false,
            botch: Botch::NoSuccess,
            required: self.required,
            willpower: self.willpower,
        })
    }
}

fn faces(worth: impl Fn(u32) -> FaceValue) -> [FaceValue; 11] {
    std::array::from_fn(|face| {
        if face == 0 {
            FaceValue::default()
        } else {
            worth(face as u32)
        }
    })
}
