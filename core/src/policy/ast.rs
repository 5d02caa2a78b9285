//! A policy line as written: names are unresolved, and places are kept for messages.
//!
//! Printing a tree and reading it again gives the same tree; that is the parser's first test.

use std::ops::Range;

use super::forms::Form;
use crate::document::source::Span;
use crate::fight::effect::Recipient;
use crate::fight::program::{Aim, Comparison, Mode, When};
use crate::fight::variables::VariableRow;

/// A place in bytes of the line. Comparison ignores it: trees that differ only in places are equal.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spot {
    /// First byte.
    pub start: usize,
    /// Past the last byte.
    pub end: usize,
}

impl Spot {
    /// The bytes.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The place from the start of this one to the end of `other`.
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start,
            end: other.end,
        }
    }
}

impl From<Spot> for Span {
    fn from(spot: Spot) -> Self {
        spot.range().into()
    }
}

impl From<Range<usize>> for Spot {
    fn from(range: Range<usize>) -> Self {
        Self {
            start: range.start,
            end: range.end,
        }
    }
}

impl PartialEq for Spot {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Spot {}

/// A name of a weapon, spell, item or combatant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Without quotes.
    pub text: String,
    /// Its place, quotes included.
    pub spot: Spot,
}

/// Whether a line may be left out, and whether it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Usage {
    /// A line that is always used.
    #[default]
    Always,
    /// `? LINE`: a line that is used, and that a search may switch off.
    Optional,
    /// `?off LINE`: a line that is switched off.
    Off,
}

impl Usage {
    /// As written before the line.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Always => "",
            Self::Optional => "? ",
            Self::Off => "?off ",
        }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Whether it may be left out.
    pub usage: Usage,
    /// The place of `anytime`, if the line is asked after every event (W-8).
    pub anytime: Option<Spot>,
    /// The result of a roll after which the line is asked, if it is.
    pub after: Option<Name>,
    /// The action.
    pub action: Action,
    /// Further parts of the action, after `+` (MA-3).
    pub more: Vec<Action>,
    /// How the pool is divided, if the line says so: the dice of each feat, and the place of the numbers.
    pub split: Option<(Vec<u8>, Spot)>,
    /// The condition, if the line has one.
    pub condition: Option<Expr>,
}

impl Line {
    /// All parts of its action, in order.
    pub fn feats(&self) -> impl Iterator<Item = &Action> {
        std::iter::once(&self.action).chain(&self.more)
    }
}

/// An action, or one part of an action that has several: its form, and what fills the slots of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Its form.
    pub form: &'static Form,
    /// The place of its word.
    pub spot: Spot,
    /// Whether it stands after `quick` (EP-3).
    pub quick: bool,
    /// The name of a weapon, spell, item or task.
    pub name: Option<Name>,
    /// The target, if it names one.
    pub target: Option<Reference<Aim>>,
    /// The mode of a move.
    pub mode: Option<Mode>,
    /// Units committed to.
    pub units: Option<Expr>,
    /// Distance at which to stop.
    pub to: Option<Expr>,
    /// Whether the first of two words stands there.
    pub first: bool,
    /// Marks, or the most others that go first.
    pub number: i64,
    /// The place of the number.
    pub at: Spot,
    /// What ends it.
    pub until: Option<Expr>,
    /// The readied action, and its trigger (CD-3).
    pub readied: Option<Box<(Self, Trigger)>>,
    /// The action that is declared.
    pub declared: Option<Box<Self>>,
    /// The place of `with willpower`, if its roll has a sure success (MD-4).
    pub willpower: Option<Spot>,
}

impl Action {
    /// An action with empty slots.
    pub const fn new(form: &'static Form, spot: Spot) -> Self {
        Self {
            form,
            spot,
            quick: false,
            name: None,
            target: None,
            mode: None,
            units: None,
            to: None,
            first: false,
            number: 0,
            at: spot,
            until: None,
            readied: None,
            declared: None,
            willpower: None,
        }
    }

    /// Whether it is rolled, so that Willpower may buy it a success (MD-4).
    pub fn is_rolled(&self) -> bool {
        matches!(self.form.word, "attack" | "cast")
    }
}

/// Combatants in a line: a word of the language, or else a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference<W> {
    /// The meaning of a word.
    Word(W),
    /// The name of a combatant, or of a group.
    Named(Name),
}

/// The trigger of a readied action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    /// The combatants whose deeds trigger it.
    pub by: Reference<Recipient>,
    /// The triggering deed.
    pub when: When,
    /// Its place.
    pub spot: Spot,
}

/// An expression of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// Its content.
    pub kind: ExprKind,
    /// Its place.
    pub spot: Spot,
}

/// The content of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ExprKind {
    Number(i64),
    Truth(bool),
    Variable(&'static VariableRow),
    /// A variable of those within a number of Units: `enemies_within(5)`.
    Within(&'static VariableRow, u32),
    /// A variable of a thing or a condition: `uses.ITEM`, `has CONDITION`.
    Named(&'static VariableRow, Name),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Operator {
    Or,
    And,
    Compare(Comparison),
    Plus,
    Minus,
    Times,
}

impl Operator {
    /// As written.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
            Self::Compare(comparison) => comparison.name(),
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Times => "*",
        }
    }

    /// How tightly it binds.
    pub const fn strength(self) -> u8 {
        match self {
            Self::Or => 0,
            Self::And => 1,
            Self::Compare(_) => COMPARISON,
            Self::Plus | Self::Minus => SUM,
            Self::Times => 5,
        }
    }
}

/// How tightly `not` binds: less than a comparison, and more than `and`.
pub const NOT: u8 = 2;

/// How tightly a comparison binds.
pub const COMPARISON: u8 = 3;

/// How tightly a sum binds: as the amount of a move it needs no parentheses.
pub const SUM: u8 = 4;

/// How tightly the sign of a number binds.
pub const SIGN: u8 = 6;

/// The most combatants that may go first while one delays: all others (CD-2).
pub const MOST_YIELDS: u8 = 64;
