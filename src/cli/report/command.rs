//! The command that makes a page again: what changes nothing on it is left out.

use super::paper::PaperArgs;
use crate::cli::args::{Given, SEED};
use crate::output::shell;
use crate::stats::Confidence;
use std::fmt::{Display, Write as _};
use std::path::Path;

/// A command in the making.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Command(String);

impl Command {
    /// Begins with a subcommand and the files it is about.
    pub(in crate::cli) fn new<'a>(name: &str, files: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut command = Self(format!("skirmish {name}"));
        for file in files {
            command.word(&file.display().to_string());
        }
        command
    }

    fn word(&mut self, word: &str) {
        let _ = write!(self.0, " {}", shell(word));
    }

    /// A word of its own, such as a switch or dice.
    pub(in crate::cli) fn plain(mut self, word: &str) -> Self {
        self.word(word);
        self
    }

    /// An option with its value.
    pub(in crate::cli) fn option(mut self, name: &str, value: impl Display) -> Self {
        let _ = write!(self.0, " {name}");
        self.word(&value.to_string());
        self
    }

    /// The same for each of several values.
    pub(in crate::cli) fn options<T: Display>(
        self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        let values = values.into_iter();
        values.fold(self, |command, value| command.option(name, value))
    }

    /// What of the options of all that play changes results.
    pub(in crate::cli) fn given(self, given: &Given) -> Self {
        let seed = (given.seed != SEED).then_some(given.seed);
        let confidence = Some(given.confidence).filter(|level| *level != Confidence::DEFAULT);
        self.options("--seed", seed)
            .options("--confidence", confidence)
            .options("--set", &given.overrides)
    }

    /// The command, with the page that it leaves.
    pub(in crate::cli) fn report(self, paper: &PaperArgs) -> String {
        self.options("--report", paper.report.iter().map(|path| path.display()))
            .text()
    }

    /// The command.
    pub(in crate::cli) fn text(self) -> String {
        self.0
    }
}
