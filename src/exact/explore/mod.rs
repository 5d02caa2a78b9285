//! Finds all situations of a fight by playing every step to all that may come of it.
//!
//! A situation is the state of the clock between two steps, with what the record of the encounter has to
//! know of the past. The clock itself says what comes next: it plays each step with an
//! [`Enumerator`], which gives every answer to every random question. Steps without a random question are
//! played on, so that situations are only those in which chance has just decided something.
//!
//! - **Rounds** are not part of a situation where no policy asks for them: the graph has a cycle for each
//!   Round that leads back to where it began. The solver counts them.
//! - **Health** that nothing asks for is not part of a situation either: an edge has the [`Blow`]s that
//!   change it.
//!
//! Rounds are explored one by one, as they are reached, each with its probability. What is less likely than the
//! explorer was told to follow leads to [`To::Lost`](super::graph::To::Lost). A situation that was explored so and turns out to be much more
//! likely is explored again.

mod edges;

use super::graph::{Classes, End, Graph, Keeps, Labels, Numbers};
use super::situation::{Past, gained};
use super::{Budget, FREE_ROLLS, Limit, ROLLS_OF_A_PATH, TooLarge, key};
use crate::chance::Enumerator;
use crate::chance::enumerate::{Blow, LEAST};
use crate::dice::Weight;
use crate::sim::{Clock, Record, Silent};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Steps without chance after which the state is kept again. To keep it takes half as long as to play a step.
const STRIDE: u32 = 4;

/// About what the key of a situation takes besides its bytes, and what gains take besides theirs.
const KEY_BYTES: u64 = 80;
const GAINS_BYTES: u64 = 80;

/// How much more likely a situation of which something was lost may be than when it was explored.
const MORE: f64 = 4.0;

/// A situation as bytes: equal ones have equal bytes.
type Bytes = Box<[u8]>;

/// The kind of a situation that has been met.
#[derive(Clone, Copy)]
enum Found {
    /// The number of its class in each graph. If something of it was lost, how likely it was when it was explored;
    /// otherwise infinity.
    Now([u32; 2], f32),
    /// A Round ends without any further chance: the number of the situation in which the next begins, and
    /// what is gained before.
    Next { beginning: u32, gains: u32 },
}

/// Where a path of answers has led.
#[derive(Clone, Copy)]
struct Path {
    to: Reached,
    weight: Weight,
    blows: u32,
    gains: u32,
}

#[derive(Clone, Copy)]
enum Reached {
    Situation(Found),
    End(u32),
    Lost,
}

/// A situation whose paths are being followed.
struct Open<S> {
    bytes: Bytes,
    past: Past,
    /// How likely it is, on the way that has led here.
    mass: f64,
    /// State and record before the step in which chance decides something.
    state: S,
    record: Record,
    chance: Enumerator,
    paths: Vec<Path>,
}

/// Explores a fight.
pub(super) struct Explorer<'a, P: Clock> {
    plan: &'a P,
    /// The same fight, with no more Rounds.
    last: &'a P,
    chance: Enumerator,
    rounds_apart: u32,
    /// The state that is played, and the record that it fills.
    state: P::State,
    record: Record,
    /// The bytes of the last situation, and the blows of the last path.
    bytes: Vec<u8>,
    blows: Vec<Blow>,
    known: FxHashMap<Bytes, Found>,
    /// Situations in which a Round begins.
    beginnings: Numbers<Arc<[u8]>>,
    /// A graph that keeps all gains but forfeited Marks, and one for these if they are asked for.
    graphs: Vec<Classes>,
    pub labels: Labels,
    /// The situations on the way to the one that is played; behind it, room for more.
    open: Vec<Open<P::State>>,
    depth: usize,
    paths: u64,
    budget: Budget,
    /// About what the bytes of all situations take, and what others keep of them.
    key_bytes: u64,
    /// What all gains take, of which so many have been counted.
    gain_bytes: u64,
    gains_counted: usize,
    pub bytes_beside: u64,
    /// The work that is allowed, in paths.
    pub most_work: u64,
    /// The least probability that is followed.
    least: f64,
}

