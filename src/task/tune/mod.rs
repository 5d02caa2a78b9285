//! Searches numbers, optional lines and orders of lines for the best candidate, or for a level.
//!
//! A search races candidates on shared encounters ([`search`]). The survivors then play *fresh* encounters,
//! whose numbers no race has used, and the results come from these alone: the best of many candidates on the
//! same dice is partly the luckiest.

mod goal;
mod known;
mod search;
mod write;

use super::subjects::side;
pub use goal::WITHIN;
pub use write::replace_text;

use self::known::{Candidate, CandidateResults, Evaluator, Stage, with};
use self::search::Found;
use super::checkpoint::Saved;
use super::prepared::Subject;
use super::{Answer, Context, Failure, Input, Played, Prepared, Source, Tune};
use crate::output::manifest;
use crate::output::tune::{Dimension, Goal, Role, Row, TuneReport, Wish};
use crate::run::Ended;
use crate::scenario::Space;
use crate::stats::{Precision, significance};
use anyhow::{anyhow, bail, ensure};

/// A finalist plays up to this many times the encounters of a point of a curve.
const CURVE: u64 = 10;

/// The number of values of a curve to each side of the best.
const BESIDE: usize = 5;

/// Returns the encounters of each point of a curve.
fn each_of_curve(most: u64) -> u64 {
    (most / CURVE).max(1_000).min(most)
}

/// A search that is ready to begin.
#[derive(Debug)]
pub(super) struct Tuning {
    variant: String,
    pub(super) space: Space,
    goals: Vec<Goal>,
    within: Precision,
}

impl Tuning {
    /// Finds the values to search.
    pub(super) fn new(input: &Input, tune: &Tune) -> anyhow::Result<Self> {
        let variant = input.variant(&tune.variant)?;
        let side = side(&variant.fight, tune.side.as_deref())?;
        let goals = goal::read(tune, &variant.fight)?;
        let is_level = goals.iter().any(|goal| matches!(goal.wish, Wish::Level(_)));
        if let Some(within) = tune.within.as_ref().filter(|_| !is_level) {
            bail!(
                "--within {within} is how near to a level is near enough, and no --goal is a level: name one, as in \
                 --goal win_rate=50%, or leave it out"
            );
        }
        // A fight is balanced by its numbers: no side plays worse to be fair.
        let side = Some(side).filter(|_| !is_level);
        let document = &input.loaded.document;
        let space = document.space(&tune.variant, &tune.over, side.as_deref())?;
        ensure!(
            space.candidates() >= 2,
            "`{}`: there is nothing to search. Name keys and their values, as in --vary \
             parameters.near=1..20, or give a parameter a `range`{}",
            input.file.display(),
            if is_level {
                ""
            } else {
                ", mark a policy line with `?`, or lines as a block `any order {`"
            }
        );
        let within = tune.within.as_deref().unwrap_or(WITHIN);
        let within = within
            .parse()
            .map_err(|wrong| anyhow!("--within {within}: {wrong}"))?;
        Ok(Self {
            variant: variant.name.clone(),
            space,
            goals,
            within,
        })
    }

    /// Returns the most candidates that reach the end, and the encounters of all races.
    fn limits(&self, most: u64) -> (usize, u64) {
        let all = u64::try_from(self.space.candidates()).unwrap_or(u64::MAX);
        let keep = (all / 40).clamp(4, 10) as usize;
        (keep, most.saturating_mul((all / 25).clamp(3, 200)))
    }

    /// Returns an estimate of the most encounters of a search. It is no bound: a search that finds better neighbours, or
    /// that misses a level, goes on.
    pub(super) fn expected(&self, most: u64) -> u64 {
        let (keep, budget) = self.limits(most);
        let races = search::expected(&self.space, most, budget);
        let dimensions = 0..self.space.dimensions.len();
        let values = dimensions.map(|at| (self.space.len(at) - 1).min(2 * BESIDE + 1) as u64);
        let curves = values.sum::<u64>() * each_of_curve(most);
        let fresh = most.saturating_mul(keep as u64 + 1);
        races.saturating_add(fresh).saturating_add(curves)
    }

