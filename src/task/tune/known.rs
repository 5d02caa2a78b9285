//! The results of a search so far: the fights of its candidates, and the answers of each encounter.
//!
//! A search asks for encounters of candidates in an order that depends only on the answers. So a search that
//! resumes from a checkpoint repeats the same search, and finds its first answers here.

use super::goal::reach;
use crate::fight::Fight;
use crate::output::sweep::Shown;
use crate::output::tune::{Goal, Wish};
use crate::run::answers::{self, NONE};
use crate::run::points::Point;
use crate::scenario::{Space, Variant};
use crate::stats::paired::{Difference, Luck};
use crate::stats::{Confidence, Precision, Summary, significance};
use crate::tally::code::{self, Malformed, Reader};
use crate::tally::{Distribution, Metric, Pairs, Portable, Tally};
use crate::task::checkpoint::{Saved, part};
use crate::task::{Context, Failure, Prepared, Source, solve};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A candidate: the index of its value in each dimension.
pub(super) type Candidate = Vec<usize>;

/// Returns the same candidate with another value of one dimension.
pub(super) fn with(at: &Candidate, dimension: usize, value: usize) -> Candidate {
    let mut other = at.clone();
    other[dimension] = value;
    other
}

/// The number of the first fresh encounter; no race has as many encounters.
const FRESH: u64 = 1 << 40;

/// The fights to play or solve between two checks whether a save is due.
const AT_ONCE: usize = 32;

/// The encounters of each of these fights from one save, and one look for an interrupt, to the next.
const STRETCH: u64 = 1 << 12;

/// The two sets of encounters of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The encounters of races, which decide the candidates to try next.
    Race,
    /// Fresh encounters, by which no candidate has been chosen.
    Fresh,
}

/// A candidate.
#[derive(Debug, Clone, Default)]
struct Trial {
    /// The fight of the candidate; `None` if the combination is not allowed.
    variant: Option<Box<Variant>>,
    /// Whether `variant` has been built, or found not to be allowed.
    is_built: bool,
    /// The answers of encounters for each goal: of races, and of fresh ones.
    answers: [Vec<Vec<u32>>; 2],
    /// The solved distribution of each goal's metric.
    exact: Option<Vec<Distribution>>,
    /// The number of situations, if the fight was solved.
    states: u64,
    /// The encounters requested in this search, including those of a checkpoint.
    asked: [u64; 2],
}

/// All candidates tried so far.
#[derive(Debug, Clone, Default)]
pub(in crate::task) struct CandidateResults {
    entries: BTreeMap<Candidate, Trial>,
    /// The number of goals.
    goals: usize,
    /// The encounters played, including those of a checkpoint.
    pub(super) spent: u64,
    /// The encounters requested in this search: the same number whether or not a checkpoint had them.
    pub(super) asked: u64,
}

/// Plays or solves candidates on request, and answers questions about them.
pub(super) struct Evaluator<'a, S> {
    pub(super) space: &'a Space,
    pub(super) goals: &'a [Goal],
    pub(super) within: &'a Precision,
    pub(super) prepared: &'a Prepared,
    pub(super) context: &'a Context<'a, S>,
    pub(super) known: CandidateResults,
    pub(super) saved: Option<Saved>,
}

impl Stage {
    fn encounters(self, range: Range<u64>) -> Range<u64> {
        match self {
            Self::Race => range,
            Self::Fresh => FRESH + range.start..FRESH + range.end,
        }
    }
}

impl CandidateResults {
    pub(super) fn new(goals: usize) -> Self {
        Self {
            goals,
            ..Self::default()
        }
    }

    /// Returns the number of candidates whose fights were played or solved.
    pub(super) fn tried(&self) -> usize {
        let tried = |trial: &&Trial| {
            trial.exact.is_some() || trial.answers.iter().any(|all| !all.is_empty())
        };
        self.entries.values().filter(tried).count()
    }

    /// Returns the number of situations of all solved fights.
    pub(super) fn states(&self) -> u64 {
        self.entries.values().map(|trial| trial.states).sum()
    }

