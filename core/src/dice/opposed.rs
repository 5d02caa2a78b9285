//! Opposed rolls: the net successes of two pools compared.

use super::distribution::{Distribution, Versus};
use super::pool::PoolOdds;

/// The exact odds of two pools against each other.
#[derive(Debug, Clone, PartialEq)]
pub struct OpposedOdds {
    /// Net successes of the first pool less those of the second.
    pub margin: Distribution,
    /// The comparison of the two nets.
    pub versus: Versus,
}

impl OpposedOdds {
    /// Compares the net successes of two pools. With `floored`, a net below 0 counts as 0, so that the milder botch
    /// does not win.
    pub fn of(first: &PoolOdds, second: &PoolOdds, floored: bool) -> Self {
        let net = |odds: &PoolOdds| {
            let net = odds.net();
            if floored {
                net.map(|value| value.max(0))
            } else {
                net
            }
        };
        let (first, second) = (net(first), net(second));
        Self {
            margin: first.plus(&second.negated()),
            versus: first.versus(&second),
        }
    }
}
