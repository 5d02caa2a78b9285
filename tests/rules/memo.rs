//! A memo changes nothing but the pace.

use super::generator::{brawl, duel};
use super::mage::properties::brawl as brawl_in_turns;
use super::properties::config;
use super::watched::load;
use proptest::prelude::*;
use skirmish::run::{Play, Player};
use skirmish::scenario::Scenario;
use skirmish::sim::Record;
use std::path::Path;

/// Plays encounters of all variants with memos of several sizes, one by one and many at once, and
/// without: where the records are not the same, if anywhere.
fn wrong(scenario: &Scenario, seed: u64, encounters: u64) -> Option<String> {
    for variant in &scenario.variants {
        let player = |bytes| Player::new(&variant.fight, &variant.rules, seed).with_memo(bytes);
        let direct = player(None);
        let mut table = direct.state();
        let mut record = Record::default();
        let mut expected = Vec::new();
        direct.play_all(&mut table, 0..encounters, &mut record, |_, record| {
            expected.push(record.clone());
        });
        for bytes in [0, 3000, 20_000, 1 << 20] {
            let remembering = player(Some(bytes));
            let mut memory = remembering.state();
            let mut wrong = None;
            let mut seen = 0;
            let mut compare = |encounter: u64, found: &Record| {
                seen += 1;
                let expected = &expected[encounter as usize];
                if found != expected && wrong.is_none() {
                    wrong = Some(format!(
                        "{bytes} bytes, variant {}, encounter {encounter}: remembered {found:#?}, \
                         played {expected:#?}",
                        variant.name
                    ));
                }
            };
            // Some one by one, then many side by side, who may learn from each other.
            let alone = encounters / 8;
            for encounter in 0..alone {
                remembering.play(&mut memory, encounter, &mut record);
                compare(encounter, &record);
            }
            for part in [alone..encounters / 2, encounters / 2..encounters] {
                remembering.play_all(&mut memory, part, &mut record, &mut compare);
            }
            assert_eq!(seen, encounters, "each once");
            if wrong.is_some() {
                return wrong;
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_duel_is_the_same_from_memory(text in duel(), seed in 0_u64..1000) {
        prop_assert_eq!(wrong(&load(&text), seed, 60), None, "{}", text);
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_brawl_is_the_same_from_memory(text in brawl(), seed in 0_u64..1000) {
        prop_assert_eq!(wrong(&load(&text), seed, 40), None, "{}", text);
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_brawl_in_turns_is_the_same_from_memory(text in brawl_in_turns(), seed in 0_u64..1000) {
        prop_assert_eq!(wrong(&load(&text), seed, 40), None, "{}", text);
    }
}

#[test]
fn the_ready_made_fights_are_the_same_from_memory() {
    for name in [
        "walled-duel",
        "multi-attacker",
        "wizard-interceptor",
        "mage-alley",
        "mage-botch",
        "mage-chase",
        "mage-initiative",
        "mage-split-pools",
    ] {
        let path = Path::new("scenarios").join(name).with_extension("toml");
        let loaded = Scenario::load(&path, &[]).unwrap_or_else(|all| panic!("{all}"));
        assert_eq!(wrong(&loaded.scenario, 1, 300), None, "{name}");
    }
}

/// Checks and damage of every kind, with and without armour.
#[test]
fn checks_of_every_kind_are_the_same_from_memory() {
    let fight = |check: &str, damage: &str, armor: u32| {
        let fighter = |name: &str, position: u32| {
            format!(
                "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = {position}\n\
                 attributes = {{ agility = 14, intellect = 14 }}\nmove = 8\nevade = 15\n\
                 health = 12\nweapons = [\"fist\"]\npolicy = [\"attack\", \"advance\"]\narmor = {armor}\n"
            )
        };
        format!(
            "system = \"tara-corax\"\n[weapons.fist]\nkind = \"melee\"\nattacks = 2\n\
             check = {check}\ndamage = {damage}\n{}{}",
            fighter("a", 0),
            fighter("b", 10)
        )
    };
    for check in [
        "{ dice = \"2d10\", bonus = 6 }",
        "{ pool = 6, difficulty = 7, required = 2, extra_damage = 1 }",
        "{ skill = 55 }",
    ] {
        for damage in ["3", "\"1d8\"", "{ pool = 4 }"] {
            for armor in [0, 2] {
                let text = fight(check, damage, armor);
                assert_eq!(wrong(&load(&text), 3, 400), None, "{text}");
            }
        }
    }
}

/// More blows in a row than one draw takes, and victims who fall at every place of it, so that there are
/// many rows.
#[test]
fn long_rows_of_blows_are_the_same_from_memory() {
    let fighter = |index: u32| {
        let side = ["left", "right"][index as usize % 2];
        // No two act simultaneously.
        let agility = 10 + 2 * index;
        format!(
            "[[combatants]]\nname = \"{index}\"\nside = \"{side}\"\nposition = 0\n\
             attributes = {{ agility = {agility}, intellect = 10 }}\nmove = 8\nevade = 14\n\
             health = {}\nweapons = [\"fist\"]\npolicy = [\"attack\"]\n",
            15 + index
        )
    };
    let all: String = (0..10).map(fighter).collect();
    let text = format!(
        "system = \"tara-corax\"\n[rules.initiative]\nmode = \"fixed\"\n[weapons.fist]\n\
         kind = \"melee\"\nattacks = 3\ncheck = {{ dice = \"2d10\" }}\ndamage = \"1d6\"\n{all}"
    );
    assert_eq!(wrong(&load(&text), 1, 800), None);
}
