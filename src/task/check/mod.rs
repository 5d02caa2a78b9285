//! Tests scenarios against expectations.
//!
//! A check answers two questions, and decides each on intervals instead of point estimates: whether a scenario's
//! expectations hold (`expectations`), and whether results match the committed ones (`baseline`).

mod baseline;
mod expectations;

use super::{Check, Context, Failure, Input, Question, Source, Task, Until, Watch, solve};
use crate::fight::Ending;
use crate::names::of_file;
use crate::output::findings::{Checked, Finding, Findings};
use crate::run::stop::Looks;
use crate::run::{Play as _, Player, Progress};
use crate::scenario::expect::{Expectation, Statistic};
use crate::sim::Record;
use crate::stats::Confidence;
use crate::stats::intervals::of_rate;
use crate::tally::Metric;
use anyhow::bail;
use std::collections::HashMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::slice;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The looks, seed, threads and progress of a check. Counts the encounters played.
struct Schedule<'a> {
    /// The number of encounters at each look.
    looks: Vec<u64>,
    /// The level at each look with which all looks together hold at the requested level, wherever play stops.
    each: Confidence,
    seed: u64,
    confidence: Confidence,
    threads: NonZeroUsize,
    stop: &'a AtomicBool,
    watch: &'a dyn Watch,
    /// The encounters of the other scenarios.
    others: u64,
    /// The encounters of all fights so far.
    played: AtomicU64,
}

impl Schedule<'_> {
    /// Returns the number of encounters played.
    fn played(&self) -> u64 {
        self.played.load(Ordering::Relaxed)
    }

    /// Reports that the next `encounters`, of all fights together, are about to be played.
    fn expect(&self, encounters: u64) {
        let here = self.played().saturating_add(encounters);
        self.watch.length(here.saturating_add(self.others));
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
enum Halt {
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

impl Task {
    /// Validates a check with its scenarios.
    ///
    /// # Errors
    /// If the scenarios have no expectations to test, or committed results cannot be read: the message then has
    /// a line for each.
    pub fn check(&self, inputs: Vec<Input>) -> anyhow::Result<Checks> {
        let Question::Check(check) = &self.question else {
            bail!("this is not a check");
        };
        self.validate()?;
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
            bail!("{}", nothing_expected(&inputs, self.seed));
        }
        Ok(Checks {
            task: self.clone(),
            check: check.clone(),
            inputs,
            committed,
        })
    }
}

/// Says that there is nothing to check, with an expectation to paste: the win rate of the first side, as a few encounters
/// show it.
fn nothing_expected(inputs: &[Input], seed: u64) -> String {
    const FEW: u64 = 500;
    /// Rounds of combatants after which there are fewer encounters: a second of play.
    const MOST_ROUNDS: u64 = 2_000_000;
    /// The share of suggestions that miss.
    const MISSES: f64 = 1e-4;
    let files: Vec<String> = inputs.iter().map(|input| of_file(&input.file)).collect();
    let has = if files.len() == 1 { "has" } else { "have" };
    let nothing = format!(
        "{} {has} no `[[expect]]`, so there is nothing to check (--baseline compares with committed results)",
        files.join(", ")
    );
    let variant = &inputs[0].variants()[0];
    let player = Player::new(&variant.fight, &variant.rules, seed);
    let (mut state, mut record) = (player.state(), Record::default());
    let (mut wins, mut played, mut rounds) = (0, 0, 0);
    while played < FEW && rounds < MOST_ROUNDS {
        player.play(&mut state, played, &mut record);
        wins += u64::from(record.ending == Ending::Win(0));
        rounds += u64::from(record.rounds) * variant.fight.combatants.len() as u64;
        played += 1;
    }
    let level = Confidence::of_error(MISSES).unwrap_or_default();
    let Some(rate) = of_rate(wins, played, level) else {
        return nothing;
    };
    let (low, high) = ((100.0 * rate.low).floor(), (100.0 * rate.high).ceil());
    let side = toml::Value::from(variant.fight.sides[0].as_str());
    format!(
        "{nothing}; to begin with, add:\n\
         [[expect]]\nmetric = \"win_rate\"\nside = {side}\nbetween = [\"{low}%\", \"{high}%\"]"
    )
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
            let context = Context {
                before: total,
                later,
                ..*context
            };
            context.begin(&input.stem, expected(input), 0, true);
            let list = self.examine(index, [first, most], &context, &mut total);
            context.watch.end();
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

    /// Examines the scenario at `index`, with looks from the first count of encounters to the second.
    fn examine(
        &self,
        index: usize,
        [first, most]: [NonZeroU64; 2],
        context: &Context<'_, impl Source>,
        total: &mut u64,
    ) -> Result<Vec<Finding>, Halt> {
        let confidence = self.task.confidence;
        let looks = Looks::for_decisions(first, most);
        let schedule = Schedule {
            looks: looks.counts().collect(),
            each: looks.each(confidence),
            seed: self.task.seed,
            confidence,
            threads: context.threads,
            stop: context.stop,
            watch: context.watch,
            others: context.before.saturating_add(context.later),
            played: AtomicU64::new(0),
        };
        let input = &self.inputs[index];
        let mut solved = HashMap::new();
        if let Until::Exact(budget) = self.task.until {
            let wanted = expectations::solvable(&input.loaded);
            let expected = &input.loaded.scenario.expectations;
            let metrics = |metric: &Metric| {
                expected.iter().any(|expectation| {
                    expectation.statistic != Statistic::Mean
                        && expectation.metric.name == metric.name
                })
            };
            let inputs = slice::from_ref(input);
            let tallies = solve::each_solved(inputs, &wanted, false, budget, &metrics, context);
            let names = wanted.iter().map(|variant| variant.name.as_str());
            solved = names.zip(tallies.map_err(Halt::Failed)?).collect();
        }
        let mut list = expectations::examine(&input.loaded, solved, &schedule)?;
        if let Some(committed) = self.committed.get(index) {
            let tolerance = self.check.tolerance.unwrap_or_default();
            list.extend(baseline::compare(committed, tolerance, &schedule)?);
        }
        *total += schedule.played();
        Ok(list)
    }
}
