//! Dice as designers write them: `2d10+7`, `4d6kh3`, `8d10x10cs>=6df=1`, `2d10+7 vs 2d10+5`.
//!
//! `parser` reads a text into an expression and points at its errors; `work` estimates the cost of solving
//! it and refuses what is too large before any work is done; then `roll` rolls it with any source of faces,
//! and `exact` solves it. Whatever parses can be solved.
//! `docs/DICE.md` holds the grammar.

use std::fmt;
use std::ops::Range;

use super::{Distribution, Faces};

mod exact;
mod parser;
mod roll;
mod work;

pub use work::{MAX_DICE, MAX_NUMBER, MAX_SIDES, MAX_VALUES, MAX_WORK};

/// A dice expression that has been read, bounded, and can be rolled and solved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Notation {
    root: Expression,
    range: ValueRange,
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
}

/// One term of dice with its modifiers, which act in the order of these fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Dice {
    count: u32,
    sides: u32,
    reroll: Option<Reroll>,
    explode: Option<Explode>,
    keep: Option<Keep>,
    successes: Option<Condition>,
    deduct: Option<Condition>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Reroll {
    when: Condition,
    /// `rr`: until the face is another; `r`: once, and the second face stays.
    always: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Explode {
    when: Condition,
    /// `xo`: the extra die does not explode again.
    once: bool,
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
    value: u32,
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

    /// The notation as a plain sum, if it is `NdS`, `NdS` with a constant added, or a constant.
    #[must_use]
    pub fn as_sum(&self) -> Option<PlainSum> {
        self.root.as_sum()
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
        }
    }
}

impl Dice {
    const fn new(count: u32, sides: u32) -> Self {
        Self {
            count,
            sides,
            reroll: None,
            explode: None,
            keep: None,
            successes: None,
            deduct: None,
        }
    }

    const fn is_plain(&self) -> bool {
        self.reroll.is_none()
            && self.explode.is_none()
            && self.keep.is_none()
            && self.successes.is_none()
    }

    /// Returns the value of a face: itself, or a success or a deducted one.
    #[inline]
    fn worth(&self, face: u32) -> i64 {
        match self.successes {
            None => i64::from(face),
            Some(success) => {
                let deducted = self.deduct.is_some_and(|when| when.holds(face));
                i64::from(success.holds(face)) - i64::from(deducted)
            }
        }
    }

    #[inline]
    fn explodes(&self, face: u32) -> bool {
        self.explode.is_some_and(|explode| explode.when.holds(face))
    }

    /// Of `count` dice put in order from the highest, the first kept place and how many follow.
    fn window(&self) -> (u32, u32) {
        let count = self.count;
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
    const fn holds(self, face: u32) -> bool {
        match self.relation {
            Relation::Below => face < self.value,
            Relation::AtMost => face <= self.value,
            Relation::Equal => face == self.value,
            Relation::AtLeast => face >= self.value,
            Relation::Above => face > self.value,
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Roll(notation) => notation.fmt(f),
            Self::Versus(left, right) => write!(f, "{left} vs {right}"),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A sum inside a product, or after a minus sign, needs its parentheses.
        let tight = |inner: &Self| match inner {
            Self::Sum(..) | Self::Difference(..) => format!("({inner})"),
            Self::Constant(_) | Self::Dice(_) | Self::Negated(_) | Self::Product(..) => {
                inner.to_string()
            }
        };
        let factor = |inner: &Self| match inner {
            Self::Product(..) => format!("({inner})"),
            _ => tight(inner),
        };
        match self {
            Self::Constant(value) => value.fmt(f),
            Self::Dice(dice) => dice.fmt(f),
            Self::Negated(inner) => write!(f, "-{}", tight(inner)),
            Self::Sum(left, right) => match right.as_ref() {
                Self::Sum(..) | Self::Difference(..) => write!(f, "{left}+({right})"),
                _ => write!(f, "{left}+{right}"),
            },
            Self::Difference(left, right) => write!(f, "{left}-{}", tight(right)),
            Self::Product(left, right) => write!(f, "{}*{}", tight(left), factor(right)),
        }
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}d{}", self.count, self.sides)?;
        if let Some(Reroll { when, always }) = self.reroll {
            write!(f, "{}{when}", if always { "rr" } else { "r" })?;
        }
        if let Some(Explode { when, once }) = self.explode {
            write!(f, "{}{when}", if once { "xo" } else { "x" })?;
        }
        if let Some(Keep { which, number }) = self.keep {
            let word = match which {
                Which::KeepHighest => "kh",
                Which::KeepLowest => "kl",
                Which::DropHighest => "dh",
                Which::DropLowest => "dl",
            };
            write!(f, "{word}{number}")?;
        }
        if let Some(when) = self.successes {
            write!(f, "cs{when}")?;
        }
        if let Some(when) = self.deduct {
            write!(f, "df{when}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.relation {
            Relation::Below => "<",
            Relation::AtMost => "<=",
            Relation::Equal => "",
            Relation::AtLeast => ">=",
            Relation::Above => ">",
        };
        write!(f, "{sign}{}", self.value)
    }
}
