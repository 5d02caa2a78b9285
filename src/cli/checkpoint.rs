//! `run --checkpoint`: what has been played is saved now and then, and a run goes on from there.
//!
//! What is saved are counts, all of them: of every variant of every scenario the first so many
//! encounters. A run that goes on plays the rest, and asks whether it is enough where it would have
//! asked anyway, so that it ends where it would have ended, with the same bytes.
//!
//! When to save is the only thing that is left to a clock, one that never goes backwards; what is
//! saved does not depend on it.

use super::args::RunArgs;
use super::place::{Kind, Place};
use super::run::Job;
use super::{Console, Exit, Failure};
use crate::output::grouped;
use crate::run::{Progress, StopRule};
use crate::shard::{self, Body, Damage, Fault, Head, Order, Part, RunId, Task, Text, Until};
use crate::tally::{Portable as _, Tally};
use anyhow::anyhow;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Where a run saves what it has played.
pub(super) struct Checkpoint {
    file: PathBuf,
    place: Place,
    id: RunId,
    every: Duration,
    saved: Instant,
    /// What has been counted of each fight; of those that were not begun, nothing.
    tallies: Vec<Tally>,
}

impl Checkpoint {
    /// Opens the file, and takes over what is in it; `place` is where it is written.
    ///
    /// # Errors
    /// If it holds something else.
    pub(super) fn open(
        file: &Path,
        args: &RunArgs,
        stop: &StopRule,
        jobs: &[Job],
        console: &mut Console<'_>,
    ) -> Result<Self, Failure> {
        if args.paper.report.as_deref() == Some(file) {
            return Err(Failure::input(anyhow!(
                "--checkpoint and --report name the same file, `{}`: the checkpoint is removed when \
                 all is done",
                file.display()
            )));
        }
        let fights = jobs.iter().flat_map(|job| &job.scenario.variants);
        let mut tallies: Vec<Tally> = fights.map(|variant| Tally::new(&variant.fight)).collect();
        let id = order(args, stop, jobs).id();
        match read(file, &id, most(stop), &mut tallies) {
            Ok(()) | Err(Fault::Missing) => {}
            Err(Fault::Unreadable(error)) => {
                let error = anyhow::Error::from(error);
                return Err(Failure::input(error.context(format!(
                    "cannot read the checkpoint `{}`",
                    file.display()
                ))));
            }
            Err(Fault::Damage(wrong)) => return Err(refused(file, &wrong)),
        }
        let found: u64 = tallies.iter().map(Tally::encounters).sum();
        if found > 0 && !args.playing.quiet {
            console.say(format_args!(
                "going on from `{}`: {} encounters have been played",
                file.display(),
                grouped(found)
            ));
        }
        Ok(Self {
            place: Place::prepare(file, Kind::Checkpoint).map_err(Failure::input)?,
            file: file.to_owned(),
            id,
            every: Duration::from_secs(args.checkpoint_every),
            saved: Instant::now(),
            tallies,
        })
    }

    /// What has been counted of a fight.
    pub(super) fn tally(&self, fight: usize) -> Tally {
        self.tallies[fight].clone()
    }

    /// When to save next.
    pub(super) fn due(&self) -> Instant {
        self.saved + self.every
    }

