//! The best play of a side: a Markov decision process over the situations of a fight.
//!
//! Where a combatant of the side is free to act, each action that the rules allow is an answer like that of a die,
//! without a weight ([`Chance::choose`](crate::chance::Chance::choose)): the clock is the only source of rules here,
//! too. A decision amid a turn is a situation of its own, which all ways to the same state share. The situations of a Round and the ways between them form a graph without cycles. From the last Round backwards,
//! each situation has the value of its best action, and a situation in which a Round begins has the value that the
//! Round after gives it. As a fight has a greatest number of Rounds, this ends with the value of the fight (R. Bellman,
//! "Dynamic Programming", 1957). The action of the written policy in each situation is known as well. The difference
//! between the two values is the sum of the costs of the policy's decisions (S. Kakade and J. Langford, "Approximately
//! optimal approximate reinforcement learning", Proceedings of ICML 2002), which shows where the policy loses.

mod costs;
mod explore;
mod ways;

use self::explore::Explorer;
use self::ways::Way;
use super::{Budget, Limit, Plans, TooLarge};
use crate::chance::enumerate::Options;
use crate::fight::Fight;
use crate::fight::program::Leaving;
use crate::sim::{Observer, Record};
use crate::stats::Interval;
use crate::systems::Rules;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The allowance for rounding errors in each Round.
const ROUNDING: f64 = 1e-13;

/// The value of the best play, and the decisions by which the policy falls short of it.
#[derive(Debug, Clone)]
pub struct BestPlay {
    /// The number of situations, including the decisions amid turns.
    pub states: u64,
    /// The number of situations in which the side chooses among several actions.
    pub decisions: u64,
    /// Bounds of the win rate of the written policy.
    pub written: Interval,
    /// Bounds of the win rate of the best play.
    pub best: Interval,
    /// The costs of all decisions of an encounter in which the policy takes one action and another is better, for each
    /// pair of such actions; the costliest first.
    pub costs: Vec<Cost>,
    /// The costs of single situations, the costliest first.
    pub situations: Vec<Costly>,
    /// The costliest decision of each of the costliest pairs, with the likeliest way to it.
    pub ways: Vec<Reached>,
}

/// A decision in one Round, and the likeliest way to it, which [`show`] plays.
#[derive(Debug, Clone)]
pub struct Reached {
    /// The decision, with its cost in this Round and the values of both actions.
    pub decision: Costly,
    way: Way,
}

/// The cost of one action where another would be better.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The combatant, by file order.
    pub who: usize,
    /// The decision line that the policy takes; `None` if it takes none.
    pub written: Option<u16>,
    /// The decision line that is best.
    pub better: u16,
    /// The win rate that it costs, over all encounters.
    pub cost: f64,
    /// The expected number of such decisions in an encounter.
    pub times: f64,
}

/// A situation in which the policy does not take the best action.
#[derive(Debug, Clone)]
pub struct Costly {
    /// The decision.
    pub cost: Cost,
    /// The moment, and the position and health of all combatants.
    pub options: Arc<Options>,
    /// The first and the last moment of a Round, as its clock counts, at which it comes about.
    pub marks: [i32; 2],
    /// The value of the policy's action, and of the best action: means over the Rounds in which it comes about.
    pub values: [f64; 2],
}

/// A part of the tree of a step. The parts are in preorder.
#[derive(Debug, Clone, Copy)]
struct Item {
    /// Its probability below its parent; among options, the index of the option.
    weight: f64,
    code: Code,
}

#[derive(Debug, Clone, Copy)]
enum Code {
    /// A situation of the same Round.
    Now(u32),
    /// A situation in which the next Round begins.
    Next(u32),
    /// The encounter is over: whether the side has won.
    End(bool),
    /// Chance decides among this many parts.
    Mix(u32),
    /// The side chooses among this many options; the second number is an index into `choices`.
    Choice(u32, u32),
}

/// The steps of a fight as trees.
#[derive(Default)]
struct Game {
    /// The items of each situation, one after the other.
    items: Vec<Item>,
    first: Vec<usize>,
    /// The options of each choice: the combatant that chooses, its lines, and the line that the policy takes.
    choices: Vec<Arc<Options>>,
    /// The approximate memory that the choices take.
    choice_bytes: u64,
    /// Whether the side has won if no Round is left; `None` for situations in which no Round begins.
    timeouts: Vec<Option<bool>>,
    /// The situations in an order in which each comes after those that it leads to within its Round.
    order: Vec<u32>,
}

/// The bounds of the value of each situation, for each number of Rounds left.
type Layers = Vec<Vec<[f64; 2]>>;

/// The rule by which an option counts.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Best,
    Policy,
}

/// Returns the reason why the best play of a fight is not sought, with advice on what to leave out; `None` if it is
/// sought.
pub fn obstacle(fight: &Fight) -> Option<&'static str> {
    let mut ways = [Leaving::Flees, Leaving::Surrenders].into_iter();
    if ways.any(|how| fight.may_be_left(how)) {
        return Some(
            "its combatants may flee or surrender, for which no best play is sought\n\
             leave out --any-policy, or the lines with `flee` and `surrender`",
        );
    }
    if fight.reserves().next().is_some() {
        return Some(
            "some of its combatants enter later, for which no best play is sought\n\
             leave out --any-policy, or `enters`",
        );
    }
    None
}

