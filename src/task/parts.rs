//! Plays a task in parts: the shards of a plan.

use super::plan_folder::{Folder, Survey, ranges};
use super::prepared::{Experiment, Kept, Subject};
use super::shard::{Body, Head, InvalidFile, Plan, ReadError, ShardPart};
use super::{Context, Failure, Played, Prepared, Source, Text};
use crate::output::sweep::Point;
use crate::run::Ended;
use crate::run::paired::{ComparedValues, Paired};
use crate::tally::code::{Malformed, Reader};
use crate::tally::{Portable, Tally};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The counts of a fight, or of fights that are played side by side.
#[derive(Debug, Clone)]
enum Counts {
    Alone(Tally),
    Compared(Paired),
    Changed(Paired<ComparedValues>),
}

impl Counts {
    fn encounters(&self) -> u64 {
        match self {
            Self::Alone(tally) => tally.encounters(),
            Self::Compared(paired) => paired.encounters,
            Self::Changed(paired) => paired.encounters,
        }
    }

    /// Returns the tally of a fight that is played alone.
    fn alone(self) -> Tally {
        match self {
            Self::Alone(tally) => tally,
            Self::Compared(_) | Self::Changed(_) => unreachable!("counts of a fight alone"),
        }
    }

    fn merge(&mut self, other: &Self) {
        match (self, other) {
            (Self::Alone(mine), Self::Alone(theirs)) => mine.merge(theirs),
            (Self::Compared(mine), Self::Compared(theirs)) => mine.merge(theirs),
            (Self::Changed(mine), Self::Changed(theirs)) => mine.merge(theirs),
            _ => unreachable!("counts of one task"),
        }
    }
}

impl Portable for Counts {
    fn encode(&self, encounters: &Range<u64>, out: &mut Vec<u8>) {
        match self {
            Self::Alone(tally) => tally.encode(encounters, out),
            Self::Compared(paired) => paired.encode(encounters, out),
            Self::Changed(paired) => paired.encode(encounters, out),
        }
    }

    fn decode(&self, encounters: &Range<u64>, bytes: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match self {
            Self::Alone(tally) => Self::Alone(tally.decode(encounters, bytes)?),
            Self::Compared(paired) => Self::Compared(paired.decode(encounters, bytes)?),
            Self::Changed(paired) => Self::Changed(paired.decode(encounters, bytes)?),
        })
    }
}

impl Experiment<'_> {
    /// Returns the number of fights that are cut into shards. Fights that are played side by side count as one.
    fn cuts(&self) -> usize {
        match self.side_by_side {
            Some(_) => 1,
            None => self.fights.len(),
        }
    }

    /// Returns empty counts of such a fight.
    fn counts(&self, fight: usize) -> Counts {
        let fights = self.fights.iter().map(|variant| &variant.fight);
        match self.side_by_side {
            Some((asked, Kept::ComparedValues)) => Counts::Changed(Paired::new(fights, asked)),
            Some((asked, Kept::Tallies)) => Counts::Compared(Paired::new(fights, asked)),
            None => Counts::Alone(Tally::new(&self.fights[fight].fight)),
        }
    }
}

impl Prepared {
    /// Returns the number of fights that are cut into shards. A search and a best play have none.
    pub fn fights(&self) -> usize {
        self.experiment().cuts()
    }

