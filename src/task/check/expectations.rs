//! Plays scenarios until each of their expectations is decided.
//!
//! All variants with open expectations are played side by side, so each is played once even if several
//! expectations name it. The first look that decides an expectation settles it.

use super::{Halt, Schedule};
use crate::output::Rounded;
use crate::output::findings::{Expected, Finding, Measurement, Verdict};
use crate::run::paired::{self, ComparedMetric, Contender};
use crate::run::{Ended, Player};
use crate::scenario::expect::{Claim, Expectation, Statistic};
use crate::scenario::{Loaded, Variant};
use crate::stats::paired::{Difference, Luck};
use crate::stats::quantile::quantile_interval;
use crate::stats::{Confidence, Interval, STATISTICS, Summary};
use crate::tally::{Kind, Pairs, Tally};
use std::collections::HashMap;

/// The reason why an expectation stays undecided when the check is interrupted.
const INTERRUPTED: &str = "the check was interrupted before a look decided it";

/// An expectation under test.
struct OpenExpectation<'a> {
    expectation: &'a Expectation,
    /// The index of its variant.
    variant: usize,
    /// The index of the variant to subtract.
    from: Option<usize>,
    /// The index of its subject in the variant's fight, and in the fight of the subtracted variant.
    subjects: [usize; 2],
    pairs: Pairs,
    settled: Option<Finding>,
}

/// The variants of a scenario under one seed, all played to the same number of encounters.
struct SeedRun<'a> {
    variants: &'a [Variant],
    players: Vec<Player>,
    played: u64,
    tallies: Vec<Tally>,
}

/// Returns the variants named by expectations that a solution can decide.
pub(super) fn solvable(loaded: &Loaded) -> Vec<&Variant> {
    let expectations = &loaded.scenario.expectations;
    let named = |variant: &&Variant| {
        expectations.iter().any(|one| match &one.claim {
            Claim::Equal { .. } => false,
            Claim::Within(_) => one.variant == variant.name,
            Claim::Difference { from, .. } => one.variant == variant.name || *from == variant.name,
        })
    };
    loaded.scenario.variants.iter().filter(named).collect()
}

/// Returns the finding for each expectation of a scenario, in file order. A `solved` variant is played only for
/// exact repeats; an expectation of one that could not be solved stays undecided. If interrupted, what no look has
/// decided stays undecided.
pub(super) fn examine(
    loaded: &Loaded,
    mut solved: HashMap<&str, (Tally, Ended)>,
    schedule: &Schedule<'_>,
) -> Result<Vec<Finding>, Halt> {
    let variants = &loaded.scenario.variants;
    let mut trials: Vec<OpenExpectation<'_>> = loaded
        .scenario
        .expectations
        .iter()
        .filter_map(|expectation| OpenExpectation::new(expectation, variants))
        .collect();
    debug_assert_eq!(trials.len(), loaded.scenario.expectations.len());
    if !solved.is_empty() {
        let (tallies, ends): (Vec<Tally>, Vec<Ended>) = variants
            .iter()
            .map(|variant| {
                let known = solved.remove(&*variant.name);
                known.unwrap_or_else(|| (Tally::new(&variant.fight), Ended::Enough))
            })
            .unzip();
        for trial in trials.iter_mut().filter(|trial| trial.repeat().is_none()) {
            let mut named = trial.from.into_iter().chain([trial.variant]);
            match named.find(|index| ends[*index] != Ended::Enough) {
                None => trial.look(&tallies, schedule, 0),
                Some(index) if ends[index] == Ended::Interrupted => {
                    trial.leave_open(INTERRUPTED, &tallies);
                }
                Some(index) => {
                    let name = &variants[index].name;
                    let why =
                        format!("`{name}` is too large to be solved: check it without --exact");
                    trial.leave_open(&why, &tallies);
                }
            }
        }
    }
    let mut seeds: Vec<u64> = trials.iter().map(|trial| trial.seed(schedule)).collect();
    seeds.sort_unstable();
    seeds.dedup();
    for seed in seeds {
        let mut seed_run = SeedRun {
            variants,
            players: variants
                .iter()
                .map(|one| Player::new(&one.fight, &one.rules, seed))
                .collect(),
            played: 0,
            tallies: variants.iter().map(|one| Tally::new(&one.fight)).collect(),
        };
        let mut mine: Vec<&mut OpenExpectation<'_>> = trials
            .iter_mut()
            .filter(|trial| trial.seed(schedule) == seed)
            .collect();
        match seed_run.settle(&mut mine, schedule) {
            Err(Halt::Interrupted) => {
                for trial in mine.iter_mut().filter(|trial| trial.settled.is_none()) {
                    trial.leave_open(INTERRUPTED, &seed_run.tallies);
                }
            }
            settled => settled?,
        }
    }
    let place = |expectation: &Expectation| {
        let sources = loaded.document.sources();
        sources.line_and_column(expectation.span)
    };
    let findings = trials.into_iter().filter_map(|trial| {
        let place = place(trial.expectation);
        trial.settled.map(|finding| Finding {
            place: Some(place),
            ..finding
        })
    });
    Ok(findings.collect())
}

