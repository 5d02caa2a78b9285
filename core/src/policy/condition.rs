//! Reads the condition of a policy line: `hp_percent < 50 and not in_melee`.
//!
//! Precedence from loose to tight: `or`, `and`, `not`, comparisons, `+ -`, `*`, the sign.

use super::actions::{FEATS, fact, own_trait, synonym};
use super::ast::{Expr, ExprKind, NOT, Name, Operator, SUM, Spot};
use super::lexer::{Argument, Cursor, Token};
use super::parser::FARTHEST;
use super::print::is_number_word;
use super::words::unknown_variable;
use crate::document::diagnostics::Diagnostic;
use crate::fight::system::Clocks;
use crate::fight::variables::{Variable, VariableRow};
use crate::systems::titles;

/// How deep parentheses, signs and `not`s may nest: deeper than anyone would read, and shallow enough that no stack
/// overflows.
const DEEPEST: u32 = 64;

/// The most variables, numbers and operators of one condition.
const LONGEST: u32 = 500;

const HELP: &str = "`skirmish explain policy` lists the variables";

/// Reads a condition from the position of `cursor` to the end of the line or an `if`, and leaves the cursor there.
pub(super) fn parse(cursor: &mut Cursor<'_>, clocks: Clocks) -> Result<Expr, Diagnostic> {
    let mut parser = Parser::new(*cursor, clocks);
    parser.advance()?;
    if matches!(parser.token, Token::End | Token::Word("if")) {
        return Err(Diagnostic::error(
            parser.spot,
            "a condition is missing",
            "expected a condition such as `distance <= 5`",
        ));
    }
    let expr = parser.binary(0)?;
    match parser.token {
        Token::End | Token::Word("if") => {
            cursor.at = parser.before;
            Ok(expr)
        }
        Token::Close => Err(parser.unexpected("this parenthesis was never opened")),
        _ => Err(parser.unexpected("expected `and`, `or`, an operator or the end of the line")),
    }
}

/// Whether a number of a condition begins at `cursor`: a whole number, a numeric variable, or either behind a sign or a
/// parenthesis.
pub(super) fn begins_amount(mut cursor: Cursor<'_>, clocks: Clocks) -> bool {
    loop {
        let text = cursor.text[cursor.at..].trim_start();
        match cursor.token() {
            Ok((Token::Minus, _)) => {}
            Ok((Token::Open | Token::Number(_), _)) => return true,
            Ok((Token::Word(word), _)) => {
                return is_number_word(word, clocks);
            }
            Ok(_) => return false,
            // It begins like a number but is none: the parser reports it.
            Err(_) => return text.starts_with(|c: char| c.is_ascii_digit() || c == '$'),
        }
    }
}

/// Reads a number from the position of `cursor`, and leaves the cursor behind its last piece: a target may follow.
pub(super) fn amount(cursor: &mut Cursor<'_>, clocks: Clocks) -> Result<Expr, Diagnostic> {
    let mut parser = Parser::new(*cursor, clocks);
    parser.ends_anywhere = true;
    parser.advance()?;
    let amount = parser.binary(SUM)?;
    cursor.at = parser.before;
    Ok(amount)
}

/// The problem with a number that is out of range at its place.
pub(super) fn out_of_range(
    spot: Spot,
    number: impl std::fmt::Display,
    what: &str,
    range: std::ops::RangeInclusive<i64>,
) -> Diagnostic {
    let (least, most) = (range.start(), range.end());
    Diagnostic::error(
        spot,
        format!("`{number}` is out of range"),
        format!("expected {what}, {least} to {most}"),
    )
}

