//! Readied actions: their triggers, the decision to use them, and the changes of places (CD-3).

use super::Encounter;
use super::flags;
use super::legal::ChosenAction;
use super::state::Doing;
use crate::chance::Chance;
use crate::fight::program::{Action, Aim, Readied, When};
use crate::fight::world::{bit, members, set_of};
use crate::fight::{MAX_COMBATANTS, Units};
use crate::sim::conditions::Over;
use crate::sim::decide::Decide;
use crate::sim::deeds::Deed;
use crate::sim::events::Obstacle;
use crate::sim::notes::in_words;
use crate::sim::prelude::*;
use crate::sim::{ClockObserver, Event};

/// An event that may trigger a readied action.
#[derive(Debug, Clone, Copy)]
pub(super) enum TriggerEvent {
    /// The combatant is about to move a Unit.
    Moves,
    /// The combatant has moved a Unit.
    Moved {
        from: Units,
    },
    Attacks {
        target: usize,
    },
    Casts,
    Uses,
    Draws,
    Stands,
    /// The combatant has fallen.
    Falls,
}

/// The number of kinds of [`TriggerEvent`].
pub(super) const KINDS: usize = 8;

impl TriggerEvent {
    const MOVES: usize = 0;
    const MOVED: usize = 1;

    /// Returns the index of its kind.
    fn kind(self) -> usize {
        match self {
            Self::Moves => Self::MOVES,
            Self::Moved { .. } => Self::MOVED,
            Self::Attacks { .. } => 2,
            Self::Casts => 3,
            Self::Uses => 4,
            Self::Draws => 5,
            Self::Stands => 6,
            Self::Falls => 7,
        }
    }

    /// Returns the kinds of event that may be the awaited one, one bit each.
    fn awaited(when: When) -> u8 {
        let one = |what: Self| 1 << what.kind();
        match when {
            When::ComesWithin(_) | When::Leaves(_) => 1 << Self::MOVED,
            When::Moves => one(Self::Moves),
            When::Attacks { .. } => one(Self::Attacks { target: 0 }),
            When::Casts => one(Self::Casts),
            When::Uses => one(Self::Uses),
            When::Draws => one(Self::Draws),
            When::Falls => one(Self::Falls),
            // The event announces a deed that has no result yet.
            When::Acts => !(1 << Self::MOVED | one(Self::Falls)),
        }
    }
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Readies an action, which takes the action of the turn.
    pub(super) fn ready(&mut self, who: usize, line: u16) {
        self.state.clock.readied |= bit(who);
        // Earlier falls do not trigger it.
        self.state.clock.fallen = 0;
        let actor = self.actor_mut(who);
        actor.flags.add(flags::ACTED);
        actor.line = line;
        self.record.combatants[who].readied += 1;
        let when = self.readied(who).map(|readied| readied.when);
        let kinds = when.map_or(0, TriggerEvent::awaited);
        for (kind, waiting) in self.state.clock.awaited.iter_mut().enumerate() {
            *waiting = *waiting & !bit(who) | u64::from(kinds >> kind & 1) << who;
        }
        self.note(Event::Readied { who });
    }

    /// Drops a readied action that was not triggered before its combatant's place came up again.
    pub(super) fn drop_readied(&mut self, who: usize) {
        if self.state.clock.readied & bit(who) != 0 {
            self.state.clock.readied &= !bit(who);
            self.record.combatants[who].readied_lost += 1;
            self.note(Event::ReadiedLapses { who });
        }
    }

    /// Returns the readied action of a combatant.
    fn readied(&self, who: usize) -> Option<&Readied> {
        let line = usize::from(self.actor(who).line);
        match &self.plan.fight.combatants[who].policy.decisions[line].action {
            Action::Ready(readied) => Some(readied),
            _ => None,
        }
    }

    /// Returns whether the event `what` by `whose` triggers the readied action of `who`.
    fn is_triggered(&self, who: usize, whose: usize, what: TriggerEvent) -> bool {
        let Some(readied) = self.readied(who) else {
            return false;
        };
        let passes = |units: u32, from: Units| {
            let units = units as Units;
            let before = (self.world().position(who) - from).abs() <= units;
            (before, self.world().distance(who, whose) <= units)
        };
        readied.by & bit(whose) != 0
            && match (readied.when, what) {
                (When::ComesWithin(units), TriggerEvent::Moved { from }) => {
                    passes(units, from) == (false, true)
                }
                (When::Leaves(units), TriggerEvent::Moved { from }) => {
                    passes(units, from) == (true, false)
                }
                (When::Moves, TriggerEvent::Moves)
                | (When::Casts, TriggerEvent::Casts)
                | (When::Uses, TriggerEvent::Uses)
                | (When::Draws, TriggerEvent::Draws)
                | (When::Falls, TriggerEvent::Falls) => true,
                (When::Attacks { me }, TriggerEvent::Attacks { target }) => !me || target == who,
                (When::Acts, what) => TriggerEvent::awaited(When::Acts) >> what.kind() & 1 == 1,
                _ => false,
            }
    }

