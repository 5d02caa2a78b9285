//! Dice scripts: written answers to random questions, in order, for each combatant and purpose.
//!
//! [`Script`] holds the answers. [`Replay`] plays an encounter by them, such as a worked example of a rule book, die by
//! die. Dice that a script does not list come from the seed.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::{Chance, Purpose, Streams};
use crate::dice::{PoolDraw, PoolTable, TotalTable};

/// One written answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The face of a die.
    Face(u32),
    /// Whether a chance event happens.
    Happens(bool),
}

/// The reason why a script has no answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The script has no list for the combatant and purpose.
    NoList,
    /// All answers of the list have been used.
    RunOut,
    /// The next answer does not fit the question: a face that the die does not have, a face where the question is a
    /// chance, or the reverse.
    Unfit(Answer),
}

/// A question that a script could not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unanswered {
    /// The combatant that rolls, by file order.
    pub who: usize,
    /// The purpose of the roll.
    pub purpose: Purpose,
    /// The index of the missing or unfit answer in its list.
    pub index: usize,
    /// The sides of the die that is rolled; `None` for a chance event.
    pub sides: Option<u32>,
    /// The reason why the script has no answer.
    pub fault: Fault,
}

#[derive(Debug, Clone, Default)]
struct List {
    answers: Vec<Answer>,
    used: usize,
}

/// Answers for each combatant and purpose, used from the front.
#[derive(Debug, Clone, Default)]
pub struct Script {
    lists: BTreeMap<(usize, Purpose), List>,
}

impl Script {
    /// Appends answers to the list of `who` (by file order) for `purpose`.
    pub fn extend(
        &mut self,
        who: usize,
        purpose: Purpose,
        answers: impl IntoIterator<Item = Answer>,
    ) {
        let list = self.lists.entry((who, purpose)).or_default();
        list.answers.extend(answers);
    }

    /// Returns whether there is a list for that combatant and purpose, even an empty one.
    pub fn has(&self, who: usize, purpose: Purpose) -> bool {
        self.lists.contains_key(&(who, purpose))
    }

    /// Returns the lists with unused answers: combatant, purpose, and the numbers of used and of unused answers.
    pub fn left_over(&self) -> impl Iterator<Item = (usize, Purpose, usize, usize)> + '_ {
        self.lists
            .iter()
            .map(|((who, purpose), list)| (*who, *purpose, list.used, list.answers.len()))
            .filter(|(_, _, used, all)| used < all)
            .map(|(who, purpose, used, all)| (who, purpose, used, all - used))
    }

    /// Uses up the next answer of a list and returns what `read` makes of it, unless it does not fit the question.
    fn take<T>(
        &mut self,
        who: usize,
        purpose: Purpose,
        sides: Option<u32>,
        read: impl FnOnce(Answer) -> Option<T>,
    ) -> Result<T, Unanswered> {
        let unanswered = |index, fault| Unanswered {
            who,
            purpose,
            index,
            sides,
            fault,
        };
        let Some(list) = self.lists.get_mut(&(who, purpose)) else {
            return Err(unanswered(0, Fault::NoList));
        };
        let index = list.used;
        let Some(&answer) = list.answers.get(index) else {
            return Err(unanswered(index, Fault::RunOut));
        };
        list.used += 1;
        read(answer).ok_or_else(|| unanswered(index, Fault::Unfit(answer)))
    }

    /// Uses up the next answer as the face of a die and returns it.
    ///
    /// # Errors
    /// If there is no answer, or the die has no such face.
    pub fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> Result<u32, Unanswered> {
        self.take(who, purpose, Some(sides), |answer| match answer {
            Answer::Face(face) if (1..=sides).contains(&face) => Some(face),
            // The 00 of a d100 is its highest face; a percentile test reads that as 0.
            Answer::Face(0) if sides == 100 => Some(100),
            _ => None,
        })
    }

    /// Uses up the next answer as an answer to a chance and returns it.
    ///
    /// # Errors
    /// If there is no answer, or it is a face.
    pub fn happens(&mut self, who: usize, purpose: Purpose) -> Result<bool, Unanswered> {
        self.take(who, purpose, None, |answer| match answer {
            Answer::Happens(happens) => Some(happens),
            Answer::Face(_) => None,
        })
    }
}

/// The dice of one encounter: answers of a script, and streams of the seed for lists that the script
/// does not have. Pools and sums with a list are rolled die by die, never drawn from a table.
///
/// A question without an answer does not stop the encounter: `unanswered` keeps the first, and from
/// then on every die comes from the streams.
#[derive(Debug)]
pub struct Replay<'a> {
    script: &'a mut Script,
    streams: Streams,
    /// Whether a list that the script lacks is a fault. Otherwise the streams answer for it.
    only: bool,
    unanswered: &'a Cell<Option<Unanswered>>,
}

