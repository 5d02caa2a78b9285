//! Readied actions: what sets them off, who decides when, and what becomes of places (CD-3).

use super::super::decide::Decide;
use super::super::stage::Stage;
use super::Encounter;
use super::state::{Deed, Doing, Flags};
use crate::chance::Chance;
use crate::engine::events::Obstacle;
use crate::engine::{Event, Observer};
use crate::fight::world::{bit, members};
use crate::fight::{MAX_COMBATANTS, Units};
use crate::policy::{Action, Readied, When};

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
}

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// The turn's action is readied.
    pub(super) fn ready(&mut self, who: usize, line: u16) {
        self.state.readied |= bit(who);
        let actor = self.actor_mut(who);
        actor.flags.add(Flags::ACTED);
        actor.line = line;
        self.record.combatants[who].readied += 1;
        self.note(Event::Readied { who });
    }

    /// What was not triggered before one's place comes up again is lost.
    pub(super) fn lapse(&mut self, who: usize) {
        if self.state.readied & bit(who) != 0 {
            self.state.readied &= !bit(who);
            self.record.combatants[who].readied_lost += 1;
            self.note(Event::ReadiedLapses { who });
        }
    }

    /// What somebody has readied.
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
        readied.by & bit(whose) != 0
            && match (readied.when, what) {
                (When::ComesWithin(units), Happening::Moved { from }) => {
                    let units = units as Units;
                    let before = (self.world().position(who) - from).abs();
                    before > units && self.world().distance(who, whose) <= units
                }
                (When::Moves, Happening::Moves)
                | (When::Casts, Happening::Casts)
                | (When::Uses, Happening::Uses) => true,
                (When::Attacks { me }, Happening::Attacks { target }) => !me || target == who,
                _ => false,
            }
    }

    /// The one on top does something: all whom that triggers decide, in the order of their places and on
    /// the same state, then take their new ones. Who does not cancel is to interrupt.
    pub(super) fn happens(&mut self, whose: usize, what: Happening) {
        let waiting = self.state.readied & self.plan.profiles[whose].foes;
        if waiting == 0 {
            return;
        }
        let mut triggered = [0_u8; MAX_COMBATANTS];
        let mut count = 0;
        let mut taken = 0;
        for place in 0..self.state.order.len() {
            let who = usize::from(self.state.order[place]);
            if waiting & bit(who) == 0 || !self.is_triggered(who, whose, what) {
                continue;
            }
            triggered[count] = who as u8;
            count += 1;
            let cancels = self.cancels(who, whose);
            if !cancels {
                taken |= bit(who);
            }
            self.note(Event::Triggered {
                who,
                target: whose,
                cancels,
            });
        }
        let triggered = &triggered[..count];
        self.put_beside(triggered, whose, false);
        for who in triggered.iter().map(|who| usize::from(*who)) {
            self.state.readied &= !bit(who);
            if taken & bit(who) == 0 {
                self.record.combatants[who].cancelled += 1;
            }
            if !self.plan.rules.early_trigger_adds {
                self.state.due &= !bit(who);
            }
            // Its old place has not come up yet: it happens here.
            self.settle_effects(who);
        }
        self.state.stack.wait(taken);
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
        match self.readied_deed(who, target) {
            Ok(deed) => {
                self.record.combatants[who].interrupts += 1;
                self.record.combatants[target].interrupted += 1;
                self.actor_mut(target).flags.add(Flags::INTERRUPTED);
                self.note(Event::Interrupt { who, target });
                let line = self.actor(who).line;
                self.state.stack.push(who, Doing::Free);
                self.declare(who, deed, line);
            }
            Err(why) => {
                let top = self.state.stack.top();
                let cause = top.and_then(|frame| frame.last).map_or(target, usize::from);
                self.record.combatants[who].readied_lost += 1;
                self.note(Event::ReadiedLost { who, why });
                self.put_beside(&[who as u8], cause, true);
                self.state.stack.fail(who);
            }
        }
    }

    /// What was readied, now that `whose` has triggered it.
    fn readied_deed(&self, who: usize, whose: usize) -> Result<Deed, Obstacle> {
        let readied = self.readied(who).ok_or(Obstacle::NoAction)?;
        let feat = &readied.feat;
        let view = self.view(who, self.nearest(who, self.enemies(who)));
        self.deed(&view, &feat.action, feat.aim, Some(whose))
    }

    /// An action is declared: others may interrupt before it is carried out (CD-3, CD-4).
    pub(super) fn declare(&mut self, who: usize, deed: Deed, line: u16) {
        self.state.stack.set(Doing::Declared(deed, line));
        let what = match deed {
            Deed::Attack { target, .. } => Happening::Attacks {
                target: usize::from(target),
            },
            Deed::Cast { .. } => Happening::Casts,
            Deed::Use(_) => Happening::Uses,
            Deed::Draw(_) | Deed::Stand => return,
        };
        self.happens(who, what);
    }

    /// Others whose turn is still to come this Round.
    pub(super) fn turns_left(&self, who: usize) -> u64 {
        self.state.due & !bit(who)
    }

    /// Whether anybody is left whose doing could trigger an action.
    pub(super) fn may_trigger(&self, who: usize, readied: &Readied) -> bool {
        members(readied.by & self.enemies(who)).next().is_some()
    }
}
