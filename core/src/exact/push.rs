//! Pushes probability through the graph of a fight, Round by Round.
//!
//! Each situation that can come about in a Round holds the probability of each combination of the healths that are not
//! part of the situation. Within a Round edges lead forwards, so that each situation is visited once; situations of the
//! next Round wait for it. Probability that reaches an end stays there, by Round. The limit of Rounds makes this
//! finite: the result is the distribution itself, not an approximation of it.
//!
//! Hits commute: the healths of two situations of a Round that began alike differ only if the hits in between
//! do. So a situation holds no healths of its own, but [`Share`]s of the [`Blocks`] of the Round.
//!
//! # What is certain
//!
//! Only products and sums of positive numbers are made. [`CellBlock`]s and [`SituationHealths`] count the most roundings on
//! the way to any of their numbers: `n` of them change a number by a share of less than 1.01 n 2^-53 for any `n` below
//! 10^13. The probability that is not followed (paths below 10^-25, situations and healths that hardly any encounter reaches) is
//! added up and widens the bounds.

use super::Limit;
use super::blocks::{Blocks, SharedBlock, Way};
use super::cells::{CellBlock, Shape, still};
use super::graph::{Edge, Graph, Labels, Node, To};
use super::held::{Share, SituationHealths};
use super::strikes::Amount;
use crate::chance::enumerate::{Blow, BlowEffect};
use crate::dice::Weight;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// The share of undecided encounters that is not played on: too few to change a digit of any number.
pub(super) const LEAST_UNDECIDED: f64 = 1e-16;

/// The least probability that is followed: of a situation, and of all healths at one end of an axis.
const LEAST_CELLS: f64 = 1e-22;

/// The memory that the blocks of one Round may take before the shares that wait for its end are added up.
const MANY_BYTES: u64 = 64 << 20;

/// The work of sending a share along an edge, in products.
const SEND_WORK: u64 = 32;

/// The work of visiting a situation in a Round, in products.
const NODE_WORK: u64 = 16;

/// The cost of sending a share along an edge, in cells that could be added up instead.
const SHARE_COST: usize = 128;

/// Counting is given up early if, at the present rate, all Rounds would take this many times the work that is allowed.
const HOPELESS: u64 = 4;

/// The divisor of the work that counting with shared blocks may take.
const SHARED_WORK: u64 = 4;

/// The divisor of the allowed memory above which blocks are no longer shared.
const MANY_SHARES: u64 = 4;

/// The results of a fight.
#[derive(Debug, Default)]
pub(super) struct Pushed {
    /// The encounters that have ended, for each end of the graph.
    pub ends: Vec<Ended>,
    /// The expected number of each of the graph's gains, by Round.
    pub gained: Vec<Vec<Weight>>,
    /// For each combatant, the expected amounts beyond those in the gains: damage dealt, damage taken, and successes.
    pub beyond: Vec<[Weight; 3]>,
    /// The probability of encounters that were not followed to their end.
    pub missing: f64,
    /// The most roundings on the way to a number.
    pub roundings: u64,
    /// The last Round that was played.
    pub rounds: u32,
    /// The number of products made.
    pub work: u64,
}

/// The encounters that have reached one end.
#[derive(Debug, Clone, Default)]
pub(super) struct Ended {
    block: Option<CellBlock>,
    /// The probability of this end in each Round.
    pub in_round: Vec<Weight>,
}

impl Pushed {
    /// Returns the memory that the ends take.
    pub(super) fn bytes(&self) -> u64 {
        let blocks = self.ends.iter().filter_map(|end| end.block.as_ref());
        blocks.map(CellBlock::bytes).sum()
    }

    /// Returns the approximate number of values that were counted.
    pub(super) fn values(&self, labels: &Labels) -> u64 {
        let ends = self.ends.iter().zip(&labels.ends);
        let values = ends
            .map(|(ended, end)| ended.cells().len() / Shape::new(&labels.healths, end.fallen).size);
        values.max().unwrap_or(0) as u64
    }
}

impl Ended {
    /// Returns the cells: those for each value of the count, one after the other. Empty if they are all 0.
    pub(super) fn cells(&self) -> &[f64] {
        self.block.as_ref().map_or(&[], |block| &block.cells)
    }
}

