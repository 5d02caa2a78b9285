//! Attacks against an evade (TC-22): desperate shots (TC-11), critical hits and fumbles (W-9).

use super::{Distribution, Faces, Notation, Weight};
use crate::names::named;

/// The natural result at or below which either die spoils a desperate shot (TC-11).
pub const DESPERATE_MISS: u32 = 5;

/// An attack of two d10s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attack {
    /// The number added to the dice.
    pub bonus: i64,
    /// Another number added to the dice, except in a desperate shot.
    pub mastery: i64,
    /// The total that hits if it is reached or passed.
    pub evade: i64,
}

/// The exact chances of an attack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttackOdds {
    /// The chance that the attack hits.
    pub hit: f64,
    /// The chance that a die shows 5 or less, which alone makes the attack miss.
    pub spoiled: f64,
    /// The chance that the total misses the evade.
    pub missed: f64,
}

impl Attack {
    /// Returns whether dice that show these faces hit.
    pub fn hits(&self, desperate: bool, dice: [u32; 2]) -> bool {
        let mastery = if desperate { 0 } else { self.mastery };
        let spoiled = desperate && dice.iter().any(|&die| die <= DESPERATE_MISS);
        let result = self.bonus + mastery + dice.map(i64::from).iter().sum::<i64>();
        !spoiled && result >= self.evade
    }

    /// Rolls the dice and returns whether they hit.
    pub fn roll<F: Faces + ?Sized>(&self, desperate: bool, faces: &mut F) -> bool {
        let dice = [faces.face(10), faces.face(10)];
        self.hits(desperate, dice)
    }

    /// Returns the exact chances, from all hundred rolls.
    pub fn odds(&self, desperate: bool) -> AttackOdds {
        let (mut hit, mut spoiled) = (0, 0);
        for first in 1..=10 {
            for second in 1..=10 {
                let dice = [first, second];
                hit += u32::from(self.hits(desperate, dice));
                spoiled += u32::from(desperate && first.min(second) <= DESPERATE_MISS);
            }
        }
        let share = |count: u32| f64::from(count) / 100.0;
        AttackOdds {
            hit: share(hit),
            spoiled: share(spoiled),
            missed: share(100 - hit - spoiled),
        }
    }
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

/// The outcome of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The attack misses, whatever its total.
    Fumble,
    /// The attack misses.
    Miss,
    /// The attack hits.
    Hit,
    /// The attack hits critically, whatever its total.
    Critical(CriticalDamage),
}

/// The exact chances of a [`RollOver`] attack.
#[derive(Debug, Clone, PartialEq)]
pub struct RollOverOdds {
    /// The chance that the attack fumbles.
    pub fumble: f64,
    /// The chance that the attack hits, critically or not.
    pub hit: f64,
    /// The chance that the attack hits critically.
    pub critical: f64,
    /// The damage, 0 where the attack misses.
    pub damage: Distribution,
}

impl RollOver {
    /// Returns the outcome of dice with the total `natural`, without added numbers.
    pub fn outcome(&self, natural: i64) -> Outcome {
        let critical = self.critical.filter(|(least, _)| natural >= *least);
        if self.fumble.is_some_and(|most| natural <= most) {
            Outcome::Fumble
        } else if let Some((_, damage)) = critical {
            Outcome::Critical(damage)
        } else if natural + self.dice.added() + self.bonus >= self.evade {
            Outcome::Hit
        } else {
            Outcome::Miss
        }
    }

    /// Rolls the attack and its damage. Returns the damage.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        let outcome = self.outcome(self.dice.roll(faces) - self.dice.added());
        let damage = match outcome {
            Outcome::Fumble | Outcome::Miss => return 0,
            Outcome::Hit | Outcome::Critical(CriticalDamage::Usual) => self.damage.roll(faces),
            Outcome::Critical(CriticalDamage::Double) => 2 * self.damage.roll(faces),
            Outcome::Critical(CriticalDamage::DoubleDice) => {
                self.damage.roll(faces) + self.damage.roll(faces) - self.damage.added()
            }
        };
        (damage - self.armor).max(0)
    }

    /// Returns the exact chances.
    pub fn odds(&self) -> RollOverOdds {
        let [mut fumble, mut miss, mut hit, mut critical] = [Weight::ZERO; 4];
        let added = self.dice.added();
        for (total, weight) in self.dice.distribution().weights() {
            match self.outcome(total - added) {
                Outcome::Fumble => fumble += weight,
                Outcome::Miss => miss += weight,
                Outcome::Hit => hit += weight,
                Outcome::Critical(_) => critical += weight,
            }
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
        RollOverOdds {
            fumble: fumble.value(),
            hit: (hit + critical).value(),
            critical: critical.value(),
            damage: nothing
                .with(&part(hit, &once))
                .with(&part(critical, &beyond)),
        }
    }
}
