//! Order at a Mark (TC-20), simultaneous action (W-5), and the Simple Round (TC-21).

use super::armory::play_fighters;
use super::stage::Played;
use skirmish::chance::Purpose::{Check, Initiative};
use skirmish::fight::Ending;

/// Returns the order in which two combatants attack at Mark 20.
fn first(options: &[&str], one: &str, other: &str, dice: &[(usize, u32)]) -> Vec<String> {
    let keys = "weapons = ['sword']; health = 100";
    let mut faces: Vec<_> = vec![(0, Check, &[1][..]), (1, Check, &[1][..])];
    let initiative: Vec<_> = dice.iter().map(|(who, face)| (*who, [*face])).collect();
    for (who, face) in &initiative {
        faces.push((*who, Initiative, face));
    }
    let played = play_fighters(
        options,
        &[
            &format!("a a 0 0 | {keys}; {one} | attack"),
            &format!("b b 0 0 | {keys}; {other} | attack"),
        ],
        &faces,
    );
    let attacks = played.only(&["20 a attacks", "20 b attacks"]);
    let name = |line: &&str| line.split(' ').nth(2).map(str::to_owned);
    attacks.iter().filter_map(name).collect()
}

fn traits(agility: i32, intellect: i32) -> String {
    format!("attributes = {{ agility = {agility}, intellect = {intellect} }}")
}

#[test]
fn tc_20_the_higher_characteristic_comes_first_rounded_down_in_fixed_mode_too() {
    // Both Scores are 20; 19.5 is rounded down to 19.
    let order = first(&[], &traits(20, 19), &traits(20, 20), &[]);
    assert_eq!(order, ["b", "a"]);
    let order = first(&[], &traits(20, 20), &traits(20, 19), &[]);
    assert_eq!(order, ["a", "b"]);
}

#[test]
fn tc_20_the_characteristic_counts_before_armour() {
    let armoured = format!("{}; evade_modifier = 4", traits(22, 22));
    let order = first(&[], &traits(20, 20), &armoured, &[]);
    assert_eq!(order, ["b", "a"]);
}

#[test]
fn tc_20_then_agility_then_intellect() {
    let order = first(&[], &traits(19, 21), &traits(21, 19), &[]);
    assert_eq!(order, ["b", "a"]);
    // Equal Agility, and averages that are equal once rounded down.
    let rolled = &["rules.initiative.mode=rolled"];
    let dice = &[(0, 2), (1, 2)];
    let order = first(rolled, &traits(18, 18), &traits(18, 19), dice);
    assert_eq!(order, ["b", "a"]);
}

#[test]
fn tc_20_ones_own_due_effects_come_before_ones_next_decision() {
    // The mage is busy for the whole casting time: the spell is first, then the item.
    let mage = "mage a 0 26 | spells = ['fire']; items = ['nut'] | \
                cast fire if mark = 26; use nut";
    let played = play_fighters(&[], &[mage, "x b 5 1 | | pass"], &[]);
    assert_eq!(
        played.only(&["goes off", "uses"]),
        ["R1 6 mage fire goes off at x", "R1 6 mage uses nut +0"]
    );
}

#[test]
fn w_5_tied_combatants_may_both_fall() {
    let played = play_fighters(
        &[],
        &[
            "a a 0 20 | weapons = ['sword']; health = 3 | attack",
            "b b 0 20 | weapons = ['sword']; health = 2 | attack",
        ],
        &[(0, Check, &[10]), (1, Check, &[10])],
    );
    assert_eq!(
        played.lines[2..],
        [
            "R1 20 a begins 1",
            "R1 20 a attacks b hit",
            "R1 20 b takes 3 has 2 later",
            "R1 20 b begins 1",
            "R1 20 b attacks a hit",
            "R1 20 a takes 3 has 3 later",
            "R1 20 a settles 3 has 0",
            "R1 20 a falls",
            "R1 20 b settles 3 has 0",
            "R1 20 b falls",
            "R1 20 mutual",
        ]
    );
    assert_eq!(played.record.ending, Ending::Mutual);
}

