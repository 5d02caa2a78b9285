//! The metrics: the single list from which the tally, the columns, the tables and `skirmish explain metrics` take
//! names, units and meanings.

use super::occasions::Occasion;
use crate::fight::Ending;
use crate::fight::Fight;
use crate::fight::system::{Clock, Clocks};
use crate::names::{self, named};
use crate::sim::record::{Counts, First, Record, percent};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The subject of metrics about the encounter as a whole.
pub const ENCOUNTER: &str = "encounter";

/// The value of `winner` if no combatant stands at the end, and the metric of its rate.
pub const MUTUAL: &str = "mutual";

/// The value of `winner` if the limit of Rounds ended the encounter, and the metric of its rate.
pub const TIMEOUT: &str = "timeout";

/// The value of `winner` if the scenario ends because enemies are too far apart, and the metric of its rate.
pub const ESCAPED: &str = "escaped";

/// The value of `winner` if the scenario ends because enemies are near enough, and the metric of its rate.
pub const CAUGHT: &str = "caught";

/// The values of `winner` that are neither sides nor outcomes.
pub const NO_SIDES: [&str; 4] = [MUTUAL, TIMEOUT, ESCAPED, CAUGHT];

/// The metric of how often encounters end with an outcome that no side wins.
pub const OUTCOME_RATE: &str = "outcome_rate";

/// The metric of the health that a side has left.
pub const HEALTH_LEFT: &str = "health_left";

/// The metric of the number of Rounds (in Mage: turns) of an encounter.
pub const ROUNDS: &str = "rounds";

named! {
    /// The kind of subject that a metric has.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Scope {
        /// The encounter as a whole.
        Encounter ENCOUNTER;
        /// Each side.
        Side "side";
        /// Each combatant.
        Combatant "combatant";
        /// Each ending that a goal brings about and no side wins (W-17).
        Outcome "outcome";
    }
}

impl Scope {
    /// Returns the names of the subjects of that scope in a fight: the encounter, or the sides, combatants or outcomes
    /// in file order.
    pub fn subjects(self, fight: &Fight) -> impl Iterator<Item = &str> + Clone {
        let encounter = (self == Self::Encounter).then_some(ENCOUNTER);
        let sides = fight.sides.iter().filter(move |_| self == Self::Side);
        let combatants = fight.combatants.iter();
        let combatants = combatants.filter(move |_| self == Self::Combatant);
        let outcomes = fight.outcomes().filter(move |_| self == Self::Outcome);
        encounter
            .into_iter()
            .chain(sides.map(String::as_str))
            .chain(combatants.map(|combatant| combatant.name.as_str()))
            .chain(outcomes)
    }

    /// Returns the index of the subject with that name, if the fight has it.
    pub fn subject(self, fight: &Fight, name: &str) -> Option<usize> {
        self.subjects(fight).position(|subject| subject == name)
    }
}

named! {
    /// The kind of a metric's values, which determines its statistics.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Kind {
        /// True or false of each encounter: its mean is a rate.
        Rate "rate";
        /// A whole number in each encounter: it has a mean and a distribution.
        Count "count";
        /// One of several names in each encounter: it has a distribution, but no mean.
        Category "category";
        /// A rate for each Round: it has no mean of its own.
        Curve "curve";
    }
}

impl Kind {
    /// Returns whether metrics of this kind have a row in the summary: a mean, an interval and quantiles.
    pub fn has_summary(self) -> bool {
        matches!(self, Self::Rate | Self::Count)
    }

    /// Returns whether the distribution of a metric of this kind contains more than its summary. The mean and the
    /// number of encounters determine the distribution of a rate.
    pub fn has_distribution(self) -> bool {
        self != Self::Rate
    }
}

/// A measured quantity.
#[derive(Debug, PartialEq, Eq)]
pub struct Metric {
    /// The name in columns and options.
    pub name: &'static str,
    /// The unit of the values.
    pub unit: &'static str,
    /// The kind of the subject.
    pub scope: Scope,
    /// The clocks on which it is measured.
    pub clocks: Clocks,
    /// The kind of the values.
    pub kind: Kind,
    /// The meaning, in words.
    pub meaning: &'static str,
    /// The place where the tally keeps the metric.
    pub(super) source: Source,
}

