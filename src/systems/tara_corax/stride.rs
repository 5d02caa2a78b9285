//! Several Units at once, where the result is the same.
//!
//! A combatant that walks one Unit at a time is asked again at every Mark, and mostly answers the
//! same. Against a single enemy, with nothing else due meanwhile, the answer can be worked out
//! beforehand: a line stays refused, or taken, until the distance or the Marks pass a threshold that
//! the line itself names. `first_stride` finds the nearest such threshold, and the Units up
//! to it are walked in one go. An observer wants to see every Unit, so where one listens nothing is
//! shortened; tests hold the two against each other.

use super::Encounter;
use super::choose::{Choice, What};
use super::legal::set_serves;
use super::order::{Act, Gate, Order};
use super::state::{Flags, Move};
use super::view::View;
use crate::chance::Chance;
use crate::fight::Variable;
use crate::fight::program::Aim;
use crate::fight::program::{Comparison, Next, Quantity};
use crate::fight::world::{bit, members};
use crate::fight::{Cost, Units, WeaponKind};
use crate::sim::Observer;
use crate::sim::prelude::*;
use crate::sim::stage::is_single;

/// What walking cannot mend.
const FOR_LONG: Flags = Flags::SHOT_UNSET.and(Flags::SKILL_UNSET);

/// For as long as the Round lasts.
const ALWAYS: Units = Units::MAX;

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// Units that `who` can make as one, now that it takes `choice`; at least 1.
    #[inline]
    pub(super) fn first_stride(&self, who: usize, choice: Choice, step: &Move) -> Units {
        let room = self.undisturbed(who, step);
        if room < 2 {
            return 1;
        }
        if step.left > 1 {
            return room.min(Units::from(step.left));
        }
        let What::Move { advance, .. } = choice.what else {
            return 1;
        };
        let view = self.view(who);
        let orders = &self.plan.orders[who];
        let taken = usize::from(choice.line);
        // A sum may decrease with each Unit.
        if matches!(orders[taken].act, Act::Other) {
            return 1;
        }
        let mut stride = room.min(self.gate_lasts(taken, &orders[taken], &view, advance).1);
        for (index, order) in orders[..taken].iter().enumerate() {
            if stride < 2 {
                return 1;
            }
            stride = stride.min(self.refusal_lasts(index, order, &view, advance));
        }
        stride.max(1)
    }

    /// Units of a move under way that can be made as one; at least 1.
    #[inline]
    pub(super) fn next_stride(&self, who: usize, step: &Move) -> Units {
        if step.left == 1 {
            return 1;
        }
        self.undisturbed(who, step)
            .min(Units::from(step.left))
            .max(1)
    }

    /// Whether a combatant tied with `who` is casting or channelling. It is asked at each Mark, and while
    /// the tied have their slots at a Mark the agenda does not show the next one yet.
    fn a_peer_watches(&self, who: usize) -> bool {
        let place = usize::from(self.plan.rank[who]);
        members(self.plan.peers[place] & !bit(place)).any(|peer| {
            let actor = self.actor(usize::from(self.plan.by_rank[peer]));
            actor.channelling() || actor.spell.is_some()
        })
    }

    /// Units that can be made before anything else happens and before the move itself would end.
    #[inline]
    fn undisturbed(&self, who: usize, step: &Move) -> Units {
        // Mostly another combatant is due soon: checked first, because it is cheap.
        let next = self.state.agenda.next_mark().unwrap_or(-1);
        let quiet = self.state.mark - 1 - next;
        if quiet < 2 {
            return 1;
        }
        let enemies = self.enemies(who);
        if O::LISTENS
            || self.plan.anyone_intercepts
            || self.plan.anytime.who != 0
            || !self.plan.fight.ends.is_empty()
            || !is_single(enemies)
            || self.state.put_off.together != 0
            || self.is_simple()
            || self.a_peer_watches(who)
        {
            return 1;
        }
        let target = usize::from(step.target);
        let distance = self.world().distance(who, target);
        let room = if step.advance {
            distance - step.stop
        } else {
            let here = self.world().position(who);
            let away = self.retreat_step(who, target).unwrap_or(here) - here;
            let wall = match self.plan.fight.arena {
                Some(arena) if away > 0 => arena.max - here,
                Some(arena) => here - arena.min,
                None => ALWAYS,
            };
            wall.min(step.stop - distance)
        };
        quiet
            .min(room)
            .min(self.actor(who).marks)
            .min(self.move_left(who))
    }

    /// For how many Units a line that is refused now stays refused.
    #[inline]
    fn refusal_lasts(&self, index: usize, order: &Order, view: &View<'_>, advance: bool) -> Units {
        let (passes, lasts) = self.gate_lasts(index, order, view, advance);
        if !passes {
            return lasts;
        }
        let distance = view.nearest.map_or(0, |(_, distance)| distance);
        let until = |reach: Units| if advance { distance - reach } else { ALWAYS };
        match order.act {
            // Marks only go down and attack actions are only used up while one walks; what needs a
            // Set goes on to need it.
            Act::Attack { arm, desperate, .. } => {
                if self.may_attack(view).is_err() {
                    ALWAYS
                } else if desperate || order.aim == Aim::Casting {
                    1
                } else if distance > arm.range {
                    until(arm.range)
                } else if arm.kind == WeaponKind::Thrown {
                    1
                } else {
                    ALWAYS
                }
            }
            Act::Set => {
                let useful = view.profile.would_set(view.body.in_hand);
                if view.affords(Cost::Quarter).is_err() {
                    ALWAYS
                } else if useful.any(FOR_LONG) {
                    1
                } else if useful.any(Flags::MELEE_UNSET) {
                    // Within one's own reach the first Unit makes a Set useful.
                    if distance <= view.body.reach {
                        1
                    } else {
                        until(view.body.reach)
                    }
                } else {
                    ALWAYS
                }
            }
            Act::Move { .. } | Act::Other => 1,
        }
    }

    /// Whether the condition of a line holds, and for how many Units that stays so.
    #[inline]
    fn gate_lasts(
        &self,
        index: usize,
        order: &Order,
        view: &View<'_>,
        advance: bool,
    ) -> (bool, Units) {
        match order.gate {
            Gate::Open => (true, ALWAYS),
            Gate::One {
                variable,
                comparison,
                constant,
                ..
            } => {
                let value = self.value(variable, view, view.nearest);
                let lasts = lasts(variable, comparison, value, constant, view, advance);
                (comparison.holds(value, constant), lasts)
            }
            Gate::Two(_) | Gate::Full => {
                let tests = view.combatant.policy.decisions[index].condition.tests();
                let mut all = ALWAYS;
                let mut at = 0;
                loop {
                    let test = &tests[at];
                    let Quantity::Variable(variable) = test.quantity else {
                        return (false, 1);
                    };
                    let value = self.value(variable, view, view.nearest);
                    let (comparison, constant) = (test.comparison, test.constant);
                    all = all.min(lasts(variable, comparison, value, constant, view, advance));
                    let holds = comparison.holds(value, constant);
                    match if holds { test.then } else { test.otherwise } {
                        Next::Accept => return (true, all),
                        Next::Reject => return (false, all),
                        Next::Test(next) => at = usize::from(next),
                    }
                }
            }
        }
    }
}

