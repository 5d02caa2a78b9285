//! Counts of the results of encounters, in integers only.
//!
//! A [`Tally`] takes one [`Record`] after the other and keeps a [`Histogram`] for everything that [`metrics`] lists.
//! Merging two tallies adds their counts, so a run gives the same numbers however it is split over threads, batches or
//! machines. [`stats`](crate::stats) derives means, intervals and quantiles later.

pub mod code;
pub mod histogram;
pub mod metrics;
pub mod occasions;
pub mod pairs;
pub mod solved;
pub mod values;

pub use code::Portable;
pub use histogram::{Cell, Distribution, Entry, Histogram, are_few};
pub use metrics::{Kind, Metric, Scope};
pub use pairs::Pairs;
pub use solved::{Fact, Solution};
pub use values::{Column, Values};

use crate::fight::Ending;
use crate::fight::Fight;
use crate::fight::system::{Clock, System};
use crate::sim::record::{Counts, Record};
use code::{Malformed, Reader};
use metrics::{COMBATANT_COUNTS, ENCOUNTER_COUNTS, NO_SIDES, SIDE_COUNTS, SideTotals, Source};
use occasions::Occasion;
use std::ops::Range;

/// The counts of one combatant.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CombatantTally {
    counts: [Histogram; COMBATANT_COUNTS.len()],
    /// The Round in which the combatant fell, 0 if it did not: the source of both `alive` and `standing`.
    fell_round: Histogram,
    /// The number of encounters in which the combatant made no decision at all.
    idle: u64,
}

impl Default for CombatantTally {
    fn default() -> Self {
        Self {
            counts: std::array::from_fn(|_| Histogram::default()),
            fell_round: Histogram::default(),
            idle: 0,
        }
    }
}

/// The counts of any number of encounters of one fight, or the solution of the fight instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    system: &'static System,
    /// The features of the fight that decide which metrics it has.
    occasions: occasions::Occasions,
    sides: Vec<String>,
    combatants: Vec<String>,
    /// The names of the endings that a goal brings about and no side wins.
    outcomes: Vec<String>,
    /// The side of each combatant.
    side_of: Vec<usize>,
    limits: occasions::Limits,
    encounters: u64,
    /// One value for each side, then mutual, timeout, escaped, caught, and the outcomes.
    endings: Histogram,
    encounter_counts: [Histogram; ENCOUNTER_COUNTS.len()],
    side_counts: Vec<[Histogram; SIDE_COUNTS.len()]>,
    combatant_counts: Vec<CombatantTally>,
    /// Scratch space for the totals of each side in the current encounter; all zero between encounters.
    totals: Vec<SideTotals>,
    /// The solution of a solved fight, which has no encounters.
    solution: Option<Box<Solution>>,
}

impl Tally {
    /// Creates a tally of no encounters.
    pub fn new(fight: &Fight) -> Self {
        Self {
            system: fight.system,
            occasions: occasions::Occasions::of(fight),
            sides: fight.sides.clone(),
            combatants: fight.combatants.iter().map(|c| c.name.clone()).collect(),
            outcomes: fight.outcomes().map(str::to_owned).collect(),
            side_of: fight.combatants.iter().map(|c| c.side).collect(),
            limits: occasions::Limits::of(fight),
            encounters: 0,
            endings: Histogram::default(),
            encounter_counts: Default::default(),
            side_counts: vec![Default::default(); fight.sides.len()],
            combatant_counts: vec![CombatantTally::default(); fight.combatants.len()],
            totals: vec![SideTotals::default(); fight.sides.len()],
            solution: None,
        }
    }

    /// Creates a tally that holds the solution of a fight and no encounters.
    pub fn solved(fight: &Fight, solution: Solution) -> Self {
        Self {
            solution: Some(Box::new(solution)),
            ..Self::new(fight)
        }
    }

    /// Returns the solution, if the fight was solved and not simulated.
    pub fn solution(&self) -> Option<&Solution> {
        self.solution.as_deref()
    }

