//! Random small fights of all systems: exact values agree with samples of the same fight.
//!
//! The fights come from the property tests of each clock, made small. The bounds on a sample hold for any number of
//! encounters: a share of `n` encounters deviates from its probability by more than the bound with a chance of at most
//! 2 exp(-[`DOUBT`]) (Chernoff), and so does a mean (Bernstein). At [`DOUBT`] the bound is 6.2 standard errors, and the
//! chance that any of [`MOST_COMPARISONS`] exceeds it is below 1%.
//!
//! The test prints how many deviate by more than 3 and 4 standard errors beside how many are expected at most. A rare
//! share is far from normal, so shares are judged by tails of the binomial distribution of the same probability. Of the
//! means, only those of enough encounters to be nearly normal are counted.
//!
//! ```sh
//! cargo test --release --test main long_samples_say -- --ignored --nocapture
//! ```

use crate::rules::{chronicles, eclipse_phase, effects, generator, mage};
use crate::support::fights::{NEVER, budget, sampled, variant};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use skirmish::exact::{Budget, solve};
use skirmish::fight::system::Clock;
use skirmish::tally::{Distribution, Kind, Solution, SolvedMetric, Tally};
use std::fmt::Write as _;

/// Minus the logarithm of half the probability at which a deviation counts as an error.
const DOUBT: f64 = 19.2;

/// The number of comparisons for which [`DOUBT`] is enough.
const MOST_COMPARISONS: u64 = 1_000_000;

/// The systems, each with the seed of its fights.
const SYSTEMS: [(&str, u64); 4] = [
    ("tara-corax", 1),
    ("mage", 2),
    ("chronicles", 3),
    ("eclipse-phase", 4),
];

/// The number of fights of each kind to solve for each system.
const FIGHTS: [(Fights, usize); 3] = [
    (Fights::Plain, 25),
    (Fights::Full, 10),
    (Fights::LeaveAndEnter, 10),
];

/// The kinds of fights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fights {
    Plain,
    /// Areas, healing and conditions (W-11).
    Full,
    /// Some combatants flee or surrender (W-10), and some enter later (W-12).
    LeaveAndEnter,
}

/// The budget of a solution; fights that exceed it are skipped.
const BUDGET: Budget = budget(3_000);

const CHECKS: [&str; 10] = [
    "{ dice = \"1d20\" }",
    "{ dice = \"2d6\", bonus = 3 }",
    "{ dice = \"1d8x\", bonus = 2 }",
    "{ dice = \"3d10kh2\" }",
    "{ dice = \"1d12r1\" }",
    "{ skill = 55 }",
    "{ skill = 30, critical = \"none\" }",
    "{ pool = 4 }",
    "{ pool = 3 }",
    "{ pool = 6, required = 2 }",
];

const DAMAGES: [&str; 8] = [
    "1",
    "2",
    "5",
    "\"1d4\"",
    "\"1d6x\"",
    "\"2d4kl1-1\"",
    "\"1d3+1\"",
    "{ pool = 3 }",
];

/// The changes that make a random fight small.
#[derive(Debug, Clone)]
struct Small {
    members: usize,
    healths: Vec<u32>,
    evades: Vec<u32>,
    nearer: i32,
    rounds: u32,
    checks: Vec<&'static str>,
    damages: Vec<&'static str>,
    /// For each combatant, how many of its lines it keeps, and before which of them it attacks.
    lines: Vec<(usize, usize)>,
    bare: Vec<bool>,
    first_mover: bool,
}

