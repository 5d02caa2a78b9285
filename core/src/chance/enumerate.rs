//! Every answer to every random question, one path of answers after the other.
//!
//! [`Enumerator`] answers the questions of one step by a path. When the step has been played to its end,
//! [`Enumerator::advance`] goes to the next path: the step is played again from the state in which it began. It gets
//! the same answers as before up to some question, and the next answer there. Each path has a weight, the product of
//! the probabilities of its answers.
//!
//! Where the health of a combatant is not in the world but in a distribution beside it, the world cannot say whether
//! damage fells the combatant. That is a question too ([`Chance::fells`]), without a weight: its answers are the
//! [`Blow`]s of a path, and the owner of the distribution knows for which part of it each blow is true. Nothing else in
//! the world depends on the exact amount of such damage, beyond what [`Chance::damage`] is told, so all amounts of one
//! kind are one answer, a [`Spread`]. A blow therefore takes a few paths (a miss, a hit that leaves the target
//! standing, a hit that fells it) instead of two for each amount.

pub use super::answers::{Answer, Blow, BlowEffect, Options, Spread};
use super::questions::{Answers, ROLL_WORK, Shared, place};
use super::{Chance, Purpose};
use crate::dice::Weight;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The least weight of a path that is followed. [`Enumerator::lost`] sums the weights of paths below it.
pub(crate) const LEAST: f64 = 1e-25;

/// The most paths of a roll whose result alone matters: some seconds of work.
const MOST_PATHS: u64 = 20_000_000;

/// The most results of such a roll: a quarter of a gigabyte.
const MOST_RESULTS: usize = 1_000_000;

/// The most products of probabilities for one sum of dice: about a second of work.
const MOST_PRODUCTS: u64 = 200_000_000;

/// The range of amounts of damage in one spread.
const MOST_AMOUNTS: i32 = 1 << 12;

/// A question on the current path.
struct Branch {
    answers: Answers,
    /// The weight of the path before this question.
    before: Weight,
    /// The number of its answers that earlier paths have used.
    given: usize,
    /// The options, if the question is a decision, and the number of decisions on the path up to it.
    decision: Option<(usize, Arc<Options>)>,
}

impl Branch {
    /// Returns the index of the answer on the current path.
    fn index(&self) -> usize {
        place(self.given, self.answers.weights.len())
    }

    /// Returns the weight of the path that ends with this question.
    fn weight(&self) -> Weight {
        self.before * self.answers.weights[self.index()]
    }
}

/// A [`Chance`] that gives every answer.
#[derive(Default)]
pub struct Enumerator<'a> {
    path: Vec<Branch>,
    /// Whether an answer on the current path is ruled out by an earlier one.
    is_ruled_out: bool,
    /// The answers that the first path begins with, by their indices.
    begins_with: Vec<usize>,
    /// The number of those answers that all paths begin with.
    fixed: usize,
    /// The number of questions after which a new decision ends the path, if any does.
    decides_until: Option<usize>,
    /// The situation of the decision that has ended the current path, as bytes.
    ended_at: Option<Vec<u8>>,
    /// The number of questions asked on the current path.
    asked: usize,
    /// The number of decisions made on the current path, with those that leave no choice.
    decisions: usize,
    /// The greatest health of each combatant whose health is not in the world; 0 for the others.
    healths: Vec<i32>,
    blows: Vec<Blow>,
    /// The hit on this path whose damage was rolled last, until it counts or is put off.
    fresh: Option<Blow>,
    /// Hits on this path whose damage is put off.
    pending: Vec<Blow>,
    /// The least weight of a path that is followed.
    least: f64,
    /// The weight of the paths that were not followed.
    lost: f64,
    /// Whether dice have the odds of their faces to the last digit, and not those that draws from tables give them.
    is_exact: bool,
    known: Rc<Shared<'a>>,
}

impl<'a> Enumerator<'a> {
    /// Creates an enumerator for rolls outside a fight, with the odds of their dice to the last digit.
    pub fn of_dice() -> Self {
        Self {
            is_exact: true,
            ..Self::default()
        }
    }

    /// Creates an enumerator for a fight in which these combatants have their health beside the world: the health of
    /// each at the start, 0 for the others.
    pub fn new(healths: Vec<i32>) -> Self {
        Self {
            healths,
            ..Self::default()
        }
    }

    /// Returns another enumerator for the same fight, which shares the known answers with this one.
    pub fn another(&self) -> Self {
        Self {
            healths: self.healths.clone(),
            known: Rc::clone(&self.known),
            ..Self::default()
        }
    }

