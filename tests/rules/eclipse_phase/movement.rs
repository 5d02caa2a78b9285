//! Movement over the Phases (EP-8).

use super::stage::{Played, one, play, play_turn, play_turns, scenario};
use skirmish::chance::Purpose::{Check, Initiative};

/// Plays a combatant that moves alone against one that does nothing, a hundred Units away.
fn walk(own: &str, set: &[&str], turns: usize) -> Played {
    let text = scenario(&[
        &one("a", 0, 9, own),
        &one("b", 100, 1, "policy = [\"pass\"]"),
    ]);
    play_turns(&text, set, turns, &[1, 1], &[])
}

/// Returns the Units moved in each Phase of the first turn.
fn by_phase(played: &Played) -> [usize; 4] {
    [1, 2, 3, 4].map(|phase| {
        let start = format!("1.{phase} ");
        let steps = played.only(&["steps"]);
        steps.iter().filter(|line| line.starts_with(&start)).count()
    })
}

#[test]
fn ep_8_a_turns_movement_is_spread_over_its_phases() {
    for (units, shares) in [
        (20, [5, 5, 5, 5]),
        (10, [2, 3, 2, 3]),
        (7, [1, 2, 2, 2]),
        (3, [0, 1, 1, 1]),
        (0, [0; 4]),
    ] {
        let own = format!("speed = 4\nmove = {units}\npolicy = [\"advance\"]");
        assert_eq!(by_phase(&walk(&own, &[], 1)), shares, "{units}");
    }
    // The default rate is 20.
    let played = walk("speed = 4\npolicy = [\"advance\"]", &[], 1);
    assert_eq!(played.counts_of(0).units_moved, 20);
}

#[test]
fn ep_8_movement_once_begun_goes_on_in_phases_in_which_one_does_not_act() {
    let played = walk("move = 10\npolicy = [\"advance\"]", &[], 1);
    assert_eq!(by_phase(&played), [2, 3, 2, 3]);
    // One decision for each Unit in its own stage, none after it.
    assert_eq!(played.counts_of(0).decisions, 2);
    // A move that was not begun does not continue.
    let played = walk(
        "speed = 2\nmove = 20\npolicy = [\"advance if phase = 2\"]",
        &[],
        1,
    );
    assert_eq!(by_phase(&played), [0, 5, 0, 0]);
}

#[test]
fn ep_8_a_committed_move_goes_on_until_it_is_made() {
    let played = walk("move = 20\npolicy = [\"advance 12 if phase = 1\"]", &[], 1);
    assert_eq!(by_phase(&played), [5, 5, 2, 0]);
    let played = walk("move = 20\npolicy = [\"advance 12 to 92\"]", &[], 1);
    assert_eq!(by_phase(&played), [5, 3, 0, 0]);
}

#[test]
fn ep_8_unit_by_unit_its_condition_is_asked_again() {
    let played = walk("move = 20\npolicy = [\"advance if distance > 93\"]", &[], 1);
    assert_eq!(by_phase(&played), [5, 2, 0, 0]);
}

#[test]
fn ep_8_a_move_that_its_condition_has_ended_does_not_begin_again_where_one_does_not_act() {
    // The hunter brings the runner's condition about again in Phases 1 and 2.
    let text = scenario(&[
        &one(
            "runner",
            0,
            9,
            "move = 20\npolicy = [\"retreat if distance <= 4\"]",
        ),
        &one(
            "hunter",
            3,
            5,
            "speed = 2\nmove = 12\npolicy = [\"advance to 1\"]",
        ),
    ]);
    let played = play_turn(&text, &["rules.initiative={ mode = \"fixed\" }"], &[], &[]);
    assert_eq!(
        played.only(&["runner steps"]),
        ["1.1 9 runner steps 0>-1", "1.1 9 runner steps -1>-2"]
    );
}

#[test]
fn ep_8_while_a_move_goes_on_conditions_are_about_the_stage_in_which_it_began() {
    for fact in ["attacked", "acted", "moved or attacked"] {
        let own =
            format!("move = 20\nweapons = [\"gun\"]\npolicy = [\"attack\", \"retreat if {fact}\"]");
        let text = scenario(&[
            &one("a", 0, 9, &own),
            &one("b", 20, 1, "policy = [\"pass\"]"),
        ]);
        let dice = [
            (0, Initiative, &[1, 1][..]),
            (1, Initiative, &[1, 1]),
            (0, Check, &[99, 99]),
        ];
        let played = play(&text, &["encounter.max_rounds=2"], &dice);
        assert_eq!(by_phase(&played), [5, 5, 5, 5], "{fact}");
        assert_eq!(played.counts_of(0).units_moved, 40, "{fact}");
    }
    // In its own stage it has done nothing yet.
    let own = "speed = 2\nmove = 20\npolicy = [\"advance if phase = 1 or moved\"]";
    assert_eq!(by_phase(&walk(own, &[], 1)), [5, 0, 0, 0]);
}

