//! Many fights on the same dice, with the value of each metric in each encounter.
//!
//! A search compares any two fights, so it keeps the values themselves, where a comparison keeps sums.

use super::jobs::{ThreadsRefused, run_jobs};
use super::runner::{BATCH, Batches, Play, Progress};
use crate::fight::Fight;
use crate::sim::Record;
use crate::tally::Metric;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The value of an encounter that showed none.
pub const NONE: u32 = u32::MAX;

/// A fight, its player, and the encounters that are still to be played.
#[derive(Debug)]
pub struct Wanted<'a, P> {
    /// Plays its encounters.
    pub player: P,
    /// The fight.
    pub fight: &'a Fight,
    /// The encounters to be played.
    pub encounters: Range<u64>,
}

/// One thread's part of the work.
struct Worker<S> {
    /// The fight that was played last, by its index, with its state and record.
    at: Option<(usize, S, Record)>,
    /// The answers of each job.
    done: Vec<(usize, Vec<Vec<u32>>)>,
}

/// Plays the encounters of all fights. Returns for each fight the values of each metric and subject, encounter by
/// encounter; `None` if `stop` was set before all were played.
///
/// # Errors
/// If the operating system refuses the threads.
pub fn run<P: Play>(
    wanted: &[Wanted<'_, P>],
    questions: &[(&'static Metric, &str)],
    threads: NonZeroUsize,
    stop: &AtomicBool,
    progress: &impl Progress,
) -> Result<Option<Vec<Vec<Vec<u32>>>>, ThreadsRefused> {
    let mut jobs: Vec<(usize, Range<u64>)> = Vec::new();
    for (index, one) in wanted.iter().enumerate() {
        let batches = Batches::new(one.encounters.clone(), BATCH);
        jobs.extend((0..batches.count()).map(|batch| (index, batches.get(batch))));
    }
    let work = |worker: &mut Worker<P::State>, job: u64| {
        let (index, range) = &jobs[job as usize];
        let Wanted { player, fight, .. } = &wanted[*index];
        let subject = |(metric, name): &(&'static Metric, &str)| metric.scope.subject(fight, name);
        let subjects: Vec<Option<usize>> = questions.iter().map(subject).collect();
        let length = (range.end - range.start) as usize;
        let mut answers = vec![Vec::with_capacity(length); questions.len()];
        let here = worker.at.take().filter(|(at, ..)| at == index);
        let here = here.unwrap_or_else(|| (*index, player.state(), Record::of(fight)));
        let (_, state, record) = worker.at.insert(here);
        player.play_all(state, range.clone(), record, |_, record| {
            for (((metric, _), subject), answers) in
                questions.iter().zip(&subjects).zip(&mut answers)
            {
                let value = subject.and_then(|subject| metric.value(record, fight, subject));
                answers.push(
                    value
                        .and_then(|value| u32::try_from(value).ok())
                        .unwrap_or(NONE),
                );
            }
        });
        progress.tick(range.end - range.start, &[]);
        worker.done.push((job as usize, answers));
    };
    let new_worker = || Worker {
        at: None,
        done: Vec::new(),
    };
    let workers = run_jobs(jobs.len() as u64, threads, stop, new_worker, work)?;
    let done = workers.into_iter().flat_map(|worker| worker.done);
    let mut done: Vec<(usize, Vec<Vec<u32>>)> = done.collect();
    if done.len() < jobs.len() {
        return Ok(None);
    }
    done.sort_unstable_by_key(|(job, _)| *job);
    let mut all = vec![vec![Vec::new(); questions.len()]; wanted.len()];
    for (job, answers) in done {
        for (all, mut new) in all[jobs[job].0].iter_mut().zip(answers) {
            all.append(&mut new);
        }
    }
    Ok(Some(all))
}
