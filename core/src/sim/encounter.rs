//! An encounter under way: the plan of its fight, its state, its chance and its output. They have the same parts on all
//! clocks, and each clock adds its own ([`Clock`]).

use super::compiled_lines::{CompiledLines, FactOf, NeedsOf};
use super::damage::PutOff;
use super::decide::Choice;
use super::deeds::ChosenAction;
use super::interrupt::Interrupts;
use super::order::Places;
use super::stage::Constants;
use super::walk::WalkEffect;
use crate::fight::world::World;
use crate::sim::Record;
use crate::sim::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::sync::Arc;

/// What a clock adds to the plan, the state and the play of an encounter.
pub trait Clock: Sized {
    /// The options of `[rules]` that it plays by.
    type Rules: Debug;

    /// The values of a combatant that every turn needs.
    type Profile: Clone + Debug;

    /// What it keeps about a combatant.
    type Actor: Copy + Debug + Default + Serialize + 'static;

    /// What it keeps besides.
    type State: Copy + Debug + Default + Serialize;

    /// The progress of an action that others may interrupt.
    type Doing: Copy + Debug + Default;

    /// The actions that only this clock has.
    type Own: Copy + Debug;

    /// Whether nothing but the state, besides that in which a step began, says how the step goes on while no combatants act
    /// together or interrupt one another.
    const TELLS_ALL: bool = true;

    /// Returns the order of its turns.
    ///
    /// # Panics
    /// If a combatant has the traits of another clock.
    fn order(fight: &Fight, rules: &Self::Rules) -> Order;

    /// Prepares a fight for the clock: its own part of the plan, and the profile of each combatant.
    fn new(fight: &Fight, rules: &Self::Rules, order: &Order) -> (Self, Vec<Self::Profile>);

    /// The state of a combatant as an encounter begins.
    fn actor(_: &Self::Rules, _: &Self::Profile) -> Self::Actor {
        Self::Actor::default()
    }

    /// Returns the number of a decision that a variable of this clock is, or the need that it is true, for a combatant that
    /// is free to decide.
    const FACT: FactOf;

    /// Adds the least that an action needs by the rules, as comparisons of facts; none is stricter than the rules.
    /// Returns whether the rules ask nothing more of an action about the nearest enemy.
    const NEEDS: NeedsOf<Self>;

    /// Plays on as `Rounds::play_on`.
    fn play_on<C: Chance, O: ClockObserver>(encounter: &mut Encounter<'_, Self, C, O>) -> bool;

    /// Plays an encounter to its end.
    #[inline]
    fn play<C: Chance, O: ClockObserver>(mut encounter: Encounter<'_, Self, C, O>) {
        while !Self::play_on(&mut encounter) {}
    }

    /// Clears data that nothing reads between two steps, so that situations with the same future have equal states.
    fn forget(plan: &Plan<Self>, state: &mut ClockState<Self>);

    /// Whether the next step will probably neither ask chance for anything nor begin a Round: a guess that spares
    /// copies.
    fn is_calm(_: &Plan<Self>, _: &ClockState<Self>) -> bool {
        false
    }

    /// The length of a Round, in the units in which a record counts time.
    fn round_length(_: &Self::Rules) -> u32 {
        1
    }
}

/// A fight on a clock: everything that does not change between encounters.
#[derive(Debug, Clone)]
pub struct Plan<T: Clock> {
    pub(crate) fight: Fight,
    pub(crate) rules: T::Rules,
    pub(crate) constants: Constants,
    /// One for each combatant: an array, as in [`World`], that copies of the last one fill up.
    pub(crate) profiles: Box<[T::Profile; MAX_COMBATANTS]>,
    /// For each policy line, how walking affects it.
    pub(crate) walk_effects: Vec<Vec<WalkEffect>>,
    pub(crate) compiled_lines: Vec<Arc<CompiledLines>>,
    pub(crate) order: Order,
    pub(crate) clock: T,
    pub(crate) start: ClockState<T>,
}

/// The state of an encounter: plain data, which can be serialized between two steps.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(
    serialize = "A: Copy + Default + Serialize, S: Serialize",
    deserialize = "A: Copy + Default + Deserialize<'de>, S: Deserialize<'de>, D: Default"
))]
pub struct State<A, S, D, W> {
    /// Positions, health and items.
    pub(crate) world: World<A>,
    /// The Round or turn under way, from 1; 0 before the first.
    pub round: u32,
    /// The tied combatants, and their pending damage to one another (W-5).
    #[serde(skip)]
    pub(crate) put_off: PutOff,
    /// The places of the Round, on clocks of turns.
    pub(crate) places: Places,
    /// The actions under way: each interrupts the one below it.
    #[serde(skip)]
    pub(crate) stack: Interrupts<D>,
    /// The parts of simultaneous combatants in this beat. They are written before they are read.
    #[serde(skip)]
    pub(crate) parts: Vec<Part<Choice<ChosenAction<W>>>>,
    pub(crate) clock: S,
}

