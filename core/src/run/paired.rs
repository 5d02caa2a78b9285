//! Several fights on the same dice, compared encounter by encounter with the first of them.
//!
//! Encounter i of two variants has the same dice, so most of its events happen in both, and their difference has a far
//! smaller error than either value. The fights are played side by side, and the counts of a pair are sums of integers,
//! so that the result depends neither on threads nor on batches.
//!
//! Each fight has the counts of a run ([`Tally`]) or those of the compared metrics alone ([`ComparedValues`]), so that
//! hundreds of changes need little memory.

use super::jobs::ThreadsRefused;
use super::runner::{BATCH, Play, Progress, length, run_batches};
use super::stop::Ended;
use crate::fight::Fight;
use crate::sim::Record;
use crate::tally::code::{self, Malformed, Reader, contradicts};
use crate::tally::{Histogram, Metric, Pairs, Portable, Tally};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The encounters, over all fights, that a thread plays before it checks `stop`.
const MOST_PLAYED: u64 = 8192;

/// The fewest encounters of a fight in one batch.
const LEAST_BATCH: u64 = 16;

/// A fight that is compared, and its player.
#[derive(Debug)]
pub struct Contender<'a, P> {
    /// Plays the encounters.
    pub player: P,
    /// The fight.
    pub fight: &'a Fight,
}

impl<P: Play> Contender<'_, P> {
    /// Returns the state of a thread that plays the fight, and a record for its encounters.
    fn state(&self) -> (P::State, Record) {
        (self.player.state(), Record::of(self.fight))
    }
}

/// A metric and subject that is compared.
#[derive(Debug, Clone)]
pub struct ComparedMetric {
    /// The metric.
    pub metric: &'static Metric,
    /// The index of the subject in each contender's fight; `None` where the fight has no such subject.
    pub subjects: Vec<Option<usize>>,
}

impl ComparedMetric {
    /// Creates a question about a metric of the subject with this name, in each of the fights that have it.
    pub fn new<'a>(
        metric: &'static Metric,
        subject: &str,
        fights: impl IntoIterator<Item = &'a Fight>,
    ) -> Self {
        let find = |fight| metric.scope.subject(fight, subject);
        Self {
            metric,
            subjects: fights.into_iter().map(find).collect(),
        }
    }

    fn answer(&self, contender: usize, record: &Record, fight: &Fight) -> Option<i64> {
        self.metric.value(record, fight, self.subjects[contender]?)
    }

    /// Asserts that questions list a subject for each of this many contenders.
    fn assert_known(questions: &[Self], contenders: usize) {
        let known = |question: &Self| question.subjects.len() == contenders;
        assert!(questions.iter().all(known), "a question for other fights");
    }
}

/// The counts of one of the fights.
pub trait FightCounts: Portable + Clone + Send {
    /// Whether encounters are compared with those of the first fight.
    const COMPARES: bool;

    /// Creates counts of no encounters, for this many questions.
    fn new(fight: &Fight, questions: usize) -> Self;

    /// Counts an encounter with the answers to the questions. `differs` returns whether it went otherwise than in the
    /// first fight.
    fn add(
        &mut self,
        encounter: u64,
        record: &Record,
        answers: &[Option<i64>],
        differs: impl FnOnce() -> bool,
    );

    /// Adds all counts of other encounters of the same fight.
    fn merge(&mut self, other: &Self);
}

impl FightCounts for Tally {
    const COMPARES: bool = false;

    fn new(fight: &Fight, _: usize) -> Self {
        Self::new(fight)
    }

    fn add(
        &mut self,
        encounter: u64,
        record: &Record,
        _: &[Option<i64>],
        _: impl FnOnce() -> bool,
    ) {
        self.add(encounter, record);
    }

    fn merge(&mut self, other: &Self) {
        self.merge(other);
    }
}

/// The values of the compared metrics, and who did anything.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedValues {
    /// The values of each question.
    pub values: Vec<Histogram>,
    /// Whether anything measured differed from the first fight in any encounter.
    pub differs: bool,
    /// The set of combatants that attacked or did damage in any encounter.
    pub attackers: u64,
    /// The set of combatants that decided anything in any encounter.
    pub deciders: u64,
}

impl FightCounts for ComparedValues {
    const COMPARES: bool = true;

    fn new(_: &Fight, questions: usize) -> Self {
        Self {
            values: vec![Histogram::default(); questions],
            differs: false,
            attackers: 0,
            deciders: 0,
        }
    }

    fn add(
        &mut self,
        encounter: u64,
        record: &Record,
        answers: &[Option<i64>],
        differs: impl FnOnce() -> bool,
    ) {
        for (values, answer) in self.values.iter_mut().zip(answers) {
            if let Some(value) = answer {
                values.add(*value as u32, encounter);
            }
        }
        for (who, counts) in record.combatants.iter().enumerate() {
            self.attackers |= u64::from(counts.attacks | counts.damage > 0) << who;
            self.deciders |= u64::from(counts.decisions > 0) << who;
        }
        self.differs = self.differs || differs();
    }

    fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.values.iter_mut().zip(&other.values) {
            mine.merge(theirs);
        }
        self.differs |= other.differs;
        self.attackers |= other.attackers;
        self.deciders |= other.deciders;
    }
}

impl Portable for ComparedValues {
    /// Writes the values of each question, then 1 if the fight differs from the first, then the two sets.
    fn encode(&self, encounters: &Range<u64>, out: &mut Vec<u8>) {
        for values in &self.values {
            values.encode(encounters, out);
        }
        for number in [self.differs.into(), self.attackers, self.deciders] {
            code::write(number, out);
        }
    }

    fn decode(&self, encounters: &Range<u64>, bytes: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut read = self.clone();
        for values in &mut read.values {
            let total;
            (*values, total) = Histogram::decode(encounters, bytes)?;
            if total > encounters.end - encounters.start {
                return contradicts("more values than encounters that were played");
            }
        }
        read.differs = match bytes.number()? {
            0 => false,
            1 => true,
            _ => return contradicts("a fight differs from the first or not"),
        };
        (read.attackers, read.deciders) = (bytes.number()?, bytes.number()?);
        Ok(read)
    }
}

/// Returns whether two records of the same encounter differ in their ending, in the Round of a fall or in any metric.
fn is_other(
    [one, other]: [&Record; 2],
    fights: [&Fight; 2],
    measured: &[(&'static Metric, usize)],
) -> bool {
    if one == other {
        return false;
    }
    let falls = one.combatants.iter().zip(&other.combatants);
    one.ending != other.ending
        || { falls }.any(|(one, other)| one.fell_round != other.fell_round)
        || measured.iter().any(|(metric, subject)| {
            metric.value(one, fights[0], *subject) != metric.value(other, fights[1], *subject)
        })
}

/// The result of playing several fights on the same dice.
#[derive(Debug, Clone, PartialEq)]
pub struct Paired<C = Tally> {
    /// The encounters that every contender has played.
    pub encounters: u64,
    /// The counts of each contender.
    pub counts: Vec<C>,
    /// For each question, the pairs of the first contender's values with those of each of the others.
    pub pairs: Vec<Vec<Pairs>>,
}

impl<C: FightCounts> Paired<C> {
    /// Creates an empty result for fights that are compared by `questions`.
    pub fn new<'a>(
        fights: impl IntoIterator<Item = &'a Fight>,
        questions: &[ComparedMetric],
    ) -> Self {
        let all = questions.len();
        let counts: Vec<C> = { fights.into_iter() }
            .map(|fight| C::new(fight, all))
            .collect();
        let others = counts.len().saturating_sub(1);
        Self {
            encounters: 0,
            counts,
            pairs: vec![vec![Pairs::default(); others]; all],
        }
    }

    /// Adds all counts of another comparison of the same contenders by the same questions.
    ///
    /// # Panics
    /// If the other comparison has other numbers of contenders or questions.
    pub fn merge(&mut self, other: &Self) {
        assert!(
            self.counts.len() == other.counts.len() && self.pairs.len() == other.pairs.len(),
            "comparisons of different things"
        );
        self.encounters += other.encounters;
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            mine.merge(theirs);
        }
        let all = self.pairs.iter_mut().flatten();
        for (mine, theirs) in all.zip(other.pairs.iter().flatten()) {
            mine.merge(theirs);
        }
    }
}

impl<C: FightCounts> Portable for Paired<C> {
    /// Writes each contender's counts, then the pairs, question by question.
    fn encode(&self, encounters: &Range<u64>, out: &mut Vec<u8>) {
        code::write(self.counts.len() as u64, out);
        code::write(self.pairs.len() as u64, out);
        for counts in &self.counts {
            counts.encode(encounters, out);
        }
        for pairs in self.pairs.iter().flatten() {
            pairs.encode(encounters, out);
        }
    }

    fn decode(&self, encounters: &Range<u64>, bytes: &mut Reader<'_>) -> Result<Self, Malformed> {
        bytes.expect(self.counts.len(), "contenders")?;
        bytes.expect(self.pairs.len(), "questions")?;
        let mut paired = self.clone();
        paired.encounters = length(encounters);
        for counts in &mut paired.counts {
            *counts = counts.decode(encounters, bytes)?;
        }
        for pairs in paired.pairs.iter_mut().flatten() {
            *pairs = Pairs::decode(encounters, bytes)?;
        }
        Ok(paired)
    }
}

fn fights<'a, P>(contenders: &[Contender<'a, P>]) -> impl Iterator<Item = &'a Fight> {
    contenders.iter().map(|contender| contender.fight)
}

