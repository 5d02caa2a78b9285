//! Reads one policy line, `ACTION [ARGUMENTS] [if CONDITION]`, into a tree.
//!
//! Names of weapons, spells, items and combatants stay as written: [`resolve`](super::resolve)
//! looks them up for each combatant that follows the policy.

use super::actions::{
    self, ActionDescription, FEATS, MODES, QUICK, READIED, SUBJECTS, TARGETS, TRIGGERS,
};
use super::ast::{
    ALMOST_IF, Action, Expr, ExprKind, Feat, Line, MOST_YIELDS, Move, Name, Split, Spot, Subject,
    Target, Trigger,
};
use super::condition;
use super::lexer::{Argument, Cursor, number};
use super::problem::Problem;
use crate::fight::program::MOST_UNITS;
use crate::fight::program::When;
use crate::fight::system::Clocks;
use crate::names;
use crate::systems::titles;

/// The longest line that is read.
const LONGEST: usize = 4000;

/// Farther apart than this no two combatants can stand at the start.
pub(super) const FARTHEST: i64 = 200_000;

/// The most feats that one action may be divided into.
const MOST_FEATS: usize = 8;

/// The most dice of one part of a divided pool.
const MOST_DICE: i64 = 100;

/// Reads a line of whatever clock.
///
/// # Errors
/// Everything that can be said against it without knowing who follows it.
pub fn parse(text: &str) -> Result<Line, Vec<Problem>> {
    parse_for(text, Clocks::ALL)
}

/// Reads a line with the actions and variables of those clocks.
///
/// # Errors
/// Everything that can be said against it without knowing who follows it.
pub fn parse_for(text: &str, clocks: Clocks) -> Result<Line, Vec<Problem>> {
    if text.len() > LONGEST {
        return Err(vec![Problem::error(
            0..text.len(),
            "a policy line is too long",
            format!("{} bytes; at most {LONGEST} are read", text.len()),
        )]);
    }
    let mut reader = Reader {
        cursor: Cursor::new(text),
        clocks,
    };
    let line = reader.line().map_err(|problem| vec![problem])?;
    let mut problems = Vec::new();
    check(&line.action, text, &mut problems);
    if let Some(condition) = &line.condition {
        condition::check(condition, text, &mut problems);
    }
    if problems.is_empty() {
        Ok(line)
    } else {
        Err(problems)
    }
}

/// Checks the types of what an action itself asks for, beside its line's condition.
fn check(action: &Action, text: &str, problems: &mut Vec<Problem>) {
    match action {
        Action::Channel {
            until: Some(until), ..
        }
        | Action::Await {
            until: Some(until), ..
        } => condition::check(until, text, problems),
        Action::Advance(step) | Action::Retreat(step) => {
            for (amount, what) in [(&step.units, UNITS), (&step.to, DISTANCE)] {
                if let Some(amount) = amount {
                    condition::check_amount(amount, what, text, problems);
                }
            }
        }
        Action::Ready { feat, .. } => check(&feat.action, text, problems),
        _ => {}
    }
}

/// What stands after `advance` or `retreat`, in messages.
pub(super) const UNITS: &str = "a number of Units";

/// What stands after `to`, in messages.
pub(super) const DISTANCE: &str = "a distance";

struct Reader<'a> {
    cursor: Cursor<'a>,
    clocks: Clocks,
}

