//! What a designer may change about initiative on every clock: the dice, and what decides between
//! equal totals.

use super::stage::{Ladder, Stage};
use crate::chance::Purpose;
use crate::dice::{Faces, PlainSum};
use crate::engine::Event;
use crate::fight::MAX_COMBATANTS;
use crate::fight::health::Roll;
use crate::fight::world::{bit, members};

/// What is rolled and added to the rating: `initiative.dice`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dice {
    /// One die, and a number that is added to it.
    Die {
        /// Its sides.
        sides: u32,
        /// The number.
        bonus: i32,
    },
    /// Any other notation.
    Other(Roll),
}

impl Dice {
    /// The die of all four rule books.
    pub const D10: Self = Self::Die {
        sides: 10,
        bonus: 0,
    };

    /// A roll beyond this, in either direction, counts as this.
    pub const MOST: i64 = 10_000;

    /// Rolls them.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i32 {
        match self {
            Self::Die { sides, bonus } => faces.face(*sides) as i32 + bonus,
            Self::Other(roll) => Self::bounded(roll.roll(faces)),
        }
    }

    /// A roll within the bounds.
    #[inline]
    pub(crate) fn bounded(points: i64) -> i32 {
        points.clamp(-Self::MOST, Self::MOST) as i32
    }

    /// The sides of a single die that the encounter cache can tell apart; `None` for other dice, for
    /// which the cache is off.
    #[must_use]
    pub(crate) fn cached_sides(&self) -> Option<u16> {
        match self {
            Self::Die { sides, .. } if *sides <= 50 => Some(*sides as u16),
            _ => None,
        }
    }
}

impl From<Roll> for Dice {
    fn from(roll: Roll) -> Self {
        match roll {
            Roll::Sum(PlainSum {
                count: 1,
                sides,
                bonus,
            }) => Self::Die {
                sides,
                bonus: Self::bounded(bonus),
            },
            other => Self::Other(other),
        }
    }
}

/// What decides between combatants that nothing in the list tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LastResort {
    /// Nothing: they act simultaneously (W-5).
    Simultaneous,
    /// A d10 each, the higher first, again while it is tied.
    RollOff,
}

/// What decides between equal totals: `initiative.ties`, without `total`, which comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ties {
    /// What is compared, in this order, as indices: 0 the rating, 1 and 2 the two traits that it is
    /// made of, in the order in which the rule book names them.
    pub compared: Vec<u8>,
    /// What decides when all of that is equal.
    pub last: LastResort,
}

impl Ties {
    /// Compares these in this order.
    pub(crate) fn new(compared: &[u8], last: LastResort) -> Self {
        Self {
            compared: compared.to_vec(),
            last,
        }
    }

    /// What a combatant with this rating and these two traits is compared by.
    #[must_use]
    pub fn key(&self, values: [i32; 3]) -> [i32; 3] {
        let mut key = [0; 3];
        for (place, index) in key.iter_mut().zip(&self.compared) {
            *place = values[usize::from(*index)];
        }
        key
    }

    /// Orders combatants by what is compared, apart from the totals.
    pub(super) fn ladder(&self, combatants: usize, values: impl Fn(usize) -> [i32; 3]) -> Ladder {
        Ladder::new(combatants, |who| self.key(values(who)))
    }

    /// Whether those who are still tied roll off.
    #[must_use]
    pub fn rolls_off(&self) -> bool {
        self.last == LastResort::RollOff
    }
}

/// Above every [`Ladder::standing`].
pub(super) const LADDER: i64 = 64;

/// What orders a combatant: its total, then its place on the ladder.
#[inline]
pub(super) fn sort_key(total: i32, standing: i32) -> i64 {
    i64::from(total) * LADDER + i64::from(standing)
}

/// Roll-offs after which those who are still tied stand in file order: one in a billion pairs comes
/// so far (W-7).
const MOST_ROLL_OFFS: u32 = 9;

/// The sides of the die of a roll-off, whatever `initiative.dice` says.
const ROLL_OFF_SIDES: u32 = 10;

/// Rolling off, on every clock.
pub(super) trait RollOff<'a>: Stage<'a> {
    /// Those of `among` whose keys are equal roll off until none are, in file order. The order of
    /// keys that are not equal stays as it is.
    fn roll_off(&mut self, keys: &mut [i64; MAX_COMBATANTS], among: u64) {
        for _ in 0..MOST_ROLL_OFFS {
            let tied = tied(keys, among);
            if tied == 0 {
                return;
            }
            for who in members(among) {
                keys[who] *= i64::from(ROLL_OFF_SIDES) + 1;
            }
            for who in members(tied) {
                let face = self.hand(who, Purpose::Initiative).face(ROLL_OFF_SIDES);
                keys[who] += i64::from(face);
                self.note(Event::RollOff { who, face });
            }
        }
    }
}

impl<'a, S: Stage<'a>> RollOff<'a> for S {}

/// Those of `among` who share their key with another of them.
fn tied(keys: &[i64; MAX_COMBATANTS], among: u64) -> u64 {
    let shares = |who: usize| members(among & !bit(who)).any(|other| keys[other] == keys[who]);
    members(among)
        .filter(|who| shares(*who))
        .fold(0, |all, who| all | bit(who))
}

#[cfg(test)]
mod tests {
    use super::{Dice, LastResort, Ties, sort_key};
    use crate::dice::Notation;
    use crate::fight::health::Roll;

    fn dice(text: &str) -> Dice {
        Dice::from(Roll::from(Notation::parse(text).unwrap()))
    }

    #[test]
    fn a_single_die_is_told_from_other_dice() {
        assert_eq!(dice("1d10"), Dice::D10);
        assert_eq!(
            dice("1d6-2"),
            Dice::Die {
                sides: 6,
                bonus: -2
            }
        );
        assert!(matches!(dice("2d6"), Dice::Other(_)));
        assert!(matches!(dice("1d10x"), Dice::Other(_)));
        assert_eq!(dice("2d6").cached_sides(), None);
        assert_eq!(dice("1d20+3").cached_sides(), Some(20));
    }

    #[test]
    fn rolls_are_bounded_both_ways() {
        let high = |sides: u32| sides;
        assert_eq!(dice("1d6-2").roll(&mut { high }), 4);
        assert_eq!(dice("1000*2d6").roll(&mut { high }), 10_000);
        assert_eq!(dice("-1000*2d6").roll(&mut { high }), -10_000);
    }

    #[test]
    fn traits_are_compared_in_the_order_of_the_list() {
        let ties = Ties::new(&[2, 0], LastResort::Simultaneous);
        assert_eq!(ties.key([5, 3, 2]), [2, 5, 0]);
        let none = Ties::new(&[], LastResort::RollOff);
        assert_eq!(none.key([5, 3, 2]), none.key([9, 1, 1]));
        assert!(sort_key(3, 0) > sort_key(2, 63));
        assert!(sort_key(-3, 63) < sort_key(-2, 0));
    }
}
