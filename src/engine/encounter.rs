//! One encounter: the clock, sampled luck and the record brought together.

use super::events::{Observer, Silent};
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
}

/// What one thread needs to play.
#[derive(Debug, Clone)]
pub struct Table {
    state: State,
    luck: Streams,
}

impl Player {
    /// A player of this fight.
    #[must_use]
    pub fn new(fight: &Fight, rules: &Rules, seed: u64) -> Self {
        Self {
            plan: Plan::new(fight.clone(), rules.clone()),
            seed,
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
        let names = self.plan.fight().combatants.iter();
        Table {
            state: self.plan.start(),
            luck: Streams::new(self.seed, names.map(|one| one.name.as_str())),
        }
    }

    #[inline]
    fn play(&self, table: &mut Table, encounter: u64, record: &mut Record) {
        table.luck.begin(encounter);
        self.plan
            .play(&mut table.state, &mut table.luck, &mut Silent, record);
    }
}
