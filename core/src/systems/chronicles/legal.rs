//! Legality: whether a policy line is legal now, and its action.

use super::Encounter;
use super::choose::View;
use super::flags;
use crate::chance::Chance;
use crate::fight::Units;
use crate::fight::program::{Action, Aim, Leaving, Line, Move, Readied};
use crate::fight::world::bit;
use crate::sim::ClockObserver;
use crate::sim::deeds::{Deed, legal_use};
use crate::sim::events::Obstacle;
use crate::sim::prelude::*;
use crate::sim::walk::{MoveInProgress, Walk};

/// The action of a line, with its target and gear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChosenAction {
    Do(Deed),
    Move(MoveInProgress),
    Ready,
    Delay,
    Leave(Leaving),
    Pass,
}

impl ChosenAction {
    /// Returns the target of the action.
    pub(super) fn target(&self) -> Option<usize> {
        match self {
            Self::Do(deed) => deed.target(),
            Self::Move(current_move) => Some(usize::from(current_move.target)),
            Self::Ready | Self::Delay | Self::Leave(_) | Self::Pass => None,
        }
    }
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns the action of a line by the rules, without its condition.
    pub(super) fn legal(&self, view: &View<'_>, line: &Line) -> Result<ChosenAction, Obstacle> {
        match &line.action {
            // CD-7, W-3.
            Action::Advance(step) => self
                .legal_walk(view.who, (line.aim, view.nearest), step, true)
                .map(ChosenAction::Move),
            Action::Retreat(step) => self
                .legal_walk(view.who, (line.aim, view.nearest), step, false)
                .map(ChosenAction::Move),
            Action::Leave(how) => self
                .may_leave(view.who, *how)
                .map(|()| ChosenAction::Leave(*how)),
            Action::Pass => Ok(ChosenAction::Pass),
            Action::Set => Err(Obstacle::NeedsNoSet),
            Action::Await { .. } => self.may_delay(view).map(|()| ChosenAction::Delay),
            _ if view.actor.flags.any(flags::ACTED) => Err(Obstacle::NoAction),
            Action::Ready(readied) => self.may_ready(view, readied).map(|()| ChosenAction::Ready),
            action => self
                .deed(view, action, (line.aim, None))
                .map(ChosenAction::Do),
        }
    }

    /// Checks that a combatant may delay (CD-2).
    fn may_delay(&self, view: &View<'_>) -> Result<(), Obstacle> {
        let actor = view.actor;
        if !self.plan.rules.delays {
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
    fn may_ready(&self, view: &View<'_>, readied: &Readied) -> Result<(), Obstacle> {
        if !self.plan.rules.readies {
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
                self.move_with_target(view.who, (trigger, aim), step, advance)?
            }
            _ => self.find_move(view.who, (aim, view.nearest), step, advance)?,
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
        self.world().bodies[who].speed
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
            _ => self.aimed(view.who, aim, view.nearest, range),
        })
    }
}
