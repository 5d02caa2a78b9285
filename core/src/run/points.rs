//! Many fights, a range of encounters of each: the points of a sweep, the variants of a shard.
//!
//! Threads claim batches of encounters across the borders of points, so that no thread stands idle while a point comes
//! to its end. The same encounter numbers have the same dice at all points. The result of a point is passed on as soon
//! as it is complete, and its tally is dropped: there are never more tallies than threads.

use super::jobs::{ThreadsRefused, run_jobs};
use super::runner::{BATCH, Batches, Play, Progress, Worker};
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
    let batches: Vec<Batches> = points
        .iter()
        .map(|point| Batches::new(point.encounters.clone(), BATCH))
        .collect();
    // The first job of each point, and the number of all jobs.
    let mut jobs = vec![0];
    jobs.extend(batches.iter().scan(0, |jobs, batches| {
        *jobs += batches.count();
        Some(*jobs)
    }));
    let empty = || Place {
        tally: None,
        made: None,
    };
    let places: Vec<Mutex<Place<R>>> = points.iter().map(|_| Mutex::new(empty())).collect();
    let finish = |point: usize, tally: Tally| {
        let mut place = places[point].lock().unwrap_or_else(PoisonError::into_inner);
        let all = match place.tally.take() {
            Some(mut all) => {
                all.merge(&tally);
                all
            }
            None => tally,
        };
        let wanted = &points[point].encounters;
        if all.encounters() == wanted.end - wanted.start {
            place.made = Some(complete(point, all));
        } else {
            place.tally = Some(all);
        }
    };
    let workers = run_jobs(
        jobs.last().copied().unwrap_or_default(),
        threads,
        stop,
        || None,
        |at: &mut Option<(usize, Worker<'_, P>)>, job| {
            let wanted = jobs.partition_point(|&first| first <= job) - 1;
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
            let worker = &mut at.insert((wanted, worker)).1;
            let range = batches[wanted].get(job - jobs[wanted]);
            let played = range.end - range.start;
            worker.play(range);
            progress.tick(played, worker.fresh_wins());
        },
    )?;
    for (point, worker) in workers.into_iter().flatten() {
        finish(point, worker.tally);
    }
    let made = places.into_iter().map_while(|place| {
        place
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .made
    });
    Ok(made.collect())
}

/// The result of a point, or its tally so far.
struct Place<R> {
    /// The counts that threads have handed over, while some are missing.
    tally: Option<Tally>,
    made: Option<R>,
}
