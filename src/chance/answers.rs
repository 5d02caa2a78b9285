//! The answers of the enumerator: blows, amounts of damage, open decisions.

use crate::dice::Weight;
use std::rc::Rc;
use std::sync::Arc;

/// A hit on a combatant whose health is not in the world, on one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Blow {
    /// Whom it hits, by file order.
    pub who: u8,
    /// Its outcomes.
    pub effect: Effect,
    /// Whose hit it is.
    pub by: u8,
    /// Its damage: index into [`Enumerator::spreads`](super::Enumerator::spreads).
    pub spread: u32,
}

/// The outcome of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// The target has more health than all damage that it has stood on this path.
    Stands,
    /// The target has not: this hit fells it, together with the others on this path that do.
    Fells,
    /// Nothing, but that the damage was done: the target had fallen when it was to count.
    Nothing,
}

/// Amounts of damage that nothing tells apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// The least of them, with which the step is played on.
    pub least: i32,
    /// The probabilities of the least amount and those above it. They sum to 1.
    pub chances: Arc<[Weight]>,
}

/// A decision that is left open: who may do what.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Who chooses, by file order.
    pub who: u8,
    /// The decision lines; none for doing nothing.
    pub lines: Vec<Option<u16>>,
    /// Which of them the policy takes.
    pub written: usize,
    /// The Round and the moment in it.
    pub moment: (u32, i32),
    /// Where each combatant stands, with what health; nothing of those that are out of the fight.
    pub seen: Vec<Option<[i32; 2]>>,
}

/// An answer on the current path.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Which of all answers it is.
    pub index: usize,
    /// How likely it is; 1 for a decision.
    pub weight: f64,
    /// The decision, if it is one.
    pub options: Option<Rc<Options>>,
}

/// The chance that a scenario means by so many parts of 2^32: the shortest decimal number that gives them.
/// What is sampled has no more digits than bits; what is solved has.
pub(super) fn as_written(parts: u64) -> f64 {
    const WHOLE: f64 = 4_294_967_296.0;
    let share = parts as f64 / WHOLE;
    let mut powers = (1..10).map(|digits| 10_f64.powi(digits));
    let rounded = |power: f64| (share * power).round() / power;
    let is_meant = |decimal: &f64| (decimal * WHOLE).round() as u64 == parts;
    powers.by_ref().map(rounded).find(is_meant).unwrap_or(share)
}
