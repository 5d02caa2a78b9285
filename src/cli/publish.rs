//! The end of a subcommand with one table of results: its files, what it prints, its closing line.

use super::args::Format;
use super::closing::Total;
use super::console::Console;
use super::report::{PaperArgs, files};
use super::{Exit, Failure, results};
use crate::output::html::{Background, Chapter};
use crate::output::manifest::{Manifest, Partial, Run};
use crate::output::{Style, Target};
use anyhow::Context;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Results as they can be asked for.
pub(super) trait Answer {
    /// The file of rows, and that of the manifest, which appears last.
    const FILES: [&'static str; 2];

    /// For people.
    fn table(&self, style: Style) -> String;

    /// A row a fact.
    fn csv(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Everything.
    fn json(&self, manifest: &Manifest, out: &mut dyn Write) -> io::Result<()>;
}

/// How results came to be.
pub(super) struct Made {
    /// What may differ from run to run.
    pub(super) run: Run,
    /// How much of a plan they are, if not all of it.
    pub(super) partial: Option<Partial>,
}

impl Made {
    /// They have been played.
    pub(super) fn now(run: Run) -> Self {
        Self { run, partial: None }
    }
}

/// How results are handed over.
pub(super) struct Publisher<'a> {
    pub(super) format: Format,
    pub(super) quiet: bool,
    pub(super) made: Made,
    /// Encounters that were played.
    pub(super) played: u64,
    /// Whether something is missing.
    pub(super) interrupted: bool,
    pub(super) stop: &'a AtomicBool,
    /// Where a page of it goes, if one is wanted.
    pub(super) paper: &'a PaperArgs,
    /// What the page tells besides.
    pub(super) about: About,
}

/// What a page tells besides the results.
pub(super) struct About {
    pub(super) question: Option<String>,
    /// What a reader should know.
    pub(super) notes: Vec<String>,
    pub(super) background: Option<Background>,
    /// The command that makes it again.
    pub(super) command: String,
}

impl Publisher<'_> {
    /// Writes the files, prints the answer, and says how the process ends.
    pub(super) fn publish<A: Answer>(
        self,
        answer: &A,
        mut manifest: Manifest,
        target: &mut Target,
        console: &mut Console<'_>,
    ) -> Result<Exit, Failure> {
        let seconds = Duration::from_secs_f64(self.made.run.seconds);
        manifest.run = Some(self.made.run);
        manifest.partial = self.made.partial;
        let [rows, manifest_file] = A::FILES;
        let told = target.written_as(manifest_file).to_owned();
        results::tell_replaced(target.folder(), &told, &manifest, console);
        let mut batch = target.batch();
        batch
            .text(rows, |out| answer.csv(out))
            .and_then(|()| {
                manifest.files = batch.sums();
                batch.text(manifest_file, |out| manifest.write(out))
            })
            .and_then(|()| batch.commit())
            .map_err(Failure::io)?;
        let manifest = manifest.without_files();
        let About {
            question,
            notes,
            background,
            command,
        } = self.about;
        self.paper.chapters(|| {
            Ok(vec![Chapter {
                question,
                notes,
                background,
                command,
                ..files::part(A::FILES, |out| answer.csv(out), &manifest)?
            }])
        })?;
        console
            .result(|out| match self.format {
                Format::Table => out.write_all(answer.table(Style::Terminal).as_bytes()),
                Format::Markdown => out.write_all(answer.table(Style::Markdown).as_bytes()),
                Format::Csv => answer.csv(out),
                Format::Json => answer.json(&manifest, out),
            })
            .context("cannot write to standard output")
            .map_err(Failure::io)?;
        if !self.quiet {
            let mut total = Total::default();
            total.add(self.played, seconds, target.folder());
            console.say(total.line());
        }
        Ok(if self.stop.load(Ordering::Relaxed) && self.interrupted {
            Exit::Interrupted
        } else {
            Exit::Done
        })
    }
}
