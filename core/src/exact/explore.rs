//! Finds all situations of a fight by playing every step with every outcome.
//!
//! A situation is the state of the clock between two steps, with the facts about the past that the record of the
//! encounter needs. The clock itself determines what comes next: it plays each step with an [`Enumerator`], which gives
//! every answer to every random question. Steps without a random question are played on, so that situations are only
//! those in which chance has just decided something.
//!
//! - **Rounds** are not part of a situation where no policy asks for them: the graph has a cycle for each
//!   Round that leads back to where it began. The solver counts them.
//! - **Health** that nothing asks for is not part of a situation either: an edge has the [`Blow`]s that
//!   change it.
//!
//! Rounds are explored one by one, as they are reached, each with its probability. Paths that are less likely than the
//! explorer's limit lead to [`To::Lost`](super::graph::To::Lost). A situation that was explored with such losses and
//! turns out to be much more likely is explored again.

use super::build::{Batch, Event, Leads, Tell};
use super::graph::{End, Lists};
use super::situation::Past;
use super::{Budget, FREE_ROLLS, Limit, ROLLS_OF_A_PATH, TooLarge, key};
use crate::chance::Enumerator;
use crate::chance::enumerate::{Blow, LEAST, Spread};
use crate::sim::{Record, Silent};
use crate::systems::{Plan, State};
use std::sync::atomic::AtomicBool;

/// The number of steps without chance after which the state is stored again. Storing it takes half as long as playing a
/// step.
const STRIDE: u32 = 4;

/// The bytes that a situation takes here and in the builder, besides its key.
const FOUND_BYTES: u64 = 24;

/// A situation of which something was lost is explored again if it is this many times as likely as before.
const MORE: f64 = 4.0;

/// The number of an explored situation, and its probability at that time if a greater one would have lost less;
/// otherwise infinity.
type Found = (u32, f32);

/// A situation whose paths are being followed.
struct Open<'a> {
    /// Its key: equal situations have equal bytes.
    bytes: Vec<u8>,
    /// Its probability on the way that has led here.
    mass: f64,
    /// State and record before the step in which chance decides something.
    state: State,
    record: Record,
    chance: Enumerator<'a>,
    /// Whether less would be lost if the situation were more likely.
    is_cut: bool,
}

/// Explores a fight.
pub(super) struct Explorer<'a> {
    plan: &'a Plan,
    /// The same fight, with no Round left.
    last: &'a Plan,
    chance: Enumerator<'a>,
    rounds_apart: u32,
    /// The state that is played, and the record that it fills.
    state: State,
    record: Record,
    /// The bytes of the last situation, and the blows of the last path.
    bytes: Vec<u8>,
    blows: Vec<Blow>,
    known: Lists<u8>,
    found: Vec<Found>,
    /// The number of the next situation to be closed; one that is explored again gets a new number.
    situations: u32,
    /// The situations in which a Round begins; `cuts` has the probability of [`Found`] for those explored.
    beginnings: Lists<u8>,
    cuts: Vec<Option<f32>>,
    /// The next events for the builder.
    batch: Batch,
    /// The situations on the way to the one that is played, up to `depth`; the others are spare buffers.
    open: Vec<Open<'a>>,
    depth: usize,
    paths: u64,
    budget: Budget,
    /// The approximate bytes of the graphs.
    built_bytes: u64,
    /// The approximate bytes of the healths that are pushed through them.
    pub bytes_beside: u64,
    /// The most work that is allowed, in paths.
    pub most_work: u64,
    /// The least probability that is followed.
    least: f64,
}