#[test]
fn ep_8_in_its_own_stage_one_decides_anew() {
    let played = walk(
        "speed = 2\nmove = 20\npolicy = [\"advance 12 if phase = 1\", \"retreat 1 if phase = 2 and not moved\"]",
        &[],
        1,
    );
    assert_eq!(by_phase(&played), [5, 1, 0, 0]);
    assert_eq!(played.only(&["steps"]).last(), Some(&"1.2 10 a steps 5>4"));
}

#[test]
fn ep_8_the_whole_turn_at_once_by_option() {
    let played = walk("policy = [\"advance\"]", &["rules.movement=whole"], 1);
    assert_eq!(by_phase(&played), [20, 0, 0, 0]);
    let played = walk(
        "speed = 2\npolicy = [\"advance 15 if not moved\"]",
        &["rules.movement=whole"],
        1,
    );
    assert_eq!(by_phase(&played), [15, 5, 0, 0]);
}

#[test]
fn ep_8_shares_that_are_not_used_are_lost() {
    let played = walk(
        "speed = 4\nmove = 20\npolicy = [\"advance if phase = 4\"]",
        &[],
        1,
    );
    assert_eq!(by_phase(&played), [0, 0, 0, 5]);
}

#[test]
fn ep_8_who_does_not_act_moves_at_its_place_in_the_order() {
    // b, at 20, shoots first in Phase 2; then a continues.
    let text = scenario(&[
        &one("a", 0, 9, "move = 8\npolicy = [\"advance\"]"),
        &one(
            "b",
            100,
            15,
            "speed = 2\nweapons = [\"gun\"]\npolicy = [\"attack\"]",
        ),
    ]);
    let played = play_turn(&text, &[], &[1, 1], &[(1, Check, &[99, 99])]);
    assert_eq!(
        played.only(&["1.2"]),
        [
            "1.2 16 b attacks a 99/60 miss",
            "1.2 10 a steps 2>3",
            "1.2 10 a steps 3>4",
        ]
    );
}

#[test]
fn w_5_steps_that_would_cross_are_not_both_made() {
    let text = scenario(&[
        &one("a", 0, 5, "move = 4\npolicy = [\"advance to 0\"]"),
        &one("b", 1, 5, "move = 4\npolicy = [\"advance to 0\"]"),
    ]);
    let played = play_turn(&text, &[], &[1, 1], &[]);
    assert_eq!(
        played.only(&["steps", "spends"]),
        ["1.1 6 a steps 0>1", "1.1 6 b spends a step"]
    );
}

#[test]
fn ep_8_a_move_against_one_who_falls_goes_on_to_another() {
    let text = scenario(&[
        &one("a", 0, 1, "move = 16\npolicy = [\"advance 16 b1\"]"),
        &one(
            "c",
            0,
            30,
            "weapons = [\"blade\"]\nspeed = 2\nmove = 0\nposition = 6\npolicy = [\"attack\"]",
        )
        .replace("position = 0\n", "")
        .replace("\"c\"\n", "\"a\"\n"),
        &one("b1", 5, 1, "policy = [\"pass\"]"),
        &one("b2", 50, 1, "policy = [\"pass\"]"),
    ])
    .replace(
        "name = \"a\"\nside = \"a\"\ni",
        "name = \"c\"\nside = \"a\"\ni",
    );
    let played = play(
        &text,
        &[
            "encounter.max_rounds=1",
            "rules.initiative={ mode = \"fixed\" }",
        ],
        &[(1, Check, &[99, 1])],
    );
    assert_eq!(
        played.only(&["falls", "steps 3>4", "steps 7>8"]),
        ["1.1 1 a steps 3>4", "1.2 30 b1 falls", "1.2 1 a steps 7>8"]
    );
    assert_eq!(played.counts_of(0).units_moved, 16);
}

