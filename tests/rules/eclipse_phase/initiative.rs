//! The order of actions (EP-1, EP-2, EP-4).

use super::stage::{BLADE, GUN, one, play, play_turn, scenario};
use skirmish::chance::Purpose::{Check, Initiative};
use skirmish::fight::Ending;

/// Returns a scenario with Adam, Bob and Cami, whose Initiative stats are those of the text, and a target.
fn three(bob: &str) -> String {
    scenario(&[
        &one("Adam", 0, 8, GUN),
        &one("Bob", 0, 11, bob).replace("side = \"B\"", "side = \"A\""),
        &one("Cami", 0, 6, GUN).replace("side = \"C\"", "side = \"A\""),
        &one("Xeno", 50, -20, "policy = [\"pass\"]"),
    ])
}

#[test]
fn ep_1_cami_with_14_goes_before_bob_with_13_and_adam_with_11() {
    let played = play_turn(
        &three(GUN),
        &[],
        &[3, 2, 8, 1],
        &[(0, Check, &[99]), (1, Check, &[99]), (2, Check, &[99])],
    );
    assert_eq!(
        played.lines,
        [
            "1.0 0 Adam rolls 11",
            "1.0 0 Bob rolls 13",
            "1.0 0 Cami rolls 14",
            "1.0 0 Xeno rolls -19",
            "1.1 14 Cami attacks Xeno 99/60 miss",
            "1.1 13 Bob attacks Xeno 99/60 miss",
            "1.1 11 Adam attacks Xeno 99/60 miss",
        ]
    );
}

#[test]
fn ep_1_init_is_a_fifth_of_intuition_and_reflexes_rounded_down_plus_modifiers() {
    let text = scenario(&[
        "[[combatants]]\nname = \"a\"\nside = \"a\"\nposition = 0\nhealth = 30\n\
         attributes = { intuition = 20, reflexes = 24 }\ninitiative_modifier = 2\npolicy = [\"pass\"]",
        &one("b", 0, 6, "policy = [\"pass\"]"),
    ]);
    let played = play_turn(&text, &[], &[5, 1], &[]);
    assert_eq!(
        played.only(&["rolls"]),
        ["1.0 0 a rolls 15", "1.0 0 b rolls 7"]
    );
}

#[test]
fn ep_1_everybody_rolls_again_every_turn_and_fixed_initiative_rolls_never() {
    let text = scenario(&[&one("a", 0, 5, GUN), &one("b", 9, 5, GUN)]);
    let miss: &[u32] = &[99; 3];
    let played = play(
        &text,
        &["encounter.max_rounds=3"],
        &[
            (0, Initiative, &[9, 1, 9]),
            (1, Initiative, &[5, 5, 5]),
            (0, Check, miss),
            (1, Check, miss),
        ],
    );
    assert_eq!(
        played.when(&["attacks"]),
        ["1.1 a", "1.1 b", "2.1 b", "2.1 a", "3.1 a", "3.1 b"]
    );
    let played = play(
        &text,
        &[
            "encounter.max_rounds=3",
            "rules.initiative={ mode = \"fixed\" }",
            "combatants.b.initiative=6",
        ],
        &[(0, Check, miss), (1, Check, miss)],
    );
    assert_eq!(
        played.when(&["attacks"]),
        ["1.1 b", "1.1 a", "2.1 b", "2.1 a", "3.1 b", "3.1 a"]
    );
}

#[test]
fn ep_1_equal_totals_act_simultaneously_and_both_may_fall() {
    let text = scenario(&[&one("a", 0, 5, BLADE), &one("b", 1, 7, BLADE)]);
    let played = play(
        &text,
        &[],
        &[
            (0, Initiative, &[4]),
            (1, Initiative, &[2]),
            (0, Check, &[30]),
            (1, Check, &[40]),
        ],
    );
    assert_eq!(played.record.ending, Ending::Mutual);
    assert_eq!(
        played.only(&["takes", "settles", "falls"]),
        [
            "1.1 9 b takes 30 has 30 later",
            "1.1 9 a takes 30 has 30 later",
            "1.1 9 a settles 30 has 0",
            "1.1 9 a falls",
            "1.1 9 b settles 30 has 0",
            "1.1 9 b falls",
        ]
    );
}

