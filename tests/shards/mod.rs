//! Runs in parts: plans, shards, merging, checkpoints, and file errors.

mod checkpoints;
#[cfg(unix)]
mod clusters;
mod codes;
mod commands;
mod docs;
mod elsewhere;
#[cfg(unix)]
mod faults;
mod foretold;
mod refusals;

use crate::support::TestDir;
use crate::sweep::DUEL;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of the file of a shard of `@/run`.
fn shard_file(dir: &TestDir, number: u64) -> PathBuf {
    dir.path(&format!("run/shards/{number:06}.shard"))
}

/// Plays a shard of `@/run`.
#[track_caller]
fn play_shard(dir: &TestDir, number: u64) {
    let line = format!("run --plan @/run --shard {number} -q --threads 1");
    dir.call(&line).assert_done();
}

/// Returns all files below a folder, by name; manifests without the parts that may differ between equal runs.
pub(crate) fn results(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.extend(results(&path));
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file of results");
        let text = match text.split_once("\n  \"run\": {") {
            Some((before, _)) => before.to_owned(),
            None => text,
        };
        assert!(all.insert(name, text).is_none(), "two files of one name");
    }
    all
}
