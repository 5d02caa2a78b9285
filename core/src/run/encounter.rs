//! One encounter: a clock, sampled dice and a record brought together.

use super::runner::Play;
use crate::chance::{Chance, Streams};
use crate::fight::Fight;
use crate::sim::{Observer, Record, Silent};
use crate::systems::{Plan, Rules, State};

/// Plays the encounters of one fight under one seed. Encounter *i* depends on the seed and on *i*
/// alone.
#[derive(Debug, Clone)]
pub struct Player {
    plan: Plan,
    seed: u64,
}

/// The state of one thread that plays, and its random streams.
pub type PlayerState = (State, Streams);

impl Player {
    /// Creates a player of this fight.
    pub fn new(fight: &Fight, rules: &Rules, seed: u64) -> Self {
        Self {
            plan: Plan::new(fight.clone(), rules.clone()),
            seed,
        }
    }

    /// Plays one encounter for an observer: exactly the encounter that a run of this seed plays.
    pub fn show(&self, encounter: u64, observer: &mut dyn Observer) -> Record {
        let mut record = Record::default();
        self.watch(&mut self.state(), encounter, observer, &mut record);
        record
    }

    /// Returns the random streams of one encounter, as a run of this seed begins it.
    pub fn streams(&self, encounter: u64) -> Streams {
        let names = self.plan.fight().combatants.iter();
        let mut streams = Streams::new(self.seed, names.map(|combatant| combatant.name.as_str()));
        streams.begin(encounter);
        streams
    }

    /// Plays one encounter on other dice than those of the seed, for an observer.
    pub fn show_on(&self, dice: &mut dyn Chance, observer: &mut dyn Observer) -> Record {
        let mut record = Record::default();
        self.plan
            .show(&mut self.plan.start(), dice, observer, &mut record);
        record
    }

    /// Plays one encounter for an observer, as [`show`](Self::show) does, in a state that is reused.
    pub fn watch(
        &self,
        (state, luck): &mut PlayerState,
        encounter: u64,
        observer: &mut dyn Observer,
        record: &mut Record,
    ) {
        luck.begin(encounter);
        self.plan.show(state, luck, observer, record);
    }
}

impl Play for Player {
    type State = PlayerState;

    fn state(&self) -> PlayerState {
        (self.plan.start(), self.streams(0))
    }

    fn play(&self, (state, luck): &mut PlayerState, encounter: u64, record: &mut Record) {
        luck.begin(encounter);
        self.plan.play(state, luck, &mut Silent, record);
    }
}
