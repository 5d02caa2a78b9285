//! The view of a deciding combatant, and the choice of a policy line (W-3, W-4).

use super::Encounter;
use super::flags;
use super::legal::ChosenAction;
use super::state::PhaseActor;
use crate::chance::Chance;
use crate::fight::Combatant;
use crate::fight::Variable;
use crate::fight::program::{Action, Line};
use crate::fight::world::bit;
use crate::sim::ClockObserver;
use crate::sim::beats::Part;
use crate::sim::compiled_lines::{Need, OWN, Values, steady_weapon};
use crate::sim::decide::{self, Decide};
use crate::sim::deeds::Deed;
use crate::sim::events::Obstacle;
use crate::sim::flags::Flags;
use crate::sim::prelude::*;
use crate::sim::stage::Target;
use crate::sim::walk::Walk;

const QUICK: usize = OWN;
const MOVE_LEFT: usize = OWN + 1;
const MOVED: usize = OWN + 2;
const FLAGS: usize = OWN + 3;
const WOUNDS: usize = OWN + 4;

/// Returns the number of a decision that a variable of this clock is, or the need that it is true.
pub(super) fn fact(variable: Variable) -> Option<Need> {
    let flag = |flag: Flags| Need::one(FLAGS, flag.bits());
    Some(match variable {
        Variable::QuickActions => Need::any(QUICK),
        Variable::MoveLeft => Need::any(MOVE_LEFT),
        Variable::Moved => Need::one(MOVED, -1),
        Variable::Wounds => Need::any(WOUNDS),
        Variable::Acted => flag(flags::ACTED),
        Variable::Attacked => flag(flags::ATTACKED),
        Variable::Interrupting => flag(flags::INTERRUPTING),
        _ => return None,
    })
}

/// Adds the least that an action needs, as comparisons of facts; none is stricter than the rules (EP-3, EP-8).
///
/// Returns whether the rules ask nothing more: true of an attack with one weapon.
pub(super) fn needs(combatant: &Combatant, line: &Line, needs: &mut Vec<Need>) -> bool {
    let complex = match line.action {
        Action::Attack(_) => true,
        Action::Use(item) => !combatant.items[usize::from(item)].quick,
        _ => false,
    };
    match line.action {
        _ if complex => {
            needs.push(Need::none(FLAGS, flags::COMPLEX.and(flags::WORKED).bits()));
        }
        Action::Use(_) | Action::Draw(_) | Action::Stand => needs.push(Need::at_least(QUICK, 1)),
        Action::Task(_) | Action::PutOff => {
            needs.push(Need::none(FLAGS, flags::ACTED.bits()));
        }
        Action::Advance(_) | Action::Retreat(_) => needs.push(Need::at_least(MOVE_LEFT, 1)),
        _ => {}
    }
    matches!(line.action, Action::Attack(choice) if steady_weapon(combatant, choice).is_some())
}

/// The policy line to take, with its action.
pub(super) type Choice = decide::Choice<ChosenAction>;

