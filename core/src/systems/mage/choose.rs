//! The view of a deciding combatant, and the choice of a policy line (W-3, W-4).

use super::legal::Feats;
use super::state::TurnActor;
use super::{Encounter, Plan, TurnProfile, flags};
use crate::sim::compiled_lines::{Need, OWN, Values, steady_weapon};
use crate::sim::decide;
use crate::sim::deeds;
use crate::sim::prelude::*;

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
pub(super) fn needs(plan: &Plan, who: usize, line: &Line, needs: &mut Vec<Need>) -> bool {
    let combatant = &plan.fight.combatants[who];
    if line.action.takes_action() {
        needs.push(Need::at_least(ACTIONS, 1));
    } else if !matches!(line.action, Action::Leave(_) | Action::Pass) {
        needs.push(Need::none(FLAGS, flags::COLLAPSED.bits()));
    }
    let simple = line.more.is_empty() && line.willpower.is_none();
    simple
        && matches!(line.action, Action::Attack(choice) if steady_weapon(combatant, choice).is_some())
}

/// The action of a line.
pub(super) type ChosenAction = deeds::ChosenAction<Feats>;

/// The policy line to take, with its action.
pub(super) type Choice = decide::Choice<ChosenAction>;

/// The view of a deciding combatant.
pub(super) type View<'a> = decide::View<'a, TurnActor, TurnProfile>;

impl<'a, C: Chance, O: ClockObserver> Decide<'a> for Encounter<'a, C, O> {
    type ChosenAction = ChosenAction;

    #[inline]
    fn target(what: &ChosenAction) -> Option<usize> {
        what.target(Feats::target)
    }

    #[inline]
    fn made(&self, view: &View<'_>, line: &Line, aimed: bool) -> Option<ChosenAction> {
        let (weapon, target) = self.only_attack(view, line, aimed)?;
        self.single_attack(view.who, weapon, target).ok()
    }

    #[inline]
    fn legal(&self, view: &View<'_>, line: &Line) -> Result<ChosenAction, Obstacle> {
        self.legal_in_common(view, line)
            .unwrap_or_else(|| self.legal_action(view, line))
    }

    #[inline]
    fn values(&self, view: &View<'_>, values: &mut Values) {
        let actor = view.actor;
        values[INITIATIVE] = self.state.places.totals[view.who];
        values[ACTIONS] = actor.actions.into();
        values[YARDS] = actor.yards;
        values[FLAGS] = actor.flags.bits();
    }

    fn value(&self, variable: Variable, view: &View<'_>, target: TargetAt) -> i64 {
        let (who, actor, (foe, _)) = (view.who, view.actor, target);
        if let Some(flags) = flags_of(variable) {
            return actor.flags.any(flags).into();
        }
        match variable {
            Variable::Initiative => self.state.places.totals[who].into(),
            Variable::Actions => actor.actions.into(),
            Variable::Yards => actor.yards.into(),
            Variable::FreeYards => (self.free_half(who) - actor.yards).max(0).into(),
            Variable::Moved => (actor.yards > 0).into(),
            Variable::Injured => self.slow(who).into(),
            Variable::TargetInjured => self.slow(foe).into(),
            Variable::Endurance => self.endurance_left(who).into(),
            Variable::Gathered => actor.ritual.map_or(0, |ritual| ritual.gathered),
            Variable::Paradox => actor.paradox.into(),
            Variable::Willpower => self.willpower_left(who).into(),
            // The parser rejects variables of other clocks.
            other => self.shared_value(other, who, target).unwrap_or(0),
        }
    }
}
