//! Extended rolls and rituals (MD-7): repeated rolls until enough successes are gathered.
//!
//! [`Extended`] is the task. Its solution follows the weight of
//! every state (successes gathered, difficulty reached) from roll to roll, which gives the distribution of the number
//! of rolls. Means come from a linear system that has no last roll, so they hold even where no list of rolls could be
//! long enough.

use super::pool::Pool;
use crate::names::named;

mod exact;
mod solve;

pub use exact::{ExtendedOdds, Summary};

/// The greatest number of successes that a task may require.
pub const MAX_REQUIRED: u32 = 500;

/// The greatest cap on the number of rolls.
pub const MAX_ROLLS: u32 = 100_000;

named! {
    /// The effect of a botch on the task (MD-7).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum OnBotch {
        /// A botch ends the task.
        #[default]
        Ends "ends";
        /// All successes are lost, and the task continues.
        LosesAll "loses-all";
        /// A botch adds nothing, and the task continues.
        Continues "continues";
    }
}

impl OnBotch {
    /// Returns the number of successes left of `at` after a botch; `None` if the task ends.
    fn keeps(self, at: usize) -> Option<usize> {
        match self {
            Self::Ends => None,
            Self::LosesAll => Some(0),
            Self::Continues => Some(at),
        }
    }
}

/// How Paradox gathers over a ritual (MD-6, MD-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gathering {
    /// The Paradox of one roll, whatever its result: 0 if coincidental.
    pub each: u32,
    /// Whether Paradox is gathered once for the whole task, not once a roll.
    pub once: bool,
}

/// A task of many rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extended {
    /// The pool of the first roll and, if failing makes it harder, those after one, two and more rolls that added
    /// nothing. The last one holds from then on.
    levels: Vec<Pool>,
    /// The pool of a roll with Willpower.
    willing: Pool,
    /// The number of rolls, from the first, on which Willpower is spent.
    willpower: u32,
    required: u32,
    on_botch: OnBotch,
    max_rolls: Option<u32>,
    paradox: Option<Gathering>,
}

/// The options of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The effect of a botch.
    pub on_botch: OnBotch,
    /// The cap on the number of rolls, if there is one.
    pub max_rolls: Option<u32>,
    /// How Paradox gathers, if the task is magick.
    pub paradox: Option<Gathering>,
    /// The points of Willpower; one is spent on every roll while any are left (MD-4).
    pub willpower: u32,
}

/// The reason why a task is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExtendedError {
    /// More successes are required than can be solved.
    #[error("{0} successes required: the limit of an extended roll is {MAX_REQUIRED}")]
    Required(u32),
    /// The cap on the rolls is out of bounds.
    #[error("at most {0} rolls: a cap lies from 1 to {MAX_ROLLS}")]
    MaxRolls(u32),
    /// No roll can ever add a success.
    #[error("a pool without dice never gathers a success: this work has no end")]
    Endless,
    /// The number of points of Willpower is out of bounds.
    #[error("{0} points of Willpower: the limit is {MAX_REQUIRED}")]
    Willpower(u32),
    /// Following botches and rolls together would take too long.
    #[error(
        "counting botches over at most {0} rolls takes too long: name a lower cap on the rolls \
         or require fewer successes"
    )]
    Work(u32),
}

/// Yields the difficulty of the first roll and, after each roll that adds nothing, `step` more, up to 10
/// (MD-7).
pub(crate) fn difficulties(first: u32, step: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(first), move |&last| {
        (step > 0 && last < 10).then(|| last.saturating_add(step).min(10))
    })
}

impl Extended {
    /// Creates the task of gathering the net successes that the first of these pools requires. Each of the others, if
    /// there are any, is rolled after one more roll that added nothing, and the last from then on.
    ///
    /// # Errors
    /// If the task could never be done or is too large to solve.
    pub fn new(levels: Vec<Pool>, options: Options) -> Result<Self, ExtendedError> {
        let first = *levels.first().ok_or(ExtendedError::Endless)?;
        let required = first.required();
        if options.willpower > MAX_REQUIRED {
            return Err(ExtendedError::Willpower(options.willpower));
        }
        if required > MAX_REQUIRED {
            return Err(ExtendedError::Required(required));
        }
        if let Some(cap) = options.max_rolls
            && !(1..=MAX_ROLLS).contains(&cap)
        {
            return Err(ExtendedError::MaxRolls(cap));
        }
        // A sure success on every roll ends the task, too.
        let is_sure = options.willpower >= required;
        if first.dice() == 0 && !is_sure && options.max_rolls.is_none() {
            return Err(ExtendedError::Endless);
        }
        Ok(Self {
            levels,
            willing: first.with_willpower(),
            willpower: options.willpower,
            required,
            on_botch: options.on_botch,
            max_rolls: options.max_rolls,
            paradox: options.paradox,
        })
    }
}
