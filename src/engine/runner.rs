//! Many encounters, on any number of threads, with one result.
//!
//! Threads claim batches of encounters from one counter, in rising order, and each counts into a
//! tally of its own; the tallies are merged when all are done. As an encounter depends on its
//! number alone and tallies are integers, neither threads nor batches can be seen in the result.
//! A batch once claimed is finished: whenever a run is stopped, what has been played is the first
//! so many encounters, and nothing else.

use super::record::{Counts, Record};
use crate::fight::Fight;
use crate::tally::Tally;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Encounters a thread claims at a time: enough that claiming costs nothing, few enough that a
/// stop is answered at once.
const BATCH: u64 = 256;

/// Something that plays encounters.
pub trait Play: Sync {
    /// What one thread needs to play, made once and used again for every encounter.
    type State: Send;

    /// Makes what a thread needs.
    fn state(&self) -> Self::State;

    /// Plays the encounter of that number. Every field of `record` must be written: it still holds
    /// an earlier encounter.
    fn play(&self, state: &mut Self::State, encounter: u64, record: &mut Record);
}

/// Somebody who wants to know how a run is getting on.
pub trait Progress: Sync {
    /// So many more encounters are done; the wins among them, for each side.
    fn tick(&self, encounters: u64, wins: &[u64]);
}

/// Nobody wants to know.
impl Progress for () {
    fn tick(&self, _encounters: u64, _wins: &[u64]) {}
}

/// Plays the encounters of a range until it is done or `stop` is set, and returns their tally and
/// how many were finished: always the first ones of the range.
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
) -> Result<(Tally, u64), ThreadsRefused> {
    run_in_batches(play, fight, range, threads, BATCH, stop, progress)
}

/// The operating system would not start the threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads")]
pub struct ThreadsRefused {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

/// [`run`] with batches of another size, which changes nothing but the pace.
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
) -> Result<(Tally, u64), ThreadsRefused> {
    let batches = Batches {
        length: range.end.saturating_sub(range.start),
        start: range.start,
        size: batch,
        count: range.end.saturating_sub(range.start).div_ceil(batch),
        next: AtomicU64::new(0),
        stop,
    };
    let work = || worker(play, fight, &batches, progress);
    let useful = usize::try_from(batches.count).map_or(threads.get(), |c| c.min(threads.get()));
    let tally = if useful <= 1 {
        work()
    } else {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(useful)
            .build()
            .map_err(|source| ThreadsRefused {
                threads: useful,
                source,
            })?;
        let mut tallies = pool.broadcast(|_| work()).into_iter();
        let first = tallies.next().unwrap_or_else(|| Tally::new(fight));
        tallies.fold(first, |mut all, part| {
            all.merge(&part);
            all
        })
    };
    let finished = tally.encounters();
    Ok((tally, finished))
}

/// The encounters of a run, given away in order.
struct Batches<'a> {
    start: u64,
    length: u64,
    size: u64,
    count: u64,
    next: AtomicU64,
    stop: &'a AtomicBool,
}

impl Batches<'_> {
    fn claim(&self) -> Option<Range<u64>> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        // The counter hands out each number once; nothing else is passed from thread to thread.
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        if index >= self.count {
            return None;
        }
        let from = index * self.size;
        let to = from.saturating_add(self.size).min(self.length);
        Some(self.start + from..self.start + to)
    }
}

fn worker<P: Play>(
    play: &P,
    fight: &Fight,
    batches: &Batches<'_>,
    progress: &impl Progress,
) -> Tally {
    let mut tally = Tally::new(fight);
    let mut state = play.state();
    let mut record = Record {
        combatants: vec![Counts::default(); fight.combatants.len()],
        ..Record::default()
    };
    let mut told = vec![0; fight.sides.len()];
    let mut wins = told.clone();
    while let Some(batch) = batches.claim() {
        let encounters = batch.end - batch.start;
        for encounter in batch {
            play.play(&mut state, encounter, &mut record);
            tally.add(encounter, &record);
        }
        for (side, (wins, told)) in wins.iter_mut().zip(&mut told).enumerate() {
            let all = tally.wins(side);
            *wins = all - *told;
            *told = all;
        }
        progress.tick(encounters, &wins);
    }
    tally
}
