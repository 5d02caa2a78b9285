//! Attack actions (TC-8) and melee (TC-9).

use super::armory::play_fighters;
use super::stage::Played;
use skirmish::chance::Purpose::Check;

/// A target at 0 that does nothing and cannot be hit by a 1.
const DUMMY: &str = "dummy b 0 1 | health = 100 | pass";

/// Plays `who` against [`DUMMY`]; each of `rolls` attacks misses.
fn misses(options: &[&str], who: &str, rolls: usize) -> Played {
    let faces = vec![1; rolls];
    play_fighters(options, &[who, DUMMY], &[(0, Check, &faces)])
}

/// Returns the Marks of the attacks.
fn marks(played: &Played) -> Vec<i32> {
    let lines = played.only(&["attacks"]);
    let mark = |line: &&str| line.split(' ').nth(1)?.parse().ok();
    lines.iter().filter_map(mark).collect()
}

#[test]
fn tc_8_whoever_attacks_is_free_15_marks_after_the_first_attack() {
    for (weapon, expected) in [("sword", vec![20]), ("blades", vec![20, 15, 10])] {
        let a = format!("a a 0 20 | weapons = ['{weapon}']; items = ['nut'] | attack; use nut");
        let played = misses(&[], &a, expected.len());
        assert_eq!(marks(&played), expected);
        assert_eq!(played.only(&["uses"]), ["R1 5 a uses nut +0"]);
    }
}

#[test]
fn tc_8_there_is_one_attack_action_a_round_or_as_an_option_more() {
    let quick = "a a 0 30 | weapons = ['sword'] | attack";
    assert_eq!(marks(&misses(&[], quick, 1)), [30]);
    for option in ["rules.attack_actions=2", "rules.attack_actions=any"] {
        assert_eq!(marks(&misses(&[option], quick, 2)), [30, 15]);
        // Each attack action but the first needs its Marks.
        let slower = "a a 0 29 | weapons = ['sword'] | attack";
        assert_eq!(marks(&misses(&[option], slower, 1)), [29]);
    }
    let two_rounds = &["encounter.max_rounds=2"];
    assert_eq!(marks(&misses(two_rounds, quick, 2)), [30, 30]);
}

#[test]
fn tc_8_attacks_below_mark_1_are_forfeited_and_not_lost() {
    for (score, expected) in [(11, vec![11, 6, 1]), (10, vec![10, 5]), (5, vec![5])] {
        let a = format!("a a 0 {score} | weapons = ['blades'] | attack");
        let played = misses(&[], &a, expected.len());
        assert_eq!(marks(&played), expected);
        let counts = &played.record.combatants[0];
        assert_eq!(counts.attacks_forfeited, 3 - expected.len() as u32);
        assert_eq!(counts.attacks_lost, 0);
    }
}

#[test]
fn tc_8_offsets_are_the_weapons_own_else_those_of_the_rules_else_the_rules_spacing() {
    let a = "a a 0 20 | weapons = ['blades']; items = ['nut'] | attack; use nut";
    let of_rules = "rules.attack_offsets={ 3 = [0, 1, 15] }";
    let own = "weapons.blades.attack_offsets=[0, 2, 4]";
    assert_eq!(marks(&misses(&[], a, 3)), [20, 15, 10]);
    let late = misses(&[of_rules], a, 3);
    assert_eq!(marks(&late), [20, 19, 5]);
    assert_eq!(late.only(&["uses"]), ["R1 5 a uses nut +0"]);
    assert_eq!(marks(&misses(&[of_rules, own], a, 3)), [20, 18, 16]);
}

#[test]
#[should_panic(expected = "attack_offsets")]
fn tc_8_more_than_five_attacks_need_offsets() {
    let six = "weapons.blades.attacks=6";
    misses(&[six], "a a 0 20 | weapons = ['blades'] | attack", 0);
}

#[test]
fn tc_8_six_attacks_come_where_their_offsets_say() {
    let played = misses(
        &[
            "weapons.blades.attacks=6",
            "weapons.blades.attack_offsets=[0, 1, 2, 3, 4, 5]",
        ],
        "a a 0 20 | weapons = ['blades'] | attack",
        6,
    );
    assert_eq!(marks(&played), [20, 19, 18, 17, 16, 15]);
}

#[test]
fn tc_9_one_who_has_not_moved_makes_all_attacks_without_a_set() {
    let played = misses(&[], "a a 0 20 | weapons = ['blades'] | set; attack", 3);
    assert_eq!(played.deeds()[0], "R1 20 a begins 3");
}

#[test]
fn tc_9_one_who_moved_into_melee_needs_a_set_and_attacks_once() {
    let a = "a a 2 30 | weapons = ['blades'] | attack; set; advance";
    let played = misses(&[], a, 1);
    assert_eq!(
        played.deeds(),
        [
            "R1 29 a steps 2>1",
            "R1 28 a steps 1>0",
            "R1 28 a sets",
            "R1 23 a begins 1",
            "R1 23 a attacks dummy miss",
        ]
    );
    let never_set = "a a 2 30 | weapons = ['blades'] | attack; advance";
    assert!(marks(&misses(&[], never_set, 0)).is_empty());
}

