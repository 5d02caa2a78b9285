//! Combat Casting (TC-14).

use super::armory::play_fighters;
use super::stage::Played;
use skirmish::chance::Purpose::Other;

const DUMMY: &str = "dummy b 20 1 | health = 100 | pass";

/// Allows a caster that starts Set to use the skill without a Set action.
const IF_UNSET: &str = "rules.combat_casting_set=if-unset";

/// Plays a mage with the skill that counts as Set from the start. The check of one die gives (face - 2) / 3 Units.
fn skilled(options: &[&str], score: i32, more: &str, policy: &str, dice: &[u32]) -> Played {
    let all = [&[IF_UNSET][..], options].concat();
    skilled_by_rule(&all, score, more, policy, dice)
}

/// Plays the same mage with the rule's default: a Set action must come before the spell.
fn skilled_by_rule(options: &[&str], score: i32, more: &str, policy: &str, dice: &[u32]) -> Played {
    let keys = "combat_casting = { check = '1d10', target = 2, units_per = 3 }; \
                spells = ['bolt', 'fire']; weapons = ['sword', 'bow']; items = ['nut', 'pill']";
    play_fighters(
        options,
        &[
            &format!("mage a 0 {score} | {keys}; {more} | {policy}"),
            DUMMY,
        ],
        &[(0, Other, dice)],
    )
}

#[test]
fn tc_14_the_check_moves_one_unit_per_three_over_the_target_rounded_down() {
    for (face, units) in [(1, 0), (2, 0), (4, 0), (5, 1), (7, 1), (8, 2), (10, 2)] {
        let policy = "combat_cast retreat if mark = 12; cast bolt if not acted";
        let played = skilled(&[], 20, "evade_modifier = 0", policy, &[face]);
        assert_eq!(
            played.only(&["skill"]),
            [format!("R1 12 mage skill {face}: {units} units")]
        );
        let walk: Vec<_> = (1..=units).map(|unit| (12, -unit)).collect();
        assert_eq!(played.walk("mage"), walk);
        // The skill is free: the mage has all Marks that the spell leaves.
        assert_eq!(played.only(&["done"])[0], "R1 5 mage done, 5 left");
    }
}

#[test]
fn tc_14_a_set_must_come_before_the_spell_even_if_nothing_has_un_set_the_caster() {
    let policy = |set: &str| {
        format!("combat_cast retreat; {set}; cast bolt if not casting and mark > 20; pass")
    };
    let played = skilled_by_rule(&[], 30, "armor = 0", &policy("pass if false"), &[]);
    assert_eq!(
        played.only(&["sets", "casts", "skill"]),
        ["R1 30 mage casts bolt due 20+0R"]
    );
    // The mage counts as un-set for this rule alone, and the Mark of the start counts as between start and effect.
    let played = skilled_by_rule(&[], 30, "armor = 0", &policy("set"), &[10]);
    assert_eq!(
        played.only(&["sets", "casts", "skill"])[..3],
        [
            "R1 30 mage sets",
            "R1 25 mage casts bolt due 15+0R",
            "R1 25 mage skill 10: 2 units",
        ]
    );
    // With the option a combatant that starts Set needs no Set action, and cannot Set.
    let played = skilled(&[], 30, "armor = 0", &policy("set if mark > 16"), &[10]);
    assert_eq!(
        played.only(&["sets", "casts", "skill"]),
        [
            "R1 30 mage casts bolt due 20+0R",
            "R1 30 mage skill 10: 2 units",
        ]
    );
}

#[test]
fn tc_14_a_set_lasts_until_something_un_sets_the_caster_across_rounds_too() {
    let skills = |between: &str, dice: &[u32]| {
        let policy = format!(
            "combat_cast retreat; set if round = 1 and mark = 30; {between}; \
             cast bolt if round = 2 and not casting and mark = 30; pass"
        );
        let two = &["encounter.max_rounds=2"];
        let played = skilled_by_rule(two, 30, "armor = 0", &policy, dice);
        assert_eq!(played.only(&["sets"]).len(), 1);
        played.only(&["skill"]).len()
    };
    assert_eq!(skills("wait 2 if round = 1 and mark = 25", &[10]), 1);
    assert_eq!(skills("use pill if uses.pill > 28", &[10]), 1);
    assert_eq!(skills("use nut if uses.nut = 2", &[]), 0);
    assert_eq!(skills("retreat 1 if not moved and round = 1", &[]), 0);
}

#[test]
fn tc_14_the_use_is_spent_when_the_check_is_rolled_whether_or_not_it_gives_units() {
    let policy = "combat_cast retreat; set; cast bolt if not casting and mark > 20";
    let played = skilled_by_rule(&[], 30, "armor = 0", policy, &[2]);
    assert_eq!(played.only(&["skill"]), ["R1 25 mage skill 2: 0 units"]);
}

#[test]
fn tc_14_a_step_begun_and_found_unneeded_is_a_move_since_the_set() {
    let skill = |step: &str, dice: &[u32]| {
        let mage = format!(
            "mage a 0 20 | spells = ['spark']; \
             combat_casting = {{ check = '1d10', target = 2, units_per = 3 }} | \
             combat_cast retreat; {step}; cast spark if not casting and mark > 10"
        );
        let runner = "b b 7 21 | health = 100 | advance 2 if not acted";
        let played = play_fighters(&[IF_UNSET], &[&mage, runner], &[(0, Other, dice)]);
        (
            played.only(&["spends"]).len(),
            played.only(&["skill"]).len(),
        )
    };
    assert_eq!(skill("advance 1 to 5 if mark = 20", &[]), (1, 0));
    assert_eq!(skill("wait 1 if mark = 20", &[10]), (0, 1));
}

