//! Sums: the numbers of which a roll is made, each with its reason, for observers.

use crate::names::named;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

named! {
    /// The reason why a number is added to the first one of a [`Sum`], or taken off it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Modifier {
        /// The mastery of the weapon.
        Mastery "mastery";
        /// What facts add, such as traits of the scenario's own.
        Facts "traits";
        /// What earlier attacks of the same turn take off.
        Repeated "earlier attacks";
        /// Points that are added once the roll is known.
        Later "after the roll";
        /// The number that the dice of initiative have themselves.
        InitiativeDice "initiative.dice";
        /// What further successes add to the damage (MD-3).
        Successes "successes";
        /// What a critical hit adds to the damage (W-9).
        Critical "critical";
        /// What the distance from the centre takes off the damage (W-11).
        Falloff "falloff";
        /// The half that is lost: of a skill (EP-9), or of an effect (MD-3, W-11).
        Halved "halved";
        /// What conditions change.
        Conditions "conditions";
        /// What wounds take off.
        Wounds "wounds";
        /// What all yards take off.
        Yards "yards";
        /// What yards beyond the free half take off (MA-5).
        YardsBeyondHalf "yards beyond the free half";
        /// What the target's Defence takes off (CD-6).
        Defence "Defence";
        /// The dice of the other parts of a divided pool (MA-3).
        Divided "divided";
        /// What armour takes off.
        Armour "armour";
        /// What the dice of soak take off.
        Soaked "soaked";
        /// What the target's resistance to the kind of damage changes (W-16).
        Resistance "resistance";
        /// What exceeds the points of health that the thresholds of the target take (W-18).
        Thresholds "thresholds";
        /// What exceeds the most that counts: Marks of a Round, or full health.
        Limit "limit";
        /// Marks that the last Round has left to pay (TC-12).
        CarriedOver "carried over";
    }
}

/// The numbers that are added to the dice of a roll or, where a skill or a pool is changed, of which it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sum {
    // Small numbers keep events small; greater ones come up in no game.
    bonus: i32,
    modifiers: [i32; Modifier::ALL.len()],
    /// Above 0 if the better of two rolls counts, below 0 if the worse does.
    pub advantage: i8,
}

impl Sum {
    /// The sum of nothing. A derived `default` calls that of the array, which is not inlined.
    pub const NONE: Self = Self {
        bonus: 0,
        modifiers: [0; Modifier::ALL.len()],
        advantage: 0,
    };

    /// Returns the sum of a bonus, a rating, a skill or a pool alone.
    pub fn new(bonus: i64) -> Self {
        Self {
            bonus: small(bonus),
            ..Self::NONE
        }
    }

    /// Returns the sum with further points.
    #[must_use]
    pub fn with(mut self, modifier: Modifier, points: i64) -> Self {
        let sum = self.of(modifier).saturating_add(points);
        self.modifiers[modifier as usize] = small(sum);
        self
    }

    /// Returns the bonus, the rating, the skill or the pool.
    pub fn bonus(&self) -> i64 {
        self.bonus.into()
    }

    /// Returns the points of a modifier: below 0 if it takes them off.
    pub fn of(&self, modifier: Modifier) -> i64 {
        self.modifiers[modifier as usize].into()
    }

    /// Returns the modifiers that change something, with their points.
    pub fn modifiers(&self) -> impl Iterator<Item = (Modifier, i64)> {
        let all = Modifier::ALL.iter().zip(self.modifiers);
        all.filter(|(_, points)| *points != 0)
            .map(|((_, modifier), points)| (*modifier, points.into()))
    }

    /// Its total, without dice.
    pub fn total(&self) -> i64 {
        let modifiers = self.modifiers.iter().map(|points| i64::from(*points));
        self.bonus() + modifiers.sum::<i64>()
    }
}

/// Limits a number to 32 bits.
pub fn small(points: i64) -> i32 {
    points.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

impl Serialize for Sum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("bonus", &self.bonus)?;
        for (modifier, points) in self.modifiers() {
            map.serialize_entry(&modifier, &points)?;
        }
        if self.advantage != 0 {
            map.serialize_entry("advantage", &self.advantage)?;
        }
        map.end()
    }
}
