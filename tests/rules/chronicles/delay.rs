//! Delaying (CD-2).

use super::stage::{DAZED, one, orders, rounds, rounds_with};

/// Four fighters in the order of their names, with their policies.
fn four(policies: [&[&str]; 4]) -> Vec<String> {
    ["a", "b", "c", "d"]
        .iter()
        .zip([9, 7, 5, 3])
        .zip(policies)
        .map(|((name, dexterity), policy)| {
            let side = if matches!(*name, "a" | "b") {
                "left"
            } else {
                "right"
            };
            one(&format!("{name} {side} 0 {dexterity} 1"), "", policy)
        })
        .collect()
}

fn played(most: u32, policies: [&[&str]; 4], dice: &[(usize, &[u32])]) -> super::stage::Played {
    let parts = four(policies);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    rounds(most, &parts, &[], dice)
}

const PASS: &[&str] = &["pass"];

/// "Your character may hold their action when their initiative comes up, choosing to wait for later
/// in the round before declaring an action."
#[test]
fn cd_2_who_delays_declares_its_action_later_in_the_round() {
    let a = &["delay until not target.acted or enemies_left = 1", "attack"];
    let played = played(1, [a, PASS, PASS, PASS], &[(0, &[3])]);
    assert_eq!(
        played.only_untimed(&["delays", "comes in", "a attacks", "done"]),
        [
            "a delays",
            "b is done",
            "a comes in after b",
            "a attacks c miss",
            "a is done",
            "c is done",
            "d is done"
        ]
    );
    // A combatant's own turn does not count, so it does not come in right after its own delay.
    assert_eq!(orders(&played), ["a b c d", "b a c d"]);
}

/// "When you wish to re-enter Initiative, you will be placed next in order. In future turns, you
/// will be at your new initiative."
#[test]
fn cd_2_the_new_place_is_next_in_order_and_is_kept() {
    let a = &["delay until enemy_acted if round = 1", "pass"];
    let played = played(3, [a, PASS, PASS, PASS], &[]);
    assert_eq!(orders(&played), ["a b c d", "b c a d"]);
    let done = played.only_untimed(&["done"]);
    let later = ["b is done", "c is done", "a is done", "d is done"];
    assert_eq!(done[..4], later);
    assert_eq!(done[4..8], later);
    assert_eq!(done[8..], later);
    assert_eq!(
        (played.counts_of(0).delays, played.counts_of(0).places_lost),
        (1, 2)
    );
}

#[test]
fn cd_2_without_a_condition_it_is_after_the_next_turn() {
    let a = &["delay if round = 1", "pass"];
    assert_eq!(
        orders(&played(2, [a, PASS, PASS, PASS], &[])),
        ["a b c d", "b a c d"]
    );
}

/// "You may not interrupt another character's action when you are delaying. If you wish to respond to
/// something someone is doing, you may be placed after whoever is currently acting."
#[test]
fn cd_2_coming_in_never_interrupts() {
    // The condition becomes true with c's attack, in the middle of c's turn.
    let a = &["delay until hp < max_hp if round = 1", "attack"];
    let c = &[
        "attack with bow",
        "retreat 2 if acted and not moved",
        "pass",
    ];
    let played = played(1, [a, PASS, c, PASS], &[(0, &[3]), (2, &[8])]);
    assert_eq!(
        played.only_untimed(&["attacks", "takes", "moves", "comes in", "done"]),
        [
            "b is done",
            "c attacks a hit",
            "a takes 1 has 9",
            "c moves to 1",
            "c moves to 2",
            "c is done",
            "a comes in after c",
            "a attacks d miss",
            "a is done",
            "d is done"
        ]
    );
}

/// "If multiple people are Delaying, their previous Initiatives determine who has priority if they
/// want to rejoin initiative at the same time."
#[test]
fn cd_2_several_come_in_by_their_previous_places() {
    let wait = &["delay until enemy_acted if round = 1", "pass"];
    let played = played(2, [wait, wait, PASS, PASS], &[]);
    assert_eq!(
        played.only_untimed(&["comes in"]),
        ["a comes in after c", "b comes in after c"]
    );
    assert_eq!(orders(&played).last().unwrap(), "c a b d");
    assert_eq!(
        played.only_untimed(&["done"])[..4],
        ["c is done", "a is done", "b is done", "d is done"]
    );
}

