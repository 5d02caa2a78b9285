//! A set of flags of a combatant, as bits of one word. Each clock names its own.

use serde::{Deserialize, Serialize};

/// A set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(crate) struct Flags(pub(crate) u16);

impl Flags {
    pub(crate) const NONE: Self = Self(0);

    /// The union of two sets.
    #[inline]
    pub(crate) const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether the two sets have a flag in common.
    #[inline]
    pub(crate) const fn any(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// The intersection of two sets.
    #[inline]
    pub(crate) const fn among(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// The flags as the bits of a number.
    #[inline]
    pub(crate) const fn bits(self) -> i32 {
        self.0 as i32
    }

    #[inline]
    pub(crate) const fn add(&mut self, others: Self) {
        self.0 |= others.0;
    }

    #[inline]
    pub(crate) const fn drop(&mut self, others: Self) {
        self.0 &= !others.0;
    }
}
