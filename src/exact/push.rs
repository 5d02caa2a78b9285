//! Pushes probability through the graph of a fight, Round by Round.
//!
//! Each situation that can come about in a Round holds [`Cells`]: the chance of each combination of the
//! healths that are not part of the situation. Within a Round edges lead forwards, so that each
//! situation is visited once; those of the next Round wait for it. What reaches an end stays there, by
//! Round. The limit of Rounds makes this finite: what is pushed is the distribution itself, not an
//! approximation of it.
//!
//! # What is certain
//!
//! Only products and sums of positive numbers are made. [`Cells`] count how many roundings lie at most
//! on the way to any of their numbers: `n` of them change a number by a share of less than
//! 1.01 n 2^-53 for any `n` below 10^13. What is not followed (paths below 10^-25, situations and healths
//! that hardly an encounter reaches) is added up and widens the bounds.

use super::cells::{Along, Block, COUNTED, Cells, Does, Into, Shape, Spare, Sums, along};
use super::graph::{Edge, Graph, Labels, Node, To};
use super::strikes::Strikes;
use crate::chance::enumerate::{Blow, Effect};
use crate::dice::Weight;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Encounters still undecided that are not played on: too few to change a digit of any number.
pub(super) const LEAST: f64 = 1e-16;

/// The least chance of a situation, and of all healths at one end of an axis, that is followed.
const LEAST_CELLS: f64 = 1e-22;

/// The results of a fight.
#[derive(Debug, Default)]
pub(super) struct Pushed {
    /// For each end of the graph.
    pub ends: Vec<Ended>,
    /// How often each of the graph's gains is to be expected, by Round.
    pub gained: Vec<Vec<Weight>>,
    /// For each combatant the damage that is to be expected beyond what gains say: dealt, and taken.
    pub beyond: Vec<[Weight; 2]>,
    /// The chance of encounters that were not followed to their end.
    pub missing: f64,
    /// The most roundings on the way to a number.
    pub roundings: u64,
    /// The last Round that was played.
    pub rounds: u32,
    /// Products that were made.
    pub work: u64,
}

/// The encounters that have ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Ended {
    block: Option<Arc<Block>>,
    bounds: Vec<Range<usize>>,
    /// The chance to end so in each Round.
    pub in_round: Vec<Weight>,
}

impl Ended {
    /// The cells: those for each value of what is counted, one after the other. None if they are all 0.
    pub(super) fn cells(&self) -> &[f64] {
        self.block.as_ref().map_or(&[], |block| &block.cells)
    }
}

/// What is counted: how much of it each of the graph's gains is, and how much of it each point of damage is,
/// dealt or taken by `who`.
pub(super) struct Count<'a> {
    pub amounts: &'a [u32],
    pub who: u8,
    pub dealt: u32,
    pub taken: u32,
    pub most_work: u64,
}

/// Pushes an explored fight to its end once more: as many Rounds as before. Nothing is returned if counting is too much
/// work.
pub(super) fn push(
    graph: &Graph,
    labels: &Labels,
    rounds: u32,
    most_rounds: u32,
    most_bytes: u64,
    count: Option<Count<'_>>,
) -> Option<Pushed> {
    let mut pusher = Pusher::new(labels, 0.0, most_bytes, count);
    while pusher.pushed.rounds < rounds {
        pusher.round(graph, labels);
        let most_work = pusher
            .count
            .as_ref()
            .map_or(u64::MAX, |count| count.most_work);
        if pusher.uncounted || pusher.is_full() || pusher.pushed.work > most_work {
            return None;
        }
    }
    Some(pusher.end(graph, labels, most_rounds))
}

/// The shapes of a fight, and empty blocks of each.
struct Shapes {
    healths: Vec<i32>,
    /// Whether something is counted.
    counts: bool,
    known: FxHashMap<u64, Arc<Shape>>,
}

impl Shapes {
    fn of(&mut self, fallen: u64) -> Arc<Shape> {
        let shape = || {
            let shape = Shape::new(&self.healths, fallen);
            Arc::new(if self.counts { shape.counted() } else { shape })
        };
        self.known.entry(fallen).or_insert_with(shape).clone()
    }
}

/// No cells.
const NONE: u32 = u32::MAX;

/// Pushes a fight.
pub(super) struct Pusher<'a> {
    count: Option<Count<'a>>,
    shapes: Shapes,
    /// The strikes of each path.
    strikes: Vec<Strikes>,
    /// The chance of a situation, and of all healths at one end of an axis, that is not followed.
    least: f64,
    /// The memory that blocks may take.
    most_bytes: u64,
    store: Store,
    spare: Spare,
    sums: Sums,
    pushed: Pushed,
    /// Whether a distribution cannot be counted: several hits of one path come to one number.
    uncounted: bool,
    /// Certainty, at every health.
    ones: Vec<f64>,
}

