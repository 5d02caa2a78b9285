//! The view of a deciding combatant, and the choice of a policy line (W-3, W-4).

use super::Encounter;
use super::flags;
use super::legal::ChosenAction;
use super::state::OrderActor;
use crate::chance::Chance;
use crate::fight::program::{Action, Line};
use crate::fight::world::bit;
use crate::fight::{Combatant, Variable};
use crate::sim::ClockObserver;
use crate::sim::compiled_lines::{Need, OWN, Values, steady_weapon};
use crate::sim::decide::{self, Decide};
use crate::sim::deeds::Deed;
use crate::sim::events::Obstacle;
use crate::sim::flags::Flags;
use crate::sim::prelude::*;
use crate::sim::stage::Target;
use crate::sim::walk::Walk;

const INITIATIVE: usize = OWN;
const MOVE_LEFT: usize = OWN + 1;
const MOVED: usize = OWN + 2;
const FLAGS: usize = OWN + 3;

/// Returns the number of a decision that a variable of this clock is, or the need that it is true.
pub(super) fn fact(variable: Variable) -> Option<Need> {
    Some(match variable {
        Variable::Initiative => Need::any(INITIATIVE),
        Variable::MoveLeft => Need::any(MOVE_LEFT),
        Variable::Moved => Need::one(MOVED, -1),
        _ => Need::one(FLAGS, flags_of(variable)?.bits()),
    })
}

/// Returns the flags of which a combatant has at least one if a variable is true.
const fn flags_of(variable: Variable) -> Option<Flags> {
    Some(match variable {
        Variable::EnemyActed => flags::ENEMY_ACTED,
        Variable::Delayed => flags::DELAYED,
        Variable::Interrupted => flags::INTERRUPTED,
        Variable::Acted => flags::ACTED,
        Variable::Attacked => flags::ATTACKED,
        _ => return None,
    })
}

/// Adds the least that an action needs, as comparisons of facts; none is stricter than the rules (CD-7).
///
/// Returns whether the rules ask nothing more: true of an attack with one weapon.
pub(super) fn needs(combatant: &Combatant, line: &Line, needs: &mut Vec<Need>) -> bool {
    if line.action.takes_action() {
        needs.push(Need::none(FLAGS, flags::ACTED.bits()));
    } else if !matches!(line.action, Action::Leave(_) | Action::Pass) {
        needs.push(Need::at_least(MOVE_LEFT, 1));
    }
    matches!(line.action, Action::Attack(choice) if steady_weapon(combatant, choice).is_some())
}

/// The policy line to take, with its action.
pub(super) type Choice = decide::Choice<ChosenAction>;

/// The view of a deciding combatant.
pub(super) type View<'a> = decide::View<'a, OrderActor>;

impl<'a, C: Chance, O: ClockObserver> Decide<'a> for Encounter<'a, C, O> {
    type ChosenAction = ChosenAction;

    fn target(what: &ChosenAction) -> Option<usize> {
        what.target()
    }

    #[inline]
    fn attack(&self, _who: usize, weapon: u8, target: u8) -> Option<ChosenAction> {
        Some(ChosenAction::Do(Deed::Attack { weapon, target }))
    }

    #[inline]
    fn allowed(&self, who: usize, nearest: Target, line: &Line) -> Result<ChosenAction, Obstacle> {
        self.legal(&self.view(who, nearest), line)
    }

    #[inline]
    fn values(&self, who: usize, values: &mut Values) {
        let actor = self.actor(who);
        values[INITIATIVE] = actor.initiative;
        values[MOVE_LEFT] = self.units_left(who);
        values[MOVED] = actor.moved;
        values[FLAGS] = actor.flags.bits();
    }

    /// Returns the value of a variable; 0 for a missing target.
    fn value(&self, variable: Variable, who: usize, target: Target) -> i64 {
        let actor = self.actor(who);
        let of_target = |value: &dyn Fn(usize) -> i64| target.map_or(0, |(foe, _)| value(foe));
        if let Some(flags) = flags_of(variable) {
            return actor.flags.any(flags).into();
        }
        let is_in = |set: u64, who: usize| i64::from(set >> who & 1 == 1);
        match variable {
            Variable::Initiative => actor.initiative.into(),
            Variable::Place => self.place(who).into(),
            Variable::TurnsLeft => self.turns_left(who).count_ones().into(),
            Variable::EnemiesLeft => (self.turns_left(who) & self.enemies(who))
                .count_ones()
                .into(),
            Variable::MoveLeft => self.units_left(who).into(),
            Variable::Moved => (actor.moved > 0).into(),
            Variable::TargetActed => of_target(&|foe| {
                let to_come = self.state.clock.due | self.state.clock.delaying;
                (to_come & bit(foe) == 0).into()
            }),
            Variable::TargetReadied => of_target(&|foe| is_in(self.state.clock.readied, foe)),
            Variable::Defence => self.defence(who),
            Variable::TargetDefence => of_target(&|foe| self.defence(foe)),
            Variable::Ongoing => actor.ongoing[0].into(),
            Variable::TargetOngoing => of_target(&|foe| self.actor(foe).ongoing[0].into()),
            Variable::Wounds => self.wounds(who),
            Variable::TargetWounds => of_target(&|foe| self.wounds(foe)),
            // The parser rejects variables of other clocks.
            other => self.shared_value(other, who, target).unwrap_or(0),
        }
    }
}
