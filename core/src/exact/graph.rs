//! The situations of a fight, and the probabilities that lead from one to the next.
//!
//! Situations with the same future are one: they are numbered from the end of a Round backwards, and situations with
//! equal edges share a number.

use crate::chance::enumerate::{Blow, Spread};
use crate::dice::Weight;
use crate::fight::Ending;
use crate::sim::{Counts, First};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};
use std::ops::{Index, Range};

/// The end of an encounter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct End {
    pub ending: Ending,
    pub distance: Option<u32>,
    pub first: First,
    /// The health of each combatant; full health, or 0, where health is not part of the situation.
    pub healths: Vec<i32>,
    pub fallen: u64,
    /// The time left in the last Round.
    pub left: u32,
}

/// The target of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum To {
    /// A situation of the same Round.
    Now(u32),
    /// A situation in which the next Round begins.
    Next(u32),
    /// An end.
    End(u32),
    /// Nowhere: too unlikely to be followed.
    Lost,
}

/// A change of the situation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    pub to: To,
    /// Index into [`Labels::blows`].
    pub blows: u32,
    /// Index into [`Graph::gains`].
    pub gains: u32,
    pub chance: f64,
}

/// An edge without its chance.
pub(super) type Label = (To, u32, u32);

/// Situations with the same edges.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub edges: Range<u32>,
    /// The combatants that have fallen.
    pub fallen: u64,
}

/// A situation in which a Round begins.
#[derive(Debug, Clone)]
pub(super) struct Beginning {
    /// Its outcomes.
    pub node: Node,
    /// The edge that is taken instead if the limit of Rounds ends the encounter.
    pub timeout: Edge,
}

/// An addition to the counts of a combatant. Times are counted back from the end of the Round.
pub(super) type Gain = (u8, Counts);

/// All situations of a fight that can come about; situations with the same future are one.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The situations in which a Round begins; `None` for those that have not been explored.
    pub beginnings: Vec<Option<Beginning>>,
    /// The other situations. Edges lead to earlier ones.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub gains: Lists<Gain>,
    /// The number of each of `nodes`, by its edges.
    known: HashTable<u32>,
}

/// The parts that all graphs of one fight share.
#[derive(Default)]
pub(super) struct Labels {
    pub ends: Vec<End>,
    pub blows: Lists<Blow>,
    /// The damage of blows.
    pub spreads: Vec<Spread>,
    /// The combatants that have fallen in each situation in which a Round begins.
    pub beginnings: Vec<u64>,
    /// The health at the start of each combatant whose health is not in the situation; 0 for the others.
    pub healths: Vec<i32>,
}

impl Labels {
    /// Returns the memory that the damage of blows takes.
    pub(super) fn spread_bytes(&self) -> u64 {
        let spreads = self.spreads.iter();
        spreads
            .map(|row| size_of_val(&row.chances[..]) as u64)
            .sum()
    }
}

/// Lists of values, numbered in the order in which they were added; equal lists share a number.
#[derive(Debug)]
pub(super) struct Lists<T> {
    known: HashTable<u32>,
    /// The end of each list in `values`.
    ends: Vec<usize>,
    values: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            known: HashTable::new(),
            ends: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<T> Index<u32> for Lists<T> {
    type Output = [T];

    fn index(&self, number: u32) -> &[T] {
        list(&self.ends, &self.values, number)
    }
}

/// Returns the list with this number.
fn list<'v, T>(ends: &[usize], values: &'v [T], number: u32) -> &'v [T] {
    let before = number.checked_sub(1);
    let begin = before.map_or(0, |before| ends[before as usize]);
    &values[begin..ends[number as usize]]
}

impl<T: Copy + Eq + Hash> Lists<T> {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.ends.len() as u32).map(|number| &self[number])
    }

    /// Returns the approximate bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (LIST_BYTES * self.ends.len() + size_of_val(&self.values[..])) as u64
    }

    /// Returns the number of a list, if an equal one is known.
    pub(super) fn find(&self, value: &[T]) -> Option<u32> {
        let is = |number: &u32| self[*number] == *value;
        self.known.find(hash_of(value), is).copied()
    }

    /// Returns the number of a list. If no equal one is known, adds it.
    pub(super) fn number(&mut self, value: &[T]) -> u32 {
        let own = |number: &u32| list(&self.ends, &self.values, *number);
        let is = |number: &u32| own(number) == value;
        let entry = self
            .known
            .entry(hash_of(value), is, |number| hash_of(own(number)));
        *entry
            .or_insert_with(|| {
                self.values.extend_from_slice(value);
                self.ends.push(self.values.len());
                self.ends.len() as u32 - 1
            })
            .get()
    }
}

fn hash_of<T: Hash>(list: &[T]) -> u64 {
    FxBuildHasher.hash_one(list)
}

/// The gains that a graph of a fight distinguishes. Situations whose gains differ only in other counts are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeps {
    /// All gains but forfeited Marks, which would distinguish nearly all Scores.
    Deeds,
    /// Only forfeited Marks.
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

/// The approximate bytes of a list besides its values, of a node, and of an edge.
const LIST_BYTES: usize = 24;
const NODE_BYTES: u64 = 48;
pub(super) const EDGE_BYTES: u64 = 40;

/// A graph under construction.
pub(super) struct Growing {
    keeps: Keeps,
    pub graph: Graph,
    /// For each number of all gains, the number in this graph of the part that it keeps, if it was needed yet.
    kept: Vec<Option<u32>>,
    both: FxHashMap<(u32, u32), u32>,
}

