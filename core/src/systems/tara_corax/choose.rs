//! The choice of a policy line, and the reasons against the other lines (W-3, W-4).

use super::legal::{after_broken_channel, is_ready, legal_set};
use super::view::{
    ATTACKS, CAN_CAR, CAN_WALK, CASTING, FULL, MARK, MARKS, MOVE_LEFT, READY, SCORE,
};
use super::view::{View, flag_bits};
use super::{Encounter, flags};
use crate::sim::compiled_lines::{TRUTHS, Values};
use crate::sim::decide;
use crate::sim::prelude::*;

/// The policy line to take, with its action.
pub(super) type Choice = decide::Choice<ChosenAction>;

/// The action of a choice, with target and gear. Small, because it is copied often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub(crate) enum ChosenAction {
    Attack {
        target: u8,
        weapon: u8,
        attacks: u8,
        set: u8,
        mastery: bool,
        desperate: bool,
    },
    Do(Deed),
    Move {
        target: u8,
        advance: bool,
        units: u16,
        stop: Units,
    },
    Set,
    Channel {
        target: u8,
        spell: u8,
    },
    Car {
        target: u8,
    },
    Charge {
        target: u8,
        weapon: u8,
    },
    Sheathe(u8),
    Wait(u8),
    Leave(Leaving),
    #[default]
    Pass,
}

impl ChosenAction {
    /// Returns whether its maker moves at the Mark at which it begins.
    pub(super) const fn moves_at_once(self) -> bool {
        matches!(self, Self::Car { .. } | Self::Charge { .. })
    }

    /// Returns whether it is a move, a Channel or a spell, which last beyond the beat in which they begin.
    pub(super) const fn lasts(self) -> bool {
        matches!(
            self,
            Self::Move { .. } | Self::Channel { .. } | Self::Do(Deed::Cast { .. })
        )
    }

    /// Returns the target of the action.
    #[inline(always)]
    fn target(self) -> Option<usize> {
        match self {
            Self::Do(deed) => deed.target(),
            Self::Attack { target, .. }
            | Self::Move { target, .. }
            | Self::Channel { target, .. }
            | Self::Car { target }
            | Self::Charge { target, .. } => Some(usize::from(target)),
            Self::Set | Self::Sheathe(_) | Self::Wait(_) | Self::Leave(_) | Self::Pass => None,
        }
    }
}

