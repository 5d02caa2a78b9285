//! The folder of a plan, with its existing, missing and damaged shards, which may also lie anywhere else.

use super::files::names_in;
use super::shard::{self, Body, Head, InvalidFile, Plan, ReadError, ShardPart};
use super::{Exit, Failure};
use crate::names::is_stdin;
use anyhow::Context as _;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The name of a plan's file.
pub const PLAN: &str = "plan.json";

/// A plan and its folder.
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// The plan.
    pub plan: Plan,
    /// The shards that are read instead of those beside the plan.
    elsewhere: Option<Elsewhere>,
}

/// Shards in files that a user has named.
struct Elsewhere {
    /// The file of each shard.
    files: BTreeMap<u64, PathBuf>,
    /// The fault of each other file.
    strays: Vec<String>,
}

/// The files of a plan's folder that are missing, damaged or unknown.
#[derive(Default)]
pub struct Survey {
    /// Shards without a file.
    pub missing: Vec<u64>,
    /// Shards whose file is unreadable, damaged or not the plan's.
    pub wrong: Vec<(u64, ReadError)>,
    /// The fault of each file that is no shard of the plan.
    pub strays: Vec<String>,
}

impl Folder {
    /// Opens the folder of a plan; `path` is the folder or the file of the plan.
    ///
    /// # Errors
    /// If there is no plan, or none that this program can carry out.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let (path, file) = if path.join(PLAN).exists() {
            (path.to_owned(), path.join(PLAN))
        } else if path.is_file() || path.file_name().is_some_and(|name| name == PLAN) {
            (path.parent().unwrap_or(path).to_owned(), path.to_owned())
        } else {
            return Err(Failure::input(anyhow::anyhow!(
                "`{}` is no folder with a plan: `skirmish plan` makes one",
                path.display()
            )));
        };
        match Plan::read(&file) {
            Ok(plan) => Ok(Self {
                path,
                plan,
                elsewhere: None,
            }),
            Err(wrong) => Err(Failure {
                exit: if wrong.is_input() {
                    Exit::BadInput
                } else {
                    Exit::Mismatch
                },
                error: anyhow::Error::from(wrong).context(format!("`{}`", file.display())),
            }),
        }
    }

    /// Opens the folder of a plan. If files or folders of files are named, only these are taken for shards, whatever
    /// their names.
    ///
    /// # Errors
    /// If there is no plan, or a folder or file cannot be read.
    pub fn with_shards(path: &Path, named: &[PathBuf]) -> Result<Self, Failure> {
        let mut folder = Self::open(path)?;
        if named.is_empty() {
            return Ok(folder);
        }
        let (mut files, mut strays) = (BTreeMap::new(), Vec::new());
        for file in all_files(named)? {
            let shown = file.display();
            let (number, bytes) = match folder.recognized(&file) {
                Ok(recognized) => recognized,
                Err(fault) => {
                    strays.push(format!("`{shown}`: {fault}; leave it out"));
                    continue;
                }
            };
            match files.entry(number) {
                Entry::Vacant(vacant) => drop(vacant.insert(file)),
                // Played twice, a shard has the same bytes.
                Entry::Occupied(first) if fs::read(first.get()).is_ok_and(|first| first == bytes) => {}
                Entry::Occupied(first) => strays.push(format!(
                    "`{shown}`: it is shard {number}, and so is `{}`, but they differ; leave out both, and play it \
                     again",
                    first.get().display()
                )),
            }
        }
        folder.elsewhere = Some(Elsewhere { files, strays });
        Ok(folder)
    }

    /// Returns which shard of the plan a file is, and its bytes.
    fn recognized(&self, file: &Path) -> Result<(u64, Vec<u8>), ReadError> {
        let mut number = 0;
        let bytes = shard::read(file, |head| {
            let last = self.plan.layout.shards() - 1;
            number = head
                .shard
                .as_ref()
                .map_or(0, |place| place.number.min(last));
            head.must_be(&Head::shard(&self.plan, number))
        })?;
        Body::open(&bytes)?;
        Ok((number, bytes))
    }

    /// Returns the folder of the shards.
    fn shards(&self) -> PathBuf {
        self.path.join(shard::SHARDS)
    }

    /// Returns whether the shards lie in files that a user has named.
    pub fn is_elsewhere(&self) -> bool {
        self.elsewhere.is_some()
    }

    /// Returns the path of a shard's file; beside the plan if no other file is known.
    pub fn file(&self, number: u64) -> PathBuf {
        let named = self
            .elsewhere
            .as_ref()
            .and_then(|other| other.files.get(&number));
        named.map_or_else(
            || self.shards().join(shard::shard_name(number)),
            Clone::clone,
        )
    }

    /// Reads a shard, and passes its body to `show` if it belongs to the plan.
    ///
    /// # Errors
    /// If the file is missing, unreadable, damaged or not the plan's.
    pub fn read<R>(
        &self,
        number: u64,
        show: impl FnOnce(Body<'_>, &mut dyn Iterator<Item = ShardPart>) -> Result<R, InvalidFile>,
    ) -> Result<R, ReadError> {
        if self
            .elsewhere
            .as_ref()
            .is_some_and(|other| !other.files.contains_key(&number))
        {
            return Err(ReadError::Missing);
        }
        self.read_file(&self.file(number), number, show)
    }

    /// Reads a shard in any file, as [`read`](Self::read) does.
    ///
    /// # Errors
    /// If the file is missing, unreadable, damaged or not this shard of the plan.
    pub fn read_file<R>(
        &self,
        file: &Path,
        number: u64,
        show: impl FnOnce(Body<'_>, &mut dyn Iterator<Item = ShardPart>) -> Result<R, InvalidFile>,
    ) -> Result<R, ReadError> {
        let wanted = Head::shard(&self.plan, number);
        let bytes = shard::read(file, |head| head.must_be(&wanted))?;
        let (_, body) = Body::open(&bytes)?;
        show(body, &mut self.plan.layout.parts(number)).map_err(ReadError::from)
    }

    /// Checks every shard with `read`.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn survey(
        &self,
        mut read: impl FnMut(u64) -> Result<(), ReadError>,
    ) -> Result<Survey, Failure> {
        let mut survey = Survey {
            strays: self.strays()?,
            ..Survey::default()
        };
        for number in 0..self.plan.layout.shards() {
            match read(number) {
                Ok(()) => {}
                Err(ReadError::Missing) => survey.missing.push(number),
                Err(fault) => survey.wrong.push((number, fault)),
            }
        }
        Ok(survey)
    }

    /// Returns the fault of each file that is no shard of the plan.
    fn strays(&self) -> Result<Vec<String>, Failure> {
        if let Some(elsewhere) = &self.elsewhere {
            return Ok(elsewhere.strays.clone());
        }
        let shards = self.shards();
        let mut names = match visible_names(&shards) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            names => names
                .with_context(|| format!("cannot read `{}`", shards.display()))
                .map_err(Failure::io)?,
        };
        let is_known = |name: &String| {
            let number = shard::shard_number(name);
            number.is_some_and(|number| number < self.plan.layout.shards())
        };
        names.retain(|name| !is_known(name));
        let stray = |name: &String| {
            let file = shards.join(name);
            format!(
                "`{}` is no shard of this plan: move it away",
                file.display()
            )
        };
        Ok(names.iter().map(stray).collect())
    }
}