    /// Returns the number of encounters requested of a candidate.
    pub(super) fn asked_of(&self, at: &Candidate, stage: Stage) -> u64 {
        self.entries
            .get(at)
            .map_or(0, |trial| trial.asked[stage as usize])
    }

    /// Returns the number of encounters of all candidates that were both requested in this search and played.
    pub(super) fn played(&self, stage: Stage) -> u64 {
        let played = |at: &Candidate| self.asked_of(at, stage).min(self.count(at, stage));
        self.entries.keys().map(played).sum()
    }

    /// Returns the number of encounters that a candidate has played.
    pub(super) fn count(&self, at: &Candidate, stage: Stage) -> u64 {
        let entry = self.entries.get(at);
        let answers = entry.and_then(|trial| trial.answers[stage as usize].first());
        answers.map_or(0, |answers| answers.len() as u64)
    }
}

impl<S: Source> Evaluator<'_, S> {
    /// Returns whether fights are solved instead of played.
    pub(super) fn is_exact(&self) -> bool {
        self.prepared.task.until.is_exact()
    }

    /// Returns the level of all intervals.
    pub(super) fn confidence(&self) -> Confidence {
        self.prepared.task.confidence
    }

    /// Returns whether a candidate is a valid fight: not all combinations of values are.
    pub(super) fn is_allowed(&mut self, at: &Candidate) -> bool {
        self.variant(at).is_some()
    }

    fn variant(&mut self, at: &Candidate) -> Option<&Variant> {
        let entry = self.known.entries.entry(at.clone()).or_default();
        let space = self.space;
        if !entry.is_built {
            entry.variant = space.build(at).ok().map(Box::new);
            entry.is_built = true;
        }
        entry.variant.as_deref()
    }

    /// Plays the first `upto` encounters of candidates, or solves them; a candidate may be named more than once. Returns
    /// false if interrupted.
    pub(super) fn play(
        &mut self,
        all: &[Candidate],
        stage: Stage,
        upto: u64,
    ) -> Result<bool, Failure> {
        let is_missing = |known: &CandidateResults, at: &Candidate| {
            if self.prepared.task.until.is_exact() {
                known
                    .entries
                    .get(at)
                    .is_none_or(|trial| trial.exact.is_none())
            } else {
                known.count(at, stage) < upto
            }
        };
        let all: BTreeSet<&Candidate> = all.iter().collect();
        let missing: Vec<Candidate> = all
            .iter()
            .filter(|at| is_missing(&self.known, at))
            .map(|at| (*at).clone())
            .collect();
        if !self.is_exact() {
            for &at in &all {
                let entry = self.known.entries.entry(at.clone()).or_default();
                let asked = &mut entry.asked[stage as usize];
                self.known.asked += upto.saturating_sub(*asked);
                *asked = upto.max(*asked);
            }
        }
        // Candidates from a checkpoint need their fights, too, for the limits of the metrics.
        for at in all {
            self.variant(at);
        }
        for chunk in missing.chunks(AT_ONCE) {
            if self.context.stopped() {
                return Ok(false);
            }
            let counts = chunk.iter().map(|at| self.known.count(at, stage));
            let mut to = counts.min().unwrap_or(0);
            while to < upto {
                // Solved fights are whole at once.
                to = to.saturating_add(STRETCH).min(upto);
                let done = if self.is_exact() {
                    to = upto;
                    self.solve(chunk)?
                } else {
                    self.sample(chunk, stage, to)?
                };
                let (known, spent) = (&self.known, self.known.spent);
                // Before the first encounters there are no counts to save.
                if let Some(saved) = self.saved.as_mut().filter(|_| spent > 0) {
                    saved.keep(|| vec![part(0, spent, known)], !done, self.context.watch);
                }
                if !done {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn sample(&mut self, chunk: &[Candidate], stage: Stage, upto: u64) -> Result<bool, Failure> {
        let (known, context) = (&self.known, self.context);
        let point = |at| {
            let variant: &Variant = known.entries.get(at)?.variant.as_deref()?;
            let point = Point {
                play: context.source.player(variant, self.prepared.task.seed),
                fight: &variant.fight,
                encounters: stage.encounters(known.count(at, stage).min(upto)..upto),
            };
            Some((at, point))
        };
        let (candidates, points): (Vec<&Candidate>, Vec<_>) =
            chunk.iter().filter_map(point).unzip();
        let questions: Vec<(&'static Metric, &str)> = self
            .goals
            .iter()
            .map(|goal| (goal.shown.metric, goal.shown.subject.as_str()))
            .collect();
        let (threads, stop) = (context.threads, context.stop);
        let played = answers::run(&points, &questions, threads, stop, &context.watch);
        let lengths = points
            .iter()
            .map(|point| point.encounters.end - point.encounters.start);
        let new: u64 = lengths.sum();
        drop(points);
        let Some(played) = played.map_err(Failure::io)? else {
            return Ok(false);
        };
        for (at, played) in candidates.into_iter().zip(played) {
            let entry = self.known.entries.entry(at.clone()).or_default();
            let answers = &mut entry.answers[stage as usize];
            answers.resize(self.goals.len(), Vec::new());
            for (all, mut new) in answers.iter_mut().zip(played) {
                all.append(&mut new);
            }
        }
        self.known.spent += new;
        Ok(true)
    }

    fn solve(&mut self, chunk: &[Candidate]) -> Result<bool, Failure> {
        let Some(budget) = self.prepared.task.until.budget() else {
            return Ok(true);
        };
        let entries = &self.known.entries;
        let fight = |at: &Candidate| entries.get(at)?.variant.as_deref();
        let (candidates, variants): (Vec<&Candidate>, Vec<&Variant>) =
            chunk.iter().filter_map(|at| Some((at, fight(at)?))).unzip();
        let input = self.prepared.input();
        let Some(solved) = solve::solved(input, &variants, budget, self.context)? else {
            return Ok(false);
        };
        let distributions = |tally: &Tally, fight: &Fight| -> Vec<Distribution> {
            let goals = self.goals.iter().map(|goal| {
                let Shown { metric, subject } = &goal.shown;
                let subject = metric.scope.subject(fight, subject);
                tally.distribution(metric, subject.unwrap_or_default())
            });
            goals.collect()
        };
        let exact = { solved.iter().zip(variants) }
            .map(|(tally, variant)| distributions(tally, &variant.fight));
        let exact: Vec<Vec<Distribution>> = exact.collect();
        for ((at, exact), tally) in candidates.into_iter().zip(exact).zip(&solved) {
            let entry = self.known.entries.entry(at.clone()).or_default();
            entry.exact = Some(exact);
            entry.states = solve::states(tally).unwrap_or(0);
        }
        Ok(true)
    }

    /// Returns the answers of the first `upto` encounters.
    fn answers(&self, at: &Candidate, goal: usize, stage: Stage, upto: u64) -> &[u32] {
        let entry = self.known.entries.get(at);
        let all = entry.and_then(|trial| trial.answers[stage as usize].get(goal));
        let all = all.map_or(&[][..], Vec::as_slice);
        &all[..all.len().min(usize::try_from(upto).unwrap_or(usize::MAX))]
    }

    /// Returns the distribution of a goal's metric.
    fn distribution(&self, at: &Candidate, goal: usize, stage: Stage, upto: u64) -> Distribution {
        let entry = self.known.entries.get(at);
        if let Some(exact) = entry.and_then(|trial| trial.exact.as_ref()) {
            return exact[goal].clone();
        }
        let shown = &self.goals[goal].shown;
        let limit = entry.and_then(|trial| {
            let fight = &trial.variant.as_ref()?.fight;
            let subject = shown.metric.scope.subject(fight, &shown.subject)?;
            shown.metric.limit(fight, subject)
        });
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for &answer in self
            .answers(at, goal, stage, upto)
            .iter()
            .filter(|answer| **answer != NONE)
        {
            *counts.entry(answer).or_default() += 1;
        }
        let least = shown.metric.least();
        Distribution::of_counts(counts).at_least(least).up_to(limit)
    }

    /// Returns the summary of a goal's metric.
    pub(super) fn summary(&self, at: &Candidate, goal: usize, stage: Stage, upto: u64) -> Summary {
        let distribution = self.distribution(at, goal, stage, upto);
        let kind = self.goals[goal].shown.metric.kind;
        Summary::of(&distribution, kind, self.confidence())
    }

    /// Returns the difference of two candidates in the encounters that both have played: the second less the first.
    pub(super) fn difference(
        &self,
        [first, second]: [&Candidate; 2],
        goal: usize,
        stage: Stage,
        upto: u64,
    ) -> Option<Difference> {
        let upto = match stage {
            _ if self.is_exact() => 0,
            stage => upto
                .min(self.known.count(first, stage))
                .min(self.known.count(second, stage)),
        };
        let mut pairs = Pairs::default();
        let [earlier, later] = [first, second].map(|at| self.answers(at, goal, stage, upto));
        for (encounter, (&earlier, &later)) in (0..).zip(earlier.iter().zip(later)) {
            if earlier != NONE && later != NONE {
                pairs.add(encounter, earlier.into(), later.into());
            }
        }
        let values = [first, second].map(|at| self.distribution(at, goal, stage, upto));
        let kind = self.goals[goal].shown.metric.kind;
        let values = values.each_ref();
        Difference::of_means(&pairs, values, kind, Luck::Common, self.confidence())
    }

    fn mean(&self, at: &Candidate, goal: usize, stage: Stage, upto: u64) -> Option<f64> {
        if self.is_exact() {
            return self.summary(at, goal, stage, upto).mean;
        }
        let answers = self.answers(at, goal, stage, upto);
        let (sum, n) = answers
            .iter()
            .filter(|answer| **answer != NONE)
            .fold((0u64, 0u64), |(sum, n), answer| {
                (sum + u64::from(*answer), n + 1)
            });
        (n > 0).then(|| sum as f64 / n as f64)
    }

    /// Returns the tried candidate that is nearest to a level on the other side of it than `at`, if the level is the only
    /// goal.
    pub(super) fn across(&self, at: &Candidate, upto: u64) -> Option<Candidate> {
        let [
            Goal {
                wish: Wish::Level(level),
                ..
            },
        ] = self.goals
        else {
            return None;
        };
        let is_below = |at: &Candidate| Some(self.mean(at, 0, Stage::Race, upto)? < *level);
        let side = is_below(at)?;
        let others = self.known.entries.keys();
        let others = others.filter(|other| is_below(other) == Some(!side));
        let far = |at: &Candidate| self.far(at, Stage::Race, upto).1;
        others
            .min_by(|first, second| far(first).total_cmp(&far(second)))
            .cloned()
    }

    /// Returns the goals that are levels, with their indices and levels.
    fn levels(&self) -> impl Iterator<Item = (usize, &Goal, f64)> {
        let goals = self.goals.iter().enumerate();
        goals.filter_map(|(index, goal)| match goal.wish {
            Wish::Level(level) => Some((index, goal, level)),
            Wish::Most | Wish::Least => None,
        })
    }

    /// Returns the goal whose level a candidate misses most, and by how much beyond the tolerance, as a
    /// multiple of it.
    fn far(&self, at: &Candidate, stage: Stage, upto: u64) -> (usize, f64) {
        let goals = self.levels().map(|(index, goal, level)| {
            let mean = self.mean(at, index, stage, upto);
            let far = mean.map(|mean| (mean - level).abs() / reach(goal, self.within) - 1.0);
            (index, far.unwrap_or(f64::INFINITY))
        });
        let farthest = goals.max_by(|(_, first), (_, second)| first.total_cmp(second));
        farthest.map_or((0, 0.0), |(index, far)| (index, far.max(0.0)))
    }

    /// Returns the rank of a candidate, lower is better: the distance from the goal, then the size of the change.
    pub(super) fn rank(&self, at: &Candidate, stage: Stage, upto: u64) -> [f64; 3] {
        let mean = || self.mean(at, 0, stage, upto);
        let far = match self.goals[0].wish {
            Wish::Most => mean().map_or(f64::INFINITY, |mean| -mean),
            Wish::Least => mean().unwrap_or(f64::INFINITY),
            Wish::Level(_) => self.far(at, stage, upto).1,
        };
        let (count, share) = self.space.change(at);
        [far, count as f64, share]
    }

    /// Returns the probability that chance alone shows a candidate this much worse than the leader, or this far
    /// from a level.
    pub(super) fn p_of_worse(
        &self,
        leader: &Candidate,
        at: &Candidate,
        stage: Stage,
        upto: u64,
    ) -> Option<f64> {
        match self.goals[0].wish {
            Wish::Level(_) if self.far(leader, stage, upto).1 <= 0.0 => {
                let all = self.levels().filter_map(|(index, goal, level)| {
                    let summary = self.summary(at, index, stage, upto);
                    let beyond = (summary.mean? - level).abs() - reach(goal, self.within);
                    (beyond > 0.0)
                        .then(|| significance::two_sided(beyond / summary.se.unwrap_or(0.0)))
                });
                let goals = self.goals.len() as f64;
                all.map(|p| (p * goals).min(1.0)).min_by(f64::total_cmp)
            }
            // The leader misses a level as well. It is nearer than the candidate, at the level that the candidate
            // misses most, if the two differ and the level lies on the leader's side of the middle between them.
            Wish::Level(_) => {
                let (goal, far) = self.far(at, stage, upto);
                let Wish::Level(level) = self.goals[goal].wish else {
                    return None;
                };
                let differ = self.difference([leader, at], goal, stage, upto)?.p_value?;
                let [better, worse] = [leader, at].map(|at| self.summary(at, goal, stage, upto));
                let beyond = (f64::midpoint(better.mean?, worse.mean?) - level).abs();
                // An upper bound of the error of the middle, whatever the correlation of the two.
                let error = f64::midpoint(better.se?, worse.se?);
                let nearer = if beyond > 0.0 {
                    significance::two_sided(beyond / error)
                } else {
                    1.0
                };
                (far > self.far(leader, stage, upto).1).then(|| differ.max(nearer))
            }
            wish => {
                let difference = self.difference([leader, at], 0, stage, upto)?;
                let worse = if wish == Wish::Most {
                    -difference.difference
                } else {
                    difference.difference
                };
                difference.p_value.filter(|_| worse > 0.0)
            }
        }
    }
}

/// The answers as stored in a checkpoint.
impl Portable for CandidateResults {
    fn encode(&self, _: &Range<u64>, out: &mut Vec<u8>) {
        let tried =
            |(_, trial): &(&Candidate, &Trial)| trial.answers.iter().any(|all| !all.is_empty());
        let entries: Vec<(&Candidate, &Trial)> = self.entries.iter().filter(tried).collect();
        code::write(entries.len() as u64, out);
        for (at, entry) in entries {
            code::write(at.len() as u64, out);
            for value in at {
                code::write(*value as u64, out);
            }
            for answers in &entry.answers {
                let length = answers.first().map_or(0, Vec::len);
                code::write(length as u64, out);
                for answer in answers.iter().flatten() {
                    code::write(u64::from(answer.wrapping_add(1)), out);
                }
            }
        }
    }

    fn decode(&self, encounters: &Range<u64>, bytes: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut known = Self::new(self.goals);
        for _ in 0..bytes.number()? {
            let mut at = Candidate::new();
            for _ in 0..bytes.number()? {
                at.push(bytes.number()? as usize);
            }
            let mut entry = Trial::default();
            for answers in &mut entry.answers {
                let length = bytes.number()?;
                for _ in 0..if length > 0 { self.goals } else { 0 } {
                    let mut all = Vec::new();
                    for _ in 0..length {
                        let answer =
                            u32::try_from(bytes.number()?).map_err(|_| Malformed::Great)?;
                        all.push(answer.wrapping_sub(1));
                    }
                    answers.push(all);
                }
                known.spent += length;
            }
            known.entries.insert(at, entry);
        }
        if known.spent != encounters.end {
            return Err(Malformed::Contradiction("encounters of candidates"));
        }
        Ok(known)
    }
}