    /// Returns the Units that `who` can walk in one direction without triggering any readied action.
    pub(super) fn calm_units(&self, who: usize) -> Units {
        let waiting = self.state.clock.readied & !bit(who);
        if waiting == 0 {
            return Units::MAX;
        }
        let awaited = &self.state.clock.awaited;
        let by_whom = |other: usize| self.readied(other).filter(|one| one.by & bit(who) != 0);
        if members(waiting & awaited[TriggerEvent::MOVES]).any(|other| by_whom(other).is_some()) {
            return 0;
        }
        let mut calm = Units::MAX;
        for other in members(waiting & awaited[TriggerEvent::MOVED]) {
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
    pub(super) fn trigger_readied(&mut self, whose: usize, what: TriggerEvent) {
        let waiting =
            self.state.clock.readied & self.state.clock.awaited[what.kind()] & !bit(whose);
        let hit = members(waiting).filter(|who| self.is_triggered(*who, whose, what));
        let hit = set_of(hit);
        let Some(frame) = self.state.clock.stack.top().filter(|_| hit != 0) else {
            return;
        };
        let interrupted = usize::from(frame.who);
        let mut triggered = [0_u8; MAX_COMBATANTS];
        let mut count = 0;
        let (mut acting, mut unable) = (0, 0);
        for place in 0..self.state.clock.order.len() {
            let who = usize::from(self.state.clock.order[place]);
            if hit & bit(who) == 0 {
                continue;
            }
            triggered[count] = who as u8;
            count += 1;
            self.actor_mut(who).trigger = whose as u8;
            let cancels = self.cancels(who, whose);
            self.note(Event::Triggered {
                who,
                target: whose,
                cancels,
            });
            if cancels {
                self.record.combatants[who].cancelled += 1;
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
        self.put_beside(interrupted, ahead, behind);
        self.state.clock.readied &= !hit;
        for who in triggered[..count].iter().map(|who| usize::from(*who)) {
            let is_early = self.state.clock.due & bit(who) != 0;
            let replaces = is_early && !self.plan.rules.early_trigger_adds;
            if replaces {
                self.state.clock.due &= !bit(who);
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
        self.state.clock.stack.wait(acting);
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
            self.state.clock.stack.push(who, Doing::Over);
            self.run();
        }
    }

    /// Triggers actions that were readied for a fall.
    pub(super) fn trigger_by_falls(&mut self) {
        for who in members(std::mem::take(&mut self.state.clock.fallen)) {
            self.trigger_readied(who, TriggerEvent::Falls);
        }
    }

    /// Returns whether a combatant whose trigger has happened decides not to act.
    fn cancels(&self, who: usize, whose: usize) -> bool {
        let plan = self.plan;
        let target = Some((whose, self.world().distance(who, whose)));
        let mut lines = plan.fight.combatants[who].policy.cancels.iter();
        lines.any(|line| self.holds(who, line, target))
    }

    /// Lets the next triggered combatant that waits interrupt `target`, the one on top of the stack, if it can act.
    pub(super) fn interrupt(&mut self, target: usize) {
        let order = &self.state.clock.order;
        let rank = |who: usize| {
            order
                .iter()
                .position(|one| usize::from(*one) == who)
                .unwrap_or(0)
        };
        let Some(who) = self.state.clock.stack.next_waiting(rank) else {
            return;
        };
        if !self.world().stands(who) {
            return;
        }
        match self.readied_deed(who) {
            Ok(what) => {
                if who != target {
                    self.record.combatants[who].interrupts += 1;
                    // A combatant that has fallen was doing nothing any more.
                    self.record.combatants[target].interrupted +=
                        u32::from(self.world().stands(target));
                    self.actor_mut(target).flags.add(flags::INTERRUPTED);
                }
                self.note(Event::Interrupt { who, target });
                let line = self.actor(who).line;
                self.state.clock.stack.push(who, Doing::Over);
                match what {
                    ChosenAction::Do(deed) => self.declare(who, deed, line),
                    ChosenAction::Move(current_move) => {
                        self.actor_mut(who).readied_move = Some((current_move, 0));
                        self.state.clock.stack.set(Doing::Walking);
                    }
                    ChosenAction::Ready
                    | ChosenAction::Delay
                    | ChosenAction::Leave(_)
                    | ChosenAction::Pass => {}
                }
            }
            // Other combatants that were triggered with it have acted first.
            Err(why) => {
                self.lose_readied(who, why);
                self.end_replaced(who);
            }
        }
    }

    /// Drops a readied action that is impossible (CD-3).
    fn lose_readied(&mut self, who: usize, mut why: Obstacle) {
        self.record.combatants[who].readied_lost += 1;
        if let Some(readied) = self.readied(who) {
            let side = |one: usize| self.plan.fight.combatants[one].side;
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
        let view = self.view(who, self.nearest(who, self.enemies(who)));
        self.readied_what(&view, readied, self.actor(who).trigger.into())
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

    /// Returns whether the combatant on top interrupts another: it may only carry out its readied action.
    pub(super) fn interrupts(&self, who: usize) -> bool {
        let stack = &self.state.clock.stack;
        let top = stack.top().map(|frame| usize::from(frame.who));
        stack.depth() > 1 && top == Some(who)
    }

    /// Declares an action: others may interrupt before it is carried out (CD-3, CD-4).
    pub(super) fn declare(&mut self, who: usize, deed: Deed, line: u16) {
        self.state.clock.stack.set(Doing::Declared(deed, line));
        let what = match deed {
            Deed::Attack { target, .. } => TriggerEvent::Attacks {
                target: usize::from(target),
            },
            Deed::Cast { .. } => TriggerEvent::Casts,
            Deed::Use { .. } => TriggerEvent::Uses,
            Deed::Draw(_) => TriggerEvent::Draws,
            Deed::Stand => TriggerEvent::Stands,
        };
        self.trigger_readied(who, what);
    }

    /// Returns the other combatants whose turn is still to come this Round.
    pub(super) fn turns_left(&self, who: usize) -> u64 {
        self.state.clock.due & !bit(who)
    }
}