fn small() -> impl Strategy<Value = Small> {
    (
        (
            select(vec![2_usize, 2, 2, 3, 4]),
            vec(
                (2_u32..=15, 2_u32..=15).prop_map(|(one, other)| one.min(other)),
                4,
            ),
            vec(6_u32..=14, 4),
            select(vec![2, 5, 9, 40]),
            select(vec![1_u32, 3, 5, 12, 40]),
        ),
        (
            vec(proptest::option::of(select(&CHECKS[..])), 9),
            vec(proptest::option::of(select(&DAMAGES[..])), 9),
            vec((1_usize..=4, 0_usize..=4), 4),
            vec(any::<bool>(), 4),
            any::<bool>(),
        ),
    )
        .prop_map(
            |(
                (members, healths, evades, nearer, rounds),
                (checks, damages, lines, bare, first_mover),
            )| {
                let kept = |some: Vec<Option<&'static str>>| {
                    some.into_iter().map(Option::unwrap_or_default).collect()
                };
                Small {
                    members,
                    healths,
                    evades,
                    nearer,
                    rounds,
                    checks: kept(checks),
                    damages: kept(damages),
                    lines,
                    bare,
                    first_mover,
                }
            },
        )
}

impl Small {
    /// Returns the text of `fight` made small, line by line.
    fn text(&self, fight: &str) -> String {
        let mut parts = fight.split("[[combatants]]\n");
        let mut text = String::new();
        let (mut checks, mut damages) = (self.checks.iter(), self.damages.iter());
        let mut is_weapon = false;
        for line in parts.next().unwrap_or_default().lines() {
            if line.starts_with('[') {
                is_weapon = line.starts_with("[weapons.");
            }
            let key = line.split(" = ").next().unwrap_or_default();
            let other = match key {
                // Willpower buys successes only of pools.
                "check" if is_weapon && !line.contains("brawl") => checks.next(),
                "damage" if is_weapon => damages.next(),
                _ => None,
            };
            let other = other.filter(|other| !other.is_empty());
            match (key, other) {
                ("max_rounds", _) => {
                    let _ = writeln!(text, "max_rounds = {}", self.rounds);
                    if self.first_mover {
                        text += "first_mover = true\n";
                    }
                }
                (_, Some(other)) => {
                    let _ = writeln!(text, "{key} = {other}");
                }
                _ => {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
        for (index, part) in parts.take(self.members).enumerate() {
            text += "[[combatants]]\n";
            if !part.contains("\nevade = ") {
                let _ = writeln!(text, "evade = {}", self.evades[index]);
            }
            let health = self.healths[index];
            if fight.contains("\"mage\"") {
                let levels = (0..2 + health / 3)
                    .map(|level| format!("{{ name = \"l{level}\", penalty = {} }}", level / 2));
                let levels: Vec<String> = levels.collect();
                let _ = writeln!(text, "health = [{}]", levels.join(", "));
            }
            let policy = self.policy(index, part);
            for line in part.lines() {
                let (key, value) = line.split_once(" = ").unwrap_or_default();
                let _ = match key {
                    "health" => writeln!(text, "health = {health}"),
                    "position" => {
                        let position: i32 = value.parse().unwrap();
                        writeln!(text, "position = {}", position / self.nearer)
                    }
                    "policy" => writeln!(text, "policy = [{}]", policy.join(", ")),
                    // Healing puts health into the situation.
                    "items" if !policy.concat().contains("use") => Ok(()),
                    "regeneration" | "ongoing" if self.bare[index] => Ok(()),
                    _ => writeln!(text, "{line}"),
                };
            }
        }
        text
    }

    /// Returns the lines of a combatant: some of its own, and in most cases an attack and an advance.
    fn policy<'a>(&self, index: usize, part: &'a str) -> Vec<&'a str> {
        let all = part
            .lines()
            .find_map(|line| line.strip_prefix("policy = ["));
        let all = all.unwrap_or_default().trim_end_matches(']');
        let (kept, attack) = self.lines[index];
        let mut lines: Vec<&str> = all.split_inclusive("\", ").collect();
        for line in &mut lines {
            *line = line.trim_end_matches(", ");
        }
        lines.truncate(kept);
        if attack <= lines.len() {
            if part.contains("\nweapons = ") {
                lines.insert(attack, "\"attack\"");
            }
            lines.push("\"advance\"");
        }
        lines
    }
}

/// Returns the fights of a system in sequence, the same in each run.
pub(crate) fn fights(
    system: &str,
    seed: u64,
    kind: Fights,
) -> impl Iterator<Item = String> + use<> {
    let (clock, plain) = match system {
        "tara-corax" => (
            Clock::Marks,
            prop_oneof![generator::duel(), generator::brawl()].boxed(),
        ),
        "mage" => (Clock::Turns, mage::properties::brawl().boxed()),
        "chronicles" => (Clock::Order, chronicles::properties::brawl().boxed()),
        _ => (Clock::Phases, eclipse_phase::properties::brawl().boxed()),
    };
    let brawl = if kind == Fights::Full {
        effects::brawl(clock).boxed()
    } else {
        plain
    };
    let fight = if kind == Fights::LeaveAndEnter {
        let all = (brawl, small(), 0_u64..1_000);
        let left = |(fight, small, seed): (String, Small, u64)| {
            effects::with_reserves(&effects::with_leavers(&small.text(&fight), seed), seed)
        };
        all.prop_map(left).boxed()
    } else {
        let all = (brawl, small());
        all.prop_map(|(fight, small)| small.text(&fight)).boxed()
    };
    let mut runner = TestRunner::new(Config {
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..Config::default()
    });
    std::iter::from_fn(move || Some(fight.new_tree(&mut runner).ok()?.current()))
}

/// The probabilities that a normal variable is beyond 3 and 4 standard errors.
const BEYOND: [f64; 2] = [2.699_796e-3, 6.334_248e-5];

/// Returns the logarithm of a factorial.
fn log_factorial(n: f64) -> f64 {
    let small = |n: f64| (2..=n as u32).map(|i| f64::from(i).ln()).sum();
    let stirling = || {
        let whole = n * n.ln() - n + 0.5 * (std::f64::consts::TAU * n).ln();
        whole + 1.0 / (12.0 * n) - 1.0 / (360.0 * n.powi(3))
    };
    if n < 30.0 { small(n) } else { stirling() }
}

/// Returns the probability that a binomial count lies as far out as `count` on the same side, or as far out on the
/// other.
fn tails(count: f64, n: f64, chance: f64) -> f64 {
    let ways = log_factorial(n) - log_factorial(count) - log_factorial(n - count);
    let log = ways + count * chance.ln() + (n - count) * (-chance).ln_1p();
    let odds = chance / (1.0 - chance);
    let (mut term, mut sum, mut at) = (log.exp(), 0.0, count);
    while term > sum * 1e-9 {
        sum += term;
        if count > n * chance {
            term *= odds * (n - at) / (at + 1.0);
            at += 1.0;
        } else {
            term *= at / (odds * (n - at + 1.0));
            at -= 1.0;
        }
    }
    (2.0 * sum).min(1.0)
}

#[test]
fn tails_are_those_of_the_binomial_distribution() {
    // 5 of 5 at one half, and 2 of 10 at one fifth: 2 * 0.6777995264 is more than 1.
    assert!((tails(5.0, 5.0, 0.5) - 2.0 / 32.0).abs() < 1e-12);
    assert!((tails(2.0, 10.0, 0.2) - 1.0).abs() < 1e-12);
    assert!((tails(0.0, 10.0, 0.2) - 2.0 * 0.8_f64.powi(10)).abs() < 1e-9);
    // A count at which the distribution is nearly normal.
    let far = tails(504_000.0, 1_000_000.0, 0.5);
    assert!((far / 1.26e-15 - 1.0).abs() < 0.1, "{far}");
}

/// The comparisons made so far.
#[derive(Debug, Default)]
struct Compared {
    fights: u64,
    /// The numbers of shares, of means, and of means that are nearly normal.
    shares: u64,
    means: u64,
    normal: u64,
    /// The greatest deviation in standard errors: of a share, from its relative entropy, and of a mean.
    errors: [f64; 2],
    /// For shares and means, how many are less likely than each of [`BEYOND`].
    beyond: [[u64; 2]; 2],
    wrong: Vec<String>,
}

impl Compared {
    /// Records as wrong a count that is implausible if the probability is within `error` of `exact`.
    fn share(&mut self, what: impl Fn() -> String, (count, n): (u64, f64), exact: f64, error: f64) {
        let share = count as f64 / n;
        let chance = share.clamp(exact - error, exact + error).clamp(0.0, 1.0);
        // The relative entropy.
        let part = |share: f64, chance: f64| match share {
            0.0 => 0.0,
            _ => share * (share / chance).ln(),
        };
        let entropy = part(share, chance) + part(1.0 - share, 1.0 - chance);
        self.shares += 1;
        let errors = (2.0 * n * entropy.max(0.0)).sqrt();
        self.errors[0] = self.errors[0].max(errors);
        if errors > 2.5 {
            let tails = tails(count as f64, n, chance);
            for (beyond, limit) in self.beyond[0].iter_mut().zip(BEYOND) {
                *beyond += u64::from(tails < limit);
            }
        }
        if entropy.is_nan() || n * entropy > DOUBT {
            self.wrong
                .push(format!("{}: {count} of {n}, exactly {exact}", what()));
        }
    }

