//! The Combat Action Radius (TC-16) and charges (TC-17).

use super::armory::play_fighters;
use skirmish::chance::Purpose::Check;

fn at(position: i32) -> String {
    format!("x b {position} 1 | health = 100 | pass")
}

#[test]
fn tc_16_when_deciding_one_moves_into_melee_for_free_and_is_set_at_once() {
    let guard = "guard a 0 20 | weapons = ['blades']; car = 3 | car; attack";
    let played = play_fighters(&[], &[guard, &at(3)], &[(0, Check, &[1])]);
    assert_eq!(
        played.deeds(),
        [
            "R1 20 guard cars at x",
            "R1 20 guard intercepts 0>1",
            "R1 20 guard intercepts 1>2",
            "R1 20 guard intercepts 2>3",
            "R1 20 guard begins 1",
            "R1 20 guard attacks x miss",
        ]
    );
    // The enemy stops one Unit outside the radius.
    assert!(play_fighters(&[], &[guard, &at(4)], &[]).deeds().is_empty());
}

#[test]
fn tc_16_it_stops_at_its_own_reach() {
    let guard = "guard a 0 20 | weapons = ['spear']; car = 5 | car";
    let played = play_fighters(&[], &[guard, &at(5)], &[]);
    assert_eq!(played.walk("guard").last(), Some(&(20, 3)));
}

#[test]
fn tc_16_once_a_round_or_as_an_option_more_often_or_never() {
    let cars = |option: &str, rolls: &[u32]| {
        let played = play_fighters(
            &[option],
            &[
                "guard a 0 20 | weapons = ['sword']; car = 3 | car; attack",
                "x b 2 1 | health = 3 | pass",
                "y b 5 1 | | pass",
            ],
            &[(0, Check, rolls)],
        );
        played.only(&["cars"]).join(", ")
    };
    assert_eq!(cars("rules.car_per_round=0", &[]), "");
    assert_eq!(
        cars("rules.car_per_round=1", &[10]),
        "R1 20 guard cars at x"
    );
    assert_eq!(
        cars("rules.car_per_round=2", &[10]),
        "R1 20 guard cars at x, R1 5 guard cars at y"
    );
}

#[test]
fn tc_16_its_units_do_not_count_against_land_speed_unless_an_option_says_so() {
    let counted = "rules.car_counts_as_move=true";
    let guard = "guard a 0 30 | weapons = ['sword']; car = 4 | car; retreat";
    let free = play_fighters(&[], &[guard, &at(4)], &[]);
    assert_eq!(free.record.combatants[0].units_moved, 14);
    let paid = play_fighters(&[counted], &[guard, &at(4)], &[]);
    assert_eq!(paid.record.combatants[0].units_moved, 10);
    // Then the distance must be within the Land Speed left.
    let slow = "guard a 0 30 | weapons = ['sword']; car = 4; move = 3 | car";
    assert_eq!(
        play_fighters(&[], &[slow, &at(4)], &[]).walk("guard").len(),
        4
    );
    assert!(
        play_fighters(&[counted], &[slow, &at(4)], &[])
            .deeds()
            .is_empty()
    );
}

#[test]
fn tc_16_not_when_already_in_melee_nor_without_a_melee_weapon_in_hand() {
    let guard = "guard a 0 20 | weapons = ['sword']; car = 4 | car";
    let in_melee = play_fighters(&[], &[guard, &at(0), "y b 3 1 | | pass"], &[]);
    assert!(in_melee.deeds().is_empty());
    let bare = "guard a 0 20 | weapons = ['sword']; undrawn = ['sword']; car = 4 | car";
    assert!(play_fighters(&[], &[bare, &at(3)], &[]).deeds().is_empty());
}

#[test]
fn tc_16_it_answers_an_enemy_that_moves_inside_the_radius() {
    let played = play_fighters(
        &[],
        &[
            "guard a 0 1 | weapons = ['sword']; car = 2 | car; pass",
            "b b 4 20 | | advance 9 if not acted",
        ],
        &[],
    );
    assert_eq!(
        played.deeds(),
        [
            "R1 19 b steps 4>3",
            "R1 18 b steps 3>2",
            "R1 18 guard reacts to b",
            "R1 18 guard intercepts 0>1",
            "R1 18 guard intercepts 1>2",
        ]
    );
}

#[test]
fn tc_16_a_move_inside_the_radius_or_out_of_it_is_not_answered() {
    for (start, policy) in [(2, "advance 1"), (2, "retreat 5"), (1, "retreat 1")] {
        let b = format!("b b {start} 20 | | {policy} if not acted");
        let guard = "guard a 0 1 | weapons = ['sword']; car = 2 | car if mark > 1; pass";
        let played = play_fighters(&[], &[guard, &b], &[]);
        assert!(played.only(&["reacts"]).is_empty());
    }
}

