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
use crate::run::paired::{ComparedMetric, ComparedValues, Paired};
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
        std::iter::once(&self.base).chain(self.possible.iter().flat_map(|change| fights(change)))
    }

    /// Returns the report of counts, which may be of fewer encounters than wanted.
    pub(super) fn sampled(
        &self,
        played: &Paired<ComparedValues>,
        prepared: &Prepared,
    ) -> ChangesReport {
        let mut report = self.report(prepared);
        report.encounters = played.encounters;
        report.interrupted = played.encounters < prepared.encounters();
        if played.encounters == 0 {
            return report;
        }
        let outcome = |(index, variant): (usize, &Variant)| {
            let counts = &played.counts[index];
            let values = self.questions.iter().zip(&counts.values);
            let values = values.map(|(question, values)| {
                let subject = question.subjects[index]?;
                let distribution = question
                    .metric
                    .distribution(&variant.fight, subject, values);
                Some(distribution)
            });
            let pairs = played.pairs.iter().map(|pairs| match index {
                0 => Pairs::default(),
                _ => pairs[index - 1].clone(),
            });
            Outcome {
                attackers: counts.attackers,
                deciders: counts.deciders,
                differs: counts.differs,
                values: values.collect(),
                pairs: pairs.collect(),
            }
        };
        let mut outcomes = self.variants().enumerate().map(outcome);
        let Some(base) = outcomes.next() else {
            return report;
        };
        self.summarize(&mut report, &base);
        for change in &self.possible {
            let ends = [&change.from, &change.to].map(|end| {
                end.as_ref()?;
                outcomes.next()
            });
            self.add(&mut report, change, &base, ends);
        }
        report
    }

    /// Adds the summary of each metric in the unchanged fight.
    fn summarize(&self, report: &mut ChangesReport, base: &Outcome) {
        let known = self.shown.iter().zip(&base.values);
        let known = known.filter_map(|(shown, values)| Some((shown.metric.kind, values.as_ref()?)));
        let confidence = report.confidence;
        report.base = known
            .map(|(kind, values)| Summary::of(values, kind, confidence))
            .collect();
    }

    /// Adds the effects of a change on all metrics, or the reason why it is left out, from the outcomes of the fights with
    /// less and with more.
    fn add(
        &self,
        report: &mut ChangesReport,
        change: &Arc<Change>,
        base: &Outcome,
        [less, more]: [Option<Outcome>; 2],
    ) {
        let stopped = |outcome: &Outcome, end: &Option<(_, Variant)>| {
            let (_, variant) = end.as_ref()?;
            self.stopped(&variant.fight, base, outcome)
        };
        let first = match (&more, &less) {
            (Some(more), _) => stopped(more, &change.to),
            (None, Some(less)) => stopped(less, &change.from),
            (None, None) => None,
        };
        if let Some(why) = first {
            report.fixed.push((Arc::clone(change), why));
            return;
        }
        let less = less.filter(|less| stopped(less, &change.from).is_none());
        let differs = { less.iter().chain(&more) }.any(|outcome| outcome.differs);
        for (at, Shown { metric, subject }) in self.shown.iter().enumerate() {
            let between = |pairs: &Pairs, [first, second]: [&Outcome; 2]| {
                let values = [first.values[at].as_ref()?, second.values[at].as_ref()?];
                Difference::of_means(pairs, values, metric.kind, Luck::Common, report.confidence)
            };
            // The unchanged fight comes second.
            let last =
                { less.as_ref() }.and_then(|less| between(&less.pairs[at].swapped(), [less, base]));
            let (difference, last) = match &more {
                Some(more) => (between(&more.pairs[at], [base, more]), last),
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

    /// Returns why a changed fight says nothing about the worth of the change, if it says nothing: combatants of a side
    /// are changed, and the side never attacks, or never decides anything, where it did before. A change of enemies or of
    /// a ruling is a result in any case.
    fn stopped(&self, changed: &Fight, before: &Outcome, after: &Outcome) -> Option<String> {
        let fight = &self.base.fight;
        let pairs = || fight.combatants.iter().zip(&changed.combatants).enumerate();
        let kinds = [
            ("attack", before.attackers, after.attackers),
            ("action", before.deciders, after.deciders),
        ];
        fight.sides.iter().enumerate().find_map(|(side, name)| {
            let own = || pairs().filter(|(_, (one, _))| one.side == side);
            let members = own().fold(0, |set, (who, _)| set | 1 << who);
            let ended =
                |(_, before, after): &(_, u64, u64)| before & members != 0 && after & members == 0;
            let (what, ..) = kinds.into_iter().find(ended)?;
            let is_changed = own().any(|(_, (one, other))| one != other);
            is_changed.then(|| format!("no {what} of {name} in any encounter"))
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
        let outcome = |variant: &Variant, tally: &Tally| {
            let values = self.shown.iter().map(|Shown { metric, subject }| {
                let subject = metric.scope.subject(&variant.fight, subject);
                Some(tally.distribution(metric, subject.unwrap_or_default()))
            });
            Outcome {
                attackers: attackers(tally),
                // Solutions do not count decisions.
                deciders: u64::MAX,
                differs: is_other(&base, tally),
                values: values.collect(),
                pairs: vec![Pairs::default(); self.shown.len()],
            }
        };
        let unchanged = outcome(&self.base, &base);
        self.summarize(&mut report, &unchanged);
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
                    Some(tried.next()?.map(|tally| outcome(variant, &tally)))
                });
                match ends.map(Option::transpose) {
                    [Ok(less), Ok(more)] => self.add(&mut report, change, &unchanged, [less, more]),
                    [Err(why), _] | [_, Err(why)] => report.fixed.push((Arc::clone(change), why)),
                }
            }
        }
        report.interrupted = false;
        Ok(report)
    }
}

/// What is known of the unchanged fight, or of a changed one.
struct Outcome {
    /// The combatants that attack or do damage.
    attackers: u64,
    /// The combatants that decide anything.
    deciders: u64,
    /// Whether anything measured differs from the unchanged fight.
    differs: bool,
    /// The values of each metric; `None` without its subject.
    values: Vec<Option<Distribution>>,
    /// The pairs of values of each metric, those of the unchanged fight first; empty for a solved fight.
    pairs: Vec<Pairs>,
}

/// Returns the changed fights of a change: one or two.
fn fights(change: &Change) -> impl Iterator<Item = &Variant> {
    let ends = [&change.from, &change.to];
    ends.into_iter().flatten().map(|(_, variant)| variant)
}

/// Returns the combatants of a solved fight that may attack or do damage.
fn attackers(tally: &Tally) -> u64 {
    let facts = tally.solution().into_iter().flat_map(|all| &all.facts);
    let may_attack = |fact: &&SolvedMetric| {
        let may_be = fact.mean.is_none_or(|[_, _, high]| high > 1e-12);
        may_be && ["attacks", "damage"].contains(&fact.metric.name)
    };
    facts
        .filter(may_attack)
        .fold(0, |set, fact| set | 1 << fact.subject)
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
