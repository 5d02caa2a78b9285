//! The line, policies, targets and the end (W-1 to W-4, W-6, W-7).

use super::armory::play_fighters;
use skirmish::chance::Purpose::Check;
use skirmish::fight::Ending;

/// A target at 20 that does nothing.
const DUMMY: &str = "dummy b 20 1 | health = 100 | pass";

fn at(position: i32) -> String {
    format!("dummy b {position} 1 | health = 100 | pass")
}

#[test]
fn w_1_one_advances_from_either_side_onto_the_same_unit() {
    for (start, walk) in [(3, [2, 1, 0]), (-3, [-2, -1, 0])] {
        let played = play_fighters(&[], &[&format!("a a {start} 20 | | advance"), &at(0)], &[]);
        let marks = [19, 18, 17];
        let expected: Vec<_> = marks.into_iter().zip(walk).collect();
        assert_eq!(played.walk("a"), expected);
        assert_eq!(played.lines_of("a")[4], "R1 17 a done, 17 left");
    }
}

#[test]
fn w_1_a_retreat_stops_at_the_wall() {
    for policy in ["retreat", "retreat 8"] {
        let a = format!("a a 0 20 | | {policy}");
        let played = play_fighters(&["encounter.arena=[-3, 30]"], &[&a, &at(5)], &[]);
        assert_eq!(played.walk("a"), [(19, -1), (18, -2), (17, -3)]);
        assert_eq!(played.lines_of("a")[4], "R1 17 a done, 17 left");
    }
    // The other end of the arena.
    let played = play_fighters(
        &["encounter.arena=[-3, 6]"],
        &["a a 5 20 | | retreat 8", &at(0)],
        &[],
    );
    assert_eq!(played.walk("a"), [(19, 6)]);
}

#[test]
fn w_1_advance_and_retreat_stop_at_the_distance_they_name() {
    let played = play_fighters(&[], &["a a 0 20 | | advance to 16", DUMMY], &[]);
    assert_eq!(played.walk("a").last(), Some(&(16, 4)));
    let played = play_fighters(&[], &["a a 0 20 | | retreat 9 to 23", DUMMY], &[]);
    assert_eq!(played.walk("a").last(), Some(&(17, -3)));
}

#[test]
fn w_1_from_the_targets_own_unit_one_retreats_to_ones_own_starting_end() {
    for (start, back) in [(-5, -1), (5, 1)] {
        let a = format!("a a {start} 20 | | advance 5 if not acted; retreat 1 if move_left = 5");
        let played = play_fighters(&[], &[&a, &at(0)], &[]);
        assert_eq!(played.walk("a")[4..], [(15, 0), (14, back)]);
    }
}

#[test]
fn w_1_with_equal_starts_the_first_side_retreats_down_the_line_and_the_others_up() {
    let played = play_fighters(&[], &["a a 0 20 | | retreat 1 if not acted", &at(0)], &[]);
    assert_eq!(played.walk("a"), [(19, -1)]);
    let played = play_fighters(
        &[],
        &["a a 0 1 | | pass", "b b 0 20 | | retreat 1 if not acted"],
        &[],
    );
    assert_eq!(played.walk("b"), [(19, 1)]);
}

#[test]
fn w_2_a_melee_attack_needs_the_target_in_reach_and_a_ranged_one_in_range() {
    let attacks = |weapon: &str, distance: i32| {
        let a = format!("a a 0 20 | weapons = ['{weapon}'] | attack");
        let options = ["weapons.bow.range=20", "weapons.bow.attacks=1"];
        let script: &[u32] = match (weapon, distance) {
            ("sword", 0) | ("spear", ..=2) | ("bow", ..=20) => &[1],
            _ => &[],
        };
        let played = play_fighters(&options, &[&a, &at(distance)], &[(0, Check, script)]);
        played.record.combatants[0].attacks
    };
    assert_eq!([attacks("sword", 0), attacks("sword", 1)], [1, 0]);
    assert_eq!([attacks("spear", 2), attacks("spear", 3)], [1, 0]);
    assert_eq!([attacks("bow", 20), attacks("bow", 21)], [1, 0]);
    // A bow may also shoot at a target on the same Unit.
    assert_eq!(attacks("bow", 0), 1);
}