/// The cells of all situations.
struct Store {
    /// Where those of each situation of this Round are, and of those in which the next begins.
    now: Vec<u32>,
    next: Vec<u32>,
    /// All cells that are in use, and room for more.
    pool: Vec<Cells>,
    free: Vec<u32>,
}

impl<'a> Pusher<'a> {
    /// At the beginning of a fight. Cells less likely than `least` are not followed.
    pub(super) fn new(
        labels: &Labels,
        least: f64,
        most_bytes: u64,
        count: Option<Count<'a>>,
    ) -> Self {
        let mut shapes = Shapes {
            healths: labels.healths.clone(),
            counts: count.is_some(),
            known: FxHashMap::default(),
        };
        let shape = shapes.of(0);
        let most = labels.healths.iter().copied().max().unwrap_or(0);
        let mut block = vec![0.0; shape.size];
        block[shape.size - 1] = 1.0;
        let whole = shape.axes.iter().map(|axis| match axis.who {
            COUNTED => 0..1,
            _ => axis.most - 1..axis.most,
        });
        let whole: Vec<Range<usize>> = whole.collect();
        let first = Cells {
            block: Some(Arc::new(Block {
                cells: block,
                used: whole.clone(),
            })),
            scale: 1.0,
            bounds: whole,
            roundings: 0,
        };
        Self {
            count,
            shapes,
            strikes: Vec::new(),
            least: least.max(LEAST_CELLS),
            most_bytes,
            store: Store {
                now: Vec::new(),
                next: vec![0],
                pool: vec![first],
                free: Vec::new(),
            },
            spare: Spare::default(),
            sums: Sums::default(),
            uncounted: false,
            ones: vec![1.0; most as usize],
            pushed: Pushed {
                beyond: vec![[Weight::ZERO; 2]; labels.healths.len()],
                ..Pushed::default()
            },
        }
    }

    /// Makes room for what has been found.
    pub(super) fn know(&mut self, graph: &Graph, labels: &Labels) {
        self.store.now.resize(graph.nodes.len(), NONE);
        self.store.next.resize(graph.beginnings.len(), NONE);
        self.pushed.ends.resize(labels.ends.len(), Ended::default());
        self.pushed.gained.resize(labels.gains.len(), Vec::new());
        for blows in &labels.blows[self.strikes.len()..] {
            let strikes = Strikes::new(blows, &labels.spreads, &labels.healths);
            self.strikes.push(strikes);
        }
    }

    /// The situations in which the next Round begins, each with its chance, the greatest first.
    pub(super) fn waiting(&self) -> Vec<(u32, f64)> {
        let waiting = (0..)
            .zip(&self.store.next)
            .filter(|(_, slot)| **slot != NONE);
        let sum = |slot: u32| self.store.pool[slot as usize].sum();
        let mut waiting: Vec<(u32, f64)> = waiting.map(|(one, slot)| (one, sum(*slot))).collect();
        waiting.sort_by(|(one, mass), (other, more)| more.total_cmp(mass).then(one.cmp(other)));
        waiting
    }

    /// About the memory that is used.
    pub(super) fn bytes(&self) -> u64 {
        self.spare.bytes
    }

    /// Whether it took more than it may, and so ended within a Round.
    pub(super) fn is_full(&self) -> bool {
        self.bytes() > self.most_bytes
    }

    /// The chance of what has not been followed.
    pub(super) fn missing(&self) -> f64 {
        self.pushed.missing
    }

    /// Pushes everything through a Round.
    pub(super) fn round(&mut self, graph: &Graph, labels: &Labels) {
        self.know(graph, labels);
        self.pushed.rounds += 1;
        let beginnings = vec![NONE; graph.beginnings.len()];
        let beginnings = std::mem::replace(&mut self.store.next, beginnings).into_iter();
        for (number, slot) in beginnings.enumerate() {
            if slot != NONE && !self.is_full() {
                match &graph.beginnings[number] {
                    Some(beginning) => self.follow_all(graph, labels, slot, &beginning.node),
                    None => self.lose(slot),
                }
            }
        }
        for number in (0..graph.nodes.len()).rev() {
            if self.is_full() {
                return;
            }
            let slot = std::mem::replace(&mut self.store.now[number], NONE);
            if slot != NONE {
                self.follow_all(graph, labels, slot, &graph.nodes[number]);
            }
        }
    }

