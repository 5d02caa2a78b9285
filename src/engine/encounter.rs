//! One encounter: the clock, sampled luck and the record brought together.

use super::events::{Observer, Silent};
use super::memo::{self, Memo};
use super::record::Record;
use super::runner::Play;
use crate::chance::Streams;
use crate::clock::{Clock, Plan, Rules, State};
use crate::fight::Fight;

/// Encounters that a thread plays by the clock alone before it begins a memo. A memo must be drawn
/// before it pays: whoever plays few encounters of many fights, as a sweep does, is quicker without.
const BEFORE_MEMO: u32 = 20_000;

/// Plays the encounters of one fight under one seed. Encounter *i* depends on the seed and on *i*
/// alone.
#[derive(Debug, Clone)]
pub struct Player {
    plan: Plan,
    seed: u64,
    /// Most bytes that a thread's memos hold together; `None` for no memo.
    memo_bytes: Option<usize>,
    /// Encounters that a thread plays without.
    before_memo: u32,
}

/// What one thread needs to play.
#[derive(Debug, Clone)]
pub struct Table {
    state: State,
    luck: Streams,
    memory: Memory,
}

/// Whether a thread remembers encounters.
#[derive(Debug, Clone)]
enum Memory {
    /// It begins to after so many encounters, with so many bytes.
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
            before_memo: BEFORE_MEMO,
        }
    }

    /// The same with a memo of so many bytes a thread from the first encounter on, or none. Nothing
    /// but the pace depends on it.
    #[must_use]
    pub fn with_memo(self, bytes: Option<usize>) -> Self {
        Self {
            memo_bytes: bytes,
            before_memo: 0,
            ..self
        }
    }

    /// Plays one encounter while somebody watches: exactly the one that a run of this seed plays.
    pub fn show(&self, encounter: u64, observer: &mut impl Observer) -> Record {
        let mut table = self.state();
        let mut record = Record::default();
        table.luck.begin(encounter);
        self.plan
            .play(&mut table.state, &mut table.luck, observer, &mut record);
        record
    }
}

impl Play for Player {
    type State = Table;

    fn state(&self) -> Table {
        self.state_among(1)
    }

    fn state_among(&self, all: usize) -> Table {
        let names = self.plan.fight().combatants.iter();
        Table {
            state: self.plan.start(),
            luck: Streams::new(self.seed, names.map(|one| one.name.as_str())),
            memory: match self.memo_bytes {
                Some(bytes) => Memory::Later {
                    encounters: self.before_memo,
                    bytes: bytes / all.max(1),
                },
                None => Memory::Never,
            },
        }
    }

    #[inline]
    fn play(&self, table: &mut Table, encounter: u64, record: &mut Record) {
        table.luck.begin(encounter);
        let luck = &mut table.luck;
        match (&mut table.memory, &self.plan, &mut table.state) {
            (Memory::Now(memo), Plan::Marks(plan), State::Marks(state)) => {
                memo.play(&**plan, state, luck, record);
                if !memo.is_useful() {
                    table.memory = Memory::Never;
                }
                return;
            }
            (Memory::Later { encounters, bytes }, plan, _) => {
                if let Some(left) = encounters.checked_sub(1) {
                    *encounters = left;
                } else {
                    let memo = match plan {
                        Plan::Marks(plan) => Memo::new(&**plan, *bytes),
                        Plan::Turns(_) | Plan::Order(_) => None,
                    };
                    table.memory = memo.map_or(Memory::Never, |memo| Memory::Now(Box::new(memo)));
                    return self.play(table, encounter, record);
                }
            }
            _ => {}
        }
        self.plan.play(&mut table.state, luck, &mut Silent, record);
    }
}
