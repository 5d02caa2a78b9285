//! The view of a deciding combatant: itself, its enemies, the possible targets of an action (W-4), and the values of
//! the variables that a condition asks for.

use super::state::MarkActor;
use super::{Encounter, MarkProfile, flags};
use crate::sim::compiled_lines::{Need, OWN, OWN_TRUTH, TRUTHS};
use crate::sim::decide;
use crate::sim::prelude::*;

/// Marks left.
pub(super) const MARKS: usize = OWN;
/// Units of Land Speed left.
pub(super) const MOVE_LEFT: usize = OWN + 1;
pub(super) const MARK: usize = OWN + 2;
pub(super) const ATTACKS: usize = OWN + 3;
pub(super) const SCORE: usize = OWN + 4;

/// A Set would have no use.
pub(super) const READY: i32 = 1 << OWN_TRUTH;
/// A Full Action can be paid for (TC-5).
pub(super) const FULL: i32 = 1 << (OWN_TRUTH + 1);
/// A CAR move is left this Round.
pub(super) const CAN_CAR: i32 = 1 << (OWN_TRUTH + 2);
pub(super) const CASTING: i32 = 1 << (OWN_TRUTH + 3);
/// A Mark and a Unit of Land Speed are left (TC-6).
pub(super) const CAN_WALK: i32 = 1 << (OWN_TRUTH + 4);

/// Returns the deeds of a combatant as truths.
#[inline]
pub(super) const fn flag_bits(flags: Flags) -> i32 {
    flags.bits() << (OWN_TRUTH + 5)
}

/// Returns the number of a decision that a variable of this clock is, or the need that it is true, for a combatant that is free to decide.
pub(super) fn fact(variable: Variable) -> Option<Need> {
    Some(match variable {
        Variable::Mark => Need::any(MARK),
        Variable::Marks => Need::any(MARKS),
        Variable::Score => Need::any(SCORE),
        Variable::MoveLeft => Need::any(MOVE_LEFT),
        Variable::Moved => Need::one(TRUTHS, flag_bits(flags::MOVED)),
        Variable::Acted => Need::one(TRUTHS, flag_bits(flags::ACTED.and(flags::MOVED))),
        Variable::Attacked => Need::one(ATTACKS, -1),
        Variable::Ready => Need::one(TRUTHS, READY),
        Variable::CanCar => Need::one(TRUTHS, CAN_CAR),
        Variable::Casting => Need::one(TRUTHS, CASTING),
        _ => return None,
    })
}

/// The view of a deciding combatant.
pub(super) type View<'a> = decide::View<'a, MarkActor, MarkProfile>;

impl View<'_> {
    /// Checks that the Marks left pay the cost, or that it is a Full Action and the Round's first action (TC-5).
    #[inline(always)]
    pub(super) fn affords(&self, cost: Cost) -> Result<(), Obstacle> {
        if self.actor.marks >= self.profile.costs.of(cost)
            || (cost == Cost::Full && !self.actor.flags.any(flags::ACTED))
        {
            Ok(())
        } else {
            Err(Obstacle::Marks)
        }
    }

    /// Returns the Units of Land Speed left this Round (TC-6).
    #[inline]
    pub(super) fn move_left(&self) -> Units {
        self.body.speed - self.actor.moved_units
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Returns the target of an action that reaches up to `high` Units (W-4).
    #[inline]
    pub(super) fn target(&self, view: &View<'_>, aim: Aim, high: Units) -> Result<u8, Obstacle> {
        let target = self.aimed(view, aim, high).ok_or(Obstacle::NoTarget)?;
        Ok(target as u8)
    }

    /// Returns the Units of Land Speed left this Round (TC-6).
    #[inline]
    pub(super) fn move_left(&self, who: usize) -> Units {
        self.body(who).speed - self.actor(who).moved_units
    }
}
