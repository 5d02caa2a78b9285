//! The order of initiative in every system: the ladder of tie-breaks, and roll-offs.

use crate::dice::Faces;
use crate::sim::Observer as _;
use crate::sim::prelude::*;

/// Combatants ordered by a key, the highest first: the place of each (`rank`), the combatant at each place (`by_rank`),
/// and for each place the places with an equal key (`peers`). Equals are neighbours, in file order.
#[derive(Debug, Clone)]
pub struct Ladder {
    pub(crate) rank: Vec<u8>,
    pub(crate) by_rank: Vec<u8>,
    pub(crate) peers: Vec<u64>,
}

impl Ladder {
    pub(crate) fn new<K: Ord>(keys: impl Iterator<Item = K>) -> Self {
        let keys: Vec<K> = keys.collect();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|who| std::cmp::Reverse(&keys[*who]));
        let mut rank = vec![0; keys.len()];
        let mut peers = vec![0; keys.len()];
        for (place, who) in order.iter().enumerate() {
            rank[*who] = place as u8;
            for (other_place, other) in order.iter().enumerate() {
                if keys[*who] == keys[*other] {
                    peers[place] |= bit(other_place);
                }
            }
        }
        Self {
            rank,
            by_rank: order.into_iter().map(|who| who as u8).collect(),
            peers,
        }
    }

    /// The height of a combatant on the ladder, 0 to 63; combatants with equal keys are equally high.
    pub(crate) fn height(&self, who: usize) -> i32 {
        63 - self.peers[usize::from(self.rank[who])].trailing_zeros() as i32
    }
}

/// Who shares initiative with whom (MA-1).
#[derive(Debug, Clone)]
pub struct Sharers {
    /// The group of each combatant; empty if none shares.
    groups: Vec<u64>,
}

