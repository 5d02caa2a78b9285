//! The values of single encounters, as columns: the values that a [`Tally`](super::Tally) counts.
//!
//! [`columns`] lists the columns of fights that share a file, and [`Values`] reads them from a [`Record`]. Both use
//! everything that [`metrics`] lists, so a new metric has a column at once.

use super::metrics::{self, Kind, Metric, Scope, Source};
use crate::fight::Ending;
use crate::fight::Fight;
use crate::fight::system::Clock;
use crate::sim::record::Record;
use std::collections::{HashMap, HashSet};

/// A column of values: a metric of a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueColumn {
    /// The metric.
    pub metric: &'static Metric,
    /// The name of the subject.
    pub subject: String,
}

impl ValueColumn {
    /// Returns the column's name: `rounds`, `health.brute`.
    ///
    /// For the curve `standing`, the value of an encounter is the Round in which the combatant fell:
    /// `fell_round.brute`.
    pub fn name(&self) -> String {
        let metric = match self.metric.kind {
            Kind::Curve => "fell_round",
            _ => self.metric.name,
        };
        match self.metric.scope {
            Scope::Encounter => metric.to_owned(),
            Scope::Side | Scope::Combatant | Scope::Outcome => {
                format!("{metric}.{}", self.subject)
            }
        }
    }
}

/// Returns the columns of all these fights together: `rounds`, then the metrics in the order of all output, each with
/// the subjects of the first fight, then those that only later fights have.
///
/// `winner` has no column, because it is not a number.
pub fn columns(fights: &[&Fight]) -> Vec<ValueColumn> {
    let mut all = Vec::new();
    let rounds = |metric: &&Metric| metric.name == metrics::ROUNDS;
    let others = metrics::all().filter(|metric| !rounds(metric));
    for metric in metrics::all().filter(rounds).chain(others) {
        if metric.kind == Kind::Category {
            continue;
        }
        let mut seen = HashSet::new();
        for fight in fights.iter().filter(|fight| metric.is_measured(fight)) {
            for subject in metric.scope.subjects(fight) {
                if seen.insert(subject) {
                    all.push(ValueColumn {
                        metric,
                        subject: subject.to_owned(),
                    });
                }
            }
        }
    }
    all
}

/// The index of the column for a value, if there is one.
type Slot = Option<usize>;

/// Reads the values of columns from the encounters of one fight.
#[derive(Debug, Clone)]
pub struct Values {
    clock: Clock,
    /// The side of each combatant.
    side_of: Vec<usize>,
    endings: Vec<(Ending, usize)>,
    sides: usize,
    /// The column of each count, by its place ([`metrics::each_count`]).
    counts: Vec<Slot>,
    /// The columns of each combatant for `alive` and for the Round in which it fell.
    falls: Vec<[Slot; 2]>,
}

impl Values {
    /// Finds the columns for which this fight has values. The others stay empty.
    pub fn new(fight: &Fight, columns: &[ValueColumn]) -> Self {
        let names = columns.iter().enumerate();
        let places: HashMap<(&str, &str), usize> = names
            .map(|(index, column)| ((column.metric.name, column.subject.as_str()), index))
            .collect();
        let mut values = Self {
            clock: fight.system.clock,
            side_of: fight.combatants.iter().map(|one| one.side).collect(),
            endings: Vec::new(),
            sides: fight.sides.len(),
            counts: vec![None; metrics::places(fight.sides.len(), fight.combatants.len())],
            falls: vec![[None; 2]; fight.combatants.len()],
        };
        for metric in metrics::all().filter(|metric| metric.is_measured(fight)) {
            for (subject, name) in metric.scope.subjects(fight).enumerate() {
                let slot = places.get(&(metric.name, name)).copied();
                match metric.source {
                    Source::Winner => {}
                    Source::Ending(_) => values.endings.extend(metric.ending(subject).zip(slot)),
                    Source::Alive => values.falls[subject][0] = slot,
                    Source::Standing => values.falls[subject][1] = slot,
                    Source::Encounter(_) | Source::Side(_) | Source::Combatant(_) => {
                        values.counts[metric.place(values.sides, subject)] = slot;
                    }
                }
            }
        }
        values
    }

    /// Writes the values of an encounter into `values`, which has an element for each column. A metric without a value
    /// in this encounter leaves `None`.
    pub fn read(&self, record: &Record, values: &mut [Option<u32>]) {
        values.fill(None);
        let mut put = |slot: Slot, value: u32| {
            if let Some(slot) = slot {
                values[slot] = Some(value);
            }
        };
        for &(ending, slot) in &self.endings {
            put(Some(slot), (record.ending == ending).into());
        }
        let (clock, side_of, slots) = (self.clock, &self.side_of, &self.counts);
        metrics::each_count(record, clock, self.sides, side_of, slots, |slot, value| {
            put(*slot, value);
        });
        for ([alive, fell], counts) in self.falls.iter().zip(&record.combatants) {
            put(*alive, (counts.fell_round == 0).into());
            if counts.fell_round > 0 {
                put(*fell, counts.fell_round);
            }
        }
    }
}
