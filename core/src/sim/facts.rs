//! Variables that mean the same in every system.

use crate::fight::world::Body;
use crate::sim::prelude::*;

/// Looks up shared variables.
pub(crate) trait Facts<'a>: Stage<'a> {
    /// Returns the value of a variable with the same meaning on every clock, 0 for a missing target; `None` for
    /// a variable of one clock.
    #[inline(always)]
    fn shared_value(&self, variable: Variable, who: usize, target: Target) -> Option<i64> {
        let body: &Body<Self::Actor> = self.body(who);
        let distance = target.map_or(0, |(_, distance)| distance);
        let of_target = |value: &dyn Fn(usize) -> i64| target.map_or(0, |(foe, _)| value(foe));
        // The ally that a line is about, or else the weakest.
        let of_ally = |value: &dyn Fn(usize) -> i64| {
            let side = |who: usize| self.combatant(who).side;
            target
                .map(|(meant, _)| meant)
                .filter(|meant| *meant != who && side(*meant) == side(who))
                .or_else(|| self.world().weakest(self.allies(who)))
                .map_or(0, value)
        };
        let has = |who: usize, condition: u8| {
            let affliction = self.world().affliction(who);
            affliction.is_some_and(|all| all.has(condition)).into()
        };
        let in_reach = |distance: Units| i64::from(distance <= body.reach);
        Some(match variable {
            Variable::Distance => distance.into(),
            Variable::Round => self.moment().round.into(),
            Variable::Hp => self.world().health(who).into(),
            Variable::MaxHp => self.most_health(who).into(),
            Variable::HpPercent => self.health_percent(who),
            Variable::TargetHp => target.map_or(0, |(foe, _)| self.world().health(foe).into()),
            Variable::TargetMaxHp => of_target(&|foe| self.most_health(foe).into()),
            Variable::TargetHpPercent => of_target(&|foe| self.health_percent(foe)),
            Variable::InMelee => self
                .nearest(who, self.enemies(who))
                .map_or(0, |(_, distance)| in_reach(distance)),
            Variable::Threatened => members(self.enemies(who))
                .any(|foe| self.world().distance(who, foe) <= self.body(foe).reach)
                .into(),
            Variable::TargetCasting => of_target(&|foe| self.is_casting(foe).into()),
            Variable::Casting => self.is_casting(who).into(),
            Variable::TargetInReach => target.map_or(0, |(_, distance)| in_reach(distance)),
            Variable::Allies => self.allies(who).count_ones().into(),
            Variable::Enemies => self.enemies(who).count_ones().into(),
            Variable::NearestEnemyDistance => self
                .nearest(who, self.enemies(who))
                .map_or(0, |(_, distance)| distance.into()),
            Variable::EnemiesWithin(units) => {
                let near = self.world().within(who, self.enemies(who), units as Units);
                near.count_ones().into()
            }
            Variable::AlliesWithin(units) => {
                let near = self.world().within(who, self.allies(who), units as Units);
                near.count_ones().into()
            }
            Variable::AllyHp => of_ally(&|ally| self.world().health(ally).into()),
            Variable::AllyHpPercent => of_ally(&|ally| self.health_percent(ally)),
            Variable::AllyDistance => of_ally(&|ally| self.world().distance(who, ally).into()),
            Variable::Has(condition) => has(who, condition),
            Variable::TargetHas(condition) => of_target(&|foe| has(foe, condition)),
            Variable::Prone => body.prone.into(),
            Variable::TargetProne => of_target(&|foe| self.body(foe).prone.into()),
            Variable::Uses(item) => body.uses[usize::from(item)].into(),
            Variable::InHand(weapon) => (body.in_hand >> weapon & 1).into(),
            // Rules without a Set never need one.
            Variable::Ready => 1,
            Variable::TargetReady => of_target(&|_| 1),
            _ => return None,
        })
    }

    /// Health in per cent of the most health, rounded down.
    #[inline]
    fn health_percent(&self, who: usize) -> i64 {
        i64::from(self.world().health(who)) * 100 / i64::from(self.most_health(who))
    }
}

impl<'a, S: Stage<'a> + ?Sized> Facts<'a> for S {}
