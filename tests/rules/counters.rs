//! Counters (TC-18).

use super::armory::play_fighters;
use super::stage::Played;
use skirmish::chance::Purpose::Check;

/// Plays an attacker against a defender that can counter with a sword.
fn countered(options: &[&str], attacker: &str, defender: &str, dice: [&[u32]; 2]) -> Played {
    play_fighters(
        options,
        &[attacker, defender],
        &[(0, Check, dice[0]), (1, Check, dice[1])],
    )
}

const STRIKER: &str = "a a 0 20 | weapons = ['blades'] | attack";

fn defender(score: i32, policy: &str) -> String {
    let keys = "weapons = ['sword']; spells = ['fire', 'beam']; abilities = ['counter']";
    format!("b b 0 {score} | {keys} | {policy}")
}

#[test]
fn tc_18_a_melee_attack_that_misses_is_answered_once_a_round() {
    let played = countered(
        &["encounter.max_rounds=2"],
        STRIKER,
        &defender(1, "pass"),
        [&[10, 1, 1, 1, 1, 1], &[10, 1]],
    );
    assert_eq!(
        played.only(&["attacks", "counters"]),
        [
            "R1 20 a attacks b hit",
            "R1 15 a attacks b miss",
            "R1 15 b counters a hit",
            "R1 10 a attacks b miss",
            "R2 20 a attacks b miss",
            "R2 20 b counters a miss",
            "R2 15 a attacks b miss",
            "R2 10 a attacks b miss",
        ]
    );
}

#[test]
fn tc_18_as_an_option_more_often_or_never() {
    for (option, most) in [("0", 0), ("2", 2), ("9", 3)] {
        let option = format!("rules.counters_per_round={option}");
        let counters = vec![1; most];
        let played = countered(
            &[&option],
            STRIKER,
            &defender(1, "pass"),
            [&[1, 1, 1], &counters],
        );
        assert_eq!(played.only(&["counters"]).len(), most);
    }
}

#[test]
fn tc_18_only_if_the_attacker_is_in_its_reach() {
    let pike = "a a 4 20 | weapons = ['pike'] | attack";
    let far = countered(&[], pike, &defender(1, "pass"), [&[1], &[]]);
    assert!(far.only(&["counters"]).is_empty());
    let near = "a a 0 20 | weapons = ['pike'] | attack";
    let near = countered(&[], near, &defender(1, "pass"), [&[1], &[1]]);
    assert_eq!(near.only(&["counters"]), ["R1 20 b counters a miss"]);
}

#[test]
fn tc_18_shots_and_throws_are_not_countered() {
    for (weapon, faces) in [("bow", &[1, 1, 1][..]), ("knives", &[1, 1][..])] {
        let shooter = format!("a a 0 20 | weapons = ['{weapon}'] | attack");
        let played = countered(&[], &shooter, &defender(1, "pass"), [faces, &[]]);
        assert!(played.only(&["counters"]).is_empty());
    }
}

#[test]
fn tc_18_after_a_pass_and_while_casting_but_not_while_channelling() {
    let passed = countered(&[], STRIKER, &defender(25, "pass"), [&[1, 1, 1], &[1]]);
    assert_eq!(passed.only(&["counters"]).len(), 1);
    let casting = countered(&[], STRIKER, &defender(25, "cast fire"), [&[1, 1, 1], &[1]]);
    assert_eq!(casting.only(&["counters"]).len(), 1);
    assert_eq!(casting.only(&["goes off"]).len(), 1);
    let channel = defender(25, "channel beam");
    let channelling = countered(&[], STRIKER, &channel, [&[1, 1, 1], &[]]);
    assert!(channelling.only(&["counters"]).is_empty());
}

#[test]
fn tc_18_a_counter_may_be_countered() {
    let striker = "a a 0 20 | weapons = ['sword']; abilities = ['counter'] | attack";
    let played = countered(&[], striker, &defender(1, "pass"), [&[1, 10], &[1]]);
    assert_eq!(
        played.only(&["attacks", "counters"]),
        [
            "R1 20 a attacks b miss",
            "R1 20 b counters a miss",
            "R1 20 a counters b hit",
        ]
    );
    assert_eq!(played.record.combatants[0].attacks, 2);
    assert_eq!(played.record.combatants[1].attacks, 1);
}

#[test]
fn tc_18_a_counter_needs_no_set_and_un_sets_nothing() {
    // The defender has moved into melee and is not Set. In the second fight it goes on shooting without a Set action.
    let mover = "b b 1 25 | weapons = ['sword']; abilities = ['counter'] | advance 1";
    let played = countered(&[], STRIKER, mover, [&[1, 1, 1], &[1]]);
    assert_eq!(played.only(&["counters"]), ["R1 20 b counters a miss"]);
    let archer = "b b 0 18 | weapons = ['bow', 'sword']; abilities = ['counter'] | \
                  attack with bow";
    let played = countered(&[], STRIKER, archer, [&[1, 1, 1], &[1, 1, 1, 1]]);
    assert_eq!(played.only(&["begins"])[1], "R1 18 b begins 3");
}

#[test]
fn tc_18_the_fallen_do_not_counter_and_a_counter_may_fell_the_attacker() {
    let weak = "a a 0 20 | weapons = ['blades']; health = 3 | attack";
    let played = countered(&[], weak, &defender(1, "pass"), [&[1], &[10]]);
    assert_eq!(
        played.lines[2..],
        [
            "R1 20 a begins 3",
            "R1 20 a attacks b miss",
            "R1 20 b counters a hit",
            "R1 20 a takes 3 has 0",
            "R1 20 a falls",
            "R1 20 b win",
        ]
    );
    // A combatant felled by the first attack answers neither of the others.
    let fallen = play_fighters(
        &[],
        &[
            STRIKER,
            "b b 0 1 | weapons = ['sword']; abilities = ['counter']; health = 3 | pass",
            "c b 0 1 | | pass",
        ],
        &[(0, Check, &[10, 1, 1])],
    );
    assert!(fallen.only(&["counters"]).is_empty());
}

#[test]
fn tc_18_the_free_attack_of_a_charge_is_countered_too() {
    let charger = "a a 5 20 | weapons = ['sword']; abilities = ['frenzied_charge'] | charge";
    let played = countered(&[], charger, &defender(1, "pass"), [&[1], &[1]]);
    assert_eq!(
        played.only(&["strikes", "counters"]),
        [
            "R1 20 a strikes in the charge b miss",
            "R1 20 b counters a miss",
        ]
    );
}
