//! Plays a task in parts: the shards of a plan.

use super::plan_folder::{Folder, Survey};
use super::prepared::Subject;
use super::shard::{Body, InvalidFile, ReadError, ShardPart};
use super::{Context, Failure, Played, Prepared, Source, Text};
use crate::run::{Ended, paired};
use crate::scenario::Variant;
use crate::tally::code::{Malformed, Reader};
use crate::tally::{Portable, Tally};
use std::collections::BTreeMap;

impl Prepared {
    /// Returns the number of fights that are cut into shards. The fights of a comparison count as one because
    /// they are played side by side. A knockout and a sensitivity cannot be cut.
    pub fn fights(&self) -> usize {
        match &self.subject {
            Subject::Compare(_) => 1,
            _ => self.variants().len(),
        }
    }

    /// Returns the number of encounters that are played for each encounter of such a fight.
    pub fn each(&self) -> u64 {
        match &self.subject {
            Subject::Compare(contest) => contest.variants.len() as u64,
            _ => 1,
        }
    }

    /// Plays parts and returns the encoded counts of each. If interrupted, the last ones are missing.
    ///
    /// # Errors
    /// If the operating system refuses the threads.
    pub fn play_parts(
        &self,
        parts: &[ShardPart],
        context: &Context<'_, impl Source>,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let seed = self.task.seed;
        let Subject::Compare(contest) = &self.subject else {
            let variants = self.variants();
            let stretches = parts
                .iter()
                .map(|part| (variants[part.fight], part.encounters.clone()));
            let encode = |index: usize, tally: Tally| tally.encoded(&parts[index].encounters);
            return context.play_each(stretches, seed, encode);
        };
        let contenders = context.contenders(&contest.variants, seed);
        let mut encoded = Vec::with_capacity(parts.len());
        for part in parts {
            let range = part.encounters.clone();
            let wanted = range.end - range.start;
            let (questions, watch) = (contest.questions(), &context.watch);
            let (threads, stop) = (context.threads, context.stop);
            let paired = paired::run(&contenders, questions, range, threads, stop, watch)
                .map_err(Failure::io)?;
            if paired.encounters() < wanted {
                break;
            }
            encoded.push(paired.encoded(&part.encounters));
        }
        Ok(encoded)
    }

    /// Checks that a shard contains the counts of `parts`.
    ///
    /// # Errors
    /// If the shard contains other or invalid counts.
    pub fn check_parts(
        &self,
        body: Body<'_>,
        parts: &mut dyn Iterator<Item = ShardPart>,
    ) -> Result<(), InvalidFile> {
        let variants = self.variants();
        body.each(parts, |body, part| {
            match &self.subject {
                Subject::Compare(contest) => drop(body.counts(&contest.empty(), &part)?),
                _ => drop(body.counts(&empty(&variants, part.fight), &part)?),
            }
            Ok(())
        })
    }

    /// Adds up the counts of parts as encoded by [`play_parts`](Self::play_parts). The parts must contain each
    /// encounter of a run or of a comparison once, in any order.
    ///
    /// # Errors
    /// If the bytes are not counts of these parts, or the task is neither a run nor a comparison.
    pub fn collect(&self, parts: &[(ShardPart, &[u8])]) -> Result<Played, Failure> {
        let damaged = |error: Malformed| Failure {
            exit: super::Exit::Mismatch,
            error: error.into(),
        };
        match &self.subject {
            Subject::Compare(contest) => {
                let mut paired = contest.empty();
                for (part, bytes) in parts {
                    paired.merge(&decoded(&contest.empty(), part, bytes).map_err(damaged)?);
                }
                Ok(Played::Compare(paired, Ended::Enough))
            }
            Subject::Run => {
                let variants = self.variants();
                let mut tallies: Vec<Tally> = (0..variants.len())
                    .map(|fight| empty(&variants, fight))
                    .collect();
                for (part, bytes) in parts {
                    let Some(tally) = tallies.get_mut(part.fight) else {
                        return Err(damaged(Malformed::Great));
                    };
                    let counts = decoded(&empty(&variants, part.fight), part, bytes);
                    tally.merge(&counts.map_err(damaged)?);
                }
                Ok(Played::of_run(variants, tallies, |_| Ended::Enough))
            }
            _ => Err(Failure::input(anyhow::anyhow!(
                "only runs and comparisons are added up from parts"
            ))),
        }
    }

