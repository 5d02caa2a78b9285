//! Measures the effect of everything that can be changed about a fight: lines, gear, rulings and numbers. A
//! sensitivity is the part about numbers.
//!
//! The unchanged fight and every changed fight are played side by side on the same dice. The effect of a change
//! is the changed fight less the unchanged one. A number is changed to 1 more, and also to 1 less, because its last
//! point may have been worth something else.

use super::notes;
use super::subjects::shown;
use super::{Answer, Context, Failure, Input, Measure, Played, Prepared, Source, solve};
use crate::exact::Budget;
use crate::fight::Fight;
use crate::output::changes::{ChangesReport, Covered, Effect};
use crate::output::manifest;
use crate::output::sweep::Shown;
use crate::run::paired::{Answers, ComparedMetric, Paired};
use crate::scenario::{Change, ChangeKind, Variant};
use crate::stats::paired::{Difference, Luck};
use crate::stats::{Summary, significance};
use crate::tally::{Distribution, Pairs, SolvedMetric, Tally};
use anyhow::bail;
use std::sync::Arc;

/// The changes of a variant, and the metrics.
#[derive(Debug)]
pub(super) struct Changes {
    pub(super) part: Covered,
    base: Variant,
    /// The changes that can be made.
    possible: Vec<Arc<Change>>,
    /// The changes that cannot be made, each with the reason.
    fixed: Vec<(Arc<Change>, String)>,
    shown: Vec<Shown>,
    /// What is compared, for each of the metrics.
    pub(super) questions: Vec<ComparedMetric>,
}

impl Changes {
    pub(super) fn new(input: &Input, measure: &Measure, part: Covered) -> anyhow::Result<Self> {
        input.loaded.has_sound(&measure.variant)?;
        let document = &input.loaded.document;
        let changes = match part {
            Covered::Numbers => document.numbers(&measure.variant)?,
            Covered::Everything => document.changes(&measure.variant)?,
        };
        let shown = shown(measure, &[&changes.base.fight])?;
        let all = changes.all.into_iter().map(Arc::new);
        let (possible, fixed): (Vec<_>, Vec<_>) = all.partition(|change| change.is_possible());
        if possible.is_empty() {
            let what = match part {
                Covered::Numbers => "no number of any combatant can be 1 more or 1 less",
                Covered::Everything => "nothing of it can be changed",
            };
            bail!("`{}`: {what}", input.file.display());
        }
        let with_reason = |change: Arc<Change>| (change.clone(), change.reason.clone());
        let mut all = Self {
            part,
            base: changes.base,
            possible,
            fixed: fixed.into_iter().map(with_reason).collect(),
            shown,
            questions: Vec::new(),
        };
        let question = |shown: &Shown| {
            let fights = all.variants().map(|variant| &variant.fight);
            ComparedMetric::new(shown.metric, &shown.subject, fights)
        };
        all.questions = all.shown.iter().map(question).collect();
        Ok(all)
    }

