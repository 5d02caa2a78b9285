//! The situations of a fight, and the chances that lead from one to the next.
//!
//! Situations with the same future are one: they are numbered from the end of a Round backwards, and those
//! with equal edges share a number.

use crate::chance::enumerate::{Blow, Spread};
use crate::dice::Weight;
use crate::fight::Ending;
use crate::sim::{Counts, First};
use rustc_hash::FxHashMap;
use std::borrow::Borrow;
use std::hash::Hash;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// How an encounter ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct End {
    pub ending: Ending,
    pub distance: Option<u32>,
    pub first: First,
    /// The health of each; whole, or 0, where health is not part of the situation.
    pub healths: Vec<i32>,
    pub fallen: u64,
    /// Time that is left of the last Round.
    pub left: u32,
}

impl From<&End> for End {
    fn from(end: &End) -> Self {
        end.clone()
    }
}

/// Where an edge leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum To {
    /// To a situation of the same Round.
    Now(u32),
    /// To one in which the next Round begins.
    Next(u32),
    /// To an end.
    End(u32),
    /// To what is not followed, because it is too unlikely.
    Lost,
}

/// A change of the situation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub chance: f64,
    pub to: To,
    /// Index into [`Labels::blows`].
    pub blows: u32,
    /// Index into [`Labels::gains`].
    pub gains: u32,
}

/// Situations with the same edges.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub edges: Range<u32>,
    /// Who has fallen.
    pub fallen: u64,
}

/// A situation in which a Round begins.
#[derive(Debug, Clone)]
pub(super) struct Beginning {
    /// Its outcomes.
    pub node: Node,
    /// What comes of it where the limit of Rounds ends the encounter instead.
    pub timeout: Edge,
    /// If something of it was lost, how likely it was when it was explored; otherwise infinity.
    pub cut: f32,
}

/// What is added to the counts of a combatant. Times are counted back from the end of the Round.
pub(super) type Gain = (u8, Counts);

/// The gains of all combatants that gain something.
pub(super) type Gains = Arc<[Gain]>;

/// All situations of a fight that can come about, those with the same future as one.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// Nothing stands for those that have not been explored.
    pub beginnings: Vec<Option<Beginning>>,
    /// The others. Edges lead to those before.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// What graphs of one fight share.
pub(super) struct Labels {
    pub ends: Numbers<End>,
    pub blows: Numbers<Arc<[Blow]>>,
    /// The damage of blows.
    pub spreads: Vec<Spread>,
    pub gains: Numbers<Gains>,
    /// Who has fallen in each situation in which a Round begins.
    pub beginnings: Vec<u64>,
    /// The health at the start of each combatant whose health is not in the situation; 0 for the others.
    pub healths: Vec<i32>,
}

/// Values, each with a number.
pub(super) struct Numbers<T> {
    known: FxHashMap<T, u32>,
    all: Vec<T>,
}

impl<T> Deref for Numbers<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.all
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    pub(super) fn new() -> Self {
        Self {
            known: FxHashMap::default(),
            all: Vec::new(),
        }
    }

    pub(super) fn of<'v, Q>(&mut self, value: &'v Q) -> u32
    where
        T: Borrow<Q> + From<&'v Q>,
        Q: Eq + Hash + ?Sized,
    {
        if let Some(number) = self.known.get(value) {
            return *number;
        }
        let number = self.all.len() as u32;
        let value = T::from(value);
        self.known.insert(value.clone(), number);
        self.all.push(value);
        number
    }
}

/// What a graph of a fight tells apart: situations whose gains differ are two only if they differ in
/// what is kept here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeps {
    /// All gains but Marks that are forfeited: those tell nearly all Scores apart.
    Deeds,
    /// Only Marks that are forfeited.
    Forfeits,
}

impl Keeps {
    fn of(self, counts: &Counts) -> Counts {
        match self {
            Self::Deeds => Counts {
                marks_forfeited: 0,
                ..*counts
            },
            Self::Forfeits => Counts {
                marks_forfeited: counts.marks_forfeited,
                ..Counts::default()
            },
        }
    }
}

/// An edge that can be compared.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Label {
    pub to: To,
    pub blows: u32,
    pub gains: u32,
    /// The bits of its chance.
    pub chance: u64,
}

/// About what a class and one of its edges take: as a key, and in the graph.
const CLASS_BYTES: u64 = 160;
const EDGE_BYTES: u64 = 60;