#[test]
fn ep_2_speed_says_in_how_many_phases_one_acts_in_the_same_order() {
    let text = scenario(&[
        &one("slow", 0, 9, GUN),
        &one("fast", 9, 5, &format!("speed = 4\n{GUN}")),
        &one("mid", 9, 7, &format!("speed = 2\n{GUN}")).replace("\"m\"", "\"f\""),
    ]);
    let played = play_turn(
        &text,
        &[],
        &[5, 5, 5],
        &[
            (0, Check, &[99]),
            (1, Check, &[99; 4]),
            (2, Check, &[99; 2]),
        ],
    );
    assert_eq!(
        played.when(&["attacks"]),
        [
            "1.1 slow", "1.1 mid", "1.1 fast", "1.2 mid", "1.2 fast", "1.3 fast", "1.4 fast"
        ]
    );
    assert_eq!(played.counts_of(1).phases.actions, [1, 1, 1, 1]);
    assert_eq!(played.counts_of(2).phases.actions, [1, 1, 0, 0]);
}

#[test]
fn ep_4_bobs_three_wounds_let_adam_go_before_him() {
    // Xeno, at 15, wounds Bob three times: 18 points, with a threshold of 6.
    let text = three(GUN).replace(
        "initiative = -20\nhealth = 30\npolicy = [\"pass\"]",
        "initiative = 10\nhealth = 30\nweapons = [\"cannon\"]\npolicy = [\"attack Bob\"]",
    ) + "\n[weapons.cannon]\nkind = \"ranged\"\nrange = 100\ncheck = { skill = 60 }\ndamage = 18\n";
    let played = play_turn(
        &text,
        &[],
        &[3, 2, 8, 5],
        &[
            (0, Check, &[99]),
            (1, Check, &[99]),
            (2, Check, &[99]),
            (3, Check, &[10]),
        ],
    );
    assert_eq!(
        played.lines[4..],
        [
            "1.1 15 Xeno attacks Bob 10/60 hit",
            "1.1 15 Bob takes 18 has 12",
            "1.1 15 Bob wounded 3, now 10",
            "1.1 15 Bob falls behind",
            "1.1 14 Cami attacks Xeno 99/60 miss",
            "1.1 11 Adam attacks Xeno 99/60 miss",
            "1.1 10 Bob attacks Xeno 99/30 miss",
        ]
    );
    assert_eq!(played.counts_of(1).phases.wounds, 3);
    assert_eq!(played.counts_of(1).phases.reorderings, 1);
}

#[test]
fn ep_4_wounds_last_and_come_off_the_next_turns_total_too() {
    let text = scenario(&[&one("a", 0, 9, GUN), &one("b", 9, 9, "policy = [\"pass\"]")]);
    let played = play(
        &text,
        &["encounter.max_rounds=3"],
        &[
            (0, Initiative, &[9; 3]),
            (1, Initiative, &[1; 3]),
            (0, Check, &[1, 1, 99]),
        ],
    );
    assert_eq!(
        played.only(&["b rolls"]),
        ["1.0 0 b rolls 10", "2.0 0 b rolls 9", "3.0 0 b rolls 8"]
    );
    // No combatant stood between the two, so the order did not change.
    assert_eq!(played.counts_of(1).phases.reorderings, 0);
}

#[test]
fn ep_4_a_wound_may_bring_two_level_and_then_they_act_simultaneously() {
    let text = scenario(&[
        &one("a", 0, 20, "weapons = [\"gun\"]\npolicy = [\"attack b\"]"),
        &one("b", 9, 6, GUN),
        &one("c", 9, 5, GUN).replace("\"c\"\np", "\"b\"\np"),
    ]);
    let played = play_turn(
        &text,
        &[],
        &[1, 5, 5],
        &[(0, Check, &[1]), (1, Check, &[99]), (2, Check, &[98])],
    );
    assert_eq!(
        played.only(&["behind", "b attacks", "c attacks"]),
        [
            "1.1 21 b falls behind",
            "1.1 10 b attacks a 99/50 miss",
            "1.1 10 c attacks a 98/60 miss",
        ]
    );
}

#[test]
fn ep_4_wounds_of_those_who_act_simultaneously_count_when_all_have_acted() {
    let text = scenario(&[&one("a", 0, 5, GUN), &one("b", 9, 5, GUN)]);
    let played = play(
        &text,
        &["encounter.max_rounds=1"],
        &[
            (0, Initiative, &[5]),
            (1, Initiative, &[5]),
            (0, Check, &[1]),
            // b is not wounded yet: the test is against 60.
            (1, Check, &[60]),
        ],
    );
    assert_eq!(
        played.only(&["wounded", "settles"]),
        [
            "1.1 10 a settles 6 has 24",
            "1.1 10 a wounded 1, now 9",
            "1.1 10 b settles 6 has 24",
            "1.1 10 b wounded 1, now 9",
        ]
    );
}

