//! Pushes probability through the graph of a fight, Round by Round.
//!
//! Each situation that can come about in a Round holds the chance of each combination of the healths that are
//! not part of the situation. Within a Round edges lead forwards, so that each situation is visited once; those of
//! the next Round wait for it. What reaches an end stays there, by Round. The limit of Rounds makes this finite: what is
//! pushed is the distribution itself, not an approximation of it.
//!
//! Hits commute: the healths of two situations of a Round that began alike differ only if the hits in between
//! do. So a situation holds no healths of its own, but [`Share`]s of the [`Blocks`] of the Round.
//!
//! # What is certain
//!
//! Only products and sums of positive numbers are made. [`Block`]s and [`Held`] count how many roundings lie at most
//! on the way to any of their numbers: `n` of them change a number by a share of less than
//! 1.01 n 2^-53 for any `n` below 10^13. What is not followed (paths below 10^-25, situations and healths
//! that hardly an encounter reaches) is added up and widens the bounds.

use super::blocks::{Blocks, Kept};
use super::cells::{Block, still};
use super::graph::{Edge, Graph, Labels, Node, To};
use crate::chance::enumerate::Blow;
use crate::dice::Weight;
use std::ops::Range;
use std::sync::Arc;

/// Encounters still undecided that are not played on: too few to change a digit of any number.
pub(super) const LEAST: f64 = 1e-16;

/// The least chance of a situation, and of all healths at one end of an axis, that is followed.
const LEAST_CELLS: f64 = 1e-22;

/// The memory that blocks of one Round may take before what waits for its end is added up.
const MANY_BYTES: u64 = 64 << 20;

/// What it costs to send a share somewhere, in products.
const SEND_WORK: u64 = 32;

/// The cost of sending a share along an edge, in products of cells.
const SHARE_COST: usize = 128;

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
    block: Option<Block>,
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
#[derive(Clone, Copy)]
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
    count: Count<'_>,
) -> Option<Pushed> {
    let graph = graph.counting(count.amounts);
    let mut pusher = Pusher::new(labels, 0.0, most_bytes, Some(count));
    while pusher.pushed.rounds < rounds {
        pusher.round(&graph, labels);
        if pusher.blocks.uncounted || pusher.is_full() || pusher.work() > count.most_work {
            return None;
        }
    }
    Some(pusher.end(&graph, labels, most_rounds))
}

/// A share of a block: by how much it is multiplied, and how much more is counted.
#[derive(Clone)]
struct Share {
    block: Arc<Kept>,
    more: u32,
    weight: f64,
}

impl Share {
    /// The chance of all its cells.
    fn mass(&self) -> f64 {
        self.weight * self.block.mass()
    }
}

/// The healths of a situation.
#[derive(Default)]
struct Held {
    shares: Vec<Share>,
    /// The most roundings on the way to one of the weights.
    roundings: u64,
    /// How many shares there were when equal ones were added up last.
    merged: usize,
}

impl Held {
    fn add(&mut self, share: Share, roundings: u64) {
        self.roundings = self.roundings.max(roundings);
        self.shares.push(share);
        if self.shares.len() > 16 + 2 * self.merged {
            self.merge();
        }
    }

    /// Adds up shares of the same cells.
    fn merge(&mut self) {
        let before = self.shares.len();
        if before > 1 {
            let key = |share: &Share| (share.block.number, share.more);
            self.shares.sort_by_key(key);
            self.shares.dedup_by(|next, kept| {
                let same = key(next) == key(kept);
                if same {
                    kept.weight += next.weight;
                }
                same
            });
            self.roundings += (before - self.shares.len()) as u64;
        }
        self.merged = self.shares.len();
    }

    fn mass(&self) -> f64 {
        self.shares.iter().map(Share::mass).sum()
    }

    /// Adds all cells to those of a block.
    fn add_to(&self, block: &mut Option<Block>, work: &mut u64) {
        let Some(first) = self.shares.first() else {
            return;
        };
        let shape = first.block.shape.clone();
        let into = block.get_or_insert_with(|| Block::of(shape.size));
        for Share {
            block,
            more,
            weight,
        } in &self.shares
        {
            let along = still(&shape, &block.block.bounds, *more as usize);
            into.add(&along, *weight, &block.block);
            into.roundings = into
                .roundings
                .max(self.roundings + block.block.roundings + 1);
            *work += block.block.cells.len() as u64;
        }
        into.roundings += self.shares.len() as u64;
    }

    fn clear(&mut self) {
        self.shares.clear();
        (self.roundings, self.merged) = (0, 0);
    }
}

/// What waits for the end of a Round: shares, and the cells to which others have been added.
#[derive(Default)]
struct Waiting {
    held: Held,
    block: Option<Block>,
}