    /// Returns whether the tally has no results: no encounter was counted, and nothing was solved.
    pub fn is_empty(&self) -> bool {
        self.encounters == 0 && self.solution.is_none()
    }

    /// Returns whether the tally has a result for a metric of a subject: always for counts, and for a solved fight if
    /// the solution contains the metric.
    pub fn knows(&self, metric: &Metric, subject: usize) -> bool {
        self.solution.is_none() || self.fact(metric, subject).is_some()
    }

    fn fact(&self, metric: &Metric, subject: usize) -> Option<&Fact> {
        let mut facts = self.solution()?.facts.iter();
        facts.find(|fact| fact.metric.name == metric.name && fact.subject == subject)
    }

    /// Counts one encounter. The order of encounters does not matter.
    ///
    /// # Panics
    /// If the record is not of the fight that this tally was created for.
    pub fn add(&mut self, encounter: u64, record: &Record) {
        assert!(
            record.combatants.len() == self.combatant_counts.len(),
            "a record of another fight"
        );
        self.encounters += 1;
        let ending = place(record.ending, self.sides.len());
        self.endings.add(ending, encounter);
        metrics::each_encounter_count(record, self.system.clock, |index, value| {
            self.encounter_counts[index].add(value, encounter);
        });

        self.totals.fill(SideTotals::of(record));
        for ((counts, tally), &side) in record
            .combatants
            .iter()
            .zip(&mut self.combatant_counts)
            .zip(&self.side_of)
        {
            metrics::each_combatant_count(counts, self.system.clock, |index, value| {
                tally.counts[index].add(value, encounter);
            });
            tally.fell_round.add(counts.fell_round, encounter);
            tally.idle += u64::from(counts.decisions == 0);
            self.totals[side].add(counts);
        }
        for (totals, histograms) in self.totals.iter_mut().zip(&mut self.side_counts) {
            let totals = std::mem::take(totals);
            metrics::each_side_count(&totals, self.system.clock, |index, value| {
                histograms[index].add(value, encounter);
            });
        }
    }

    /// Adds all counts of another tally of the same fight. A whole run and its merged parts are equal, whatever the
    /// parts.
    ///
    /// # Panics
    /// If the other tally is of another fight.
    pub fn merge(&mut self, other: &Self) {
        assert!(
            self.system == other.system
                && self.occasions == other.occasions
                && self.sides == other.sides
                && self.combatants == other.combatants
                && self.outcomes == other.outcomes
                && self.side_of == other.side_of
                && self.limits == other.limits,
            "tallies of different fights"
        );
        self.encounters += other.encounters;
        self.endings.merge(&other.endings);
        merge_all(&mut self.encounter_counts, &other.encounter_counts);
        for (mine, theirs) in self.side_counts.iter_mut().zip(&other.side_counts) {
            merge_all(mine, theirs);
        }
        for (mine, theirs) in self
            .combatant_counts
            .iter_mut()
            .zip(&other.combatant_counts)
        {
            merge_all(&mut mine.counts, &theirs.counts);
            mine.fell_round.merge(&theirs.fell_round);
            mine.idle += theirs.idle;
        }
    }

    /// Returns the number of encounters counted.
    pub fn encounters(&self) -> u64 {
        self.encounters
    }

    /// Returns the number of encounters that the side with that index won.
    pub fn wins(&self, side: usize) -> u64 {
        self.endings.count(side as u32)
    }

    /// Returns the number of encounters at whose end no combatant stood.
    pub fn mutuals(&self) -> u64 {
        self.endings.count(place(Ending::Mutual, self.sides.len()))
    }

    /// Returns the number of encounters that the limit of Rounds ended.
    pub fn timeouts(&self) -> u64 {
        self.endings.count(place(Ending::Timeout, self.sides.len()))
    }

