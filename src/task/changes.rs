//! Measures the effect of everything that can be changed about a fight: lines, gear, rulings and numbers. A
//! sensitivity is the part about numbers.
//!
//! The unchanged fight and every changed fight are played side by side on the same dice. The effect of a change
//! is the changed fight less the unchanged one. A number is changed to 1 more, and also to 1 less, because its last
//! point may have been worth something else.

use super::notes;
use super::subjects::shown;
use super::{Context, Failure, Input, Measure, Prepared, Source, solve};
use crate::exact::Budget;
use crate::output::changes::{ChangesReport, Effect, Part};
use crate::output::manifest;
use crate::output::sweep::Shown;
use crate::run::contests;
use crate::run::paired::{ComparedMetric, Contender};
use crate::scenario::{Change, ChangeKind, Variant};
use crate::stats::paired::{Difference, Luck};
use crate::stats::{Summary, significance};
use crate::tally::{Distribution, Pairs, SolvedMetric, Tally};
use anyhow::anyhow;
use std::sync::Arc;

/// The changes of a variant, and the metrics.
#[derive(Debug)]
pub(super) struct Changes {
    pub(super) part: Part,
    base: Variant,
    /// The changes that can be made.
    possible: Vec<Arc<Change>>,
    /// The changes that cannot be made, each with the reason.
    fixed: Vec<(Arc<Change>, String)>,
    measure: Measure,
    shown: Vec<Shown>,
}

/// The effects of all changes.
#[derive(Debug, Clone)]
pub struct Played {
    /// The metrics of the unchanged fight, in the requested order.
    base: Vec<Summary>,
    /// The metrics of each change.
    effects: Vec<Effect>,
    /// The changes whose fights could not be solved, each with the reason.
    unsolved: Vec<(Arc<Change>, String)>,
    fights: u64,
    /// The number of encounters of each fight.
    each: u64,
    complete: bool,
}

impl Played {
    pub(super) fn encounters(&self) -> u64 {
        self.each.saturating_mul(self.fights)
    }

    pub(super) fn is_empty(&self) -> bool {
        // A metric without values in any encounter has no effects.
        let has_none = self.effects.is_empty() && self.each == 0 && !self.complete;
        self.base.is_empty() || has_none
    }
}

impl Changes {
    pub(super) fn new(input: &Input, measure: &Measure, part: Part) -> Result<Self, Failure> {
        input.loaded.has_sound(&measure.variant)?;
        let document = &input.loaded.document;
        let changes = match part {
            Part::Numbers => document.numbers(&measure.variant)?,
            Part::Everything => document.changes(&measure.variant)?,
        };
        let shown = shown(measure, &[&changes.base.fight])?;
        let all = changes.all.into_iter().map(Arc::new);
        let (possible, fixed): (Vec<_>, Vec<_>) = all.partition(|change| change.is_possible());
        if possible.is_empty() {
            let what = match part {
                Part::Numbers => "no number of any combatant can be 1 more or 1 less",
                Part::Everything => "nothing of it can be changed",
            };
            return Err(Failure::input(anyhow!(
                "`{}`: {what}",
                input.file.display()
            )));
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
            Part::Numbers => "sensitivity",
            Part::Everything => "knockout",
        }
    }

    /// Returns the number of fights: the unchanged one and the changed ones.
    pub(super) fn fights(&self) -> u64 {
        1 + self
            .possible
            .iter()
            .map(|one| fights(one).count() as u64)
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
        let steps = prepared
            .task
            .until
            .budget()
            .map_or(prepared.encounters(), |_| 1);
        let all = self.fights().saturating_mul(steps);
        context.watch.begin(self.label(), all, 0, false);
        let played = match prepared.task.until.budget() {
            Some(budget) => self.solve(budget, prepared, context),
            None => self.sample(prepared, context),
        };
        context.watch.end();
        played
    }

