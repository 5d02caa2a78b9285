//! The plan of a run in shards: a file that says everything a machine needs to play one of them.

use super::FORMAT;
use super::layout::{Layout, LayoutError};
use super::order::{JobSpec, RunId, Text};
use crate::names;
use crate::report::write_json;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read as _};
use std::num::NonZeroU64;
use std::path::Path;

/// The folder of a plan's shards, beside it.
pub const SHARDS: &str = "shards";

/// The longest plan that is read: two scenarios of the greatest size, each letter escaped.
const LONGEST: u64 = 256 << 20;

/// An order, and how it is cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The job.
    pub order: JobSpec,
    /// Its fingerprint.
    pub id: RunId,
    /// Which encounters are in which shard.
    pub layout: Layout,
    /// The scenario files, as they were named: commands that replay an encounter name them so.
    pub files: Vec<String>,
}

/// A plan as its file has it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    skirmish: Kind,
    format: u32,
    run: RunId,
    shards: NonZeroU64,
    fights: usize,
    files: Vec<String>,
    order: JobSpec,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Plan,
}

/// Why a file is no plan, or none that can be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It cannot be read.
    #[error("cannot read it")]
    Unreadable(#[from] io::Error),
    /// It is no plan.
    #[error("it is no plan of `skirmish plan`")]
    Foreign(#[source] serde_json::Error),
    /// It is of another version.
    #[error(
        "its format is {found}, and this program reads {FORMAT}: use the program that wrote it"
    )]
    Format {
        /// The version it says it has.
        found: u32,
    },
    /// The order is for another version of the program.
    #[error("it was written by version {found} and this is {}: use the program that wrote it", env!("CARGO_PKG_VERSION"))]
    Version {
        /// The version it is for.
        found: String,
    },
    /// The job was changed by hand.
    #[error("its content is not that of run {}: it has been changed since it was written; plan again, into another folder", .0.short())]
    Changed(RunId),
    /// It is cut in a way that is not possible.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// It does not say how many encounters.
    #[error("it has no fixed count of encounters")]
    Endless,
}

impl PlanError {
    /// Whether there is no plan at all, or none that this program could read.
    #[must_use]
    pub fn is_input(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::Foreign(_))
    }
}

impl Plan {
    /// Returns a plan for that many fights.
    ///
    /// # Errors
    /// If it cannot be cut so.
    pub fn new(
        order: JobSpec,
        files: Vec<String>,
        fights: usize,
        shards: NonZeroU64,
    ) -> Result<Self, PlanError> {
        let encounters = order.task.until.encounters();
        let encounters = encounters.ok_or(PlanError::Endless)?;
        Ok(Self {
            id: order.id(),
            layout: Layout::new(fights, encounters, shards)?,
            order,
            files,
        })
    }

    /// As the file has it.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let wire = Wire {
            skirmish: Kind::Plan,
            format: FORMAT,
            run: self.id.clone(),
            shards: NonZeroU64::new(self.layout.shards()).unwrap_or(NonZeroU64::MIN),
            fights: self.layout.fights(),
            files: self.files.clone(),
            order: self.order.clone(),
        };
        write_json(&wire, out)
    }

    /// Reads a plan's file, and verifies that this program can carry it out and that the job is unchanged.
    ///
    /// # Errors
    /// If it cannot, or is not.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let mut text = Vec::new();
        File::open(path)?.take(LONGEST).read_to_end(&mut text)?;
        Self::parse(&text)
    }

    fn parse(text: &[u8]) -> Result<Self, PlanError> {
        let format = super::format_of::<Kind>(text).map_err(PlanError::Foreign)?;
        if format != FORMAT {
            return Err(PlanError::Format { found: format });
        }
        let read: Result<Wire, _> = serde_json::from_slice(text);
        let wire = read.and_then(|wire| {
            // Keys that no plan has are not seen when it is read.
            let whole: serde_json::Value = serde_json::from_slice(text)?;
            if serde_json::to_value(&wire)? == whole {
                Ok(wire)
            } else {
                Err(serde::de::Error::custom("it has keys that no plan has"))
            }
        });
        let wire = wire.map_err(PlanError::Foreign)?;
        if wire.order.version != env!("CARGO_PKG_VERSION") {
            return Err(PlanError::Version {
                found: wire.order.version,
            });
        }
        let plan = Self::new(wire.order, wire.files, wire.fights, wire.shards)?;
        let named = |(file, text): (&String, &Text)| {
            names::stem(Path::new(file)).is_some_and(|stem| stem == text.name)
        };
        let texts = &plan.order.scenarios;
        if plan.id != wire.run
            || plan.files.len() != texts.len()
            || !plan.files.iter().zip(texts).all(named)
        {
            return Err(PlanError::Changed(wire.run));
        }
        Ok(plan)
    }
}

/// The name of a shard's file.
#[must_use]
pub fn shard_name(number: u64) -> String {
    format!("{number:06}.shard")
}

/// The number of the shard whose file has that name.
#[must_use]
pub fn shard_number(name: &str) -> Option<u64> {
    let number = name.strip_suffix(".shard")?.parse().ok()?;
    (shard_name(number) == name).then_some(number)
}