#[test]
fn w_3_the_first_line_that_holds_and_is_legal_is_taken_then_one_is_asked_again() {
    // No attack is in reach, nothing is un-set, and two conditions fail.
    let policy = "attack; set; advance if mark < 5; advance 2 if mark = 20; wait 3 if mark = 18";
    let played = play_fighters(
        &[],
        &[&format!("a a 0 20 | weapons = ['sword'] | {policy}"), DUMMY],
        &[],
    );
    assert_eq!(
        played.lines_of("a"),
        [
            "R1 30 a score 20",
            "R1 19 a steps 0>1",
            "R1 18 a steps 1>2",
            "R1 18 a waits 3",
            "R1 15 a done, 15 left",
        ]
    );
}

#[test]
fn w_3_whoever_finds_no_line_is_done_for_this_round_only() {
    let a = "a a 0 20 | | advance 1 if mark = 20; advance 1 if mark < 15";
    let played = play_fighters(&["encounter.max_rounds=2"], &[a, DUMMY], &[]);
    assert_eq!(
        played.lines_of("a"),
        [
            "R1 30 a score 20",
            "R1 19 a steps 0>1",
            "R1 19 a done, 19 left",
            "R2 30 a score 20",
            "R2 19 a steps 1>2",
            "R2 19 a done, 19 left",
        ]
    );
}

#[test]
fn w_3_a_step_without_a_number_is_asked_about_again_and_a_number_commits() {
    let played = play_fighters(&[], &["a a 0 20 | | advance if mark = 20", DUMMY], &[]);
    assert_eq!(played.walk("a"), [(19, 1)]);
    let played = play_fighters(&[], &["a a 0 20 | | advance 3 if mark = 20", DUMMY], &[]);
    assert_eq!(played.walk("a"), [(19, 1), (18, 2), (17, 3)]);
}

#[test]
fn w_3_a_commitment_ends_early_at_reach_at_the_limit_and_with_the_marks() {
    let spear = "a a 0 20 | weapons = ['spear'] | advance 9 if not acted";
    let played = play_fighters(&[], &[spear, &at(4)], &[]);
    assert_eq!(played.walk("a"), [(19, 1), (18, 2)]);
    let slow = "a a 0 20 | move = 2 | advance 9 if not acted";
    assert_eq!(
        play_fighters(&[], &[slow, DUMMY], &[]).walk("a"),
        [(19, 1), (18, 2)]
    );
    let late = "a a 0 2 | | advance 9 if not acted";
    assert_eq!(
        play_fighters(&[], &[late, DUMMY], &[]).walk("a"),
        [(1, 1), (0, 2)]
    );
}

#[test]
fn w_3_a_step_no_longer_needed_when_it_is_due_still_costs_its_mark() {
    // Both begin a step at 20; the combatant with the higher characteristic makes it first.
    let played = play_fighters(
        &[],
        &[
            "a a 0 20 | attributes = { agility = 20, intellect = 19 } | advance 1 if not acted",
            "b b 1 20 | | advance 1 if not acted",
        ],
        &[],
    );
    assert_eq!(
        played.lines[2..],
        [
            "R1 19 b steps 1>0",
            "R1 19 b done, 19 left",
            "R1 19 a spends a step",
            "R1 19 a done, 19 left",
            "R1 0 timeout",
        ]
    );
    assert_eq!(played.record.combatants[0].units_moved, 0);
}

/// Returns the target of an archer at 0 among three enemies: `x` at 20, `y` at 10, `z` at 30.
fn chosen(options: &[&str], policy: &str) -> Vec<String> {
    let mut all = vec!["weapons.bow.attacks=1"];
    all.extend(options);
    let played = play_fighters(
        &all,
        &[
            &format!("a a 0 10 | weapons = ['bow'] | {policy}"),
            "x b 20 20 | health = 30; spells = ['fire'] | cast fire; pass",
            "y b 10 1 | health = 20 | pass",
            "z b 30 1 | health = 10 | pass",
        ],
        &[(0, Check, &[1])],
    );
    let name = |line: &&str| line.split(' ').nth(4).map(str::to_owned);
    played.only(&["attacks"]).iter().filter_map(name).collect()
}

