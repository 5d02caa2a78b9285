//! The words of a line, taken one by one, and the errors for missing and unknown ones.

use super::actions::{READIED, TARGETS};
use super::ast::{Expr, ExprKind, Name, Reference, Spot};
use super::lexer::{Argument, Cursor, number};
use super::parser::Reader;
use super::print::ALMOST_IF;
use super::{actions, condition};
use crate::document::diagnostics::Diagnostic;
use crate::fight::program::Aim;
use crate::fight::system::{Action, Clocks, System};
use crate::names;
use crate::systems::titles;

impl<'a> Reader<'a> {
    /// The problem with words that no part of the line has taken.
    pub(super) fn left_over(
        &self,
        word: &str,
        action: Spot,
        rest: Spot,
        conditional: bool,
    ) -> Diagnostic {
        if conditional {
            return Diagnostic::error(
                rest,
                "a line has one condition",
                "expected the end of the line",
            )
            .help("join conditions with `and`");
        }
        let name = &self.cursor.text[action.range()];
        if word == "+" {
            return Diagnostic::error(
                rest,
                format!("{} does not do several things at once", titles(self.clocks)),
                "expected `if` or the end of the line",
            )
            .help("write a line for each");
        }
        let problem = Diagnostic::error(
            rest,
            format!("`{word}` does not belong here"),
            "expected `if` or the end of the line",
        );
        if word == "when" && READIED.contains(&name) && !self.clocks.meets(Clocks::SLOW_SPELLS) {
            return problem.help("an action that waits is written `ready ACTION when TRIGGER`");
        }
        if ALMOST_IF.contains(&word) {
            return problem.help("a condition begins with `if`");
        }
        let syntax = actions::find(name, self.clocks).map(|action| {
            format!(
                "written `{} [if CONDITION]`; names with a space are quoted",
                action.syntax
            )
        });
        problem.maybe_help(syntax)
    }

    /// Whether a word belongs to the grammar of the line, at a place where a name might stand.
    pub(super) fn stops(&self, word: &str) -> bool {
        matches!(word, "if" | "until" | "with" | "to" | "(" | ")" | "+")
            || (word == "split" && self.clocks.meets(Clocks::TURNS))
    }

    /// Whether a name stands next.
    pub(super) fn names_next(&self) -> Result<bool, Diagnostic> {
        Ok(match self.peek()? {
            None => false,
            Some((Argument::Quoted(_), _)) => true,
            Some((Argument::Word(word), _)) => !self.stops(word) && !ALMOST_IF.contains(&word),
        })
    }

    /// Returns the next argument without taking it.
    pub(super) fn peek(&self) -> Result<Option<(Argument<'a>, Spot)>, Diagnostic> {
        let mut ahead = self.cursor;
        ahead.argument()
    }

    /// Takes `word` if it stands next.
    pub(super) fn take(&mut self, word: &str) -> Result<bool, Diagnostic> {
        let mut ahead = self.cursor;
        if let Some((Argument::Word(next), _)) = ahead.argument()?
            && next == word
        {
            self.cursor = ahead;
            return Ok(true);
        }
        Ok(false)
    }

    /// Reads the condition after `word`, if `word` stands next.
    pub(super) fn clause(&mut self, word: &str) -> Result<Option<Expr>, Diagnostic> {
        if !self.take(word)? {
            return Ok(None);
        }
        condition::parse(&mut self.cursor, self.clocks).map(Some)
    }

    pub(super) fn missing(&self, what: &str, action: Spot) -> Diagnostic {
        let name = &self.cursor.text[action.range()];
        let place = match self.peek() {
            Ok(Some((_, spot))) => spot,
            _ => self.cursor.end(),
        };
        let problem = Diagnostic::error(
            place,
            format!("`{name}` lacks {what}"),
            format!("expected {what}"),
        );
        let syntax = actions::find(name, self.clocks);
        problem.maybe_help(syntax.map(|action| format!("written `{}`", action.syntax)))
    }

    /// Reads a name that must stand here.
    pub(super) fn name(&mut self, what: &str, action: Spot) -> Result<Name, Diagnostic> {
        let mut ahead = self.cursor;
        match ahead.argument()? {
            None => Err(self.missing(what, action)),
            Some((Argument::Word(word), _)) if self.stops(word) => Err(self.missing(what, action)),
            Some((Argument::Word(text) | Argument::Quoted(text), spot)) => {
                self.cursor = ahead;
                Ok(Name {
                    text: text.to_owned(),
                    spot,
                })
            }
        }
    }

