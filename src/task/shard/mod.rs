//! Runs in parts, on many machines or on one that may stop at any time.
//!
//! Encounter i depends on the seed and on i alone, and counts are integers that add up. So a run can be cut
//! anywhere, and its parts played on any machine in any order: their counts add up to those of the whole run,
//! byte for byte. The rest of this module ensures that all parts are of the same run.
//!
//! A [`JobSpec`] is a task with its scenarios: everything that decides the encounters. Its fingerprint, the
//! [`RunId`], is stored in every file. A [`Plan`] is a job and its number of shards; the [`Layout`] assigns the
//! encounters of all fights to them. Counts are written to a file whose [`FileKind`] is a shard or a checkpoint.
//! Reading is strict: a file that is truncated, damaged or of another run is refused.
//!
//! This module plays and prints nothing.

use serde::Deserialize;
use serde::de::DeserializeOwned;

mod job;
mod layout;
mod plan;
mod saved;

pub use job::{JobSpec, RunId, ScenarioText};
pub use layout::{Layout, ShardPart};
pub use plan::{Plan, PlanError, SHARDS, shard_name, shard_number};
pub use saved::{Body, FileKind, Head, InvalidFile, ReadError, ShardPosition, read};

/// The version of the file format of plans, shards and checkpoints. Other versions are refused.
pub const FORMAT: u32 = 4;

/// Returns the format of a file that begins with its kind, whatever else it contains.
fn format_of<K: DeserializeOwned>(json: &[u8]) -> serde_json::Result<u32> {
    // The rest of the file may be of another format.
    #[derive(Deserialize)]
    struct Any<K> {
        #[serde(rename = "skirmish")]
        _kind: K,
        format: u32,
    }
    serde_json::from_slice(json).map(|head: Any<K>| head.format)
}
