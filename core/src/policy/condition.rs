//! Reads the condition of a policy line: `hp_percent < 50 and not in_melee`.
//!
//! Precedence from loose to tight: `or`, `and`, `not`, comparisons, `+ -`, `*`, the sign.

use super::actions::{FEATS, clocks_with, fact, facts, synonym};
use super::ast::{Expr, ExprKind, Name, Operator, Side, Spot};
use super::lexer::{Argument, Cursor, Token};
use super::parser::FARTHEST;
use super::print::is_number_word;
use super::problem::Problem;
use super::words::unknown_variable;
use crate::fight::system::Clocks;
use crate::fight::variables::Kind;
use crate::systems::titles;

/// How deep parentheses, signs and `not`s may nest: deeper than anyone would read, and shallow enough that no stack
/// overflows.
const DEEPEST: u32 = 64;

/// The most variables, numbers and operators of one condition.
const LONGEST: u32 = 500;

const HELP: &str = "`skirmish explain policy` lists the variables";

/// Reads a condition from the position of `cursor` to the end of the line or an `if`, and leaves the cursor there.
pub(super) fn parse(cursor: &mut Cursor<'_>, clocks: Clocks) -> Result<Expr, Problem> {
    let mut parser = Parser::new(*cursor, clocks);
    parser.advance()?;
    if matches!(parser.token, Token::End | Token::Word("if")) {
        return Err(Problem::error(
            parser.spot,
            "a condition is missing",
            "expected a condition such as `distance <= 5`",
        ));
    }
    let expr = parser.or()?;
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
pub(super) fn amount(cursor: &mut Cursor<'_>, clocks: Clocks) -> Result<Expr, Problem> {
    let mut parser = Parser::new(*cursor, clocks);
    parser.ends_anywhere = true;
    parser.advance()?;
    let amount = parser.sum()?;
    cursor.at = parser.before;
    Ok(amount)
}

/// The words with which a number may begin.
pub(super) fn number_words(clocks: Clocks) -> impl Iterator<Item = &'static str> {
    facts(clocks)
        .filter(|known| matches!(known.kind, Kind::Number(_)))
        .map(|known| known.name)
        .chain([Side::Enemies, Side::Allies].map(Side::word))
}

