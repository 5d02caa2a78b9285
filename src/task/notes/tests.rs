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
        replay(variant, 1, 100, &mut Things::default()).encounters
    };
    assert_eq!(idle(10), 100);
    assert_eq!(idle(10_000), 16);
}
