//! A hit: its changes to the damage, and the rolls of the damage (W-9, TC-22, MD-3).

use crate::fight::check::{CriticalDamage, Dice, HitEffect, Outcome};
use crate::fight::health::{Damage, DamageRoll, done};
use crate::sim::Observer;
use crate::sim::prelude::*;

/// A hit, or a failed attempt that does damage all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Hit {
    /// Its changes to the damage.
    pub force: Force,
    /// Whether its check has failed.
    pub fails: bool,
    /// What a check in words has found.
    pub words: Outcome,
}

/// The changes of a hit to the damage of its weapon; small enough for two registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Force {
    /// Points or dice that further successes add to the damage.
    pub extra: i32,
    /// Points or dice that conditions add to it.
    pub conditions: i32,
    /// What facts and the result of its check add.
    pub facts: i32,
    /// The effect of the hit on the damage.
    pub effect: HitEffect,
}

impl Hit {
    /// The hit of a successful attempt; without one, a hit that changes nothing.
    #[inline]
    pub(crate) fn of(attempt: Option<Attempt>) -> Self {
        attempt.map_or(Self::default(), |attempt| Self {
            force: Force::of(&attempt),
            words: attempt.words,
            fails: false,
        })
    }

    /// The hit of the further effects of an attack: its damage is its own.
    pub(crate) fn of_effects(attempt: Attempt) -> Self {
        Self {
            force: Force::default(),
            fails: !attempt.works,
            ..Self::of(Some(attempt))
        }
    }
}

impl Force {
    /// What a successful attempt changes.
    #[inline]
    pub(crate) const fn of(attempt: &Attempt) -> Self {
        Self {
            extra: attempt.extra_damage as i32,
            conditions: 0,
            facts: 0,
            effect: attempt.effect,
        }
    }

    /// Returns the sum of damage with a roll of `whole`, before armour.
    #[cold]
    pub(crate) fn sum(self, damage: &Damage, whole: i64) -> Sum {
        let change = self.effect.of(whole) - whole;
        let effect = if self.effect == HitEffect::Halved {
            Modifier::Halved
        } else {
            Modifier::Critical
        };
        let sum = Sum::new(damage.added()).with(effect, change);
        match damage.amount {
            DamageRoll::Roll(_) => sum
                .with(Modifier::Successes, self.extra.into())
                .with(Modifier::Facts, self.facts.into())
                .with(Modifier::Conditions, self.conditions.into()),
            // They have added dice.
            DamageRoll::Pool(_) => sum,
        }
    }
}

/// Rolls the damage that the hit of `who` does to `target`, without the changes of a fight under way.
pub fn roll_damage<C: Chance>(
    (who, attempt): (usize, Attempt),
    damage: &Damage,
    (target, victim): (usize, &Combatant),
    chance: &mut C,
) -> i32 {
    let force = Force::of(&attempt);
    let [_, rolled] = roll_hit(who, damage, force, chance, &mut Silent);
    let armor = match force.effect {
        HitEffect::IgnoresArmor => 0,
        _ => victim.armor,
    };
    let soaked = roll_soak(victim.soak.as_ref(), target, chance, &mut Silent);
    done(victim.takes(damage, rolled - armor - soaked))
}

/// Rolls the damage of a hit before armour. Returns the whole roll, and what counts of it by the
/// [effect](HitEffect::of) of the hit.
#[inline(always)]
pub(super) fn roll_hit<C: Chance, O: Observer>(
    who: usize,
    damage: &Damage,
    force: Force,
    chance: &mut C,
    observer: &mut O,
) -> [i64; 2] {
    let extra = i64::from(force.extra + force.conditions) + i64::from(force.facts);
    if !matches!(force.effect, HitEffect::Usual) {
        return roll_unusual((who, damage, extra), force.effect, chance, observer);
    }
    let whole = damage.roll(who, extra, chance, |chance| {
        Roller::new(chance, observer, who, Purpose::Damage)
    });
    [whole; 2]
}

/// Rolls the damage of a hit with an effect on it: of a critical hit perhaps all dice twice (W-9).
#[inline(never)]
fn roll_unusual<C: Chance, O: Observer>(
    (who, damage, extra): (usize, &Damage, i64),
    effect: HitEffect,
    chance: &mut C,
    observer: &mut O,
) -> [i64; 2] {
    let mut roll = |extra| {
        damage.roll(who, extra, &mut *chance, |chance| {
            Roller::new(chance, &mut *observer, who, Purpose::Damage)
        })
    };
    let whole = match effect {
        HitEffect::Critical(CriticalDamage::DoubleDice) => roll(extra) + roll(0) - damage.added(),
        _ => roll(extra),
    };
    [whole, effect.of(whole)]
}

/// Rolls the damage that a combatant soaks; 0 if it does not soak.
#[inline(always)]
pub(super) fn roll_soak<C: Chance, O: Observer>(
    soak: Option<&Dice>,
    who: usize,
    chance: &mut C,
    observer: &mut O,
) -> i64 {
    let Some(soak) = soak else { return 0 };
    soak.successes(0, who, Purpose::Other, chance, |chance| {
        Roller::new(chance, observer, who, Purpose::Other)
    })
}
