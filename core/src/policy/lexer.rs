//! The words of a policy line.
//!
//! Arguments and conditions are read differently: an argument is anything up to the next space, so that names need few
//! quotes, while in a condition `a-b` is a difference. The parser asks for one or the other, depending on its position.

use super::ast::Spot;
use super::parameters::{Parameter, ParameterKind, Parameters, name_of};
use crate::document::diagnostics::Diagnostic;
use crate::fight::program::Comparison;
use crate::names::Named as _;

/// The greatest number that may be written: far beyond any quantity of a fight, and small enough
/// that sums of products of them can be checked.
pub(super) const MOST: i64 = 1_000_000_000;

/// A piece of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Number(i64),
    Word(&'a str),
    Quoted(&'a str),
    Open,
    Close,
    Plus,
    Minus,
    Times,
    Compare(Comparison),
    End,
}

/// An argument of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Argument<'a> {
    /// Everything up to a space, a quote or a parenthesis.
    Word(&'a str),
    /// In quotes: always a name.
    Quoted(&'a str),
}

/// A place in a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// The values of `$NAME`.
    parameters: &'a Parameters,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(text: &'a str, parameters: &'a Parameters) -> Self {
        Self {
            text,
            at: 0,
            parameters,
        }
    }

    /// Whether a trait of the scenario's own has this name.
    pub(super) fn has_trait(&self, name: &str) -> bool {
        self.parameters.traits.iter().any(|own| own == name)
    }

    /// The parameter whose `$NAME` begins here.
    fn parameter(&mut self) -> Result<(&'a Parameter, Spot), Diagnostic> {
        let start = self.at;
        let name = name_of(&self.rest()[1..]);
        self.at += 1 + name.len();
        let spot = Spot::from(start..self.at);
        Ok((self.parameters.find(name, spot)?, spot))
    }

    /// The text of a number that may be a parameter: the value of `$NAME`, or the text itself.
    pub(super) fn value_of(&self, part: &'a str, start: usize) -> Result<&'a str, Diagnostic> {
        let Some(name) = part.strip_prefix('$') else {
            return Ok(part);
        };
        let spot = Spot::from(start..start + part.len());
        Ok(&self.parameters.find(name, spot)?.text)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The end of the line as a place, for messages about missing words.
    pub(super) fn end(&self) -> Spot {
        let end = self.text.trim_end().len().max(self.at.min(self.text.len()));
        Spot::from(end..end)
    }

    /// Takes the longest run of characters that `belongs` accepts.
    fn run(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// The quoted name that begins here.
    fn quoted(&mut self, quote: char) -> Result<(&'a str, Spot), Diagnostic> {
        let start = self.at;
        self.at += quote.len_utf8();
        let name = self.run(|c| c != quote);
        if self.rest().is_empty() {
            return Err(Diagnostic::error(
                start..self.text.len(),
                "a quoted name does not end",
                format!("this {quote} has no partner"),
            ));
        }
        self.at += quote.len_utf8();
        let spot = Spot::from(start..self.at);
        if name.is_empty() {
            return Err(Diagnostic::error(
                spot,
                "a name is empty",
                "expected a name between the quotes",
            ));
        }
        Ok((name, spot))
    }

    /// Whether a parameter is the whole argument, and not the first of several numbers with commas.
    fn is_parameter(&self) -> bool {
        let rest = &self.rest()[1..];
        !rest[name_of(rest).len()..].starts_with(',')
    }

    /// The next argument; `None` at the end of the line.
    pub(super) fn argument(&mut self) -> Result<Option<(Argument<'a>, Spot)>, Diagnostic> {
        self.skip_spaces();
        let start = self.at;
        match self.rest().chars().next() {
            None => return Ok(None),
            Some(quote @ ('"' | '\'')) => {
                let (name, spot) = self.quoted(quote)?;
                return Ok(Some((Argument::Quoted(name), spot)));
            }
            Some('(' | ')') => self.at += 1,
            Some('$') if self.is_parameter() => {
                let (found, spot) = self.parameter()?;
                let argument = match found.kind {
                    ParameterKind::Word => Argument::Quoted(&found.text),
                    _ => Argument::Word(&found.text),
                };
                return Ok(Some((argument, spot)));
            }
            Some(_) => {
                self.run(|c| !c.is_whitespace() && !matches!(c, '"' | '(' | ')'));
            }
        }
        let spot = Spot::from(start..self.at);
        Ok(Some((Argument::Word(&self.text[spot.range()]), spot)))
    }

    /// The next piece of a condition.
    pub(super) fn token(&mut self) -> Result<(Token<'a>, Spot), Diagnostic> {
        self.skip_spaces();
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok((Token::End, self.end()));
        };
        let token = match first {
            '"' | '\'' => {
                let (name, spot) = self.quoted(first)?;
                return Ok((Token::Quoted(name), spot));
            }
            '(' | ')' | '+' | '-' | '*' => {
                self.at += 1;
                match first {
                    '(' => Token::Open,
                    ')' => Token::Close,
                    '+' => Token::Plus,
                    '-' => Token::Minus,
                    _ => Token::Times,
                }
            }
            '0'..='9' => {
                let digits = self.run(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
                Token::Number(number(digits, start)?)
            }
            '$' => {
                let (found, spot) = self.parameter()?;
                let token = match found.kind {
                    ParameterKind::Word => Token::Quoted(&found.text),
                    ParameterKind::Truth => Token::Word(&found.text),
                    ParameterKind::Whole | ParameterKind::Decimal => {
                        Token::Number(found.text.parse().unwrap_or(MOST))
                    }
                };
                return Ok((token, spot));
            }
            c if c.is_alphabetic() || c == '_' => {
                Token::Word(self.run(|c| c.is_alphanumeric() || matches!(c, '_' | '.')))
            }
            _ => self.sign(start)?,
        };
        let spot = Spot::from(start..self.at);
        Ok((token, spot))
    }

    /// Reads a comparison operator; a wrong one gets a suggestion.
    fn sign(&mut self, start: usize) -> Result<Token<'a>, Diagnostic> {
        let sign = self.run(|c| {
            !c.is_alphanumeric()
                && !c.is_whitespace()
                && !matches!(c, '_' | '(' | ')' | '"' | '\'' | '-' | '+' | '*')
        });
        if let Some(comparison) = Comparison::named(sign) {
            return Ok(Token::Compare(comparison));
        }
        let meant = match sign {
            "==" | "===" => "write `=`",
            "<>" | "~=" | "/=" | "≠" => "write `!=`",
            "=<" | "≤" => "write `<=`",
            "=>" | "≥" => "write `>=`",
            "&&" | "&" => "write `and`",
            "||" | "|" => "write `or`",
            "!" => "write `not`",
            "%" => {
                "a share in percent has a variable of its own, as in `health_percent < 50`; there is no remainder"
            }
            "/" | "÷" => {
                "there is no division: multiply the other side, as in `health * 3 < max_health`"
            }
            _ => {
                "a condition is made of variables, whole numbers, `+ - *`, `< <= = != >= >`, `and or not` and parentheses"
            }
        };
        let title = format!("`{sign}` means nothing in a condition");
        let label = "not a sign of this language";
        Err(Diagnostic::error(start..self.at, title, label).help(meant))
    }
}

/// Reads a whole number.
pub(super) fn number(digits: &str, start: usize) -> Result<i64, Diagnostic> {
    let span = start..start + digits.len();
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        let title = if digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            format!("`{digits}` is not a whole number")
        } else {
            format!("`{digits}` is neither a number nor a name")
        };
        let problem = Diagnostic::error(span, title, "expected a whole number");
        return Err(match digits.strip_prefix("0.") {
            Some(_) => problem.help("shares are in per cent: half is 50"),
            None => problem,
        });
    }
    match digits.parse::<i64>() {
        Ok(number) if number <= MOST => Ok(number),
        _ => Err(Diagnostic::error(
            span,
            "a number is too large",
            format!("the greatest that may be written is {MOST}"),
        )),
    }
}
