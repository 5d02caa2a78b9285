//! What is measured: the one list from which the tally, the columns, the tables and
//! `skirmish explain metrics` take names, units and meanings.

use crate::engine::record::{Counts, Ending, Record};
use crate::fight::Fight;

/// The subject of metrics that are about the encounter as a whole.
pub const ENCOUNTER: &str = "encounter";

/// The value of `winner` when nobody stands at the end, and the metric of how often that is.
pub const MUTUAL: &str = "mutual";

/// The value of `winner` when the limit of Rounds ended the encounter, and the metric of how often.
pub const TIMEOUT: &str = "timeout";

/// What a metric is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The encounter as a whole.
    Encounter,
    /// Each side.
    Side,
    /// Each combatant.
    Combatant,
}

impl Scope {
    /// As tables name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Encounter => ENCOUNTER,
            Self::Side => "side",
            Self::Combatant => "combatant",
        }
    }
}

/// What a metric's values are, and so what can be said about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True or false of each encounter: its mean is a rate.
    Rate,
    /// A whole number in each encounter: it has a mean and a distribution.
    Count,
    /// One of several names in each encounter: it has a distribution, but no mean.
    Category,
    /// A rate for each Round: it has no mean of its own.
    Curve,
}

impl Kind {
    /// As tables name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Count => "count",
            Self::Category => "category",
            Self::Curve => "curve",
        }
    }

    /// Whether it has a row in the summary: a mean, an interval and quantiles.
    #[must_use]
    pub fn has_summary(self) -> bool {
        matches!(self, Self::Rate | Self::Count)
    }

    /// Whether its distribution says more than its summary. The mean and the number of encounters
    /// say all about a rate.
    #[must_use]
    pub fn has_distribution(self) -> bool {
        self != Self::Rate
    }
}

/// One thing that is measured.
#[derive(Debug, PartialEq, Eq)]
pub struct Metric {
    /// As columns and options name it.
    pub name: &'static str,
    /// What its values count.
    pub unit: &'static str,
    /// What it is about.
    pub scope: Scope,
    /// What its values are.
    pub kind: Kind,
    /// What it means.
    pub meaning: &'static str,
    /// Where the tally keeps it.
    pub(super) source: Source,
}

/// Where the tally keeps a metric: in a histogram of its own, or derived from another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Winner,
    Win,
    Mutual,
    Timeout,
    Encounter(usize),
    Side(usize),
    Combatant(usize),
    Alive,
    Standing,
}

impl Metric {
    /// Its value in one encounter, where that is a number: for the side or combatant of index
    /// `subject`, if it is about one. `None` if it has none in this encounter.
    #[must_use]
    pub fn value(&self, record: &Record, fight: &Fight, subject: usize) -> Option<i64> {
        let rate = |holds: bool| Some(i64::from(holds));
        let mut found = None;
        let mut keep = |wanted: usize, index: usize, value: u32| {
            if index == wanted {
                found = Some(i64::from(value));
            }
        };
        match self.source {
            Source::Winner | Source::Standing => return None,
            Source::Win => return rate(record.ending == Ending::Win(subject as u8)),
            Source::Mutual => return rate(record.ending == Ending::Mutual),
            Source::Timeout => return rate(record.ending == Ending::Timeout),
            Source::Alive => return rate(record.combatants.get(subject)?.fell_round == 0),
            Source::Encounter(wanted) => {
                each_encounter_count(record, |index, value| keep(wanted, index, value));
            }
            Source::Side(wanted) => {
                let mut totals = SideTotals::default();
                for (combatant, counts) in fight.combatants.iter().zip(&record.combatants) {
                    if combatant.side == subject {
                        totals.add(counts);
                    }
                }
                each_side_count(&totals, |index, value| keep(wanted, index, value));
            }
            Source::Combatant(wanted) => {
                let counts = record.combatants.get(subject)?;
                each_combatant_count(counts, |index, value| keep(wanted, index, value));
            }
        }
        found
    }
}

/// Every metric, in the order of the columns and tables.
pub fn all() -> impl Iterator<Item = &'static Metric> {
    ENDINGS
        .iter()
        .chain(&ENCOUNTER_COUNTS)
        .chain(&SIDE_COUNTS)
        .chain([&ALIVE])
        .chain(&COMBATANT_COUNTS)
        .chain([&STANDING])
}

/// The metric of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Metric> {
    all().find(|metric| metric.name == name)
}

const fn ending(
    name: &'static str,
    scope: Scope,
    kind: Kind,
    meaning: &'static str,
    source: Source,
) -> Metric {
    Metric {
        name,
        unit: "encounters",
        scope,
        kind,
        meaning,
        source,
    }
}

