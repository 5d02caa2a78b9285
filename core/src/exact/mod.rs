//! Exact answers: a fight solved instead of sampled.
//!
//! The clocks themselves determine the outcomes of each situation (`graph`): they play every step with every answer to
//! every random question, so that no rule is written twice. Then probability is pushed through this graph, Round by
//! Round, until every encounter is decided (`push`). The probability at the ends is the distribution of every result,
//! with bounds that hold for certain.

mod best;
mod blocks;
mod build;
mod cells;
mod explore;
mod facts;
mod graph;
mod held;
mod key;
mod push;
mod situation;
mod strikes;

pub use self::best::{BestPlay, Cost, Costly, Reached, best_play, obstacle, show};
pub use crate::tally::{Solution, SolvedMetric};

use self::build::{Batch, Builder};
use self::explore::Explorer;
use self::facts::Facts;
use self::graph::{Graph, Keeps};
use self::push::{Count, Pusher};
use crate::fight::Fight;
use crate::systems::{Plan, Rules};
use crate::tally::{Metric, Tally};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{iter, thread};

/// The limits of solving.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// The most situations that may be found.
    pub max_states: u64,
    /// Solving ends as soon as this share of the encounters or less is undecided. With 0, it goes on as far as the
    /// arithmetic allows.
    pub bound: f64,
}

impl Budget {
    /// Returns the memory that a fight may take: [`MOST_BYTES`], or 512 bytes for each situation that is allowed if
    /// that is more.
    fn most_bytes(self) -> u64 {
        MOST_BYTES.max(self.max_states.saturating_mul(512))
    }

    /// Returns the work that a fight may take, in paths through a step.
    fn most_work(self) -> u64 {
        self.max_states.saturating_mul(PATHS_OF_A_STATE)
    }

    /// Returns the number of paths of rolls that may be followed for rolls whose result alone matters.
    fn most_rolls(self) -> u64 {
        let rolls = self.most_work().saturating_mul(ROLLS_OF_A_PATH);
        rolls.saturating_add(FREE_ROLLS)
    }
}

/// The paths through a step that may be played for each situation that is allowed.
const PATHS_OF_A_STATE: u64 = 8;

/// The paths of rolls whose result alone matters that take as long as a path through a step, and those that may be
/// followed whatever the budget: a moment of work.
const ROLLS_OF_A_PATH: u64 = 4;
const FREE_ROLLS: u64 = 1_000_000;

/// The products of probabilities that take as long as a path, and those that may be made whatever the budget: some
/// seconds of work.
const PRODUCTS_OF_A_PATH: u64 = 500;
const FREE_PRODUCTS: u64 = 1_000_000_000;

/// The memory that a fight may take, unless the budget allows more.
const MOST_BYTES: u64 = 2 << 30;

/// The default limit of situations.
pub const MAX_STATES: u64 = 4_000_000;

/// The error when a fight is too large to be solved or solving was stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct TooLarge {
    /// The number of situations that were found.
    pub states: u64,
    /// The Round that was reached, counted from 1; 0 where Rounds are not solved one by one.
    pub round: u32,
    /// The limit that was exceeded.
    pub limit: Limit,
    /// The solution without the less likely situations, with wide bounds, if there is one.
    pub best: Option<Box<Solution>>,
}

/// The limit at which an attempt to solve a fight ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// More situations than are allowed.
    States,
    /// More memory than is allowed.
    Memory,
    /// More work than is allowed: paths through the steps, rolls, products of probabilities.
    Work,
    /// Not a limit: the attempt was stopped.
    Stopped,
}

impl Limit {
    /// Returns the words after "stopped at 300,000 situations".
    pub const fn and_more(self) -> &'static str {
        match self {
            Self::States | Self::Stopped => "",
            Self::Memory => ", which take more memory than is allowed",
            Self::Work => {
                ", which take more work than is allowed: too many paths lead on from them"
            }
        }
    }

    /// Returns advice on how to stay within the limit.
    pub const fn way_out(self) -> &'static str {
        match self {
            Self::States => "--max-states allows more",
            _ => "fewer combatants, a shorter arena, less health and simpler dice make it smaller",
        }
    }
}

