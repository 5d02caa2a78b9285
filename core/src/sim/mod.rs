//! One encounter: the parts that all systems share.
//!
//! A system implements [`Clock`] with a plan (constant for a fight and its rulings), a state that is plain data, and a
//! way to play one encounter. `stage` holds dice, targets, the line, damage and falling, gear, and the reasons why a
//! policy line is not taken. `decide`, `walk` and `beats` are for clocks on which combatants consider one policy line
//! at a time, move Unit by Unit and, if tied, act beat by beat; `interrupt` is for clocks with interruptions.
//! [`events`], which an [`observer`] receives, and [`record`] are the output of an encounter.

pub(crate) mod beats;
pub(crate) mod compiled_lines;
pub(crate) mod conditions;
pub(crate) mod damage;
pub(crate) mod decide;
pub(crate) mod deeds;
pub(crate) mod effects;
pub mod events;
pub(crate) mod facts;
pub(crate) mod flags;
pub mod initiative;
pub(crate) mod interrupt;
pub(crate) mod items;
pub(crate) mod notes;
pub mod observer;
pub mod record;
pub(crate) mod roller;
pub(crate) mod rounds;
pub(crate) mod stage;
pub(crate) mod surroundings;
pub(crate) mod targets;
pub(crate) mod walk;

/// [`Stage`](stage::Stage) and the traits built on it.
pub(crate) mod prelude {
    pub(crate) use super::conditions::Conditions;
    pub(crate) use super::damage::Damages;
    pub(crate) use super::effects::Effects;
    pub(crate) use super::facts::Facts;
    pub(crate) use super::items::Items;
    pub(crate) use super::notes::Notes;
    pub(crate) use super::rounds::Rounds;
    pub(crate) use super::stage::Stage;
    pub(crate) use super::surroundings::Surroundings;
    pub(crate) use super::targets::Targets;
}

pub use events::{Event, Moment};
pub use observer::{ClockObserver, Observer, Silent};
pub use record::{Counts, First, PhaseCounts, Record};

use crate::chance::Chance;
use crate::fight::Fight;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A fight on a clock: all data that is constant from encounter to encounter.
pub trait Clock {
    /// The options of `[rules]` that it plays by.
    type Rules;

    /// The changing state of one encounter: plain data, which can be serialized between two steps.
    type State: Clone + Send + Serialize + DeserializeOwned;

    /// Prepares a fight for the clock.
    fn new(fight: Fight, rules: Self::Rules) -> Self;

    /// The fight.
    fn fight(&self) -> &Fight;

    /// The state in which every encounter begins.
    fn start(&self) -> Self::State;

    /// Plays one encounter from the start, whatever `state` holds, and leaves its result in `record`.
    fn play<C: Chance, O: ClockObserver>(
        &self,
        state: &mut Self::State,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    );

    /// Plays on from `state` to the next moment at which `state` alone says what is under way. Returns whether the
    /// encounter is over; if so, `record` says how it ended.
    fn step<C: Chance, O: ClockObserver>(
        &self,
        state: &mut Self::State,
        chance: &mut C,
        observer: &mut O,
        record: &mut Record,
    ) -> bool;

    /// Copies a state of the same fight.
    fn copy(&self, from: &Self::State, to: &mut Self::State);

    /// Clears data that nothing reads between two steps, so that situations with the same future have equal states.
    fn forget(&self, state: &mut Self::State);

    /// Completes a deserialized state with the data that is not written: it never changes, or is empty between two
    /// steps.
    fn complete(&self, state: &mut Self::State);

    /// Whether the next step will probably neither ask chance for anything nor begin a Round: a guess that spares
    /// copies.
    fn is_calm(&self, _: &Self::State) -> bool {
        false
    }

    /// The Round under way, from 1; 0 before the first.
    fn round<'a>(&self, state: &'a mut Self::State) -> &'a mut u32;

    /// The length of a Round, in the units in which a record counts time.
    fn round_length(&self) -> u32 {
        1
    }
}