/// Returns the names of the files in a folder. Hidden files are left out: files that are being written, and those of
/// file systems and file managers.
fn visible_names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = names_in(folder)?;
    names.retain(|name| !name.starts_with('.'));
    Ok(names)
}

/// Returns the named files, with those in the named folders.
fn all_files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if is_stdin(path) {
            return Err(Failure::input(anyhow::anyhow!(
                "`-` (standard input) cannot be a shard: save it in a file, and name that"
            )));
        } else if path.is_dir() {
            let names = visible_names(path)
                .with_context(|| format!("cannot read `{}`", path.display()))
                .map_err(Failure::io)?;
            files.extend(names.iter().map(|name| path.join(name)));
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

impl Survey {
    /// Returns the missing and wrong shards, in rising order.
    pub fn unplayed(&self) -> Vec<u64> {
        let wrong = self.wrong.iter().map(|(number, _)| *number);
        let mut all: Vec<u64> = self.missing.iter().copied().chain(wrong).collect();
        all.sort_unstable();
        all
    }
}

/// Formats numbers as `3,7,12-15`.
pub fn ranges(numbers: &[u64]) -> String {
    let runs = numbers.chunk_by(|number, next| number + 1 == *next);
    let shown = runs.map(|run| match run {
        [] => String::new(),
        [number] => number.to_string(),
        [first, .., last] => format!("{first}-{last}"),
    });
    shown.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn ranges_are_as_short_as_they_can_be() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3, 7, 12, 13, 14, 15]), "3,7,12-15");
        assert_eq!(ranges(&[0, 1]), "0-1");
        assert_eq!(ranges(&[5]), "5");
    }
}