    /// Returns the name of the question.
    pub(super) fn label(&self) -> &'static str {
        match self.part {
            Covered::Numbers => "sensitivity",
            Covered::Everything => "knockout",
        }
    }

    /// Returns the number of fights: the unchanged one and the changed ones.
    pub(super) fn fights(&self) -> u64 {
        self.variants().count() as u64
    }

    /// Plays or solves all changes. If interrupted, there are fewer encounters of each fight, or, when solving,
    /// only the first changes.
    pub(super) fn play(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Played, Failure> {
        // When fights are solved instead of played, progress counts fights.
        let budget = prepared.task.until.budget();
        let steps = budget.map_or(prepared.encounters(), |_| 1);
        let all = self.fights().saturating_mul(steps);
        context.begin(self.label(), all, 0, false);
        let report = if let Some(budget) = budget {
            self.solve(budget, prepared, context)
        } else {
            let contenders = context.contenders(self.variants(), prepared.task.seed);
            let all = 0..prepared.encounters();
            { context.side_by_side(&contenders, &self.questions, all) }
                .map(|played| self.sampled(&played, prepared))
        };
        context.watch.end();
        report.map(|report| self.answer(report))
    }

    /// Returns the answer, or none if there is nothing to show.
    pub(super) fn answer(&self, mut report: ChangesReport) -> Played {
        let each = report.encounters;
        // A metric without values in any encounter has no effects.
        let has_none = report.effects.is_empty() && each == 0 && report.interrupted;
        let has_no_base = report.base.is_empty() && !self.shown.is_empty();
        if has_no_base || has_none {
            return Played::Answered(None);
        }
        adjust(&mut report.effects);
        let listed = manifest::Variant::new(&self.base.name, each, &self.base.changes);
        let counts = [each.saturating_mul(self.fights()), 0];
        Played::answered(Answer::Changes(report), listed, counts)
    }

    /// Returns the report before anything is played.
    fn report(&self, prepared: &Prepared) -> ChangesReport {
        let fixed = self.fixed.iter().map(|(change, _)| change);
        let numbers = { self.possible.iter().chain(fixed) }
            .filter(|change| change.kind == ChangeKind::Number)
            .map(|change| change.key.as_str());
        ChangesReport {
            part: self.part,
            scenario: prepared.name.clone(),
            title: prepared.input().title().to_owned(),
            variant: self.base.name.clone(),
            until: prepared.task.until.clone(),
            encounters: 0,
            confidence: prepared.task.confidence,
            base: Vec::new(),
            notes: notes::shared(prepared, &self.base.fight, numbers)
                .into_iter()
                .collect(),
            interrupted: true,
            effects: Vec::new(),
            fixed: self.fixed.clone(),
            shown: self.shown.clone(),
        }
    }

    /// Returns the unchanged fight and all changed ones.
    pub(super) fn variants(&self) -> impl Iterator<Item = &Variant> {
        self.numbered(&self.possible)
    }

    /// Returns the report of counts, which may be of fewer encounters than wanted.
    pub(super) fn sampled(&self, played: &Paired<Answers>, prepared: &Prepared) -> ChangesReport {
        let variants: Vec<&Variant> = self.variants().collect();
        let mut report = self.report(prepared);
        report.encounters = played.encounters;
        report.interrupted = played.encounters < prepared.encounters();
        if played.encounters == 0 {
            return report;
        }
        let value = |fight: usize, question: usize| {
            let ComparedMetric { metric, subjects } = &self.questions[question];
            let values = &played.counts[fight].values[question];
            Some(metric.distribution(&variants[fight].fight, subjects[fight]?, values))
        };
        self.summarize(&mut report, value);
        for (change, ends) in self.possible.iter().zip(ends(&self.possible)) {
            let counts = |fight: usize| &played.counts[fight];
            let seen = |fight: usize| (counts(fight).doers, counts(fight).differs);
            let pairs = |fight: usize, question: usize| played.pairs[question][fight - 1].clone();
            self.add(&mut report, change, ends, &variants, seen, value, pairs);
        }
        report
    }

    /// Returns the unchanged fight and those of changes, in the order of their numbers.
    fn numbered<'a>(&'a self, changes: &'a [Arc<Change>]) -> impl Iterator<Item = &'a Variant> {
        std::iter::once(&self.base).chain(changes.iter().flat_map(|change| fights(change)))
    }

    /// Adds the summary of each metric in the unchanged fight.
    fn summarize(
        &self,
        report: &mut ChangesReport,
        value: impl Fn(usize, usize) -> Option<Distribution>,
    ) {
        let summaries = self
            .shown
            .iter()
            .enumerate()
            .filter_map(|(question, shown)| {
                let values = value(0, question)?;
                Some(Summary::of(&values, shown.metric.kind, report.confidence))
            });
        report.base = summaries.collect();
    }

    /// Adds the effects of a change on all metrics, or the reason why it is left out. Fights have the numbers of
    /// [`ends`]: `seen` returns who did something in a fight and whether it differs from the unchanged one, `value` the
    /// values of a metric, and `pairs` those of both fights.
    #[expect(
        clippy::too_many_arguments,
        reason = "counts and solutions are asked alike"
    )]
    fn add(
        &self,
        report: &mut ChangesReport,
        change: &Arc<Change>,
        [less, more]: [Option<usize>; 2],
        variants: &[&Variant],
        seen: impl Fn(usize) -> ([u64; 2], bool),
        value: impl Fn(usize, usize) -> Option<Distribution>,
        pairs: impl Fn(usize, usize) -> Pairs,
    ) {
        let (before, _) = seen(0);
        let stopped = |fight: usize| self.stopped(&variants[fight].fight, before, seen(fight).0);
        if let Some(why) = more.or(less).and_then(stopped) {
            report.fixed.push((Arc::clone(change), why));
            return;
        }
        let less = less.filter(|&fight| stopped(fight).is_none());
        let differs = [less, more]
            .into_iter()
            .flatten()
            .any(|fight| seen(fight).1);
        for (question, Shown { metric, subject }) in self.shown.iter().enumerate() {
            let between = |[first, second]: [usize; 2]| {
                let values = [value(first, question)?, value(second, question)?];
                let pairs = match first {
                    0 => pairs(second, question),
                    // The unchanged fight comes second.
                    _ => pairs(first, question).swapped(),
                };
                let values = values.each_ref();
                Difference::of_means(&pairs, values, metric.kind, Luck::Common, report.confidence)
            };
            let last = less.and_then(|less| between([less, 0]));
            let (difference, last) = match more {
                Some(more) => (between([0, more]), last),
                None => (last, None),
            };
            report.effects.extend(difference.map(|difference| Effect {
                metric,
                subject: subject.clone(),
                change: Arc::clone(change),
                difference,
                differs,
                last,
                p_adjusted: None,
                p_of_steps_adjusted: None,
            }));
        }
    }

    /// Returns why a changed fight says nothing about the worth of the change: a side disables itself. Its own combatants
    /// are others, and never attack or never act any more. If it is the enemies who change, or a ruling, that is a result
    /// like any other.
    fn stopped(&self, changed: &Fight, before: [u64; 2], after: [u64; 2]) -> Option<String> {
        let fight = &self.base.fight;
        let pairs = || fight.combatants.iter().zip(&changed.combatants).enumerate();
        fight.sides.iter().enumerate().find_map(|(side, name)| {
            let own = || pairs().filter(|(_, (one, _))| one.side == side);
            let members = own().fold(0, |set, (who, _)| set | 1 << who);
            let is_other = own().any(|(_, (one, other))| one != other);
            let ended = |at: &usize| before[*at] & members != 0 && after[*at] & members == 0;
            let kind = (0..2).find(ended).filter(|_| is_other)?;
            let what = ["attack", "action"][kind];
            Some(format!("no {what} of {name} in any encounter"))
        })
    }

    fn solve(
        &self,
        budget: Budget,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<ChangesReport, Failure> {
        let mut report = self.report(prepared);
        let solved = solve::solved(prepared.input(), &[&self.base], budget, context)?;
        let Some(base) = solved.and_then(|mut tallies| tallies.pop()) else {
            return Ok(report);
        };
        let distribution = |variant: &Variant, tally: &Tally, question: usize| {
            let Shown { metric, subject } = &self.shown[question];
            let subject = metric.scope.subject(&variant.fight, subject);
            Some(tally.distribution(metric, subject.unwrap_or_default()))
        };
        self.summarize(&mut report, |_, question| {
            distribution(&self.base, &base, question)
        });
        // As many at a time as there are threads, so that little is lost on an interrupt.
        for changes in self.possible.chunks(context.threads.get()) {
            let variants: Vec<&Variant> = self.numbered(changes).collect();
            let Some(tried) = solve::tried(&variants[1..], budget, context)? else {
                return Ok(report);
            };
            for (change, ends) in changes.iter().zip(ends(changes)) {
                let failed = |fight: &usize| tried[fight - 1].as_ref().err();
                if let Some(why) = ends.iter().flatten().find_map(failed) {
                    report.fixed.push((Arc::clone(change), why.clone()));
                    continue;
                }
                let tally = |fight: usize| match fight {
                    0 => &base,
                    fight => tried[fight - 1].as_ref().unwrap_or(&base),
                };
                let seen = |fight| (doers(tally(fight)), is_other(&base, tally(fight)));
                let value = |fight, question| distribution(variants[fight], tally(fight), question);
                self.add(&mut report, change, ends, &variants, seen, value, |_, _| {
                    Pairs::default()
                });
            }
        }
        report.interrupted = false;
        Ok(report)
    }
}

