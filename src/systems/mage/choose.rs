//! What one who decides sees, and which policy line is taken (W-3, W-4).

use super::Encounter;
use super::legal::What;
use super::state::{Actor, Flags};
use crate::chance::Chance;
use crate::fight::Variable;
use crate::fight::program::Line;
use crate::sim::Observer;
use crate::sim::decide::{self, Decide};
use crate::sim::events::Obstacle;
use crate::sim::prelude::*;
use crate::sim::stage::Target;

/// A line that is to be taken.
pub(super) type Choice = decide::Choice<What>;

/// What one who decides sees.
pub(super) type View<'a> = decide::View<'a, Actor>;

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// The first line whose condition holds and whose action is legal (W-3).
    #[inline]
    pub(super) fn choose(&mut self, who: usize) -> Option<Choice> {
        let plan = self.plan;
        let spent = self.actor(who).actions == 0;
        let takes_action = &plan.actions[who];
        self.decide(who, |line| spent && takes_action[line])
    }
}

impl<'a, C: Chance, O: Observer> Decide<'a> for Encounter<'a, C, O> {
    type What = What;

    fn target(what: &What) -> Option<usize> {
        what.target()
    }

    #[inline]
    fn allowed(&self, who: usize, nearest: Target, line: &Line) -> Result<What, Obstacle> {
        self.legal(&self.view(who, nearest), line)
    }

    fn value(&self, variable: Variable, who: usize, target: Target) -> i64 {
        let actor = self.actor(who);
        match variable {
            Variable::Initiative => actor.initiative.into(),
            Variable::Actions => actor.actions.into(),
            Variable::Yards => actor.yards.into(),
            Variable::FreeYards => (self.free_half(who) - actor.yards).max(0).into(),
            Variable::Moved => (actor.yards > 0).into(),
            Variable::Acted => actor.flags.any(Flags::ACTED).into(),
            Variable::Attacked => actor.flags.any(Flags::ATTACKED).into(),
            Variable::Wounds => self.wounds(who),
            Variable::TargetWounds => target.map_or(0, |(foe, _)| self.wounds(foe)),
            Variable::Injured => self.slow(who).into(),
            Variable::TargetInjured => target.map_or(0, |(foe, _)| self.slow(foe).into()),
            Variable::Endurance => self.endurance_left(who).into(),
            Variable::Collapsed => actor.flags.any(Flags::COLLAPSED).into(),
            Variable::Gathered => actor.ritual.map_or(0, |ritual| ritual.gathered),
            Variable::Paradox => actor.paradox.into(),
            Variable::Willpower => self.willpower_left(who).into(),
            // The parser lets no variable of another clock through.
            other => self.shared_value(other, who, target).unwrap_or(0),
        }
    }
}
