//! Many fights on the same dice, with the value of each metric in each encounter.
//!
//! A search compares any two fights, so it keeps the values themselves, where a comparison keeps sums.

use super::jobs::ThreadsRefused;
use super::points::Point;
use super::runner::{BATCH, Play, Progress, length, run_batches};
use crate::sim::Record;
use crate::tally::Metric;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// The value of an encounter that showed none.
pub const NONE: u32 = u32::MAX;

/// Plays the encounters of all fights. Returns for each fight the values of each metric and subject, encounter by
/// encounter; `None` if `stop` was set before all were played.
///
/// # Errors
/// If the operating system refuses the threads.
pub fn run<P: Play>(
    points: &[Point<'_, P>],
    questions: &[(&'static Metric, &str)],
    threads: NonZeroUsize,
    stop: &AtomicBool,
    progress: &impl Progress,
) -> Result<Option<Vec<Vec<Vec<u32>>>>, ThreadsRefused> {
    let ranges = || points.iter().map(|point| point.encounters.clone());
    let done = Mutex::new(Vec::new());
    // A thread keeps the fight that it played last, with its state and record.
    let work = |last: &mut Option<(usize, P::State, Record)>, index: usize, range: Range<u64>| {
        let Point { play, fight, .. } = &points[index];
        let subjects: Vec<Option<usize>> = questions
            .iter()
            .map(|(metric, name)| metric.scope.subject(fight, name))
            .collect();
        let mut answers = vec![Vec::new(); questions.len()];
        let same = last.take().filter(|(last, ..)| *last == index);
        let same = same.unwrap_or_else(|| (index, play.state(), Record::of(fight)));
        let (_, state, record) = last.insert(same);
        play.play_all(state, range.clone(), record, |_, record| {
            for (((metric, _), subject), answers) in
                questions.iter().zip(&subjects).zip(&mut answers)
            {
                let value = subject
                    .and_then(|subject| metric.value(record, fight, subject))
                    .and_then(|value| u32::try_from(value).ok());
                answers.push(value.unwrap_or(NONE));
            }
        });
        progress.tick(length(&range), &[]);
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        done.push((index, range, answers));
    };
    run_batches(ranges(), BATCH, threads, stop, || None, work)?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let played: u64 = done.iter().map(|(_, range, _)| length(range)).sum();
    if played < ranges().map(|range| length(&range)).sum() {
        return Ok(None);
    }
    done.sort_unstable_by_key(|(index, range, _)| (*index, range.start));
    let mut all = vec![vec![Vec::new(); questions.len()]; points.len()];
    for (index, _, answers) in done {
        for (all, mut new) in all[index].iter_mut().zip(answers) {
            all.append(&mut new);
        }
    }
    Ok(Some(all))
}
