//! Parses a notation by recursive descent over the bytes of the text.

use std::ops::Range;

use super::work::{self, Plan};
use super::{Expression, MAX_NUMBER, Notation, NotationError, Question};

pub(super) type Parsed<T> = Result<T, NotationError>;

/// Parses one notation up to the end of the text.
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

/// Parses a notation, or two with `vs` between them, up to the end of the text.
pub(super) fn question(text: &str) -> Parsed<Question> {
    let mut parser = Parser::new(text);
    let left = parser.notation()?;
    let question = if let Some(length) = parser.peek_word("vs") {
        parser.at += length;
        let right = parser.notation()?;
        if let Some(length) = parser.peek_word("vs") {
            let again = parser.at..parser.at + length;
            let help = "compare two notations, and others with another command";
            return Err(error(again, "`vs` may stand once").or_help(help));
        }
        Question::Versus(left, right)
    } else {
        Question::Roll(left)
    };
    parser.end()?;
    Ok(question)
}

pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    depth: usize,
    terms: usize,
    /// The place of a modifier that joins the dice of a chain into one die.
    pub(super) joined: Option<Range<usize>>,
}

/// Words that other programs and tables use, each with help on our notation.
const SPELLINGS: &[(&[&str], &str)] = &[
    (
        &["e", "ex", "exp", "ace", "aces", "explode"],
        "an exploding die is written `1d6x`",
    ),
    (
        &["t", "s", "succ", "success", "successes"],
        "successes are counted with `>=`: `8d10>=6`",
    ),
    (
        &["b", "best", "keep", "high", "highest"],
        "the highest dice are kept with `kh`: `4d6kh3`",
    ),
    (
        &["worst", "low", "lowest"],
        "the lowest dice are kept with `kl`: `2d20kl1`",
    ),
    (&["drop"], "the lowest dice are dropped with `dl`: `4d6dl1`"),
    (
        &["f", "fail", "failures"],
        "failures are deducted from successes: `8d10>=6f1`",
    ),
    (
        &["m", "mi", "ma"],
        "`max(2d6,1d8)` and `min(2d6,1d8)` take the highest and the lowest",
    ),
    (&["p"], "penetrating dice are written `1d6!p`"),
    (&["a"], "advantage is written `1d20adv`"),
    (&["and", "plus"], "dice are added with `+`"),
    (
        &["pool", "dif", "diff", "difficulty", "dc", "tn"],
        "a pool has options: `odds --pool 6 --difficulty 8`",
    ),
    (&["times"], "dice are multiplied with `*`"),
];

/// An expression within the limits, with its plan and its start in the text.
pub(super) struct Part {
    pub(super) expression: Expression,
    pub(super) plan: Plan,
    pub(super) start: usize,
}

impl Part {
    const fn new(expression: Expression, plan: Plan, start: usize) -> Self {
        Self {
            expression,
            plan,
            start,
        }
    }
}

pub(super) fn error(span: Range<usize>, message: impl Into<String>) -> NotationError {
    NotationError {
        span,
        message: message.into(),
        help: None,
        is_too_much: false,
    }
}

