//! Several fights on the same dice, compared encounter by encounter.
//!
//! Encounter i of two variants has the same dice, so most of its events happen in both, and their difference has a far
//! smaller error than either value. The fights are played side by side, and the counts of a pair are sums of integers,
//! so that the result depends neither on threads nor on batches.

use super::jobs::ThreadsRefused;
use super::runner::{BATCH, Play, Progress, length, run_batches};
use super::stop::Ended;
use crate::fight::Fight;
use crate::sim::Record;
use crate::tally::code::{self, Malformed, Reader};
use crate::tally::{Metric, Pairs, Portable, Tally};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

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
    pub(super) fn state(&self) -> (P::State, Record) {
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

    pub(super) fn answer(&self, contender: usize, record: &Record, fight: &Fight) -> Option<i64> {
        self.metric.value(record, fight, self.subjects[contender]?)
    }

    /// Asserts that questions list a subject for each of this many contenders.
    pub(super) fn assert_known(questions: &[Self], contenders: usize) {
        let known = |question: &Self| question.subjects.len() == contenders;
        assert!(questions.iter().all(known), "a question for other fights");
    }
}

/// The result of playing several fights on the same dice.
#[derive(Debug, Clone, PartialEq)]
pub struct Paired {
    /// The tally of each contender.
    pub tallies: Vec<Tally>,
    /// For each question, the pairs of the first contender with each of the others.
    pub pairs: Vec<Vec<Pairs>>,
}

impl Paired {
    /// Creates the result of no encounters.
    pub fn new<'a>(
        fights: impl IntoIterator<Item = &'a Fight>,
        questions: &[ComparedMetric],
    ) -> Self {
        let tallies: Vec<Tally> = fights.into_iter().map(Tally::new).collect();
        let others = tallies.len().saturating_sub(1);
        Self {
            tallies,
            pairs: vec![vec![Pairs::default(); others]; questions.len()],
        }
    }

    /// Returns the number of encounters that every contender has played.
    pub fn encounters(&self) -> u64 {
        self.tallies.first().map_or(0, Tally::encounters)
    }

    /// Adds all counts of another comparison of the same contenders by the same questions.
    ///
    /// # Panics
    /// If the other comparison has other numbers of contenders or questions.
    pub fn merge(&mut self, other: &Self) {
        assert!(
            self.tallies.len() == other.tallies.len() && self.pairs.len() == other.pairs.len(),
            "comparisons of different things"
        );
        for (mine, theirs) in self.tallies.iter_mut().zip(&other.tallies) {
            mine.merge(theirs);
        }
        let all = self.pairs.iter_mut().flatten();
        for (mine, theirs) in all.zip(other.pairs.iter().flatten()) {
            mine.merge(theirs);
        }
    }
}

impl Portable for Paired {
    /// Writes each contender's tally, then the pairs, question by question.
    fn encode(&self, encounters: &Range<u64>, out: &mut Vec<u8>) {
        code::write(self.tallies.len() as u64, out);
        code::write(self.pairs.len() as u64, out);
        for tally in &self.tallies {
            tally.encode(encounters, out);
        }
        for pairs in self.pairs.iter().flatten() {
            pairs.encode(encounters, out);
        }
    }

    fn decode(&self, encounters: &Range<u64>, bytes: &mut Reader<'_>) -> Result<Self, Malformed> {
        bytes.expect(self.tallies.len(), "contenders")?;
        bytes.expect(self.pairs.len(), "questions")?;
        let mut paired = self.clone();
        for tally in &mut paired.tallies {
            *tally = tally.decode(encounters, bytes)?;
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
pub fn run<P: Play>(
    contenders: &[Contender<'_, P>],
    questions: &[ComparedMetric],
    range: Range<u64>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    progress: &impl Progress,
) -> Result<Paired, ThreadsRefused> {
    ComparedMetric::assert_known(questions, contenders.len());
    let new_worker = || Worker::new(contenders, questions);
    let work = |worker: &mut Worker<'_, P>, _, range: Range<u64>| {
        for contender in 0..contenders.len() {
            worker.play(contender, range.clone());
            progress.tick(length(&range), &[]);
        }
    };
    let workers = run_batches([range], BATCH, threads, stop, new_worker, work)?;
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
        let range = paired.encounters()..count;
        paired.merge(&run(contenders, questions, range, threads, stop, progress)?);
        if paired.encounters() < count {
            return Ok((paired, Ended::Interrupted));
        }
        if enough(&paired) {
            return Ok((paired, Ended::Enough));
        }
    }
    Ok((paired, Ended::Exhausted))
}

/// One thread's part of the comparison.
struct Worker<'a, P: Play> {
    contenders: &'a [Contender<'a, P>],
    questions: &'a [ComparedMetric],
    states: Vec<(P::State, Record)>,
    /// The first contender's answers in each encounter of the batch, question by question.
    answers: Vec<Option<i64>>,
    paired: Paired,
}

impl<'a, P: Play> Worker<'a, P> {
    fn new(contenders: &'a [Contender<'a, P>], questions: &'a [ComparedMetric]) -> Self {
        Self {
            contenders,
            questions,
            states: contenders.iter().map(Contender::state).collect(),
            answers: Vec::with_capacity(BATCH as usize * questions.len()),
            paired: Paired::new(fights(contenders), questions),
        }
    }

    /// Plays a batch in one contender's fight. The first contender must come first, because the others are compared
    /// with its answers. A whole batch of one fight uses caches better than alternating between fights.
    fn play(&mut self, index: usize, encounters: Range<u64>) {
        let Contender { player, fight } = &self.contenders[index];
        let (state, record) = &mut self.states[index];
        let tally = &mut self.paired.tallies[index];
        let answers = &mut self.answers;
        let all = self.questions.len();
        let first = encounters.start;
        if index == 0 {
            answers.clear();
            answers.resize(length(&encounters) as usize * all, None);
        }
        let (questions, pairs) = (self.questions, &mut self.paired.pairs);
        player.play_all(state, encounters, record, |encounter, record| {
            tally.add(encounter, record);
            let from = (encounter - first) as usize * all;
            let answers = &mut answers[from..from + all];
            for ((question, pairs), held) in questions.iter().zip(&mut *pairs).zip(answers) {
                let answer = question.answer(index, record, fight);
                match index.checked_sub(1) {
                    None => *held = answer,
                    Some(other) => {
                        if let (Some(first), Some(second)) = (*held, answer) {
                            pairs[other].add(encounter, first, second);
                        }
                    }
                }
            }
        });
    }
}