    /// Records as wrong a sampled mean that is implausible.
    fn mean(&mut self, what: impl Fn() -> String, fact: &SolvedMetric, sample: &Distribution) {
        let Some([low, exact, high]) = fact.mean else {
            return;
        };
        let n = sample.total() as f64;
        let entries = || {
            sample
                .entries()
                .iter()
                .map(|e| (f64::from(e.value), e.count as f64 / n))
        };
        let mean: f64 = entries().map(|(value, share)| value * share).sum();
        let exactly = || {
            fact.weights
                .iter()
                .flatten()
                .map(|(value, weight)| (f64::from(*value), *weight))
        };
        let about = |(value, weight): (f64, f64)| weight * (value - exact) * (value - exact);
        let (variance, farthest) = if fact.weights.is_some() {
            (
                exactly().map(about).sum::<f64>(),
                exactly()
                    .map(|(value, _)| (value - exact).abs())
                    .fold(0.0, f64::max),
            )
        } else {
            (
                entries().map(about).sum::<f64>(),
                entries()
                    .map(|(value, _)| (value - exact).abs())
                    .fold(1.0, f64::max),
            )
        };
        let error = (2.0 * variance * DOUBT / n).sqrt() + 3.0 * farthest * DOUBT / n;
        self.means += 1;
        if (n * variance).sqrt() > 50.0 * farthest {
            let errors = (mean - mean.clamp(low, high)).abs() / (variance / n).sqrt();
            self.normal += 1;
            self.errors[1] = self.errors[1].max(errors);
            for (beyond, limit) in self.beyond[1].iter_mut().zip([3.0, 4.0]) {
                *beyond += u64::from(errors > limit);
            }
        }
        if !(low <= exact && exact <= high && low - error <= mean && mean <= high + error) {
            self.wrong.push(format!(
                "{}: mean {mean} +- {error} of {n}, exactly {low} {exact} {high}",
                what()
            ));
        }
    }

