//! Rounds and turns. A turn is a machine of small steps on a stack: an interruption is pushed on top, and the
//! interrupted action goes on afterwards (CD-3, CD-4, CD-7).

use super::choose::{Choice, ChosenAction, Waiting};
use super::sequence::Upcoming;
use super::state::Doing;
use super::trigger::Trigger;
use super::{Encounter, flags};
use crate::sim::conditions::Over;
use crate::sim::prelude::*;

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Rounds<'a> for Encounter<'a, C, O, PLAIN> {
    type Due = Upcoming;

    /// Those that have come in after a delay are next (CD-2). An early trigger may have put a place that is still to come
    /// before the turn that it interrupted (`early_trigger = "adds"`).
    #[inline]
    fn next_due(&mut self) -> Option<Self::Due> {
        let due = self.state.places.due | self.state.clock.effects_due;
        let coming = due & self.state.clock.coming;
        if self.is_own() && coming == 0 {
            self.next_in_sequence()
        } else if coming == 0 {
            self.state.places.next(due).map(Upcoming::Turn)
        } else {
            self.state
                .places
                .in_order(coming)
                .next()
                .map(Upcoming::Turn)
        }
    }

    /// Plays a turn.
    fn play_moment(&mut self, due: Self::Due) -> Option<Ending> {
        let who = match due {
            Upcoming::Turn(who) => who,
            Upcoming::Hazard => return self.strike_in_order(),
            Upcoming::EndToken => return None,
        };
        let standing = self.state.world.standing();
        if self.is_own() {
            self.turn::<true>(who);
        } else {
            self.turn::<false>(who);
        }
        // Only a fall decides an encounter.
        let fell = standing != self.state.world.standing();
        let decided = if fell { self.decided() } else { None };
        // A delayed turn is not over (CD-2).
        if decided.is_some() || self.state.clock.delaying & bit(who) != 0 {
            return decided;
        }
        self.ends_by_distance()
    }

    fn end_round(&mut self) {
        self.end_delays(u64::MAX);
        self.end_round_of_all(false);
    }

    fn begin_round(&mut self) -> Option<Ending> {
        self.state.round += 1;
        self.state.clock.turn = 0;
        self.note(Event::Round);
        self.open_round();
        self.state.places.begin(self.state.world.here());
        self.state.clock.settled = 0;
        if self.plan.clock.delays {
            for who in 0..self.plan.fight.combatants.len() {
                self.actor_mut(who).flags.drop(flags::OF_THE_ROUND);
            }
        }
        // Hazards strike before initiative, and what was readied for a fall comes at once (W-14, CD-3).
        self.trigger_by_falls_between_turns();
        let ordered = self.order_places();
        if self.is_own() && ordered {
            self.swap_places();
        }
        if ordered && O::LISTENS {
            let order: Vec<usize> = self.state.places.in_order(u64::MAX).collect();
            for (who, place) in order.into_iter().zip(1..) {
                self.note(Event::Place { who, place });
            }
        }
        if self.is_own() {
            self.begin_sequence();
            self.begin_budgets_of_round();
        }
        self.decided_early()
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Plays a turn, or one of a clock of one's `OWN`: the place has come up, or the combatant comes in.
    fn turn<const OWN: bool>(&mut self, who: usize) {
        if self.state.clock.effects_due & bit(who) != 0 {
            self.state.clock.effects_due &= !bit(who);
            self.settle_effects(who);
            self.end_replaced(who);
            self.trigger_by_falls_between_turns();
            return self.bring_in_delayed(who);
        }
        self.state.clock.turn += 1;
        self.state.places.due &= !bit(who);
        let comes_in = self.state.clock.coming & bit(who) != 0;
        self.state.clock.coming &= !bit(who);
        let begins = !OWN || self.begins_turns();
        if begins {
            self.come_up(who);
        }
        if !self.world().stands(who) {
            return self.pass_turn_down(who);
        }
        // The turn begins under a stun that its effects may end.
        let stunned = self.is_stunned(who);
        if comes_in {
            // The combatant has not done anything yet, and its place came up before.
            self.actor_mut(who).flags.add(flags::DELAYED);
        } else if begins {
            let actor = self.actor_mut(who);
            actor.flags = Flags::NONE;
            actor.moved = 0;
            actor.moving = None;
            if OWN {
                self.begin_budget(who);
            }
            self.drop_readied(who);
            self.settle_effects(who);
        }
        if stunned && self.world().stands(who) {
            self.count_stunned_round(who);
        }
        self.take_turn::<OWN>(who);
        // The place has come up only once: coming in later is the same turn (CD-5).
        let delays = self.state.clock.delaying & bit(who) != 0;
        let ends = !OWN || self.ends_turns();
        let over = match (delays, comes_in) {
            (true, _) => Over::Delay,
            (false, true) => Over::DelayedTurn,
            (false, false) => Over::Turn,
        };
        if ends {
            self.end_turn_of(who, over);
        }
        self.trigger_by_falls_between_turns();
        if OWN && ends {
            self.react_to_end(who);
        }
        if self.state.clock.delaying & bit(who) != 0 {
            return;
        }
        if OWN {
            self.end_place(who);
        }
        let actor = self.actor(who);
        let busy = ends && (actor.moved > 0 || actor.flags.any(flags::ACTED));
        self.counts(who).turns += u32::from(busy);
        self.bring_in_delayed(who);
    }

    /// Plays a turn as a machine of small steps. Where no readied action can interrupt it, each choice is carried out at
    /// once, without the stack.
    fn take_turn<const OWN: bool>(&mut self, who: usize) {
        let alone = self.state.clock.readied == 0 && !(OWN && self.plan.clock.reactors != 0);
        if !alone {
            self.state.stack.push(who, Doing::Free);
        }
        let standing = self.world().standing();
        let mut over = self.world().stands(who) && self.loses_turn(who);
        if over {
            self.counts(who).actions_lost += 1;
            self.state.stack.set(Doing::Over);
        }
        while alone && !over && self.world().stands(who) {
            over = self.continue_turn(who, true)
                || standing != self.world().standing() && self.decided().is_some();
        }
        if !alone {
            self.run();
        }
    }

    /// Runs the action on top until the stack is empty.
    pub(super) fn run(&mut self) {
        while let Some(frame) = self.state.stack.top() {
            let (who, doing, waiting) = (usize::from(frame.who), frame.doing, frame.waiting);
            if self.decided().is_some() {
                self.count_declared(who, doing);
                self.state.stack.pop();
            } else if self.state.clock.fallen != 0 {
                self.trigger_by_falls();
            } else if waiting != 0 {
                self.interrupt(who);
            } else if !self.world().stands(who) {
                self.count_declared(who, doing);
                self.finish();
            } else {
                match doing {
                    Doing::Free => {
                        if self.continue_turn(who, false) {
                            self.state.stack.set(Doing::Over);
                        }
                    }
                    Doing::Walking => self.walk(who),
                    Doing::Stepping => self.step(who),
                    Doing::Declared(deed, line) => self.carry_out(who, deed, line),
                    Doing::Over => self.finish(),
                }
            }
        }
    }

    /// Counts a spell that was declared and is not carried out (CD-4).
    fn count_declared(&mut self, who: usize, doing: Doing) {
        if matches!(doing, Doing::Declared(Deed::Cast { .. }, _)) {
            self.counts(who).spells_cast += 1;
        }
    }

    /// Ends the action on top of the stack.
    fn finish(&mut self) {
        let Some((who, below)) = self.state.stack.pop() else {
            return;
        };
        self.actor_mut(who).reaction = 0;
        if let Some(target) = below {
            self.note(Event::InterruptOver { who, target });
            if self.actor(who).flags.any(flags::REPLACES) {
                self.tell_delaying(who);
            }
            self.end_replaced(who);
        }
    }

    /// Takes the next line: carries its action out at once if the combatant acts `alone`, else begins it. Returns whether
    /// the turn is over.
    #[inline]
    fn continue_turn(&mut self, who: usize, alone: bool) -> bool {
        let Some(Choice { line, what }) = self.decide(who) else {
            return self.pass(who);
        };
        self.count_decision(who, line);
        match what {
            ChosenAction::Do(deed) => {
                self.actor_mut(who).flags.add(flags::ACTED);
                if self.is_own() {
                    self.pay_for(who, deed);
                }
                if !alone {
                    self.declare(who, deed, line);
                    return false;
                }
                self.perform(who, deed);
                let foe = deed.target().unwrap_or(who);
                return self.has_no_line_left(who, self.plan.profiles[who].rest, foe);
            }
            ChosenAction::Move(current_move) => {
                // No event can interrupt these Units.
                let calm = self.calm_units(who);
                let rest = self.walk_ahead(who, line, current_move, (calm, 0), true);
                self.actor_mut(who).moving = rest;
                if !alone && rest.is_some() {
                    self.state.stack.set(Doing::Walking);
                }
                while alone && let Some(to) = self.begin_unit(who) {
                    self.walk_unit(who, to);
                }
            }
            ChosenAction::Own(Waiting::Ready) => self.ready(who, line),
            ChosenAction::Own(Waiting::Delay) => {
                self.begin_delay(who, line);
                return true;
            }
            ChosenAction::Leave(how) => {
                self.watch_first(who);
                self.leave(who, how);
                // Leaving is not a fall, which might be a trigger.
                self.state.clock.fallen &= !bit(who);
                return true;
            }
            ChosenAction::Pass => return self.pass(who),
        }
        false
    }

    /// Reports that the turn is over.
    fn pass(&mut self, who: usize) -> bool {
        let actions = match self.budget() {
            None => usize::from(!self.actor(who).flags.any(flags::ACTED)),
            Some(_) => self.left(who)[0].into(),
        };
        if !self.is_own() || self.ends_turns() {
            self.note(Event::TurnOver { who, actions });
        }
        true
    }

    /// Decides between two Units: ends the move, or declares the next Unit to combatants with readied actions.
    fn walk(&mut self, who: usize) {
        let Some(to) = self.begin_unit(who) else {
            let over = self.interrupts(who);
            self.state
                .stack
                .set(if over { Doing::Over } else { Doing::Free });
            return;
        };
        self.state.stack.set(Doing::Stepping);
        self.trigger_readied(who, Trigger::Moves, to);
    }

    /// Makes the due Unit, if it is still possible.
    fn step(&mut self, who: usize) {
        self.state.stack.set(Doing::Walking);
        let unit = self.next_unit(who);
        let Some(to) = unit else {
            self.set_current_move(who, None);
            return;
        };
        let from = self.world().position(who);
        self.walk_unit(who, to);
        self.trigger_readied(who, Trigger::Moved, from);
    }

    /// Makes a Unit of the move under way.
    fn walk_unit(&mut self, who: usize, to: Units) {
        let Some(current_move) = self.current_move(who) else {
            return;
        };
        self.watch_first(who);
        self.make_step(who, Some(to));
        self.set_current_move(who, current_move.with_left(current_move.left - 1));
    }
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Walk<'a> for Encounter<'a, C, O, PLAIN> {
    fn current_move(&self, who: usize) -> Option<MoveInProgress> {
        let actor = self.actor(who);
        if self.interrupts(who) {
            actor.readied_move.map(|(current_move, _)| current_move)
        } else {
            actor.moving
        }
    }

    fn set_current_move(&mut self, who: usize, current_move: Option<MoveInProgress>) {
        let interrupts = self.interrupts(who);
        let actor = self.actor_mut(who);
        if interrupts {
            let spent = actor.readied_move.map_or(0, |(_, spent)| spent);
            actor.readied_move = current_move.map(|current_move| (current_move, spent));
        } else {
            actor.moving = current_move;
        }
    }

    /// Returns the Units left of the turn, or of a readied move, which has as many of its own (CD-3).
    fn units_left(&self, who: usize) -> Units {
        let actor = self.actor(who);
        let spent = match actor.readied_move {
            Some((_, spent)) if self.interrupts(who) => spent,
            _ => actor.moved,
        };
        let units = match self.budget() {
            None => self.speed(who),
            Some(budget) => self.units_of_turn(who, budget),
        };
        units - spent
    }

    #[inline]
    fn spend_units(&mut self, who: usize, units: Units) {
        let interrupts = self.interrupts(who);
        let actor = self.actor_mut(who);
        match &mut actor.readied_move {
            Some((_, spent)) if interrupts => *spent += units,
            _ => {
                actor.moved += units;
                if let Some(budget) = self.budget() {
                    self.pay_for_units(who, budget);
                }
            }
        }
    }

    /// The lines that take an action are spent with the action of the turn (CD-7).
    #[inline]
    fn is_spent(&self, who: usize, line: u16) -> bool {
        let action = &self.line(who, line).action;
        action.takes_action()
            && match self.budget() {
                None => self.actor(who).flags.any(flags::ACTED),
                Some(budget) => {
                    let least = budget.least_price(self.combatant(who), action);
                    !self.can_pay(who, least)
                }
            }
    }
}
