//! A run in parts: on many machines, or on one that may stop at any time.
//!
//! Encounter i depends on the seed and on i alone, and counts are integers that add up. So a run can
//! be cut anywhere, and its parts be played anywhere, in any order: their counts add up to those of one run, to the
//! byte. The rest of this module makes sure that the parts are of one run.
//!
//! A [`JobSpec`] is a task with its scenarios, all that decides the encounters; its fingerprint, the [`RunId`], stands in
//! every file. A [`Plan`] is a job and its number of shards; the [`Layout`] says which encounters of
//! which fights are in each. Counts are written as a [`Saved`] file, a shard or a checkpoint, which is
//! read strictly: a file that is cut short, damaged or of another run is refused.
//!
//! Nothing here plays or prints.

use serde::Deserialize;
use serde::de::DeserializeOwned;

mod layout;
mod order;
mod plan;
mod saved;

pub use layout::{Layout, LayoutError, Part};
pub use order::{JobSpec, RunId, Text};
pub use plan::{Plan, PlanError, SHARDS, shard_name, shard_number};
pub use saved::{Body, Damage, Fault, Head, Place, Saved, read};

/// The version of the files' format: plans, shards and checkpoints. Other versions are refused.
pub const FORMAT: u32 = 4;

/// The format of a file that begins with its kind, whatever else is in it.
fn format_of<K: DeserializeOwned>(json: &[u8]) -> serde_json::Result<u32> {
    // What follows may be of another format.
    #[derive(Deserialize)]
    struct Any<K> {
        #[serde(rename = "skirmish")]
        _kind: K,
        format: u32,
    }
    serde_json::from_slice(json).map(|one: Any<K>| one.format)
}