/// For how many Units the nearest enemy stays within a distance, or outside it.
#[inline]
fn until_within(view: &View<'_>, radius: Units, advance: bool) -> Units {
    let distance = view.nearest.map_or(0, |(_, distance)| distance);
    match (distance <= radius, advance) {
        (false, true) => distance - radius,
        (true, false) => radius - distance + 1,
        _ => ALWAYS,
    }
}

/// For how many Units a comparison keeps its outcome.
#[inline]
fn lasts(
    variable: Variable,
    comparison: Comparison,
    value: i64,
    constant: i64,
    view: &View<'_>,
    advance: bool,
) -> Units {
    let change = match variable {
        Variable::Distance | Variable::NearestEnemyDistance => {
            if advance {
                -1
            } else {
                1
            }
        }
        Variable::Mark | Variable::Marks | Variable::MoveLeft => -1,
        // Once true these stay true while one walks.
        Variable::Moved | Variable::Acted if value == 1 => return ALWAYS,
        // Walking makes no combatant ready to shoot or to cast.
        Variable::Ready if value == 0 && set_serves(view).any(FOR_LONG) => return ALWAYS,
        Variable::InMelee | Variable::TargetInReach => {
            return until_within(view, view.body.reach, advance);
        }
        // There is a single enemy: it comes within that distance, or leaves it.
        Variable::EnemiesWithin(units) => {
            return until_within(view, units as Units, advance);
        }
        // Changed only by other combatants, or by deeds other than walking.
        Variable::Score
        | Variable::Round
        | Variable::Hp
        | Variable::MaxHp
        | Variable::HpPercent
        | Variable::TargetHp
        | Variable::TargetMaxHp
        | Variable::TargetHpPercent
        | Variable::Attacked
        | Variable::Casting
        | Variable::Channelling
        | Variable::TargetCasting
        | Variable::TargetChannelling
        | Variable::Allies
        | Variable::Enemies
        | Variable::Prone
        | Variable::TargetProne
        | Variable::CanCar
        | Variable::Uses(_)
        | Variable::InHand(_) => return ALWAYS,
        Variable::Moved
        | Variable::Acted
        | Variable::Ready
        | Variable::Threatened
        | Variable::TargetReady
        | Variable::AlliesWithin(_)
        // Variables of other clocks: no policy here has them.
        | Variable::Initiative
        | Variable::Yards
        | Variable::FreeYards
        | Variable::Actions
        | Variable::Wounds
        | Variable::TargetWounds
        | Variable::Injured
        | Variable::TargetInjured
        | Variable::Endurance
        | Variable::Collapsed
        | Variable::Gathered
        | Variable::Paradox
        | Variable::Willpower
        | Variable::Phase
        | Variable::Speed
        | Variable::Moxie
        | Variable::QuickActions
        | Variable::Delaying
        | Variable::Interrupting
        | Variable::EnemyAttacks
        | Variable::UnderAttack
        | Variable::EnemyActs
        | Variable::EnemyQuick
        | Variable::EnemyMoves
        | Variable::Progress(_)
        | Variable::Place
        | Variable::TurnsLeft
        | Variable::EnemiesLeft
        | Variable::EnemyActed
        | Variable::Delayed
        | Variable::Interrupted
        | Variable::TargetActed
        | Variable::TargetReadied
        | Variable::Defence
        | Variable::TargetDefence
        | Variable::Ongoing
        | Variable::TargetOngoing => return 1,
    };
    // Equality is rare enough to be asked again at every Unit.
    let threshold = match comparison {
        Comparison::Less | Comparison::AtLeast => constant,
        Comparison::AtMost | Comparison::Greater => constant + 1,
        Comparison::Equal | Comparison::NotEqual => return 1,
    };
    // The outcome is that of `value < threshold`.
    let units = match (value < threshold, change) {
        (true, 1) => threshold - value,
        (false, -1) => value - threshold + 1,
        _ => return ALWAYS,
    };
    Units::try_from(units).unwrap_or(ALWAYS)
}