impl Sharers {
    /// Takes the sets of those who share.
    pub(crate) fn new(share: &[u64], combatants: usize) -> Self {
        let combatants = if share.is_empty() { 0 } else { combatants };
        let group = |who| share.iter().find(|set| **set & bit(who) != 0).copied();
        Self {
            groups: (0..combatants)
                .map(|who| group(who).unwrap_or(bit(who)))
                .collect(),
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns a combatant and all who share its initiative.
    #[inline]
    pub(crate) fn of(&self, who: usize) -> u64 {
        self.groups.get(who).copied().unwrap_or(bit(who))
    }

    /// Returns those of `among` whose totals count.
    #[inline]
    pub(crate) fn leaders(&self, among: u64, standing: u64) -> u64 {
        if self.is_empty() {
            return among;
        }
        set_of(members(among).map(|who| self.leader(who, among, standing)))
    }

    /// Returns the combatant of `among` whose total counts for `who`: the first of its group that stands or, if only
    /// reserves share it, the first (MA-1).
    #[inline]
    pub(crate) fn leader(&self, who: usize, among: u64, standing: u64) -> usize {
        let group = self.of(who) & among;
        let here = group & standing;
        let group = if here == 0 { group } else { here };
        group.trailing_zeros() as usize
    }
}

/// Above every [`Ladder::height`].
pub(crate) const HEIGHTS: i64 = 64;

/// The sort key of a combatant: its total, then its height on the ladder.
#[inline]
pub(crate) fn sort_key(total: i32, height: i32) -> i64 {
    i64::from(total) * HEIGHTS + i64::from(height)
}

/// The most roll-offs of a run, after which tied combatants stand in file order: one pair in a billion comes so far (W-7).
const MOST_ROLL_OFFS: u32 = 9;

/// The sides of the die of a roll-off, whatever `initiative.dice` says.
const ROLL_OFF_SIDES: u32 = 10;

/// Rolls initiative, and rolls off ties.
pub(crate) trait RollOff<'a>: Stage<'a> {
    /// Rolls one total for each combatant of `all`, or one for all who share it (MA-1). Returns the sort keys. For a
    /// source that gives every answer both are ranks, unless a policy reads the total: nothing but the order matters.
    fn roll_initiative(&mut self, all: u64) -> [i64; MAX_COMBATANTS] {
        let order = self.order();
        let standing = self.world().standing();
        let leaders = order.sharers.leaders(all, standing);
        let moment = self.moment();
        let changes = self
            .has_conditions()
            .then(|| self.world().changes(Number::Initiative));
        let change = |who: usize| changes.as_ref().map_or(0, |changes| changes[who]);
        let question = ("initiative", all, leaders, changes);
        let (chance, observer) = self.chance_and_observer();
        let roll = |chance: &mut Self::Chance| {
            let mut keys = [i64::MIN; MAX_COMBATANTS];
            for leader in members(leaders) {
                let mut hand = Roller::new(chance, observer, leader, Purpose::Initiative);
                let rolled = order.ratings[leader] + change(leader) + order.roll(leader, &mut hand);
                let key = order.sign * rolled;
                for who in members(order.sharers.of(leader) & all) {
                    keys[who] = sort_key(key, order.ladder.height(leader));
                    if Self::Observer::LISTENS {
                        let changed = change(leader).into();
                        let event = Event::Initiative {
                            who,
                            total: rolled,
                            shared: who != leader,
                            sum: order.sum(leader).with(Modifier::Conditions, changed),
                        };
                        observer.event(moment, event);
                    }
                }
            }
            keys
        };
        let keys = chance.result(question, roll, |keys| {
            if order.is_read {
                keys
            } else {
                ranks(&keys, all).map(|rank| sort_key(rank.into(), 0))
            }
        });
        for who in members(all) {
            let total = keys[who].div_euclid(HEIGHTS) as i32;
            self.places().totals[who] = order.sign * total;
        }
        keys
    }

    /// Orders equals if chance orders them. Returns whether none are left.
    fn order_equals(&mut self, keys: &mut [i64; MAX_COMBATANTS], among: u64) -> bool {
        let mut left = tied(keys, among);
        if left == 0 {
            return true;
        }
        let before = *keys;
        for who in members(among) {
            keys[who] *= MAX_COMBATANTS as i64;
        }
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            let equals = members(left).filter(|who| before[*who] == before[first]);
            let group = set_of(equals);
            left &= !group;
            let (chance, _) = self.chance_and_observer();
            let Some(places) = chance.order::<MAX_COMBATANTS>(group.count_ones() as usize) else {
                *keys = before;
                return false;
            };
            for (who, place) in members(group).zip(places) {
                keys[who] += i64::from(place);
            }
        }
        true
    }

    /// Lets the combatants of `among` with equal keys roll off until no keys are equal, in file order. The order of
    /// unequal keys stays as it is.
    fn roll_off(&mut self, keys: &mut [i64; MAX_COMBATANTS], among: u64) {
        if self.order_equals(keys, among) {
            return;
        }
        for _ in 0..MOST_ROLL_OFFS {
            let tied = tied(keys, among);
            if tied == 0 {
                return;
            }
            for who in members(among) {
                keys[who] *= i64::from(ROLL_OFF_SIDES) + 1;
            }
            for who in members(tied) {
                let face = self.roller(who, Purpose::Initiative).face(ROLL_OFF_SIDES);
                keys[who] += i64::from(face);
                self.note(Event::RollOff { who, face });
            }
        }
    }

    /// Lets the combatants of `among` roll off as [`roll_off`](Self::roll_off) does. Those who share initiative have one
    /// key and make one roll against others, so that they come one after the other; between themselves they compare
    /// their places on the ladder, and then roll off (MA-1).
    fn roll_off_shared(&mut self, keys: &mut [i64; MAX_COMBATANTS], among: u64) {
        let Order {
            sharers, ladder, ..
        } = self.order();
        if sharers.is_empty() {
            return self.roll_off(keys, among);
        }
        let standing = self.world().standing();
        let leader = |who| sharers.leader(who, among, standing);
        let leaders = sharers.leaders(among, standing);
        self.roll_off(keys, leaders);
        // After the last roll-off, the first in file order wins.
        let before = *keys;
        let place = |who: usize| (before[who], std::cmp::Reverse(who));
        for who in members(among) {
            let leader = leader(who);
            let behind = members(leaders).filter(|other| place(*other) < place(leader));
            keys[who] = sort_key(behind.count() as i32, ladder.height(who));
        }
        self.roll_off(keys, among);
    }
}

impl<'a, S: Stage<'a>> RollOff<'a> for S {}

/// The rank of each combatant of `among` by its key, the lowest first; equals share a rank.
pub(crate) fn ranks(keys: &[i64; MAX_COMBATANTS], among: u64) -> [u8; MAX_COMBATANTS] {
    let mut ranks = [0; MAX_COMBATANTS];
    for who in members(among) {
        let lower = |other: &usize| keys[*other] < keys[who];
        ranks[who] = members(among).filter(lower).count() as u8;
    }
    ranks
}

/// The combatants of `among` that share their key with another of them.
#[inline]
fn tied(keys: &[i64; MAX_COMBATANTS], among: u64) -> u64 {
    let mut sorted = [0_u8; MAX_COMBATANTS];
    let mut count = 0;
    for who in members(among) {
        sorted[count] = who as u8;
        count += 1;
    }
    let sorted = &mut sorted[..count];
    sorted.sort_unstable_by_key(|who| keys[usize::from(*who)]);
    let mut tied = 0;
    for pair in sorted.windows(2) {
        let (one, next) = (usize::from(pair[0]), usize::from(pair[1]));
        if keys[one] == keys[next] {
            tied |= bit(one) | bit(next);
        }
    }
    tied
}

#[cfg(test)]
mod tests {
    use super::{sort_key, tied};
    use crate::fight::MAX_COMBATANTS;
    use crate::fight::world::{bit, members, set_of};
    use proptest::prelude::*;

    #[test]
    fn the_total_comes_before_the_ladder() {
        assert!(sort_key(3, 0) > sort_key(2, 63));
        assert!(sort_key(-3, 63) < sort_key(-2, 0));
    }

    proptest! {
        /// Sorting finds the same ties as comparing each with each.
        #[test]
        fn all_who_share_their_key_are_tied(
            some in prop::collection::vec(-3_i64..3, MAX_COMBATANTS),
            among in any::<u64>(),
        ) {
            let mut keys = [0; MAX_COMBATANTS];
            keys.copy_from_slice(&some);
            let shares = |who: &usize| members(among & !bit(*who)).any(|other| keys[other] == keys[*who]);
            let all = set_of(members(among).filter(shares));
            prop_assert_eq!(tied(&keys, among), all);
        }
    }
}
