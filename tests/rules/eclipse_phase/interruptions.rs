//! Interruptions, and what happens to the interrupted action (EP-6).

use super::stage::{BLADE, GUN, one, play, scenario};
use skirmish::chance::Purpose::{Check, Initiative};

const FIXED: &str = "rules.initiative={ mode = \"fixed\" }";
const ONCE: &str = "encounter.max_rounds=1";

fn ready(condition: &str, arms: &str) -> String {
    format!(
        "weapons = [\"{arms}\"]\npolicy = [\"delay\", \"interrupt if {condition}\", \"hold\", \"attack\"]"
    )
}

#[test]
fn ep_6_a_declared_attack_is_interrupted_before_it_is_made() {
    let text = scenario(&[
        &one("a", 0, 20, &ready("under_attack", "blade")),
        &one("b", 1, 10, BLADE),
    ]);
    let played = play(&text, &[ONCE, FIXED], &[(0, Check, &[1])]);
    assert_eq!(
        played.lines[2..],
        [
            "1.1 20 a delays",
            "1.1 20 a takes the delayed action",
            "1.1 20 a attacks b 1/60 hit",
            "1.1 20 b takes 30 has 0",
            "1.1 20 b wounded 5, now 5",
            "1.1 20 b falls",
        ]
    );
}

#[test]
fn ep_6_a_declared_step_is_interrupted_before_it_is_made() {
    let text = scenario(&[
        &one("a", 0, 20, &ready("enemy_moves and distance <= 47", "gun")),
        &one("b", 50, 10, "policy = [\"advance 10\"]"),
    ]);
    let played = play(&text, &[ONCE, FIXED], &[(0, Check, &[99])]);
    assert_eq!(
        played.only(&["1.1"])[1..],
        [
            "1.1 10 b steps 50>49",
            "1.1 10 b steps 49>48",
            "1.1 10 b steps 48>47",
            "1.1 20 a takes the delayed action",
            "1.1 20 a attacks b 99/60 miss",
            "1.1 10 b steps 47>46",
            "1.1 10 b steps 46>45",
        ]
    );
}

#[test]
fn ep_6_a_declared_task_is_interrupted_and_goes_on_afterwards() {
    let text = scenario(&[
        "[tasks.hack]\nphases = 1\n",
        &one("a", 0, 20, &ready("enemy_acts", "gun")),
        &one("b", 50, 10, "tasks = [\"hack\"]\npolicy = [\"task hack\"]"),
    ]);
    let played = play(&text, &[ONCE, FIXED], &[(0, Check, &[1])]);
    assert_eq!(
        played.only(&["attacks", "wounded", "works"]),
        [
            "1.1 20 a attacks b 1/60 hit",
            "1.1 20 b wounded 1, now 9",
            // b's place had already come up.
            "1.1 10 b works 1/1",
        ]
    );
}

#[test]
fn ep_6_what_has_become_impossible_is_lost_with_its_complex_action() {
    // b declares a blow; a steps back out of its reach.
    let own = "move = 8\npolicy = [\"delay\", \"interrupt if under_attack\", \"retreat\"]";
    let foe =
        "weapons = [\"blade\", \"gun\"]\npolicy = [\"attack with blade\", \"attack with gun\"]";
    let text = scenario(&[&one("a", 0, 20, own), &one("b", 1, 10, foe)]);
    let played = play(&text, &[ONCE, FIXED], &[]);
    assert_eq!(
        played.only(&["1.1"])[2..],
        [
            "1.1 20 a steps 0>-1",
            "1.1 20 a steps -1>-2",
            "1.1 10 b loses an attack",
        ]
    );
    assert_eq!(played.counts_of(1).attacks_lost, 1);
    assert_eq!(played.counts_of(1).phases.actions, [1, 0, 0, 0]);
    // By option b keeps the action, and shoots.
    let played = play(
        &text,
        &[ONCE, FIXED, "rules.interrupted=kept"],
        &[(1, Check, &[99])],
    );
    assert_eq!(
        played.only(&["1.1"])[4..],
        ["1.1 10 b loses an attack", "1.1 10 b attacks a 99/60 miss"]
    );
}

#[test]
fn ep_6_an_attack_whose_target_has_gone_finds_another() {
    let own = "move = 8\npolicy = [\"delay\", \"interrupt if under_attack\", \"retreat\"]";
    let text = scenario(&[
        &one("a1", 0, 20, own),
        &one("a2", 2, 15, "policy = [\"pass\"]"),
        &one(
            "b",
            1,
            10,
            "weapons = [\"blade\"]\npolicy = [\"attack a1\"]",
        ),
    ]);
    let played = play(&text, &[ONCE, FIXED], &[]);
    // A standing named target is not replaced (W-4).
    assert_eq!(played.only(&["attack"]), ["1.1 10 b loses an attack"]);
    let nearest = text.replace("attack a1", "attack");
    let played = play(&nearest, &[ONCE, FIXED], &[(2, Check, &[99])]);
    assert_eq!(played.only(&["attack"]), ["1.1 10 b attacks a2 99/60 miss"]);
}