/// The state of an encounter on a clock.
pub type ClockState<T> =
    State<<T as Clock>::Actor, <T as Clock>::State, <T as Clock>::Doing, <T as Clock>::Own>;

impl<A, S: Default, D: Copy, W: Copy> State<A, S, D, W> {
    /// The state in which an encounter in this world begins.
    fn new(world: World<A>, combatants: usize) -> Self {
        Self {
            world,
            round: 0,
            put_off: PutOff::new(combatants),
            places: Places::new(combatants),
            stack: Interrupts::new(combatants),
            parts: vec![Part::Pass; combatants],
            clock: S::default(),
        }
    }
}

/// An encounter under way. With `PLAIN`, its fight is known to be [plain](Fight::is_plain).
pub struct Encounter<'a, T: Clock, C, O, const PLAIN: bool = false> {
    pub(crate) plan: &'a Plan<T>,
    pub(crate) state: &'a mut ClockState<T>,
    pub(crate) chance: &'a mut C,
    pub(crate) observer: &'a mut O,
    pub(crate) record: &'a mut Record,
}

impl<T: Clock> Plan<T> {
    pub(crate) fn new(fight: Fight, rules: T::Rules) -> Self {
        let count = fight.combatants.len();
        let order = T::order(&fight, &rules);
        let (clock, mut profiles) = T::new(&fight, &rules, &order);
        let mut start = State::new(World::new(&fight), count);
        for (body, profile) in start.world.bodies.iter_mut().zip(&profiles) {
            body.clock = T::actor(&rules, profile);
        }
        if let Some(last) = profiles.last().cloned() {
            profiles.resize(MAX_COMBATANTS, last);
        }
        let mut plan = Self {
            constants: Constants::new(&fight),
            walk_effects: fight.combatants.iter().map(WalkEffect::of).collect(),
            compiled_lines: Vec::new(),
            fight,
            rules,
            profiles: profiles.try_into().expect("a fight has combatants"),
            order,
            clock,
            start,
        };
        plan.compiled_lines = CompiledLines::of_all(&plan);
        plan
    }

    /// The state in which every encounter begins.
    pub(crate) fn start(&self) -> ClockState<T> {
        // A clone of a list has only the capacity that it uses, so lists are made anew.
        State::new(self.start.world.clone(), self.fight.combatants.len())
    }

    /// Copies a state of the same fight.
    pub(crate) fn copy(from: &ClockState<T>, to: &mut ClockState<T>) {
        to.world.reset_to(&from.world);
        to.round = from.round;
        to.put_off.reset_to(&from.put_off);
        to.places.reset_to(&from.places);
        to.stack.reset_to(&from.stack);
        to.clock = from.clock;
    }

    /// Completes a deserialized state with the data that is not written.
    pub(crate) fn complete(&self, state: &mut ClockState<T>) {
        state.world.restore_sides(&self.start.world);
        state.put_off.reset_to(&self.start.put_off);
        state.places.complete();
        state.stack = Interrupts::new(self.fight.combatants.len());
        state.parts.clone_from(&self.start.parts);
    }

