//! Several pools rolled for one task (teamwork, shared rituals): their nets are added up.

use super::{Pool, PoolOdds};
use crate::dice::distribution::Distribution;

/// Returns the exact odds of pools whose nets are added up, starting with that of the leader.
///
/// Every net of 1 or more counts. A member that fails neither adds nor subtracts anything. A botch of any member is a
/// botch of the roll, and its net is the sum of the botches. A team of one is the same as its pool.
pub fn team(pools: &[Pool]) -> PoolOdds {
    let mut members = pools.iter().map(Pool::odds);
    let Some(mut team) = members.next() else {
        return PoolOdds {
            clean: Distribution::certain(0),
            botched: Distribution::collect(&[]),
            required: 1,
        };
    };
    if pools.len() > 1 {
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