impl SeedRun<'_> {
    /// Plays until every trial is settled.
    fn settle(
        &mut self,
        trials: &mut [&mut OpenExpectation<'_>],
        schedule: &Schedule<'_>,
    ) -> Result<(), Halt> {
        let mut look = 0;
        loop {
            let open = || trials.iter().filter(|trial| trial.settled.is_none());
            let next_look = open()
                .any(|trial| trial.repeat().is_none())
                .then(|| schedule.looks.get(look).copied())
                .flatten();
            let next_repeat = open().filter_map(|trial| trial.repeat()).min();
            let Some(to) = next_look.into_iter().chain(next_repeat).min() else {
                return Ok(());
            };
            self.play(trials, to, schedule)?;
            for trial in trials.iter_mut().filter(|trial| trial.settled.is_none()) {
                match trial.repeat() {
                    Some(encounters) if encounters == to => trial.repeated(&self.tallies),
                    None if next_look == Some(to) => trial.look(&self.tallies, schedule, look),
                    _ => {}
                }
            }
            look += usize::from(next_look == Some(to));
        }
    }

    /// Plays all variants with open expectations on to `to` encounters.
    fn play(
        &mut self,
        trials: &mut [&mut OpenExpectation<'_>],
        to: u64,
        schedule: &Schedule<'_>,
    ) -> Result<(), Halt> {
        let mut open: Vec<&mut OpenExpectation<'_>> = trials
            .iter_mut()
            .filter(|trial| trial.settled.is_none())
            .map(|trial| &mut **trial)
            .collect();
        // Compared variants are played in the group of the variant they are compared with; all others join any group.
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let join = |groups: &mut Vec<Vec<usize>>, at: usize, variant: usize| {
            if !groups[at].contains(&variant) {
                groups[at].push(variant);
            }
        };
        for trial in &open {
            let Some(from) = trial.from else { continue };
            let known = groups.iter().position(|group| group[0] == from);
            let at = known.unwrap_or_else(|| {
                groups.push(vec![from]);
                groups.len() - 1
            });
            join(&mut groups, at, trial.variant);
        }
        for trial in &open {
            if groups.iter().all(|group| !group.contains(&trial.variant)) {
                if groups.is_empty() {
                    groups.push(Vec::new());
                }
                join(&mut groups, 0, trial.variant);
            }
        }
        let range = self.played..to;
        let played: usize = groups.iter().map(Vec::len).sum();
        schedule.expect((to - self.played).saturating_mul(played as u64));
        let mut counted = vec![false; self.variants.len()];
        for group in groups {
            let contenders: Vec<Contender<'_, &Player>> = group
                .iter()
                .map(|&index| Contender {
                    player: &self.players[index],
                    fight: &self.variants[index].fight,
                })
                .collect();
            let mut compared: Vec<&mut OpenExpectation<'_>> = open
                .iter_mut()
                .map(|trial| &mut **trial)
                .filter(|trial| trial.from == Some(group[0]))
                .collect();
            let questions: Vec<ComparedMetric> = compared
                .iter()
                .map(|trial| trial.question(&group))
                .collect();
            let paired = paired::run(
                &contenders,
                &questions,
                range.clone(),
                schedule.threads,
                schedule.stop,
                schedule,
            )
            .map_err(Halt::io)?;
            if paired.encounters < to - self.played {
                return Err(Halt::Interrupted);
            }
            for (trial, pairs) in compared.iter_mut().zip(&paired.pairs) {
                let other = group.iter().position(|&index| index == trial.variant);
                if let Some(other) = other.and_then(|place| place.checked_sub(1)) {
                    trial.pairs.merge(&pairs[other]);
                }
            }
            for (&index, tally) in group.iter().zip(&paired.counts) {
                // A variant in several groups is counted once.
                if !std::mem::replace(&mut counted[index], true) {
                    self.tallies[index].merge(tally);
                }
            }
        }
        self.played = to;
        Ok(())
    }
}

impl<'a> OpenExpectation<'a> {
    /// Returns a trial, or `None` if the scenario lacks the variant or subject of the expectation.
    fn new(expectation: &'a Expectation, variants: &[Variant]) -> Option<Self> {
        let index = |name: &str| variants.iter().position(|variant| variant.name == name);
        let subject = |variant: usize| expectation.subject_in(&variants[variant].fight);
        let variant = index(&expectation.variant)?;
        let from = match &expectation.claim {
            Claim::Difference { from, .. } => Some(index(from)?),
            _ => None,
        };
        Some(Self {
            expectation,
            variant,
            from,
            subjects: [subject(variant)?, subject(from.unwrap_or(variant))?],
            pairs: Pairs::default(),
            settled: None,
        })
    }

    /// Returns the seed to play with.
    fn seed(&self, schedule: &Schedule<'_>) -> u64 {
        match self.expectation.claim {
            Claim::Equal { seed, .. } => seed,
            _ => schedule.seed,
        }
    }

    /// Returns the number of encounters of an exact repeat, or `None` for other expectations.
    fn repeat(&self) -> Option<u64> {
        match self.expectation.claim {
            Claim::Equal { encounters, .. } => Some(encounters.get()),
            _ => None,
        }
    }

    /// Returns the question for a group of variants, whose first is the one to subtract.
    fn question(&self, group: &[usize]) -> ComparedMetric {
        let subject = |(place, variant): (usize, &usize)| match place {
            0 => Some(self.subjects[1]),
            _ => (*variant == self.variant).then_some(self.subjects[0]),
        };
        ComparedMetric {
            metric: self.expectation.metric,
            subjects: group.iter().enumerate().map(subject).collect(),
        }
    }

    /// Settles the expectation if this look decides it, or is the last.
    fn look(&mut self, tallies: &[Tally], schedule: &Schedule<'_>, look: usize) {
        let Expected::Within(low, high) = self.wanted() else {
            return;
        };
        let found = self.measure(tallies, schedule.each);
        let interval = found.and_then(|found| found.interval);
        let verdict = interval.map_or(Verdict::Undecided, |interval| judge([low, high], interval));
        if verdict == Verdict::Undecided && look + 1 < schedule.looks.len() {
            return;
        }
        let mut details = Vec::new();
        if verdict == Verdict::Undecided {
            let is_exact = tallies[self.variant].solution().is_some();
            details.push(match (found, interval) {
                (Some(found), Some(bounds)) if is_exact && bounds.is_rounding(found.value) => {
                    "the exact value lies on a bound, as far as rounding tells: move the bound".to_owned()
                }
                (None, _) if is_exact => "the solution does not hold it, or leaves it open".to_owned(),
                _ if is_exact => "the bounds of the exact value reach over a bound: a smaller --bound, or none, \
                                  narrows them"
                    .to_owned(),
                (None, _) => "no encounter showed a value".to_owned(),
                (_, None) if matches!(self.expectation.statistic, Statistic::Quantile(_)) => {
                    "too few encounters for an interval of this quantile: allow more with --max-encounters"
                        .to_owned()
                }
                (_, None) => "too few encounters differ from the most common value for an interval: expect a \
                              quantile, or an exact repeat with `equal`"
                    .to_owned(),
                _ => "the interval crosses a bound: allow more encounters with \
                      --max-encounters, or move the bound"
                    .to_owned(),
            });
        }
        self.close(tallies, found, verdict, details);
    }

    /// Settles an exact repeat.
    fn repeated(&mut self, tallies: &[Tally]) {
        let Claim::Equal { value, seed, .. } = self.expectation.claim else {
            return;
        };
        let found = self
            .measure(tallies, Confidence::DEFAULT)
            .map(|found| Measurement {
                interval: None,
                ..found
            });
        let same = found.is_some_and(|found| Rounded::new(found.value) == Rounded::new(value));
        let (verdict, details) = if same {
            (Verdict::Passed, Vec::new())
        } else {
            let detail =
                format!("an exact repeat of seed {seed}: the fight or the program has changed");
            (Verdict::Failed, vec![detail])
        };
        self.close(tallies, found, verdict, details);
    }

    /// Leaves an expectation undecided for a reason other than its value. When the check is interrupted, a value would
    /// depend on when that was.
    fn leave_open(&mut self, why: &str, tallies: &[Tally]) {
        self.close(tallies, None, Verdict::Undecided, vec![why.to_owned()]);
    }

    /// Returns the value or the bounds that are expected.
    fn wanted(&self) -> Expected {
        match self.expectation.claim {
            Claim::Equal { value, .. } => Expected::Exactly(value),
            Claim::Within(bounds) | Claim::Difference { bounds, .. } => {
                Expected::Within(bounds.low, bounds.high)
            }
        }
    }

    /// Returns the estimate; `None` if no encounter showed a value.
    fn measure(&self, tallies: &[Tally], confidence: Confidence) -> Option<Measurement> {
        let metric = self.expectation.metric;
        let values = |variant: usize, subject: usize| {
            tallies[variant].distribution(metric, self.subjects[subject])
        };
        let distribution = values(self.variant, 0);
        if let Some(from) = self.from {
            let difference = Difference::of_means(
                &self.pairs,
                [&values(from, 1), &distribution],
                metric.kind,
                Luck::Common,
                confidence,
            )?;
            return Some(Measurement {
                value: difference.difference,
                interval: difference.interval,
            });
        }
        let summary = Summary::of(&distribution, metric.kind, confidence);
        let statistic = self.expectation.statistic;
        let (value, interval) = match statistic {
            Statistic::Mean => (summary.mean?, summary.interval),
            Statistic::Quantile(index) => {
                let value = f64::from(summary.points[index]?.value);
                let interval = if summary.is_exact {
                    Some(Interval::new(value, value))
                } else if statistic.is_extreme() {
                    None
                } else {
                    quantile_interval(&distribution, STATISTICS[index].1, confidence)
                };
                (value, interval)
            }
        };
        Some(Measurement { value, interval })
    }

    fn close(
        &mut self,
        tallies: &[Tally],
        found: Option<Measurement>,
        verdict: Verdict,
        details: Vec<String>,
    ) {
        let (expectation, tally) = (self.expectation, &tallies[self.variant]);
        let from = match &expectation.claim {
            Claim::Difference { from, .. } => Some(from.clone()),
            _ => None,
        };
        self.settled = Some(Finding {
            place: None,
            variant: expectation.variant.clone(),
            what: expectation.to_string(),
            metric: Some(expectation.metric.name),
            subject: expectation.subject.clone(),
            statistic: Some(expectation.statistic.name()),
            from,
            share: expectation.metric.kind == Kind::Rate,
            found,
            wanted: self.wanted(),
            encounters: tally.encounters(),
            is_exact: tally.solution().is_some(),
            verdict,
            details,
        });
    }
}

/// Returns the verdict: passed if the interval lies inside the bounds, failed if outside, else undecided.
fn judge([low, high]: [f64; 2], interval: Interval) -> Verdict {
    if low <= interval.low && interval.high <= high {
        Verdict::Passed
    } else if interval.high < low || high < interval.low {
        Verdict::Failed
    } else {
        Verdict::Undecided
    }
}