    /// Returns the number of encounters that are played for each encounter of such a fight.
    pub fn each(&self) -> u64 {
        let experiment = self.experiment();
        (experiment.fights.len() / experiment.cuts().max(1)) as u64
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
        let (seed, experiment) = (self.task.seed, self.experiment());
        let Some((questions, kept)) = experiment.side_by_side else {
            let fight = |part: &ShardPart| (experiment.fights[part.fight], part.encounters.clone());
            let encode = |index: usize, tally: Tally| tally.encoded(&parts[index].encounters);
            return context.play_each(parts.iter().map(fight), seed, encode);
        };
        let contenders = context.contenders(experiment.fights, seed);
        let mut encoded = Vec::with_capacity(parts.len());
        for ShardPart { encounters, .. } in parts {
            let range = encounters.clone();
            let counts = match kept {
                Kept::ComparedValues => {
                    Counts::Changed(context.side_by_side(&contenders, questions, range)?)
                }
                Kept::Tallies => {
                    Counts::Compared(context.side_by_side(&contenders, questions, range)?)
                }
            };
            if counts.encounters() < encounters.end - encounters.start {
                break;
            }
            encoded.push(counts.encoded(encounters));
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
        let experiment = self.experiment();
        body.each(parts, |body, part| {
            body.counts(&experiment.counts(part.fight), &part).map(drop)
        })
    }

    /// Adds up the counts of parts as encoded by [`play_parts`](Self::play_parts). The parts must contain each
    /// encounter once, those of a fight of a sweep one after the other.
    ///
    /// # Errors
    /// If the bytes are not counts of these parts, or the task is not cut into parts.
    pub fn collect(&self, parts: &[(ShardPart, &[u8])]) -> Result<Played, Failure> {
        let mut gathered = Gathered::new(self);
        for (part, bytes) in parts {
            let counts = gathered.decoded(part, bytes).map_err(|error| Failure {
                exit: super::Exit::Mismatch,
                error: error.into(),
            })?;
            gathered.add(part.fight, counts);
        }
        gathered.played()
    }

    /// Adds up the shards that exist in a folder. Nothing of a damaged shard is added.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn gather(&self, folder: &Folder) -> Result<(Played, Survey), Failure> {
        let mut gathered = Gathered::new(self);
        let survey = folder.survey(|number| {
            let read = folder.read(number, |body, parts| gathered.counted(body, parts))?;
            gathered.add_all(read);
            Ok::<_, ReadError>(())
        })?;
        Ok((gathered.played()?, survey))
    }

    /// Adds up all shards of a plan, given as the content of their files in any order.
    ///
    /// # Errors
    /// If shards are missing, damaged, there twice, or not the plan's.
    pub fn merge(&self, plan: &Plan, shards: &[&[u8]]) -> Result<Played, Failure> {
        let mismatch = |error: anyhow::Error| Failure {
            exit: super::Exit::Mismatch,
            error,
        };
        let mut missing: BTreeSet<u64> = (0..plan.layout.shards()).collect();
        let mut gathered = Gathered::new(self);
        for (index, bytes) in shards.iter().enumerate() {
            let read = || {
                let (head, body) = Body::open(bytes)?;
                let number = head.shard.as_ref().map(|position| position.number);
                // A head that is none of the plan's differs from that of any shard.
                let number = number.filter(|number| *number < plan.layout.shards());
                let number = number.unwrap_or_default();
                head.must_be(&Head::shard(plan, number))?;
                let counts = gathered.counted(body, &mut plan.layout.parts(number))?;
                Ok::<_, InvalidFile>((number, counts))
            };
            let (number, counts) = read().map_err(|wrong| {
                mismatch(anyhow::Error::from(wrong).context(format!("shards[{index}]")))
            })?;
            if !missing.remove(&number) {
                let twice = anyhow::anyhow!("shards[{index}]: shard {number} is there twice");
                return Err(mismatch(twice));
            }
            gathered.add_all(counts);
        }
        if !missing.is_empty() {
            let missing: Vec<u64> = missing.into_iter().collect();
            return Err(mismatch(anyhow::anyhow!(
                "{} of {} shards are there; missing: {}",
                shards.len(),
                plan.layout.shards(),
                ranges(&missing)
            )));
        }
        gathered.played()
    }
}

/// The counts of all parts so far.
struct Gathered<'a> {
    prepared: &'a Prepared,
    experiment: Experiment<'a>,
    /// The counts of each fight.
    counts: BTreeMap<usize, Counts>,
    /// The points of a sweep whose encounters are all there; their counts are dropped.
    points: BTreeMap<usize, Point>,
}

