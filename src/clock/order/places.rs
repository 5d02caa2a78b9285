//! The order of the scene, and how it changes (CD-1).

use super::super::stage::Stage;
use super::Encounter;
use crate::chance::{Chance, Purpose};
use crate::dice::Faces;
use crate::engine::{Event, Observer};
use crate::fight::MAX_COMBATANTS;
use crate::fight::world::{bit, members};

/// Roll-offs after which those who are still tied stand in file order: one in a billion pairs comes
/// so far (W-7).
const MOST_ROLL_OFFS: u32 = 9;

/// Above every total and every face of a roll-off.
const BASE: u64 = 64;

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// Rolls initiative for everybody who stands: total, then rating, then roll-offs until nobody is
    /// tied. The fallen come last.
    pub(super) fn roll_initiative(&mut self) {
        let plan = self.plan;
        let standing = self.state.world.standing();
        let mut keys = [0_u64; MAX_COMBATANTS];
        for who in members(standing) {
            let rating = plan.profiles[who].rating;
            let total = rating + self.hand(who, Purpose::Initiative).face(10) as i32;
            self.actor_mut(who).initiative = total;
            keys[who] = total as u64 * BASE + rating as u64;
            self.note(Event::Initiative {
                who,
                total,
                shared: false,
            });
        }
        self.sort(&keys);
        for _ in 0..MOST_ROLL_OFFS {
            let key = |who: &u8| keys[usize::from(*who)];
            let tied = self
                .state
                .order
                .windows(2)
                .filter(|pair| key(&pair[0]) == key(&pair[1]))
                .fold(0, |all, pair| {
                    all | bit(usize::from(pair[0])) | bit(usize::from(pair[1]))
                })
                & standing;
            if tied == 0 {
                break;
            }
            for key in &mut keys {
                *key *= 11;
            }
            for who in members(tied) {
                let face = self.hand(who, Purpose::Initiative).face(10);
                keys[who] += u64::from(face);
                self.note(Event::RollOff { who, face });
            }
            self.sort(&keys);
        }
        if O::LISTENS {
            for place in 0..self.state.order.len() {
                let who = usize::from(self.state.order[place]);
                self.note(Event::Place {
                    who,
                    place: place + 1,
                });
            }
        }
    }

    fn sort(&mut self, keys: &[u64; MAX_COMBATANTS]) {
        let key = |who: &u8| (std::cmp::Reverse(keys[usize::from(*who)]), *who);
        self.state.order.sort_unstable_by_key(key);
    }

    /// Where somebody stands in the order, from 0, the fallen counted.
    #[inline]
    pub(super) fn index(&self, who: usize) -> usize {
        let mut order = self.state.order.iter();
        order
            .position(|other| usize::from(*other) == who)
            .unwrap_or(0)
    }

    /// Where somebody stands in the order among those who stand, from 1.
    pub(super) fn place(&self, who: usize) -> u32 {
        let ahead = &self.state.order[..self.index(who)];
        let standing = ahead
            .iter()
            .filter(|other| self.world().stands(usize::from(**other)));
        standing.count() as u32 + 1
    }

    /// Whose turn is next this Round: the first in the order of those who have come in after a delay
    /// (CD-2), and then of all whose turn is still to come. An early trigger may have put one of these
    /// before the turn that it interrupted (`early_trigger = "adds"`).
    pub(super) fn next_due(&self) -> Option<usize> {
        let coming = self.state.due & self.state.coming;
        let next = if coming == 0 { self.state.due } else { coming };
        let mut order = self.state.order.iter().map(|who| usize::from(*who));
        order.find(|who| next & bit(*who) != 0)
    }

    /// Gives all of these, in this order, new places directly before `other` or after it.
    pub(super) fn put_beside(&mut self, moved: &[u8], other: usize, after: bool) {
        let mut before = [0; MAX_COMBATANTS];
        for who in moved.iter().map(|who| usize::from(*who)) {
            before[who] = self.place(who);
        }
        let mut neighbour = other;
        if after {
            for who in moved.iter().map(|who| usize::from(*who)) {
                self.put(who, neighbour, true);
                neighbour = who;
            }
        } else {
            for who in moved.iter().rev().map(|who| usize::from(*who)) {
                self.put(who, neighbour, false);
                neighbour = who;
            }
        }
        for who in moved.iter().map(|who| usize::from(*who)) {
            let now = self.place(who);
            let counts = &mut self.record.combatants[who];
            counts.places_gained += before[who].saturating_sub(now);
            counts.places_lost += now.saturating_sub(before[who]);
        }
    }

    fn put(&mut self, who: usize, other: usize, after: bool) {
        let old = self.index(who);
        let mut new = self.index(other) + usize::from(after);
        if old < new {
            new -= 1;
        }
        if new == old {
            return;
        }
        let order = &mut self.state.order;
        if new < old {
            order[new..=old].rotate_right(1);
        } else {
            order[old..=new].rotate_left(1);
        }
        self.note(Event::Place {
            who,
            place: new + 1,
        });
    }
}