impl<'a> Explorer<'a> {
    /// Creates an explorer. `plan` has no limit of Rounds, and `last` allows no more of them. `healths` are kept beside
    /// the situations ([`healths_apart`](super::situation::healths_apart), or 0 for all). No way less likely than
    /// `least` is followed, and none once `stop` is set.
    pub(super) fn new(
        plan: &'a Plan,
        last: &'a Plan,
        healths: Vec<i32>,
        budget: Budget,
        least: f64,
        stop: &'a AtomicBool,
    ) -> Self {
        let mut explorer = Self {
            plan,
            last,
            chance: Enumerator::new(healths),
            rounds_apart: plan.fight().rounds_apart(),
            state: plan.start(),
            record: Record::default(),
            bytes: Vec::new(),
            blows: Vec::new(),
            known: Lists::default(),
            found: Vec::new(),
            beginnings: Lists::default(),
            situations: 0,
            cuts: Vec::new(),
            batch: Batch::default(),
            open: Vec::new(),
            depth: 0,
            paths: 0,
            budget,
            built_bytes: 0,
            bytes_beside: 0,
            most_work: budget.most_work(),
            least,
        };
        explorer.chance.allow(budget.most_rolls(), stop);
        explorer.write(Past::default());
        explorer.number_beginning(0);
        explorer
    }

    /// Returns the number of different situations.
    pub(super) fn states(&self) -> u64 {
        self.known.len() as u64
    }

    /// Returns the work so far, in paths through a step.
    pub(super) fn work(&self) -> u64 {
        self.paths + self.chance.rolls().saturating_sub(FREE_ROLLS) / ROLLS_OF_A_PATH
    }

    /// Returns the approximate bytes of situations, answers and graphs.
    pub(super) fn bytes(&self) -> u64 {
        let own = FOUND_BYTES * self.states() + self.known.bytes() + self.chance.bytes();
        own + self.built_bytes
    }

    /// Returns the damage of all blows.
    pub(super) fn spreads(&self) -> Vec<Spread> {
        self.chance.spreads()
    }

    /// Returns whether the Round that begins with this situation must still be explored at this probability.
    pub(super) fn is_open(&self, beginning: u32, mass: f64) -> bool {
        let known = self.cuts[beginning as usize];
        mass >= self.least && known.is_none_or(|cut| mass > MORE * f64::from(cut))
    }

    /// Returns the number of the situation in `self.bytes`, in which a Round begins.
    fn number_beginning(&mut self, fallen: u64) -> u32 {
        let number = self.beginnings.number(&self.bytes);
        if number as usize == self.cuts.len() {
            self.cuts.push(None);
            self.batch.push(Event::Beginning { fallen });
        }
        number
    }

    /// Hands over the remaining events.
    pub(super) fn tell(&mut self, tell: &mut Tell<'_>) {
        self.built_bytes = tell(&mut self.batch);
    }

    /// Plays all Rounds, whatever their probability, with every outcome.
    pub(super) fn explore_all(&mut self, tell: &mut Tell<'_>) -> Result<(), TooLarge> {
        let mut beginning = 0;
        while (beginning as usize) < self.beginnings.len() {
            self.explore(beginning, 1.0, &mut |_| true, tell)?;
            beginning += 1;
        }
        self.tell(tell);
        Ok(())
    }

    /// Plays the Round that begins with a situation of probability `mass`, with every outcome.
    pub(super) fn explore(
        &mut self,
        beginning: u32,
        mass: f64,
        watch: &mut dyn FnMut(u64) -> bool,
        tell: &mut Tell<'_>,
    ) -> Result<(), TooLarge> {
        self.open_round(beginning, mass);
        let mut over = self.begin_step();
        loop {
            // One path has been played.
            self.paths += 1;
            self.check_budget(watch)?;
            if self.batch.is_full() {
                self.tell(tell);
            }
            if let Some((past, mass)) = self.follow(over)
                && self.enter_moment(past, mass, &mut over)
            {
                self.batch.push(Event::Open(past));
                continue;
            }
            loop {
                if self.open[self.depth - 1].chance.advance() {
                    over = self.repeat_step();
                    break;
                }
                self.depth -= 1;
                let (lost, cut) = self.lose();
                if self.depth == 0 {
                    self.close_round(beginning, lost, cut);
                    return Ok(());
                }
                self.batch.push(Event::Close { lost });
                self.know(self.depth, cut);
                self.open[self.depth - 1].is_cut |= cut.is_finite();
            }
        }
    }

