//! One encounter: the clock, sampled luck and the record brought together.

use super::events::{Observer, Silent};
use super::memo::{self, Memo};
use super::record::Record;
use super::runner::Play;
use crate::chance::Streams;
use crate::clock::{Clock, Plan, Rules, State};
use crate::fight::Fight;

/// Plays the encounters of one fight under one seed. Encounter *i* depends on the seed and on *i*
/// alone.
#[derive(Debug, Clone)]
pub struct Player {
    plan: Plan,
    seed: u64,
    /// Most bytes that a thread's memos hold together; `None` for no memo.
    memo_bytes: Option<usize>,
}

/// What one thread needs to play.
#[derive(Debug, Clone)]
pub struct Table {
    state: State,
    luck: Streams,
    memo: Option<Memo>,
}

impl Player {
    /// A player of this fight.
    #[must_use]
    pub fn new(fight: &Fight, rules: &Rules, seed: u64) -> Self {
        Self {
            plan: Plan::new(fight.clone(), rules.clone()),
            seed,
            memo_bytes: Some(memo::BUDGET),
        }
    }

    /// The same with a memo of so many bytes a thread, or none. Nothing but the pace depends on it.
    #[must_use]
    pub fn with_memo(self, bytes: Option<usize>) -> Self {
        Self {
            memo_bytes: bytes,
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
            memo: match (&self.plan, self.memo_bytes) {
                (Plan::Marks(plan), Some(bytes)) => Memo::new(&**plan, bytes / all.max(1)),
                _ => None,
            },
        }
    }

    #[inline]
    fn play(&self, table: &mut Table, encounter: u64, record: &mut Record) {
        table.luck.begin(encounter);
        let luck = &mut table.luck;
        match (&mut table.memo, &self.plan, &mut table.state) {
            (Some(memo), Plan::Marks(plan), State::Marks(state)) => {
                memo.play(&**plan, state, luck, record);
                if !memo.is_useful() {
                    table.memo = None;
                }
            }
            (_, plan, state) => plan.play(state, luck, &mut Silent, record),
        }
    }
}
