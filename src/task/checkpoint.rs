//! `run --checkpoint`: saves progress every 30 seconds, and resumes from it.
//!
//! A checkpoint holds the counts of the first encounters of every variant of every scenario. A resumed run
//! plays the rest. It tests the stopping rule at the same counts as an uninterrupted run, so that it ends at
//! the same encounter with the same bytes.
//!
//! Only the time of saving depends on a (monotonic) clock; the saved counts do not.

use super::place::Destination;
use super::shard::{
    self, Body, Head, InvalidFile, JobSpec, ReadError, RunId, ScenarioText, ShardPart,
};
use super::{Exit, Failure, Prepared, Watch};
use crate::run::Progress;
use crate::tally::{Portable, Tally};
use anyhow::anyhow;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The checkpoint file of a run.
pub struct Checkpoint {
    saved: Saved,
    /// The tally of each fight; empty for fights that have not begun.
    tallies: Vec<Tally>,
}

impl Checkpoint {
    /// Opens the checkpoint of `runs`, and takes over its counts if the file exists. It is saved again after `every`.
    ///
    /// # Errors
    /// If the file is not a checkpoint of these runs, or cannot be read or written.
    pub fn open(file: &Path, runs: &[Prepared], every: Duration) -> Result<Self, Failure> {
        let fights = runs.iter().flat_map(Prepared::variants);
        let mut tallies: Vec<Tally> = fights.map(|variant| Tally::new(&variant.fight)).collect();
        let most = runs.first().map_or(0, |run| run.task.until.most().get());
        let take_over = |head: &Head, body: Body<'_>| read(head, body, most, &mut tallies);
        let saved = Saved::open(file, runs, every, take_over)?;
        Ok(Self { saved, tallies })
    }

    /// Returns the number of encounters counted, of all fights together.
    pub fn encounters(&self) -> u64 {
        self.tallies.iter().map(Tally::encounters).sum()
    }

    /// Returns the tally of a fight.
    pub(super) fn tally(&self, fight: usize) -> Tally {
        self.tallies[fight].clone()
    }

    /// Returns the instant of the next save.
    pub(super) fn due(&self) -> Instant {
        self.saved.due()
    }

    /// Records the tally of a fight, and saves all of them if a save is due or `now`.
    pub(super) fn keep(&mut self, fight: usize, tally: &Tally, now: bool, watch: &dyn Watch) {
        self.tallies[fight].clone_from(tally);
        let Self { saved, tallies, .. } = self;
        let parts = || {
            let counted = |(fight, tally): (usize, &Tally)| {
                let encounters = tally.encounters();
                (encounters > 0).then(|| part(fight, encounters, tally))
            };
            tallies.iter().enumerate().filter_map(counted).collect()
        };
        saved.keep(parts, now, watch);
    }

    /// Returns whether there is a file to resume from.
    pub fn is_saved(&self) -> bool {
        self.saved.exists()
    }

    /// Removes the file after the run has written its results.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn remove(self) -> Result<(), Failure> {
        match fs::remove_file(&self.saved.file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                let error = anyhow::Error::from(error);
                Err(Failure::io(error.context(format!(
                    "the results are written, but `{}` cannot be removed",
                    self.saved.file.display()
                ))))
            }
            _ => Ok(()),
        }
    }
}

/// A checkpoint file and the time of its last save.
pub(super) struct Saved {
    file: PathBuf,
    place: Destination,
    id: RunId,
    every: Duration,
    last: Instant,
}