/// The thing to count: the amount of each of the graph's gains, and the amount of each point of damage that `who` deals
/// or takes.
#[derive(Clone, Copy)]
pub(super) struct Count<'a> {
    pub amounts: &'a [u32],
    pub who: u8,
    pub dealt: u32,
    pub taken: u32,
    /// For each target, the amount of a point of damage, where damage is read off the missing health: when the target
    /// falls, or at the end. No other damage is counted then.
    pub lost: Option<&'a [u32]>,
    pub most_work: u64,
}

/// Pushes an explored fight to its end once more, for as many Rounds as before. It tries shared blocks first, which
/// mostly take less work, then cells of each situation. Returns `None` if counting takes too much work, or more memory
/// than there is `room` for.
pub(super) fn push(
    graph: &Graph,
    labels: &Labels,
    rounds: u32,
    most_rounds: u32,
    (most_bytes, room): (u64, u64),
    count: Count<'_>,
    stop: &AtomicBool,
) -> Option<Pushed> {
    let graph = graph.counting(count.amounts);
    let attempts = [
        (false, count.most_work / SHARED_WORK),
        (true, count.most_work),
    ];
    'attempts: for (apart, most_work) in attempts {
        let mut pusher = Pusher::new(labels, 0.0, most_bytes, Some(count), stop);
        (pusher.apart, pusher.most_work) = (apart, most_work);
        pusher.blocks.room.most = room;
        while pusher.pushed.rounds < rounds {
            pusher.round(&graph, labels);
            if pusher.blocks.uncounted {
                return None;
            }
            let done = u64::from(pusher.pushed.rounds);
            let in_all = pusher.work() / done * u64::from(rounds);
            if pusher.limit().is_some() || in_all > HOPELESS * most_work {
                continue 'attempts;
            }
        }
        return Some(pusher.end(&graph, labels, most_rounds));
    }
    None
}

/// Adds amounts to those of each combatant.
fn add_beyond(all: &mut [[Weight; 3]], beyond: &[(Amount, f64)], chance: f64) {
    for (of, amount) in beyond {
        let amount = Weight::from(chance * amount);
        match of {
            Amount::Damage { by, who } => {
                if by != who {
                    all[usize::from(*by)][0] += amount;
                }
                all[usize::from(*who)][1] += amount;
            }
            Amount::Successes(who) => all[usize::from(*who)][2] += amount,
        }
    }
}

/// Pushes probability through a fight.
pub(super) struct Pusher<'a> {
    count: Option<Count<'a>>,
    /// Set from outside to end early.
    stop: &'a AtomicBool,
    /// The blocks of this Round.
    pub(super) blocks: Blocks<'a>,
    /// The least probability that is followed: of a situation, and of all healths at one end of an axis.
    least: f64,
    /// The memory above which blocks are no longer shared.
    shared_bytes: u64,
    /// The situations in which this Round begins, by number.
    roots: Vec<(u32, SituationHealths)>,
    /// The situations of this Round, those in which the next Round begins, and the ends.
    now: Vec<SituationHealths>,
    next: Vec<SituationHealths>,
    ends: Vec<SituationHealths>,
    /// The most [`effort`](Self::effort) that is allowed.
    pub(super) most_work: u64,
    /// The work of visiting situations and of adding up damage so far, in products.
    looked: u64,
    /// The memory at which the shares that wait are added up.
    many_bytes: u64,
    /// Whether hits are added to the cells of each situation, because the blocks of a Round took too much memory.
    apart: bool,
    pub(super) pushed: Pushed,
}

impl<'a> Pusher<'a> {
    /// Creates a pusher at the beginning of a fight. Cells less likely than `least` are not followed.
    pub(super) fn new(
        labels: &Labels,
        least: f64,
        most_bytes: u64,
        count: Option<Count<'a>>,
        stop: &'a AtomicBool,
    ) -> Self {
        let mut blocks = Blocks::new(&labels.healths, count);
        blocks.room.most = most_bytes;
        let start = SituationHealths::of(blocks.full_health(), 1.0, 0);
        Self {
            count,
            stop,
            blocks,
            least: least.max(LEAST_CELLS),
            shared_bytes: most_bytes / MANY_SHARES,
            roots: vec![(0, start)],
            now: Vec::new(),
            next: Vec::new(),
            ends: Vec::new(),
            most_work: u64::MAX,
            looked: 0,
            many_bytes: MANY_BYTES,
            apart: false,
            pushed: Pushed {
                beyond: vec![[Weight::ZERO; 3]; labels.healths.len()],
                ..Pushed::default()
            },
        }
    }