impl<'a, P: Clock> Explorer<'a, P> {
    /// `plan` has no limit of Rounds, and `last` allows no more of them. `healths` are kept beside the situations
    /// ([`healths_apart`](super::situation::healths_apart), or 0 for all). No way less likely than `least` is followed.
    pub(super) fn new(
        plan: &'a P,
        last: &'a P,
        healths: Vec<i32>,
        keeps: &[Keeps],
        budget: Budget,
        least: f64,
    ) -> Self {
        let mut explorer = Self {
            plan,
            last,
            chance: Enumerator::new(healths.clone()),
            rounds_apart: plan.fight().rounds_apart(),
            state: plan.start(),
            record: Record::default(),
            bytes: Vec::new(),
            blows: Vec::new(),
            known: FxHashMap::default(),
            beginnings: Numbers::new(),
            graphs: keeps.iter().map(|keeps| Classes::new(*keeps)).collect(),
            labels: Labels {
                ends: Numbers::new(),
                blows: Numbers::new(),
                spreads: Vec::new(),
                gains: Numbers::new(),
                beginnings: Vec::new(),
                healths,
            },
            open: Vec::new(),
            depth: 0,
            paths: 0,
            budget,
            key_bytes: 0,
            gain_bytes: 0,
            gains_counted: 0,
            bytes_beside: 0,
            most_work: budget.most_work(),
            least,
        };
        explorer.chance.allow(budget.most_rolls());
        // Number 0: nothing.
        explorer.labels.blows.of(&[][..]);
        explorer.labels.gains.of(&[][..]);
        explorer.write(Past::default());
        explorer.begin(0);
        explorer
    }

    /// The number of situations that were told apart.
    pub(super) fn states(&self) -> u64 {
        self.known.len() as u64
    }

    /// The work so far, in paths through a step.
    pub(super) fn work(&self) -> u64 {
        self.paths + self.chance.rolls().saturating_sub(FREE_ROLLS) / ROLLS_OF_A_PATH
    }

    /// The graph for one of what is kept, as far as it is known.
    pub(super) fn graph(&self, number: usize) -> &Graph {
        &self.graphs[number].graph
    }

    /// Whether a Round that begins so has still to be explored, where it is so likely.
    pub(super) fn is_open(&self, beginning: u32, mass: f64) -> bool {
        let known = self.graphs[0].graph.beginnings[beginning as usize].as_ref();
        mass >= self.least && known.is_none_or(|known| mass > MORE * f64::from(known.cut))
    }

    /// The number of the situation that was written, in which a Round begins.
    fn begin(&mut self, fallen: u64) -> u32 {
        let number = self.beginnings.of(&self.bytes[..]);
        if number as usize == self.labels.beginnings.len() {
            self.labels.beginnings.push(fallen);
            for classes in &mut self.graphs {
                classes.graph.beginnings.push(None);
            }
        }
        number
    }

    /// Plays all Rounds, whatever their probability, to all that may come of them.
    pub(super) fn explore_all(
        &mut self,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), TooLarge> {
        let mut beginning = 0;
        while (beginning as usize) < self.labels.beginnings.len() {
            self.explore(beginning, 1.0, watch)?;
            beginning += 1;
        }
        Ok(())
    }

    /// Plays the Round that begins with a situation so likely, to all that may come of it.
    pub(super) fn explore(
        &mut self,
        beginning: u32,
        mass: f64,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), TooLarge> {
        let bytes = self.beginnings[beginning as usize].clone();
        let past = self.read(&bytes);
        self.depth = 0;
        self.enter(past, mass);
        let timeout = self.time_out();
        let mut over = self.begin_step();
        loop {
            // One path has been played.
            self.paths += 1;
            self.check_budget(watch)?;
            if let Some((past, mass)) = self.follow(over)
                && self.enter_moment(past, mass, &mut over)
            {
                continue;
            }
            loop {
                if self.open[self.depth - 1].chance.advance() {
                    over = self.repeat_step();
                    break;
                }
                self.depth -= 1;
                let cut = self.lose();
                if self.depth == 0 {
                    self.close_round(beginning, timeout, cut)?;
                    self.labels.spreads = self.chance.spreads();
                    return Ok(());
                }
                let done = &mut self.open[self.depth];
                let paths = std::mem::take(&mut done.paths);
                let (bytes, fallen) = (std::mem::take(&mut done.bytes), done.past.fallen);
                let found = Found::Now(self.classes(fallen, &paths)?, cut);
                self.know(bytes, found);
                self.open[self.depth].paths = paths;
                // The path of the one below that has led here.
                let below = &mut self.open[self.depth - 1].paths;
                if let Some(path) = below.last_mut() {
                    path.to = Reached::Situation(found);
                }
            }
        }
    }

    /// Finds what comes of a Round that is not explored, where no Round is left.
    pub(super) fn give_up(&mut self, beginning: u32) -> Result<(), TooLarge> {
        if self.graphs[0].graph.beginnings[beginning as usize].is_some() {
            return Ok(());
        }
        let bytes = self.beginnings[beginning as usize].clone();
        let past = self.read(&bytes);
        self.depth = 0;
        self.enter(past, 1.0);
        let timeout = self.time_out();
        self.open[0].paths.push(Path {
            to: Reached::Lost,
            weight: Weight::ONE,
            blows: 0,
            gains: 0,
        });
        self.close_round(beginning, timeout, 0.0)
    }

