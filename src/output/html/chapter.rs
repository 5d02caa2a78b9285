//! The chapter of one scenario on a page, made from its result files and its background.

use super::{Figure, Sides};
use crate::output::manifest::{Manifest, ManifestError};
use crate::output::sheet::{
    self, Column, RUN_MANIFEST, Record, Sheet, SheetError, SheetKind, distinct,
};
use crate::output::{Answer, RunReport, csv};
use crate::systems::SYSTEMS;
use crate::tally::{Metric, metrics};
use std::collections::BTreeMap;

/// The content of files, by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The chapter of one scenario on a page.
#[derive(Debug, Clone, Default)]
pub struct Chapter {
    /// The results of `run`.
    pub run: Option<Run>,
    /// The results of other subcommands, in page order.
    pub parts: Vec<Part>,
    /// The sides and their combatants, for colours.
    pub sides: Sides,
    /// The system's word for a Round; `None` if the results do not tell the system.
    pub round: Option<&'static str>,
    /// The question of the scenario.
    pub question: Option<String>,
    /// Warnings to read before the numbers.
    pub notes: Vec<String>,
    /// The facts that only the scenario has.
    pub background: Option<Background>,
    /// Single encounters as pictures.
    pub encounters: Vec<Figure>,
    /// Encounters that did not fit, each with the command that draws it.
    pub left_out: Vec<(String, String)>,
    /// The command that makes this page again.
    pub command: String,
}

/// The results of `run`.
#[derive(Debug, Clone)]
pub struct Run {
    /// The manifest of the results.
    pub manifest: Manifest,
    /// Means, intervals and quantiles.
    pub summary: Sheet,
    /// How often each value occurred.
    pub distributions: Sheet,
    /// Encounters that show quantiles.
    pub examples: Sheet,
}

/// The results of another subcommand: one file of rows.
#[derive(Debug, Clone)]
pub struct Part {
    /// The manifest of the results.
    pub manifest: Manifest,
    /// The rows.
    pub sheet: Sheet,
}

impl Part {
    /// Returns the metrics of the rows.
    pub(super) fn metrics(&self) -> impl Iterator<Item = &'static Metric> {
        let names = distinct(self.sheet.rows(), Column::Metric);
        names.into_iter().filter_map(metrics::find)
    }

    /// Returns the rows of one kind of fact.
    pub(super) fn facts(&self, fact: &str) -> Vec<Record<'_>> {
        let rows = self.sheet.rows();
        rows.filter(|row| row.is(Column::Fact, fact)).collect()
    }
}

/// Facts of a scenario that are not in its results.
#[derive(Debug, Clone, Default)]
pub struct Background {
    /// Its system.
    pub system: String,
    /// Its rulings.
    pub rulings: Vec<RulingInForce>,
}

/// A ruling and its values.
#[derive(Debug, Clone)]
pub struct RulingInForce {
    /// Its key in `[rules]`.
    pub key: String,
    /// Its value in the base.
    pub value: String,
    /// Its default.
    pub default: String,
    /// Its meaning.
    pub meaning: String,
}

/// An error in the files of a chapter.
#[derive(Debug, thiserror::Error)]
pub enum ChapterError {
    /// A file is invalid.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// A manifest is invalid.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A file is missing that belongs to another.
    #[error("{missing} is missing: {present} is there, and cannot be read without it")]
    Missing {
        /// The missing file.
        missing: &'static str,
        /// The file that cannot be read without the missing one.
        present: &'static str,
    },
    /// There are no results to show.
    #[error(
        "there are no results in it: no summary.csv, comparisons.csv, sweep.csv, sensitivity.csv, knockout.csv, tune.csv, best-play.csv or matchup.csv"
    )]
    Empty,
}

impl Run {
    /// Creates the results from a run that has just ended.
    pub(crate) fn played(report: &RunReport, manifest: Manifest) -> Self {
        Self {
            manifest,
            summary: Sheet::of(&sheet::SUMMARY, csv::summary_rows(report)),
            distributions: Sheet::of(&sheet::DISTRIBUTIONS, csv::distribution_rows(report)),
            examples: Sheet::of(&sheet::EXAMPLES, csv::example_rows(report)),
        }
    }
}

impl Part {
    /// Creates the part from an answer that was just computed.
    pub(crate) fn played(answer: &dyn Answer, manifest: Manifest) -> Self {
        let sheet = Sheet::of(answer.kind(), answer.rows());
        Self { manifest, sheet }
    }
}

