//! `skirmish odds initiative` against fights that are played: who acts first in their first Round.

use skirmish::engine::{Player, runner};
use skirmish::scenario::Scenario;
use skirmish::tally::metrics;
use std::num::NonZeroUsize;
use std::process::Command;
use std::sync::atomic::AtomicBool;

const ENCOUNTERS: u64 = 4000;

/// Standard errors by which a share of encounters may differ: chance goes beyond that in 1 of 150,000.
const MOST: f64 = 4.5;

fn fight(system: &str, keys: [&str; 2]) -> String {
    let fighter = |name: &str, keys: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\nmove = 5\n\
             evade = 0\nhealth = 5\nweapons = [\"axe\"]\n{keys}\n"
        )
    };
    format!(
        "system = \"{system}\"\n[encounter]\nmax_rounds = 1\nacted_first = true\n[rules]\n\
         check = \"roll-over\"\nhealth = \"points\"\n[weapons.axe]\nkind = \"melee\"\n\
         check = {{ dice = \"1d10-50\" }}\ndamage = 1\n{}{}",
        fighter("left", keys[0]),
        fighter("right", keys[1])
    )
}

/// Shares of encounters in which the first, and the second, acted before the other.
fn played(system: &str, keys: [&str; 2], set: &[&str]) -> [f64; 2] {
    let set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
    let text = fight(system, keys);
    let loaded = Scenario::parse("fight.toml", &text, &set).unwrap_or_else(|all| panic!("{all}"));
    let variant = &loaded.scenario.variants[0];
    let player = Player::new(&variant.fight, &variant.rules, 1);
    let never = AtomicBool::new(false);
    let range = 0..ENCOUNTERS;
    let one = NonZeroUsize::MIN;
    let tally = runner::run(&player, &variant.fight, range, one, &never, &())
        .unwrap()
        .0;
    let metric = metrics::find("acted_first").unwrap();
    [0, 1].map(|side| tally.distribution(metric, side).count(100) as f64 / ENCOUNTERS as f64)
}

/// The same, solved.
fn solved(system: &str, arguments: &str) -> [f64; 2] {
    let output = Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .args(["odds", "initiative", "--format", "json", "--system", system])
        .args(arguments.split(' '))
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{system} {arguments}: {error}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let chance = |row: usize| json["tables"]["outcomes"][row]["chance"].as_f64().unwrap();
    [chance(0), chance(2)]
}

fn agree(system: &str, arguments: &str, keys: [&str; 2], set: &[&str]) {
    let fights = [keys[0], keys[1]].map(|keys| {
        if keys.contains("policy") {
            keys.to_owned()
        } else {
            format!("{keys}\npolicy = [\"attack\"]")
        }
    });
    let (solved, played) = (
        solved(system, arguments),
        played(system, [&fights[0], &fights[1]], set),
    );
    for (exact, found) in solved.into_iter().zip(played) {
        let error = (exact * (1.0 - exact) / ENCOUNTERS as f64).sqrt();
        assert!(
            (exact - found).abs() <= MOST * error,
            "{system} {arguments}: solved {solved:?}, played {played:?}"
        );
    }
}

const SIX: &str = "initiative = 6";
const FIVE: &str = "initiative = 5";

#[test]
fn in_tara_corax_it_is_what_fights_show() {
    let agree = |arguments, keys, set: &[&str]| agree("tara-corax", arguments, keys, set);
    agree("--rating 6 --against 5", [SIX, FIVE], &[]);
    agree(
        "--rating 6 --against 5 --ties total,simultaneous --explode recursive",
        [SIX, FIVE],
        &["rules.initiative={ ties = [\"total\"], explode = \"recursive\" }"],
    );
    // Capped at 30, and so often tied; Intellect decides.
    agree(
        "--attributes 26,24 --against-attributes 24,26 --ties intellect",
        [
            "attributes = { agility = 26, intellect = 24 }",
            "attributes = { agility = 24, intellect = 26 }",
        ],
        &["rules.initiative.ties=[\"intellect\"]"],
    );
    // Neither may be able to act; a single die of another size explodes.
    agree(
        "--rating 1 --against 2 --evade-modifier 9 --against-evade-modifier 13 --dice 1d6+1",
        [
            "initiative = 1\nevade_modifier = 9",
            "initiative = 2\nevade_modifier = 13",
        ],
        &["rules.initiative.dice=1d6+1"],
    );
    agree(
        "--rating 20 --against 8 --delay down --dice 2d8",
        [
            "initiative = 20\npolicy = [\"delay down\", \"attack\"]",
            "initiative = 8",
        ],
        &["rules.initiative.dice=2d8"],
    );
}

#[test]
fn in_mage_it_is_what_fights_show() {
    let agree = |arguments, keys, set: &[&str]| agree("mage", arguments, keys, set);
    agree("--rating 6 --against 5", [SIX, FIVE], &[]);
    agree("--rating 5 --against 5", [FIVE, FIVE], &[]);
    agree(
        "--attributes 3,2 --against-attributes 2,3",
        [
            "attributes = { wits = 3, dexterity = 2, stamina = 1 }",
            "attributes = { wits = 2, dexterity = 3, stamina = 1 }",
        ],
        &[],
    );
    agree(
        "--rating 6 --against 5 --ties roll-off --dice 4d6kh3",
        [SIX, FIVE],
        &["rules.initiative={ ties = [\"roll-off\"], dice = \"4d6kh3\" }"],
    );
}

#[test]
fn in_chronicles_it_is_what_fights_show() {
    let agree = |arguments, keys, set: &[&str]| agree("chronicles", arguments, keys, set);
    agree("--rating 5 --against 5", [FIVE, FIVE], &[]);
    agree("--rating 5 --against 6", [FIVE, SIX], &[]);
    agree(
        "--rating 5 --against 6 --ties roll-off --dice 1d4",
        [FIVE, SIX],
        &["rules.initiative={ ties = [\"roll-off\"], dice = \"1d4\" }"],
    );
}

#[test]
fn in_eclipse_phase_it_is_what_fights_show() {
    let agree = |arguments, keys, set: &[&str]| agree("eclipse-phase", arguments, keys, set);
    agree("--rating 6 --against 5", [SIX, FIVE], &[]);
    agree(
        "--attributes 30,10 --against-attributes 12,28 --ties reflexes",
        [
            "attributes = { intuition = 30, reflexes = 10 }",
            "attributes = { intuition = 12, reflexes = 28 }",
        ],
        &["rules.initiative.ties=[\"reflexes\"]"],
    );
    agree(
        "--rating 5 --against 6 --per-speed --speed 3 --against-speed 2",
        ["initiative = 5\nspeed = 3", "initiative = 6\nspeed = 2"],
        &["rules.initiative.roll=per-speed"],
    );
}
