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
        let with_reason = |change: Arc<Change>| (Arc::clone(&change), change.reason.clone());
        let mut all = Self {
            part,
            base: changes.base,
            possible,
            fixed: fixed.into_iter().map(with_reason).collect(),
            measure: measure.clone(),
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
        let report = match budget {
            Some(budget) => self.solve(budget, prepared, context),
            None => {
                let contenders = context.contenders(self.variants(), prepared.task.seed);
                let all = 0..prepared.encounters();
                { context.side_by_side(&contenders, &self.questions, all) }
                    .map(|played| self.sampled(&played, prepared))
            }
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
        let listed = manifest::Variant::new(&self.measure.variant, each, &self.base.changes);
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

    /// Returns the unchanged fight and all changed ones.
    pub(super) fn variants(&self) -> impl Iterator<Item = &Variant> {
        let changed = self.possible.iter().flat_map(|change| fights(change));
        std::iter::once(&self.base).chain(changed)
    }

    /// Returns the report of counts, which may be of fewer encounters than wanted.
    pub(super) fn sampled(&self, played: &Paired<Answers>, prepared: &Prepared) -> ChangesReport {
        let variants: Vec<&Variant> = self.variants().collect();
        let distribution = |index: usize, question: usize| {
            let subject = self.questions[question].subjects[index]?;
            let values = &played.counts[index].values[question];
            let fight = &variants[index].fight;
            let metric = self.shown[question].metric;
            Some(metric.distribution(fight, subject, values))
        };
        let all = if played.encounters > 0 {
            self.shown.len()
        } else {
            0
        };
        let confidence = prepared.task.confidence;
        let base = (0..all).filter_map(|question| {
            let kind = self.shown[question].metric.kind;
            Some(Summary::of(&distribution(0, question)?, kind, confidence))
        });
        let (mut effects, mut fixed) = (Vec::new(), self.fixed.clone());
        let seen = |fight: &usize| (&variants[*fight].fight, played.counts[*fight].doers);
        let mut changed = 1..;
        for change in &self.possible {
            let ends = [&change.from, &change.to].map(|end| {
                end.as_ref()?;
                changed.next()
            });
            let ends = match self.without_stopped(seen(&0).1, ends, seen) {
                Ok(ends) => ends,
                Err(why) => {
                    fixed.push((Arc::clone(change), why));
                    continue;
                }
            };
            let differs = { ends.iter().flatten() }.any(|&fight| played.counts[fight].differs);
            for question in 0..all {
                let [less, more] = ends;
                let values = [less, Some(0), more].map(|fight| distribution(fight?, question));
                let pairs = ends.map(|fight| {
                    fight.map_or_else(Pairs::default, |fight| {
                        played.pairs[question][fight - 1].clone()
                    })
                });
                // The unchanged fight comes after one with less.
                let pairs = [pairs[0].swapped(), pairs[1].clone()];
                effects.extend(self.effect(question, change, values, &pairs, differs, confidence));
            }
        }
        ChangesReport {
            base: base.collect(),
            effects,
            fixed,
            encounters: played.encounters,
            interrupted: played.encounters < prepared.encounters(),
            ..self.report(prepared)
        }
    }

    /// Removes those ends of a change by which a side disables itself: its own combatants are others, and never attack
    /// or never act any more. `seen` returns the fight of an end, and who did something in it. Returns the reason if
    /// nothing is left to compare. If it is the enemies who change, or a ruling, that is a result like any other.
    fn without_stopped<'a, T>(
        &self,
        before: [u64; 2],
        [less, more]: [Option<T>; 2],
        seen: impl Fn(&T) -> (&'a Fight, [u64; 2]),
    ) -> Result<[Option<T>; 2], String> {
        let fight = &self.base.fight;
        let stopped = |end: &T| {
            let (changed, after) = seen(end);
            let mut kinds = before.into_iter().zip(after).zip(["attack", "action"]);
            kinds.find_map(|((before, after), what)| {
                let is_stopped = |side: &usize| {
                    let pairs = fight.combatants.iter().zip(&changed.combatants);
                    let pairs = pairs.enumerate();
                    let members = pairs.filter(|(_, (one, _))| usize::from(one.side) == *side);
                    let (members, is_other) =
                        members.fold((0, false), |(set, is_other), (who, (one, other))| {
                            (set | 1 << who, is_other || one != other)
                        });
                    is_other && before & members != 0 && after & members == 0
                };
                let side = (0..fight.sides.len()).find(is_stopped)?;
                Some(format!(
                    "no {what} of {} in any encounter",
                    fight.sides[side]
                ))
            })
        };
        match more.as_ref().or(less.as_ref()).and_then(stopped) {
            Some(why) => Err(why),
            None => Ok([less.filter(|end| stopped(end).is_none()), more]),
        }
    }

    /// Returns the effect of a change on a metric, from its values with less, unchanged and with more, and from the pairs
    /// of values on both sides of the unchanged fight.
    fn effect(
        &self,
        question: usize,
        change: &Arc<Change>,
        [less, now, more]: [Option<Distribution>; 3],
        pairs: &[Pairs; 2],
        differs: bool,
        confidence: Confidence,
    ) -> Option<Effect> {
        let Shown { metric, subject } = &self.shown[question];
        let between = |pairs: &Pairs, values: [&Distribution; 2]| {
            Difference::of_means(pairs, values, metric.kind, Luck::Common, confidence)
        };
        let now = now?;
        let last = less.and_then(|less| between(&pairs[0], [&less, &now]));
        let (difference, last) = match more {
            Some(more) => (between(&pairs[1], [&now, &more]), last),
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
        let none = [Pairs::default(), Pairs::default()];
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
                    [Ok(less), Ok(more)] => {
                        self.without_stopped(doers(&base), [less, more], |(variant, tally)| {
                            (&variant.fight, doers(tally))
                        })
                    }
                    [_, Err(why)] | [Err(why), _] => Err(why),
                };
                let ends = match ends {
                    Ok(ends) => ends,
                    Err(why) => {
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
                    let effect = self.effect(question, change, values, &none, differs, confidence);
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