    /// Ends the fight: all encounters that are undecided, if no Round is left.
    pub(super) fn end(mut self, graph: &Graph, labels: &Labels, most_rounds: u32) -> Pushed {
        let is_over = self.pushed.rounds == most_rounds;
        self.know(graph, labels);
        let beginnings = std::mem::take(&mut self.store.next).into_iter();
        for (number, slot) in beginnings.enumerate().filter(|(_, slot)| *slot != NONE) {
            match &graph.beginnings[number] {
                Some(beginning) if is_over => {
                    let shape = self.shapes.of(beginning.node.fallen);
                    let mut cells = std::mem::take(&mut self.store.pool[slot as usize]);
                    if self.count.is_none() {
                        self.pushed.missing += self.sums.of(&mut cells, &shape, self.least);
                    }
                    if cells.block.is_some() && cells.bounds.iter().all(|bounds| !bounds.is_empty())
                    {
                        self.follow(graph, labels, &cells, &shape, &beginning.timeout);
                    }
                }
                _ => self.lose(slot),
            }
        }
        self.pushed
    }

    /// Gives up the cells of a situation.
    fn lose(&mut self, slot: u32) {
        let cells = std::mem::take(&mut self.store.pool[slot as usize]);
        self.pushed.missing += cells.sum();
        self.store.free.push(slot);
        if let Some(block) = cells.block {
            self.spare.give_up(block);
        }
    }

    /// Pushes the cells of a situation along all edges.
    fn follow_all(&mut self, graph: &Graph, labels: &Labels, slot: u32, node: &Node) {
        let shape = self.shapes.of(node.fallen);
        let mut cells = std::mem::take(&mut self.store.pool[slot as usize]);
        if self.count.is_none() {
            self.pushed.missing += self.sums.of(&mut cells, &shape, self.least);
        }
        if cells.block.is_some() && cells.bounds.iter().all(|bounds| !bounds.is_empty()) {
            for edge in graph.edges_of(node) {
                self.follow(graph, labels, &cells, &shape, edge);
            }
        }
        if let Some(block) = cells.block.take() {
            self.spare.take(block, &shape);
        }
        self.store.pool[slot as usize] = cells;
        self.store.free.push(slot);
    }

    /// Pushes cells along an edge.
    fn follow(
        &mut self,
        graph: &Graph,
        labels: &Labels,
        cells: &Cells,
        shape: &Shape,
        edge: &Edge,
    ) {
        let fallen = match edge.to {
            To::Now(node) => graph.nodes[node as usize].fallen,
            To::Next(beginning) => labels.beginnings[beginning as usize],
            To::Lost => 0,
            To::End(end) => labels.ends[end as usize].fallen,
        };
        let then = self.shapes.of(fallen);
        let strikes = std::mem::take(&mut self.strikes[edge.blows as usize]);
        self.follow_strikes(labels, cells, shape, edge, &then, &strikes);
        self.strikes[edge.blows as usize] = strikes;
    }