/// The problem with a number that is out of range at its place.
pub(super) fn out_of_range(
    spot: Spot,
    number: i64,
    what: &str,
    range: std::ops::RangeInclusive<i64>,
) -> Problem {
    let (least, most) = (range.start(), range.end());
    Problem::error(
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
    unread: Option<Problem>,
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

    fn advance(&mut self) -> Result<(), Problem> {
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

    fn unexpected(&self, label: &str) -> Problem {
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
        let problem = Problem::error(self.spot, title, label);
        if &self.cursor.text[self.spot.range()] == "with" {
            return problem.help(
                "what an action uses stands before its condition: `ACTION with WHAT if CONDITION`",
            );
        }
        problem
    }

    fn node(&mut self, kind: ExprKind, spot: Spot) -> Result<Expr, Problem> {
        self.size += 1;
        if self.size > LONGEST {
            return Err(Problem::error(
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
        inner: impl FnOnce(&mut Self) -> Result<Expr, Problem>,
    ) -> Result<Expr, Problem> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Problem::error(
                self.spot,
                "a condition is nested too deeply",
                format!("parentheses, signs and `not` may nest {DEEPEST} deep"),
            ));
        }
        let expr = inner(self)?;
        self.depth -= 1;
        Ok(expr)
    }

    /// Reads a sequence of operands with operators between them, which associate to the left. `operator` returns the
    /// expression of the next piece and its two operands, if that piece is such an operator.
    fn chain(
        &mut self,
        operand: impl Fn(&mut Self) -> Result<Expr, Problem>,
        operator: impl Fn(&Self) -> Option<fn(Box<Expr>, Box<Expr>) -> ExprKind>,
    ) -> Result<Expr, Problem> {
        let mut left = operand(self)?;
        while let Some(join) = operator(self) {
            self.advance()?;
            let right = operand(self)?;
            let spot = left.spot.to(right.spot);
            left = self.node(join(Box::new(left), Box::new(right)), spot)?;
        }
        Ok(left)
    }

    fn or(&mut self) -> Result<Expr, Problem> {
        self.chain(Self::and, |parser| match parser.token {
            Token::Word("or") => Some(ExprKind::Or),
            _ => None,
        })
    }

    fn and(&mut self) -> Result<Expr, Problem> {
        self.chain(Self::not, |parser| match parser.token {
            Token::Word("and") => Some(ExprKind::And),
            _ => None,
        })
    }

    fn not(&mut self) -> Result<Expr, Problem> {
        if self.token != Token::Word("not") {
            return self.comparison();
        }
        let start = self.spot;
        self.advance()?;
        let inner = self.nested(Self::not)?;
        let spot = start.to(inner.spot);
        self.node(ExprKind::Not(Box::new(inner)), spot)
    }

    fn comparison(&mut self) -> Result<Expr, Problem> {
        let left = self.sum()?;
        let Token::Compare(comparison) = self.token else {
            return Ok(left);
        };
        self.advance()?;
        let right = self.sum()?;
        if matches!(self.token, Token::Compare(_)) {
            return Err(self
                .unexpected("comparisons do not chain")
                .help("write `1 < distance and distance < 5`"));
        }
        let spot = left.spot.to(right.spot);
        self.node(
            ExprKind::Compare(comparison, Box::new(left), Box::new(right)),
            spot,
        )
    }

    fn sum(&mut self) -> Result<Expr, Problem> {
        self.chain(Self::product, |parser| match parser.token {
            // A feat that shares the action is not a number.
            Token::Plus if parser.ends_anywhere && parser.feat_next() => None,
            Token::Plus => Some(|left, right| ExprKind::Arithmetic(Operator::Plus, left, right)),
            Token::Minus => Some(|left, right| ExprKind::Arithmetic(Operator::Minus, left, right)),
            _ => None,
        })
    }

    /// Whether a feat stands next (MA-3).
    fn feat_next(&self) -> bool {
        let mut ahead = self.cursor;
        matches!(ahead.argument(), Ok(Some((Argument::Word(word), _))) if FEATS.contains(&word))
            && self.clocks.meets(Clocks::TURNS)
    }

    fn product(&mut self) -> Result<Expr, Problem> {
        self.chain(Self::signed, |parser| match parser.token {
            Token::Times => Some(|left, right| ExprKind::Arithmetic(Operator::Times, left, right)),
            _ => None,
        })
    }

    fn signed(&mut self) -> Result<Expr, Problem> {
        if self.token != Token::Minus {
            return self.atom();
        }
        let start = self.spot;
        self.advance()?;
        let inner = self.nested(Self::signed)?;
        let spot = start.to(inner.spot);
        self.node(ExprKind::Negate(Box::new(inner)), spot)
    }

    fn atom(&mut self) -> Result<Expr, Problem> {
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
                let inner = self.nested(Self::or)?;
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
                    .help(format!(
                        "names stand after a dot, as in `uses.\"{name}\" > 0`"
                    )));
            }
            _ => return Err(self.unexpected("expected a variable or a number")),
        };
        self.advance()?;
        self.node(kind, spot)
    }

    /// Reads `(N)` after `enemies_within` or `allies_within`.
    fn within(&mut self, side: Side) -> Result<Expr, Problem> {
        let (word, start) = (side.word(), self.spot);
        let wrong = |spot: Spot, title: String| {
            Problem::error(
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
        let units = units as u32;
        self.node(ExprKind::Within { side, units }, spot)
    }

    /// Reads the name of a condition after `has`.
    fn has(&mut self, target: bool) -> Result<Expr, Problem> {
        let start = self.spot;
        self.advance()?;
        let name = self.called("a condition", "has stunned")?;
        let spot = start.to(name.spot);
        self.node(ExprKind::Has { target, name }, spot)
    }

    /// Reads `uses(ITEM)`, which is the same as `uses.ITEM`.
    fn uses(&mut self) -> Result<Expr, Problem> {
        let start = self.spot;
        self.advance()?;
        if self.token != Token::Open {
            return Err(Problem::error(
                start.range(),
                "`uses` lacks an item",
                "expected an item, as in `uses.potion > 0`",
            ));
        }
        let name = self.called("an item", "uses(potion) > 0")?;
        let spot = start.to(name.spot);
        self.node(ExprKind::Uses(name), spot)
    }

    /// Reads a name that must stand here, alone or in parentheses.
    fn called(&mut self, what: &str, example: &str) -> Result<Name, Problem> {
        let open = self.token == Token::Open;
        if open {
            self.advance()?;
        }
        let text = match self.token {
            Token::Word(text) | Token::Quoted(text) => text.to_owned(),
            _ => {
                return Err(self
                    .unexpected(&format!("expected the name of {what}"))
                    .help(format!("written like this: `{example}`")));
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

    /// The problem with a variable that other clocks have, but not these.
    fn foreign(&self, word: &str, clocks: Clocks) -> Problem {
        Problem::error(
            self.spot,
            format!("the clock of {} has no `{word}`", titles(self.clocks)),
            format!("a variable of {}", titles(clocks)),
        )
        .help(HELP)
    }

    fn variable(&mut self, word: &'a str) -> Result<Expr, Problem> {
        let spot = self.spot;
        if let Some(description) = fact(word, self.clocks) {
            self.advance()?;
            return self.node(ExprKind::Variable(description), spot);
        }
        for side in [Side::Enemies, Side::Allies] {
            if word == side.word() {
                return self.within(side);
            }
        }
        if let "has" | "target.has" = word {
            return self.has(word == "target.has");
        }
        if word == "uses" {
            return self.uses();
        }
        for (prefix, clocks, make) in DOTTED {
            let Some(name) = word.strip_prefix(prefix) else {
                continue;
            };
            if !clocks.meets(self.clocks) {
                return Err(self.foreign(prefix, *clocks));
            }
            self.advance()?;
            let name = match self.token {
                // The quote must follow at once: `uses. "x"` would hide a missing name.
                Token::Quoted(quoted) if name.is_empty() && self.spot.start == spot.end => {
                    let name = Name {
                        text: quoted.to_owned(),
                        spot: self.spot,
                    };
                    self.advance()?;
                    name
                }
                _ if name.is_empty() => {
                    return Err(Problem::error(
                        spot,
                        format!("`{prefix}` lacks a name"),
                        format!("expected a name, as in `{prefix}potion`"),
                    ));
                }
                _ => Name {
                    text: name.to_owned(),
                    spot: Spot::from(spot.start + prefix.len()..spot.end),
                },
            };
            let whole = spot.to(name.spot);
            return self.node(make(name), whole);
        }
        if let Some(foreign) = fact(word, Clocks::ALL)
            && synonym(word, self.clocks, |name| fact(name, self.clocks).is_some()).is_none()
        {
            return Err(self.foreign(word, clocks_with(foreign)));
        }
        let mut problem = unknown_variable(self.cursor.text, spot, self.clocks);
        problem.help.get_or_insert_with(|| HELP.to_owned());
        Err(problem)
    }
}

/// Variables with an argument: the prefix, the clocks that have it, and its constructor.
type Dotted = (&'static str, Clocks, fn(Name) -> ExprKind);

const DOTTED: &[Dotted] = &[
    ("uses.", Clocks::ALL, ExprKind::Uses),
    ("in_hand.", Clocks::ALL, ExprKind::InHand),
    ("progress.", Clocks::PHASES, ExprKind::Progress),
];