/// Plays the encounters of a range, each in all contenders' fights, until the range is done or
/// `stop` is set: then all contenders have played the same first encounters.
///
/// Progress counts encounters of single fights.
///
/// # Errors
/// If the operating system refuses the threads.
///
/// # Panics
/// If a question does not list a subject for each contender.
pub fn run<P: Play, C: FightCounts>(
    contenders: &[Contender<'_, P>],
    questions: &[ComparedMetric],
    range: Range<u64>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    progress: &impl Progress,
) -> Result<Paired<C>, ThreadsRefused> {
    ComparedMetric::assert_known(questions, contenders.len());
    let batch = (MOST_PLAYED / contenders.len().max(1) as u64).clamp(LEAST_BATCH, BATCH);
    let new_worker = || Worker::new(contenders, questions);
    let work = |worker: &mut Worker<'_, P, C>, _, range: Range<u64>| {
        for contender in 0..contenders.len() {
            worker.play(contender, range.clone());
            progress.tick(length(&range), &[]);
        }
        worker.paired.encounters += length(&range);
    };
    let workers = run_batches([range], batch, threads, stop, new_worker, work)?;
    let mut paired = Paired::new(fights(contenders), questions);
    for worker in workers {
        paired.merge(&worker.paired);
    }
    Ok(paired)
}

/// Plays as [`run`] does until `enough` accepts the result so far. `enough` is called at each of `counts`, which rise;
/// the last count ends the run in any case.
///
/// # Errors
/// If the operating system refuses the threads.
pub fn run_until<P: Play>(
    contenders: &[Contender<'_, P>],
    questions: &[ComparedMetric],
    counts: impl IntoIterator<Item = u64>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    progress: &impl Progress,
    mut enough: impl FnMut(&Paired) -> bool,
) -> Result<(Paired, Ended), ThreadsRefused> {
    let mut paired = Paired::new(fights(contenders), questions);
    for count in counts {
        let range = paired.encounters..count;
        paired.merge(&run(contenders, questions, range, threads, stop, progress)?);
        if paired.encounters < count {
            return Ok((paired, Ended::Interrupted));
        }
        if enough(&paired) {
            return Ok((paired, Ended::Enough));
        }
    }
    Ok((paired, Ended::Exhausted))
}

/// One thread's part of the comparison.
struct Worker<'a, P: Play, C> {
    contenders: &'a [Contender<'a, P>],
    questions: &'a [ComparedMetric],
    states: Vec<(P::State, Record)>,
    /// The first contender's answers in each encounter of the batch, question by question.
    answers: Vec<Option<i64>>,
    /// The first contender's records of the batch, if encounters are compared with them.
    records: Vec<Record>,
    /// Every metric of the first fight with each of its subjects, if encounters are compared.
    measured: Vec<(&'static Metric, usize)>,
    paired: Paired<C>,
}

impl<'a, P: Play, C: FightCounts> Worker<'a, P, C> {
    fn new(contenders: &'a [Contender<'a, P>], questions: &'a [ComparedMetric]) -> Self {
        let first = contenders.first().filter(|_| C::COMPARES);
        let measured = first.iter().flat_map(|first| {
            let of_metric = |metric: &'static Metric| {
                let subjects = 0..metric.scope.subjects(first.fight).count();
                subjects.map(move |subject| (metric, subject))
            };
            Tally::new(first.fight).metrics().flat_map(of_metric)
        });
        Self {
            contenders,
            questions,
            states: contenders.iter().map(Contender::state).collect(),
            answers: Vec::with_capacity(BATCH as usize * questions.len()),
            records: Vec::new(),
            measured: measured.collect(),
            paired: Paired::new(fights(contenders), questions),
        }
    }

    /// Plays a batch in one contender's fight. The first contender must come first, because the others are compared
    /// with it. A whole batch of one fight uses caches better than alternating between fights.
    fn play(&mut self, index: usize, encounters: Range<u64>) {
        let Contender { player, fight } = &self.contenders[index];
        let (state, record) = &mut self.states[index];
        let counts = &mut self.paired.counts[index];
        let (held, records, measured) = (&mut self.answers, &mut self.records, &self.measured);
        let fights = [fight, self.contenders[0].fight];
        let (questions, pairs) = (self.questions, &mut self.paired.pairs);
        let start = encounters.start;
        if index == 0 {
            held.clear();
            records.clear();
        }
        let mut answers = Vec::with_capacity(questions.len());
        player.play_all(state, encounters, record, |encounter, record| {
            answers.clear();
            answers.extend({ questions.iter() }.map(|one| one.answer(index, record, fight)));
            let at = (encounter - start) as usize;
            let differs = || index > 0 && is_other([record, &records[at]], fights, measured);
            counts.add(encounter, record, &answers, differs);
            if let Some(other) = index.checked_sub(1) {
                let held = &held[at * answers.len()..];
                for ((pairs, first), second) in pairs.iter_mut().zip(held).zip(&answers) {
                    if let (Some(first), Some(second)) = (first, second) {
                        pairs[other].add(encounter, *first, *second);
                    }
                }
            } else {
                held.extend_from_slice(&answers);
                if C::COMPARES {
                    records.push(record.clone());
                }
            }
        });
    }
}
