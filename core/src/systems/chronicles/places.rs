//! The order of the scene, and how it changes (CD-1).

use super::Encounter;
use crate::sim::initiative::RollOff;
use crate::sim::prelude::*;

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Rolls initiative for the combatants in `all`: total, then the tie-breaks, then roll-offs until no tie is left.
    /// The fallen come last.
    pub(super) fn set_order(&mut self, all: u64) {
        let plan = self.plan;
        let mut keys = self.roll_initiative(
            all,
            &plan.rules.dice,
            plan.clock.reads_initiative,
            |profile| (profile.rating, profile.ladder),
            |actor| &mut actor.initiative,
        );
        let height = |who: usize| plan.profiles[who].ladder;
        self.roll_off_shared(&mut keys, all, &plan.sharers, height);
        let key = |who: &u8| (std::cmp::Reverse(keys[usize::from(*who)]), *who);
        self.state.clock.order.sort_unstable_by_key(key);
        if O::LISTENS {
            for place in 0..self.state.clock.order.len() {
                let who = usize::from(self.state.clock.order[place]);
                self.note(Event::Place {
                    who,
                    place: place + 1,
                });
            }
        }
    }

    /// Returns the place of a combatant in the order, from 0, counting the fallen.
    #[inline]
    pub(super) fn index(&self, who: usize) -> usize {
        let mut order = self.state.clock.order.iter();
        order
            .position(|other| usize::from(*other) == who)
            .unwrap_or(0)
    }

    /// Returns the place of a combatant among those that stand, from 1.
    pub(super) fn place(&self, who: usize) -> u32 {
        let ahead = &self.state.clock.order[..self.index(who)];
        let standing = ahead
            .iter()
            .filter(|other| self.world().stands(usize::from(**other)));
        standing.count() as u32 + 1
    }

    /// Returns the combatant whose turn, or whose place without a turn, is next this Round: the first in the order of
    /// those that have come in after a delay (CD-2), then of all whose turn or place is still to come. An early trigger
    /// may have put one of the latter before the turn that it interrupted (`early_trigger = "adds"`).
    pub(super) fn next_in_order(&mut self) -> Option<usize> {
        let due = self.state.clock.due | self.state.clock.effects_due;
        if due == 0 {
            return None;
        }
        let coming = due & self.state.clock.coming;
        let (next, from) = if coming == 0 {
            (due, self.state.clock.upcoming)
        } else {
            (coming, 0)
        };
        let mut order = self.state.clock.order[from..].iter();
        let ahead = order.position(|who| next & bit(usize::from(*who)) != 0)?;
        let place = from + ahead;
        if coming == 0 {
            self.state.clock.upcoming = place;
        }
        Some(usize::from(self.state.clock.order[place]))
    }

    /// Moves combatants to new places, in the given order: `ahead` directly before `other`, and `behind` directly after
    /// it. Counts the places that each gains or loses by all of these moves together.
    pub(super) fn put_beside(&mut self, other: usize, ahead: &[u8], behind: &[u8]) {
        self.state.clock.upcoming = 0;
        let moved = || ahead.iter().chain(behind).map(|who| usize::from(*who));
        let mut before = [0; MAX_COMBATANTS];
        for who in moved() {
            before[who] = self.place(who);
        }
        let mut neighbour = other;
        for who in ahead.iter().rev().map(|who| usize::from(*who)) {
            self.put(who, neighbour, false);
            neighbour = who;
        }
        neighbour = other;
        for who in behind.iter().map(|who| usize::from(*who)) {
            self.put(who, neighbour, true);
            neighbour = who;
        }
        for who in moved() {
            let now = self.place(who);
            let counts = self.counts(who);
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
        let order = &mut self.state.clock.order;
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
