//! Exact answers, compared with fights solved by hand and with samples; health in the situation, compared with health
//! beside it.

mod after;
mod clocks;
mod commands;
mod criticals;
mod pools;
pub(crate) mod random;
mod words;

use crate::support::fights::{self, budget, load};
use crate::support::fights::{sampled, variant};
use skirmish::exact::{Budget, Limit, Solution, SolvedMetric, TooLarge};
use skirmish::scenario::{Scenario, Variant};
use skirmish::stats::{Confidence, Summary};
use skirmish::tally::Tally;
use std::cmp::Ordering;
use std::collections::BTreeMap;

const BUDGET: Budget = budget(200_000);

fn solved(variant: &Variant, budget: Budget) -> Result<Solution, TooLarge> {
    fights::solved(variant, budget, true)
}

fn fact<'a>(solution: &'a Solution, metric: &str, subject: usize) -> &'a SolvedMetric {
    let mut facts = solution.facts.iter();
    let found = facts.find(|fact| fact.metric.name == metric && fact.subject == subject);
    found.expect("a metric of that name")
}

/// Returns the mean of a metric. Asserts that its bounds contain it and are no farther apart than 1e-9 of it.
pub(crate) fn mean(solution: &Solution, metric: &str, subject: usize) -> f64 {
    let [low, mean, high] = fact(solution, metric, subject).mean.expect("a mean");
    assert!(low <= mean && mean <= high, "{metric}: {low} {mean} {high}");
    assert!(
        high - low <= 1e-9 * mean.max(1.0),
        "{metric}: {low} to {high}"
    );
    mean
}

/// Two combatants side by side in the Simple Round with fixed initiative: the first attacks first, each attacks once a
/// Round, and a hit fells its target.
const FIRST_HIT: &str = r#"
format = 1
system = "tara-corax"
[rules]
round = "simple"
initiative = { mode = "fixed" }
[encounter]
max_rounds = 5
[weapons.sword]
kind = "melee"
attacks = 1
check = { dice = "1d20" }
damage = "10"
[[combatants]]
name = "one"
side = "ones"
position = 0
attributes = { agility = 20, intellect = 20 }
move = 10
evade = 15
health = 5
weapons = ["sword"]
policy = ["attack"]
[[combatants]]
name = "other"
side = "others"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 11
health = 5
weapons = ["sword"]
policy = ["attack"]
"#;

#[test]
fn a_duel_of_first_hits_is_a_geometric_series() {
    let [variant] = &load(FIRST_HIT).variants[..] else {
        panic!("one variant");
    };
    let solution = solved(variant, BUDGET).expect("a small fight");
    // A roll that reaches Evade hits: 10 faces of 20, and 6 of 20.
    let (first, second) = (10.0 / 20.0, 6.0 / 20.0);
    let neither = (1.0 - first) * (1.0 - second);
    let rounds = |share: f64| {
        (0..5)
            .map(|round| share * f64::powi(neither, round))
            .sum::<f64>()
    };
    let close = |value: f64, expected: f64| {
        assert!(
            (value - expected).abs() < 1e-12,
            "{value} is not {expected}"
        );
    };
    close(mean(&solution, "win_rate", 0), rounds(first));
    close(
        mean(&solution, "win_rate", 1),
        rounds((1.0 - first) * second),
    );
    close(mean(&solution, "timeout", 0), f64::powi(neither, 5));
    let weights = fact(&solution, "rounds", 0).weights.as_ref().unwrap();
    close(weights[0].1, 1.0 - neither);
    close(weights[4].1, f64::powi(neither, 4));
    close(mean(&solution, "attacks", 0), rounds(1.0));
    close(mean(&solution, "hits", 0), rounds(first));
    close(
        mean(&solution, "health", 0),
        5.0 * (1.0 - rounds((1.0 - first) * second)),
    );
}

/// Situations that are reached only after the last Round are timeouts, although they are never played.
#[test]
fn a_duel_of_first_hits_that_ends_at_its_limit_is_undecided() {
    let neither: f64 = (1.0 - 10.0 / 20.0) * (1.0 - 6.0 / 20.0);
    for limit in 1..=3 {
        let text = FIRST_HIT.replace("max_rounds = 5", &format!("max_rounds = {limit}"));
        let solution = solved(&variant(&text), BUDGET).expect("a small fight");
        let timeout = mean(&solution, "timeout", 0);
        assert!(
            (timeout - neither.powi(limit)).abs() < 1e-12,
            "{limit} Rounds: {timeout}"
        );
        let first = 10.0 / 20.0 * (1.0 - timeout) / (1.0 - neither);
        let wins = mean(&solution, "win_rate", 0);
        assert!((wins - first).abs() < 1e-12, "{limit} Rounds: {wins}");
    }
}

