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
use crate::output::changes::{ChangesReport, Covered, Effect};
use crate::output::manifest;
use crate::output::sweep::Shown;
use crate::run::contests;
use crate::run::paired::ComparedMetric;
use crate::scenario::{Change, ChangeKind, Variant};
use crate::stats::paired::{Difference, Luck};
use crate::stats::{Confidence, Summary, significance};
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
    measure: Measure,
    shown: Vec<Shown>,
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
        let with_reason = |change: Arc<Change>| (Arc::clone(&change), change.reason.clone());
        Ok(Self {
            part,
            base: changes.base,
            possible,
            fixed: fixed.into_iter().map(with_reason).collect(),
            measure: measure.clone(),
            shown,
        })
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
        1 + self
            .possible
            .iter()
            .map(|change| fights(change).count() as u64)
            .sum::<u64>()
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
        let report = match budget {
            Some(budget) => self.solve(budget, prepared, context),
            None => self.sample(prepared, context),
        };
        context.watch.end();
        let mut report = report?;
        let each = report.encounters;
        // A metric without values in any encounter has no effects.
        let has_none = report.effects.is_empty() && each == 0 && report.interrupted;
        let has_no_base = report.base.is_empty() && !self.shown.is_empty();
        if has_no_base || has_none {
            return Ok(Played::Answered(None));
        }
        adjust(&mut report.effects);
        let listed = manifest::Variant::new(&self.measure.variant, each, &self.base.changes);
        let counts = [each.saturating_mul(self.fights()), 0];
        Ok(Played::answered(Answer::Changes(report), listed, counts))
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
            variant: self.measure.variant.clone(),
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

    fn sample(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<ChangesReport, Failure> {
        let changed = self.possible.iter().flat_map(|change| fights(change));
        let variants: Vec<&Variant> = std::iter::once(&self.base).chain(changed).collect();
        // Index 0 is the unchanged fight, which has a contest with each of the others.
        let mut contests = Vec::with_capacity(variants.len());
        let mut ends = Vec::with_capacity(self.possible.len());
        for change in &self.possible {
            ends.push(
                [(&change.from, true), (&change.to, false)].map(|(end, is_less)| {
                    let fight = contests.len() + 1;
                    end.as_ref()?;
                    contests.push(if is_less { [fight, 0] } else { [0, fight] });
                    Some(fight)
                }),
            );
        }
        let contenders = context.contenders(variants.iter().copied(), prepared.task.seed);
        let of_fights = |shown: &Shown| {
            let fights = variants.iter().map(|variant| &variant.fight);
            ComparedMetric::new(shown.metric, &shown.subject, fights)
        };
        let questions: Vec<ComparedMetric> = self.shown.iter().map(of_fights).collect();
        let (range, stop) = (0..prepared.encounters(), context.stop);
        let (threads, watch) = (context.threads, &context.watch);
        let played = contests::run(
            &contenders,
            &contests,
            &questions,
            range,
            threads,
            stop,
            watch,
        );
        let compared = played.map_err(Failure::io)?;
        let distribution = |index: usize, question: usize| {
            let subject = questions[question].subjects[index]?;
            let values = &compared.values[index][question];
            let fight = &variants[index].fight;
            Some(
                self.shown[question]
                    .metric
                    .distribution(fight, subject, values),
            )
        };
        let all = if compared.encounters > 0 {
            self.shown.len()
        } else {
            0
        };
        let confidence = prepared.task.confidence;
        let base = (0..all).filter_map(|question| {
            let kind = self.shown[question].metric.kind;
            Some(Summary::of(&distribution(0, question)?, kind, confidence))
        });
        let mut effects = Vec::new();
        let none = Pairs::default();
        for (change, &ends) in self.possible.iter().zip(&ends) {
            let differs = { ends.iter().flatten() }.any(|&fight| compared.differs[fight]);
            for question in 0..all {
                let [less, more] = ends;
                let values = [less, Some(0), more].map(|fight| distribution(fight?, question));
                let pairs = ends
                    .map(|fight| fight.map_or(&none, |fight| &compared.pairs[fight - 1][question]));
                effects.extend(self.effect(question, change, values, pairs, differs, confidence));
            }
        }
        Ok(ChangesReport {
            base: base.collect(),
            effects,
            encounters: compared.encounters,
            interrupted: compared.encounters < prepared.encounters(),
            ..self.report(prepared)
        })
    }

    /// Returns the effect of a change on a metric, from its values with less, unchanged and with more, and from the pairs
    /// of values on both sides of the unchanged fight.
    fn effect(
        &self,
        question: usize,
        change: &Arc<Change>,
        [less, now, more]: [Option<Distribution>; 3],
        pairs: [&Pairs; 2],
        differs: bool,
        confidence: Confidence,
    ) -> Option<Effect> {
        let Shown { metric, subject } = &self.shown[question];
        let between = |pairs: &Pairs, values: [&Distribution; 2]| {
            Difference::of_means(pairs, values, metric.kind, Luck::Common, confidence)
        };
        let now = now?;
        let last = less.and_then(|less| between(pairs[0], [&less, &now]));
        let (difference, last) = match more {
            Some(more) => (between(pairs[1], [&now, &more]), last),
            None => (last, None),
        };
        Some(Effect {
            metric,
            subject: subject.clone(),
            change: Arc::clone(change),
            difference: difference?,
            differs,
            last,
            p_adjusted: None,
            p_of_steps_adjusted: None,
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
        let distribution = |shown: &Shown, variant: &Variant, tally: &Tally| {
            let subject = shown.metric.scope.subject(&variant.fight, &shown.subject);
            tally.distribution(shown.metric, subject.unwrap_or_default())
        };
        let confidence = prepared.task.confidence;
        let summaries = self.shown.iter().map(|shown| {
            let distribution = distribution(shown, &self.base, &base);
            Summary::of(&distribution, shown.metric.kind, confidence)
        });
        report.base = summaries.collect();
        let none = Pairs::default();
        // As many at a time as there are threads, so that little is lost on an interrupt.
        for changes in self.possible.chunks(context.threads.get()) {
            let variants: Vec<&Variant> =
                changes.iter().flat_map(|change| fights(change)).collect();
            let Some(tried) = solve::tried(&variants, budget, context)? else {
                return Ok(report);
            };
            let mut tried = tried.into_iter();
            for change in changes {
                let ends = [&change.from, &change.to].map(|end| {
                    let (_, variant) = end.as_ref()?;
                    Some(tried.next()?.map(|tally| (variant, tally)))
                });
                let ends = match ends.map(Option::transpose) {
                    [Ok(less), Ok(more)] => [less, more],
                    [_, Err(why)] | [Err(why), _] => {
                        report.fixed.push((Arc::clone(change), why));
                        continue;
                    }
                };
                let differs = { ends.iter().flatten() }.any(|(_, tally)| is_other(&base, tally));
                for (question, shown) in self.shown.iter().enumerate() {
                    let [less, more] = ends.each_ref().map(|end| {
                        let (variant, tally) = end.as_ref()?;
                        Some(distribution(shown, variant, tally))
                    });
                    let values = [less, Some(distribution(shown, &self.base, &base)), more];
                    let pairs = [&none; 2];
                    let effect = self.effect(question, change, values, pairs, differs, confidence);
                    report.effects.extend(effect);
                }
            }
        }
        report.interrupted = false;
        Ok(report)
    }
}

/// Returns the changed fights of a change: one or two.
fn fights(change: &Change) -> impl Iterator<Item = &Variant> {
    let ends = [&change.from, &change.to];
    ends.into_iter().flatten().map(|(_, variant)| variant)
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