impl TooLarge {
    /// Returns an attempt that met `limit` in `round`, with `states` situations found.
    pub const fn new(states: u64, round: u32, limit: Limit) -> Self {
        Self {
            states,
            round,
            limit,
            best: None,
        }
    }

    /// Returns whether the attempt was stopped.
    pub fn stopped(&self) -> bool {
        self.limit == Limit::Stopped
    }
}

/// The most situations of a small fight.
const FEW: u64 = 1_000;

/// The most cells to be pushed along edges for the distributions of all metrics that add up. A single metric may take a
/// tenth of them.
const MOST_WORK: u64 = 1_000_000_000;

/// The memory that a value of a distribution takes while it is computed.
const VALUE_BYTES: u64 = 64;

/// The metric that has a graph of its own.
const FORFEITS: &str = "marks_forfeited";

/// The number of situations above which pushing is worth a thread.
const MANY: usize = 1_000;

/// The least probability of a way that is followed, even if no bound is allowed.
const LEAST: f64 = 1e-20;

/// Returns the plan of a fight with another limit of Rounds.
fn limited(fight: &Fight, rules: &Rules, max_rounds: u32) -> Plan {
    let fight = Fight {
        max_rounds,
        ..fight.clone()
    };
    Plan::new(fight, rules.clone())
}

/// A fight in the forms in which all its situations are found, whatever their Round.
struct Plans {
    /// The fight without a limit of Rounds, or with its own limit if Rounds are counted.
    open: Plan,
    /// The fight with no Round left.
    last: Plan,
    /// Whether Rounds are counted: then they are part of a situation, and the fight ends by itself.
    is_counted: bool,
}

impl Plans {
    fn new(fight: &Fight, rules: &Rules) -> Self {
        let is_counted = fight.rounds_apart() == u32::MAX;
        let most = if is_counted {
            fight.max_rounds
        } else {
            u32::MAX
        };
        Self {
            open: limited(fight, rules, most),
            last: limited(fight, rules, 0),
            is_counted,
        }
    }
}

/// Returns whether a fight has so few situations that solving it takes a second or two. If `stop` is set meanwhile, it
/// counts as large.
pub fn is_small(fight: &Fight, rules: &Rules, stop: &AtomicBool) -> bool {
    let healths = situation::healths_apart(fight);
    let (plan, last) = (limited(fight, rules, u32::MAX), limited(fight, rules, 0));
    let budget = Budget {
        max_states: FEW,
        bound: 0.0,
    };
    let mut explorer = Explorer::new(&plan, &last, healths, budget, LEAST, stop);
    // Batches are dropped, because no graph is needed.
    let mut forget = |batch: &mut Batch| {
        batch.clear();
        0
    };
    explorer.explore_all(&mut forget).is_ok()
}

/// Solves a fight. Finds the means of all metrics that add up (damage, hits, moves), and the distributions, which cost
/// far more, of those for which `wants` returns true. `watch` is called now and then with the number of situations
/// known, the Round that is played and the share of encounters that is undecided; it returns false to stop. `stop` is
/// heard amid a roll too.
///
/// Situations are found Round by Round, the likeliest first. If `budget` allows a bound, situations less likely than
/// some share of it are not followed at first; then less likely ones are, until the bound is met.
///
/// # Errors
/// If the fight is larger than the budget, or was stopped.
pub fn solve(
    fight: &Fight,
    rules: &Rules,
    budget: Budget,
    wants: &dyn Fn(&Metric) -> bool,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(u64, u32, f64) -> bool,
) -> Result<Solution, TooLarge> {
    let solver = Solver {
        fight,
        stop,
        plan: limited(fight, rules, u32::MAX),
        last: limited(fight, rules, 0),
        budget,
        most_work: Cell::new(budget.most_work()),
        free_products: Cell::new(FREE_PRODUCTS),
    };
    if budget.bound == 0.0 {
        return solver.solve(LEAST, wants, watch).map_err(|large| {
            // A hint is possible, unless even the first Round is too large.
            let best = if large.stopped() || large.round == 1 {
                Ok(None)
            } else {
                let work = budget.most_work() / HINT;
                solver.most_work.set(work.max(FREE_HINT));
                solver.free_products.set(0);
                solver.refine(1e-2, &|_| false, watch)
            };
            let best = best.unwrap_or_else(|unfinished| unfinished.best.map(|best| *best));
            TooLarge {
                best: best.map(Box::new),
                ..large
            }
        });
    }
    let refined = solver.refine(budget.bound * FIRST, wants, watch)?;
    solver.most_work.set(budget.most_work());
    refined.map_or_else(|| solver.solve(LEAST, wants, watch), Ok)
}

