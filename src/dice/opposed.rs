//! Opposed rolls: two pools, net against net.

use super::distribution::{Distribution, Versus};
use super::pool::PoolOdds;

/// The exact odds of two pools against each other.
#[derive(Debug, Clone, PartialEq)]
pub struct OpposedOdds {
    /// Net successes of the first less those of the second.
    pub margin: Distribution,
    /// Who has more.
    pub versus: Versus,
}

impl OpposedOdds {
    /// Compares net with net. With `floored`, a net below 0 counts as 0, so that the milder botch does not
    /// win.
    #[must_use]
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