    /// Searches until the search is done or interrupted.
    pub(super) fn play(
        &self,
        prepared: &Prepared,
        context: &Context<'_, impl Source>,
        resumed: Option<Resumed>,
    ) -> Result<Played, Failure> {
        let most = prepared.encounters().max(1);
        let (keep, budget) = self.limits(most);
        let (saved, known) = match resumed {
            Some(resumed) => (Some(resumed.saved), resumed.known),
            None => (None, CandidateResults::new(self.goals.len())),
        };
        let is_exact = prepared.task.until.is_exact();
        let expected = if is_exact { 0 } else { self.expected(most) };
        context.begin("tune", expected, known.spent, true);
        let mut evaluator = Evaluator {
            space: &self.space,
            goals: &self.goals,
            within: &self.within,
            prepared,
            context,
            known,
            saved,
        };
        let found = search::run(&mut evaluator, most, budget, keep);
        let report = found.and_then(|found| self.finish(&mut evaluator, found, most, keep));
        context.watch.end();
        let report = report?;
        if report.rows.is_empty() {
            return Ok(Played::Answered(None));
        }
        let summaries = report.rows.iter().filter_map(|row| row.summaries.first());
        let most = summaries.map(|summary| summary.n).max().unwrap_or(0);
        let listed = manifest::Variant::new(&self.variant, most, &self.space.changes);
        let counts = [report.encounters.iter().sum(), evaluator.known.states()];
        Ok(Played::answered(Answer::Tune(report), listed, counts))
    }

    /// Plays fresh encounters of the finalists.
    fn finish<S: Source>(
        &self,
        evaluator: &mut Evaluator<'_, S>,
        mut found: Found,
        most: u64,
        keep: usize,
    ) -> Result<TuneReport, Failure> {
        let start = self.space.start();
        found.cut += found.ranked.len().saturating_sub(keep);
        let finalists: Vec<Candidate> = found.ranked.iter().take(keep).cloned().collect();
        let mut notes = self.space.notes.clone();
        let mut missed = false;
        let mut across = None;
        let mut best = finalists.first().cloned().unwrap_or_else(|| start.clone());
        let mut complete = found.complete && !finalists.is_empty();
        if complete {
            let mut all = finalists.clone();
            all.push(start.clone());
            complete = evaluator.play(&all, Stage::Fresh, most)?;
            if complete {
                (best, missed) = self.settled(evaluator, &finalists, most, &mut notes);
            }
            across = missed.then(|| evaluator.across(&best, most)).flatten();
            if let Some(at) = &across {
                complete = evaluator.play(std::slice::from_ref(at), Stage::Fresh, most)?;
            }
            if complete && missed && !evaluator.is_exact() {
                // The race may have been wrong about the other survivors, and about the neighbours of the
                // nearest candidate.
                let mut all = [&finalists[..], &found.ranked].concat();
                for (dimension, &value) in best.iter().enumerate() {
                    let steps = self.space.steps(dimension, value).into_iter();
                    all.extend(steps.map(|value| with(&best, dimension, value)));
                }
                all.retain(|at| evaluator.is_allowed(at));
                complete = evaluator.play(&all, Stage::Fresh, most)?;
                if complete {
                    (best, missed) = self.settled(evaluator, &all, most, &mut notes);
                }
            }
        }
        let mut stage = Stage::Fresh;
        if !complete && evaluator.known.count(&best, Stage::Fresh) == 0 {
            stage = Stage::Race;
            if !finalists.is_empty() {
                notes.push(
                    "interrupted during the search: the figures are those it was searching by, and flatter the best"
                        .to_owned(),
                );
            }
        }
        if !complete && matches!(self.goals[0].wish, Wish::Level(_)) {
            missed = evaluator.rank(&best, stage, most)[0] > 0.0;
        }
        let mut shown = finalists;
        if missed {
            // The candidate on the other side of a level that was missed.
            let new = across.into_iter().filter(|at| !shown.contains(at));
            shown.extend(new.collect::<Vec<_>>());
        }
        shown.retain(|at| *at != best);
        shown.insert(0, best.clone());
        if !shown.contains(&start) {
            shown.push(start.clone());
        }
        shown.retain(|at| {
            evaluator.is_exact() && evaluator.known.tried() > 0
                || evaluator.known.count(at, stage) > 0
        });
        let role = |at: &Candidate| match at {
            at if *at == best => Role::Best,
            at if *at == start => Role::Written,
            _ => Role::Rival,
        };
        let row = |at: &Candidate| self.row(evaluator, role(at), [&best, at], stage, most);
        let mut rows: Vec<Row> = shown.iter().map(row).collect();
        if complete {
            complete = self.curves(evaluator, &best, most, &mut rows)?;
        }
        adjust(&mut rows);
        let (space, prepared) = (&self.space, evaluator.prepared);
        Ok(TuneReport {
            scenario: prepared.name.clone(),
            title: prepared.input().title().to_owned(),
            variant: self.variant.clone(),
            goals: self.goals.clone(),
            within: self.within.clone(),
            until: prepared.task.until.clone(),
            confidence: prepared.task.confidence,
            dimensions: self.dimensions(),
            change: space.settings(&best),
            best,
            rows,
            candidates: space.candidates(),
            tried: evaluator.known.tried(),
            cut: found.cut,
            encounters: [Stage::Race, Stage::Fresh].map(|stage| evaluator.known.played(stage)),
            ended: if complete {
                Ended::Enough
            } else {
                Ended::Interrupted
            },
            missed,
            notes,
        })
    }

