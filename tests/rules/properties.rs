//! Properties of every encounter of Tara-Corax, for random fights.

use super::generator::{brawl, duel};
use super::rule_checker::RuleChecker;
use super::watched::{checked, config, is_plain};
use crate::support::fights::load;
use proptest::prelude::*;
use skirmish::run::Player;
use skirmish::run::runner::run_in_batches;
use skirmish::scenario::Scenario;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Returns the violations found in `encounters` encounters, if any.
fn violations(scenario: &Scenario, seed: u64, encounters: u64) -> Option<String> {
    checked::<RuleChecker<'_>>(scenario, seed, encounters)
}

proptest! {
    #![proptest_config(config(4000, 20))]

    #[test]
    fn a_duel_is_the_same_whether_or_not_anybody_listens(text in duel(), seed in 0_u64..1000) {
        prop_assert_eq!(violations(&load(&text), seed, 5), None, "{}", text);
    }
}

/// A channelling combatant is asked at each Mark, even beside a tied walker, whose Units must then not be played as
/// one.
#[test]
fn a_walk_beside_a_tied_channeller_is_the_same_heard_or_unheard() {
    let text = "system = 'tara-corax'\n[rules]\ninitiative.ties = ['total', 'simultaneous']\n\
        [encounter]\nmax_rounds = 6\n[spells.beam]\nchannel = true\nrange = 25\ndamage = '1d8'\n\
        [[combatants]]\nname = 'walker'\nside = 'left'\nposition = 0\nmove = 2\nevade = 8\nhealth = 4\n\
        attributes = { agility = 8, intellect = 12 }\npolicy = ['advance', 'delay down']\n\
        [[combatants]]\nname = 'mage'\nside = 'right'\nposition = -7\nmove = 1\nevade = 8\nhealth = 4\n\
        attributes = { agility = 7, intellect = 7 }\nspells = ['beam']\n\
        policy = ['channel beam until distance < 4', 'retreat']\n";
    assert_eq!(violations(&load(text), 3, 200), None);
}

/// A third combatant fells the enemy that two tied walkers approach, and the next enemy stands on their other side.
#[test]
fn tied_walkers_whose_target_falls_are_the_same_heard_or_unheard() {
    let walker = |name: &str| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = 'left'\nposition = 0\nmove = 12\nevade = 15\nhealth = 20\n\
            attributes = {{ agility = 8, intellect = 8 }}\nweapons = ['club']\npolicy = ['attack', 'advance']\n"
        )
    };
    let target = |name: &str, position: i32| {
        format!(
            "[[combatants]]\nname = '{name}'\nside = 'right'\nposition = {position}\nmove = 0\nevade = 9\nhealth = 4\n\
            attributes = {{ agility = 2, intellect = 2 }}\nweapons = ['club']\npolicy = ['attack']\n"
        )
    };
    let text = format!(
        "system = 'tara-corax'\n[rules]\ninitiative.mode = 'fixed'\ninitiative.ties = ['total', 'simultaneous']\n\
        [encounter]\nmax_rounds = 20\n[weapons.club]\nkind = 'melee'\ncheck = {{ dice = '2d10' }}\ndamage = '1d6'\n\
        [weapons.bow]\nkind = 'ranged'\nrange = 60\nattacks = 3\ncheck = {{ dice = '2d10' }}\ndamage = '1d6'\n\
        {}{}[[combatants]]\nname = 'archer'\nside = 'left'\nposition = 1\nmove = 0\nevade = 15\nhealth = 20\n\
        attributes = {{ agility = 6, intellect = 6 }}\nweapons = ['bow']\npolicy = ['attack', 'set if not ready']\n{}{}{}",
        walker("one"),
        walker("other"),
        target("near", 14),
        target("far", -16),
        target("farther", 30),
    );
    assert_eq!(violations(&load(&text), 3, 200), None);
}

proptest! {
    #![proptest_config(config(400, 20))]

    #[test]
    fn a_brawl_keeps_the_rules_that_all_encounters_keep(text in brawl(), seed in 0_u64..1000) {
        prop_assert_eq!(violations(&load(&text), seed, 5), None, "{}", text);
    }
}

proptest! {
    #![proptest_config(config(25, 20))]

    #[test]
    fn threads_and_batches_cannot_be_seen_in_the_result(text in brawl(), seed in any::<u64>()) {
        let scenario = load(&text);
        let variant = &scenario.variants[0];
        let player = Player::new(&variant.fight, &variant.rules, seed);
        let play = |threads: usize, batch: u64| {
            let threads = NonZeroUsize::new(threads).unwrap();
            let go = AtomicBool::new(false);
            run_in_batches(&player, &variant.fight, 0..150, threads, batch, &go, &()).unwrap()
        };
        let alone = play(1, 150);
        for (threads, batch) in [(1, 1), (2, 1), (2, 7), (7, 3), (7, 64)] {
            prop_assert!(play(threads, batch) == alone, "{} threads by {}", threads, batch);
        }
    }
}

/// A change caused by the walk itself must end a walk that is computed in advance.
#[test]
fn a_walk_is_as_long_as_its_first_unit_lets_it_be() {
    for (first, second) in [
        // The first Unit un-sets, and the enemy is still within reach: then a Set is legal.
        ("['set', 'retreat']", "['attack', 'set', 'advance']"),
        ("['set', 'advance to 0', 'retreat 3']", "['pass']"),
        // Whether the other is ready depends on the position.
        ("['retreat if not target.ready']", "['advance', 'attack']"),
        (
            "['retreat if target.ready', 'advance']",
            "['advance 9', 'set', 'attack']",
        ),
        // Near and far enemies change places half way.
        (
            "['retreat 9 if in_melee', 'advance if not threatened', 'wait 1']",
            "['advance']",
        ),
        (
            "['advance if distance > mark', 'retreat']",
            "['retreat 2 if round = 1', 'pass']",
        ),
    ] {
        for (distance, reach) in [(0, 0), (0, 2), (1, 3), (4, 2), (9, 0), (12, 1)] {
            let fighter = |name: &str, position: i32, policy: &str| {
                format!(
                    "[[combatants]]\nname = '{name}'\nside = '{name}'\nposition = {position}\n\
                     attributes = {{ agility = 12, intellect = 12 }}\nmove = 9\nevade = 14\n\
                     health = 20\nweapons = ['spear']\npolicy = {policy}\n"
                )
            };
            let text = format!(
                "system = 'tara-corax'\n[encounter]\nmax_rounds = 5\n[weapons.spear]\n\
                 kind = 'melee'\nreach = {reach}\ncheck = {{ dice = '2d10' }}\n\
                 damage = '1d6'\n{}{}",
                fighter("a", 0, first),
                fighter("b", distance, second)
            );
            assert_eq!(violations(&load(&text), 3, 30), None, "{text}");
        }
    }
}

#[test]
fn every_fight_and_scenario_that_comes_along_is_the_same_heard_or_unheard() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut played = 0;
    for folder in ["benches/peers/fights", "scenarios"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let scenario = load(&fs::read_to_string(&path).unwrap());
            if !scenario.variants.iter().all(is_plain) {
                continue;
            }
            if let Some(wrong) = violations(&scenario, 42, 40) {
                panic!("{}: {wrong}", path.display());
            }
            played += 1;
        }
    }
    assert!(played > 10, "{played} files");
}
