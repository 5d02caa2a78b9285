//! What one who decides sees, and which policy line is taken (W-3, W-4).

use super::super::stage::{Stage, Target, is_single};
use super::Encounter;
use super::legal::What;
use super::state::{Actor, Flags};
use crate::chance::Chance;
use crate::engine::Observer;
use crate::fight::Combatant;
use crate::fight::world::Body;
use crate::policy::Variable;

/// A line that is to be taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// Index among the policy's decisions.
    pub line: u16,
    pub what: What,
}

/// What one who decides sees: looked up once a decision, not once a line.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub who: usize,
    pub actor: &'a Actor,
    pub body: &'a Body<Actor>,
    pub combatant: &'a Combatant,
    /// The nearest enemy and how far it is.
    pub nearest: Target,
}

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// What `who` sees.
    #[inline]
    pub(super) fn view(&self, who: usize) -> View<'_> {
        let body = &self.world().bodies[who];
        View {
            who,
            actor: &body.clock,
            body,
            combatant: &self.plan.fight.combatants[who],
            nearest: self.nearest(who, self.enemies(who)),
        }
    }

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
        // With one enemy left a condition can only be about that one, and is cheaper to ask than
        // the rules are.
        let only = is_single(self.enemies(who)).then_some(view.nearest);
        let spent = view.actor.actions == 0;
        let takes_action = &self.plan.actions[who];
        for (index, line) in view.combatant.policy.decisions.iter().enumerate() {
            if spent && takes_action[index] {
                continue;
            }
            let holds = |target: Target| {
                line.condition
                    .holds(|variable| self.value(variable, &view, target))
            };
            if only.is_some_and(|target| !holds(target)) {
                continue;
            }
            let Ok(what) = self.legal(&view, line) else {
                continue;
            };
            if only.is_none() {
                let target = what
                    .target()
                    .map(|foe| (foe, self.world().distance(who, foe)));
                if !holds(target.or(view.nearest)) {
                    continue;
                }
            }
            return Some(Choice {
                line: index as u16,
                what,
            });
        }
        None
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
            Variable::Willpower => self.willpower_left(view.who).into(),
            // The parser lets no variable of another clock through.
            other => self.shared_value(other, view.who, target).unwrap_or(0),
        }
    }
}
