//! Other numbers for the Marks clock: `round_marks` and `costs` (TC-1, TC-3, TC-5, TC-8, TC-12).

use super::armory::play_fighters;
use crate::support::fights::errors;
use skirmish::chance::Purpose::Check;

const DUMMY: &str = "dummy b 20 1 | health = 100 | pass";
const COSTS: &str = "rules.costs={ quarter = 4, half = 8, full = 20 }";
const TWO: &str = "encounter.max_rounds=2";

#[test]
fn tc_1_a_round_of_other_marks_begins_at_its_first_mark_and_caps_the_score() {
    let a = "a a 0 50 | | advance 1 if not moved";
    let score = |options: &[&str]| {
        let played = play_fighters(options, &[a, DUMMY], &[]);
        played.lines_of("a")[..2].to_vec().join(", ")
    };
    assert_eq!(score(&[]), "R1 30 a score 30, R1 29 a steps 0>1");
    assert_eq!(
        score(&["rules.round_marks=20"]),
        "R1 20 a score 20, R1 19 a steps 0>1"
    );
    assert_eq!(
        score(&["rules.round_marks=60"]),
        "R1 60 a score 50, R1 49 a steps 0>1"
    );
}

#[test]
fn tc_1_the_marks_of_an_encounter_count_rounds_of_that_length() {
    let a = "a a 0 3 | | pass";
    let marks = |length: u32| {
        let length = format!("rules.round_marks={length}");
        play_fighters(&[TWO, &length], &[a, DUMMY], &[])
            .record
            .marks
    };
    assert_eq!([10, 30, 45, 60].map(marks), [20, 60, 90, 120]);
}

#[test]
fn tc_5_categories_of_actions_cost_what_the_rules_say() {
    let policy = "use nut if uses.nut = 2; use draught if uses.draught = 2; \
                  use scroll if uses.scroll = 2";
    let a = format!("a a 0 30 | items = ['nut', 'draught', 'scroll'] | {policy}");
    let played = play_fighters(&[COSTS], &[&a, DUMMY], &[]);
    assert_eq!(
        played.lines_of("a")[1..],
        [
            "R1 30 a uses nut +0",
            "R1 26 a uses draught +0",
            "R1 18 a done, 18 left",
        ]
    );
    // The first Full Action of the Round is allowed with any Score, as by default.
    let a = "a a 0 9 | items = ['scroll'] | use scroll if round = 1";
    let played = play_fighters(&[COSTS, TWO], &[a, DUMMY], &[]);
    assert_eq!(played.only(&["uses"]), ["R1 9 a uses scroll +0"]);
    // The action overruns by 11.
    assert!(
        played
            .lines_of("a")
            .iter()
            .any(|line| line.ends_with("score -2"))
    );
}

#[test]
fn tc_8_attacks_are_spaced_over_a_full_action() {
    let a = "a a 0 30 | weapons = ['bow'] | attack; advance 1 if not moved";
    let played = play_fighters(&[COSTS], &[a, DUMMY], &[(0, Check, &[1, 1, 1])]);
    // A Full Action of twenty Marks: attacks are seven apart, and the archer is free again at Mark 10.
    let marks = |words: &[&str]| -> Vec<String> {
        let lines = played.only(words);
        let mark = |line: &&str| line.split(' ').nth(1).unwrap_or_default().to_owned();
        lines.iter().map(mark).collect()
    };
    assert_eq!(marks(&["a attacks"]), ["30", "23", "16"]);
    assert_eq!(marks(&["steps"]), ["9"]);
}

#[test]
fn tc_12_a_spell_takes_at_least_a_full_action_and_carries_over_to_the_rounds_first_marks() {
    // A casting time of 20 begun at Mark 8 carries 12 over into a Round of 40.
    let a = "a a 0 8 | spells = ['fire'] | cast fire if round = 1";
    let options = ["rules.round_marks=40", TWO];
    let played = play_fighters(&options, &[a, DUMMY], &[]);
    let effect = played.only(&["fire"]);
    assert!(
        effect.iter().any(|line| line.starts_with("R2 28 ")),
        "{:?}",
        played.lines
    );
    // A spell of 5 Marks occupies its caster for a Full Action of 20.
    let a = "a a 0 30 | spells = ['spark'] | cast spark if mark = 30; advance 1 if not moved";
    let played = play_fighters(&[COSTS], &[a, DUMMY], &[]);
    let line = |word: &str| played.only(&[word]).first().map(|line| (*line).to_owned());
    assert_eq!(line("steps"), Some("R1 9 a steps 0>1".to_owned()));
}

#[test]
fn tc_9_a_set_costs_a_quarter_action() {
    let a = "a a 19 30 | weapons = ['bow'] | advance 1 if not moved; set; attack";
    let played = play_fighters(&[COSTS], &[a, DUMMY], &[(0, Check, &[1])]);
    let sets = played.only(&["sets", "begins"]);
    assert_eq!(sets, ["R1 29 a sets", "R1 25 a begins 1"]);
}

/// Returns the errors about these `[rules]`.
fn errors_of(rules: &str) -> String {
    errors(&format!("system = \"tara-corax\"\n[rules]\n{rules}\n"))
}

#[test]
fn tc_5_prices_that_make_no_sense_are_refused() {
    for (rules, wanted) in [
        ("round_marks = 9", "expected a whole number from 10 to 60"),
        ("round_marks = 61", "expected a whole number from 10 to 60"),
        (
            "costs = { quarter = 0 }",
            "expected a whole number from 1 to 60",
        ),
        ("costs = { ful = 20 }", "did you mean `full`?"),
        (
            "costs = { quarter = 11 }",
            "`costs.half` is less than a smaller action costs",
        ),
        ("costs = { full = 9 }", "expected at least 10"),
        (
            "costs = { full = 20 }\nattack_offsets = { 2 = [0, 21] }",
            "expected a whole number from 0 to 20",
        ),
    ] {
        let errors = errors_of(rules);
        assert!(errors.contains(wanted), "no {wanted:?} in {errors}");
    }
}
