//! The worth of 1 more of each number of each combatant.
//!
//! Two fights are played on the same dice for each number: with 1 more and with 1 less. Half their difference
//! is the worth of a point; where one of the two is not allowed, the unchanged fight takes its place, and
//! the whole difference counts.

use super::notes;
use super::subjects::shown;
use super::{Context, Failure, Input, Measure, Prepared, Source, solve};
use crate::output::manifest;
use crate::output::sensitivity::{Effect, Report};
use crate::output::sweep::Shown;
use crate::run::paired::{self, Contender, Paired, Question};
use crate::run::runner;
use crate::scenario::{Number, Numbers, Variant};
use crate::stats::paired::{Difference, Luck};
use crate::stats::{Summary, significance};
use crate::tally::Tally;
use anyhow::anyhow;

/// The numbers of a variant, and the metrics.
#[derive(Debug)]
pub(super) struct Changes {
    numbers: Numbers,
    /// Indices of the numbers that can be changed.
    pub(super) contests: Vec<usize>,
    measure: Measure,
    shown: Vec<Shown>,
}

/// The counts.
pub struct Played {
    /// The metrics of the fight as it is, in the order they were asked for.
    pub(super) base: Vec<Summary>,
    /// For each metric the numbers, in the order of the file.
    pub(super) effects: Vec<Effect>,
    /// Numbers that are complete.
    numbers: usize,
    /// Encounters of each fight.
    each: u64,
}

impl Played {
    pub(super) fn encounters(&self) -> u64 {
        encounters(self.numbers, self.each)
    }
}

/// Encounters of all fights for that many numbers: two for each, and the fight as it is.
fn encounters(numbers: usize, each: u64) -> u64 {
    each.saturating_mul(2 * numbers as u64 + 1)
}

