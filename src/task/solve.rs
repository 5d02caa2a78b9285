//! Solves fights instead of playing them: several at a time, each on its own thread.

use super::{Context, Failure, Input, Source};
use crate::exact::{Budget, Limit, TooLarge, solve};
use crate::output::grouped;
use crate::question::shell_path;
use crate::run::Ended;
use crate::run::jobs::run_jobs;
use crate::run::runner;
use crate::scenario::Variant;
use crate::tally::{Metric, Solution, SolvedMetric, Tally};
use anyhow::anyhow;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The encounters played to estimate how long a fight takes to play.
const TRIED: u64 = 2_000;

/// The encounters after which every rate is known to ±0.1%, at 95%.
const PRECISE: u64 = 960_400;

/// Returns the number of situations of a solved fight.
pub(super) fn states(tally: &Tally) -> Option<u64> {
    tally.solution().map(|solution| solution.states)
}

/// Solves fights of a scenario, and returns a tally of each with the mean of every metric. Returns `None` if
/// interrupted.
///
/// # Errors
/// If a fight exceeds the budget. The error names the first such fight, whatever the number of threads.
pub(super) fn solved(
    input: &Input,
    variants: &[&Variant],
    budget: Budget,
    context: &Context<'_, impl Source>,
) -> Result<Option<Vec<Tally>>, Failure> {
    let solved = attempts(variants, budget, &|_| false, true, context)?;
    if context.stopped() {
        return Ok(None);
    }
    let tallies = solved
        .into_iter()
        .zip(variants)
        .map(|(tally, variant)| tally.map_err(|large| too_large(input, variant, &large, context)));
    tallies.collect::<Result<_, _>>().map(Some)
}

/// Solves fights, and returns a tally of each with the reason why it is empty, if it is: the mean of every metric, and the
/// distributions of the metrics that `wants` accepts. Warns of the fights that exceed the budget. The first fight
/// belongs to the first input, all others to the last.
///
/// # Errors
/// If no fight is solved because all of them exceed the budget. If the first is `needed`, as a baseline is, it must be
/// solved, and one of the others.
pub(super) fn each_solved(
    inputs: &[Input],
    variants: &[&Variant],
    needed: bool,
    budget: Budget,
    wants: &(dyn Fn(&Metric) -> bool + Sync),
    context: &Context<'_, impl Source>,
) -> Result<Vec<(Tally, Ended)>, Failure> {
    let solved = attempts(variants, budget, wants, false, context)?;
    let mut others = solved.iter().skip(usize::from(needed));
    let none = others.all(Result::is_err);
    let mut results = Vec::with_capacity(variants.len());
    let mut warned: Vec<&str> = Vec::new();
    for (job, (solved, variant)) in solved.into_iter().zip(variants).enumerate() {
        let large = match solved {
            Ok(tally) => {
                results.push((tally, Ended::Enough));
                continue;
            }
            Err(large) => large,
        };
        let mut ended = Ended::Interrupted;
        if !large.stopped() {
            let input = &inputs[if job == 0 { 0 } else { inputs.len() - 1 }];
            let failure = too_large(input, variant, &large, context);
            if (none && !context.stopped()) || (needed && job == 0) {
                return Err(failure);
            }
            // Points of a sweep share a name, and its table lists those that are missing.
            if !warned.contains(&&*variant.name) {
                let text = failure.to_string();
                // The first warning has the ways out, which are the same for all.
                let lines = if warned.is_empty() { usize::MAX } else { 1 };
                let lines: Vec<&str> = text.lines().take(lines).collect();
                context.watch.warn(&lines.join("\n"));
                warned.push(&variant.name);
            }
            ended = Ended::TooLarge;
        }
        results.push((Tally::new(&variant.fight), ended));
    }
    Ok(results)
}

/// Returns the reason why fights are not solved, if any are not. An interrupt comes first.
pub(super) fn ended(solved: &[(Tally, Ended)]) -> Ended {
    let is = |ended: &Ended| solved.iter().any(|(_, why)| why == ended);
    let whys = [Ended::Interrupted, Ended::TooLarge];
    whys.into_iter().find(is).unwrap_or(Ended::Enough)
}

