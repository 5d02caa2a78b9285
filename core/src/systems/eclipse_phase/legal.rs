//! Legality: whether a policy line is legal now, and its action (EP-3, EP-6).

use super::Encounter;
use super::choose::View;
use super::flags;
use crate::chance::Chance;
use crate::fight::Units;
use crate::fight::program::{Action, Aim, Leaving, Line};
use crate::sim::ClockObserver;
use crate::sim::decide::Decide;
use crate::sim::deeds::Deed;
use crate::sim::events::Obstacle;
use crate::sim::prelude::*;
use crate::sim::stage::Target;
use crate::sim::walk::{MoveInProgress, Walk};

/// The action of a line, with its target and gear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ChosenAction {
    Do(Deed),
    /// The target is the one that the task's strike has now, if it has one.
    Task {
        task: u8,
        target: Option<u8>,
    },
    Move(MoveInProgress),
    Delay,
    Leave(Leaving),
    Pass,
    /// A line that is checked on an occasion of its own holds.
    Answer,
}

impl ChosenAction {
    /// Returns the target of the action.
    pub(super) fn target(&self) -> Option<usize> {
        match self {
            Self::Do(deed) => deed.target(),
            Self::Task { target, .. } => target.map(usize::from),
            Self::Move(current_move) => Some(usize::from(current_move.target)),
            _ => None,
        }
    }

    pub(super) const fn is_move(&self) -> bool {
        matches!(self, Self::Move(_))
    }
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns whether an action is a Complex or a Task Action.
    pub(super) fn is_complex(&self, who: usize, what: &ChosenAction) -> bool {
        match what {
            ChosenAction::Do(Deed::Attack { .. }) | ChosenAction::Task { .. } => true,
            ChosenAction::Do(Deed::Use { item, .. }) => {
                !self.plan.fight.combatants[who].items[usize::from(*item)].quick
            }
            _ => false,
        }
    }

    /// Returns whether an action is a Quick Action.
    pub(super) fn is_quick(&self, who: usize, what: &ChosenAction) -> bool {
        matches!(what, ChosenAction::Do(_)) && !self.is_complex(who, what)
    }

    /// Returns the action of a line by the rules, without its condition.
    pub(super) fn legal(
        &self,
        who: usize,
        nearest: Target,
        line: &Line,
    ) -> Result<ChosenAction, Obstacle> {
        match &line.action {
            Action::Attack(_) | Action::Use(_) | Action::Draw(_) | Action::Stand => self
                .legal_deed(&self.view(who, nearest), line)
                .map(ChosenAction::Do),
            Action::Set => Err(Obstacle::NeedsNoSet),
            Action::Task(task) => self.legal_task(who, *task, (line.aim, nearest)),
            // EP-8, W-3.
            Action::Advance(step) => self
                .legal_walk(who, (line.aim, nearest), step, true)
                .map(ChosenAction::Move),
            Action::Retreat(step) => self
                .legal_walk(who, (line.aim, nearest), step, false)
                .map(ChosenAction::Move),
            Action::PutOff => self.legal_delay(who),
            Action::SpendMoxie if self.actor(who).moxie == 0 => Err(Obstacle::Used),
            Action::SpendMoxie | Action::Interrupt | Action::Hold => Ok(ChosenAction::Answer),
            Action::Leave(how) => self
                .may_leave(who, *how)
                .map(|()| ChosenAction::Leave(*how)),
            Action::Pass => Ok(ChosenAction::Pass),
            // The parser rejects actions of other clocks.
            _ => Err(Obstacle::Condition),
        }
    }

    /// Returns a Complex or Quick Action that most systems have, if it is legal (EP-3).
    fn legal_deed(&self, view: &View<'_>, line: &Line) -> Result<Deed, Obstacle> {
        match line.action {
            Action::Attack(_) if !view.body.prone => self.has_complex(view.who)?,
            Action::Draw(_) => self.has_quick(view.who)?,
            _ => {}
        }
        let within = |range| self.aimed(view.who, line.aim, view.nearest, range);
        let deed = view.deed(&line.action, within)?;
        match deed {
            Deed::Use { item, .. } if !view.combatant.items[usize::from(item)].quick => {
                self.has_complex(view.who)?;
            }
            Deed::Use { .. } | Deed::Stand => self.has_quick(view.who)?,
            _ => {}
        }
        Ok(deed)
    }

    /// Checks that the Complex Action of the stage is left: there is one a stage, and none beside a task (EP-3).
    pub(super) fn has_complex(&self, who: usize) -> Result<(), Obstacle> {
        let spent = flags::COMPLEX.and(flags::WORKED);
        if self.actor(who).flags.any(spent) {
            Err(Obstacle::NoComplex)
        } else {
            Ok(())
        }
    }

    /// Returns the Quick Actions left in this stage: none beside a task (EP-3).
    pub(super) fn quick_left(&self, who: usize) -> u8 {
        let actor = self.actor(who);
        if actor.flags.any(flags::WORKED) {
            0
        } else {
            actor.quick
        }
    }

    fn has_quick(&self, who: usize) -> Result<(), Obstacle> {
        if self.quick_left(who) == 0 {
            Err(Obstacle::NoQuick)
        } else {
            Ok(())
        }
    }

    /// Returns a task, if it is legal: it takes all actions of the stage (EP-3). Its strike comes when the task is
    /// done, and needs no target before.
    fn legal_task(
        &self,
        who: usize,
        task: u8,
        (aim, nearest): (Aim, Target),
    ) -> Result<ChosenAction, Obstacle> {
        let actor = self.actor(who);
        let index = usize::from(task);
        let what = &self.plan.fight.combatants[who].tasks[index];
        if actor.progress[index] >= what.phases {
            return Err(Obstacle::TaskDone);
        }
        if actor.flags.any(flags::ACTED) {
            return Err(Obstacle::Started);
        }
        let target = what.strike.as_ref().and_then(|(range, _)| {
            let within = |range| self.aimed(who, aim, nearest, range);
            within(*range).or_else(|| within(Units::MAX))
        });
        Ok(ChosenAction::Task {
            task,
            target: target.map(|target| target as u8),
        })
    }

    /// Returns a delay, if it is legal: before anything is done in the combatant's own stage (EP-6).
    fn legal_delay(&self, who: usize) -> Result<ChosenAction, Obstacle> {
        let actor = self.actor(who);
        if !self.plan.rules.delays {
            Err(Obstacle::NoDelays)
        } else if actor.flags.any(flags::INTERRUPTING) {
            Err(Obstacle::Delayed)
        } else if actor.flags.any(flags::ACTED) || actor.moved > 0 {
            Err(Obstacle::Started)
        } else {
            Ok(ChosenAction::Delay)
        }
    }
}
