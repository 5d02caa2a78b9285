//! The files of results as a page takes them, without a disk between: what has just been played, and
//! what lies in a folder.

use crate::cli::Failure;
use crate::output::comparisons::{self, Comparisons};
use crate::output::html::{Chapter, FILES, Files};
use crate::output::manifest::Manifest;
use crate::output::{Report, csv};
use anyhow::Context;
use std::io;
use std::path::Path;

/// Puts a file among the others.
fn put(files: &mut Files, name: &str, write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) {
    let mut content = Vec::new();
    // Nothing fails in memory.
    let _ = write(&mut content);
    files.insert(name.to_owned(), content);
}

/// The files of `run`.
pub(in crate::cli) fn run(report: &Report, manifest: &Manifest, files: &mut Files) {
    put(files, "summary.csv", |out| csv::summary(report, out, true));
    put(files, "distributions.csv", |out| {
        csv::distributions(report, out)
    });
    put(files, "examples.csv", |out| csv::examples(report, out));
    put(files, "manifest.json", |out| manifest.write(out));
}

/// The files of `compare`.
pub(super) fn comparisons(all: &Comparisons, manifest: &Manifest, files: &mut Files) {
    put(files, "comparisons.csv", |out| comparisons::csv(all, out));
    put(files, "comparisons.manifest.json", |out| {
        manifest.write(out)
    });
}

/// The chapter of a subcommand that leaves rows and a manifest.
pub(in crate::cli) fn part(
    names: [&str; 2],
    rows: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    manifest: &Manifest,
) -> Result<Chapter, Failure> {
    let mut files = Files::new();
    put(&mut files, names[0], rows);
    put(&mut files, names[1], |out| manifest.write(out));
    Chapter::read(&files).map_err(Failure::input)
}

/// Reads the results of sweeps of other keys in a folder, each with the names that one alone would
/// have: they are called `sweep KEYS.csv`.
pub(super) fn other_sweeps(folder: &Path) -> anyhow::Result<Vec<Files>> {
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

/// Reads whatever results there are in a folder.
pub(super) fn folder(folder: &Path) -> anyhow::Result<Files> {
    let mut files = Files::new();
    for name in FILES {
        let place = folder.join(name);
        if place.is_file() {
            let content = std::fs::read(&place)
                .with_context(|| format!("cannot read `{}`", place.display()))?;
            files.insert(name.to_owned(), content);
        }
    }
    Ok(files)
}
