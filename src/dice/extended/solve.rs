//! One roll of a task as chances of what it does, and totals over all rolls there could be.

use super::{Extended, OnBotch};
use crate::dice::weight::Weight;

/// What one roll at one difficulty does.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// `advance[k]`: it adds exactly `k`, for `k` from 1 to one less than required.
    pub(super) advance: Vec<Weight>,
    /// `reach[k]`: it adds `k` or more, for `k` from 1 to what is required.
    pub(super) reach: Vec<Weight>,
    /// It adds nothing and is no botch.
    pub(super) fail: Weight,
    /// It is a botch.
    pub(super) botch: Weight,
}

/// A total for every state: `[level][gathered]`.
pub(super) type Totals = Vec<Vec<Weight>>;

impl Extended {
    pub(super) fn steps(&self) -> Vec<Step> {
        let required = i64::from(self.required);
        let step = |pool: &crate::dice::pool::Pool| {
            let odds = pool.odds();
            let clean = odds.clean();
            let advance: Vec<_> = (0..required)
                .map(|k| {
                    if k == 0 {
                        Weight::ZERO
                    } else {
                        clean.weight(k)
                    }
                })
                .collect();
            let mut reach = vec![clean.weight_at_least(required)];
            for &weight in advance[1..].iter().rev() {
                reach.push(reach[reach.len() - 1] + weight);
            }
            // Nothing reaches 0 that does not reach 1: the place is kept so that the index tells.
            reach.push(Weight::ZERO);
            reach.reverse();
            Step {
                advance,
                reach,
                fail: clean.weight_below(1),
                botch: odds.botched().mass(),
            }
        };
        self.levels.iter().map(step).collect()
    }

    /// For every state the expected total of `cost` over all rolls from there on.
    ///
    /// Successes and difficulty only grow, so the states are gone through backwards. Where a botch
    /// throws the work back to its beginning, that beginning's own total is the one unknown.
    pub(super) fn totals(
        &self,
        steps: &[Step],
        on_botch: OnBotch,
        cost: impl Fn(usize, usize) -> Weight,
    ) -> Totals {
        let required = self.required as usize;
        let top = steps.len() - 1;
        let mut totals: Totals = vec![Vec::new(); steps.len()];
        for level in (0..=top).rev() {
            let step = &steps[level];
            let mut known = vec![Weight::ZERO; required];
            let mut looped = vec![Weight::ZERO; required];
            let mut through = vec![Weight::ZERO; required];
            for at in (0..required).rev() {
                let onward = |values: &[Weight]| -> Weight {
                    let ahead = values[at + 1..].iter().zip(&step.advance[1..]);
                    ahead.map(|(&value, &chance)| value * chance).sum()
                };
                let mut value = cost(level, at) + onward(&known);
                let mut leave = step.reach[1];
                if level < top {
                    let above = &totals[level + 1];
                    value += step.fail * above[at];
                    match on_botch {
                        OnBotch::Ends => {}
                        OnBotch::Continues => value += step.botch * above[at],
                        OnBotch::LosesAll => value += step.botch * above[0],
                    }
                    known[at] = value;
                    continue;
                }
                if on_botch != OnBotch::Continues {
                    leave += step.botch;
                }
                known[at] = value / leave;
                if on_botch == OnBotch::LosesAll {
                    looped[at] = (step.botch + onward(&looped)) / leave;
                    through[at] = (step.reach[required - at] + onward(&through)) / leave;
                }
            }
            if level == top && on_botch == OnBotch::LosesAll {
                let start = known[0] / through[0];
                for (value, &share) in known.iter_mut().zip(&looped) {
                    *value += share * start;
                }
            }
            totals[level] = known;
        }
        totals
    }

    /// The expected total of `cost` from the beginning.
    pub(super) fn total(
        &self,
        steps: &[Step],
        on_botch: OnBotch,
        cost: impl Fn(usize, usize) -> Weight,
    ) -> Weight {
        self.totals(steps, on_botch, cost)[0][0]
    }
}