impl NotationError {
    pub(super) fn or_help(mut self, help: impl Into<String>) -> Self {
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
            joined: None,
        }
    }

    fn notation(&mut self) -> Parsed<Notation> {
        let part = self.sum()?;
        Ok(Notation {
            root: part.expression,
            range: part.plan.range(),
            work: part.plan.work(),
        })
    }

    /// Returns a parser of the same text from here on, for looking ahead.
    pub(super) const fn ahead(&self) -> Self {
        Self {
            joined: None,
            ..*self
        }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn skip_space(&mut self) {
        let trimmed = self.rest().trim_start();
        self.at = self.text.len() - trimmed.len();
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    /// Returns the length of `word`, if it comes next, in upper or lower case.
    pub(super) fn peek_word(&mut self, word: &str) -> Option<usize> {
        self.skip_space();
        let next = self.rest().get(..word.len())?;
        next.eq_ignore_ascii_case(word).then_some(word.len())
    }

    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.peek_word(word);
        self.at += found.unwrap_or(0);
        found.is_some()
    }

    /// Returns the error for a character that does not belong here.
    pub(super) fn unexpected(&mut self) -> NotationError {
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
            _ => {
                if let Some((word, help)) = self.foreign() {
                    let span = self.at..self.at + word.len();
                    let message = format!("`{word}` is not understood here");
                    return error(span, message).or_help(help);
                }
                error(
                    span,
                    format!("`{}` is not understood here", next.escape_debug()),
                )
            }
        }
    }

    /// Returns the next word and the help on our notation, if the word is one of other programs.
    pub(super) fn foreign(&self) -> Option<(&'t str, &'static str)> {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let word = &rest[..length];
        let is = |known: &&str| known.eq_ignore_ascii_case(word);
        let known = SPELLINGS.iter().find(|(words, _)| words.iter().any(is))?;
        Some((word, known.1))
    }

    fn end(&mut self) -> Parsed<()> {
        match self.peek() {
            None => Ok(()),
            Some('<' | '>' | '=' | '≤' | '≥') => Err(self.unexpected().or_help(
                "`>=` counts the dice of a pool, as in `8d10>=6`;\n\
                 `--at-least` asks for the chance of a sum",
            )),
            Some(_) => Err(self.unexpected().or_help(
                "dice are NdS with r, rr, x, xo, kh, kl, dh, dl, >= or f after them,\n\
                 joined by `+`, `-`, `*` or, once, `vs`",
            )),
        }
    }

    fn sum(&mut self) -> Parsed<Part> {
        let mut left = self.product()?;
        loop {
            let sign = match self.peek() {
                Some('+') => 1,
                Some('-' | '−') => -1,
                _ => return Ok(left),
            };
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
            let right = self.product()?;
            let plan = work::sum(&left.plan, &right.plan, sign, &(left.start..self.at))?;
            let (a, b) = (Box::new(left.expression), Box::new(right.expression));
            let expression = if sign > 0 {
                Expression::Sum(a, b)
            } else {
                Expression::Difference(a, b)
            };
            left = Part::new(expression, plan, left.start);
        }
    }

    fn product(&mut self) -> Parsed<Part> {
        let mut left = self.factor()?;
        while self.take("*") || self.take("×") || self.take("·") {
            let right = self.factor()?;
            let plan = work::product(&left.plan, &right.plan, &(left.start..self.at))?;
            let (a, b) = (Box::new(left.expression), Box::new(right.expression));
            left = Part::new(Expression::Product(a, b), plan, left.start);
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed<Part> {
        let next = self.peek();
        let start = self.at;
        let part = |expression, plan| Ok(Part::new(expression, plan, start));
        match next {
            Some(minus @ ('-' | '−')) => {
                self.at += minus.len_utf8();
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
                if self.dice_next() {
                    return self.several(inner, start);
                }
                part(inner.expression, inner.plan)
            }
            Some('{') => self.group(),
            Some('m' | 'M') if self.take("max") => self.extreme(true, start),
            Some('m' | 'M') if self.take("min") => self.extreme(false, start),
            Some('0'..='9' | 'd' | 'D' | 'w' | 'W')
                if next.is_some_and(|next| next.is_ascii_digit()) || self.dice_next() =>
            {
                self.count_term(start)?;
                let number = self.number()?;
                if !self.dice_next() {
                    let value = number.map_or(0, |(value, _)| value as i64);
                    return part(Expression::Constant(value), work::constant(value));
                }
                let dice = self.dice(number)?;
                let plan = work::dice(&dice, &(start..self.at))?;
                part(Expression::Dice(dice), plan)
            }
            _ if self.peek_word("adv").is_some() || self.peek_word("dis").is_some() => {
                let span = start..start + 3;
                Err(error(span, "this says nothing without dice")
                    .or_help("advantage is written `1d20adv`, disadvantage `1d20dis`"))
            }
            _ => Err(self
                .unexpected()
                .or_help("dice such as `2d10`, a number or a parenthesis is wanted here")),
        }
    }

    /// Returns whether the `d` of dice comes next, or the alternative `w`.
    pub(super) fn dice_next(&mut self) -> bool {
        let disadvantage = self.peek_word("dis").is_some();
        !disadvantage && (self.peek_word("d").is_some() || self.peek_word("w").is_some())
    }

    /// Counts a term that begins at `start`.
    fn count_term(&mut self, start: usize) -> Parsed<()> {
        self.terms += 1;
        if self.terms > Expression::MAX_TERMS {
            let message = format!("more than {} terms", Expression::MAX_TERMS);
            return Err(error(start..self.at + 1, message));
        }
        Ok(())
    }

    /// Parses `(1d4)d6`: dice whose number is `count`.
    fn several(&mut self, count: Part, start: usize) -> Parsed<Part> {
        self.count_term(start)?;
        if let Some(number) = count.expression.constant() {
            let Ok(number) = u64::try_from(number) else {
                return Err(error(start..self.at, "there is no negative number of dice"));
            };
            let dice = self.dice(Some((number, start..self.at)))?;
            let plan = work::dice(&dice, &(start..self.at))?;
            return Ok(Part::new(Expression::Dice(dice), plan, start));
        }
        let from = self.at;
        let die = self.dice(None)?;
        if die.keep.is_some() {
            return Err(error(
                from..self.at,
                "keeping or dropping dice is solved only for a written number of dice",
            )
            .or_help("leave it out, or write the number of dice"));
        }
        let plan = work::several(&count.plan, &die, &(start..self.at))?;
        let expression = Expression::Several(Box::new(count.expression), die);
        Ok(Part::new(expression, plan, start))
    }

    /// Parses `max(...)` or `min(...)` from the parenthesis on.
    fn extreme(&mut self, highest: bool, start: usize) -> Parsed<Part> {
        let end = self.at;
        if !self.take("(") {
            let help = "written `max(2d6,1d8)`, with as many rolls as you like";
            return Err(error(start..end, "a parenthesis is missing after this").or_help(help));
        }
        let parts = self.parts(")", start)?;
        self.best(parts, highest, start)
    }

    /// Parses `{4d6,3d8}kh1`: the highest or the lowest of several rolls.
    fn group(&mut self) -> Parsed<Part> {
        const HELP: &str = "`kh1` after the brace keeps the highest roll, `kl1` the lowest";
        let start = self.at;
        self.at += 1;
        let parts = self.parts("}", start)?;
        let from = self.at;
        let words = [
            ("kh", true),
            ("kl", false),
            ("k", true),
            ("dl", true),
            ("dh", false),
            ("d", true),
        ];
        let word = words.into_iter().find(|(word, _)| self.take(word));
        let Some((word, highest)) = word else {
            let message = "this does not say which of the rolls is kept";
            return Err(error(start..self.at, message).or_help(HELP));
        };
        let number = self.number()?.map_or(1, |(number, _)| number);
        let kept = if word.starts_with('d') {
            (parts.len() as u64).saturating_sub(number)
        } else {
            number
        };
        if kept != 1 {
            let message = format!(
                "`{word}{number}` keeps {kept} of {} rolls: solved for one",
                parts.len()
            );
            return Err(error(from..self.at, message).or_help(HELP));
        }
        self.best(parts, highest, start)
    }

    /// Parses notations between commas up to `close`. The group starts at `start`.
    fn parts(&mut self, close: &str, start: usize) -> Parsed<Vec<Part>> {
        let mut parts = Vec::new();
        loop {
            parts.push(self.deeper(start, Self::sum)?);
            if self.take(close) {
                return Ok(parts);
            }
            if !self.take(",") {
                return Err(match self.peek() {
                    None => error(start..start + 1, format!("this has no `{close}`")),
                    Some(_) => self.unexpected().or_help("rolls are separated by commas"),
                });
            }
        }
    }

    fn best(&mut self, parts: Vec<Part>, highest: bool, start: usize) -> Parsed<Part> {
        let span = start..self.at;
        let mut parts = parts.into_iter();
        let Some(first) = parts.next() else {
            return Err(error(span, "nothing to choose from"));
        };
        let (mut plan, mut all) = (first.plan, vec![first.expression]);
        for part in parts {
            plan = work::extreme(&plan, &part.plan, highest, &span)?;
            all.push(part.expression);
        }
        let expression = match all.pop() {
            Some(only) if all.is_empty() => only,
            last => {
                all.extend(last);
                let parts = all;
                Expression::Extreme { highest, parts }
            }
        };
        Ok(Part::new(expression, plan, start))
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

    /// Parses a whole number, if one comes next, and returns it with its span.
    pub(super) fn number(&mut self) -> Parsed<Option<(u64, Range<usize>)>> {
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
}