    /// Reads a target, if one stands here.
    pub(super) fn target(&mut self) -> Result<Option<Reference<Aim>>, Diagnostic> {
        let mut ahead = self.cursor;
        let (text, spot) = match ahead.argument()? {
            None => return Ok(None),
            Some((Argument::Word(word), _)) if self.stops(word) => return Ok(None),
            Some((Argument::Word(text), _)) if ALMOST_IF.contains(&text) => return Ok(None),
            Some((Argument::Word(text), spot)) => {
                if let "weakest" | "strongest" = text {
                    self.cursor = ahead;
                    return Ok(if self.of_all(spot)? {
                        actions::target(&format!("{text} of all"))
                    } else {
                        actions::target(text)
                    });
                }
                let keyword = match text {
                    "trigger" => self
                        .clocks
                        .meets(Clocks::ORDER)
                        .then_some(Reference::Word(Aim::Trigger)),
                    _ => actions::target(text),
                };
                if keyword.is_some() {
                    self.cursor = ahead;
                    return Ok(keyword);
                }
                if text.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(Diagnostic::error(
                        spot,
                        format!("`{text}` is a number where a target should be"),
                        "expected a target",
                    )
                    .help(format!(
                        "a target is {} or a combatant's name; a name of digits is quoted",
                        names::list(TARGETS.iter().map(|target| target.0), "or")
                    )));
                }
                (text, spot)
            }
            Some((Argument::Quoted(text), spot)) => (text, spot),
        };
        self.cursor = ahead;
        Ok(Some(Reference::Named(Name {
            text: text.to_owned(),
            spot,
        })))
    }

    /// Reads an amount of a move: a whole number, or a sum of variables that is evaluated when the line is taken (W-3).
    pub(super) fn amount(
        &mut self,
        range: std::ops::RangeInclusive<i64>,
        what: &str,
    ) -> Result<Expr, Diagnostic> {
        let amount = condition::amount(&mut self.cursor, self.clocks)?;
        let written = match &amount.kind {
            ExprKind::Number(number) => Some(*number),
            ExprKind::Negate(inner) => match inner.kind {
                ExprKind::Number(number) => Some(-number),
                _ => None,
            },
            _ => None,
        };
        match written {
            Some(number) if !range.contains(&number) => {
                Err(condition::out_of_range(amount.spot, number, what, range))
            }
            _ => Ok(amount),
        }
    }

    /// Whether the next word is probably a misspelt number of a condition.
    pub(super) fn misspelt(&self) -> Result<bool, Diagnostic> {
        let Some((Argument::Word(word), _)) = self.peek()? else {
            return Ok(false);
        };
        let known = actions::fact_words(self.clocks, |known| known.unit.is_some());
        Ok(!self.stops(word) && names::nearest(word, known).is_some())
    }

    /// Reads `of all`, if it stands here, after `weakest` or `strongest` (W-4). Returns whether it does.
    pub(super) fn of_all(&mut self, target: Spot) -> Result<bool, Diagnostic> {
        if !self.take("of")? {
            return Ok(false);
        }
        if self.take("all")? {
            return Ok(true);
        }
        let word = word_of(&self.cursor, target);
        let place = match self.peek()? {
            Some((_, spot)) => spot,
            None => self.cursor.end(),
        };
        Err(Diagnostic::error(
            place,
            format!("`{word} of` lacks `all`"),
            "expected `all`",
        )
        .help(format!(
            "`{word}` is chosen among those in reach; `{word} of all` among all, in reach or not"
        )))
    }

    /// Reads a whole number, if one stands here.
    pub(super) fn number(
        &mut self,
        range: std::ops::RangeInclusive<i64>,
        what: &str,
    ) -> Result<Option<i64>, Diagnostic> {
        let before = self.cursor;
        let Some((value, spot, text)) = self.whole_number()? else {
            return Ok(None);
        };
        if text.starts_with('-') || !range.contains(&value) {
            self.cursor = before;
            return Err(condition::out_of_range(spot, text, what, range));
        }
        Ok(Some(value))
    }

    /// Reads a whole number, if the next argument is one. Returns its value, its place and its spelling.
    pub(super) fn whole_number(&mut self) -> Result<Option<(i64, Spot, &'a str)>, Diagnostic> {
        let mut ahead = self.cursor;
        let Some((Argument::Word(text), spot)) = ahead.argument()? else {
            return Ok(None);
        };
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(None);
        }
        let sign = text.len() - unsigned.len();
        let value = number(unsigned, spot.start + sign)?;
        self.cursor = ahead;
        Ok(Some((if sign > 0 { -value } else { value }, spot, text)))
    }

    /// Reads one of two words that must stand here. Returns whether it is the first.
    pub(super) fn choice(
        &mut self,
        action: Spot,
        first: &str,
        second: &str,
    ) -> Result<bool, Diagnostic> {
        if self.take(first)? {
            return Ok(true);
        }
        if self.take(second)? {
            return Ok(false);
        }
        Err(self.missing(&format!("`{first}` or `{second}`"), action))
    }

    /// The action of this clock for a word of other games, alone or with the word after it.
    fn synonym(&self, word: &str, spot: Spot) -> Option<(String, &'static Action)> {
        let rest = &self.cursor.text[spot.end..];
        let next = rest
            .split_whitespace()
            .next()
            .map(|next| format!("{word} {next}"));
        let find = |written: String| {
            let known = |name: &str| actions::find(name, self.clocks).is_some();
            let name = actions::synonym(&written, self.clocks, known)?;
            Some((written, actions::find(name, self.clocks)?))
        };
        next.and_then(find).or_else(|| find(word.to_owned()))
    }

    /// The problem with a word that is no action here.
    pub(super) fn unknown_action(&self, word: &str, spot: Spot) -> Diagnostic {
        let here = || actions::of(self.clocks).map(Action::name);
        // `anytime` stands before an action.
        let actions = || here().filter(|name| *name != "anytime");
        if let Some((written, action)) = self.synonym(word, spot) {
            let problem = Diagnostic::error(
                spot,
                format!("no action is called `{written}`"),
                format!("`{written}` is called `{}` here", action.name()),
            )
            .help(format!("written `{} [if CONDITION]`", action.syntax));
            return renamed(
                problem,
                self.cursor.text,
                spot.start,
                &written,
                action.name(),
            );
        }
        let has = |system: &System| system.actions.iter().any(|action| action.name() == word);
        if let Some(elsewhere) = actions::elsewhere(has) {
            return Diagnostic::error(
                spot,
                format!("the clock of {} has no `{word}`", titles(self.clocks)),
                format!("an action of {elsewhere}"),
            )
            .help(format!("the actions are {}", names::all(actions(), "or")));
        }
        let nearest = names::nearest(word, here());
        let problem = Diagnostic::error(
            spot,
            format!("no action is called `{word}`"),
            match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None if word.contains('+') => "expected blanks around `+`".to_owned(),
                None => "expected an action".to_owned(),
            },
        );
        match nearest.and_then(|name| actions::find(name, self.clocks)) {
            Some(action) => problem.help(format!("written `{} [if CONDITION]`", action.syntax)),
            None => problem.help(format!("the actions are {}", names::all(actions(), "or"))),
        }
    }
}

