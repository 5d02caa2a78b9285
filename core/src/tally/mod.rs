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
pub use histogram::{Distribution, Histogram, ValueCount, are_few};
pub use metrics::{Kind, Metric, Scope};
pub use pairs::Pairs;
pub use solved::{Solution, SolvedMetric};
pub use values::{ValueColumn, Values};

use crate::fight::Ending;
use crate::fight::Fight;
use crate::fight::system::{Clock, System};
use crate::sim::record::{Counts, Record};
use code::{Malformed, Reader, contradicts};
use metrics::{COMBATANT_PLACES, NO_SIDES, Source, places};
use std::ops::{Range, RangeInclusive};

/// The counts of any number of encounters of one fight, or the solution of the fight instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    system: &'static System,
    /// The metrics that are measured.
    metrics: Vec<&'static Metric>,
    sides: Vec<String>,
    combatants: Vec<String>,
    /// The names of the endings that a goal brings about and no side wins.
    outcomes: Vec<String>,
    /// The side of each combatant.
    side_of: Vec<usize>,
    /// The greatest value of each count, by its place, if there is a limit.
    limits: Vec<Option<u32>>,
    encounters: u64,
    /// The histogram of each count, by its place ([`metrics::each_count`]).
    counts: Vec<Histogram>,
    /// The number of encounters in which each combatant made no decision at all.
    idle: Vec<u64>,
    /// The solution of a solved fight, which has no encounters.
    solution: Option<Box<Solution>>,
}

