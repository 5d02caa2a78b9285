//! Repeats the task of a manifest, and compares every file with the existing one, byte for byte.

use super::files::{MANIFEST, is_manifest, is_other_sweep, names_in, results_folder};
use super::{Context, Failure, Input, Prepared, Source};
use crate::names::{self, named};
use crate::output::digest;
use crate::output::manifest::Manifest;
use anyhow::{Context as _, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Results in a folder that can be reproduced.
#[derive(Debug)]
pub struct Reproduction {
    /// The folder of the results.
    pub folder: PathBuf,
    /// The stem of the names of the result files, if they are not the usual ones.
    own_name: Option<String>,
    /// The checksums in the manifest, by the usual names of files.
    sums: BTreeMap<String, String>,
    prepared: Prepared,
}

named! {
    /// The result of comparing a file with the repeated one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Comparison {
        /// All bytes are the same; in a manifest, all but those that may differ from run to run.
        Same "same";
        /// The file is missing, but the repeated one has the checksum in the manifest.
        SameChecksum "same, by its checksum";
        /// Some bytes differ.
        Different "different";
        /// The file is missing, and the repeated one does not have the checksum in the manifest.
        Missing "missing";
    }
}

/// Finds all results in a folder, and their scenarios: those in `scenarios` if given, else at the paths in the
/// manifest, else by the name of the results in `scenarios/` or in the current folder.
///
/// # Errors
/// If there are no results, they cannot be reproduced, or a scenario is missing or has changed.
pub fn find(
    folder: &Path,
    scenarios: &[PathBuf],
    source: &impl Source,
) -> Result<Vec<Reproduction>, Failure> {
    let folder = &results_folder(folder)?;
    let names = manifests(folder).with_context(|| format!("`{}`", folder.display()))?;
    let found = names.iter().map(|name| {
        let found = Reproduction::find(folder, name, scenarios, source);
        found.with_context(|| format!("`{}`", folder.join(name).display()))
    });
    Ok(found.collect::<anyhow::Result<_>>()?)
}

/// Returns the names of the manifests in a folder.
fn manifests(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = names_in(folder)?;
    names.retain(|name| is_manifest(name));
    ensure!(
        !names.is_empty(),
        "there is no manifest in it: this is no folder of results; name one, such as `results/kiting`"
    );
    Ok(names)
}

impl Reproduction {
    fn find(
        folder: &Path,
        name: &str,
        scenarios: &[PathBuf],
        source: &impl Source,
    ) -> anyhow::Result<Self> {
        let manifest = Manifest::read(name, &fs::read(folder.join(name))?)?;
        ensure!(
            !manifest.interrupted,
            "the run was interrupted, and would not be at the same moment again"
        );
        ensure!(
            manifest.partial.is_none(),
            "it was merged of some shards of a plan only"
        );
        let inputs = inputs(&manifest, scenarios, source)?;
        let stem = name.strip_suffix(MANIFEST);
        let own_name = stem.filter(|stem| is_other_sweep(stem));
        Ok(Self {
            folder: folder.to_owned(),
            own_name: own_name.map(str::to_owned),
            sums: manifest.files,
            prepared: manifest.task.prepare(inputs)?,
        })
    }

    /// Returns the task to repeat.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// Repeats the task and compares each file. Returns `None` if interrupted.
    ///
    /// # Errors
    /// If the task cannot be played, or a file cannot be read.
    pub fn compare(
        &self,
        context: &Context<'_, impl Source>,
    ) -> Result<Option<Vec<(String, Comparison)>>, Failure> {
        let played = self.prepared.play(context)?;
        if context.stopped() || played.is_empty() {
            return Ok(None);
        }
        let files = self.prepared.results(played).files().map_err(Failure::io)?;
        let compare = |(name, fresh): (&String, &Vec<u8>)| {
            let sum = self.sums.get(name);
            let name = self.written_as(name);
            // Version control may have added carriage returns.
            let old = fs::read(self.folder.join(&name)).map(|mut old| {
                old.retain(|byte| *byte != b'\r');
                old
            });
            let comparison = match old {
                Ok(old) if is_manifest(&name) && lasting(&old) == *fresh => Comparison::Same,
                Ok(old) if digest::sum(&old) == digest::sum(fresh) => Comparison::Same,
                Ok(_) => Comparison::Different,
                Err(_) if sum == Some(&digest::sum(fresh)) => Comparison::SameChecksum,
                Err(_) => Comparison::Missing,
            };
            (name, comparison)
        };
        Ok(Some(files.iter().map(compare).collect()))
    }

    /// Returns the actual name of a file of these results.
    fn written_as(&self, name: &str) -> String {
        match &self.own_name {
            Some(own) => name.replacen("sweep", own, 1),
            None => name.to_owned(),
        }
    }
}

/// Returns the bytes of a manifest without its last key, `run`.
fn lasting(manifest: &[u8]) -> Vec<u8> {
    let run = b",\n  \"run\": {";
    let at = manifest.windows(run.len()).position(|part| part == run);
    match at {
        Some(at) => [&manifest[..at], b"\n}\n"].concat(),
        None => manifest.to_vec(),
    }
}

/// Reads the scenarios of results, and checks that their fingerprints match the manifest.
fn inputs(
    manifest: &Manifest,
    scenarios: &[PathBuf],
    source: &impl Source,
) -> anyhow::Result<Vec<Input>> {
    let hashes: Vec<&str> = manifest.scenario.hash.split('-').collect();
    let recorded = manifest.run.as_ref().map(|run| run.files.as_slice());
    let name = &manifest.scenario.name;
    let files: Vec<PathBuf> = match (scenarios, recorded.unwrap_or_default()) {
        ([], []) => {
            let named = format!("{name}.toml");
            let usual = [Path::new("scenarios").join(&named), named.into()];
            let found = usual.iter().find(|file| file.is_file());
            vec![found.unwrap_or(&usual[0]).clone()]
        }
        ([], recorded) => recorded.iter().map(PathBuf::from).collect(),
        (named, _) => named.to_vec(),
    };
    ensure!(
        files.len() == hashes.len(),
        "it is of {} scenarios: name them with --scenario, the baseline's first",
        hashes.len()
    );
    let mut inputs = Vec::with_capacity(files.len());
    for (file, hash) in files.iter().zip(hashes) {
        let shown = file.display();
        ensure!(
            !names::is_stdin(file),
            "the scenario came from standard input\n\
             save it as `{name}.toml`, and name that with --scenario"
        );
        ensure!(
            file.is_file(),
            "the scenario `{shown}` is missing: --scenario FILE says where it is"
        );
        let input = source
            .input(file, &manifest.task.set)
            .map_err(|failure| failure.error)?;
        let found = input.loaded.scenario.hash_hex();
        ensure!(
            found == *hash,
            "the scenario `{shown}` has changed: its fingerprint is {found}, and was {hash}"
        );
        inputs.push(input);
    }
    let all: Vec<&str> = inputs.iter().map(|input| input.stem.as_str()).collect();
    let stems = all.join("-and-");
    ensure!(
        stems == *name,
        "the scenario is called `{stems}`, and was called `{name}`"
    );
    Ok(inputs)
}
