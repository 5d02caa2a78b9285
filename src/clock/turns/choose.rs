//! What one who decides sees, and which policy line is taken (W-3, W-4).

use super::super::lines::{self, Lines};
use super::super::stage::{Stage, Target};
use super::Encounter;
use super::legal::What;
use super::state::{Actor, Flags};
use crate::chance::Chance;
use crate::engine::Observer;
use crate::policy::Variable;

/// A line that is to be taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// Index among the policy's decisions.
    pub line: u16,
    pub what: What,
}

/// What one who decides sees.
pub(super) type View<'a> = lines::View<'a, Actor>;

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// The first line whose condition holds and whose action is legal (W-3).
    #[inline]
    pub(super) fn choose(&mut self, who: usize) -> Option<Choice> {
        let choice = self.find(who);
        if O::LISTENS {
            let taken = choice.map_or(usize::MAX, |choice| usize::from(choice.line));
            self.tell_rejected(who, taken);
        }
        choice
    }

    fn find(&self, who: usize) -> Option<Choice> {
        let view = self.view(who);
        let spent = view.actor.actions == 0;
        let takes_action = &self.plan.actions[who];
        let found = self.first_line(
            &view,
            |index| spent && takes_action[index],
            |line| self.legal(&view, line),
            What::target,
            |variable, target| self.value(variable, &view, target),
        );
        found.map(|(line, what)| Choice { line, what })
    }

    /// The value of a variable. What is asked of a target that is not there is 0.
    fn value(&self, variable: Variable, view: &View<'_>, target: Target) -> i64 {
        let actor = view.actor;
        match variable {
            Variable::Initiative => actor.initiative.into(),
            Variable::Actions => actor.actions.into(),
            Variable::Yards => actor.yards.into(),
            Variable::FreeYards => (self.free_half(view.who) - actor.yards).max(0).into(),
            Variable::Moved => (actor.yards > 0).into(),
            Variable::Acted => actor.flags.any(Flags::ACTED).into(),
            Variable::Attacked => actor.flags.any(Flags::ATTACKED).into(),
            Variable::Wounds => self.wounds(view.who),
            Variable::TargetWounds => target.map_or(0, |(foe, _)| self.wounds(foe)),
            Variable::Injured => self.slow(view.who).into(),
            Variable::TargetInjured => target.map_or(0, |(foe, _)| self.slow(foe).into()),
            Variable::Endurance => self.endurance_left(view.who).into(),
            Variable::Collapsed => actor.flags.any(Flags::COLLAPSED).into(),
            Variable::Gathered => actor.ritual.map_or(0, |ritual| ritual.gathered),
            Variable::Paradox => actor.paradox.into(),
            // The parser lets no variable of another clock through.
            other => self.shared_value(other, view.who, target).unwrap_or(0),
        }
    }
}
