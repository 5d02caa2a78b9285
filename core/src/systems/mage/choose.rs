//! The view of a deciding combatant, and the choice of a policy line (W-3, W-4).

use super::Encounter;
use super::flags;
use super::legal::ChosenAction;
use super::state::TurnActor;
use crate::chance::Chance;
use crate::fight::Combatant;
use crate::fight::Variable;
use crate::fight::program::{Action, Line};
use crate::sim::ClockObserver;
use crate::sim::compiled_lines::{Need, OWN, Values, steady_weapon};
use crate::sim::decide::{self, Decide};
use crate::sim::events::Obstacle;
use crate::sim::flags::Flags;
use crate::sim::prelude::*;
use crate::sim::stage::Target;

const INITIATIVE: usize = OWN;
const ACTIONS: usize = OWN + 1;
const YARDS: usize = OWN + 2;
const FLAGS: usize = OWN + 3;

/// Returns the number of a decision that a variable of this clock is, or the need that it is true.
pub(super) fn fact(variable: Variable) -> Option<Need> {
    Some(match variable {
        Variable::Initiative => Need::any(INITIATIVE),
        Variable::Actions => Need::any(ACTIONS),
        Variable::Yards => Need::any(YARDS),
        _ => Need::one(FLAGS, flags_of(variable)?.bits()),
    })
}

/// Returns the flags of which a combatant has at least one if a variable is true.
const fn flags_of(variable: Variable) -> Option<Flags> {
    Some(match variable {
        Variable::Acted => flags::ACTED.and(flags::CLIMBED),
        Variable::Attacked => flags::ATTACKED,
        Variable::Collapsed => flags::COLLAPSED,
        _ => return None,
    })
}

/// Adds the least that an action needs, as comparisons of facts; none is stricter than the rules (MA-3, MA-6).
///
/// Returns whether the rules ask nothing more but dice left to roll: true of an attack with one weapon.
pub(super) fn needs(combatant: &Combatant, line: &Line, needs: &mut Vec<Need>) -> bool {
    if line.action.takes_action() {
        needs.push(Need::at_least(ACTIONS, 1));
    } else if !matches!(line.action, Action::Leave(_) | Action::Pass) {
        needs.push(Need::none(FLAGS, flags::COLLAPSED.bits()));
    }
    let simple = line.more.is_empty() && line.willpower.is_none();
    simple
        && matches!(line.action, Action::Attack(choice) if steady_weapon(combatant, choice).is_some())
}

/// The policy line to take, with its action.
pub(super) type Choice = decide::Choice<ChosenAction>;

/// The view of a deciding combatant.
pub(super) type View<'a> = decide::View<'a, TurnActor>;

impl<'a, C: Chance, O: ClockObserver> Decide<'a> for Encounter<'a, C, O> {
    type ChosenAction = ChosenAction;

    fn target(what: &ChosenAction) -> Option<usize> {
        what.target()
    }

    #[inline]
    fn attack(&self, who: usize, weapon: u8, target: u8) -> Option<ChosenAction> {
        self.single_attack(who, weapon, target).ok()
    }

    #[inline]
    fn allowed(&self, who: usize, nearest: Target, line: &Line) -> Result<ChosenAction, Obstacle> {
        self.legal(&self.view(who, nearest), line)
    }

    #[inline]
    fn values(&self, who: usize, values: &mut Values) {
        let actor = self.actor(who);
        values[INITIATIVE] = actor.initiative;
        values[ACTIONS] = actor.actions.into();
        values[YARDS] = actor.yards;
        values[FLAGS] = actor.flags.bits();
    }

    fn value(&self, variable: Variable, who: usize, target: Target) -> i64 {
        let actor = self.actor(who);
        if let Some(flags) = flags_of(variable) {
            return actor.flags.any(flags).into();
        }
        match variable {
            Variable::Initiative => actor.initiative.into(),
            Variable::Actions => actor.actions.into(),
            Variable::Yards => actor.yards.into(),
            Variable::FreeYards => (self.free_half(who) - actor.yards).max(0).into(),
            Variable::Moved => (actor.yards > 0).into(),
            Variable::Wounds => self.wounds(who),
            Variable::TargetWounds => target.map_or(0, |(foe, _)| self.wounds(foe)),
            Variable::Injured => self.slow(who).into(),
            Variable::TargetInjured => target.map_or(0, |(foe, _)| self.slow(foe).into()),
            Variable::Endurance => self.endurance_left(who).into(),
            Variable::Gathered => actor.ritual.map_or(0, |ritual| ritual.gathered),
            Variable::Paradox => actor.paradox.into(),
            Variable::Willpower => self.willpower_left(who).into(),
            // The parser rejects variables of other clocks.
            other => self.shared_value(other, who, target).unwrap_or(0),
        }
    }
}
