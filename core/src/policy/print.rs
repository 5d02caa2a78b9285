//! Policy lines as text. Printing a tree and reading it again gives the same tree.

use super::actions::{SUBJECTS, TARGETS, TRIGGERS, fact, first_word};
use super::ast::{
    Action, COMPARISON, Expr, ExprKind, Line, MOST_YIELDS, NOT, Name, Reference, SIGN, SUM, Trigger,
};
use super::forms::Slot;
use crate::fight::program::{Aim, Mode, When};
use crate::fight::system::Clocks;
use std::fmt;

/// Words that are mistaken for `if`.
pub(super) const ALMOST_IF: &[&str] = &["when", "while", "unless", "iff", "IF", "If"];

/// Whether a word must be quoted as a name, because the parser would read it differently.
fn is_keyword(word: &str) -> bool {
    let triggers = TRIGGERS.iter().map(|(syntax, ..)| first_word(syntax));
    let mut words = (ALMOST_IF.iter().copied())
        .chain([
            "if",
            "until",
            "with",
            "to",
            "+",
            "split",
            "trigger",
            "willpower",
        ])
        .chain(Mode::NAMES.iter().copied())
        .chain(TARGETS.iter().map(|(target, ..)| *target))
        .chain(SUBJECTS.iter().map(|(subject, ..)| *subject))
        .chain(triggers);
    words.any(|keyword| keyword == word)
}

/// Writes a name, quoted where necessary; `strict` is the rule inside conditions, where a hyphen is a minus.
fn write_name(f: &mut fmt::Formatter<'_>, name: &str, strict: bool) -> fmt::Result {
    let bare = if strict {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    } else {
        !name.is_empty()
            && !name.starts_with(|c: char| {
                matches!(c, '\'' | '-' | '+' | '*' | '$') || c.is_ascii_digit()
            })
            && !begins_like_an_amount(name)
            && !name
                .chars()
                .any(|c| c.is_whitespace() || matches!(c, '"' | '(' | ')'))
            && !is_keyword(name)
    };
    if bare {
        f.write_str(name)
    } else {
        write_quoted(f, name)
    }
}

/// Writes a name in quotes.
fn write_quoted(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if name.contains('"') {
        write!(f, "'{name}'")
    } else {
        write!(f, "\"{name}\"")
    }
}

/// Whether a name begins like a number of a condition. In a move, such a number may stand before the target (W-3).
fn begins_like_an_amount(name: &str) -> bool {
    let end = name
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
        .unwrap_or(name.len());
    is_number_word(&name[..end], Clocks::ALL)
}

/// Whether a word is, or begins, a number of a condition on some clocks.
pub(super) fn is_number_word(word: &str, clocks: Clocks) -> bool {
    fact(word, clocks).is_some_and(|known| known.unit.is_some())
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, &self.text, false)
    }
}

impl fmt::Display for Reference<Aim> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => name.fmt(f),
            Self::Word(aim) => {
                let known = TARGETS.iter().find(|(.., known)| known == aim);
                f.write_str(known.map_or("trigger", |(word, ..)| word))
            }
        }
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            Reference::Named(name) => write!(f, "{name} ")?,
            Reference::Word(by) => {
                let known = SUBJECTS.iter().find(|(.., known)| known == by);
                write!(f, "{} ", known.map_or("", |(word, ..)| word))?;
            }
        }
        let kind = std::mem::discriminant(&self.when);
        let known = TRIGGERS
            .iter()
            .find(|(.., when)| std::mem::discriminant(when) == kind);
        f.write_str(known.map_or("", |(syntax, ..)| first_word(syntax)))?;
        match self.when {
            When::ComesWithin(units) | When::Leaves(units) => write!(f, " {units}"),
            When::Attacks { me: true } => f.write_str(" me"),
            _ => Ok(()),
        }
    }
}

/// Writes something that may be missing.
fn write_some(
    f: &mut fmt::Formatter<'_>,
    before: &str,
    some: Option<impl fmt::Display>,
) -> fmt::Result {
    some.map_or(Ok(()), |some| write!(f, "{before}{some}"))
}

