//! `run --each`: the file with a row for every encounter.
//!
//! The file grows under a temporary name during play, and is renamed when the run is over. After an interrupt
//! it holds the encounters that were counted; after an error there is no file.

use super::place::{follow, is_no_file, no_file, same};
use super::{Failure, Prepared};
use crate::fight::Fight;
use crate::names::folder_of;
use crate::output::Target;
use crate::output::atomic::Growing;
use crate::output::each::{EncounterRow, FIXED, head};
use crate::output::sheet::RUN_FILES;
use crate::run::each::InOrder;
use crate::scenario::Variant;
use crate::tally::{ValueColumn, values};
use anyhow::{Context, anyhow};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The rows of a run, and their destination.
pub struct EachFile {
    path: PathBuf,
    columns: Vec<ValueColumn>,
    seed: u64,
    /// The rows in the order of encounters.
    pub(super) rows: InOrder<Growing>,
    target: Target,
}

impl EachFile {
    /// Begins the file with its header row. The path must have been [checked](check_each).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn prepare(path: &Path, runs: &[Prepared]) -> Result<Self, Failure> {
        let file = follow(path);
        let name = name(&file)?;
        let target = Target::prepare(folder_of(&file), &[&name]).map_err(Failure::input)?;
        let rows = InOrder::new(target.growing(&name).map_err(Failure::input)?);
        let variants = runs.iter().flat_map(Prepared::variants);
        let fights: Vec<&Fight> = variants.map(|variant| &variant.fight).collect();
        let columns = values::columns(&fights);
        rows.head(&head(&columns));
        Ok(Self {
            path: path.to_owned(),
            columns,
            seed: runs.first().map_or(0, |run| run.task.seed),
            rows,
            target,
        })
    }

    /// Begins the encounters of a variant, and returns the writer of its rows.
    pub(super) fn begin(&self, scenario: &str, variant: &Variant) -> EncounterRow {
        self.rows.begin();
        let named = (scenario, variant.name.as_str());
        EncounterRow::new(named, self.seed, &variant.fight, &self.columns)
    }

    /// Checks that all rows so far could be written.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.rows.take_error().map_or(Ok(()), |error| {
            let error = anyhow::Error::from(error);
            let place = self.path.display();
            Err(Failure::io(
                error.context(format!("cannot write `{place}`")),
            ))
        })
    }

    /// Moves the finished file into place, and returns its number of rows. Without rows no file is written.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<u64, Failure> {
        self.check()?;
        let (file, rows) = self.rows.finish();
        if rows > 0 {
            file.commit(&mut self.target).map_err(Failure::io)?;
        }
        Ok(rows)
    }
}

/// Checks, without writing, that the rows of `runs` can go to `path`. The results of the runs go to `output`.
///
/// # Errors
/// If the path is a folder or another file of the runs, or if it is an existing file without rows of encounters.
pub fn check_each(path: &Path, runs: &[Prepared], output: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    let refused = |why: String| Err(anyhow!("--each {shown}: {why}"));
    let name = name(path)?;
    if name == "-" {
        return refused("rows go to a file; name one, such as rows.csv".to_owned());
    }
    if is_no_file(path) {
        return refused(format!("this is {}, such as rows.csv", no_file(path)));
    }
    if runs.iter().any(|run| same(path, &run.input().file)) {
        return refused("this is the scenario; name another file".to_owned());
    }
    let results = |run: &Prepared| same(folder_of(path), &output.join(&run.name));
    if RUN_FILES.contains(&name.as_str()) && runs.iter().any(results) {
        return refused("the results of this run go to the same file; name another".to_owned());
    }
    match is_free(path) {
        Ok(true) => Ok(()),
        Ok(false) => refused(
            "a file is there that does not hold rows of encounters, and it was left as it is: \
             name another file, or remove it"
                .to_owned(),
        ),
        Err(error) => Err(anyhow::Error::from(error)
            .context(format!("--each {shown}: cannot read what is there"))),
    }
}

/// Returns whether a file can be written without loss: it is missing, empty, or already has rows of encounters.
fn is_free(path: &Path) -> io::Result<bool> {
    if !path.exists() {
        return Ok(true);
    }
    let begins = FIXED.join(",") + ",";
    let mut found = Vec::new();
    File::open(path)?
        .take(begins.len() as u64)
        .read_to_end(&mut found)?;
    Ok(found.is_empty() || found == begins.as_bytes())
}

fn name(path: &Path) -> Result<String, Failure> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned)
        .ok_or_else(|| anyhow!("`{}` does not name a file", path.display()))
        .with_context(|| "--each wants a file".to_owned())
        .map_err(Failure::input)
}