#[test]
fn w_5_a_committed_move_outlasts_a_step_that_is_spent() {
    // Both commit to two Units at the same instant: one of the first two Units is spent, and both continue.
    let text = scenario(&[
        &one("a", 0, 5, "move = 8\npolicy = [\"advance 2 to 0\"]"),
        &one("b", 1, 5, "move = 8\npolicy = [\"retreat 2\"]"),
        &one("c", 3, 5, "move = 8\npolicy = [\"advance 2 to 0 a\"]")
            .replace("side = \"c\"", "side = \"b\""),
    ]);
    let played = play(
        &text,
        &[
            "encounter.max_rounds=1",
            "rules.initiative={ mode = \"fixed\" }",
        ],
        &[],
    );
    for who in 0..3 {
        let spent = played
            .only(&[&format!("{} spends", ["a", "b", "c"][who])])
            .len();
        let made = played.counts_of(who).units_moved as usize;
        assert!(made + spent >= 2, "{who}: {:?}", played.lines);
    }
    let first: Vec<&str> = played.only(&["1.1"]).into_iter().take(3).collect();
    assert_eq!(
        first,
        [
            "1.1 5 a steps 0>1",
            "1.1 5 b steps 1>2",
            "1.1 5 c steps 3>2"
        ]
    );
}

#[test]
fn ep_8_a_committed_move_keeps_its_target_in_phases_beyond_ones_speed() {
    // a retreats from c, the nearest enemy when the move begins; b has come nearer by the second Phase.
    let text = scenario(&[
        &one("a", 0, 9, "move = 8\npolicy = [\"retreat 8\"]"),
        &one("c", 2, 1, "policy = [\"pass\"]"),
        &one("b", -6, 5, "move = 20\npolicy = [\"advance 5 a\"]").replace("\"b\"\np", "\"c\"\np"),
    ]);
    let played = play(
        &text,
        &[
            "encounter.max_rounds=1",
            "rules.initiative={ mode = \"fixed\" }",
        ],
        &[],
    );
    let steps = played.only(&["a steps"]);
    assert_eq!(steps.len(), 8);
    assert_eq!(steps.last(), Some(&"1.4 9 a steps -7>-8"));
}

/// Plays `a`, of Speed 1, which moves the five Units of Phase 1 and is then 95 Units from `b`; `b` walks on in Phase 2
/// and again in Phase 3.
fn chase(line: &str, set: &[&str]) -> [usize; 4] {
    let text = scenario(&[
        &one("a", 0, 9, &format!("move = 20\npolicy = [\"{line}\"]")),
        &one(
            "b",
            100,
            15,
            "speed = 3\nmove = 20\npolicy = [\"retreat 3 if phase > 1 and not moved\"]",
        ),
    ]);
    let fixed = "rules.initiative={ mode = \"fixed\" }";
    let played = play_turn(&text, &[&[fixed], set].concat(), &[], &[]);
    [1, 2, 3, 4].map(|phase| played.only(&[&format!("1.{phase} 9 a steps")]).len())
}

#[test]
fn ep_8_a_move_that_has_reached_its_goal_is_over_though_its_target_moves_on() {
    // The last Unit of the Phase's share also reaches the goal.
    for line in ["advance 12 to 95", "advance to 95"] {
        assert_eq!(chase(line, &[]), [5, 0, 0, 0], "{line}");
    }
    // One Unit short of the goal the move is still under way, and follows.
    for line in ["advance 12 to 94", "advance to 94"] {
        assert_eq!(chase(line, &[]), [5, 4, 0, 0], "{line}");
    }
}

#[test]
fn ep_8_by_option_a_move_follows_a_target_that_moves_on() {
    for line in ["advance 12 to 95", "advance to 95"] {
        let steps = chase(line, &["rules.move_follows=true"]);
        assert_eq!(steps, [5, 3, 3, 0], "{line}");
    }
    // It moves only the Units that it has committed to.
    assert_eq!(
        chase("advance 7 to 95", &["rules.move_follows=true"]),
        [5, 2, 0, 0]
    );
}

#[test]
fn ep_8_one_who_reaches_its_goal_early_in_its_own_stage_does_not_go_on_either() {
    assert_eq!(chase("advance to 98", &[]), [2, 0, 0, 0]);
    assert_eq!(
        chase("advance to 98", &["rules.move_follows=true"]),
        [2, 3, 3, 0]
    );
}

