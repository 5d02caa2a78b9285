//! Dice as designers write them: `2d10+7`, `4d6kh3`, `8d10x10cs>=6df=1`, `2d10+7 vs 2d10+5`.
//!
//! `parser` reads a text into an expression and points at its errors; `work` estimates the cost of solving
//! it and refuses what is too large before any work is done; then `roll` rolls it with any source of faces,
//! and `exact` solves it. Whatever parses can be solved.
//! `docs/DICE.md` holds the grammar.

use std::ops::Range;

use super::{Distribution, Faces};

mod exact;
mod parser;
mod print;
mod roll;
mod terms;
mod work;

pub use work::{MAX_DICE, MAX_NUMBER, MAX_SIDES, MAX_VALUES, MAX_WORK};

/// A dice expression that has been read, bounded, and can be rolled and solved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Notation {
    root: Expression,
    range: ValueRange,
    /// Multiplications that solving it takes, about.
    work: u64,
}

/// An error in a notation, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotationError {
    /// The bytes of the text that are to blame; empty at its end if something is missing there.
    pub span: Range<usize>,
    /// The problem.
    pub message: String,
    /// The way out, if one is known.
    pub help: Option<String>,
    /// Whether the text is in dice notation, and asks for more than can be computed.
    pub is_too_much: bool,
}

/// So many dice of one kind and a bonus: the commonest notation, as plain numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlainSum {
    /// Number of dice; 0 for a constant.
    pub count: u32,
    /// Faces of each; 1 for a constant.
    pub sides: u32,
    /// Added to the sum of the dice.
    pub bonus: i64,
}

