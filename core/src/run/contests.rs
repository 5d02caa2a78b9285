//! A fight and many changes of it on the same dice, compared encounter by encounter.
//!
//! The fights are played side by side, as in [`paired`](super::paired), but only the metrics in question are counted:
//! hundreds of changes need little memory. A contest may compare any two of the fights. The result also says for each
//! fight whether anything measured differed from the first fight.

use super::jobs::ThreadsRefused;
use super::paired::{ComparedMetric, Contender};
use super::runner::{BATCH, Play, Progress, length, run_batches};
use crate::fight::Fight;
use crate::sim::Record;
use crate::tally::{Histogram, Metric, Pairs, Tally};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The encounters, over all fights, that a thread plays before it checks `stop`.
const MOST_PLAYED: u64 = 8192;

/// The fewest encounters of a fight in one batch.
const LEAST_BATCH: u64 = 16;

/// The result of contests.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The encounters that all contenders have played.
    pub encounters: u64,
    /// For each contender and each question, the values of the encounters.
    pub values: Vec<Vec<Histogram>>,
    /// For each contest and each question, the pairs of values.
    pub pairs: Vec<Vec<Pairs>>,
    /// For each contender, whether anything measured differed from the first contender in any encounter.
    pub differs: Vec<bool>,
}

impl Compared {
    fn new(contenders: usize, contests: usize, questions: usize) -> Self {
        Self {
            encounters: 0,
            values: vec![vec![Histogram::default(); questions]; contenders],
            pairs: vec![vec![Pairs::default(); questions]; contests],
            differs: vec![false; contenders],
        }
    }

    fn merge(&mut self, other: &Self) {
        self.encounters += other.encounters;
        let values = self.values.iter_mut().flatten();
        for (mine, theirs) in values.zip(other.values.iter().flatten()) {
            mine.merge(theirs);
        }
        let pairs = self.pairs.iter_mut().flatten();
        for (mine, theirs) in pairs.zip(other.pairs.iter().flatten()) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.differs.iter_mut().zip(&other.differs) {
            *mine |= theirs;
        }
    }
}

/// Plays the encounters of a range, each in all contenders' fights, until the range is done or `stop` is set: then all
/// contenders have played the same first encounters. `contests` lists pairs of contenders. All fights have the same
/// combatants.
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
    contests: &[[usize; 2]],
    questions: &[ComparedMetric],
    range: Range<u64>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    progress: &impl Progress,
) -> Result<Compared, ThreadsRefused> {
    ComparedMetric::assert_known(questions, contenders.len());
    let batch = (MOST_PLAYED / contenders.len().max(1) as u64).clamp(LEAST_BATCH, BATCH);
    let empty = || Compared::new(contenders.len(), contests.len(), questions.len());
    let new_worker = || Worker::new(contenders, questions, empty());
    let work = |worker: &mut Worker<'_, P>, _, range: Range<u64>| {
        for contender in 0..contenders.len() {
            worker.play(contender, range.clone());
            progress.tick(length(&range), &[]);
        }
        worker.pair(contests, &range);
    };
    let workers = run_batches([range], batch, threads, stop, new_worker, work)?;
    let mut compared = empty();
    for worker in workers {
        compared.merge(&worker.compared);
    }
    Ok(compared)
}

/// One thread's part of the contests.
struct Worker<'a, P: Play> {
    contenders: &'a [Contender<'a, P>],
    questions: &'a [ComparedMetric],
    states: Vec<(P::State, Record)>,
    /// Each contender's answers in each encounter of the batch, question by question.
    answers: Vec<Vec<Option<i64>>>,
    /// The first contender's records of the batch.
    records: Vec<Record>,
    /// Every metric of the first fight, with each of its subjects.
    measured: Vec<(&'static Metric, usize)>,
    compared: Compared,
}

impl<'a, P: Play> Worker<'a, P> {
    fn new(
        contenders: &'a [Contender<'a, P>],
        questions: &'a [ComparedMetric],
        compared: Compared,
    ) -> Self {
        let first = contenders.first().map(|first| Tally::new(first.fight));
        let measured = first.iter().flat_map(|first| {
            let with_subjects = |metric: &'static Metric| {
                (0..first.subjects(metric.scope)).map(move |subject| (metric, subject))
            };
            first.metrics().flat_map(with_subjects)
        });
        Self {
            contenders,
            questions,
            states: contenders.iter().map(Contender::state).collect(),
            answers: vec![Vec::new(); contenders.len()],
            records: Vec::new(),
            measured: measured.collect(),
            compared,
        }
    }

    /// Plays a batch in one contender's fight and keeps its answers. The first contender must come first, because the
    /// others are compared with its records.
    fn play(&mut self, index: usize, encounters: Range<u64>) {
        let Contender { player, fight } = &self.contenders[index];
        let (state, record) = &mut self.states[index];
        let (questions, answers) = (self.questions, &mut self.answers[index]);
        let values = &mut self.compared.values[index];
        let (records, measured) = (&mut self.records, &self.measured);
        let differs = &mut self.compared.differs[index];
        let first_fight = self.contenders[0].fight;
        answers.clear();
        if index == 0 {
            records.clear();
            self.compared.encounters += length(&encounters);
        }
        let start = encounters.start;
        player.play_all(state, encounters, record, |encounter, record| {
            for (question, values) in questions.iter().zip(&mut *values) {
                let answer = question.answer(index, record, fight);
                if let Some(value) = answer {
                    values.add(value as u32, encounter);
                }
                answers.push(answer);
            }
            if index == 0 {
                records.push(record.clone());
            } else if !*differs {
                let first = &records[(encounter - start) as usize];
                *differs = is_other([record, first], [fight, first_fight], measured);
            }
        });
    }

    /// Compares the answers of a batch.
    fn pair(&mut self, contests: &[[usize; 2]], encounters: &Range<u64>) {
        let questions = self.questions.len().max(1);
        for (contest, pairs) in contests.iter().zip(&mut self.compared.pairs) {
            let [first, second] = contest.map(|index| self.answers[index].chunks(questions));
            for (encounter, (first, second)) in encounters.clone().zip(first.zip(second)) {
                for (pairs, answers) in pairs.iter_mut().zip(first.iter().zip(second)) {
                    if let (Some(first), Some(second)) = answers {
                        pairs.add(encounter, *first, *second);
                    }
                }
            }
        }
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