#[test]
fn tc_16_only_if_the_policy_wants_it() {
    let reacts = |line: &str| {
        let guard = format!("guard a 0 1 | weapons = ['sword']; car = 2 | {line}; pass");
        let b = "b b 4 20 | health = 7 | advance 9 if not acted";
        let played = play_fighters(&[], &[&guard, b], &[]);
        played.only(&["reacts"]).len()
    };
    assert_eq!(reacts("pass"), 0);
    assert_eq!(reacts("car if mark > 18"), 0);
    assert_eq!(reacts("car if target.hp = 7"), 1);
    assert_eq!(reacts("car if target.hp = 8"), 0);
}

#[test]
fn tc_16_reactors_answer_in_the_order_of_ties() {
    let played = play_fighters(
        &[],
        &[
            "slow a 0 1 | weapons = ['sword']; car = 2 | car; pass",
            "quick a 0 2 | weapons = ['sword']; car = 2 | car; pass",
            "b b 3 20 | | advance 1 if not acted",
        ],
        &[],
    );
    assert_eq!(
        played.only(&["reacts"]),
        ["R1 19 quick reacts to b", "R1 19 slow reacts to b"]
    );
}

#[test]
fn tc_16_a_reaction_ends_ones_own_move_and_the_marks_stay_spent() {
    let played = play_fighters(
        &[],
        &[
            "guard a 0 20 | weapons = ['sword']; car = 5 | car; advance 9",
            "b b 21 20 | attributes = { agility = 20, intellect = 19 } | advance 9",
        ],
        &[],
    );
    let from = played
        .lines
        .iter()
        .position(|line| line == "R1 12 guard steps 7>8");
    assert_eq!(
        played.lines[from.unwrap() + 1..],
        [
            "R1 12 b steps 14>13",
            "R1 12 guard reacts to b",
            "R1 12 guard intercepts 8>9",
            "R1 12 guard intercepts 9>10",
            "R1 12 guard intercepts 10>11",
            "R1 12 guard intercepts 11>12",
            "R1 12 guard intercepts 12>13",
            "R1 12 b done, 12 left",
            // The step that was due is spent.
            "R1 11 guard spends a step",
            "R1 11 guard done, 11 left",
            "R1 0 timeout",
        ]
    );
}

#[test]
fn tc_16_a_reaction_ends_ones_own_volley_and_the_marks_stay_spent() {
    let played = play_fighters(
        &[],
        &[
            "guard a 0 20 | weapons = ['bow', 'sword']; car = 5; items = ['nut'] | \
             car; attack; use nut",
            "b b 8 20 | attributes = { agility = 20, intellect = 19 } | advance 3 if not acted",
        ],
        &[(0, Check, &[1])],
    );
    assert_eq!(
        played.only(&["attacks", "reacts", "uses", "loses", "forfeits"]),
        [
            "R1 20 guard attacks b miss",
            "R1 17 guard reacts to b",
            "R1 5 guard uses nut +0",
        ]
    );
}

#[test]
fn tc_16_a_reaction_ends_a_tied_volley_in_whatever_file_order() {
    let guard = "guard a 6 14 | weapons = ['sword']; car = 6; health = 40 | car";
    let archer = "archer b 1 14 | weapons = ['bow', 'sword']; car = 2 | car; attack with bow";
    for (order, who) in [([guard, archer], 1), ([archer, guard], 0)] {
        let played = play_fighters(&[], &order, &[(who, Check, &[1])]);
        assert_eq!(
            played.only(&["archer reacts"]).len(),
            1,
            "{:?}",
            played.lines
        );
        assert_eq!(
            played.only(&["archer attacks"]),
            ["R1 14 archer attacks guard miss"],
            "{:?}",
            played.lines
        );
    }
}

#[test]
fn tc_9_a_step_that_a_car_move_has_ended_brings_nobody_into_melee() {
    let played = play_fighters(
        &[],
        &[
            "duellist a 0 25 | weapons = ['sword']; car = 2 | car; attack; set; advance 8",
            "walker b 3 25 | weapons = ['sword'] | advance 2 if not acted",
            "guard b 4 25 | weapons = ['sword']; car = 6 | car",
        ],
        &[(0, Check, &[1])],
    );
    assert_eq!(
        played.only(&["duellist reacts", "duellist sets", "duellist attacks"]),
        [
            "R1 25 duellist reacts to guard",
            "R1 24 duellist attacks walker miss"
        ],
        "{:?}",
        played.lines
    );
}

