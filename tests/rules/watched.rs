//! Plays encounters with and without an observer, and checks their events against the rules.

use crate::support::fights::{load, player, shipped, variant};
use proptest::prelude::prop_assert;
use proptest::test_runner::{Config, RngSeed, TestCaseError};
use skirmish::fight::program::Leaving;
use skirmish::fight::sum::Modifier;
use skirmish::fight::system::Clock;
use skirmish::fight::{Ending, Fight};
use skirmish::run::Play;
use skirmish::scenario::{Scenario, Variant};
use skirmish::sim::events::Moment;
use skirmish::sim::{Event, Observer, Record};

/// Returns a configuration that gives the same cases on every machine, each time.
pub(super) fn config(cases: u32, seed: u64) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..Config::default()
    }
}

/// Plays encounters of all variants on a clock with and without an observer. The records must be the same, and the
/// observer must find no violation. Returns the first violations, if any.
pub(super) fn violations<'a, W: Observer>(
    scenario: &'a Scenario,
    clock: Clock,
    (seed, encounters): (u64, u64),
    new_checker: impl Fn(&'a Variant) -> W,
    finish: impl Fn(W, &Record) -> Vec<String>,
) -> Option<String> {
    // Other clocks have observers of their own.
    let mine = |variant: &&Variant| variant.fight.system.clock == clock;
    for variant in scenario.variants.iter().filter(mine) {
        let player = player(variant, seed);
        let mut table = player.state();
        let mut unheard = Record::default();
        for encounter in 0..encounters {
            player.play(&mut table, encounter, &mut unheard);
            let mut checker = new_checker(variant);
            let heard = player.show(encounter, &mut checker);
            let place = format!("variant {}, encounter {encounter}", variant.name);
            if heard != unheard {
                return Some(format!("{place}: heard {heard:#?}, unheard {unheard:#?}"));
            }
            let violations = finish(checker, &heard);
            if !violations.is_empty() {
                return Some(format!("{place}: {violations:#?}"));
            }
        }
    }
    None
}

/// An observer of one clock that knows the rules of its encounters.
pub(super) trait Checker<'a>: Observer + Sized {
    const CLOCK: Clock;

    fn new(variant: &'a Variant) -> Self;

    /// Returns the violations, including those of the record.
    fn finish(self, record: &Record) -> Vec<String>;
}

/// Returns the violations that a checker finds in `encounters` encounters, if any.
pub(super) fn checked<'a, C: Checker<'a>>(
    scenario: &'a Scenario,
    seed: u64,
    encounters: u64,
) -> Option<String> {
    violations(scenario, C::CLOCK, (seed, encounters), C::new, C::finish)
}

/// Fails the case of a property test in which violations were found.
pub(super) fn assert_none(found: Option<String>, text: &str) -> Result<(), TestCaseError> {
    prop_assert!(found.is_none(), "{}\n{text}", found.unwrap_or_default());
    Ok(())
}

/// Asserts that a checker finds no violation in the shipped scenarios of its clock, of which there are at least
/// `least`.
#[track_caller]
pub(super) fn assert_scenarios_keep_rules<C: Checker<'static>>(least: usize) {
    let scenarios: &[Scenario] = scenarios_on(C::CLOCK).leak();
    for scenario in scenarios {
        assert_eq!(checked::<C>(scenario, 1, 50), None);
    }
    assert!(scenarios.len() >= least);
}

/// Returns whether a fight has only events of the rule books, the only ones that its observers know.
pub(super) fn is_plain(variant: &Variant) -> bool {
    let draughts = |one: &skirmish::fight::Combatant| {
        let mut items = one.items.iter();
        items.all(|item| item.power.draught().is_some()) && one.effects().count() == one.items.len()
    };
    let late = variant.fight.occasions().next().is_some();
    let leaves = |how| variant.fight.may_be_left(how);
    !late
        && variant.fight.conditions.is_empty()
        && variant.fight.combatants.iter().all(draughts)
        && ![Leaving::Flees, Leaving::Surrenders]
            .into_iter()
            .any(leaves)
}