impl Growing {
    pub(super) fn new(keeps: Keeps) -> Self {
        let mut graph = Graph::default();
        // Number 0 is the empty list.
        graph.gains.number(&[]);
        Self {
            keeps,
            graph,
            kept: Vec::new(),
            both: FxHashMap::default(),
        }
    }

    /// Returns the approximate bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let (nodes, edges) = (self.graph.nodes.len(), self.graph.edges.len());
        let kept = size_of_val(&self.kept[..]) + self.both.capacity() * size_of::<[u32; 4]>();
        let graph = NODE_BYTES * nodes as u64 + EDGE_BYTES * edges as u64;
        graph + self.graph.gains.bytes() + kept as u64
    }

    /// Returns the number in this graph of the part that it keeps of the gains with number `gains` in `all`.
    pub(super) fn kept(&mut self, gains: u32, all: &Lists<Gain>) -> u32 {
        let number = gains as usize;
        if self.kept.len() <= number {
            self.kept.resize(all.len(), None);
        }
        *self.kept[number].get_or_insert_with(|| {
            let gains = all[gains].iter();
            let gains = gains.map(|(who, counts)| (*who, self.keeps.of(counts)));
            let gains = gains.filter(|(_, counts)| *counts != Counts::default());
            let gains: Vec<Gain> = gains.collect();
            self.graph.gains.number(&gains)
        })
    }

    /// Returns the number of two lists of kept gains, one after the other.
    pub(super) fn both(&mut self, one: u32, other: u32) -> u32 {
        let all = &mut self.graph.gains;
        *self.both.entry((one, other)).or_insert_with(|| {
            let both = [&all[one], &all[other]].concat();
            all.number(&both)
        })
    }
}

impl Graph {
    /// Returns whether all situations were looked at.
    pub(super) fn is_whole(&self) -> bool {
        let timeouts = self.beginnings.iter().flatten().map(|row| &row.timeout);
        let mut edges = self.edges.iter().chain(timeouts);
        self.beginnings.iter().all(Option::is_some) && edges.all(|edge| edge.to != To::Lost)
    }

    /// Returns the same graph for counting one thing. `amounts` has the amount of each of its gains, which becomes the
    /// gain of the edges.
    pub(super) fn counting(&self, amounts: &[u32]) -> Self {
        let mut all = Self::default();
        let mut numbers: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let mut labels = Vec::new();
        let gained = |gains: u32| amounts[gains as usize];
        let edges = |node: &Node, numbers: &[u32], labels: &mut Vec<(Label, Weight)>| {
            labels.extend(self.edges_of(node).iter().map(|edge| {
                let to = match edge.to {
                    To::Now(node) => To::Now(numbers[node as usize]),
                    other => other,
                };
                let label = (to, edge.blows, gained(edge.gains));
                (label, Weight::from(edge.chance))
            }));
        };
        for node in &self.nodes {
            edges(node, &numbers, &mut labels);
            numbers.push(all.number(node.fallen, &mut labels));
        }
        for beginning in &self.beginnings {
            let beginning = beginning.as_ref().map(|beginning| {
                edges(&beginning.node, &numbers, &mut labels);
                Beginning {
                    node: all.add(beginning.node.fallen, &mut labels),
                    timeout: Edge {
                        gains: gained(beginning.timeout.gains),
                        ..beginning.timeout
                    },
                }
            });
            all.beginnings.push(beginning);
        }
        all
    }

    /// Returns the number of the situations with these edges. `edges` may be in any order, and are emptied.
    pub(super) fn number(&mut self, fallen: u64, edges: &mut Vec<(Label, Weight)>) -> u32 {
        let node = self.add(fallen, edges);
        let (nodes, all) = (&self.nodes, &self.edges);
        let edges_of = |node: &Node| edges_of(all, node);
        let hash = |node: &Node| {
            let edges = edges_of(node).iter();
            edges.fold(node.fallen, |before, edge| {
                let label = (edge.to, edge.blows, edge.gains);
                FxBuildHasher.hash_one((before, label, edge.chance.to_bits()))
            })
        };
        let is = |number: &u32| {
            let known = &nodes[*number as usize];
            known.fallen == fallen && edges_of(known) == edges_of(&node)
        };
        let entry = self
            .known
            .entry(hash(&node), is, |number| hash(&nodes[*number as usize]));
        if let Entry::Occupied(known) = entry {
            self.edges.truncate(node.edges.start as usize);
            return *known.get();
        }
        let number = nodes.len() as u32;
        entry.insert(number);
        self.nodes.push(node);
        number
    }

    /// Adds a situation with these edges; edges that differ only in their weight are merged. `edges` may be in any
    /// order, and are emptied.
    pub(super) fn add(&mut self, fallen: u64, edges: &mut Vec<(Label, Weight)>) -> Node {
        let first = self.edges.len() as u32;
        edges.sort_by_key(|(label, _)| *label);
        edges.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        let edge = |((to, blows, gains), weight): (Label, Weight)| Edge {
            to,
            blows,
            gains,
            chance: weight.value(),
        };
        self.edges.extend(edges.drain(..).map(edge));
        Node {
            edges: first..self.edges.len() as u32,
            fallen,
        }
    }

    /// Returns the edges of a node.
    pub(super) fn edges_of(&self, node: &Node) -> &[Edge] {
        edges_of(&self.edges, node)
    }
}

fn edges_of<'e>(all: &'e [Edge], node: &Node) -> &'e [Edge] {
    &all[node.edges.start as usize..node.edges.end as usize]
}
