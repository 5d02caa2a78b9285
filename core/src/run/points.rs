//! Many fights, a range of encounters of each: the points of a sweep, the variants of a shard.
//!
//! Threads claim batches of encounters across the borders of points, so that no thread stands idle while a point comes
//! to its end. The same encounter numbers have the same dice at all points. The result of a point is passed on as soon
//! as it is complete, and its tally is dropped: there are never more tallies than threads.

use super::jobs::ThreadsRefused;
use super::runner::{BATCH, Play, Progress, Worker, length, run_batches};
use crate::fight::Fight;
use crate::tally::Tally;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// One fight, its player, and its range of encounters.
#[derive(Debug)]
pub struct Point<'a, P> {
    /// Plays its encounters.
    pub play: P,
    /// The fight.
    pub fight: &'a Fight,
    /// The encounters to be played; at least one.
    pub encounters: Range<u64>,
}

/// Plays the encounters of every point until all are done or `stop` is set. `complete` converts the number and the
/// tally of a point into its result. It is called once for each complete point, from any thread.
///
/// Returns the results in the order of the points. If `stop` was set, these are the first points, all of them
/// complete; an unfinished point is dropped.
///
/// # Errors
/// If the operating system refuses the threads.
pub fn run<P: Play, R: Send>(
    points: &[Point<'_, P>],
    threads: NonZeroUsize,
    stop: &AtomicBool,
    progress: &impl Progress,
    complete: impl Fn(usize, Tally) -> R + Sync,
) -> Result<Vec<R>, ThreadsRefused> {
    // The counts of each point that threads have handed over, while some are missing, and then its result.
    let results: Vec<Mutex<(Option<Tally>, Option<R>)>> =
        points.iter().map(|_| Mutex::default()).collect();
    let finish = |point: usize, tally: Tally| {
        let mut result = results[point]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let all = match result.0.take() {
            Some(mut all) => {
                all.merge(&tally);
                all
            }
            None => tally,
        };
        if all.encounters() == length(&points[point].encounters) {
            result.1 = Some(complete(point, all));
        } else {
            result.0 = Some(all);
        }
    };
    let workers = run_batches(
        points.iter().map(|point| point.encounters.clone()),
        BATCH,
        threads,
        stop,
        || None,
        |at: &mut Option<(usize, Worker<'_, P>)>, wanted, range| {
            let worker = match at.take() {
                Some((point, worker)) if point == wanted => worker,
                left => {
                    if let Some((point, worker)) = left {
                        finish(point, worker.tally);
                    }
                    let Point { play, fight, .. } = &points[wanted];
                    Worker::new(play, fight)
                }
            };
            at.insert((wanted, worker)).1.play(range, progress);
        },
    )?;
    for (point, worker) in workers.into_iter().flatten() {
        finish(point, worker.tally);
    }
    let results = results.into_iter().map_while(|result| {
        let (_, result) = result.into_inner().unwrap_or_else(PoisonError::into_inner);
        result
    });
    Ok(results.collect())
}