/// Pushes a fight.
pub(super) struct Pusher<'a> {
    count: Option<Count<'a>>,
    /// The blocks of this Round.
    blocks: Blocks<'a>,
    /// The chance of a situation, and of all healths at one end of an axis, that is not followed.
    least: f64,
    /// The memory that blocks may take.
    most_bytes: u64,
    /// The situations in which this Round begins, by number.
    roots: Vec<(u32, Held)>,
    /// All situations of this Round, those in which the next begins, and the ends.
    now: Vec<Held>,
    next: Vec<Waiting>,
    ends: Vec<Held>,
    /// The memory of blocks of this Round at which what waits is added up.
    many_bytes: u64,
    pushed: Pushed,
}

impl<'a> Pusher<'a> {
    /// At the beginning of a fight. Cells less likely than `least` are not followed.
    pub(super) fn new(
        labels: &Labels,
        least: f64,
        most_bytes: u64,
        count: Option<Count<'a>>,
    ) -> Self {
        let mut blocks = Blocks::new(&labels.healths, count);
        let whole = blocks.whole();
        let mut held = Held::default();
        held.add(
            Share {
                block: whole,
                more: 0,
                weight: 1.0,
            },
            0,
        );
        Self {
            count,
            blocks,
            least: least.max(LEAST_CELLS),
            most_bytes,
            roots: vec![(0, held)],
            now: Vec::new(),
            next: Vec::new(),
            ends: Vec::new(),
            many_bytes: MANY_BYTES,
            pushed: Pushed {
                beyond: vec![[Weight::ZERO; 2]; labels.healths.len()],
                ..Pushed::default()
            },
        }
    }

    /// Makes room for what has been found.
    fn know(&mut self, graph: &Graph, labels: &Labels) {
        self.now.resize_with(graph.nodes.len(), Held::default);
        self.next
            .resize_with(graph.beginnings.len(), Waiting::default);
        self.ends.resize_with(labels.ends.len(), Held::default);
        self.pushed.ends.resize(labels.ends.len(), Ended::default());
        self.pushed.gained.resize(labels.gains.len(), Vec::new());
        self.blocks.know(labels);
    }

    /// The situations in which the next Round begins, each with its chance, the greatest first.
    pub(super) fn waiting(&self) -> Vec<(u32, f64)> {
        let waiting = self.roots.iter().map(|(one, held)| (*one, held.mass()));
        let mut waiting: Vec<(u32, f64)> = waiting.collect();
        waiting.sort_by(|(one, mass), (other, more)| more.total_cmp(mass).then(one.cmp(other)));
        waiting
    }

    /// About the memory that is used.
    pub(super) fn bytes(&self) -> u64 {
        let waiting = self
            .next
            .iter()
            .filter_map(|waiting| waiting.block.as_ref());
        let ends = self.pushed.ends.iter().filter_map(|end| end.block.as_ref());
        self.blocks.bytes + waiting.chain(ends).map(Block::bytes).sum::<u64>()
    }

    /// Whether it took more than it may, and so ended within a Round.
    pub(super) fn is_full(&self) -> bool {
        self.bytes() > self.most_bytes
    }

    /// The chance of what has not been followed.
    pub(super) fn missing(&self) -> f64 {
        self.pushed.missing
    }

    fn work(&self) -> u64 {
        self.pushed.work + self.blocks.work
    }