/// "Someone with a higher initiative may choose to go first, or let any number of people go before
/// them."
#[test]
fn cd_2_the_higher_may_let_any_number_go_first() {
    let wait = &["delay until turns_left = 0 if round = 1", "pass"];
    for (line, order) in [
        ("delay yield until turns_left = 0 if round = 1", "d b c a"),
        ("delay yield 1 until turns_left = 0 if round = 1", "d b a c"),
        ("delay yield 2 until turns_left = 0 if round = 1", "d b c a"),
        ("delay yield 9 until turns_left = 0 if round = 1", "d b c a"),
        ("delay until turns_left = 0 if round = 1", "d a b c"),
    ] {
        let played = played(1, [&[line, "pass"], wait, wait, PASS], &[]);
        assert_eq!(orders(&played).last().unwrap(), order, "{line}");
    }
    // If two yield to all others, the lower of the two goes first.
    let all: &[&str] = &["delay yield until turns_left = 0 if round = 1", "pass"];
    let played = played(1, [all, all, wait, PASS], &[]);
    assert_eq!(orders(&played).last().unwrap(), "d c b a");
}

#[test]
fn cd_2_who_comes_in_later_stands_directly_after_that_turn() {
    // a and b come in after c; d, which waits for a, then stands before b.
    let wait = &["delay until enemy_acted if round = 1", "pass"];
    let parts = [
        one(
            "d right 0 9 9",
            "",
            &["delay until enemy_acted if round = 1", "pass"],
        ),
        one("a left 0 8 8", "", wait),
        one("b left 0 7 7", "", wait),
        one("c right 0 6 6", "", PASS),
        one("e right 0 5 5", "", PASS),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let played = rounds(1, &parts, &[], &[]);
    assert_eq!(
        played.only_untimed(&["comes in", "done"]),
        [
            "c is done",
            "a comes in after c",
            "b comes in after c",
            "a is done",
            "d comes in after a",
            "d is done",
            "b is done",
            "e is done"
        ]
    );
    assert_eq!(orders(&played).last().unwrap(), "c a d b e");
}

/// A combatant that has not come in by the end of the Round loses the action and keeps its place.
#[test]
fn cd_2_who_is_not_in_by_the_end_of_the_round_loses_the_action() {
    let a = &["delay until hp < 5 if round = 1", "pass"];
    let played = played(2, [a, PASS, PASS, PASS], &[]);
    assert_eq!(
        played.only_untimed(&["a "])[2..],
        ["a delays", "a has delayed too long", "a is done"]
    );
    assert_eq!(orders(&played), ["a b c d"]);
    assert_eq!(played.counts_of(0).actions_lost, 1);
}

/// Delaying is legal before moving or acting, once a Round, and with another combatant left to wait for.
#[test]
fn cd_2_when_it_is_legal_to_delay() {
    let lines = &["advance if not moved", "delay", "pass"];
    let parts = [
        one("a left 0 3 3", "", lines),
        one("b right 5 2 2", "", &["delay", "pass"]),
        one(
            "c right 5 1 1",
            "",
            &["delay", "delay until enemy_acted", "pass"],
        ),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let played = rounds(1, &parts, &[], &[]);
    assert_eq!(
        played.only_untimed(&["delays", "comes in", "done"]),
        // a has moved; no turn follows c's; b delays only once.
        [
            "a is done",
            "b delays",
            "c is done",
            "b comes in after c",
            "b is done"
        ]
    );
}

/// "You will be placed next in order": a combatant that comes in plays next, also before a turn that an early trigger
/// has added (`early_trigger = "adds"`).
#[test]
fn cd_2_who_comes_in_plays_before_an_added_turn() {
    let parts = [
        one("first left 1 9 9", "", &["delay if round = 2", "pass"]),
        one("second left 1 6 6", "", &["delay if round = 2", "pass"]),
        one(
            "third left 1 4 4",
            "",
            &["attack with bow if round = 2", "pass"],
        ),
        one(
            "guard right 0 1 1",
            "",
            &[
                "pass if round > 1",
                "ready attack with bow when enemy attacks me",
            ],
        ),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let dice: &[(usize, &[u32])] = &[(2, &[3]), (3, &[3])];
    let second_round = |rule: &str| {
        let set = format!("rules.early_trigger={rule}");
        let played = rounds(2, &parts, &[&set], dice);
        assert_eq!(
            orders(&played).last().unwrap(),
            "guard third first second",
            "{rule}"
        );
        let words = ["comes in", "interrupts", "attacks", "done"];
        played.only_untimed(&words)[4..].join(", ")
    };
    assert_eq!(
        second_round("adds"),
        "guard interrupts third, guard attacks third miss, third attacks guard miss, third is done, \
         first comes in after third, second comes in after third, first is done, second is done, \
         guard is done"
    );
    assert_eq!(
        second_round("replaces"),
        "guard interrupts third, guard attacks third miss, third attacks guard miss, third is done, \
         first comes in after third, second comes in after third, first is done, second is done"
    );
}

/// Combatants that come in together are committed to their sequence; or only the first comes in, and the others are
/// asked again after its turn.
#[test]
fn cd_2_those_who_yield_are_committed_or_asked_again() {
    // a lets b go first.
    let a: &[&str] = &[
        "delay yield until enemy_acted and turns_left > 0 if round = 1",
        "pass",
    ];
    let b: &[&str] = &["delay until enemy_acted if round = 1", "pass"];
    let c: &[&str] = &["pass"];
    let order = |set: &[&str], last: &[&str]| {
        let parts = four([a, b, c, last]);
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let played = rounds(1, &parts, set, &[]);
        let told = played
            .only_untimed(&["comes in", "done", "too long"])
            .into_iter();
        told.map(str::to_owned).collect::<Vec<_>>()
    };
    let pass: &[&str] = &["pass"];
    assert_eq!(
        order(&[], pass),
        [
            "c is done",
            "b comes in after c",
            "a comes in after c",
            "b is done",
            "a is done",
            "d is done"
        ]
    );
    assert_eq!(
        order(&["rules.yield=ask-again"], pass),
        [
            "c is done",
            "b comes in after c",
            "b is done",
            "a comes in after b",
            "a is done",
            "d is done"
        ]
    );
}

/// `delays = false`: a `delay` line is never legal, but not refused.
#[test]
fn cd_2_delaying_can_be_switched_off() {
    let wait = &["delay", "use salve"];
    let parts = four([wait, PASS, PASS, PASS]);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let first = |set: &[&str]| {
        let played = rounds(1, &parts, set, &[]);
        played
            .only_untimed(&["delays", "uses"])
            .first()
            .map(|line| (*line).to_owned())
    };
    assert_eq!(first(&[]).as_deref(), Some("a delays"));
    assert_eq!(first(&["rules.delays=false"]).as_deref(), Some("a uses +0"));
}

/// A combatant stunned while it waits to come in loses the action at once and keeps its place.
#[test]
fn cd_2_who_is_stunned_while_it_delays_does_not_come_in() {
    let parts = four([
        &["delay until enemy_acted if round = 1", "pass"],
        &["use salve a if round = 1", "pass"],
        &["pass"],
        &["pass"],
    ]);
    let daze = "target = \"anyone\"\nrange = 99\nuses = 1\n\
                effects = [{ condition = \"dazed\", lasts = 1 }]";
    let played = rounds_with((daze, DAZED), 2, &parts, &[], &[]);
    assert_eq!(
        played.only_untimed(&["delays", "a gets", "comes in", "too long", "a is done"]),
        [
            "a delays",
            "a gets dazed",
            "a has delayed too long",
            "a is done"
        ]
    );
    assert_eq!(orders(&played), ["a b c d"]);
    assert_eq!(played.counts_of(0).actions_lost, 1);
}