    fn fact(&mut self, fight: &str, fact: &SolvedMetric, sample: &Distribution) {
        let n = sample.total() as f64;
        let name = || format!("{fight} {} {}", fact.metric.name, fact.subject);
        let none = fact
            .weights
            .iter()
            .flatten()
            .all(|(_, weight)| *weight == 0.0);
        if n == 0.0 {
            return;
        }
        if none && fact.weights.is_some() && fact.metric.is_of_some() {
            self.wrong.push(format!(
                "{}: {n} encounters have a value, exactly none",
                name()
            ));
            return;
        }
        self.mean(name, fact, sample);
        let Some(weights) = &fact.weights else {
            return;
        };
        let count = |value: u32| {
            let entry = sample.entries().iter().find(|entry| entry.value == value);
            entry.map_or(0, |entry| entry.count)
        };
        let curve = fact.metric.kind == Kind::Curve;
        for (value, weight) in weights {
            // A sample's curve ends with its longest encounter.
            if curve
                && sample
                    .entries()
                    .last()
                    .is_some_and(|last| last.value < *value)
            {
                continue;
            }
            self.share(
                || format!("{} is {value}", name()),
                (count(*value), n),
                *weight,
                fact.error,
            );
        }
        for entry in sample.entries() {
            if weights.iter().all(|(value, _)| *value != entry.value) {
                self.share(
                    || format!("{} is {}", name(), entry.value),
                    (entry.count, n),
                    0.0,
                    fact.error,
                );
            }
        }
    }