/// Asserts means, each given by metric and subject.
fn has_means(text: &str, expected: &[(&str, usize, f64)]) {
    let solution = solved(&variant(text), BUDGET).expect("a small fight");
    for &(metric, subject, expected) in expected {
        let value = mean(&solution, metric, subject);
        assert!(
            (value - expected).abs() < 1e-12,
            "{metric} {subject}: {value} is not {expected}"
        );
    }
}

#[test]
fn w_10_who_surrenders_when_hurt_is_solved_by_hand() {
    let hurt = FIRST_HIT
        .replacen("damage = \"10\"", "damage = \"10\"\n[weapons.stick]\nkind = \"melee\"\nattacks = 1\ncheck = { dice = \"1d20\" }\ndamage = \"3\"", 1)
        .replacen("[\"sword\"]", "[\"stick\"]", 1);
    let policy = |lines: &str| {
        let (before, after) = hurt.rsplit_once("[\"attack\"]").unwrap();
        format!("{before}{lines}{after}")
    };
    // The first to hit with a stick wins: the other has 2 points left, and surrenders.
    let (first, second) = (10.0 / 20.0, 6.0 / 20.0);
    let neither: f64 = (1.0 - first) * (1.0 - second);
    let wins = first * (1.0 - neither.powi(5)) / (1.0 - neither);
    let last = neither.powi(5);
    has_means(
        &policy("[\"surrender if health < 5\", \"attack\"]"),
        &[
            ("win_rate", 0, wins),
            ("win_rate", 1, 1.0 - last - wins),
            ("surrendered", 1, wins),
            ("alive", 1, 1.0),
            ("health", 1, 5.0 - 3.0 * wins),
            ("health_left", 1, 5.0 - 3.0 * wins),
            ("timeout", 0, last),
        ],
    );
    // No line reads health: the blow comes first, and the other surrenders in any case.
    has_means(
        &policy("[\"surrender\"]"),
        &[
            ("win_rate", 0, 1.0),
            ("surrendered", 1, 1.0),
            ("hits", 0, first),
            ("health", 1, 5.0 - 3.0 * first),
            ("rounds", 0, 1.0),
        ],
    );
}

#[test]
fn w_5_damage_that_does_not_count_is_not_solved_either() {
    let one = |name: &str, side: &str, initiative: u32, more: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{side}'\nposition = 0\ninitiative = {initiative}\nmove = 10\nevade = 5\n{more}\n"
        )
    };
    let text = [
        "system = 'tara-corax'\nrules.initiative.dice = 0\n[encounter]\nmax_rounds = 1\n\
         goals.regicide = { wins = 'x', falls = 'king' }\n\
         [items.bomb]\ntarget = 'enemy'\nrange = 1\narea = 1\nspares = 'allies'\ncost = 'full'\ndamage = '1d4+1'\n",
        &one(
            "a",
            "x",
            20,
            "health = 10\nitems = ['bomb']\npolicy = ['use bomb']",
        ),
        &one("b", "y", 20, "health = 10\npolicy = ['pass']"),
        &one("king", "y", 10, "health = 1\npolicy = ['pass']"),
    ];
    // The bomb fells the king at once, so that what it does to b, who is tied, never counts.
    let damage = 3.5;
    has_means(
        &text.concat(),
        &[
            ("win_rate", 0, 1.0),
            ("damage", 0, damage),
            ("damage_taken", 1, 0.0),
            ("damage_taken", 2, damage),
        ],
    );
}

