//! Reading a notation, by recursive descent over the bytes of the text.

use std::ops::Range;

use super::work::{self, Plan};
use super::{
    Condition, Dice, Explode, Expression, Keep, MAX_DICE, MAX_NUMBER, MAX_SIDES, Notation,
    NotationError, Question, Relation, Reroll, Which,
};

type Parsed<T> = Result<T, NotationError>;

/// Reads one notation to the end of the text.
pub(super) fn notation(text: &str) -> Parsed<Notation> {
    let mut parser = Parser::new(text);
    let notation = parser.notation()?;
    if parser.peek_word("vs").is_some() {
        let help = "give one notation here, not a comparison of two";
        return Err(parser.unexpected().or_help(help));
    }
    parser.end()?;
    Ok(notation)
}

/// Reads a notation, or two with `vs` between them, to the end of the text.
pub(super) fn question(text: &str) -> Parsed<Question> {
    let mut parser = Parser::new(text);
    let left = parser.notation()?;
    let question = if let Some(length) = parser.peek_word("vs") {
        parser.at += length;
        Question::Versus(left, parser.notation()?)
    } else {
        Question::Roll(left)
    };
    parser.end()?;
    Ok(question)
}

/// All modifiers, the longer words first: `xo` is not `x` followed by an `o`.
const WORDS: [&str; 13] = [
    "rr", "r", "xo", "x", "!", "kh", "kl", "k", "dh", "dl", "cs", "df", "d",
];

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    terms: usize,
}

/// An expression that is within the limits, with its plan and where it begins.
struct Part {
    expression: Expression,
    plan: Plan,
    start: usize,
}

fn error(span: Range<usize>, message: impl Into<String>) -> NotationError {
    NotationError {
        span,
        message: message.into(),
        help: None,
    }
}

impl NotationError {
    fn or_help(mut self, help: impl Into<String>) -> Self {
        self.help.get_or_insert(help.into());
        self
    }
}

