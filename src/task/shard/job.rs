//! The specification of a job: everything that determines the bytes of its results.

use super::FORMAT;
use crate::output::{self, digest::hex};
use crate::task::{Input, Task};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::{self, Display, Formatter};

/// A task with its scenarios. Equal jobs give the same bytes on any machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobSpec {
    /// The version of the program that plays it: another version may count differently.
    pub version: String,
    /// The version of the format of results.
    pub results: u32,
    /// The version of the format of saved counts.
    pub saved: u32,
    /// The task.
    #[serde(flatten)]
    pub task: Task,
    /// The scenarios.
    pub scenarios: Vec<ScenarioText>,
}

/// A scenario as it was when the job was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioText {
    /// The name of the scenario's results.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

impl ScenarioText {
    /// Returns the text of a scenario that has been read.
    pub fn of(input: &Input) -> Self {
        Self {
            name: input.stem.clone(),
            text: input.loaded.document.text().to_owned(),
        }
    }
}

impl JobSpec {
    /// Returns the job for this version of the program.
    pub fn new(task: Task, scenarios: Vec<ScenarioText>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            results: output::FORMAT,
            saved: FORMAT,
            task,
            scenarios,
        }
    }

    /// Returns the fingerprint: the hash of the job's JSON, which has all fields in a fixed order.
    pub fn id(&self) -> RunId {
        let json = serde_json::to_vec(self).unwrap_or_default();
        RunId(hex(&Sha256::digest(json)))
    }
}

/// The number of digits of a fingerprint to show by default.
const SHORT: usize = 12;

/// The fingerprint of a job: SHA-256, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// Returns the first digits: enough to distinguish runs whose fingerprints differ by chance.
    pub fn short(&self) -> &str {
        self.digits(SHORT)
    }

    /// Returns the first digits: enough to distinguish it from `other`, even if that was made to look similar.
    pub fn unlike(&self, other: &Self) -> &str {
        let same = self.0.bytes().zip(other.0.bytes());
        self.digits(same.take_while(|(mine, theirs)| mine == theirs).count() + 1)
    }

    /// Returns the first `count` digits, but at least [`SHORT`].
    fn digits(&self, count: usize) -> &str {
        self.0.get(..count.max(SHORT)).unwrap_or(&self.0)
    }
}

impl Display for RunId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
