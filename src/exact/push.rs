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
//! 1.01 n 2^-53 for any `n` below 10^13. What is not followed (paths below 10^-25, Rounds that hardly an
//! encounter reaches) is added up and widens the bounds.

use super::graph::{Edge, Graph, Labels, Node, To};
use crate::chance::enumerate::Blow;
use crate::dice::Weight;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Encounters still undecided that are not played on: too few to change a digit of any number.
const LEAST: f64 = 1e-26;

/// The chances of all combinations of the healths that are not part of a situation.
#[derive(Debug, Clone)]
struct Cells {
    /// A block of them for each value of what is counted; one if nothing is.
    blocks: Vec<Vec<f64>>,
    /// Along each axis the cells that are not 0 for certain, by index.
    bounds: Vec<Range<usize>>,
    /// The most roundings on the way to one of these numbers.
    roundings: u64,
}

/// The order of cells in a block.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub axes: Vec<Axis>,
    pub size: usize,
}

/// The health of one combatant: the cells of 1, 2 and so on up to `most` are `stride` apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub who: u8,
    pub most: usize,
    pub stride: usize,
}

impl Shape {
    /// The shape where these have fallen, and the others have up to these healths beside the situation.
    pub(super) fn new(healths: &[i32], fallen: u64) -> Self {
        let (mut axes, mut size) = (Vec::new(), 1);
        for (who, &most) in healths.iter().enumerate().rev() {
            if most > 0 && fallen >> who & 1 == 0 {
                let (who, most, stride) = (who as u8, most as usize, size);
                axes.push(Axis { who, most, stride });
                size *= most;
            }
        }
        axes.reverse();
        Self { axes, size }
    }
}

/// What an edge does along one axis.
#[derive(Debug, Clone, Copy)]
struct Along {
    /// The cells that it is about, by index.
    from: usize,
    to: usize,
    stride: usize,
    /// The stride where they lead to; nothing where the combatant falls: then they are added up.
    into: Option<usize>,
    /// How far down they move.
    shift: usize,
}

/// What has come of a fight.
#[derive(Debug)]
pub(super) struct Pushed {
    /// For each end of the graph.
    pub ends: Vec<Ended>,
    /// How often each of the graph's gains is to be expected, by Round.
    pub gained: Vec<Vec<Weight>>,
    /// The chance of encounters that were not followed to their end.
    pub missing: f64,
    /// The most roundings on the way to a number.
    pub roundings: u64,
    /// The last Round that was played.
    pub rounds: u32,
    /// Cells that were pushed along edges.
    pub work: u64,
}

/// What has come to an end.
#[derive(Debug, Clone, Default)]
pub(super) struct Ended {
    /// A block of cells for each value of what is counted.
    pub blocks: Vec<Vec<f64>>,
    /// The chance to end so in each Round.
    pub in_round: Vec<Weight>,
}

/// Pushes a fight to its end: until `bound` of the encounters or less are undecided. `count` says how much of
/// what is counted each of the graph's gains is, and how much work counting it may take; `watch` is told the Round and the chance that is
/// not decided yet, and returns false to stop. Nothing is returned if it does, or the work is too much.
pub(super) fn push(
    graph: &Graph,
    labels: &Labels,
    most_rounds: u32,
    bound: f64,
    count: Option<(&[u32], u64)>,
    watch: &mut dyn FnMut(u32, f64) -> bool,
) -> Option<Pushed> {
    let mut shapes = Shapes::new(&labels.healths);
    let mut pusher = Pusher {
        graph,
        labels,
        count: count.map(|(count, _)| count),
        nodes: graph
            .nodes
            .iter()
            .map(|node| shapes.of(node.fallen))
            .collect(),
        beginnings: graph
            .beginnings
            .iter()
            .map(|one| shapes.of(one.node.fallen))
            .collect(),
        ends: labels
            .ends
            .iter()
            .map(|end| shapes.of(end.fallen))
            .collect(),
        now: vec![None; graph.nodes.len()],
        next: vec![None; graph.beginnings.len()],
        along: Vec::new(),
        pushed: Pushed {
            ends: vec![Ended::default(); labels.ends.len()],
            gained: vec![Vec::new(); labels.gains.len()],
            missing: 0.0,
            roundings: 0,
            rounds: 0,
            work: 0,
        },
    };
    let shape = Shape::new(&labels.healths, 0);
    let mut block = vec![0.0; shape.size];
    block[shape.size - 1] = 1.0;
    pusher.next[0] = Some(Cells {
        blocks: vec![block],
        bounds: shape
            .axes
            .iter()
            .map(|axis| axis.most - 1..axis.most)
            .collect(),
        roundings: 0,
    });
    let mut waiting = 1.0;
    while waiting > bound.max(LEAST) && pusher.pushed.rounds < most_rounds {
        pusher.pushed.rounds += 1;
        waiting = pusher.round();
        let most_work = count.map_or(u64::MAX, |(_, most)| most);
        if pusher.pushed.work > most_work || !watch(pusher.pushed.rounds, waiting) {
            return None;
        }
    }
    if pusher.pushed.rounds == most_rounds {
        pusher.time_out();
    } else {
        pusher.pushed.missing += waiting;
    }
    let steps = f64::from(pusher.pushed.rounds) * (graph.nodes.len() + 1) as f64;
    pusher.pushed.missing += labels.lost * steps;
    Some(pusher.pushed)
}

