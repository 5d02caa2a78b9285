//! Combatants that spend Moxie go first (EP-5).

use super::stage::{GUN, one, play, play_turn, scenario};
use skirmish::chance::Purpose::{Check, Initiative};

fn armed(policy: &str, rest: &str) -> String {
    format!("{rest}\nweapons = [\"gun\"]\npolicy = [{policy}, \"attack\"]")
}

const SPENDS: &str = "\"spend moxie\"";

#[test]
fn ep_5_a_point_goes_first_whatever_the_total() {
    let text = scenario(&[
        &one("a", 0, 1, &armed(SPENDS, "moxie = 2")),
        &one("b", 9, 9, GUN),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=3"],
        &[
            (0, Initiative, &[1; 3]),
            (1, Initiative, &[9; 3]),
            (0, Check, &[99; 3]),
            (1, Check, &[99; 3]),
        ],
    );
    // Two points are spent, then none are left.
    assert_eq!(
        played.only(&["spends", "attacks"]),
        [
            "1.1 0 a spends Moxie, 1 left",
            "1.1 2 a attacks b 99/60 miss",
            "1.1 18 b attacks a 99/60 miss",
            "2.1 0 a spends Moxie, 0 left",
            "2.1 2 a attacks b 99/60 miss",
            "2.1 18 b attacks a 99/60 miss",
            "3.1 18 b attacks a 99/60 miss",
            "3.1 2 a attacks b 99/60 miss",
        ]
    );
    assert_eq!(played.counts_of(0).phases.moxie_spent, 2);
}

#[test]
fn ep_5_several_are_ordered_among_themselves_and_then_come_the_others() {
    let text = scenario(&[
        &one("a1", 0, 1, &armed(SPENDS, "moxie = 1")),
        &one("a2", 0, 2, &armed(SPENDS, "moxie = 1")),
        &one("b1", 9, 8, GUN),
        &one("b2", 9, 9, GUN),
    ]);
    let miss: &[u32] = &[99];
    let played = play_turn(
        &text,
        &[],
        &[5, 5, 5, 5],
        &[
            (0, Check, miss),
            (1, Check, miss),
            (2, Check, miss),
            (3, Check, miss),
        ],
    );
    assert_eq!(
        played.when(&["attacks"]),
        ["1.1 a2", "1.1 a1", "1.1 b2", "1.1 b1"]
    );
}

#[test]
fn ep_5_it_is_said_as_each_phase_begins_and_lasts_for_that_phase() {
    let text = scenario(&[
        &one(
            "a",
            0,
            1,
            &armed("\"spend moxie if phase = 2\"", "moxie = 5\nspeed = 3"),
        ),
        &one("b", 9, 9, &format!("speed = 3\n{GUN}")),
    ]);
    let played = play_turn(
        &text,
        &[],
        &[1, 1],
        &[(0, Check, &[99; 3]), (1, Check, &[99; 3])],
    );
    assert_eq!(
        played.when(&["attacks"]),
        ["1.1 b", "1.1 a", "1.2 a", "1.2 b", "1.3 b", "1.3 a"]
    );
    assert_eq!(played.counts_of(0).phases.moxie_spent, 1);
}

#[test]
fn ep_5_nobody_is_asked_in_a_phase_beyond_its_speed() {
    let text = scenario(&[
        &one(
            "a",
            0,
            1,
            &armed("\"spend moxie if phase > 1\"", "moxie = 5"),
        ),
        &one("b", 9, 9, "speed = 4\npolicy = [\"pass\"]"),
    ]);
    let played = play_turn(&text, &[], &[1, 1], &[(0, Check, &[99])]);
    assert_eq!(played.counts_of(0).phases.moxie_spent, 0);
}

#[test]
fn ep_5_a_wound_does_not_take_moxie_away() {
    // b wounds a before a's place; a still goes before c.
    let text = scenario(&[
        &one("a", 0, 1, &armed(SPENDS, "moxie = 1")),
        &one("b", 9, 9, &armed(SPENDS, "moxie = 1")),
        &one("c", 0, 30, GUN).replace("\"c\"\np", "\"a\"\np"),
    ]);
    let played = play_turn(
        &text,
        &["combatants.b.policy=[\"spend moxie\", \"attack a\"]"],
        &[1, 1, 1],
        &[(0, Check, &[99]), (1, Check, &[1]), (2, Check, &[99])],
    );
    assert_eq!(played.when(&["attacks"]), ["1.1 b", "1.1 a", "1.1 c"]);
}