/// Two fights that differ in one number.
struct Contest<'a> {
    number: &'a Number,
    values: [&'a str; 2],
    fights: [&'a Variant; 2],
    /// By how much the number differs: 2, or 1 where one of the two is the fight as it is.
    steps: u32,
}

impl Changes {
    pub(super) fn new(input: &Input, measure: &Measure) -> Result<Self, Failure> {
        let numbers = input.loaded.document.numbers(&measure.variant);
        let numbers = numbers.map_err(Failure::input)?;
        let shown = shown(measure, &[&numbers.base.fight])?;
        let all = numbers.all.iter().enumerate();
        let contests: Vec<usize> = all
            .filter(|(_, number)| number.less.is_some() || number.more.is_some())
            .map(|(index, _)| index)
            .collect();
        if contests.is_empty() {
            return Err(Failure::input(anyhow!(
                "`{}`: no number of any combatant can be 1 more or 1 less",
                input.file.display()
            )));
        }
        Ok(Self {
            numbers,
            contests,
            measure: measure.clone(),
            shown,
        })
    }

    fn contest(&self, index: usize) -> Contest<'_> {
        let number = &self.numbers.all[index];
        let steps = u32::from(number.less.is_some()) + u32::from(number.more.is_some());
        let (less, more) = (number.less.as_ref(), number.more.as_ref());
        let [less, more] = [less, more].map(|other| match other {
            Some((value, fight)) => (value, fight),
            None => (&number.value, &self.numbers.base),
        });
        Contest {
            number,
            values: [less.0, more.0],
            fights: [less.1, more.1],
            steps,
        }
    }

    /// Plays all numbers; the first ones only if it is stopped.
    pub(super) fn play(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Played, Failure> {
        let each = prepared.encounters();
        // Progress is told in fights where none of them is played.
        let steps = if prepared.rule.budget().is_some() {
            1
        } else {
            each
        };
        let all = encounters(self.contests.len(), steps);
        context.watch.begin("sensitivity", all, 0, false);
        let mut played = Played {
            base: self.base(prepared, context)?,
            effects: Vec::new(),
            numbers: 0,
            each,
        };
        for &index in &self.contests {
            if context.stopped() {
                break;
            }
            let Some(effects) = self.play_number(index, prepared, context)? else {
                break;
            };
            played.effects.extend(effects);
            played.numbers += 1;
        }
        context.watch.end();
        Ok(played)
    }

    /// Plays the fight as it is; nothing if it was not finished.
    fn base(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Vec<Summary>, Failure> {
        let base = &self.numbers.base;
        let summarise = |tally: &Tally| {
            let summaries = self.shown.iter().map(|shown| {
                let subject = shown.metric.scope.subject(&base.fight, &shown.subject);
                let distribution = tally.distribution(shown.metric, subject.unwrap_or_default());
                Summary::of(&distribution, shown.metric.kind, prepared.task.confidence)
            });
            summaries.collect()
        };
        if let Some(budget) = prepared.rule.budget() {
            let solved =
                solve::solved([prepared.input(); 2], &[base], budget, &|_| false, context)?;
            return Ok(solved.map_or_else(Vec::new, |tallies| summarise(&tallies[0])));
        }
        let player = context.source.player(base, prepared.task.seed);
        let range = 0..prepared.encounters();
        let (threads, stop) = (context.threads, context.stop);
        let all = range.end;
        let played = runner::run(&player, &base.fight, range, threads, stop, &context.watch);
        let (tally, finished) = played.map_err(Failure::io)?;
        if finished < all {
            return Ok(Vec::new());
        }
        Ok(summarise(&tally))
    }

    /// Plays a number's two fights; nothing if they were not finished.
    fn play_number(
        &self,
        index: usize,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
    ) -> Result<Option<Vec<Effect>>, Failure> {
        let contest = self.contest(index);
        let fights = || contest.fights.iter().map(|variant| &variant.fight);
        let questions: Vec<Question> = self
            .shown
            .iter()
            .map(|shown| Question::new(shown.metric, &shown.subject, fights()))
            .collect();
        let Some(paired) = play_pair(&contest, &questions, prepared, context)? else {
            return Ok(None);
        };
        let effects = self
            .shown
            .iter()
            .zip(&paired.pairs)
            .filter_map(|(shown, pairs)| {
                let metric = shown.metric;
                let mut values = Vec::new();
                for (variant, tally) in contest.fights.iter().zip(&paired.tallies) {
                    let subject = metric.scope.subject(&variant.fight, &shown.subject)?;
                    values.push(tally.distribution(metric, subject));
                }
                let [less, more] = &values[..] else {
                    return None;
                };
                let difference = Difference::of_means(
                    pairs.first()?,
                    [less, more],
                    metric.kind,
                    Luck::Common,
                    prepared.task.confidence,
                )?;
                Some(Effect {
                    metric: shown.metric,
                    subject: shown.subject.clone(),
                    key: contest.number.key.clone(),
                    value: contest.number.value.clone(),
                    less: contest.values[0].to_owned(),
                    more: contest.values[1].to_owned(),
                    steps: contest.steps,
                    difference,
                    p_adjusted: None,
                })
            });
        Ok(Some(effects.collect()))
    }

    /// The answer, and the fight that was changed as a manifest lists it.
    pub(super) fn answer(
        &self,
        prepared: &Prepared,
        played: Played,
    ) -> (Report, Vec<manifest::Variant>) {
        let fixed = |number: &&Number| number.less.is_none() && number.more.is_none();
        let report = Report {
            scenario: prepared.name.clone(),
            title: prepared.input().title().to_owned(),
            variant: self.measure.variant.clone(),
            stop: prepared.rule.clone(),
            confidence: prepared.task.confidence,
            base: played.base,
            notes: notes::shared(
                prepared,
                &self.numbers.base.fight,
                self.numbers.all.iter().map(|one| one.key.as_str()),
            )
            .into_iter()
            .collect(),
            interrupted: played.numbers < self.contests.len(),
            effects: adjusted(played.effects),
            fixed: self
                .numbers
                .all
                .iter()
                .filter(fixed)
                .map(|one| one.key.clone())
                .collect(),
            shown: self.shown.clone(),
        };
        let listed = prepared.listed(&self.measure, &self.numbers.base.changes);
        (report, listed)
    }
}

/// Plays or solves the two fights of a number; nothing if they were not finished.
fn play_pair(
    contest: &Contest<'_>,
    questions: &[Question],
    prepared: &Prepared,
    context: &Context<'_, impl Source>,
) -> Result<Option<Paired>, Failure> {
    if let Some(budget) = prepared.rule.budget() {
        let solved = solve::solved(
            [prepared.input(); 2],
            &contest.fights,
            budget,
            &|_| false,
            context,
        )?;
        let fights = contest.fights.map(|variant| &variant.fight);
        let paired = |tallies| Paired {
            tallies,
            ..Paired::new(fights, questions)
        };
        return Ok(solved.map(paired));
    }
    let contenders = contest.fights.map(|variant| Contender {
        player: context.source.player(variant, prepared.task.seed),
        fight: &variant.fight,
    });
    let encounters = prepared.encounters();
    let (threads, stop) = (context.threads, context.stop);
    let (range, watch) = (0..encounters, &context.watch);
    let paired = paired::run(&contenders, questions, range, threads, stop, watch);
    let paired = paired.map_err(Failure::io)?;
    Ok((paired.encounters() == encounters).then_some(paired))
}

/// The effects with p-values that take into account how many were asked for.
fn adjusted(mut effects: Vec<Effect>) -> Vec<Effect> {
    let raw = effects.iter().map(|one| one.difference.p_value);
    let adjusted = significance::holm_of_tested(&raw.collect::<Vec<_>>());
    for (effect, p_adjusted) in effects.iter_mut().zip(adjusted) {
        effect.p_adjusted = p_adjusted;
    }
    effects
}
