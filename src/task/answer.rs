//! The typed answer to a task, and the files written for it.

use super::{Failure, Prepared};
use crate::clean::Cleaning;
use crate::output::best::BestPlayReport;
use crate::output::changes::ChangesReport;
use crate::output::comparisons::Comparisons;
use crate::output::html::{Background, Chapter, Files, Part, RulingInForce, Sides, room};
use crate::output::manifest::Manifest;
use crate::output::matchup::MatchupReport;
use crate::output::sheet::{DISTRIBUTIONS, EXAMPLES, RUN_FILES, SheetKind};
use crate::output::sweep::{self, SweepReport};
use crate::output::tune::TuneReport;
use crate::output::{self, RunReport, Style, Target, TypedColumn, csv, digest};
use crate::report::Value;
use crate::scenario::Loaded;
use crate::systems::SHARED_RULINGS;
use std::io::{self, Write};

/// The typed result of a task.
#[derive(Debug)]
pub enum Answer {
    /// The results of each variant.
    Run(RunReport),
    /// The difference of each variant from a baseline.
    Compare(Comparisons),
    /// The results at each point of a sweep.
    Sweep(SweepReport),
    /// The effect of each change, or of 1 more of each number.
    Changes(ChangesReport),
    /// The best candidate.
    Tune(TuneReport),
    /// The score of each build against each other.
    Matchup(MatchupReport),
    /// The best play of a side.
    BestPlay(Box<BestPlayReport>),
}

/// An answer with the manifest to reproduce it.
#[derive(Debug)]
pub struct Results {
    /// The answer.
    pub answer: Answer,
    /// The manifest.
    pub manifest: Manifest,
    /// The names of the result files, the manifest last.
    pub names: &'static [&'static str],
}

impl Answer {
    /// Writes the result file called `name`, which must not be the manifest.
    fn write(&self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        let (kind, rows) = self.rows(name);
        kind.write([true, self.view().is_exact()], rows, out)
    }

    /// Returns the kind and the rows of the result file called `name`.
    fn rows(
        &self,
        name: &str,
    ) -> (
        &'static SheetKind,
        Box<dyn Iterator<Item = Vec<Value>> + '_>,
    ) {
        match self {
            Self::Run(report) if name == RUN_FILES[1] => {
                (&DISTRIBUTIONS, Box::new(csv::distribution_rows(report)))
            }
            Self::Run(report) if name == RUN_FILES[2] => {
                (&EXAMPLES, Box::new(csv::example_rows(report)))
            }
            _ => (self.view().kind(), self.view().rows()),
        }
    }

    /// Returns the answer as results of any kind.
    fn view(&self) -> &dyn output::Answer {
        match self {
            Self::Run(report) => report,
            Self::Compare(comparisons) => comparisons,
            Self::Sweep(report) => report,
            Self::Changes(report) => report,
            Self::Tune(report) => report,
            Self::Matchup(report) => report,
            Self::BestPlay(report) => &**report,
        }
    }

    /// Returns the sentences that answer the question, if there are any.
    pub fn sentences(&self) -> Vec<String> {
        self.view().answer()
    }

    /// Returns the sentences that sum up the answer; empty if there are none.
    pub fn headline(&self) -> String {
        self.view().headline()
    }

    /// Returns the answer as a text table.
    pub fn table(&self, style: Style) -> String {
        self.view().table(style)
    }

    /// Writes the rows of the answer's first file, with the column names if `head` is set.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn csv(&self, out: &mut dyn Write, head: bool) -> io::Result<()> {
        self.view().csv(out, head)
    }

    /// Returns whether results are missing because the task was interrupted, or a fight is too large to be solved.
    pub fn interrupted(&self) -> bool {
        match self {
            Self::Run(report) => report.interrupted(),
            Self::Compare(comparisons) => comparisons.ended.is_early(),
            Self::Sweep(report) => report.ended.is_early(),
            Self::Changes(report) => report.interrupted,
            Self::Tune(report) => report.ended.is_early(),
            Self::Matchup(report) => report.ended.is_early(),
            Self::BestPlay(report) => report.interrupted(),
        }
    }

    /// Returns the warnings to read before the numbers. With several variants each warning names its variant.
    pub fn notes(&self) -> Vec<String> {
        match self {
            Self::Run(report) => {
                let several = report.variants.len() > 1;
                let variants = report.variants.iter();
                let notes = variants.flat_map(|variant| {
                    let named = |note| {
                        if several {
                            format!("{}: {note}", variant.name)
                        } else {
                            note
                        }
                    };
                    report.notes(variant).into_iter().map(named)
                });
                notes.chain(report.common_notes()).collect()
            }
            Self::Compare(comparisons) => comparisons.notes.clone(),
            Self::Sweep(report) => sweep::notes(report),
            Self::Tune(report) => report.remarks(),
            Self::Matchup(report) => report.remarks(),
            Self::BestPlay(report) => report.remarks(),
            Self::Changes(report) => report.remarks(),
        }
    }
}