impl<'a> Gathered<'a> {
    fn new(prepared: &'a Prepared) -> Self {
        Self {
            prepared,
            experiment: prepared.experiment(),
            counts: BTreeMap::new(),
            points: BTreeMap::new(),
        }
    }

    fn decoded(&self, part: &ShardPart, bytes: &[u8]) -> Result<Counts, Malformed> {
        if part.fight >= self.experiment.cuts() {
            return Err(Malformed::Great);
        }
        let mut reader = Reader::new(bytes);
        let empty = self.experiment.counts(part.fight);
        let counts = empty.decode(&part.encounters, &mut reader)?;
        reader.end()?;
        Ok(counts)
    }

    /// Returns the counts of a shard, which has exactly these parts.
    fn counted(
        &self,
        body: Body<'_>,
        parts: &mut dyn Iterator<Item = ShardPart>,
    ) -> Result<Vec<(usize, Counts)>, InvalidFile> {
        let mut all = Vec::new();
        body.each(parts, |body, part| {
            let counts = body.counts(&self.experiment.counts(part.fight), &part)?;
            all.push((part.fight, counts));
            Ok(())
        })?;
        Ok(all)
    }

    fn add_all(&mut self, shard: Vec<(usize, Counts)>) {
        for (fight, counts) in shard {
            self.add(fight, counts);
        }
    }

    fn add(&mut self, fight: usize, counts: Counts) {
        let counts = match self.counts.remove(&fight) {
            Some(mut all) => {
                all.merge(&counts);
                all
            }
            None => counts,
        };
        match (&self.prepared.subject, counts) {
            (Subject::Sweep(points), Counts::Alone(tally))
                if tally.encounters() == self.prepared.encounters() =>
            {
                let point = points.point(fight, tally, self.prepared);
                self.points.insert(fight, point);
            }
            (_, counts) => drop(self.counts.insert(fight, counts)),
        }
    }

    fn played(mut self) -> Result<Played, Failure> {
        let prepared = self.prepared;
        let ended = |encounters: u64| {
            if encounters == prepared.encounters() {
                Ended::Enough
            } else {
                Ended::Partial
            }
        };
        let experiment = &self.experiment;
        let mut all = (0..experiment.cuts()).map(|fight| {
            let counts = self.counts.remove(&fight);
            counts.unwrap_or_else(|| experiment.counts(fight))
        });
        match &prepared.subject {
            Subject::Run => {
                let variants = experiment.fights.iter().copied();
                let ended = |tally: &Tally| ended(tally.encounters());
                Ok(Played::of_run(variants, all.map(Counts::alone), ended))
            }
            Subject::Matchup(meetings) => Ok(meetings.merged(all.map(Counts::alone), prepared)),
            Subject::Sweep(points) => points.answer_among(prepared, self.points),
            Subject::Compare(_) => {
                let Some(Counts::Compared(paired)) = all.next() else {
                    unreachable!("a comparison is played side by side");
                };
                let ended = ended(paired.encounters);
                Ok(Played::Compare(paired, ended))
            }
            Subject::Changes(changes) => {
                let Some(Counts::Changed(paired)) = all.next() else {
                    unreachable!("changes are played side by side");
                };
                Ok(changes.answer(changes.sampled(&paired, prepared)))
            }
            Subject::Tune(_) | Subject::BestPlay(_) => Err(Failure::input(anyhow::anyhow!(
                "a search is not cut into parts"
            ))),
        }
    }
}

impl Plan {
    /// Prepares the task of the plan. Its scenarios were valid when the plan was written.
    ///
    /// # Errors
    /// If the plan was not written by this program.
    pub fn prepare(&self) -> Result<Prepared, Failure> {
        let task = &self.job.task;
        let texts = self.files.iter().zip(&self.job.scenarios);
        let inputs: Result<Vec<_>, _> = texts
            .map(|(file, scenario)| Text(&scenario.text).input(file.as_ref(), &task.set))
            .collect();
        let inputs = inputs.map_err(|_| changed())?;
        let prepared = task.prepare(inputs).map_err(|_| changed())?;
        if prepared.fights() != self.layout.fights() {
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
