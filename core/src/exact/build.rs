//! Builds the graphs of a fight from the reports of its explorer.
//!
//! The explorer plays and reports each step in a [`Batch`]; a [`Builder`] turns the steps into nodes and edges. They
//! only meet where a batch is handed over, so they can run on two threads, and the graphs are the same either way.

use super::graph::{
    Beginning, EDGE_BYTES, Edge, End, Gain, Graph, Growing, Keeps, Label, Labels, Lists, To,
};
use super::situation::Past;
use crate::chance::enumerate::Blow;
use crate::dice::Weight;
use crate::sim::Counts;
use rustc_hash::FxHashMap;
use std::sync::mpsc::sync_channel;
use std::{slice, thread};

/// The numbers of events and of counts that fill a batch.
const MANY_EVENTS: usize = 4096;
const MANY_COUNTS: usize = 1 << 15;

/// One step of an explorer.
pub(super) enum Event {
    /// A new situation in which a Round begins; they are numbered in this order.
    Beginning { fallen: u64 },
    /// The paths of another situation follow.
    Open(Past),
    /// A path of the situation opened last. `time` is the end of its Round, in Marks from the start of the encounter;
    /// `blows` is the number of its blows in the batch. It has counts.
    Path {
        to: Leads<End>,
        weight: Weight,
        time: u32,
        blows: usize,
    },
    /// The situation that the last path leads to reaches the end of the Round without a random question. It has
    /// counts.
    Next {
        past: Past,
        time: u32,
        beginning: u32,
    },
    /// The situation opened last has no more paths; `lost` is the probability of those not followed.
    Close { lost: f64 },
    /// The last path is the one taken where no Round is left.
    TimeOut,
    /// All paths of the Round with that beginning have been played.
    CloseRound { beginning: u32, lost: f64 },
}

/// The target of a path of answers.
#[derive(Clone, Copy)]
pub(super) enum Leads<E> {
    /// A known situation, by its number.
    Known(u32),
    /// The end of the encounter.
    End(E),
    /// Nowhere, because it is too unlikely to follow; or a new situation, which the next events describe:
    /// [`Event::Open`] or [`Event::Next`].
    Lost,
}

/// Consecutive steps of an explorer.
#[derive(Default)]
pub(super) struct Batch {
    events: Vec<Event>,
    /// The counts of all combatants, once for each event that has counts.
    counts: Vec<Counts>,
    blows: Vec<Blow>,
}

impl Batch {
    pub(super) fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Adds an event that has counts, and its blows in order.
    pub(super) fn push_with(&mut self, event: Event, counts: &[Counts], blows: &[Blow]) {
        self.counts.extend_from_slice(counts);
        self.blows.extend_from_slice(blows);
        self.push(event);
    }

    /// Returns whether it is time to hand over the batch.
    pub(super) fn is_full(&self) -> bool {
        self.events.len() >= MANY_EVENTS || self.counts.len() >= MANY_COUNTS
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.counts.clear();
        self.blows.clear();
    }
}

/// Takes a full batch and leaves an empty one. Returns the bytes in use after the batch before this one, so that the
/// answer does not depend on whether a thread is still busy with this one.
pub(super) type Tell<'a> = dyn FnMut(&mut Batch) -> u64 + 'a;

/// A path of a situation that is still open.
#[derive(Clone, Copy)]
struct Path {
    /// Ends have numbers.
    to: Leads<u32>,
    weight: Weight,
    blows: u32,
    gains: u32,
}

impl Path {
    /// Creates a path that stands for those too unlikely to follow.
    fn lost(chance: f64) -> Self {
        Self {
            to: Leads::Lost,
            weight: Weight::from(chance),
            blows: 0,
            gains: 0,
        }
    }
}

/// The bytes of a path, and of the edge made from it before equal edges are merged, with room to sort them.
const PATH_BYTES: usize = size_of::<Path>() + 2 * size_of::<(Label, Weight)>();

/// A closed situation.
#[derive(Clone, Copy)]
enum Known {
    /// Its node in each graph.
    Now([u32; 2]),
    /// The Round ends without a random question: the beginning of the next Round, and the gains until then.
    Next { beginning: u32, gains: u32 },
}

/// Builds graphs.
pub(super) struct Builder {
    /// A graph that keeps all gains but forfeited Marks and, if they are asked for, one that keeps these.
    graphs: Vec<Growing>,
    pub labels: Labels,
    ends: FxHashMap<End, u32>,
    /// All gains of paths; a graph keeps a part of each.
    gains: Lists<Gain>,
    known: Vec<Known>,
    /// The open situations, each with the index of its first path.
    open: Vec<(Past, usize)>,
    paths: Vec<Path>,
    timeout: Option<Path>,
    /// Buffers for the gains of one path and the edges of one situation.
    gained: Vec<Gain>,
    edges: Vec<(Label, Weight)>,
    /// The bytes in use after the last batch.
    told: u64,
}

