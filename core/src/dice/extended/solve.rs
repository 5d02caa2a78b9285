//! The chances of the effects of one roll of a task, and totals over all rolls.

use super::{Extended, OnBotch};
use crate::dice::pool::PoolOdds;
use crate::dice::weight::Weight;

/// The chances of the effects of one roll at one difficulty.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// `advance[k]` is the chance of adding exactly `k`, for `k` from 1 to one less than required.
    pub(super) advance: Vec<Weight>,
    /// `reach[k]` is the chance of adding `k` or more, for `k` from 1 to the required successes.
    pub(super) reach: Vec<Weight>,
    /// The chance of adding nothing without a botch.
    pub(super) fail: Weight,
    /// The chance of a botch.
    pub(super) botch: Weight,
}

/// A weight or a total for every state of a task: `[level][gathered]`.
pub(super) type States = Vec<Vec<Weight>>;

impl Extended {
    pub(super) fn steps(&self) -> Vec<Step> {
        let levels = self.levels.iter();
        levels.map(|pool| self.step(&pool.odds())).collect()
    }

    fn step(&self, odds: &PoolOdds) -> Step {
        let required = i64::from(self.required);
        let clean = odds.clean();
        let ahead = (1..required).map(|k| clean.weight(k));
        let advance: Vec<_> = std::iter::once(Weight::ZERO).chain(ahead).collect();
        let mut reach = vec![clean.weight_at_least(required)];
        for &weight in advance[1..].iter().rev() {
            reach.push(reach[reach.len() - 1] + weight);
        }
        // Index 0 is unused; it keeps the index equal to the number of successes.
        reach.push(Weight::ZERO);
        reach.reverse();
        Step {
            advance,
            reach,
            fail: clean.weight_below(1),
            botch: odds.botched().mass(),
        }
    }

    /// Returns, for every state, the expected total of `cost` over all rolls from that state on.
    ///
    /// Successes and difficulty only grow, so the states are visited backwards. If a botch sends the task back to its
    /// start, the total of the start is the one unknown.
    pub(super) fn totals(
        &self,
        steps: &[Step],
        on_botch: OnBotch,
        cost: impl Fn(usize, usize) -> Weight,
    ) -> States {
        let required = self.required as usize;
        let top = steps.len() - 1;
        let mut totals: States = vec![Vec::new(); steps.len()];
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
                    if let Some(at) = on_botch.keeps(at) {
                        value += step.botch * above[at];
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

    /// Returns the expected total of `cost` from the start of the rolls without Willpower.
    pub(super) fn total(
        &self,
        opening: &WillpowerPhase,
        steps: &[Step],
        on_botch: OnBotch,
        cost: impl Fn(usize, usize) -> Weight,
    ) -> Weight {
        opening.total(&self.totals(steps, on_botch, cost))
    }

    /// Follows the rolls on which Willpower is spent. They never fail and never botch.
    pub(super) fn opening(&self) -> WillpowerPhase {
        let mut opening = WillpowerPhase {
            states: self.no_states(),
            made: Weight::ZERO,
            done: Vec::new(),
            rolls: self.willpower.min(self.max_rolls.unwrap_or(u32::MAX)),
        };
        opening.states[0][0] = Weight::ONE;
        if opening.rolls == 0 {
            return opening;
        }
        let step = [self.step(&self.willing.odds())];
        // The task is done after at most `required` rolls.
        for roll in 1..=opening.rolls.min(self.required) {
            opening.made += opening.left();
            let rolled = self.roll_states(&opening.states, &step, OnBotch::Ends);
            opening.done.push((roll.into(), rolled.done));
            opening.states = rolled.next;
        }
        opening
    }
}

/// The state of a task after its rolls with Willpower.
#[derive(Debug, Clone)]
pub(super) struct WillpowerPhase {
    /// The states of a task that is not done. None has failed a roll.
    pub(super) states: States,
    /// The expected number of rolls made.
    pub(super) made: Weight,
    /// The weight of being done at each roll.
    pub(super) done: Vec<(i64, Weight)>,
    /// The number of rolls on which Willpower could be spent.
    pub(super) rolls: u32,
}

impl WillpowerPhase {
    /// Returns the expected total over all states.
    pub(super) fn total(&self, totals: &States) -> Weight {
        let states = self.states[0].iter().zip(&totals[0]);
        // The total of a state without weight may be infinite.
        let left = states.filter(|(weight, _)| !weight.vanishes());
        left.map(|(&weight, &total)| weight * total).sum()
    }

    /// Returns the weight of not being done.
    pub(super) fn left(&self) -> Weight {
        self.states[0].iter().copied().sum()
    }

    /// Returns the weight of being done.
    pub(super) fn done(&self) -> Weight {
        self.done.iter().map(|term| term.1).sum()
    }
}
