//! The chapter of one scenario on a page, made from its result files and its background.

use super::{Figure, Sides};
use crate::output::manifest::{Manifest, ManifestError};
use crate::output::sheet::{self, Column, Record, Sheet, SheetError, SheetKind, distinct};
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
    pub run: Option<Part>,
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

/// The results of a subcommand.
#[derive(Debug, Clone)]
pub struct Part {
    /// The manifest of the results.
    pub manifest: Manifest,
    /// The rows; of a run, those of `summary.csv`.
    pub sheet: Sheet,
    /// The other files of a run: `distributions.csv` and `examples.csv`.
    pub more: Vec<Sheet>,
}

impl Part {
    /// Creates the part from an answer that was just computed.
    pub(crate) fn played(answer: &dyn Answer, manifest: Manifest) -> Self {
        Self {
            manifest,
            sheet: Sheet::of(answer.kind(), answer.rows()),
            more: Vec::new(),
        }
    }

    /// Creates the results from a run that has just ended.
    pub(crate) fn of_run(report: &RunReport, manifest: Manifest) -> Self {
        Self {
            more: vec![
                Sheet::of(&sheet::DISTRIBUTIONS, csv::distribution_rows(report)),
                Sheet::of(&sheet::EXAMPLES, csv::example_rows(report)),
            ],
            ..Self::played(report, manifest)
        }
    }

    /// Returns how often each value occurred in a run.
    pub(super) fn distributions(&self) -> &Sheet {
        &self.more[0]
    }

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

impl Chapter {
    /// Reads the results among the files.
    ///
    /// # Errors
    /// If a file is invalid, or there are no results.
    pub fn read(files: &Files) -> Result<Self, ChapterError> {
        let parts = sheet::PARTS.iter();
        let parts = parts.filter_map(|kind| part(files, kind, &[]).transpose());
        let of_run = [&sheet::DISTRIBUTIONS, &sheet::EXAMPLES];
        let mut chapter = Self {
            run: part(files, &sheet::SUMMARY, &of_run)?,
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

    /// Returns all results, first those of `run`.
    pub(super) fn all(&self) -> impl Iterator<Item = &Part> + Clone {
        self.run.iter().chain(&self.parts)
    }

    /// Returns the manifests of the results, first the manifest of `run`.
    pub fn manifests(&self) -> impl Iterator<Item = &Manifest> {
        self.all().map(|part| &part.manifest)
    }

    /// Returns the rows of metrics, first those of `run`.
    fn sheets(&self) -> impl Iterator<Item = &Sheet> + Clone {
        let has_metrics = |sheet: &&Sheet| sheet.kind().columns.contains(&Column::Metric);
        self.all().map(|part| &part.sheet).filter(has_metrics)
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

/// Reads the files of these kinds, which have one manifest. Returns `None` if the first is not there.
fn part(
    files: &Files,
    first: &'static SheetKind,
    others: &[&'static SheetKind],
) -> Result<Option<Part>, ChapterError> {
    let [present, beside] = first.files;
    if !files.contains_key(present) {
        return Ok(None);
    }
    let content = |missing| {
        let content = files.get(missing).map(Vec::as_slice);
        content.ok_or(ChapterError::Missing { missing, present })
    };
    let read = |kind: &'static SheetKind| {
        Ok::<_, ChapterError>(Sheet::read(kind, content(kind.files[0])?)?)
    };
    let part = Part {
        manifest: Manifest::read(beside, content(beside)?)?,
        sheet: read(first)?,
        more: others
            .iter()
            .map(|kind| read(kind))
            .collect::<Result<_, _>>()?,
    };
    // Errors within a file are reported before mixed files.
    for kind in [first].iter().chain(others) {
        let rows = content(kind.files[0])?;
        part.manifest.check_file(beside, kind.files[0], rows)?;
    }
    Ok(Some(part))
}