/// The word at a place of the line.
pub(super) fn word_of<'a>(cursor: &Cursor<'a>, spot: Spot) -> &'a str {
    &cursor.text[spot.range()]
}

/// The problem with a word of a condition that is a variable of no system, or a word of other games for one of these
/// clocks.
pub(super) fn unknown_variable(text: &str, spot: Spot, clocks: Clocks) -> Diagnostic {
    let word = &text[spot.range()];
    let next = text[spot.end..].split_whitespace().next();
    let joined = next.and_then(|next| {
        let known = actions::fact(&format!("{word}_{next}"), clocks)?;
        Some((format!("{word} {next}"), known.word()))
    });
    let written = joined.map(|(written, name)| (spot.start, written, name));
    let written = written.or_else(|| {
        let (start, written, name) = hyphenated(text, spot, clocks)?;
        Some((start, written.to_owned(), name))
    });
    let meant = actions::synonym(word, clocks, |name| actions::fact(name, clocks).is_some());
    let error =
        |label: String| Diagnostic::error(spot, format!("no variable is called `{word}`"), label);
    match (written, meant) {
        (Some((start, written, name)), _) => {
            let problem = error(format!("`{written}` is written `{name}`"));
            renamed(problem, text, start, &written, name)
        }
        (None, Some(name)) => {
            let problem = error(format!("`{word}` is called `{name}` here"));
            renamed(problem, text, spot.start, word, name)
        }
        (None, None) => {
            let known =
                actions::fact_words(clocks, |_| true).chain(["true", "false", "and", "or", "not"]);
            names::suggest(word, known, '`').map_or_else(
                || {
                    error("expected a variable".to_owned()).help(format!(
                        "`has {word}` asks for a condition of that name; `skirmish explain policy` lists the \
                         variables"
                    ))
                },
                error,
            )
        }
    }
}

/// Adds to a problem that what is written at a place means `name`, if it stands there as it is quoted.
fn renamed(problem: Diagnostic, text: &str, start: usize, written: &str, name: &str) -> Diagnostic {
    if text[start..].starts_with(written) {
        problem.meaning(start..start + written.len(), name)
    } else {
        problem
    }
}

/// The variable that is spelt with `-` for `_` around a word, which reads as a difference.
fn hyphenated(text: &str, spot: Spot, clocks: Clocks) -> Option<(usize, &str, &'static str)> {
    let other = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
    let start = text[..spot.start].rfind(other);
    let end = text[spot.end..].find(other);
    let start = start.map_or(0, |at| {
        at + text[at..].chars().next().map_or(0, char::len_utf8)
    });
    let written = &text[start..end.map_or(text.len(), |at| spot.end + at)];
    let known = actions::fact(&written.replace('-', "_"), clocks)?;
    written
        .contains('-')
        .then_some((start, written, known.name))
}
