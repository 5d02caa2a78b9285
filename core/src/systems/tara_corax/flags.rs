//! The deeds of a combatant that the rules refer to, one bit each.

use crate::sim::flags::Flags;

/// Moved this Round, by any means.
pub(super) const MOVED: Flags = Flags(1);
/// Moved, or took an action that is not free, this Round: no Full-Action exception (TC-5).
pub(super) const ACTED: Flags = Flags(1 << 1);
/// Did anything at all this Round, reactions included: no Channel (TC-15).
pub(super) const STIRRED: Flags = Flags(1 << 2);
/// Did something this Round that spoils a full volley (TC-10).
pub(super) const UNSETTLED: Flags = Flags(1 << 3);
/// Moved into melee this Round: a single attack (TC-9).
pub(super) const ENTERED: Flags = Flags(1 << 4);
/// Moved since it was last Set for melee, this Round (TC-9).
pub(super) const MELEE_UNSET: Flags = Flags(1 << 5);
/// Un-set for shooting (TC-10).
pub(super) const SHOT_UNSET: Flags = Flags(1 << 6);
/// Un-set for Combat Casting (TC-14).
pub(super) const SKILL_UNSET: Flags = Flags(1 << 7);
/// Moved since the last ranged attack: the next is single and without mastery (TC-11).
pub(super) const SPOILED: Flags = Flags(1 << 8);
/// Broke a Channel this Round (TC-15).
pub(super) const BROKEN: Flags = Flags(1 << 9);
/// Has used all attack actions of this Round (TC-8).
pub(super) const SPENT: Flags = Flags(1 << 10);
/// Its turn has come, in a fight in which conditions last until turns (W-11).
pub(super) const BEGUN: Flags = Flags(1 << 11);
/// The flags that a Set clears.
pub(super) const UNSET: Flags = MELEE_UNSET.and(SHOT_UNSET).and(SKILL_UNSET);
