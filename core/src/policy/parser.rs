//! Reads one policy line, `ACTION [ARGUMENTS] [if CONDITION]`, into a tree.
//!
//! Names of weapons, spells, items and combatants stay as written: [`resolve`](super::resolve)
//! looks them up for each combatant that follows the policy.

use super::actions::FEATS;
use super::ast::{Action, Line, Name, Spot, Usage};
use super::forms::{FORMS, Form, Slot};
use super::lexer::{Argument, Cursor, number};
use super::parameters::Parameters;
use super::words::word_of;
use super::{actions, condition, types};
use crate::document::diagnostics::Diagnostic;
use crate::fight::program::{MOST_UNITS, Mode, Window};
use crate::fight::system::Clocks;
use crate::names;

/// The longest line that is read.
const LONGEST: usize = 4000;

/// The greatest distance between two combatants at the start.
pub(super) const FARTHEST: i64 = 200_000;

/// The most feats that one action may be divided into.
const MOST_FEATS: usize = 8;

/// The most dice of one part of a divided pool.
const MOST_DICE: i64 = 100;

/// Reads a line of any clock.
///
/// # Errors
/// All problems that can be found without knowing the owner of the line.
pub fn parse(text: &str) -> Result<Line, Vec<Diagnostic>> {
    parse_for(text, Clocks::ALL, &Parameters::default())
}

/// Whether a line is optional, and the line behind the mark.
pub fn usage(text: &str) -> (Usage, &str) {
    let Some(rest) = text.trim_start().strip_prefix('?') else {
        return (Usage::Always, text);
    };
    match rest.strip_prefix("off") {
        Some(line) if !line.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
            (Usage::Off, line)
        }
        _ => (Usage::Optional, rest),
    }
}

/// Reads a line with the actions and variables of some clocks; `$NAME` is the value of a parameter.
///
/// # Errors
/// All problems that can be found without knowing the owner of the line.
pub fn parse_for(
    text: &str,
    clocks: Clocks,
    parameters: &Parameters,
) -> Result<Line, Vec<Diagnostic>> {
    if text.len() > LONGEST {
        return Err(vec![Diagnostic::error(
            0..text.len(),
            "a policy line is too long",
            format!("{} bytes; at most {LONGEST} are read", text.len()),
        )]);
    }
    let mut reader = Reader {
        cursor: Cursor::new(text, parameters),
        clocks,
    };
    let line = reader.line().map_err(|problem| vec![problem])?;
    let mut problems = Vec::new();
    check(&line.action, text, &mut problems);
    if let Some(condition) = &line.condition {
        types::check(condition, text, &mut problems);
    }
    if problems.is_empty() {
        Ok(line)
    } else {
        Err(problems)
    }
}

/// Checks the types of an action's own expressions, apart from its line's condition.
fn check(action: &Action, text: &str, problems: &mut Vec<Diagnostic>) {
    if let Some(until) = &action.until {
        types::check(until, text, problems);
    }
    for (amount, what) in [(&action.units, UNITS), (&action.to, DISTANCE)] {
        if let Some(amount) = amount {
            types::check_amount(amount, what, text, problems);
        }
    }
    if let Some((readied, _)) = action.readied.as_deref() {
        check(readied, text, problems);
    }
    if let Some(declared) = action.declared.as_deref() {
        check(declared, text, problems);
    }
}

/// The name of the amount after `advance` or `retreat`, in messages.
pub(super) const UNITS: &str = "a number of Units";

/// The name of the amount after `to`, in messages.
pub(super) const DISTANCE: &str = "a distance";

pub(super) struct Reader<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) clocks: Clocks,
}

