//! Plays the variants of scenarios in stretches, so that an interrupted run has results of each variant.

use super::Command;
use super::checkpoint::{Checkpoint, Pausing};
use super::each::EachFile;
use super::{Context, Failure, Prepared, Source};
use super::{notes, solve};
use crate::exact::Budget;
use crate::output::{RunReport, VariantReport};
use crate::run::each::WithRows;
use crate::run::{Ended, Play, Until, runner};
use crate::scenario::Variant;
use crate::stats::Confidence;
use crate::tally::Tally;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of encounters in the first stretches; after each stretch the next variant is played.
const FIRST_STRETCH: u64 = 1024;

/// The number of stretches of a long run. An interrupt loses at most one stretch: all variants are kept up to
/// the last stretch that all of them have played.
const STRETCHES: u64 = 64;

/// Plays runs one after the other, with one progress bar, checkpoint and file of rows for all of them.
pub struct Runs<'a, S> {
    context: &'a Context<'a, S>,
    /// The rows of encounters, if they are wanted.
    each: Option<&'a EachFile>,
    /// The checkpoint, if progress is saved.
    pub checkpoint: Option<Checkpoint>,
    /// The number of fights of the runs so far.
    fights: usize,
    /// The number of encounters that each fight of all runs is expected to take.
    expected: Vec<u64>,
    /// The encounters of the runs so far, including those from a checkpoint.
    played: u64,
    /// The encounters of the last run that were not taken from a checkpoint.
    pub new: u64,
}

/// A variant that is being played.
struct VariantPlay<'a, P> {
    variant: &'a Variant,
    player: P,
    tally: Tally,
    /// How the variant ended; `None` while it is played.
    ended: Option<Ended>,
    /// The tally when all variants last had the same number of encounters.
    equal: Tally,
}

/// Returns the ends of stretches. The first ones are short, so that a long run soon has results of each variant.
fn stretches(rule: &Until, variants: usize) -> Vec<u64> {
    let Until::Encounters(all) = rule else {
        return rule.looks().counts().collect();
    };
    let mut ends = Vec::new();
    if variants > 1 {
        let mut end = FIRST_STRETCH;
        while end < all.get() {
            ends.push(end);
            end = end.saturating_add(end.min(all.get() / STRETCHES).max(FIRST_STRETCH));
        }
    }
    ends.push(all.get());
    ends
}

impl<'a, S: Source> Runs<'a, S> {
    /// Prepares to play runs with `fights` fights together.
    pub fn new(
        context: &'a Context<'a, S>,
        fights: usize,
        each: Option<&'a EachFile>,
        checkpoint: Option<Checkpoint>,
    ) -> Self {
        Self {
            context,
            each,
            checkpoint,
            fights: 0,
            expected: vec![0; fights],
            played: 0,
            new: 0,
        }
    }

    /// Plays the variants of a scenario.
    ///
    /// # Errors
    /// If a file cannot be written, the operating system refuses the threads, or a fight is too large to be solved.
    pub fn play(&mut self, run: &Prepared) -> Result<Vec<VariantReport>, Failure> {
        self.new = 0;
        let all = run.input().variants();
        if let Some(budget) = run.task.until.budget() {
            return self.solve(run, all, budget);
        }
        if self.each.is_none() {
            return self.play_together(run, all);
        }
        // The rows of a variant follow those of the one before.
        let mut variants = Vec::with_capacity(all.len());
        for variant in all {
            variants.extend(self.play_together(run, std::slice::from_ref(variant))?);
        }
        Ok(variants)
    }

    /// Solves the variants of a scenario. A variant that is not solved has an empty report.
    fn solve(
        &self,
        run: &Prepared,
        variants: &[Variant],
        budget: Budget,
    ) -> Result<Vec<VariantReport>, Failure> {
        let watch = self.context.watch;
        self.context.begin("solve", variants.len() as u64, 0, false);
        let all: Vec<&Variant> = variants.iter().collect();
        let solved = solve::each_solved(&run.inputs, &all, false, budget, &|_| true, self.context);
        watch.end();
        let reports = { variants.iter().zip(solved?) }
            .map(|(variant, (tally, ended))| VariantReport::new(variant, tally, ended));
        Ok(reports.collect())
    }