/// The shapes of a fight.
struct Shapes<'a> {
    healths: &'a [i32],
    known: HashMap<u64, Rc<Shape>>,
}

impl<'a> Shapes<'a> {
    fn new(healths: &'a [i32]) -> Self {
        let known = HashMap::new();
        Self { healths, known }
    }

    fn of(&mut self, fallen: u64) -> Rc<Shape> {
        let shape = || Rc::new(Shape::new(self.healths, fallen));
        self.known.entry(fallen).or_insert_with(shape).clone()
    }
}

struct Pusher<'a> {
    graph: &'a Graph,
    labels: &'a Labels,
    count: Option<&'a [u32]>,
    /// The shapes of the cells of each node, of each beginning of a Round, and of each end.
    nodes: Vec<Rc<Shape>>,
    beginnings: Vec<Rc<Shape>>,
    ends: Vec<Rc<Shape>>,
    /// The cells of each situation of this Round, and of those in which the next begins.
    now: Vec<Option<Cells>>,
    next: Vec<Option<Cells>>,
    along: Vec<Along>,
    pushed: Pushed,
}

impl Pusher<'_> {
    /// Pushes everything through a Round. Returns the chance that there is another.
    fn round(&mut self) -> f64 {
        let graph = self.graph;
        let mut waiting = 0.0;
        let beginnings = vec![None; graph.beginnings.len()];
        let beginnings = std::mem::replace(&mut self.next, beginnings).into_iter();
        for (number, cells) in beginnings.enumerate() {
            if let Some(cells) = cells {
                let shape = self.beginnings[number].clone();
                waiting += self.follow_all(&cells, &shape, &graph.beginnings[number].node);
            }
        }
        for (number, node) in graph.nodes.iter().enumerate().rev() {
            if let Some(cells) = self.now[number].take() {
                let shape = self.nodes[number].clone();
                waiting += self.follow_all(&cells, &shape, node);
            }
        }
        waiting
    }

    /// Ends all encounters that are undecided.
    fn time_out(&mut self) {
        let graph = self.graph;
        let beginnings = std::mem::take(&mut self.next).into_iter();
        for (number, cells) in beginnings.enumerate() {
            if let Some(cells) = cells {
                let shape = self.beginnings[number].clone();
                self.follow(&cells, &shape, &graph.beginnings[number].timeout);
            }
        }
    }

    /// Pushes the cells of a situation along all edges. Returns the chance that a Round ends there.
    fn follow_all(&mut self, cells: &Cells, shape: &Shape, node: &Node) -> f64 {
        let mut waiting = 0.0;
        for edge in self.graph.edges_of(node) {
            let sent = self.follow(cells, shape, edge);
            if matches!(edge.to, To::Next(_)) {
                waiting += sent;
            }
        }
        waiting
    }

    /// Pushes cells along an edge. Returns the chance that has gone along it.
    fn follow(&mut self, cells: &Cells, shape: &Shape, edge: &Edge) -> f64 {
        let labels = self.labels;
        let then = match edge.to {
            To::Now(node) => &self.nodes[node as usize],
            To::Next(beginning) => &self.beginnings[beginning as usize],
            To::End(end) => &self.ends[end as usize],
        };
        let blows = &labels.blows[edge.blows as usize];
        if !along(&mut self.along, shape, then, &cells.bounds, blows) {
            return 0.0;
        }
        let size = then.size;
        // One for the chance of the edge, one for the product, and those of sums.
        let sums = self.along.iter().filter(|axis| axis.into.is_none());
        let lengths: usize = sums.map(|axis| axis.to - axis.from).sum();
        let roundings = cells.roundings + 2 + lengths as u64;
        let blocks = match edge.to {
            To::Now(node) => cells_of(&mut self.now[node as usize], &self.along, roundings),
            To::Next(beginning) => {
                cells_of(&mut self.next[beginning as usize], &self.along, roundings)
            }
            To::End(end) => {
                self.pushed.roundings = self.pushed.roundings.max(roundings) + 1;
                &mut self.pushed.ends[end as usize].blocks
            }
        };
        let gain = self.count.map_or(0, |count| count[edge.gains as usize]) as usize;
        if blocks.len() < cells.blocks.len() + gain {
            blocks.resize(cells.blocks.len() + gain, Vec::new());
        }
        let mut sent = 0.0;
        for (block, into) in cells.blocks.iter().zip(&mut blocks[gain..]) {
            if block.is_empty() {
                continue;
            }
            if into.is_empty() {
                into.resize(size, 0.0);
            }
            sent += transfer(&self.along, edge.chance, block, into);
            let lengths = self.along.iter().map(|axis| (axis.to - axis.from) as u64);
            self.pushed.work += lengths.product::<u64>();
        }
        let gains = edge.gains as usize;
        let gained = (!labels.gains[gains].is_empty()).then(|| &mut self.pushed.gained[gains]);
        let ended = match edge.to {
            To::End(end) => Some(&mut self.pushed.ends[end as usize].in_round),
            _ => None,
        };
        let round = self.pushed.rounds as usize;
        for rounds in gained.into_iter().chain(ended) {
            if rounds.len() <= round {
                rounds.resize(round + 1, Weight::ZERO);
            }
            rounds[round] += Weight::from(sent);
        }
        sent
    }
}