impl<'t> Parser<'t> {
    const fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            terms: 0,
        }
    }

    fn notation(&mut self) -> Parsed<Notation> {
        let part = self.sum()?;
        Ok(Notation {
            root: part.expression,
            range: part.plan.range(),
        })
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let trimmed = self.rest().trim_start();
        self.at = self.text.len() - trimmed.len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    /// The length of `word`, if it comes next, in any case.
    fn peek_word(&mut self, word: &str) -> Option<usize> {
        self.skip_space();
        let next = self.rest().get(..word.len())?;
        next.eq_ignore_ascii_case(word).then_some(word.len())
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.peek_word(word);
        self.at += found.unwrap_or(0);
        found.is_some()
    }

    /// What to say about the character that stands where something else should.
    fn unexpected(&mut self) -> NotationError {
        let Some(next) = self.peek() else {
            let end = self.text.trim_end().len();
            return if end == 0 {
                error(0..0, "an empty dice notation")
                    .or_help("write dice such as `2d10+7` or a number")
            } else {
                error(end..end, "the notation ends too early")
            };
        };
        let span = self.at..self.at + next.len_utf8();
        match next {
            '/' => error(span, "division is not part of the notation")
                .or_help("there are `+`, `-`, `*` and parentheses"),
            '.' | ',' => error(span, "numbers are whole"),
            '(' => error(span, "a parenthesis may not stand here")
                .or_help("write `*` to multiply; the number of dice is a plain number"),
            ')' => error(span, "this parenthesis was never opened"),
            _ => error(
                span,
                format!("`{}` is not understood here", next.escape_debug()),
            ),
        }
    }

    fn end(&mut self) -> Parsed<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected().or_help(
                "dice are NdS with r, rr, x, xo, kh, kl, dh, dl, cs or df after them, \
                 joined by `+`, `-`, `*` or, once, `vs`",
            )),
        }
    }

    fn sum(&mut self) -> Parsed<Part> {
        let mut left = self.product()?;
        loop {
            let sign = match self.peek() {
                Some('+') => 1,
                Some('-') => -1,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.product()?;
            let plan = work::sum(&left.plan, &right.plan, sign, &(left.start..self.at))?;
            let (a, b) = (Box::new(left.expression), Box::new(right.expression));
            left = Part {
                expression: if sign > 0 {
                    Expression::Sum(a, b)
                } else {
                    Expression::Difference(a, b)
                },
                plan,
                start: left.start,
            };
        }
    }

    fn product(&mut self) -> Parsed<Part> {
        let mut left = self.factor()?;
        while self.take("*") {
            let right = self.factor()?;
            let plan = work::product(&left.plan, &right.plan, &(left.start..self.at))?;
            let factors = (Box::new(left.expression), Box::new(right.expression));
            left = Part {
                expression: Expression::Product(factors.0, factors.1),
                plan,
                start: left.start,
            };
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed<Part> {
        let next = self.peek();
        let start = self.at;
        let part = |expression, plan| {
            Ok(Part {
                expression,
                plan,
                start,
            })
        };
        match next {
            Some('-') => {
                self.at += 1;
                let inner = self.deeper(start, Self::factor)?;
                let plan = work::negated(&inner.plan);
                part(Expression::Negated(Box::new(inner.expression)), plan)
            }
            Some('(') => {
                self.at += 1;
                let inner = self.deeper(start, Self::sum)?;
                if !self.take(")") {
                    return Err(match self.peek() {
                        None => error(start..start + 1, "this parenthesis is never closed"),
                        Some(_) => self.unexpected(),
                    });
                }
                part(inner.expression, inner.plan)
            }
            Some('0'..='9' | 'd' | 'D') => {
                self.terms += 1;
                if self.terms > Expression::MAX_TERMS {
                    let message = format!("more than {} terms", Expression::MAX_TERMS);
                    return Err(error(start..self.at + 1, message));
                }
                let number = self.number()?;
                if self.peek_word("d").is_none() {
                    let value = number.map_or(0, |(value, _)| value as i64);
                    return part(Expression::Constant(value), work::constant(value));
                }
                let dice = self.dice(number)?;
                let plan = work::dice(&dice, &(start..self.at))?;
                part(Expression::Dice(dice), plan)
            }
            _ => Err(self
                .unexpected()
                .or_help("dice such as `2d10`, a number or a parenthesis is wanted here")),
        }
    }

    fn deeper(
        &mut self,
        start: usize,
        inner: impl FnOnce(&mut Self) -> Parsed<Part>,
    ) -> Parsed<Part> {
        self.depth += 1;
        if self.depth > Expression::MAX_DEPTH {
            let message = format!("nested more than {} deep", Expression::MAX_DEPTH);
            return Err(error(start..start + 1, message));
        }
        let part = inner(self)?;
        self.depth -= 1;
        Ok(part)
    }

    /// A whole number and its span, if one comes next.
    fn number(&mut self) -> Parsed<Option<(u64, Range<usize>)>> {
        self.skip_space();
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            return Ok(None);
        }
        let span = self.at..self.at + length;
        self.at += length;
        match rest[..length].parse() {
            Ok(value) if value <= MAX_NUMBER => Ok(Some((value, span))),
            _ => Err(error(
                span,
                format!("a number beyond the limit of {MAX_NUMBER}"),
            )),
        }
    }

    /// The rest of a term of dice, from its `d`.
    fn dice(&mut self, number: Option<(u64, Range<usize>)>) -> Parsed<Dice> {
        let (count, count_span) = number.unwrap_or((1, self.at..self.at));
        if count > u64::from(MAX_DICE) {
            let message = format!("{count} dice in one term, the limit is {MAX_DICE}");
            return Err(error(count_span, message)
                .or_help("an exact answer takes work for every die; split the roll or use fewer"));
        }
        let d_at = self.at;
        self.at += 1;
        let sides = if self.take("%") {
            100
        } else if let Some((sides, span)) = self.number()? {
            if sides == 0 {
                return Err(error(span, "a die needs at least one side"));
            }
            if sides > u64::from(MAX_SIDES) {
                let message = format!("a die of {sides} sides, the limit is {MAX_SIDES}");
                return Err(error(span, message));
            }
            sides as u32
        } else {
            return Err(match self.peek() {
                None => error(d_at..d_at + 1, "the number of sides is missing"),
                Some(_) => self.unexpected(),
            }
            .or_help("write the number of sides after `d`, as in `2d10`"));
        };
        let mut dice = Dice::new(count as u32, sides);
        while self.modifier(&mut dice)? {}
        Ok(dice)
    }

    /// Reads one modifier; false if none comes next.
    fn modifier(&mut self, dice: &mut Dice) -> Parsed<bool> {
        self.skip_space();
        let start = self.at;
        let Some(word) = WORDS.into_iter().find(|word| self.take(word)) else {
            return Ok(false);
        };
        let sides = dice.sides;
        let twice = match word {
            "rr" | "r" => {
                let when = self.condition(sides)?.unwrap_or(Condition {
                    relation: Relation::Equal,
                    value: 1,
                });
                let always = word == "rr";
                dice.reroll.replace(Reroll { when, always }).is_some()
            }
            "xo" | "x" | "!" => {
                let when = self.condition(sides)?.unwrap_or(Condition {
                    relation: Relation::Equal,
                    value: sides,
                });
                let once = word == "xo";
                dice.explode.replace(Explode { when, once }).is_some()
            }
            "cs" | "df" => {
                let Some(when) = self.condition(sides)? else {
                    let message = format!("`{word}` needs the faces it counts");
                    return Err(error(start..self.at, message)
                        .or_help(format!("write them after it, as in `{word}>=6`")));
                };
                let field = if word == "cs" {
                    &mut dice.successes
                } else {
                    &mut dice.deduct
                };
                field.replace(when).is_some()
            }
            _ => {
                let which = match word {
                    "kl" => Which::KeepLowest,
                    "dh" => Which::DropHighest,
                    "dl" | "d" => Which::DropLowest,
                    _ => Which::KeepHighest,
                };
                let number = self.number()?.map_or(1, |(value, _)| value);
                let number = self.checked_keep(dice.count, number, word, start)?;
                dice.keep.replace(Keep { which, number }).is_some()
            }
        };
        let span = start..self.at;
        if twice {
            return Err(
                error(span, format!("a second modifier of the kind `{word}`"))
                    .or_help("each kind may stand once in a term"),
            );
        }
        self.combination(dice, &span)?;
        Ok(true)
    }

    fn checked_keep(&self, count: u32, number: u64, word: &str, start: usize) -> Parsed<u32> {
        let drops = word.starts_with('d');
        let most = u64::from(count);
        if number == 0 || number > most {
            let verb = if drops { "drops" } else { "keeps" };
            let message = format!("`{word}` {verb} {number} of {count} dice");
            return Err(
                error(start..self.at, message).or_help(format!("from 1 to {count} can be meant"))
            );
        }
        Ok(number as u32)
    }

    /// Refuses what cannot be solved, at the modifier that completes it.
    fn combination(&mut self, dice: &Dice, span: &Range<usize>) -> Parsed<()> {
        if dice.explode.is_some() || dice.reroll.is_some() {
            // `df` may follow: only what no later modifier can mend is refused here.
            if let Some(message) = work::endless(dice) {
                return Err(error(span.clone(), message)
                    .or_help("leave at least one face that ends the roll"));
            }
        }
        if let (Some(explode), Some(_)) = (dice.explode, dice.keep) {
            let top_only = (1..=dice.sides).all(|f| explode.when.holds(f) == (f == dice.sides));
            if explode.once || !top_only {
                return Err(error(
                    span.clone(),
                    "keeping or dropping dice is solved only where nothing or the highest face \
                     alone explodes",
                )
                .or_help("use plain `x`, or leave one of the two modifiers out"));
            }
        }
        if dice.deduct.is_some() && dice.successes.is_none() && self.peek_word("cs").is_none() {
            let mut ahead = Parser { ..*self };
            let mut later = Dice::new(dice.count, dice.sides);
            while later.successes.is_none() && matches!(ahead.modifier(&mut later), Ok(true)) {}
            if later.successes.is_none() {
                return Err(error(
                    span.clone(),
                    "`df` deducts from successes, but none are counted",
                )
                .or_help("count successes with `cs`, as in `8d10cs>=6df=1`"));
            }
        }
        Ok(())
    }

    /// `=n`, `>=n`, `>n`, `<=n`, `<n` or `n`.
    fn condition(&mut self, sides: u32) -> Parsed<Option<Condition>> {
        self.skip_space();
        let start = self.at;
        let relation = if self.take(">=") || self.take("≥") {
            Some(Relation::AtLeast)
        } else if self.take("<=") || self.take("≤") {
            Some(Relation::AtMost)
        } else if self.take(">") {
            Some(Relation::Above)
        } else if self.take("<") {
            Some(Relation::Below)
        } else if self.take("=") {
            Some(Relation::Equal)
        } else {
            None
        };
        let Some((value, _)) = self.number()? else {
            return match relation {
                None => Ok(None),
                Some(_) => Err(match self.peek() {
                    None => error(start..self.at, "a number is missing after this"),
                    Some(_) => self.unexpected(),
                }),
            };
        };
        let condition = Condition {
            relation: relation.unwrap_or(Relation::Equal),
            value: value.min(u64::from(u32::MAX)) as u32,
        };
        if !(1..=sides).any(|face| condition.holds(face)) {
            let message = format!("no face of a d{sides} is meant by this");
            return Err(error(start..self.at, message));
        }
        Ok(Some(condition))
    }
}
