//! Builds the graphs of a fight from what its explorer tells.
//!
//! The explorer plays, and tells each step of its way in [`Batch`]es; a [`Builder`] names what came of it. Neither waits
//! for the other but where a batch is handed over, so two threads can do it, and what is built is the same.

use super::graph::{
    Beginning, Classes, Edge, End, Gain, Gains, Graph, Keeps, Label, Labels, Numbers, To, merged,
};
use super::situation::Past;
use crate::chance::enumerate::Blow;
use crate::dice::Weight;
use crate::fight::Ending;
use crate::sim::{Counts, First};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Events in a batch, and counts.
const MANY_EVENTS: usize = 4096;
const MANY_COUNTS: usize = 1 << 15;

/// About what gains take besides their counts.
const GAINS_BYTES: u64 = 80;

/// A step on the way of an explorer.
enum Event {
    /// A situation was met in which a Round begins.
    Beginning { fallen: u64 },
    /// The paths of another situation follow.
    Open(Past),
    /// A path of the situation that was opened last has been played.
    Path(Played),
    /// The last path leads to a Round's end without any further chance: that is a situation, too.
    Next {
        past: Past,
        time: u32,
        beginning: u32,
    },
    /// That situation has no further paths; `lost` is the chance of those that were not followed.
    Close { lost: f64 },
    /// The last path is what comes of the situation where no Round is left.
    TimeOut,
    /// All of a Round has been played; `cut` is that of [`Beginning`].
    CloseRound { beginning: u32, lost: f64, cut: f32 },
}

/// A path of answers.
pub(super) struct Played {
    pub to: Leads,
    pub weight: Weight,
    /// The end of the Round, in Marks from the start of the encounter.
    pub time: u32,
    /// How many blows it has.
    pub blows: u32,
}

/// Where a path of answers leads.
#[derive(Clone, Copy)]
pub(super) enum Leads {
    /// To a situation that is known, by its number.
    Known(u32),
    /// To one that is opened next, or to the end of the Round.
    New,
    /// To the end of the encounter.
    End {
        ending: Ending,
        distance: Option<u32>,
        first: First,
        fallen: u64,
        left: u32,
    },
    /// To what is not followed.
    Lost,
}

/// Some steps on the way of an explorer, in their order.
#[derive(Default)]
pub(super) struct Batch {
    events: Vec<Event>,
    /// The counts of all combatants at each end of a path.
    counts: Vec<Counts>,
    blows: Vec<Blow>,
}

impl Batch {
    pub(super) fn begin(&mut self, fallen: u64) {
        self.events.push(Event::Beginning { fallen });
    }

    pub(super) fn open(&mut self, past: Past) {
        self.events.push(Event::Open(past));
    }

    /// Adds a path, with the counts of all combatants and its blows in order.
    pub(super) fn path(&mut self, played: Played, counts: &[Counts], blows: &[Blow]) {
        self.counts.extend_from_slice(counts);
        self.blows.extend_from_slice(blows);
        self.events.push(Event::Path(played));
    }

    pub(super) fn next(&mut self, past: Past, time: u32, beginning: u32, counts: &[Counts]) {
        self.counts.extend_from_slice(counts);
        self.events.push(Event::Next {
            past,
            time,
            beginning,
        });
    }

    pub(super) fn close(&mut self, lost: f64) {
        self.events.push(Event::Close { lost });
    }

    pub(super) fn time_out(&mut self) {
        self.events.push(Event::TimeOut);
    }

    pub(super) fn close_round(&mut self, beginning: u32, lost: f64, cut: f32) {
        self.events.push(Event::CloseRound {
            beginning,
            lost,
            cut,
        });
    }

    /// Whether it is time to hand it over.
    pub(super) fn is_full(&self) -> bool {
        self.events.len() >= MANY_EVENTS || self.counts.len() >= MANY_COUNTS
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.counts.clear();
        self.blows.clear();
    }
}

/// Where batches go. What is returned is the memory that was known to be taken when the batch before was done: that is
/// the same whether there is a thread for it or not.
pub(super) type Tell<'a> = dyn FnMut(&mut Batch) -> u64 + 'a;

/// A path as it is kept until its situation is closed.
#[derive(Clone, Copy)]
struct Path {
    to: Reached,
    weight: Weight,
    blows: u32,
    gains: u32,
}

#[derive(Clone, Copy)]
enum Reached {
    Situation(u32),
    End(u32),
    Lost,
}

