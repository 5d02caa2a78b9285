//! Tests of replays for remarks.

use super::*;
use crate::scenario::Scenario;

#[test]
fn fewer_of_long_encounters_are_played_again() {
    let idle = |rounds: u32| {
        let text = format!(
            r#"
            system = "tara-corax"
            encounter.max_rounds = {rounds}
            [[combatants]]
            name = "one"
            side = "ones"
            count = 32
            position = 0
            attributes = {{ agility = 1, intellect = 1 }}
            move = 0
            evade = 9
            health = 9
            policy = ["retreat", "pass"]
            [[combatants]]
            name = "other"
            side = "others"
            position = 0
            attributes = {{ agility = 1, intellect = 1 }}
            move = 0
            evade = 9
            health = 9
            policy = ["pass"]
            "#
        );
        let read = Scenario::parse("idle.toml", &text, &[]).unwrap();
        let variant = &read.scenario.variants[0];
        replay(variant, 1, 100..100, &mut Things::default()).encounters
    };
    assert_eq!(idle(10), 100);
    assert_eq!(idle(10_000), 16);
}

#[test]
fn encounters_that_show_nothing_more_change_no_remark() {
    let mut spared = 0;
    for file in std::fs::read_dir("scenarios").unwrap() {
        let loaded = Scenario::load(&file.unwrap().path(), &[]).unwrap();
        for variant in &loaded.scenario.variants {
            if shows_more(variant) {
                continue;
            }
            let remarks = |fewest: u64| {
                let mut things = Things::default();
                let seen = replay(variant, 1, fewest..500, &mut things);
                let effects = things.effects.notes("");
                (seen.encounters, things.notes(500), effects)
            };
            assert_eq!(remarks(0), remarks(500), "{}", variant.name);
            spared += 1;
        }
    }
    assert!(spared > 0);
}
