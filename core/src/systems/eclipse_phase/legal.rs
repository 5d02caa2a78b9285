//! Legality: whether a policy line is legal now, and its action (EP-3, EP-6).

use super::choose::{ChosenAction, StageAction, View};
use super::{Encounter, flags};
use crate::sim::prelude::*;

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns whether an action is a Complex or a Task Action.
    pub(super) fn is_complex(&self, who: usize, what: &ChosenAction) -> bool {
        match what {
            ChosenAction::Do(Deed::Attack { .. }) | ChosenAction::Own(StageAction::Task { .. }) => {
                true
            }
            ChosenAction::Do(Deed::Use { item, .. }) => {
                !self.combatant(who).items[usize::from(*item)].quick
            }
            _ => false,
        }
    }

    /// Returns whether an action is a Quick Action.
    pub(super) fn is_quick(&self, who: usize, what: &ChosenAction) -> bool {
        matches!(what, ChosenAction::Do(_)) && !self.is_complex(who, what)
    }

    /// Returns a Complex or Quick Action that most systems have, if it is legal (EP-3).
    pub(super) fn legal_deed(&self, view: &View<'_>, line: &Line) -> Result<Deed, Obstacle> {
        match line.action {
            Action::Attack(_) if !view.body.prone => self.has_complex(view.who)?,
            Action::Draw(_) => self.has_quick(view.who)?,
            _ => {}
        }
        let within = |range| self.aimed(view, line.aim, range);
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
    pub(super) fn legal_task(
        &self,
        view: &View<'_>,
        task: u8,
        aim: Aim,
    ) -> Result<ChosenAction, Obstacle> {
        let actor = view.actor;
        let index = usize::from(task);
        let what = &view.combatant.tasks[index];
        if actor.progress[index] >= what.phases {
            return Err(Obstacle::TaskDone);
        }
        if actor.flags.any(flags::ACTED) {
            return Err(Obstacle::Started);
        }
        let target = what.strike.as_ref().and_then(|(range, _)| {
            let within = |range| self.aimed(view, aim, range);
            within(*range).or_else(|| within(Units::MAX))
        });
        Ok(ChosenAction::Own(StageAction::Task {
            task,
            target: target.map(|target| target as u8),
        }))
    }

    /// Returns a delay, if it is legal: before anything is done in the combatant's own stage (EP-6).
    pub(super) fn legal_delay(&self, view: &View<'_>) -> Result<ChosenAction, Obstacle> {
        let actor = view.actor;
        if !self.plan.rules.delays {
            Err(Obstacle::NoDelays)
        } else if actor.flags.any(flags::INTERRUPTING) {
            Err(Obstacle::Delayed)
        } else if actor.flags.any(flags::ACTED) || actor.moved > 0 {
            Err(Obstacle::Started)
        } else {
            Ok(ChosenAction::Own(StageAction::Delay))
        }
    }
}