    /// Keeps what has been counted of a fight, and saves everything if it is time or `now`.
    ///
    /// A disk may be full now and not later: only if it is said `now` is it an error not to be able
    /// to save.
    pub(super) fn keep(
        &mut self,
        fight: usize,
        tally: &Tally,
        now: bool,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        self.tallies[fight].clone_from(tally);
        if !now && Instant::now() < self.due() {
            return Ok(());
        }
        let saved = self.save();
        self.saved = Instant::now();
        match saved {
            Err(failure) if now => Err(failure),
            Err(failure) => {
                console.say(format_args!(
                    "warning: {:#}; the last checkpoint is kept, and the run goes on",
                    failure.error
                ));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn save(&mut self) -> Result<(), Failure> {
        let counted = |(_, tally): &(usize, &Tally)| tally.encounters() > 0;
        let parts = self.tallies.iter().enumerate().filter(counted);
        let parts: Vec<(Part, Vec<u8>)> = parts
            .map(|(fight, tally)| {
                let encounters = 0..tally.encounters();
                let mut counts = Vec::new();
                tally.encode(&encounters, &mut counts);
                (Part { fight, encounters }, counts)
            })
            .collect();
        let all = self.tallies.iter().map(Tally::encounters).sum();
        let bytes = Head::checkpoint(self.id.clone(), all).file(&parts);
        self.place
            .write_bytes(|out| out.write_all(&bytes))
            .map_err(Failure::io)
    }

    /// Says how to go on.
    pub(super) fn left(&self, console: &mut Console<'_>) {
        if self.file.exists() {
            console.say(format_args!(
                "saved in `{}`: the same command goes on from there",
                self.file.display()
            ));
        }
    }

    /// Removes the file: the run is complete, and its results are written.
    pub(super) fn remove(self) -> Result<(), Failure> {
        match fs::remove_file(&self.file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                let error = anyhow::Error::from(error);
                Err(Failure::io(error.context(format!(
                    "the results are written, but `{}` cannot be removed",
                    self.file.display()
                ))))
            }
            _ => Ok(()),
        }
    }
}

/// What is played, for its fingerprint.
fn order(args: &RunArgs, stop: &StopRule, jobs: &[Job]) -> Order {
    let until = match stop {
        StopRule::Encounters(encounters) => Until::Encounters(*encounters),
        StopRule::Precision(rule) => Until::Precision {
            precision: rule.precision.to_string(),
            metric: rule.metrics.iter().map(|one| one.name.to_owned()).collect(),
            most: rule.most,
        },
        StopRule::Decisions(rule) => Until::Encounters(rule.most),
    };
    let scenarios = jobs.iter().map(|job| Text {
        name: job.stem.clone(),
        text: job.scenario.text.clone(),
    });
    let given = &args.playing.given;
    let task = Task::Run {
        variant: args.variants.clone(),
    };
    Order {
        seed: given.seed,
        confidence: given.confidence.to_string(),
        set: given.overrides.clone(),
        ..Order::new(task, until, scenarios.collect())
    }
}

/// The most encounters of a fight.
fn most(stop: &StopRule) -> u64 {
    match stop {
        StopRule::Encounters(encounters) => encounters.get(),
        StopRule::Precision(rule) => rule.most.get(),
        StopRule::Decisions(rule) => rule.most.get(),
    }
}

/// Reads what has been counted of each fight.
fn read(file: &Path, id: &RunId, most: u64, tallies: &mut [Tally]) -> Result<(), Fault> {
    let right = |head: &Head| head.must_be(&Head::checkpoint(id.clone(), head.encounters));
    let bytes = shard::read(file, right)?;
    let (head, body) = Body::open(&bytes)?;
    let mut all = 0u64;
    let mut next = 0;
    body.any(|body, part| {
        let begins = part.fight == next && part.encounters.start == 0;
        if !begins || !(1..=most).contains(&part.encounters.end) || next >= tallies.len() {
            return Err(Damage::Other {
                found: part.to_string(),
                wanted: format!("at the first encounters of fight {next}"),
            });
        }
        tallies[next] = body.counts(&tallies[next], &part)?;
        all = all.saturating_add(part.encounters.end);
        next += 1;
        Ok(())
    })?;
    Ok(head.must_be(&Head::checkpoint(id.clone(), all))?)
}

fn refused(file: &Path, wrong: &Damage) -> Failure {
    Failure {
        exit: Exit::Mismatch,
        error: anyhow!(
            "cannot go on from `{}`: {wrong}. It was left as it is: remove it to begin anew, or \
             name another file",
            file.display()
        ),
    }
}

/// Progress that sets a flag when it is time for a pause, and when the run is to end.
pub(super) struct Pausing<'a, G, F> {
    inner: &'a G,
    stop: &'a AtomicBool,
    /// Set when no more encounters are to be begun.
    pub(super) pause: AtomicBool,
    due: Option<Instant>,
    /// Says when playing on would be in vain.
    failed: &'a F,
}

impl<'a, G, F> Pausing<'a, G, F> {
    /// A pause at that instant, if at any, and as soon as something has `failed`.
    pub(super) fn new(
        inner: &'a G,
        stop: &'a AtomicBool,
        due: Option<Instant>,
        failed: &'a F,
    ) -> Self {
        Self {
            inner,
            stop,
            pause: AtomicBool::new(stop.load(Ordering::Relaxed)),
            due,
            failed,
        }
    }
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
