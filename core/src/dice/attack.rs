//! Attacks against an evade (TC-22): desperate shots (TC-11), critical hits and fumbles (W-9).

use super::{Distribution, Notation, Weight};
use crate::names::named;

/// The natural result at or below which either die spoils a desperate shot (TC-11).
pub const DESPERATE_MISS: u32 = 5;

/// Returns the exact chances that two d10s and a bonus hit an evade, that they miss because a die shows at most `spoils`,
/// and that they miss because the total falls short.
pub fn shot(bonus: i64, evade: i64, spoils: i64) -> [f64; 3] {
    let mut counts = [0; 3];
    for first in 1..=10 {
        for second in 1..=10 {
            let is_spoiled = first.min(second) <= spoils;
            counts[match bonus + first + second {
                _ if is_spoiled => 1,
                total if total >= evade => 0,
                _ => 2,
            }] += 1;
        }
    }
    counts.map(|count| f64::from(count) / 100.0)
}

named! {
    /// The damage of a critical hit (W-9).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CriticalDamage {
        /// All dice twice, and the number added to them once.
        DoubleDice "double dice";
        /// Twice the damage.
        Double "double";
        /// The damage of every other hit.
        Usual "usual";
    }
}

/// An attack of any dice, with its damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollOver {
    /// The dice of the attack.
    pub dice: Notation,
    /// The number added to the dice of the attack.
    pub bonus: i64,
    /// The total that hits if it is reached or passed.
    pub evade: i64,
    /// The least natural total of a critical hit, and its damage.
    pub critical: Option<(i64, CriticalDamage)>,
    /// The greatest natural total of a fumble.
    pub fumble: Option<i64>,
    /// The dice of the damage.
    pub damage: Notation,
    /// The number subtracted from the damage.
    pub armor: i64,
}

impl RollOver {
    /// Returns the exact chances that the attack hits (critically or not), that it hits critically and that it fumbles,
    /// and its damage, 0 where it misses.
    pub fn odds(&self) -> ([f64; 3], Distribution) {
        let [mut fumble, mut miss, mut hit, mut critical] = [Weight::ZERO; 4];
        let added = self.dice.added();
        for (total, weight) in self.dice.distribution().weights() {
            let natural = total - added;
            let outcome = if self.fumble.is_some_and(|most| natural <= most) {
                &mut fumble
            } else if self.critical.is_some_and(|(least, _)| natural >= least) {
                &mut critical
            } else if total + self.bonus >= self.evade {
                &mut hit
            } else {
                &mut miss
            };
            *outcome += weight;
        }
        let once = self.damage.distribution();
        let beyond = match self.critical {
            Some((_, CriticalDamage::DoubleDice)) if critical.value() > 0.0 => {
                once.plus(&once).shifted(-self.damage.added())
            }
            Some((_, CriticalDamage::Double)) => once.map(|damage| 2 * damage),
            _ => once.clone(),
        };
        let part = |weight: Weight, damage: &Distribution| {
            Distribution::collect(&[(0, weight)])
                .plus(&damage.map(|damage| (damage - self.armor).max(0)))
        };
        let nothing = Distribution::collect(&[(0, fumble + miss)]);
        let damage = nothing
            .with(&part(hit, &once))
            .with(&part(critical, &beyond));
        let chances = [hit + critical, critical, fumble].map(Weight::value);
        (chances, damage)
    }
}
