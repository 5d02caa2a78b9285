//! Numbered jobs, given away to threads in order.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The error when the operating system refuses to start the threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads")]
pub struct ThreadsRefused {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

/// Runs the jobs `0..jobs` on `threads` threads and returns one accumulator per thread: at least one, in no
/// particular order.
///
/// Threads claim jobs one by one, in rising order, and finish every job they claim: when `stop` is set,
/// the finished jobs are the first ones, without a gap.
///
/// # Errors
/// If the operating system refuses the threads.
pub fn run_jobs<W: Send>(
    jobs: u64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    new_worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) + Sync,
) -> Result<Vec<W>, ThreadsRefused> {
    let next = AtomicU64::new(0);
    let run_worker = || {
        let mut worker = new_worker();
        while !stop.load(Ordering::Relaxed) {
            // The counter hands out each number once; nothing else is passed from thread to thread.
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= jobs {
                break;
            }
            work(&mut worker, job);
        }
        worker
    };
    let useful = usize::try_from(jobs).map_or(threads.get(), |jobs| jobs.min(threads.get()));
    if useful <= 1 {
        return Ok(vec![run_worker()]);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(useful)
        .build()
        .map_err(|source| ThreadsRefused {
            threads: useful,
            source,
        })?;
    Ok(pool.broadcast(|_| run_worker()))
}
