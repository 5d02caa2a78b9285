//! Readied actions: their triggers, the decision to use them, and the changes of places (CD-3).

use super::choose::ChosenAction;
use super::state::Doing;
use super::{Encounter, flags};
use crate::fight::program::{Readied, When};
use crate::sim::conditions::Over;
use crate::sim::notes::in_words;
use crate::sim::prelude::*;

/// The kinds of event that may trigger a readied action.
#[derive(Debug, Clone, Copy)]
pub(super) enum Trigger {
    /// The combatant is about to move a Unit.
    Moves,
    /// The combatant has moved a Unit.
    Moved,
    Attacks,
    Casts,
    Uses,
    Draws,
    Stands,
    /// The combatant has fallen.
    Falls,
    /// The turn of the combatant has ended.
    EndsTurn,
}

/// The number of [kinds](Trigger).
pub(super) const KINDS: usize = 9;

/// For each kind of event, the combatants with a `react` line that waits for it.
pub(super) fn reacts(fight: &Fight) -> [u64; KINDS] {
    let mut reacts = [0; KINDS];
    for (who, combatant) in fight.combatants.iter().enumerate() {
        for line in combatant.policy.at(Window::React) {
            let Action::Ready(readied) = &line.action else {
                continue;
            };
            let kinds = Trigger::awaited(readied.when);
            for (kind, set) in reacts.iter_mut().enumerate() {
                *set |= u64::from(kinds >> kind & 1) << who;
            }
        }
    }
    reacts
}

impl Trigger {
    const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// Returns the kinds of event that may be the awaited one, one bit each.
    fn awaited(when: When) -> u16 {
        let kind = match when {
            When::ComesWithin(_) | When::Leaves(_) => Self::Moved,
            When::Moves | When::LeavesReach => Self::Moves,
            When::EndsTurn => Self::EndsTurn,
            When::Attacks { .. } => Self::Attacks,
            When::Casts => Self::Casts,
            When::Uses => Self::Uses,
            When::Draws => Self::Draws,
            When::Falls => Self::Falls,
            // The event announces a deed that has no result yet.
            When::Acts => {
                return !(Self::Moved.bit() | Self::Falls.bit() | Self::EndsTurn.bit());
            }
        };
        kind.bit()
    }
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'a, C, O, PLAIN> {
    /// Readies an action, which takes the action of the turn.
    pub(super) fn ready(&mut self, who: usize, line: u16) {
        self.state.clock.readied |= bit(who);
        // Earlier falls do not trigger it.
        self.state.clock.fallen = 0;
        let actor = self.actor_mut(who);
        actor.flags.add(flags::ACTED);
        actor.line = line;
        if self.is_own() {
            self.pay_for_readying(who);
        }
        self.counts(who).readied += 1;
        let when = self.readied(who).map(|readied| readied.when);
        let kinds = when.map_or(0, Trigger::awaited);
        for (kind, waiting) in self.state.clock.awaited.iter_mut().enumerate() {
            *waiting = *waiting & !bit(who) | u64::from(kinds >> kind & 1) << who;
        }
        self.note(Event::Readied { who });
    }

    /// Drops a readied action that was not triggered before its combatant's place came up again.
    pub(super) fn drop_readied(&mut self, who: usize) {
        if self.state.clock.readied & bit(who) != 0 {
            self.state.clock.readied &= !bit(who);
            self.counts(who).readied_lost += 1;
            self.note(Event::ReadiedLapses { who });
        }
    }

    /// Returns the readied action of a combatant, or the one with which it reacts.
    fn readied(&self, who: usize) -> Option<&Readied> {
        match &self.line_of_deed(who, self.actor(who).line).action {
            Action::Ready(readied) => Some(readied),
            _ => None,
        }
    }

    /// Index among its `react` lines of the one that a combatant follows now, from 1; else 0.
    #[inline]
    fn reaction(&self, who: usize) -> u16 {
        if PLAIN { 0 } else { self.actor(who).reaction }
    }

