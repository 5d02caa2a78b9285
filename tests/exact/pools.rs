//! Pools of dice with any number of sides on every clock, solved and sampled.

use super::{BUDGET, mean, solved};
use crate::support::fights::{errors, sampled, variant};
use skirmish::stats::{Confidence, Summary};
use skirmish::systems::SYSTEMS;
use skirmish::tally::metrics;

/// Returns a fight of one Round in which one strikes with a check, and the other stands and lasts.
fn fight(system: &str, check: &str) -> String {
    let fighter = |name: &str, policy: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\ninitiative = 10\nmove = 12\n\
             evade = 0\nhealth = 900\nweapons = [\"axe\"]\npolicy = [\"{policy}\"]\n"
        )
    };
    format!(
        "system = \"{system}\"\nencounter.max_rounds = 1\nrules.health = \"points\"\n[weapons.axe]\n\
         kind = \"melee\"\ncheck = {check}\ndamage = 0\n{}{}",
        fighter("striker", "attack"),
        fighter("wall", "pass")
    )
}

/// Asserts the mean damage of an attack on a clock, to four digits, solved and sampled.
fn has_damage(system: &str, check: &str, expected: f64) {
    let variant = variant(&fight(system, check));
    let solution = solved(&variant, BUDGET).expect("a small fight");
    let (damage, attacks) = (mean(&solution, "damage", 0), mean(&solution, "attacks", 0));
    let each = damage / attacks;
    assert!((each - expected).abs() < 5e-5, "{system}, {check}: {each}");
    let metric = metrics::find("damage").unwrap();
    let tally = sampled(&variant, 1, 4000);
    let sample = Summary::of(
        &tally.distribution(metric, 0),
        metric.kind,
        Confidence::DEFAULT,
    );
    let error = sample.sd.unwrap() / 4000.0_f64.sqrt();
    let apart = sample.mean.unwrap() - damage;
    assert!(apart.abs() < 4.0 * error, "{system}, {check}: {apart}");
}

#[test]
fn pools_of_other_dice_do_the_same_damage_on_every_clock() {
    let pool = "pool = 6, die = 6, success = 5, required = 2, extra_damage = 1";
    for system in SYSTEMS {
        has_damage(
            system.name,
            &format!("{{ {pool}, counts = \"all\" }}"),
            1.7366,
        );
        has_damage(
            system.name,
            &format!("{{ {pool}, counts = \"extra\" }}"),
            0.4390,
        );
        // Who says which successes count need not say that each does a point.
        let short = "{ pool = 6, die = 6, success = 5, explode = 6, counts = \"all\" }";
        has_damage(system.name, short, 2.4);
    }
    // Chronicles adds up all successes unless a check says otherwise (CD-6).
    has_damage("chronicles", &format!("{{ {pool} }}"), 1.7366);
    has_damage("mage", &format!("{{ {pool} }}"), 0.4390);
}

/// Bonuses, penalties and conditions are dice of the pool, and a difficulty of Mage is the least face that succeeds.
#[test]
fn what_changes_pools_changes_pools_of_other_dice() {
    let mean_of = |text: &str| {
        let solution = solved(&variant(text), BUDGET).expect("a small fight");
        mean(&solution, "damage", 0) / mean(&solution, "attacks", 0)
    };
    let ground = |modifies: &str| {
        format!(
            "[encounter.ground.mud]\nstretch = [0, 0]\nmodifies = {{ {modifies} }}\n[weapons.axe]"
        )
    };
    for system in SYSTEMS {
        let text = |dice: u32| {
            let check = "die = 6, success = 5, required = 2, counts = \"all\"";
            fight(system.name, &format!("{{ pool = {dice}, {check} }}"))
        };
        let bonus = text(4).replace("damage = 0", "damage = 0\nmastery = 2");
        let penalty = text(8).replace("[weapons.axe]", &ground("attack = -2"));
        for text in [bonus, penalty] {
            let each = mean_of(&text);
            assert!((each - 1.7366).abs() < 5e-5, "{}: {each}", system.name);
        }
        if system.name == "mage" {
            // Six dice with one face in six: 1 on average, without the one that is too few in 0.4019.
            let each = mean_of(&text(6).replace("[weapons.axe]", &ground("difficulty = 1")));
            assert!((each - 0.5981).abs() < 5e-5, "{each}");
        }
    }
}

/// A pool that is damage: each die succeeds half the time, and a sixth of them are rolled again.
#[test]
fn pools_of_other_dice_are_damage_on_every_clock() {
    for system in SYSTEMS {
        let text = fight(system.name, "{ dice = \"1d6\", bonus = 9 }");
        let damage = "damage = { pool = 3, die = 6, success = 4, explode = 6 }";
        let solution = solved(&variant(&text.replace("damage = 0", damage)), BUDGET);
        let solution = solution.expect("a small fight");
        let each = mean(&solution, "damage", 0) / mean(&solution, "attacks", 0);
        assert!((each - 1.8).abs() < 1e-9, "{}: {each}", system.name);
    }
}

/// Dice of the notation that are compared decide attacks and do damage: a margin of 1 or more wins.
#[test]
fn dice_against_dice_and_kept_dice_that_grow_play_on_every_clock() {
    for system in SYSTEMS {
        let text = fight(system.name, "{ dice = \"reach(3d6,2d6)\" }");
        let text = text
            .replace("evade = 0", "evade = 1")
            .replace("damage = 0", "damage = \"5d10!!kh3/10\"");
        let variant = variant(&text);
        let solution = solved(&variant, BUDGET).expect("a small fight");
        let hits = mean(&solution, "hits", 0) / mean(&solution, "attacks", 0);
        assert_eq!(format!("{hits:.6}"), "0.518647", "{}", system.name);
    }
}

/// MD-1: `tens = "cancel"`. Each net success beyond the first does a point.
#[test]
fn md_1_tens_that_cancel_ones_do_the_damage_of_their_net() {
    let check = "{ pool = 5, tens = \"cancel\", counts = \"all\" }";
    has_damage("mage", check, 2.2093);
}

#[test]
fn pools_that_cannot_be_are_refused_with_the_way_out() {
    let told = |check: &str| errors(&fight("tara-corax", check));
    for (check, part) in [
        ("{ pool = 6, die = 6 }", "`success` is required here"),
        ("{ pool = 6, success = 5 }", "`die` is required here"),
        (
            "{ pool = 6, explode = 6 }",
            "`die` and `success` are required",
        ),
        ("{ die = 6, success = 5 }", "`pool` is required here"),
        ("{ pool = 6, die = 1, success = 5 }", "from 2 to 100"),
        ("{ pool = 6, die = 101, success = 5 }", "from 2 to 100"),
        ("{ pool = 6, die = 6, success = 7 }", "from 2 to 6"),
        ("{ pool = 6, die = 6, success = 1 }", "from 2 to 6"),
        (
            "{ pool = 6, die = 6, success = 5, explode = 4 }",
            "from 5 to 6",
        ),
        (
            "{ pool = 6, die = 100, success = 2, explode = 2 }",
            "from 11 to 100",
        ),
        (
            "{ pool = 6, die = 6, success = 5, again = 9 }",
            "`success`, `explode`",
        ),
        (
            "{ pool = 6, die = 6, success = 5, counts = \"both\" }",
            "\"all\" or \"extra\"",
        ),
    ] {
        let told = told(check);
        assert!(told.contains(part), "{check}: {told}");
    }
}
