//! The order of a turn (MA-1, MA-2).

use super::flags;
use super::rules::Sleepers;
use super::state::{Place, TurnActor};
use super::{Encounter, TurnClock};
use crate::chance::{Chance, Purpose};
use crate::fight::MAX_COMBATANTS;
use crate::fight::initiative::{roll, sum};
use crate::fight::lasting::Number;
use crate::fight::sum::Modifier;
use crate::fight::world::{bit, members};
use crate::sim::initiative::{HEIGHTS, RollOff, ranks, sort_key};
use crate::sim::prelude::*;
use crate::sim::roller::Roller;
use crate::sim::{ClockObserver, Event, Plan, Silent};

/// The most actions of a turn, whatever conditions add.
const MOST_ACTIONS: i32 = 100;

/// Returns the state of a combatant at the beginning of a turn: only what lasts beyond a turn is kept.
#[inline]
pub(super) fn refreshed(plan: &Plan<TurnClock>, who: usize, actor: &TurnActor) -> TurnActor {
    TurnActor {
        initiative: actor.initiative,
        actions: plan.profiles[who].actions,
        flags: actor.flags.among(flags::LASTING),
        spent: actor.spent,
        readying: actor.readying,
        ritual: actor.ritual,
        paradox: actor.paradox,
        willpower_spent: actor.willpower_spent,
        ..TurnActor::default()
    }
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Begins a turn: rolls initiative and sorts the order.
    #[inline]
    pub(super) fn begin_turn(&mut self) {
        self.state.round += 1;
        let plan = self.plan;
        let rolls = self.state.round == 1 || !plan.rules.once_a_scene;
        self.state.clock.initiative = 0;
        self.note(Event::Round);
        self.open_round();
        if let Sleepers::Chance(chance) = plan.rules.sleepers {
            // The roll uses the dice of the first combatant in the file, because Sleepers have none of their own.
            self.state.clock.watched = self.chance.happens(0, Purpose::Other, chance);
            if self.state.clock.watched {
                self.note(Event::Sleepers);
            }
        }
        for who in members(self.state.world.standing()) {
            let actor = self.actor_mut(who);
            *actor = refreshed(plan, who, actor);
            if self.world().has_conditions() {
                let more = self.world().change(who, Number::ExtraActions);
                let actor = self.actor_mut(who);
                actor.actions = (i32::from(actor.actions) + more).clamp(0, MOST_ACTIONS) as u8;
            }
        }
        self.state.clock.place = 0;
        if rolls {
            // Where the order lasts for the scene, combatants that enter later have a place in it.
            let all = if plan.rules.once_a_scene {
                self.expected()
            } else {
                self.world().standing()
            };
            self.roll_initiative(plan, all);
            self.sort(all);
        }
    }

    fn roll_initiative(&mut self, plan: &Plan<TurnClock>, all: u64) {
        if C::enumerates() && !plan.clock.reads_initiative {
            return self.settle_initiative(plan, all);
        }
        let mut left = all;
        while left != 0 {
            let who = left.trailing_zeros() as usize;
            let group = plan.sharers.of(who) & left;
            left &= !group;
            let who = plan.sharers.leader(who, all, self.world().standing());
            let rating = plan.profiles[who].rating;
            let change = self.world().change(who, Number::Initiative);
            let rolled = roll(&plan.rules.dice, &mut self.roller(who, Purpose::Initiative));
            let total = rating + change + rolled;
            for member in members(group) {
                self.actor_mut(member).initiative = total;
                self.note(Event::Initiative {
                    who: member,
                    total,
                    shared: member != who,
                    sum: sum(&plan.rules.dice, rating).with(Modifier::Conditions, change.into()),
                });
            }
        }
    }

    /// Rolls initiative for a source that gives every answer. The totals are ranks, because nothing but the order
    /// matters.
    fn settle_initiative(&mut self, plan: &Plan<TurnClock>, all: u64) {
        let changes = self.state.world.changes(Number::Initiative);
        let standing = self.world().standing();
        let order = self.chance.settle(("initiative", all, changes), |chance| {
            let mut keys = [i64::MIN; MAX_COMBATANTS];
            let mut left = all;
            while left != 0 {
                let who = left.trailing_zeros() as usize;
                let group = plan.sharers.of(who) & left;
                left &= !group;
                let who = plan.sharers.leader(who, all, standing);
                let mut silent = Silent;
                let mut hand = Roller::new(chance, &mut silent, who, Purpose::Initiative);
                let rating = plan.profiles[who].rating + changes[who];
                let total = rating + roll(&plan.rules.dice, &mut hand);
                for member in members(group) {
                    keys[member] = sort_key(total, plan.profiles[who].ladder);
                }
            }
            ranks(&keys, all)
        });
        for who in members(all) {
            self.actor_mut(who).initiative = order[who].into();
        }
    }

    /// Orders the combatants in `all`: the highest total first, then the tie-breaks.
    fn sort(&mut self, all: u64) {
        let plan = self.plan;
        if plan.rules.ties.rolls_off() || !plan.sharers.is_empty() {
            self.sort_with_sharers(all);
            return;
        }
        let (world, order) = (&self.state.world, &mut self.state.clock.order);
        order.fill(Place::NOBODY);
        for (place, who) in order.iter_mut().zip(members(all)) {
            let key = world.bodies[who].clock.initiative * 64 + plan.profiles[who].ladder;
            *place = Place {
                key,
                who: who as u8,
            };
        }
        // Equals stay in file order.
        let count = all.count_ones() as usize;
        order[..count].sort_by_key(|place| std::cmp::Reverse(place.key));
    }

    /// Orders the combatants in `all` where some share initiative, or tied ones roll off: then no two places are equal.
    fn sort_with_sharers(&mut self, all: u64) {
        let plan = self.plan;
        let standing = self.world().standing();
        let height = |who: usize| plan.profiles[who].ladder;
        let mut keys = [i64::MIN; MAX_COMBATANTS];
        for who in members(all) {
            let leader = plan.sharers.leader(who, all, standing);
            keys[who] = sort_key(self.actor(who).initiative, height(leader));
        }
        let rolls_off = plan.rules.ties.rolls_off();
        if rolls_off {
            self.roll_off_shared(&mut keys, all, &plan.sharers, height);
        } else {
            for who in members(all) {
                keys[who] = keys[who] * HEIGHTS + i64::from(height(who));
            }
        }
        let ranks = ranks(&keys, all);
        let order = &mut self.state.clock.order;
        order.fill(Place::NOBODY);
        for (place, who) in order.iter_mut().zip(members(all)) {
            place.who = who as u8;
        }
        let count = all.count_ones() as usize;
        order[..count].sort_by_key(|place| std::cmp::Reverse(keys[usize::from(place.who)]));
        for (index, place) in order[..count].iter_mut().enumerate() {
            // Equals are separated in file order after the last roll-off.
            let rank = i32::from(ranks[usize::from(place.who)]);
            place.key = if rolls_off {
                (count - index) as i32
            } else {
                rank
            };
        }
    }

    /// Returns the combatants at a place of the order and those tied with it, as a set, and the next place after them.
    #[inline]
    pub(super) fn at_place(&self, place: usize) -> (u64, usize) {
        let order = &self.state.clock.order;
        let Place { key, who } = order[place];
        if key == Place::NOBODY.key {
            return (0, order.len());
        }
        let mut group = bit(usize::from(who));
        let mut next = place + 1;
        while let Some(other) = order.get(next)
            && other.key == key
        {
            group |= bit(usize::from(other.who));
            next += 1;
        }
        (group, next)
    }
}
