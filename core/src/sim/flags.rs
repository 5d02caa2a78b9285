//! Sets of flags of a combatant, as bits of one word.

/// The methods of every set of flags. A clock defines the flags.
macro_rules! set_of_flags {
    ($flags:ident) => {
        #[allow(dead_code, reason = "not every clock uses all of it")]
        impl $flags {
            /// The union of two sets.
            #[inline]
            pub(super) const fn and(self, others: Self) -> Self {
                Self(self.0 | others.0)
            }

            /// Whether the two sets have a flag in common.
            #[inline]
            pub(super) const fn any(self, others: Self) -> bool {
                self.0 & others.0 != 0
            }

            /// The intersection of two sets.
            #[inline]
            pub(super) const fn among(self, others: Self) -> Self {
                Self(self.0 & others.0)
            }

            /// The flags as the bits of a number.
            #[inline]
            pub(super) const fn bits(self) -> i32 {
                self.0 as i32
            }

            #[inline]
            pub(super) const fn add(&mut self, others: Self) {
                self.0 |= others.0;
            }

            #[inline]
            pub(super) const fn drop(&mut self, others: Self) {
                self.0 &= !others.0;
            }
        }
    };
}

pub(crate) use set_of_flags;