impl Path {
    /// A path that is not followed.
    fn lost(chance: f64) -> Self {
        Self {
            to: Reached::Lost,
            weight: Weight::from(chance),
            blows: 0,
            gains: 0,
        }
    }
}

/// What such a path takes, and an edge while it is made of it.
const PATH_BYTES: usize = size_of::<Path>() + size_of::<((To, u32, u32), Weight)>();

/// What a situation has turned out to be.
#[derive(Clone, Copy)]
enum Known {
    /// The number of its class in each graph.
    Now([u32; 2]),
    /// A Round ends without any further chance: the number of the situation in which the next begins, and
    /// what is gained before.
    Next { beginning: u32, gains: u32 },
}

/// Builds graphs.
pub(super) struct Builder {
    /// A graph that keeps all gains but forfeited Marks, and one for these if they are asked for.
    graphs: Vec<Classes>,
    pub labels: Labels,
    known: Vec<Known>,
    /// The paths of situations that are not closed; behind them, room for more.
    open: Vec<(Past, Vec<Path>)>,
    depth: usize,
    timeout: Option<Path>,
    /// About what all gains take, of which so many have been counted.
    gain_bytes: u64,
    gains_counted: usize,
    /// The memory that was taken when the last batch was done.
    told: u64,
}

impl Builder {
    /// `healths` are kept beside the situations ([`healths_apart`](super::situation::healths_apart), or 0 for all).
    pub(super) fn new(healths: Vec<i32>, keeps: &[Keeps]) -> Self {
        let mut builder = Self {
            graphs: keeps.iter().map(|keeps| Classes::new(*keeps)).collect(),
            labels: Labels {
                ends: Numbers::new(),
                blows: Numbers::new(),
                spreads: Vec::new(),
                gains: Numbers::new(),
                beginnings: Vec::new(),
                healths,
            },
            known: Vec::new(),
            open: Vec::new(),
            depth: 0,
            timeout: None,
            gain_bytes: 0,
            gains_counted: 0,
            told: 0,
        };
        // Number 0: nothing.
        builder.labels.blows.of(&[][..]);
        builder.labels.gains.of(&[][..]);
        builder
    }

    /// The graph for one of what is kept, as far as it is known.
    pub(super) fn graph(&self, number: usize) -> &Graph {
        &self.graphs[number].graph
    }

