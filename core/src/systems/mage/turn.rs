//! One combatant's turn, alone or simultaneous with others (W-5).

use super::act::Terms;
use super::choose::{Choice, ChosenAction};
use super::legal::Feats;
use super::{Encounter, flags};
use crate::sim::conditions::Over;
use crate::sim::prelude::*;

/// More beats than all yards, actions and the pass of a turn can take (W-7).
const MOST_BEATS: usize = 100_000;

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Plays the turn of a combatant without ties.
    pub(super) fn alone(&mut self, who: usize) {
        self.begin_own_turn(who);
        for _ in 0..MOST_BEATS {
            if self.actor(who).flags.any(flags::DONE) {
                break;
            }
            let Some(choice) = self.decide(who) else {
                self.pass(who);
                break;
            };
            self.begin(who, choice);
            if self.actor(who).moving.is_some() {
                self.walk(who, choice.line);
                continue;
            }
            if self.has_nothing_left(who, &choice) || self.decided().is_some() {
                break;
            }
        }
        self.end_turn(who);
    }

    /// Returns whether `who` can take no other line in this turn, after a choice that it has carried out.
    #[inline]
    fn has_nothing_left(&self, who: usize, choice: &Choice) -> bool {
        let foe = Self::target(&choice.what).unwrap_or(who);
        self.actor(who).actions == 0
            && self.has_no_line_left(who, self.plan.profiles[who].rest, foe)
    }

    /// Makes the rest of a move at once, because no interruption is possible, and with it the Units for which the same
    /// line would be taken again.
    fn walk(&mut self, who: usize, line: u16) {
        self.walk_on(who, line);
        while self.actor(who).moving.is_some() {
            let unit = self.due_step(who);
            self.make_step(who, unit);
            self.continue_move(who);
        }
    }

    /// Plays the turns of tied combatants beat by beat (W-5). Their effects on one another count after their turns have
    /// ended.
    pub(super) fn together(&mut self, group: u64) {
        self.state.put_off.together = self.acting(group);
        for who in members(group) {
            self.begin_own_turn(who);
        }
        self.fall_together();
        // The damage of a condition may have freed a combatant from it.
        let acting = self.acting(group);
        self.state.put_off.together = acting;
        // A turn that is lost is over before the others act: what they shoot counts in the next one (MA-6).
        let lost = group & !acting;
        for who in members(lost) {
            self.actor_mut(who).flags.drop(flags::UNDER_FIRE);
        }
        for _ in 0..MOST_BEATS {
            let busy = self.declare(group);
            if busy == 0 {
                break;
            }
            if self.walk_together(busy) {
                continue;
            }
            self.carry_out(busy);
            if self.decided().is_some() {
                break;
            }
        }
        for who in members(group) {
            let flags = &mut self.actor_mut(who).flags;
            if lost & bit(who) != 0 && flags.any(flags::UNDER_FIRE) {
                flags.add(flags::SHOT_AT_IN_TIE);
            }
            self.end_turn(who);
        }
        self.settle();
    }

    /// Passes the turns of those of a group that are down: their conditions count them (W-18).
    #[cold]
    #[inline(never)]
    pub(super) fn pass_turns_down(&mut self, group: u64) {
        for who in members(group & self.world().down()) {
            self.reach_turn_of(who, true);
            self.pass_turn_down(who);
        }
    }

    /// Returns those of a group that act in their turns: a combatant that loses its turn does not (W-5).
    fn acting(&self, group: u64) -> u64 {
        let able = members(self.world().able(group) & !self.state.places.lost);
        set_of(able.filter(|who| !self.actor(*who).flags.any(flags::DONE)))
    }

    /// Begins a turn: deals the damage of conditions, and skips a turn that is lost.
    #[inline(always)]
    fn begin_own_turn(&mut self, who: usize) {
        self.reach_turn_of(who, true);
        let stunned = self.world().is_stunned(who);
        self.suffer_conditions(who);
        // The turn began under a stun that its damage may have ended.
        if stunned && self.world().stands(who) {
            self.count_stunned_round(who);
        }
        if self.loses_turn(who) {
            let actor = self.actor_mut(who);
            actor.flags.add(flags::DONE);
            actor.actions = 0;
        }
    }

    /// Applies the cost of the turn (MA-6).
    fn end_turn(&mut self, who: usize) {
        let actor = self.actor(who);
        let moved = actor.yards > 0;
        let busy = moved || actor.flags.any(flags::ACTED.and(flags::CLIMBED));
        self.counts(who).turns += u32::from(busy);
        if moved {
            self.tire(who);
        }
        let flags = &mut self.actor_mut(who).flags;
        flags.drop(flags::UNDER_FIRE);
        if flags.any(flags::SHOT_AT_IN_TIE) {
            flags.add(flags::UNDER_FIRE);
        }
        self.end_turn_of(who, Over::Turn);
    }
}

impl<'a, C: Chance, O: ClockObserver> Steps<'a> for Encounter<'a, C, O> {
    fn begin_step(&mut self, who: usize) -> bool {
        if let Part::Choice(choice) = *self.part(who) {
            self.begin(who, choice);
        }
        // A failed roll may have prevented the move.
        self.actor(who).moving.is_some() && self.world().stands(who)
    }

    fn due_step(&mut self, who: usize) -> Option<Units> {
        self.push_on(who);
        self.next_unit(who)
    }

    fn do_step(&mut self, who: usize, to: Option<Units>) {
        self.make_step(who, to);
    }

    fn end_step(&mut self, who: usize) {
        self.continue_move(who);
    }
}

impl<'a, C: Chance, O: ClockObserver> Beats<'a, Feats> for Encounter<'a, C, O> {
    fn next_part(&mut self, who: usize) -> Option<Part<Choice>> {
        if self.actor(who).flags.any(flags::DONE) {
            None
        } else if self.actor(who).moving.is_some() {
            Some(Part::Step)
        } else if let Part::Choice(choice) = &self.state.parts[who]
            && self.actor(who).flags.any(flags::ACTED)
            && self.has_nothing_left(who, choice)
        {
            if self.walks_unit_by_unit() {
                return Some(Part::Pass);
            }
            // Only an observer sees at which beat it passes.
            self.pass(who);
            None
        } else {
            Some(self.decide(who).map_or(Part::Pass, Part::Choice))
        }
    }

    fn part(&mut self, who: usize) -> &mut Part<Choice> {
        &mut self.state.parts[who]
    }

    fn begin(&mut self, who: usize, choice: Choice) {
        let line = self.line(who, choice.line);
        self.take_line(who, line);
        match choice.what {
            ChosenAction::Own(Feats::One(feat, lost)) => {
                let terms = Terms {
                    lost,
                    divided: false,
                };
                self.act(who, std::slice::from_ref(&feat), terms, line);
            }
            ChosenAction::Own(Feats::Several(deed)) => {
                let terms = Terms {
                    lost: deed.lost,
                    divided: true,
                };
                self.act(who, &deed.feats()[..deed.count()], terms, line);
            }
            ChosenAction::Move(current_move) => self.begin_move(who, current_move),
            // Every deed on this clock is a feat.
            ChosenAction::Do(_) => {}
            ChosenAction::Own(Feats::Ready(weapon)) => self.ready(who, weapon),
            ChosenAction::Leave(how) => self.leave(who, how),
            ChosenAction::Pass => self.pass(who),
        }
    }

    fn pass(&mut self, who: usize) {
        let actor = self.actor_mut(who);
        actor.flags.add(flags::DONE);
        let actions = usize::from(actor.actions);
        self.note(Event::TurnOver { who, actions });
    }
}