#[test]
fn tc_16_after_a_reaction_that_rounds_melee_is_a_single_attack_without_a_set() {
    let played = play_fighters(
        &[],
        &[
            "guard a 0 18 | weapons = ['blades']; car = 3 | car; attack",
            "b b 4 20 | health = 100 | advance 1 if not acted",
        ],
        &[(0, Check, &[1])],
    );
    assert_eq!(
        played.only(&["reacts", "sets", "begins"]),
        ["R1 19 guard reacts to b", "R1 18 guard begins 1"]
    );
}

#[test]
fn tc_16_one_who_moved_by_car_attacks_once_also_when_the_enemy_closes_the_rest_by_its_own_car() {
    let first = "first a 0 20 | weapons = ['blades']; car = 6 | car; attack";
    let second = "second b 6 10 | weapons = ['blades']; car = 3 | car; attack";
    let played = play_fighters(&[], &[first, second], &[(0, Check, &[1]), (1, Check, &[1])]);
    assert_eq!(
        played.only(&["cars", "reacts", "begins"]),
        [
            "R1 20 first cars at second",
            "R1 20 second reacts to first",
            "R1 20 first begins 1",
            "R1 10 second begins 1",
        ]
    );
}

#[test]
fn tc_10_the_set_of_a_car_serves_melee_alone() {
    // The guard is Set for melee at once, but the bow needs a Set action.
    let guard = |policy: &str| {
        let guard = format!("guard a 0 30 | weapons = ['sword', 'bow']; car = 3 | car; {policy}");
        let played = play_fighters(&[], &[&guard, &at(3)], &[(0, Check, &[1])]);
        played.only(&["sets", "begins"]).join(", ")
    };
    assert_eq!(guard("attack with sword"), "R1 30 guard begins 1");
    assert_eq!(
        guard("attack with bow; set"),
        "R1 30 guard sets, R1 25 guard begins 1"
    );
    assert_eq!(guard("desperate"), "R1 30 guard begins 1");
}

#[test]
fn tc_16_not_while_casting_nor_channelling() {
    let b = "b b 4 10 | health = 100 | advance 1 if not acted";
    for line in ["cast fire", "channel beam"] {
        let keys = "weapons = ['sword']; car = 3; spells = ['fire', 'beam']";
        let guard = format!("guard a 0 20 | {keys} | {line}; car");
        let played = play_fighters(&[], &[&guard, b], &[]);
        assert!(played.only(&["reacts"]).is_empty());
        assert_eq!(played.only(&["goes off"]).len(), 1);
    }
}

#[test]
fn tc_16_a_reaction_is_to_whom_the_line_names_or_to_anybody_once_that_one_has_fallen() {
    let reacts = |line: &str| {
        let guard = format!("guard a 0 1 | weapons = ['sword']; car = 2 | {line}; pass");
        let played = play_fighters(
            &[],
            &[
                &guard,
                "friend a 9 25 | weapons = ['sword'] | attack z; pass",
                "x b 4 20 | | advance 2 guard if not acted",
                "y b -4 19 | | advance 2 guard if not acted",
                "z b 9 1 | health = 3 | pass",
            ],
            &[(1, Check, &[10])],
        );
        played.only(&["reacts"]).join(",")
    };
    assert_eq!(reacts("car"), "R1 18 guard reacts to x");
    assert_eq!(reacts("car y"), "R1 17 guard reacts to y");
    assert_eq!(reacts("car z"), "R1 18 guard reacts to x");
}

#[test]
fn tc_5_a_car_move_is_free_and_leaves_a_full_action_the_rounds_first() {
    let guard = "guard a 0 8 | weapons = ['sword']; car = 3 | car; attack";
    let played = play_fighters(&[], &[guard, &at(3)], &[(0, Check, &[1])]);
    assert_eq!(played.only(&["begins"]), ["R1 8 guard begins 1"]);
    // A charge is a Quarter Action: the next action needs the Marks that are left.
    let charger = "a a 0 14 | weapons = ['sword']; abilities = ['mounted_charge'] | \
                   charge; attack; set";
    let played = play_fighters(&[], &[charger, &at(3)], &[(0, Check, &[1])]);
    assert_eq!(played.only(&["sets", "begins 1"]), ["R1 9 a sets"]);
}

#[test]
fn tc_17_a_charge_moves_and_strikes_at_one_mark_without_a_set() {
    let a = "a a 0 30 | weapons = ['blades']; abilities = ['frenzied_charge'] | \
             retreat 1 if not acted; charge; attack; set";
    let played = play_fighters(&[], &[a, &at(2)], &[(0, Check, &[1, 1])]);
    assert_eq!(
        played.deeds(),
        [
            "R1 29 a steps 0>-1",
            "R1 29 a begins a charge at x",
            "R1 29 a charges -1>0",
            "R1 29 a charges 0>1",
            "R1 29 a charges 1>2",
            "R1 29 a strikes in the charge x miss",
            // To attack again it must Set, because it has moved into melee.
            "R1 24 a sets",
            "R1 19 a begins 1",
            "R1 19 a attacks x miss",
        ]
    );
    assert_eq!(played.record.combatants[0].attacks, 2);
}