struct Parser<'a> {
    /// The clocks whose variables may be read.
    clocks: Clocks,
    cursor: Cursor<'a>,
    /// The piece not used yet, and its place.
    token: Token<'a>,
    spot: Spot,
    /// The position of the cursor before that piece.
    before: usize,
    depth: u32,
    size: u32,
    /// Whether the expression may be followed by other text: then the first piece that cannot be read ends it.
    ends_anywhere: bool,
    /// Why the next piece could not be read.
    unread: Option<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn new(cursor: Cursor<'a>, clocks: Clocks) -> Self {
        Self {
            clocks,
            cursor,
            token: Token::End,
            spot: Spot::default(),
            before: cursor.at,
            depth: 0,
            size: 0,
            ends_anywhere: false,
            unread: None,
        }
    }

    fn advance(&mut self) -> Result<(), Diagnostic> {
        self.before = self.cursor.at;
        (self.token, self.spot) = match self.cursor.token() {
            Err(problem) if self.ends_anywhere => {
                self.unread = Some(problem);
                (Token::End, self.cursor.end())
            }
            read => read?,
        };
        Ok(())
    }

    fn unexpected(&self, label: &str) -> Diagnostic {
        if let Some(unread) = &self.unread {
            return unread.clone();
        }
        let title = if self.token == Token::End {
            "a condition ends too early".to_owned()
        } else {
            format!(
                "`{}` does not belong here",
                &self.cursor.text[self.spot.range()]
            )
        };
        let problem = Diagnostic::error(self.spot, title, label);
        if &self.cursor.text[self.spot.range()] == "with" {
            return problem.help(
                "what an action uses stands before its condition: `ACTION with WHAT if CONDITION`",
            );
        }
        problem
    }

    fn node(&mut self, kind: ExprKind, spot: Spot) -> Result<Expr, Diagnostic> {
        self.size += 1;
        if self.size > LONGEST {
            return Err(Diagnostic::error(
                spot,
                "a condition is too long",
                format!("it may have {LONGEST} variables, numbers and operators"),
            )
            .help("split it into several lines: the first that holds is taken"));
        }
        Ok(Expr { kind, spot })
    }

    fn nested(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<Expr, Diagnostic>,
    ) -> Result<Expr, Diagnostic> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Diagnostic::error(
                self.spot,
                "a condition is nested too deeply",
                format!("parentheses, signs and `not` may nest {DEEPEST} deep"),
            ));
        }
        let expr = inner(self)?;
        self.depth -= 1;
        Ok(expr)
    }

    /// Reads operands with operators between them that bind at least so tightly, and associate to the left.
    fn binary(&mut self, least: u8) -> Result<Expr, Diagnostic> {
        let mut left = if self.token == Token::Word("not") && least <= NOT {
            self.prefixed(ExprKind::Not, |parser| parser.binary(NOT))?
        } else {
            self.signed()?
        };
        while let Some(operator) = self.operator(least) {
            self.advance()?;
            let right = self.binary(operator.strength() + 1)?;
            let is_comparison = matches!(operator, Operator::Compare(_));
            if is_comparison && matches!(self.token, Token::Compare(_)) {
                return Err(self
                    .unexpected("comparisons do not chain")
                    .help_instead("write `1 < distance and distance < 5`"));
            }
            let spot = left.spot.to(right.spot);
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = self.node(kind, spot)?;
        }
        Ok(left)
    }

    /// The operator that stands next, if it binds at least so tightly.
    fn operator(&self, least: u8) -> Option<Operator> {
        let operator = match self.token {
            Token::Word("or") => Operator::Or,
            Token::Word("and") => Operator::And,
            Token::Compare(comparison) => Operator::Compare(comparison),
            // A feat that shares the action is not a number.
            Token::Plus if self.ends_anywhere && self.feat_next() => return None,
            Token::Plus => Operator::Plus,
            Token::Minus => Operator::Minus,
            Token::Times => Operator::Times,
            _ => return None,
        };
        (operator.strength() >= least).then_some(operator)
    }

    /// Whether a feat stands next (MA-3).
    fn feat_next(&self) -> bool {
        let mut ahead = self.cursor;
        matches!(ahead.argument(), Ok(Some((Argument::Word(word), _))) if FEATS.contains(&word))
            && self.clocks.meets(Clocks::TURNS)
    }

    /// Reads the operand of a sign or a `not`, which stands next.
    fn prefixed(
        &mut self,
        kind: fn(Box<Expr>) -> ExprKind,
        operand: impl FnOnce(&mut Self) -> Result<Expr, Diagnostic>,
    ) -> Result<Expr, Diagnostic> {
        let start = self.spot;
        self.advance()?;
        let inner = self.nested(operand)?;
        let spot = start.to(inner.spot);
        self.node(kind(Box::new(inner)), spot)
    }

    fn signed(&mut self) -> Result<Expr, Diagnostic> {
        if self.token == Token::Minus {
            self.prefixed(ExprKind::Negate, Self::signed)
        } else {
            self.atom()
        }
    }

    fn atom(&mut self) -> Result<Expr, Diagnostic> {
        let spot = self.spot;
        let kind = match self.token {
            // The value of a parameter.
            Token::Number(number @ ..0) => {
                let inner = Expr {
                    kind: ExprKind::Number(-number),
                    spot,
                };
                ExprKind::Negate(Box::new(inner))
            }
            Token::Number(number) => ExprKind::Number(number),
            Token::Word("true") => ExprKind::Truth(true),
            Token::Word("false") => ExprKind::Truth(false),
            Token::Word("and" | "or" | "not" | "if" | "until") | Token::End => {
                return Err(self.unexpected("expected a variable, a number or a parenthesis"));
            }
            Token::Word(word) => return self.variable(word),
            Token::Open => {
                self.advance()?;
                let inner = self.nested(|parser| parser.binary(0))?;
                if self.token != Token::Close {
                    return Err(self.unexpected("expected `)`"));
                }
                let spot = spot.to(self.spot);
                self.advance()?;
                return Ok(Expr { spot, ..inner });
            }
            Token::Quoted(name) => {
                return Err(self
                    .unexpected("expected a variable or a number")
                    .help_instead(format!(
                        "names stand after a dot, as in `uses.\"{name}\" > 0`"
                    )));
            }
            _ => return Err(self.unexpected("expected a variable or a number")),
        };
        self.advance()?;
        self.node(kind, spot)
    }

    /// Reads `(N)` after `enemies_within` or `allies_within`.
    fn within(&mut self, known: &'static VariableRow) -> Result<Expr, Diagnostic> {
        let (word, start) = (known.word(), self.spot);
        let wrong = |spot: Spot, title: String| {
            Diagnostic::error(
                spot,
                title,
                format!("expected `{word}(N)`, N a whole number of Units from 0 to {FARTHEST}"),
            )
            .help(format!("written like this: `{word}(5) >= 2`"))
        };
        self.advance()?;
        if self.token != Token::Open {
            return Err(wrong(
                start,
                format!("`{word}` lacks a distance in parentheses"),
            ));
        }
        self.advance()?;
        let Token::Number(units) = self.token else {
            let spot = if self.token == Token::Close {
                start.to(self.spot)
            } else {
                self.spot
            };
            return Err(wrong(
                spot,
                format!("`{word}` needs a plain number of Units"),
            ));
        };
        if !(0..=FARTHEST).contains(&units) {
            return Err(wrong(self.spot, format!("`{units}` is out of range")));
        }
        self.advance()?;
        if self.token != Token::Close {
            return Err(wrong(self.spot, format!("`{word}({units}` is not closed")));
        }
        let spot = start.to(self.spot);
        self.advance()?;
        self.node(ExprKind::Within(known, units as u32), spot)
    }

    /// Reads the name after a word: of a condition after `has`, or of an item in `uses(ITEM)`, which is the same as
    /// `uses.ITEM`.
    fn named(
        &mut self,
        known: &'static VariableRow,
        what: &str,
        example: &str,
    ) -> Result<Expr, Diagnostic> {
        let start = self.spot;
        self.advance()?;
        if known.is_dotted() && self.token != Token::Open {
            return Err(Diagnostic::error(
                start.range(),
                "`uses` lacks an item",
                "expected an item, as in `uses.potion > 0`",
            ));
        }
        let name = self.called(what, example)?;
        let spot = start.to(name.spot);
        self.node(ExprKind::Named(known, name), spot)
    }

    /// Reads a name that must stand here, alone or in parentheses.
    fn called(&mut self, what: &str, example: &str) -> Result<Name, Diagnostic> {
        let open = self.token == Token::Open;
        if open {
            self.advance()?;
        }
        let text = match self.token {
            Token::Word(text) | Token::Quoted(text) => text.to_owned(),
            _ => {
                return Err(self
                    .unexpected(&format!("expected the name of {what}"))
                    .help_instead(format!("written like this: `{example}`")));
            }
        };
        let spot = self.spot;
        self.advance()?;
        if open {
            if self.token != Token::Close {
                return Err(self.unexpected("expected `)`"));
            }
            self.advance()?;
        }
        Ok(Name { text, spot })
    }

    fn variable(&mut self, word: &'a str) -> Result<Expr, Diagnostic> {
        let spot = self.spot;
        if word == "uses"
            && let Some(known) = fact("uses.", self.clocks)
        {
            return self.named(known, "an item", "uses(potion) > 0");
        }
        let Some(known) = fact(word, self.clocks) else {
            let own = own_trait(word).filter(|(_, name)| self.cursor.has_trait(name));
            let (known, name) = own.ok_or_else(|| self.unknown(word))?;
            let text = name.to_owned();
            self.advance()?;
            return self.node(ExprKind::Named(known, Name { text, spot }), spot);
        };
        if known.is_dotted() {
            return self.dotted(known, word);
        }
        match known.variable {
            Variable::EnemiesWithin(_) | Variable::AlliesWithin(_) => self.within(known),
            Variable::Has(_) | Variable::TargetHas(_) => {
                self.named(known, "a condition", "has stunned")
            }
            _ => {
                self.advance()?;
                self.node(ExprKind::Variable(known), spot)
            }
        }
    }

    /// Reads a variable whose name of a thing begins in the same word.
    fn dotted(&mut self, known: &'static VariableRow, word: &str) -> Result<Expr, Diagnostic> {
        let (spot, prefix) = (self.spot, known.word());
        self.advance()?;
        let name = match (self.token, &word[prefix.len()..]) {
            // The quote must follow at once: `uses. "x"` would hide a missing name.
            (Token::Quoted(quoted), "") if self.spot.start == spot.end => {
                let name = Name {
                    text: quoted.to_owned(),
                    spot: self.spot,
                };
                self.advance()?;
                name
            }
            (_, "") => {
                return Err(Diagnostic::error(
                    spot,
                    format!("`{prefix}` lacks a name"),
                    format!("expected a name, as in `{prefix}potion`"),
                ));
            }
            (_, name) => Name {
                text: name.to_owned(),
                spot: Spot::from(spot.start + prefix.len()..spot.end),
            },
        };
        let whole = spot.to(name.spot);
        self.node(ExprKind::Named(known, name), whole)
    }

    /// The problem with a word that is no variable of these clocks.
    fn unknown(&self, word: &str) -> Diagnostic {
        let known = |name| fact(name, self.clocks).is_some();
        if let Some(foreign) = fact(word, Clocks::ALL)
            && synonym(word, self.clocks, known).is_none()
        {
            return Diagnostic::error(
                self.spot,
                format!(
                    "the clock of {} has no `{}`",
                    titles(self.clocks),
                    foreign.word()
                ),
                format!("a variable of {}", titles(foreign.clocks)),
            )
            .help(HELP);
        }
        let problem = unknown_variable(self.cursor.text, self.spot, self.clocks);
        let is_helped = !problem.help.is_empty();
        problem.maybe_help((!is_helped).then_some(HELP))
    }
}