#[test]
fn ep_8_with_another_number_of_phases_movement_is_spread_over_so_many() {
    let own = "speed = 4\nmove = 20\npolicy = [\"advance\"]";
    let played = walk(own, &["rules.phases=3"], 1);
    assert_eq!(by_phase(&played), [6, 7, 7, 0]);
    let played = walk(own, &["rules.phases=2"], 1);
    assert_eq!(by_phase(&played), [10, 10, 0, 0]);
}

#[test]
fn ep_8_the_whole_turns_movement_does_not_go_on_where_one_does_not_act() {
    let own = "move = 20\npolicy = [\"advance 12 if not moved\"]";
    let played = walk(own, &["rules.movement=whole"], 1);
    assert_eq!(by_phase(&played), [12, 0, 0, 0]);
}

/// A stage that pays for a Unit of an earlier stage has that much less movement, but does not count as having moved.
#[test]
fn w_15_who_pays_for_a_unit_of_the_phase_before_has_not_moved() {
    let bog = "[encounter.ground.bog]\nstretch = [-9, 50]\ndifficult = true\n";
    for (line, wanted) in [
        ("attack if phase = 2 and not moved", "attacks b 99/60 miss"),
        ("delay if phase = 2", "delays"),
    ] {
        let own = format!(
            "speed = 2\nmove = 4\nweapons = [\"gun\"]\n\
             policy = [\"advance 1 if phase = 1\", \"{line}\", \"advance 1 if phase = 2\", \"pass\"]"
        );
        let text = scenario(&[
            bog,
            &one("a", 0, 9, &own),
            &one("b", 100, 1, "policy = [\"pass\"]"),
        ]);
        let die: &[u32] = &[1];
        let mut dice = vec![(0, Initiative, die), (1, Initiative, die)];
        if line.starts_with("attack") {
            dice.push((0, Check, &[99]));
        }
        let played = play(&text, &["encounter.max_rounds=1"], &dice);
        let told = [
            String::from("1.1 10 a steps 0>1"),
            format!("1.2 10 a {wanted}"),
        ];
        assert_eq!(played.only(&["steps", "attacks", "delays"]), told);
    }
}

/// A combatant that leaves ground on which it had more Units owes nothing for them: only a Unit that costs more than
/// was left is paid later.
#[test]
fn w_15_only_units_of_difficult_ground_are_paid_later() {
    let road = "[encounter.ground.road]\nstretch = [0, 1]\nmodifies = { move = 4 }\n";
    let bog = "[encounter.ground.bog]\nstretch = [5000, 5010]\ndifficult = true\n";
    let [dry, wet] = ["", bog].map(|bog| {
        let text = scenario(&[
            road,
            bog,
            &one("a", 0, 9, "speed = 4\nmove = 4\npolicy = [\"advance\"]"),
            &one("b", 100, 1, "policy = [\"pass\"]"),
        ]);
        let die: &[u32] = &[1];
        let dice = [(0, Initiative, die), (1, Initiative, die)];
        by_phase(&play(&text, &["encounter.max_rounds=1"], &dice))
    });
    // Two Units in the first Phase, the second of them off the road; then one in each Phase.
    assert_eq!(dry, [2, 1, 1, 1]);
    assert_eq!(wet, dry);
}

/// A move without a number is decided anew before each Unit, and ends when the mover is stunned; a move with a number
/// continues.
#[test]
fn ep_8_a_move_that_is_decided_anew_ends_with_a_stun() {
    let flash = "[items.flash]\ntarget = \"enemy\"\nrange = 200\ncost = \"quick\"\n\
                 effects = [{ condition = \"dazed\", lasts = 1 }]\n\
                 [conditions.dazed]\nmodifies = { actions = 0 }\n";
    for (line, phases) in [("advance", [1, 0, 0, 0]), ("advance 9", [1, 1, 1, 1])] {
        let text = scenario(&[
            flash,
            &one("a", 0, 9, &format!("move = 4\npolicy = [\"{line}\"]")),
            &one(
                "b",
                100,
                20,
                "speed = 2\nitems = [\"flash\"]\npolicy = [\"use flash if phase = 2\", \"pass\"]",
            ),
        ]);
        let die: &[u32] = &[1];
        let dice = [(0, Initiative, die), (1, Initiative, die)];
        let played = play(&text, &["encounter.max_rounds=1"], &dice);
        assert_eq!(by_phase(&played), phases, "{line}");
    }
}