/// The view of a deciding combatant.
pub(super) type View<'a> = decide::View<'a, PhaseActor>;

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns the first line whose condition holds and whose action is legal (W-3). The action is thereby declared,
    /// and may be interrupted before it is done.
    #[inline]
    pub(super) fn choose(&mut self, who: usize) -> Option<Choice> {
        if self.has_nothing_left(who) {
            self.check_move(who);
            return None;
        }
        self.choose_line(who)
    }

    fn choose_line(&mut self, who: usize) -> Option<Choice> {
        let choice = self.decide(who);
        if !choice.is_some_and(|choice| choice.what.is_move()) {
            self.check_move(who);
        }
        let choice = choice?;
        self.record.combatants[who].decisions += 1;
        if O::LISTENS {
            self.report_decision(who, self.line(who, choice.line.into()));
        }
        Some(choice)
    }

    /// Ends a move under way that its condition has ended: it is over, even if the condition holds again later (EP-8).
    #[inline]
    fn check_move(&mut self, who: usize) {
        if self.actor(who).under_way.is_some() {
            self.goes_on(who);
        }
    }

    /// Returns the first line that holds, of lines that are checked on an occasion of their own.
    #[inline]
    pub(super) fn answer(&self, who: usize, lines: &[Line]) -> Option<u16> {
        if self.world().is_stunned(who) {
            return None;
        }
        let answer = self.first_line(who, lines);
        answer.map(|choice| choice.line)
    }
}

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
        self.legal(who, nearest, line)
    }

    #[inline]
    fn values(&self, who: usize, values: &mut Values) {
        let actor = self.actor(who);
        values[QUICK] = self.quick_left(who).into();
        values[MOVE_LEFT] = self.units_left(who).max(0);
        values[MOVED] = actor.moved;
        values[FLAGS] = actor.flags.bits();
        values[WOUNDS] = actor.wounds;
    }

    fn value(&self, variable: Variable, who: usize, target: Target) -> i64 {
        let actor = self.actor(who);
        let flag = |flag: Flags| i64::from(actor.flags.any(flag));
        match variable {
            Variable::Phase => self.phase_of(who).into(),
            Variable::Speed => self.speed(who).into(),
            Variable::Initiative => self.total(who).into(),
            Variable::Moxie => actor.moxie.into(),
            Variable::Wounds => actor.wounds.into(),
            Variable::TargetWounds => target.map_or(0, |(foe, _)| self.actor(foe).wounds.into()),
            Variable::QuickActions => self.quick_left(who).into(),
            Variable::MoveLeft => self.units_to_come(who).max(0).into(),
            Variable::Moved => {
                let goes_on = !actor.flags.any(flags::ACTING) && actor.under_way.is_some();
                (actor.moved > 0 || goes_on).into()
            }
            Variable::Acted => flag(flags::ACTED),
            Variable::Attacked => flag(flags::ATTACKED),
            Variable::Delaying => (self.state.clock.delayed & bit(who) != 0).into(),
            Variable::Interrupting => flag(flags::INTERRUPTING),
            Variable::EnemyAttacks => self.attacks(who, |_| true).into(),
            Variable::UnderAttack => self.attacks(who, |target| target == who).into(),
            Variable::EnemyActs => self
                .declared(who, |foe, part| match part {
                    Part::Choice(choice) => self.is_complex(foe, &choice.what),
                    _ => false,
                })
                .into(),
            Variable::EnemyQuick => self
                .declared(who, |foe, part| match part {
                    Part::Choice(choice) => self.is_quick(foe, &choice.what),
                    _ => false,
                })
                .into(),
            Variable::EnemyMoves => self
                .declared(who, |_, part| match part {
                    Part::Choice(choice) => choice.what.is_move(),
                    Part::Step => true,
                    Part::Pass => false,
                })
                .into(),
            Variable::Progress(task) => actor.progress[usize::from(task)].into(),
            // The parser rejects variables of other clocks.
            other => self.shared_value(other, who, target).unwrap_or(0),
        }
    }
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns whether an enemy has declared an attack on a target for which `on` returns true.
    fn attacks(&self, who: usize, on: impl Fn(usize) -> bool) -> bool {
        self.declared(who, |_, part| match part {
            Part::Choice(Choice {
                what: ChosenAction::Do(Deed::Attack { target, .. }),
                ..
            }) => on(usize::from(*target)),
            _ => false,
        })
    }

    /// Returns the Phase. With a die for each point of Speed, returns the number of the combatant's place, or between
    /// places that of the next (EP-7).
    fn phase_of(&self, who: usize) -> u8 {
        let actor = self.actor(who);
        if !self.plan.rules.per_speed {
            self.state.clock.phase
        } else if actor.flags.any(flags::ACTING) && !actor.flags.any(flags::DONE) {
            actor.slot
        } else {
            let speed = self.speed(who);
            (actor.place + 1).min(speed)
        }
    }
}
