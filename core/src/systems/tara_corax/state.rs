//! The state of an encounter: plain data.

use super::instant::Beat;
use super::repeat::Repeat;
use super::rules::MOST_MARKS;
use crate::sim::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

/// What this clock adds to the state of an encounter.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct MarkState {
    /// The current Mark.
    pub(super) mark: Marks,
    pub(super) agenda: Agenda,
}

/// The state of one combatant on this clock.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct MarkActor {
    /// This Round's Initiative Score, after carry-over and delay.
    pub(super) score: Marks,
    /// This Round's Initiative Roll, kept until all delays are announced (TC-4).
    pub(super) roll: Marks,
    /// Marks left to spend.
    pub(super) marks: Marks,
    /// Marks to be taken off the next Score (TC-5, TC-12).
    pub(super) debt: Marks,
    /// The Mark of its next own event; -1 if it has none this Round.
    pub(super) wake: Marks,
    pub(super) doing: Doing,
    pub(super) spell: Option<Underway>,
    /// Units of Land Speed used this Round.
    pub(super) moved_units: Units,
    pub(super) attack_actions: u8,
    pub(super) cars: u8,
    pub(super) charges: u8,
    pub(super) counters: u8,
    /// Free actions taken at this instant (W-7).
    pub(super) free_actions: u8,
    pub(super) flags: Flags,
    /// Used only while tied combatants act.
    #[serde(skip)]
    pub(super) beat: Beat,
    #[serde(skip)]
    pub(super) repeat: Repeat,
}

impl MarkActor {
    /// Clears the deeds of a Round, except for the `lasting` flags.
    #[inline]
    pub(super) fn refresh(&mut self, lasting: Flags) {
        let Self {
            score,
            roll,
            marks,
            debt: _,
            wake,
            doing,
            spell: _,
            moved_units,
            attack_actions,
            cars,
            charges,
            counters,
            free_actions,
            flags,
            // Empty between two moments.
            beat: _,
            repeat,
        } = self;
        [*score, *roll, *marks, *moved_units] = [0; 4];
        *wake = -1;
        *doing = Doing::Nothing;
        [*attack_actions, *cars, *charges, *counters, *free_actions] = [0; 5];
        *flags = flags.among(lasting);
        repeat.stop();
    }

    /// Ends the combatant's own actions of this Round. It may still react to others.
    #[inline]
    pub(super) fn stop(&mut self) {
        self.doing = Doing::Nothing;
        self.wake = -1;
    }

    /// Records a deed that is not free. It resets the count of free actions at this instant (W-7).
    #[inline]
    pub(super) fn did(&mut self, deed: Flags) {
        self.flags.add(deed);
        self.free_actions = 0;
    }

    #[inline]
    pub(super) fn channelling(&self) -> bool {
        matches!(self.doing, Doing::Channelling { .. })
    }
}

/// The action of a combatant until its next event. Its kind is a byte of its own, because it is read at every moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[repr(u8)]
pub(super) enum Doing {
    /// Done for this Round, or not begun.
    #[default]
    Nothing,
    /// Free to decide when it wakes.
    Deciding,
    /// Due to make a step.
    Moving(Move),
    /// Due to make an attack.
    Attacking(Volley),
    /// Channelling (TC-15).
    Channelling {
        /// Index into its spells.
        spell: u8,
        target: u8,
        /// Index of the policy line among the decisions, for its aim and its condition.
        line: u16,
        /// The Mark at which it began.
        since: Marks,
        /// The Marks left at its beginning.
        left: Marks,
    },
}

/// A move under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Move {
    pub(super) target: u8,
    /// Index of the policy line among the decisions, for its aim.
    pub(super) line: u16,
    pub(super) advance: bool,
    /// The distance at which to stop.
    pub(super) stop: Units,
    /// The Units still committed to, including that of the next step.
    pub(super) left: u16,
    /// The Land Speed that the step under way takes.
    pub(super) toll: Units,
    /// Whether the step costs its Mark but is not made, because a CAR move came between.
    pub(super) cut_short: bool,
}

impl Move {
    /// Returns a move of a line whose first step is not begun.
    pub(super) const fn new(target: u8, line: u16, advance: bool, stop: Units, left: u16) -> Self {
        Self {
            target,
            line,
            advance,
            stop,
            left,
            toll: 1,
            cut_short: false,
        }
    }
}

/// An attack action under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Volley {
    pub(super) target: u8,
    /// Index of the policy line among the decisions, for its aim.
    pub(super) line: u16,
    pub(super) weapon: u8,
    /// The attack that is due, from 0.
    pub(super) next: u8,
    /// The number of attacks in all.
    pub(super) attacks: u8,
    /// The number of attacks of a full set now, which determines their Marks.
    pub(super) set: u8,
    /// The Mark of the first attack.
    pub(super) begun: i8,
    /// Whether mastery counts.
    pub(super) mastery: bool,
    pub(super) desperate: bool,
}

impl Volley {
    /// Returns the kind of its attacks.
    pub(super) const fn kind(&self) -> AttackKind {
        if self.desperate {
            AttackKind::Desperate
        } else {
            AttackKind::Attack
        }
    }
}

/// A spell under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Underway {
    pub(super) spell: u8,
    pub(super) target: u8,
    /// Index of the policy line among the decisions, for its aim.
    pub(super) line: u16,
    /// The Mark at which it goes off.
    pub(super) mark: Marks,
    /// The number of Rounds until then.
    pub(super) rounds: u32,
    /// Whether Combat Casting may still be used (TC-14).
    pub(super) may_move: bool,
}

/// The combatants due at each Mark of the Round: a set of places in the order of TC-20.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(from = "Vec<(Marks, u64)>")]
pub(super) struct Agenda {
    /// The set of each Mark.
    pub(super) who: [u64; MOST_MARKS as usize + 1],
    /// The Marks whose set is not empty.
    pub(super) marks: u64,
}

impl Default for Agenda {
    fn default() -> Self {
        Self {
            who: [0; MOST_MARKS as usize + 1],
            marks: 0,
        }
    }
}

impl Serialize for Agenda {
    /// Writes the Marks whose set is not empty, each with its set.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let marks = members(self.marks);
        serializer.collect_seq(marks.map(|mark| (mark as Marks, self.who[mark])))
    }
}

impl From<Vec<(Marks, u64)>> for Agenda {
    fn from(entries: Vec<(Marks, u64)>) -> Self {
        let mut agenda = Self::default();
        for (mark, who) in entries {
            agenda.who[mark as usize] = who;
            agenda.marks |= 1 << mark;
        }
        agenda
    }
}

impl Agenda {
    #[inline]
    pub(super) fn add(&mut self, place: u8, mark: Marks) {
        self.who[mark as usize] |= 1 << place;
        self.marks |= 1 << mark;
    }

    /// Returns the highest Mark at which a combatant is due.
    #[inline]
    pub(super) fn next_mark(&self) -> Option<Marks> {
        self.marks.checked_ilog2().map(|mark| mark as Marks)
    }

    /// Removes and returns the combatants first in order at `mark`: the first one and all of its `peers` (by place).
    #[inline]
    pub(super) fn take(&mut self, mark: Marks, peers: &[u64; MAX_COMBATANTS]) -> u64 {
        let set = &mut self.who[mark as usize];
        let group = *set & peers[set.trailing_zeros() as usize % MAX_COMBATANTS];
        *set &= !group;
        if *set == 0 {
            self.marks &= !(1 << mark);
        }
        group
    }
}
