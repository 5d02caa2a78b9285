//! Rounds and the costs of actions (TC-1, TC-5 to TC-7), attack rolls (TC-22) and waiting (TC-23).

use super::armory::{errors_of, errors_with};
use skirmish::scenario::Scenario;

/// A target at 20 that does nothing.
const DUMMY: &str = "dummy b 20 1 | health = 100 | pass";

#[test]
fn tc_23_nobody_waits_longer_than_a_round() {
    let waits = |marks: u32| format!("a a 0 50 | | wait {marks}; pass");
    for most in [20, 30, 45, 60] {
        let option = format!("rules.round_marks={most}");
        let told = errors_with(&[&option], &[&waits(most + 1), DUMMY]);
        let expected = format!("expected a number of Marks, 1 to {most}");
        assert!(told.contains(&expected), "{told}");
        let why = format!("a Round has {most} Marks");
        assert!(told.contains(&why), "{told}");
    }
    let told = errors_with(&[], &[&waits(0), DUMMY]);
    assert!(told.contains("`0` is out of range"), "{told}");
}

#[test]
fn tc_8_more_than_five_attacks_need_offsets() {
    let six = "weapons.blades.attacks=6";
    let told = errors_with(&[six], &["a a 0 20 | weapons = ['blades'] | attack", DUMMY]);
    assert!(told.contains("attack_offsets"), "{told}");
}

#[test]
fn tc_23_as_an_option_nobody_may_wait() {
    let text = |wait: bool| {
        format!(
            r#"
system = "tara-corax"
rules.wait = {wait}
[[combatants]]
name = "a"
side = "a"
position = 0
attributes = {{ agility = 1, intellect = 1 }}
move = 1
evade = 1
health = 1
policy = ["wait 3"]
[[combatants]]
name = "b"
side = "b"
position = 0
attributes = {{ agility = 1, intellect = 1 }}
move = 1
evade = 1
health = 1
policy = ["pass"]
"#
        )
    };
    assert!(Scenario::parse("test.toml", &text(true), &[]).is_ok());
    assert!(Scenario::parse("test.toml", &text(false), &[]).is_err());
}

#[test]
fn tc_5_hands_and_sheathing_are_refused_where_they_mean_nothing() {
    let one = |keys: &str, policy: &str| {
        errors_of(&[
            &format!("a a 0 9 | weapons = ['bow']; {keys} | {policy}"),
            DUMMY,
        ])
    };
    assert!(one("hands = 0", "pass").contains("1 to 32"));
    assert!(one("", "sheathe sword").contains("sword"));
    assert!(one("", "sheathe").contains("a weapon"));
}