    /// Reports how a Round that was not explored ends if no Round is left.
    pub(super) fn give_up(&mut self, beginning: u32) {
        if self.cuts[beginning as usize].is_none() {
            self.open_round(beginning, 1.0);
            self.close_round(beginning, 1.0, 0.0);
        }
    }

    /// Goes back to the beginning of a Round, and reports how it ends if no Round is left.
    fn open_round(&mut self, beginning: u32, mass: f64) {
        let bytes = self.beginnings[beginning].to_vec();
        let past = self.read(&bytes);
        self.depth = 0;
        self.enter(mass);
        self.batch.push(Event::Open(past));
        let top = &mut self.open[0];
        top.chance.begin(0.0);
        let (chance, record) = (&mut top.chance, &mut self.record);
        let over = self.last.step(&mut self.state, chance, &mut Silent, record);
        debug_assert!(over, "no Round is left");
        let followed = self.follow(over);
        debug_assert!(followed.is_none(), "an end");
        self.batch.push(Event::TimeOut);
        self.restore();
    }

    fn close_round(&mut self, beginning: u32, lost: f64, cut: f32) {
        self.cuts[beginning as usize] = Some(cut);
        self.batch.push(Event::CloseRound { beginning, lost });
    }

    /// Returns the probability that was lost of the situation whose last path was followed, and the probability for
    /// [`Found`].
    fn lose(&self) -> (f64, f32) {
        let done = &self.open[self.depth];
        let lost = done.chance.lost();
        let is_cut = done.is_cut || lost > 0.0 && self.least / done.mass > LEAST;
        (
            lost,
            if is_cut {
                done.mass as f32
            } else {
                f32::INFINITY
            },
        )
    }

    /// Records the situation at `depth` as explored.
    fn know(&mut self, depth: usize, cut: f32) {
        let number = self.known.number(&self.open[depth].bytes) as usize;
        let found = (self.situations, cut);
        self.situations += 1;
        if number == self.found.len() {
            self.found.push(found);
        } else {
            self.found[number] = found;
        }
    }

    fn check_budget(&mut self, watch: &mut dyn FnMut(u64) -> bool) -> Result<(), TooLarge> {
        let states = self.states();
        let limit = if self.chance.is_stopped() {
            Limit::Stopped
        } else if states >= self.budget.max_states {
            Limit::States
        } else if self.work() >= self.most_work || self.chance.overflowed() {
            Limit::Work
        } else if self.paths.is_multiple_of(1024) && !watch(states) {
            Limit::Stopped
        } else {
            if self.bytes() + self.bytes_beside <= self.budget.most_bytes() {
                return Ok(());
            }
            Limit::Memory
        };
        Err(TooLarge::new(states, 0, limit))
    }

    /// Pushes the state that is played as a situation whose paths are to be followed.
    fn enter(&mut self, mass: f64) {
        if self.open.len() == self.depth {
            self.open.push(Open {
                bytes: Vec::new(),
                mass,
                state: self.plan.start(),
                record: Record::default(),
                chance: self.chance.another(),
                is_cut: false,
            });
        }
        let top = &mut self.open[self.depth];
        self.depth += 1;
        (top.mass, top.is_cut) = (mass, false);
        top.bytes.clone_from(&self.bytes);
        self.plan.copy(&self.state, &mut top.state);
        top.record.copy(&self.record);
    }

    /// Plays the next step of the situation on top, by the first path.
    fn begin_step(&mut self) -> bool {
        let top = &mut self.open[self.depth - 1];
        top.chance.begin(self.least / top.mass);
        self.step()
    }

    /// Plays the step again, by the next path.
    fn repeat_step(&mut self) -> bool {
        self.restore();
        self.step()
    }