    fn sample(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Played, Failure> {
        let changed = self.possible.iter().flat_map(|change| fights(change));
        let variants: Vec<&Variant> = std::iter::once(&self.base).chain(changed).collect();
        // Index 0 is the unchanged fight.
        let mut contests = Vec::with_capacity(self.possible.len());
        let mut lasts = Vec::new();
        let mut next = 1;
        for change in &self.possible {
            let [less, more] = [&change.from, &change.to].map(|changed| {
                let index = changed.as_ref().map(|_| next);
                next += usize::from(changed.is_some());
                index
            });
            contests.push(match (less, more) {
                (Some(less), None) => [less, 0],
                _ => [0, more.unwrap_or(0)],
            });
            lasts.push({ less.zip(more) }.map(|(less, _)| [less, 0]));
        }
        // The contests of the last points follow. `lasts` has their indices.
        let lasts: Vec<Option<usize>> = lasts
            .into_iter()
            .map(|last| {
                contests.push(last?);
                Some(contests.len() - 1)
            })
            .collect();
        let contenders = variants.iter().map(|&variant| Contender {
            player: context.source.player(variant, prepared.task.seed),
            fight: &variant.fight,
        });
        let contenders: Vec<_> = contenders.collect();
        let of_fights = |shown: &Shown| {
            let fights = variants.iter().map(|variant| &variant.fight);
            ComparedMetric::new(shown.metric, &shown.subject, fights)
        };
        let questions: Vec<ComparedMetric> = self.shown.iter().map(of_fights).collect();
        let (range, stop) = (0..prepared.encounters(), context.stop);
        let (threads, watch) = (context.threads, &context.watch);
        let compared = contests::run(
            &contenders,
            &contests,
            &questions,
            range,
            threads,
            stop,
            watch,
        );
        let compared = compared.map_err(Failure::io)?;
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
        let base = (0..all).filter_map(|question| {
            let kind = self.shown[question].metric.kind;
            let confidence = prepared.task.confidence;
            Some(Summary::of(&distribution(0, question)?, kind, confidence))
        });
        let mut effects = Vec::new();
        let between = |at: usize, question: usize| {
            let [from, to] = contests[at].map(|index| distribution(index, question));
            let pairs = &compared.pairs[at][question];
            self.difference(question, pairs, [&from?, &to?], prepared)
        };
        for (at, change) in self.possible.iter().enumerate() {
            let mut both = [Some(at), lasts[at]].into_iter().flatten();
            let differs = both.any(|at| contests[at].iter().any(|&index| compared.differs[index]));
            for question in 0..all {
                let last = lasts[at].and_then(|at| between(at, question));
                let effect = between(at, question)
                    .map(|difference| self.effect(question, change, difference, last, differs));
                effects.extend(effect);
            }
        }
        Ok(Played {
            base: base.collect(),
            effects,
            unsolved: Vec::new(),
            fights: self.fights(),
            each: compared.encounters,
            complete: compared.encounters == prepared.encounters(),
        })
    }

    fn difference(
        &self,
        question: usize,
        pairs: &Pairs,
        values: [&Distribution; 2],
        prepared: &Prepared,
    ) -> Option<Difference> {
        let kind = self.shown[question].metric.kind;
        Difference::of_means(pairs, values, kind, Luck::Common, prepared.task.confidence)
    }

    fn effect(
        &self,
        question: usize,
        change: &Arc<Change>,
        difference: Difference,
        last: Option<Difference>,
        differs: bool,
    ) -> Effect {
        let Shown { metric, subject } = &self.shown[question];
        Effect {
            metric,
            subject: subject.clone(),
            change: Arc::clone(change),
            difference,
            differs,
            last,
            p_adjusted: None,
            p_of_steps_adjusted: None,
        }
    }

    fn solve(
        &self,
        budget: Budget,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Played, Failure> {
        let inputs = [prepared.input(); 2];
        let mut played = Played {
            base: Vec::new(),
            effects: Vec::new(),
            unsolved: Vec::new(),
            fights: self.fights(),
            each: 0,
            complete: false,
        };
        let solved = solve::solved(inputs, &[&self.base], budget, &|_| false, context)?;
        let Some(base) = solved.and_then(|mut tallies| tallies.pop()) else {
            return Ok(played);
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
        played.base = summaries.collect();
        // As many at a time as there are threads, so that little is lost on an interrupt.
        for changes in self.possible.chunks(context.threads.get()) {
            let variants: Vec<&Variant> = changes.iter().flat_map(|one| fights(one)).collect();
            let Some(tried) = solve::tried(&variants, budget, context)? else {
                return Ok(played);
            };
            let mut tried = tried.into_iter();
            for change in changes {
                let mut changed = [None, None];
                let mut reason = None;
                for (changed, end) in changed.iter_mut().zip([&change.from, &change.to]) {
                    match end
                        .as_ref()
                        .and_then(|(_, variant)| Some((variant, tried.next()?)))
                    {
                        Some((variant, Ok(tally))) => *changed = Some((variant, tally)),
                        Some((_, Err(why))) => reason = Some(why),
                        None => {}
                    }
                }
                if let Some(reason) = reason {
                    played.unsolved.push((Arc::clone(change), reason));
                    continue;
                }
                let differs = { changed.iter().flatten() }.any(|(_, tally)| is_other(&base, tally));
                for (question, shown) in self.shown.iter().enumerate() {
                    let now = distribution(shown, &self.base, &base);
                    let between = |from: &Distribution, to: &Distribution| {
                        self.difference(question, &Pairs::default(), [from, to], prepared)
                    };
                    let [less, more] = changed.each_ref().map(|changed| {
                        let (variant, tally) = changed.as_ref()?;
                        Some(distribution(shown, variant, tally))
                    });
                    let last = less.and_then(|less| between(&less, &now));
                    let (difference, last) = match more {
                        Some(more) => (between(&now, &more), last),
                        None => (last, None),
                    };
                    let effect = difference
                        .map(|difference| self.effect(question, change, difference, last, differs));
                    played.effects.extend(effect);
                }
            }
        }
        played.complete = true;
        Ok(played)
    }

    /// Returns the answer, and the changed fight as a manifest lists it.
    pub(super) fn answer(
        &self,
        prepared: &Prepared,
        played: Played,
    ) -> (ChangesReport, Vec<manifest::Variant>) {
        let all = self
            .possible
            .iter()
            .chain(self.fixed.iter().map(|(change, _)| change));
        let numbers = all.filter(|change| change.kind == ChangeKind::Number);
        let keys = numbers.map(|change| change.key.as_str());
        let notes = notes::shared(prepared, &self.base.fight, keys);
        let report = ChangesReport {
            part: self.part,
            scenario: prepared.name.clone(),
            title: prepared.input().title().to_owned(),
            variant: self.measure.variant.clone(),
            until: prepared.task.until.clone(),
            encounters: played.each,
            confidence: prepared.task.confidence,
            base: played.base,
            notes: notes.into_iter().collect(),
            interrupted: !played.complete,
            effects: adjusted(played.effects),
            fixed: self.fixed.iter().cloned().chain(played.unsolved).collect(),
            shown: self.shown.clone(),
        };
        let (name, changes) = (&self.measure.variant, &self.base.changes);
        let listed = manifest::Variant::new(name, played.each, changes);
        (report, vec![listed])
    }
}

/// Returns the changed fights of a change: one or two.
fn fights(change: &Change) -> impl Iterator<Item = &Variant> {
    let ends = [&change.from, &change.to];
    ends.into_iter().flatten().map(|(_, variant)| variant)
}

/// Returns whether two solved fights differ in any metric, or may differ as far as their bounds tell.
fn is_other(one: &Tally, other: &Tally) -> bool {
    let (Some(one), Some(other)) = (one.solution(), other.solution()) else {
        return true;
    };
    one.facts.iter().any(|fact| {
        let same = |other: &&SolvedMetric| {
            other.metric.name == fact.metric.name && other.subject == fact.subject
        };
        let other = other.facts.iter().find(same).and_then(|other| other.mean);
        match (fact.mean, other) {
            (Some(one), Some(other)) => !Difference::of_bounds(one, other).is_none(),
            (one, other) => one.is_some() != other.is_some(),
        }
    })
}

/// Adjusts the p-values of the effects for the number of questions.
fn adjusted(mut effects: Vec<Effect>) -> Vec<Effect> {
    let raw: Vec<_> = effects.iter().map(|one| one.difference.p_value).collect();
    let raw_of_steps: Vec<_> = effects.iter().map(Effect::p_of_steps).collect();
    let adjusted = significance::holm_of_tested(&raw);
    let adjusted = adjusted
        .into_iter()
        .zip(significance::holm_of_tested(&raw_of_steps));
    for (effect, (p_adjusted, of_steps)) in effects.iter_mut().zip(adjusted) {
        effect.p_adjusted = p_adjusted;
        effect.p_of_steps_adjusted = of_steps;
    }
    effects
}
