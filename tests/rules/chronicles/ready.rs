//! Readying an action (CD-3).

use super::stage::{
    DAZED, Played, one, orders, play, rounds, rounds_with, scenario, the_guard, the_last, the_rival,
};
use skirmish::chance::Purpose;

/// Plays a guard at 0 that is first, a rival at 6 and an ally of the rival that is last.
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
        the_guard(guard),
        one("rival right 6 5 5", rest, rival),
        the_last(90),
    ];
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
    assert_eq!(
        (
            played.counts_of(0).interrupts,
            played.counts_of(1).interrupted
        ),
        (1, 1)
    );
}

/// Each kind of trigger, at its moment.
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
            .only_untimed(&words)
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
    // These interrupt before the Unit, the roll, the effect.
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
    // This one interrupts after the Unit.
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
        // The rival is already within the distance.
        ("enemy comes-within 9", &["advance 3 if not moved", "pass"]),
        ("enemy moves", &["use salve", "pass"]),
        ("last moves", &["advance", "pass"]),
        ("enemy attacks", &["cast bolt", "pass"]),
        ("enemy casts", &["use salve", "pass"]),
        ("enemy uses", &["cast bolt", "pass"]),
    ] {
        let line = format!("ready attack with bow when {trigger}");
        let played = played(1, &[&line, "pass"], rival, &[]);
        assert!(played.only_untimed(&["triggered"]).is_empty(), "{trigger}");
    }
    // An attack on another combatant, and an act of the guard's own side.
    let parts = [
        the_guard(&["ready attack when enemy attacks me", "pass"]),
        one("friend left 0 8 8", "", &["attack with bow"]),
        the_rival(&["attack friend with bow"]),
    ];
    let played = rounds(1, &parts, &[], &[(1, &[3]), (2, &[3])]);
    assert!(played.only_untimed(&["triggered"]).is_empty());
}

/// "For future turns, your place in the Initiative is immediately before the point at which your
/// condition triggered."
#[test]
fn cd_3_the_new_place_is_immediately_before_the_one_interrupted() {
    let parts = [
        the_guard(&[
            "ready attack with bow when rival moves if round = 1",
            "pass",
        ]),
        one("other left 0 8 8", "", &["pass"]),
        the_rival(&["advance 1 if not moved"]),
    ];
    let played = rounds(2, &parts, &[], &[(0, &[3])]);
    assert_eq!(orders(&played), ["guard other rival", "other guard rival"]);
    assert_eq!(
        played.only_untimed(&["done"])[3..],
        ["other is done", "guard is done", "rival is done"]
    );
    assert_eq!(
        (
            played.counts_of(0).places_lost,
            played.counts_of(0).places_gained
        ),
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
        played.only_untimed(&["readies", "in vain", "triggered"]),
        [
            "guard readies",
            "guard has waited in vain",
            "guard readies",
            "guard has waited in vain",
            "guard readies",
            "guard triggered by rival"
        ]
    );
    assert_eq!(
        (
            played.counts_of(0).readied,
            played.counts_of(0).readied_lost
        ),
        (3, 2)
    );
}

/// Readying takes the turn's action and leaves its movement.
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
        played.only_untimed(&["guard"])[2..],
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
        the_guard(&[
            "ready attack with bow when enemy comes-within 3 if round = 1",
            "cancel if target.max_hp < 5",
            "pass",
        ]),
        one("other left 90 8 8", "", &["pass"]),
        one(
            "child right 5 5 5",
            "health = 2",
            &["advance 2 if not moved", "pass"],
        ),
    ];
    let played = rounds(2, &parts, &[], &[]);
    assert_eq!(
        played.only_untimed(&["triggered", "interrupts", "attacks"]),
        ["guard triggered by child, cancels"]
    );
    assert_eq!(orders(&played), ["guard other child", "other guard child"]);
    let guard = played.counts_of(0);
    assert_eq!(
        (guard.cancelled, guard.readied_lost, guard.interrupts),
        (1, 0, 0)
    );
    // Without a reason to cancel, the action is taken.
    let text = parts[2].replace("health = 2", "health = 7");
    let played = rounds(1, &[&parts[0], &parts[1], &text], &[], &[(0, &[8])]);
    assert_eq!(
        played.only_untimed(&["interrupts"]),
        ["guard interrupts child"]
    );
}

