//! The view of a deciding combatant, and the choice of a policy line (W-3, W-4).

use super::state::PhaseActor;
use super::{Encounter, PhaseProfile, Plan, flags};
use crate::sim::compiled_lines::{Need, OWN, Values, steady_weapon};
use crate::sim::decide;
use crate::sim::deeds;
use crate::sim::prelude::*;

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
pub(super) fn needs(plan: &Plan, who: usize, line: &Line, needs: &mut Vec<Need>) -> bool {
    let combatant = &plan.fight.combatants[who];
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

/// The action of a line.
pub(super) type ChosenAction = deeds::ChosenAction<StageAction>;

/// The policy line to take, with its action.
pub(super) type Choice = decide::Choice<ChosenAction>;

/// The view of a deciding combatant.
pub(super) type View<'a> = decide::View<'a, PhaseActor, PhaseProfile>;

/// What only a combatant of this clock may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StageAction {
    /// The target is the one that the task's strike has now, if it has one.
    Task {
        task: u8,
        target: Option<u8>,
    },
    Delay,
    /// A line that is checked on an occasion of its own holds.
    Answer,
}

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

    #[inline(never)]
    fn choose_line(&mut self, who: usize) -> Option<Choice> {
        let choice = self.decide(who);
        if !choice.is_some_and(|choice| choice.what.is_move()) {
            self.check_move(who);
        }
        let choice = choice?;
        self.count_decision(who, choice.line);
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
        what.target(|own| match own {
            StageAction::Task { target, .. } => target.map(usize::from),
            StageAction::Delay | StageAction::Answer => None,
        })
    }

    #[inline]
    fn made(&self, view: &View<'_>, line: &Line, aimed: bool) -> Option<ChosenAction> {
        let (weapon, target) = self.only_attack(view, line, aimed)?;
        Some(ChosenAction::Do(Deed::Attack { weapon, target }))
    }

    #[inline]
    fn legal(&self, view: &View<'_>, line: &Line) -> Result<ChosenAction, Obstacle> {
        // EP-8, W-3.
        let own = || match line.action {
            Action::Task(task) => self.legal_task(view, task, line.aim),
            Action::PutOff => self.legal_delay(view),
            Action::SpendMoxie if view.actor.moxie == 0 => Err(Obstacle::Used),
            Action::SpendMoxie | Action::Interrupt | Action::Hold => {
                Ok(ChosenAction::Own(StageAction::Answer))
            }
            _ => self.legal_deed(view, line).map(ChosenAction::Do),
        };
        self.legal_in_common(view, line).unwrap_or_else(own)
    }

    #[inline]
    fn values(&self, view: &View<'_>, values: &mut Values) {
        let (who, actor) = (view.who, view.actor);
        values[QUICK] = self.quick_left(who).into();
        values[MOVE_LEFT] = self.units_left(who).max(0);
        values[MOVED] = actor.moved;
        values[FLAGS] = actor.flags.bits();
        values[WOUNDS] = actor.wounds;
    }

    fn value(&self, variable: Variable, view: &View<'_>, target: TargetAt) -> i64 {
        let (who, actor, (foe, _)) = (view.who, view.actor, target);
        let flag = |flag: Flags| i64::from(actor.flags.any(flag));
        match variable {
            Variable::Phase => self.phase_of(who).into(),
            Variable::Speed => self.speed(who).into(),
            Variable::Initiative => self.total(who).into(),
            Variable::Moxie => actor.moxie.into(),
            Variable::Wounds => actor.wounds.into(),
            Variable::TargetWounds => self.actor(foe).wounds.into(),
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
                .declared(who, false, |foe, what| self.is_complex(foe, what))
                .into(),
            Variable::EnemyQuick => self
                .declared(who, false, |foe, what| self.is_quick(foe, what))
                .into(),
            Variable::EnemyMoves => self.declared(who, true, |_, what| what.is_move()).into(),
            Variable::Progress(task) => actor.progress[usize::from(task)].into(),
            // The parser rejects variables of other clocks.
            other => self.shared_value(other, who, target).unwrap_or(0),
        }
    }
}

impl<C: Chance, O: ClockObserver> Encounter<'_, C, O> {
    /// Returns whether an enemy has declared an attack on a target for which `on` returns true.
    fn attacks(&self, who: usize, on: impl Fn(usize) -> bool) -> bool {
        self.declared(who, false, |_, what| match what {
            ChosenAction::Do(Deed::Attack { target, .. }) => on(usize::from(*target)),
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
