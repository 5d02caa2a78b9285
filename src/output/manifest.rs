//! The manifest: everything needed to get the same bytes again.

use super::{FORMAT, RunReport, VariantReport, digest};
use crate::question::Task;
use crate::report::write_json;
use crate::run::{Ended, Until};
use crate::stats::Confidence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// The content of `manifest.json`. Two identical runs differ in [`Run`] only.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    pub(super) program: String,
    /// The version of the program that played.
    pub version: String,
    pub(super) format: u32,
    /// The scenario or scenarios.
    pub scenario: Scenario,
    /// The question, with everything that decides the answer besides the scenarios.
    #[serde(flatten)]
    pub task: Task,
    /// Whether fewer encounters were played than requested.
    #[serde(default)]
    pub interrupted: bool,
    /// The sentences that answer the question, if there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answer: Vec<String>,
    /// Notes to read before trusting the numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The fights that were played.
    pub variants: Vec<Variant>,
    /// Number of points of a sweep that were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<usize>,
    /// The merged share of a plan, if shards were missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<Partial>,
    /// Checksums of the files beside the manifest. A file with another checksum belongs to another run. Left out if
    /// there are no files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Data that may differ from run to run. Left out if bytes are to be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// The merged share of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partial {
    /// Shards that were merged.
    pub shards: u64,
    /// Shards of the plan.
    pub of_shards: u64,
    /// Encounters in the merged shards. An encounter of a comparison counts once.
    pub encounters: u64,
    /// Encounters of the plan.
    pub of_encounters: u64,
}

/// A scenario's name, title and fingerprint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Scenario {
    /// The name of the scenario in its results.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The fingerprint of the scenario's text and of `--set`.
    pub hash: String,
}

/// A fight that was played.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Number of encounters played.
    pub encounters: u64,
    /// Whether intervals are as narrow as requested, if a precision was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    precise: Option<bool>,
    /// Number of situations of a solved fight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Its changes to the base, as keys and values.
    pub changes: BTreeMap<String, String>,
}

impl Variant {
    /// Creates the entry of a fight from its name, its number of encounters and its changes to the base.
    pub fn new(name: &str, encounters: u64, changes: &[(String, String)]) -> Self {
        Self {
            name: name.to_owned(),
            encounters,
            precise: None,
            states: None,
            changes: changes.iter().cloned().collect(),
        }
    }

    /// Returns the entries of the fights of a run.
    pub fn of_run(report: &RunReport) -> Vec<Self> {
        let by_precision = matches!(report.until, Until::Precision(_));
        let entry = |variant: &VariantReport| Self {
            precise: by_precision.then_some(variant.ended == Ended::Enough),
            states: variant.tally.solution().map(|solution| solution.states),
            ..Self::new(&variant.name, variant.tally.encounters(), &variant.changes)
        };
        report.variants.iter().map(entry).collect()
    }
}

/// Time, machine and duration of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Start time in UTC.
    pub time: String,
    /// Number of threads that played.
    pub threads: usize,
    /// Seconds from the first encounter to the last.
    pub seconds: f64,
    /// The scenario files, as given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

impl Manifest {
    /// Creates the manifest of results that were not interrupted, without its [`Run`].
    pub fn new(scenario: Scenario, task: Task, variants: Vec<Variant>) -> Self {
        Self {
            program: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            scenario,
            task,
            interrupted: false,
            answer: Vec::new(),
            notes: Vec::new(),
            variants,
            points: None,
            partial: None,
            files: BTreeMap::new(),
            run: None,
        }
    }

    /// Whether the fights were solved.
    pub fn is_exact(&self) -> bool {
        self.task.until.is_exact()
    }

    /// Returns the name of the intervals: guaranteed bounds, or intervals at the level.
    pub fn intervals(&self) -> String {
        if self.is_exact() {
            "guaranteed bounds".to_owned()
        } else {
            format!("{} intervals", self.task.confidence)
        }
    }

    /// Returns the manifest without the parts that only a file has: the checksums and [`Run`].
    pub fn without_files(self) -> Self {
        Self {
            files: BTreeMap::new(),
            run: None,
            ..self
        }
    }

    /// Reads the content of a manifest called `file`.
    ///
    /// # Errors
    /// If this version cannot read the content as a manifest.
    pub fn read(file: &str, content: &[u8]) -> Result<Self, ManifestError> {
        let broken = |error: serde_json::Error| {
            let reason = if error.is_eof() {
                "it ends too early".to_owned()
            } else {
                error.to_string()
            };
            ManifestError::Broken(file.to_owned(), reason)
        };
        let any: serde_json::Value = serde_json::from_slice(content).map_err(broken)?;
        let found = &any["format"];
        if *found != FORMAT {
            return Err(ManifestError::Format(file.to_owned(), found.to_string()));
        }
        if let Some(level) = any["confidence"].as_str()
            && level.parse::<Confidence>().is_err()
        {
            let level = level.to_owned();
            return Err(ManifestError::Confidence(file.to_owned(), level));
        }
        let manifest: Self = serde_json::from_value(any).map_err(broken)?;
        if manifest.program != env!("CARGO_PKG_NAME") {
            return Err(ManifestError::Foreign(file.to_owned()));
        }
        Ok(manifest)
    }

    /// Checks that a file belongs to this manifest, whose name is `manifest`. A file that it does not list is accepted:
    /// results that were not written have no checksums.
    ///
    /// # Errors
    /// If the file belongs to another run.
    pub fn check_file(
        &self,
        manifest: &str,
        file: &str,
        content: &[u8],
    ) -> Result<(), ManifestError> {
        match self.files.get(file) {
            Some(known) if *known != digest::sum(content) => {
                Err(ManifestError::Mixed(file.to_owned(), manifest.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Writes the manifest as JSON.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: impl std::io::Write) -> std::io::Result<()> {
        write_json(self, out)
    }
}

/// An error in a manifest, which begins with the name of its file.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file is not a manifest, for this reason.
    #[error("{0} is no manifest of skirmish, or it is damaged: {1}")]
    Broken(String, String),
    /// The manifest has this other format version.
    #[error("{0} is of format {1}; this version reads {FORMAT}: write the results anew")]
    Format(String, String),
    /// A file beside this manifest belongs to another run.
    #[error(
        "{0} does not belong to {1} beside it: two runs were mixed, or it was changed; play it again"
    )]
    Mixed(String, String),
    /// Another program wrote the manifest.
    #[error("{0} was not written by skirmish")]
    Foreign(String),
    /// The manifest names a confidence level that does not exist.
    #[error("{0} has intervals of no level that there is: `{1}`")]
    Confidence(String, String),
}

/// Formats a moment in UTC, as in `2026-01-31T23:59:59Z`.
pub fn timestamp(moment: SystemTime) -> String {
    let seconds = moment
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (day, second) = (seconds / 86400, seconds % 86400);
    // Days are counted from 1 March of the year 0, so that leap days come last in a year. 400 years have 146,097 days.
    let day = day + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Every five months from March on have 153 days.
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!(
        "{:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z",
        era * 400 + year + next,
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_timestamp_is_the_calendars() {
        let at = |seconds| timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_000_000_000), "2001-09-09T01:46:40Z");
        assert_eq!(at(1_798_761_599), "2026-12-31T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
