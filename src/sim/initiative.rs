//! The options of initiative on every clock: the dice, and the tie-breaks.

use crate::chance::Purpose;
use crate::dice::{Faces, PlainSum};
use crate::fight::MAX_COMBATANTS;
use crate::fight::health::Roll;
use crate::fight::system::Clock;
use crate::fight::world::{bit, members};
use crate::names;
use crate::sim::Event;
use crate::sim::prelude::*;

/// The dice that are added to the rating: `initiative.dice`.
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
    /// The tie-breaks in order, as indices: 0 the rating, 1 and 2 its two traits, in the order of the rule
    /// book.
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

    /// Returns the key of a combatant with this rating and these two traits.
    #[must_use]
    pub fn key(&self, values: [i32; 3]) -> [i32; 3] {
        let mut key = [0; 3];
        for (place, index) in key.iter_mut().zip(&self.compared) {
            *place = values[usize::from(*index)];
        }
        key
    }

    /// Orders combatants by the tie-breaks, without the totals.
    pub(crate) fn ladder(&self, combatants: usize, values: impl Fn(usize) -> [i32; 3]) -> Ladder {
        Ladder::new(combatants, |who| self.key(values(who)))
    }

    /// Whether those who are still tied roll off.
    #[must_use]
    pub fn rolls_off(&self) -> bool {
        self.last == LastResort::RollOff
    }
}

impl LastResort {
    /// Its word in a list.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Simultaneous => "simultaneous",
            Self::RollOff => "roll-off",
        }
    }
}

/// What `initiative.ties` may name in one system.
#[derive(Debug)]
pub struct Vocabulary {
    /// The two traits that the rating is made of.
    traits: [&'static str; 2],
    /// How its lists may end; the first is how one ends that does not say it.
    last: &'static [LastResort],
    /// Why it does not have the other way.
    why_not: &'static str,
}

/// A word that a list of ties cannot have where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongTie {
    /// The index of the word.
    pub at: usize,
    /// The problem.
    pub title: String,
    /// The expected value.
    pub label: String,
    /// The way out, if one is known.
    pub help: Option<String>,
}

/// One word of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Total,
    Compared(u8),
    Last(LastResort),
}