    /// Plays variants in turns, a stretch of each. If a run of a fixed count is interrupted, all variants are
    /// kept up to the last stretch that all of them have played.
    fn play_together(
        &mut self,
        run: &Prepared,
        variants: &[Variant],
    ) -> Result<Vec<VariantReport>, Failure> {
        let mut plays = Vec::with_capacity(variants.len());
        for (index, variant) in variants.iter().enumerate() {
            let rows = self
                .each
                .map(|each| (each.begin(&run.name, variant), &each.rows));
            let tally = match &self.checkpoint {
                None => Tally::new(&variant.fight),
                Some(checkpoint) => checkpoint.tally(self.fights + index),
            };
            let player = self.context.source.player(variant, run.task.seed);
            plays.push(VariantPlay {
                variant,
                player: WithRows::new(player, rows),
                equal: tally.clone(),
                tally,
                ended: None,
            });
        }
        let found: u64 = plays.iter().map(|play| play.tally.encounters()).sum();
        self.played += found;
        // Until the first look there is no estimate of the encounters needed for a precision.
        let first = run.task.until.looks().counts().next().unwrap_or_default();
        self.expected[self.fights..].fill(first);
        let is_fixed = matches!(run.task.until, Until::Encounters(_));
        let is_stopped = |play: &VariantPlay<'_, _>| play.ended == Some(Ended::Interrupted);
        self.context
            .begin("", self.expected_in_all(), self.played, !is_fixed);
        for end in stretches(&run.task.until, variants.len()) {
            for (index, play) in plays.iter_mut().enumerate() {
                if play.ended.is_none() {
                    self.play_stretch(run, self.fights + index, play, end)?;
                }
            }
            if plays.iter().any(is_stopped) || plays.iter().all(|play| play.ended.is_some()) {
                break;
            }
            for play in &mut plays {
                play.equal.clone_from(&play.tally);
            }
        }
        self.context.watch.end();
        self.fights += variants.len();
        let played: u64 = plays.iter().map(|play| play.tally.encounters()).sum();
        self.played += played - found;
        self.new += played - found;
        let stopped = plays.iter().any(is_stopped);
        // An interrupt in the first stretch leaves no encounters that all variants have played.
        let any = plays.iter().all(|play| play.equal.encounters() > 0);
        let report = |play: VariantPlay<'_, _>| {
            // Runs with a precision do not compare variants, so each variant keeps all its encounters.
            if stopped && any && is_fixed {
                VariantReport::new(play.variant, play.equal, Ended::Interrupted)
            } else {
                let ended = play.ended.unwrap_or(Ended::Interrupted);
                VariantReport::new(play.variant, play.tally, ended)
            }
        };
        Ok(plays.into_iter().map(report).collect())
    }

    fn expected_in_all(&self) -> u64 {
        self.expected.iter().copied().fold(0, u64::saturating_add)
    }

    /// Returns whether the intervals are narrow enough, and updates the forecast.
    fn is_enough(&mut self, run: &Prepared, fight: usize, tally: &Tally, last: bool) -> bool {
        let Until::Precision(rule) = &run.task.until else {
            return last;
        };
        let widest = rule.widest(tally, run.task.confidence);
        let excess = widest.map_or(0.0, |widest| widest.excess);
        let played = tally.encounters();
        if let Some(expected) = self.expected.get_mut(fight) {
            *expected = (needed(played, excess) as u64).clamp(played, rule.most.get());
        }
        self.context.length(self.expected_in_all());
        excess <= 1.0
    }

    /// Plays a variant to the end of a stretch.
    fn play_stretch(
        &mut self,
        run: &Prepared,
        fight: usize,
        play: &mut VariantPlay<'_, impl Play>,
        end: u64,
    ) -> Result<(), Failure> {
        let Context {
            stop,
            threads,
            watch,
            ..
        } = *self.context;
        let variant = play.variant;
        let last = run.task.until.looks().counts().last() == Some(end);
        let each = self.each;
        let failed = || each.is_some_and(|each| each.rows.has_failed());
        let side = variant.fight.sides.first().map_or("", String::as_str);
        let before = play.tally.encounters();
        watch.fight(&variant.name, side, before, play.tally.wins(0));
        // The checkpoint is past this stretch, where the precision had not been reached.
        if end < before {
            return Ok(());
        }
        loop {
            let due = self.checkpoint.as_ref().map(Checkpoint::due);
            let pausing = Pausing {
                inner: &watch,
                stop,
                pause: AtomicBool::new(stop.load(Ordering::Relaxed)),
                due,
                failed: &failed,
            };
            let range = play.tally.encounters()..end;
            let (player, fight_of) = (&play.player, &variant.fight);
            let more = runner::run(player, fight_of, range, threads, &pausing.pause, &pausing)
                .map_err(Failure::io)?;
            play.tally.merge(&more);
            let stopped = stop.load(Ordering::Relaxed);
            if let Some(checkpoint) = &mut self.checkpoint {
                checkpoint.keep(fight, &play.tally, stopped, watch);
            }
            if play.tally.encounters() == end {
                break;
            }
            if stopped || failed() {
                play.ended = Some(Ended::Interrupted);
                return Ok(());
            }
        }
        play.ended = match self.is_enough(run, fight, &play.tally, last) {
            true => Some(Ended::Enough),
            false if last => Some(Ended::Exhausted),
            false => None,
        };
        Ok(())
    }
}

/// Returns the number of encounters needed if after `played` the intervals are `excess` times too wide: widths
/// shrink with the square root of the count.
fn needed(played: u64, excess: f64) -> f64 {
    played as f64 * excess * excess
}

/// Returns the report of a scenario whose variants have been played.
pub(super) fn report(run: &Prepared, variants: Vec<VariantReport>) -> RunReport {
    let input = run.input();
    RunReport {
        notes: notes::notes(run, &variants),
        scenario: input.stem.clone(),
        title: input.title().to_owned(),
        question: input.loaded.scenario.question.clone(),
        replay: Command::new("trace", [run.input().file.as_path()])
            .given(run.task.seed, Confidence::DEFAULT, &run.task.set)
            .text(),
        until: run.task.until.clone(),
        confidence: run.task.confidence,
        is_detailed: false,
        variants,
    }
}