/// Writes an amount of a move, if there is one.
fn write_amount(f: &mut fmt::Formatter<'_>, before: &str, amount: Option<&Expr>) -> fmt::Result {
    amount.map_or(Ok(()), |amount| {
        f.write_str(before)?;
        amount.write(f, SUM)
    })
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.quick { "quick " } else { "" })?;
        f.write_str(self.form.word)?;
        for slot in self.form.slots {
            match *slot {
                Slot::Target => write_some(f, " ", self.target.as_ref()),
                Slot::With => write_some(f, " with ", self.name.as_ref()),
                Slot::Name(_) | Slot::Drawn => write_some(f, " ", self.name.as_ref()),
                Slot::Mode => write_some(f, " ", self.mode.map(Mode::name)),
                Slot::Units => write_amount(f, " ", self.units.as_ref()),
                Slot::To => write_amount(f, " to ", self.to.as_ref()),
                Slot::Choice(first, second) => {
                    write!(f, " {}", if self.first { first } else { second })
                }
                Slot::Until => write_some(f, " until ", self.until.as_ref()),
                Slot::Yield if self.number == 0 => Ok(()),
                Slot::Yield if self.number == MOST_YIELDS.into() => f.write_str(" yield"),
                Slot::Yield => write!(f, " yield {}", self.number),
                Slot::Marks => write!(f, " {}", self.number),
                Slot::Word(word) => write!(f, " {word}"),
                Slot::For => write_some(f, " for ", self.name.as_ref()),
                Slot::Declared => write_some(f, " ", self.declared.as_deref())
                    .and_then(|()| write_some(f, " ", self.name.as_ref())),
                Slot::Readied => self.readied.as_deref().map_or(Ok(()), |(action, trigger)| {
                    write!(f, " {action} when {trigger}")
                }),
            }?;
        }
        write_some(f, " ", self.willpower.map(|_| "with willpower"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.usage.mark())?;
        if self.anytime.is_some() {
            f.write_str("anytime ")?;
        }
        if let Some(result) = &self.after {
            write!(f, "after {result}: ")?;
        }
        write!(f, "{}", self.action)?;
        for feat in &self.more {
            write!(f, " + {feat}")?;
        }
        if let Some((split, _)) = &self.split {
            for (index, dice) in split.iter().enumerate() {
                f.write_str(if index == 0 { " split " } else { "," })?;
                write!(f, "{dice}")?;
            }
        }
        write_some(f, " if ", self.condition.as_ref())
    }
}

impl ExprKind {
    /// How tightly it binds: inside an expression that binds more tightly it needs parentheses.
    const fn strength(&self) -> u8 {
        match self {
            Self::Binary(operator, ..) => operator.strength(),
            Self::Not(_) => NOT,
            Self::Negate(_) => SIGN,
            _ => SIGN + 1,
        }
    }
}

impl Expr {
    fn write(&self, f: &mut fmt::Formatter<'_>, least: u8) -> fmt::Result {
        let strength = self.kind.strength();
        if strength < least {
            f.write_str("(")?;
        }
        match &self.kind {
            ExprKind::Number(number) => write!(f, "{number}")?,
            ExprKind::Truth(truth) => write!(f, "{truth}")?,
            ExprKind::Variable(known) => f.write_str(known.name)?,
            ExprKind::Within(known, units) => write!(f, "{}({units})", known.word())?,
            ExprKind::Named(known, name) if known.is_dotted() || known.variable.is_own_trait() => {
                f.write_str(known.word())?;
                write_name(f, &name.text, true)?;
            }
            ExprKind::Named(known, name) => {
                write!(f, "{} ", known.word())?;
                // Unlike a name behind a dot it stands alone, and must not look like a number.
                let begins = |c: char| c.is_alphabetic() || c == '_';
                if name.text.starts_with(begins) {
                    write_name(f, &name.text, true)?;
                } else {
                    write_quoted(f, &name.text)?;
                }
            }
            ExprKind::Negate(inner) => {
                f.write_str("-")?;
                inner.write(f, strength)?;
            }
            ExprKind::Not(inner) => {
                f.write_str("not ")?;
                inner.write(f, strength)?;
            }
            // All of these associate to the left; comparisons do not chain at all.
            ExprKind::Binary(operator, left, right) => {
                left.write(f, strength + u8::from(strength == COMPARISON))?;
                write!(f, " {} ", operator.sign())?;
                right.write(f, strength + 1)?;
            }
        }
        if strength < least {
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
