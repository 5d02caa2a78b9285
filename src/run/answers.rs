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
    let work = |done: &mut Vec<(usize, Vec<Vec<u32>>)>, job: u64| {
        let (index, range) = &jobs[job as usize];
        let Wanted { player, fight, .. } = &wanted[*index];
        let subject = |(metric, name): &(&'static Metric, &str)| metric.scope.subject(fight, name);
        let subjects: Vec<Option<usize>> = questions.iter().map(subject).collect();
        let length = (range.end - range.start) as usize;
        let mut answers = vec![Vec::with_capacity(length); questions.len()];
        let (mut state, mut record) = (player.state(), Record::of(fight));
        player.play_all(&mut state, range.clone(), &mut record, |_, record| {
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
        done.push((job as usize, answers));
    };
    let workers = run_jobs(jobs.len() as u64, threads, stop, Vec::new, work)?;
    let mut done: Vec<(usize, Vec<Vec<u32>>)> = workers.into_iter().flatten().collect();
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