static ENDINGS: [Metric; 4] = [
    ending(
        "win_rate",
        Scope::Side,
        Kind::Rate,
        "share of encounters at whose end only this side stands",
        Source::Win,
    ),
    ending(
        "winner",
        Scope::Encounter,
        Kind::Category,
        "how encounters end: the side that wins, mutual or timeout",
        Source::Winner,
    ),
    ending(
        MUTUAL,
        Scope::Encounter,
        Kind::Rate,
        "share of encounters at whose end nobody stands",
        Source::Mutual,
    ),
    ending(
        TIMEOUT,
        Scope::Encounter,
        Kind::Rate,
        "share of encounters that max_rounds ended",
        Source::Timeout,
    ),
];

static ALIVE: Metric = ending(
    "alive",
    Scope::Combatant,
    Kind::Rate,
    "share of encounters at whose end the combatant stands",
    Source::Alive,
);

static STANDING: Metric = ending(
    "standing",
    Scope::Combatant,
    Kind::Curve,
    "share of encounters in which the combatant still stands at the end of each Round; \
     it goes on standing when the encounter is over",
    Source::Standing,
);

/// The state of one side at the end of an encounter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SideTotals {
    survivors: u32,
    health: u32,
}

impl SideTotals {
    #[inline]
    pub(super) fn add(&mut self, counts: &Counts) {
        self.survivors += u32::from(counts.fell_round == 0);
        self.health += counts.health.max(0) as u32;
    }
}

/// A list of metrics with a histogram each, and the function that reads all of them from one
/// encounter. It calls back once a metric with index and value, and is unrolled where it is used:
/// a table of function pointers would cost more than all the counting.
macro_rules! counted {
    (
        $(#[$note:meta])* $list:ident, $each:ident, $source:ident, $scope:ident,
        $from:ident: &$type:ty;
        $($name:literal, $unit:literal, $meaning:literal, $value:expr;)*
    ) => {
        $(#[$note])*
        pub(super) static $list: [Metric; [$($name),*].len()] = {
            let mut index = 0;
            [$({
                index += 1;
                Metric {
                    name: $name,
                    unit: $unit,
                    scope: Scope::$scope,
                    kind: Kind::Count,
                    meaning: $meaning,
                    source: Source::$source(index - 1),
                }
            }),*]
        };

        #[inline]
        pub(super) fn $each($from: &$type, mut count: impl FnMut(usize, u32)) {
            let mut index = 0;
            $(
                if let Some(value) = $value {
                    count(index, value);
                }
                index += 1;
            )*
            debug_assert_eq!(index, $list.len());
        }
    };
}

/// Where `rounds` stands in [`ENCOUNTER_COUNTS`].
pub(super) const ROUNDS: usize = 0;

counted! {
    /// Counted once an encounter.
    ENCOUNTER_COUNTS, each_encounter_count, Encounter, Encounter, record: &Record;
    "rounds", "Rounds", "Rounds begun; max_rounds for a timeout", Some(record.rounds);
    "marks", "Marks", "Marks from the start to the end, 30 for each whole Round", Some(record.marks);
}

counted! {
    /// Counted for each side.
    SIDE_COUNTS, each_side_count, Side, Side, totals: &SideTotals;
    "survivors", "combatants", "combatants of the side that stand at the end", Some(totals.survivors);
    "health_left", "points", "health of all combatants of the side together at the end", Some(totals.health);
}

counted! {
    /// Counted for each combatant.
    COMBATANT_COUNTS, each_combatant_count, Combatant, Combatant, counts: &Counts;
    "health", "points", "health at the end", Some(counts.health.max(0) as u32);
    "damage", "points", "damage dealt by attacks and spells, after armour, overkill included", Some(counts.damage);
    "damage_taken", "points", "damage suffered, overkill included", Some(counts.damage_taken);
    "attacks", "attacks", "attacks made, counters and a charge's free attack included", Some(counts.attacks);
    "hits", "attacks", "attacks that hit", Some(counts.hits);
    "attacks_forfeited", "attacks", "attacks for which the Round had no Mark left", Some(counts.attacks_forfeited);
    "attacks_lost", "attacks", "attacks that had no target when they came due", Some(counts.attacks_lost);
    "units_moved", "Units", "Units moved, by any means", Some(counts.units_moved);
    "marks_forfeited", "Marks", "Marks left unspent at the ends of its Rounds", Some(counts.marks_forfeited);
    "spells_cast", "spells", "spells begun, Channels included", Some(counts.spells_cast);
    "spells_fizzled", "spells", "spells that a hit fizzled", Some(counts.spells_fizzled);
    "first_attack", "Marks", "Marks from the start to its first attack; encounters without one do not count", counts.first_attack;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_metric_has_a_name_of_its_own() {
        let names: HashSet<_> = all().map(|metric| metric.name).collect();
        assert_eq!(names.len(), all().count());
    }

    #[test]
    fn rounds_stand_where_the_standing_curve_looks_for_them() {
        assert_eq!(ENCOUNTER_COUNTS[ROUNDS].name, "rounds");
    }

    #[test]
    fn a_metric_is_found_by_its_name() {
        assert!(
            all().all(|metric| find(metric.name).is_some_and(|found| std::ptr::eq(found, metric)))
        );
        assert!(find("luck").is_none());
    }
}
