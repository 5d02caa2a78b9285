//! Dice notation: `2d10+7`, `4d6kh3`, `8d10x10cs>=6df=1`, `1d100/10`, `2d10+7 vs 2d10+5`.
//!
//! `parser` reads a text into an expression and points at its errors. `work` estimates the cost of solving the
//! expression and refuses it if it is too large, before any work is done. Then `roll` rolls it with any source of
//! faces, and `exact` solves it. Every parsed notation can be solved. `docs/DICE.md` holds the grammar.

use std::ops::Range;

use super::standoff::Standoff;
use super::{Distribution, Faces};

mod exact;
mod parser;
mod print;
mod roll;
mod terms;
mod work;

pub use work::{MAX_DICE, MAX_NUMBER, MAX_SIDES, MAX_VALUES, MAX_WORK};

/// A parsed dice expression within the limits, which can be rolled and solved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Notation {
    root: Expression,
    /// The least value, and the greatest if there is one.
    min: i64,
    max: Option<i64>,
    /// The approximate number of multiplications for solving the notation.
    work: u64,
}

/// An error in a notation, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotationError {
    /// The bytes of the text with the error; empty at the end of the text if something is missing there.
    pub span: Range<usize>,
    /// The problem.
    pub message: String,
    /// A way to fix the problem, if one is known.
    pub help: Option<String>,
    /// Whether the text is valid dice notation that exceeds a limit.
    pub is_too_much: bool,
}

/// A number of dice of one kind and a bonus: the commonest notation, as plain numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlainSum {
    /// The number of dice; 0 for a constant.
    pub count: u32,
    /// The number of sides of each die; 1 for a constant.
    pub sides: u32,
    /// The number added to the sum of the dice.
    pub bonus: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Expression {
    Constant(i64),
    Dice(Dice),
    Negated(Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    /// Divided by a number that is not 0, and rounded down.
    Quotient(Box<Expression>, i64),
    /// The highest or the lowest of several rolls.
    Extreme {
        highest: bool,
        parts: Vec<Expression>,
    },
    /// A rolled number of dice; the dice have a `count` of 1.
    Several(Box<Expression>, Dice),
    /// The dice that reach the highest of others, less those of the others.
    Standoff(Standoff),
}

/// One term of dice with its modifiers, which apply in the order of these fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Dice {
    count: u32,
    sides: u32,
    /// The values of the sides, in rising order, unless they are 1, 2, 3 and so on.
    faces: Option<Box<[i64]>>,
    reroll: Option<Reroll>,
    explode: Option<Explode>,
    keep: Option<Keep>,
    successes: Option<Condition>,
    deduct: Option<Condition>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Reroll {
    /// The conditions, of which any causes a reroll.
    when: Vec<Condition>,
    /// `rr`: reroll until no condition holds; `r`: reroll once and keep the second face.
    always: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Explode {
    when: Condition,
    /// `xo`: the extra die does not explode.
    once: bool,
    /// `xp`: an extra die counts for 1 less.
    penetrates: bool,
    /// `!!` or `xp` of dice that are kept, dropped or counted: a die and its extra dice are one die.
    joins: bool,
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

impl Notation {
    /// Parses a notation.
    ///
    /// # Errors
    /// If the text is not in the grammar, describes something endless (`1d6x>=1`), or would take more work to solve
    /// than the documented limits allow.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        parser::notation(text)
    }

    /// Parses a notation, or two with `vs` between them.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_versus(text: &str) -> Result<(Self, Option<Self>), NotationError> {
        parser::versus(text)
    }

    /// Rolls the dice: all dice of a term in the order written, then the dice that explosions add. A rerolled die is
    /// rolled again at once. Allocates no memory unless dice are compared: kept, dropped, joined or against others.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        self.root.roll(faces)
    }

    /// Returns the least value; `i64::MIN` if explosions are subtracted, so that there is no least value.
    pub fn min(&self) -> i64 {
        self.min
    }

    /// Returns the greatest value; `None` if explosions leave no bound.
    pub const fn max(&self) -> Option<i64> {
        self.max
    }

    /// Returns the exact distribution of the value.
    pub fn distribution(&self) -> Distribution {
        self.root.distribution()
    }

    /// Returns the approximate number of multiplications for the distribution.
    pub(crate) const fn work(&self) -> u64 {
        self.work
    }

    /// Returns the notation as a plain sum, if it is `NdS`, `NdS` with a constant added, or a constant.
    pub fn as_sum(&self) -> Option<PlainSum> {
        self.root.as_sum()
    }

    /// Returns the number that is added to the dice: -1 for `2d20kh1+4-5`.
    pub fn added(&self) -> i64 {
        self.root.added()
    }
}