    /// Goes back to the state before the step of the situation on top.
    fn restore(&mut self) {
        let top = &self.open[self.depth - 1];
        self.plan.copy(&top.state, &mut self.state);
        self.record.copy(&top.record);
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

    /// Reports the path that has been played, of the situation on top. If it has led to a situation that must still be
    /// explored, returns the past and the probability of that situation; its bytes are in `self.bytes`.
    fn follow(&mut self, over: bool) -> Option<(Past, f64)> {
        let top = &self.open[self.depth - 1];
        let weight = top.chance.weight();
        self.blows.clear();
        if top.chance.has_blows() {
            self.blows.extend(top.chance.blows());
            self.blows.sort_unstable();
        }
        let now = Past::of(&self.record);
        let time = *self.state.round() * self.plan.round_length();
        let mut unknown = None;
        let to = if over {
            let record = &self.record;
            Leads::End(End {
                ending: record.ending,
                distance: record.distance,
                first: record.first,
                healths: record.combatants.iter().map(|one| one.health).collect(),
                fallen: now.fallen,
                left: match self.plan.round_length() {
                    // Only Rounds are counted, not times within them.
                    1 => 0,
                    _ => time - record.marks,
                },
            })
        } else {
            self.write(now);
            let top = &mut self.open[self.depth - 1];
            let mass = top.mass * weight.value();
            let found = self.known.find(&self.bytes);
            match found.map(|number| self.found[number as usize]) {
                Some((number, cut)) if mass <= MORE * f64::from(cut) => {
                    top.is_cut |= cut.is_finite();
                    Leads::Known(number)
                }
                None if mass < self.least => {
                    top.is_cut |= self.least / top.mass > LEAST;
                    Leads::Lost
                }
                _ => {
                    unknown = Some((now, mass));
                    Leads::Lost
                }
            }
        };
        let path = Event::Path {
            to,
            weight,
            time,
            blows: self.blows.len(),
        };
        let counts = &self.record.combatants;
        self.batch.push_with(path, counts, &self.blows);
        unknown
    }

    /// Plays a new situation on to the next step in which chance decides something, and plays that step by its first
    /// path. Returns false if a Round ends before it.
    fn enter_moment(&mut self, past: Past, mass: f64, over: &mut bool) -> bool {
        let combatants = self.plan.fight().combatants.len();
        past.record(&mut self.record, combatants);
        // The steps played since the state was stored.
        let mut since = STRIDE;
        loop {
            let round = *self.state.round();
            if since == STRIDE || since > 0 && !self.plan.is_calm(&self.state) {
                if since < STRIDE {
                    self.depth -= 1;
                }
                self.enter(mass);
                since = 0;
            }
            *over = self.begin_step();
            let crosses = *self.state.round() != round;
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
                self.restore();
                for _ in 0..since {
                    self.begin_step();
                }
                self.depth -= 1;
                since = STRIDE;
                continue;
            }
            if !crosses {
                return true;
            }
            self.restore();
            self.depth -= 1;
            let time = *self.state.round() * self.plan.round_length();
            let now = Past::of(&self.record);
            self.write(now);
            let beginning = self.number_beginning(now.fallen);
            let next = Event::Next {
                past,
                time,
                beginning,
            };
            self.batch.push_with(next, &self.record.combatants, &[]);
            self.know(self.depth, f32::INFINITY);
            return false;
        }
    }

    /// Writes the situation that is played to `self.bytes`, after clearing what does not matter in it.
    fn write(&mut self, past: Past) {
        let round = self.state.round();
        *round = (*round).min(self.rounds_apart);
        self.plan.forget(&mut self.state);
        let all = (past.written(), &self.state);
        self.bytes.clear();
        key::write(&all, &mut self.bytes);
    }

    /// Sets state and record to a situation, and returns its past.
    fn read(&mut self, bytes: &[u8]) -> Past {
        let (past, mut state): (_, State) =
            postcard::from_bytes(bytes).expect("what was written can be read");
        self.plan.complete(&mut state);
        self.state = state;
        let past = Past::read(past);
        past.record(&mut self.record, self.plan.fight().combatants.len());
        past
    }
}