    /// Returns the damage of all blows.
    pub fn spreads(&self) -> Vec<Spread> {
        self.known.spreads.borrow().clone()
    }

    /// Limits the number of paths of rolls whose result alone matters, over all enumerators of the fight together.
    /// Answers that are too unlikely to be followed and products of probabilities count as well, 32 of them as a path.
    /// If `stop` is set, answers end early.
    pub fn allow(&mut self, paths: u64, stop: &'a AtomicBool) {
        self.known.most_work.set(paths.saturating_mul(ROLL_WORK));
        self.known.stop.set(Some(stop));
    }

    /// Returns whether the limit was exceeded, a roll had too many results, or answers ended early. All answers of every
    /// enumerator of the fight since then are wrong.
    pub fn overflowed(&self) -> bool {
        self.known.overflowed.get() || self.known.is_stopped()
    }

    /// Returns whether answers ended early because of `stop`.
    pub fn is_stopped(&self) -> bool {
        self.known.is_stopped()
    }

    /// Returns the number of followed paths of rolls whose result alone matters.
    pub fn rolls(&self) -> u64 {
        self.known.work.get() / ROLL_WORK
    }

    /// Returns the approximate memory that the answers to all questions and the damage of all blows take.
    pub fn bytes(&self) -> u64 {
        self.known.bytes.get()
    }

    /// Begins the first path of another step. Paths less likely than `least` are not followed.
    pub fn begin(&mut self, least: f64) {
        self.path.clear();
        self.begins_with.clear();
        (self.fixed, self.decides_until) = (0, None);
        self.lost = 0.0;
        let floor = if self.is_exact { 0.0 } else { LEAST };
        self.least = least.max(floor);
        self.repeat();
    }

    /// Begins a path whose first answers are given, by their indices.
    pub fn begin_with(&mut self, answers: Vec<usize>) {
        self.begin(0.0);
        self.begins_with = answers;
    }

    /// Begins the first of the paths that begin with these answers, by their indices. The question after them may be a
    /// decision; any other decision ends its path, if its situation is known.
    pub fn begin_after(&mut self, answers: &[usize]) {
        self.begin_with(answers.to_vec());
        self.fixed = answers.len();
        self.decides_until = Some(answers.len());
    }

    /// Returns the situation of the decision that has ended the current path. The rest of the step was played on without
    /// meaning.
    pub fn ended_at(&mut self) -> Option<Vec<u8>> {
        self.ended_at.take()
    }

    /// Goes back to the first question of the path.
    fn repeat(&mut self) {
        self.ended_at = None;
        self.asked = 0;
        self.decisions = 0;
        self.blows.clear();
        self.fresh = None;
        self.pending.clear();
    }

    /// Goes on to the next path. Returns whether there is one.
    pub fn advance(&mut self) -> bool {
        self.repeat();
        while self.path.len() > self.fixed
            && let Some(last) = self.path.last_mut()
        {
            last.given += 1;
            if last.given == last.answers.weights.len() {
                self.path.pop();
                continue;
            }
            let (most, sum) = last.answers.rest[last.given];
            let before = last.before.value();
            if before * most < self.least {
                self.lost += before * sum;
                self.path.pop();
                continue;
            }
            let weight = last.weight().value();
            if weight >= self.least {
                return true;
            }
            self.lost += weight;
            self.known.count(1);
        }
        false
    }

    /// Returns the weight of the current path.
    pub fn weight(&self) -> Weight {
        self.path.last().map_or(Weight::ONE, Branch::weight)
    }

    /// Returns the answers on the current path.
    pub fn answers(&self) -> impl Iterator<Item = Answer> {
        self.path.iter().map(|branch| Answer {
            index: branch.index(),
            weight: branch.answers.weights[branch.index()].value(),
            options: branch
                .decision
                .as_ref()
                .map(|(_, options)| Arc::clone(options)),
        })
    }

    /// Returns the blows of the current path: its effects on combatants whose health is not in the world.
    pub fn blows(&self) -> impl Iterator<Item = Blow> {
        self.blows.iter().chain(&self.pending).copied()
    }

    /// Returns whether the current path has any blows.
    pub fn has_blows(&self) -> bool {
        !self.blows.is_empty() || !self.pending.is_empty()
    }

    /// Returns the least damage of a spread.
    fn least_damage(&self, spread: u32) -> i32 {
        self.known.spreads.borrow()[spread as usize].least
    }

    /// Returns the index of the spread whose damage is `least` for certain.
    fn certain(&self, least: i32) -> u32 {
        let chances = [Weight::ONE].into();
        let spread = Spread { least, chances };
        let spreads = self.known.spreads.borrow();
        let known = spreads.iter().position(|other| *other == spread);
        drop(spreads);
        known.map_or_else(|| self.known.add_spread(spread), |known| known as u32)
    }