/// "If multiple Readied actions trigger at once, the character's previous Initiatives determine who has
/// priority. In order of Initiative they must decide whether to take the action or lose it and cannot
/// wait to see what others are doing."
#[test]
fn cd_3_several_at_once_decide_in_order_before_any_acts() {
    let lines = |cancel: &'static str| ["ready attack with bow when rival moves", cancel, "pass"];
    let parts = [
        one("b left 0 8 8", "", &lines("cancel if false")),
        one("a left 0 9 9", "", &lines("cancel if false")),
        // c would cancel if it could see that the rival has been hurt.
        one("c left 0 7 7", "", &lines("cancel if target.hp < 10")),
        one("d left 0 6 6", "", &lines("cancel if target.hp = 10")),
        the_rival(&["advance 1 if not moved", "pass"]),
    ];
    let played = rounds(1, &parts, &[], &[(0, &[8]), (1, &[8]), (2, &[8])]);
    assert_eq!(
        played.only_untimed(&["triggered", "attacks", "goes on"]),
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
    // a shoots the rival down; b, triggered by the same step, can no longer act.
    let ready = &["ready attack with cannon when rival moves", "pass"];
    let parts = [
        one("a left 0 9 9", "", ready),
        one("b left 0 8 8", "", ready),
        the_rival(&["advance 1"]),
        the_last(60),
    ];
    let played = rounds(1, &parts, &[], &[(0, &[8])]);
    assert_eq!(
        played.only_untimed(&["attacks", "falls", "cannot"]),
        [
            "a attacks rival hit",
            "rival falls",
            "b cannot do what it readied"
        ]
    );
    // b stands right after a, whose act came in between.
    assert_eq!(orders(&played), ["a b rival last"]);
    assert_eq!(played.counts_of(1).readied_lost, 1);
    // If no act came in between, it stands right after the combatant that triggered it.
    let guard = &["ready attack with fist when rival uses", "pass"];
    let played = self::played(2, guard, &["use salve", "pass"], &[]);
    assert_eq!(
        played.only_untimed(&["guard"])[4..],
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

/// Whether each action is possible is judged at the trigger, for all on the same state: the able stand before the
/// interrupted combatant, the unable right after it, both in the order of their previous places.
#[test]
fn cd_3_several_who_cannot_keep_their_order() {
    let fist = &["ready attack with fist when rival uses", "pass"];
    let bow = &["ready attack with bow when rival uses", "pass"];
    let order = |policies: [&[&str]; 3], dice: &[(usize, &[u32])]| {
        let parts = [
            one("a left 0 9 9", "", policies[0]),
            one("b left 0 8 8", "", policies[1]),
            one("c left 0 7 7", "", policies[2]),
            the_rival(&["use salve", "pass"]),
        ];
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
        Some("b rival a c")
    );
    assert_eq!(
        order([bow, fist, fist], &[(0, shot)]).as_deref(),
        Some("a rival b c")
    );
}

/// All new places of one trigger are taken together: each is gained or lost by comparing the order before with the
/// order after.
#[test]
fn cd_3_places_are_gained_by_all_that_one_trigger_moves() {
    let fist: &[&str] = &["ready attack with fist when rival uses", "pass"];
    let bow: &[&str] = &["ready attack with bow when rival uses", "pass"];
    let parts = [
        one("a left 0 9 9", "", fist),
        one("b left 0 8 8", "", bow),
        one("c left 0 7 7", "", fist),
        the_rival(&["use salve", "pass"]),
    ];
    // The order changes from "a b c rival" to "b rival a c".
    let played = rounds(1, &parts, &[], &[(1, &[3])]);
    let places = |who| {
        (
            played.counts_of(who).places_gained,
            played.counts_of(who).places_lost,
        )
    };
    assert_eq!([0, 1, 2].map(places), [(0, 2), (1, 0), (0, 1)]);
}

/// A readied action triggered in the next Round before its owner's place comes up replaces the turn of that Round.
#[test]
fn cd_3_an_early_trigger_replaces_the_turn_of_its_round() {
    // The guard is last in the order here.
    let parts = [
        one(
            "rival right 6 9 9",
            "",
            &["advance 1 if not moved and round = 2", "pass"],
        ),
        one("other left 0 5 5", "", &["pass"]),
        one(
            "guard left 0 1 1",
            "",
            &[
                "ready attack with bow when rival moves if round = 1",
                "pass",
            ],
        ),
    ];
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

/// The target is the combatant that triggered the action, unless the line names one that is chosen when it happens.
#[test]
fn cd_3_the_target_is_the_trigger_unless_the_line_says_otherwise() {
    let parts = |line: &'static str| {
        [
            the_guard(&[line, "pass"]),
            the_rival(&["advance 1 if not moved", "pass"]),
            one("weak right 40 1 1", "health = 2", &["pass"]),
        ]
    };
    for (line, target) in [
        ("ready attack with bow when rival moves", "rival"),
        ("ready attack trigger with bow when rival moves", "rival"),
        ("ready attack weakest with bow when rival moves", "weak"),
        ("ready attack weak with bow when enemy moves", "weak"),
    ] {
        let parts = parts(line);
        let played = rounds(1, &parts, &[], &[(0, &[3])]);
        assert_eq!(
            played.only_untimed(&["attacks"]),
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
            one("guard left 0 9 9", rest, &[&guard(action), "pass"]),
            the_rival(rival),
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
            played.only_untimed(&words),
            ["guard interrupts rival", done],
            "{action}"
        );
    }
}

/// Plays a guard at 0 that readies, a friend at -3 and a rival at 6, in this order; returns the guard's events after
/// its own turn.
fn trio(guard: &str, friend: &[&str], rival: &[&str], dice: &[(usize, &[u32])]) -> Vec<String> {
    let parts = [
        the_guard(&[guard, "pass"]),
        one("friend left -3 7 7", "undrawn = [\"fist\"]", friend),
        one(
            "rival right 6 5 5",
            "undrawn = [\"fist\"]\nprone = false",
            rival,
        ),
        the_last(90),
    ];
    let played = rounds(1, &parts, &[], dice);
    let words = [
        "triggered",
        "interrupts",
        "moves",
        "attacks",
        "effect",
        "uses",
        "draws",
        "falls",
        "cannot",
    ];
    let told = played.only_untimed(&words).into_iter();
    told.map(str::to_owned).collect()
}

/// "A single trigger": an act of either side or of a named combatant, but never of the combatant that readies.
#[test]
fn cd_3_a_trigger_may_be_anybodys_doing() {
    let step: &[&str] = &["retreat 1 if not moved", "pass"];
    for (subject, by) in [
        ("enemy", &["rival"][..]),
        ("ally", &["friend"]),
        ("anyone", &["friend"]),
        ("friend", &["friend"]),
        ("rival", &["rival"]),
        ("last", &[]),
    ] {
        let line = format!("ready use salve when {subject} moves");
        let told = trio(&line, step, step, &[]);
        let triggered: Vec<String> = told
            .iter()
            .filter_map(|line| line.strip_prefix("guard triggered by "))
            .map(str::to_owned)
            .collect();
        assert_eq!(triggered, by, "{subject}");
    }
    // The guard's own step triggers nothing.
    let parts = [
        the_guard(&[
            "ready use salve when anyone moves",
            "retreat 2 if not moved",
            "pass",
        ]),
        the_rival(&["pass"]),
    ];
    let played = rounds(1, &[&parts[0], &parts[1]], &[], &[]);
    assert!(played.only_untimed(&["triggered"]).is_empty());
}

/// The triggers that are not tested above, each at its moment.
#[test]
fn cd_3_leaves_draws_falls_and_acts() {
    // `leaves` triggers after the Unit, and only from near to far.
    assert_eq!(
        trio(
            "ready use salve when rival leaves 7",
            &["pass"],
            &["retreat 3 if not moved"],
            &[]
        ),
        [
            "rival moves to 7",
            "rival moves to 8",
            "guard triggered by rival",
            "guard interrupts rival",
            "guard uses +0",
            "rival moves to 9",
        ]
    );
    assert!(
        !trio(
            "ready use salve when rival leaves 4",
            &["pass"],
            &["retreat 1 if not moved"],
            &[]
        )
        .iter()
        .any(|line| line.contains("triggered"))
    );
    // `draws` triggers before the weapon is in hand.
    assert_eq!(
        trio(
            "ready use salve when enemy draws",
            &["pass"],
            &["draw"],
            &[]
        )[2..],
        ["guard uses +0", "rival draws"]
    );
    // `acts` triggers before any effect.
    for (policy, then) in [
        ("retreat 1 if not moved", "rival moves to 7"),
        ("draw", "rival draws"),
        ("use salve", "rival uses +0"),
        ("cast bolt friend", "rival effect on friend"),
        ("attack friend with bow", "rival attacks friend miss"),
    ] {
        let dice: &[(usize, &[u32])] = &[(2, &[3])];
        let dice = if policy.contains("attack") { dice } else { &[] };
        let told = trio(
            "ready use salve when enemy acts",
            &["pass"],
            &[policy],
            dice,
        );
        assert_eq!(told[2..], ["guard uses +0", then], "{policy}");
    }
    // `falls` triggers after the fall. The combatant that felled the other is interrupted, and stands behind.
    assert_eq!(
        trio(
            "ready use salve when enemy falls",
            &["attack rival with cannon", "retreat 1 if not moved"],
            &["pass"],
            &[(1, &[8])]
        ),
        [
            "friend attacks rival hit",
            "rival falls",
            "guard triggered by rival",
            "guard interrupts friend",
            "guard uses +0",
            "friend moves to -4",
        ]
    );
}

/// A fall by effects tied to a combatant's turn happens in that turn, so that turn is interrupted.
#[test]
fn cd_3_a_fall_by_ongoing_damage_triggers() {
    let parts = [
        the_guard(&["ready attack with bow when rival falls", "pass"]),
        one(
            "rival right 6 5 5",
            "health = 1\nongoing = { damage = 1, rounds = 1 }",
            &["pass"],
        ),
        one("last right 9 1 1", "", &["pass"]),
    ];
    let played = rounds(1, &parts, &[], &[(0, &[3])]);
    assert_eq!(
        played.only_untimed(&["falls", "triggered", "interrupts", "attacks"]),
        [
            "rival falls",
            "guard triggered by rival",
            "guard interrupts rival",
            // A fallen combatant cannot be the target, so the nearest enemy is.
            "guard attacks last miss",
        ]
    );
    // The fall of the last enemy ends the encounter and triggers nothing (W-6).
    let played = rounds(1, &parts[..2], &[], &[]);
    assert_eq!(
        played.only_untimed(&["falls", "triggered"]),
        ["rival falls"]
    );
}

/// A readied move goes as many Units as it names, but no more than those of a turn. They do not count against the turn
/// that readied it.
#[test]
fn cd_3_a_move_may_be_readied() {
    let moves = |line: &str, guard_first: &str| {
        let guard: &[&str] = &[line, guard_first, "pass"];
        let played = played(1, guard, &["advance 3 if not moved", "pass"], &[]);
        let told = played.only_untimed(&["moves to"]).into_iter();
        told.map(str::to_owned).collect::<Vec<_>>()
    };
    let with_steps = |steps: &[i32], before: usize| {
        let rival = [5, 4, 3].map(|to| format!("rival moves to {to}"));
        let mut all = rival[..before].to_vec();
        all.extend(steps.iter().map(|to| format!("guard moves to {to}")));
        all.extend_from_slice(&rival[before..]);
        all
    };
    // `moves` triggers before the step, `comes-within` after it.
    assert_eq!(
        moves("ready retreat 2 when enemy comes-within 4", "pass"),
        with_steps(&[-1, -2], 2)
    );
    assert_eq!(
        moves("ready retreat 2 when enemy moves", "pass"),
        with_steps(&[-1, -2], 0)
    );
    // The move goes up to its goal, and up to `move`.
    assert_eq!(
        moves("ready advance 9 to 3 when enemy comes-within 5", "pass"),
        with_steps(&[1, 2], 1)
    );
    let all: Vec<i32> = (1..=10).map(|steps| -steps).collect();
    assert_eq!(
        moves("ready retreat 30 when enemy moves", "pass"),
        with_steps(&all, 0)
    );
    assert_eq!(
        moves("ready retreat when enemy moves", "pass"),
        with_steps(&all, 0)
    );
    // The Units of the turn are counted separately.
    let mut both: Vec<String> = (1..=4).map(|to| format!("guard moves to -{to}")).collect();
    both.extend((5..=14).map(|to| format!("guard moves to -{to}")));
    both.extend([5, 4, 3].map(|to| format!("rival moves to {to}")));
    assert_eq!(
        moves(
            "ready retreat 30 when enemy moves",
            "retreat 4 if not moved"
        ),
        both
    );
    // The guard is already there, so the move is impossible.
    let guard: &[&str] = &["ready advance 3 to 9 when enemy moves", "pass"];
    let lost = played(1, guard, &["advance 1 if not moved", "pass"], &[]);
    assert_eq!(
        lost.only_untimed(&["cannot", "guard moves"]),
        ["guard cannot do what it readied"]
    );
    assert_eq!(orders(&lost).last().unwrap(), "rival guard last");
}

/// A readied move is walked Unit by Unit and may itself be interrupted.
#[test]
fn cd_3_a_readied_move_may_be_interrupted() {
    let parts = [
        the_guard(&["ready retreat 3 when enemy moves", "pass"]),
        one(
            "archer right 8 8 8",
            "",
            &["ready attack with bow when guard leaves 9", "pass"],
        ),
        the_rival(&["advance 1 if not moved", "pass"]),
    ];
    let played = rounds(1, &parts, &[], &[(1, &[8])]);
    assert_eq!(
        played.only_untimed(&["interrupts", "moves", "attacks", "goes on"]),
        [
            "guard interrupts rival",
            "guard moves to -1",
            "guard moves to -2",
            "archer interrupts guard",
            "archer attacks guard hit",
            "guard goes on",
            "guard moves to -3",
            "rival goes on",
            "rival moves to 5",
        ]
    );
    assert_eq!(orders(&played).last().unwrap(), "archer guard rival");
}

/// If a combatant interrupts its interrupter with a move during its own walk, it continues its own walk afterwards.
#[test]
fn cd_3_a_readied_move_leaves_the_move_of_the_turn_as_it_was() {
    let parts = [
        the_guard(&["ready attack with bow when enemy moves", "pass"]),
        the_rival(&[
            "ready retreat 2 when enemy attacks me",
            "advance 3 if not moved",
            "pass",
        ]),
    ];
    let played = rounds(1, &[&parts[0], &parts[1]], &[], &[(0, &[8])]);
    assert_eq!(
        played.only_untimed(&["interrupts", "attacks", "rival moves"]),
        [
            "guard interrupts rival",
            "rival interrupts guard",
            "rival moves to 7",
            "rival moves to 8",
            "guard attacks rival hit",
            "rival moves to 7",
            "rival moves to 6",
            "rival moves to 5",
        ]
    );
}

/// If the combatant that triggers an attack cannot be its target, the nearest enemy is, unless the line names another.
#[test]
fn cd_3_an_ally_triggers_an_attack_on_the_nearest_enemy() {
    let shot: &[(usize, &[u32])] = &[(0, &[3]), (1, &[3])];
    for (line, target) in [
        ("ready attack with bow when ally attacks", "rival"),
        ("ready attack with bow when anyone attacks", "rival"),
        ("ready attack last with bow when ally attacks", "last"),
    ] {
        let parts = [
            the_guard(&[line, "pass"]),
            one("friend left -3 7 7", "", &["attack last with cannon"]),
            the_rival(&["pass"]),
            one("last right 40 1 1", "", &["pass"]),
        ];
        let played = rounds(1, &parts, &[], shot);
        assert_eq!(
            played.only_untimed(&["guard triggered", "guard interrupts", "attacks"]),
            [
                "guard triggered by friend".to_owned(),
                "guard interrupts friend".to_owned(),
                format!("guard attacks {target} miss"),
                "friend attacks last miss".to_owned(),
            ],
            "{line}"
        );
        assert_eq!(orders(&played).last().unwrap(), "guard friend rival last");
    }
    // The line names the trigger, and that is an ally: nothing to attack.
    let told = trio(
        "ready attack trigger with bow when anyone uses",
        &["use salve"],
        &["pass"],
        &[],
    );
    assert_eq!(
        told,
        [
            "guard triggered by friend",
            "guard cannot do what it readied",
            "friend uses +0"
        ]
    );
}

/// `readies = false`: a `ready` line is never legal, but not refused.
#[test]
fn cd_3_readying_can_be_switched_off() {
    let parts = [
        the_guard(&["ready attack with bow when enemy moves", "use salve"]),
        the_rival(&["retreat 1 if not moved", "pass"]),
    ];
    let parts = [&parts[0][..], &parts[1]];
    let told = |set: &[&str], dice: &[(usize, &[u32])]| {
        let played = rounds(1, &parts, set, dice);
        let told = played
            .only_untimed(&["readies", "uses", "interrupts"])
            .into_iter();
        told.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        told(&["rules.readies=true"], &[(0, &[3])]),
        ["guard readies", "guard interrupts rival"]
    );
    assert_eq!(told(&["rules.readies=false"], &[]), ["guard uses +0"]);
}

/// An item for another combatant finds its target when it is used, as an attack does: by default the combatant that
/// triggered it, which may have been out of reach before.
#[test]
fn cd_3_a_readied_item_finds_its_target_when_it_is_used() {
    for ready in [
        "ready use salve when enemy comes-within 4",
        "ready use salve nearest when enemy comes-within 4",
    ] {
        let parts = [
            the_guard(&[ready, "pass"]),
            the_rival(&["advance 3 if not moved", "pass"]),
        ];
        let thrown = "target = \"enemy\"\nrange = 4\neffects = [{ damage = 2 }]";
        let played = rounds_with((thrown, ""), 1, &parts, &[], &[]);
        assert_eq!(
            played.only_untimed(&["readies", "moves", "interrupts", "uses", "takes"]),
            [
                "guard readies",
                "rival moves to 5",
                "rival moves to 4",
                "guard interrupts rival",
                "guard uses on rival",
                "rival takes 2 has 8",
                "rival moves to 3",
            ],
            "{ready}"
        );
    }
}

/// The facts in a `cancel` line are about this Round, not about the Round before.
#[test]
fn cd_3_an_early_trigger_asks_about_its_own_round() {
    // The guard comes in late in Round 1, readies there, and is triggered early in Round 2.
    let parts = [
        the_guard(&[
            "delay if round = 1",
            "ready use salve when enemy moves",
            "cancel if delayed or enemy_acted",
            "pass",
        ]),
        the_rival(&["retreat 1 if round = 2 and not moved", "pass"]),
    ];
    let played = rounds(2, &[&parts[0], &parts[1]], &[], &[]);
    assert_eq!(
        played.only_untimed(&["comes in", "triggered", "uses"]),
        [
            "guard comes in after rival",
            "guard triggered by rival",
            "guard uses +0"
        ]
    );
}

/// An item for allies is used on the ally that triggers it, or on the nearest ally if that one cannot be its target;
/// never on an enemy.
#[test]
fn cd_3_a_readied_thing_for_allies_is_used_on_an_ally() {
    let told = |ready: &str, friend: &str, rival: &str| {
        let parts = [
            the_guard(&[ready, "pass"]),
            one("near left 1 6 6", "", &["pass"]),
            one("friend left 9 6 5", "", &[friend, "pass"]),
            the_rival(&[rival, "pass"]),
        ];
        let balm = "target = \"ally\"\nrange = 50\nheal = 1\nuses = 5";
        let played = rounds_with((balm, ""), 1, &parts, &[], &[]);
        let used = played.only_untimed(&["uses on", "cannot"]);
        used.iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let (steps, rests) = ("retreat 1 if not moved", "pass");
    for (ready, friend, rival, target) in [
        ("ready use salve when ally moves", steps, rests, "friend"),
        (
            "ready use salve trigger when ally moves",
            steps,
            rests,
            "friend",
        ),
        ("ready use salve near when ally moves", steps, rests, "near"),
        ("ready use salve when anyone moves", rests, steps, "near"),
        ("ready use salve when enemy moves", rests, steps, "near"),
    ] {
        assert_eq!(
            told(ready, friend, rival),
            [format!("guard uses on {target}")],
            "{ready}"
        );
    }
    assert_eq!(
        told("ready use salve trigger when anyone moves", rests, steps),
        ["guard cannot do what it readied"]
    );
}

/// A spell on oneself has no other target, not even an enemy that triggers it.
#[test]
fn cd_3_a_readied_spell_on_oneself_needs_no_enemy_in_range() {
    let parts = [
        the_guard(&["ready cast bolt when enemy moves", "pass"]),
        the_rival(&["retreat 1 if not moved", "pass"]),
    ];
    let text = scenario(&[&parts[0], &parts[1]]).replace(
        "[spells.bolt]\nrange = 50\ndamage = 1",
        "[spells.bolt]\ntarget = \"self\"\neffects = [{ prone = true }]",
    );
    let one: &[u32] = &[1];
    let dice = [0, 1].map(|who| (who, Purpose::Initiative, one));
    let played = play(&text, &["encounter.max_rounds=1"], &dice);
    assert_eq!(
        played.only_untimed(&["cannot", "effect"]),
        ["guard effect on guard"]
    );
}

/// A combatant that is stunned by another one triggered with it does nothing more.
#[test]
fn cd_3_who_is_stunned_by_another_interruption_loses_what_it_readied() {
    let parts = [
        the_guard(&["ready use salve other when rival moves", "pass"]),
        one(
            "other right 3 6 6",
            "",
            &["ready attack guard with bow when ally moves", "pass"],
        ),
        the_rival(&["retreat 1 if not moved", "pass"]),
    ];
    let daze = "target = \"enemy\"\nrange = 50\neffects = [{ condition = \"dazed\", lasts = 1 }]";
    let played = rounds_with((daze, DAZED), 1, &parts, &[], &[]);
    assert_eq!(
        played.only_untimed(&["uses on", "attacks", "cannot"]),
        ["guard uses on other", "other cannot do what it readied"]
    );
    assert_eq!(
        (
            played.counts_of(1).readied_lost,
            played.counts_of(1).interrupts
        ),
        (1, 0)
    );
}

/// If a condition counts its bearer's turns, it counts a turn that an early trigger replaced when the readied action is
/// over.
#[test]
fn cd_5_a_turn_that_is_replaced_counts_for_conditions() {
    let parts = [
        one(
            "rival right 6 9 9",
            "",
            &["retreat 1 if round = 3 and not moved", "pass"],
        ),
        one(
            "guard left 0 5 5",
            "",
            &[
                "use salve if round = 1",
                "ready attack with bow when enemy moves if round = 2",
                "attack with bow if round = 4",
                "pass",
            ],
        ),
    ];
    let brave = "uses = 1\neffects = [{ condition = \"brave\", lasts = 3 }]";
    let more = "[conditions.brave]\nmodifies = { attack = 2 }\n";
    let dice: &[(usize, &[u32])] = &[(1, &[3, 3, 3, 3])];
    let played = rounds_with((brave, more), 4, &parts, &[], dice);
    assert_eq!(
        played.only_untimed(&["triggered", "brave", "rolls", "attacks"]),
        [
            "guard gets brave",
            "guard triggered by rival",
            "guard rolls 3 of 3-0-0",
            "guard attacks rival miss",
            "guard loses brave",
            "guard rolls 1 of 1-0-0",
            "guard attacks rival miss",
        ]
    );
}