impl PlainSum {
    /// Returns points without dice.
    pub const fn points(bonus: i64) -> Self {
        Self {
            count: 0,
            sides: 1,
            bonus,
        }
    }

    /// Rolls the dice.
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
        let raised = |sum: PlainSum, by: i64| PlainSum {
            bonus: sum.bonus + by,
            ..sum
        };
        match self {
            Self::Constant(value) => Some(PlainSum::points(*value)),
            Self::Dice(dice) => dice.is_plain().then_some(PlainSum {
                count: dice.count,
                sides: dice.sides,
                bonus: 0,
            }),
            Self::Negated(inner) => inner.constant().map(|value| PlainSum::points(-value)),
            Self::Sum(left, right) => match (left.constant(), right.constant()) {
                (_, Some(value)) => left.as_sum().map(|sum| raised(sum, value)),
                (Some(value), None) => right.as_sum().map(|sum| raised(sum, value)),
                (None, None) => None,
            },
            Self::Difference(left, right) => {
                let value = right.constant()?;
                left.as_sum().map(|sum| raised(sum, -value))
            }
            Self::Product(left, right) => {
                Some(PlainSum::points(left.constant()? * right.constant()?))
            }
            Self::Quotient(left, by) => Some(PlainSum::points(rounded_down(left.constant()?, *by))),
            Self::Extreme { .. } | Self::Several(..) | Self::Standoff(_) => None,
        }
    }
}

/// Returns a quotient rounded down, below 0 too.
const fn rounded_down(value: i64, by: i64) -> i64 {
    let is_between = value % by != 0 && (value < 0) != (by < 0);
    value / by - is_between as i64
}

impl Dice {
    fn new(count: u32, sides: u32) -> Self {
        Self {
            count,
            sides,
            ..Self::default()
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

    /// Returns the worth of a side.
    #[inline]
    fn worth(&self, side: u32) -> i64 {
        self.counted(self.value(side))
    }

    /// Returns the worth of a value: itself, or 1 for a success and -1 for a deducted one.
    #[inline]
    fn counted(&self, value: i64) -> i64 {
        match self.successes {
            None => value,
            Some(success) => {
                let deducted = self.deduct.is_some_and(|when| when.holds(value));
                i64::from(success.holds(value)) - i64::from(deducted)
            }
        }
    }

    /// Returns the amount that an exploding side adds to the value of the die that ends its chain. If dice penetrate,
    /// all dice after the first count for 1 less; for the sum of a chain, this equals 1 less for all dice before the
    /// last.
    #[inline]
    fn link(&self, side: u32) -> i64 {
        let penetrates = self.explode.is_some_and(|explode| explode.penetrates);
        self.worth(side) - i64::from(penetrates)
    }

    /// Returns whether a die and its extra dice are one die.
    fn joins(&self) -> bool {
        self.explode.is_some_and(|explode| explode.joins)
    }

    /// Returns whether dice are kept that are one die with their extra dice, and of which the highest face alone explodes,
    /// so that such a die is never below another.
    fn outranks(&self) -> bool {
        let below = self.sides - 1;
        self.joins()
            && self.successes.is_none()
            && (1..=below).all(|side| !self.explodes(side))
            && self.link(self.sides) > 0
            && self.link(self.sides) + self.value(1) >= self.value(below)
    }

    #[inline]
    fn explodes(&self, side: u32) -> bool {
        let value = self.value(side);
        self.explode
            .is_some_and(|explode| explode.when.holds(value))
    }

    /// Returns whether a side is rolled again.
    #[inline]
    fn rerolls(&self, side: u32) -> bool {
        let value = self.value(side);
        let reroll = self.reroll.as_ref();
        reroll.is_some_and(|reroll| reroll.when.iter().any(|when| when.holds(value)))
    }

    /// Returns whether a side is rolled again until another comes up, and so never shows.
    fn never_shows(&self, side: u32) -> bool {
        self.reroll.as_ref().is_some_and(|reroll| reroll.always) && self.rerolls(side)
    }

    /// Returns whether a side fits a condition.
    fn shows(&self, condition: Condition) -> bool {
        (1..=self.sides).any(|side| condition.holds(self.value(side)))
    }

    /// Returns the first kept place and the number of kept dice, of all dice in order from the highest.
    fn window(&self) -> (u32, u32) {
        self.window_of(self.count)
    }

    /// Returns the same for `count` dice.
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
