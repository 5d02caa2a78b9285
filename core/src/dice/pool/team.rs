//! Several pools rolled for one task (teamwork, shared rituals): their nets are added up.

use super::{Pool, PoolOdds};
use crate::dice::Faces;
use crate::dice::distribution::Distribution;

/// Pools whose nets are added up, starting with that of the leader.
///
/// Every net of 1 or more counts. A member that fails neither adds nor subtracts anything. A botch of any member is a
/// botch of the roll, and its net is the sum of the botches. A team of one is the same as its pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    pools: Vec<Pool>,
}

impl Team {
    /// Creates the team with these pools.
    pub const fn new(pools: Vec<Pool>) -> Self {
        Self { pools }
    }

    /// Returns whether no member has a die.
    pub fn has_no_dice(&self) -> bool {
        self.pools.iter().all(|pool| pool.dice() == 0)
    }

    /// Rolls the dice of every member, the leader's first. Returns the net, and whether it is a botch.
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

    /// Returns the exact odds.
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
            // If one member botches, a member that does not botch counts for nothing.
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
