//! The race of two tasks that roll at the same time (resisted and extended rolls).

use super::ExtendedOdds;
use crate::dice::distribution::Distribution;
use crate::dice::weight::Weight;

/// The exact odds of a race of two tasks that roll at the same time.
///
/// The tasks do not hinder each other. A task that a botch has ended is out, and the other must still gather all its
/// successes.
#[derive(Debug, Clone, PartialEq)]
pub struct RaceOdds {
    /// The chance that the first is done and the second not yet, by the number of rolls (a part).
    pub first: Distribution,
    /// The chance that the second is done and the first not yet (a part).
    pub second: Distribution,
    /// The chance that both are done at the same roll (a part).
    pub tie: Distribution,
    /// The chance that both tasks have ended without success (a part).
    pub nobody: Distribution,
    /// The chance of being undecided after the last roll that was followed; with a cap, after all rolls.
    pub undecided: f64,
    /// The last roll that was followed.
    pub followed: u32,
}

/// The chances of one task at every roll.
struct Course {
    /// At index `r`: the chance of being done at roll `r`.
    done: Vec<Weight>,
    /// At index `r`: the chance of being ended by a botch at roll `r`.
    ended: Vec<Weight>,
    /// At index `r`: the chance of being ended by a botch at roll `r` or before.
    out: Vec<Weight>,
    /// At index `r`: the chance of continuing after roll `r`.
    going: Vec<Weight>,
}

impl Course {
    fn of(odds: &ExtendedOdds, last: u32) -> Self {
        let rolls = 0..=i64::from(last);
        let at = |part: &Distribution| -> Vec<Weight> {
            rolls.clone().map(|roll| part.weight(roll)).collect()
        };
        let (done, ended) = (at(&odds.done), at(&odds.ended));
        let out = ended.iter().scan(Weight::ZERO, |sum, &weight| {
            *sum += weight;
            Some(*sum)
        });
        // The chance of continuing after a roll is the sum of all later ends and of no end, added from the smallest.
        let beyond = |part: &Distribution| part.weight_at_least(i64::from(last) + 1);
        let mut left = Weight::from(odds.unfinished) + beyond(&odds.done) + beyond(&odds.ended);
        let mut going = vec![left];
        for roll in (1..=last as usize).rev() {
            left = left + done[roll] + ended[roll];
            going.push(left);
        }
        going.reverse();
        Self {
            out: out.collect(),
            done,
            ended,
            going,
        }
    }
}

impl RaceOdds {
    /// Returns the odds of a race of two tasks with these odds.
    pub fn of(first: &ExtendedOdds, second: &ExtendedOdds) -> Self {
        // A list that ended because nothing remained is complete. Only a list that was cut off limits the result.
        let over = |odds: &ExtendedOdds| odds.unfinished < super::exact::OVER;
        let last = match (over(first), over(second)) {
            (true, true) => first.followed.max(second.followed),
            (true, false) => second.followed,
            (false, true) => first.followed,
            (false, false) => first.followed.min(second.followed),
        };
        let (a, b) = (Course::of(first, last), Course::of(second, last));
        let mut parts: [Vec<(i64, Weight)>; 4] = Default::default();
        for roll in 1..=last as usize {
            let weights = [
                a.done[roll] * (b.going[roll] + b.out[roll]),
                b.done[roll] * (a.going[roll] + a.out[roll]),
                a.done[roll] * b.done[roll],
                a.ended[roll] * b.out[roll] + a.out[roll - 1] * b.ended[roll],
            ];
            for (part, weight) in parts.iter_mut().zip(weights) {
                part.push((roll as i64, weight));
            }
        }
        let end = last as usize;
        let undecided =
            a.going[end] * b.going[end] + a.going[end] * b.out[end] + a.out[end] * b.going[end];
        let [first, second, tie, nobody] = parts.map(|part| Distribution::collect(&part));
        Self {
            first,
            second,
            tie,
            nobody,
            undecided: undecided.value(),
            followed: last,
        }
    }

    /// Returns the distribution of the number of rolls until the race is over (a part, if it may stay undecided).
    pub fn over(&self) -> Distribution {
        let decided = self.first.with(&self.second).with(&self.tie);
        decided.with(&self.nobody)
    }
}
