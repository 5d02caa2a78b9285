//! The random questions of a fight, each with all of its answers, computed once.

use super::answers::Spread;
use crate::dice::Weight;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher as _, Hash};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The work of playing one path of a roll whose result alone matters, in units of one skipped answer.
pub(super) const ROLL_WORK: u64 = 32;

/// All answers to a question.
#[derive(Clone)]
pub(super) struct Answers {
    /// A `Vec` of the answers, whose type depends on the question.
    pub list: Rc<dyn Any>,
    /// The weights of the answers.
    pub weights: Rc<[Weight]>,
    /// For each answer, in the order in which they are given: the greatest weight among it and the answers after it,
    /// and the sum of these weights.
    pub rest: Rc<[(f64, f64)]>,
    /// The weight of the answers that are missing.
    pub lost: f64,
}

impl Answers {
    pub(super) fn new<T: 'static>(answers: Vec<(T, Weight)>, lost: f64) -> Self {
        let (list, weights): (Vec<T>, Vec<Weight>) = answers.into_iter().unzip();
        let mut rest = vec![(0.0, 0.0); weights.len()];
        let (mut most, mut sum) = (0.0_f64, 0.0);
        for (given, rest) in rest.iter_mut().enumerate().rev() {
            let weight = weights[place(given, weights.len())].value();
            most = most.max(weight);
            sum += weight;
            *rest = (most, sum);
        }
        Self {
            list: Rc::new(list),
            weights: weights.into(),
            rest: rest.into(),
            lost,
        }
    }

    /// Returns the answer with this index.
    pub(super) fn get<T: Clone + 'static>(&self, index: usize) -> T {
        let list = self.list.downcast_ref::<Vec<T>>();
        list.expect("a step that is repeated asks the same")[index].clone()
    }
}

/// Returns the index of the answer that is given after `given` others. The first answer is from the middle: where dice
/// explode, the results that lead to further rolls are at the ends.
pub(super) fn place(given: usize, count: usize) -> usize {
    (count / 2 + given) % count
}

/// The state that all enumerators of a fight share.
#[derive(Default)]
pub(super) struct Shared<'a> {
    /// The answers to all earlier questions, by the hash of the question. Each question is a value of its own type.
    questions: RefCell<FxHashMap<u64, Vec<Question>>>,
    /// The damage of all blows.
    pub(super) spreads: RefCell<Vec<Spread>>,
    /// The approximate memory that questions and spreads take.
    pub(super) bytes: Cell<u64>,
    /// The work so far: [`ROLL_WORK`] for each path of a roll, or its questions if these are more, and 1 for each skipped
    /// answer and each product for a sum of dice.
    pub(super) work: Cell<u64>,
    /// The most work that is allowed; 0 for no limit.
    pub(super) most_work: Cell<u64>,
    /// Whether a limit was exceeded.
    pub(super) overflowed: Cell<bool>,
    /// Set from outside to end early, amid a question too.
    pub(super) stop: Cell<Option<&'a AtomicBool>>,
}

type Question = (Box<dyn Any>, Answers);

impl Shared<'_> {
    pub(super) fn hash<K: Hash + 'static>(question: &K) -> u64 {
        FxBuildHasher.hash_one((TypeId::of::<K>(), question))
    }

    /// Returns the answers to a question, if it was asked before.
    pub(super) fn find<K: PartialEq + 'static>(&self, hash: u64, question: &K) -> Option<Answers> {
        let questions = self.questions.borrow();
        let mut alike = questions.get(&hash)?.iter();
        let is_it = |key: &dyn Any| key.downcast_ref::<K>() == Some(question);
        alike.find_map(|(key, answers)| is_it(&**key).then(|| answers.clone()))
    }

    /// Returns whether work must end early.
    pub(super) fn is_stopped(&self) -> bool {
        let stop = self.stop.get();
        stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Adds to the work, and notes if it exceeds the limit.
    pub(super) fn count(&self, work: u64) {
        self.work.set(self.work.get() + work);
        let most = self.most_work.get();
        if most > 0 && self.work.get() > most {
            self.overflowed.set(true);
        }
    }

    /// Stores the answers to a question.
    pub(super) fn keep<K: 'static, T>(&self, hash: u64, question: K, answers: &Answers) {
        let answer = size_of::<T>() + size_of::<Weight>() + size_of::<(f64, f64)>();
        self.charge(answers.weights.len() * answer + size_of::<(K, Answers)>());
        let mut questions = self.questions.borrow_mut();
        let alike = questions.entry(hash).or_default();
        alike.push((Box::new(question), answers.clone()));
    }

    /// Stores the damage of a blow and returns its index.
    pub(super) fn add_spread(&self, spread: Spread) -> u32 {
        // The graph has a copy without the chances.
        self.charge(2 * size_of::<Spread>() + size_of_val(&spread.chances[..]));
        let mut spreads = self.spreads.borrow_mut();
        spreads.push(spread);
        spreads.len() as u32 - 1
    }

    fn charge(&self, bytes: usize) {
        self.bytes.set(self.bytes.get() + bytes as u64);
    }
}

#[cfg(test)]
mod tests {
    use crate::chance::{Chance as _, Enumerator, Purpose};
    use std::sync::atomic::{AtomicBool, Ordering};

    static NEVER: AtomicBool = AtomicBool::new(false);

    #[test]
    fn no_more_rolls_are_followed_than_are_allowed() {
        let mut dice = Enumerator::default();
        dice.allow(1_000, &NEVER);
        let mut other = dice.another();
        let mut rolled = 0;
        let mut roll = |dice: &mut Enumerator| {
            rolled += 1;
            (0..4).map(|_| dice.face(0, Purpose::Check, 10)).max()
        };
        dice.begin(0.0);
        dice.result("the greatest of four", &mut roll, |most| most);
        assert!(dice.overflowed() && other.overflowed());
        other.begin(0.0);
        other.result("another", &mut roll, |most| most);
        assert_eq!(rolled, 1_002);
    }

    #[test]
    fn a_roll_ends_early_as_soon_as_stop_is_set() {
        let stop = AtomicBool::new(false);
        let mut dice = Enumerator::default();
        dice.allow(u64::MAX, &stop);
        let mut rolled = 0;
        dice.begin(0.0);
        let roll = |dice: &mut Enumerator| {
            rolled += 1;
            stop.store(rolled == 1_000, Ordering::Relaxed);
            (0..8).map(|_| dice.face(0, Purpose::Check, 10)).max()
        };
        dice.result("eight dice", roll, |most| most);
        assert_eq!(rolled, 1_000);
        assert!(dice.is_stopped() && dice.overflowed());
    }

    /// The sums of two dice of 65,536 sides take four billion products.
    #[test]
    fn sums_of_dice_count_as_work_before_they_are_computed() {
        for paths in [1_000_000, u64::MAX] {
            let mut dice = Enumerator::default();
            dice.allow(paths, &NEVER);
            dice.begin(0.0);
            assert_eq!(dice.sum(0, Purpose::Damage, 3, 6), 11);
            assert!(!dice.overflowed());
            dice.sum(0, Purpose::Damage, 2, 65_536);
            assert!(dice.overflowed(), "{paths}");
        }
    }
}