#[test]
fn w_4_a_target_is_the_nearest_weakest_strongest_casting_or_named_one() {
    assert_eq!(chosen(&[], "attack"), ["y"]);
    assert_eq!(chosen(&[], "attack nearest"), ["y"]);
    assert_eq!(chosen(&[], "attack weakest"), ["z"]);
    assert_eq!(chosen(&[], "attack strongest"), ["x"]);
    assert_eq!(chosen(&[], "attack casting"), ["x"]);
    assert_eq!(chosen(&[], "attack z"), ["z"]);
}

#[test]
fn w_4_ties_go_by_file_order() {
    assert_eq!(chosen(&["combatants.x.position=-10"], "attack"), ["x"]);
    assert_eq!(chosen(&["combatants.z.position=-10"], "attack"), ["y"]);
    assert_eq!(chosen(&["combatants.y.health=10"], "attack weakest"), ["y"]);
    assert_eq!(
        chosen(&["combatants.y.health=30"], "attack strongest"),
        ["x"]
    );
}

#[test]
fn w_4_only_those_in_range_are_chosen_among_and_nobody_fits_means_not_legal() {
    let short = &["weapons.bow.range=25"];
    assert_eq!(chosen(short, "attack weakest"), ["y"]);
    // The named target is out of range, so the next line is asked.
    assert_eq!(chosen(short, "attack z; attack strongest"), ["x"]);
    // No enemy casts.
    let peace = &["combatants.x.policy=[\"pass\"]"];
    assert_eq!(chosen(peace, "attack casting; attack z"), ["z"]);
    // A move may have any enemy as its target.
    let played = play_fighters(
        &[],
        &[
            "a a 0 20 | | advance 1 z if not acted",
            "y b -1 1 | | pass",
            "z b 500 1 | | pass",
        ],
        &[],
    );
    assert_eq!(played.walk("a"), [(19, 1)]);
}

#[test]
fn w_4_the_name_of_a_count_is_the_nearest_of_them() {
    let played = play_fighters(
        &["weapons.bow.attacks=1", "encounter.max_rounds=2"],
        &[
            "a a 0 10 | weapons = ['bow'] | attack thug",
            "chief b 5 1 | | pass",
            "thug b 10 20 | count = 2 | advance 1 if allies = 0; pass",
        ],
        &[(0, Check, &[1, 10])],
    );
    assert_eq!(
        played.only(&["attacks"]),
        ["R1 10 a attacks thug 1 miss", "R2 10 a attacks thug 1 hit"]
    );
}

#[test]
fn w_4_a_fallen_named_target_becomes_the_nearest() {
    let fighters = [
        "a a 0 20 | weapons = ['bow'] | attack z",
        "y b 10 1 | | pass",
        "z b 30 1 | health = 3 | pass",
    ];
    let played = play_fighters(
        &["encounter.max_rounds=2"],
        &fighters,
        &[(0, Check, &[10, 1, 1, 1, 1, 1])],
    );
    assert_eq!(
        played.only(&["attacks", "falls"]),
        [
            "R1 20 a attacks z hit",
            "R1 20 z falls",
            "R1 15 a attacks y miss",
            "R1 10 a attacks y miss",
            "R2 20 a attacks y miss",
            "R2 15 a attacks y miss",
            "R2 10 a attacks y miss",
        ]
    );
}

#[test]
fn w_4_a_target_is_kept_while_the_action_lasts() {
    // The weakest enemy has changed after the first hit; the volley continues at the first target.
    let played = play_fighters(
        &[],
        &[
            "a a 0 20 | weapons = ['bow'] | attack strongest",
            "x b 10 1 | health = 12 | pass",
            "y b 10 1 | health = 11 | pass",
        ],
        &[(0, Check, &[10, 10, 10])],
    );
    assert_eq!(played.record.combatants[1].damage_taken, 9);
}