/// Returns the shipped scenarios with a fight on a clock and without effects of other kinds (W-11).
fn scenarios_on(clock: Clock) -> Vec<Scenario> {
    let texts = shipped()
        .into_iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    let on_it = |variant: &Variant| variant.fight.system.clock == clock;
    let has = |scenario: &Scenario| scenario.variants.iter().any(on_it);
    let plain = |scenario: &Scenario| scenario.variants.iter().all(is_plain);
    texts
        .map(|text| load(&text))
        .filter(has)
        .filter(plain)
        .collect()
}

/// Asserts that both sides of a duel of equals have equal chances, within the error of this number of duels.
pub(super) fn assert_fair(text: &str) {
    let player = player(&variant(text), 5);
    let (mut table, mut record) = (player.state(), Record::default());
    let mut wins = [0_i64; 2];
    for encounter in 0..40_000 {
        player.play(&mut table, encounter, &mut record);
        if let Ending::Win(side) = record.ending {
            wins[usize::from(side)] += 1;
        }
    }
    let spread = ((wins[0] + wins[1]) as f64).sqrt();
    assert!(wins[0] + wins[1] > 30_000);
    assert!(
        ((wins[0] - wins[1]) as f64).abs() < 4.5 * spread,
        "{wins:?}"
    );
}

/// The events seen of one combatant.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Seen {
    pub(super) health: i32,
    pub(super) position: i32,
    pub(super) fallen: bool,
    pub(super) moved: u32,
    pub(super) attacks: u32,
    pub(super) hits: u32,
}

/// Whether the parts of an event's sum come to the number that counts.
pub(super) fn adds_up(event: &Event) -> bool {
    match event {
        Event::Dice { dice, sum, .. } => sum.total() == *dice,
        Event::Pool { dice, sum, .. } => {
            sum.total() == i64::from(*dice) && sum.of(Modifier::Divided) <= 0
        }
        Event::Fray { needed, sum, .. } => sum.total() == *needed && sum.of(Modifier::Wounds) <= 0,
        Event::Damage {
            rolled,
            amount,
            sum,
            ..
        } => {
            let off = [Modifier::Armour, Modifier::Soaked, Modifier::Resistance];
            let points = rolled + off.map(|modifier| sum.of(modifier)).iter().sum::<i64>();
            points.max(0) == i64::from(*amount)
        }
        // The rest is the number on the dice.
        Event::Score {
            score: total, sum, ..
        }
        | Event::Initiative { total, sum, .. } => i64::from(*total) >= sum.total(),
        Event::CombatCast { total, sum, .. } => *total >= sum.total(),
        Event::Use { healed, sum, .. }
        | Event::Heals { healed, sum, .. }
        | Event::Healed { healed, sum, .. }
        | Event::Regenerates { healed, sum, .. } => i64::from(*healed) >= sum.total(),
        _ => true,
    }
}

