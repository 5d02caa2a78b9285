//! The options of initiative in every system: the dice, and the tie-breaks.

use super::health::Roll;
use super::sum::{Modifier, Sum};
use crate::dice::Faces;
use crate::names::{self, Named as _, named};

/// The greatest Speed in the rule books.
pub const MOST_SPEED: u8 = 4;

/// The bound of a roll for initiative in either direction.
pub const MOST_ROLL: i64 = 10_000;

/// Rolls the dice that are added to the rating: `initiative.dice`.
#[inline(always)]
pub(crate) fn roll<F: Faces + ?Sized>(dice: &Roll, faces: &mut F) -> i32 {
    dice.roll(faces).clamp(-MOST_ROLL, MOST_ROLL) as i32
}

/// Returns the sum of a roll with a rating.
#[cold]
pub(crate) fn sum(dice: &Roll, rating: i32) -> Sum {
    Sum::new(rating.into()).with(Modifier::InitiativeDice, dice.added())
}

named! {
    /// What decides between combatants that all tie-breaks of the list leave tied.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum LastResort {
        /// Nothing: they act simultaneously (W-5).
        Simultaneous "simultaneous";
        /// A d10 each, the higher first, again while it is tied.
        RollOff "roll-off";
    }
}

/// What decides between equal totals: `initiative.ties`, without `total`, which comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ties {
    /// The tie-breaks in order, as indices: 0 the rating, 1 and 2 its two traits, in the order of the rule
    /// book.
    pub compared: Vec<u8>,
    /// What decides if all of these are equal.
    pub last: LastResort,
}

impl Ties {
    /// Compares these values in this order.
    pub(crate) fn new(compared: &[u8], last: LastResort) -> Self {
        Self {
            compared: compared.to_vec(),
            last,
        }
    }

    /// Returns the key of a combatant with this rating and these two traits.
    pub fn key(&self, values: [i32; 3]) -> [i32; 3] {
        let mut key = [0; 3];
        for (place, index) in key.iter_mut().zip(&self.compared) {
            *place = values[usize::from(*index)];
        }
        key
    }

    /// Whether combatants that are still tied roll off.
    pub fn rolls_off(&self) -> bool {
        self.last == LastResort::RollOff
    }
}

/// The words that `initiative.ties` may use in one system.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary {
    /// The two traits that the rating is made of.
    pub traits: [&'static str; 2],
    /// How its lists may end; the first is the default.
    pub last: &'static [LastResort],
    /// Why the system does not have the other way.
    pub why_not: &'static str,
}

/// A word that a list of ties cannot have at its place.
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
    /// The name of a tie-break, by its index in [`Ties::compared`].
    pub fn name(&self, index: u8) -> &'static str {
        match index {
            0 => "rating",
            1 => self.traits[0],
            _ => self.traits[1],
        }
    }

    /// An example of a list.
    pub fn example(&self) -> String {
        format!(
            "written like `ties = [\"total\", \"rating\", \"{}\"]`",
            self.traits[0]
        )
    }

    /// Returns the words that a list may have.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.words().map(|(name, _)| name).collect()
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
    /// If a word is unknown, repeated, or at a place where it has no effect.
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
                if LastResort::named(name).is_some() {
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

#[cfg(test)]
mod tests {
    use super::{LastResort, Ties, roll};
    use crate::dice::Notation;
    use crate::fight::health::Roll;

    fn rolled(text: &str, face: impl Fn(u32) -> u32) -> i32 {
        let dice = Roll::from(Notation::parse(text).unwrap());
        roll(&dice, &mut { face })
    }

    #[test]
    fn rolls_are_bounded_both_ways() {
        let high = |sides: u32| sides;
        assert_eq!(rolled("1d6-2", high), 4);
        assert_eq!(rolled("1000*2d6", high), 10_000);
        assert_eq!(rolled("-1000*2d6", high), -10_000);
    }

    #[test]
    fn traits_are_compared_in_the_order_of_the_list() {
        let ties = Ties::new(&[2, 0], LastResort::Simultaneous);
        assert_eq!(ties.key([5, 3, 2]), [2, 5, 0]);
        let none = Ties::new(&[], LastResort::RollOff);
        assert_eq!(none.key([5, 3, 2]), none.key([9, 1, 1]));
    }
}
