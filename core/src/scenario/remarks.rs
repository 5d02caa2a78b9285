//! Remarks on misleading fights, and `silence`, which switches them off by name.

use crate::document::reader::{self, Reader};
use crate::names::named;

/// Declares the remarks, one row each: the variant, its name and its meaning.
macro_rules! remarks {
    ($($Variant:ident $name:literal $meaning:literal;)+) => {
        named! {
            /// A remark that a run may make on its fight, with its name in `silence`.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
            pub enum Remark {
                $(#[doc = $meaning] $Variant $name;)+
            }
        }

        impl Remark {
            /// Returns its meaning.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$Variant => $meaning,)+
                }
            }
        }
    };
}

remarks! {
    Timeouts "timeouts" "many encounters end as timeouts";
    NeverActs "never-acts" "a combatant never finds a legal line";
    NeverAttacks "never-attacks" "an armed combatant never attacks and casts no spell";
    NeverHurts "never-hurts" "a combatant attacks and never does damage";
    UnusedLine "unused-line" "a policy line is never taken";
    UnusedWeapon "unused-weapon" "a weapon never attacks";
    UnusedSpell "unused-spell" "a spell is never cast";
    UnusedItem "unused-item" "an item is never used";
    FarAway "far-away" "a combatant walks far out of a fight without walls";
    StepBack "step-back" "a single Unit of retreat beats a fixed Score (TC-9, TC-16)";
    IdleCondition "idle-condition" "a condition is never in force when it would count";
    IdleRenewal "idle-renewal" "a condition is renewed without effect";
    DiceAsPoints "dice-as-points" "a penalty in dice takes points off a roll";
    SharedNumber "shared-number" "a number of a sensitivity belongs to both sides";
}

/// Reads `silence`: the remarks to switch off.
pub(super) fn silence(top: &mut Reader<'_>) -> Vec<Remark> {
    let mut silenced = Vec::new();
    for (_, node) in top.texts("silence").unwrap_or_default() {
        silenced.extend(top.ok_or_report(reader::choice(node, "silence", Remark::ALL)));
    }
    silenced
}
