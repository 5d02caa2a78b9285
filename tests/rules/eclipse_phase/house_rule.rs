//! The house rule: a die and an action for each point of Speed (EP-7).

use super::stage::{GUN, Played, one, play, scenario};
use skirmish::chance::Purpose::{Check, Initiative};

const EACH: &str = "rules.initiative={ roll = \"per-speed\" }";

#[test]
fn ep_7_the_fury_with_14_and_11_acts_on_both() {
    let text = scenario(&[
        &one("Fury", 0, 8, &format!("speed = 2\n{GUN}")),
        &one("b", 9, 8, GUN),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=1", EACH],
        &[
            (0, Initiative, &[3, 6]),
            (1, Initiative, &[4]),
            (0, Check, &[99, 99]),
            (1, Check, &[99]),
        ],
    );
    assert_eq!(
        played.lines,
        [
            "1.0 0 Fury rolls 14",
            "1.0 0 Fury rolls 11",
            "1.0 0 b rolls 12",
            "1.0 14 Fury attacks b 99/60 miss",
            "1.0 12 b attacks Fury 99/60 miss",
            "1.0 11 Fury attacks b 99/60 miss",
        ]
    );
    assert_eq!(played.counts_of(0).phases.actions, [1, 1, 0, 0]);
}

fn fury(own: &str, foe: &str, totals: &[u32], checks: [&[u32]; 2]) -> Played {
    let text = scenario(&[&one("a", 0, 8, own), &one("b", 50, 8, foe)]);
    play(
        &text,
        &["encounter.max_rounds=1", EACH],
        &[
            (0, Initiative, totals),
            (1, Initiative, &[5]),
            (0, Check, checks[0]),
            (1, Check, checks[1]),
        ],
    )
}

#[test]
fn ep_7_movement_is_divided_by_speed_and_does_not_go_on_between() {
    let own = "speed = 3\nmove = 20\npolicy = [\"advance\"]";
    let played = fury(own, "policy = [\"pass\"]", &[9, 7, 1], [&[], &[]]);
    assert_eq!(played.counts_of(0).units_moved, 18);
    let steps = |total| played.only(&[&format!("1.0 {total} a steps")]).len();
    assert_eq!([17, 15, 9].map(steps), [6, 6, 6]);
    let own = "speed = 3\nmove = 20\npolicy = [\"advance if phase = 2\"]";
    let played = fury(own, "policy = [\"pass\"]", &[9, 7, 1], [&[], &[]]);
    assert_eq!(played.counts_of(0).units_moved, 6);
}

#[test]
fn ep_7_two_places_at_one_total_come_one_after_the_other() {
    let own = format!("speed = 2\n{GUN}");
    let played = fury(&own, GUN, &[5, 5], [&[99, 99], &[99]]);
    assert_eq!(
        played.only(&["attacks"]),
        [
            "1.0 13 a attacks b 99/60 miss",
            "1.0 13 b attacks a 99/60 miss",
            "1.0 13 a attacks b 99/60 miss",
        ]
    );
}

#[test]
fn ep_7_wounds_count_against_every_total() {
    let own = "speed = 2\nweapons = [\"gun\"]\npolicy = [\"attack\"]";
    // The totals of a are 17 and 14; the wound lowers the second to 13.
    let played = fury(
        own,
        "initiative_modifier = 2\nweapons = [\"gun\"]\npolicy = [\"attack\"]",
        &[9, 6],
        [&[99, 99], &[1]],
    );
    assert_eq!(
        played.only(&["attacks", "wounded"]),
        [
            "1.0 17 a attacks b 99/60 miss",
            "1.0 15 b attacks a 1/60 hit",
            "1.0 15 a wounded 1, now 13",
            "1.0 13 a attacks b 99/50 miss",
        ]
    );
}

#[test]
fn ep_7_moxie_brings_the_first_place_forward() {
    let own = "speed = 2\nmoxie = 1\nweapons = [\"gun\"]\npolicy = [\"spend moxie\", \"attack\"]";
    let played = fury(own, GUN, &[2, 1], [&[99, 99], &[99]]);
    assert_eq!(
        played.only(&["attacks"]),
        [
            "1.0 10 a attacks b 99/60 miss",
            "1.0 13 b attacks a 99/60 miss",
            "1.0 9 a attacks b 99/60 miss",
        ]
    );
}

#[test]
fn ep_7_a_delayed_action_is_lost_at_the_next_place_of_the_turn() {
    let own = "speed = 2\nweapons = [\"gun\"]\npolicy = [\"delay if phase = 1\", \"interrupt if false\", \"attack\"]";
    let played = fury(own, GUN, &[9, 1], [&[99], &[99]]);
    assert_eq!(
        played.only(&["attacks", "delay"]),
        [
            "1.0 17 a delays",
            "1.0 13 b attacks a 99/60 miss",
            "1.0 9 a loses the delayed action",
            "1.0 9 a attacks b 99/60 miss",
        ]
    );
}

#[test]
fn ep_7_taken_before_that_it_costs_nothing_more() {
    let own = "speed = 2\nweapons = [\"gun\"]\npolicy = [\"delay if phase = 1\", \"interrupt if under_attack\", \"attack\"]";
    let played = fury(own, GUN, &[9, 1], [&[99, 99], &[99]]);
    assert_eq!(
        played.only(&["attacks", "delay"]),
        [
            "1.0 17 a delays",
            // The current total is that of its next place.
            "1.0 9 a takes the delayed action",
            "1.0 9 a attacks b 99/60 miss",
            "1.0 13 b attacks a 99/60 miss",
            "1.0 9 a attacks b 99/60 miss",
        ]
    );
    assert_eq!(played.counts_of(0).phases.actions, [1, 1, 0, 0]);
}

#[test]
fn ep_7_held_into_the_next_turn_it_costs_the_next_place() {
    let text = scenario(&[
        &one(
            "a",
            0,
            8,
            "speed = 2\nweapons = [\"gun\"]\npolicy = [\"delay if turn = 1\", \"interrupt if turn = 2 and under_attack\", \"hold\", \"attack\"]",
        ),
        &one(
            "b",
            50,
            20,
            "weapons = [\"gun\"]\npolicy = [\"attack if turn = 2\"]",
        ),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=2", EACH],
        &[
            (0, Initiative, &[9, 1, 9, 1]),
            (1, Initiative, &[5, 5]),
            (0, Check, &[99, 99]),
            (1, Check, &[99]),
        ],
    );
    assert_eq!(
        played.only(&["attacks", "delay", "holds"]),
        [
            "1.0 17 a delays",
            "1.0 9 a loses the delayed action",
            "1.0 9 a delays",
            "1.0 0 a holds",
            "2.0 17 a takes the delayed action",
            "2.0 17 a attacks b 99/60 miss",
            "2.0 25 b attacks a 99/60 miss",
            "2.0 9 a attacks b 99/60 miss",
        ]
    );
    assert_eq!(played.counts_of(0).phases.actions, [1, 1, 0, 0]);
}