impl Saved {
    /// Opens the checkpoint of `runs`, and takes over its counts with `take_over`.
    fn open(
        file: &Path,
        runs: &[Prepared],
        every: Duration,
        take_over: impl FnOnce(&Head, Body<'_>) -> Result<(), InvalidFile>,
    ) -> Result<Self, Failure> {
        // The reader of checkpoints refuses other files.
        let place = Destination::prepare(file, true).map_err(Failure::input)?;
        let scenarios = runs
            .iter()
            .flat_map(|run| &run.inputs)
            .map(ScenarioText::of);
        let job = JobSpec::new(runs[0].task.clone(), scenarios.collect());
        let saved = Self {
            file: file.to_owned(),
            place,
            id: job.id(),
            every,
            last: Instant::now(),
        };
        match saved.read(take_over) {
            Ok(()) | Err(ReadError::Missing) => Ok(saved),
            Err(ReadError::Unreadable(error)) => {
                let shown = file.display();
                let error = anyhow::Error::from(error);
                Err(Failure::input(
                    error.context(format!("cannot read the checkpoint `{shown}`")),
                ))
            }
            Err(ReadError::Invalid(wrong)) => Err(refused(file, &wrong)),
        }
    }

    /// Reads the counts of a checkpoint with `take_over`, unless the file is empty.
    fn read(
        &self,
        take_over: impl FnOnce(&Head, Body<'_>) -> Result<(), InvalidFile>,
    ) -> Result<(), ReadError> {
        if self.is_empty() {
            return Ok(());
        }
        let bytes = shard::read(&self.file, |head| {
            head.must_be(&Head::checkpoint(self.id.clone(), head.encounters))
        })?;
        let (head, body) = Body::open(&bytes)?;
        Ok(take_over(&head, body)?)
    }

    /// Returns whether there is an empty file, which is no checkpoint yet.
    fn is_empty(&self) -> bool {
        fs::metadata(&self.file).is_ok_and(|file| file.is_file() && file.len() == 0)
    }

    /// Returns whether there is a checkpoint.
    fn exists(&self) -> bool {
        self.file.exists() && !self.is_empty()
    }

    /// Opens the checkpoint of a search, a single part with all its counts, and takes over these.
    pub(super) fn open_search<C: Portable>(
        file: &Path,
        prepared: &Prepared,
        every: Duration,
        counts: &mut C,
    ) -> Result<Self, Failure> {
        Self::open(file, std::slice::from_ref(prepared), every, |head, body| {
            let wanted = ShardPart {
                fight: 0,
                encounters: 0..head.encounters,
            };
            body.each([wanted], |body, part| {
                *counts = body.counts(counts, &part)?;
                Ok(())
            })
        })
    }

    /// Returns the instant of the next save.
    fn due(&self) -> Instant {
        self.last + self.every
    }

    /// Saves parts if a save is due or `now`. A failure to save is a warning: a full disk may have space again by the
    /// next save, and results may be written elsewhere.
    pub(super) fn keep(
        &mut self,
        parts: impl FnOnce() -> Vec<(ShardPart, Vec<u8>)>,
        now: bool,
        watch: &dyn Watch,
    ) {
        if !now && Instant::now() < self.due() {
            return;
        }
        let parts = parts();
        let encounters = parts.iter().map(|(part, _)| part.encounters.end).sum();
        let bytes = Head::checkpoint(self.id.clone(), encounters).file(&parts);
        let written = self.place.write_bytes(|out| out.write_all(&bytes));
        self.last = Instant::now();
        if let Err(failure) = written.map_err(Failure::io) {
            let left = if self.exists() {
                "the last checkpoint is kept"
            } else {
                "there is no checkpoint yet"
            };
            watch.warn(&format!("{:#}; {left}", failure.error));
        }
    }
}

/// Returns the first encounters of a fight, with their encoded counts.
pub(super) fn part(fight: usize, encounters: u64, counts: &impl Portable) -> (ShardPart, Vec<u8>) {
    let encounters = 0..encounters;
    let bytes = counts.encoded(&encounters);
    (ShardPart { fight, encounters }, bytes)
}

/// Reads the tally of each fight.
fn read(head: &Head, body: Body<'_>, most: u64, tallies: &mut [Tally]) -> Result<(), InvalidFile> {
    let mut all = 0u64;
    let mut next = 0;
    body.any(|body, part| {
        let begins = part.fight == next && part.encounters.start == 0;
        if !begins || !(1..=most).contains(&part.encounters.end) || next >= tallies.len() {
            return Err(InvalidFile::Other {
                found: part.to_string(),
                wanted: format!("at the first encounters of fight {next}"),
            });
        }
        tallies[next] = body.counts(&tallies[next], &part)?;
        all = all.saturating_add(part.encounters.end);
        next += 1;
        Ok(())
    })?;
    head.must_be(&Head::checkpoint(head.run.clone(), all))
}

fn refused(file: &Path, wrong: &InvalidFile) -> Failure {
    Failure {
        exit: Exit::Mismatch,
        error: anyhow!(
            "cannot go on from `{}`: {wrong}. It was left as it is: remove it to begin anew, or \
             name another file",
            file.display()
        ),
    }
}

/// Forwards progress, and sets a flag when the runner must pause or end.
pub(super) struct Pausing<'a, G, F> {
    pub(super) inner: &'a G,
    pub(super) stop: &'a AtomicBool,
    /// Set when no more encounters may begin.
    pub(super) pause: AtomicBool,
    /// The instant of the next save.
    pub(super) due: Option<Instant>,
    /// Returns whether playing on is pointless because something failed.
    pub(super) failed: &'a F,
}

impl<G: Progress, F: Fn() -> bool + Sync> Progress for Pausing<'_, G, F> {
    fn tick(&self, encounters: u64, wins: &[u64]) {
        self.inner.tick(encounters, wins);
        let due = || self.due.is_some_and(|due| Instant::now() >= due);
        if self.stop.load(Ordering::Relaxed) || due() || (self.failed)() {
            self.pause.store(true, Ordering::Relaxed);
        }
    }
}
