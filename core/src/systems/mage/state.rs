//! The state of an encounter: plain data.

use crate::fight::program::Mode;
use crate::sim::prelude::*;
use serde::{Deserialize, Serialize};

/// What this clock adds to the state of an encounter.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct TurnState {
    /// Whether Sleepers watch this turn (MD-5).
    pub(super) watched: bool,
    /// The current initiative.
    pub(super) initiative: i32,
}

/// The state of one combatant on this clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct TurnActor {
    /// Actions left this turn (MA-3).
    pub(super) actions: u8,
    pub(super) flags: Flags,
    /// Yards moved this turn.
    pub(super) yards: Units,
    /// The mode of these yards or, before the first yard, of the move that is to make it.
    pub(super) mode: Option<Mode>,
    /// The yards that this turn's climbing roll allows.
    pub(super) climbs: Units,
    /// The move under way.
    pub(super) moving: Option<MoveInProgress>,
    /// The turns at full speed that it has spent (MA-6).
    pub(super) spent: i32,
    /// The clumsy weapon that it is getting ready, and the turns that this still takes (MA-3).
    pub(super) readying: Option<(u8, u8)>,
    /// The ritual under way (MD-7).
    pub(super) ritual: Option<Ritual>,
    /// The Paradox gathered, less backlash (MD-6).
    pub(super) paradox: u32,
    /// The points of Willpower spent (MD-4).
    pub(super) willpower_spent: u8,
}

/// A ritual under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Ritual {
    pub(super) spell: u8,
    pub(super) target: u8,
    /// The successes gathered.
    pub(super) gathered: i64,
    /// The Paradox paid for it so far.
    pub(super) paid: u32,
    /// The number of rolls that added nothing, up to the number that make the next one harder.
    pub(super) failed: u8,
    /// The turns of work since the last roll, where a roll takes several turns.
    pub(super) worked: u8,
}