    /// Returns the `react` line that a combatant follows, or else this one of its decisions.
    pub(super) fn line_of_deed(&self, who: usize, line: u16) -> &'a Line {
        match self.reaction(who).checked_sub(1) {
            Some(reaction) => &self.combatant(who).policy.at(Window::React)[usize::from(reaction)],
            None => self.line(who, line),
        }
    }

    /// The combatants that react to an event, each by the first of its lines that holds. A combatant does not react
    /// while an action of its own is under way.
    #[cold]
    #[inline(never)]
    fn reacting(&mut self, whose: usize, kind: Trigger, detail: Units) -> u64 {
        let busy = self.state.stack.frames().iter();
        let busy = busy.fold(0, |busy, frame| busy | bit(frame.who.into()));
        let waiting = self.plan.clock.reacts[kind as usize] & self.world().standing() & !busy;
        let mut reacting = 0;
        for who in members(waiting & !self.state.clock.readied) {
            self.actor_mut(who).trigger = whose as u8;
            for line in 1..=self.combatant(who).policy.at(Window::React).len() {
                self.actor_mut(who).reaction = line as u16;
                if self.follows(who, whose, detail, kind) {
                    reacting |= bit(who);
                    break;
                }
                self.actor_mut(who).reaction = 0;
            }
        }
        reacting
    }

    /// Whether a combatant follows the `react` line that it thinks of.
    fn follows(&self, who: usize, whose: usize, detail: Units, kind: Trigger) -> bool {
        let view = self.view(who);
        let target = Some((whose, self.world().distance(who, whose)));
        let condition = &self.line_of_deed(who, 0).condition;
        let may = |readied: &Readied| {
            let awaits = Trigger::awaited(readied.when) & kind.bit() != 0;
            awaits && self.left(who)[usize::from(readied.resource)] > 0
        };
        self.readied(who).is_some_and(may)
            && self.is_triggered(who, whose, detail)
            && self.holds(&view, condition, target)
            && self.readied_deed(who).is_ok()
    }

    /// Lets combatants react to the end of a turn.
    #[cold]
    #[inline(never)]
    pub(super) fn react_to_end(&mut self, who: usize) {
        if self.plan.clock.reacts[Trigger::EndsTurn as usize] == 0 || self.decided().is_some() {
            return;
        }
        let mut waiting = self.reacting(who, Trigger::EndsTurn, 0);
        while waiting != 0 {
            let next = self.first_of(waiting);
            waiting &= !bit(next);
            match self.readied_deed(next) {
                Ok(what) if self.world().stands(next) && self.decided().is_none() => {
                    self.note(Event::ActsAfter {
                        who: next,
                        target: who,
                    });
                    self.begin_readied(next, what);
                    self.run();
                }
                _ => self.actor_mut(next).reaction = 0,
            }
        }
    }

    /// Returns whether an event of the awaited kind by `whose` triggers the readied action of `who`. `detail` is the
    /// place that a mover has left or is about to go to, or the target of an attack.
    fn is_triggered(&self, who: usize, whose: usize, detail: Units) -> bool {
        let Some(readied) = self
            .readied(who)
            .filter(|readied| readied.by & bit(whose) != 0)
        else {
            return false;
        };
        match readied.when {
            When::ComesWithin(units) | When::Leaves(units) => {
                let before = (self.world().position(who) - detail).abs() <= units as Units;
                let after = self.world().distance(who, whose) <= units as Units;
                before != after && after == matches!(readied.when, When::ComesWithin(_))
            }
            When::LeavesReach => {
                let reach = self.body(who).reach;
                let then = (self.world().position(who) - detail).abs();
                self.world().distance(who, whose) <= reach && then > reach
            }
            When::Attacks { me: true } => detail == who as Units,
            _ => true,
        }
    }

    /// Returns the Units that `who` can walk in one direction without triggering any readied action.
    pub(super) fn calm_units(&self, who: usize) -> Units {
        let reacts = &self.plan.clock.reacts;
        if self.is_own()
            && (reacts[Trigger::Moves as usize] | reacts[Trigger::Moved as usize]) & !bit(who) != 0
        {
            return 0;
        }
        let waiting = self.state.clock.readied & !bit(who);
        if waiting == 0 {
            return Units::MAX;
        }
        let awaited = &self.state.clock.awaited;
        let by_whom = |other: usize| {
            self.readied(other)
                .filter(|readied| readied.by & bit(who) != 0)
        };
        if members(waiting & awaited[Trigger::Moves as usize]).any(|other| by_whom(other).is_some())
        {
            return 0;
        }
        let mut calm = Units::MAX;
        for other in members(waiting & awaited[Trigger::Moved as usize]) {
            let Some(readied) = by_whom(other) else {
                continue;
            };
            let distance = self.world().distance(who, other);
            let (When::ComesWithin(units) | When::Leaves(units)) = readied.when else {
                return 0;
            };
            let beyond = distance - units as Units;
            calm = calm.min(match readied.when {
                // A mover within that distance that comes within it again has turned round.
                When::ComesWithin(_) if beyond <= 0 => continue,
                When::Leaves(_) if beyond <= 0 => -beyond,
                _ => beyond - 1,
            });
        }
        calm
    }

    /// Triggers readied actions by an event, in the middle of the action on top of the stack. All triggered combatants
    /// decide in the order of their places and in the same state, then take their new places. Those that are able to
    /// act and do not cancel are to interrupt the action on top.
    pub(super) fn trigger_readied(&mut self, whose: usize, kind: Trigger, detail: Units) {
        let waiting =
            self.state.clock.readied & self.state.clock.awaited[kind as usize] & !bit(whose);
        let is_hit = |who: &usize| self.is_triggered(*who, whose, detail);
        let hit = set_of(members(waiting).filter(is_hit));
        if self.is_own() && self.plan.clock.reacts[kind as usize] != 0 {
            let reacting = self.reacting(whose, kind, detail);
            self.state.stack.wait(reacting);
        }
        let Some(frame) = self.state.stack.top().filter(|_| hit != 0) else {
            return;
        };
        let interrupted = usize::from(frame.who);
        let mut triggered = [0_u8; MAX_COMBATANTS];
        let mut count = 0;
        let (mut acting, mut unable) = (0, 0);
        for who in self.state.places.in_order(hit) {
            triggered[count] = who as u8;
            count += 1;
        }
        for who in triggered[..count].iter().map(|who| usize::from(*who)) {
            self.actor_mut(who).trigger = whose as u8;
            let cancels = self.cancels(who, whose);
            self.note(Event::Triggered {
                who,
                target: whose,
                cancels,
            });
            if cancels {
                self.counts(who).cancelled += 1;
            } else if let Err(why) = self.readied_deed(who) {
                unable |= bit(who);
                self.lose_readied(who, why);
            } else {
                acting |= bit(who);
            }
        }
        // A combatant whose own move leads to the event that it waits for keeps its place.
        let moves = |who: &u8| usize::from(*who) != interrupted;
        let is_unable = |who: &u8| unable & bit(usize::from(*who)) != 0;
        let mut places = [0; MAX_COMBATANTS];
        let mut placed = 0;
        for who in triggered[..count].iter().copied().filter(moves) {
            places[placed] = who;
            placed += 1;
        }
        let places = &mut places[..placed];
        // The combatants that are able to act come first; both groups keep their order.
        places.sort_by_key(is_unable);
        let (ahead, behind) = places.split_at(places.partition_point(|who| !is_unable(who)));
        if !self.plan.rules.turns.ready_keeps {
            self.put_beside(interrupted, ahead, behind);
        }
        self.state.clock.readied &= !hit;
        for who in triggered[..count].iter().map(|who| usize::from(*who)) {
            let is_early = self.state.places.due & bit(who) != 0;
            let replaces = is_early && !self.plan.rules.early_trigger_adds;
            if replaces {
                self.state.places.due &= !bit(who);
                self.actor_mut(who).flags.add(flags::REPLACES);
            }
            if is_early && who != interrupted && unable & bit(who) != 0 {
                // The new place is still to come, with its effects.
                self.state.clock.effects_due |= bit(who) * u64::from(replaces);
                continue;
            }
            // The effects of the old place, if it has not come up yet, happen here.
            self.settle_effects(who);
            if acting & bit(who) == 0 {
                self.end_replaced(who);
            }
        }
        self.state.stack.wait(acting);
    }

    /// Ends a readied action. If it has taken the place of a turn, it counts as a turn for lasting conditions (CD-5).
    pub(super) fn end_replaced(&mut self, who: usize) {
        if self.actor(who).flags.any(flags::REPLACES) {
            self.actor_mut(who).flags.drop(flags::REPLACES);
            self.pass_time(who, Over::Turn);
        }
    }

    /// Triggers actions that were readied for a fall while no turn is under way, caused by a hazard or by a condition
    /// that hurts as a turn ends. Combatants that act take places before that of the fallen, so one fall is handled
    /// after the other.
    pub(super) fn trigger_by_falls_between_turns(&mut self) {
        let fallen = std::mem::take(&mut self.state.clock.fallen);
        if self.state.clock.readied == 0 {
            return;
        }
        for who in members(fallen) {
            self.state.clock.fallen = bit(who);
            self.state.stack.push(who, Doing::Over);
            self.run();
        }
    }

    /// Triggers actions that were readied for a fall.
    pub(super) fn trigger_by_falls(&mut self) {
        for who in members(std::mem::take(&mut self.state.clock.fallen)) {
            self.trigger_readied(who, Trigger::Falls, 0);
        }
    }

    /// Returns whether a combatant whose trigger has happened decides not to act.
    fn cancels(&self, who: usize, whose: usize) -> bool {
        let target = Some((whose, self.world().distance(who, whose)));
        let view = self.view(who);
        let cancels = view.combatant.policy.at(Window::Triggered);
        cancels
            .iter()
            .any(|line| self.holds(&view, &line.condition, target))
    }

    /// Lets the next triggered combatant that waits interrupt `target`, the one on top of the stack, if it can act.
    pub(super) fn interrupt(&mut self, target: usize) {
        let keys = &self.state.places.keys;
        let rank = |who: usize| std::cmp::Reverse(keys[who]);
        let Some(who) = self.state.stack.next_waiting(rank) else {
            return;
        };
        if !self.world().stands(who) {
            return;
        }
        match self.readied_deed(who) {
            Ok(what) => {
                if who != target {
                    self.counts(who).interrupts += 1;
                    // A combatant that has fallen was doing nothing any more.
                    self.counts(target).interrupted += u32::from(self.world().stands(target));
                    self.actor_mut(target).flags.add(flags::INTERRUPTED);
                }
                self.note(Event::Interrupt { who, target });
                self.begin_readied(who, what);
            }
            // Other combatants that were triggered with it have acted first.
            Err(_) if self.reaction(who) != 0 => self.actor_mut(who).reaction = 0,
            Err(why) => {
                self.lose_readied(who, why);
                self.end_replaced(who);
            }
        }
    }

    /// Begins a readied action, or the one with which a combatant reacts.
    fn begin_readied(&mut self, who: usize, what: ChosenAction) {
        let line = self.actor(who).line;
        if self.reaction(who) != 0 {
            let line = self.line_of_deed(who, line);
            if let Action::Ready(readied) = &line.action {
                self.actor_mut(who).spent[usize::from(readied.resource)] += 1;
            }
            if O::LISTENS {
                self.report_decision(who, line);
            }
        }
        self.state.stack.push(who, Doing::Over);
        match what {
            ChosenAction::Do(deed) => self.declare(who, deed, line),
            ChosenAction::Move(current_move) => {
                self.actor_mut(who).readied_move = Some((current_move, 0));
                self.state.stack.set(Doing::Walking);
            }
            ChosenAction::Leave(_) | ChosenAction::Pass | ChosenAction::Own(_) => {}
        }
    }

    /// Drops a readied action that is impossible (CD-3).
    fn lose_readied(&mut self, who: usize, mut why: Obstacle) {
        self.counts(who).readied_lost += 1;
        if let Some(readied) = self.readied(who) {
            let side = |who: usize| self.combatant(who).side;
            let is_about_allies = match self.readied_aim(who, readied) {
                Aim::Trigger => side(who) == side(self.actor(who).trigger.into()),
                aim => aim.is_friendly(),
            };
            why = in_words(why, &readied.feat.action, is_about_allies);
        }
        self.note(Event::ReadiedLost { who, why });
    }

    /// Returns the readied action that has been triggered, if it is possible.
    fn readied_deed(&self, who: usize) -> Result<ChosenAction, Obstacle> {
        let readied = self.readied(who).ok_or(Obstacle::NoAction)?;
        if self.is_stunned(who) {
            return Err(Obstacle::Stunned);
        }
        self.readied_what(&self.view(who), readied, self.actor(who).trigger.into())
    }

    /// Returns the target rule of a readied action. If the line does not name a target, that is the combatant that
    /// triggered the action, or another one if that combatant can never be a target.
    pub(super) fn readied_aim(&self, who: usize, readied: &Readied) -> Aim {
        let trigger = bit(self.actor(who).trigger.into());
        match readied.otherwise {
            Some(aim) if readied.when == When::Falls || readied.targets & trigger == 0 => aim,
            _ => readied.feat.aim,
        }
    }

    /// Returns whether the combatant on top acts outside its turn: it may only carry out its readied action, or react.
    pub(super) fn interrupts(&self, who: usize) -> bool {
        let stack = &self.state.stack;
        let top = stack.top().map(|frame| usize::from(frame.who));
        top == Some(who) && (stack.depth() > 1 || self.reaction(who) != 0)
    }

    /// Declares an action: others may interrupt before it is carried out (CD-3, CD-4).
    pub(super) fn declare(&mut self, who: usize, deed: Deed, line: u16) {
        self.state.stack.set(Doing::Declared(deed, line));
        let (kind, detail) = match deed {
            Deed::Attack { target, .. } => (Trigger::Attacks, target.into()),
            Deed::Cast { .. } => (Trigger::Casts, 0),
            Deed::Use { .. } => (Trigger::Uses, 0),
            Deed::Draw(_) => (Trigger::Draws, 0),
            Deed::Stand => (Trigger::Stands, 0),
        };
        self.trigger_readied(who, kind, detail);
    }

    /// Returns the other combatants whose turn is still to come this Round.
    pub(super) fn turns_left(&self, who: usize) -> u64 {
        self.state.places.due & !bit(who)
    }
}
