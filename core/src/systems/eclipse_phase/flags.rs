//! The flags of a combatant.

use crate::sim::flags::Flags;

/// This stage is for acting, not only for a move under way.
pub(super) const ACTING: Flags = Flags(1 << 0);
/// This stage is a delayed action.
pub(super) const INTERRUPTING: Flags = Flags(1 << 1);
/// This stage is over.
pub(super) const DONE: Flags = Flags(1 << 2);
/// Took any action in this stage.
pub(super) const ACTED: Flags = Flags(1 << 3);
/// Took the Complex Action of this stage.
pub(super) const COMPLEX: Flags = Flags(1 << 4);
/// Worked at a task in this stage.
pub(super) const WORKED: Flags = Flags(1 << 5);
/// Attacked in this stage.
pub(super) const ATTACKED: Flags = Flags(1 << 6);
/// Acted or moved in this turn.
pub(super) const BUSY: Flags = Flags(1 << 7);
/// The deeds of a stage that count while a move that began in it goes on.
pub(super) const LASTING: Flags = BUSY.and(ACTED).and(ATTACKED);