#[test]
fn ep_4_what_a_wound_costs_is_an_option() {
    let text = scenario(&[&one("a", 0, 9, GUN), &one("b", 9, 9, "policy = [\"pass\"]")]);
    for (points, total) in [(0, 10), (3, 7)] {
        let played = play_turn(
            &text,
            &[&format!("rules.initiative={{ wound = {points} }}")],
            &[9, 1],
            &[(0, Check, &[1])],
        );
        assert_eq!(
            played.only(&["wounded"]),
            [format!("1.1 18 b wounded 1, now {total}")]
        );
    }
}

#[test]
fn ep_1_the_rounding_of_init_is_an_option() {
    for (reflexes, down, nearest, up) in [(20, 8, 8, 8), (22, 8, 8, 9), (23, 8, 9, 9)] {
        let text = scenario(&[
            &format!(
                "[[combatants]]\nname = \"a\"\nside = \"a\"\nposition = 0\nhealth = 30\n\
                 attributes = {{ intuition = 20, reflexes = {reflexes} }}\npolicy = [\"pass\"]"
            ),
            &one("b", 0, 6, "policy = [\"pass\"]"),
        ]);
        for (rounding, init) in [("down", down), ("nearest", nearest), ("up", up)] {
            let rules =
                format!("rules.initiative={{ mode = \"fixed\", rounding = \"{rounding}\" }}");
            let played = play(&text, &["encounter.max_rounds=1", &rules], &[]);
            assert_eq!(
                played.only(&["a rolls"]),
                [format!("1.0 0 a rolls {init}")],
                "{rounding} {reflexes}"
            );
        }
    }
}

#[test]
fn ep_2_the_number_of_phases_is_an_option() {
    let text = scenario(&[
        &one("slow", 0, 9, GUN),
        &one("fast", 9, 5, &format!("speed = 4\n{GUN}")),
    ]);
    let turns = |phases: &str, misses: &[u32]| {
        play_turn(
            &text,
            &[phases],
            &[5, 5],
            &[(0, Check, &[99]), (1, Check, misses)],
        )
    };
    // Speed above the number of Phases gives no further actions.
    let played = turns("rules.phases=2", &[99; 2]);
    assert_eq!(played.counts_of(1).phases.actions, [1, 1, 0, 0]);
    let played = turns("rules.phases=6", &[99; 4]);
    assert_eq!(played.counts_of(1).phases.actions, [1, 1, 1, 1]);
    assert_eq!(
        played.when(&["attacks"]),
        ["1.1 slow", "1.1 fast", "1.2 fast", "1.3 fast", "1.4 fast"]
    );
}

#[test]
fn ep_2_the_greatest_speed_is_an_option() {
    let text = scenario(&[
        &one("a", 0, 9, &format!("speed = 6\n{GUN}")),
        &one("b", 9, 5, "policy = [\"pass\"]"),
    ]);
    let set = [
        "encounter.max_rounds=1",
        "rules.phases=8",
        "rules.speed.max=6",
    ];
    let played = play(
        &text,
        &set,
        &[
            (0, Initiative, &[5]),
            (1, Initiative, &[5]),
            (0, Check, &[99; 6]),
        ],
    );
    // The last column counts the fourth Phase and all after it.
    assert_eq!(played.counts_of(0).phases.actions, [1, 1, 1, 3]);
    assert_eq!(played.only(&["1.6"]).len(), 1);
    // With a die for each point of Speed there are six dice, whatever the number of Phases.
    let set = [
        "encounter.max_rounds=1",
        "rules.speed.max=6",
        "rules.initiative={ roll = \"per-speed\" }",
    ];
    let played = play(
        &text,
        &set,
        &[
            (0, Initiative, &[1, 6, 2, 5, 3, 4]),
            (1, Initiative, &[5]),
            (0, Check, &[99; 6]),
        ],
    );
    assert_eq!(played.only(&["attacks"]).len(), 6);
    assert_eq!(
        played.only(&["a rolls"])[..2],
        ["1.0 0 a rolls 15", "1.0 0 a rolls 14"]
    );
}

#[test]
fn ep_2_a_speed_beyond_the_greatest_counts_as_the_greatest() {
    let text = scenario(&[
        &one("a", 0, 9, &format!("speed = 4\n{GUN}")),
        &one("b", 9, 5, "policy = [\"pass\"]"),
    ]);
    let set = ["encounter.max_rounds=1", "rules.speed.max=2"];
    let die: &[u32] = &[5];
    let played = play(
        &text,
        &set,
        &[
            (0, Initiative, die),
            (1, Initiative, die),
            (0, Check, &[99; 2]),
        ],
    );
    assert_eq!(played.counts_of(0).phases.actions, [1, 1, 0, 0]);
}