    /// Adds up the shards that exist in a folder.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn gather(&self, folder: &Folder) -> Result<(Played, Survey), Failure> {
        let all = folder.plan.layout.encounters();
        let ended = |encounters: u64| {
            if encounters == all {
                Ended::Enough
            } else {
                Ended::Partial
            }
        };
        let variants = self.variants();
        let empty = |fight: usize| empty(&variants, fight);
        match &self.subject {
            Subject::Compare(contest) => {
                let mut paired = contest.empty();
                let survey = gather(folder, |_| contest.empty(), |_, part| paired.merge(&part))?;
                let ended = ended(paired.encounters());
                Ok((Played::Compare(paired, ended), survey))
            }
            Subject::Sweep(points) => {
                let mut complete = BTreeMap::new();
                // Shards come in the order of points, so the tally of a complete point can be dropped.
                let mut at: Option<(usize, Tally)> = None;
                let survey = gather(folder, empty, |part, counts: Tally| {
                    let tally = match at.take() {
                        Some((fight, mut tally)) if fight == part.fight => {
                            tally.merge(&counts);
                            tally
                        }
                        _ => counts,
                    };
                    if tally.encounters() == all {
                        complete.insert(part.fight, points.point(part.fight, tally, self));
                    } else {
                        at = Some((part.fight, tally));
                    }
                })?;
                Ok((points.answer_among(self, complete)?, survey))
            }
            Subject::Run
            | Subject::Changes(_)
            | Subject::Tune(_)
            | Subject::Matchup(_)
            | Subject::BestPlay(_) => {
                let mut tallies: Vec<Tally> = (0..variants.len()).map(empty).collect();
                let survey = gather(folder, empty, |part, counts: Tally| {
                    tallies[part.fight].merge(&counts);
                })?;
                let ended = |tally: &Tally| ended(tally.encounters());
                Ok((Played::of_run(variants, tallies, ended), survey))
            }
        }
    }
}

fn empty(variants: &[&Variant], fight: usize) -> Tally {
    Tally::new(&variants[fight].fight)
}

fn decoded<C: Portable>(of: &C, part: &ShardPart, bytes: &[u8]) -> Result<C, Malformed> {
    let mut reader = Reader::new(bytes);
    let counts = of.decode(&part.encounters, &mut reader)?;
    reader.end()?;
    Ok(counts)
}

/// Passes the counts of every part of every shard to `take`, in order. Nothing of a damaged shard is passed on.
fn gather<C: Portable>(
    folder: &Folder,
    empty: impl Fn(usize) -> C,
    mut take: impl FnMut(ShardPart, C),
) -> Result<Survey, Failure> {
    folder.survey(|number| {
        let read: Result<Vec<(ShardPart, C)>, ReadError> = folder.read(number, |body, parts| {
            let mut all = Vec::new();
            body.each(parts, |body, part| {
                all.push((part.clone(), body.counts(&empty(part.fight), &part)?));
                Ok(())
            })?;
            Ok(all)
        });
        for (part, counts) in read? {
            take(part, counts);
        }
        Ok(())
    })
}

impl Folder {
    /// Prepares the task of the plan. Its scenarios were valid when the plan was written.
    ///
    /// # Errors
    /// If the plan was not written by this program.
    pub fn prepare(&self) -> Result<Prepared, Failure> {
        let (plan, task) = (&self.plan, &self.plan.job.task);
        let texts = plan.files.iter().zip(&plan.job.scenarios);
        let inputs: Result<Vec<_>, _> = texts
            .map(|(file, scenario)| Text(&scenario.text).input(file.as_ref(), &task.set))
            .collect();
        let inputs = inputs.map_err(|_| changed())?;
        let prepared = task.prepare(inputs).map_err(|_| changed())?;
        if prepared.fights() != plan.layout.fights() {
            return Err(changed());
        }
        Ok(prepared)
    }
}

/// Returns the failure for a plan that `skirmish plan` did not write like this.
fn changed() -> Failure {
    Failure {
        exit: super::Exit::Mismatch,
        error: anyhow::anyhow!(
            "the plan is none that `skirmish plan` writes: plan again, into another folder"
        ),
    }
}
