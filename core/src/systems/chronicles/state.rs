//! The state of an encounter: plain data.

use super::trigger::KINDS;
use crate::fight::world::World;
use crate::fight::{Fight, MOST_ONGOING, Units};
use crate::sim::damage::PutOff;
use crate::sim::deeds::Deed;
use crate::sim::flags::set_of_flags;
use crate::sim::interrupt::Interrupts;
use crate::sim::walk::MoveInProgress;
use serde::{Deserialize, Serialize};

/// The state of an encounter on this clock.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// Positions, health and items.
    pub(super) world: World<Actor>,
    /// The Round under way, from 1; 0 before the first.
    pub round: u32,
    /// The number of turns begun this Round.
    pub turn: i32,
    /// Always empty: there are no ties on this clock, so no damage is pending.
    #[serde(skip)]
    pub(super) put_off: PutOff,
    /// All combatants in order, including the fallen (CD-1).
    pub(super) order: Vec<u8>,
    /// The combatants whose turn is still to come this Round.
    pub(super) due: u64,
    /// The combatants whose turn an early trigger has taken and whose new place is still to come this Round, with its
    /// effects alone (CD-5).
    pub(super) effects_due: u64,
    /// The index in the order before which no combatant is due.
    pub(super) upcoming: usize,
    /// The combatants that wait to come in (CD-2).
    pub(super) delaying: u64,
    /// The combatants that have come in and not had their turn yet. Their turns are next (CD-2).
    pub(super) coming: u64,
    /// The combatants with a readied action (CD-3).
    pub(super) readied: u64,
    /// For each kind of event, the combatants whose readied action waits for it. It may still hold combatants whose
    /// readied action is gone.
    pub(super) awaited: [u64; KINDS],
    /// The combatants whose effects have happened this Round (CD-5).
    pub(super) settled: u64,
    /// The combatants that have fallen since readied actions were last checked for falls (CD-3).
    pub(super) fallen: u64,
    /// Whether any combatant has hurt an enemy yet.
    pub(super) blood: bool,
    /// The actions in progress: each interrupts the one below it.
    #[serde(skip)]
    pub(super) stack: Interrupts<Doing>,
}

impl State {
    pub(super) fn new(fight: &Fight) -> Self {
        let count = fight.combatants.len();
        Self {
            world: World::new(fight),
            round: 0,
            turn: 0,
            put_off: PutOff::new(count),
            order: (0..count as u8).collect(),
            due: 0,
            effects_due: 0,
            upcoming: 0,
            delaying: 0,
            coming: 0,
            readied: 0,
            awaited: [0; KINDS],
            settled: 0,
            fallen: 0,
            blood: false,
            stack: Interrupts::new(count),
        }
    }

    /// Copies another state into the existing buffers.
    pub(super) fn reset_to(&mut self, other: &Self) {
        self.world.reset_to(&other.world);
        self.put_off.reset_to(&other.put_off);
        self.order.copy_from_slice(&other.order);
        self.stack.reset_to(&other.stack);
        self.round = other.round;
        self.turn = other.turn;
        self.due = other.due;
        self.effects_due = other.effects_due;
        self.upcoming = other.upcoming;
        self.delaying = other.delaying;
        self.coming = other.coming;
        self.awaited = other.awaited;
        self.readied = other.readied;
        self.settled = other.settled;
        self.fallen = other.fallen;
        self.blood = other.blood;
    }
}

/// The progress of an action. Other combatants may interrupt before each step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Doing {
    /// Free to decide.
    Free,
    /// In the middle of a move, between two Units.
    Walking,
    /// About to move a Unit.
    Stepping,
    /// An action is declared and not yet carried out; the index is that of its policy line.
    Declared(Deed, u16),
    /// The action is over.
    Over,
}

/// The state of one combatant on this clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Actor {
    /// The initiative total as rolled.
    pub initiative: i32,
    pub flags: Flags,
    /// Units moved this turn (CD-7).
    pub moved: Units,
    /// The move of this turn that is under way.
    pub moving: Option<MoveInProgress>,
    /// The readied move that is under way, and the Units spent on it. They do not count as Units of a turn (CD-3).
    pub readied_move: Option<(MoveInProgress, Units)>,
    /// The combatant that triggered its readied action.
    pub trigger: u8,
    /// Index among the decisions of the line by which it delays or has readied an action.
    pub line: u16,
    /// The number of attacks that its Defence has been used against since it was last restored (CD-6).
    pub fended: i32,
    /// The ongoing damage of each of the next Rounds (CD-5).
    pub ongoing: [u16; MOST_ONGOING],
}

/// A set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Flags(u8);

impl Flags {
    /// Took this turn's action.
    pub(super) const ACTED: Self = Self(1 << 0);
    /// Attacked this turn.
    pub(super) const ATTACKED: Self = Self(1 << 1);
    /// This turn has been interrupted.
    pub(super) const INTERRUPTED: Self = Self(1 << 2);
    /// Has come in after a delay this Round (CD-2).
    pub(super) const DELAYED: Self = Self(1 << 3);
    /// An enemy's turn has ended since it began to delay.
    pub(super) const ENEMY_ACTED: Self = Self(1 << 4);
    /// The flags that are cleared when the next Round begins.
    pub(super) const OF_THE_ROUND: Self = Self::DELAYED.and(Self::ENEMY_ACTED);
    /// Loses its next turn (CD-6).
    pub(super) const STUNNED: Self = Self(1 << 5);
    /// Its readied action takes the place of a turn of this Round (CD-3).
    pub(super) const REPLACES: Self = Self(1 << 6);
}

set_of_flags!(Flags);