    fn fight(&mut self, name: &str, solution: &Solution, tally: &Tally) {
        for fact in &solution.facts {
            self.fact(name, fact, &tally.distribution(fact.metric, fact.subject));
        }
    }
}

/// Solves fights of a system, and compares the exact values with a sample of `encounters` of each fight.
fn compare((system, seed): (&str, u64), encounters: u64) -> u64 {
    let mut all = 0;
    for (kind, wanted) in FIGHTS {
        let mut compared = Compared::default();
        compared.fights((system, seed), kind, wanted, encounters);
        println!("{system} {kind:?}: {compared}");
        assert!(compared.wrong.is_empty(), "{}", compared.wrong.join("\n"));
        all += compared.shares + compared.means;
    }
    all
}

impl std::fmt::Display for Compared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            fights,
            shares,
            means,
            normal,
            errors,
            beyond: [of_shares, of_means],
            ..
        } = self;
        let expected = |count: u64| BEYOND.map(|chance| count as f64 * chance);
        write!(
            f,
            "{fights} fights; {shares} shares, {:.2} standard errors at most, beyond 3 and 4 {of_shares:?} ({:.1?} \
             expected at most); {means} means, {:.2} at most, beyond {of_means:?} of {normal} ({:.1?})",
            errors[0],
            expected(*shares),
            errors[1],
            expected(*normal),
        )
    }
}

impl Compared {
    fn fights(
        &mut self,
        (system, seed): (&str, u64),
        kind: Fights,
        wanted: usize,
        encounters: u64,
    ) {
        for (index, text) in fights(system, seed, kind).enumerate() {
            let variant = variant(&text);
            let (fight, rules) = (&variant.fight, &variant.rules);
            let mut calls = 0;
            let mut is_quick = |_, _, _| {
                calls += 1;
                calls < 300
            };
            let Ok(solution) = solve(fight, rules, BUDGET, &|_| true, &NEVER, &mut is_quick) else {
                assert!(index < 1000, "{system}: fights are too large");
                continue;
            };
            let sample = sampled(&variant, seed + index as u64, encounters);
            let before = self.wrong.len();
            self.fight(&format!("{system} {kind:?} {index}"), &solution, &sample);
            if self.wrong.len() > before {
                self.wrong.push(text);
            }
            self.fights += 1;
            if self.fights as usize == wanted {
                return;
            }
        }
    }
}

fn agree(encounters: u64) {
    let systems = std::thread::scope(|scope| {
        let all = SYSTEMS.map(|system| scope.spawn(move || compare(system, encounters)));
        all.map(|one| one.join().unwrap())
    });
    for all in systems {
        assert!(all > 1_000 && all < MOST_COMPARISONS / 4);
    }
}

#[test]
fn random_small_fights_are_what_samples_say() {
    agree(4_000);
}

/// The same comparison with samples that give a share to 0.1%; it takes half an hour with optimizations.
#[test]
#[ignore = "half an hour"]
fn random_small_fights_are_what_long_samples_say() {
    agree(4_000_000);
}