impl<'a, C: Chance, O: ClockObserver, const PLAIN: bool> Decide<'a> for Encounter<'a, C, O, PLAIN> {
    type ChosenAction = ChosenAction;

    #[inline(always)]
    fn target(what: &ChosenAction) -> Option<usize> {
        what.target()
    }

    #[inline]
    fn legal(&self, view: &View<'_>, line: &Line) -> Result<ChosenAction, Obstacle> {
        if view.actor.flags.any(flags::BROKEN) {
            after_broken_channel(view, &line.action)?;
        }
        match &line.action {
            Action::Attack(weapon) => self.legal_attack(view, line.aim, *weapon, false),
            Action::Desperate(weapon) => self.legal_attack(view, line.aim, *weapon, true),
            Action::Advance(step) => self.legal_step(view, line.aim, step, true),
            Action::Retreat(step) => self.legal_step(view, line.aim, step, false),
            Action::Set => legal_set(view),
            Action::Cast(_) | Action::Use(_) | Action::Draw(_) | Action::Stand => {
                self.legal_deed(view, line).map(ChosenAction::Do)
            }
            Action::Channel { spell, .. } => {
                if view.actor.flags.any(flags::STIRRED) {
                    return Err(Obstacle::Acted);
                }
                if view.actor.marks < 1 {
                    return Err(Obstacle::Marks);
                }
                let range = view.combatant.spells[usize::from(*spell)].range;
                let target = self.target(view, line.aim, range)?;
                Ok(ChosenAction::Channel {
                    target,
                    spell: *spell,
                })
            }
            Action::Car => self.legal_car(view, line.aim),
            Action::Charge(weapon) => self.legal_charge(view, line.aim, *weapon),
            Action::Sheathe(weapon) => {
                if view.body.in_hand & (1 << weapon) == 0 {
                    return Err(Obstacle::NotInHand);
                }
                self.affords_or_owes(view, Cost::Half)?;
                Ok(ChosenAction::Sheathe(*weapon))
            }
            Action::Wait(marks) if Marks::from(*marks) > view.actor.marks => Err(Obstacle::Marks),
            Action::Wait(marks) => Ok(ChosenAction::Wait(*marks)),
            Action::Leave(how) => self
                .may_leave(view.who, *how)
                .map(|()| ChosenAction::Leave(*how)),
            Action::Pass => Ok(ChosenAction::Pass),
            // The first two are checked on other occasions; the parser rejects all others for this system.
            Action::CombatCast { .. }
            | Action::Delay { .. }
            | Action::PutOff
            | Action::Task(_)
            | Action::SpendMoxie
            | Action::Interrupt
            | Action::Hold
            | Action::Pick
            | Action::Seize(_)
            | Action::Declare(_)
            | Action::DeclareTurn(_)
            | Action::Swap
            | Action::Await { .. }
            | Action::Ready(_)
            | Action::Cancel => Err(Obstacle::Condition),
        }
    }

    #[inline(always)]
    fn made(&self, view: &View<'_>, line: &Line, aimed: bool) -> Option<ChosenAction> {
        match line.action {
            Action::Set => return Some(ChosenAction::Set),
            Action::Wait(marks) => return Some(ChosenAction::Wait(marks)),
            Action::Pass => return Some(ChosenAction::Pass),
            _ => {}
        }
        let (target, _) = view.nearest?;
        let (step, advance) = match &line.action {
            Action::Advance(step) => (step, true),
            Action::Retreat(step) => {
                self.retreat_step(view.who, target)?;
                (step, false)
            }
            Action::Attack(_) | Action::Desperate(_) => {
                let desperate = matches!(line.action, Action::Desperate(_));
                let (weapon, target) = self.only_attack(view, line, aimed)?;
                return Some(self.volley(view, weapon, target, desperate));
            }
            _ => return None,
        };
        let (stop, units) = step.worked_out(self.usual_stop(view.who, advance), |_| 0)?;
        Some(ChosenAction::Move {
            target: target as u8,
            advance,
            units,
            stop,
        })
    }

    #[inline(always)]
    fn value(&self, variable: Variable, view: &View<'_>, target: TargetAt) -> i64 {
        let (actor, (foe, _)) = (view.actor, target);
        match variable {
            Variable::Mark => self.state.clock.mark.into(),
            Variable::Marks => self.marks_left(actor).into(),
            Variable::Score => actor.score.into(),
            Variable::MoveLeft => view.move_left().into(),
            Variable::Moved => actor.flags.any(flags::MOVED).into(),
            Variable::Acted => actor.flags.any(flags::ACTED.and(flags::MOVED)).into(),
            Variable::Attacked => (actor.attack_actions > 0).into(),
            Variable::Ready => is_ready(view).into(),
            // The view has these already.
            Variable::InMelee => view.in_melee().into(),
            Variable::NearestEnemyDistance => view.nearest.map_or(0, |(_, far)| far.into()),
            Variable::Channelling => actor.channelling().into(),
            Variable::TargetChannelling => self.actor(foe).channelling().into(),
            Variable::TargetReady => is_ready(&self.view(foe)).into(),
            Variable::CanCar => {
                (view.profile.car >= 0 && actor.cars < self.plan.rules.car_per_round).into()
            }
            // The parser rejects variables of other clocks.
            other => self.shared_value(other, view.who, target).unwrap_or(0),
        }
    }

    #[inline(always)]
    fn values(&self, view: &View<'_>, values: &mut Values) {
        let (actor, profile) = (view.actor, view.profile);
        let can_car = profile.car >= 0 && actor.cars < self.plan.rules.car_per_round;
        let truths = [
            (READY, is_ready(view)),
            (FULL, view.affords(Cost::Full).is_ok()),
            (CAN_CAR, can_car),
            (CASTING, actor.spell.is_some()),
            (CAN_WALK, actor.marks >= 1 && view.move_left() >= 1),
        ];
        values[TRUTHS] |= flag_bits(actor.flags);
        for (truth, holds) in truths {
            values[TRUTHS] |= i32::from(holds) * truth;
        }
        values[MARKS] = actor.marks;
        values[MOVE_LEFT] = view.move_left();
        values[MARK] = self.state.clock.mark;
        values[ATTACKS] = actor.attack_actions.into();
        values[SCORE] = actor.score;
    }

    /// Finds the line by a repetition or else by comparisons of numbers.
    #[inline(always)]
    fn find(&mut self, who: usize) -> Option<Choice> {
        let repeated = self.repeated(who);
        if repeated.is_some() {
            return repeated;
        }
        self.find_anew(who)
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    #[inline(never)]
    fn find_anew(&mut self, who: usize) -> Option<Choice> {
        let view = self.view(who);
        let mut values = [0; _];
        let found = self.first_decision(&view, &mut values);
        let repeat = found.and_then(|choice| self.look_ahead(&view, &values, choice));
        self.keep(who, repeat);
        found
    }
}
