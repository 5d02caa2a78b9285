//! The Initiative Score of Tara-Corax (TC-2, TC-3).

use super::Faces;
use super::distribution::Distribution;
use super::weight::Weight;
use crate::names::named;

/// The number of Marks in a Round of the rule book, and so the highest Score, whatever was rolled (TC-3).
pub const ROUND_MARKS: i64 = 30;

named! {
    /// The effect of a 10 on the initiative die (TC-3).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Explode {
        /// One more d10 is added once.
        #[default]
        Once "once";
        /// One more d10 is added, and another on each further 10.
        Recursive "recursive";
        /// No die is added.
        None "none";
    }
}

impl Explode {
    /// Rolls a die with that many sides, and the dice that its highest face adds. A die with one side adds none, and a
    /// sum of `most` or more adds no further die, so that a script of tens ends (W-7).
    #[inline(always)]
    pub(crate) fn roll<F: Faces + ?Sized>(self, sides: u32, most: i64, faces: &mut F) -> i64 {
        let mut face = faces.face(sides);
        let mut sum = i64::from(face);
        let again = |face: u32| face == sides && sides > 1;
        match self {
            Self::None => {}
            Self::Once => {
                if again(face) {
                    sum += i64::from(faces.face(sides));
                }
            }
            Self::Recursive => {
                while again(face) && sum < most {
                    face = faces.face(sides);
                    sum += i64::from(face);
                }
            }
        }
        sum
    }
}

/// The values that determine a Score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Initiative {
    /// The characteristic: half of the sum of Agility and Intellect, rounded down.
    pub characteristic: i64,
    /// The armour's evade modifier, a penalty written as a positive number.
    pub evade_modifier: i64,
    /// The effect of a 10.
    pub explode: Explode,
    /// The number of Marks in a Round, which is the highest Score.
    pub round_marks: i64,
}

impl Initiative {
    /// Returns the characteristic for these attributes.
    pub const fn characteristic(agility: i64, intellect: i64) -> i64 {
        (agility + intellect).div_euclid(2)
    }

    /// Returns the bonus to the die.
    pub const fn bonus(&self) -> i64 {
        self.characteristic - self.evade_modifier.div_euclid(2)
    }

    /// Rolls a Score. No further die is rolled once the highest Score is reached, so even a recursive explosion ends.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        let most = self.round_marks - self.bonus();
        let sum = self.explode.roll(10, most, faces);
        (self.bonus() + sum).min(self.round_marks)
    }

    /// Returns the exact distribution of the Score. A combatant with a Score below 1 cannot act.
    pub fn distribution(&self) -> Distribution {
        let tenth = Weight::ratio(1, 10);
        let mut terms = Vec::new();
        let (mut score, mut weight, mut dice) = (self.bonus(), Weight::ONE, 0);
        loop {
            weight = weight * tenth;
            dice += 1;
            terms.extend((1..10).map(|face| ((score + face).min(self.round_marks), weight)));
            score += 10;
            let again = match self.explode {
                Explode::None => false,
                Explode::Once => dice == 1,
                Explode::Recursive => score < self.round_marks && !weight.vanishes(),
            };
            if !again {
                terms.push((score.min(self.round_marks), weight));
                return Distribution::collect(&terms);
            }
        }
    }
}

/// The rule that decides between two combatants with the same total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TieBreak {
    /// The first acts first.
    First,
    /// The second acts first.
    Second,
    /// Both act at the same time.
    Simultaneous,
    /// Roll-offs until one is higher.
    RollOff,
}

/// The chances that one of two combatants acts before the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precedence {
    /// The first acts before the second, or alone.
    pub before: f64,
    /// Both act at the same time.
    pub simultaneous: f64,
    /// The second acts before the first, or alone.
    pub after: f64,
    /// Neither acts.
    pub neither: f64,
}

impl Precedence {
    /// Returns the chances for two independent totals. A combatant with less than `least` does not act.
    pub fn of(first: &Distribution, second: &Distribution, least: i64, tie: TieBreak) -> Self {
        let acts = |one: &Distribution| one.part(least, i64::MAX);
        let (mine, theirs) = (acts(first), acts(second));
        let versus = mine.versus(&theirs);
        let (idle, other_idle) = (first.below(least), second.below(least));
        let mut odds = Self {
            before: versus.win + mine.mass().value() * other_idle,
            simultaneous: 0.0,
            after: versus.lose + theirs.mass().value() * idle,
            neither: idle * other_idle,
        };
        match tie {
            TieBreak::First => odds.before += versus.tie,
            TieBreak::Second => odds.after += versus.tie,
            TieBreak::Simultaneous => odds.simultaneous = versus.tie,
            TieBreak::RollOff => {
                odds.before += versus.tie / 2.0;
                odds.after += versus.tie / 2.0;
            }
        }
        odds
    }

    /// Returns the chances over several cases, each with its weight.
    pub fn mixed(cases: impl IntoIterator<Item = (Weight, Self)>) -> Self {
        let mut sums = [Weight::ZERO; 4];
        for (weight, one) in cases {
            let chances = [one.before, one.simultaneous, one.after, one.neither];
            for (sum, chance) in sums.iter_mut().zip(chances) {
                *sum += weight * chance.into();
            }
        }
        let [before, simultaneous, after, neither] = sums.map(Weight::value);
        Self {
            before,
            simultaneous,
            after,
            neither,
        }
    }
}