    /// Returns the share of encounters that the limit of Rounds ended.
    pub fn timeout_share(&self) -> f64 {
        if self.solution.is_some() {
            let fact = self
                .metric(metrics::TIMEOUT)
                .and_then(|metric| self.fact(metric, 0));
            let mean = fact.and_then(|fact| fact.mean);
            return mean.map_or(0.0, |[_, mean, _]| mean);
        }
        self.timeouts() as f64 / self.encounters.max(1) as f64
    }

    /// Returns the number of encounters in which the combatant with that index made no decision at all.
    pub fn idle(&self, combatant: usize) -> u64 {
        self.combatant_counts[combatant].idle
    }

    /// Returns whether the combatant with that index ended every encounter with 0 health.
    pub fn always_falls(&self, combatant: usize) -> bool {
        let health = self.metric("health");
        let health = health.map(|metric| self.distribution(metric, combatant));
        health.is_some_and(|health| health.entries().iter().all(|one| one.value == 0))
    }

    /// Returns the names of the sides, in file order.
    pub fn sides(&self) -> &[String] {
        &self.sides
    }

    /// Returns the names of the combatants, in file order.
    pub fn combatants(&self) -> &[String] {
        &self.combatants
    }

    /// Returns the side of each combatant, as an index into [`Tally::sides`].
    pub fn side_of(&self) -> &[usize] {
        &self.side_of
    }

    /// Returns the system of the fight.
    pub fn system(&self) -> &'static System {
        self.system
    }

    /// Returns the metrics that were measured, in the order of the columns and tables.
    pub fn metrics(&self) -> impl Iterator<Item = &'static Metric> + use<> {
        let occasions = self.occasions;
        metrics::all().filter(move |metric| metric.is_measured_among(occasions))
    }

    /// Returns the metric with that name, if it was measured.
    pub fn metric(&self, name: &str) -> Option<&'static Metric> {
        self.metrics().find(|metric| metric.name == name)
    }

    /// Returns the number of subjects that a metric of that scope has here.
    pub fn subjects(&self, scope: Scope) -> usize {
        match scope {
            Scope::Encounter => 1,
            Scope::Side => self.sides.len(),
            Scope::Combatant => self.combatants.len(),
            Scope::Outcome => self.outcomes.len(),
        }
    }

    /// Returns the name of a subject.
    pub fn subject(&self, scope: Scope, index: usize) -> &str {
        match scope {
            Scope::Encounter => metrics::ENCOUNTER,
            Scope::Side => &self.sides[index],
            Scope::Combatant => &self.combatants[index],
            Scope::Outcome => &self.outcomes[index],
        }
    }

    /// Returns the values of a metric for a subject, with their counts.
    ///
    /// Rates have the values 0 and 1. The values of `winner` are the sides in file order, then mutual, timeout and the
    /// outcomes; all of them are listed, even those that never occurred, and [`Tally::winner`] names them. The values
    /// of `standing` are Rounds, each with the count of encounters in which the combatant stood at the end of the
    /// Round; they name no encounter.
    pub fn distribution(&self, metric: &Metric, subject: usize) -> Distribution {
        let within = |histogram: &Histogram| {
            let distribution = histogram.distribution().at_least(metric.least());
            distribution.up_to(self.limits.limit(metric, subject))
        };
        if self.solution.is_some() {
            return Distribution::solved(self.fact(metric, subject).cloned());
        }
        match metric.source {
            Source::Winner => self.winners(),
            Source::Ending(_) => {
                let wanted = metric.ending(subject);
                let wanted = wanted.map(|ending| place(ending, self.sides.len()));
                self.endings.share(|ending| Some(ending) == wanted)
            }
            Source::Encounter(index) => within(&self.encounter_counts[index]),
            Source::Side(index) => within(&self.side_counts[subject][index]),
            Source::Combatant(index) => within(&self.combatant_counts[subject].counts[index]),
            Source::Alive => self.combatant_counts[subject]
                .fell_round
                .share(|at| at == 0),
            Source::Standing => self.standing(subject),
        }
    }

    /// Returns the possible endings of encounters, each with its value of `winner`.
    pub fn endings(&self) -> impl Iterator<Item = (Ending, u32)> + use<> {
        let sides = self.sides.len();
        let wins = (0..sides).map(|side| Ending::Win(side as u8));
        let chase = [Ending::Escaped, Ending::Caught].into_iter();
        let is_chase = self.occasions.give(Occasion::Chase);
        let outcomes = (0..self.outcomes.len()).map(|index| Ending::Outcome(index as u8));
        wins.chain([Ending::Mutual, Ending::Timeout])
            .chain(chase.filter(move |_| is_chase))
            .chain(outcomes)
            .map(move |ending| (ending, place(ending, sides)))
    }

    /// Returns the name of a value of `winner`.
    ///
    /// # Panics
    /// If no ending has the value.
    pub fn winner(&self, value: u32) -> &str {
        let sides = self.sides.iter().map(String::as_str);
        let outcomes = self.outcomes.iter().map(String::as_str);
        let mut names = sides.chain(NO_SIDES).chain(outcomes);
        names.nth(value as usize).expect("an ending of this fight")
    }

    fn winners(&self) -> Distribution {
        let seen = self.endings.distribution();
        let all = self.endings().map(|(_, ending)| {
            let entry = seen.entries().iter().find(|entry| entry.value == ending);
            entry.copied().unwrap_or(Entry {
                value: ending,
                count: 0,
                first: None,
            })
        });
        Distribution::new(all.collect(), self.encounters)
    }

    fn standing(&self, combatant: usize) -> Distribution {
        let fell = self.combatant_counts[combatant].fell_round.distribution();
        let longest = self.metric(metrics::ROUNDS).map_or(0, |rounds| {
            let entries = self.distribution(rounds, 0);
            entries.entries().last().map_or(0, |entry| entry.value)
        });
        let mut standing = self.encounters;
        let mut falls = fell
            .entries()
            .iter()
            .filter(|fall| fall.value > 0)
            .peekable();
        let mut entries = Vec::with_capacity(longest as usize);
        for round in 1..=longest {
            while let Some(fall) = falls.next_if(|fall| fall.value <= round) {
                standing -= fall.count;
            }
            entries.push(Entry {
                value: round,
                count: standing,
                first: None,
            });
        }
        Distribution::new(entries, self.encounters)
    }
}