    /// Pushes everything through a Round.
    pub(super) fn round(&mut self, graph: &Graph, labels: &Labels) {
        self.know(graph, labels);
        self.pushed.rounds += 1;
        for (number, mut held) in std::mem::take(&mut self.roots) {
            match &graph.beginnings[number as usize] {
                Some(beginning) => self.follow_all(graph, labels, &mut held, &beginning.node),
                None => self.pushed.missing += held.mass(),
            }
            if self.is_crowded() {
                return;
            }
        }
        let mut held = Held::default();
        for number in (0..graph.nodes.len()).rev() {
            if self.now[number].shares.is_empty() {
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

    /// Gives up blocks, if there are many. Returns whether it takes more memory than it may nevertheless.
    fn is_crowded(&mut self) -> bool {
        if self.blocks.bytes <= self.many_bytes {
            return false;
        }
        self.add_up();
        self.is_full()
    }

    /// Adds up what waits for the end of the Round, so that blocks can be given up.
    fn add_up(&mut self) {
        let work = &mut self.pushed.work;
        for Waiting { held, block } in &mut self.next {
            held.merge();
            held.add_to(block, work);
            held.clear();
        }
        for (held, end) in self.ends.iter_mut().zip(&mut self.pushed.ends) {
            held.merge();
            held.add_to(&mut end.block, work);
            held.clear();
        }
        self.blocks.give_up();
        self.many_bytes = MANY_BYTES.max(2 * self.blocks.bytes);
    }

    /// Finds the healths with which the next Round begins.
    fn end_round(&mut self, labels: &Labels) {
        self.add_up();
        self.blocks.clear();
        for (number, waiting) in (0..).zip(&mut self.next) {
            let Some(mut block) = waiting.block.take() else {
                continue;
            };
            let fallen = labels.beginnings[number as usize];
            if self.count.is_none() {
                let shape = self.blocks.shapes.of(fallen);
                let all = block.sum(&shape);
                if all < self.least {
                    self.pushed.missing += all;
                    continue;
                }
                self.pushed.missing += block.cut(&shape, self.least);
                if block.bounds.iter().any(Range::is_empty) {
                    continue;
                }
            }
            let mut held = Held::default();
            let (block, weight, roundings) = self.blocks.begin(fallen, block);
            let more = 0;
            held.add(
                Share {
                    block,
                    more,
                    weight,
                },
                roundings,
            );
            self.roots.push((number, held));
        }
    }

    /// Ends the fight: all encounters that are undecided, if no Round is left.
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
        let ends = self.pushed.ends.iter().filter_map(|end| end.block.as_ref());
        let roundings = ends.map(|block| block.roundings).max().unwrap_or(0);
        self.pushed.roundings = self.pushed.roundings.max(roundings);
        self.pushed.work = self.work();
        self.pushed
    }

    /// Pushes the shares of a situation along all edges.
    fn follow_all(&mut self, graph: &Graph, labels: &Labels, held: &mut Held, node: &Node) {
        held.merge();
        if self.count.is_none() {
            let all = held.mass();
            if all < self.least {
                self.pushed.missing += all;
                return;
            }
        }
        if Self::is_better_added_up(held, node) {
            // Less is done with the cells themselves.
            let mut block = None;
            held.add_to(&mut block, &mut self.pushed.work);
            held.clear();
            if let Some(block) = block {
                let (block, weight, roundings) = self.blocks.begin(node.fallen, block);
                let more = 0;
                held.add(
                    Share {
                        block,
                        more,
                        weight,
                    },
                    roundings,
                );
            }
        }
        for edge in graph.edges_of(node) {
            self.follow(graph, labels, held, edge);
        }
    }

    /// Whether it takes less to add up all shares of a situation and go on with the cells than to go on with each share.
    fn is_better_added_up(held: &Held, node: &Node) -> bool {
        let (shares, edges) = (held.shares.len(), node.edges.len());
        let cells = held.shares[0].block.block.cells.len();
        shares > 1 && cells < SHARE_COST * edges
    }

    /// Pushes shares along an edge.
    fn follow(&mut self, graph: &Graph, labels: &Labels, held: &Held, edge: &Edge) {
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
        let more = self.count.map_or(0, |_| edge.gains);
        let mut sent = Weight::ZERO;
        for share in &held.shares {
            self.pushed.work += SEND_WORK;
            let sum_roundings = share.block.block.sum_roundings();
            let weight = edge.chance * share.weight;
            let (block, weight, roundings) = if is_nothing {
                (share.block.clone(), weight, held.roundings + 2)
            } else {
                let struck = self.blocks.strike(labels, &share.block, edge.blows, fallen);
                let Some(struck) = struck else { continue };
                for (by, who, damage) in struck.beyond.iter().flat_map(|all| all.iter()) {
                    let damage = Weight::from(weight * damage);
                    if by != who {
                        self.pushed.beyond[usize::from(*by)][0] += damage;
                    }
                    self.pushed.beyond[usize::from(*who)][1] += damage;
                }
                let roundings = held.roundings + struck.roundings + 3;
                (struck.to, weight * struck.factor, roundings)
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
            let there = match edge.to {
                To::Now(node) => &mut self.now[node as usize],
                To::Next(beginning) => &mut self.next[beginning as usize].held,
                To::End(end) => &mut self.ends[end as usize],
                To::Lost => continue,
            };
            there.add(share, roundings);
        }
        if self.count.is_none() {
            self.expect(labels, edge, sent);
        }
    }

    /// Counts what is to be expected of an edge.
    fn expect(&mut self, labels: &Labels, edge: &Edge, sent: Weight) {
        let gains = edge.gains as usize;
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
            rounds[round] += sent;
        }
    }
}

impl Count<'_> {
    /// How much each point of damage of a hit is.
    pub(super) fn of(&self, blow: Blow) -> u32 {
        let dealt = blow.by == self.who && blow.who != self.who;
        let taken = blow.who == self.who;
        u32::from(dealt) * self.dealt + u32::from(taken) * self.taken
    }
}
