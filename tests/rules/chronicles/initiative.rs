//! The order of the scene (CD-1).

use super::stage::{one, orders, play, rounds, scenario};
use skirmish::chance::Purpose::Initiative;

fn passive(name: &str, [dexterity, composure]: [i32; 2]) -> String {
    let who = format!("{name} {name} 0 {dexterity} {composure}");
    one(&who, "", &["pass"])
}

/// "Initiative is determined by your character's Dexterity + Composure."
#[test]
fn cd_1_initiative_is_dexterity_and_composure_and_a_die() {
    let text = scenario(&[
        "[encounter]\nmax_rounds = 1",
        &passive("a", [3, 2]),
        &passive("b", [1, 5]),
        &passive("c", [4, 4]),
    ]);
    let played = play(
        &text,
        &[],
        &[
            (0, Initiative, &[10]),
            (1, Initiative, &[3]),
            (2, Initiative, &[2]),
        ],
    );
    assert_eq!(
        played.only_untimed(&["initiative"]),
        ["a initiative 15", "b initiative 9", "c initiative 10"]
    );
    assert_eq!(orders(&played), ["a c b"]);
    assert_eq!(
        played.only_untimed(&["is done"]),
        ["a is done", "c is done", "b is done"]
    );
}

/// "Once this order is established, it usually remains for the scene."
#[test]
fn cd_1_the_order_remains_for_the_scene() {
    let parts = [
        &*passive("a", [1, 1]),
        &passive("b", [3, 1]),
        &passive("c", [2, 1]),
    ];
    let played = rounds(3, &parts, &[], &[]);
    assert_eq!(orders(&played), ["b c a"]);
    let done: Vec<&str> = played.only_untimed(&["is done"]);
    assert_eq!(done[..3], ["b is done", "c is done", "a is done"]);
    assert_eq!(done[..3], done[3..6]);
    assert_eq!(done[..3], done[6..]);
}

#[test]
fn cd_1_or_it_is_rolled_every_round() {
    let text = scenario(&[
        "[encounter]\nmax_rounds = 2",
        &passive("a", [1, 1]),
        &passive("b", [3, 1]),
    ]);
    let played = play(
        &text,
        &["rules.initiative.roll=per-round"],
        &[(0, Initiative, &[1, 9]), (1, Initiative, &[1, 2])],
    );
    assert_eq!(orders(&played), ["b a", "a b"]);
}

#[test]
fn cd_1_ties_go_to_the_higher_rating_then_to_a_roll_off() {
    let text = scenario(&[
        "[encounter]\nmax_rounds = 1",
        &passive("a", [2, 2]),
        &passive("b", [1, 2]),
        &passive("c", [3, 1]),
        &passive("d", [1, 3]),
    ]);
    // All totals are 9. b has the lower rating; a, c and d roll off, a and d twice.
    let played = play(
        &text,
        &[],
        &[
            (0, Initiative, &[5, 7, 2]),
            (1, Initiative, &[6]),
            (2, Initiative, &[5, 9]),
            (3, Initiative, &[5, 7, 3]),
        ],
    );
    assert_eq!(
        played.only_untimed(&["rolls off"]),
        [
            "a rolls off 7",
            "c rolls off 9",
            "d rolls off 7",
            "a rolls off 2",
            "d rolls off 3"
        ]
    );
    assert_eq!(orders(&played), ["c d a b"]);
}

/// The strict order means that W-5 never applies: two combatants that strike at the same initiative do not both fall.
#[test]
fn cd_1_nobody_acts_simultaneously() {
    let duel = |name: &str| one(&format!("{name} {name} 0 2 2"), "health = 1", &["attack"]);
    let text = scenario(&[&duel("a"), &duel("b")]);
    let played = play(
        &text,
        &[],
        &[
            (0, Initiative, &[5, 1]),
            (1, Initiative, &[5, 8]),
            (1, skirmish::chance::Purpose::Check, &[8]),
        ],
    );
    assert_eq!(
        played.only_untimed(&["attacks", "falls"]),
        ["b attacks a hit", "a falls"]
    );
}
