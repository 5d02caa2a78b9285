//! Parses a notation by recursive descent over the bytes of the text.

use std::ops::Range;

use super::work::{self, Cost};
use super::{Expression, MAX_NUMBER, Notation, NotationError, Standoff};

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
pub(super) fn versus(text: &str) -> Parsed<(Notation, Option<Notation>)> {
    let mut parser = Parser::new(text);
    let left = parser.notation()?;
    let mut right = None;
    if parser.take("vs") {
        right = Some(parser.notation()?);
        if let Some(length) = parser.peek_word("vs") {
            let again = parser.at..parser.at + length;
            let help = "compare two notations, and others with another command";
            return Err(error(again, "`vs` may stand once").or_help(help));
        }
    }
    parser.end()?;
    Ok((left, right))
}

#[derive(Default)]
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    depth: usize,
    terms: usize,
    /// The place of faces to be counted that the last die does not have.
    pub(super) unfit: Option<Range<usize>>,
}

/// Words that other programs and tables use, with blanks between them, and help on our notation.
const SPELLINGS: &[(&str, &str)] = &[
    (
        "e ex exp ace aces explode",
        "an exploding die is written `1d6x`",
    ),
    (
        "t s succ success successes",
        "successes are counted with `>=`: `8d10>=6`",
    ),
    (
        "b best keep high highest",
        "the highest dice are kept with `kh`: `4d6kh3`",
    ),
    (
        "worst low lowest",
        "the lowest dice are kept with `kl`: `2d20kl1`",
    ),
    ("drop", "the lowest dice are dropped with `dl`: `4d6dl1`"),
    (
        "f fail failures",
        "failures are deducted from successes: `8d10>=6f1`",
    ),
    (
        "m mi ma",
        "`max(2d6,1d8)` and `min(2d6,1d8)` take the highest and the lowest",
    ),
    ("p", "penetrating dice are written `1d6!p`"),
    ("a", "advantage is written `1d20adv`"),
    ("and plus", "dice are added with `+`"),
    (
        "pool dif diff difficulty dc tn",
        "a pool is `odds --pool 6 --difficulty 8`, and `{ pool = 6 }` in a scenario",
    ),
    ("times", "dice are multiplied with `*`"),
];

