//! Shooting and throwing (TC-10), Desperate Shots (TC-11), shooting without a Set (TC-19).

use super::armory::play_fighters;
use super::stage::Played;
use skirmish::chance::Purpose::Check;

const DUMMY: &str = "dummy b 8 1 | health = 100 | pass";

/// Plays `who` against [`DUMMY`], which stands at 8; each of `rolls` attacks misses.
fn misses(options: &[&str], who: &str, rolls: usize) -> Played {
    let faces = vec![1; rolls];
    play_fighters(options, &[who, DUMMY], &[(0, Check, &faces)])
}

#[test]
fn tc_10_everybody_starts_set() {
    let a = "a a 0 20 | weapons = ['bow'] | set; attack";
    assert_eq!(misses(&[], a, 3).deeds()[0], "R1 20 a begins 3");
}

#[test]
fn tc_10_any_move_unsets_the_shooter_across_rounds() {
    let two = &["encounter.max_rounds=2"];
    let moved = "retreat 1 if round = 1 and not moved";
    let a = format!("a a 0 20 | weapons = ['bow'] | {moved}; attack if round = 2");
    assert!(misses(two, &a, 0).only(&["begins"]).is_empty());
    let a =
        format!("a a 0 20 | weapons = ['bow'] | {moved}; set if round = 2; attack if round = 2");
    // The Set is another act of this Round: a single shot.
    assert_eq!(
        misses(two, &a, 1).only(&["sets", "begins"]),
        ["R2 20 a sets", "R2 15 a begins 1"]
    );
    // It was Set in the Round before: a full volley.
    let a = format!("a a 0 20 | weapons = ['bow'] | {moved}; set; attack if round = 2");
    assert_eq!(
        misses(two, &a, 3).only(&["sets", "begins"]),
        ["R1 19 a sets", "R2 20 a begins 3"]
    );
}

