//! The view of a deciding combatant, and the choice of a policy line (W-3, W-4).

use super::budget::budget;
use super::state::OrderActor;
use super::{Encounter, OrderProfile, Plan, flags};
use crate::sim::compiled_lines::{Need, OWN, Values, steady_weapon};
use crate::sim::decide;
use crate::sim::deeds;
use crate::sim::prelude::*;

const INITIATIVE: usize = OWN;
const MOVE_LEFT: usize = OWN + 1;
const MOVED: usize = OWN + 2;
const FLAGS: usize = OWN + 3;
/// The first of the amounts left of each resource, where `[clock]` says what a turn holds.
const LEFT: usize = OWN + 4;

/// Returns the number of a decision that a variable of this clock is, or the need that it is true.
pub(super) fn fact(variable: Variable) -> Option<Need> {
    Some(match variable {
        Variable::Initiative => Need::any(INITIATIVE),
        Variable::MoveLeft => Need::any(MOVE_LEFT),
        Variable::Moved => Need::one(MOVED, -1),
        Variable::Left(resource) => Need::any(LEFT + usize::from(resource)),
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
pub(super) fn needs(plan: &Plan, who: usize, line: &Line, needs: &mut Vec<Need>) -> bool {
    let combatant = &plan.fight.combatants[who];
    if line.action.takes_action() {
        match budget(plan) {
            None => needs.push(Need::none(FLAGS, flags::ACTED.bits())),
            Some(budget) => {
                let least = budget.least_price(combatant, &line.action);
                let amounts = least.amounts.into_iter().zip(LEFT..);
                let amounts = amounts.filter(|(amount, _)| *amount > 0);
                needs.extend(amounts.map(|(amount, at)| Need::at_least(at, amount.into())));
            }
        }
    } else if !matches!(line.action, Action::Leave(_) | Action::Pass) {
        needs.push(Need::at_least(MOVE_LEFT, 1));
    }
    let is_steady = |choice| steady_weapon(combatant, choice).is_some();
    let turns = &plan.rules.turns;
    let is_free = turns.phases.is_empty() && !turns.declares_actions();
    is_free && matches!(line.action, Action::Attack(choice) if is_steady(choice))
}

/// The action of a line.
pub(super) type ChosenAction = deeds::ChosenAction<Waiting>;

/// The policy line to take, with its action.
pub(super) type Choice = decide::Choice<ChosenAction>;

/// The view of a deciding combatant.
pub(super) type View<'a> = decide::View<'a, OrderActor, OrderProfile>;

/// What only a combatant of this clock may choose: to act later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    Ready,
    Delay,
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Decide<'a> for Encounter<'a, C, O, PLAIN> {
    type ChosenAction = ChosenAction;

    fn target(what: &ChosenAction) -> Option<usize> {
        what.target(|_| None)
    }

    #[inline]
    fn made(&self, view: &View<'_>, line: &Line, aimed: bool) -> Option<ChosenAction> {
        let (weapon, target) = self.only_attack(view, line, aimed)?;
        Some(ChosenAction::Do(Deed::Attack { weapon, target }))
    }

    #[inline]
    fn legal(&self, view: &View<'_>, line: &Line) -> Result<ChosenAction, Obstacle> {
        // CD-7, W-3.
        let budget = self.budget();
        let own = || match &line.action {
            Action::Await { .. } => self
                .may_delay(view)
                .map(|()| ChosenAction::Own(Waiting::Delay)),
            _ if view.actor.flags.any(flags::ACTED) && budget.is_none() => Err(Obstacle::NoAction),
            Action::Ready(readied) => self
                .may_ready(view, readied)
                .and_then(|()| match budget {
                    Some(budget) => self.may_ready_again(view.who, budget),
                    None => Ok(()),
                })
                .map(|()| ChosenAction::Own(Waiting::Ready)),
            action => match budget {
                None => self.deed(view, action, (line.aim, None)),
                Some(budget) => self.paid_deed(view, budget, action, line.aim),
            }
            .map(ChosenAction::Do),
        };
        self.legal_in_common(view, line).unwrap_or_else(own)
    }

    #[inline]
    fn values(&self, view: &View<'_>, values: &mut Values) {
        let actor = view.actor;
        values[INITIATIVE] = if self.is_own() {
            self.total(view.who)
        } else {
            self.state.places.totals[view.who]
        };
        values[MOVE_LEFT] = self.units_left(view.who);
        values[MOVED] = actor.moved;
        values[FLAGS] = actor.flags.bits();
        if self.budget().is_some() {
            self.fill_left(view.who, &mut values[LEFT..]);
        }
    }

    fn value(&self, variable: Variable, view: &View<'_>, target: TargetAt) -> i64 {
        let (who, actor, (foe, _)) = (view.who, view.actor, target);
        if let Some(flags) = flags_of(variable) {
            return actor.flags.any(flags).into();
        }
        let is_in = |set: u64, who: usize| i64::from(set >> who & 1 == 1);
        match variable {
            Variable::Initiative => self.total(who).into(),
            Variable::Place => self.place(who).into(),
            Variable::TurnsLeft => self.turns_left(who).count_ones().into(),
            Variable::EnemiesLeft => (self.turns_left(who) & self.enemies(who))
                .count_ones()
                .into(),
            Variable::MoveLeft => self.units_left(who).into(),
            Variable::Moved => (actor.moved > 0).into(),
            Variable::TargetActed => {
                let to_come = self.state.places.due | self.state.clock.delaying;
                (to_come & bit(foe) == 0).into()
            }
            Variable::TargetReadied => is_in(self.state.clock.readied, foe),
            Variable::Left(resource) => self.left(who)[usize::from(resource)].into(),
            Variable::EnemiesAttacking => {
                let attacking = |foe: &usize| self.is_attacking(*foe);
                members(self.enemies(who)).filter(attacking).count() as i64
            }
            Variable::TargetAttacking => self.is_attacking(foe).into(),
            Variable::Defence => self.defence(who),
            Variable::TargetDefence => self.defence(foe),
            Variable::Ongoing => actor.ongoing[0].into(),
            Variable::TargetOngoing => self.actor(foe).ongoing[0].into(),
            // The parser rejects variables of other clocks.
            other => self.shared_value(other, who, target).unwrap_or(0),
        }
    }
}
