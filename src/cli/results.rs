//! Folders of results: each belongs to one run at a time, and a run that replaces results says so.

use super::{Console, Failure};
use crate::output::manifest::Manifest;
use crate::output::{Target, encounters};
use anyhow::anyhow;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Claims a folder for files of results, and proves that they can be written.
///
/// # Errors
/// If they cannot, another run has the folder, or `no_clobber` keeps what is there.
pub(super) fn claim(folder: &Path, files: &[&str], no_clobber: bool) -> Result<Target, Failure> {
    if no_clobber {
        keep(folder, files)?;
    }
    let target = Target::claim(folder, files).map_err(Failure::input)?;
    if no_clobber {
        // Another run may have ended in between.
        keep(folder, files)?;
    }
    Ok(target)
}

/// Proves that none of the files is there.
fn keep(folder: &Path, files: &[&str]) -> Result<(), Failure> {
    let there = files.iter().find(|file| folder.join(file).exists());
    there.map_or(Ok(()), |file| {
        Err(Failure::input(anyhow!(
            "`{}` has results already ({file}), and --no-clobber keeps them: name another folder \
             with --output",
            folder.display()
        )))
    })
}

/// Prints a note if the run replaces results of another task.
pub(super) fn tell_replaced(
    folder: &Path,
    file: &str,
    manifest: &Manifest,
    console: &mut Console<'_>,
) {
    let old = fs::read(folder.join(file)).ok();
    let old: Option<Value> = old.and_then(|old| serde_json::from_slice(&old).ok());
    let (Some(old), Ok(new)) = (old, serde_json::to_value(manifest)) else {
        return;
    };
    if task(&old) == task(&new) {
        return;
    }
    let of = describe(&old).unwrap_or_else(|| "other results".to_owned());
    console.say(format_args!(
        "note: replaces {of} in `{}` (--no-clobber keeps what is there)",
        folder.display()
    ));
}

/// What was asked for. The scenario's text is no part of it: who changes that wants to see it anew.
fn task(manifest: &Value) -> Vec<&Value> {
    let parts = ["seed", "stop", "confidence", "options"];
    let scenario = &manifest["scenario"]["title"];
    let parts = parts.map(|part| &manifest[part]);
    [scenario].into_iter().chain(parts).collect()
}

/// `a run of 20,000 encounters, seed 1`.
fn describe(manifest: &Value) -> Option<String> {
    let counts = manifest["variants"].as_array()?.iter();
    let counts = counts.filter_map(|variant| variant["encounters"].as_u64());
    let most = counts.max()?;
    let title = manifest["scenario"]["title"].as_str()?;
    Some(format!(
        "a run of {} of {title:?}, seed {}",
        encounters(most),
        manifest["seed"].as_u64()?
    ))
}
