//! Initiative: the die that explodes (TC-3), and who of two acts first.

use super::Faces;
use super::distribution::Distribution;
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
    pub fn roll<F: Faces + ?Sized>(self, sides: u32, most: i64, faces: &mut F) -> i64 {
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

/// Returns the characteristic of Tara-Corax for these attributes: their average, rounded down (TC-2).
pub const fn characteristic(agility: i64, intellect: i64) -> i64 {
    (agility + intellect).div_euclid(2)
}

/// Returns the chances that the first of two combatants acts before the second, at the same time and after it, and that
/// neither acts. The combatants have independent totals; one with less than `least` does not act. `tie` says how often
/// equal totals mean each of the first three: `[0.5, 0.0, 0.5]` for roll-offs until one is higher.
pub fn precedence(
    first: &Distribution,
    second: &Distribution,
    least: i64,
    tie: [f64; 3],
) -> [f64; 4] {
    let acting = [first, second].map(|totals| totals.part(least, i64::MAX));
    let [first_idle, second_idle] = [first, second].map(|totals| totals.below(least));
    let [higher, equal, lower] = acting[0].versus(&acting[1]);
    [
        higher + acting[0].mass().value() * second_idle + equal * tie[0],
        equal * tie[1],
        lower + acting[1].mass().value() * first_idle + equal * tie[2],
        first_idle * second_idle,
    ]
}