#[test]
fn w_5_who_is_tied_with_nobody_hits_at_once() {
    // The quicker combatant fells one of two that are tied: only the other acts.
    let played = play_fighters(
        &[],
        &[
            "a a 0 20 | weapons = ['sword']; health = 3; attributes = { agility = 20, intellect = 19 } | attack",
            "b b 0 20 | weapons = ['sword']; attributes = { agility = 20, intellect = 19 } | pass",
            "c b 0 20 | weapons = ['sword'] | attack",
        ],
        &[(2, Check, &[10])],
    );
    assert_eq!(
        played.only(&["attacks", "falls"]),
        ["R1 20 c attacks a hit", "R1 20 a falls"]
    );
}

#[test]
fn w_5_all_choose_on_the_same_state() {
    let played = play_fighters(
        &["weapons.bow.attacks=1"],
        &[
            "mage a 0 20 | spells = ['fire'] | cast fire",
            "archer b 10 20 | weapons = ['bow'] | attack if target.casting; wait 1 if mark = 20",
        ],
        &[(1, Check, &[1])],
    );
    assert_eq!(
        played.only(&["casts", "waits", "begins"]),
        [
            "R1 20 mage casts fire due 0+0R",
            "R1 20 archer waits 1",
            "R1 19 archer begins 1",
        ]
    );
}

#[test]
fn w_5_attacks_and_spells_come_before_steps() {
    let played = play_fighters(
        &[],
        &[
            "a a 0 20 | | retreat 1 if not acted",
            "b b 0 20 | weapons = ['sword'] | wait 1 if mark = 20; attack",
        ],
        &[(1, Check, &[1])],
    );
    assert_eq!(
        played.only(&["attacks", "steps"]),
        ["R1 19 b attacks a miss", "R1 19 a steps 0>-1"]
    );
}

#[test]
fn w_5_of_two_steps_that_would_cross_one_is_made_and_the_other_is_spent() {
    // Each walks past the other towards a combatant behind it.
    let played = play_fighters(
        &[],
        &[
            "a a 0 20 | | advance 1 y if not acted",
            "b b 1 20 | | advance 1 x if not acted",
            "x a -9 1 | | pass",
            "y b 9 1 | | pass",
        ],
        &[],
    );
    assert_eq!(
        played.deeds(),
        ["R1 19 a steps 0>1", "R1 19 b spends a step"]
    );
    assert_eq!(played.lines_of("b")[2], "R1 19 b done, 19 left");
}

#[test]
fn w_3_a_step_spent_in_crossing_leaves_the_rest_of_a_numbered_walk() {
    let crossing = |simple: &[&str]| {
        play_fighters(
            simple,
            &[
                "a a 0 20 | | advance 3 y if not acted",
                "b b 1 20 | | advance 3 x if not acted",
                "x a -9 1 | | pass",
                "y b 9 1 | | pass",
            ],
            &[],
        )
    };
    assert_eq!(
        crossing(&[]).deeds(),
        [
            "R1 19 a steps 0>1",
            "R1 19 b spends a step",
            "R1 18 a steps 1>2",
            "R1 18 b steps 1>0",
            "R1 17 a steps 2>3",
            "R1 17 b steps 0>-1",
        ]
    );
    // b pays three Marks for two Units.
    assert!(
        crossing(&[])
            .lines_of("b")
            .contains(&"R1 17 b done, 17 left")
    );
    assert_eq!(
        crossing(&["rules.round=simple"]).deeds(),
        [
            "R1 20 a steps 0>1",
            "R1 20 b spends a step",
            "R1 20 a steps 1>2",
            "R1 20 b steps 1>0",
            "R1 20 a steps 2>3",
            "R1 20 b steps 0>-1",
        ]
    );
}

#[test]
fn w_5_two_steps_to_one_unit_are_both_made() {
    let played = play_fighters(
        &[],
        &[
            "a a 0 20 | | advance 1 if not acted",
            "b b 2 20 | | advance 1 if not acted",
        ],
        &[],
    );
    assert_eq!(played.deeds(), ["R1 19 a steps 0>1", "R1 19 b steps 2>1"]);
}

