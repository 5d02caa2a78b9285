//! The plan of a run in shards: a file with everything that a machine needs to play one of them.

use super::FORMAT;
use super::job::{JobSpec, RunId, ScenarioText};
use super::layout::Layout;
use crate::names;
use crate::report::write_json;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read as _};
use std::num::NonZeroU64;
use std::path::Path;

/// The folder of the shards, beside the plan.
pub const SHARDS: &str = "shards";

/// The longest plan that is read: two scenarios of the greatest size, with every letter escaped.
const LONGEST: u64 = 256 << 20;

/// A job with its division into shards.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The job.
    pub job: JobSpec,
    /// Its fingerprint.
    pub id: RunId,
    /// The encounters of each shard.
    pub layout: Layout,
    /// The scenario files as given, for commands that replay an encounter.
    pub files: Vec<String>,
}

/// A plan as stored in its file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    skirmish: PlanKind,
    format: u32,
    run: RunId,
    shards: NonZeroU64,
    fights: usize,
    files: Vec<String>,
    #[serde(rename = "order")]
    job: JobSpec,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PlanKind {
    Plan,
}

/// The reason why a file is not a plan, or not one that can be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("cannot read it")]
    Unreadable(#[from] io::Error),
    /// The file is not a plan.
    #[error("it is no plan of `skirmish plan`")]
    Foreign(#[source] serde_json::Error),
    /// This program cannot carry it out.
    #[error("{0}")]
    Other(String),
}

impl PlanError {
    /// Returns whether there is no plan at all, or none that this program could read.
    pub fn is_input(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::Foreign(_))
    }
}

impl Plan {
    /// Returns a plan for `fights` fights in `shards` shards.
    ///
    /// # Errors
    /// If the job cannot be cut into these shards.
    pub fn new(
        job: JobSpec,
        files: Vec<String>,
        fights: usize,
        shards: NonZeroU64,
    ) -> Result<Self, PlanError> {
        let encounters = job.task.until.encounters();
        let layout = encounters
            .ok_or_else(|| "it has no fixed count of encounters".to_owned())
            .and_then(|encounters| Layout::new(fights, encounters, shards));
        Ok(Self {
            id: job.id(),
            layout: layout.map_err(PlanError::Other)?,
            job,
            files,
        })
    }

    /// Writes the plan's file.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let wire = Wire {
            skirmish: PlanKind::Plan,
            format: FORMAT,
            run: self.id.clone(),
            shards: NonZeroU64::new(self.layout.shards()).unwrap_or(NonZeroU64::MIN),
            fights: self.layout.fights(),
            files: self.files.clone(),
            job: self.job.clone(),
        };
        write_json(&wire, out)
    }

    /// Reads a plan's file, and verifies that this program can carry it out and that the job is unchanged.
    ///
    /// # Errors
    /// If the file cannot be read, or is not such a plan.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let mut text = Vec::new();
        File::open(path)?.take(LONGEST).read_to_end(&mut text)?;
        Self::parse(&text)
    }

    /// Reads the text of a plan's file, as [`read`](Self::read) does.
    ///
    /// # Errors
    /// If it is not such a plan.
    pub fn parse(text: &[u8]) -> Result<Self, PlanError> {
        let format = super::format_of::<PlanKind>(text).map_err(PlanError::Foreign)?;
        if format != FORMAT {
            return Err(PlanError::Other(format!(
                "its format is {format}, and this program reads {FORMAT}: use the program that wrote it"
            )));
        }
        let read: Result<Wire, _> = serde_json::from_slice(text);
        let wire = read.and_then(|wire| {
            // Unknown keys are ignored when the plan is read, so they are found by writing it again.
            let whole: serde_json::Value = serde_json::from_slice(text)?;
            if serde_json::to_value(&wire)? == whole {
                Ok(wire)
            } else {
                Err(serde::de::Error::custom("it has keys that no plan has"))
            }
        });
        let wire = wire.map_err(PlanError::Foreign)?;
        if wire.job.version != env!("CARGO_PKG_VERSION") {
            return Err(PlanError::Other(format!(
                "it was written by version {} and this is {}: use the program that wrote it",
                wire.job.version,
                env!("CARGO_PKG_VERSION")
            )));
        }
        let plan = Self::new(wire.job, wire.files, wire.fights, wire.shards)?;
        let named = |(file, text): (&String, &ScenarioText)| {
            names::stem(Path::new(file)).is_some_and(|stem| stem == text.name)
        };
        let texts = &plan.job.scenarios;
        if plan.id != wire.run
            || plan.files.len() != texts.len()
            || !plan.files.iter().zip(texts).all(named)
        {
            return Err(PlanError::Other(format!(
                "its content is not that of run {}: it has been changed since it was written; plan again, into another \
                 folder",
                wire.run.short()
            )));
        }
        Ok(plan)
    }
}

/// Returns the name of a shard's file.
pub fn shard_name(number: u64) -> String {
    format!("{number:06}.shard")
}

/// Returns the number of the shard whose file is called `name`.
pub fn shard_number(name: &str) -> Option<u64> {
    let number = name.strip_suffix(".shard")?.parse().ok()?;
    (shard_name(number) == name).then_some(number)
}