#[test]
fn ep_6_interruptions_nest_and_each_goes_on_where_it_was() {
    // c shoots at a; a interrupts and shoots at d, which interrupts that shot.
    let text = scenario(&[
        &one(
            "a",
            0,
            20,
            &ready("under_attack", "gun").replace("\"attack\"]", "\"attack d\"]"),
        ),
        &one("d", 50, 19, &ready("under_attack", "gun")).replace("side = \"d\"", "side = \"c\""),
        &one("c", 60, 10, GUN),
    ]);
    let played = play(
        &text,
        &[ONCE, FIXED],
        &[(0, Check, &[98]), (1, Check, &[97]), (2, Check, &[99])],
    );
    assert_eq!(
        played.only(&["delay", "attacks"]),
        [
            "1.1 20 a delays",
            "1.1 19 d delays",
            "1.1 20 a takes the delayed action",
            "1.1 19 d takes the delayed action",
            "1.1 19 d attacks a 97/60 miss",
            "1.1 20 a attacks d 98/60 miss",
            "1.1 10 c attacks a 99/60 miss",
        ]
    );
}

#[test]
fn ep_6_several_at_one_point_act_in_order_of_their_totals_equals_simultaneously() {
    let text = scenario(&[
        &one("a1", 0, 15, &ready("enemy_moves", "gun")),
        &one("a2", 0, 20, &ready("enemy_moves", "gun")),
        &one("a3", 0, 15, &ready("enemy_moves", "gun")),
        &one("b", 50, 10, "policy = [\"advance\"]"),
    ]);
    let played = play(
        &text,
        &[ONCE, FIXED],
        &[(0, Check, &[99]), (1, Check, &[99]), (2, Check, &[99])],
    );
    let lines = played.only(&["takes the", "attacks", "steps 50"]);
    assert_eq!(
        lines,
        [
            "1.1 20 a2 takes the delayed action",
            "1.1 20 a2 attacks b 99/60 miss",
            "1.1 15 a1 takes the delayed action",
            "1.1 15 a3 takes the delayed action",
            "1.1 15 a1 attacks b 99/60 miss",
            "1.1 15 a3 attacks b 99/60 miss",
            "1.1 10 b steps 50>49",
        ]
    );
}

#[test]
fn ep_6_who_interrupts_simultaneous_combatants_acts_between_choice_and_deed() {
    // b and c act together; a fells b before either attack, and c's attack still happens.
    let text = scenario(&[
        &one("a", 1, 20, &ready("enemy_attacks", "blade")),
        &one("b", 0, 10, BLADE),
        &one("c", 2, 10, BLADE).replace("side = \"c\"", "side = \"b\""),
    ]);
    let played = play(
        &text,
        &[ONCE, FIXED],
        &[(0, Check, &[1]), (2, Check, &[99])],
    );
    assert_eq!(
        played.only(&["attacks", "falls"]),
        [
            "1.1 20 a attacks b 1/60 hit",
            "1.1 20 b falls",
            "1.1 10 c attacks a 99/60 miss",
        ]
    );
}

#[test]
fn ep_6_damage_to_one_of_two_simultaneous_from_an_interrupter_counts_at_once() {
    // a and b strike at each other at the same instant; c, which waits, shoots b in between: b's blow is still made
    // unless b falls.
    let text = scenario(&[
        &one("a", 0, 10, BLADE),
        &one("b", 1, 10, BLADE),
        &one("c", 9, 20, &ready("enemy_attacks", "gun")).replace("side = \"c\"", "side = \"a\""),
    ]);
    let played = play(
        &text,
        &[ONCE, FIXED, "weapons.gun.damage=30"],
        &[(2, Check, &[1])],
    );
    assert_eq!(
        played.only(&["attacks", "falls"]),
        ["1.1 20 c attacks b 1/60 hit", "1.1 20 b falls"]
    );
    let played = play(
        &text,
        &[ONCE, FIXED],
        &[(0, Check, &[1]), (1, Check, &[2]), (2, Check, &[1])],
    );
    assert_eq!(
        played.only(&["attacks", "falls"]),
        [
            "1.1 20 c attacks b 1/60 hit",
            "1.1 10 a attacks b 1/60 hit",
            "1.1 10 b attacks a 2/50 hit",
            "1.1 10 a falls",
            "1.1 10 b falls",
        ]
    );
}

#[test]
fn ep_6_who_falls_loses_its_delayed_action() {
    let text = scenario(&[
        &one("a", 0, 20, &ready("false", "gun")),
        &one("b", 1, 10, BLADE),
    ]);
    let played = play(
        &text,
        &["encounter.max_rounds=5"],
        &[
            (0, Initiative, &[1]),
            (1, Initiative, &[1]),
            (1, Check, &[1]),
        ],
    );
    assert_eq!(
        played.only(&["delay", "holds", "falls"]),
        ["1.1 21 a delays", "1.1 11 a falls"]
    );
}