    fn follow_strikes(
        &mut self,
        labels: &Labels,
        cells: &Cells,
        shape: &Shape,
        edge: &Edge,
        then: &Shape,
        strikes: &Strikes,
    ) {
        if matches!(edge.to, To::Lost) {
            let all = match self.count {
                None => self.sums.all,
                Some(_) => cells.sum(),
            };
            self.pushed.missing += edge.chance * all;
            return;
        }
        let Some(mut along) = along(shape, then, &cells.bounds, &strikes.strikes) else {
            return;
        };
        // For the chance of the edge and products, and for sums: along several axes each sum is made of sums.
        let sums: usize = along.iter().map(Along::sums).product();
        let roundings = cells.roundings + 4 + (along.len() + sums) as u64;
        if self.count.is_none() {
            self.expect(labels, cells, shape, edge, strikes);
        }
        let (now, next) = (&mut self.store.now, &mut self.store.next);
        let slot = match edge.to {
            To::Now(node) => Some(&mut now[node as usize]),
            To::Next(beginning) => Some(&mut next[beginning as usize]),
            _ => None,
        };
        let chance = edge.chance * cells.scale;
        let (block, bounds) = if let Some(slot) = slot {
            let is_new = *slot == NONE;
            if is_new {
                *slot = self.store.free.pop().unwrap_or_else(|| {
                    self.store.pool.push(Cells::default());
                    self.store.pool.len() as u32 - 1
                });
            }
            let there = &mut self.store.pool[*slot as usize];
            if is_new {
                there.bounds.clear();
                there.roundings = 0;
                there.scale = 1.0;
                if strikes.strikes.is_empty() && self.count.is_none() {
                    // The same cells, only less likely.
                    there.block.clone_from(&cells.block);
                    there.bounds.clone_from(&cells.bounds);
                    (there.scale, there.roundings) = (chance, roundings);
                    return;
                }
            }
            there.own(then, &mut self.spare);
            there.roundings = there.roundings.max(roundings) + sums as u64 + 1;
            (&mut there.block, &mut there.bounds)
        } else {
            let To::End(end) = edge.to else { return };
            self.pushed.roundings = self.pushed.roundings.max(roundings) + 1;
            let end = &mut self.pushed.ends[end as usize];
            (&mut end.block, &mut end.bounds)
        };
        let mut into = Into {
            from: cells.block.as_deref(),
            block,
            bounds,
            size: then.size,
            work: &mut self.pushed.work,
            spare: &mut self.spare,
        };
        let Some(count) = &self.count else {
            return into.send(&along, chance);
        };
        let gain = count.amounts[edge.gains as usize] as usize;
        let blows = &labels.blows[edge.blows as usize];
        let into_chance = chance;
        let mut counted = blows.iter().filter(|blow| count.of(**blow) > 0);
        let Some(blow) = counted.next() else {
            along[0].does = Does::Gains(gain);
            return into.send(&along, chance);
        };
        let others = blows.iter().filter(|other| other.who == blow.who).count() - 1;
        let Some(place) = shape
            .place(blow.who)
            .filter(|_| others == 0 && blow.effect != Effect::Nothing)
        else {
            self.uncounted = true;
            return;
        };
        self.uncounted |= counted.next().is_some();
        // Each amount of damage is counted by itself.
        let spread = &labels.spreads[blow.spread as usize];
        for (more, chance) in spread.chances.iter().enumerate() {
            along[0].does = Does::Gains(gain + count.of(*blow) as usize * more);
            let axis = &mut along[place];
            let damage = spread.least as usize + more;
            let bounds = cells.bounds[place].clone();
            let chance = chance.value() * into_chance;
            if blow.effect == Effect::Stands {
                axis.does = Does::Loses(damage, &[1.0]);
                axis.from = bounds.start.max(damage);
            } else {
                axis.does = Does::Falls(&self.ones);
                axis.to = bounds.end.min(damage);
            }
            if axis.from < axis.to && chance > 0.0 {
                into.send(&along, chance);
            }
        }
    }

    /// Counts what is to be expected of an edge.
    fn expect(
        &mut self,
        labels: &Labels,
        cells: &Cells,
        shape: &Shape,
        edge: &Edge,
        strikes: &Strikes,
    ) {
        let gains = edge.gains as usize;
        let is_end = matches!(edge.to, To::End(_));
        let has_beyond = strikes
            .strikes
            .iter()
            .any(|strike| !strike.beyond.is_empty());
        if !is_end && !has_beyond && strikes.loose.is_empty() && labels.gains[gains].is_empty() {
            return;
        }
        let shares: Vec<(u8, &[f64])> = strikes
            .strikes
            .iter()
            .map(|strike| (strike.who, &strike.shares[..]))
            .collect();
        let sent = edge.chance * self.sums.share(cells, shape, &shares);
        let round = self.pushed.rounds as usize;
        let gained = (!labels.gains[gains].is_empty()).then(|| &mut self.pushed.gained[gains]);
        let ended = match edge.to {
            To::End(end) => Some(&mut self.pushed.ends[end as usize].in_round),
            _ => None,
        };
        for rounds in gained.into_iter().chain(ended) {
            if rounds.len() <= round {
                rounds.resize(round + 1, Weight::ZERO);
            }
            rounds[round] += Weight::from(sent);
        }
        let mut add = |by: u8, who: u8, damage: f64| {
            let damage = Weight::from(damage);
            if by != who {
                self.pushed.beyond[usize::from(by)][0] += damage;
            }
            self.pushed.beyond[usize::from(who)][1] += damage;
        };
        for (by, who, mean) in &strikes.loose {
            add(*by, *who, sent * mean);
        }
        for (place, strike) in strikes.strikes.iter().enumerate() {
            for (by, beyond) in &strike.beyond {
                let mut shares = shares.clone();
                shares[place].1 = beyond;
                let damage = edge.chance * self.sums.share(cells, shape, &shares);
                add(*by, strike.who, damage);
            }
        }
        let lengths: usize = shape.axes.iter().map(|axis| axis.most).sum();
        let roundings = self.sums.roundings + lengths as u64 + 4;
        self.pushed.roundings = self.pushed.roundings.max(roundings);
    }
}

impl Count<'_> {
    /// How much each point of damage of a hit is.
    fn of(&self, blow: Blow) -> u32 {
        let dealt = blow.by == self.who && blow.who != self.who;
        let taken = blow.who == self.who;
        u32::from(dealt) * self.dealt + u32::from(taken) * self.taken
    }
}
