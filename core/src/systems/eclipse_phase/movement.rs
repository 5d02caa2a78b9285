//! Movement: the allowance of each Phase, and moves that go on in Phases without an action (EP-7, EP-8).

use super::choose::{Choice, ChosenAction};
use super::rules::{MOST_PHASES, PhaseRules};
use super::state::UnderWay;
use super::{Encounter, flags};
use crate::sim::prelude::*;

/// Returns the Units that each Phase allows of the Units of a turn. With a die for each point of Speed, each place
/// allows them.
pub(super) fn shares(units: Units, speed: u8, rules: &PhaseRules) -> [Units; MOST_PHASES as usize] {
    let mut shares = [0; MOST_PHASES as usize];
    for (share, phase) in shares.iter_mut().zip(1..) {
        *share = if rules.whole_movement {
            units
        } else if rules.per_speed {
            units / Units::from(speed)
        } else {
            let phases = Units::from(rules.phases);
            units * phase / phases - units * (phase - 1) / phases
        };
    }
    shares
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns the combatants with a move under way that goes on in this Phase, whether they act or not.
    pub(super) fn under_way(&self) -> u64 {
        let rules = &self.plan.rules;
        if rules.per_speed || rules.whole_movement || self.state.clock.phase == 1 {
            return 0;
        }
        let walking = members(self.state.clock.walking & self.state.world.standing());
        set_of(walking.filter(|who| self.actor(*who).under_way.is_some()))
    }

    /// Returns the Units of a Phase, counted from 0, with those that conditions add.
    #[cold]
    #[inline(never)]
    fn share_by_conditions(&self, who: usize, phase: usize) -> Units {
        let units = self.body(who).speed;
        shares(units, self.speed(who), &self.plan.rules)[phase]
    }

    /// Returns the debt of a stage that begins: the unpaid part of a Unit of earlier stages, which took more than was
    /// left of their share (W-15).
    pub(super) fn owed(&self, who: usize, slot: u8) -> Units {
        let actor = self.actor(who);
        if actor.owes + actor.debt == 0 {
            return 0;
        }
        if slot <= actor.slot {
            return actor.debt;
        }
        let share = |slot: usize| {
            let phase = if self.plan.rules.per_speed { 0 } else { slot };
            self.share_by_conditions(who, phase)
        };
        let last = usize::from(actor.slot) - 1;
        let unpaid = actor.owes + (actor.debt - share(last)).max(0);
        let since = last + 1..usize::from(slot) - 1;
        (unpaid - since.map(share).sum::<Units>()).max(0)
    }

    /// Returns the Units left to make in this Phase, even before the combatant's place in it has come up (EP-8).
    pub(super) fn units_to_come(&self, who: usize) -> Units {
        let rules = &self.plan.rules;
        let actor = self.actor(who);
        // A delayed action has the Units of its own place, which may be over.
        if actor.flags.any(flags::ACTING) && !actor.flags.any(flags::DONE) {
            return self.units_left(who);
        }
        let (slot, phase) = if rules.per_speed {
            (actor.place + 1, 0)
        } else {
            (
                self.state.clock.phase,
                usize::from(self.state.clock.phase) - 1,
            )
        };
        let share = || self.share_by_conditions(who, phase);
        if rules.whole_movement {
            share() - actor.moved_turn
        } else if actor.slot == slot {
            self.units_left(who)
        } else {
            share() - self.owed(who, slot)
        }
    }

    /// Begins a move that was chosen, or continues one under way.
    pub(super) fn begin_move(&mut self, who: usize, line: u16, current_move: MoveInProgress) {
        let committed = self.is_committed(who, line).then_some(current_move);
        self.state.clock.walking |= bit(who);
        let actor = self.actor_mut(who);
        actor.moving = Some(current_move);
        actor.under_way = Some(UnderWay { line, committed });
    }

    /// Returns whether a move commits to the Units that its line names.
    fn is_committed(&self, who: usize, line: u16) -> bool {
        let action = &self.line(who, line).action;
        matches!(action, Action::Advance(step) | Action::Retreat(step) if step.units.is_some())
    }

    /// Begins a move of `who`, which acts alone, and makes its first Units.
    #[inline(never)]
    pub(super) fn begin_alone(&mut self, who: usize, line: u16, current_move: MoveInProgress) {
        let acting = self.actor(who).flags.any(flags::ACTING);
        // Between its stages, a combatant that flees can only tell by its own Unit that it is at an exit, and the last Unit
        // of a move is not followed by a decision.
        let is_sure = acting
            || self.plan.fight.exits.is_empty()
                && (current_move.left > 1 || !self.is_committed(who, line));
        let calm = if is_sure { Units::MAX } else { 0 };
        let rest = self.walk_ahead(who, line, current_move, (calm, 1), acting);
        self.begin_move(who, line, rest.unwrap_or(current_move));
    }

    /// Makes Units of all combatants that have declared an action, if all of them walk Unit by Unit and continue to,
    /// whatever the others among them do. Returns whether it made any: the combatants then declare anew.
    pub(super) fn walk_together(&mut self, declared: u64) -> bool {
        if self.walks_unit_by_unit() || !self.plan.fight.exits.is_empty() {
            return false;
        }
        let walks = |who: usize, line: u16, _: &MoveInProgress| {
            let action = &self.line(who, line).action;
            matches!(action, Action::Advance(step) if step.units.is_none())
        };
        let Some(units) = self.common_units(declared, &self.state.parts, walks) else {
            return false;
        };
        for who in members(declared) {
            if let Some((line, current_move)) = self.state.parts[who].walk() {
                self.begin_move(who, line, current_move);
                self.watch_first(who);
                self.make_units(who, units, &current_move);
                let actor = self.actor_mut(who);
                actor.moving = None;
                if actor.flags.any(flags::ACTING) {
                    self.counts(who).decisions += units as u32 - 1;
                }
            }
        }
        true
    }

    /// Updates the move under way after a step along `made`, walked or spent on the spot, and clears it at its end. A
    /// move that the Phase's share has cut short goes on later; so does, by option, one that has reached its goal.
    pub(super) fn keep_under_way(&mut self, who: usize, made: MoveInProgress) {
        let blocked = self.leads_on(who, &made).err();
        let over = blocked.is_some_and(|why| self.ends_a_move(why));
        let waits = blocked.is_some() || self.units_left(who) < 1;
        let actor = self.actor_mut(who);
        if over {
            actor.under_way = None;
        }
        let Some(under_way) = &mut actor.under_way else {
            return;
        };
        let Some(current_move) = &mut under_way.committed else {
            return;
        };
        current_move.left -= 1;
        match actor.moving {
            Some(moving) => current_move.target = moving.target,
            None if waits && current_move.left > 0 => {}
            None => actor.under_way = None,
        }
    }

    /// Checks that a move goes on as far as its target and walls are concerned.
    fn leads_on(&self, who: usize, current_move: &MoveInProgress) -> Result<(), Obstacle> {
        let target = usize::from(current_move.target);
        self.may_step(who, target, current_move.advance, current_move.stop)
    }

    /// Returns whether an obstacle ends a move: a move that has reached its goal is over, unless it follows its target
    /// (EP-8).
    fn ends_a_move(&self, why: Obstacle) -> bool {
        !(self.plan.rules.move_follows && why == Obstacle::InPlace)
    }

    /// Returns the move under way of a combatant that does not act, if it goes on. The condition of a move that goes
    /// Unit by Unit is checked again.
    pub(super) fn goes_on(&mut self, who: usize) -> Option<Choice> {
        let under_way = self.actor(who).under_way?;
        if self.units_left(who) < 1 {
            return None;
        }
        let current_move = match under_way.committed {
            Some(current_move) => self.still_leads(who, current_move),
            None => self.asked_again(who, under_way.line),
        };
        if current_move.is_err_and(|why| self.ends_a_move(why)) {
            self.actor_mut(who).under_way = None;
        }
        Some(Choice {
            line: under_way.line,
            what: ChosenAction::Move(current_move.ok()?),
        })
    }

    /// Returns a committed move, with its target kept or replaced, if it leads anywhere now.
    fn still_leads(
        &mut self,
        who: usize,
        current_move: MoveInProgress,
    ) -> Result<MoveInProgress, Obstacle> {
        self.set_current_move(who, Some(current_move));
        // Looks for another target if this one has fallen.
        self.next_unit(who);
        let current_move = self.current_move(who).unwrap_or(current_move);
        self.set_current_move(who, None);
        if !self.may_be_target(current_move.target.into(), current_move.aim) {
            return Err(Obstacle::NoTarget);
        }
        self.leads_on(who, &current_move)
            .map(|()| self.begun(who, current_move))
    }

    /// Returns the move of a line that goes Unit by Unit, if the line would be taken now.
    fn asked_again(&self, who: usize, line: u16) -> Result<MoveInProgress, Obstacle> {
        let index = usize::from(line);
        let lines = self.combatant(who).policy.decisions();
        let line = &lines[index];
        // A fleeing combatant has arrived at an exit, over which it leaves when it is free to decide (W-10).
        let flees = index.checked_sub(1).is_some_and(|before| {
            let before = &lines[before];
            before.number == line.number && matches!(before.action, Action::Leave(Leaving::Flees))
        });
        if flees && self.may_leave(who, Leaving::Flees).is_ok() {
            return Err(Obstacle::Condition);
        }
        let (Action::Advance(step) | Action::Retreat(step)) = &line.action else {
            return Err(Obstacle::Condition);
        };
        // Taking the line again is a decision.
        if self.is_stunned(who) {
            return Err(Obstacle::Stunned);
        }
        let advance = matches!(line.action, Action::Advance(_));
        let view = self.view(who);
        let current_move = self.legal_walk(&view, line.aim, step, advance)?;
        if self.holds_of(&view, line, &ChosenAction::Move(current_move)) {
            Ok(current_move)
        } else {
            Err(Obstacle::Condition)
        }
    }
}