/// Checks the rules that hold on every clock of turns. The observers of these clocks pass all events on to it.
pub(super) struct Watcher<'a> {
    pub(super) fight: &'a Fight,
    pub(super) seen: Vec<Seen>,
    pub(super) now: Moment,
    ending: Option<Ending>,
    violations: Vec<String>,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(fight: &'a Fight) -> Self {
        let seen = fight.combatants.iter().map(|one| Seen {
            health: one.health,
            position: one.position,
            ..Seen::default()
        });
        Self {
            fight,
            seen: seen.collect(),
            now: Moment::default(),
            ending: None,
            violations: Vec::new(),
        }
    }

    pub(super) fn check(&mut self, truth: bool, rule: &str) {
        if !truth {
            let now = self.now;
            self.violations.push(format!("{now:?}: not so: {rule}"));
        }
    }

    pub(super) fn event(&mut self, moment: Moment, event: Event) {
        self.check(self.ending.is_none(), "nothing comes after the end");
        self.check(moment.round >= self.now.round, "turns go forward");
        self.now = moment;
        self.check(adds_up(&event), "the parts of a sum come to its total");
        match event {
            Event::Decision { who, .. } => {
                let fallen = self.seen[who].fallen;
                self.check(!fallen, "nobody decides after falling");
            }
            Event::Attack {
                who,
                target,
                weapon,
                hit,
                ..
            } => {
                let distance = (self.seen[who].position - self.seen[target].position).abs();
                let range = self.fight.combatants[who].weapons[weapon].range;
                self.check(distance <= range, "an attack is within range");
                let fallen = self.seen[target].fallen;
                self.check(!fallen, "an attack is on one who stands");
                self.seen[who].attacks += 1;
                self.seen[who].hits += u32::from(hit);
            }
            Event::Damage {
                target,
                amount,
                health,
                later,
                ..
            } => {
                let before = self.seen[target].health;
                let left = if later {
                    before
                } else {
                    (before - amount).max(0)
                };
                self.check(health == left, "health falls by the damage");
                self.seen[target].health = health;
            }
            Event::DamageCounts {
                target,
                amount,
                health,
            } => {
                let left = (self.seen[target].health - amount).max(0);
                self.check(health == left, "health falls by the damage put off");
                self.seen[target].health = health;
            }
            Event::Use { who, health, .. }
            | Event::Heals { who, health, .. }
            | Event::Regenerates { who, health, .. } => self.seen[who].health = health,
            Event::Fall { who } => {
                let health = self.seen[who].health;
                self.check(health == 0, "only one without health falls");
                self.seen[who].fallen = true;
            }
            Event::Step { who, from, to, .. } => {
                let here = self.seen[who].position;
                let single = here == from && (to - from).abs() == 1;
                self.check(single, "a step is one Unit");
                if let Some(arena) = self.fight.arena {
                    let inside = arena.min <= to && to <= arena.max;
                    self.check(inside, "nobody leaves the arena");
                }
                self.seen[who].position = to;
                self.seen[who].moved += 1;
            }
            Event::End { ending } => self.ending = Some(ending),
            _ => {}
        }
    }

    /// Checks the record. `watched` returns what its clock says about the counts of a combatant, and the events that
    /// the clock has seen of it.
    pub(super) fn finish(
        mut self,
        record: &Record,
        watched: impl Fn(usize) -> (bool, String),
    ) -> Vec<String> {
        let ending = self.ending;
        self.check(ending == Some(record.ending), "the ending is told");
        let mut sides: Vec<usize> = (0..self.seen.len())
            .filter(|who| !self.seen[*who].fallen)
            .map(|who| self.fight.combatants[who].side)
            .collect();
        sides.sort_unstable();
        sides.dedup();
        let fits = match record.ending {
            Ending::Win(side) => sides == [usize::from(side)],
            Ending::Mutual => sides.is_empty(),
            Ending::Timeout => sides.len() > 1 && record.rounds == self.fight.max_rounds,
            Ending::Escaped | Ending::Caught => {
                let ends = &self.fight.ends;
                let distance = record.distance.unwrap_or_default() as i32;
                let told = ends.iter().find_map(|limit| limit.ending(distance));
                sides.len() > 1 && told == Some(record.ending)
            }
            Ending::Outcome(_) => false,
        };
        self.check(fits, "the ending fits those who stand");
        for who in 0..self.seen.len() {
            let (told, seen) = (record.combatants[who], self.seen[who]);
            let (fits, more) = watched(who);
            let same = (told.health, told.units_moved, told.attacks, told.hits)
                == (seen.health, seen.moved, seen.attacks, seen.hits)
                && (told.fell_round > 0) == seen.fallen;
            let rule = format!("the record of {who}: {told:?} is {seen:?}, {more}");
            self.check(same && fits, &rule);
        }
        self.violations
    }
}
