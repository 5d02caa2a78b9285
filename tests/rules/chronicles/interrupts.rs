//! Being interrupted (CD-4), and interrupts of interrupts (CD-3).

use super::stage::{Played, one, orders, rounds, rounds_with, the_guard, the_last, the_rival};

fn play(parts: &[String], set: &[&str], dice: &[(usize, &[u32])]) -> Played {
    rounds(1, parts, set, dice)
}

/// "A character whose Initiative is interrupted will finish their turn after the Readied character
/// takes their action."
#[test]
fn cd_4_who_was_interrupted_finishes_afterwards() {
    let parts = [
        the_guard(&["ready attack with bow when enemy attacks", "pass"]),
        the_rival(&["attack with bow", "advance 2 if acted", "pass"]),
    ];
    let played = play(&parts, &[], &[(0, &[8]), (1, &[8])]);
    assert_eq!(
        played.only_untimed(&[
            "attacks",
            "takes",
            "goes on",
            "moves to 5",
            "moves to 4",
            "done"
        ]),
        [
            "guard is done",
            "guard attacks rival hit",
            "rival takes 1 has 9",
            "rival goes on",
            "rival attacks guard hit",
            "guard takes 1 has 9",
            "rival moves to 5",
            "rival moves to 4",
            "rival is done"
        ]
    );
}

/// A fallen combatant does nothing more: its declared attack is not rolled.
#[test]
fn cd_4_who_falls_in_an_interrupt_does_not_finish() {
    let parts = [
        the_guard(&["ready attack with cannon when enemy attacks", "pass"]),
        the_rival(&["attack with bow"]),
        the_last(60),
    ];
    let played = play(&parts, &[], &[(0, &[8])]);
    assert_eq!(
        played.only_untimed(&["attacks", "falls", "goes on", "done"]),
        [
            "guard is done",
            "guard attacks rival hit",
            "rival falls",
            "rival goes on",
            "last is done"
        ]
    );
    assert_eq!(played.counts_of(1).attacks, 0);
}

/// "If you were going to pull a lever, and someone takes a readied action to break it off as you make
/// the attempt, you do not then get to decide to do something else with your action."
#[test]
fn cd_4_an_action_that_has_become_impossible_is_lost() {
    // Three sides: the guard fells the victim on which the rival has declared its attack.
    let parts = [
        the_guard(&["ready attack victim with cannon when rival attacks", "pass"]),
        the_rival(&["attack victim with bow", "use salve"]),
        one("victim middle 8 1 1", "", &["pass"]),
    ];
    let told = |set: &[&str], dice: &[(usize, &[u32])]| {
        let played = play(&parts, set, dice);
        let lost = (
            played.counts_of(1).actions_lost,
            played.counts_of(1).attacks_lost,
        );
        let words = ["rival attacks", "loses", "keeps", "uses"];
        let lines: Vec<String> = played
            .only_untimed(&words)
            .iter()
            .map(|line| (*line).to_owned())
            .collect();
        (lines, lost)
    };
    let dice: &[(usize, &[u32])] = &[(0, &[8])];
    assert_eq!(
        told(&[], dice),
        (vec!["rival loses an attack".to_owned()], (1, 1))
    );
    // The nearest enemy replaces a fallen named target (W-4).
    assert_eq!(
        told(&["rules.lost_actions=retarget"], &[(0, &[8]), (1, &[3])]),
        (vec!["rival attacks guard miss".to_owned()], (0, 0))
    );
    // The policy is asked again: the line for the victim now means the nearest enemy.
    assert_eq!(
        told(&["rules.lost_actions=kept"], &[(0, &[8]), (1, &[3])]),
        (
            vec![
                "rival keeps the action".to_owned(),
                "rival attacks guard miss".to_owned()
            ],
            (0, 0)
        )
    );
}

/// "If a character triggered an action by walking into a room, they could get interrupted during their
/// movement, but could then take an Instant action if they had not yet acted."
#[test]
fn cd_4_who_was_interrupted_while_moving_may_still_act() {
    let parts = [
        the_guard(&["ready attack with bow when enemy comes-within 4", "pass"]),
        the_rival(&[
            "use salve if interrupted and hp < max_hp",
            "advance 4 if not moved",
            "attack with bow",
            "pass",
        ]),
    ];
    let played = play(&parts, &[], &[(0, &[8])]);
    assert_eq!(
        played.only_untimed(&["rival moves", "guard attacks", "uses", "rival attacks"]),
        [
            "rival moves to 5",
            "rival moves to 4",
            "guard attacks rival hit",
            "rival moves to 3",
            "rival moves to 2",
            "rival uses +1"
        ]
    );
}