/// The classes of situations of one graph: those with equal edges.
pub(super) struct Classes {
    keeps: Keeps,
    pub graph: Graph,
    known: FxHashMap<(u64, Vec<Label>), u32>,
    /// For each number of gains the number of what is kept of them, if it was asked for.
    kept: Vec<Option<u32>>,
    /// The memory that all of this takes, about.
    pub bytes: u64,
    both: FxHashMap<(u32, u32), u32>,
}

impl Classes {
    pub(super) fn new(keeps: Keeps) -> Self {
        Self {
            keeps,
            graph: Graph::default(),
            known: FxHashMap::default(),
            kept: Vec::new(),
            bytes: 0,
            both: FxHashMap::default(),
        }
    }

    pub(super) fn of(&mut self, fallen: u64, edges: Vec<Label>) -> u32 {
        let graph = &mut self.graph;
        *self.known.entry((fallen, edges)).or_insert_with_key(|key| {
            let node = graph.add(fallen, &key.1);
            graph.nodes.push(node);
            self.bytes += CLASS_BYTES + EDGE_BYTES * key.1.len() as u64;
            graph.nodes.len() as u32 - 1
        })
    }

    pub(super) fn kept(&mut self, gains: u32, all: &mut Numbers<Gains>) -> u32 {
        let number = gains as usize;
        if self.kept.len() <= number {
            self.kept.resize(all.len(), None);
        }
        *self.kept[number].get_or_insert_with(|| {
            let gains = all[number].iter();
            let gains = gains.map(|(who, counts)| (*who, self.keeps.of(counts)));
            let gains = gains.filter(|(_, counts)| *counts != Counts::default());
            let gains: Vec<Gain> = gains.collect();
            all.of(&gains[..])
        })
    }

    /// Gains one after the other.
    pub(super) fn both(&mut self, one: u32, other: u32, all: &mut Numbers<Gains>) -> u32 {
        *self.both.entry((one, other)).or_insert_with(|| {
            let [one, other] = [one, other].map(|gains| &all[gains as usize][..]);
            let gains = [one, other].concat();
            all.of(&gains[..])
        })
    }
}

/// Labels in order, those that differ in their weight alone as one.
pub(super) fn merged(mut labels: Vec<((To, u32, u32), Weight)>) -> Vec<Label> {
    labels.sort_by_key(|(label, _)| *label);
    labels.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    let label = |((to, blows, gains), weight): ((To, u32, u32), Weight)| Label {
        to,
        blows,
        gains,
        chance: weight.value().to_bits(),
    };
    labels.into_iter().map(label).collect()
}

impl Graph {
    /// The same graph as far as one thing is counted, of which each of its gains is such an amount: that is what its
    /// edges gain.
    pub(super) fn counting(&self, amounts: &[u32]) -> Self {
        let mut known: FxHashMap<(u64, Vec<Label>), u32> = FxHashMap::default();
        let mut all = Self::default();
        let mut numbers: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let gained = |gains: u32| amounts[gains as usize];
        let edges = |node: &Node, numbers: &[u32]| {
            let edges = self.edges_of(node).iter().map(|edge| {
                let to = match edge.to {
                    To::Now(node) => To::Now(numbers[node as usize]),
                    other => other,
                };
                let label = (to, edge.blows, gained(edge.gains));
                (label, Weight::from(edge.chance))
            });
            merged(edges.collect())
        };
        for node in &self.nodes {
            let key = (node.fallen, edges(node, &numbers));
            let number = *known.entry(key).or_insert_with_key(|key| {
                let node = all.add(key.0, &key.1);
                all.nodes.push(node);
                all.nodes.len() as u32 - 1
            });
            numbers.push(number);
        }
        for beginning in &self.beginnings {
            let beginning = beginning.as_ref().map(|beginning| Beginning {
                node: all.add(beginning.node.fallen, &edges(&beginning.node, &numbers)),
                timeout: Edge {
                    gains: gained(beginning.timeout.gains),
                    ..beginning.timeout
                },
                cut: beginning.cut,
            });
            all.beginnings.push(beginning);
        }
        all
    }

    pub(super) fn add(&mut self, fallen: u64, edges: &[Label]) -> Node {
        let first = self.edges.len() as u32;
        self.edges.extend(edges.iter().map(|label| Edge {
            chance: f64::from_bits(label.chance),
            to: label.to,
            blows: label.blows,
            gains: label.gains,
        }));
        Node {
            edges: first..self.edges.len() as u32,
            fallen,
        }
    }

    /// The edges of a node.
    pub(super) fn edges_of(&self, node: &Node) -> &[Edge] {
        &self.edges[node.edges.start as usize..node.edges.end as usize]
    }
}