/// The place where the tally keeps a metric: a histogram of its own, or another from which it is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Winner,
    /// The rate of an ending. For a side or an outcome, the ending depends on the subject.
    Ending(Ending),
    Encounter(usize),
    Side(usize),
    Combatant(usize),
    Alive,
    Standing,
}

/// The way in which a metric arises in the course of an encounter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accrual {
    /// The end alone decides the metric, apart from the time of the end.
    End,
    /// The time of the end.
    Time,
    /// The ending itself.
    Winner,
    /// The time of a first attack.
    FirstAttack,
    /// The number of Rounds up to a fall.
    Standing,
    /// The metric adds up over the encounter.
    Sum,
    /// A solution does not contain the metric: a share of Rounds, or the uses left.
    Unsolved,
}

impl Metric {
    /// Returns the name of the metric in words: `win rate`.
    pub fn words(&self) -> String {
        self.name.replace('_', " ")
    }

    /// Returns the name of the metric with its subject: `win rate of hunters`.
    pub fn words_of(&self, subject: &str) -> String {
        match self.scope {
            Scope::Encounter => self.words(),
            Scope::Side | Scope::Combatant | Scope::Outcome => {
                format!("{} of {subject}", self.words())
            }
        }
    }

    /// Returns the name of the metric in ids: `win-rate`.
    pub fn id(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Returns how the metric arises.
    pub fn accrual(&self) -> Accrual {
        match (self.source, self.name) {
            (Source::Winner, _) => Accrual::Winner,
            (Source::Standing, _) => Accrual::Standing,
            (_, ROUNDS | "marks") => Accrual::Time,
            (_, "first_attack" | "first_attack_turn" | "first_attack_round") => {
                Accrual::FirstAttack
            }
            (_, "acted_first" | "acted_first_of_all" | "uses_left") => Accrual::Unsolved,
            (Source::Combatant(_), name) if name != "health" => Accrual::Sum,
            _ => Accrual::End,
        }
    }

    /// Returns whether there may be encounters in which the metric has no value.
    pub fn is_of_some(&self) -> bool {
        let others = ["distance", "first_mover_wins"];
        self.accrual() == Accrual::FirstAttack || others.contains(&self.name)
    }

    /// Returns whether the metric is measured in a fight.
    pub fn is_measured(&self, fight: &Fight) -> bool {
        let occurs = |occasion: Occasion| occasion.is_in(fight);
        self.clocks.has(fight.system.clock) && self.occasion().is_none_or(occurs)
    }

    /// Returns the ending of which the metric is the rate, if there is one.
    pub(super) fn ending(&self, subject: usize) -> Option<Ending> {
        match self.source {
            Source::Ending(Ending::Win(_)) => Some(Ending::Win(subject as u8)),
            Source::Ending(Ending::Outcome(_)) => Some(Ending::Outcome(subject as u8)),
            Source::Ending(ending) => Some(ending),
            _ => None,
        }
    }

    /// Returns the feature that a fight must have for the metric to be measured; `None` if the metric is measured in
    /// every fight on its clocks.
    pub fn occasion(&self) -> Option<Occasion> {
        match self.name {
            ESCAPED | CAUGHT | "distance" => Some(Occasion::Chase),
            "willpower_spent" => Some(Occasion::Willpower),
            "first_mover_wins" => Some(Occasion::FirstMover),
            "acted_first" | "acted_first_of_all" => Some(Occasion::ActedFirst),
            "items_used" => Some(Occasion::Items),
            "healed" => Some(Occasion::Healing),
            "stunned" => Some(Occasion::Stuns),
            "fled" => Some(Occasion::Flight),
            "surrendered" => Some(Occasion::Surrender),
            "uses_left" => Some(Occasion::Uses),
            OUTCOME_RATE => Some(Occasion::Outcomes),
            _ => None,
        }
    }

    /// Returns the place of the counts from which the metric of a subject is derived, in a fight with `sides` sides.
    pub(super) fn place(&self, sides: usize, subject: usize) -> usize {
        match self.source {
            Source::Winner | Source::Ending(_) => 0,
            Source::Encounter(index) => 1 + index,
            Source::Side(index) => places(subject, 0) + index,
            Source::Combatant(index) => places(sides, subject) + index,
            Source::Alive | Source::Standing => places(sides, subject + 1) - 1,
        }
    }

    /// Returns the value of the metric in one encounter, if it is a number. `subject` is the index of the side or
    /// combatant, if the metric is about one. `None` if the metric has no value in this encounter.
    pub fn value(&self, record: &Record, fight: &Fight, subject: usize) -> Option<i64> {
        let clock = fight.system.clock;
        let rate = |holds: bool| Some(i64::from(holds));
        let mut found = None;
        let mut keep = |wanted: usize, index: usize, value: u32| {
            if index == wanted {
                found = Some(i64::from(value));
            }
        };
        match self.source {
            Source::Winner | Source::Standing => return None,
            Source::Ending(_) => return rate(self.ending(subject) == Some(record.ending)),
            Source::Alive => return rate(record.combatants.get(subject)?.fell_round == 0),
            Source::Encounter(wanted) => {
                each_encounter_count(record, clock, |index, value| keep(wanted, index, value));
            }
            Source::Side(wanted) => {
                let side_of = fight.combatants.iter().map(|combatant| combatant.side);
                let totals = SideTotals::new(record, side_of, subject);
                each_side_count(&totals, clock, |index, value| keep(wanted, index, value));
            }
            Source::Combatant(wanted) => {
                let counts = record.combatants.get(subject)?;
                each_combatant_count(counts, clock, |index, value| keep(wanted, index, value));
            }
        }
        found
    }
}

/// Returns every metric of every clock, in the order of the columns and tables.
pub fn all() -> impl Iterator<Item = &'static Metric> {
    ENDINGS
        .iter()
        .chain(&ENCOUNTER_COUNTS)
        .chain(&SIDE_COUNTS)
        .chain(&ALIVE)
        .chain(&COMBATANT_COUNTS)
        .chain(&STANDING)
}

