//! The state of an encounter: plain data.

use super::choose::Choice;
use crate::fight::program::Mode;
use crate::fight::world::World;
use crate::fight::{Fight, Units};
use crate::sim::beats::Part;
use crate::sim::damage::PutOff;
use crate::sim::flags::set_of_flags;
use crate::sim::walk::MoveInProgress;
use serde::{Deserialize, Serialize};

/// The state of an encounter on this clock.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// Positions, health and items.
    pub(super) world: World<Actor>,
    /// The turn under way, from 1; 0 before the first.
    pub turn: u32,
    /// Whether Sleepers watch this turn (MD-5).
    pub(super) watched: bool,
    /// The current initiative.
    pub initiative: i32,
    /// The tied combatants, and their pending damage to one another (W-5).
    #[serde(skip)]
    pub(super) put_off: PutOff,
    /// All combatants in the order of this turn, with their sort keys.
    pub(super) order: Vec<Place>,
    /// The parts of simultaneous combatants in this beat.
    #[serde(skip)]
    pub(super) parts: Vec<Part<Choice>>,
    /// The next place in the order; beyond its end the turn is over.
    pub(super) place: usize,
}

impl State {
    pub(super) fn new(fight: &Fight) -> Self {
        let count = fight.combatants.len();
        Self {
            world: World::new(fight),
            turn: 0,
            watched: false,
            initiative: 0,
            put_off: PutOff::new(count),
            order: vec![Place::NOBODY; count],
            place: count,
            parts: vec![Part::Pass; count],
        }
    }

    /// Copies another state into the existing buffers.
    pub(super) fn reset_to(&mut self, other: &Self) {
        self.world.reset_to(&other.world);
        self.turn = other.turn;
        self.watched = other.watched;
        self.initiative = other.initiative;
        self.put_off.reset_to(&other.put_off);
        self.order.copy_from_slice(&other.order);
        self.place = other.place;
    }
}

/// A place in the order of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Place {
    /// The sort key: the greater comes first, equals act simultaneously (MA-1).
    pub key: i32,
    pub who: u8,
}

impl Place {
    /// A place after all others, which no combatant has.
    pub(super) const NOBODY: Self = Self {
        key: i32::MIN,
        who: 0,
    };
}

/// The state of one combatant on this clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Actor {
    /// The initiative total of this turn or of the scene.
    pub initiative: i32,
    /// Actions left this turn (MA-3).
    pub actions: u8,
    pub flags: Flags,
    /// Yards moved this turn.
    pub yards: Units,
    /// The mode of these yards or, before the first yard, of the move that is to make it.
    pub mode: Option<Mode>,
    /// The yards that this turn's climbing roll allows.
    pub climbs: Units,
    /// The move under way.
    pub moving: Option<MoveInProgress>,
    /// The turns at full speed that it has spent (MA-6).
    pub spent: i32,
    /// The clumsy weapon that it is getting ready, and the turns that this still takes (MA-3).
    pub readying: Option<(u8, u8)>,
    /// The ritual under way (MD-7).
    pub ritual: Option<Ritual>,
    /// The Paradox gathered, less backlash (MD-6).
    pub paradox: u32,
    /// The points of Willpower spent (MD-4).
    pub willpower_spent: u8,
}

/// A set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Flags(pub u16);

impl Flags {
    /// Took an action this turn.
    pub(super) const ACTED: Self = Self(1 << 0);
    /// Attacked this turn.
    pub(super) const ATTACKED: Self = Self(1 << 1);
    /// Divided an action this turn (MA-3).
    pub(super) const DIVIDED: Self = Self(1 << 2);
    /// Its turn is over.
    pub(super) const DONE: Self = Self(1 << 3);
    /// Rolled this turn to go beyond its endurance (MA-6).
    pub(super) const PUSHED: Self = Self(1 << 4);
    /// The roll to go beyond its endurance failed, which halves the rates.
    pub(super) const EXHAUSTED: Self = Self(1 << 5);
    /// Moves no more in this encounter (MA-6).
    pub(super) const COLLAPSED: Self = Self(1 << 6);
    /// Was shot at since its last turn (MA-6).
    pub(super) const UNDER_FIRE: Self = Self(1 << 7);
    /// Loses its next turn (MD-6).
    pub(super) const STUNNED: Self = Self(1 << 8);
    /// Moves no more this turn (MA-6).
    pub(super) const STOPPED: Self = Self(1 << 9);
    /// Spent Willpower this turn (MD-4).
    pub(super) const WILLED: Self = Self(1 << 10);
    /// Rolled to climb this turn, which took an action (MA-4).
    pub(super) const CLIMBED: Self = Self(1 << 11);
    /// Was shot at by a tied combatant; counts when the tied turns are over (W-5).
    pub(super) const SHOT_AT_IN_TIE: Self = Self(1 << 12);

    /// The flags that last beyond a turn.
    pub(super) const LASTING: Self = Self(Self::COLLAPSED.0 | Self::UNDER_FIRE.0 | Self::STUNNED.0);
}

set_of_flags!(Flags);

/// A ritual under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Ritual {
    pub spell: u8,
    pub target: u8,
    /// The successes gathered.
    pub gathered: i64,
    /// The Paradox paid for it so far.
    pub paid: u32,
    /// The number of rolls that added nothing, up to the number that make the next one harder.
    pub failed: u8,
    /// The turns of work since the last roll, where a roll takes several turns.
    pub worked: u8,
}