/// Returns the value of `winner` for an ending of a fight with `sides` sides, in the order sides, [`NO_SIDES`],
/// outcomes.
fn place(ending: Ending, sides: usize) -> u32 {
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

fn merge_all(mine: &mut [Histogram], theirs: &[Histogram]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        mine.merge(theirs);
    }
}

impl Portable for Tally {
    /// Writes the numbers of sides, combatants, outcomes and metrics, then every histogram, in the order of the lists
    /// of [`metrics`].
    fn encode(&self, encounters: &Range<u64>, out: &mut Vec<u8>) {
        assert!(
            self.encounters == encounters.end - encounters.start,
            "a tally of other encounters"
        );
        for number in self.shape().map(|(_, number)| number) {
            code::write(number as u64, out);
        }
        self.endings.encode(encounters, out);
        let sides = self.side_counts.iter().flatten();
        for histogram in self.encounter_counts.iter().chain(sides) {
            histogram.encode(encounters, out);
        }
        for tally in &self.combatant_counts {
            for histogram in tally.counts.iter().chain([&tally.fell_round]) {
                histogram.encode(encounters, out);
            }
            code::write(tally.idle, out);
        }
    }

    fn decode(&self, encounters: &Range<u64>, bytes: &mut Reader<'_>) -> Result<Self, Malformed> {
        for (what, number) in self.shape() {
            bytes.expect(number, what)?;
        }
        let mut tally = self.clone();
        tally.encounters = encounters.end - encounters.start;
        tally.endings = read(encounters, Often::Always, bytes)?;
        let endings = self.sides.len() + NO_SIDES.len() + self.outcomes.len();
        let beyond = |ending: u32| ending as usize >= endings;
        if tally.endings.share(beyond).count(1) > 0 {
            return Err(Malformed::Contradiction("an ending that there is not"));
        }
        let often = Often::in_encounters(self.system.clock);
        for (histogram, often) in tally.encounter_counts.iter_mut().zip(often) {
            *histogram = read(encounters, often, bytes)?;
        }
        for histograms in &mut tally.side_counts {
            let often = Often::of_sides(self.system.clock);
            for (histogram, often) in histograms.iter_mut().zip(often) {
                *histogram = read(encounters, often, bytes)?;
            }
        }
        for tally in &mut tally.combatant_counts {
            let often = Often::of_combatants(self.system.clock);
            for (histogram, often) in tally.counts.iter_mut().zip(often) {
                *histogram = read(encounters, often, bytes)?;
            }
            tally.fell_round = read(encounters, Often::Always, bytes)?;
            tally.idle = bytes.number()?;
            if tally.idle > encounters.end - encounters.start {
                return Err(Malformed::Contradiction(
                    "idle in more encounters than were played",
                ));
            }
        }
        Ok(tally)
    }
}

