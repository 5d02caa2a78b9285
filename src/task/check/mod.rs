//! Tests scenarios against expectations.
//!
//! A check answers two questions, and decides each on intervals instead of point estimates: whether a scenario's
//! expectations hold (`expectations`), and whether results match the committed ones (`baseline`).

mod baseline;
mod expectations;

use super::{Check, Context, Failure, Input, Question, Source, Task, Until, Watch, Within, solve};
use crate::output::findings::{Checked, Finding, Findings};
use crate::report::number::grouped;
use crate::run::paired::{self, Contender, Paired};
use crate::run::stop::Looks;
use crate::run::{Play, Progress};
use crate::scenario::expect::{Expectation, Statistic};
use crate::stats::Confidence;
use crate::tally::Metric;
use anyhow::anyhow;
use std::collections::HashMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The looks, seed, threads and progress of a check. Counts the encounters played.
pub struct Schedule<'a> {
    /// The number of encounters at each look.
    looks: Vec<u64>,
    /// The level at each look with which all looks together hold at the requested level, wherever play stops.
    each: Confidence,
    seed: u64,
    confidence: Confidence,
    threads: NonZeroUsize,
    stop: &'a AtomicBool,
    watch: &'a dyn Watch,
    /// The encounters of all fights so far.
    played: AtomicU64,
}

impl<'a> Schedule<'a> {
    /// Returns a schedule of looks from the first count of encounters to the second, which together hold at
    /// `confidence`.
    pub fn new<S>(
        encounters: [NonZeroU64; 2],
        seed: u64,
        confidence: Confidence,
        context: &Context<'a, S>,
    ) -> Self {
        let [first, most] = encounters;
        let looks = Looks::for_decisions(first, most);
        Self {
            looks: looks.counts().collect(),
            each: looks.each(confidence),
            seed,
            confidence,
            threads: context.threads,
            stop: context.stop,
            watch: context.watch,
            played: AtomicU64::new(0),
        }
    }

    /// Returns the number of encounters played.
    fn played(&self) -> u64 {
        self.played.load(Ordering::Relaxed)
    }

    /// Reports that the next `encounters`, of all fights together, are about to be played.
    fn expect(&self, encounters: u64) {
        self.watch.length(self.played().saturating_add(encounters));
    }

    /// Plays encounters of several fights side by side.
    fn play_paired<P: Play>(
        &self,
        contenders: &[Contender<'_, P>],
        questions: &[paired::ComparedMetric],
        range: Range<u64>,
    ) -> Result<Paired, Halt> {
        paired::run(contenders, questions, range, self.threads, self.stop, self).map_err(Halt::io)
    }

    /// Returns the level of each interval at each look, for one question that is tested at all looks.
    pub fn each(&self) -> Confidence {
        self.each
    }

    /// Returns the number of encounters at a look, or `None` after the last look.
    fn look(&self, index: usize) -> Option<u64> {
        self.looks.get(index).copied()
    }

    /// Returns whether `index` is the last look.
    fn is_last(&self, index: usize) -> bool {
        index + 1 >= self.looks.len()
    }
}

impl Progress for Schedule<'_> {
    fn tick(&self, encounters: u64, wins: &[u64]) {
        self.played.fetch_add(encounters, Ordering::Relaxed);
        self.watch.tick(encounters, wins);
    }
}

/// The reason why a check ends without an answer.
#[derive(Debug)]
pub enum Halt {
    /// The check was interrupted: a decision now would depend on when.
    Interrupted,
    /// The check failed.
    Failed(Failure),
}

impl Halt {
    fn io(error: impl Into<anyhow::Error>) -> Self {
        Self::Failed(Failure::io(error))
    }

    fn input(error: impl Into<anyhow::Error>) -> Self {
        Self::Failed(Failure::input(error))
    }
}

/// A check with valid options and scenarios.
#[derive(Debug)]
pub struct Checks {
    task: Task,
    check: Check,
    inputs: Vec<Input>,
    /// The committed results of each scenario.
    committed: Vec<baseline::Committed>,
}

impl Check {
    /// Checks the options that need no scenario.
    ///
    /// # Errors
    /// If the tolerance or the looks make no sense.
    pub fn understand(&self, until: &Until) -> Result<(), Failure> {
        if let Until::Looks { first, most } = until
            && most < first
        {
            return Err(Failure::input(anyhow!(
                "--max-encounters {} is less than --encounters {}, the first look",
                grouped(most.get()),
                grouped(first.get())
            )));
        }
        Ok(())
    }
}