    /// Makes room for the situations found so far.
    fn know(&mut self, graph: &Graph, labels: &Labels) {
        self.now
            .resize_with(graph.nodes.len(), SituationHealths::default);
        self.next
            .resize_with(graph.beginnings.len(), SituationHealths::default);
        self.ends
            .resize_with(labels.ends.len(), SituationHealths::default);
        self.pushed.ends.resize(labels.ends.len(), Ended::default());
        self.pushed.gained.resize(graph.gains.len(), Vec::new());
        let left = self.most_work.saturating_sub(self.effort());
        let goes_on = |products| products <= left && !self.stop.load(Ordering::Relaxed);
        self.looked += self.blocks.know(labels, goes_on);
    }

    /// Returns the situations in which the next Round begins, each with its probability, the greatest first.
    pub(super) fn waiting(&self) -> Vec<(u32, f64)> {
        let waiting = self.roots.iter().map(|(one, held)| (*one, held.mass()));
        let mut waiting: Vec<(u32, f64)> = waiting.collect();
        waiting.sort_by(|(one, mass), (other, more)| more.total_cmp(mass).then(one.cmp(other)));
        waiting
    }

    /// Returns the approximate memory in use.
    pub(super) fn bytes(&self) -> u64 {
        self.blocks.room.bytes()
    }

    /// Returns the limit that was exceeded, if a Round ended early because of that.
    pub(super) fn limit(&self) -> Option<Limit> {
        if self.stop.load(Ordering::Relaxed) {
            Some(Limit::Stopped)
        } else if self.blocks.room.is_exceeded() {
            Some(Limit::Memory)
        } else {
            (self.effort() > self.most_work).then_some(Limit::Work)
        }
    }

    fn work(&self) -> u64 {
        self.pushed.work + self.blocks.work
    }

    /// Returns the work so far, in products.
    pub(super) fn effort(&self) -> u64 {
        self.work() + self.looked
    }

    /// Pushes all probability through a Round.
    pub(super) fn round(&mut self, graph: &Graph, labels: &Labels) {
        self.know(graph, labels);
        self.pushed.rounds += 1;
        if self.limit().is_some() {
            return;
        }
        if self.count.is_none() {
            let looked = self.now.len() + self.next.len() + self.ends.len();
            self.looked += NODE_WORK * looked as u64;
        }
        for (number, mut held) in std::mem::take(&mut self.roots) {
            match &graph.beginnings[number as usize] {
                Some(beginning) => self.follow_all(graph, labels, &mut held, &beginning.node),
                None => self.pushed.missing += held.mass(),
            }
            if self.is_crowded() {
                return;
            }
        }
        let mut held = SituationHealths::default();
        for number in (0..graph.nodes.len()).rev() {
            if self.now[number].is_empty() {
                continue;
            }
            std::mem::swap(&mut held, &mut self.now[number]);
            self.follow_all(graph, labels, &mut held, &graph.nodes[number]);
            held.clear();
            if self.is_crowded() {
                return;
            }
        }
        self.end_round(labels);
    }

    /// Drops blocks, if there are many. Returns whether the memory or the work still exceeds its limit.
    fn is_crowded(&mut self) -> bool {
        if self.blocks.room.cells() <= self.many_bytes {
            return self.limit().is_some();
        }
        self.add_up();
        if !self.apart && self.blocks.room.cells() > self.shared_bytes {
            self.apart = true;
            let several = self.now.iter_mut().filter(|held| held.shares.len() > 1);
            let room = &mut self.blocks.room;
            self.pushed.work += several.map(|held| held.add_up(room)).sum::<u64>();
            self.count_bytes();
        }
        self.limit().is_some()
    }

    /// Adds up the shares that wait for the end of the Round, so that blocks can be dropped.
    fn add_up(&mut self) {
        let waiting = self.next.iter_mut().chain(&mut self.ends);
        let room = &mut self.blocks.room;
        for held in waiting {
            held.merge();
            self.pushed.work += held.add_up(room);
        }
        self.count_bytes();
    }

    /// Counts the memory in use.
    fn count_bytes(&mut self) {
        self.blocks.drop_unused();
        let all = self.now.iter().chain(&self.next).chain(&self.ends);
        let ends = self.pushed.ends.iter().filter_map(|end| end.block.as_ref());
        let cells = all.filter_map(|held| held.cells.as_ref()).chain(ends);
        let room = &mut self.blocks.room;
        (room.own, room.fresh) = (cells.map(CellBlock::bytes).sum(), 0);
        self.many_bytes = MANY_BYTES.max(2 * self.blocks.room.cells());
        if !self.apart {
            self.many_bytes = self.many_bytes.min(self.shared_bytes);
        }
    }