impl<'a> Reader<'a> {
    fn line(&mut self) -> Result<Line, Problem> {
        let anytime = self.anytime()?;
        let Some((word, spot)) = self.cursor.argument()? else {
            if let Some(anytime) = anytime {
                return Err(self.missing("a free action", anytime));
            }
            return Err(Problem::error(
                0..self.cursor.text.len(),
                "a policy line is empty",
                "expected an action",
            )
            .help("a line that does nothing is `pass`"));
        };
        let (action, target) = match word {
            Argument::Word(word) => self.action(word, spot)?,
            Argument::Quoted(name) => return Err(self.unknown_action(name, spot)),
        };
        let willpower = self.willpower(&action)?;
        let mut more = Vec::new();
        let mut split = None;
        if self.clocks.meets(Clocks::TURNS) {
            more = self.more(word_of(&self.cursor, spot), spot)?;
            split = self.split(1 + more.len())?;
        }
        let spent = more.iter().filter_map(|feat| feat.willpower);
        if let Some(second) = willpower.into_iter().chain(spent).nth(1) {
            return Err(Problem::error(
                second.range(),
                "an action takes one point of Willpower",
                "a second one",
            )
            .help("one roll of the action may have a sure success (MD-4)"));
        }
        let condition = if self.take("if")? {
            Some(condition::parse(&mut self.cursor, self.clocks)?)
        } else {
            None
        };
        if let Some((argument, rest)) = self.cursor.argument()? {
            let word = match argument {
                Argument::Word(word) | Argument::Quoted(word) => word,
            };
            return Err(self.left_over(word, spot, rest, condition.is_some()));
        }
        Ok(Line {
            anytime,
            action,
            spot,
            target,
            willpower,
            more,
            split,
            condition,
        })
    }

