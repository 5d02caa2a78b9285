//! What one who decides sees: itself, its enemies, whom an action could be about (W-4), and the
//! values of the variables that a condition asks for.

use super::legal::is_ready;
use super::state::Actor;
use super::state::Flags;
use super::{Encounter, Profile, is_single};
use crate::chance::Chance;
use crate::engine::Observer;
use crate::engine::events::Obstacle;
use crate::fight::world::{Body, bit, members};
use crate::fight::{Combatant, Cost, Units};
use crate::policy::{Aim, Condition, Variable};

/// What one who decides sees: looked up once a decision, not once a line.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub who: usize,
    pub actor: &'a Actor,
    pub body: &'a Body<Actor>,
    pub combatant: &'a Combatant,
    pub profile: &'a Profile,
    /// Enemies that stand.
    pub enemies: u64,
    /// The nearest of them and how far it is.
    pub nearest: Option<(usize, Units)>,
}

impl View<'_> {
    /// Units of Land Speed left this Round (TC-6).
    #[inline]
    pub(super) fn move_left(&self) -> Units {
        self.profile.speed - self.actor.moved_units
    }

    /// TC-5: the cost is at most the Marks left, or it is a Full Action and the Round's first.
    #[inline(always)]
    pub(super) fn affords(&self, cost: Cost) -> Result<(), Obstacle> {
        if self.actor.marks >= cost.marks()
            || (cost == Cost::Full && !self.actor.flags.any(Flags::ACTED))
        {
            Ok(())
        } else {
            Err(Obstacle::Marks)
        }
    }

    /// Whether an enemy stands within one's own reach.
    #[inline]
    pub(super) fn in_melee(&self) -> bool {
        self.nearest
            .is_some_and(|(_, distance)| distance <= self.body.reach)
    }
}

impl<C: Chance, O: Observer> Encounter<'_, C, O> {
    /// What `who` sees.
    #[inline(always)]
    pub(super) fn view(&self, who: usize) -> View<'_> {
        let enemies = self.enemies(who);
        let nearest = if enemies == 0 {
            None
        } else if is_single(enemies) {
            let foe = enemies.trailing_zeros() as usize;
            Some((foe, self.world().distance(who, foe)))
        } else {
            members(enemies)
                .map(|foe| (foe, self.world().distance(who, foe)))
                .min_by_key(|(_, distance)| *distance)
        };
        let body = &self.world().bodies[who];
        View {
            who,
            actor: &body.clock,
            body,
            combatant: &self.plan.fight.combatants[who],
            profile: &self.plan.profiles[who],
            enemies,
            nearest,
        }
    }

    /// Whether a condition holds, with `target` for what it says of the target. Lines that are not
    /// about anybody speak of the nearest enemy.
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

    /// The target of an action that reaches up to `high` Units (W-4).
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

    /// The target of an action that reaches from `low` to `high` Units (W-4).
    pub(super) fn select(&self, who: usize, aim: Aim, low: Units, high: Units) -> Option<usize> {
        let enemies = self.enemies(who);
        let pool = match aim {
            // A fallen named target becomes the nearest.
            Aim::Named(named) if named & enemies != 0 => named & enemies,
            _ => enemies,
        };
        let mut best: Option<(Units, usize)> = None;
        for foe in members(pool) {
            let distance = self.world().distance(who, foe);
            if distance < low || distance > high {
                continue;
            }
            let key = match aim {
                Aim::Nearest | Aim::Named(_) => distance,
                Aim::Weakest => self.world().bodies[foe].health,
                Aim::Strongest => -self.world().bodies[foe].health,
                Aim::Casting if self.actor(foe).spell.is_some() => 0,
                Aim::Casting => continue,
            };
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, foe));
            }
        }
        best.map(|(_, foe)| foe)
    }

    /// Units of Land Speed left this Round (TC-6).
    #[inline]
    pub(super) fn move_left(&self, who: usize) -> Units {
        self.plan.profiles[who].speed - self.actor(who).moved_units
    }

    /// The value of a variable. What is asked of a target that is not there is 0.
    #[inline(always)]
    pub(super) fn value(
        &self,
        variable: Variable,
        view: &View<'_>,
        target: Option<(usize, Units)>,
    ) -> i64 {
        let View {
            who, actor, body, ..
        } = *view;
        let distance = target.map_or(0, |(_, distance)| distance);
        let target = target.map(|(foe, _)| foe);
        let of_target = |value: &dyn Fn(usize) -> i64| target.map_or(0, value);
        match variable {
            Variable::Distance => distance.into(),
            Variable::Mark => self.state.mark.into(),
            Variable::Marks => actor.marks.into(),
            Variable::Score => actor.score.into(),
            Variable::Round => self.state.round.into(),
            Variable::Hp => body.health.into(),
            Variable::MaxHp => self.most_health(who),
            Variable::HpPercent => self.health_percent(who),
            Variable::TargetHp => target.map_or(0, |foe| self.world().bodies[foe].health.into()),
            Variable::TargetMaxHp => of_target(&|foe| self.most_health(foe)),
            Variable::TargetHpPercent => of_target(&|foe| self.health_percent(foe)),
            Variable::MoveLeft => view.move_left().into(),
            Variable::Moved => actor.flags.any(Flags::MOVED).into(),
            Variable::Acted => actor.flags.any(Flags::ACTED.and(Flags::MOVED)).into(),
            Variable::Attacked => (actor.attack_actions > 0).into(),
            Variable::Ready => is_ready(view).into(),
            Variable::InMelee => view.in_melee().into(),
            Variable::Threatened => members(view.enemies)
                .any(|foe| self.world().distance(who, foe) <= self.world().bodies[foe].reach)
                .into(),
            Variable::Casting => actor.spell.is_some().into(),
            Variable::Channelling => actor.channelling().into(),
            Variable::TargetCasting => of_target(&|foe| self.actor(foe).spell.is_some().into()),
            Variable::TargetChannelling => of_target(&|foe| self.actor(foe).channelling().into()),
            Variable::TargetReady => of_target(&|foe| is_ready(&self.view(foe)).into()),
            Variable::TargetInReach => (target.is_some() && distance <= body.reach).into(),
            Variable::Allies => {
                let side = self.plan.sides[view.combatant.side];
                (side & self.world().standing & !bit(who))
                    .count_ones()
                    .into()
            }
            Variable::Enemies => view.enemies.count_ones().into(),
            Variable::Prone => body.prone.into(),
            Variable::TargetProne => of_target(&|foe| self.world().bodies[foe].prone.into()),
            Variable::CanCar => {
                (view.profile.car >= 0 && actor.cars < self.plan.rules.car_per_round).into()
            }
            Variable::Uses(item) => body.uses[usize::from(item)].into(),
            Variable::InHand(weapon) => (body.in_hand >> weapon & 1).into(),
        }
    }

    fn most_health(&self, who: usize) -> i64 {
        self.plan.fight.combatants[who].health.into()
    }

    fn health_percent(&self, who: usize) -> i64 {
        i64::from(self.world().bodies[who].health) * 100 / self.most_health(who)
    }
}
