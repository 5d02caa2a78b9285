//! The flags of a combatant.

use crate::sim::flags::Flags;

/// Took this turn's action.
pub(super) const ACTED: Flags = Flags(1 << 0);
/// Attacked this turn.
pub(super) const ATTACKED: Flags = Flags(1 << 1);
/// This turn has been interrupted.
pub(super) const INTERRUPTED: Flags = Flags(1 << 2);
/// Has come in after a delay this Round (CD-2).
pub(super) const DELAYED: Flags = Flags(1 << 3);
/// An enemy's turn has ended since it began to delay.
pub(super) const ENEMY_ACTED: Flags = Flags(1 << 4);
/// Hurt an enemy this turn.
pub(super) const HURT: Flags = Flags(1 << 5);
/// The flags that are cleared when the next Round begins.
pub(super) const OF_THE_ROUND: Flags = DELAYED.and(ENEMY_ACTED);
/// Its readied action takes the place of a turn of this Round (CD-3).
pub(super) const REPLACES: Flags = Flags(1 << 6);