    /// Where `anytime` stands, if the line begins with it and the clock has free actions (W-8).
    fn anytime(&mut self) -> Result<Option<Spot>, Problem> {
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

    /// What stands after `+`: feats that share the action (MA-3).
    fn more(&mut self, first: &str, spot: Spot) -> Result<Vec<Feat>, Problem> {
        let mut more = Vec::new();
        let (mut last, mut last_spot) = (first, spot);
        while self.take("+")? {
            let Some((argument, spot)) = self.cursor.argument()? else {
                return Err(self.missing("a feat after `+`", last_spot));
            };
            let (Argument::Word(word) | Argument::Quoted(word)) = argument;
            for (name, place) in [(last, last_spot), (word, spot)] {
                if !FEATS.contains(&name) && actions::find(name, self.clocks).is_some() {
                    return Err(Problem::error(
                        place.range(),
                        format!("`{name}` cannot share an action"),
                        format!("expected {}", names::list(FEATS.iter().copied(), "or")),
                    )
                    .help("movement takes no action: it is a line of its own, before or after"));
                }
            }
            let Argument::Word(_) = argument else {
                return Err(self.unknown_action(word, spot));
            };
            let (action, target) = self.action(word, spot)?;
            if more.len() + 2 > MOST_FEATS {
                return Err(Problem::error(
                    spot.range(),
                    "an action is divided into too many feats",
                    format!("at most {MOST_FEATS}"),
                ));
            }
            let willpower = self.willpower(&action)?;
            more.push(Feat {
                action,
                spot,
                target,
                willpower,
            });
            (last, last_spot) = (word, spot);
        }
        Ok(more)
    }

    /// `with willpower`, if it stands here and the action is one that is rolled (MD-4).
    fn willpower(&mut self, action: &Action) -> Result<Option<Spot>, Problem> {
        let rolled = matches!(action, Action::Attack { .. } | Action::Cast { .. });
        let Some(spot) = self.willpower_next()?.filter(|_| rolled) else {
            return Ok(None);
        };
        self.cursor.at = spot.end;
        Ok(Some(spot))
    }

    /// Where `with willpower` stands, if it stands next. A weapon of that name is quoted.
    fn willpower_next(&self) -> Result<Option<Spot>, Problem> {
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

    /// `split 2,5`: a number of dice for each feat.
    fn split(&mut self, feats: usize) -> Result<Option<Split>, Problem> {
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
                    dice.push(dice_of_part(part, at)?);
                    open = false;
                }
                at += part.len();
            }
        }
        let problem = |title: String, label: String| {
            Problem::error(whole.range(), title, label)
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
                format!("`split` names {} parts of {feats}", dice.len()),
                format!("expected {feats} numbers of dice, with commas between"),
            ));
        }
        Ok(Some(Split { dice, spot: whole }))
    }

    /// What to say about words that no part of the line has taken.
    fn left_over(&self, word: &str, action: Spot, rest: Spot, conditional: bool) -> Problem {
        if conditional {
            return Problem::error(
                rest.range(),
                "a line has one condition",
                "expected the end of the line",
            )
            .help("join conditions with `and`");
        }
        let name = &self.cursor.text[action.range()];
        if word == "+" {
            return Problem::error(
                rest.range(),
                format!("{} does not do several things at once", titles(self.clocks)),
                "expected `if` or the end of the line",
            )
            .help("write a line for each");
        }
        let problem = Problem::error(
            rest.range(),
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

    fn action(&mut self, word: &str, spot: Spot) -> Result<(Action, Option<Target>), Problem> {
        if actions::find(word, self.clocks).is_none() {
            return Err(self.unknown_action(word, spot));
        }
        let action = match word {
            "attack" | "desperate" | "charge" => {
                let target = self.target()?;
                let weapon = if self.willpower_next()?.is_none() && self.take("with")? {
                    Some(self.name("a weapon", spot)?)
                } else {
                    None
                };
                let action = match word {
                    "attack" => Action::Attack { weapon },
                    "desperate" => Action::Desperate { weapon },
                    _ => Action::Charge { weapon },
                };
                return Ok((action, target));
            }
            "advance" | "retreat" => {
                let mode = self.mode()?;
                let units = if condition::begins_amount(self.cursor, self.clocks) {
                    Some(self.amount(1..=MOST_UNITS, UNITS)?)
                } else {
                    None
                };
                let to = if self.take("to")? {
                    if !condition::begins_amount(self.cursor, self.clocks) && !self.misspelt()? {
                        return Err(self.missing("a distance in Units", spot));
                    }
                    Some(self.amount(0..=FARTHEST, DISTANCE)?)
                } else {
                    None
                };
                let step = Move { mode, units, to };
                let action = if word == "advance" {
                    Action::Advance(step)
                } else {
                    Action::Retreat(step)
                };
                return Ok((action, self.target()?));
            }
            "cast" => {
                let spell = self.name("a spell", spot)?;
                return Ok((Action::Cast { spell }, self.target()?));
            }
            "channel" => {
                let spell = self.name("a spell", spot)?;
                let target = self.target()?;
                let until = if self.take("until")? {
                    Some(condition::parse(&mut self.cursor, self.clocks)?)
                } else {
                    None
                };
                return Ok((Action::Channel { spell, until }, target));
            }
            "combat_cast" => {
                let advance = self.choice(spot, "advance", "retreat")?;
                return Ok((Action::CombatCast { advance }, self.target()?));
            }
            "car" => return Ok((Action::Car, self.target()?)),
            "set" => Action::Set,
            "use" => Action::Use {
                item: self.name("an item", spot)?,
            },
            "draw" => {
                let named = self.clocks == Clocks::MARKS || self.names_next()?;
                Action::Draw {
                    weapon: if named {
                        Some(self.name("a weapon", spot)?)
                    } else {
                        None
                    },
                }
            }
            "sheathe" => Action::Sheathe {
                weapon: self.name("a weapon", spot)?,
            },
            "stand" => Action::Stand,
            // How many there may be depends on the Round of the scenario.
            "wait" => match self.whole_number()? {
                Some((marks, at, _)) => Action::Wait { marks, at },
                None => return Err(self.missing("a number of Marks", spot)),
            },
            "delay" => self.delay(spot)?,
            "ready" => self.ready(spot)?,
            "cancel" => Action::Cancel,
            "quick" => self.quick(spot)?,
            "task" => {
                let task = self.name("a task", spot)?;
                return Ok((Action::Task { task }, self.target()?));
            }
            "spend" => {
                if !self.take("moxie")? {
                    return Err(self.missing("`moxie`", spot));
                }
                Action::SpendMoxie
            }
            "interrupt" => Action::Interrupt,
            "hold" => Action::Hold,
            "pass" => Action::Pass,
            "anytime" => {
                return Err(Problem::error(
                    spot.range(),
                    "`anytime` stands at the beginning of a line, once",
                    "expected a free action",
                ));
            }
            _ => return Err(self.unknown_action(word, spot)),
        };
        Ok((action, None))
    }

    /// A delay: of the Score, up or down (TC-4), of the turn (CD-2), or of the action (EP-6).
    fn delay(&mut self, spot: Spot) -> Result<Action, Problem> {
        let next = match self.peek()? {
            Some((Argument::Word(word), _)) => word,
            _ => "",
        };
        let halves = matches!(next, "up" | "down");
        let waits = matches!(next, "yield" | "until");
        let (marks, order) = (Clocks::MARKS, Clocks::ORDER);
        if self.clocks == marks || (self.clocks.meets(marks) && halves) {
            let up = self.choice(spot, "up", "down")?;
            Ok(Action::Delay { up })
        } else if self.clocks == order || (self.clocks.meets(order) && waits) {
            self.wait_for_turn(spot)
        } else {
            Ok(Action::PutOff)
        }
    }

    /// `[yield [N]] [until CONDITION]` (CD-2).
    fn wait_for_turn(&mut self, spot: Spot) -> Result<Action, Problem> {
        let mut yields = 0;
        if self.take("yield")? {
            let some = self.number(1..=MOST_YIELDS.into(), "a number of combatants")?;
            yields = some.map_or(MOST_YIELDS, |some| some as u8);
        }
        let until = if self.take("until")? {
            Some(condition::parse(&mut self.cursor, self.clocks)?)
        } else {
            None
        };
        if until.is_none()
            && let Some((Argument::Word("up" | "down"), _)) = self.peek()?
        {
            return Err(self.missing("`until` and a condition", spot));
        }
        Ok(Action::Await { yields, until })
    }

    /// An action that is a Quick one, and said to be (EP-3).
    fn quick(&mut self, spot: Spot) -> Result<Action, Problem> {
        let Some((argument, place)) = self.cursor.argument()? else {
            return Err(self.missing("a Quick Action", spot));
        };
        match argument {
            Argument::Word(word) if QUICK.contains(&word) => {
                let (action, _) = self.action(word, place)?;
                Ok(Action::Quick(Box::new(action)))
            }
            Argument::Word(word) | Argument::Quoted(word) => Err(Problem::error(
                place.range(),
                format!("`{word}` is no Quick Action"),
                format!("expected {}", names::list(QUICK.iter().copied(), "or")),
            )
            .help("an attack is the Complex Action, and moving takes none (EP-3)")),
        }
    }

    /// `ACTION when TRIGGER` (CD-3).
    fn ready(&mut self, spot: Spot) -> Result<Action, Problem> {
        let Some((argument, place)) = self.cursor.argument()? else {
            return Err(self.missing("an action to ready", spot));
        };
        let (Argument::Word(word) | Argument::Quoted(word)) = argument;
        let known = actions::find(word, self.clocks).is_some();
        if known && !READIED.contains(&word) {
            let problem = Problem::error(
                place.range(),
                format!("`{word}` cannot be readied"),
                format!("expected {}", names::list(READIED.iter().copied(), "or")),
            );
            return Err(problem.help(match word {
                "ready" => "what is readied happens once; a later turn may ready again (CD-3)",
                _ => "what is readied is an action that is taken at once (CD-3)",
            }));
        }
        let Argument::Word(_) = argument else {
            return Err(self.unknown_action(word, place));
        };
        let (action, target) = self.action(word, place)?;
        if !self.take("when")? {
            return Err(self.missing("`when` and a trigger", spot));
        }
        let feat = Box::new(Feat {
            action,
            spot: place,
            target,
            willpower: None,
        });
        let trigger = self.trigger(spot)?;
        Ok(Action::Ready { feat, trigger })
    }

    /// Who, and what it does.
    fn trigger(&mut self, ready: Spot) -> Result<Trigger, Problem> {
        let verbs = || {
            TRIGGERS
                .iter()
                .filter_map(|(syntax, ..)| syntax.split(' ').next())
        };
        let subjects = || names::list(SUBJECTS.iter().map(|(word, _)| *word), "or");
        let help = || {
            format!(
                "a trigger is {}, or a name, and {}",
                subjects(),
                names::list(TRIGGERS.iter().map(|(syntax, ..)| *syntax), "or")
            )
        };
        let Some((argument, subject)) = self.cursor.argument()? else {
            return Err(self.missing("a trigger", ready).help(help()));
        };
        let by = match argument {
            Argument::Word("enemy") => Subject::Enemy,
            Argument::Word("ally") => Subject::Ally,
            Argument::Word("anyone") => Subject::Anyone,
            Argument::Word(word) if verbs().any(|verb| verb == word) => {
                return Err(Problem::error(
                    subject.range(),
                    "a trigger does not say whose doing it is",
                    format!("expected {}, or a name", subjects()),
                )
                .help(help()));
            }
            Argument::Word(text) | Argument::Quoted(text) => Subject::Named(Name {
                text: text.to_owned(),
                spot: subject,
            }),
        };
        let Some((Argument::Word(verb), spot)) = self.cursor.argument()? else {
            let what = match by {
                Subject::Enemy => "what the enemy does",
                _ => "what that one does",
            };
            return Err(self.missing(what, ready).help(help()));
        };
        let Some(known) = TRIGGERS
            .iter()
            .find(|(syntax, ..)| syntax.split(' ').next() == Some(verb))
        else {
            return Err(Problem::error(
                spot.range(),
                format!("nothing that is called `{verb}` triggers an action"),
                match names::nearest(verb, verbs()) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => "expected what somebody does".to_owned(),
                },
            )
            .help(help()));
        };
        let when = match known.2 {
            known @ (When::ComesWithin(_) | When::Leaves(_)) => {
                let Some(units) = self.number(0..=FARTHEST, "a distance")? else {
                    return Err(self.missing("a distance in Units", ready).help(help()));
                };
                let units = units as u32;
                match known {
                    When::Leaves(_) => When::Leaves(units),
                    _ => When::ComesWithin(units),
                }
            }
            When::Attacks { .. } => When::Attacks {
                me: self.take("me")?,
            },
            plain => plain,
        };
        Ok(Trigger {
            by,
            when,
            spot: subject.to(spot),
        })
    }

    /// A mode of movement, if one stands here.
    fn mode(&mut self) -> Result<Option<crate::fight::program::Mode>, Problem> {
        if !self.clocks.meets(Clocks::TURNS) {
            return Ok(None);
        }
        for (name, mode) in MODES {
            if self.take(name)? {
                return Ok(Some(*mode));
            }
        }
        Ok(None)
    }

    /// Whether a word is part of the line's own grammar where a name might stand.
    fn stops(&self, word: &str) -> bool {
        matches!(word, "if" | "until" | "with" | "to" | "(" | ")" | "+")
            || (word == "split" && self.clocks.meets(Clocks::TURNS))
    }

    /// Whether a name stands next.
    fn names_next(&self) -> Result<bool, Problem> {
        Ok(match self.peek()? {
            None => false,
            Some((Argument::Quoted(_), _)) => true,
            Some((Argument::Word(word), _)) => !self.stops(word) && !ALMOST_IF.contains(&word),
        })
    }

    /// The next argument, left where it is.
    fn peek(&self) -> Result<Option<(Argument<'a>, Spot)>, Problem> {
        let mut ahead = self.cursor;
        ahead.argument()
    }

    /// Takes `word` if it stands next.
    fn take(&mut self, word: &str) -> Result<bool, Problem> {
        let mut ahead = self.cursor;
        if let Some((Argument::Word(next), _)) = ahead.argument()?
            && next == word
        {
            self.cursor = ahead;
            return Ok(true);
        }
        Ok(false)
    }

    fn missing(&self, what: &str, action: Spot) -> Problem {
        let name = &self.cursor.text[action.range()];
        let place = match self.peek() {
            Ok(Some((_, spot))) => spot,
            _ => self.cursor.end(),
        };
        let problem = Problem::error(
            place.range(),
            format!("`{name}` lacks {what}"),
            format!("expected {what}"),
        );
        let syntax = actions::find(name, self.clocks);
        problem.maybe_help(syntax.map(|action| format!("written `{}`", action.syntax)))
    }

    /// A name that must stand here.
    fn name(&mut self, what: &str, action: Spot) -> Result<Name, Problem> {
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

    /// A target, if one stands here.
    fn target(&mut self) -> Result<Option<Target>, Problem> {
        let mut ahead = self.cursor;
        let (text, spot) = match ahead.argument()? {
            None => return Ok(None),
            Some((Argument::Word(word), _)) if self.stops(word) => return Ok(None),
            Some((Argument::Word(text), _)) if ALMOST_IF.contains(&text) => return Ok(None),
            Some((Argument::Word(text), spot)) => {
                let keyword = match text {
                    "nearest" => Some(Target::Nearest),
                    "weakest" => {
                        self.cursor = ahead;
                        let all = self.of_all(spot)?;
                        return Ok(Some(if all {
                            Target::WeakestOfAll
                        } else {
                            Target::Weakest
                        }));
                    }
                    "strongest" => {
                        self.cursor = ahead;
                        let all = self.of_all(spot)?;
                        return Ok(Some(if all {
                            Target::StrongestOfAll
                        } else {
                            Target::Strongest
                        }));
                    }
                    "casting" => Some(Target::Casting),
                    "trigger" if self.clocks.meets(Clocks::ORDER) => Some(Target::Trigger),
                    _ => None,
                };
                if keyword.is_some() {
                    self.cursor = ahead;
                    return Ok(keyword);
                }
                if text.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(Problem::error(
                        spot.range(),
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
        Ok(Some(Target::Named(Name {
            text: text.to_owned(),
            spot,
        })))
    }

    /// How far a move goes: a whole number, or a sum of variables that is worked out when the line is
    /// taken (W-3).
    fn amount(
        &mut self,
        range: std::ops::RangeInclusive<i64>,
        what: &str,
    ) -> Result<Expr, Problem> {
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

    /// Whether the next word is almost a number of a condition.
    fn misspelt(&self) -> Result<bool, Problem> {
        let Some((Argument::Word(word), _)) = self.peek()? else {
            return Ok(false);
        };
        let known = condition::number_words(self.clocks);
        Ok(!self.stops(word) && names::nearest(word, known).is_some())
    }

    /// Whether `of all` stands here, after `weakest` or `strongest` (W-4).
    fn of_all(&mut self, target: Spot) -> Result<bool, Problem> {
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
        Err(Problem::error(
            place.range(),
            format!("`{word} of` lacks `all`"),
            "expected `all`",
        )
        .help(format!(
            "`{word}` is chosen among those in reach; `{word} of all` is nobody else, in reach or not"
        )))
    }

    /// A whole number, if one stands here.
    fn number(
        &mut self,
        range: std::ops::RangeInclusive<i64>,
        what: &str,
    ) -> Result<Option<i64>, Problem> {
        let before = self.cursor;
        let Some((value, spot, text)) = self.whole_number()? else {
            return Ok(None);
        };
        let (least, most) = (range.start(), range.end());
        if text.starts_with('-') || !range.contains(&value) {
            self.cursor = before;
            return Err(Problem::error(
                spot.range(),
                format!("`{text}` is out of range"),
                format!("expected {what}, {least} to {most}"),
            ));
        }
        Ok(Some(value))
    }

    /// A whole number, if the next argument is one: its value, where it stands, and how it is written.
    fn whole_number(&mut self) -> Result<Option<(i64, Spot, &'a str)>, Problem> {
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

    /// One of two words that must stand here; true for the first.
    fn choice(&mut self, action: Spot, first: &str, second: &str) -> Result<bool, Problem> {
        if self.take(first)? {
            return Ok(true);
        }
        if self.take(second)? {
            return Ok(false);
        }
        Err(self.missing(&format!("`{first}` or `{second}`"), action))
    }

    /// What to say about a word that is no action here.
    fn unknown_action(&self, word: &str, spot: Spot) -> Problem {
        let here = || actions::of(self.clocks).map(ActionDescription::name);
        // `anytime` stands before an action.
        let actions = || here().filter(|name| *name != "anytime");
        if let Some(elsewhere) = actions::elsewhere(word) {
            return Problem::error(
                spot.range(),
                format!("the clock of {} has no `{word}`", titles(self.clocks)),
                format!("an action of {elsewhere}"),
            )
            .help(format!("the actions are {}", names::all(actions(), "or")));
        }
        let nearest = names::nearest(word, here());
        let problem = Problem::error(
            spot.range(),
            format!("no action is called `{word}`"),
            match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "expected an action".to_owned(),
            },
        );
        match nearest.and_then(|name| actions::find(name, self.clocks)) {
            Some(action) => problem.help(format!("written `{} [if CONDITION]`", action.syntax)),
            None => problem.help(format!("the actions are {}", names::all(actions(), "or"))),
        }
    }
}

/// The word that stands at a place of the line.
fn word_of<'a>(cursor: &Cursor<'a>, spot: Spot) -> &'a str {
    &cursor.text[spot.range()]
}

/// Dice of one part of a divided pool.
fn dice_of_part(text: &str, start: usize) -> Result<u8, Problem> {
    let dice = number(text, start)?;
    if (1..=MOST_DICE).contains(&dice) {
        return Ok(dice as u8);
    }
    Err(Problem::error(
        start..start + text.len(),
        format!("`{text}` is out of range"),
        format!("expected a number of dice, 1 to {MOST_DICE}"),
    )
    .help("each part of a divided pool needs at least one die"))
}

#[cfg(test)]
mod tests {
    use super::super::ast::{Action, Line, Target};
    use super::{parse, parse_for};
    use crate::policy::actions::ACTIONS;

    fn line(text: &str) -> Line {
        parse(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
    }

    fn first_problem(text: &str) -> String {
        match parse(text) {
            Ok(line) => panic!("accepted: {line:?}"),
            Err(problems) => problems[0].title.clone(),
        }
    }

    #[test]
    fn every_action_of_the_list_is_known_to_the_parser() {
        for action in ACTIONS {
            let example = action
                .syntax
                .replace(['[', ']'], "")
                .replace("CONDITION", "prone")
                .replace("TARGET", "weakest")
                .replace("advance|retreat", "retreat")
                .replace("up|down", "down")
                .replace(" N", " 3")
                .replace(" D", " 4")
                .replace(" K", " 5")
                .replace("MODE", "swim")
                .replace("draw|use|stand ...", "use rope")
                .replace("ACTION", "attack weakest")
                .replace("TRIGGER", "enemy comes-within 3");
            for text in [example.clone(), format!("{example} if hp > 3")] {
                let read = parse_for(&text, action.clocks);
                assert!(read.is_ok(), "{text}: {read:?}");
            }
        }
    }

    #[test]
    fn a_quoted_word_is_always_a_name() {
        let weapon = |text| match line(text) {
            Line {
                action: Action::Attack { weapon },
                target,
                ..
            } => (target, weapon.map(|name| name.text)),
            other => panic!("{other:?}"),
        };
        assert_eq!(weapon("attack nearest"), (Some(Target::Nearest), None));
        for quoted in ["attack \"nearest\"", "attack 'nearest'"] {
            let (target, _) = weapon(quoted);
            assert!(matches!(target, Some(Target::Named(name)) if name.text == "nearest"));
        }
        let (target, weapon) = weapon("attack d'Artagnan with half-moon-blade");
        assert!(matches!(target, Some(Target::Named(name)) if name.text == "d'Artagnan"));
        assert_eq!(weapon.as_deref(), Some("half-moon-blade"));
    }

    #[test]
    fn conditions_bind_as_they_are_read() {
        for (text, meant) in [
            ("ready or moved and acted", "ready or (moved and acted)"),
            ("not ready and moved", "(not ready) and moved"),
            ("not hp < 3", "not (hp < 3)"),
            ("hp + 2 * marks < 3", "(hp + (2 * marks)) < 3"),
            ("hp - 1 - 2 > 0", "((hp - 1) - 2) > 0"),
            ("-hp * 2 < 0", "((-hp) * 2) < 0"),
        ] {
            assert_eq!(
                line(&format!("pass if {text}")),
                line(&format!("pass if {meant}"))
            );
        }
    }

    #[test]
    fn a_move_says_how_far_in_numbers_of_a_condition() {
        for (text, printed) in [
            ("advance distance-5", "advance distance - 5"),
            ("advance 5 half-orc", "advance 5 half-orc"),
            ("advance 5 #2", "advance 5 #2"),
            ("advance (hp) goblin", "advance hp goblin"),
            (
                "retreat -distance + 9 to 2 * enemies",
                "retreat -distance + 9 to 2 * enemies",
            ),
            (
                "retreat (hp + 1) * 2 weakest",
                "retreat (hp + 1) * 2 weakest",
            ),
            (
                "advance to uses.'a b' 'a b'",
                "advance to uses.\"a b\" \"a b\"",
            ),
            ("advance enemies_within( 3 )", "advance enemies_within(3)"),
            ("retreat move_left if prone", "retreat move_left if prone"),
            ("advance casting", "advance casting"),
            ("advance 'hp'", "advance \"hp\""),
            ("advance weakest of all", "advance weakest of all"),
        ] {
            let read = line(text);
            assert_eq!(read.to_string(), printed);
            assert_eq!(line(printed), read);
        }
        for (text, problem) in [
            ("advance 0", "`0` is out of range"),
            ("advance -5", "`-5` is out of range"),
            ("retreat to 200001", "`200001` is out of range"),
            ("advance 5th", "neither a number nor a name"),
            ("advance distance -", "ends too early"),
            ("advance distance - #", "means nothing in a condition"),
            ("advance (ready)", "a number of Units needs a number"),
            ("retreat to (hp < 3)", "a distance needs a number"),
            ("advance to goblin", "lacks a distance"),
            ("advance to distanse", "no variable is called `distanse`"),
            ("advance 3 + attack", "`advance` cannot share an action"),
            ("attack weakest of", "`weakest of` lacks `all`"),
            ("attack strongest of orcs", "`strongest of` lacks `all`"),
            (
                "pass if enemies_within > 2",
                "lacks a distance in parentheses",
            ),
            ("pass if enemies_within() > 2", "needs a plain number"),
            ("pass if allies_within(hp) > 2", "needs a plain number"),
            ("pass if allies_within(200001) > 2", "out of range"),
            ("pass if allies_within(2 > 2", "is not closed"),
            (
                "pass if enemies_wihtin(2) > 2",
                "no variable is called `enemies_wihtin`",
            ),
        ] {
            assert!(
                first_problem(text).contains(problem),
                "{text}: {}",
                first_problem(text)
            );
        }
    }

    #[test]
    fn nesting_and_length_are_bounded() {
        let nested = |depth| format!("pass if {}ready{}", "(".repeat(depth), ")".repeat(depth));
        line(&nested(60));
        assert!(first_problem(&nested(70)).contains("nested too deeply"));
        let nots = format!("pass if {}ready", "not ".repeat(100));
        assert!(first_problem(&nots).contains("nested too deeply"));
        let long = format!("pass if hp > 0{}", "+1".repeat(600));
        assert!(first_problem(&long).contains("too long"));
        assert!(first_problem(&"x".repeat(5000)).contains("too long"));
    }

    #[test]
    fn a_channel_may_have_two_conditions() {
        let line = line("channel wall weakest until hp < 3 or moved if enemies > 2");
        assert!(line.condition.is_some());
        assert!(matches!(
            line.action,
            Action::Channel { until: Some(_), .. }
        ));
        assert!(first_problem("set until ready").contains("until"));
        assert!(first_problem("set if ready if moved").contains("one condition"));
    }
}
