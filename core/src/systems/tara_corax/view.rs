//! The view of a deciding combatant: itself, its enemies, the possible targets of an action (W-4), and the values of
//! the variables that a condition asks for.

use super::flags;
use super::legal::is_ready;
use super::state::MarkActor;
use super::{Encounter, MarkProfile};
use crate::chance::Chance;
use crate::fight::Variable;
use crate::fight::program::{Aim, Condition};
use crate::fight::world::Body;
use crate::fight::{Combatant, Cost, Units};
use crate::sim::ClockObserver;
use crate::sim::compiled_lines::{self, CompiledLines, Need, OWN, OWN_TRUTH, TRUTHS, Values};
use crate::sim::events::Obstacle;
use crate::sim::flags::Flags;
use crate::sim::prelude::*;

/// Marks left.
pub(super) const MARKS: usize = OWN;
/// Units of Land Speed left.
pub(super) const MOVE_LEFT: usize = OWN + 1;
pub(super) const MARK: usize = OWN + 2;
const ATTACKS: usize = OWN + 3;
const SCORE: usize = OWN + 4;

/// A Set would have no use.
pub(super) const READY: i32 = 1 << OWN_TRUTH;
/// A Full Action can be paid for (TC-5).
pub(super) const FULL: i32 = 1 << (OWN_TRUTH + 1);
/// A CAR move is left this Round.
pub(super) const CAN_CAR: i32 = 1 << (OWN_TRUTH + 2);
const CASTING: i32 = 1 << (OWN_TRUTH + 3);
/// A Mark and a Unit of Land Speed are left (TC-6).
pub(super) const CAN_WALK: i32 = 1 << (OWN_TRUTH + 4);

/// Returns the deeds of a combatant as truths.
#[inline]
pub(super) const fn flag_bits(flags: Flags) -> i32 {
    flags.bits() << (OWN_TRUTH + 5)
}

/// Returns the number of a decision that a variable of this clock is, or the need that it is true, for a combatant that is free to decide.
pub(super) fn fact(variable: Variable) -> Option<Need> {
    Some(match variable {
        Variable::Mark => Need::any(MARK),
        Variable::Marks => Need::any(MARKS),
        Variable::Score => Need::any(SCORE),
        Variable::MoveLeft => Need::any(MOVE_LEFT),
        Variable::Moved => Need::one(TRUTHS, flag_bits(flags::MOVED)),
        Variable::Acted => Need::one(TRUTHS, flag_bits(flags::ACTED.and(flags::MOVED))),
        Variable::Attacked => Need::one(ATTACKS, -1),
        Variable::Ready => Need::one(TRUTHS, READY),
        Variable::CanCar => Need::one(TRUTHS, CAN_CAR),
        Variable::Casting => Need::one(TRUTHS, CASTING),
        _ => return None,
    })
}

/// The view of a deciding combatant: computed once per decision, not once per line.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub who: usize,
    pub actor: &'a MarkActor,
    pub body: &'a Body<MarkActor>,
    pub combatant: &'a Combatant,
    pub profile: &'a MarkProfile,
    /// The current Land Speed (TC-6).
    pub speed: Units,
    /// The enemies that stand.
    pub enemies: u64,
    /// The nearest enemy and its distance.
    pub nearest: Option<(usize, Units)>,
}

impl View<'_> {
    /// Returns the Units of Land Speed left this Round (TC-6).
    #[inline]
    pub(super) fn move_left(&self) -> Units {
        self.speed - self.actor.moved_units
    }

    /// Checks that the Marks left pay the cost, or that it is a Full Action and the Round's first action (TC-5).
    #[inline(always)]
    pub(super) fn affords(&self, cost: Cost) -> Result<(), Obstacle> {
        if self.actor.marks >= self.profile.costs.of(cost)
            || (cost == Cost::Full && !self.actor.flags.any(flags::ACTED))
        {
            Ok(())
        } else {
            Err(Obstacle::Marks)
        }
    }

    /// Returns whether an enemy stands within its reach.
    #[inline]
    pub(super) fn in_melee(&self) -> bool {
        self.nearest
            .is_some_and(|(_, distance)| distance <= self.body.reach)
    }
}

impl<C: Chance, O: ClockObserver, const PLAIN: bool> Encounter<'_, C, O, PLAIN> {
    /// Returns the view of `who`.
    #[inline(always)]
    pub(super) fn view(&self, who: usize) -> View<'_> {
        let enemies = self.enemies(who);
        let nearest = self.nearest(who, enemies);
        let body = &self.world().bodies[who];
        View {
            who,
            actor: &body.clock,
            body,
            combatant: &self.plan.fight.combatants[who],
            profile: &self.plan.profiles[who],
            speed: self.speed(who),
            enemies,
            nearest,
        }
    }

    /// Fills in the numbers of a decision.
    #[inline(always)]
    pub(super) fn values(
        &self,
        view: &View<'_>,
        compiled_lines: &CompiledLines,
        values: &mut Values,
    ) {
        compiled_lines::shared(
            self,
            view.who,
            view.enemies,
            view.nearest,
            compiled_lines,
            values,
        );
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

    /// Returns whether a condition holds for `target`. Lines without a target refer to the nearest enemy.
    #[inline]
    pub(super) fn holds(
        &self,
        condition: &Condition,
        view: &View<'_>,
        target: Option<(usize, Units)>,
    ) -> bool {
        let target = target.or(view.nearest);
        condition.holds(|variable| self.value(variable, view, target))
    }

    /// Returns the target of an action that reaches up to `high` Units (W-4).
    #[inline]
    pub(super) fn target(&self, view: &View<'_>, aim: Aim, high: Units) -> Result<u8, Obstacle> {
        let found = if aim == Aim::Nearest {
            view.nearest
                .filter(|(_, distance)| *distance <= high)
                .map(|(foe, _)| foe)
        } else {
            self.select(view.who, aim, 0, high)
        };
        found.map(|foe| foe as u8).ok_or(Obstacle::NoTarget)
    }

    /// Returns the Units of Land Speed left this Round (TC-6).
    #[inline]
    pub(super) fn move_left(&self, who: usize) -> Units {
        self.speed(who) - self.actor(who).moved_units
    }

    /// Returns the current Land Speed.
    #[inline]
    pub(super) fn speed(&self, who: usize) -> Units {
        self.world().bodies[who].speed
    }

    /// Returns the value of a variable; 0 for a missing target.
    #[inline(always)]
    pub(super) fn value(
        &self,
        variable: Variable,
        view: &View<'_>,
        target: Option<(usize, Units)>,
    ) -> i64 {
        let actor = view.actor;
        let of_target = |value: &dyn Fn(usize) -> i64| target.map_or(0, |(foe, _)| value(foe));
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
            Variable::TargetChannelling => of_target(&|foe| self.actor(foe).channelling().into()),
            Variable::TargetReady => of_target(&|foe| is_ready(&self.view(foe)).into()),
            Variable::CanCar => {
                (view.profile.car >= 0 && actor.cars < self.plan.rules.car_per_round).into()
            }
            // The parser rejects variables of other clocks.
            other => self.shared_value(other, view.who, target).unwrap_or(0),
        }
    }
}
