//! Readying an action (CD-3).

use super::stage::{Played, one, orders, rounds};

/// A guard at 0 who is first, a rival at 6 and a bystander of the rival's who is last.
fn played(most: u32, guard: &[&str], rival: &[&str], dice: &[(usize, &[u32])]) -> Played {
    with(most, guard, rival, "", &[], dice)
}

fn with(
    most: u32,
    guard: &[&str],
    rival: &[&str],
    rest: &str,
    set: &[&str],
    dice: &[(usize, &[u32])],
) -> Played {
    let parts = [
        one("guard", "left", 0, [9, 9], "", guard),
        one("rival", "right", 6, [5, 5], rest, rival),
        one("last", "right", 90, [1, 1], "", &["pass"]),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    rounds(most, &parts, set, dice)
}

/// "If their rival they are staring down takes one more step forward, they'll shoot. Unlike delaying,
/// you don't have to wait for the other person to finish their turn before entering initiative."
#[test]
fn cd_3_a_readied_action_interrupts_at_once() {
    let guard = &["ready attack with bow when rival comes-within 4", "pass"];
    let played = played(
        1,
        guard,
        &["advance 4 if not moved", "attack with bow"],
        &[(0, &[8]), (1, &[3])],
    );
    assert_eq!(
        played.lines[6..],
        [
            "1 1 guard readies",
            "1 1 guard is done",
            "1 2 rival moves to 5",
            "1 2 rival moves to 4",
            "1 2 guard triggered by rival",
            "1 2 guard interrupts rival",
            "1 2 guard rolls 1 of 1-0-0",
            "1 2 guard attacks rival hit",
            "1 2 rival takes 1 has 9",
            "1 2 rival goes on",
            "1 2 rival moves to 3",
            "1 2 rival moves to 2",
            "1 2 rival rolls 1 of 1-0-0",
            "1 2 rival attacks guard miss",
            "1 2 rival is done",
            "1 3 last is done",
        ]
    );
    assert_eq!((played.of(0).interrupts, played.of(1).interrupted), (1, 1));
}

/// Each trigger, at its moment.
#[test]
fn cd_3_what_triggers() {
    let shot = [
        "guard triggered by rival",
        "guard interrupts rival",
        "guard attacks rival miss",
    ];
    let told = |trigger: &str, rival: &[&str], dice: &[u32]| {
        let line = format!("ready attack with bow when {trigger}");
        let played = played(1, &[&line, "pass"], rival, &[(0, &[3]), (1, dice)]);
        let words = [
            "triggered",
            "interrupts",
            "rival moves",
            "attacks",
            "effect",
            "uses",
        ];
        played
            .only(&words)
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let then = |after: &[&str]| -> Vec<String> {
        shot.iter()
            .chain(after)
            .map(|line| (*line).to_owned())
            .collect()
    };
    // Before the Unit, the roll, the effect.
    assert_eq!(
        told("enemy moves", &["retreat 1", "pass"], &[])[..4],
        then(&["rival moves to 7"])
    );
    assert_eq!(
        told("enemy attacks", &["attack with bow"], &[3]),
        then(&["rival attacks guard miss"])
    );
    assert_eq!(
        told("enemy attacks me", &["attack with bow"], &[3]),
        then(&["rival attacks guard miss"])
    );
    assert_eq!(
        told("rival casts", &["cast bolt"], &[]),
        then(&["rival effect on guard"])
    );
    assert_eq!(
        told("enemy uses", &["use salve"], &[]),
        then(&["rival uses +0"])
    );
    // After it.
    let near = told(
        "enemy comes-within 5",
        &["advance 1 if not moved", "pass"],
        &[],
    );
    assert_eq!(near[0], "rival moves to 5");
    assert_eq!(near[1..], then(&[]));
}

#[test]
fn cd_3_what_does_not_trigger() {
    for (trigger, rival) in [
        (
            "enemy comes-within 4",
            &["advance 1 if not moved", "pass"][..],
        ),
        // Within already.
        ("enemy comes-within 9", &["advance 3 if not moved", "pass"]),
        ("enemy moves", &["use salve", "pass"]),
        ("last moves", &["advance", "pass"]),
        ("enemy attacks", &["cast bolt", "pass"]),
        ("enemy casts", &["use salve", "pass"]),
        ("enemy uses", &["cast bolt", "pass"]),
    ] {
        let line = format!("ready attack with bow when {trigger}");
        let played = played(1, &[&line, "pass"], rival, &[]);
        assert!(played.only(&["triggered"]).is_empty(), "{trigger}");
    }
    // An attack on somebody else.
    let parts = [
        one(
            "guard",
            "left",
            0,
            [9, 9],
            "",
            &["ready attack when enemy attacks me", "pass"],
        ),
        one("friend", "left", 0, [8, 8], "", &["attack with bow"]),
        one("rival", "right", 6, [5, 5], "", &["attack friend with bow"]),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let played = rounds(1, &parts, &[], &[(1, &[3]), (2, &[3])]);
    // Neither that nor what one's own side does.
    assert!(played.only(&["triggered"]).is_empty());
}

/// "For future turns, your place in the Initiative is immediately before the point at which your
/// condition triggered."
#[test]
fn cd_3_the_new_place_is_immediately_before_the_one_interrupted() {
    let parts = [
        one(
            "guard",
            "left",
            0,
            [9, 9],
            "",
            &[
                "ready attack with bow when rival moves if round = 1",
                "pass",
            ],
        ),
        one("other", "left", 0, [8, 8], "", &["pass"]),
        one("rival", "right", 6, [5, 5], "", &["advance 1 if not moved"]),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let played = rounds(2, &parts, &[], &[(0, &[3])]);
    assert_eq!(orders(&played), ["guard other rival", "other guard rival"]);
    assert_eq!(
        played.only(&["done"])[3..],
        ["other is done", "guard is done", "rival is done"]
    );
    assert_eq!(
        (played.of(0).places_lost, played.of(0).places_gained),
        (1, 0)
    );
}

/// "If the condition is not met before your next turn, your action is lost. You may then spend your
/// next action to continuing readying, if you so choose."
#[test]
fn cd_3_what_is_not_triggered_before_the_next_turn_is_lost() {
    let guard = &["ready attack with bow when rival moves", "pass"];
    let played = played(
        3,
        guard,
        &["advance 1 if not moved and round = 3", "pass"],
        &[(0, &[3])],
    );
    assert_eq!(
        played.only(&["readies", "in vain", "triggered"]),
        [
            "guard readies",
            "guard has waited in vain",
            "guard readies",
            "guard has waited in vain",
            "guard readies",
            "guard triggered by rival"
        ]
    );
    assert_eq!((played.of(0).readied, played.of(0).readied_lost), (3, 2));
}

/// It takes the turn's action; movement is left.
#[test]
fn cd_3_readying_takes_the_action_and_leaves_movement() {
    let guard = &[
        "ready attack when rival attacks",
        "attack",
        "advance 2 if not moved",
        "pass",
    ];
    let played = played(1, guard, &["pass"], &[]);
    assert_eq!(
        played.only(&["guard"])[2..],
        [
            "guard readies",
            "guard moves to 1",
            "guard moves to 2",
            "guard is done"
        ]
    );
}

/// "If the condition is met but you no longer wish to respond ... you have the option to cancel your
/// action. You are placed in the Initiative immediately before the trigger, but get no action this
/// turn."
#[test]
fn cd_3_who_cancels_takes_the_place_and_no_action() {
    let parts = [
        one(
            "guard",
            "left",
            0,
            [9, 9],
            "",
            &[
                "ready attack with bow when enemy comes-within 3 if round = 1",
                "cancel if target.max_hp < 5",
                "pass",
            ],
        ),
        one("other", "left", 90, [8, 8], "", &["pass"]),
        one(
            "child",
            "right",
            5,
            [5, 5],
            "health = 2",
            &["advance 2 if not moved", "pass"],
        ),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let played = rounds(2, &parts, &[], &[]);
    assert_eq!(
        played.only(&["triggered", "interrupts", "attacks"]),
        ["guard triggered by child, cancels"]
    );
    assert_eq!(orders(&played), ["guard other child", "other guard child"]);
    let guard = played.of(0);
    assert_eq!(
        (guard.cancelled, guard.readied_lost, guard.interrupts),
        (1, 0, 0)
    );
    // With nothing to cancel for, it is taken.
    let text = parts[2].replace("health = 2", "health = 7");
    let played = rounds(1, &[parts[0], parts[1], &text], &[], &[(0, &[8])]);
    assert_eq!(played.only(&["interrupts"]), ["guard interrupts child"]);
}

/// "If multiple Readied actions trigger at once, the character's previous Initiatives determine who has
/// priority. In order of Initiative they must decide whether to take the action or lose it and cannot
/// wait to see what others are doing."
#[test]
fn cd_3_several_at_once_decide_in_order_before_any_acts() {
    let lines = |cancel: &'static str| ["ready attack with bow when rival moves", cancel, "pass"];
    let parts = [
        one("b", "left", 0, [8, 8], "", &lines("cancel if false")),
        one("a", "left", 0, [9, 9], "", &lines("cancel if false")),
        // c would cancel if it could see that the rival has been hurt.
        one(
            "c",
            "left",
            0,
            [7, 7],
            "",
            &lines("cancel if target.hp < 10"),
        ),
        one(
            "d",
            "left",
            0,
            [6, 6],
            "",
            &lines("cancel if target.hp = 10"),
        ),
        one(
            "rival",
            "right",
            6,
            [5, 5],
            "",
            &["advance 1 if not moved", "pass"],
        ),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let played = rounds(1, &parts, &[], &[(0, &[8]), (1, &[8]), (2, &[8])]);
    assert_eq!(
        played.only(&["triggered", "attacks", "goes on"]),
        [
            "a triggered by rival",
            "b triggered by rival",
            "c triggered by rival",
            "d triggered by rival, cancels",
            "a attacks rival hit",
            "rival goes on",
            "b attacks rival hit",
            "rival goes on",
            "c attacks rival hit",
            "rival goes on",
        ]
    );
    assert_eq!(orders(&played), ["a b c d rival"]);
}

/// "If you are no longer able to perform the action, you lose your action. ... Your initiative moves to
/// right after you were interrupted, but you lose the action for this round."
#[test]
fn cd_3_what_has_become_impossible_is_lost_and_the_place_is_right_after() {
    // a shoots the rival down; b, who was triggered by the same step, cannot any more.
    let ready = &["ready attack with cannon when rival moves", "pass"];
    let parts = [
        one("a", "left", 0, [9, 9], "", ready),
        one("b", "left", 0, [8, 8], "", ready),
        one("rival", "right", 6, [5, 5], "", &["advance 1"]),
        one("last", "right", 60, [1, 1], "", &["pass"]),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let played = rounds(1, &parts, &[], &[(0, &[8])]);
    assert_eq!(
        played.only(&["attacks", "falls", "cannot"]),
        [
            "a attacks rival hit",
            "rival falls",
            "b cannot do what it readied"
        ]
    );
    // Right after a, whose act came in between.
    assert_eq!(orders(&played), ["a b rival last"]);
    assert_eq!(played.of(1).readied_lost, 1);
    // With nobody's act in between: right after the one that triggered it.
    let guard = &["ready attack with fist when rival uses", "pass"];
    let played = self::played(2, guard, &["use salve", "pass"], &[]);
    assert_eq!(
        played.only(&["guard"])[4..],
        [
            "guard triggered by rival",
            "guard cannot do what it readied",
            "guard at 2",
            "guard readies",
            "guard is done"
        ]
    );
    assert_eq!(orders(&played), ["guard rival last", "rival guard last"]);
}

/// Several who cannot stand right after it in the order of their previous places; whoever acts comes in
/// between.
#[test]
fn cd_3_several_who_cannot_keep_their_order() {
    let fist = &["ready attack with fist when rival uses", "pass"];
    let bow = &["ready attack with bow when rival uses", "pass"];
    let order = |policies: [&[&str]; 3], dice: &[(usize, &[u32])]| {
        let parts = [
            one("a", "left", 0, [9, 9], "", policies[0]),
            one("b", "left", 0, [8, 8], "", policies[1]),
            one("c", "left", 0, [7, 7], "", policies[2]),
            one("rival", "right", 6, [5, 5], "", &["use salve", "pass"]),
        ];
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let played = rounds(1, &parts, &[], dice);
        orders(&played).pop()
    };
    assert_eq!(
        order([fist, fist, fist], &[]).as_deref(),
        Some("rival a b c")
    );
    let shot: &[u32] = &[3];
    assert_eq!(
        order([fist, bow, fist], &[(1, shot)]).as_deref(),
        Some("b c rival a")
    );
    assert_eq!(
        order([bow, fist, fist], &[(0, shot)]).as_deref(),
        Some("a b c rival")
    );
}

/// Triggered in the next Round before its place comes up: it replaces that Round's turn.
#[test]
fn cd_3_an_early_trigger_replaces_the_turn_of_its_round() {
    // guard is the last in the order here.
    let parts = [
        one(
            "rival",
            "right",
            6,
            [9, 9],
            "",
            &["advance 1 if not moved and round = 2", "pass"],
        ),
        one("other", "left", 0, [5, 5], "", &["pass"]),
        one(
            "guard",
            "left",
            0,
            [1, 1],
            "",
            &[
                "ready attack with bow when rival moves if round = 1",
                "pass",
            ],
        ),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let turns = |set: &[&str]| {
        let played = rounds(3, &parts, set, &[(2, &[3])]);
        assert_eq!(orders(&played), ["rival other guard", "guard rival other"]);
        let lines = played.lines.iter();
        let second = lines.filter(|line| line.starts_with("2 ") && line.contains("done"));
        second.map(|line| line[4..].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(turns(&[]), ["rival is done", "other is done"]);
    assert_eq!(
        turns(&["rules.early_trigger=adds"]),
        ["rival is done", "guard is done", "other is done"]
    );
}

/// The target is the trigger; or, if the line says so, one that is chosen when it happens.
#[test]
fn cd_3_the_target_is_the_trigger_unless_the_line_says_otherwise() {
    let parts = |line: &'static str| {
        [
            one("guard", "left", 0, [9, 9], "", &[line, "pass"]),
            one(
                "rival",
                "right",
                6,
                [5, 5],
                "",
                &["advance 1 if not moved", "pass"],
            ),
            one("weak", "right", 40, [1, 1], "health = 2", &["pass"]),
        ]
    };
    for (line, target) in [
        ("ready attack with bow when rival moves", "rival"),
        ("ready attack trigger with bow when rival moves", "rival"),
        ("ready attack weakest with bow when rival moves", "weak"),
        ("ready attack weak with bow when enemy moves", "weak"),
    ] {
        let parts = parts(line);
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let played = rounds(1, &parts, &[], &[(0, &[3])]);
        assert_eq!(
            played.only(&["attacks"]),
            [format!("guard attacks {target} miss")],
            "{line}"
        );
    }
}

#[test]
fn cd_3_casting_using_drawing_and_standing_can_be_readied() {
    let guard = |action: &str| format!("ready {action} when rival moves");
    let rival = &["advance 1 if not moved", "pass"];
    let parts = |action: &str, rest: &str| {
        [
            one("guard", "left", 0, [9, 9], rest, &[&guard(action), "pass"]),
            one("rival", "right", 6, [5, 5], "", rival),
        ]
    };
    for (action, rest, done) in [
        ("cast bolt", "", "guard effect on rival"),
        ("use salve", "", "guard uses +0"),
        ("draw", "undrawn = [\"bow\"]", "guard draws"),
        ("draw bow", "undrawn = [\"bow\"]", "guard draws"),
        ("stand", "prone = true", "guard stands up"),
    ] {
        let parts = parts(action, rest);
        let played = rounds(1, &[&parts[0], &parts[1]], &[], &[]);
        let words = ["interrupts", "effect", "uses", "draws", "stands"];
        assert_eq!(
            played.only(&words),
            ["guard interrupts rival", done],
            "{action}"
        );
    }
}