#[test]
fn w_5_walks_by_number_end_in_the_state_to_which_all_tied_steps_lead() {
    // The walkers meet in one Unit: the step of b ends the walk of a as well as its own.
    for (options, mark) in [(&[][..], 23), (&["rules.round=simple"], 25)] {
        let walker = "weapons = ['sword'] | set if in_melee and not ready; advance 8";
        let played = play_fighters(
            options,
            &[
                &format!("a a 0 25 | {walker}"),
                &format!("b b 4 25 | {walker}"),
            ],
            &[],
        );
        assert_eq!(
            played.only(&["sets", "spends"]),
            [format!("R1 {mark} a sets"), format!("R1 {mark} b sets")]
        );
    }
}

/// Plays two combatants that walk one Unit towards each other at Mark 30 and then fight.
fn meeting(distance: i32, second: &str) -> Played {
    let policy = "advance 1 if not acted; attack; set";
    let keys = "weapons = ['blades']; health = 100";
    play_fighters(
        &[],
        &[
            &format!("a a 0 30 | {keys} | {policy}"),
            &format!("b b {distance} 30 | {keys}{second} | {policy}"),
        ],
        &[(0, Check, &[1]), (1, Check, &[1])],
    )
}

#[test]
fn tc_9_tied_steps_that_meet_have_both_moved_into_melee_and_neither_is_exempt() {
    for distance in [1, 2] {
        let played = meeting(distance, "");
        assert_eq!(
            played.only(&["sets", "begins"]),
            [
                "R1 29 a sets",
                "R1 29 b sets",
                "R1 24 a begins 1",
                "R1 24 b begins 1",
            ]
        );
    }
}

/// One steps back and the other follows at the same instant: the follower's step does not exempt the first from a Set,
/// whichever of the two the file lists first.
#[test]
fn tc_9_a_step_that_is_followed_at_the_same_instant_exempts_no_one() {
    let spear =
        "p a 0 30 | weapons = ['spear']; health = 100 | retreat if not acted; attack; set; wait 1";
    let follower = "f b 2 30 | weapons = []; health = 100 | advance";
    for fighters in [[spear, follower], [follower, spear]] {
        let who = usize::from(fighters[0] == follower);
        let played = play_fighters(
            &["encounter.max_rounds=1"],
            &fighters,
            &[(who, Check, &[1])],
        );
        assert_eq!(
            played.only(&["sets", "begins"]),
            ["R1 29 p sets", "R1 24 p begins 1"]
        );
    }
}

#[test]
fn tc_9_of_two_who_are_not_tied_the_one_who_is_come_upon_needs_no_set() {
    // The quicker combatant steps first, then the slower one steps up to it.
    let keys = "weapons = ['blades']; health = 100";
    let slower = "attributes = { agility = 30, intellect = 29 }";
    let policy = "advance 1 if not acted; attack; set; wait 1";
    let played = play_fighters(
        &[],
        &[
            &format!("a a 0 30 | {keys} | {policy}"),
            &format!("b b 2 30 | {keys}; {slower} | {policy}"),
        ],
        &[(0, Check, &[1, 1, 1]), (1, Check, &[1])],
    );
    assert_eq!(
        played.only(&["steps", "sets", "begins"]),
        [
            "R1 29 a steps 0>1",
            "R1 29 b steps 2>1",
            "R1 29 b sets",
            "R1 28 a begins 3",
            "R1 24 b begins 1",
        ]
    );
}

#[test]
fn tc_21_all_actions_come_at_ones_own_mark() {
    let a = "a a 0 25 | weapons = ['bow'] | retreat 5 if not acted; set; attack";
    let played = play_fighters(
        &["rules.round=simple"],
        &[a, "x b 20 26 | | retreat 3"],
        &[(0, Check, &[1])],
    );
    let steps = |who: &str, mark: i32| {
        let walk = played.walk(who);
        assert!(walk.iter().all(|step| step.0 == mark));
        walk.len()
    };
    // They act in order of Score.
    assert_eq!(steps("x", 26), 10);
    assert_eq!(steps("a", 25), 5);
    assert!(played.lines[2].starts_with("R1 26 x"));
    assert_eq!(
        played.only(&["sets", "begins"]),
        ["R1 25 a sets", "R1 25 a begins 1"]
    );
}