impl Tally {
    /// Creates a tally of no encounters.
    pub fn new(fight: &Fight) -> Self {
        let sides = fight.sides.len();
        let places = places(sides, fight.combatants.len());
        let metrics: Vec<_> = metrics::all()
            .filter(|metric| metric.is_measured(fight))
            .collect();
        let mut limits = vec![None; places];
        for metric in metrics::all() {
            for subject in 0..metric.scope.subjects(fight).count() {
                limits[metric.place(sides, subject)] = metric.limit(fight, subject);
            }
        }
        Self {
            system: fight.system,
            metrics,
            sides: fight.sides.clone(),
            combatants: fight.combatants.iter().map(|c| c.name.clone()).collect(),
            outcomes: fight.outcomes().map(str::to_owned).collect(),
            side_of: fight.combatants.iter().map(|c| c.side).collect(),
            limits,
            encounters: 0,
            counts: vec![Histogram::default(); places],
            idle: vec![0; fight.combatants.len()],
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

    fn fact(&self, metric: &Metric, subject: usize) -> Option<&SolvedMetric> {
        let mut facts = self.solution()?.facts.iter();
        facts.find(|fact| fact.metric.name == metric.name && fact.subject == subject)
    }

    /// Counts one encounter. The order of encounters does not matter.
    ///
    /// # Panics
    /// If the record is not of the fight that this tally was created for.
    pub fn add(&mut self, encounter: u64, record: &Record) {
        assert!(
            record.combatants.len() == self.idle.len(),
            "a record of another fight"
        );
        self.encounters += 1;
        // A copy for each clock leaves out the metrics of others.
        match self.system.clock {
            Clock::Marks => self.count(Clock::Marks, encounter, record),
            Clock::Turns => self.count(Clock::Turns, encounter, record),
            Clock::Order | Clock::Own => self.count(Clock::Order, encounter, record),
            Clock::Phases => self.count(Clock::Phases, encounter, record),
        }
    }

    #[inline(always)]
    fn count(&mut self, clock: Clock, encounter: u64, record: &Record) {
        let (sides, side_of, counts) = (self.sides.len(), &self.side_of, &mut self.counts);
        metrics::each_count_mut(record, clock, sides, side_of, counts, |count, value| {
            count.add(value, encounter);
        });
        for (idle, counts) in self.idle.iter_mut().zip(&record.combatants) {
            *idle += u64::from(counts.decisions == 0);
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
                && self.metrics == other.metrics
                && self.sides == other.sides
                && self.combatants == other.combatants
                && self.outcomes == other.outcomes
                && self.side_of == other.side_of
                && self.limits == other.limits,
            "tallies of different fights"
        );
        self.encounters += other.encounters;
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.idle.iter_mut().zip(&other.idle) {
            *mine += theirs;
        }
    }

    /// Returns the number of encounters counted.
    pub fn encounters(&self) -> u64 {
        self.encounters
    }

    /// Returns the number of encounters that the side with that index won.
    pub fn wins(&self, side: usize) -> u64 {
        self.counts[0].count(side as u32)
    }

    /// Returns the number of encounters that the limit of Rounds ended.
    pub fn timeouts(&self) -> u64 {
        self.counts[0].count(metrics::winner(Ending::Timeout, self.sides.len()))
    }

    /// Returns the share of encounters that the limit of Rounds ended.
    pub fn timeout_share(&self) -> f64 {
        let fact = { self.metric(metrics::TIMEOUT) }.and_then(|metric| self.fact(metric, 0));
        let solved = fact.and_then(|fact| fact.mean).map(|[_, mean, _]| mean);
        solved.unwrap_or(self.timeouts() as f64 / self.encounters.max(1) as f64)
    }

    /// Returns the number of encounters in which the combatant with that index made no decision at all.
    pub fn idle(&self, combatant: usize) -> u64 {
        self.idle[combatant]
    }

    /// Returns whether the combatant with that index ended every encounter with 0 health.
    pub fn always_falls(&self, combatant: usize) -> bool {
        let health = self.metric("health");
        let health = health.map(|metric| self.distribution(metric, combatant));
        health.is_some_and(|health| health.entries().iter().all(|entry| entry.value == 0))
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
        self.metrics.clone().into_iter()
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
        if self.solution.is_some() {
            return Distribution::solved(self.fact(metric, subject).cloned());
        }
        let sides = self.sides.len();
        let counts = &self.counts[metric.place(sides, subject)];
        match metric.source {
            Source::Winner => self.winners(),
            Source::Ending(_) => {
                let ending = metric.ending(subject);
                let wanted = ending.map(|ending| metrics::winner(ending, sides));
                counts.share(|ending| Some(ending) == wanted)
            }
            Source::Alive => counts.share(|round| round == 0),
            Source::Standing => self.standing(&counts.distribution()),
            Source::Encounter(_) | Source::Side(_) | Source::Combatant(_) => counts
                .distribution()
                .at_least(metric.least())
                .up_to(self.limits[metric.place(sides, subject)]),
        }
    }

    /// Returns the possible endings of encounters, each with its value of `winner`.
    pub fn endings(&self) -> impl Iterator<Item = (Ending, u32)> + use<> {
        let sides = self.sides.len();
        let wins = (0..sides).map(|side| Ending::Win(side as u8));
        let chase = [Ending::Escaped, Ending::Caught].into_iter();
        let is_chase = self.metric(metrics::ESCAPED).is_some();
        let outcomes = (0..self.outcomes.len()).map(|index| Ending::Outcome(index as u8));
        wins.chain([Ending::Mutual, Ending::Timeout])
            .chain(chase.filter(move |_| is_chase))
            .chain(outcomes)
            .map(move |ending| (ending, metrics::winner(ending, sides)))
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
        let seen = self.counts[0].distribution();
        let all = self.endings().map(|(_, ending)| {
            let entry = seen.entries().iter().find(|entry| entry.value == ending);
            entry.copied().unwrap_or(ValueCount {
                value: ending,
                count: 0,
                first: None,
            })
        });
        Distribution::new(all.collect(), self.encounters)
    }

    fn standing(&self, fell: &Distribution) -> Distribution {
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
            entries.push(ValueCount {
                value: round,
                count: standing,
                first: None,
            });
        }
        Distribution::new(entries, self.encounters)
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
        let (shared, combatants) = self.counts.split_at(places(self.sides.len(), 0));
        for histogram in shared {
            histogram.encode(encounters, out);
        }
        for (counts, idle) in combatants.chunks(COMBATANT_PLACES).zip(&self.idle) {
            for histogram in counts {
                histogram.encode(encounters, out);
            }
            code::write(*idle, out);
        }
    }

    fn decode(&self, encounters: &Range<u64>, bytes: &mut Reader<'_>) -> Result<Self, Malformed> {
        for (what, number) in self.shape() {
            bytes.expect(number, what)?;
        }
        let mut tally = self.clone();
        tally.encounters = encounters.end - encounters.start;
        let mut totals = tally.totals().into_iter();
        let mut read = |histogram: &mut Histogram, bytes: &mut Reader<'_>| {
            let (read, total) = Histogram::decode(encounters, bytes)?;
            *histogram = read;
            match totals.next() {
                Some(totals) if total < *totals.start() => {
                    contradicts("fewer values came than encounters were played")
                }
                Some(totals) if total > *totals.end() => {
                    contradicts("something was counted that this clock does not have")
                }
                _ => Ok(()),
            }
        };
        let (shared, combatants) = tally.counts.split_at_mut(places(self.sides.len(), 0));
        for histogram in shared {
            read(histogram, bytes)?;
        }
        for (counts, idle) in combatants.chunks_mut(COMBATANT_PLACES).zip(&mut tally.idle) {
            for histogram in counts {
                read(histogram, bytes)?;
            }
            *idle = bytes.number()?;
            if *idle > tally.encounters {
                return contradicts("idle in more encounters than were played");
            }
        }
        let endings = self.sides.len() + NO_SIDES.len() + self.outcomes.len();
        let beyond = |ending: u32| ending as usize >= endings;
        if tally.counts[0].share(beyond).count(1) > 0 {
            return contradicts("an ending that there is not");
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
            ("metrics of encounters", places(0, 0) - 1),
            ("metrics of sides", places(1, 0) - places(0, 0)),
            ("metrics of combatants", COMBATANT_PLACES - 1),
        ]
    }

    /// Returns for each count how many encounters may have a value. A count that has one even in an encounter without
    /// events has one in every encounter.
    fn totals(&self) -> Vec<RangeInclusive<u64>> {
        let (clock, sides) = (self.system.clock, self.sides.len());
        let mut totals = vec![0..=self.encounters; self.counts.len()];
        let nothing = Record {
            combatants: vec![Counts::default(); self.combatants.len()],
            ..Record::default()
        };
        let (all, side_of) = (&mut totals, &self.side_of);
        metrics::each_count_mut(&nothing, clock, sides, side_of, all, |total, _| {
            *total = self.encounters..=self.encounters;
        });
        for metric in metrics::all().filter(|metric| !metric.clocks.has(clock)) {
            for subject in 0..self.subjects(metric.scope) {
                totals[metric.place(sides, subject)] = 0..=0;
            }
        }
        totals
    }
}