/// Returns the numbers of the fights with less and with more of each change. The unchanged fight has the number 0.
fn ends(changes: &[Arc<Change>]) -> Vec<[Option<usize>; 2]> {
    let mut numbers = 1..;
    let mut number = |end: &Option<_>| end.as_ref().and_then(|_| numbers.next());
    let ends = |change: &Arc<Change>| [number(&change.from), number(&change.to)];
    changes.iter().map(ends).collect()
}

/// Returns the changed fights of a change: one or two.
fn fights(change: &Change) -> impl Iterator<Item = &Variant> {
    let ends = [&change.from, &change.to];
    ends.into_iter().flatten().map(|(_, variant)| variant)
}

/// Returns the combatants of a solved fight that may attack or do damage, and all of them.
fn doers(tally: &Tally) -> [u64; 2] {
    let facts = tally.solution().into_iter().flat_map(|all| &all.facts);
    let strikers = facts.filter(|fact| {
        let may_be = fact.mean.is_none_or(|[_, _, high]| high > 1e-12);
        may_be && ["attacks", "damage"].contains(&fact.metric.name)
    });
    [
        strikers.fold(0, |set, fact| set | 1 << fact.subject),
        u64::MAX,
    ]
}

/// Returns whether two solved fights differ in any metric, or may differ as far as their bounds tell.
fn is_other(first: &Tally, second: &Tally) -> bool {
    let (Some(first), Some(second)) = (first.solution(), second.solution()) else {
        return true;
    };
    first.facts.iter().any(|fact| {
        let same = |other: &&SolvedMetric| {
            other.metric.name == fact.metric.name && other.subject == fact.subject
        };
        let mean = second.facts.iter().find(same).and_then(|other| other.mean);
        match (fact.mean, mean) {
            (Some(first), Some(second)) => !Difference::of_bounds(first, second).is_none(),
            (first, second) => first.is_some() != second.is_some(),
        }
    })
}

/// Adjusts the p-values of the effects for the number of questions.
fn adjust(effects: &mut [Effect]) {
    let raw: Vec<_> = effects
        .iter()
        .map(|effect| effect.difference.p_value)
        .collect();
    let raw_of_steps: Vec<_> = effects.iter().map(Effect::p_of_steps).collect();
    let adjusted = significance::holm_of_tested(&raw);
    let adjusted_of_steps = significance::holm_of_tested(&raw_of_steps);
    for (effect, p_adjusted) in effects
        .iter_mut()
        .zip(adjusted.into_iter().zip(adjusted_of_steps))
    {
        (effect.p_adjusted, effect.p_of_steps_adjusted) = p_adjusted;
    }
}