#[test]
fn tc_21_every_action_that_the_marks_can_pay_for_and_no_more() {
    let a = "a a 0 29 | items = ['nut', 'draught', 'scroll'] | use nut; use draught; use scroll";
    let played = play_fighters(&["rules.round=simple"], &[a, "x b 20 1 | | pass"], &[]);
    assert_eq!(
        played.only(&["uses", "done"])[..4],
        [
            "R1 29 a uses nut +0",
            "R1 29 a uses nut +0",
            "R1 29 a uses draught +0",
            "R1 29 a done, 9 left",
        ]
    );
}

#[test]
fn tc_21_no_attack_is_forfeited() {
    let a = "a a 0 8 | weapons = ['blades'] | attack";
    let played = play_fighters(
        &["rules.round=simple"],
        &[a, "x b 0 1 | | pass"],
        &[(0, Check, &[1, 1, 1])],
    );
    assert_eq!(played.only(&["attacks"]), ["R1 8 a attacks x miss"; 3]);
    assert_eq!(played.record.combatants[0].attacks_forfeited, 0);
}

#[test]
fn tc_21_a_spell_that_the_marks_cover_goes_off_at_once_else_it_carries_over() {
    let cast = |policy: &str| {
        let mage = format!("mage a 0 21 | spells = ['bolt', 'fire'] | {policy}");
        let options = &["rules.round=simple", "encounter.max_rounds=2"];
        let played = play_fighters(options, &[&mage, "x b 10 1 | | pass"], &[]);
        let lines = played.only(&["casts", "goes off", "mage score"]);
        lines.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        cast("cast fire if round = 1"),
        [
            "R1 30 mage score 21",
            "R1 21 mage casts fire due 21+0R",
            "R1 21 mage fire goes off at x",
            "R2 30 mage score 21",
        ]
    );
    // Fifteen of 21 Marks are left, so five are owed.
    assert_eq!(
        cast("retreat 6 if not acted and round = 1; cast fire if round = 1"),
        [
            "R1 30 mage score 21",
            "R1 21 mage casts fire due 25+1R",
            "R2 30 mage score 16",
            "R2 25 mage fire goes off at x",
        ]
    );
}

#[test]
fn tc_21_tied_combatants_alternate_action_by_action_and_move_unit_by_unit() {
    let policy = "retreat 2 if not acted; use nut; pass";
    let played = play_fighters(
        &["rules.round=simple", "items.nut.uses=1"],
        &[
            &format!("a a 0 20 | items = ['nut'] | {policy}"),
            &format!("b b 5 20 | items = ['nut'] | {policy}"),
        ],
        &[],
    );
    assert_eq!(
        played.deeds(),
        [
            "R1 20 a steps 0>-1",
            "R1 20 b steps 5>6",
            "R1 20 a steps -1>-2",
            "R1 20 b steps 6>7",
            "R1 20 a uses nut +0",
            "R1 20 b uses nut +0",
        ]
    );
}

#[test]
fn tc_21_damage_of_tied_combatants_counts_when_all_their_turns_are_over() {
    let keys = "weapons = ['sword']; health = 3; items = ['nut']";
    let policy = "attack; use nut if mark = 20";
    let played = play_fighters(
        &["rules.round=simple", "items.nut.uses=1"],
        &[
            &format!("a a 0 20 | {keys} | {policy}"),
            &format!("b b 0 20 | {keys} | {policy}"),
        ],
        &[(0, Check, &[10]), (1, Check, &[10])],
    );
    assert_eq!(
        played.only(&["attacks", "uses", "falls", "mutual"]),
        [
            "R1 20 a attacks b hit",
            "R1 20 b attacks a hit",
            "R1 20 a uses nut +0",
            "R1 20 b uses nut +0",
            "R1 20 a falls",
            "R1 20 b falls",
            "R1 20 mutual",
        ]
    );
}

#[test]
fn tc_21_at_one_score_the_characteristic_decides_who_goes_first() {
    let played = play_fighters(
        &["rules.round=simple"],
        &[
            "a a 0 20 | attributes = { agility = 20, intellect = 19 } | retreat 2 if not acted",
            "b b 5 20 | | retreat 2 if not acted",
        ],
        &[],
    );
    assert_eq!(
        played.deeds(),
        [
            "R1 20 b steps 5>6",
            "R1 20 b steps 6>7",
            "R1 20 a steps 0>-1",
            "R1 20 a steps -1>-2",
        ]
    );
}

