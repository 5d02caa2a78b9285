//! Legality: whether a policy line is legal now, and its action.

use super::choose::{ChosenAction, View};
use super::{Encounter, flags};
use crate::fight::program::{Move, Readied};
use crate::sim::deeds::legal_use;
use crate::sim::prelude::*;

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Checks that a combatant may delay (CD-2).
    pub(super) fn may_delay(&self, view: &View<'_>) -> Result<(), Obstacle> {
        let actor = view.actor;
        if !self.plan.rules.delays || self.phase().is_some() {
            Err(Obstacle::SwitchedOff)
        } else if actor.flags.any(flags::DELAYED) {
            Err(Obstacle::DelayedBefore)
        } else if actor.flags.any(flags::ACTED) || actor.moved > 0 {
            Err(Obstacle::Started)
        } else if self.turns_left(view.who) == 0 {
            Err(Obstacle::NobodyLeft)
        } else {
            Ok(())
        }
    }

    /// Checks that an action may be readied: an impossible one cannot (CD-3).
    pub(super) fn may_ready(&self, view: &View<'_>, readied: &Readied) -> Result<(), Obstacle> {
        if !self.plan.rules.readies || self.phase().is_some() {
            return Err(Obstacle::SwitchedOff);
        }
        match &readied.feat.action {
            Action::Advance(_) | Action::Retreat(_) if self.speed(view.who) < 1 => {
                Err(Obstacle::NoUnitsLeft)
            }
            Action::Attack(_) | Action::Cast(_) | Action::Advance(_) | Action::Retreat(_) => Ok(()),
            // The target is found when the item is used.
            Action::Use(item) => {
                let uses = &view.body.uses;
                legal_use(view.combatant, *item, uses, |_| Some(view.who)).map(|_| ())
            }
            action => self
                .deed(view, action, (readied.feat.aim, None))
                .map(|_| ()),
        }
    }

    /// Returns the readied action now that `trigger` has triggered it (CD-3).
    pub(super) fn readied_what(
        &self,
        view: &View<'_>,
        readied: &Readied,
        trigger: usize,
    ) -> Result<ChosenAction, Obstacle> {
        let can_be_target = readied.targets & self.world().standing() & bit(trigger) != 0;
        let target = (
            self.readied_aim(view.who, readied),
            can_be_target.then_some(trigger),
        );
        match &readied.feat.action {
            Action::Advance(step) => self.readied_move(view, target, step, true),
            Action::Retreat(step) => self.readied_move(view, target, step, false),
            action => self.deed(view, action, target).map(ChosenAction::Do),
        }
    }

    /// Returns a readied move, if it is legal. It goes the Units that it names, at most those of a turn, which are also
    /// the default (CD-3).
    fn readied_move(
        &self,
        view: &View<'_>,
        (aim, trigger): (Aim, Option<usize>),
        step: &Move,
        advance: bool,
    ) -> Result<ChosenAction, Obstacle> {
        if view.body.prone {
            return Err(Obstacle::Prone);
        }
        let most = self.speed(view.who) as u16;
        if most < 1 {
            return Err(Obstacle::NoUnitsLeft);
        }
        let current_move = match (aim, trigger) {
            (Aim::Trigger, Some(trigger)) => {
                self.move_with_target(view, (trigger, aim), step, advance)?
            }
            _ => self.find_move(view, aim, step, advance)?,
        };
        let left = match step.units {
            Some(_) => current_move.left.min(most),
            None => most,
        };
        if Units::from(most) < current_move.toll {
            return Err(Obstacle::NoUnitsLeft);
        }
        Ok(ChosenAction::Move(MoveInProgress {
            left,
            ..current_move
        }))
    }

    /// Returns the Units of a turn now.
    pub(super) fn speed(&self, who: usize) -> Units {
        self.body(who).speed
    }

    /// Returns an action with its target now. `trigger` is the combatant that triggered a readied action, if it can be
    /// the target.
    #[inline(always)]
    pub(super) fn deed(
        &self,
        view: &View<'_>,
        action: &Action,
        (aim, trigger): (Aim, Option<usize>),
    ) -> Result<Deed, Obstacle> {
        view.deed(action, |range| match aim {
            Aim::Trigger => trigger.filter(|one| self.reaches(view.who, *one, range)),
            _ => self.aimed(view, aim, range),
        })
    }
}
