//! Delayed actions: taken, held and lost (EP-6).

use super::stage::{GUN, Played, one, play_turn, play_turns, scenario};
use skirmish::chance::Purpose::Check;

/// Plays `a`, which waits with a gun at 20, against `b`, which shoots or walks at 10.
fn wait(own: &str, foe: &str, set: &[&str], turns: usize, checks: [&[u32]; 2]) -> Played {
    let text = scenario(&[
        &one("a", 0, 19, &format!("weapons = [\"gun\"]\n{own}")),
        &one("b", 50, 9, foe),
    ]);
    let dice = [(0, Check, checks[0]), (1, Check, checks[1])];
    play_turns(&text, set, turns, &[1, 1], &dice)
}

const DEEDS: &[&str] = &["delay", "holds", "attacks", "works", "steps"];

#[test]
fn ep_6_without_hold_the_action_is_taken_at_the_end_of_the_phase() {
    let played = wait(
        "policy = [\"delay\", \"attack\"]",
        GUN,
        &[],
        1,
        [&[99], &[99]],
    );
    assert_eq!(
        played.only(DEEDS),
        [
            "1.1 20 a delays",
            "1.1 10 b attacks a 99/60 miss",
            "1.1 20 a takes the delayed action",
            "1.1 20 a attacks b 99/60 miss",
        ]
    );
    let counts = played.counts_of(0).phases;
    assert_eq!(
        [
            played.counts_of(0).delays,
            counts.interruptions,
            counts.delays_held,
            counts.delays_lost
        ],
        [1, 0, 0, 0]
    );
}

#[test]
fn ep_6_after_a_place_one_may_act_and_the_order_goes_on() {
    let text = scenario(&[
        &one(
            "a",
            0,
            19,
            "weapons = [\"gun\"]\npolicy = [\"delay\", \"interrupt if target.hp < 30\", \"hold\", \"attack\"]",
        ),
        &one("b", 50, 14, "policy = [\"pass\"]"),
        &one("ally", 0, 9, GUN),
        &one("b2", 60, 4, GUN),
    ]);
    let played = play_turn(
        &text,
        &[],
        &[1, 1, 1, 1],
        &[(0, Check, &[99]), (2, Check, &[1]), (3, Check, &[99])],
    );
    assert_eq!(
        played.only(DEEDS),
        [
            "1.1 20 a delays",
            "1.1 10 ally attacks b 1/60 hit",
            "1.1 20 a takes the delayed action",
            "1.1 20 a attacks b 99/60 miss",
            "1.1 5 b2 attacks a 99/60 miss",
        ]
    );
}

#[test]
fn ep_6_hold_is_asked_again_after_each_other_delayed_action() {
    // Two others take their delayed actions at the end of the Phase; the second comes near enough.
    let text = scenario(&[
        &one(
            "a",
            0,
            19,
            "weapons = [\"gun\"]\npolicy = [\"hold if distance > 6\", \"delay\", \"attack\"]",
        ),
        &one("b", 10, 9, "move = 8\npolicy = [\"delay\", \"advance\"]"),
        &one("c", 10, 4, "move = 20\npolicy = [\"delay\", \"advance\"]")
            .replace("side = \"c\"", "side = \"b\""),
    ]);
    let played = play_turn(&text, &[], &[1, 1, 1], &[(0, Check, &[99])]);
    assert_eq!(
        played.only(&["delay", "hold", "attacks"]),
        [
            "1.1 20 a delays",
            "1.1 10 b delays",
            "1.1 5 c delays",
            "1.1 10 b takes the delayed action",
            "1.1 5 c takes the delayed action",
            "1.1 20 a takes the delayed action",
            "1.1 20 a attacks c 99/60 miss",
        ]
    );
    assert_eq!(played.counts_of(0).phases.delays_held, 0);
}

#[test]
fn ep_6_a_held_action_is_lost_when_the_next_comes_up() {
    // The action is held over Phases 1 to 4 of turn 1, and lost when turn 2 brings the next place.
    let played = wait(
        "policy = [\"delay if turn = 1\", \"interrupt if false\", \"hold\", \"attack\"]",
        "policy = [\"pass\"]",
        &[],
        2,
        [&[99], &[]],
    );
    assert_eq!(
        played.only(DEEDS),
        [
            "1.1 20 a delays",
            "1.1 0 a holds",
            "2.1 20 a loses the delayed action",
            "2.1 20 a attacks b 99/60 miss",
        ]
    );
    let counts = played.counts_of(0).phases;
    assert_eq!(
        [
            played.counts_of(0).delays,
            counts.delays_held,
            counts.delays_lost
        ],
        [1, 1, 1]
    );
    assert_eq!(counts.actions, [1, 0, 0, 0]);
}

#[test]
fn ep_6_with_speed_two_it_is_lost_in_the_second_phase() {
    let played = wait(
        "speed = 2\npolicy = [\"delay if phase = 1\", \"hold\", \"attack\"]",
        GUN,
        &[],
        1,
        [&[99], &[99]],
    );
    assert_eq!(
        played.only(DEEDS),
        [
            "1.1 20 a delays",
            "1.1 10 b attacks a 99/60 miss",
            "1.1 0 a holds",
            "1.2 20 a loses the delayed action",
            "1.2 20 a attacks b 99/60 miss",
        ]
    );
}