/// The blocks of cells that may not be there yet, to which numbers with so many roundings are added.
fn cells_of<'a>(
    cells: &'a mut Option<Cells>,
    along: &[Along],
    roundings: u64,
) -> &'a mut Vec<Vec<f64>> {
    let ranges = along.iter().filter(|axis| axis.into.is_some());
    let ranges = ranges.map(|axis| axis.from - axis.shift..axis.to - axis.shift);
    let cells = cells.get_or_insert_with(|| Cells {
        blocks: Vec::new(),
        bounds: ranges.clone().collect(),
        roundings: 0,
    });
    for (bounds, range) in cells.bounds.iter_mut().zip(ranges) {
        *bounds = bounds.start.min(range.start)..bounds.end.max(range.end);
    }
    cells.roundings = cells.roundings.max(roundings) + 1;
    &mut cells.blocks
}

/// Works out what blows do along each axis. Returns whether they can come about at all.
fn along(
    all: &mut Vec<Along>,
    shape: &Shape,
    then: &Shape,
    bounds: &[Range<usize>],
    blows: &[Blow],
) -> bool {
    all.clear();
    for (axis, bounds) in shape.axes.iter().zip(bounds) {
        let last = blows.iter().rev().find(|blow| blow.who == axis.who);
        let stands = then.axes.iter().find(|other| other.who == axis.who);
        let (from, to, shift) = match last {
            None => (0, axis.most, 0),
            Some(blow) if blow.fells => {
                let to = (blow.after as usize).min(axis.most);
                (blow.before as usize, to, 0)
            }
            Some(blow) => (blow.after as usize, axis.most, blow.after as usize),
        };
        let (from, to) = (from.max(bounds.start), to.min(bounds.end));
        if from >= to {
            return false;
        }
        all.push(Along {
            from,
            to,
            stride: axis.stride,
            into: stands.map(|axis| axis.stride),
            shift,
        });
    }
    true
}

/// Adds a share of some cells to others. Returns how much it was.
fn transfer(along: &[Along], chance: f64, cells: &[f64], into: &mut [f64]) -> f64 {
    let Some((axis, inner)) = along.split_first() else {
        into[0] += chance * cells[0];
        return chance * cells[0];
    };
    if !inner.is_empty() {
        let part = |at: usize| &cells[at * axis.stride..(at + 1) * axis.stride];
        let parts = (axis.from..axis.to).map(|at| match axis.into {
            Some(stride) => {
                let there = (at - axis.shift) * stride;
                let into = &mut into[there..there + stride];
                transfer(inner, chance, part(at), into)
            }
            None => transfer(inner, chance, part(at), into),
        });
        return parts.sum();
    }
    let cells = &cells[axis.from..axis.to];
    if axis.into.is_none() {
        let sum = chance * cells.iter().sum::<f64>();
        into[0] += sum;
        return sum;
    }
    let into = &mut into[axis.from - axis.shift..axis.to - axis.shift];
    let mut sum = 0.0;
    for (to, cell) in into.iter_mut().zip(cells) {
        *to += chance * cell;
        sum += chance * cell;
    }
    sum
}
