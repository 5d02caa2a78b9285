//! Exact answers: a fight solved instead of sampled.
//!
//! The clocks themselves say what can come of each situation (`graph`): they play every step with every
//! answer to every random question, and no rule is written twice. Then probability is pushed through
//! this graph, Round by Round, until every encounter is decided (`push`). What is left of it at the
//! ends is the distribution of every result, with bounds that hold for certain.

mod explore;
mod export;
mod facts;
mod graph;
mod push;

pub use crate::tally::{Fact, Solution};
pub use export::{ExportError, Exported, export};

use crate::fight::Fight;
use crate::sim::Clock;
use crate::systems::{Plan, Rules};
use crate::tally::Metric;
use serde::{Deserialize, Serialize};

/// What solving may cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// The most situations that may come about.
    pub max_states: u64,
    /// Solving ends as soon as this share of the encounters or less is undecided; 0 for no earlier
    /// than the arithmetic allows.
    pub bound: f64,
}

/// The most situations that may come about if nothing else is said.
pub const MAX_STATES: u64 = 4_000_000;

/// Why a fight was not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// The situations that were found.
    pub states: u64,
    /// The Round that was reached; 0 if not even all situations were found.
    pub round: u32,
    /// Whether `watch` stopped it.
    pub stopped: bool,
}

/// The situations of a small fight.
const FEW: u64 = 1_000;

/// Cells that may be pushed along edges for the distributions of all metrics that add up; a tenth of it
/// for one.
const MOST_WORK: u64 = 300_000_000;

/// The metric that has a graph of its own.
const FORFEITS: &str = "marks_forfeited";

/// Whether a fight has so few situations that solving it takes a second or two.
#[must_use]
pub fn is_small(fight: &Fight, rules: &Rules) -> bool {
    let budget = Budget {
        max_states: FEW,
        bound: 0.0,
    };
    let limited = |max_rounds: u32| {
        let mut fight = fight.clone();
        fight.max_rounds = max_rounds;
        Plan::new(fight, rules.clone())
    };
    let healths = explore::healths_apart(fight);
    let (plan, last) = (limited(u32::MAX), limited(0));
    explore::build(&plan, &last, healths, budget, &mut |_| true).is_ok()
}

/// Solves a fight. Of metrics that add up (damage, hits, moves) all means are found; distributions, which
/// cost far more, of those that are wanted. `watch` is told now and then how many situations are known, the Round that is
/// played and the share of encounters that is not decided yet; it returns false to stop.
///
/// # Errors
/// If the fight is larger than the budget, or was stopped.
pub fn solve(
    fight: &Fight,
    rules: &Rules,
    budget: Budget,
    wants: &dyn Fn(&Metric) -> bool,
    watch: &mut dyn FnMut(u64, u32, f64) -> bool,
) -> Result<Solution, TooLarge> {
    let limited = |max_rounds: u32| {
        let mut fight = fight.clone();
        fight.max_rounds = max_rounds;
        Plan::new(fight, rules.clone())
    };
    let (plan, last) = (limited(u32::MAX), limited(0));
    let healths = explore::healths_apart(fight);
    let mut found = |states| watch(states, 0, 1.0);
    let built = explore::build(&plan, &last, healths, budget, &mut found);
    let (graphs, labels) = built.map_err(|unfinished| TooLarge {
        states: unfinished.states,
        round: 0,
        stopped: unfinished.stopped,
    })?;
    let states = labels.states;
    let mut reached = 0;
    let [pushed, forfeits] = graphs.each_ref().map(|graph| {
        let mut rounds = |round: u32, undecided: f64| {
            reached = round;
            watch(states, round, undecided)
        };
        push::push(
            graph,
            &labels,
            fight.max_rounds,
            budget.bound,
            None,
            &mut rounds,
        )
    });
    let (Some(pushed), Some(forfeits)) = (pushed, forfeits) else {
        return Err(TooLarge {
            states,
            round: reached,
            stopped: true,
        });
    };
    let facts = |pushed| facts::Facts {
        fight,
        labels: &labels,
        situations: graphs.iter().map(|graph| graph.nodes.len()).sum(),
        pushed,
        round_length: plan.round_length(),
        wants,
    };
    // Distributions of what adds up, as far as the work allows.
    let mut left = MOST_WORK;
    let mut counted = |graph: &graph::Graph, count: &[u32]| {
        let (rounds, bound) = (fight.max_rounds, budget.bound);
        let count = Some((count, left.min(MOST_WORK / 10)));
        let pushed = push::push(graph, &labels, rounds, bound, count, &mut |_, _| true);
        let work = pushed.as_ref().map_or(MOST_WORK / 10, |pushed| pushed.work);
        left = left.saturating_sub(work);
        pushed
    };
    let [deeds, forfeited] = &graphs;
    let mut all = facts(&pushed).all(&mut |count| counted(deeds, count));
    for fact in &mut all {
        if fact.metric.name == FORFEITS {
            let mut counted = |count: &[u32]| counted(forfeited, count);
            *fact = facts(&forfeits).sum(fact.metric, fact.subject, &mut counted);
        }
    }
    Ok(Solution {
        states,
        rounds: pushed.rounds,
        facts: all,
    })
}
