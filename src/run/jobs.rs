//! Numbered jobs, given away to threads in order.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The operating system would not start the threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads")]
pub struct ThreadsRefused {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

/// Does the jobs `0..jobs` on so many threads, and returns what each thread has made of those it
/// did. There is at least one of these, in no particular order.
///
/// Jobs are claimed one by one, in rising order, and a job once claimed is finished: whenever
/// `stop` is set, what has been done is the first so many jobs, and nothing else.
///
/// # Errors
/// If the operating system refuses the threads.
pub fn share_out<W: Send>(
    jobs: u64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    hire: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) + Sync,
) -> Result<Vec<W>, ThreadsRefused> {
    let next = AtomicU64::new(0);
    let labour = || {
        let mut worker = hire();
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
        return Ok(vec![labour()]);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(useful)
        .build()
        .map_err(|source| ThreadsRefused {
            threads: useful,
            source,
        })?;
    Ok(pool.broadcast(|_| labour()))
}