/// Returns the metric with that name, on any clock. Hyphens and underscores are equal.
pub fn find(name: &str) -> Option<&'static Metric> {
    all().find(|metric| names::alike(metric.name, name))
}

/// A metric is stored as its name.
impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for &'static Metric {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || names::unknown("metric", &name, all().map(|metric| metric.name));
        find(&name).ok_or_else(|| D::Error::custom(unknown()))
    }
}

/// Defines metrics that the ending of an encounter decides, one row each.
macro_rules! endings {
    ($($scope:ident $kind:ident $name:expr, $meaning:literal, $source:expr;)*) => {
        [$(Metric {
            name: $name,
            unit: "encounters",
            scope: Scope::$scope,
            clocks: Clocks::ALL,
            kind: Kind::$kind,
            meaning: $meaning,
            source: $source,
        }),*]
    };
}

static ENDINGS: [Metric; 7] = endings! {
    Side Rate "win_rate", "share of encounters that this side wins", Source::Ending(Ending::Win(0));
    Encounter Category "winner", "how encounters end: the side that wins, mutual, timeout or an outcome that no side wins", Source::Winner;
    Encounter Rate MUTUAL, "share of encounters at whose end no side is left to fight", Source::Ending(Ending::Mutual);
    Encounter Rate TIMEOUT, "share of encounters that max_rounds ended", Source::Ending(Ending::Timeout);
    Encounter Rate ESCAPED, "share of encounters that ends_when ended at so great a distance", Source::Ending(Ending::Escaped);
    Encounter Rate CAUGHT, "share of encounters that ends_when ended at so small a distance", Source::Ending(Ending::Caught);
    Outcome Rate OUTCOME_RATE, "share of encounters that end with this outcome: a goal that no side wins", Source::Ending(Ending::Outcome(0));
};

static ALIVE: [Metric; 1] = endings! {
    Combatant Rate "alive", "share of encounters in which the combatant does not fall", Source::Alive;
};

static STANDING: [Metric; 1] = endings! {
    Combatant Curve "standing", "share of encounters in which the combatant has not fallen by the end of each Round; survivors count on after the encounter", Source::Standing;
};

/// The state of one side at the end of an encounter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct SideTotals {
    survivors: u32,
    health: u32,
    /// The share of Rounds in which the side acted before all enemies, in per cent, if the scenario asks for it.
    acted_first: Option<u32>,
}

impl SideTotals {
    /// Adds up the combatants of a side. `side_of` has the side of each combatant.
    #[inline]
    fn new(record: &Record, mut side_of: impl Iterator<Item = usize>, side: usize) -> Self {
        let mut totals = Self::default();
        let mut led = 0;
        let combatants = record.combatants.iter();
        for counts in combatants.filter(|_| side_of.next() == Some(side)) {
            totals.survivors += u32::from(counts.fell_round == 0);
            totals.health += counts.health.max(0) as u32;
            led += counts.rounds_led;
        }
        let watched = record.watched_rounds();
        totals.acted_first = watched.map(|rounds| percent(led, rounds).into());
        totals
    }
}