/// Returns whether a combatant that does `deed` in Round 1 may shoot without a Set in Round 2.
fn still_set(options: &[&str], keys: &str, deed: &str, first: &[u32]) -> bool {
    let set = |rolls: usize| {
        let mut faces = first.to_vec();
        faces.extend(vec![1; rolls]);
        let mut all = vec!["encounter.max_rounds=2"];
        all.extend(options);
        let a = format!(
            "a a 0 20 | weapons = ['bow', 'sword', 'blades']; {keys} | \
             {deed}; pass if round = 1; attack with bow; pass"
        );
        play_fighters(
            &all,
            &[&a, DUMMY, "y b 0 1 | health = 100 | pass"],
            &[(0, Check, &faces)],
        )
    };
    // If there is no full volley, its dice are left over.
    let volley = std::panic::catch_unwind(|| set(3).only(&["R2 20 a begins 3"]).len());
    let nothing = std::panic::catch_unwind(|| set(0).only(&["R2 20 a begins"]).len());
    match (volley, nothing) {
        (Ok(1), Err(_)) => true,
        (Err(_), Ok(0)) => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn tc_10_any_action_that_is_not_free_unsets_too_but_a_shot() {
    let items = "items = ['pill', 'nut', 'draught', 'scroll']";
    let sits = |keys: &str, deed: &str| still_set(&[], keys, deed, &[]);
    assert!(!sits(items, "use nut if round = 1"));
    assert!(!sits(items, "use draught if round = 1"));
    assert!(!sits(items, "use scroll if round = 1"));
    assert!(!sits("undrawn = ['sword']", "draw sword"));
    assert!(!sits("", "sheathe sword if round = 1"));
    assert!(!sits("prone = true", "stand"));
    assert!(!sits("spells = ['bolt']", "cast bolt if round = 1"));
    assert!(!sits("spells = ['beam']", "channel beam if round = 1"));
    // Free actions, waiting and shooting do not un-set.
    assert!(sits(items, "use pill if round = 1 and uses.pill > 28"));
    assert!(sits(items, "wait 5 if round = 1"));
    let shot = "attack with bow if round = 1";
    assert!(still_set(&[], "", shot, &[1, 1, 1]));
}

#[test]
fn tc_10_a_melee_attack_unsets_unless_an_option_says_not() {
    let deed = "attack with sword if round = 1";
    assert!(!still_set(&["rules.melee_unsets=true"], "", deed, &[1]));
    assert!(still_set(&["rules.melee_unsets=false"], "", deed, &[1]));
}

#[test]
fn tc_10_a_full_volley_only_after_nothing_else_this_round() {
    let shots = |weapon: &str, policy: &str, rolls: usize| {
        let keys = format!("weapons = ['{weapon}']; items = ['pill', 'nut']");
        let a = format!("a a 0 30 | {keys} | {policy}; set; attack");
        misses(&[], &a, rolls).only(&["begins"]).join(",")
    };
    assert_eq!(shots("bow", "wait 3 if mark = 30", 3), "R1 27 a begins 3");
    assert_eq!(
        shots("bow", "use pill if uses.pill = 30", 3),
        "R1 30 a begins 3"
    );
    // The item un-sets, so it must Set before the shot.
    assert_eq!(
        shots("bow", "use nut if uses.nut = 2", 1),
        "R1 20 a begins 1"
    );
    assert_eq!(
        shots("bow", "retreat 2 if not acted", 1),
        "R1 23 a begins 1"
    );
    // Thrown weapons need no Set, but the limit on attacks stays.
    assert_eq!(
        shots("knives", "wait 3 if mark = 30", 2),
        "R1 27 a begins 2"
    );
    assert_eq!(
        shots("knives", "use nut if uses.nut = 2", 1),
        "R1 25 a begins 1"
    );
    assert_eq!(
        shots("knives", "retreat 2 if not acted", 1),
        "R1 28 a begins 1"
    );
}

/// Plays a shooter of Score 20 that begins a step towards an enemy 7 Units away; the enemy has come to 5 when the step
/// is due.
fn unneeded_step(keys: &str, policy: &str, rolls: usize) -> Played {
    let faces = vec![1; rolls];
    let a = format!("a a 0 20 | {keys} | advance 1 to 5 if mark = 20; {policy}");
    let runner = "b b 7 21 | health = 100 | advance 2 if not acted";
    play_fighters(&[], &[&a, runner], &[(0, Check, &faces)])
}

#[test]
fn tc_10_a_step_begun_and_found_unneeded_is_a_move_and_spoils_the_full_volley() {
    // After the Set only a single shot would be possible, for which 14 Marks are too few.
    let bow = unneeded_step("weapons = ['bow']", "attack; set", 0);
    assert_eq!(
        bow.only(&["a spends", "a sets", "a begins"]),
        ["R1 19 a spends a step", "R1 19 a sets"]
    );
    let bow = unneeded_step("weapons = ['bow']", "desperate", 1);
    assert_eq!(
        bow.only(&["a spends", "a begins"]),
        ["R1 19 a spends a step", "R1 19 a begins 1"]
    );
    let knives = unneeded_step("weapons = ['knives']", "attack", 1);
    assert_eq!(knives.only(&["a begins"]), ["R1 19 a begins 1"]);
    let assault = "weapons = ['bow']; abilities = ['firing_assault']";
    let assault = unneeded_step(assault, "attack", 1);
    assert_eq!(assault.only(&["a begins"]), ["R1 19 a begins 1"]);
}

#[test]
fn tc_5_a_step_begun_and_found_unneeded_is_a_move_that_conditions_see() {
    let items = "weapons = ['bow']; items = ['pill']";
    let played = unneeded_step(items, "use pill if moved and acted and uses.pill > 29", 0);
    assert_eq!(played.only(&["uses"]), ["R1 19 a uses pill +0"]);
}

#[test]
fn tc_10_a_second_volley_after_a_volley_is_full() {
    let a = "a a 0 30 | weapons = ['bow'] | attack";
    assert_eq!(
        misses(&["rules.attack_actions=any"], a, 6).only(&["begins"]),
        ["R1 30 a begins 3", "R1 15 a begins 3"]
    );
}

#[test]
fn tc_10_one_set_serves_melee_and_shooting_and_is_legal_only_when_something_is_un_set() {
    let a = |last: &str| {
        format!("a a 7 30 | weapons = ['bow', 'sword'] | advance 1 if not acted; set; {last}")
    };
    for weapon in ["bow", "sword"] {
        let played = misses(&[], &a(&format!("attack with {weapon}")), 1);
        assert_eq!(
            played.only(&["sets", "begins"])[..2],
            ["R1 29 a sets", "R1 24 a begins 1"]
        );
    }
    // A combatant that is Set cannot Set again.
    assert_eq!(misses(&[], &a("pass"), 0).only(&["sets"]).len(), 1);
}

/// Plays a shot with the crossbow (2d10 + 10, mastery 4) at a target with Evade 27, after some policy lines.
fn bolt(options: &[&str], score: i32, policy: &str, dice: &[u32]) -> Vec<String> {
    let played = play_fighters(
        options,
        &[
            &format!("a a 0 {score} | weapons = ['crossbow'] | {policy}"),
            "x b 8 1 | evade = 27; health = 100 | pass",
        ],
        &[(0, Check, dice)],
    );
    let lines = played.only(&["attacks", "desperately", "sets"]);
    lines.into_iter().map(str::to_owned).collect()
}

#[test]
fn tc_11_a_desperate_shot_is_legal_where_a_plain_shot_would_need_a_set() {
    let none: &[&str] = &[];
    assert_eq!(bolt(&[], 20, "desperate", &[]), none);
    assert_eq!(
        bolt(
            &[],
            20,
            "retreat 1 if not acted; attack; desperate",
            &[9, 9]
        ),
        ["R1 19 a shoots desperately at x hit"]
    );
    assert_eq!(
        bolt(&[], 30, "retreat 1 if not acted; set; desperate", &[]),
        ["R1 29 a sets"]
    );
    // Thrown weapons have no Desperate Shot.
    let thrower = "a a 0 20 | weapons = ['knives', 'bow'] | retreat 1 if not acted; desperate";
    let played = misses(&[], thrower, 1);
    assert_eq!(played.only(&["desperately"]).len(), 1);
}

#[test]
fn tc_11_it_is_without_mastery_and_a_natural_5_on_either_die_misses() {
    let policy = "retreat 1 if not acted; desperate";
    let shot = |dice: &[u32]| bolt(&[], 20, policy, dice)[0].ends_with("hit");
    // 26 misses 27; with mastery it would be 30.
    assert!(!shot(&[8, 8]));
    assert!(shot(&[8, 9]));
    let easy = |dice: &[u32]| {
        let played = play_fighters(
            &[],
            &[
                &format!("a a 0 20 | weapons = ['crossbow'] | {policy}"),
                DUMMY,
            ],
            &[(0, Check, dice)],
        );
        played.record.combatants[0].hits == 1
    };
    assert!(!easy(&[5, 10]));
    assert!(!easy(&[10, 5]));
    assert!(!easy(&[1, 10]));
    assert!(easy(&[6, 6]));
}

#[test]
fn tc_11_a_plain_shot_does_not_miss_on_a_natural_5() {
    let played = play_fighters(
        &[],
        &["a a 0 20 | weapons = ['crossbow'] | attack", DUMMY],
        &[(0, Check, &[5, 1])],
    );
    assert_eq!(played.record.combatants[0].hits, 1);
}

#[test]
fn tc_11_it_is_a_single_shot_and_afterwards_the_shooter_counts_as_set() {
    let a = "a a 0 20 | weapons = ['bow'] | \
             retreat 1 if not acted and round = 1; attack if round = 2; desperate if round = 1";
    let played = misses(&["encounter.max_rounds=2"], a, 4);
    assert_eq!(
        played.only(&["begins"]),
        ["R1 19 a begins 1", "R2 20 a begins 3"]
    );
}

#[test]
fn tc_11_a_movers_next_shot_in_the_round_is_without_mastery_even_once_set() {
    let policy = "retreat 1 if not acted; set; attack";
    assert_eq!(
        bolt(&[], 30, policy, &[8, 8]),
        ["R1 29 a sets", "R1 24 a attacks x miss"]
    );
    // The same roll hits for a combatant that has not moved.
    assert_eq!(bolt(&[], 30, "attack", &[8, 8]), ["R1 30 a attacks x hit"]);
    // Only the next shot loses mastery; the one after it has it again.
    let any = &[
        "rules.attack_actions=any",
        "weapons.crossbow.attack_offsets=[0]",
    ];
    let policy = "retreat 1 if not acted and round = 1; desperate; attack";
    assert_eq!(
        bolt(any, 30, policy, &[8, 8]),
        ["R1 29 a shoots desperately at x miss"]
    );
    let both_rounds = &["encounter.max_rounds=2"];
    assert_eq!(
        bolt(both_rounds, 30, policy, &[8, 8, 8, 8])[1..],
        ["R2 30 a attacks x hit"]
    );
}

#[test]
fn tc_11_as_an_option_a_move_spoils_the_next_shot_in_a_later_round_too() {
    let begins = |option: &str, rolls: usize| {
        let a = "a a 0 20 | weapons = ['bow'] | \
                 retreat 1 if not acted and round = 1; set; attack if round > 1";
        let played = misses(&[option, "encounter.max_rounds=3"], a, rolls);
        played.only(&["begins"]).join(", ")
    };
    assert_eq!(
        begins("rules.mover_shot=round", 6),
        "R2 20 a begins 3, R3 20 a begins 3"
    );
    assert_eq!(
        begins("rules.mover_shot=always", 4),
        "R2 20 a begins 1, R3 20 a begins 3"
    );
    let policy = "retreat 1 if not acted and round = 1; set; attack if round = 2";
    for (option, outcome) in [("round", "hit"), ("always", "miss")] {
        let option = format!("rules.mover_shot={option}");
        let options = &[option.as_str(), "encounter.max_rounds=2"];
        assert_eq!(
            bolt(options, 20, policy, &[8, 8])[1..],
            [format!("R2 20 a attacks x {outcome}")]
        );
    }
}

#[test]
fn tc_19_firing_assault_and_stand_and_fire_need_no_set() {
    for ability in ["firing_assault", "stand_and_fire"] {
        let a = format!(
            "a a 0 20 | weapons = ['bow']; abilities = ['{ability}'] | \
             retreat 1 if not acted; desperate; set; attack"
        );
        // The limit on the volley stays.
        let played = misses(&[], &a, 1);
        assert_eq!(
            played.only(&["sets", "begins", "attacks"]),
            ["R1 19 a begins 1", "R1 19 a attacks dummy miss"]
        );
    }
}
