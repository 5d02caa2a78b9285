//! Several pools rolled for one task (teamwork, shared rituals): their nets are added up.

use super::{Pool, PoolOdds};
use crate::dice::Faces;
use crate::dice::distribution::Distribution;

/// Pools whose nets are added up, the first that of the leader.
///
/// Every net of 1 or more counts; a member that fails adds nothing and takes nothing away. A botch
/// of any member is a botch of the roll, with what the botches fall short as its net. A team of
/// one is that pool as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    pools: Vec<Pool>,
}

impl Team {
    /// The team with these pools.
    #[must_use]
    pub const fn new(pools: Vec<Pool>) -> Self {
        Self { pools }
    }

    /// Whether no member has a die.
    #[must_use]
    pub fn has_no_dice(&self) -> bool {
        self.pools.iter().all(|pool| pool.dice() == 0)
    }

    /// Throws the dice of every member, the leader's first: the net, and whether it is a botch.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> (i64, bool) {
        if let [pool] = self.pools[..] {
            let result = pool.roll(faces);
            return (result.net, result.botch);
        }
        let (mut sum, mut short, mut botched) = (0, 0, false);
        for pool in &self.pools {
            let result = pool.roll(faces);
            if result.botch {
                botched = true;
                short += result.net;
            } else {
                sum += result.net.max(0);
            }
        }
        (if botched { short } else { sum }, botched)
    }

    /// The exact odds.
    #[must_use]
    pub fn odds(&self) -> PoolOdds {
        let mut members = self.pools.iter().map(Pool::odds);
        let Some(mut team) = members.next() else {
            return PoolOdds {
                clean: Distribution::certain(0),
                botched: Distribution::collect(&[]),
                required: 1,
            };
        };
        if self.pools.len() > 1 {
            team.clean = team.clean.map(|net| net.max(0));
        }
        for member in members {
            let clean = member.clean.map(|net| net.max(0));
            // Who does not botch while another does counts for nothing.
            let idle = |part: &Distribution| Distribution::collect(&[(0, part.mass())]);
            let botched = [
                team.botched.plus(&idle(&clean)),
                idle(&team.clean).plus(&member.botched),
                team.botched.plus(&member.botched),
            ];
            team.clean = team.clean.plus(&clean);
            team.botched = botched[0].with(&botched[1]).with(&botched[2]);
        }
        team
    }
}

#[cfg(test)]
mod tests {
    use super::Team;
    use crate::dice::pool::{Ones, Pool, Storyteller, Tens};
    use std::collections::BTreeMap;

    fn plain(dice: u32, difficulty: u32) -> Pool {
        let rule = Storyteller {
            tens: Tens::Plain,
            ..Storyteller::new(dice, difficulty)
        };
        rule.compile().unwrap()
    }

    #[test]
    fn a_team_is_every_roll_of_its_members() {
        let ignoring = Storyteller {
            ones: Ones::Ignore,
            tens: Tens::Plain,
            ..Storyteller::new(1, 8)
        };
        for pools in [
            vec![plain(2, 6), plain(1, 8)],
            vec![plain(1, 9), plain(1, 4), plain(2, 7)],
            vec![plain(2, 6), ignoring.compile().unwrap()],
            vec![plain(0, 6), plain(2, 5)],
            vec![plain(3, 7)],
        ] {
            let dice: u32 = pools.iter().map(Pool::dice).sum();
            let team = Team::new(pools.clone());
            let mut counts: BTreeMap<(i64, bool), u32> = BTreeMap::new();
            for roll in 0..10_u32.pow(dice) {
                let mut left = roll;
                let result = team.roll(&mut |_: u32| {
                    let face = left % 10 + 1;
                    left /= 10;
                    face
                });
                *counts.entry(result).or_default() += 1;
            }
            let odds = team.odds();
            for ((net, botch), count) in counts {
                let part = if botch { odds.botched() } else { odds.clean() };
                let wanted = f64::from(count) / 10_f64.powi(dice as i32);
                assert!((part.probability(net) - wanted).abs() < 1e-15, "{net}");
            }
            assert!((odds.net().mass().value() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn a_botch_of_any_member_is_a_botch_of_the_roll() {
        let (leader, helper) = (plain(5, 6), plain(3, 8));
        let botches = [leader, helper].map(|pool| pool.odds().botch());
        let team = Team::new(vec![leader, helper]).odds().botch();
        let any = 1.0 - (1.0 - botches[0]) * (1.0 - botches[1]);
        assert!((team - any).abs() < 1e-15);
    }
}