#[test]
fn ep_6_who_delays_beside_others_who_act_at_that_instant_waits_until_it_is_over() {
    // a delays while b shoots at the same total, in each mode of rolling initiative.
    let text = scenario(&[
        &one("a", 0, 10, &ready("true", "gun")),
        &one(
            "b",
            50,
            10,
            "weapons = [\"gun\"]\npolicy = [\"advance 1 if not moved\", \"attack\"]",
        ),
    ]);
    for roll in ["per-turn", "per-speed"] {
        let rules = format!("rules.initiative={{ mode = \"fixed\", roll = \"{roll}\" }}");
        let played = play(
            &text,
            &[ONCE, &rules, "combatants.b.move=4"],
            &[(0, Check, &[99]), (1, Check, &[98])],
        );
        let order: Vec<&str> = played
            .only(&["delay", "attacks"])
            .iter()
            .map(|line| line.split_once(" 10 ").map_or(*line, |(_, what)| what))
            .collect();
        assert_eq!(
            order,
            [
                "a delays",
                "b attacks a 98/60 miss",
                "a takes the delayed action",
                "a attacks b 99/60 miss",
            ],
            "{roll}"
        );
    }
}

#[test]
fn ep_6_a_declared_quick_action_is_interrupted_before_it_is_done() {
    // b gets up, which makes a's condition true; then b declares a Quick Action.
    let text = scenario(&[
        "[items.stim]\ncost = \"quick\"\nheal = 1\n",
        &one("a", 0, 20, &ready("not target.prone", "gun")),
        &one(
            "b",
            50,
            10,
            "prone = true\nitems = [\"stim\"]\nweapons = [\"gun\"]\n\
             policy = [\"stand\", \"use stim\", \"attack\"]",
        ),
    ]);
    let played = play(
        &text,
        &[ONCE, FIXED],
        &[(0, Check, &[99]), (1, Check, &[99])],
    );
    assert_eq!(
        played.only(&["1.1"]),
        [
            "1.1 20 a delays",
            "1.1 10 b stands up",
            "1.1 20 a takes the delayed action",
            "1.1 20 a attacks b 99/60 miss",
            "1.1 10 b uses +0",
            "1.1 10 b attacks a 99/60 miss",
        ]
    );
}

#[test]
fn w_6_attacks_left_over_when_the_encounter_is_decided_are_neither_made_nor_lost() {
    let text = scenario(&[
        &one("a1", 0, 10, BLADE),
        &one("a2", 0, 10, BLADE),
        &one("b", 1, 5, "policy = [\"pass\"]"),
    ]);
    let played = play(&text, &[ONCE, FIXED], &[(0, Check, &[1])]);
    assert_eq!(
        played.only(&["attack", "falls"]),
        ["1.1 10 a1 attacks b 1/60 hit", "1.1 10 b falls"]
    );
    let left = played.counts_of(1);
    assert_eq!((left.attacks, left.attacks_lost), (0, 0));
    assert_eq!(left.phases.actions, [0; 4]);
}

#[test]
fn ep_6_one_may_wait_for_an_enemys_quick_action() {
    let text = scenario(&[
        &one("a", 0, 20, &ready("enemy_quick", "gun")),
        &one(
            "b",
            50,
            10,
            "weapons = [\"gun\"]\nundrawn = [\"gun\"]\npolicy = [\"advance 1 if not moved\", \"draw\", \"attack\"]",
        ),
    ]);
    let played = play(
        &text,
        &[ONCE, FIXED],
        &[(0, Check, &[99]), (1, Check, &[99])],
    );
    assert_eq!(
        played.only(&["1.1"])[1..],
        [
            "1.1 10 b steps 50>49",
            "1.1 20 a takes the delayed action",
            "1.1 20 a attacks b 99/60 miss",
            "1.1 10 b draws",
            "1.1 10 b attacks a 99/60 miss",
        ]
    );
}

#[test]
fn ep_6_who_is_thrown_down_before_its_attack_loses_it() {
    let sweep = "[weapons.sweep]\nkind = \"ranged\"\nrange = 90\ncheck = { skill = 60 }\ndamage = 1\n\
                 effects = [{ prone = true }]\n";
    let text = scenario(&[
        sweep,
        &one("a", 0, 20, &ready("enemy_attacks", "sweep")),
        &one("b", 50, 10, GUN),
    ]);
    let played = play(&text, &[ONCE, FIXED], &[(0, Check, &[10])]);
    assert_eq!(
        played.only(&["attack", "down"]),
        [
            "1.1 20 a attacks b 10/60 hit",
            "1.1 20 b is thrown down",
            "1.1 10 b loses an attack",
        ]
    );
}