#[test]
fn w_5_damage_to_a_combatant_that_falls_meanwhile_counts_whole() {
    // Both are tied. The bomb fells its owner at once; the arrow, which half of the attacks are, still hits it.
    let text = "system = 'mage'\nrules.health = 'points'\nrules.initiative.dice = 0\n\
         [encounter]\nmax_rounds = 1\n\
         [weapons.bow]\nkind = 'ranged'\ncheck = { pool = 1, difficulty = 6, tens = 'plain' }\n\
         damage = '1d6'\nrange = 10\n\
         [items.bomb]\ntarget = 'self'\neffects = [{ damage = 3 }]\n\
         [[combatants]]\nname = 'archer'\nside = 'red'\nposition = 5\nweapons = ['bow']\nhealth = 4\n\
         policy = ['attack']\nattributes = { dexterity = 3, wits = 3, stamina = 1 }\n\
         [[combatants]]\nname = 'bomber'\nside = 'blue'\nposition = 0\nitems = ['bomb']\nhealth = 3\n\
         policy = ['use bomb']\nattributes = { dexterity = 3, wits = 3, stamina = 1 }\n";
    has_means(
        text,
        &[
            ("win_rate", 0, 1.0),
            ("damage", 0, 0.5 * 3.5),
            ("damage_taken", 1, 3.0 + 0.5 * 3.5),
        ],
    );
}

#[test]
fn w_12_who_enters_in_the_third_round_is_solved_by_hand() {
    let (before, other) = FIRST_HIT.rsplit_once("[[combatants]]").unwrap();
    let idle = other.replace("[\"attack\"]", "[\"pass\"]");
    let late = other.replace("name = \"other\"", "name = \"late\"\nenters = 3");
    let text = format!("{before}[[combatants]]{idle}[[combatants]]{late}");
    // The first has two Rounds to fell the idle combatant, with a chance of one half each; then it may be felled by 6
    // faces of 20.
    let (open, falls) = (0.25, 6.0 / 20.0);
    let fight = |rounds: u32| text.replace("max_rounds = 5", &format!("max_rounds = {rounds}"));
    has_means(
        &fight(3),
        &[
            ("win_rate", 0, 1.0 - open),
            ("win_rate", 1, open * falls),
            ("timeout", 0, open * (1.0 - falls)),
            ("alive", 1, open * 0.5),
            ("alive", 2, 1.0),
            ("attacks", 2, open),
            ("health", 2, 5.0),
            ("rounds", 0, 0.5 + 2.0 * 0.25 + 3.0 * open),
        ],
    );
    // Before the reserve enters, the idle combatant is the only enemy.
    has_means(&fight(2), &[("timeout", 0, open), ("attacks", 2, 0.0)]);
}

#[test]
fn a_situation_that_nothing_counted_reaches_is_left_out() {
    // When a metric is counted by itself, blows of this fight do none of its amounts.
    let one = |name: &str,
               side: &str,
               (position, health): (i32, i32),
               initiative: i32,
               more: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = '{side}'\nposition = {position}\nhealth = {health}\n\
             initiative = {initiative}\nmove = 12\nweapons = ['sword']\npolicy = ['attack']\n{more}"
        )
    };
    let text = "system = 'eclipse-phase'\n[encounter]\nmax_rounds = 3\nwaits_for_reserves = true\n\
        [encounter.hazards.fire]\nfirst = 2\nfalls = 'guard'\neffects = [{ damage = 1 }]\n\
        [weapons.sword]\nkind = 'melee'\nreach = 9\ncheck = { skill = 60 }\ndamage = 3\n"
        .to_owned()
        + &one("guard", "guards", (0, 3), 6, "")
        + &one(
            "relief",
            "guards",
            (0, 6),
            5,
            "enters = { falls = 'guard' }\n",
        )
        + &one("raider", "raiders", (3, 6), 4, "")
        + &one(
            "second",
            "raiders",
            (3, 3),
            3,
            "enters = { round = 2, when = 'enemies > allies' }\n",
        );
    let variant = &variant(&text);
    let budget = budget(2_000_000);
    let solution = solved(variant, budget).map_err(|large| large.states);
    let solution = solution.expect("enough room");
    agrees_with_samples(variant, &solution, 40_000);
}