impl Vocabulary {
    /// That of the system with this clock.
    #[must_use]
    pub const fn of(clock: Clock) -> &'static Self {
        const EITHER: &[LastResort] = &[LastResort::Simultaneous, LastResort::RollOff];
        match clock {
            Clock::Marks => &Self {
                traits: ["agility", "intellect"],
                last: &[LastResort::Simultaneous],
                why_not: "a tie is one of Marks, not of rolls: expected \"simultaneous\", or nothing",
            },
            Clock::Turns => &Self {
                traits: ["wits", "dexterity"],
                last: EITHER,
                why_not: "",
            },
            Clock::Order => &Self {
                traits: ["dexterity", "composure"],
                last: &[LastResort::RollOff],
                why_not: "the order is strict, nobody acts simultaneously (CD-1): expected \"roll-off\"",
            },
            Clock::Phases => &Self {
                traits: ["intuition", "reflexes"],
                last: EITHER,
                why_not: "",
            },
        }
    }

    /// The names of the tie-breaks, by their index in [`Ties::compared`].
    #[must_use]
    pub fn name(&self, index: u8) -> &'static str {
        match index {
            0 => "rating",
            1 => self.traits[0],
            _ => self.traits[1],
        }
    }

    /// An example of a list.
    #[must_use]
    pub fn example(&self) -> String {
        format!(
            "written like `ties = [\"total\", \"rating\", \"{}\"]`",
            self.traits[0]
        )
    }

    fn words(&self) -> impl Iterator<Item = (&'static str, Word)> + '_ {
        let compared = (0..3).map(|index| (self.name(index), Word::Compared(index)));
        let last = self
            .last
            .iter()
            .map(|last| (last.name(), Word::Last(*last)));
        std::iter::once(("total", Word::Total))
            .chain(compared)
            .chain(last)
    }

    /// Reads a list that is not empty.
    ///
    /// # Errors
    /// If a word is unknown, stands there twice, or stands in a place where it says nothing.
    pub fn read(&self, words: &[&str]) -> Result<Ties, WrongTie> {
        let mut ties = Ties::new(&[], self.last[0]);
        let mut seen: Vec<Word> = Vec::new();
        for (at, name) in words.iter().enumerate() {
            let wrong = |title: String, label: &str, help: Option<String>| WrongTie {
                at,
                title,
                label: label.to_owned(),
                help,
            };
            let Some((_, word)) = self.words().find(|(known, _)| known == name) else {
                let shown: String = name.chars().take(64).collect();
                let title = format!("`ties` cannot be \"{shown}\"");
                let ends = [LastResort::Simultaneous, LastResort::RollOff];
                if ends.iter().any(|end| end.name() == *name) {
                    let title = format!("{title} in this system");
                    return Err(wrong(title, self.why_not, None));
                }
                let known: Vec<String> = self
                    .words()
                    .map(|(known, _)| format!("\"{known}\""))
                    .collect();
                let label = format!("expected one of {}", known.join(", "));
                let nearest = names::nearest(name, self.words().map(|(known, _)| known));
                let help = nearest.map(|nearest| format!("did you mean \"{nearest}\"?"));
                return Err(wrong(title, &label, help));
            };
            let title = format!("`ties` cannot have \"{name}\" here");
            if seen.contains(&word) {
                return Err(wrong(title, "it is in the list already", None));
            }
            if let Some(Word::Last(end)) = seen.last() {
                let label = format!("nothing is tied any more after \"{}\"", end.name());
                return Err(wrong(title, &label, None));
            }
            if word == Word::Total && at > 0 {
                return Err(wrong(title, "the total comes before everything else", None));
            }
            match word {
                Word::Total => {}
                Word::Compared(index) => ties.compared.push(index),
                Word::Last(last) => ties.last = last,
            }
            seen.push(word);
        }
        Ok(ties)
    }
}

/// Orders combatants by a key, the highest first: the place of each, who stands at each place, and
/// for each place the places of all whom the key does not tell from it. Equals are neighbours, in
/// file order.
pub(crate) struct Ladder {
    pub rank: Vec<u8>,
    pub by_rank: Vec<u8>,
    pub peers: Vec<u64>,
}

impl Ladder {
    pub(crate) fn new<K: Ord>(combatants: usize, key: impl Fn(usize) -> K) -> Self {
        let mut order: Vec<usize> = (0..combatants).collect();
        order.sort_by_key(|who| std::cmp::Reverse(key(*who)));
        let mut rank = vec![0; combatants];
        let mut peers = vec![0; combatants];
        for (place, who) in order.iter().enumerate() {
            rank[*who] = place as u8;
            for (other_place, other) in order.iter().enumerate() {
                if key(*who) == key(*other) {
                    peers[place] |= bit(other_place);
                }
            }
        }
        Self {
            rank,
            by_rank: order.into_iter().map(|who| who as u8).collect(),
            peers,
        }
    }

    /// How high a combatant stands, 0 to 63; those whom the key does not tell apart stand equally high.
    pub(crate) fn standing(&self, who: usize) -> i32 {
        63 - self.peers[usize::from(self.rank[who])].trailing_zeros() as i32
    }
}

/// Above every [`Ladder::standing`].
pub(crate) const LADDER: i64 = 64;

/// What orders a combatant: its total, then its place on the ladder.
#[inline]
pub(crate) fn sort_key(total: i32, standing: i32) -> i64 {
    i64::from(total) * LADDER + i64::from(standing)
}

/// Roll-offs after which those who are still tied stand in file order: one in a billion pairs comes
/// so far (W-7).
const MOST_ROLL_OFFS: u32 = 9;

/// The sides of the die of a roll-off, whatever `initiative.dice` says.
const ROLL_OFF_SIDES: u32 = 10;

/// Rolling off, on every clock.
pub(crate) trait RollOff<'a>: Stage<'a> {
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