impl<'a> Replay<'a> {
    /// Creates dice that read `script` and otherwise `streams`; with `only`, a list that the script lacks is a fault.
    pub const fn new(
        script: &'a mut Script,
        streams: Streams,
        only: bool,
        unanswered: &'a Cell<Option<Unanswered>>,
    ) -> Self {
        Self {
            script,
            streams,
            only,
            unanswered,
        }
    }

    /// Returns whether the script answers for that combatant and purpose.
    fn is_scripted(&self, who: usize, purpose: Purpose) -> bool {
        self.unanswered.get().is_none() && (self.only || self.script.has(who, purpose))
    }

    /// Returns the answer of the script; `None` if another source answers, or for a fault, which is recorded.
    fn scripted<T>(
        &mut self,
        who: usize,
        purpose: Purpose,
        answer: impl FnOnce(&mut Script) -> Result<T, Unanswered>,
    ) -> Option<T> {
        if !self.is_scripted(who, purpose) {
            return None;
        }
        answer(self.script)
            .map_err(|unanswered| self.unanswered.set(Some(unanswered)))
            .ok()
    }
}

impl Chance for Replay<'_> {
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        self.scripted(who, purpose, |script| script.face(who, purpose, sides))
            .unwrap_or_else(|| self.streams.face(who, purpose, sides))
    }

    fn happens(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool {
        self.scripted(who, purpose, |script| script.happens(who, purpose))
            .unwrap_or_else(|| self.streams.happens(who, purpose, chance))
    }

    fn pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        if self.is_scripted(who, purpose) {
            return None;
        }
        self.streams.pool(who, purpose, table)
    }

    fn total(&mut self, who: usize, purpose: Purpose, table: &TotalTable) -> Option<i64> {
        if self.is_scripted(who, purpose) {
            return None;
        }
        self.streams.total(who, purpose, table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Purpose::{Check, Damage, Other};

    fn script() -> Script {
        let mut script = Script::default();
        let faces = [3, 0, 100, 7].map(Answer::Face);
        script.extend(0, Check, faces);
        script.extend(1, Other, [Answer::Happens(true), Answer::Face(1)]);
        script
    }

    /// Asks a replay of the script and fresh streams of the same seed; returns the first unanswered question.
    fn played(only: bool, ask: impl FnOnce(&mut Replay<'_>, &mut Streams)) -> Option<Unanswered> {
        let streams = || Streams::new(5, ["a", "b"]);
        let (mut script, unanswered) = (script(), Cell::new(None));
        ask(
            &mut Replay::new(&mut script, streams(), only, &unanswered),
            &mut streams(),
        );
        unanswered.get()
    }

    #[test]
    fn lists_that_are_written_are_read_and_all_others_come_from_the_seed() {
        let unanswered = played(false, |dice, streams| {
            for _ in 0..9 {
                assert_eq!(dice.face(0, Damage, 20), streams.face(0, Damage, 20));
            }
            assert_eq!(dice.face(0, Check, 6), 3);
            assert!(dice.happens(1, Other, 0));
            assert!(!dice.happens(0, Other, 0));
            assert_eq!(dice.face(1, Check, 20), streams.face(1, Check, 20));
        });
        assert_eq!(unanswered, None);
    }

    #[test]
    fn a_0_on_a_d100_is_00() {
        let unanswered = played(true, |dice, _| {
            dice.face(0, Check, 10);
            assert_eq!(dice.face(0, Check, 100), 100);
            assert_eq!(dice.face(0, Check, 100), 100);
            dice.face(0, Check, 6);
        });
        let fault = Fault::Unfit(Answer::Face(7));
        assert_eq!(unanswered.map(|it| (it.index, it.fault)), Some((3, fault)));
    }

    #[test]
    fn the_first_question_without_an_answer_is_kept_and_the_streams_go_on() {
        let unanswered = played(true, |dice, streams| {
            assert_eq!(dice.face(1, Damage, 8), streams.face(1, Damage, 8));
            assert_eq!(dice.face(0, Check, 6), streams.face(0, Check, 6));
        });
        assert_eq!(
            unanswered,
            Some(Unanswered {
                who: 1,
                purpose: Damage,
                index: 0,
                sides: Some(8),
                fault: Fault::NoList,
            })
        );
    }

    #[test]
    fn a_face_does_not_answer_a_chance_and_a_list_runs_out() {
        let unanswered = played(false, |dice, _| {
            dice.happens(1, Other, 0);
            dice.happens(1, Other, 0);
        });
        let fault = Fault::Unfit(Answer::Face(1));
        assert_eq!(unanswered.map(|it| (it.index, it.fault)), Some((1, fault)));
        let mut script = script();
        for _ in 0..2 {
            let _ = script.happens(1, Other);
        }
        let left: Vec<_> = script.left_over().collect();
        assert_eq!(left, [(0, Check, 0, 4)]);
        let run_out = script.face(1, Other, 6).map_err(|it| (it.index, it.fault));
        assert_eq!(run_out, Err((2, Fault::RunOut)));
    }
}
