//! One encounter: the parts that all systems share.
//!
//! An [`encounter`] has a plan (constant for a fight and its rulings) and a state that is plain data; a system implements
//! [`Clock`] with its own part of both, and says in `stage::Hooks` what its rules decide. `stage`, `attack` and others
//! hold dice, targets, the line, attacks, damage and falling, gear, and the reasons why a policy line is not taken.
//! `decide` finds the line to take; `walk` and `beats` are for clocks on which combatants move Unit by Unit and, if tied,
//! act beat by beat; `interrupt` is for clocks with interruptions.
//! [`events`], which an [`observer`] receives, and [`record`] are the output of an encounter.

pub(crate) mod after;
pub(crate) mod attack;
pub(crate) mod beats;
pub(crate) mod cards;
pub(crate) mod compiled_lines;
pub(crate) mod conditions;
pub(crate) mod damage;
pub(crate) mod decide;
pub(crate) mod deeds;
pub(crate) mod down;
pub(crate) mod effects;
pub mod encounter;
pub mod events;
pub(crate) mod facts;
pub(crate) mod flags;
pub(crate) mod hit;
pub mod initiative;
pub(crate) mod interrupt;
pub(crate) mod items;
pub(crate) mod notes;
pub mod observer;
pub mod order;
pub mod record;
pub(crate) mod roller;
pub(crate) mod rounds;
pub(crate) mod stage;
pub(crate) mod surroundings;
pub(crate) mod targets;
pub(crate) mod walk;

/// What nearly every part of an encounter names: [`Stage`](stage::Stage) and the traits built on it, and the words of
/// fights.
pub(crate) mod prelude {
    pub(crate) use crate::chance::{Chance, Purpose};
    pub(crate) use crate::fight::check::{Attempt, Check, CheckTerms};
    pub(crate) use crate::fight::lasting::{Number, Twice};
    pub(crate) use crate::fight::program::{Action, Aim, Leaving, Line, Window};
    pub(crate) use crate::fight::sum::{Modifier, Sum};
    pub(crate) use crate::fight::world::{bit, is_single, members, set_of};
    pub(crate) use crate::fight::{
        Combatant, Cost, Ending, Fight, MAX_COMBATANTS, Marks, Spell, Units, Variable, Weapon,
        WeaponKind,
    };

    pub(crate) use super::after::AfterRolls;
    pub(crate) use super::attack::Attacks;
    pub(crate) use super::beats::{Beats, Part, Steps};
    pub(crate) use super::conditions::Conditions;
    pub(crate) use super::damage::Damages;
    pub(crate) use super::decide::Decide;
    pub(crate) use super::deeds::Deed;
    pub(crate) use super::down::Downs;
    pub(crate) use super::effects::{Effects, Penalties};
    pub(crate) use super::events::{AttackKind, Event, MoveKind, Obstacle};
    pub(crate) use super::facts::Facts;
    pub(crate) use super::flags::Flags;
    pub(crate) use super::hit::Hit;
    pub(crate) use super::items::Items;
    pub(crate) use super::notes::Notes;
    pub(crate) use super::observer::{ClockObserver, Silent};
    pub(crate) use super::order::{Order, Turns, When};
    pub(crate) use super::roller::{Roller, roll_attack, roll_check};
    pub(crate) use super::rounds::Rounds;
    pub(crate) use super::stage::{Hooks, Stage, Target, TargetAt};
    pub(crate) use super::surroundings::Surroundings;
    pub(crate) use super::targets::Targets;
    pub(crate) use super::walk::{MoveInProgress, Walk};
}

pub use encounter::{Clock, Encounter, Plan, State};
pub use events::{Event, Moment};
pub use hit::roll_damage;
pub use observer::{ClockObserver, Observer, Silent};
pub use record::{Counts, First, PhaseCounts, Record};
