//! Attacks with two dice against an evade (TC-22), and desperate shots (TC-11).

use super::Faces;

/// The natural result up to which either die spoils a desperate shot (TC-11).
pub const DESPERATE_MISS: u32 = 5;

/// An attack of two d10s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attack {
    /// Added to the dice.
    pub bonus: i64,
    /// Added too, but not to a desperate shot.
    pub mastery: i64,
    /// Reached or passed, it is a hit.
    pub evade: i64,
}

/// The exact chances of an attack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttackOdds {
    /// It hits.
    pub hit: f64,
    /// A die shows 5 or less, and it misses for that alone.
    pub spoiled: f64,
    /// It misses the evade.
    pub missed: f64,
}

impl Attack {
    /// Whether dice that show this hit.
    #[must_use]
    pub fn hits(&self, desperate: bool, dice: [u32; 2]) -> bool {
        let mastery = if desperate { 0 } else { self.mastery };
        let spoiled = desperate && dice.iter().any(|&die| die <= DESPERATE_MISS);
        let result = self.bonus + mastery + dice.map(i64::from).iter().sum::<i64>();
        !spoiled && result >= self.evade
    }

    /// Throws the dice.
    pub fn roll<F: Faces + ?Sized>(&self, desperate: bool, faces: &mut F) -> bool {
        let dice = [faces.face(10), faces.face(10)];
        self.hits(desperate, dice)
    }

    /// The exact chances: all hundred rolls.
    #[must_use]
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