impl Task {
    /// Validates a check with its scenarios.
    ///
    /// # Errors
    /// If the scenarios have no expectations to test, or committed results cannot be read: the message then has
    /// a line for each.
    pub fn check(&self, inputs: Vec<Input>) -> Result<Checks, Failure> {
        let Question::Check(check) = &self.question else {
            return Err(Failure::input(anyhow!("this is not a check")));
        };
        check.understand(&self.until)?;
        for Input { loaded, .. } in &inputs {
            for name in loaded
                .scenario
                .expectations
                .iter()
                .flat_map(Expectation::variants)
            {
                loaded.has_sound(name)?;
            }
        }
        let committed = match &check.baseline {
            None => Vec::new(),
            Some(folder) => baseline::open(folder, &self.set, &inputs)?,
        };
        let expected = |input: &Input| !input.loaded.scenario.expectations.is_empty();
        if check.baseline.is_none() && !inputs.iter().any(expected) {
            return Err(Failure::input(anyhow!(
                "nothing is expected of {}: write `[[expect]]` into the scenario (docs/CI.md), or \
                 ask for --baseline",
                if inputs.len() == 1 {
                    "it"
                } else {
                    "any of them"
                }
            )));
        }
        Ok(Checks {
            task: self.clone(),
            check: check.clone(),
            inputs,
            committed,
        })
    }
}

impl Checks {
    /// The scenarios.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Decides all expectations, and returns the findings and the number of encounters played. If interrupted, it
    /// returns the findings so far: the verdict of a look does not depend on when that was.
    ///
    /// # Errors
    /// If the check fails.
    pub fn decide(&self, context: &Context<'_, impl Source>) -> Result<(Checked, u64), Failure> {
        let mut total = 0;
        let mut files = Vec::with_capacity(self.inputs.len());
        let (first, most) = match self.task.until {
            Until::Looks { first, most } => (first, most),
            _ => (self.task.until.most(), self.task.until.most()),
        };
        let expected = |input: &Input| first.get().saturating_mul(input.variants().len() as u64);
        let mut later: u64 = self.inputs.iter().map(expected).sum();
        for (index, input) in self.inputs.iter().enumerate() {
            later -= expected(input);
            let watch = Within::new(context.watch, total, later);
            watch.begin(&input.stem, expected(input), 0, true);
            let context = Context {
                watch: &watch,
                ..*context
            };
            let list = self.examine(index, [first, most], &context, &mut total);
            watch.end();
            match list {
                Ok(list) => files.push(Findings {
                    file: input.file.display().to_string(),
                    scenario: input.stem.clone(),
                    list,
                }),
                Err(Halt::Interrupted) => {}
                Err(Halt::Failed(failure)) => return Err(failure),
            }
        }
        let checked = Checked {
            files,
            seed: self.task.seed,
            confidence: self.task.confidence,
            undecided_passes: self.check.allow_undecided,
        };
        Ok((checked, total))
    }

    /// Examines the scenario at `index`, with looks from the first of `encounters` to the second.
    ///
    /// # Errors
    /// If the check is interrupted or fails.
    pub fn examine(
        &self,
        index: usize,
        encounters: [NonZeroU64; 2],
        context: &Context<'_, impl Source>,
        total: &mut u64,
    ) -> Result<Vec<Finding>, Halt> {
        let Task {
            seed, confidence, ..
        } = self.task;
        let check = &self.check;
        let schedule = Schedule::new(encounters, seed, confidence, context);
        let loaded = &self.inputs[index].loaded;
        let mut list = match self.task.until {
            Until::Exact(budget) => {
                let input = &self.inputs[index];
                let wanted = expectations::solvable(loaded);
                let expected = &loaded.scenario.expectations;
                let metrics = |metric: &Metric| {
                    let quantile = |one: &Expectation| one.statistic != Statistic::Mean;
                    expected
                        .iter()
                        .any(|one| quantile(one) && one.metric.name == metric.name)
                };
                let solved =
                    solve::each_solved([input; 2], &wanted, false, budget, &metrics, context)
                        .map_err(Halt::Failed)?;
                let named = wanted.iter().map(|variant| variant.name.as_str());
                let solved = named.zip(solved);
                expectations::examine(loaded, solved.collect(), &schedule)?
            }
            _ => expectations::examine(loaded, HashMap::new(), &schedule)?,
        };
        if let Some(committed) = self.committed.get(index) {
            let tolerance = check.tolerance.unwrap_or_default();
            list.extend(baseline::compare(committed, tolerance, &schedule)?);
        }
        *total += schedule.played();
        Ok(list)
    }
}
