//! The state of an encounter: plain data.

use super::rules::MOST_PHASES;
use crate::fight::traits::MAX_TASKS;
use crate::sim::prelude::*;
use serde::{Deserialize, Serialize};

/// What this clock adds to the state of an encounter.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct PhaseState {
    /// The last Phase that has begun, from 1; 0 before the first of a turn. Without Phases a turn counts as one Phase
    /// (EP-7).
    pub(super) phase: u8,
    /// Whether that Phase is under way.
    pub(super) in_phase: bool,
    /// Whether conditions are still to be counted at the end of the turn.
    pub(super) is_to_end: bool,
    /// The combatants that may have a move under way.
    pub(super) walking: u64,
    /// The combatants that have spent Moxie to go first (EP-5).
    pub(super) first: u64,
    /// The combatants with a delayed action (EP-6).
    pub(super) delayed: u64,
    /// The combatants that have held their delayed action from an earlier Phase.
    pub(super) held: u64,
}

/// The stage of combatants that no tie-break separates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Doing {
    pub(super) group: u64,
    /// Those of the group that act together (W-5): all that were not stunned as the stage began; none of a single one.
    pub(super) together: u64,
    /// The combatants with a declared action in this beat that is not done yet.
    pub(super) declared: u64,
    /// The total at which they act; 0 if no observer listens.
    pub(super) initiative: i32,
}

/// The state of one combatant on this clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct PhaseActor {
    /// This turn's totals without wounds, the highest first: a single one, or one for each point of Speed.
    pub(super) totals: [i16; MOST_PHASES as usize],
    /// The index of the total that is next or under way.
    pub(super) place: u8,
    /// The Phase of its last stage; without Phases, the number of its place.
    pub(super) slot: u8,
    /// Its roll in this turn's last roll-off, and the participants of that roll-off.
    pub(super) edge: i64,
    pub(super) rolled_off: u64,
    pub(super) flags: Flags,
    /// The combatant that it attacked last.
    pub(super) attacked: u8,
    /// Quick Actions left in this stage (EP-3).
    pub(super) quick: u8,
    /// Points of Moxie left (EP-5).
    pub(super) moxie: u8,
    /// Wounds taken (EP-9), and wounds that count when all tied combatants have acted (W-5).
    pub(super) wounds: i32,
    pub(super) wounds_later: i32,
    /// Units moved in this stage and in this turn (EP-8).
    pub(super) moved: Units,
    pub(super) moved_turn: Units,
    /// Units that this stage pays for one of an earlier stage, and Units of this stage that later ones pay (W-15).
    pub(super) debt: Units,
    pub(super) owes: Units,
    /// The move that is being made in this stage.
    pub(super) moving: Option<MoveInProgress>,
    /// The move that goes on in Phases in which the combatant does not act (EP-8).
    pub(super) under_way: Option<UnderWay>,
    /// Stages of work in each of its tasks.
    pub(super) progress: [u16; MAX_TASKS],
}

impl PhaseActor {
    /// Returns what lasts beyond a turn.
    #[inline]
    pub(super) fn between_turns(&self) -> Self {
        Self {
            attacked: self.attacked,
            moxie: self.moxie,
            wounds: self.wounds,
            progress: self.progress,
            ..Self::default()
        }
    }
}

/// A move that goes on in later Phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct UnderWay {
    /// Index of its policy line among the decisions.
    pub(super) line: u16,
    /// The rest of the move, with its target (W-4); `None` for a move that goes Unit by Unit.
    pub(super) committed: Option<MoveInProgress>,
}
