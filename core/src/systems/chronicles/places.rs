//! The order of the scene, and how it changes (CD-1).

use super::Encounter;
use crate::chance::{Chance, Purpose};
use crate::fight::MAX_COMBATANTS;
use crate::fight::initiative::{roll, sum};
use crate::fight::lasting::Number;
use crate::fight::sum::Modifier;
use crate::fight::world::{bit, members, set_of};
use crate::sim::initiative::{RollOff, ranks, sort_key};
use crate::sim::prelude::*;
use crate::sim::roller::Roller;
use crate::sim::{ClockObserver, Event, Silent};

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Rolls initiative for the combatants in `all`: total, then the tie-breaks, then roll-offs until no tie is left.
    /// The fallen come last.
    pub(super) fn roll_initiative(&mut self, all: u64) {
        let plan = self.plan;
        let mut keys = [i64::MIN; MAX_COMBATANTS];
        let standing = self.world().standing();
        let sharing = |who| plan.sharers.of(who) & all;
        let leader = |who| plan.sharers.leader(who, all, standing);
        let leaders = set_of(members(all).map(leader));
        if C::enumerates() && !plan.clock.reads_initiative {
            let changes = self.state.world.changes(Number::Initiative);
            let question = ("initiative", all, leaders, changes);
            let order = self.chance.settle(question, |chance| {
                for who in members(leaders) {
                    let profile = &plan.profiles[who];
                    let mut silent = Silent;
                    let mut hand = Roller::new(chance, &mut silent, who, Purpose::Initiative);
                    let rating = profile.rating + changes[who];
                    let total = rating + roll(&plan.rules.dice, &mut hand);
                    for member in members(sharing(who)) {
                        keys[member] = sort_key(total, profile.ladder);
                    }
                }
                ranks(&keys, all)
            });
            for who in members(all) {
                keys[who] = order[who].into();
            }
            return self.order_by(keys, all);
        }
        for who in members(leaders) {
            let profile = &plan.profiles[who];
            let mut hand = self.roller(who, Purpose::Initiative);
            let total = profile.rating + roll(&plan.rules.dice, &mut hand);
            let change = self.world().change(who, Number::Initiative);
            let total = total + change;
            for member in members(sharing(who)) {
                self.actor_mut(member).initiative = total;
                keys[member] = sort_key(total, profile.ladder);
                self.note(Event::Initiative {
                    who: member,
                    total,
                    shared: member != who,
                    sum: sum(&plan.rules.dice, profile.rating)
                        .with(Modifier::Conditions, change.into()),
                });
            }
        }
        self.order_by(keys, all);
    }

    /// Orders the combatants in `all` by their keys; tied combatants roll off.
    fn order_by(&mut self, mut keys: [i64; MAX_COMBATANTS], all: u64) {
        let plan = self.plan;
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