impl Chapter {
    /// Reads the results among the files.
    ///
    /// # Errors
    /// If a file is invalid, or there are no results.
    pub fn read(files: &Files) -> Result<Self, ChapterError> {
        let run = run(files)?;
        let parts = sheet::PARTS.iter();
        let parts = parts.filter_map(|kind| part(files, kind).transpose());
        let mut chapter = Self {
            run,
            parts: parts.collect::<Result<_, _>>()?,
            ..Self::default()
        };
        if chapter.manifests().next().is_none() {
            return Err(ChapterError::Empty);
        }
        let sides = Sides::read(&chapter.sheets());
        chapter.sides = sides;
        chapter.round = round(chapter.sheets());
        chapter.notes = chapter
            .manifests()
            .flat_map(|manifest| manifest.notes.clone())
            .collect();
        Ok(chapter)
    }

    /// Returns the results of a subcommand other than `run`.
    pub(super) fn part(&self, kind: &SheetKind) -> Option<&Part> {
        self.parts.iter().find(|part| part.sheet.kind() == kind)
    }

    /// Returns the manifests of the results, first the manifest of `run`.
    pub fn manifests(&self) -> impl Iterator<Item = &Manifest> {
        let parts = self.parts.iter().map(|part| &part.manifest);
        self.run.iter().map(|run| &run.manifest).chain(parts)
    }

    /// Returns the rows of metrics, first those of `run`.
    fn sheets(&self) -> impl Iterator<Item = &Sheet> + Clone {
        let parts = self.parts.iter().map(|part| &part.sheet);
        let parts = parts.filter(|sheet| sheet.kind().columns.contains(&Column::Metric));
        self.run.iter().map(|run| &run.summary).chain(parts)
    }

    /// The scenario's title.
    pub fn title(&self) -> &str {
        let first = self.manifests().next();
        first.map_or("", |manifest| &manifest.scenario.title)
    }
}

/// Returns the word for a Round that is common to all systems with the metrics of these results.
fn round<'a>(sheets: impl Iterator<Item = &'a Sheet>) -> Option<&'static str> {
    let names = distinct(sheets.flat_map(Sheet::rows), Column::Metric);
    let metrics: Vec<&Metric> = names.into_iter().filter_map(metrics::find).collect();
    let has_all = |clock| metrics.iter().all(|metric| metric.clocks.has(clock));
    let mut systems = SYSTEMS.iter().filter(|system| has_all(system.clock));
    let word = systems.next()?.words.round;
    systems
        .all(|system| system.words.round == word)
        .then_some(word)
}

fn content<'a>(
    files: &'a Files,
    missing: &'static str,
    present: &'static str,
) -> Result<&'a [u8], ChapterError> {
    let content = files.get(missing).map(Vec::as_slice);
    content.ok_or(ChapterError::Missing { missing, present })
}

fn run(files: &Files) -> Result<Option<Run>, ChapterError> {
    let present = sheet::SUMMARY.files[0];
    let Some(summary) = files.get(present) else {
        return Ok(None);
    };
    let read = |kind: &'static SheetKind| {
        let content = content(files, kind.files[0], present)?;
        Ok::<_, ChapterError>(Sheet::read(kind, content)?)
    };
    let manifest = Manifest::read(RUN_MANIFEST, content(files, RUN_MANIFEST, present)?)?;
    let run = Run {
        manifest,
        summary: Sheet::read(&sheet::SUMMARY, summary)?,
        distributions: read(&sheet::DISTRIBUTIONS)?,
        examples: read(&sheet::EXAMPLES)?,
    };
    // Errors within a file are reported before mixed files.
    for kind in [&sheet::SUMMARY, &sheet::DISTRIBUTIONS, &sheet::EXAMPLES] {
        let rows = content(files, kind.files[0], present)?;
        run.manifest.check_file(RUN_MANIFEST, kind.files[0], rows)?;
    }
    Ok(Some(run))
}

fn part(files: &Files, kind: &'static SheetKind) -> Result<Option<Part>, ChapterError> {
    let [file, beside] = kind.files;
    let Some(rows) = files.get(file) else {
        return Ok(None);
    };
    let manifest = Manifest::read(beside, content(files, beside, file)?)?;
    let sheet = Sheet::read(kind, rows)?;
    manifest.check_file(beside, file, rows)?;
    Ok(Some(Part { manifest, sheet }))
}
