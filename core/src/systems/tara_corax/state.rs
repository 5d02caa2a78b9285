//! The state of an encounter: plain data.

use super::instant::Beat;
use super::repeat::Repeat;
use super::rules::MOST_MARKS;
use crate::fight::world::{World, members};
use crate::fight::{Fight, MAX_COMBATANTS, Marks, Units};
use crate::sim::damage::PutOff;
use crate::sim::events::AttackKind;
use crate::sim::flags::set_of_flags;
use serde::{Deserialize, Serialize, Serializer};

/// The state of an encounter on this clock.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// Positions, health and items.
    pub(super) world: World<Actor>,
    /// The Round under way, from 1; 0 before the first.
    pub round: u32,
    /// Marks in a Round; always the same.
    pub(super) round_marks: Marks,
    /// The current Mark.
    pub mark: Marks,
    pub(super) agenda: Agenda,
    /// The tied combatants, and their pending damage to one another (W-5).
    #[serde(skip)]
    pub(super) put_off: PutOff,
}

impl State {
    pub(super) fn new(fight: &Fight, round_marks: Marks) -> Self {
        Self {
            world: World::new(fight),
            round: 0,
            round_marks,
            mark: 0,
            agenda: Agenda::default(),
            put_off: PutOff::new(fight.combatants.len()),
        }
    }

    /// Returns the Marks since the beginning of the encounter.
    #[inline]
    pub(super) fn elapsed(&self) -> u32 {
        self.round * self.round_marks as u32 - self.mark as u32
    }

    /// Copies another state into the existing buffers.
    pub(super) fn reset_to(&mut self, other: &Self) {
        self.world.reset_to(&other.world);
        self.round = other.round;
        self.round_marks = other.round_marks;
        self.mark = other.mark;
        self.agenda = other.agenda;
        self.put_off.reset_to(&other.put_off);
    }
}

/// The state of one combatant on this clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Actor {
    /// This Round's Initiative Score, after carry-over and delay.
    pub score: Marks,
    /// This Round's Initiative Roll, kept until all delays are announced (TC-4).
    pub roll: Marks,
    /// Marks left to spend.
    pub marks: Marks,
    /// Marks to be taken off the next Score (TC-5, TC-12).
    pub debt: Marks,
    /// The Mark of its next own event; -1 if it has none this Round.
    pub wake: Marks,
    pub doing: Doing,
    pub spell: Option<Underway>,
    /// Units of Land Speed used this Round.
    pub moved_units: Units,
    pub attack_actions: u8,
    pub cars: u8,
    pub charges: u8,
    pub counters: u8,
    /// Free actions taken at this instant (W-7).
    pub free_actions: u8,
    pub flags: Flags,
    /// Used only while tied combatants act.
    #[serde(skip)]
    pub beat: Beat,
    #[serde(skip)]
    pub repeat: Repeat,
}

impl Default for Actor {
    /// Returns the state at the start: Set (TC-10), except for Combat Casting (TC-14: see `Plan::new`).
    #[inline]
    fn default() -> Self {
        Self {
            score: 0,
            roll: 0,
            marks: 0,
            debt: 0,
            wake: -1,
            doing: Doing::Nothing,
            spell: None,
            moved_units: 0,
            attack_actions: 0,
            cars: 0,
            charges: 0,
            counters: 0,
            free_actions: 0,
            flags: Flags::NONE,
            beat: Beat::default(),
            repeat: Repeat::default(),
        }
    }
}

impl Actor {
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

/// The deeds of a combatant that the rules refer to, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Flags(pub u16);

impl Flags {
    pub(super) const NONE: Self = Self(0);
    /// Moved this Round, by any means.
    pub(super) const MOVED: Self = Self(1);
    /// Moved, or took an action that is not free, this Round: no Full-Action exception (TC-5).
    pub(super) const ACTED: Self = Self(1 << 1);
    /// Did anything at all this Round, reactions included: no Channel (TC-15).
    pub(super) const STIRRED: Self = Self(1 << 2);
    /// Did something this Round that spoils a full volley (TC-10).
    pub(super) const UNSETTLED: Self = Self(1 << 3);
    /// Moved into melee this Round: a single attack (TC-9).
    pub(super) const ENTERED: Self = Self(1 << 4);
    /// Moved since it was last Set for melee, this Round (TC-9).
    pub(super) const MELEE_UNSET: Self = Self(1 << 5);
    /// Un-set for shooting (TC-10).
    pub(super) const SHOT_UNSET: Self = Self(1 << 6);
    /// Un-set for Combat Casting (TC-14).
    pub(super) const SKILL_UNSET: Self = Self(1 << 7);
    /// Moved since the last ranged attack: the next is single and without mastery (TC-11).
    pub(super) const SPOILED: Self = Self(1 << 8);
    /// Broke a Channel this Round (TC-15).
    pub(super) const BROKEN: Self = Self(1 << 9);
    /// Has used all attack actions of this Round (TC-8).
    pub(super) const SPENT: Self = Self(1 << 10);
    /// Its turn has come, in a fight in which conditions last until turns (W-11).
    pub(super) const BEGUN: Self = Self(1 << 11);
    /// The flags that a Set clears.
    pub(super) const UNSET: Self = Self::MELEE_UNSET
        .and(Self::SHOT_UNSET)
        .and(Self::SKILL_UNSET);
}

set_of_flags!(Flags);

/// The action of a combatant until its next event. Its kind is a byte of its own, because it is read at every moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub(super) enum Doing {
    /// Done for this Round, or not begun.
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
    pub target: u8,
    /// Index of the policy line among the decisions, for its aim.
    pub line: u16,
    pub advance: bool,
    /// The distance at which to stop.
    pub stop: Units,
    /// The Units still committed to, including that of the next step.
    pub left: u16,
    /// The Land Speed that the step under way takes.
    pub toll: Units,
    /// Whether the step costs its Mark but is not made, because a CAR move came between.
    pub cut_short: bool,
}

/// An attack action under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Volley {
    pub target: u8,
    /// Index of the policy line among the decisions, for its aim.
    pub line: u16,
    pub weapon: u8,
    /// The attack that is due, from 0.
    pub next: u8,
    /// The number of attacks in all.
    pub attacks: u8,
    /// The number of attacks of a full set now, which determines their Marks.
    pub set: u8,
    /// The Mark of the first attack.
    pub begun: i8,
    /// Whether mastery counts.
    pub mastery: bool,
    pub desperate: bool,
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
    pub spell: u8,
    pub target: u8,
    /// Index of the policy line among the decisions, for its aim.
    pub line: u16,
    /// The Mark at which it goes off.
    pub mark: Marks,
    /// The number of Rounds until then.
    pub rounds: u32,
    /// Whether Combat Casting may still be used (TC-14).
    pub may_move: bool,
}

/// The combatants due at each Mark of the Round: a set of places in the order of TC-20.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(from = "Vec<(Marks, u64)>")]
pub(super) struct Agenda {
    /// The set of each Mark.
    pub who: [u64; MOST_MARKS as usize + 1],
    /// The Marks whose set is not empty.
    pub marks: u64,
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
