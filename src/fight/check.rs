//! Checks: whether an attempt works.

use super::health::Roll;

/// A kind of check, compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// Roll and add; at or over the target number works (TC-22).
    RollOver {
        /// Dice and bonus together.
        roll: Roll,
    },
}
