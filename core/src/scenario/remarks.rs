//! Remarks on misleading fights, and `silence`, which switches them off by name.

use crate::document::reader::{self, Reader};
use crate::names::named;

named! {
    /// A remark that a run may make on its fight, with its name in `silence`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Remark {
        /// Many encounters end as timeouts.
        Timeouts "timeouts";
        /// A combatant never finds a legal line.
        NeverActs "never-acts";
        /// An armed combatant never attacks and casts no spell.
        NeverAttacks "never-attacks";
        /// A combatant attacks and never does damage.
        NeverHurts "never-hurts";
        /// A policy line is never taken.
        UnusedLine "unused-line";
        /// A weapon never attacks.
        UnusedWeapon "unused-weapon";
        /// A spell is never cast.
        UnusedSpell "unused-spell";
        /// An item is never used.
        UnusedItem "unused-item";
        /// A combatant walks far out of a fight without walls.
        FarAway "far-away";
        /// A single Unit of retreat beats a fixed Score (TC-9, TC-16).
        StepBack "step-back";
        /// A condition is never in force when it would count.
        IdleCondition "idle-condition";
        /// A condition is renewed without effect.
        IdleRenewal "idle-renewal";
        /// A penalty in dice takes points off a roll.
        DiceAsPoints "dice-as-points";
        /// A number of a sensitivity belongs to both sides.
        SharedNumber "shared-number";
    }
}

/// Reads `silence`: the remarks to switch off.
pub(super) fn silence(top: &mut Reader<'_>) -> Vec<Remark> {
    let mut silenced = Vec::new();
    for (_, node) in top.texts("silence").unwrap_or_default() {
        silenced.extend(top.ok_or_report(reader::choice(node, "silence", Remark::ALL)));
    }
    silenced
}
