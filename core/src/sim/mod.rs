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
pub mod encounter;
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
    pub(crate) use super::stage::{Hooks, Stage};
    pub(crate) use super::surroundings::Surroundings;
    pub(crate) use super::targets::Targets;
}

pub use encounter::{Clock, Encounter, Plan, State};
pub use events::{Event, Moment};
pub use observer::{ClockObserver, Observer, Silent};
pub use record::{Counts, First, PhaseCounts, Record};
