//! The order of a turn (MA-1, MA-2).

use super::rules::Sleepers;
use super::state::{Seat, TurnActor};
use super::{Encounter, Plan, flags};
use crate::sim::initiative::{HEIGHTS, RollOff};
use crate::sim::prelude::*;

/// The most actions of a turn, whatever conditions add.
const MOST_ACTIONS: i32 = 100;

/// Returns the state of a combatant at the beginning of a turn: only what lasts beyond a turn is kept.
#[inline]
pub(super) fn refreshed(plan: &Plan, who: usize, actor: &TurnActor) -> TurnActor {
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
        for who in members(self.state.world.here()) {
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
                self.world().here()
            };
            self.set_order(all);
        }
    }

    /// Rolls initiative for the combatants in `all` and orders them: the highest total first, then the tie-breaks.
    fn set_order(&mut self, all: u64) {
        let plan = self.plan;
        let mut keys = self.roll_initiative(
            all,
            &plan.rules.dice,
            plan.clock.reads_initiative,
            |profile| (profile.rating, profile.ladder),
            |actor| &mut actor.initiative,
        );
        let height = |who: usize| plan.profiles[who].ladder;
        let rolls_off = plan.rules.ties.rolls_off();
        if rolls_off {
            self.roll_off_shared(&mut keys, all, &plan.sharers, height);
        } else if !plan.sharers.is_empty() {
            for who in members(all) {
                keys[who] = keys[who] * HEIGHTS + i64::from(height(who));
            }
        }
        let order = &mut self.state.clock.order;
        order.fill(Seat::NOBODY);
        for (place, who) in order.iter_mut().zip(members(all)) {
            *place = Seat {
                key: keys[who],
                who: who as u8,
            };
        }
        // Equals stay in file order, and act simultaneously unless they have rolled off.
        let order = &mut order[..all.count_ones() as usize];
        order.sort_by_key(|place| std::cmp::Reverse(place.key));
        if rolls_off {
            for (place, key) in order.iter_mut().rev().zip(1..) {
                place.key = key;
            }
        }
    }

    /// Returns the combatants at a place of the order and those tied with it, as a set, and the next place after them.
    #[inline]
    pub(super) fn at_place(&self, place: usize) -> (u64, usize) {
        let order = &self.state.clock.order;
        let Seat { key, who } = order[place];
        if key == Seat::NOBODY.key {
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