    /// Adds the cells of ends in this Round to those of earlier Rounds. If they were added one by one, each cell would
    /// be rounded as often as probability has reached the end.
    fn close_ends(&mut self, labels: &Labels) {
        let ends = self.ends.iter_mut().zip(&mut self.pushed.ends);
        for ((held, ended), end) in ends.zip(&labels.ends[..]) {
            let Some(cells) = held.cells.take() else {
                continue;
            };
            let Some(all) = &mut ended.block else {
                ended.block = Some(cells);
                continue;
            };
            let shape = self.blocks.shapes.of(end.fallen);
            let room = &mut self.blocks.room;
            all.add(&still(&shape, &cells.bounds, 0), 1.0, &cells, room);
            all.roundings = all.roundings.max(cells.roundings) + 1;
        }
        self.count_bytes();
    }

    /// Ends a Round, and finds the healths with which the next one begins.
    fn end_round(&mut self, labels: &Labels) {
        self.add_up();
        self.close_ends(labels);
        self.blocks.clear();
        for number in 0..self.next.len() {
            let mut held = std::mem::take(&mut self.next[number]);
            if self.make_block(&mut held, labels.beginnings[number]) {
                self.roots.push((number as u32, held));
            }
        }
    }

    /// Makes a block of the cells of a situation. Returns whether it is likely enough to be followed.
    fn make_block(&mut self, held: &mut SituationHealths, fallen: u64) -> bool {
        let Some(mut block) = held.cells.take() else {
            return false;
        };
        self.blocks.room.share(block.bytes());
        if self.count.is_none() {
            let shape = self.blocks.shapes.of(fallen);
            let all = block.sum(&shape);
            if all < self.least {
                self.pushed.missing += all;
                return false;
            }
            self.pushed.missing += block.cut(&shape, self.least);
            if block.bounds.iter().any(Range::is_empty) {
                return false;
            }
        }
        let (block, weight, roundings) = self.blocks.store_root(fallen, block);
        *held = SituationHealths::of(block, weight, roundings);
        true
    }

    /// Ends the fight. If no Round is left, undecided encounters end by the limit of Rounds; otherwise they are
    /// missing.
    pub(super) fn end(mut self, graph: &Graph, labels: &Labels, most_rounds: u32) -> Pushed {
        let is_over = self.pushed.rounds == most_rounds;
        self.know(graph, labels);
        for (number, held) in std::mem::take(&mut self.roots) {
            match &graph.beginnings[number as usize] {
                Some(beginning) if is_over => self.follow(graph, labels, &held, &beginning.timeout),
                _ => self.pushed.missing += held.mass(),
            }
        }
        self.add_up();
        self.close_ends(labels);
        let ends = self.pushed.ends.iter().filter_map(|end| end.block.as_ref());
        let roundings = ends.map(|block| block.roundings).max().unwrap_or(0);
        self.pushed.roundings = self.pushed.roundings.max(roundings);
        self.pushed.work = self.work();
        self.pushed
    }

    /// Pushes the healths of a situation along all edges.
    fn follow_all(
        &mut self,
        graph: &Graph,
        labels: &Labels,
        held: &mut SituationHealths,
        node: &Node,
    ) {
        held.merge();
        if held.cells.is_some() || self.is_better_added_up(held, node) {
            // Working with the cells themselves takes less.
            self.pushed.work += held.add_up(&mut self.blocks.room);
            if !self.make_block(held, node.fallen) {
                return;
            }
        } else if self.count.is_none() {
            let all = held.mass();
            if all < self.least {
                self.pushed.missing += all;
                return;
            }
        }
        for edge in graph.edges_of(node) {
            self.follow(graph, labels, held, edge);
        }
    }

    /// Returns whether adding up all shares of a situation and going on with the cells takes less work than going on
    /// with each share.
    fn is_better_added_up(&self, held: &SituationHealths, node: &Node) -> bool {
        let (shares, edges) = (held.shares.len(), node.edges.len());
        let cells = held.shares[0].block.block.cells.len();
        shares > 1 && (self.apart || cells < SHARE_COST * edges)
    }