impl Reader<'_> {
    fn line(&mut self) -> Result<Line, Diagnostic> {
        let usage = self.usage();
        let anytime = self.anytime()?;
        let after = if anytime.is_none() {
            self.after()?
        } else {
            None
        };
        let Some((word, spot)) = self.cursor.argument()? else {
            if let Some(anytime) = anytime {
                return Err(self.missing("a free action", anytime));
            }
            if let Some(after) = after {
                return Err(self.missing("an action", after.spot));
            }
            return Err(Diagnostic::error(
                0..self.cursor.text.len(),
                "a policy line is empty",
                "expected an action",
            )
            .help("a line that does nothing is `pass`"));
        };
        let action = match word {
            Argument::Word(word) => self.feat(word, spot)?,
            Argument::Quoted(name) => return Err(self.unknown_action(name, spot)),
        };
        let mut more = Vec::new();
        let mut split = None;
        if self.clocks.meets(Clocks::TURNS) {
            more = self.more(word_of(&self.cursor, spot), spot)?;
            split = self.split(1 + more.len())?;
        }
        let spent = std::iter::once(&action).chain(&more);
        if let Some(second) = spent.filter_map(|feat| feat.willpower).nth(1) {
            return Err(Diagnostic::error(
                second,
                "an action takes one point of Willpower",
                "a second one",
            )
            .help("one roll of the action may have a sure success (MD-4)"));
        }
        let condition = self.clause("if")?;
        if let Some((argument, rest)) = self.cursor.argument()? {
            let word = match argument {
                Argument::Word(word) | Argument::Quoted(word) => word,
            };
            return Err(self.left_over(word, spot, rest, condition.is_some()));
        }
        Ok(Line {
            usage,
            anytime,
            after,
            action,
            more,
            split,
            condition,
        })
    }

    /// Reads the mark of an optional line, if the line begins with one.
    fn usage(&mut self) -> Usage {
        let (usage, rest) = usage(self.cursor.text);
        self.cursor.at = self.cursor.text.len() - rest.len();
        usage
    }

    /// Reads `anytime`, if the line begins with it and the clock has free actions (W-8). Returns its place.
    fn anytime(&mut self) -> Result<Option<Spot>, Diagnostic> {
        if !self.clocks.meets(Clocks::MARKS) {
            return Ok(None);
        }
        Ok(match self.peek()? {
            Some((Argument::Word("anytime"), spot)) => {
                self.cursor.at = spot.end;
                Some(spot)
            }
            _ => None,
        })
    }

    /// Reads `after RESULT:`, if the line begins with it.
    fn after(&mut self) -> Result<Option<Name>, Diagnostic> {
        let Some((Argument::Word("after"), spot)) = self.peek()? else {
            return Ok(None);
        };
        self.cursor.at = spot.end;
        let is_quoted = matches!(self.peek()?, Some((Argument::Quoted(_), _)));
        let mut name = self.name("the result of a roll", spot)?;
        let bare = name.text.strip_suffix(':').filter(|_| !is_quoted);
        let bare = bare.map(str::to_owned);
        match bare {
            Some(bare) if !bare.is_empty() => name.text = bare,
            _ if self.take(":")? => {}
            _ => {
                let title = "a line after a roll has a colon behind the result of the roll";
                let label = "expected `:` behind it";
                return Err(Diagnostic::error(name.spot, title, label)
                    .help("written `after won: use ITEM [if CONDITION]`"));
            }
        }
        Ok(Some(name))
    }

    /// Reads the feats after `+`, which share the action (MA-3).
    fn more(&mut self, first: &str, spot: Spot) -> Result<Vec<Action>, Diagnostic> {
        let mut more = Vec::new();
        let (mut last, mut last_spot) = (first, spot);
        while self.take("+")? {
            let Some((argument, spot)) = self.cursor.argument()? else {
                return Err(self.missing("a feat after `+`", last_spot));
            };
            let (Argument::Word(word) | Argument::Quoted(word)) = argument;
            for (name, place) in [(last, last_spot), (word, spot)] {
                if !FEATS.contains(&name) && actions::find(name, self.clocks).is_some() {
                    return Err(Diagnostic::error(
                        place,
                        format!("`{name}` cannot share an action"),
                        format!("expected {}", names::list(FEATS.iter().copied(), "or")),
                    )
                    .help("movement takes no action: it is a line of its own, before or after"));
                }
            }
            let Argument::Word(_) = argument else {
                return Err(self.unknown_action(word, spot));
            };
            let feat = self.feat(word, spot)?;
            if more.len() + 2 > MOST_FEATS {
                return Err(Diagnostic::error(
                    spot,
                    "an action is divided into too many feats",
                    format!("at most {MOST_FEATS}"),
                ));
            }
            more.push(feat);
            (last, last_spot) = (word, spot);
        }
        Ok(more)
    }

    /// Reads an action that may have a sure success, and `with willpower`, if it stands here (MD-4).
    fn feat(&mut self, word: &str, spot: Spot) -> Result<Action, Diagnostic> {
        let mut action = self.action(word, spot)?;
        if action.is_rolled() {
            action.willpower = self.willpower_next()?;
        }
        if let Some(spot) = action.willpower {
            self.cursor.at = spot.end;
        }
        Ok(action)
    }

    /// The place of `with willpower`, if it stands next. A weapon with that name is quoted.
    fn willpower_next(&self) -> Result<Option<Spot>, Diagnostic> {
        if !self.clocks.meets(Clocks::TURNS) {
            return Ok(None);
        }
        let mut ahead = self.cursor;
        Ok(match (ahead.argument()?, ahead.argument()?) {
            (Some((Argument::Word("with"), first)), Some((Argument::Word("willpower"), last))) => {
                Some(first.to(last))
            }
            _ => None,
        })
    }

    /// Reads `split 2,5`: the dice of each feat.
    fn split(&mut self, feats: usize) -> Result<Option<(Vec<u8>, Spot)>, Diagnostic> {
        let mut ahead = self.cursor;
        let Some((Argument::Word("split"), spot)) = ahead.argument()? else {
            return Ok(None);
        };
        self.cursor = ahead;
        let mut dice = Vec::new();
        let mut whole = spot;
        let mut open = true;
        while let Some((Argument::Word(word), place)) = self.peek()? {
            if !open && !word.starts_with(',') || word == "if" {
                break;
            }
            self.cursor.at = place.end;
            whole = spot.to(place);
            let mut at = place.start;
            for (index, part) in word.split(',').enumerate() {
                if index > 0 {
                    at += 1;
                    open = true;
                }
                if !part.is_empty() {
                    let value = self.cursor.value_of(part, at)?;
                    dice.push(dice_of_part(value, at, part.len())?);
                    open = false;
                }
                at += part.len();
            }
        }
        let problem = |title: String, label: String| {
            Diagnostic::error(whole, title, label)
                .help("written `attack + attack split 4,3`: a number of dice for each, in order")
        };
        if feats < 2 {
            return Err(problem(
                "only an action of several feats is divided".to_owned(),
                "expected `+` before `split`".to_owned(),
            ));
        }
        if dice.len() != feats {
            return Err(problem(
                format!(
                    "`split` has the wrong number of parts: {}, not {feats}",
                    dice.len()
                ),
                format!("expected {feats} numbers of dice, with commas between"),
            ));
        }
        Ok(Some((dice, whole)))
    }

    /// Reads the action that begins with `word`: what fills the slots of its form.
    pub(super) fn action(&mut self, word: &str, spot: Spot) -> Result<Action, Diagnostic> {
        if actions::find(word, self.clocks).is_none() {
            return Err(self.unknown_action(word, spot));
        }
        if word == "quick" {
            return self.quick(spot);
        }
        if word == "anytime" {
            return Err(Diagnostic::error(
                spot,
                "`anytime` stands at the beginning of a line, once",
                "expected a free action",
            ));
        }
        let Some(form) = self.form(word) else {
            return Err(self.unknown_action(word, spot));
        };
        let mut action = Action::new(form, spot);
        for slot in form.slots {
            self.fill(&mut action, *slot)?;
        }
        Ok(action)
    }

    /// The form of an action. A delay is of the Score, up or down (TC-4), of the turn (CD-2), or of the action (EP-6).
    fn form(&self, word: &str) -> Option<&'static Form> {
        let next = match self.peek() {
            Ok(Some((Argument::Word(next), _))) => next,
            _ => "",
        };
        let delays = |clocks, words: [&str; 2]| {
            self.clocks.are_among(clocks) || self.clocks.meets(clocks) && words.contains(&next)
        };
        let before = match word {
            "delay" if delays(Clocks::MARKS, ["up", "down"]) => 0,
            "delay" if delays(Clocks::ORDER, ["yield", "until"]) => 1,
            "delay" => 2,
            _ => 0,
        };
        FORMS.iter().filter(|form| form.word == word).nth(before)
    }

    /// Reads one slot of an action.
    fn fill(&mut self, action: &mut Action, slot: Slot) -> Result<(), Diagnostic> {
        let spot = action.spot;
        match slot {
            Slot::Target => action.target = self.target()?,
            Slot::With => {
                if self.willpower_next()?.is_none() && self.take("with")? {
                    action.name = Some(self.name("a weapon", spot)?);
                }
            }
            Slot::For => {
                if self.take("for")? {
                    action.name = Some(self.name("a resource", spot)?);
                }
            }
            Slot::Name(what) => action.name = Some(self.name(what, spot)?),
            Slot::Drawn => {
                if self.clocks == Clocks::MARKS || self.names_next()? {
                    action.name = Some(self.name("a weapon", spot)?);
                }
            }
            Slot::Mode => action.mode = self.mode()?,
            Slot::Units => {
                if condition::begins_amount(self.cursor, self.clocks) {
                    action.units = Some(self.amount(1..=MOST_UNITS, UNITS)?);
                }
            }
            Slot::To => {
                if self.take("to")? {
                    if !condition::begins_amount(self.cursor, self.clocks) && !self.misspelt()? {
                        return Err(self.missing("a distance in Units", spot));
                    }
                    action.to = Some(self.amount(0..=FARTHEST, DISTANCE)?);
                }
            }
            Slot::Choice(first, second) => action.first = self.choice(spot, first, second)?,
            Slot::Until => action.until = self.clause("until")?,
            // The greatest number depends on the Marks of a Round in the scenario.
            Slot::Marks => match self.whole_number()? {
                Some((marks, at, _)) => (action.number, action.at) = (marks, at),
                None => return Err(self.missing("a number of Marks", spot)),
            },
            Slot::Yield => action.number = self.yields(spot)?,
            Slot::Word(word) => {
                if !self.take(word)? {
                    return Err(self.missing(&format!("`{word}`"), spot));
                }
            }
            Slot::Declared => match self.cursor.argument()? {
                Some((Argument::Word(word), place))
                    if actions::find(word, self.clocks).is_some() =>
                {
                    action.declared = Some(Box::new(self.declared(word, place)?));
                }
                Some((Argument::Word(name) | Argument::Quoted(name), spot)) => {
                    let text = name.to_owned();
                    action.name = Some(Name { text, spot });
                }
                None => return Err(self.missing("an action or a kind of turn", spot)),
            },
            Slot::Readied => {
                let reacts = action.form.window == Window::React;
                action.readied = Some(Box::new(self.ready(spot, reacts)?));
            }
        }
        Ok(())
    }

    /// Reads a mode of movement, if one stands here.
    fn mode(&mut self) -> Result<Option<Mode>, Diagnostic> {
        if !self.clocks.meets(Clocks::TURNS) {
            return Ok(None);
        }
        for (name, mode) in Mode::ALL {
            if self.take(name)? {
                return Ok(Some(*mode));
            }
        }
        Ok(None)
    }
}

/// Reads the dice of one part of a divided pool.
fn dice_of_part(text: &str, start: usize, length: usize) -> Result<u8, Diagnostic> {
    let dice = number(text, start)?;
    if (1..=MOST_DICE).contains(&dice) {
        return Ok(dice as u8);
    }
    let spot = Spot::from(start..start + length);
    let problem = condition::out_of_range(spot, text, "a number of dice", 1..=MOST_DICE);
    Err(problem.help("each part of a divided pool needs at least one die"))
}