/// An expression within the limits, and its cost.
type Part = (Expression, Cost);

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
    fn new(text: &'t str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    fn notation(&mut self) -> Parsed<Notation> {
        let (root, cost) = self.sum()?;
        Ok(Notation {
            root,
            min: cost.range[0] as i64,
            max: Some(cost.range[1] as i64).filter(|_| cost.range[1].is_finite()),
            work: cost.work as u64,
        })
    }

    /// Returns a parser of the same text from here on, for looking ahead.
    pub(super) const fn ahead(&self) -> Self {
        Self {
            unfit: None,
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
        let is = |known: &str| known.eq_ignore_ascii_case(word);
        let known = SPELLINGS
            .iter()
            .find(|(words, _)| words.split(' ').any(is))?;
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
                 joined by `+`, `-`, `*`, `/` or, once, `vs`",
            )),
        }
    }

    fn sum(&mut self) -> Parsed<Part> {
        self.skip_space();
        let start = self.at;
        let (mut left, mut cost) = self.product()?;
        loop {
            let sign = match self.peek() {
                Some('+') => 1,
                Some('-' | '−') => -1,
                _ => return Ok((left, cost)),
            };
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
            let (right, more) = self.product()?;
            cost = work::sum(&cost, &more, sign, &(start..self.at))?;
            let (a, b) = (Box::new(left), Box::new(right));
            left = if sign > 0 {
                Expression::Sum(a, b)
            } else {
                Expression::Difference(a, b)
            };
        }
    }

    fn product(&mut self) -> Parsed<Part> {
        self.skip_space();
        let start = self.at;
        let (mut left, mut cost) = self.factor()?;
        loop {
            if self.take("*") || self.take("×") || self.take("·") {
                let (right, more) = self.factor()?;
                cost = work::product(&cost, &more, &(start..self.at))?;
                left = Expression::Product(Box::new(left), Box::new(right));
            } else if self.take("/") || self.take("÷") {
                let by = self.divisor()?;
                cost = work::quotient(&cost, by);
                left = Expression::Quotient(Box::new(left), by);
            } else {
                return Ok((left, cost));
            }
        }
    }

    /// Parses the number by which something is divided.
    fn divisor(&mut self) -> Parsed<i64> {
        self.skip_space();
        let start = self.at;
        let (divisor, _) = self.factor()?;
        let message = match divisor.constant() {
            Some(0) => "nothing can be divided by 0",
            Some(by) => return Ok(by),
            None => "only a number can stand after `/`",
        };
        Err(error(start..self.at, message)
            .or_help("`1d100/10` divides by a number, and rounds down"))
    }

    fn factor(&mut self) -> Parsed<Part> {
        let next = self.peek();
        let start = self.at;
        match next {
            Some(minus @ ('-' | '−')) => {
                self.at += minus.len_utf8();
                let (inner, cost) = self.deeper(start, Self::factor)?;
                Ok((Expression::Negated(Box::new(inner)), work::negated(&cost)))
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
                Ok(inner)
            }
            Some('{') => self.group(),
            Some('m' | 'M') if self.take("max") => self.extreme(true, start),
            Some('m' | 'M') if self.take("min") => self.extreme(false, start),
            Some('r' | 'R') if self.take("reach") => self.standoff(start),
            Some('0'..='9' | 'd' | 'D' | 'w' | 'W')
                if next.is_some_and(|next| next.is_ascii_digit()) || self.dice_next() =>
            {
                self.count_term(start)?;
                let number = self.number()?;
                if !self.dice_next() {
                    let value = number.map_or(0, |(value, _)| value as i64);
                    return Ok((Expression::Constant(value), work::constant(value)));
                }
                let dice = self.dice(number)?;
                let cost = work::dice(&dice, &(start..self.at))?;
                Ok((Expression::Dice(dice), cost))
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
    fn several(&mut self, (count, cost): Part, start: usize) -> Parsed<Part> {
        self.count_term(start)?;
        if let Some(number) = count.constant() {
            let Ok(number) = u64::try_from(number) else {
                return Err(error(start..self.at, "there is no negative number of dice"));
            };
            let dice = self.dice(Some((number, start..self.at)))?;
            let cost = work::dice(&dice, &(start..self.at))?;
            return Ok((Expression::Dice(dice), cost));
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
        let cost = work::several(&cost, &die, &(start..self.at))?;
        Ok((Expression::Several(Box::new(count), die), cost))
    }

    /// Parses `max(...)` or `min(...)` from the parenthesis on.
    fn extreme(&mut self, highest: bool, start: usize) -> Parsed<Part> {
        let help = "written `max(2d6,1d8)`, with as many rolls as you like";
        let parts = self.arguments(help, start)?;
        self.best(parts, highest, start)
    }

    /// Parses `reach(3d6,2d6)` from the parenthesis on.
    fn standoff(&mut self, start: usize) -> Parsed<Part> {
        const HELP: &str = "`reach(3d6,2d6)` counts my dice that are at least their highest, less\n\
                            their dice that are at least my highest";
        let parts = self.arguments(HELP, start)?;
        let span = start..self.at;
        let [(Expression::Dice(mine), _), (Expression::Dice(theirs), _)] = &parts[..] else {
            return Err(error(span, "`reach` needs the dice of two sides").or_help(HELP));
        };
        if !mine.is_plain() || !theirs.is_plain() {
            let message = "`reach` is solved for dice without anything after them";
            return Err(error(span, message).or_help(HELP));
        }
        let standoff = Standoff {
            mine: (mine.count, mine.sides),
            theirs: (theirs.count, theirs.sides),
        };
        let cost = work::standoff(&standoff, &span)?;
        Ok((Expression::Standoff(standoff), cost))
    }

    /// Parses the notations in the parentheses that follow a word.
    fn arguments(&mut self, help: &str, start: usize) -> Parsed<Vec<Part>> {
        let end = self.at;
        if !self.take("(") {
            return Err(error(start..end, "a parenthesis is missing after this").or_help(help));
        }
        self.parts(")", start)
    }

    /// Parses `{4d6,3d8}kh1`: the highest or the lowest of several rolls.
    fn group(&mut self) -> Parsed<Part> {
        const HELP: &str = "`{4d6,3d8}kh1` keeps the highest roll, `{4d6,3d8}kl1` the lowest";
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
        let (mut parts, costs): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let cost = costs
            .into_iter()
            .map(Ok)
            .reduce(|cost, more| work::extreme(&cost?, &more?, highest, &span))
            .unwrap_or_else(|| Err(error(span.clone(), "nothing to choose from")))?;
        let expression = if parts.len() == 1 {
            parts.remove(0)
        } else {
            Expression::Extreme { highest, parts }
        };
        Ok((expression, cost))
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