/// A question in dice notation: one throw, or two compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Question {
    /// What does it show?
    Roll(Notation),
    /// Which is higher?
    Versus(Notation, Notation),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Expression {
    Constant(i64),
    Dice(Dice),
    Negated(Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    /// The highest or the lowest of several rolls.
    Extreme {
        highest: bool,
        parts: Vec<Expression>,
    },
    /// Dice whose number is rolled; those have a `count` of 1.
    Several(Box<Expression>, Dice),
}

/// One term of dice with its modifiers, which act in the order of these fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Dice {
    count: u32,
    sides: u32,
    /// The values of the sides, rising, where they are not 1, 2, 3 and so on.
    faces: Option<Box<[i64]>>,
    reroll: Option<Reroll>,
    explode: Option<Explode>,
    keep: Option<Keep>,
    successes: Option<Condition>,
    deduct: Option<Condition>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Reroll {
    /// Any of these.
    when: Vec<Condition>,
    /// `rr`: until the face is another; `r`: once, and the second face stays.
    always: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Explode {
    when: Condition,
    /// `xo`: the extra die does not explode again.
    once: bool,
    /// `xp`: an extra die counts for 1 less.
    penetrates: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Keep {
    which: Which,
    number: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Which {
    KeepHighest,
    KeepLowest,
    DropHighest,
    DropLowest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Condition {
    relation: Relation,
    value: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Relation {
    Below,
    AtMost,
    Equal,
    AtLeast,
    Above,
}

/// Least and greatest value; `None` where subtracted or added explosions leave no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct ValueRange {
    min: Option<i64>,
    max: Option<i64>,
}

impl Notation {
    /// Reads a notation.
    ///
    /// # Errors
    /// If the text is not in the grammar, asks for something endless (`1d6x>=1`), or would take
    /// more work to solve than the documented limits allow.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        parser::notation(text)
    }

    /// Throws the dice: all dice of a term in the order written, then the dice that explosions
    /// add; a rerolled die at once. Takes no memory unless dice are kept or dropped.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        self.root.roll(faces)
    }

    /// The least value; `i64::MIN` if explosions are subtracted, so that there is none.
    #[must_use]
    pub fn min(&self) -> i64 {
        self.range.min.unwrap_or(i64::MIN)
    }

    /// The greatest value; `None` if explosions leave no bound.
    #[must_use]
    pub const fn max(&self) -> Option<i64> {
        self.range.max
    }

    /// The exact distribution of its value.
    #[must_use]
    pub fn distribution(&self) -> Distribution {
        self.root.distribution()
    }

    /// Returns about how many multiplications its distribution takes.
    pub(crate) const fn work(&self) -> u64 {
        self.work
    }

    /// The notation as a plain sum, if it is `NdS`, `NdS` with a constant added, or a constant.
    #[must_use]
    pub fn as_sum(&self) -> Option<PlainSum> {
        self.root.as_sum()
    }

    /// Returns the number that is added to the dice: -1 of `2d20kh1+4-5`.
    #[must_use]
    pub fn added(&self) -> i64 {
        self.root.added()
    }
}

impl Question {
    /// Reads a notation, or two with `vs` between them.
    ///
    /// # Errors
    /// As [`Notation::parse`].
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        parser::question(text)
    }
}

impl PlainSum {
    /// Throws the dice.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        self.bonus + faces.sum(self.count, self.sides) as i64
    }
}

impl Expression {
    fn constant(&self) -> Option<i64> {
        self.as_sum()
            .filter(|sum| sum.count == 0)
            .map(|sum| sum.bonus)
    }

    fn added(&self) -> i64 {
        match self {
            Self::Constant(value) => *value,
            Self::Negated(inner) => -inner.added(),
            Self::Sum(left, right) => left.added() + right.added(),
            Self::Difference(left, right) => left.added() - right.added(),
            _ => self.constant().unwrap_or(0),
        }
    }

    fn as_sum(&self) -> Option<PlainSum> {
        let constant = |bonus| PlainSum {
            count: 0,
            sides: 1,
            bonus,
        };
        let raised = |sum: PlainSum, by: i64| PlainSum {
            bonus: sum.bonus + by,
            ..sum
        };
        match self {
            Self::Constant(value) => Some(constant(*value)),
            Self::Dice(dice) => dice.is_plain().then_some(PlainSum {
                count: dice.count,
                sides: dice.sides,
                bonus: 0,
            }),
            Self::Negated(inner) => inner.constant().map(|value| constant(-value)),
            Self::Sum(left, right) => match (left.constant(), right.constant()) {
                (_, Some(value)) => left.as_sum().map(|sum| raised(sum, value)),
                (Some(value), None) => right.as_sum().map(|sum| raised(sum, value)),
                (None, None) => None,
            },
            Self::Difference(left, right) => {
                let value = right.constant()?;
                left.as_sum().map(|sum| raised(sum, -value))
            }
            Self::Product(left, right) => Some(constant(left.constant()? * right.constant()?)),
            Self::Extreme { .. } | Self::Several(..) => None,
        }
    }
}

impl Dice {
    const fn new(count: u32, sides: u32) -> Self {
        Self {
            count,
            sides,
            faces: None,
            reroll: None,
            explode: None,
            keep: None,
            successes: None,
            deduct: None,
        }
    }

    const fn is_plain(&self) -> bool {
        self.faces.is_none()
            && self.reroll.is_none()
            && self.explode.is_none()
            && self.keep.is_none()
            && self.successes.is_none()
    }

    /// Returns the number on a side.
    #[inline]
    fn value(&self, side: u32) -> i64 {
        match &self.faces {
            None => i64::from(side),
            Some(faces) => faces[side as usize - 1],
        }
    }

    /// Returns the value of a side: its number, or a success or a deducted one.
    #[inline]
    fn worth(&self, side: u32) -> i64 {
        let value = self.value(side);
        match self.successes {
            None => value,
            Some(success) => {
                let deducted = self.deduct.is_some_and(|when| when.holds(value));
                i64::from(success.holds(value)) - i64::from(deducted)
            }
        }
    }

    /// Returns what a side that explodes adds to the value of the die that ends its chain: the dice after
    /// the first count for 1 less if they penetrate, and so do, all in all, those before the last.
    #[inline]
    fn link(&self, side: u32) -> i64 {
        let penetrates = self.explode.is_some_and(|explode| explode.penetrates);
        self.worth(side) - i64::from(penetrates)
    }

    #[inline]
    fn explodes(&self, side: u32) -> bool {
        let value = self.value(side);
        self.explode
            .is_some_and(|explode| explode.when.holds(value))
    }

    /// Whether a side is rolled again.
    #[inline]
    fn rerolls(&self, side: u32) -> bool {
        let value = self.value(side);
        let reroll = self.reroll.as_ref();
        reroll.is_some_and(|reroll| reroll.when.iter().any(|when| when.holds(value)))
    }

    /// Whether a side is rolled again until it is another, and so never shown.
    fn never_shows(&self, side: u32) -> bool {
        self.reroll.as_ref().is_some_and(|reroll| reroll.always) && self.rerolls(side)
    }

    /// Of all dice put in order from the highest, the first kept place and how many follow.
    fn window(&self) -> (u32, u32) {
        self.window_of(self.count)
    }

    /// The same of `count` dice.
    fn window_of(&self, count: u32) -> (u32, u32) {
        match self.keep {
            None => (0, count),
            Some(Keep { which, number }) => match which {
                Which::KeepHighest => (0, number),
                Which::KeepLowest => (count - number, number),
                Which::DropHighest => (number, count - number),
                Which::DropLowest => (0, count - number),
            },
        }
    }
}

impl Condition {
    #[inline]
    const fn holds(self, face: i64) -> bool {
        match self.relation {
            Relation::Below => face < self.value,
            Relation::AtMost => face <= self.value,
            Relation::Equal => face == self.value,
            Relation::AtLeast => face >= self.value,
            Relation::Above => face > self.value,
        }
    }
}