    /// Returns the best candidate after the fresh encounters: the leader of the race, unless another is proven better,
    /// or the leader misses a level that another reaches. Also returns whether all of them miss a level.
    fn settled<S: Source>(
        &self,
        evaluator: &Evaluator<'_, S>,
        finalists: &[Candidate],
        most: u64,
        notes: &mut Vec<String>,
    ) -> (Candidate, bool) {
        let leader = &finalists[0];
        if matches!(self.goals[0].wish, Wish::Level(_)) {
            let far = |at: &&Candidate| evaluator.rank(at, Stage::Fresh, most)[0];
            let holds = finalists.iter().find(|at| far(at) <= 0.0);
            let nearest = finalists
                .iter()
                .min_by(|first, second| far(first).total_cmp(&far(second)));
            let best = holds.or(nearest).unwrap_or(leader);
            return (best.clone(), holds.is_none());
        }
        let p = |at| evaluator.p_of_worse(at, leader, Stage::Fresh, most);
        let others = finalists[1..].iter();
        let p_values: Vec<f64> = others.clone().map(|at| p(at).unwrap_or(1.0)).collect();
        let better = others
            .zip(significance::holm(&p_values))
            .filter(|(_, p)| *p <= evaluator.confidence().error());
        let rank = |at: &Candidate| evaluator.rank(at, Stage::Fresh, most)[0];
        let best = match better
            .map(|(at, _)| at)
            .min_by(|first, second| rank(first).total_cmp(&rank(second)))
        {
            Some(better) => {
                notes.push("the leader of the race was beaten on the fresh encounters, by the one that is called best".to_owned());
                better.clone()
            }
            None => leader.clone(),
        };
        (best, false)
    }

    /// Returns the row of a candidate, compared with the best.
    fn row<S: Source>(
        &self,
        evaluator: &Evaluator<'_, S>,
        role: Role,
        [best, at]: [&Candidate; 2],
        stage: Stage,
        upto: u64,
    ) -> Row {
        let goals = 0..self.goals.len();
        let difference = |goal| evaluator.difference([best, at], goal, stage, upto);
        let difference = |goal| difference(goal).filter(|_| at != best);
        let summary = |goal| evaluator.summary(at, goal, stage, upto);
        Row {
            role,
            at: at.clone(),
            differences: goals.clone().map(difference).collect(),
            summaries: goals.map(summary).collect(),
            p_adjusted: Vec::new(),
            settings: self.space.settings(at),
        }
    }

    /// Plays the best candidate with each single value changed: to near values, and back to the value in the file.
    fn curves<S: Source>(
        &self,
        evaluator: &mut Evaluator<'_, S>,
        best: &Candidate,
        most: u64,
        rows: &mut Vec<Row>,
    ) -> Result<bool, Failure> {
        let each = each_of_curve(most);
        for (index, dimension) in self.space.dimensions.iter().enumerate() {
            let mut values: Vec<usize> = if self.space.is_numeric(index) {
                let first = best[index].saturating_sub(BESIDE);
                (first..self.space.len(index).min(best[index] + BESIDE + 1)).collect()
            } else {
                self.space.steps(index, best[index])
            };
            values.push(dimension.start);
            values.retain(|value| *value != best[index]);
            values.sort_unstable();
            values.dedup();
            let mut all: Vec<Candidate> = values
                .into_iter()
                .map(|value| with(best, index, value))
                .collect();
            all.retain(|at| evaluator.is_allowed(at));
            if !evaluator.play(&all, Stage::Fresh, each)? {
                return Ok(false);
            }
            // The best candidate has played more; here it is cut to the same number of encounters.
            let (role, stage) = (Role::Curve(index), Stage::Fresh);
            let row = |at: &Candidate| self.row(evaluator, role, [best, at], stage, each);
            rows.extend(all.iter().chain([best]).map(row));
        }
        Ok(true)
    }

