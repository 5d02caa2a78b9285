//! Totals and places: the order of a turn, and its changes by wounds and Moxie (EP-1, EP-4, EP-5).

use super::rules::MOST_PHASES;
use super::state::PhaseActor;
use super::{Encounter, flags};
use crate::sim::initiative::{RollOff, sort_key};
use crate::sim::order::foremost;
use crate::sim::prelude::*;

/// More than any total: what Moxie adds to a place.
const MOXIE: i64 = 1 << 40;

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Begins a turn: works out the totals of all combatants.
    pub(super) fn begin_turn(&mut self) {
        self.state.round += 1;
        self.state.clock.phase = 0;
        self.state.clock.is_to_end = self.world().has_conditions();
        self.state.clock.walking = 0;
        self.note(Event::Round);
        self.open_round();
        self.suffer_all_conditions();
        let plan = self.plan;
        let standing = self.state.world.here();
        let none = [i16::MIN; MOST_PHASES as usize];
        let mut shared = (!plan.order.sharers.is_empty()).then_some([none; MAX_COMBATANTS]);
        for who in members(standing) {
            let leader = plan.order.sharers.leader(who, standing, standing);
            let count = self.dice(who);
            let mut totals = none;
            if let Some(shared) = &mut shared {
                if who == leader {
                    // The first of those who share rolls as many dice as the fastest of them needs.
                    let all =
                        members(plan.order.sharers.of(who) & standing).map(|one| self.dice(one));
                    let all = all.max().unwrap_or(count);
                    self.roll_totals(who, &mut shared[who][..usize::from(all)]);
                }
                totals = shared[leader];
                totals[usize::from(count)..].fill(i16::MIN);
            } else {
                self.roll_totals(who, &mut totals[..usize::from(count)]);
            }
            let rolled = &mut totals[..usize::from(count)];
            if count > 1 {
                rolled.sort_unstable_by(|one, other| other.cmp(one));
            }
            let actor = self.actor_mut(who);
            *actor = PhaseActor {
                totals,
                quick: plan.rules.quick_actions,
                ..actor.between_turns()
            };
            self.rank(who);
            if !O::LISTENS {
                continue;
            }
            let sum = self.initiative_sum(who, leader);
            for total in &totals[..usize::from(count)] {
                self.note(Event::Initiative {
                    who,
                    total: i32::from(*total).saturating_add(self.initiative_change(who)),
                    shared: who != leader,
                    sum,
                });
            }
        }
    }

    /// Returns the sum of the totals of a combatant that `leader` has rolled.
    #[cold]
    fn initiative_sum(&self, who: usize, leader: usize) -> Sum {
        let conditions = self.world().change(who, Number::Initiative);
        let wounds = self.initiative_change(who) - conditions;
        let sum = self.plan.order.sum(leader);
        sum.with(Modifier::Conditions, conditions.into())
            .with(Modifier::Wounds, wounds.into())
    }

    /// Returns the number of dice for a combatant's initiative: one, or one for each point of Speed (EP-7).
    fn dice(&self, who: usize) -> u8 {
        if self.plan.rules.per_speed {
            self.speed_by_conditions(who)
        } else {
            1
        }
    }

    #[inline(always)]
    fn roll_totals(&mut self, who: usize, totals: &mut [i16]) {
        let order = &self.plan.order;
        for total in totals {
            let points = order.roll(who, &mut self.roller(who, Purpose::Initiative));
            *total = (order.ratings[who] + points) as i16;
        }
    }

    /// Returns the points of Speed with those that conditions add: at least 1, at most as many as are allowed.
    fn speed_by_conditions(&self, who: usize) -> u8 {
        let change = self.world().change(who, Number::Speed);
        let most = self.plan.rules.most_speed.into();
        let speed = i32::from(self.plan.profiles[who].traits.speed);
        (speed + change).clamp(1, speed.max(most)) as u8
    }

    /// Returns the points of Speed now. With a die for each point, returns those of this turn (EP-7).
    #[inline]
    pub(super) fn speed(&self, who: usize) -> u8 {
        if !self.world().has_conditions() {
            self.plan.profiles[who].traits.speed
        } else if self.plan.rules.per_speed {
            let totals = self.actor(who).totals.iter();
            totals.filter(|total| **total != i16::MIN).count() as u8
        } else {
            self.speed_by_conditions(who)
        }
    }

    /// Updates a combatant's place after conditions have changed. They change initiative at once, and also Speed: a
    /// combatant without a place in the Phase under way may gain one (EP-2).
    pub(super) fn rank_again(&mut self, who: usize) {
        if self.state.round == 0 {
            return;
        }
        self.rank(who);
        let phase = self.state.clock.phase;
        let has_had_its_place = self.actor(who).slot == phase;
        if self.state.clock.in_phase
            && !self.plan.rules.per_speed
            && !has_had_its_place
            && self.speed(who) >= phase
        {
            self.state.places.due |= bit(who);
        }
    }

    /// Returns the change that conditions make to a combatant's totals, less the penalty of its wounds (EP-4).
    #[inline]
    fn initiative_change(&self, who: usize) -> i32 {
        let wounds = self.actor(who).wounds;
        let lost = wounds.saturating_mul(self.plan.rules.wound_initiative);
        let change = self.world().change(who, Number::Initiative);
        change.saturating_sub(lost)
    }

    /// Returns the current total: of the place that is next or under way, or of the last place.
    #[inline]
    pub(super) fn total(&self, who: usize) -> i32 {
        let actor = self.actor(who);
        let raw = if self.plan.rules.per_speed {
            let last = self.speed(who) - 1;
            actor.totals[usize::from(actor.place.min(last))]
        } else {
            actor.totals[0]
        };
        i32::from(raw).saturating_add(self.initiative_change(who))
    }

    /// Returns the sort key of a place: Moxie, then the total, then the rank among equals (EP-5).
    #[inline]
    fn key_with_moxie(&self, who: usize) -> i64 {
        let first = self.state.clock.first & bit(who) != 0;
        self.state.places.keys[who] + if first { MOXIE } else { 0 }
    }

    /// Updates the sort key of a combatant after its current total has changed.
    #[inline]
    fn rank(&mut self, who: usize) {
        self.state.places.keys[who] = sort_key(self.total(who), self.plan.profiles[who].ladder);
    }

    /// Returns the combatants with the next place in this Phase; several act simultaneously.
    #[inline]
    pub(super) fn next_place(&mut self) -> u64 {
        let mut pending = self.state.places.due & self.state.world.standing();
        if pending == 0 {
            return 0;
        }
        if self.state.world.down() != 0 {
            pending = self.pass_places_down();
        }
        let group = if self.state.clock.first == 0 {
            self.state.places.foremost(pending)
        } else {
            foremost(pending, |who| self.key_with_moxie(who))
        };
        self.untied(group)
    }

    /// Passes the places of those that are down and come before all that stand (W-18). Returns the combatants that
    /// stand and whose places are still to come.
    #[cold]
    #[inline(never)]
    fn pass_places_down(&mut self) -> u64 {
        let standing = self.state.places.due & self.world().standing();
        let next = foremost(standing, |who| self.key_with_moxie(who));
        let next = self.key_with_moxie(next.trailing_zeros() as usize);
        for who in members(self.state.places.due & self.world().down()) {
            if self.key_with_moxie(who) > next {
                self.state.places.due &= !bit(who);
                self.end_place(who);
            }
        }
        standing
    }

    /// Returns the combatants of a set with the highest current total, or one of them if a tie-break separates them.
    pub(super) fn highest(&mut self, set: u64) -> u64 {
        let group = self.state.places.foremost(set);
        self.untied(group)
    }

    /// Returns the first of several tied combatants, where the rules let them roll off; otherwise all of them. A
    /// roll-off holds for the turn among those who made it.
    #[inline]
    fn untied(&mut self, group: u64) -> u64 {
        if is_single(group) || !self.plan.order.rolls_off {
            return group;
        }
        let settled = |who| group & !self.actor(who).rolled_off == 0;
        if !members(group).all(settled) {
            let mut keys = [0; MAX_COMBATANTS];
            self.roll_off_shared(&mut keys, group);
            for who in members(group) {
                let actor = self.actor_mut(who);
                (actor.edge, actor.rolled_off) = (keys[who], group);
            }
        }
        // After the last roll-off, the first in file order wins.
        let first = foremost(group, |who| self.actor(who).edge);
        first & first.wrapping_neg()
    }

    /// Lets combatants spend Moxie to go first; all decide in the same state (EP-5).
    pub(super) fn ask_moxie(&mut self) {
        let plan = self.plan;
        self.state.clock.first = 0;
        let asked = self.acting() & self.state.world.standing() & plan.clock.spenders;
        let mut answers = 0;
        for who in members(asked) {
            let lines = self.combatant(who).policy.at(Window::PhaseBegins);
            if self.between_stages(who, |clock| clock.answer(who, lines).is_some()) {
                answers |= bit(who);
            }
        }
        for who in members(answers) {
            let lines = self.combatant(who).policy.at(Window::PhaseBegins);
            self.between_stages(who, |clock| clock.answers(who, lines));
            let actor = self.actor_mut(who);
            actor.moxie -= 1;
            let left = actor.moxie.into();
            self.counts(who).phases.moxie_spent += 1;
            self.note(Event::Moxie { who, left });
        }
        self.state.clock.first = answers;
    }

    /// Asks a combatant between two stages: what it did in its last one is over, and its next has not begun. A move under
    /// way still goes on if the next does not come (EP-8).
    fn between_stages<T>(&mut self, who: usize, ask: impl FnOnce(&mut Self) -> T) -> T {
        let before = *self.actor(who);
        let quick = self.plan.rules.quick_actions;
        let actor = self.actor_mut(who);
        (actor.quick, actor.moved, actor.under_way) = (quick, 0, None);
        actor.flags = before.flags.among(flags::BUSY);
        let answer = ask(self);
        *self.actor_mut(who) = before;
        answer
    }

    /// Applies wounds. They count at once, and may put the combatant behind others whose places are still to come
    /// (EP-4).
    pub(super) fn wound(&mut self, who: usize, wounds: i32) {
        let before = self.key_with_moxie(who);
        let actor = self.actor_mut(who);
        actor.wounds = actor.wounds.saturating_add(wounds);
        self.rank(who);
        let after = self.key_with_moxie(who);
        let counts = &mut self.counts(who).phases;
        counts.wounds = counts.wounds.saturating_add(wounds as u32);
        // Before the first Phase the initiative of the turn is not known.
        let total = (self.state.clock.phase > 0).then(|| self.total(who));
        self.note(Event::Wound { who, wounds, total });
        let pending = self.state.places.due & self.state.world.standing();
        let waits = pending & bit(who) != 0 && self.state.world.health(who) > 0;
        let overtaken = waits
            && before != after
            && members(pending & !bit(who))
                .any(|other| (after..=before).contains(&self.key_with_moxie(other)));
        if overtaken {
            self.counts(who).phases.reorderings += 1;
            self.note(Event::Overtaken { who });
        }
    }

    /// Begins the stage of a combatant whose place has come up. A delayed action is lost (EP-6).
    pub(super) fn begin_place(&mut self, who: usize) {
        let acts = self.acting() & bit(who) != 0;
        self.state.places.due &= !bit(who);
        self.state.clock.first &= !bit(who);
        if acts && self.state.clock.delayed & bit(who) != 0 {
            self.state.clock.delayed &= !bit(who);
            self.state.clock.held &= !bit(who);
            self.counts(who).phases.delays_lost += 1;
            self.note(Event::DelayLost { who });
        }
        if acts {
            self.reach_turn_of(who, true);
        }
        let slot = if self.plan.rules.per_speed {
            self.actor(who).place + 1
        } else {
            self.state.clock.phase
        };
        let flags = if acts {
            flags::ACTING
        } else {
            Flags::default()
        };
        self.open(who, slot, flags);
    }

    /// Begins the stage of a combatant that takes its delayed action. A held action costs the place that the combatant
    /// has in this Phase, or its next in this turn (EP-6).
    pub(super) fn begin_delayed(&mut self, who: usize) {
        let held = self.state.clock.held & bit(who) != 0;
        self.state.clock.delayed &= !bit(who);
        self.state.clock.held &= !bit(who);
        self.note(Event::DelayTaken { who });
        let mut slot = self.state.clock.phase;
        if self.plan.rules.per_speed {
            slot = self.actor(who).slot;
            if held {
                slot = self.actor(who).place + 1;
                self.end_place(who);
            }
        } else {
            self.state.places.due &= !bit(who);
        }
        self.state.clock.first &= !bit(who);
        self.open(who, slot, flags::ACTING.and(flags::INTERRUPTING));
    }

    fn open(&mut self, who: usize, slot: u8, flags: Flags) {
        let quick = self.plan.rules.quick_actions;
        let owed = self.owed(who, slot);
        let actor = self.actor_mut(who);
        let acts = flags.any(flags::ACTING);
        // A move that goes on is asked about the stage in which it began.
        let kept = if acts { flags::BUSY } else { flags::LASTING };
        actor.slot = slot;
        actor.quick = quick;
        actor.flags = flags.and(actor.flags.among(kept));
        (actor.moved, actor.debt, actor.owes) = (0, owed, 0);
        if acts {
            actor.under_way = None;
        }
    }

    /// Goes on to a combatant's next place in this turn, if it has another (EP-7).
    pub(super) fn end_place(&mut self, who: usize) {
        if !self.plan.rules.per_speed {
            return;
        }
        let speed = self.speed(who);
        let actor = self.actor_mut(who);
        actor.place += 1;
        let more = actor.place < speed && self.state.world.here() & bit(who) != 0;
        self.rank(who);
        self.state.places.due &= !bit(who);
        if more {
            self.state.places.due |= bit(who);
        }
    }
}