impl<'a, C: Chance, O: ClockObserver> Walk<'a> for Encounter<'a, C, O> {
    fn current_move(&self, who: usize) -> Option<MoveInProgress> {
        self.actor(who).moving
    }

    fn set_current_move(&mut self, who: usize, current_move: Option<MoveInProgress>) {
        self.actor_mut(who).moving = current_move;
    }

    #[inline]
    fn units_left(&self, who: usize) -> Units {
        let actor = self.actor(who);
        let phase = usize::from(self.state.clock.phase) - 1;
        let share = if self.world().has_conditions() {
            self.share_by_conditions(who, phase)
        } else {
            self.plan.profiles[who].shares[phase]
        };
        if !self.plan.rules.whole_movement {
            share - actor.moved - actor.debt
        } else if actor.flags.any(flags::ACTING) {
            share - actor.moved_turn
        } else {
            0
        }
    }

    /// Attacks are spent with the Complex Action (EP-3). A move that goes on without an action checks no other line.
    #[inline]
    fn is_spent(&self, who: usize, line: u16) -> bool {
        !self.actor(who).flags.any(flags::ACTING)
            || self.walk_effects(who)[usize::from(line)].attacks() && self.has_complex(who).is_err()
    }

    /// Returns whether `who` can begin a Unit. A Unit that takes more than a Phase's share may be begun with the rest
    /// of the share: the next Phases of the turn pay for it (W-15).
    fn affords(&self, who: usize, toll: Units) -> bool {
        let needed = if self.plan.rules.whole_movement {
            toll
        } else {
            1
        };
        self.units_left(who) >= needed
    }

    fn spend_units(&mut self, who: usize, units: Units) {
        let over = units - self.units_left(who);
        let actor = self.actor_mut(who);
        actor.owes += over.max(0);
        actor.moved += units;
        actor.moved_turn += units;
        self.is_busy(who);
    }
}
