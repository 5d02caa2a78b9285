//! The flags of a combatant.

use crate::sim::flags::Flags;

/// Took an action this turn.
pub(super) const ACTED: Flags = Flags(1 << 0);
/// Attacked this turn.
pub(super) const ATTACKED: Flags = Flags(1 << 1);
/// Divided an action this turn (MA-3).
pub(super) const DIVIDED: Flags = Flags(1 << 2);
/// Its turn is over.
pub(super) const DONE: Flags = Flags(1 << 3);
/// Rolled this turn to go beyond its endurance (MA-6).
pub(super) const PUSHED: Flags = Flags(1 << 4);
/// The roll to go beyond its endurance failed, which halves the rates.
pub(super) const EXHAUSTED: Flags = Flags(1 << 5);
/// Moves no more in this encounter (MA-6).
pub(super) const COLLAPSED: Flags = Flags(1 << 6);
/// Was shot at since its last turn (MA-6).
pub(super) const UNDER_FIRE: Flags = Flags(1 << 7);
/// Moves no more this turn (MA-6).
pub(super) const STOPPED: Flags = Flags(1 << 9);
/// Spent Willpower this turn (MD-4).
pub(super) const WILLED: Flags = Flags(1 << 10);
/// Rolled to climb this turn, which took an action (MA-4).
pub(super) const CLIMBED: Flags = Flags(1 << 11);
/// Was shot at by a tied combatant; counts when the tied turns are over (W-5).
pub(super) const SHOT_AT_IN_TIE: Flags = Flags(1 << 12);

/// The flags that last beyond a turn.
pub(super) const LASTING: Flags = Flags(COLLAPSED.0 | UNDER_FIRE.0);
