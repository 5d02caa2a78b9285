//! When a run is long enough.

use std::num::NonZeroU64;

/// What ends a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopRule {
    /// A fixed count of encounters.
    Encounters(NonZeroU64),
}

impl StopRule {
    /// The most encounters that it lets be played.
    #[must_use]
    pub fn most(self) -> u64 {
        match self {
            Self::Encounters(count) => count.get(),
        }
    }
}