/// The number of counts of one combatant. The last is the Round in which it fell, 0 if it did not: the source of both
/// `alive` and `standing`.
pub(super) const COMBATANT_PLACES: usize = COMBATANT_COUNTS.len() + 1;

const SIDE_PLACES: usize = SIDE_COUNTS.len();

/// Returns the number of counts of a fight: the ending, then those of the encounter, of each side, and of each
/// combatant.
pub(super) fn places(sides: usize, combatants: usize) -> usize {
    let encounter = 1 + ENCOUNTER_COUNTS.len();
    encounter + sides * SIDE_PLACES + combatants * COMBATANT_PLACES
}

/// Makes a function that calls `count` with the value of each count of an encounter and what `all` holds at its place;
/// `side_of` has the side of each combatant. Shared slices and exclusive ones have a function each.
macro_rules! each_count {
    ($name:ident, $split_at:ident, $as_chunks:ident, $($reference:tt)+) => {
        #[inline(always)]
        pub(super) fn $name<T>(
            record: &Record,
            clock: Clock,
            sides: usize,
            side_of: &[usize],
            all: $($reference)+ [T],
            mut count: impl FnMut($($reference)+ T, u32),
        ) {
            // Of known lengths, so that no place is checked.
            let (all, combatants) = all.$split_at(places(sides, 0));
            let (ending, all) = all.$split_at(1);
            let (encounter, all) = all.$split_at(ENCOUNTER_COUNTS.len());
            count($($reference)+ ending[0], winner(record.ending, sides));
            each_encounter_count(record, clock, |index, value| {
                count($($reference)+ encounter[index], value);
            });
            let (of_sides, _) = all.$as_chunks::<SIDE_PLACES>();
            for (side, all) in of_sides.into_iter().enumerate() {
                let totals = SideTotals::new(record, side_of.iter().copied(), side);
                each_side_count(&totals, clock, |index, value| {
                    count($($reference)+ all[index], value);
                });
            }
            let (combatants, _) = combatants.$as_chunks::<COMBATANT_PLACES>();
            for (counts, all) in record.combatants.iter().zip(combatants) {
                each_combatant_count(counts, clock, |index, value| {
                    count($($reference)+ all[index], value);
                });
                count($($reference)+ all[COMBATANT_COUNTS.len()], counts.fell_round);
            }
        }
    };
}

each_count!(each_count, split_at, as_chunks, &);
each_count!(each_count_mut, split_at_mut, as_chunks_mut, &mut);

/// Returns the value of `winner` for an ending of a fight with `sides` sides, in the order sides, [`NO_SIDES`],
/// outcomes.
pub(super) fn winner(ending: Ending, sides: usize) -> u32 {
    let sides = sides as u32;
    match ending {
        Ending::Win(side) => side.into(),
        Ending::Mutual => sides,
        Ending::Timeout => sides + 1,
        Ending::Escaped => sides + 2,
        Ending::Caught => sides + 3,
        Ending::Outcome(outcome) => sides + NO_SIDES.len() as u32 + u32::from(outcome),
    }
}

