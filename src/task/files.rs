//! Reads the files of results in a folder, for a page.

use crate::output::html::Files;
use crate::output::sheet;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Returns the folder of results that a user means by `folder`: itself or, if it has none, the only one in it that has.
///
/// # Errors
/// If there is none, or several are in it; the message lists these.
pub fn results_folder(folder: &Path) -> anyhow::Result<PathBuf> {
    const NAME_ONE: &str = "name a folder of results, such as `results/kiting`";
    let is_result = |name: &String| is_manifest(name) || sheet::files().any(|other| other == name);
    let has_results =
        |folder: &PathBuf| names_in(folder).is_ok_and(|names| names.iter().any(is_result));
    let shown = folder.display();
    let names =
        names_in(folder).with_context(|| format!("`{shown}` cannot be read; {NAME_ONE}"))?;
    let mut found = vec![folder.to_owned()];
    if !names.iter().any(is_result) {
        found = names.iter().map(|name| folder.join(name)).collect();
        found.retain(has_results);
    }
    match &found[..] {
        [only] => Ok(only.clone()),
        [] => bail!("`{shown}`: there are no results in it; {NAME_ONE}"),
        several => {
            let names = several.iter().map(|folder| folder.display().to_string());
            let names: Vec<String> = names.collect();
            bail!("`{shown}`: results are one below: {}", names.join(", "))
        }
    }
}

/// Returns whether a file of this name is a manifest.
pub(super) fn is_manifest(name: &str) -> bool {
    name == "manifest.json" || name.ends_with(MANIFEST)
}

/// Returns whether files with this stem are those of a sweep whose usual names were taken by a sweep of other keys. The
/// names of earlier versions have a space.
pub(super) fn is_other_sweep(stem: &str) -> bool {
    stem.starts_with("sweep-") || stem.starts_with("sweep ")
}

/// Reads the results of the sweeps in a folder that are called `sweep-KEYS.csv`, because the usual names were
/// taken by a sweep of other keys. Each is returned under the usual names.
///
/// # Errors
/// If the folder or a file cannot be read.
pub fn other_sweeps(folder: &Path) -> anyhow::Result<Vec<Files>> {
    let names = names_in(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    let stems = names.iter().filter_map(|name| name.strip_suffix(MANIFEST));
    let both = |stem: &str| {
        let rows = read(&folder.join(format!("{stem}.csv")))?;
        let manifest = read(&folder.join(format!("{stem}{MANIFEST}")))?;
        anyhow::Ok(Files::from([
            ("sweep.csv".to_owned(), rows),
            ("sweep.manifest.json".to_owned(), manifest),
        ]))
    };
    stems
        .filter(|stem| is_other_sweep(stem))
        .map(both)
        .collect()
}

/// The end of the name of a manifest other than `manifest.json`.
pub(super) const MANIFEST: &str = ".manifest.json";

/// Returns the names of all files in a folder, sorted.
pub(super) fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let name =
        |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let names: io::Result<Vec<String>> = fs::read_dir(folder)?.map(name).collect();
    names.map(|mut names| {
        names.sort_unstable();
        names
    })
}

/// Reads a file of results.
pub(super) fn read(place: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(place).with_context(|| format!("cannot read `{}`", place.display()))
}

/// Reads the result files that exist in a folder.
///
/// # Errors
/// If a file cannot be read.
pub fn result_files(folder: &Path) -> anyhow::Result<Files> {
    let there = sheet::files().filter(|name| folder.join(name).is_file());
    there
        .map(|name| Ok((name.to_owned(), read(&folder.join(name))?)))
        .collect()
}
