//! Folders of results: only one run at a time may use a folder, and a run reports the results it replaces.

use super::prepared::Subject;
use super::{Failure, Prepared, Results};
use crate::names::is_stdin;
use crate::output::manifest::{Manifest, Variant};
use crate::output::{Target, encounters};
use anyhow::{anyhow, ensure};
use serde_json::Value;
use std::fs;
use std::path::Path;

impl Prepared {
    /// Claims the folder of the results in `output`, and checks that the files can be written.
    ///
    /// # Errors
    /// If the files cannot be written, a manifest there is not of skirmish, another run uses the folder, or
    /// `no_clobber` protects old results.
    pub fn claim(&self, output: &Path, no_clobber: bool) -> anyhow::Result<Target> {
        ensure!(
            !is_stdin(output),
            "--output -: results are files in a folder: name one. The table is printed in any case, and --format csv \
             or json prints all numbers"
        );
        let folder = output.join(&self.name);
        let usual = self.files();
        let own = match (&self.subject, usual) {
            (Subject::Sweep(points), &[rows, manifest]) => {
                points.own_names(&folder, [rows, manifest], &self.task.question)
            }
            _ => None,
        };
        let names: Vec<&str> = match &own {
            Some(own) => own.iter().map(String::as_str).collect(),
            None => usual.to_vec(),
        };
        let keep = || {
            check_free(&folder, &names)
                .filter(|_| no_clobber)
                .map_or(Ok(()), Err)
        };
        keep()?;
        refuse_foreign(&folder, &names)?;
        let mut target = Target::claim(&folder, &names)?;
        // Another run may have ended between the check and the claim.
        keep()?;
        for (name, own) in usual.iter().zip(own.into_iter().flatten()) {
            target.rename(name, own);
        }
        Ok(target)
    }
}

/// Returns the failure for files of which one exists already.
fn check_free(folder: &Path, files: &[&str]) -> Option<Failure> {
    let file = files.iter().find(|file| folder.join(file).exists())?;
    Some(Failure::input(anyhow!(
        "`{}` has results already ({file}), and --no-clobber keeps them: name another folder \
         with --output",
        folder.display()
    )))
}

/// Checks that the manifest, the last of the files, is one of skirmish if it exists. Without one, as when a process was
/// killed while it renamed its files, each file must begin as results do.
fn refuse_foreign(folder: &Path, files: &[&str]) -> anyhow::Result<()> {
    let Some(path) = files.last().map(|file| folder.join(file)) else {
        return Ok(());
    };
    let old = fs::read(&path).unwrap_or_default();
    let manifest: Option<Value> = serde_json::from_slice(&old).ok();
    let is_own = manifest.is_some_and(|manifest| manifest["program"] == env!("CARGO_PKG_NAME"));
    if is_own {
        return Ok(());
    }
    let left = |path: &Path, what: &str| {
        Err(anyhow!(
            "`{}` is no {what} of skirmish, so it was left as it is: name another folder with --output, or \
             remove it",
            path.display()
        ))
    };
    if !old.trim_ascii().is_empty() {
        return left(&path, "manifest");
    }
    for file in files {
        let path = folder.join(file);
        let content = fs::read(&path).unwrap_or_default();
        // The first column of all results.
        if !content.trim_ascii().is_empty() && !content.starts_with(b"scenario,") {
            return left(&path, "results file");
        }
    }
    Ok(())
}

impl Results {
    /// Describes the results of another task that are about to be replaced: `a run of 20,000 encounters of
    /// "Kiting", seed 1`.
    pub fn replaces(&self, target: &Target) -> Option<String> {
        let file = target.written_as(self.names.last()?);
        let old = fs::read(target.folder().join(file)).ok()?;
        let old: Value = serde_json::from_slice(&old).ok()?;
        let new = serde_json::to_value(&self.manifest).ok()?;
        if question(&old) == question(&new) {
            return None;
        }
        Some(describe(&old).unwrap_or_else(|| "other results".to_owned()))
    }

    /// Describes the results in the folder if they have more encounters of the very same fights than these results,
    /// which are not whole, or as many and are whole. Such results are not worth replacing.
    pub fn fewer_than(&self, target: &Target) -> Option<String> {
        let is_whole = |manifest: &Manifest| !manifest.interrupted && manifest.partial.is_none();
        if is_whole(&self.manifest) {
            return None;
        }
        let file = target.written_as(self.names.last()?);
        let old = fs::read(target.folder().join(file)).ok()?;
        let old: Manifest = serde_json::from_slice(&old).ok()?;
        let new = &self.manifest;
        let same = old.scenario.hash == new.scenario.hash
            && old.task.seed == new.task.seed
            && old.version == new.version
            && old.task.question == new.task.question
            && old.task.set == new.task.set
            && old.task.until.is_exact() == new.task.until.is_exact();
        let counts = |name: &str| old.variants.iter().find(|variant| variant.name == name);
        let size = |variant: &Variant| variant.encounters + u64::from(variant.states.is_some());
        let least = |variant: &Variant| size(variant) + u64::from(!is_whole(&old));
        let more = |variant: &Variant| {
            counts(&variant.name).is_some_and(|old| size(old) >= least(variant))
        };
        if !same || !new.variants.iter().all(more) {
            return None;
        }
        describe(&serde_json::to_value(&old).ok()?)
    }
}

/// Returns the question of a manifest. The scenario's text is not part of it: a changed scenario replaces its
/// old results without a message.
fn question(manifest: &Value) -> Vec<&Value> {
    let parts = ["task", "until", "seed", "confidence", "set"].map(|part| &manifest[part]);
    let scenario = &manifest["scenario"]["title"];
    [scenario].into_iter().chain(parts).collect()
}

fn describe(manifest: &Value) -> Option<String> {
    let encounters_of = |variant: &Value| variant["encounters"].as_u64();
    let variants = manifest["variants"].as_array()?;
    let most = variants.iter().filter_map(encounters_of).max()?;
    let title = manifest["scenario"]["title"].as_str()?;
    if manifest["until"]["exact"].is_object() {
        return Some(format!("the exact results of {title:?}"));
    }
    Some(format!(
        "a run of {} of {title:?}, seed {}",
        encounters(most),
        manifest["seed"].as_u64()?
    ))
}