impl Tally {
    /// Returns the number of items in each list for which histograms are kept.
    fn shape(&self) -> [(&'static str, usize); 6] {
        [
            ("sides", self.sides.len()),
            ("combatants", self.combatants.len()),
            ("outcomes", self.outcomes.len()),
            ("metrics of encounters", ENCOUNTER_COUNTS.len()),
            ("metrics of sides", SIDE_COUNTS.len()),
            ("metrics of combatants", COMBATANT_COUNTS.len()),
        ]
    }
}

/// The number of encounters in which a metric has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Often {
    Always,
    Sometimes,
    Never,
}

impl Often {
    /// Classifies the metrics of a list. A metric that has a value even in an encounter without events has one in every
    /// encounter.
    fn of<const N: usize>(
        list: &[Metric; N],
        clock: Clock,
        of_nothing: impl FnOnce(&mut dyn FnMut(usize, u32)),
    ) -> [Self; N] {
        let mut often = std::array::from_fn(|index| {
            if list[index].clocks.has(clock) {
                Self::Sometimes
            } else {
                Self::Never
            }
        });
        of_nothing(&mut |index, _| often[index] = Self::Always);
        often
    }

    fn in_encounters(clock: Clock) -> [Self; ENCOUNTER_COUNTS.len()] {
        Self::of(&ENCOUNTER_COUNTS, clock, |count| {
            metrics::each_encounter_count(&Record::default(), clock, count);
        })
    }

    fn of_sides(clock: Clock) -> [Self; SIDE_COUNTS.len()] {
        Self::of(&SIDE_COUNTS, clock, |count| {
            metrics::each_side_count(&SideTotals::default(), clock, count);
        })
    }

    fn of_combatants(clock: Clock) -> [Self; COMBATANT_COUNTS.len()] {
        Self::of(&COMBATANT_COUNTS, clock, |count| {
            metrics::each_combatant_count(&Counts::default(), clock, count);
        })
    }
}

/// Reads a histogram of the range `encounters`; `often` says how many of the encounters have a value.
fn read(
    encounters: &Range<u64>,
    often: Often,
    bytes: &mut Reader<'_>,
) -> Result<Histogram, Malformed> {
    let (histogram, total) = Histogram::decode(encounters, bytes)?;
    let all = encounters.end - encounters.start;
    match often {
        Often::Always if total != all => Err(Malformed::Contradiction(
            "fewer values came than encounters were played",
        )),
        Often::Never if total > 0 => Err(Malformed::Contradiction(
            "something was counted that this clock does not have",
        )),
        _ => Ok(histogram),
    }
}