impl Builder {
    /// Creates a builder. `healths` are kept beside the situations ([`healths_apart`](super::situation::healths_apart),
    /// or 0 for all).
    pub(super) fn new(healths: Vec<i32>, keeps: &[Keeps]) -> Self {
        let mut builder = Self {
            graphs: keeps.iter().map(|keeps| Growing::new(*keeps)).collect(),
            labels: Labels {
                healths,
                ..Labels::default()
            },
            ends: FxHashMap::default(),
            gains: Lists::default(),
            known: Vec::new(),
            open: Vec::new(),
            paths: Vec::new(),
            timeout: None,
            gained: Vec::new(),
            edges: Vec::new(),
            told: 0,
        };
        // Number 0 is the empty list.
        builder.labels.blows.number(&[]);
        builder.gains.number(&[]);
        builder
    }

    /// Returns the graph at this index of `keeps`, as far as it has been built.
    pub(super) fn graph(&self, number: usize) -> &Graph {
        &self.graphs[number].graph
    }

    /// Runs `explore` and processes its batches, on another thread if `is_much`.
    pub(super) fn listen<T>(
        &mut self,
        is_much: bool,
        explore: impl FnOnce(&mut Tell<'_>) -> T,
    ) -> T {
        let mut before = self.told;
        // A page in a browser has one thread.
        if !is_much || cfg!(target_family = "wasm") {
            return explore(&mut |batch| {
                self.take(batch);
                std::mem::replace(&mut before, self.told)
            });
        }
        thread::scope(|scope| {
            let (full, batches) = sync_channel::<Batch>(1);
            let (empty, done) = sync_channel(1);
            scope.spawn(move || {
                for mut batch in batches {
                    self.take(&mut batch);
                    if empty.send((batch, self.told)).is_err() {
                        break;
                    }
                }
            });
            let mut is_first = true;
            explore(&mut |batch| {
                let mut spare = Batch::default();
                if !std::mem::take(&mut is_first)
                    && let Ok(last) = done.recv()
                {
                    (spare, before) = last;
                }
                // Sending fails only after a panic of the other thread, which ends this scope too.
                let _ = full.send(std::mem::replace(batch, spare));
                before
            })
        })
    }

    /// Processes all events of a batch and empties it.
    fn take(&mut self, batch: &mut Batch) {
        let (mut counts, mut blows) = (batch.counts.iter(), batch.blows.iter());
        let combatants = self.labels.healths.len();
        for event in batch.events.drain(..) {
            match event {
                Event::Beginning { fallen } => {
                    self.labels.beginnings.push(fallen);
                    for growing in &mut self.graphs {
                        growing.graph.beginnings.push(None);
                    }
                }
                Event::Open(past) => self.open.push((past, self.paths.len())),
                Event::Path {
                    to,
                    weight,
                    time,
                    blows: hits,
                } => {
                    let to = match to {
                        Leads::Known(number) => Leads::Known(number),
                        Leads::End(end) => Leads::End(self.end(end)),
                        Leads::Lost => Leads::Lost,
                    };
                    let (past, _) = *self.open.last().expect("an open situation");
                    let path = Path {
                        to,
                        weight,
                        gains: self.gained(past, time, first(&mut counts, combatants)),
                        blows: self.labels.blows.number(first(&mut blows, hits)),
                    };
                    self.paths.push(path);
                }
                Event::Next {
                    past,
                    time,
                    beginning,
                } => {
                    let gains = self.gained(past, time, first(&mut counts, combatants));
                    self.know(Known::Next { beginning, gains });
                }
                Event::Close { lost } => {
                    let (fallen, begin) = self.close(lost);
                    let mut numbers = [0; 2];
                    for (graph, number) in (0..self.graphs.len()).zip(&mut numbers) {
                        self.label_all(begin, graph);
                        *number = self.graphs[graph].graph.number(fallen, &mut self.edges);
                    }
                    self.paths.truncate(begin);
                    self.know(Known::Now(numbers));
                }
                Event::TimeOut => self.timeout = self.paths.pop(),
                Event::CloseRound { beginning, lost } => self.close_round(beginning, lost),
            }
        }
        batch.clear();
        self.told = self.bytes();
    }

    /// Closes the situation opened last. Returns the combatants that have fallen in it and the index of its first path.
    fn close(&mut self, lost: f64) -> (u64, usize) {
        let (past, begin) = self.open.pop().expect("an open situation");
        if lost > 0.0 {
            self.paths.push(Path::lost(lost));
        }
        (past.fallen, begin)
    }

    /// Stores a closed situation, and makes the last path lead to it.
    fn know(&mut self, known: Known) {
        let number = self.known.len() as u32;
        self.known.push(known);
        if let Some(path) = self.paths.last_mut() {
            path.to = Leads::Known(number);
        }
    }

    /// Returns the number of an end.
    fn end(&mut self, end: End) -> u32 {
        let all = &mut self.labels.ends;
        *self.ends.entry(end).or_insert_with_key(|end| {
            all.push(end.clone());
            all.len() as u32 - 1
        })
    }

    /// Returns the number of the gains since a situation with this past.
    fn gained(&mut self, past: Past, time: u32, counts: &[Counts]) -> u32 {
        self.gained.clear();
        for (who, counts) in counts.iter().enumerate() {
            let before = |set: u64| set >> who & 1 == 1;
            let begun = Counts {
                health: counts.health,
                uses_left: counts.uses_left,
                fell_round: u32::from(before(past.fallen)),
                first_attack: before(past.attacked).then_some(0),
                ..Counts::default()
            };
            if *counts == begun {
                continue;
            }
            let mut gain = *counts;
            (gain.health, gain.uses_left) = (0, 0);
            gain.fell_round = u32::from(gain.fell_round > 0 && !before(past.fallen));
            gain.first_attack = gain
                .first_attack
                .filter(|_| !before(past.attacked))
                .map(|marks| time - marks);
            self.gained.push((who as u8, gain));
        }
        self.gains.number(&self.gained)
    }

    /// Closes the situation in which a Round begins, and stores it.
    fn close_round(&mut self, beginning: u32, lost: f64) {
        let (fallen, begin) = self.close(lost);
        let timeout = self.timeout.take().expect("what comes if no Round is left");
        for graph in 0..self.graphs.len() {
            self.label_all(begin, graph);
            let growing = &mut self.graphs[graph];
            let (to, blows, gains) = label(timeout, &self.known, &self.gains, growing, graph);
            let timeout = Edge {
                to,
                blows,
                gains,
                chance: 1.0,
            };
            let node = growing.graph.add(fallen, &mut self.edges);
            let beginning = &mut growing.graph.beginnings[beginning as usize];
            *beginning = Some(Beginning { node, timeout });
        }
        self.paths.truncate(begin);
    }

    /// Puts the edges of a situation in one graph into `self.edges`.
    fn label_all(&mut self, begin: usize, graph: usize) {
        let growing = &mut self.graphs[graph];
        self.edges.extend(self.paths[begin..].iter().map(|path| {
            let label = label(*path, &self.known, &self.gains, growing, graph);
            (label, path.weight)
        }));
    }

    /// Returns the approximate bytes in use, including those that closing the open situations will take.
    pub(super) fn bytes(&self) -> u64 {
        let graphs: u64 = self.graphs.iter().map(Growing::bytes).sum();
        let edges = self.graphs.len() * EDGE_BYTES as usize;
        let paths = self.paths.len() * (PATH_BYTES + edges);
        // A graph has gains of its own as soon as it has an edge with them.
        let gain = self.gains.bytes() / self.gains.len() as u64;
        let known: u64 = self.graphs.iter().map(|one| one.graph.gains.bytes()).sum();
        let new = self.gains.bytes().saturating_sub(known);
        let gains = self.gains.bytes() + new.min(gain * self.paths.len() as u64);
        let end = size_of::<End>() + size_of_val(&self.labels.healths[..]);
        let ends = 2 * self.labels.ends.len() * end;
        graphs + gains + self.labels.blows.bytes() + (paths + ends) as u64
    }
}

/// Splits off the first `count` values.
fn first<'v, T>(left: &mut slice::Iter<'v, T>, count: usize) -> &'v [T] {
    let (first, rest) = left.as_slice().split_at(count);
    *left = rest.iter();
    first
}

/// Returns the label of a path in one graph.
fn label(
    path: Path,
    known: &[Known],
    gains: &Lists<Gain>,
    growing: &mut Growing,
    graph: usize,
) -> Label {
    let gained = growing.kept(path.gains, gains);
    match path.to {
        Leads::End(end) => (To::End(end), path.blows, gained),
        Leads::Lost => (To::Lost, path.blows, gained),
        Leads::Known(number) => match known[number as usize] {
            Known::Now(numbers) => (To::Now(numbers[graph]), path.blows, gained),
            Known::Next {
                beginning,
                gains: more,
            } => {
                let more = growing.kept(more, gains);
                (To::Next(beginning), path.blows, growing.both(gained, more))
            }
        },
    }
}
