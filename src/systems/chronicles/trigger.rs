//! Readied actions: what sets them off, who decides when, and what becomes of places (CD-3).

use super::Encounter;
use super::legal::What;
use super::state::{Doing, Flags, State};
use crate::chance::Chance;
use crate::fight::program::{Action, Aim, Readied, When};
use crate::fight::world::{bit, members};
use crate::fight::{MAX_COMBATANTS, Units};
use crate::sim::decide::Decide;
use crate::sim::deeds::Deed;
use crate::sim::events::Obstacle;
use crate::sim::prelude::*;
use crate::sim::{Event, Observer};

/// Something that may trigger a readied action.
#[derive(Debug, Clone, Copy)]
pub(super) enum Happening {
    /// A Unit is about to be moved.
    Moves,
    /// A Unit has been moved.
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
    /// It has fallen.
    Falls,
}

/// Kinds of [`Happening`].
pub(super) const KINDS: usize = 8;

impl Happening {
    const MOVES: usize = 0;
    const MOVED: usize = 1;

    /// Index of its kind.
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

    /// The kinds that may be what one waits for, a bit each.
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
            // The event announces a deed and has no result yet.
            When::Acts => !(1 << Self::MOVED | one(Self::Falls)),
        }
    }
}

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// The turn's action is readied.
    pub(super) fn ready(&mut self, who: usize, line: u16) {
        self.state.readied |= bit(who);
        // Earlier falls do not trigger it.
        self.state.fallen = 0;
        let actor = self.actor_mut(who);
        actor.flags.add(Flags::ACTED);
        actor.line = line;
        self.record.combatants[who].readied += 1;
        let when = self.readied(who).map(|readied| readied.when);
        let kinds = when.map_or(0, Happening::awaited);
        for (kind, waiting) in self.state.awaited.iter_mut().enumerate() {
            *waiting = *waiting & !bit(who) | u64::from(kinds >> kind & 1) << who;
        }
        self.note(Event::Readied { who });
    }

    /// Drops a readied action that was not triggered before the place comes up again.
    pub(super) fn lapse(&mut self, who: usize) {
        if self.state.readied & bit(who) != 0 {
            self.state.readied &= !bit(who);
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

    /// Whether what `whose` does is what `who` waits for.
    fn is_triggered(&self, who: usize, whose: usize, what: Happening) -> bool {
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
                (When::ComesWithin(units), Happening::Moved { from }) => {
                    passes(units, from) == (false, true)
                }
                (When::Leaves(units), Happening::Moved { from }) => {
                    passes(units, from) == (true, false)
                }
                (When::Moves, Happening::Moves)
                | (When::Casts, Happening::Casts)
                | (When::Uses, Happening::Uses)
                | (When::Draws, Happening::Draws)
                | (When::Falls, Happening::Falls) => true,
                (When::Attacks { me }, Happening::Attacks { target }) => !me || target == who,
                (When::Acts, what) => Happening::awaited(When::Acts) >> what.kind() & 1 == 1,
                _ => false,
            }
    }

    /// Units that `who` can walk in one direction without triggering anything.
    pub(super) fn calm_units(&self, who: usize) -> Units {
        let waiting = self.state.readied & !bit(who);
        if waiting == 0 {
            return Units::MAX;
        }
        let State { awaited, .. } = &*self.state;
        let by_whom = |other: usize| self.readied(other).filter(|one| one.by & bit(who) != 0);
        if members(waiting & awaited[Happening::MOVES]).any(|other| by_whom(other).is_some()) {
            return 0;
        }
        let mut calm = Units::MAX;
        for other in members(waiting & awaited[Happening::MOVED]) {
            let Some(readied) = by_whom(other) else {
                continue;
            };
            let distance = self.world().distance(who, other);
            let (When::ComesWithin(units) | When::Leaves(units)) = readied.when else {
                return 0;
            };
            let beyond = distance - units as Units;
            calm = calm.min(match readied.when {
                // Who comes within that distance a second time has turned round.
                When::ComesWithin(_) if beyond <= 0 => continue,
                When::Leaves(_) if beyond <= 0 => -beyond,
                _ => beyond - 1,
            });
        }
        calm
    }

    /// Something happens while the one on top is doing something: all whom it triggers decide, in the
    /// order of their places and on the same state, then take their new ones. Who is able to act and
    /// does not cancel is to interrupt the one on top.
    pub(super) fn happens(&mut self, whose: usize, what: Happening) {
        let waiting = self.state.readied & self.state.awaited[what.kind()] & !bit(whose);
        let hit = members(waiting).filter(|who| self.is_triggered(*who, whose, what));
        let hit = hit.fold(0, |all, who| all | bit(who));
        let Some(frame) = self.state.stack.top().filter(|_| hit != 0) else {
            return;
        };
        let interrupted = usize::from(frame.who);
        let mut triggered = [0_u8; MAX_COMBATANTS];
        let mut count = 0;
        let (mut acting, mut unable) = (0, 0);
        for place in 0..self.state.order.len() {
            let who = usize::from(self.state.order[place]);
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
        // One who waits for what its own move leads to keeps its place.
        let moves = |who: &u8| usize::from(*who) != interrupted;
        let is_unable = |who: &u8| unable & bit(usize::from(*who)) != 0;
        let mut places = [0; MAX_COMBATANTS];
        let mut placed = 0;
        for who in triggered[..count].iter().copied().filter(moves) {
            places[placed] = who;
            placed += 1;
        }
        let places = &mut places[..placed];
        // Those who are able first; both groups keep their order.
        places.sort_by_key(is_unable);
        let (ahead, behind) = places.split_at(places.partition_point(|who| !is_unable(who)));
        self.put_beside(interrupted, ahead, behind);
        self.state.readied &= !hit;
        for who in triggered[..count].iter().map(|who| usize::from(*who)) {
            let replaces = self.state.due & bit(who) != 0 && !self.plan.rules.early_trigger_adds;
            if replaces {
                self.state.due &= !bit(who);
                self.actor_mut(who).flags.add(Flags::REPLACES);
            }
            // Its old place has not come up yet: it happens here.
            self.settle_effects(who);
            if acting & bit(who) == 0 {
                self.end_replaced(who);
            }
        }
        self.state.stack.wait(acting);
    }

    /// A readied action is over; the turn whose place it has taken counts for what lasts (CD-5).
    pub(super) fn end_replaced(&mut self, who: usize) {
        if self.actor(who).flags.any(Flags::REPLACES) {
            self.actor_mut(who).flags.drop(Flags::REPLACES);
            self.pass_time(who, false);
        }
    }

    /// Triggers actions that were readied for a fall while no turn is under way: by a hazard, or a condition that hurts as a turn
    /// ends. The places of those who act are before that of the fallen: one fall after the other.
    pub(super) fn tell_falls_between(&mut self) {
        let fallen = std::mem::take(&mut self.state.fallen);
        if self.state.readied == 0 {
            return;
        }
        for who in members(fallen) {
            self.state.fallen = bit(who);
            self.state.stack.push(who, Doing::Over);
            self.run();
        }
    }

    /// Triggers actions that were readied for a fall.
    pub(super) fn tell_falls(&mut self) {
        for who in members(std::mem::take(&mut self.state.fallen)) {
            self.happens(who, Happening::Falls);
        }
    }

    /// Whether one whose trigger has happened takes its finger from the trigger.
    fn cancels(&self, who: usize, whose: usize) -> bool {
        let plan = self.plan;
        let target = Some((whose, self.world().distance(who, whose)));
        let mut lines = plan.fight.combatants[who].policy.cancels.iter();
        lines.any(|line| self.holds(who, line, target))
    }

    /// The next of those whom the one on top has triggered acts, if it can.
    pub(super) fn interrupt(&mut self, target: usize) {
        let order = &self.state.order;
        let rank = |who: usize| {
            order
                .iter()
                .position(|one| usize::from(*one) == who)
                .unwrap_or(0)
        };
        let Some(who) = self.state.stack.next_waiting(rank) else {
            return;
        };
        if !self.world().stands(who) {
            return;
        }
        match self.readied_deed(who) {
            Ok(what) => {
                if self.plan.fight.watches_the_first() {
                    self.acts_first(who);
                }
                if who != target {
                    self.record.combatants[who].interrupts += 1;
                    // One that has fallen was doing nothing any more.
                    self.record.combatants[target].interrupted +=
                        u32::from(self.world().stands(target));
                    self.actor_mut(target).flags.add(Flags::INTERRUPTED);
                }
                self.note(Event::Interrupt { who, target });
                let line = self.actor(who).line;
                self.state.stack.push(who, Doing::Over);
                match what {
                    What::Do(deed) => self.declare(who, deed, line),
                    What::Move(stride) => {
                        self.actor_mut(who).readied_move = Some((stride, 0));
                        self.state.stack.set(Doing::Walking);
                    }
                    What::Ready | What::Hold | What::Leave(_) | What::Pass => {}
                }
            }
            // Others who were triggered with it have come first.
            Err(why) => {
                self.lose_readied(who, why);
                self.end_replaced(who);
            }
        }
    }

    /// Drops a readied action that is impossible (CD-3).
    fn lose_readied(&mut self, who: usize, why: Obstacle) {
        self.record.combatants[who].readied_lost += 1;
        self.note(Event::ReadiedLost { who, why });
    }

    /// Starts a readied action that has been triggered.
    fn readied_deed(&self, who: usize) -> Result<What, Obstacle> {
        let readied = self.readied(who).ok_or(Obstacle::NoAction)?;
        if self.is_stunned(who) {
            return Err(Obstacle::Stunned);
        }
        let view = self.view(who, self.nearest(who, self.enemies(who)));
        self.readied_what(&view, readied, self.actor(who).trigger.into())
    }

    /// Whom a readied action is about. If the line does not say so, that is the one that triggered it,
    /// or another if that one can never be a target.
    pub(super) fn readied_aim(&self, who: usize, readied: &Readied) -> Aim {
        let trigger = bit(self.actor(who).trigger.into());
        match readied.otherwise {
            Some(aim) if readied.when == When::Falls || readied.targets & trigger == 0 => aim,
            _ => readied.feat.aim,
        }
    }

    /// Returns whether the combatant on top interrupts another: it may only carry out its readied action.
    pub(super) fn interrupts(&self, who: usize) -> bool {
        let stack = &self.state.stack;
        let top = stack.top().map(|frame| usize::from(frame.who));
        stack.depth() > 1 && top == Some(who)
    }

    /// An action is declared: others may interrupt before it is carried out (CD-3, CD-4).
    pub(super) fn declare(&mut self, who: usize, deed: Deed, line: u16) {
        self.state.stack.set(Doing::Declared(deed, line));
        let what = match deed {
            Deed::Attack { target, .. } => Happening::Attacks {
                target: usize::from(target),
            },
            Deed::Cast { .. } => Happening::Casts,
            Deed::Use { .. } => Happening::Uses,
            Deed::Draw(_) => Happening::Draws,
            Deed::Stand => Happening::Stands,
        };
        self.happens(who, what);
    }

    /// Others whose turn is still to come this Round.
    pub(super) fn turns_left(&self, who: usize) -> u64 {
        self.state.due & !bit(who)
    }
}