#[test]
fn tc_21_a_channel_still_takes_effect_at_mark_0() {
    let mage = "mage a 0 20 | spells = ['beam'] | channel beam";
    let played = play_fighters(&["rules.round=simple"], &[mage, "x b 10 1 | | pass"], &[]);
    assert_eq!(
        played.only(&["channels", "goes off"]),
        ["R1 20 mage channels beam", "R1 0 mage beam goes off at x"]
    );
}

#[test]
fn tc_21_free_actions_are_left_when_the_marks_are_spent() {
    let a = "a a 0 5 | items = ['nut', 'pill'] | use nut; use pill if uses.pill > 28";
    let uses = |round: &str| {
        let option = format!("rules.round={round}");
        let played = play_fighters(&[&option], &[a, "x b 10 1 | | pass"], &[]);
        played.only(&["uses"]).len()
    };
    assert_eq!(uses("simple"), 3);
    assert_eq!(uses("full"), 1);
}

#[test]
fn tc_21_free_actions_are_left_after_whatever_overran_unless_one_is_casting() {
    let uses = |score: i32, deed: &str| {
        let keys = "weapons = ['bow']; spells = ['bolt', 'fire']; items = ['pill', 'scroll']";
        let a = format!("a a 0 {score} | {keys} | {deed}; use pill if uses.pill > 28");
        let rolls: &[u32] = if deed == "attack" { &[1] } else { &[] };
        let options = &["rules.round=simple", "weapons.bow.attacks=1"];
        let played = play_fighters(options, &[&a, "x b 10 1 | | pass"], &[(0, Check, rolls)]);
        played.only(&["uses pill"]).len()
    };
    assert_eq!(uses(8, "attack"), 2);
    assert_eq!(uses(8, "use scroll"), 2);
    // The spell goes off at once, and its 15 Marks are more than are left.
    assert_eq!(uses(12, "cast bolt if uses.pill > 29"), 2);
    // The spell carries over.
    assert_eq!(uses(12, "cast fire if uses.pill > 29"), 0);
}

#[test]
fn tc_21_waiting_and_further_attack_actions_stay_at_ones_own_mark() {
    let a = "a a 0 30 | weapons = ['sword']; health = 100 | attack; wait 1";
    let played = play_fighters(
        &["rules.round=simple", "rules.attack_actions=any"],
        &[a, "x b 0 1 | health = 100 | pass"],
        &[(0, Check, &[1, 1])],
    );
    assert_eq!(played.only(&["begins"]), ["R1 30 a begins 1"; 2]);
    let a = "a a 0 20 | weapons = ['sword'] | wait 5 if marks = 20; attack";
    let played = play_fighters(
        &["rules.round=simple"],
        &[a, "x b 0 1 | health = 100 | pass"],
        &[(0, Check, &[1])],
    );
    assert_eq!(
        played.only(&["waits", "begins"]),
        ["R1 20 a waits 5", "R1 20 a begins 1"]
    );
}

#[test]
fn tc_21_a_reaction_comes_at_the_movers_mark() {
    let played = play_fighters(
        &["rules.round=simple"],
        &[
            "guard a 0 10 | weapons = ['sword']; car = 2 | car; attack",
            "b b 4 20 | health = 100 | advance 9 if not acted",
        ],
        &[(0, Check, &[1])],
    );
    assert_eq!(
        played.only(&["steps", "reacts", "begins"]),
        [
            "R1 20 b steps 4>3",
            "R1 20 b steps 3>2",
            "R1 20 guard reacts to b",
            "R1 10 guard begins 1",
        ]
    );
}

#[test]
fn tc_16_a_tied_combatant_that_answers_by_car_ends_the_walk_it_began_at_that_instant() {
    let played = play_fighters(
        &[],
        &[
            "first a 0 30 | weapons = ['blades']; car = 6 | car; attack",
            "second b 6 30 | weapons = ['blades']; car = 3 | advance 1 if mark = 30; car; attack",
        ],
        &[(0, Check, &[1]), (1, Check, &[1])],
    );
    assert_eq!(
        played.only(&["cars", "reacts", "spends", "sets", "begins"]),
        [
            "R1 30 first cars at second",
            "R1 30 second reacts to first",
            "R1 30 first begins 1",
            "R1 29 second spends a step",
            "R1 29 second begins 1",
        ]
    );
}
