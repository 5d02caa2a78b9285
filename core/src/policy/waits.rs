//! Lines that wait: delays, readied actions and their triggers; declared actions; and Quick Actions.

use super::actions::{self, DECLARED, QUICK, READIED, SUBJECTS, TRIGGERS, first_word};
use super::ast::{Action, MOST_YIELDS, Name, Reference, Spot, Trigger};
use super::lexer::Argument;
use super::parser::{FARTHEST, Reader};
use crate::document::diagnostics::Diagnostic;
use crate::fight::effect::Recipient;
use crate::fight::program::When;
use crate::names;

impl Reader<'_> {
    /// Reads `[yield [N]]` (CD-2), before `[until CONDITION]`. Returns the most others that go first.
    pub(super) fn yields(&mut self, spot: Spot) -> Result<i64, Diagnostic> {
        let mut yields = 0;
        if self.take("yield")? {
            let some = self.number(1..=MOST_YIELDS.into(), "a number of combatants")?;
            yields = some.unwrap_or(MOST_YIELDS.into());
        }
        if let Some((Argument::Word("up" | "down"), _)) = self.peek()? {
            return Err(self.missing("`until` and a condition", spot));
        }
        Ok(yields)
    }

    /// Reads a Quick Action after `quick` (EP-3).
    pub(super) fn quick(&mut self, spot: Spot) -> Result<Action, Diagnostic> {
        let Some((argument, place)) = self.cursor.argument()? else {
            return Err(self.missing("a Quick Action", spot));
        };
        match argument {
            Argument::Word(word) if QUICK.contains(&word) => {
                let action = self.action(word, place)?;
                Ok(Action {
                    spot,
                    quick: true,
                    ..action
                })
            }
            Argument::Word(word) | Argument::Quoted(word) => Err(Diagnostic::error(
                place,
                format!("`{word}` is no Quick Action"),
                format!("expected {}", names::list(QUICK.iter().copied(), "or")),
            )
            .help("an attack is the Complex Action, and moving takes none (EP-3)")),
        }
    }

    /// Reads an action that is declared.
    pub(super) fn declared(&mut self, word: &str, place: Spot) -> Result<Action, Diagnostic> {
        if DECLARED.contains(&word) {
            return self.action(word, place);
        }
        let title = format!("`{word}` cannot be declared");
        let label = format!("expected {}", names::list(DECLARED.iter().copied(), "or"));
        let help = "moves are free to all, whatever they have declared";
        Err(Diagnostic::error(place, title, label).help(help))
    }

    /// Reads `ACTION when TRIGGER` (CD-3).
    pub(super) fn ready(
        &mut self,
        spot: Spot,
        reacts: bool,
    ) -> Result<(Action, Trigger), Diagnostic> {
        let Some((argument, place)) = self.cursor.argument()? else {
            return Err(self.missing("an action to ready", spot));
        };
        let (Argument::Word(word) | Argument::Quoted(word)) = argument;
        let known = actions::find(word, self.clocks).is_some();
        if known && !READIED.contains(&word) {
            let problem = Diagnostic::error(
                place,
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
        let action = self.action(word, place)?;
        if !self.take("when")? {
            return Err(self.missing("`when` and a trigger", spot));
        }
        let trigger = self.trigger(spot)?;
        if trigger.when.is_of_reactions() && !reacts {
            let title = "this is a trigger of `react` lines alone";
            let label = "a readied action does not wait for it";
            let help = "written `react ACTION when TRIGGER`, with `system = \"own\"`";
            return Err(Diagnostic::error(trigger.spot, title, label).help(help));
        }
        Ok((action, trigger))
    }

    /// Reads a trigger: the combatants and their deed.
    pub(super) fn trigger(&mut self, ready: Spot) -> Result<Trigger, Diagnostic> {
        let verbs = || TRIGGERS.iter().map(|(syntax, ..)| first_word(syntax));
        let subjects = || names::list(SUBJECTS.iter().map(|(word, ..)| *word), "or");
        let help = || {
            format!(
                "a trigger is {}, or a name, and {}",
                subjects(),
                names::list(TRIGGERS.iter().map(|(syntax, ..)| *syntax), "or")
            )
        };
        let Some((argument, subject)) = self.cursor.argument()? else {
            return Err(self.missing("a trigger", ready).help_instead(help()));
        };
        let subject_of = |word: &str| {
            let known = SUBJECTS.iter().find(|(known, ..)| *known == word);
            known.map(|(.., recipient)| *recipient)
        };
        let by = match argument {
            Argument::Word(word) if let Some(known) = subject_of(word) => Reference::Word(known),
            Argument::Word(word) if verbs().any(|verb| verb == word) => {
                return Err(Diagnostic::error(
                    subject,
                    "a trigger does not say whose doing it is",
                    format!("expected {}, or a name", subjects()),
                )
                .help(help()));
            }
            Argument::Word(text) | Argument::Quoted(text) => Reference::Named(Name {
                text: text.to_owned(),
                spot: subject,
            }),
        };
        let Some((Argument::Word(verb), spot)) = self.cursor.argument()? else {
            let what = match by {
                Reference::Word(Recipient::Enemy) => "what the enemy does",
                _ => "what that one does",
            };
            return Err(self.missing(what, ready).help_instead(help()));
        };
        let Some(known) = TRIGGERS
            .iter()
            .find(|(syntax, ..)| first_word(syntax) == verb)
        else {
            return Err(Diagnostic::error(
                spot,
                format!("nothing that is called `{verb}` triggers an action"),
                names::suggest(verb, verbs(), '`')
                    .unwrap_or_else(|| "expected a verb such as `moves` or `attacks`".to_owned()),
            )
            .help(help()));
        };
        let when = match known.2 {
            known @ (When::ComesWithin(_) | When::Leaves(_)) => {
                let Some(units) = self.number(0..=FARTHEST, "a distance")? else {
                    return Err(self
                        .missing("a distance in Units", ready)
                        .help_instead(help()));
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
}