#[test]
fn tc_9_in_the_next_round_no_set_is_needed_and_all_attacks_are_made() {
    let a = "a a 2 20 | weapons = ['blades'] | attack if round = 2; advance";
    let played = misses(&["encounter.max_rounds=2"], a, 3);
    assert_eq!(played.only(&["begins"]), ["R2 20 a begins 3"]);
}

#[test]
fn tc_9_one_who_moved_but_not_into_melee_attacks_fully_once_set() {
    let long = &["weapons.blades.reach=2"];
    let a = "a a 0 30 | weapons = ['blades'] | retreat 1 if not acted; attack; set";
    let played = misses(long, a, 3);
    assert_eq!(
        played.only(&["steps", "sets", "begins"]),
        ["R1 29 a steps 0>-1", "R1 29 a sets", "R1 24 a begins 3",]
    );
    // Moving out of melee and back in counts as moving into melee.
    let a = "a a 0 30 | weapons = ['blades'] | retreat 3 if not acted; advance; attack; set";
    let played = misses(long, a, 1);
    assert_eq!(played.only(&["begins"]), ["R1 21 a begins 1"]);
}

#[test]
fn tc_9_moved_into_melee_is_from_outside_ones_own_reach_to_inside_it() {
    // A pike with reach 4 is in melee at 3 already, so a step to 2 is not a move into melee.
    let long = &["weapons.blades.reach=4"];
    for (start, attacks) in [(3, 3), (5, 1)] {
        let a = format!(
            "a a {start} 30 | weapons = ['blades'] | advance 1 to 2 if not acted; attack; set"
        );
        let played = misses(long, &a, attacks);
        assert_eq!(marks(&played).len(), attacks);
    }
}

/// Plays `a`, which may have moved, against an enemy that stops on its Unit at Mark 25.
fn come_upon(policy: &str, rolls: usize) -> Played {
    let faces = vec![1; rolls];
    play_fighters(
        &["weapons.blades.reach=2"],
        &[
            &format!("a a 0 30 | weapons = ['blades'] | {policy}"),
            "b b 3 29 | health = 100 | advance 4 if not acted",
        ],
        &[(0, Check, &faces)],
    )
}

#[test]
fn tc_9_one_into_whose_reach_somebody_moves_needs_no_set_even_if_it_had_moved_before() {
    let played = come_upon(
        "retreat 1 if not acted; wait 5 if mark = 29; set; attack",
        3,
    );
    assert_eq!(
        played.only(&["a steps", "sets", "begins"]),
        ["R1 29 a steps 0>-1", "R1 24 a begins 3"]
    );
}

#[test]
fn tc_9_a_step_begun_and_found_unneeded_is_a_move_that_needs_a_set() {
    // It wants to be 7 Units from one enemy, which has come there when the step is due. Another enemy is within reach
    // all the time.
    let played = play_fighters(
        &["weapons.blades.reach=2"],
        &[
            "a a 0 29 | weapons = ['blades'] | advance 1 to 7 mover if mark = 29; attack; set",
            "near b -2 1 | health = 100 | pass",
            "mover b 9 30 | health = 100 | advance 2 if not acted",
        ],
        &[(0, Check, &[1, 1, 1])],
    );
    assert_eq!(
        played.only(&["a spends", "a sets", "a begins"]),
        ["R1 28 a spends a step", "R1 28 a sets", "R1 23 a begins 3"]
    );
}

#[test]
fn tc_9_a_move_counts_from_its_beginning_so_who_is_come_upon_during_it_needs_no_set() {
    let played = play_fighters(
        &["weapons.blades.reach=6"],
        &[
            "a a 0 29 | weapons = ['blades'] | advance 1 to 7 if mark = 29; attack; set; \
             wait 1",
            "mover b 9 30 | health = 100 | advance 3 if not acted",
        ],
        &[(0, Check, &[1, 1, 1])],
    );
    // The mover is at 7 when the step is due, and comes within reach a Mark later.
    assert_eq!(
        played.only(&["a spends", "a sets", "a begins"]),
        ["R1 28 a spends a step", "R1 27 a begins 3"]
    );
}

#[test]
fn tc_9_until_it_moves_again() {
    let policy = "retreat 1 if not acted; wait 5 if mark = 29; retreat 1 if mark = 24; set; attack";
    let played = come_upon(policy, 3);
    assert_eq!(
        played.only(&["a steps", "sets", "begins"]),
        [
            "R1 29 a steps 0>-1",
            "R1 23 a steps -1>-2",
            "R1 23 a sets",
            "R1 18 a begins 3",
        ]
    );
}

#[test]
fn tc_9_a_set_for_melee_is_legal_only_with_an_enemy_in_reach() {
    let a = "a a 5 20 | weapons = ['sword'] | advance 4 if not acted; set; advance 1; pass";
    let played = misses(&[], a, 0);
    assert_eq!(
        played.only(&["sets"]),
        ["R1 15 a sets"],
        "{:#?}",
        played.lines
    );
}
