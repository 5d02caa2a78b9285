//! Many encounters, on any number of threads, with one result.
//!
//! Threads claim batches of encounters in rising order, and each counts into a tally of its own;
//! the tallies are merged when all are done. As an encounter depends on its number alone and
//! tallies are integers, the result depends neither on threads nor on batches. A run that is
//! stopped has played its first encounters, without a gap.

use super::jobs::{ThreadsRefused, run_jobs};
use crate::fight::Fight;
use crate::sim::Record;
use crate::tally::Tally;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The encounters that a thread claims at a time: enough that claiming costs nothing, few enough that a stop takes
/// effect at once.
pub(super) const BATCH: u64 = 256;

/// Returns the batch size for a run of `encounters` encounters: large enough that claiming costs nothing, small enough
/// that threads seldom wait for the last batch.
const fn batch_of(encounters: u64) -> u64 {
    match encounters / 256 {
        ..64 => 64,
        some @ 64..512 => some,
        512.. => 512,
    }
}

/// Plays encounters.
pub trait Play: Sync {
    /// The state of one thread, created once and reused for every encounter.
    type State: Send;

    /// Creates the state of a thread.
    fn state(&self) -> Self::State;

    /// Plays an encounter. Every field of `record` must be written: the record still holds an earlier encounter.
    fn play(&self, state: &mut Self::State, encounter: u64, record: &mut Record);

    /// Plays the encounters of a range in order and passes the record of each to `each`. `record` is a buffer.
    fn play_all(
        &self,
        state: &mut Self::State,
        encounters: Range<u64>,
        record: &mut Record,
        mut each: impl FnMut(u64, &Record),
    ) {
        for encounter in encounters {
            self.play(state, encounter, record);
            each(encounter, record);
        }
    }
}

impl<P: Play> Play for &P {
    type State = P::State;

    fn state(&self) -> P::State {
        (**self).state()
    }

    fn play(&self, state: &mut P::State, encounter: u64, record: &mut Record) {
        (**self).play(state, encounter, record);
    }

    fn play_all(
        &self,
        state: &mut P::State,
        encounters: Range<u64>,
        record: &mut Record,
        each: impl FnMut(u64, &Record),
    ) {
        (**self).play_all(state, encounters, record, each);
    }
}

/// Receives progress updates from the runner.
pub trait Progress: Sync {
    /// Called after `encounters` more encounters, with the wins of each side among them.
    fn tick(&self, encounters: u64, wins: &[u64]);
}

/// Ignores progress.
impl Progress for () {
    fn tick(&self, _encounters: u64, _wins: &[u64]) {}
}

/// Plays the encounters of a range until the range is done or `stop` is set. Returns their tally; they are always the
/// first ones of the range.
///
/// # Errors
/// If the operating system refuses the threads.
pub fn run<P: Play>(
    play: &P,
    fight: &Fight,
    range: Range<u64>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    progress: &impl Progress,
) -> Result<Tally, ThreadsRefused> {
    let batch = batch_of(range.end.saturating_sub(range.start));
    run_in_batches(play, fight, range, threads, batch, stop, progress)
}

/// Plays as [`run`] does, in batches of another size. The size affects nothing but speed.
///
/// # Errors
/// If the operating system refuses the threads.
///
/// # Panics
/// If `batch` is 0.
pub fn run_in_batches<P: Play>(
    play: &P,
    fight: &Fight,
    range: Range<u64>,
    threads: NonZeroUsize,
    batch: u64,
    stop: &AtomicBool,
    progress: &impl Progress,
) -> Result<Tally, ThreadsRefused> {
    let batches = Batches::new(range, batch);
    let workers = run_jobs(
        batches.count(),
        threads,
        stop,
        || Worker::new(play, fight),
        |worker, job| {
            let range = batches.get(job);
            let encounters = range.end - range.start;
            worker.play(range);
            progress.tick(encounters, worker.fresh_wins());
        },
    )?;
    let mut tally = Tally::new(fight);
    for worker in workers {
        tally.merge(&worker.tally);
    }
    Ok(tally)
}

/// A range of encounters, cut into batches.
#[derive(Debug, Clone)]
pub(super) struct Batches {
    range: Range<u64>,
    size: u64,
}

impl Batches {
    pub(super) fn new(range: Range<u64>, size: u64) -> Self {
        assert!(size > 0, "batches of nothing");
        Self { range, size }
    }

    pub(super) fn count(&self) -> u64 {
        let length = self.range.end.saturating_sub(self.range.start);
        length.div_ceil(self.size)
    }

    pub(super) fn get(&self, index: u64) -> Range<u64> {
        let from = self.range.start + index * self.size;
        from..from.saturating_add(self.size).min(self.range.end)
    }
}

/// One thread's part of a run.
pub(super) struct Worker<'a, P: Play> {
    play: &'a P,
    state: P::State,
    record: Record,
    pub(super) tally: Tally,
    /// The wins of each side that have been reported.
    told: Vec<u64>,
    fresh: Vec<u64>,
}

impl<'a, P: Play> Worker<'a, P> {
    pub(super) fn new(play: &'a P, fight: &Fight) -> Self {
        Self {
            play,
            state: play.state(),
            record: Record::of(fight),
            tally: Tally::new(fight),
            told: vec![0; fight.sides.len()],
            fresh: vec![0; fight.sides.len()],
        }
    }

    pub(super) fn play(&mut self, encounters: Range<u64>) {
        let tally = &mut self.tally;
        let count = |encounter, record: &Record| tally.add(encounter, record);
        self.play
            .play_all(&mut self.state, encounters, &mut self.record, count);
    }

    /// Returns the wins of each side since the last call.
    pub(super) fn fresh_wins(&mut self) -> &[u64] {
        for (side, (fresh, told)) in self.fresh.iter_mut().zip(&mut self.told).enumerate() {
            let all = self.tally.wins(side);
            *fresh = all - *told;
            *told = all;
        }
        &self.fresh
    }
}
