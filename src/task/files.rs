//! Reads the files of results in a folder, for a page.

use crate::output::html::Files;
use crate::output::sheet;
use anyhow::Context;
use std::path::Path;

/// Reads the results of the sweeps in a folder that are called `sweep KEYS.csv`, because the usual names were
/// taken by a sweep of other keys. Each is returned under the usual names.
///
/// # Errors
/// If the folder or a file cannot be read.
pub fn other_sweeps(folder: &Path) -> anyhow::Result<Vec<Files>> {
    const MANIFEST: &str = ".manifest.json";
    let in_folder = || format!("cannot read `{}`", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(in_folder)? {
        let name = entry.with_context(in_folder)?.file_name();
        let stem = name.to_str().and_then(|name| name.strip_suffix(MANIFEST));
        names.extend(
            stem.filter(|stem| stem.starts_with("sweep "))
                .map(str::to_owned),
        );
    }
    names.sort_unstable();
    let read = |name: String| {
        let place = folder.join(name);
        std::fs::read(&place).with_context(|| format!("cannot read `{}`", place.display()))
    };
    let both = |stem: String| {
        let rows = read(format!("{stem}.csv"))?;
        let manifest = read(format!("{stem}{MANIFEST}"))?;
        anyhow::Ok(Files::from([
            ("sweep.csv".to_owned(), rows),
            ("sweep.manifest.json".to_owned(), manifest),
        ]))
    };
    names.into_iter().map(both).collect()
}

/// Reads the result files that exist in a folder.
///
/// # Errors
/// If a file cannot be read.
pub fn result_files(folder: &Path) -> anyhow::Result<Files> {
    let mut files = Files::new();
    for name in sheet::files() {
        let place = folder.join(name);
        if place.is_file() {
            let content = std::fs::read(&place)
                .with_context(|| format!("cannot read `{}`", place.display()))?;
            files.insert(name.to_owned(), content);
        }
    }
    Ok(files)
}
