//! Scores: TC-2 to TC-4.

use super::armory::play_fighters;
use skirmish::chance::Purpose::{Check, Initiative};

const DUMMY: &str = "dummy b 20 1 | health = 100 | pass";

/// Returns the Score of a combatant with these keys, options and dice.
fn score(options: &[&str], keys: &str, dice: &[u32]) -> i32 {
    let mut all = vec!["rules.initiative.mode=rolled"];
    all.extend(options);
    let a = format!("a a 0 0 | {keys} | pass");
    let dice = [(0, Initiative, dice), (1, Initiative, &[1][..])];
    let rolled = all
        .iter()
        .filter(|option| option.ends_with("fixed"))
        .count()
        == 0;
    let played = play_fighters(&all, &[&a, DUMMY], if rolled { &dice } else { &[] });
    let line = played.lines_of("a")[0].to_owned();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn tc_2_initiative_is_the_average_rounded_down_and_armour_takes_half_rounded_down() {
    let keys = "attributes = { agility = 15, intellect = 14 }";
    assert_eq!(score(&[], keys, &[1]), 15);
    for (modifier, expected) in [(1, 15), (2, 14), (5, 13)] {
        let armoured = format!("{keys}; evade_modifier = {modifier}");
        assert_eq!(score(&[], &armoured, &[1]), expected);
    }
}

#[test]
fn tc_3_a_ten_is_rolled_again_once_or_as_options_always_or_never() {
    let keys = "attributes = { agility = 5, intellect = 5 }";
    let explode =
        |how: &str, dice: &[u32]| score(&[&format!("rules.initiative.explode={how}")], keys, dice);
    assert_eq!(score(&[], keys, &[10, 10]), 25);
    assert_eq!(explode("once", &[10, 10]), 25);
    assert_eq!(explode("once", &[9]), 14);
    assert_eq!(explode("recursive", &[10, 10, 4]), 29);
    assert_eq!(explode("recursive", &[10, 1]), 16);
    assert_eq!(explode("none", &[10]), 15);
}

#[test]
fn tc_3_a_score_is_never_above_30_and_below_1_one_cannot_act() {
    let quick = "attributes = { agility = 20, intellect = 20 }";
    assert_eq!(score(&[], quick, &[10, 10]), 30);
    let slow = "a a 0 0 | evade_modifier = 6 | retreat";
    for (face, steps) in [(3, 0), (4, 1), (5, 2)] {
        let played = play_fighters(
            &["rules.initiative.mode=rolled"],
            &[slow, DUMMY],
            &[(0, Initiative, &[face]), (1, Initiative, &[1])],
        );
        assert_eq!(played.walk("a").len(), steps, "{face}");
    }
}

#[test]
fn tc_3_the_score_is_the_first_mark_and_the_marks_to_spend() {
    let played = play_fighters(
        &["rules.initiative.mode=rolled"],
        &["a a 0 5 | items = ['nut'] | use nut", DUMMY],
        &[(0, Initiative, &[6]), (1, Initiative, &[1])],
    );
    assert_eq!(
        played.lines_of("a"),
        [
            "R1 30 a score 11",
            "R1 11 a uses nut +0",
            "R1 6 a uses nut +0",
            "R1 1 a done, 1 left",
        ]
    );
}

#[test]
fn tc_3_very_simple_nobody_rolls_and_the_average_is_rounded_up() {
    let fixed = &["rules.initiative.mode=fixed"];
    for (keys, expected) in [
        ("attributes = { agility = 15, intellect = 14 }", 15),
        ("attributes = { agility = 14, intellect = 14 }", 14),
        (
            "attributes = { agility = 15, intellect = 14 }; evade_modifier = 5",
            13,
        ),
        ("attributes = { agility = 40, intellect = 40 }", 30),
        // The cap is applied after the armour.
        (
            "attributes = { agility = 32, intellect = 32 }; evade_modifier = 4",
            30,
        ),
    ] {
        assert_eq!(score(fixed, keys, &[]), expected, "{keys}");
    }
}

#[test]
fn tc_3_first_the_cap_then_the_carry_over_then_the_delay() {
    // 40 is capped at 30; a spell of 50 Marks overruns by 20; half of the remaining 10 is 5.
    let policy = "delay up if round = 2; cast storm if round = 1";
    let played = play_fighters(
        &["encounter.max_rounds=2"],
        &[&format!("a a 0 40 | spells = ['storm'] | {policy}"), DUMMY],
        &[],
    );
    assert_eq!(
        played.lines_of("a"),
        [
            "R1 30 a score 30",
            "R1 30 a casts storm due 10+1R",
            "R2 30 a score 10",
            "R2 30 a delays to 5",
            "R2 10 a storm goes off at dummy",
            "R2 5 a done, 5 left",
        ]
    );
}

#[test]
fn tc_4_a_delay_halves_the_score_up_or_down_and_the_marks_with_it() {
    for (policy, expected) in [("delay up", 8), ("delay down", 7)] {
        let a = format!("a a 0 15 | | {policy}; pass");
        let played = play_fighters(&[], &[&a, DUMMY], &[]);
        assert_eq!(
            played.lines_of("a")[1..],
            [
                format!("R1 30 a delays to {expected}"),
                format!("R1 {expected} a done, {expected} left"),
            ]
        );
    }
}

#[test]
fn tc_4_as_an_option_the_marks_to_spend_are_kept() {
    let a = "a a 0 20 | weapons = ['bow']; items = ['nut'] | \
             delay up; use nut if uses.nut = 2; attack; desperate";
    let played = play_fighters(&[], &[a, DUMMY], &[]);
    assert_eq!(played.only(&["shoots", "done"])[0], "R1 5 a done, 5 left");
    let played = play_fighters(
        &["rules.initiative.delay_marks=kept"],
        &[a, DUMMY],
        &[(0, Check, &[9])],
    );
    assert_eq!(
        played.lines_of("a")[1..],
        [
            "R1 30 a delays to 10",
            "R1 10 a uses nut +0",
            "R1 5 a begins 1",
            "R1 5 a shoots desperately at dummy hit",
        ]
    );
}

#[test]
fn tc_4_a_delayed_score_below_1_cannot_act() {
    let walk = |policy: &str| {
        let a = format!("a a 0 1 | | {policy}; retreat");
        play_fighters(&[], &[&a, DUMMY], &[]).walk("a").len()
    };
    assert_eq!(walk("delay up"), 1);
    assert_eq!(walk("delay down"), 0);
}

#[test]
fn tc_4_a_delay_comes_once_a_round_and_may_depend_on_the_score() {
    let a = "a a 0 20 | | delay down if score > 9; delay up; pass";
    let played = play_fighters(&["encounter.max_rounds=2"], &[a, DUMMY], &[]);
    assert_eq!(
        played.only(&["delays"]),
        ["R1 30 a delays to 10", "R2 30 a delays to 10"]
    );
}

#[test]
fn tc_4_as_an_option_the_half_is_of_the_roll_before_what_was_carried_over_comes_off() {
    // A spell of 20 Marks begun at 15 overruns by 5.
    let caster = "a a 0 15 | spells = ['fire'] | delay up if round = 2; cast fire if round = 1";
    // The half is of the roll itself, not of the capped value.
    let quick = "a a 0 40 | | delay down if round = 2";
    let delays = |half: &str, who: &str| {
        let half = format!("rules.initiative.delay_half={half}");
        let played = play_fighters(&[&half, "encounter.max_rounds=2"], &[who, DUMMY], &[]);
        played.only(&["delays"]).join(",")
    };
    assert_eq!(delays("score", caster), "R2 30 a delays to 5");
    assert_eq!(delays("roll", caster), "R2 30 a delays to 3");
    assert_eq!(delays("score", quick), "R2 30 a delays to 15");
    assert_eq!(delays("roll", quick), "R2 30 a delays to 20");
}

#[test]
fn tc_4_half_of_a_roll_that_does_not_cover_what_was_carried_over_cannot_act() {
    let a = "a a 0 15 | spells = ['fire'] | delay up if round = 2; \
             retreat 5 if round = 1 and not acted; cast fire if round = 1; retreat";
    let half = "rules.initiative.delay_half=roll";
    let played = play_fighters(&[half, "encounter.max_rounds=2"], &[a, DUMMY], &[]);
    // At 15 - 5 the spell would not be affordable: nothing is cast, and nothing carried over.
    assert_eq!(played.only(&["delays"]), ["R2 30 a delays to 8"]);
    let a = "a a 0 15 | spells = ['fire']; items = ['pill'] | delay up if round = 2; \
             wait 5 if mark = 15 and round = 1; cast fire if round = 1; retreat";
    let played = play_fighters(&[half, "encounter.max_rounds=2"], &[a, DUMMY], &[]);
    assert_eq!(played.only(&["delays"]), ["R2 30 a delays to -2"]);
    assert_eq!(played.record.combatants[0].marks_forfeited, 0);
}