    /// Pushes shares along an edge.
    fn follow(&mut self, graph: &Graph, labels: &Labels, held: &SituationHealths, edge: &Edge) {
        let fallen = match edge.to {
            To::Now(node) => graph.nodes[node as usize].fallen,
            To::Next(beginning) => labels.beginnings[beginning as usize],
            To::End(end) => labels.ends[end as usize].fallen,
            To::Lost => {
                self.pushed.missing += edge.chance * held.mass();
                return;
            }
        };
        let is_nothing = self.blocks.is_nothing(edge.blows);
        let apart = self.apart && !is_nothing && !self.blocks.shapes.of(fallen).axes.is_empty();
        let more = self.count.map_or(0, |_| edge.gains);
        let mut sent = Weight::ZERO;
        for share in &held.shares {
            if self.blocks.room.is_exceeded() {
                return;
            }
            self.pushed.work += SEND_WORK;
            let sum_roundings = share.block.block.sum_roundings();
            let weight = edge.chance * share.weight;
            if apart {
                let roundings = held.roundings + 2;
                let sum = roundings + share.block.block.sum_roundings() + 7;
                self.pushed.roundings = self.pushed.roundings.max(sum);
                let way = Way {
                    chance: weight,
                    gain: (share.more + more) as usize,
                    roundings,
                };
                sent += self.hit(labels, &share.block, edge, fallen, way);
                continue;
            }
            let (block, weight, roundings) = if is_nothing {
                (share.block.clone(), weight, held.roundings + 2)
            } else {
                let struck = self.blocks.strike(labels, &share.block, edge.blows, fallen);
                let Some((block, struck)) = struck else {
                    continue;
                };
                let beyond = struck.beyond.as_deref().unwrap_or_default();
                add_beyond(&mut self.pushed.beyond, beyond, weight);
                let roundings = held.roundings + struck.roundings + 3;
                (block, weight * struck.factor, roundings)
            };
            let share = Share {
                block,
                more: share.more + more,
                weight,
            };
            if self.count.is_none() {
                sent += Weight::from(share.mass());
                // Sums of a product of each cell, and three more products.
                let there = share.block.block.sum_roundings();
                let all = roundings + sum_roundings.max(there) + 3;
                self.pushed.roundings = self.pushed.roundings.max(all);
            }
            if let Some(there) = self.there(edge.to) {
                there.add(share, roundings);
            }
        }
        if self.count.is_none() {
            self.expect(edge, sent);
        }
    }

    /// Returns the target of an edge; `None` if the edge is lost.
    fn there(&mut self, to: To) -> Option<&mut SituationHealths> {
        match to {
            To::Now(node) => Some(&mut self.now[node as usize]),
            To::Next(beginning) => Some(&mut self.next[beginning as usize]),
            To::End(end) => Some(&mut self.ends[end as usize]),
            To::Lost => None,
        }
    }

    /// Adds the cells that the hits of an edge make of a block to those of the target. Returns their probability.
    fn hit(
        &mut self,
        labels: &Labels,
        from: &SharedBlock,
        edge: &Edge,
        fallen: u64,
        way: Way,
    ) -> Weight {
        let mut cells = self.there(edge.to).and_then(|there| there.cells.take());
        let before = cells.as_ref().map_or(0, CellBlock::bytes);
        let hits = (edge.blows, fallen);
        let (mass, beyond) = self.blocks.add_struck(labels, from, hits, way, &mut cells);
        add_beyond(&mut self.pushed.beyond, &beyond, way.chance);
        self.blocks.room.own += cells.as_ref().map_or(0, CellBlock::bytes) - before;
        if let Some(there) = self.there(edge.to) {
            there.cells = cells;
        }
        Weight::from(way.chance * mass)
    }

    /// Adds the probability sent along an edge to the expected gains and ends.
    fn expect(&mut self, edge: &Edge, sent: Weight) {
        let round = self.pushed.rounds as usize;
        let gains = edge.gains as usize;
        // Number 0 is the empty list.
        let gained = (gains > 0).then(|| &mut self.pushed.gained[gains]);
        let ended = match edge.to {
            To::End(end) => Some(&mut self.pushed.ends[end as usize].in_round),
            _ => None,
        };
        for rounds in gained.into_iter().chain(ended) {
            if rounds.len() <= round {
                rounds.resize(round + 1, Weight::ZERO);
            }
            rounds[round] += sent;
        }
    }
}

impl Count<'_> {
    /// Returns the amount of each point of damage of a hit.
    pub(super) fn of(&self, blow: Blow) -> u32 {
        if blow.effect == BlowEffect::Successes {
            return 0;
        }
        let dealt = blow.by == self.who && blow.who != self.who;
        let taken = blow.who == self.who;
        u32::from(dealt) * self.dealt + u32::from(taken) * self.taken
    }
}