/// The share of the bound that is the least probability of ways in the first attempt, and the factor for each further
/// attempt.
const FIRST: f64 = 1e-4;
const LESS: f64 = 1.0 / 64.0;

/// The divisor of the work that may be spent on a hint about a fight that is too large, and the work that may be spent
/// on it whatever the budget.
const HINT: u64 = 4;
const FREE_HINT: u64 = 100_000;

struct Solver<'a> {
    fight: &'a Fight,
    stop: &'a AtomicBool,
    /// The fight without a limit of Rounds, and the fight without any Round.
    plan: Plan,
    last: Plan,
    budget: Budget,
    /// The work that is left, in paths.
    most_work: Cell<u64>,
    /// The products that an attempt may make in addition.
    free_products: Cell<u64>,
}

impl Solver<'_> {
    /// Solves the fight with ways at least as likely as `least`, and then with less likely ones, until the bound is
    /// met. Returns `None` if it is never met.
    fn refine(
        &self,
        mut least: f64,
        wants: &dyn Fn(&Metric) -> bool,
        watch: &mut dyn FnMut(u64, u32, f64) -> bool,
    ) -> Result<Option<Solution>, TooLarge> {
        let mut best = None;
        while least > LEAST {
            if self.budget.bound > 0.0 {
                // Each attempt starts anew, so the work of earlier attempts does not count.
                self.most_work.set(self.budget.most_work());
            }
            match self.solve(least, wants, watch) {
                Ok(solution) if solution.undecided <= self.budget.bound => {
                    return Ok(Some(solution));
                }
                Ok(solution) => best = Some(Box::new(solution)),
                Err(large) => return Err(TooLarge { best, ..large }),
            }
            least *= LESS;
        }
        Ok(None)
    }

    /// Solves the fight without the ways less likely than `least`.
    fn solve(
        &self,
        least: f64,
        wants: &dyn Fn(&Metric) -> bool,
        watch: &mut dyn FnMut(u64, u32, f64) -> bool,
    ) -> Result<Solution, TooLarge> {
        let (fight, bound) = (self.fight, self.budget.bound);
        let healths = situation::healths_apart(fight);
        let forfeits = Tally::new(fight).metric(FORFEITS);
        let keeps = [Keeps::Deeds, Keeps::Forfeits];
        let keeps = &keeps[..if forfeits.is_some() { 2 } else { 1 }];
        let (plan, last) = (&self.plan, &self.last);
        let mut builder = Builder::new(healths.clone(), keeps);
        let mut explorer = Explorer::new(plan, last, healths, self.budget, least, self.stop);
        let most_bytes = self.budget.most_bytes();
        let pusher = || Pusher::new(&builder.labels, least, most_bytes / 2, None, self.stop);
        let (mut pusher, mut forfeited) = (pusher(), forfeits.map(|_| pusher()));
        let (most_work, free) = (self.most_work.get(), self.free_products.get());
        let mut round = 0;
        loop {
            let (waiting, missing) = (pusher.waiting(), pusher.pushed.missing);
            let undecided: f64 = waiting.iter().map(|(_, mass)| mass).sum();
            // A smaller share of undecided encounters changes numbers no more than those that were not followed do.
            let little = push::LEAST_UNDECIDED
                .max(bound - missing)
                .max(missing / 64.0);
            if round == fight.max_rounds {
                for (beginning, _) in waiting {
                    explorer.give_up(beginning);
                }
                builder.listen(false, |tell| explorer.tell(tell));
                break;
            }
            if undecided <= little {
                break;
            }
            round += 1;
            let pushers = || iter::once(&pusher).chain(&forfeited);
            let products: u64 = pushers().map(Pusher::effort).sum();
            let pushed = products.saturating_sub(free) / PRODUCTS_OF_A_PATH;
            explorer.bytes_beside = pushers().map(Pusher::bytes).sum();
            explorer.most_work = most_work.saturating_sub(pushed);
            if !watch(explorer.states(), round, undecided) {
                return Err(TooLarge::new(explorer.states(), round, Limit::Stopped));
            }
            let is_much = builder.graph(0).nodes.len() > MANY;
            let explored = builder.listen(is_much, |tell| {
                for (beginning, mass) in waiting {
                    if explorer.is_open(beginning, mass) {
                        let mut watch = |states| watch(states, round, undecided);
                        explorer.explore(beginning, mass, &mut watch, tell)?;
                    }
                }
                explorer.tell(tell);
                Ok(())
            });
            explored.map_err(|large: TooLarge| TooLarge { round, ..large })?;
            builder.labels.spreads = explorer.spreads();
            let left = most_work.saturating_sub(explorer.work() + pushed);
            self.most_work.set(left);
            let more = left.saturating_mul(PRODUCTS_OF_A_PATH);
            let more = more.saturating_add(free.saturating_sub(products));
            let used = explorer.bytes() + explorer.bytes_beside;
            let bytes = most_bytes.saturating_sub(used) / keeps.len() as u64;
            for pusher in iter::once(&mut pusher).chain(&mut forfeited) {
                pusher.most_work = pusher.effort().saturating_add(more);
                pusher.blocks.room.most = (most_bytes / 2).min(pusher.bytes() + bytes);
            }
            let (deeds, labels) = (builder.graph(0), &builder.labels);
            let other = forfeited.as_mut().map(|pusher| (pusher, builder.graph(1)));
            thread::scope(|scope| {
                let other = other.map(|(pusher, graph)| move || pusher.round(graph, labels));
                // A page in a browser has one thread.
                let is_worth_it = deeds.nodes.len() > MANY && !cfg!(target_family = "wasm");
                match other {
                    Some(other) if is_worth_it => drop(scope.spawn(other)),
                    Some(mut other) => other(),
                    None => {}
                }
                pusher.round(deeds, labels);
            });
            let mut pushers = iter::once(&pusher).chain(&forfeited);
            if let Some(limit) = pushers.find_map(Pusher::limit) {
                return Err(TooLarge::new(explorer.states(), round, limit));
            }
        }
        let deeds = builder.graph(0);
        let labels = &builder.labels;
        let pushed = pusher.end(deeds, labels, fight.max_rounds);
        let rounds = pushed.rounds;
        let states = explorer.states();
        drop(explorer);
        // Counting makes a second graph.
        let used = 2 * builder.bytes() + labels.spread_bytes() + pushed.bytes();
        let room = (most_bytes, most_bytes.saturating_sub(used));
        let mut values = most_bytes / VALUE_BYTES;
        // The distributions of metrics that add up, as far as the work allows.
        let mut left = MOST_WORK;
        let mut counted = |graph: &Graph, once: u64, count: Count<'_>| {
            let most_work = left.min(MOST_WORK / 10);
            // Counting takes more work than pushing without it.
            if once > most_work {
                return None;
            }
            let count = Count { most_work, ..count };
            let pushed = push::push(
                graph,
                labels,
                rounds,
                fight.max_rounds,
                room,
                count,
                self.stop,
            );
            let work = pushed.as_ref().map_or(most_work, |pushed| pushed.work);
            left = left.saturating_sub(work);
            let pushed = pushed?;
            values = values.checked_sub(pushed.values(labels))?;
            Some(pushed)
        };
        let facts = |graph, pushed| Facts {
            fight,
            labels,
            graph,
            pushed,
            round_length: self.plan.round_length(),
            wants,
        };
        let mut all = facts(deeds, &pushed).all(&mut |count| counted(deeds, pushed.work, count));
        if let Some((metric, pusher)) = forfeits.zip(forfeited) {
            let graph = builder.graph(1);
            let pushed = pusher.end(graph, labels, fight.max_rounds);
            let facts = facts(graph, &pushed);
            for fact in all.iter_mut().filter(|fact| fact.metric.name == FORFEITS) {
                let mut counted = |count: Count<'_>| counted(graph, pushed.work, count);
                *fact = facts.sum(metric, fact.subject, &mut counted);
            }
        }
        if self.stop.load(Ordering::Relaxed) {
            // Counts since then are missing.
            return Err(TooLarge::new(states, round, Limit::Stopped));
        }
        Ok(Solution {
            states,
            rounds,
            undecided: pushed.missing,
            facts: all,
        })
    }
}
