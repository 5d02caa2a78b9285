//! Sets of things that are so of a combatant, the bits of one word.

/// What every such set can do. A clock says what its bits mean.
macro_rules! set_of_flags {
    ($flags:ident) => {
        #[allow(dead_code, reason = "not every clock asks all of it")]
        impl $flags {
            /// These and others.
            #[inline]
            pub(super) const fn and(self, others: Self) -> Self {
                Self(self.0 | others.0)
            }

            /// Whether any of those is among these.
            #[inline]
            pub(super) const fn any(self, others: Self) -> bool {
                self.0 & others.0 != 0
            }

            /// Those of these that are among others.
            #[inline]
            pub(super) const fn among(self, others: Self) -> Self {
                Self(self.0 & others.0)
            }

            /// They as the bits of a number.
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
