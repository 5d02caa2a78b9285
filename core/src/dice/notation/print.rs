//! Prints a notation as text. Parsing the text gives the same notation.

use std::fmt;

use super::terms::{FUDGE, SIGNS};
use super::{
    Condition, Dice, Explode, Expression, Keep, Notation, Relation, Reroll, Standoff, Which,
};

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A sum inside a product, or after a minus sign, needs parentheses.
        let tight = |inner: &Self| match inner {
            Self::Sum(..) | Self::Difference(..) => format!("({inner})"),
            _ => inner.to_string(),
        };
        let factor = |inner: &Self| match inner {
            Self::Product(..) | Self::Quotient(..) => format!("({inner})"),
            _ => tight(inner),
        };
        match self {
            Self::Constant(value) => value.fmt(f),
            Self::Dice(dice) => dice.fmt(f),
            Self::Negated(inner) => write!(f, "-{}", factor(inner)),
            Self::Sum(left, right) => match right.as_ref() {
                Self::Sum(..) | Self::Difference(..) => write!(f, "{left}+({right})"),
                _ => write!(f, "{left}+{right}"),
            },
            Self::Difference(left, right) => write!(f, "{left}-{}", tight(right)),
            Self::Product(left, right) => write!(f, "{}*{}", tight(left), factor(right)),
            Self::Quotient(left, by) => write!(f, "{}/{by}", tight(left)),
            Self::Standoff(Standoff { mine, theirs }) => {
                write!(f, "reach({}d{},{}d{})", mine.0, mine.1, theirs.0, theirs.1)
            }
            Self::Extreme { highest, parts } => {
                let word = if *highest { "max" } else { "min" };
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "{word}({})", parts.join(","))
            }
            Self::Several(count, die) => {
                write!(f, "({count})")?;
                die.write_kind(f)
            }
        }
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count)?;
        self.write_kind(f)
    }
}

impl Dice {
    /// Writes the dice without their number.
    fn write_kind(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.faces.as_deref() {
            None => write!(f, "d{}", self.sides)?,
            Some(FUDGE) => f.write_str("dF")?,
            Some(faces) => {
                let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
                write!(f, "d{{{}}}", faces.join(","))?;
            }
        }
        if let Some(Reroll { when, always }) = &self.reroll {
            for when in when {
                write!(f, "{}{when}", if *always { "rr" } else { "r" })?;
            }
        }
        if let Some(explode) = self.explode {
            let word = match explode {
                Explode { once: true, .. } => "xo",
                Explode {
                    penetrates: true, ..
                } => "xp",
                Explode { joins: true, .. } => "!!",
                _ => "x",
            };
            write!(f, "{word}{}", explode.when)?;
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
        let sign = SIGNS
            .iter()
            .find(|(_, relation)| *relation == self.relation)
            .map_or("", |(sign, _)| sign);
        // A bare minus sign would be a difference.
        let is_bare = self.relation == Relation::Equal && self.value >= 0;
        let sign = if is_bare { "" } else { sign };
        write!(f, "{sign}{}", self.value)
    }
}