#[test]
fn tc_14_only_if_set_was_the_last_act_and_no_move_came_since() {
    let skill = |policy: &str| {
        let policy = format!("combat_cast retreat; {policy}; cast fire if not casting; pass");
        let dice = [10];
        for dice in [&dice[..], &[]] {
            let played =
                std::panic::catch_unwind(|| skilled(&[], 30, "evade_modifier = 0", &policy, dice));
            if let Ok(played) = played {
                assert_eq!(played.only(&["casts"]).len(), 1);
                return played.only(&["skill"]).len();
            }
        }
        panic!("{policy}");
    };
    // All combatants start Set.
    assert_eq!(skill("pass if false"), 1);
    assert_eq!(skill("use pill if uses.pill > 28"), 1);
    assert_eq!(skill("wait 3 if mark = 30"), 1);
    assert_eq!(skill("retreat 1 if not acted"), 0);
    assert_eq!(skill("retreat 1 if not acted; set"), 1);
    assert_eq!(skill("use nut if uses.nut = 2"), 0);
    assert_eq!(skill("use nut if uses.nut = 2; set"), 1);
    assert_eq!(
        skill("retreat 1 if not acted; set; retreat 1 if mark = 24"),
        1
    );
    assert_eq!(
        skill("retreat 1 if not acted; set if mark = 29; retreat 1 if mark = 24"),
        0
    );
}

#[test]
fn tc_14_once_a_spell_and_its_units_count_against_land_speed() {
    let policy = "combat_cast retreat; cast bolt if not casting and not acted; retreat";
    let played = skilled(&[], 20, "move = 3", policy, &[10]);
    assert_eq!(played.only(&["skill"]), ["R1 20 mage skill 10: 2 units"]);
    // One Unit is left for the walk at Mark 5.
    assert_eq!(played.walk("mage"), [(20, -1), (20, -2), (4, -3)]);
    let slow = skilled(&[], 20, "move = 1", policy, &[10]);
    assert_eq!(slow.walk("mage"), [(20, -1)]);
}

#[test]
fn tc_14_the_next_spell_needs_another_set() {
    let policy = "combat_cast retreat; cast bolt";
    let played = skilled(&[], 30, "move = 9", policy, &[10]);
    assert_eq!(played.only(&["casts"]).len(), 2);
    assert_eq!(played.only(&["skill"]).len(), 1);
}

#[test]
fn tc_14_between_start_and_effect_in_the_next_round_too_but_not_after() {
    let two = &["encounter.max_rounds=2"];
    let policy = |when: &str| format!("combat_cast retreat if {when}; cast fire if round = 1");
    let played = skilled(two, 15, "move = 9", &policy("round = 2"), &[10]);
    assert_eq!(played.only(&["skill"]), ["R2 30 mage skill 10: 2 units"]);
    let late = skilled(two, 15, "move = 9", &policy("round = 2 and mark < 25"), &[]);
    assert!(late.only(&["skill"]).is_empty());
}

#[test]
fn tc_14_towards_a_target_it_stops_on_its_unit_or_at_ones_reach() {
    let units = |weapons: &str, distance: i32| {
        let mage = format!(
            "mage a 0 20 | spells = ['bolt']; {weapons}; move = 3; \
             combat_casting = {{ check = '1d10', target = 2, units_per = 1 }} | \
             combat_cast advance; cast bolt if not acted; retreat"
        );
        let target = format!("x b {distance} 1 | health = 100 | pass");
        let played = play_fighters(&[IF_UNSET], &[&mage, &target], &[(0, Other, &[10])]);
        let walk = played.walk("mage");
        // The rest of the Land Speed is walked at Mark 5.
        assert_eq!(walk.len(), 3);
        walk.iter().filter(|step| step.0 == 20).count()
    };
    assert_eq!(units("weapons = []", 1), 1);
    assert_eq!(units("weapons = ['sword']", 1), 1);
    assert_eq!(units("weapons = ['spear']", 3), 1);
    assert_eq!(units("weapons = []", 9), 3);
}

/// W-5: tied combatants choose in one state whether they move while casting, before any of them moves.
#[test]
fn tc_14_in_a_tie_the_file_order_decides_nothing() {
    let keys = "spells = ['bolt']; combat_casting = { check = '5', target = 2, units_per = 3 }";
    let mage = |name: &str, side: &str, at: i32| {
        format!("{name} {side} {at} 20 | {keys} | combat_cast retreat; cast bolt if not acted")
    };
    let (x, y) = (mage("x", "a", 12), mage("y", "b", 9));
    let behind = "behind a 6 1 | health = 100 | pass";
    for fighters in [[&*x, &*y, behind], [&*y, &*x, behind]] {
        let played = play_fighters(&[IF_UNSET], &fighters, &[]);
        // Both enemies of y are as far away: it retreats from the first in the file, as long as that one is there.
        assert_eq!(played.walk("x"), [(20, 13)]);
        assert_eq!(played.walk("y"), [(20, 8)]);
    }
    // So it is with a step that is due at the same Mark: the guard is as near as the walker before it.
    let walker = "walker b 5 20 | move = 9 | wait 3 if mark = 20; advance 3; pass";
    let mage = format!(
        "mage a 9 20 | {keys} | combat_cast retreat if mark < 15; cast bolt if not acted; pass"
    );
    let guard = "guard b 11 1 | health = 100 | pass";
    for fighters in [[guard, &*mage, walker], [guard, walker, &*mage]] {
        let played = play_fighters(&[IF_UNSET], &fighters, &[]);
        assert_eq!(played.walk("mage"), [(14, 8)]);
    }
}