    /// Returns all results of a roll that an earlier answer does not rule out, each once, with its weight. The weights
    /// sum to 1.
    fn results<T: Copy + Eq + Hash>(
        &mut self,
        roll: &mut dyn FnMut(&mut Self) -> T,
    ) -> Vec<(T, Weight)> {
        let mut inner = Self {
            known: Rc::clone(&self.known),
            least: LEAST,
            ..Self::default()
        };
        let mut answers: Vec<(T, Weight)> = Vec::new();
        let mut places: FxHashMap<T, usize> = FxHashMap::default();
        let mut is_some_ruled_out = false;
        for paths in 1.. {
            let answer = roll(&mut inner);
            if std::mem::take(&mut inner.is_ruled_out) {
                is_some_ruled_out = true;
            } else {
                let place = *places.entry(answer).or_insert(answers.len());
                if place == answers.len() {
                    answers.push((answer, Weight::ZERO));
                }
                answers[place].1 += inner.weight();
            }
            let questions = inner.path.len() as u64;
            if !inner.advance() {
                break;
            }
            if paths == MOST_PATHS || answers.len() > MOST_RESULTS {
                self.known.overflowed.set(true);
            }
            self.known.count(ROLL_WORK.max(questions));
            if self.overflowed() {
                break;
            }
        }
        self.lost += inner.lost;
        if is_some_ruled_out {
            let possible: Weight = answers.iter().map(|(_, weight)| *weight).sum();
            for (_, weight) in &mut answers {
                *weight = *weight / possible;
            }
        }
        answers
    }

    /// Returns whether the current path has asked anything.
    pub fn has_asked(&self) -> bool {
        self.asked > 0
    }

    /// Returns the weight of the paths that were too unlikely to be followed.
    pub fn lost(&self) -> f64 {
        self.lost
    }

    /// Adds a question to the path, at its first answer or at the given one.
    fn branch(&mut self, answers: Answers) {
        self.lost += answers.lost;
        let mut branch = Branch {
            answers,
            before: self.weight(),
            given: 0,
            decision: None,
        };
        if let Some(index) = self.begins_with.get(self.asked) {
            let count = branch.answers.weights.len();
            branch.given = (index + count - branch.index()) % count;
        }
        self.path.push(branch);
    }

    /// Returns the answers to a roll of damage: the least amount of each `kind`, with the spread of all amounts of that
    /// kind.
    fn spread_out(
        &mut self,
        roll: &mut dyn FnMut(&mut Self) -> i32,
        kind: &dyn Fn(i32) -> i32,
    ) -> Vec<((i32, u32), Weight)> {
        let mut amounts = self.results(roll);
        amounts.sort_unstable_by_key(|(amount, _)| *amount);
        let kind = |amount| (kind(amount), amount / MOST_AMOUNTS);
        let mut answers = Vec::new();
        for alike in amounts.chunk_by(|(one, _), (other, _)| kind(*one) == kind(*other)) {
            let (least, all) = (alike[0].0, alike.iter().map(|(_, weight)| *weight).sum());
            let most = alike[alike.len() - 1].0;
            let mut chances = vec![Weight::ZERO; (most - least) as usize + 1];
            for (amount, weight) in alike {
                chances[(amount - least) as usize] = *weight / all;
            }
            let chances = chances.into();
            let spread = self.known.add_spread(Spread { least, chances });
            answers.push(((least, spread), all));
        }
        answers
    }

    /// Returns the answer on the current path to a question. All answers to a question are computed once.
    fn ask<K, T>(&mut self, question: K, answers: impl FnOnce(&mut Self) -> Vec<(T, Weight)>) -> T
    where
        K: PartialEq + Hash + 'static,
        T: Clone + 'static,
    {
        if self.asked == self.path.len() {
            let hash = Shared::hash(&question);
            let answers = self.known.find::<K>(hash, &question).unwrap_or_else(|| {
                let before = std::mem::take(&mut self.lost);
                let list = answers(self);
                let lost = std::mem::replace(&mut self.lost, before);
                let answers = Answers::new(list, lost);
                self.known.keep::<K, T>(hash, question, &answers);
                answers
            });
            if self.ended_at.is_some() || self.is_ruled_out {
                return answers.get(0);
            }
            self.branch(answers);
        }
        let branch = &self.path[self.asked];
        self.asked += 1;
        branch.answers.get(branch.index())
    }
}

mod asked;
#[cfg(test)]
mod tests;