#[test]
fn w_4_one_that_leaves_reach_is_replaced_else_that_attack_is_lost() {
    let leaver = "x b 0 18 | | retreat 1 if not acted";
    let a = "a a 0 20 | weapons = ['blades'] | attack";
    let alone = play_fighters(&[], &[a, leaver], &[(0, Check, &[1])]);
    assert_eq!(
        alone.deeds(),
        [
            "R1 20 a begins 3",
            "R1 20 a attacks x miss",
            "R1 17 x steps 0>1",
            "R1 15 a loses an attack",
            "R1 10 a loses an attack",
        ]
    );
    assert_eq!(alone.record.combatants[0].attacks_lost, 2);
    let with_another = play_fighters(
        &[],
        &[a, leaver, "y b 0 1 | | pass"],
        &[(0, Check, &[1, 1, 1])],
    );
    assert_eq!(
        with_another.only(&["attacks"])[1..],
        ["R1 15 a attacks y miss", "R1 10 a attacks y miss"]
    );
}

#[test]
fn w_4_a_walker_whose_target_falls_goes_on_towards_the_next() {
    let played = play_fighters(
        &["weapons.bow.attacks=1"],
        &[
            "a a 0 20 | | advance 6 weakest if not acted",
            "friend a 0 18 | weapons = ['bow'] | attack x",
            "x b 30 1 | health = 3 | pass",
            "y b -30 1 | | pass",
        ],
        &[(1, Check, &[10])],
    );
    assert_eq!(
        played.walk("a"),
        [(19, 1), (18, 2), (17, 1), (16, 0), (15, -1), (14, -2)]
    );
}

#[test]
fn w_6_the_encounter_ends_when_at_most_one_side_stands() {
    let played = play_fighters(
        &["encounter.max_rounds=9", "weapons.bow.attacks=2"],
        &[
            "a a 0 20 | weapons = ['bow'] | attack",
            "b b 10 1 | health = 3 | pass",
            "c c 20 1 | health = 3 | pass",
        ],
        &[(0, Check, &[10, 10])],
    );
    assert_eq!(played.record.ending, Ending::Win(0));
    assert_eq!((played.record.rounds, played.record.marks), (1, 17));
    assert_eq!(played.lines.last().unwrap(), "R1 13 a win");
}

#[test]
fn w_6_or_after_max_rounds() {
    let played = play_fighters(
        &["encounter.max_rounds=3"],
        &["a a 0 20 | | retreat", DUMMY],
        &[],
    );
    assert_eq!(played.record.ending, Ending::Timeout);
    assert_eq!((played.record.rounds, played.record.marks), (3, 90));
}

#[test]
fn w_6_a_chase_ends_by_distance_when_all_who_act_at_a_mark_have() {
    let chase = |thief: &str, ends: &str| {
        let ends = format!("encounter.ends_when={ends}");
        play_fighters(&[&ends], &[thief, "guard g 0 20 | | advance"], &[])
    };
    let runs = "thief t 5 30 | | retreat";
    // The thief walks ten Units before the guard begins, and then stops.
    let escaped = chase(runs, "\"distance >= 15\"");
    assert_eq!(escaped.lines.last().unwrap(), "R1 20 escaped");
    assert_eq!(escaped.record.ending, Ending::Escaped);
    assert_eq!(
        (escaped.record.distance, escaped.record.marks),
        (Some(15), 10)
    );
    let caught = chase(
        "thief t 12 30 | | pass",
        "[\"distance > 15\", \"distance <= 9\"]",
    );
    assert_eq!(caught.lines.last().unwrap(), "R1 17 caught");
    assert_eq!(caught.record.distance, Some(9));
    let neither = chase(runs, "\"distance < 5\"");
    assert_eq!(neither.record.ending, Ending::Timeout);
    assert_eq!(neither.record.distance, Some(5));
}

#[test]
fn w_7_free_actions_at_one_instant_are_bounded() {
    let a = "a a 0 20 | items = ['pill'] | use pill";
    let played = play_fighters(&[], &[a, DUMMY], &[]);
    assert_eq!(played.only(&["uses"]), ["R1 20 a uses pill +0"; 16]);
    assert_eq!(played.record.ending, Ending::Timeout);
}

#[test]
fn w_7_nobody_can_act_and_the_encounter_still_ends() {
    let played = play_fighters(
        &["encounter.max_rounds=10000"],
        &["a a 0 0 | | pass", "b b 20 0 | | pass"],
        &[],
    );
    assert_eq!(played.record.ending, Ending::Timeout);
    assert_eq!(played.record.rounds, 10_000);
}