    /// Explores, and takes what is told on a thread of its own if `is_much`.
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
                // Nothing is received any more only after a panic, with which the scope ends, too.
                let _ = full.send(std::mem::replace(batch, spare));
                before
            })
        })
    }

    /// Takes all events of a batch, and empties it.
    fn take(&mut self, batch: &mut Batch) {
        let (mut counts, mut blows) = (&batch.counts[..], &batch.blows[..]);
        let combatants = self.labels.healths.len();
        for event in batch.events.drain(..) {
            match event {
                Event::Beginning { fallen } => {
                    self.labels.beginnings.push(fallen);
                    for classes in &mut self.graphs {
                        classes.graph.beginnings.push(None);
                    }
                }
                Event::Open(past) => self.open(past),
                Event::Path(played) => {
                    let own = counts.split_off(..combatants).expect("counts of all");
                    let hits = blows.split_off(..played.blows as usize);
                    self.path(&played, own, hits.expect("its blows"));
                }
                Event::Next {
                    past,
                    time,
                    beginning,
                } => {
                    let own = counts.split_off(..combatants).expect("counts of all");
                    let gains = gained(past, time, own, &mut self.labels.gains);
                    self.know(Known::Next { beginning, gains });
                }
                Event::Close { lost } => {
                    let (fallen, paths) = self.close(lost);
                    let mut numbers = [0; 2];
                    for (graph, number) in (0..self.graphs.len()).zip(&mut numbers) {
                        let edges = self.edges(&paths, graph);
                        *number = self.graphs[graph].of(fallen, edges);
                    }
                    self.open[self.depth].1 = paths;
                    self.know(Known::Now(numbers));
                }
                Event::TimeOut => self.timeout = self.open[self.depth - 1].1.pop(),
                Event::CloseRound {
                    beginning,
                    lost,
                    cut,
                } => self.close_round(beginning, lost, cut),
            }
        }
        batch.clear();
        self.told = self.bytes();
    }

    fn open(&mut self, past: Past) {
        if self.open.len() == self.depth {
            self.open.push((past, Vec::new()));
        }
        let (own, paths) = &mut self.open[self.depth];
        *own = past;
        paths.clear();
        self.depth += 1;
    }

    /// Ends the situation that was opened last. Returns who has fallen in it, and its paths.
    fn close(&mut self, lost: f64) -> (u64, Vec<Path>) {
        self.depth -= 1;
        let (past, paths) = &mut self.open[self.depth];
        if lost > 0.0 {
            paths.push(Path::lost(lost));
        }
        (past.fallen, std::mem::take(paths))
    }

    /// Keeps what a situation has turned out to be, to which the last path leads.
    fn know(&mut self, known: Known) {
        let number = self.known.len() as u32;
        self.known.push(known);
        let (_, paths) = &mut self.open[self.depth - 1];
        if let Some(path) = paths.last_mut() {
            path.to = Reached::Situation(number);
        }
    }

    fn path(&mut self, played: &Played, counts: &[Counts], blows: &[Blow]) {
        let (past, paths) = &mut self.open[self.depth - 1];
        let to = match played.to {
            Leads::Known(number) => Reached::Situation(number),
            // Until it is known.
            Leads::New | Leads::Lost => Reached::Lost,
            Leads::End {
                ending,
                distance,
                first,
                fallen,
                left,
            } => Reached::End(self.labels.ends.of(&End {
                ending,
                distance,
                first,
                healths: counts.iter().map(|one| one.health).collect(),
                fallen,
                left,
            })),
        };
        paths.push(Path {
            to,
            weight: played.weight,
            gains: gained(*past, played.time, counts, &mut self.labels.gains),
            blows: self.labels.blows.of(blows),
        });
    }

    /// Ends a Round: all that may come of its beginning has its class.
    fn close_round(&mut self, beginning: u32, lost: f64, cut: f32) {
        let (fallen, paths) = self.close(lost);
        let timeout = self.timeout.take().expect("what comes if no Round is left");
        for graph in 0..self.graphs.len() {
            let edges = self.edges(&paths, graph);
            let (to, blows, gains) = self.label(timeout, graph);
            let timeout = Edge {
                chance: 1.0,
                to,
                blows,
                gains,
            };
            let graph = &mut self.graphs[graph].graph;
            let node = graph.add(fallen, &edges);
            graph.beginnings[beginning as usize] = Some(Beginning { node, timeout, cut });
        }
    }

    /// The edges of a situation in one graph.
    fn edges(&mut self, paths: &[Path], graph: usize) -> Vec<Label> {
        let labels = paths
            .iter()
            .map(|path| (self.label(*path, graph), path.weight));
        merged(labels.collect())
    }

    /// What a path is in one graph.
    fn label(&mut self, path: Path, graph: usize) -> (To, u32, u32) {
        let classes = &mut self.graphs[graph];
        let gains = classes.kept(path.gains, &mut self.labels.gains);
        match path.to {
            Reached::End(end) => (To::End(end), path.blows, gains),
            Reached::Lost => (To::Lost, path.blows, gains),
            Reached::Situation(number) => match self.known[number as usize] {
                Known::Now(numbers) => (To::Now(numbers[graph]), path.blows, gains),
                Known::Next {
                    beginning,
                    gains: more,
                } => {
                    let more = classes.kept(more, &mut self.labels.gains);
                    let gains = classes.both(gains, more, &mut self.labels.gains);
                    (To::Next(beginning), path.blows, gains)
                }
            },
        }
    }

    /// About the memory that is taken, with what the edges of open situations are going to take while they are made.
    fn bytes(&mut self) -> u64 {
        let classes: u64 = self.graphs.iter().map(|classes| classes.bytes).sum();
        let new = &self.labels.gains[self.gains_counted..];
        let bytes = new
            .iter()
            .map(|gains| GAINS_BYTES + size_of_val(&gains[..]) as u64);
        self.gain_bytes += bytes.sum::<u64>();
        self.gains_counted = self.labels.gains.len();
        let open = self.open[..self.depth].iter();
        let paths: usize = open.map(|(_, paths)| paths.len()).sum();
        classes + self.gain_bytes + (paths * PATH_BYTES) as u64
    }
}

/// What the counts say that was gained since a situation with that past.
fn gained(past: Past, time: u32, counts: &[Counts], all: &mut Numbers<Gains>) -> u32 {
    let mut gains: Vec<Gain> = Vec::new();
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
        gains.push((who as u8, gain));
    }
    if gains.is_empty() {
        return 0;
    }
    all.of(&gains[..])
}