    fn dimensions(&self) -> Vec<Dimension> {
        let space = &self.space;
        let dimension = |(at, start): (usize, usize)| Dimension {
            key: space.key(at),
            line: space.line(at).map(str::to_owned),
            labels: (0..space.len(at))
                .map(|value| space.label(at, value))
                .collect(),
            numbers: space.is_numeric(at).then(|| {
                (0..space.len(at))
                    .filter_map(|value| space.number(at, value))
                    .collect()
            }),
            start,
        };
        space
            .start()
            .into_iter()
            .enumerate()
            .map(dimension)
            .collect()
    }
}

/// Adjusts the p-values of rivals for their number (Holm), goal by goal. Curves are a family of their own.
fn adjust(rows: &mut [Row]) {
    for curves in [false, true] {
        let of = |row: &Row| matches!(row.role, Role::Curve(_)) == curves;
        let mut family: Vec<&mut Row> = rows.iter_mut().filter(|row| of(row)).collect();
        let goals = family.first().map_or(0, |row| row.differences.len());
        for goal in 0..goals {
            let raw = family.iter();
            let raw = raw.map(|row| row.differences[goal].as_ref()?.p_value);
            let adjusted = significance::holm_of_tested(&raw.collect::<Vec<_>>());
            for (row, p) in family.iter_mut().zip(adjusted) {
                row.p_adjusted.push(p);
            }
        }
    }
}

impl Prepared {
    /// Opens the checkpoint of a search, and takes over its encounters.
    ///
    /// # Errors
    /// If it is the checkpoint of something else, or cannot be read.
    pub fn resume(
        &self,
        file: &std::path::Path,
        every: std::time::Duration,
    ) -> anyhow::Result<Resumed> {
        let Subject::Tune(tuning) = &self.subject else {
            bail!("only a search goes on from such a checkpoint");
        };
        let mut known = CandidateResults::new(tuning.goals.len());
        let saved = Saved::open_search(file, self, every, &mut known)?;
        Ok(Resumed { saved, known })
    }

    /// Runs a search, from a checkpoint if one is given.
    ///
    /// # Errors
    /// If the operating system refuses the threads, a fight is too large to be solved, or the checkpoint cannot be
    /// written.
    pub fn play_on(
        &self,
        context: &Context<'_, impl Source>,
        resumed: Option<Resumed>,
    ) -> Result<Played, Failure> {
        match &self.subject {
            Subject::Tune(tuning) => tuning.play(self, context, resumed),
            _ => self.play(context),
        }
    }

    /// Returns the text of the scenario with the values that a search has found.
    ///
    /// # Errors
    /// If a searched value is not written in the file, or the new text would not be the same fight.
    pub fn rewritten(&self, best: &[usize]) -> anyhow::Result<String> {
        let Subject::Tune(tuning) = &self.subject else {
            bail!("there is nothing to write");
        };
        let file = self.input().file.display();
        let edits = tuning.space.edits(best).map_err(|key| {
            anyhow!(
                "--write: `{key}` does not stand in `{file}` by itself, so that there is nothing to replace: write it \
                 there first, without --set"
            )
        })?;
        let mut text = self.input().loaded.document.text().to_owned();
        for (bytes, new) in edits.into_iter().rev() {
            text.replace_range(bytes, &new);
        }
        let wanted = tuning.space.build(best).ok();
        let read = crate::scenario::Scenario::parse(&file.to_string(), &text, &self.task.set);
        let read = read
            .ok()
            .and_then(|read| read.scenario.variants.into_iter().next());
        let pair = wanted.zip(read);
        let is_same = pair.is_some_and(|(wanted, read)| read.plays_like(&wanted));
        ensure!(
            is_same,
            "--write: `{file}` cannot be changed in place without changing more than was searched; set it by hand"
        );
        Ok(text)
    }
}

/// A search to resume from a checkpoint.
pub struct Resumed {
    saved: Saved,
    known: CandidateResults,
}

impl Resumed {
    /// Returns the number of encounters in the checkpoint.
    pub fn encounters(&self) -> u64 {
        self.known.spent
    }
}