/// The Unit that the combatant was about to move is moved afterwards.
#[test]
fn cd_4_movement_is_not_lost() {
    let parts = [
        one(
            "guard left 6 9 9",
            "",
            &["ready attack with fist when enemy moves", "pass"],
        ),
        the_rival(&["retreat 3 if not moved", "pass"]),
    ];
    let played = play(&parts, &[], &[(0, &[8])]);
    assert_eq!(
        played.only_untimed(&["attacks", "rival moves"]),
        [
            "guard attacks rival hit",
            "rival moves to 7",
            "rival moves to 8",
            "rival moves to 9"
        ]
    );
}

/// Interrupts nest: an interrupt can itself be interrupted, and each returns to the point where it was.
#[test]
fn cd_3_interrupts_nest() {
    let parts = [
        one(
            "a left 0 9 9",
            "",
            &["ready attack with bow when enemy attacks", "pass"],
        ),
        one(
            "b right 3 8 8",
            "",
            &["ready attack with bow when enemy attacks", "pass"],
        ),
        one(
            "c left 6 7 7",
            "",
            &["ready attack with bow when enemy attacks", "pass"],
        ),
        one("d right 9 6 6", "", &["attack a with bow", "pass"]),
        one("e left 90 5 5", "", &["pass"]),
    ];
    // d's attack triggers a and c; a's attack triggers b.
    let played = play(&parts, &[], &[(0, &[8]), (1, &[8]), (2, &[8]), (3, &[8])]);
    assert_eq!(
        played.only_untimed(&["triggered", "interrupts", "attacks", "goes on"]),
        [
            "a triggered by d",
            "c triggered by d",
            "a interrupts d",
            "b triggered by a",
            "b interrupts a",
            "b attacks a hit",
            "a goes on",
            "a attacks d hit",
            "d goes on",
            "c interrupts d",
            "c attacks d hit",
            "d goes on",
            "d attacks a hit",
        ]
    );
    // Each stands immediately before the combatant that it interrupted.
    assert_eq!(orders(&played).last().unwrap(), "b a c d e");
}

/// A combatant that moves on after readying can be interrupted by an act that triggers its own readied action.
#[test]
fn cd_3_one_may_interrupt_the_one_by_whom_one_is_interrupted() {
    let parts = [
        the_guard(&["ready attack with bow when enemy moves", "pass"]),
        the_rival(&[
            "ready attack with bow when enemy attacks me",
            "advance 2 if not moved",
            "pass",
        ]),
    ];
    let played = play(&parts, &[], &[(0, &[8]), (1, &[8])]);
    assert_eq!(
        played.only_untimed(&["interrupts", "attacks", "goes on", "rival moves"]),
        [
            "guard interrupts rival",
            "rival interrupts guard",
            "rival attacks guard hit",
            "guard goes on",
            "guard attacks rival hit",
            "rival goes on",
            "rival moves to 5",
            "rival moves to 4"
        ]
    );
    assert_eq!(orders(&played).last().unwrap(), "rival guard");
}

/// A readied action that is lost because a nested interrupt felled its owner moves no place in the order.
#[test]
fn cd_3_an_interrupter_that_falls_does_not_act() {
    let parts = [
        one(
            "a left 0 9 9",
            "",
            &["ready attack with bow when enemy attacks", "pass"],
        ),
        one(
            "b right 3 8 8",
            "",
            &["ready attack with cannon when enemy attacks", "pass"],
        ),
        one("d right 9 6 6", "", &["attack a with bow", "pass"]),
        one("e left 90 5 5", "", &["pass"]),
    ];
    let played = play(&parts, &[], &[(1, &[8])]);
    assert_eq!(
        played.only_untimed(&["interrupts", "attacks", "falls", "goes on", "loses"]),
        [
            "a interrupts d",
            "b interrupts a",
            "b attacks a hit",
            "a falls",
            "a goes on",
            "d goes on",
            "d loses an attack",
        ]
    );
    assert_eq!(
        (
            played.counts_of(0).interrupts,
            played.counts_of(2).actions_lost
        ),
        (1, 1)
    );
}

/// A declared attack is lost when an interruption has thrown the attacker to the ground.
#[test]
fn cd_4_who_is_thrown_down_before_its_attack_loses_it() {
    let told = |set: &[&str]| {
        let parts = [
            the_guard(&["ready use salve when enemy attacks", "pass"]),
            the_rival(&["attack with bow", "stand", "pass"]),
        ];
        let trip = "target = \"enemy\"\nrange = 50\neffects = [{ prone = true }]";
        let played = rounds_with((trip, ""), 1, &parts, set, &[]);
        let told = played.only_untimed(&["down", "attack", "keeps", "stands"]);
        told.iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&[]), ["rival is thrown down", "rival loses an attack"]);
    assert_eq!(
        told(&["rules.lost_actions=kept"]),
        [
            "rival is thrown down",
            "rival keeps the action",
            "rival stands up"
        ]
    );
}
