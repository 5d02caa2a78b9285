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
    let batch = batch_of(length(&range));
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
    let new_worker = || Worker::new(play, fight);
    let work = |worker: &mut Worker<'_, P>, _, range| worker.play(range, progress);
    let workers = run_batches([range], batch, threads, stop, new_worker, work)?;
    let mut tally = Tally::new(fight);
    for worker in workers {
        tally.merge(&worker.tally);
    }
    Ok(tally)
}

/// Runs `work` for batches of up to `size` encounters of all ranges, one range after the other, each with the index of its
/// range. Returns one accumulator per thread, as [`run_jobs`] does.
pub(super) fn run_batches<W: Send>(
    ranges: impl IntoIterator<Item = Range<u64>>,
    size: u64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    new_worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize, Range<u64>) + Sync,
) -> Result<Vec<W>, ThreadsRefused> {
    assert!(size > 0, "batches of nothing");
    let mut batches = 0;
    // Each range, and the number of its first batch.
    let ranges: Vec<(u64, Range<u64>)> = ranges
        .into_iter()
        .map(|range| {
            let first = batches;
            batches += length(&range).div_ceil(size);
            (first, range)
        })
        .collect();
    run_jobs(batches, threads, stop, new_worker, |worker, batch| {
        let index = ranges.partition_point(|(first, _)| *first <= batch) - 1;
        let (first, range) = &ranges[index];
        let start = range.start + (batch - first) * size;
        let end = start.saturating_add(size).min(range.end);
        work(worker, index, start..end);
    })
}

/// Returns the number of encounters in a range.
pub(super) fn length(encounters: &Range<u64>) -> u64 {
    encounters.end.saturating_sub(encounters.start)
}

/// One thread's part of a run.
pub(super) struct Worker<'a, P: Play> {
    play: &'a P,
    state: P::State,
    record: Record,
    pub(super) tally: Tally,
}

impl<'a, P: Play> Worker<'a, P> {
    pub(super) fn new(play: &'a P, fight: &Fight) -> Self {
        Self {
            play,
            state: play.state(),
            record: Record::of(fight),
            tally: Tally::new(fight),
        }
    }

    pub(super) fn play(&mut self, encounters: Range<u64>, progress: &impl Progress) {
        let (tally, played) = (&mut self.tally, length(&encounters));
        let wins = |tally: &Tally| {
            (0..tally.sides().len())
                .map(|side| tally.wins(side))
                .collect()
        };
        let before: Vec<u64> = wins(tally);
        let count = |encounter, record: &Record| tally.add(encounter, record);
        self.play
            .play_all(&mut self.state, encounters, &mut self.record, count);
        let mut wins: Vec<u64> = wins(tally);
        for (all, before) in wins.iter_mut().zip(before) {
            *all -= before;
        }
        progress.tick(played, &wins);
    }
}