/// Plays a variant and compares the means of all metrics: each is within 5 standard errors.
pub(crate) fn agrees_with_samples(variant: &Variant, solution: &Solution, encounters: u64) {
    let tally = sampled(variant, 1, encounters);
    for fact in &solution.facts {
        let Some([low, _, high]) = fact.mean else {
            continue;
        };
        let distribution = tally.distribution(fact.metric, fact.subject);
        let entries = || distribution.entries().iter();
        let n = distribution.total() as f64;
        if n == 0.0 {
            continue;
        }
        let mean = entries()
            .map(|e| f64::from(e.value) * e.count as f64)
            .sum::<f64>()
            / n;
        let square = |value: u32| (f64::from(value) - mean) * (f64::from(value) - mean);
        let variance = entries()
            .map(|e| square(e.value) * e.count as f64)
            .sum::<f64>()
            / n;
        for (value, weight) in fact.weights.iter().flatten() {
            let entry = entries().find(|entry| entry.value == *value);
            let share = entry.map_or(0.0, |entry| entry.count as f64) / n;
            let error = 5.0 * (weight * (1.0 - weight).max(0.0) / n).sqrt() + 5.0 / n;
            assert!(
                (share - weight).abs() <= error,
                "{} {} {}: {value} in {share} of the samples, exactly {weight}",
                variant.name,
                fact.metric.name,
                fact.subject
            );
        }
        let error = 5.0 * (variance / n).sqrt() + 5.0 / n;
        assert!(
            low - error <= mean && mean <= high + error,
            "{} {} {}: {mean} sampled, {low} to {high} exact",
            variant.name,
            fact.metric.name,
            fact.subject
        );
    }
}

