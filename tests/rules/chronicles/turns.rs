//! A turn: one action, with Units moved before and after it (CD-7).

use super::stage::{one, rounds};

fn dummy(position: i32) -> String {
    one(&format!("dummy dummies {position} 1 1"), "", &["pass"])
}

#[test]
fn cd_7_a_turn_is_one_action() {
    let hero = one("hero heroes 0 3 3", "", &["attack", "use salve"]);
    let played = rounds(2, &[&hero, &dummy(1)], &[], &[(0, &[3, 3])]);
    assert_eq!(
        played.only_untimed(&["hero attacks", "uses"]),
        ["hero attacks dummy miss", "hero attacks dummy miss"]
    );
    assert_eq!(
        (played.counts_of(0).turns, played.counts_of(1).turns),
        (2, 0)
    );
}

#[test]
fn cd_7_and_up_to_move_units_before_and_after() {
    let hero = one(
        "hero heroes 0 3 3",
        "",
        &["attack with fist", "advance if not acted", "retreat"],
    );
    let played = rounds(1, &[&hero, &dummy(5)], &[], &[(0, &[3])]);
    let moves: Vec<String> = [1, 2, 3, 4]
        .iter()
        .map(|to| format!("hero moves to {to}"))
        .chain(["hero attacks dummy miss".to_owned()])
        .chain(
            [3, 2, 1, 0, -1, -2]
                .iter()
                .map(|to| format!("hero moves to {to}")),
        )
        .collect();
    assert_eq!(played.only_untimed(&["hero moves", "attacks"]), moves);
    assert_eq!(played.counts_of(0).units_moved, 10);
}

#[test]
fn cd_7_a_number_of_units_is_a_commitment_that_ends_early() {
    let hero = one(
        "hero heroes 0 3 3",
        "",
        &["advance 6 to 2 if move_left = 10"],
    );
    let played = rounds(1, &[&hero, &dummy(5)], &[], &[]);
    assert_eq!(played.counts_of(0).units_moved, 3);
}

#[test]
fn cd_7_drawing_standing_and_using_take_the_action() {
    let hero = one(
        "hero heroes 0 3 3",
        "prone = true\nundrawn = [\"fist\", \"bow\", \"cannon\"]",
        &["stand", "draw", "attack"],
    );
    let played = rounds(5, &[&hero, &dummy(1)], &[], &[(0, &[3])]);
    assert_eq!(
        played.only_untimed(&["stands", "draws", "hero attacks"]),
        [
            "hero stands up",
            "hero draws",
            "hero draws",
            "hero draws",
            "hero attacks dummy miss"
        ]
    );
    assert_eq!(played.counts_of(0).turns, 5);
}
