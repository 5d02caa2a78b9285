//! Builds the command that asks a question again. Most options with default values are left out.

use super::{ENCOUNTERS, Measure, Question, SEED, Task, Until, usual_end};
use crate::exact::MAX_STATES;
use crate::scenario::BASE;
use crate::stats::Confidence;
use std::fmt::{Display, Write as _};
use std::num::NonZeroU64;
use std::path::Path;

/// A command line under construction.
#[derive(Debug, Clone)]
pub struct Command(String);

impl Command {
    /// Begins a command with a subcommand and its files.
    pub fn new<'a>(name: &str, files: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut command = format!("skirmish {name}");
        for file in files {
            let _ = write!(command, " {}", shell_path(file));
        }
        Self(command)
    }

    /// Appends a separate word, such as a switch or dice.
    pub fn word(mut self, word: &str) -> Self {
        let _ = write!(self.0, " {}", shell(word));
        self
    }

    /// Appends a switch if `given`.
    pub fn switch(self, name: &str, given: bool) -> Self {
        if given { self.word(name) } else { self }
    }

    /// Appends an option for each value.
    pub fn options<T: Display>(self, name: &str, values: impl IntoIterator<Item = T>) -> Self {
        values.into_iter().fold(self, |command, value| {
            command.word(name).word(&value.to_string())
        })
    }

    /// Appends the options that all playing subcommands share.
    pub fn given(self, seed: u64, confidence: Confidence, set: &[String]) -> Self {
        self.options("--seed", Some(seed).filter(|seed| *seed != SEED))
            .options(
                "--confidence",
                Some(confidence).filter(|level| *level != Confidence::DEFAULT),
            )
            .options("--set", set)
    }

    /// Appends the options of an exact solution.
    pub fn exact(self, until: &Until) -> Self {
        let Until::Exact(budget) = until else {
            return self;
        };
        let bound = Some(budget.bound).filter(|bound| *bound > 0.0);
        self.word("--exact")
            .options(
                "--max-states",
                Some(budget.max_states).filter(|count| *count != MAX_STATES),
            )
            .options("--bound", bound)
    }

    /// Appends the options of a stopping rule; `usual` are the most encounters that need not be given.
    fn rule(self, until: &Until, usual: Option<NonZeroU64>) -> Self {
        let (command, most) = match until {
            Until::Precision(rule) => {
                let names = rule.metrics.iter().map(|metric| metric.name);
                let is_usual = names.clone().eq(["win_rate"]);
                let command = self
                    .options("--precision", [&rule.precision])
                    .options("--metric", names.filter(|_| !is_usual));
                (command, rule.most)
            }
            Until::Decided(rule) => {
                let command = self
                    .word("--until-decided")
                    .options("--indifference", [&rule.indifference]);
                (command, rule.most)
            }
            Until::Looks { first, most } => (self.options("-n", [first]), *most),
            _ => return self,
        };
        command.options(
            "--max-encounters",
            Some(most).filter(|most| Some(*most) != usual),
        )
    }

    /// Appends the measure of a sweep, a sensitivity or a knockout.
    fn measure(self, measure: &Measure) -> Self {
        let usual = measure.metric == ["win_rate"];
        self.options("--variant", other_than_base(&measure.variant))
            .options("--metric", measure.metric.iter().filter(|_| !usual))
            .options("--side", &measure.side)
            .options("--combatant", &measure.combatant)
            .options("--outcome", &measure.outcome)
    }

    /// Returns the command as text.
    pub fn text(self) -> String {
        self.0
    }
}

fn other_than_base(name: &str) -> Option<&str> {
    Some(name).filter(|name| *name != BASE)
}

impl Task {
    /// Returns the command that asks this task of `files`.
    pub fn command<'a>(&self, files: impl IntoIterator<Item = &'a Path>) -> Command {
        let encounters = self.until.encounters();
        let unusual = encounters.filter(|count| *count != ENCOUNTERS);
        let command = match &self.question {
            Question::Run { variant } => {
                let command = Command::new("run", files).options("-n", encounters);
                let command = match &self.until {
                    usual if *usual == usual_end() => command,
                    until => command.rule(until, None),
                };
                command.options("--variant", variant)
            }
            Question::Compare(compare) => Command::new("compare", files)
                .options("--baseline", other_than_base(&compare.baseline))
                .options("--variant", &compare.variant)
                .options("--metric", &compare.metric)
                .options("-n", unusual)
                .rule(&self.until, None),
            Question::Sweep {
                vary,
                threshold,
                measure,
            } => Command::new("sweep", files)
                .options("--vary", vary)
                .options("--threshold", threshold)
                .options("-n", encounters)
                .measure(measure),
            Question::Sensitivity(measure) | Question::Knockout(measure) => {
                let is_knockout = matches!(self.question, Question::Knockout(_));
                let name = if is_knockout {
                    "knockout"
                } else {
                    "sensitivity"
                };
                Command::new(name, files)
                    .options("-n", encounters)
                    .measure(measure)
            }
            Question::Tune(tune) => Command::new("tune", files)
                .options("--side", &tune.side)
                .options("--vary", &tune.over)
                .options(
                    "--goal",
                    tune.goal.iter().filter(|_| tune.goal != ["win_rate"]),
                )
                .options("--within", &tune.within)
                .options("--combatant", &tune.combatant)
                .options("--outcome", &tune.outcome)
                .options("--variant", other_than_base(&tune.variant))
                .options("-n", encounters),
            Question::BestPlay { variant, side } => Command::new("tune", files)
                .word("--any-policy")
                .options("--side", side)
                .options("--variant", other_than_base(variant)),
            Question::Matchup { variant } => Command::new("matchup", files)
                .options("-n", encounters)
                .options("--variant", other_than_base(variant))
                .rule(&self.until, Some(ENCOUNTERS)),
            Question::Check(check) => {
                let command = Command::new("check", files).rule(&self.until, None);
                let baseline = check.baseline.iter().map(|path| path.display());
                command
                    .options("--baseline", baseline)
                    .options("--tolerance", check.tolerance)
                    .switch("--allow-undecided", check.allow_undecided)
            }
        };
        let command = command.exact(&self.until);
        command.given(self.seed, self.confidence, &self.set)
    }
}

/// Quotes a word for a shell.
pub(crate) fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Quotes a path for a shell, so that it is no option.
pub(crate) fn shell_path(path: &Path) -> String {
    let path = path.display().to_string();
    if path.starts_with('-') {
        shell(&format!("./{path}"))
    } else {
        shell(&path)
    }
}