/// Solves fights, and returns for each its means, or in a few words the reason why it cannot be solved. Returns
/// `None` if interrupted.
///
/// # Errors
/// If the operating system refuses the threads.
pub(super) fn tried(
    variants: &[&Variant],
    budget: Budget,
    context: &Context<'_, impl Source>,
) -> Result<Option<Vec<Result<Tally, String>>>, Failure> {
    let solved = attempts(variants, budget, &|_| false, false, context)?;
    if context.stopped() {
        return Ok(None);
    }
    let tried = solved.into_iter().map(|tally| {
        tally.map_err(|large| {
            let states = grouped(large.states);
            let more = large.limit.and_more();
            format!("too large to be solved: stopped at {states} situations{more}")
        })
    });
    Ok(Some(tried.collect()))
}

/// Solves fights, and returns the result of each. If `ends`, fights after the first that is too large are stopped.
fn attempts(
    variants: &[&Variant],
    budget: Budget,
    wants: &(dyn Fn(&Metric) -> bool + Sync),
    ends: bool,
    context: &Context<'_, impl Source>,
) -> Result<Vec<Result<Tally, TooLarge>>, Failure> {
    let Context {
        threads,
        stop,
        watch,
        ..
    } = *context;
    let first_failed = AtomicU64::new(u64::MAX);
    let stopped = || Err(TooLarge::new(0, 0, Limit::Stopped));
    let results = Mutex::new(variants.iter().map(|_| stopped()).collect::<Vec<_>>());
    let work = |(): &mut (), job: u64| {
        let variant = variants[job as usize];
        let mut watch_states = |states, round, undecided| {
            watch.solving(&variant.name, states, round, undecided);
            // Earlier fights go on, so that the error names the first fight that is too large.
            first_failed.load(Ordering::Relaxed) > job
        };
        let solution = solve(
            &variant.fight,
            &variant.rules,
            budget,
            wants,
            stop,
            &mut watch_states,
        );
        if solution.is_err() && ends {
            first_failed.fetch_min(job, Ordering::Relaxed);
        }
        let tally = solution.map(|solution| Tally::solved(&variant.fight, solution));
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        results[job as usize] = tally;
        watch.tick(1, &[]);
    };
    let jobs = variants.len() as u64;
    run_jobs(jobs, threads, stop, || (), work).map_err(Failure::io)?;
    Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the error for a fight that was not solved, with ways to avoid it.
fn too_large(
    input: &Input,
    variant: &Variant,
    large: &TooLarge,
    context: &Context<'_, impl Source>,
) -> Failure {
    let file = input.file.display().to_string();
    let states = grouped(large.states);
    let round = match large.round {
        0 => String::new(),
        round => format!(" ({} {round})", variant.fight.system.words.round),
    };
    let more = large.limit.and_more();
    let best = large.best.as_ref().filter(|best| best.undecided < 0.5);
    let known = best
        .and_then(|best| bounds(variant, best))
        .map_or_else(String::new, |known| format!("; {known}"));
    let time = match seconds(variant, context) {
        Some(seconds @ 1.0..) => format!("{} s", grouped(seconds.ceil() as u64)),
        _ => "less than 1 s".to_owned(),
    };
    Failure::input(anyhow!(
        "`{}` of `{file}` is too large to be solved: stopped at {states} situations{round}{more}{known}\n\
         played with `skirmish run {}` the same fight takes {time} for ±0.1%\n\
         to solve it: {}; --bound 1e-4 leaves rare situations open",
        variant.name,
        shell_path(&input.file),
        large.limit.way_out(),
    ))
}

/// Describes the bounds of the first side's win rate, with rare situations left open.
fn bounds(variant: &Variant, best: &Solution) -> Option<String> {
    let tally = Tally::new(&variant.fight);
    let rate = |fact: &&SolvedMetric| fact.metric.name == "win_rate";
    let fact = best.facts.iter().find(rate)?;
    let [low, _, high] = fact.mean?;
    let side = tally.subject(fact.metric.scope, fact.subject);
    let [low, high] = [(low * 1e4).floor() / 100.0, (high * 1e4).ceil() / 100.0];
    Some(format!("`{side}` wins {low}% to {high}% of the encounters"))
}

/// Returns the seconds that it takes to play a fight until rates are known to ±0.1%.
fn seconds(variant: &Variant, context: &Context<'_, impl Source>) -> Option<f64> {
    if cfg!(target_family = "wasm") {
        // WebAssembly has no clock.
        return None;
    }
    let (player, stop) = (context.source.player(variant, 0), AtomicBool::new(false));
    let begun = Instant::now();
    runner::run(
        &player,
        &variant.fight,
        0..TRIED,
        NonZeroUsize::MIN,
        &stop,
        &(),
    )
    .ok()?;
    let each = begun.elapsed().as_secs_f64() / TRIED as f64;
    Some(each * PRECISE as f64 / context.threads.get() as f64)
}