#[test]
fn tc_17_any_of_three_abilities_will_do() {
    for ability in ["frenzied_charge", "mounted_charge", "lansing_charge"] {
        let a = format!("a a 0 5 | weapons = ['sword']; abilities = ['{ability}'] | charge");
        let played = play_fighters(&[], &[&a, &at(2)], &[(0, Check, &[10])]);
        assert_eq!(played.record.combatants[0].hits, 1);
    }
}

#[test]
fn tc_17_once_a_round_or_as_an_option_more_often_or_never() {
    let charges = |option: &str, rolls: &[u32]| {
        let played = play_fighters(
            &[option],
            &[
                "a a 0 20 | weapons = ['sword']; abilities = ['frenzied_charge'] | charge",
                "x b 3 1 | health = 3 | pass",
                "y b 6 1 | | pass",
            ],
            &[(0, Check, rolls)],
        );
        played.only(&["begins a charge"]).join(", ")
    };
    let once = "R1 20 a begins a charge at x";
    assert_eq!(charges("rules.charges_per_round=0", &[]), "");
    assert_eq!(charges("rules.charges_per_round=1", &[10]), once);
    assert_eq!(
        charges("rules.charges_per_round=2", &[10, 1]),
        format!("{once}, R1 15 a begins a charge at y")
    );
}

#[test]
fn tc_17_a_target_must_be_out_of_reach_and_within_the_land_speed_left() {
    let legal = |weapon: &str, policy: &str, distance: i32| {
        let abilities = "abilities = ['frenzied_charge']";
        let a = format!("a a 0 20 | weapons = ['{weapon}']; {abilities} | {policy}");
        let played = play_fighters(
            &[&format!("weapons.{weapon}.check={{ dice = \"1d1\" }}")],
            &[&a, &at(distance)],
            &[(
                0,
                Check,
                &[1][..usize::from(legal_by_rule(weapon, policy, distance))],
            )],
        );
        played.record.combatants[0].attacks == 1
    };
    for (weapon, policy, distance) in [
        ("sword", "charge", 0),
        ("sword", "charge", 1),
        ("sword", "charge", 10),
        ("sword", "charge", 11),
        ("spear", "charge", 2),
        ("spear", "charge", 12),
        ("spear", "charge", 13),
        ("sword", "advance 1 if not acted; charge", 10),
        ("sword", "advance 1 if not acted; charge", 11),
        ("sword", "retreat 1 if not acted; charge", 9),
    ] {
        let expected = legal_by_rule(weapon, policy, distance);
        let found = legal(weapon, policy, distance);
        assert_eq!(found, expected, "{weapon} {policy} {distance}");
    }
}

/// Returns whether a charge is legal by the rule: ten Units of Land Speed, including an earlier step.
fn legal_by_rule(weapon: &str, policy: &str, distance: i32) -> bool {
    let reach = if weapon == "spear" { 2 } else { 0 };
    let left = if policy.starts_with("charge") { 10 } else { 9 };
    let distance = match policy.split(' ').next() {
        Some("advance") => distance - 1,
        Some("retreat") => distance + 1,
        _ => distance,
    };
    distance > reach && distance <= reach + left
}

#[test]
fn tc_17_its_units_count_against_land_speed() {
    let a = "a a 0 30 | weapons = ['sword']; abilities = ['frenzied_charge'] | charge; retreat";
    let played = play_fighters(&[], &[a, &at(6)], &[(0, Check, &[1])]);
    assert_eq!(played.walk("a").len(), 10);
    assert_eq!(played.walk("a").last(), Some(&(21, 2)));
}

#[test]
fn tc_17_it_needs_five_marks() {
    let a = "a a 0 4 | weapons = ['sword']; abilities = ['frenzied_charge'] | charge";
    assert!(play_fighters(&[], &[a, &at(2)], &[]).deeds().is_empty());
}

#[test]
fn tc_17_one_who_began_a_charge_has_moved_into_melee_also_when_the_target_closed_the_last_units() {
    let charger = "a a 0 25 | weapons = ['blades']; abilities = ['frenzied_charge'] | \
                   charge; attack; set";
    let guard = "guard b 6 10 | weapons = ['blades']; car = 3 | car";
    let played = play_fighters(&[], &[charger, guard], &[(0, Check, &[1, 1])]);
    assert_eq!(
        played.only(&["begins", "reacts", "strikes", "sets"]),
        [
            "R1 25 a begins a charge at guard",
            "R1 25 guard reacts to a",
            "R1 25 a strikes in the charge guard miss",
            "R1 20 a sets",
            "R1 15 a begins 1",
        ]
    );
}
