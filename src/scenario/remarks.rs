//! Remarks on misleading fights, and `silence`, which switches them off by name.

use crate::document::reader::{self, Reader};

macro_rules! remarks {
    ($($remark:ident $name:literal $about:literal;)+) => {
        /// A remark that a run may make on its fight.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Remark {
            $(#[doc = $about] $remark,)+
        }

        impl Remark {
            /// All remarks by name.
            pub const ALL: &[(&'static str, Self)] = &[$(($name, Self::$remark),)+];

            /// Returns the name in `silence`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$remark => $name,)+
                }
            }
        }
    };
}

remarks! {
    Timeouts "timeouts" "Many encounters end as timeouts.";
    NeverActs "never-acts" "A combatant never finds a legal line.";
    NeverAttacks "never-attacks" "An armed combatant never attacks and casts no spell.";
    UnusedLine "unused-line" "A policy line is never taken.";
    UnusedWeapon "unused-weapon" "A weapon never attacks.";
    UnusedSpell "unused-spell" "A spell is never cast.";
    UnusedItem "unused-item" "An item is never used.";
    FarAway "far-away" "A combatant walks far out of a fight without walls.";
    StepBack "step-back" "A single Unit of retreat beats a fixed Score (TC-9, TC-16).";
    SharedNumber "shared-number" "A number of a sensitivity belongs to both sides.";
}

/// Reads `silence`: the remarks to switch off.
pub(super) fn silence(top: &mut Reader<'_>) -> Vec<Remark> {
    let mut silenced = Vec::new();
    for (_, node) in top.texts("silence").unwrap_or_default() {
        silenced.extend(top.ok_or_report(reader::choice(node, "silence", Remark::ALL)));
    }
    silenced
}
