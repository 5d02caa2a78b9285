//! The folder of a plan, with its existing, missing and damaged shards.

use super::files::names_in;
use super::shard::{self, Body, Head, InvalidFile, Plan, ReadError, ShardPart};
use super::{Exit, Failure};
use anyhow::Context as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name of a plan's file.
pub const PLAN: &str = "plan.json";

/// A plan and its folder.
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// The plan.
    pub plan: Plan,
}

/// The files of a plan's folder that are missing, damaged or unknown.
#[derive(Default)]
pub struct Survey {
    /// Shards without a file.
    pub missing: Vec<u64>,
    /// Shards whose file is unreadable, damaged or not the plan's.
    pub wrong: Vec<(u64, ReadError)>,
    /// Files in the folder of shards that are not shards of the plan.
    pub strays: Vec<String>,
}

impl Folder {
    /// Opens the folder of a plan; `path` is the folder or the plan file in it.
    ///
    /// # Errors
    /// If there is no plan, or none that this program can carry out.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let (path, file) = if path.join(PLAN).exists() {
            (path.to_owned(), path.join(PLAN))
        } else if path.file_name().is_some_and(|name| name == PLAN) {
            (path.parent().unwrap_or(path).to_owned(), path.to_owned())
        } else {
            return Err(Failure::input(anyhow::anyhow!(
                "`{}` is no folder with a plan: `skirmish plan` makes one",
                path.display()
            )));
        };
        match Plan::read(&file) {
            Ok(plan) => Ok(Self { path, plan }),
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

    /// Returns the folder of the shards.
    pub fn shards(&self) -> PathBuf {
        self.path.join(shard::SHARDS)
    }

    /// Returns the path of a shard's file.
    pub fn file(&self, number: u64) -> PathBuf {
        self.shards().join(shard::shard_name(number))
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
        let wanted = Head::shard(&self.plan, number);
        let bytes = shard::read(&self.file(number), |head| head.must_be(&wanted))?;
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

    /// Returns the files in the folder of the shards that are not shards of the plan. Hidden files are left
    /// out: files that are being written, and those of file systems and file managers.
    fn strays(&self) -> Result<Vec<String>, Failure> {
        let shards = self.shards();
        let mut names = match names_in(&shards) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            names => names
                .with_context(|| format!("cannot read `{}`", shards.display()))
                .map_err(Failure::io)?,
        };
        let is_known = |name: &String| {
            let number = shard::shard_number(name);
            number.is_some_and(|number| number < self.plan.layout.shards())
        };
        names.retain(|name| !name.starts_with('.') && !is_known(name));
        Ok(names)
    }

    /// Returns the path of a file in the folder of the shards, for messages.
    pub fn shown(&self, name: &str) -> String {
        self.shards().join(name).display().to_string()
    }
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