impl Results {
    /// Writes the answer and its manifest as one JSON document.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let manifest = &self.manifest.clone().without_files();
        self.answer.view().json(manifest, out)
    }

    /// Returns the columns of the result file called `name`, the first if there is no name. Returns `None` if there is no
    /// such file.
    pub fn columns(&self, name: Option<&str>) -> Option<Vec<TypedColumn>> {
        let [tables @ .., _] = self.names else {
            return None;
        };
        let name = name.or(tables.first().copied())?;
        if !tables.contains(&name) {
            return None;
        }
        let (kind, rows) = self.answer.rows(name);
        Some(kind.typed(self.answer.view().is_exact(), rows))
    }

    /// Returns the content of the result files as they are written, without the `run` of the manifest.
    ///
    /// # Errors
    /// If a number cannot be written.
    pub fn files(&self) -> io::Result<Files> {
        let mut files = Files::new();
        let [rows @ .., last] = self.names else {
            return Ok(files);
        };
        let mut manifest = self.manifest.clone().without_files();
        for name in rows {
            let mut content = Vec::new();
            self.answer.write(name, &mut Cleaning::new(&mut content))?;
            let sum = digest::sum(&content);
            manifest.files.insert((*name).to_owned(), sum);
            files.insert((*name).to_owned(), content);
        }
        let mut content = Vec::new();
        manifest.write(Cleaning::new(&mut content))?;
        files.insert((*last).to_owned(), content);
        Ok(files)
    }

    /// Writes all files; the manifest comes last and has the checksums of the others.
    ///
    /// # Errors
    /// If a file cannot be written. All old files are left in place then.
    pub fn write(&mut self, target: &mut Target) -> Result<(), Failure> {
        let [rows @ .., last] = self.names else {
            return Ok(());
        };
        let mut batch = target.batch();
        for name in rows {
            let written = batch.text(name, |out| self.answer.write(name, out));
            written.map_err(Failure::io)?;
        }
        self.manifest.files = batch.sums();
        batch
            .text(last, |out| self.manifest.write(out))
            .and_then(|()| batch.commit())
            .map_err(Failure::io)
    }

    /// Returns the chapter of a page about these results; `command` makes the page again.
    pub fn chapter(&self, prepared: &Prepared, command: String) -> Chapter {
        let manifest = self.manifest.clone().without_files();
        let base = prepared.input().variants().first();
        let fight = base.map(|variant| &variant.fight);
        let mut chapter = Chapter {
            question: prepared.input().loaded.scenario.question.clone(),
            sides: fight.map(Sides::from).unwrap_or_default(),
            round: fight.map(|fight| fight.system.words.round),
            notes: self.answer.notes(),
            // Two scenarios may have different rulings.
            background: match &prepared.inputs[..] {
                [only] => Some(background(&only.loaded)),
                _ => None,
            },
            command,
            ..Chapter::default()
        };
        match &self.answer {
            Answer::Run(report) => chapter.run = Some(Part::of_run(report, manifest)),
            other => chapter.parts.push(Part::played(other.view(), manifest)),
        }
        if let Answer::BestPlay(report) = &self.answer {
            chapter.encounters = report.pictures(room(&chapter));
        }
        chapter
    }
}

/// Returns the system and the rulings in force in a scenario.
fn background(loaded: &Loaded) -> Background {
    let Some(base) = loaded.scenario.variants.first() else {
        return Background::default();
    };
    let system = base.fight.system;
    let rulings = system.rulings.iter().chain(SHARED_RULINGS);
    Background {
        system: system.title.to_owned(),
        rulings: rulings
            .map(|ruling| RulingInForce {
                key: ruling.name.to_owned(),
                value: loaded
                    .document
                    .ruling(ruling.name)
                    .unwrap_or_else(|| ruling.default.to_owned()),
                default: ruling.default.to_owned(),
                meaning: ruling.meaning.to_owned(),
            })
            .collect(),
    }
}