    /// Adds what was lost of the situation whose last path was followed. Returns how likely it was if a more likely
    /// one would lose less.
    fn lose(&mut self) -> f32 {
        let done = &mut self.open[self.depth];
        let lost = done.chance.lost();
        if lost > 0.0 {
            done.paths.push(Path {
                to: Reached::Lost,
                weight: Weight::from(lost),
                blows: 0,
                gains: 0,
            });
        }
        let cut = |path: &Path| match path.to {
            Reached::Lost => self.least / done.mass > LEAST,
            Reached::Situation(Found::Now(_, mass)) => mass.is_finite(),
            _ => false,
        };
        if done.paths.iter().any(cut) {
            done.mass as f32
        } else {
            f32::INFINITY
        }
    }

    /// Keeps what a situation has turned out to be.
    fn know(&mut self, bytes: Bytes, found: Found) {
        self.key_bytes += KEY_BYTES + bytes.len() as u64;
        self.known.insert(bytes, found);
    }

    fn check_budget(&mut self, watch: &mut dyn FnMut(u64) -> bool) -> Result<(), TooLarge> {
        let states = self.states();
        let limit = if states >= self.budget.max_states {
            Limit::States
        } else if self.work() >= self.most_work || self.chance.overflowed() {
            Limit::Work
        } else if self.paths.is_multiple_of(1024) && !watch(states) {
            Limit::Stopped
        } else {
            return self.check_memory(0);
        };
        Err(TooLarge::new(states, 0, limit))
    }

    /// Checks the memory of all that is kept, and of `edges` bytes that are being made, against the budget.
    fn check_memory(&mut self, edges: usize) -> Result<(), TooLarge> {
        let classes: u64 = self.graphs.iter().map(|classes| classes.bytes).sum();
        let new = &self.labels.gains[self.gains_counted..];
        let bytes = new
            .iter()
            .map(|gains| GAINS_BYTES + size_of_val(&gains[..]) as u64);
        self.gain_bytes += bytes.sum::<u64>();
        self.gains_counted += new.len();
        let paths: usize = self.open.iter().map(|open| open.paths.len()).sum();
        let paths = (paths * size_of::<Path>() + edges) as u64;
        let beside = self.chance.bytes() + self.bytes_beside;
        if self.key_bytes + classes + self.gain_bytes + paths + beside > self.budget.most_bytes() {
            return Err(TooLarge::new(self.states(), 0, Limit::Memory));
        }
        Ok(())
    }

    /// Keeps the state that is played as a situation whose paths are to be followed.
    fn enter(&mut self, past: Past, mass: f64) {
        if self.open.len() == self.depth {
            self.open.push(Open {
                bytes: Bytes::default(),
                past,
                mass,
                state: self.plan.start(),
                record: Record::default(),
                chance: self.chance.another(),
                paths: Vec::new(),
            });
        }
        let top = &mut self.open[self.depth];
        self.depth += 1;
        (top.past, top.mass) = (past, mass);
        top.paths.clear();
        self.plan.copy(&self.state, &mut top.state);
        top.record.copy(&self.record);
    }

    /// Plays the next step of the situation on top, by the first path.
    fn begin_step(&mut self) -> bool {
        let top = &mut self.open[self.depth - 1];
        top.chance.begin(self.least / top.mass);
        self.step()
    }

    /// Plays that step again, by the next path.
    fn repeat_step(&mut self) -> bool {
        let top = &self.open[self.depth - 1];
        self.plan.copy(&top.state, &mut self.state);
        self.record.copy(&top.record);
        self.step()
    }

    fn step(&mut self) -> bool {
        let top = &mut self.open[self.depth - 1];
        self.plan.step(
            &mut self.state,
            &mut top.chance,
            &mut Silent,
            &mut self.record,
        )
    }

    /// What comes of the situation on top where no Round is left.
    fn time_out(&mut self) -> Path {
        let top = &mut self.open[self.depth - 1];
        top.chance.begin(0.0);
        let (chance, record) = (&mut top.chance, &mut self.record);
        let over = self.last.step(&mut self.state, chance, &mut Silent, record);
        debug_assert!(over, "no Round is left");
        let followed = self.follow(over);
        debug_assert!(followed.is_none(), "an end");
        let top = &mut self.open[self.depth - 1];
        self.plan.copy(&top.state, &mut self.state);
        self.record.copy(&top.record);
        top.paths.pop().expect("a path has been followed")
    }

