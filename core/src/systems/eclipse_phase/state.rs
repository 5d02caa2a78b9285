//! The state of an encounter: plain data.

use super::choose::Choice;
use super::rules::MOST_PHASES;
use crate::fight::traits::MAX_TASKS;
use crate::fight::world::World;
use crate::fight::{Fight, Units};
use crate::sim::beats::Part;
use crate::sim::damage::PutOff;
use crate::sim::flags::set_of_flags;
use crate::sim::interrupt::Interrupts;
use crate::sim::walk::MoveInProgress;
use serde::{Deserialize, Serialize};

/// The state of an encounter on this clock.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// Positions, health and items.
    pub(super) world: World<Actor>,
    /// The turn under way, from 1; 0 before the first.
    pub turn: u32,
    /// The last Phase that has begun, from 1; 0 before the first of a turn. Without Phases a turn counts as one Phase
    /// (EP-7).
    pub phase: u8,
    /// Whether that Phase is under way.
    pub(super) in_phase: bool,
    /// Whether conditions are still to be counted at the end of the turn.
    pub(super) is_to_end: bool,
    /// The combatants that still have a place in this Phase: to act, or for a move under way.
    pub(super) pending: u64,
    /// The sort key of each combatant: its current total, then its rank among equals (EP-5).
    pub(super) keys: Vec<i64>,
    /// The combatants that may have a move under way.
    pub(super) walking: u64,
    /// The combatants that have spent Moxie to go first (EP-5).
    pub(super) first: u64,
    /// The combatants with a delayed action (EP-6).
    pub(super) delayed: u64,
    /// The combatants that have held their delayed action from an earlier Phase.
    pub(super) held: u64,
    /// The stages under way: each interrupts the one below it.
    #[serde(skip)]
    pub(super) stages: Interrupts<Doing>,
    /// The tied combatants, and their pending damage to one another (W-5).
    #[serde(skip)]
    pub(super) put_off: PutOff,
    /// The actions of the current stage in this beat.
    #[serde(skip)]
    pub(super) parts: Vec<Part<Choice>>,
}

impl State {
    pub(super) fn new(fight: &Fight) -> Self {
        let count = fight.combatants.len();
        Self {
            world: World::new(fight),
            turn: 0,
            phase: 0,
            in_phase: false,
            is_to_end: false,
            pending: 0,
            keys: vec![0; count],
            walking: 0,
            first: 0,
            delayed: 0,
            held: 0,
            stages: Interrupts::new(count),
            put_off: PutOff::new(count),
            parts: vec![Part::Pass; count],
        }
    }

    /// Copies another state into the existing buffers. The parts of a beat are written before they are read.
    pub(super) fn reset_to(&mut self, other: &Self) {
        self.world.reset_to(&other.world);
        self.turn = other.turn;
        self.phase = other.phase;
        self.in_phase = other.in_phase;
        self.is_to_end = other.is_to_end;
        self.pending = other.pending;
        self.walking = other.walking;
        self.first = other.first;
        self.keys.copy_from_slice(&other.keys);
        self.delayed = other.delayed;
        self.held = other.held;
        self.stages.clear();
        self.put_off.reset_to(&other.put_off);
    }
}

/// The stage of combatants that no tie-break separates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Doing {
    pub group: u64,
    /// Those of the group that act together (W-5): all that were not stunned as the stage began; none of a single one.
    pub together: u64,
    /// The combatants with a declared action in this beat that is not done yet.
    pub declared: u64,
    /// The total at which they act; 0 if no observer listens.
    pub initiative: i32,
}

/// The state of one combatant on this clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Actor {
    /// This turn's totals without wounds, the highest first: a single one, or one for each point of Speed.
    pub totals: [i16; MOST_PHASES as usize],
    /// The index of the total that is next or under way.
    pub place: u8,
    /// The Phase of its last stage; without Phases, the number of its place.
    pub slot: u8,
    /// Its roll in this turn's last roll-off, and the participants of that roll-off.
    pub edge: i64,
    pub rolled_off: u64,
    pub flags: Flags,
    /// The combatant that it attacked last.
    pub attacked: u8,
    /// Quick Actions left in this stage (EP-3).
    pub quick: u8,
    /// Points of Moxie left (EP-5).
    pub moxie: u8,
    /// Wounds taken (EP-9), and wounds that count when all tied combatants have acted (W-5).
    pub wounds: i32,
    pub wounds_later: i32,
    /// Units moved in this stage and in this turn (EP-8).
    pub moved: Units,
    pub moved_turn: Units,
    /// Units that this stage pays for one of an earlier stage, and Units of this stage that later ones pay (W-15).
    pub debt: Units,
    pub owes: Units,
    /// The move that is being made in this stage.
    pub moving: Option<MoveInProgress>,
    /// The move that goes on in Phases in which the combatant does not act (EP-8).
    pub under_way: Option<UnderWay>,
    /// Stages of work in each of its tasks.
    pub progress: [u16; MAX_TASKS],
}

/// A move that goes on in later Phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct UnderWay {
    /// Index of its policy line among the decisions.
    pub line: u16,
    /// The rest of the move, with its target (W-4); `None` for a move that goes Unit by Unit.
    pub committed: Option<MoveInProgress>,
}

/// A set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Flags(u8);

impl Flags {
    /// This stage is for acting, not only for a move under way.
    pub(super) const ACTING: Self = Self(1 << 0);
    /// This stage is a delayed action.
    pub(super) const INTERRUPTING: Self = Self(1 << 1);
    /// This stage is over.
    pub(super) const DONE: Self = Self(1 << 2);
    /// Took any action in this stage.
    pub(super) const ACTED: Self = Self(1 << 3);
    /// Took the Complex Action of this stage.
    pub(super) const COMPLEX: Self = Self(1 << 4);
    /// Worked at a task in this stage.
    pub(super) const WORKED: Self = Self(1 << 5);
    /// Attacked in this stage.
    pub(super) const ATTACKED: Self = Self(1 << 6);
    /// Acted or moved in this turn.
    pub(super) const BUSY: Self = Self(1 << 7);
    /// The deeds of a stage that count while a move that began in it goes on.
    pub(super) const LASTING: Self = Self::BUSY.and(Self::ACTED).and(Self::ATTACKED);
}

set_of_flags!(Flags);