    /// Returns the encounter in this state.
    #[inline]
    fn under_way<'a, C, O>(
        &'a self,
        state: &'a mut ClockState<T>,
        chance: &'a mut C,
        observer: &'a mut O,
        record: &'a mut Record,
    ) -> Encounter<'a, T, C, O> {
        Encounter {
            plan: self,
            state,
            chance,
            observer,
            record,
        }
    }

    /// Plays one encounter from the start, whatever `state` holds, and leaves its result in `record`.
    pub(crate) fn play<C: Chance, O: ClockObserver>(
        &self,
        state: &mut ClockState<T>,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    ) {
        Self::copy(&self.start, state);
        record.begin(self.fight.combatants.len());
        T::play(self.under_way(state, chance, observer, record));
    }

    /// Plays on from `state` to the next moment at which `state` alone says what is under way. Returns whether the
    /// encounter is over; if so, `record` says how it ended.
    pub(crate) fn step<C: Chance, O: ClockObserver>(
        &self,
        state: &mut ClockState<T>,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    ) -> bool {
        T::play_on(&mut self.under_way(state, chance, observer, record))
    }
}

impl<'a, T: Clock, C: Chance, O: ClockObserver> Encounter<'a, T, C, O> {
    /// Plays the encounter to its end, apart from others if its fight `is_plain`.
    #[inline]
    pub(crate) fn play_as(mut self, is_plain: bool)
    where
        Self: Rounds<'a>,
        Encounter<'a, T, C, O, true>: Rounds<'a>,
    {
        // Only sampling without an observer needs to be fast.
        if !is_plain || O::LISTENS {
            while !self.play_on() {}
            return;
        }
        let Self {
            plan,
            state,
            chance,
            observer,
            record,
        } = self;
        let mut plain = Encounter::<T, C, O, true> {
            plan,
            state,
            chance,
            observer,
            record,
        };
        while !plain.play_on() {}
    }
}

impl<'a, T: Clock, C: Chance, O: ClockObserver, const PLAIN: bool> Stage<'a>
    for Encounter<'a, T, C, O, PLAIN>
where
    Self: Hooks,
{
    type Actor = T::Actor;
    type Profile = T::Profile;
    type Chance = C;
    type Observer = O;
    const PLAIN: bool = PLAIN;

    #[inline]
    fn fight(&self) -> &'a Fight {
        &self.plan.fight
    }

    #[inline]
    fn constants(&self) -> &'a Constants {
        &self.plan.constants
    }

    #[inline]
    fn profiles(&self) -> &'a [T::Profile; MAX_COMBATANTS] {
        &self.plan.profiles
    }

    #[inline]
    fn compiled_lines(&self, who: usize) -> &'a CompiledLines {
        &self.plan.compiled_lines[who]
    }

    #[inline]
    fn walk_effects(&self, who: usize) -> &'a [WalkEffect] {
        &self.plan.walk_effects[who]
    }

    #[inline]
    fn order(&self) -> &'a Order {
        &self.plan.order
    }

    #[inline]
    fn round(&self) -> u32 {
        self.state.round
    }

    #[inline]
    fn world(&self) -> &World<T::Actor> {
        &self.state.world
    }

    #[inline]
    fn world_mut(&mut self) -> &mut World<T::Actor> {
        &mut self.state.world
    }

    #[inline]
    fn put_off(&mut self) -> &mut PutOff {
        &mut self.state.put_off
    }

    #[inline]
    fn places(&mut self) -> &mut Places {
        &mut self.state.places
    }

    #[inline]
    fn chance_and_observer(&mut self) -> (&mut C, &mut O) {
        (self.chance, self.observer)
    }

    #[inline]
    fn record(&mut self) -> &mut Record {
        self.record
    }

    #[inline]
    fn keep_health(&mut self) {
        self.record.keep_health(&self.state.world);
    }

    fn situation(&self) -> Option<Vec<u8>> {
        let is_alone = self.state.stack.depth() == 0 && self.state.put_off.together == 0;
        let written = || postcard::to_stdvec(self.state);
        let written = (T::TELLS_ALL && is_alone).then(written)?;
        Some(written.expect("a state is made of numbers and lists"))
    }
}