    /// Adds the path that has been played to those of the situation on top. Returns the past of the
    /// situation that it has led to and how likely it is, if that is still to be explored; its bytes are in `self.bytes`.
    fn follow(&mut self, over: bool) -> Option<(Past, f64)> {
        let top = &mut self.open[self.depth - 1];
        let gains = gained(
            self.plan,
            &mut self.state,
            &self.record,
            top.past,
            &mut self.labels.gains,
        );
        let mut blows = 0;
        if top.chance.has_blows() {
            self.blows.clear();
            self.blows.extend(top.chance.blows());
            self.blows.sort_unstable();
            blows = self.labels.blows.of(&self.blows[..]);
        }
        let now = Past::of(&self.record);
        let record = &self.record;
        let mut path = Path {
            to: Reached::End(0),
            weight: top.chance.weight(),
            blows,
            gains,
        };
        let mut unknown = None;
        if over {
            let time = *self.plan.round(&mut self.state) * self.plan.round_length();
            path.to = Reached::End(self.labels.ends.of(&End {
                ending: record.ending,
                distance: record.distance,
                first: record.first,
                healths: record.combatants.iter().map(|one| one.health).collect(),
                fallen: now.fallen,
                left: match self.plan.round_length() {
                    // Only Rounds are counted.
                    1 => 0,
                    _ => time - record.marks,
                },
            }));
        } else {
            self.write(now);
            let mass = self.open[self.depth - 1].mass * path.weight.value();
            match self.known.get(&self.bytes[..]) {
                Some(Found::Now(_, cut)) if mass > MORE * f64::from(*cut) => {
                    unknown = Some((now, mass));
                }
                Some(found) => path.to = Reached::Situation(*found),
                None if mass < self.least => path.to = Reached::Lost,
                None => unknown = Some((now, mass)),
            }
        }
        self.open[self.depth - 1].paths.push(path);
        unknown
    }

    /// Plays the state, a situation that has not been met before, on to the next step in which chance
    /// decides something, and plays that by its first path. Returns false if a Round ends before it.
    fn enter_moment(&mut self, past: Past, mass: f64, over: &mut bool) -> bool {
        let bytes: Bytes = self.bytes[..].into();
        let combatants = self.plan.fight().combatants.len();
        past.record(&mut self.record, combatants);
        // Steps that have been played since the state was kept.
        let mut since = STRIDE;
        loop {
            let round = *self.plan.round(&mut self.state);
            if since == STRIDE || since > 0 && !self.plan.is_calm(&self.state) {
                if since < STRIDE {
                    self.depth -= 1;
                }
                self.enter(past, mass);
                since = 0;
            }
            *over = self.begin_step();
            let crosses = *self.plan.round(&mut self.state) != round;
            let top = &mut self.open[self.depth - 1];
            let decides = *over || top.chance.has_asked() || top.chance.has_blows();
            if !crosses && !decides {
                since += 1;
                if since == STRIDE {
                    self.depth -= 1;
                }
                continue;
            }
            if since > 0 {
                // Back to the state before this step.
                self.plan.copy(&top.state, &mut self.state);
                self.record.copy(&top.record);
                for _ in 0..since {
                    self.begin_step();
                }
                self.depth -= 1;
                since = STRIDE;
                continue;
            }
            if !crosses {
                top.bytes = bytes;
                return true;
            }
            self.depth -= 1;
            self.plan.copy(&top.state, &mut self.state);
            self.record.copy(&top.record);
            let gains = gained(
                self.plan,
                &mut self.state,
                &self.record,
                past,
                &mut self.labels.gains,
            );
            let past = Past::of(&self.record);
            self.write(past);
            let beginning = self.begin(past.fallen);
            let found = Found::Next { beginning, gains };
            self.know(bytes, found);
            if let Some(path) = self.open[self.depth - 1].paths.last_mut() {
                path.to = Reached::Situation(found);
            }
            return false;
        }
    }

    /// Writes the situation that is played to `self.bytes`. What does not matter in it is cleared.
    fn write(&mut self, past: Past) {
        let round = self.plan.round(&mut self.state);
        *round = (*round).min(self.rounds_apart);
        self.plan.forget(&mut self.state);
        let all = (past.written(), &self.state);
        self.bytes.clear();
        key::write(&all, &mut self.bytes);
    }

    /// Sets state and record to a situation.
    fn read(&mut self, bytes: &[u8]) -> Past {
        let (past, mut state): (_, P::State) =
            postcard::from_bytes(bytes).expect("what was written can be read");
        self.plan.complete(&mut state);
        self.state = state;
        let past = Past::read(past);
        past.record(&mut self.record, self.plan.fight().combatants.len());
        past
    }
}
