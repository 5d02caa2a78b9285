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
    /// Net against net. With `floored`, a net below nought counts as nought, so that nobody wins
    /// by having botched less badly.
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

#[cfg(test)]
mod tests {
    use super::OpposedOdds;
    use crate::dice::pool::{Storyteller, Tens};

    #[test]
    fn one_die_against_one_die_by_hand() {
        // Each: -1 with 1/10, 0 with 4/10, 1 with 5/10.
        let die = Storyteller {
            tens: Tens::Plain,
            ..Storyteller::new(1, 6)
        };
        let odds = die.compile().unwrap().odds();
        let raw = OpposedOdds::of(&odds, &odds, false);
        assert!((raw.versus.tie - 0.42).abs() < 1e-16);
        assert!((raw.versus.win - 0.29).abs() < 1e-16);
        assert!((raw.margin.probability(2) - 0.05).abs() < 1e-16);
        let floored = OpposedOdds::of(&odds, &odds, true);
        assert!((floored.versus.tie - 0.5).abs() < 1e-16);
        assert!((floored.versus.lose - 0.25).abs() < 1e-16);
    }

    #[test]
    fn the_margin_says_who_wins() {
        let odds = |pool, difficulty| Storyteller::new(pool, difficulty).compile().unwrap().odds();
        let opposed = OpposedOdds::of(&odds(7, 6), &odds(4, 8), false);
        assert!((opposed.margin.at_least(1) - opposed.versus.win).abs() < 1e-15);
        assert!((opposed.margin.below(0) - opposed.versus.lose).abs() < 1e-15);
        assert!((opposed.margin.mass().value() - 1.0).abs() < 1e-15);
    }
}