#[test]
fn exact_means_are_those_of_samples() {
    for (file, wanted) in [
        ("mage-initiative", 2),
        ("chronicles-door", 2),
        ("multi-attacker", 1),
        ("wizard-interceptor", 2),
        ("kiting", 1),
    ] {
        let path = format!("scenarios/{file}.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let mut solvable = 0;
        for variant in load(&text).variants {
            if file == "kiting" && variant.name != "stand and shoot" || solvable == wanted {
                continue;
            }
            let solution = solved(&variant, BUDGET).expect("a fight that can be solved");
            agrees_with_samples(&variant, &solution, 40_000);
            solvable += 1;
        }
        assert_eq!(solvable, wanted, "{file}");
    }
}

/// Pools for attack, damage and soak, with wounds (MA-8, MA-9): many rolls, and many numbers of successes, come to the
/// same damage.
const POOLS: &str = r#"
system = "mage"
[encounter]
max_rounds = 50
[weapons.knife]
kind = "melee"
reach = 1
check = { pool = "dexterity + melee", difficulty = 6 }
damage = { pool = "strength + 1" }
[[combatants]]
name = "a"
side = "a"
position = 0
attributes = { dexterity = 3, wits = 3, stamina = 3, strength = 3 }
skills = { melee = 3 }
soak = { pool = "stamina" }
weapons = ["knife"]
policy = ["attack"]
[[combatants]]
name = "b"
side = "b"
position = 1
attributes = { dexterity = 3, wits = 2, stamina = 3, strength = 3 }
skills = { melee = 2 }
soak = { pool = "stamina" }
weapons = ["knife"]
policy = ["attack"]
"#;

#[test]
fn ma_9_a_duel_of_pools_with_soak_is_solved() {
    let variant = load(POOLS).variants.remove(0);
    let solution = solved(&variant, BUDGET).expect("a fight that can be solved");
    agrees_with_samples(&variant, &solution, 40_000);
}

/// The check of a condition is rolled as the last Action Turn ends: half of the encounters time out with 5 points of
/// health, half with 7.
const TONIC: &str = r#"
system = "eclipse-phase"
[encounter]
max_rounds = 1
[items.tonic]
target = "self"
effects = [{ condition = "strength" }]
[conditions.strength]
modifies = { health = 2 }
ends = "check"
check = { dice = "1d20" }
needs = 11
[[combatants]]
name = "a"
side = "a"
position = 0
initiative = 9
health = 5
items = ["tonic"]
policy = ["use tonic if uses.tonic > 0"]
[[combatants]]
name = "b"
side = "b"
position = 9
initiative = 9
health = 5
policy = ["pass"]
"#;

#[test]
fn what_a_check_ends_as_the_last_round_ends_is_solved() {
    let variant = load(TONIC).variants.remove(0);
    let solution = solved(&variant, BUDGET).expect("a fight that can be solved");
    let mut facts = solution.facts.iter();
    let health = facts.find(|fact| (fact.metric.name, fact.subject) == ("health_left", 0));
    let [low, _, high] = health.unwrap().mean.unwrap();
    assert!(
        low <= 6.0 && 6.0 <= high && high - low < 1e-9,
        "{low} to {high}"
    );
}

/// A combatant that has nothing more to do this Round still becomes un-set for combatants that ask (TC-10).
const DONE_AND_UNSET: &str = r#"
system = "tara-corax"
[rules]
initiative = { mode = "fixed" }
[encounter]
max_rounds = 2
[weapons.sword]
kind = "melee"
check = { dice = "1d10" }
damage = 3
[weapons.bow]
kind = "ranged"
range = 30
check = { dice = "1d10" }
damage = 2
[[combatants]]
name = "walker"
side = "others"
position = 3
attributes = { agility = 12, intellect = 12 }
move = 5
evade = 5
health = 20
weapons = ["sword"]
policy = ["advance asker", "pass"]
[[combatants]]
name = "archer"
side = "ones"
position = 9
attributes = { agility = 8, intellect = 8 }
move = 0
evade = 5
health = 20
weapons = ["bow"]
policy = ["attack", "pass"]
[[combatants]]
name = "asker"
side = "ones"
position = 0
attributes = { agility = 5, intellect = 5 }
move = 5
evade = 5
health = 20
weapons = ["sword"]
policy = ["attack if not target.ready", "pass"]
"#;

#[test]
fn exact_answers_know_whether_one_who_is_done_is_set() {
    let [variant] = &load(DONE_AND_UNSET).variants[..] else {
        panic!("one variant");
    };
    let solution = solved(variant, BUDGET).expect("a small fight");
    // The asker attacks in the Round in which the walker walks, and hits with 6 faces of 10.
    assert!((mean(&solution, "damage", 2) - 1.8).abs() < 1e-9);
}

/// A line that reads health and is never reached puts health into the situation and changes nothing else: no mean, and
/// no distribution, including that of damage, which is read from health beside the situation.
#[test]
fn health_beside_the_situation_is_health_in_it() {
    let asking = FIRST_HIT.replace(
        r#"["attack"]"#,
        r#"["attack", "pass if hp < 0 or target.hp < 0"]"#,
    );
    for attacks in ["attacks = 1", "attacks = 3"] {
        let several = |text: &str| {
            text.replace("damage = \"10\"", "damage = \"1d4\"")
                .replace("attacks = 1", attacks)
        };
        let [beside, within] = [several(FIRST_HIT), several(&asking)].map(|text| {
            let variants = load(&text).variants;
            solved(&variants[0], BUDGET).expect("a small fight")
        });
        assert!(within.states > beside.states);
        for (one, other) in beside.facts.iter().zip(&within.facts) {
            let name = one.metric.name;
            assert_eq!(name, other.metric.name);
            if let (Some(one), Some(other)) = (one.mean, other.mean) {
                assert!((one[1] - other[1]).abs() < 1e-12, "{name}: {one:?}");
            }
            let of = |fact: &SolvedMetric| -> BTreeMap<u32, f64> {
                let weights = fact.weights.as_deref().unwrap_or_default();
                weights.iter().copied().collect()
            };
            let (one, other) = (of(one), of(other));
            for value in one.keys().chain(other.keys()) {
                let share = |of: &BTreeMap<u32, f64>| of.get(value).copied().unwrap_or(0.0);
                let difference = (share(&one) - share(&other)).abs();
                assert!(difference < 1e-12, "{name} is {value}: {difference}");
            }
        }
        for (metric, subject) in [("damage", 0), ("damage_taken", 1)] {
            let weights = fact(&beside, metric, subject).weights.as_ref();
            // The last of several hits may do more damage than the target has health.
            let most = weights
                .expect("a distribution")
                .iter()
                .map(|(value, _)| *value);
            assert!(most.max() > Some(5), "{metric}");
        }
    }
}

/// TC-11: after a move the next throw is single, with this option in the next Round too.
#[test]
fn a_situation_remembers_that_its_thrower_has_moved() {
    let text = r#"
format = 1
system = "tara-corax"
[rules]
round = "full"
initiative = { mode = "fixed" }
mover_shot = "always"
[encounter]
max_rounds = 3
[weapons.knives]
kind = "thrown"
range = 3
attacks = 2
check = { dice = "1d20" }
damage = "1"
[[combatants]]
name = "thrower"
side = "one"
attributes = { agility = 16, intellect = 16 }
position = 0
move = 6
evade = 10
health = 9
weapons = ["knives"]
policy = ["attack", "advance"]
[[combatants]]
name = "mark"
side = "other"
attributes = { agility = 1, intellect = 1 }
position = 20
move = 1
evade = 11
health = 9
policy = ["pass"]
"#;
    for (position, attacks) in [(6, 3.0), (9, 2.0), (12, 1.0)] {
        let text = text.replace("position = 20", &format!("position = {position}"));
        let [variant] = &load(&text).variants[..] else {
            panic!("one variant");
        };
        let solution = solved(variant, BUDGET).expect("a small fight");
        let found = mean(&solution, "attacks", 0);
        assert!((found - attacks).abs() < 1e-9, "from {position}: {found}");
        agrees_with_samples(variant, &solution, 4_000);
    }
}

/// A reaction that picks its target by health makes the health of enemies matter to the decision that it waits for.
#[test]
fn a_readied_attack_on_the_strongest_keeps_health_in_the_situation() {
    let text = r#"
format = 1
system = "chronicles"
[encounter]
max_rounds = 4
[weapons.club]
kind = "melee"
check = { pool = 4 }
damage = 1
[[combatants]]
name = "guard"
side = "one"
position = 0
move = 3
attributes = { dexterity = 5, composure = 5 }
health = 30
weapons = ["club"]
policy = ["ready attack strongest when enemy attacks"]
[[combatants]]
name = "brigand"
count = 2
side = "other"
position = 0
move = 3
attributes = { dexterity = 2, composure = 2 }
health = 4
weapons = ["club"]
policy = ["attack"]
"#;
    let asking = text.replace(
        r#"enemy attacks"]"#,
        r#"enemy attacks", "pass if hp < 0 or target.hp < 0"]"#,
    );
    let [aimed, asked] = [text, &asking].map(|text| {
        let variants = load(text).variants;
        let solution = solved(&variants[0], BUDGET).expect("a small fight");
        agrees_with_samples(&variants[0], &solution, 4_000);
        solution
    });
    for (metric, subject) in [("win_rate", 0), ("damage", 0), ("damage", 1), ("health", 1)] {
        let [one, other] = [&aimed, &asked].map(|solution| mean(solution, metric, subject));
        assert!((one - other).abs() < 1e-12, "{metric}: {one}, {other}");
    }
    assert!(mean(&aimed, "win_rate", 0) > 0.01);
}

#[test]
fn a_fight_beyond_the_budget_is_refused() {
    let text = std::fs::read_to_string("scenarios/walled-duel.toml").unwrap();
    let budget = budget(1000);
    let refused = solved(&variant(&text), budget);
    let TooLarge { states, limit, .. } = refused.expect_err("more than 1,000 situations");
    assert_eq!((states, limit), (1000, Limit::States));
}

/// The rolls of a Round are not situations: all orders of these 13 combatants, and all rolls of tied totals. The solver
/// once took minutes to find that there are too many.
#[test]
fn a_fight_of_few_situations_and_many_rolls_is_refused_at_once() {
    let budget = budget(1000);
    for file in ["chronicles-spears", "chronicles-desperation", "reserves"] {
        let refused = solved(&base_of(file), budget).expect_err("many rolls");
        assert_eq!((refused.limit, refused.round), (Limit::Work, 1), "{file}");
    }
}

fn base_of(file: &str) -> Variant {
    let path = format!("scenarios/{file}.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    load(&text).variants.swap_remove(0)
}

/// Asserts that all bounds of a wide solution contain the exact values.
fn assert_bounds_contain(wide: &Solution, exact: &Solution) {
    for (wide, exact) in wide.facts.iter().zip(&exact.facts) {
        let name = wide.metric.name;
        let (Some([low, _, high]), Some([_, mean, _])) = (wide.mean, exact.mean) else {
            continue;
        };
        assert!(low <= mean && mean <= high, "{name}: {low} {mean} {high}");
        for (value, weight) in exact.weights.iter().flatten() {
            let mut weights = wide.weights.iter().flatten();
            let found = weights.find(|(other, _)| other == value);
            let Some([low, high]) = found.map(|(_, weight)| wide.bounds(*weight)) else {
                continue;
            };
            assert!(
                low <= *weight && *weight <= high,
                "{name} {value}: {low} {weight} {high}"
            );
        }
    }
}

#[test]
fn a_bound_leaves_rare_situations_open_and_holds_what_is_exact() {
    for file in ["multi-attacker", "mage-initiative", "chronicles-healers"] {
        let variant = base_of(file);
        let exact = solved(&variant, BUDGET).expect("a fight that can be solved");
        assert!(exact.undecided < 1e-15, "{file}");
        let mut states = exact.states;
        for bound in [1e-6, 1e-2] {
            let budget = Budget { bound, ..BUDGET };
            let wide = solved(&variant, budget).expect("less than the whole fight");
            assert!(wide.undecided <= bound, "{file}: {}", wide.undecided);
            assert!(wide.states <= states, "{file}: {} {states}", wide.states);
            states = wide.states;
            assert_bounds_contain(&wide, &exact);
        }
        let is_spread_out = file == "chronicles-healers";
        assert!(!is_spread_out || states < exact.states, "{states}");
    }
}

/// Only in situations that are left out is there anything to be counted: the gunman hits once in a hundred attacks, and
/// then nothing bounds the damage.
#[test]
fn what_was_left_out_may_do_anything() {
    let text = r#"
        system = "eclipse-phase"
        weapons.gun = { kind = "ranged", range = 50, check = { skill = 0 }, damage = "2d10" }
        combatants = [
            { name = "gunman", side = "a", position = 0, initiative = 9, health = 30, weapons = ["gun"], policy = ["attack"] },
            { name = "target", side = "b", position = 9, initiative = 1, health = 40, policy = ["retreat if hp < 40"] },
        ]
        encounter.max_rounds = 2
    "#;
    let variant = load(text).variants.swap_remove(0);
    let exact = solved(&variant, BUDGET).expect("a small fight");
    assert!(mean(&exact, "units_moved", 1) > 0.01);
    let budget = Budget {
        bound: 0.5,
        ..BUDGET
    };
    let wide = solved(&variant, budget).expect("less than the whole fight");
    assert!(wide.undecided > 0.0);
    assert_bounds_contain(&wide, &exact);
    let moved = wide.facts.iter();
    let mut moved = moved.filter(|fact| fact.metric.name == "units_moved" && fact.subject == 1);
    let [_, _, high] = moved.next().and_then(|fact| fact.mean).expect("a mean");
    assert!(high.is_infinite());
}

#[test]
fn what_is_known_of_a_fight_beyond_the_budget_holds_what_is_exact() {
    let variant = base_of("chronicles-healers");
    let exact = solved(&variant, BUDGET).expect("a fight that can be solved");
    let budget = budget(exact.states - 1);
    let large = solved(&variant, budget).expect_err("one situation too many");
    assert!(large.round > 1, "{}", large.round);
    let best = large.best.expect("most of the fight");
    assert!(best.undecided > 0.0 && best.undecided < 0.5);
    assert_bounds_contain(&best, &exact);
}

#[test]
fn healths_whose_combinations_fit_into_no_memory_are_part_of_the_situation() {
    let text = FIRST_HIT
        .replace("health = 5", "health = 1000000")
        .replace("damage = \"10\"", "damage = \"1d8x\"");
    let refused = solved(&variant(&text), BUDGET);
    assert!(!refused.expect_err("too large").stopped());
}

#[test]
fn a_solved_fight_has_the_rows_of_a_run_with_bounds_in_the_place_of_intervals() {
    let [variant] = &load(FIRST_HIT).variants[..] else {
        panic!("one variant");
    };
    let solution = solved(variant, BUDGET).expect("a small fight");
    let tally = Tally::solved(&variant.fight, solution.clone());
    assert!(tally.solution().is_some() && !tally.is_empty() && tally.encounters() == 0);
    for fact in &solution.facts {
        let distribution = tally.distribution(fact.metric, fact.subject);
        let summary = Summary::of(&distribution, fact.metric.kind, Confidence::DEFAULT);
        assert!(summary.is_exact && summary.n == 0 && summary.se.is_none());
        let bounds = summary.interval.map(|bounds| [bounds.low, bounds.high]);
        assert_eq!(summary.mean, fact.mean.map(|[_, mean, _]| mean));
        assert_eq!(bounds, fact.mean.map(|[low, _, high]| [low, high]));
    }
    let summary = |metric: &str| {
        let metric = tally.metric(metric).expect("a metric");
        let distribution = tally.distribution(metric, 0);
        Summary::of(&distribution, metric.kind, Confidence::DEFAULT)
    };
    // The standard deviation of a rate p is the root of p(1 - p).
    let (rate, spread) = (summary("win_rate").mean.unwrap(), summary("win_rate").sd);
    let expected = (rate * (1.0 - rate)).sqrt();
    assert!((spread.expect("known weights") - expected).abs() < 1e-12);
    // Some fights end in the first Round, some in the last.
    let rounds = summary("rounds")
        .points
        .map(|point| point.expect("known weights").value);
    assert_eq!([rounds[0], rounds[6]], [1, 5]);
}

/// A combatant against two, all tied until they roll off; a blow always hits and fells.
const ROLL_OFF: &str = r#"
[encounter]
max_rounds = 9
[rules]
check = "roll-over"
health = "points"
initiative = { dice = "3", ties = ["total", "roll-off"] }
[weapons.axe]
kind = "melee"
check = { dice = "1d10+9" }
damage = 9
[policies]
fight = ["attack"]
[[combatants]]
name = "black rat"
side = "rats"
position = 0
initiative = 5
move = 8
evade = 5
health = 5
weapons = ["axe"]
policy = "fight"
[[combatants]]
name = "brown rat"
side = "rats"
position = 0
initiative = 5
move = 8
evade = 5
health = 5
weapons = ["axe"]
policy = "fight"
[[combatants]]
name = "cat"
side = "cats"
position = 0
initiative = 5
move = 8
evade = 5
health = 5
weapons = ["axe"]
policy = "fight"
"#;

/// Roll-offs go on until nobody is tied, so each of three comes first as often as the others. If the cat does, the
/// first rat falls, and then the cat.
#[test]
fn w_7_a_solved_fight_rolls_off_ties_without_end() {
    for system in ["mage", "chronicles", "eclipse-phase"] {
        let text = format!("system = \"{system}\"\n{ROLL_OFF}");
        let solution = solved(&variant(&text), BUDGET).expect("a small fight");
        let has = |metric, subject, share: f64| {
            let [low, _, high] = fact(&solution, metric, subject).mean.unwrap();
            let is_within = low <= share && share <= high && high - low < 1e-11;
            assert!(is_within, "{system}: {metric}: {low} to {high}");
        };
        has("alive", 0, 2.0 / 3.0);
        has("attacks", 0, 2.0 / 3.0 / 2.0);
        has("attacks", 1, 2.0 / 3.0);
    }
}

/// The combatant that acts first wins: counted over all faces of the dice of both.
#[test]
fn who_acts_first_is_what_all_pairs_of_faces_say() {
    let d10: Vec<(i32, f64)> = (1..=10).map(|face| (face, 0.1)).collect();
    // A 10 adds another die (TC-3).
    let again = (1..=10).map(|face| (10 + face, 0.01));
    let exploding: Vec<(i32, f64)> = (1..=9).map(|face| (face, 0.1)).chain(again).collect();
    let text = std::fs::read_to_string("scenarios/who-acts-first.toml").unwrap();
    for against in [1, 5, 8] {
        let set = [format!("combatants.second.initiative={against}")];
        let read = Scenario::parse("who-acts-first.toml", &text, &set).expect("valid");
        let by_rating = f64::from(u8::from(against < 6));
        // Of each variant: the dice, and the share of equal totals that the first wins.
        let rules = [
            (&d10, by_rating),
            (&d10, 0.5),
            (&d10, by_rating),
            (&exploding, by_rating),
            (&d10, 0.0),
        ];
        for (variant, (dice, tie)) in read.scenario.variants.iter().zip(rules) {
            let mut expected = 0.0;
            for (one, other) in dice
                .iter()
                .flat_map(|one| dice.iter().map(move |other| (one, other)))
            {
                let won = match (6 + one.0).cmp(&(against + other.0)) {
                    Ordering::Less => 0.0,
                    Ordering::Equal => tie,
                    Ordering::Greater => 1.0,
                };
                expected += won * one.1 * other.1;
            }
            let found = mean(
                &solved(variant, BUDGET).expect("a small fight"),
                "win_rate",
                0,
            );
            let name = &variant.name;
            assert!(
                (found - expected).abs() < 1e-9,
                "{name}, {against}: {found} {expected}"
            );
        }
    }
}
