//! The answers of the enumerator: blows, amounts of damage, open decisions.

use crate::dice::Weight;
use std::sync::Arc;

/// A hit on a combatant whose health is not in the world, on one path; or successes that are not in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Blow {
    /// The target, by file order.
    pub who: u8,
    /// The outcome of the hit for the target.
    pub effect: BlowEffect,
    /// The attacker, by file order.
    pub by: u8,
    /// The damage of the hit: an index into [`Enumerator::spreads`](super::Enumerator::spreads).
    pub spread: u32,
}

impl Blow {
    /// Creates the blow of combatant `by` to combatant `who`.
    pub(super) fn new(who: usize, effect: BlowEffect, by: usize, spread: u32) -> Self {
        Self {
            who: who as u8,
            effect,
            by: by as u8,
            spread,
        }
    }
}

/// The outcome of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlowEffect {
    /// The target has more health than all damage so far on this path.
    Stands,
    /// The target does not have that much health: this hit fells it, together with the other felling hits of this path.
    Fells,
    /// No outcome beyond the damage itself: the target had fallen before the damage counted.
    Nothing,
    /// No hit: the amounts are net successes.
    Successes,
}

impl BlowEffect {
    /// Returns whether the blow takes health that counts.
    pub fn counts_health(self) -> bool {
        matches!(self, Self::Stands | Self::Fells)
    }
}

/// Amounts of damage that the rest of a step does not distinguish.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// The least of the amounts. The step is played on with it.
    pub least: i32,
    /// The probabilities of the least amount and those above it. They sum to 1.
    pub chances: Arc<[Weight]>,
}

impl Spread {
    /// Returns the mean of the amounts.
    pub fn mean(&self) -> f64 {
        let amounts = (0..).map(|more| Weight::from(f64::from(self.least + more)));
        let products = amounts
            .zip(&self.chances[..])
            .map(|(amount, chance)| amount * *chance);
        products.sum::<Weight>().value()
    }
}

/// A decision that is left open: a combatant and its options.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The combatant that decides, by file order.
    pub who: u8,
    /// The options, as indices of decision lines; `None` is to do nothing.
    pub lines: Vec<Option<u16>>,
    /// The index of the option that the policy takes.
    pub written: usize,
    /// The Round and the moment in it.
    pub moment: (u32, i32),
    /// The position and health of each combatant; `None` for those that are out of the fight.
    pub seen: Vec<Option<[i32; 2]>>,
}

/// An answer on the current path.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The index among all answers to the question.
    pub index: usize,
    /// The probability of the answer; 1 for a decision.
    pub weight: f64,
    /// The options, if the question is a decision.
    pub options: Option<Arc<Options>>,
}

/// Returns the probability that a scenario means by `parts` of 2^32: the shortest decimal number that is rounded to
/// these parts. Sampling has no more precision than the 32 bits, but an exact solution has.
pub(super) fn as_written(parts: u64) -> f64 {
    const WHOLE: f64 = 4_294_967_296.0;
    let share = parts as f64 / WHOLE;
    let mut powers = (1..10).map(|digits| 10_f64.powi(digits));
    let rounded = |power: f64| (share * power).round() / power;
    let is_meant = |decimal: &f64| (decimal * WHOLE).round() as u64 == parts;
    powers.by_ref().map(rounded).find(is_meant).unwrap_or(share)
}
