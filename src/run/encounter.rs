//! One encounter: the clock, sampled luck and the record brought together.

use super::memo::{self, Board, Memo};
use super::runner::Play;
use crate::chance::{Chance, Streams};
use crate::fight::Fight;
use crate::sim::Clock;
use crate::sim::Record;
use crate::sim::{Observer, Silent};
use crate::systems::{Plan, Rules, State};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Encounters that a thread plays by the clock alone before it begins a memo. Building
/// it costs time: a sweep, which plays few encounters of many fights, is faster without.
const BEFORE_MEMO: u32 = 2_000;

/// Plays the encounters of one fight under one seed. Encounter *i* depends on the seed and on *i*
/// alone.
#[derive(Debug, Clone)]
pub struct Player {
    plan: Plan,
    seed: u64,
    /// Most bytes that a thread's memos hold together; `None` for no memo.
    memo_bytes: Option<usize>,
    /// Fights that share these bytes, at least.
    fights: usize,
    /// Encounters that a thread plays without.
    before_memo: u32,
    idle: Idle,
}

/// What threads have left behind: who plays on where another has stopped, as after a look at what
/// has been counted, remembers what that one has learnt.
#[derive(Debug, Default)]
struct Idle(Mutex<Vec<Table>>);

impl Idle {
    fn take(&self) -> Option<Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn put(&self, table: Table) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(table);
    }
}

impl Clone for Idle {
    /// Another player begins with nothing.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What one thread needs to play.
#[derive(Debug, Clone)]
pub struct Table {
    state: State,
    /// For a memo to come back to.
    spare: State,
    luck: Streams,
    memory: Memory,
}

/// Whether a thread remembers encounters.
#[derive(Debug, Clone)]
enum Memory {
    /// The memo begins after `encounters` encounters, with at most `bytes` bytes.
    Later {
        encounters: u32,
        bytes: usize,
    },
    Now(Box<Memo>),
    Never,
}

impl Player {
    /// A player of this fight.
    #[must_use]
    pub fn new(fight: &Fight, rules: &Rules, seed: u64) -> Self {
        Self {
            plan: Plan::new(fight.clone(), rules.clone()),
            seed,
            memo_bytes: Some(memo::BUDGET),
            fights: 1,
            before_memo: BEFORE_MEMO,
            idle: Idle::default(),
        }
    }

    /// The same as one of `fights` players that are kept at the same time and share the memory.
    #[must_use]
    pub fn among(self, fights: usize) -> Self {
        Self { fights, ..self }
    }

    /// The same with a memo of at most `bytes` bytes a thread from the first encounter on, or without one.
    /// Only the speed depends on it.
    #[must_use]
    pub fn with_memo(self, bytes: Option<usize>) -> Self {
        Self {
            memo_bytes: bytes,
            before_memo: 0,
            ..self
        }
    }

    /// Plays one encounter for an observer: exactly the one that a run of this seed plays.
    pub fn show(&self, encounter: u64, observer: &mut impl Observer) -> Record {
        let mut table = self.table(None, 0);
        let mut record = Record::default();
        table.luck.begin(encounter);
        self.plan
            .play(&mut table.state, &mut table.luck, observer, &mut record);
        record
    }

    /// The random streams of one encounter, as a run of this seed begins it.
    #[must_use]
    pub fn streams(&self, encounter: u64) -> Streams {
        let names = self.plan.fight().combatants.iter();
        let mut streams = Streams::new(self.seed, names.map(|one| one.name.as_str()));
        streams.begin(encounter);
        streams
    }

    /// Plays one encounter on other dice than those of the seed, while an observer watches.
    pub fn show_on(&self, dice: &mut impl Chance, observer: &mut impl Observer) -> Record {
        let mut record = Record::default();
        self.plan
            .play(&mut self.plan.start(), dice, observer, &mut record);
        record
    }

    /// Plays encounters from memory.
    #[inline]
    fn recall(
        &self,
        memo: &mut Memo,
        states: (&mut State, &mut State),
        encounters: impl Iterator<Item = u64>,
        record: &mut Record,
        each: impl FnMut(u64, &Record),
    ) {
        match (&self.plan, states) {
            (Plan::Marks(plan), (State::Marks(state), State::Marks(spare))) => {
                memo.play(&**plan, Board { state, spare }, encounters, record, each);
            }
            (Plan::Turns(plan), (State::Turns(state), State::Turns(spare))) => {
                memo.play(&**plan, Board { state, spare }, encounters, record, each);
            }
            _ => unreachable!("a memo of a clock is with its state"),
        }
    }

    /// Plays an encounter by the clock, and begins to remember if it is time to.
    #[inline]
    fn play_itself(&self, table: &mut Table, encounter: u64, record: &mut Record) {
        let (state, luck) = (&mut table.state, &mut table.luck);
        luck.begin(encounter);
        self.plan.play(state, luck, &mut Silent, record);
        if let Memory::Later { encounters, bytes } = &mut table.memory {
            *encounters = encounters.saturating_sub(1);
            if *encounters == 0 {
                table.memory = self.memory(0, *bytes, luck);
            }
        }
    }

    /// Returns the memory of a thread that plays `encounters` encounters before its memo begins.
    fn memory(&self, encounters: u32, bytes: usize, luck: &Streams) -> Memory {
        if encounters > 0 {
            return Memory::Later { encounters, bytes };
        }
        let memo = match &self.plan {
            Plan::Marks(plan) => Memo::new(&**plan, luck, bytes),
            Plan::Turns(plan) => Memo::new(&**plan, luck, bytes),
            _ => None,
        };
        memo.map_or(Memory::Never, |memo| Memory::Now(Box::new(memo)))
    }

    fn table(&self, memo_bytes: Option<usize>, before_memo: u32) -> Table {
        let names = self.plan.fight().combatants.iter();
        let luck = Streams::new(self.seed, names.map(|one| one.name.as_str()));
        let remember = |bytes| self.memory(before_memo, bytes, &luck);
        Table {
            memory: memo_bytes.map_or(Memory::Never, remember),
            state: self.plan.start(),
            spare: self.plan.start(),
            luck,
        }
    }
}

impl Play for Player {
    type State = Table;

    fn state(&self) -> Table {
        self.state_among(1)
    }

    fn state_among(&self, all: usize) -> Table {
        let all = all.max(self.fights).max(1);
        let bytes = self.memo_bytes.map(|bytes| bytes / all);
        let left = self.idle.take();
        left.unwrap_or_else(|| self.table(bytes, self.before_memo))
    }

    fn take_back(&self, table: Table) {
        self.idle.put(table);
    }

    fn play(&self, table: &mut Table, encounter: u64, record: &mut Record) {
        if let Memory::Now(memo) = &mut table.memory {
            let each = |_, _: &Record| {};
            let states = (&mut table.state, &mut table.spare);
            self.recall(memo, states, encounter..=encounter, record, each);
        } else {
            self.play_itself(table, encounter, record);
        }
    }

    fn play_all(
        &self,
        table: &mut Table,
        mut encounters: Range<u64>,
        record: &mut Record,
        mut each: impl FnMut(u64, &Record),
    ) {
        loop {
            if let Memory::Now(memo) = &mut table.memory {
                let states = (&mut table.state, &mut table.spare);
                self.recall(memo, states, encounters, record, each);
                if !memo.is_useful() {
                    table.memory = Memory::Never;
                }
                return;
            }
            let Some(encounter) = encounters.next() else {
                return;
            };
            self.play_itself(table, encounter, record);
            each(encounter, record);
        }
    }
}