/// Finds the best play of the side with this index, in a fight in which its decisions have offers
/// ([`Policy::offered`](crate::fight::program::Policy)). `watch` is called now and then with the number of situations
/// known.
///
/// # Errors
/// If the fight has more situations than the budget allows, or `stop` is set.
///
/// # Panics
/// If the best play of the fight is not sought ([`obstacle`]).
pub fn best_play(
    fight: &Fight,
    rules: &Rules,
    side: usize,
    budget: Budget,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(u64),
) -> Result<BestPlay, TooLarge> {
    assert_eq!(obstacle(fight), None);
    let plans = Plans::new(fight, rules);
    let game = Explorer::new(&plans, side).explore(budget, stop, watch)?;
    let rounds = if plans.is_counted {
        1
    } else {
        fight.max_rounds
    };
    let states = game.first.len() as u64;
    let layers = |by, beside| {
        let most = budget.most_bytes().saturating_sub(beside);
        let layers = game.layers(by, rounds, most, stop);
        layers.map_err(|limit| TooLarge::new(states, 0, limit))
    };
    let best = layers(By::Best, 0)?;
    let written = layers(By::Policy, bytes_of(&best))?;
    let slack = ROUNDING * f64::from(rounds);
    let of = |layers: &Layers| {
        let [low, high] = layers.last().map_or([0.0, 1.0], |layer| layer[0]);
        Interval {
            low: (low - slack).max(0.0),
            high: (high + slack).min(1.0),
        }
    };
    let (costs, situations, spots) = game.costs(&best, rounds);
    let (decisions, spots): (Vec<Costly>, Vec<_>) = spots.into_iter().unzip();
    let ways = game.likeliest_ways(&spots).into_iter().zip(decisions);
    let ways = ways.filter_map(|(way, decision)| {
        Some(Reached {
            decision,
            way: way?,
        })
    });
    Ok(BestPlay {
        states,
        decisions: game.choices.len() as u64,
        written: of(&written),
        best: of(&best),
        costs,
        situations,
        ways: ways.collect(),
    })
}

/// Plays the likeliest way to a decision and the step of the decision, with the policy's action or with the better one.
/// Both begin with the same events, up to the decision. `fight` must be the one that was solved.
pub fn show(
    fight: &Fight,
    rules: &Rules,
    reached: &Reached,
    better: bool,
    observer: &mut dyn Observer,
) -> Record {
    let plans = Plans::new(fight, rules);
    Explorer::new(&plans, 0).show(reached, better, observer)
}

impl Game {
    /// Returns the approximate bytes in use, without those counted per situation.
    fn bytes(&self) -> u64 {
        size_of_val(&self.items[..]) as u64 + self.choice_bytes
    }

    fn items_of(&self, node: u32) -> &[Item] {
        let node = node as usize;
        let end = self.first.get(node + 1).copied();
        &self.items[self.first[node]..end.unwrap_or(self.items.len())]
    }

    /// Returns the value of each situation if no Round is left.
    fn ends(&self) -> Vec<[f64; 2]> {
        let ended = |timeout: &Option<bool>| [f64::from(u8::from(timeout.unwrap_or(false))); 2];
        self.timeouts.iter().map(ended).collect()
    }

    /// Returns the bounds of the value of each situation, Round by Round, the last Round first. Once nothing changes
    /// any more, the earlier Rounds are left out; for the written policy, only the first Round is kept. Fails if the
    /// layers take too much memory, or `stop` is set.
    fn layers(
        &self,
        by: By,
        rounds: u32,
        most_bytes: u64,
        stop: &AtomicBool,
    ) -> Result<Layers, Limit> {
        let mut layers = Layers::new();
        let mut next: Vec<[f64; 2]> = self.ends();
        for _ in 0..rounds {
            if by == By::Policy {
                layers.clear();
            }
            // Two layers that are worked on, and the next one to be kept.
            let layer = size_of_val(&next[..]) as u64;
            if self.bytes() + bytes_of(&layers) + 3 * layer > most_bytes {
                return Err(Limit::Memory);
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Limit::Stopped);
            }
            let mut now = next.clone();
            for &node in &self.order {
                let mut items = self.items_of(node);
                now[node as usize] = value(&mut items, &now, &next, &self.choices, by);
            }
            let is_same = now == next;
            next.clone_from(&now);
            layers.push(now);
            if is_same {
                break;
            }
        }
        Ok(layers)
    }
}

/// Returns the memory that layers take.
fn bytes_of(layers: &Layers) -> u64 {
    layers
        .iter()
        .map(|layer| size_of_val(&layer[..]) as u64)
        .sum()
}

/// Returns the weight of the next part of a tree.
fn next_weight(items: &[Item]) -> f64 {
    items.first().map_or(0.0, |item| item.weight)
}

/// Returns the bounds of the value of the next part of a tree, and removes the part from `items`.
fn value(
    items: &mut &[Item],
    now: &[[f64; 2]],
    next: &[[f64; 2]],
    choices: &[Arc<Options>],
    by: By,
) -> [f64; 2] {
    let Some(item) = items.split_off_first() else {
        return [0.0, 1.0];
    };
    match item.code {
        Code::Now(to) => now[to as usize],
        Code::Next(to) => next[to as usize],
        Code::End(won) => [f64::from(u8::from(won)); 2],
        Code::Mix(count) => {
            let mut all = [0.0, 0.0];
            let mut known = 0.0;
            for _ in 0..count {
                let weight = next_weight(items);
                let [low, high] = value(items, now, next, choices, by);
                all[0] += weight * low;
                all[1] += weight * high;
                known += weight;
            }
            // The outcomes that endless dice leave open may have any value.
            all[1] += (1.0 - known).max(0.0);
            all
        }
        Code::Choice(count, choice) => {
            let written = choices[choice as usize].written;
            let mut all = [0.0, 0.0];
            for _ in 0..count {
                let option = next_weight(items) as usize;
                let [low, high] = value(items, now, next, choices, by);
                match by {
                    By::Best => all = [low.max(all[0]), high.max(all[1])],
                    By::Policy if option == written => all = [low, high],
                    By::Policy => {}
                }
            }
            all
        }
    }
}