#[test]
fn ep_6_in_a_phase_beyond_ones_speed_a_held_action_costs_nothing() {
    let played = wait(
        "policy = [\"delay if turn = 1\", \"interrupt if phase = 3\", \"hold\", \"attack\"]",
        "speed = 4\nweapons = [\"gun\"]\npolicy = [\"attack\"]",
        &[],
        2,
        [&[99, 99], &[99; 8]],
    );
    assert_eq!(
        played.only(&["delay", "holds", "a attacks"]),
        [
            "1.1 20 a delays",
            "1.1 0 a holds",
            // The action is taken as the Phase begins, before b's place.
            "1.3 20 a takes the delayed action",
            "1.3 20 a attacks b 99/60 miss",
            "2.1 20 a attacks b 99/60 miss",
        ]
    );
    assert_eq!(played.counts_of(0).phases.actions, [1, 0, 1, 0]);
}

#[test]
fn ep_6_taken_in_a_later_phase_in_which_one_has_an_action_it_costs_that_action() {
    // b is first in turn 2; a interrupts its attack with the action held from turn 1, and has no place of its own left.
    let played = wait(
        "policy = [\"delay if turn = 1\", \"interrupt if turn = 2 and enemy_attacks\", \"hold\", \"attack\"]",
        "moxie = 1\nweapons = [\"gun\"]\npolicy = [\"spend moxie if turn = 2\", \"attack if turn = 2\"]",
        &[],
        2,
        [&[99], &[99]],
    );
    assert_eq!(
        played.only(DEEDS),
        [
            "1.1 20 a delays",
            "1.1 0 a holds",
            "2.1 20 a takes the delayed action",
            "2.1 20 a attacks b 99/60 miss",
            "2.1 10 b attacks a 99/60 miss",
        ]
    );
    let counts = played.counts_of(0).phases;
    assert_eq!([counts.delays_lost, counts.interruptions], [0, 1]);
}

#[test]
fn ep_6_nothing_may_be_done_before_a_delay_and_a_delayed_action_is_not_delayed_again() {
    let played = wait(
        "policy = [\"retreat 1 if not moved and not interrupting\", \"delay\"]",
        "policy = [\"pass\"]",
        &[],
        1,
        [&[], &[]],
    );
    assert_eq!(played.counts_of(0).delays, 0);
    let played = wait(
        "policy = [\"delay\", \"attack if turn = 3\"]",
        "policy = [\"pass\"]",
        &[],
        2,
        [&[], &[]],
    );
    assert_eq!(played.counts_of(0).delays, 2);
    assert_eq!(played.counts_of(0).attacks, 0);
}

#[test]
fn ep_6_a_delayed_stage_is_a_whole_one() {
    let text = scenario(&[
        "[items.stim]\ncost = \"quick\"\nheal = 1\n",
        &one(
            "a",
            0,
            19,
            "weapons = [\"gun\"]\nitems = [\"stim\"]\nmove = 8\n\
             policy = [\"delay\", \"interrupt if enemy_moves\", \"use stim\", \"attack\", \"retreat\"]",
        ),
        &one("b", 50, 9, "move = 4\npolicy = [\"advance\"]"),
    ]);
    let played = play_turn(&text, &[], &[1, 1], &[(0, Check, &[99])]);
    assert_eq!(
        played.only(&["1.1"]),
        [
            "1.1 20 a delays",
            "1.1 20 a takes the delayed action",
            "1.1 20 a uses +0",
            "1.1 20 a attacks b 99/60 miss",
            "1.1 20 a steps 0>-1",
            "1.1 20 a steps -1>-2",
            "1.1 10 b steps 50>49",
        ]
    );
    // From then on its retreat is under way.
    assert_eq!(played.counts_of(0).units_moved, 8);
}

#[test]
fn ep_6_moxie_brings_up_the_place_at_which_a_held_action_is_lost() {
    let played = wait(
        "speed = 2\nmoxie = 1\npolicy = [\"spend moxie if phase = 2\", \"delay if phase = 1\", \"interrupt if enemy_attacks and phase = 2\", \"hold\", \"attack\"]",
        "speed = 2\ninitiative_modifier = 20\nweapons = [\"gun\"]\npolicy = [\"attack if phase = 2\"]",
        &[],
        1,
        [&[99], &[99]],
    );
    assert_eq!(
        played.only(DEEDS)[2..],
        [
            "1.2 20 a loses the delayed action",
            "1.2 20 a attacks b 99/60 miss",
            "1.2 30 b attacks a 99/60 miss",
        ]
    );
}

#[test]
fn ep_6_where_the_rules_let_nobody_delay_a_line_that_delays_is_never_legal() {
    let played = wait(
        "policy = [\"delay\", \"interrupt\", \"attack\"]",
        GUN,
        &["rules.delays=false"],
        1,
        [&[99], &[99]],
    );
    assert_eq!(
        played.only(DEEDS),
        [
            "1.1 20 a attacks b 99/60 miss",
            "1.1 10 b attacks a 99/60 miss"
        ]
    );
    assert_eq!(played.counts_of(0).delays, 0);
}