/// Defines a list of metrics with a histogram each, and the function that reads the metrics of one clock from an
/// encounter. The function calls back once a metric with index and value, and is unrolled where it is used: a table of
/// function pointers would cost more than the counting itself.
macro_rules! counted {
    (
        $(#[$note:meta])* $list:ident, $each:ident, $source:ident, $scope:ident,
        $from:ident: &$type:ty;
        $($clocks:ident $kind:ident $name:literal, $unit:literal, $meaning:literal, $value:expr;)*
    ) => {
        $(#[$note])*
        static $list: [Metric; [$($name),*].len()] = {
            let mut index = 0;
            [$({
                index += 1;
                Metric {
                    name: $name,
                    unit: $unit,
                    scope: Scope::$scope,
                    clocks: Clocks::$clocks,
                    kind: Kind::$kind,
                    meaning: $meaning,
                    source: Source::$source(index - 1),
                }
            }),*]
        };

        #[inline(always)]
        fn $each($from: &$type, clock: Clock, mut count: impl FnMut(usize, u32)) {
            let mut index = 0;
            $(
                if Clocks::$clocks.has(clock)
                    && let Some(value) = $value
                {
                    count(index, value);
                }
                index += 1;
            )*
            debug_assert_eq!(index, $list.len());
        }
    };
}

counted! {
    /// The metrics of the encounter as a whole.
    ENCOUNTER_COUNTS, each_encounter_count, Encounter, Encounter, record: &Record;
    ALL Count "rounds", "Rounds", "Rounds begun; max_rounds for a timeout", Some(record.rounds);
    MARKS Count "marks", "Marks", "Marks from the start to the end, `round_marks` (30) for each whole Round", Some(record.marks);
    ALL Count "distance", "Units", "Units between the nearest two enemies at the end of a chase", record.distance;
    ALL Rate "first_mover_wins", "encounters", "share of encounters won by the side that acted first; those in which enemies began simultaneously do not count", first_mover_wins(record);
}

/// Returns whether the side that acted first wins; `None` if no combatant acted, or if enemies acted simultaneously.
fn first_mover_wins(record: &Record) -> Option<u32> {
    match record.first {
        First::Side(side) => Some((record.ending == Ending::Win(side)).into()),
        First::Nobody | First::Both => None,
    }
}

counted! {
    /// The metrics of each side.
    SIDE_COUNTS, each_side_count, Side, Side, totals: &SideTotals;
    ALL Count "survivors", "combatants", "combatants of the side that have not fallen, also those that left", Some(totals.survivors);
    ALL Count "health_left", "points", "health of all combatants of the side together at the end", Some(totals.health);
    ALL Count "acted_first", "% of Rounds", "share of Rounds in which the side acts before all enemies, in whole per cent of each encounter; encounters without any action do not count", totals.acted_first;
}

counted! {
    /// The metrics of each combatant.
    COMBATANT_COUNTS, each_combatant_count, Combatant, Combatant, counts: &Counts;
    ALL Count "health", "points", "health at the end", Some(counts.health.max(0) as u32);
    ALL Count "damage", "points", "damage dealt to others, after armour, overkill included", Some(counts.damage);
    ALL Count "damage_taken", "points", "damage suffered, overkill included", Some(counts.damage_taken);
    ALL Count "attacks", "attacks", "attacks made, counters and a charge's free attack included", Some(counts.attacks);
    ALL Count "hits", "attacks", "attacks that hit", Some(counts.hits);
    MARKS Count "attacks_forfeited", "attacks", "attacks for which the Round had no Mark left", Some(counts.attacks_forfeited);
    ALL Count "attacks_lost", "attacks", "attacks that had no target when they came due", Some(counts.attacks_lost);
    ALL Count "healed", "points", "health that its effects give back, its own and that of others", Some(counts.healed);
    ALL Count "items_used", "uses", "uses of its items", Some(counts.items_used);
    ALL Count "uses_left", "uses", "uses left at the end, of its items and of its weapons that have a limit", Some(counts.uses_left);
    ALL Count "stunned", "Rounds", "Rounds in which a condition with `actions = 0` held it; in Mage and Chronicles turns that began under one", Some(counts.stunned);
    ALL Rate "fled", "encounters", "share of encounters in which it fled, over a border of the arena or by an exit", Some(counts.fled);
    ALL Rate "surrendered", "encounters", "share of encounters in which it surrendered", Some(counts.surrendered);
    ALL Count "units_moved", "Units", "Units of its own moves; pushes do not count", Some(counts.units_moved);
    MARKS Count "marks_forfeited", "Marks", "Marks left unspent at the ends of its Rounds", Some(counts.marks_forfeited);
    ALL Count "spells_cast", "spells", "spells begun, Channels included", Some(counts.spells_cast);
    SLOW_SPELLS Count "spells_fizzled", "spells", "spells that fizzled before they took effect", Some(counts.spells_fizzled);
    MARKS Count "first_attack", "Marks", "Marks from the start to its first attack; encounters without one do not count", counts.first_attack;
    BY_TURN_OR_PHASE Count "first_attack_turn", "turns", "turn of its first attack; encounters without one do not count", counts.first_attack;
    ORDER Count "first_attack_round", "Rounds", "Round of its first attack; encounters without one do not count", counts.first_attack;
    TAKING_TURNS Count "turns", "turns", "turns in which it took an action or moved", Some(counts.turns);
    BY_TURN Count "successes", "successes", "net successes of its attacks, spells and rolls to get things ready, those above 0; checks of items do not count", Some(counts.successes);
    TURNS Count "botches", "rolls", "attacks, spells and rolls to get things ready that botched", Some(counts.botches);
    ORDER Count "dramatic_failures", "rolls", "attacks and spells that failed dramatically", Some(counts.botches);
    TURNS Count "diminished", "rolls", "attacks, spells and rolls to get things ready with some successes, but fewer than required", Some(counts.diminished);
    TURNS Count "dice_lost", "dice", "dice that movement took off its pools", Some(counts.dice_lost);
    TURNS Count "endurance_rolls", "rolls", "rolls to go on moving beyond its endurance", Some(counts.endurance_rolls);
    TURNS Rate "collapsed", "encounters", "share of encounters in which it botched such a roll and moved no more", Some(counts.collapsed);
    TURNS Count "paradox", "points", "Paradox gathered", Some(counts.paradox);
    TURNS Count "willpower_spent", "points", "Willpower spent on sure successes", Some(counts.willpower_spent);
    ORDER Count "interrupts", "interrupts", "readied actions with which it interrupted another combatant", Some(counts.interrupts);
    ORDER Count "interrupted", "interrupts", "times it was interrupted while it stood", Some(counts.interrupted);
    ORDER Count "readied", "actions", "actions readied", Some(counts.readied);
    ORDER Count "readied_lost", "actions", "readied actions not triggered in time, or impossible when they were", Some(counts.readied_lost);
    ORDER Count "cancelled", "actions", "readied actions cancelled when they were triggered", Some(counts.cancelled);
    DELAYING Count "delays", "actions", "turns or actions delayed", Some(counts.delays);
    ORDER Count "actions_lost", "actions", "actions lost: declared and made impossible, delayed beyond the Round, turns lost", Some(counts.actions_lost);
    ORDER Count "places_gained", "places", "places by which it moved up in the order, among those who stand", Some(counts.places_gained);
    ORDER Count "places_lost", "places", "places by which it moved down in the order, among those who stand", Some(counts.places_lost);
    ORDER Rate "first_blood", "encounters", "share of encounters in which it was the first to hurt an enemy", Some(counts.first_blood);
    PHASES Count "actions_phase_1", "actions", "Complex and Task Actions in first Phases, or in the first of its places of a turn", Some(counts.phases.actions[0]);
    PHASES Count "actions_phase_2", "actions", "Complex and Task Actions in second Phases, or second places", Some(counts.phases.actions[1]);
    PHASES Count "actions_phase_3", "actions", "Complex and Task Actions in third Phases, or third places", Some(counts.phases.actions[2]);
    PHASES Count "actions_phase_4", "actions", "Complex and Task Actions in fourth and later Phases, or fourth and later places", Some(counts.phases.actions[3]);
    PHASES Count "criticals", "attacks", "attacks that were critical successes, defended or not", Some(counts.phases.criticals);
    PHASES Count "defended", "attacks", "attacks that its Fray turned aside", Some(counts.phases.defended);
    PHASES Count "wounds", "wounds", "wounds taken", Some(counts.phases.wounds);
    PHASES Count "reorderings", "hits", "hits whose wounds cost it its place in the order of a Phase", Some(counts.phases.reorderings);
    PHASES Count "moxie_spent", "points", "Moxie spent to go first", Some(counts.phases.moxie_spent);
    PHASES Count "interruptions", "actions", "delayed actions taken between or within the stages of others", Some(counts.phases.interruptions);
    PHASES Count "delays_held", "actions", "delayed actions still held as a Phase ended", Some(counts.phases.delays_held);
    PHASES Count "delays_lost", "actions", "delayed actions lost because the next action came up", Some(counts.phases.delays_lost);
    PHASES Count "tasks_done", "tasks", "Task Actions brought to their end", Some(counts.phases.tasks_done);
    ALL Count "acted_first_of_all", "% of Rounds", "share of Rounds in which the combatant acts before all others, its own side too, in whole per cent of each encounter", counts.acted_first.map(u32::from);
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
    fn a_metric_is_found_by_its_name() {
        assert!(
            all().all(|metric| {
                find(metric.name).is_some_and(|found| std::ptr::eq(found, metric))
            })
        );
        assert!(find("luck").is_none());
    }
}
