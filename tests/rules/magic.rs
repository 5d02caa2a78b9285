//! Casting (TC-12) and fizzling (TC-13).

use super::armory::play_fighters;
use super::stage::Played;
use skirmish::chance::Purpose::{Check, Initiative, Other};

const DUMMY: &str = "dummy b 20 1 | health = 100 | pass";

/// Plays a caster at 0 with this Score and policy against [`DUMMY`] for `rounds` Rounds.
fn mage(rounds: u32, score: i32, policy: &str) -> Played {
    let spells = "['spark', 'bolt', 'fire', 'storm', 'doom', 'beam']";
    let keys = format!("spells = {spells}; items = ['nut', 'pill', 'scroll']");
    play_fighters(
        &[&format!("encounter.max_rounds={rounds}")],
        &[&format!("mage a 0 {score} | {keys} | {policy}"), DUMMY],
        &[],
    )
}

#[test]
fn tc_12_a_spell_goes_off_after_its_casting_time_and_the_caster_is_free_after_15_marks_at_least() {
    for (spell, score, due, free) in [
        ("spark", 20, 15, 5),
        ("bolt", 20, 10, 5),
        ("fire", 28, 8, 8),
    ] {
        let played = mage(1, score, &format!("cast {spell}; use nut"));
        assert_eq!(
            played.only(&["casts", "goes off", "uses"]),
            [
                format!("R1 {score} mage casts {spell} due {due}+0R"),
                format!("R1 {due} mage {spell} goes off at dummy"),
                format!("R1 {free} mage uses nut +0"),
            ]
        );
    }
}

#[test]
fn tc_12_past_mark_0_the_spell_and_the_marks_carry_over() {
    let played = mage(2, 15, "cast fire if round = 1");
    assert_eq!(
        played.lines_of("mage"),
        [
            "R1 30 mage score 15",
            "R1 15 mage casts fire due 25+1R",
            "R2 30 mage score 10",
            "R2 25 mage fire goes off at dummy",
            "R2 10 mage done, 10 left",
        ]
    );
    // The spell goes off in time, but its 15 Marks overrun.
    let played = mage(2, 12, "cast bolt if round = 1");
    assert_eq!(
        played.only(&["mage score", "goes off"]),
        [
            "R1 30 mage score 12",
            "R1 2 mage bolt goes off at dummy",
            "R2 30 mage score 9",
        ]
    );
    // With a Score below 1 the mage cannot act, but the spell goes off.
    let played = mage(2, 5, "cast bolt");
    assert_eq!(
        played.lines_of("mage")[1..],
        [
            "R1 5 mage casts bolt due 25+1R",
            "R2 30 mage score -5",
            "R2 25 mage bolt goes off at dummy",
        ]
    );
}

#[test]
fn tc_12_exactly_mark_0_is_still_this_round() {
    let played = mage(2, 20, "cast fire if round = 1; pass");
    assert_eq!(
        played.lines_of("mage")[1..],
        [
            "R1 20 mage casts fire due 0+0R",
            "R1 0 mage fire goes off at dummy",
            "R2 30 mage score 20",
            "R2 20 mage done, 20 left",
        ]
    );
}

#[test]
fn tc_12_whole_rounds_are_skipped_while_30_or_more_marks_are_owed() {
    // Exactly 30 Marks are owed, so the spell goes off at Mark 0 of the next Round.
    let played = mage(3, 20, "cast storm if round = 1");
    assert_eq!(
        played.lines_of("mage")[1..],
        [
            "R1 20 mage casts storm due 0+1R",
            "R2 30 mage skips, owing 30",
            "R2 0 mage storm goes off at dummy",
            "R3 30 mage score 20",
            "R3 20 mage done, 20 left",
        ]
    );
    // More than one Round: 55 Marks are owed.
    let played = mage(4, 25, "cast doom if round = 1");
    assert_eq!(
        played.lines_of("mage")[1..],
        [
            "R1 25 mage casts doom due 5+2R",
            "R2 30 mage skips, owing 55",
            "R3 30 mage score 0",
            "R3 5 mage doom goes off at dummy",
            "R4 30 mage score 25",
            "R4 25 mage done, 25 left",
        ]
    );
}

#[test]
fn tc_12_a_skipped_round_has_no_roll() {
    let played = play_fighters(
        &["rules.initiative.mode=rolled", "encounter.max_rounds=3"],
        &[
            "mage a 0 15 | spells = ['storm'] | cast storm if round = 1",
            DUMMY,
        ],
        // Score 20 in Round 1, 30 Marks owed in Round 2.
        &[(0, Initiative, &[5, 7]), (1, Initiative, &[1, 1, 1])],
    );
    assert_eq!(
        played.only(&["mage score", "skips"]),
        [
            "R1 30 mage score 20",
            "R2 30 mage skips, owing 30",
            "R3 30 mage score 22",
        ]
    );
}

#[test]
fn tc_12_as_an_option_only_casting_carries_over() {
    let a = "a a 0 8 | weapons = ['sword']; items = ['scroll'] | \
             attack if round = 1; use scroll if round = 2; advance";
    let b = "b b 0 1 | health = 100 | pass";
    let options = &["encounter.max_rounds=3", "rules.carry_over=casting"];
    let played = play_fighters(options, &[a, b], &[(0, Check, &[1])]);
    assert_eq!(
        played.only(&["a score", "begins", "uses"]),
        [
            "R1 30 a score 8",
            "R1 8 a begins 1",
            "R2 30 a score 8",
            "R2 8 a uses scroll +0",
            "R3 30 a score 8",
        ]
    );
}

#[test]
fn tc_12_casting_after_anything_else_needs_15_marks_left_not_the_casting_time() {
    let policy = "use nut if uses.nut = 2; cast fire";
    let played = mage(1, 20, policy);
    assert_eq!(played.only(&["casts"]), ["R1 15 mage casts fire due 25+1R"]);
    assert!(mage(1, 19, policy).only(&["casts"]).is_empty());
}

#[test]
fn tc_12_several_spells_a_round_are_allowed() {
    assert_eq!(
        mage(1, 30, "cast bolt").only(&["casts"]),
        [
            "R1 30 mage casts bolt due 20+0R",
            "R1 15 mage casts bolt due 5+0R",
        ]
    );
}

#[test]
fn tc_12_a_carried_over_spell_is_not_an_action_of_the_new_round() {
    // 10 Marks are left of the Score of Round 2, and the Full Action is its first action.
    let played = mage(2, 15, "cast fire if round = 1; use scroll");
    assert_eq!(played.only(&["uses"]), ["R2 10 mage uses scroll +0"]);
}

#[test]
fn tc_12_range_is_checked_at_the_start() {
    let caster = "mage a 0 20 | spells = ['bolt'] | cast bolt";
    for (distance, casts) in [(30, 1), (31, 0)] {
        let target = format!("x b {distance} 1 | | pass");
        let played = play_fighters(&[], &[caster, &target], &[]);
        assert_eq!(played.only(&["casts"]).len(), casts);
    }
}

#[test]
fn tc_12_and_again_when_it_goes_off_another_target_or_wasted() {
    let caster = "mage a 0 20 | spells = ['bolt'] | cast bolt";
    let leaver = "x b 30 15 | | retreat 1 if not acted";
    let wasted = play_fighters(&[], &[caster, leaver], &[]);
    assert_eq!(
        wasted.only(&["goes off", "wasted"]),
        ["R1 10 mage bolt wasted"]
    );
    let other = play_fighters(&[], &[caster, leaver, "y b -30 1 | | pass"], &[]);
    assert_eq!(other.only(&["goes off"]), ["R1 10 mage bolt goes off at y"]);
    // The same happens if the target has fallen.
    let fallen = play_fighters(
        &["weapons.bow.attacks=1"],
        &[
            "mage a 0 20 | spells = ['bolt'] | cast bolt weakest",
            "friend a 0 15 | weapons = ['bow'] | attack x",
            "x b 10 1 | health = 3 | pass",
            "y b 10 1 | health = 9 | pass",
            "z b 10 1 | health = 8 | pass",
        ],
        &[(1, Check, &[10])],
    );
    assert_eq!(
        fallen.only(&["goes off"]),
        ["R1 10 mage bolt goes off at z"]
    );
}

#[test]
fn tc_12_a_spell_always_hits_unless_it_gives_attack_dice_and_armour_counts() {
    let health = |spell: &str, keys: &str, dice: &[u32]| {
        let caster = format!("mage a 0 20 | spells = ['{spell}'] | cast {spell}");
        let target = format!("x b 5 1 | {keys} | pass");
        let played = play_fighters(&[], &[&caster, &target], &[(0, Check, dice)]);
        assert_eq!(played.record.combatants[0].attacks, 0);
        played.record.combatants[1].health
    };
    assert_eq!(health("bolt", "", &[]), 8);
    assert_eq!(health("bolt", "armor = 1", &[]), 9);
    assert_eq!(health("ray", "", &[6]), 8);
    assert_eq!(health("ray", "", &[5]), 10);
}

/// A mage of Score 20 casts fire, due at Mark 0, at an archer that hits it three times from Mark 18; `other` are the
/// fizzle dice.
fn disturbed(option: &str, keys: &str, other: &[u32]) -> Played {
    play_fighters(
        &[option],
        &[
            &format!("mage a 0 20 | spells = ['fire']; {keys} | cast fire"),
            "archer b 20 18 | weapons = ['bow']; health = 100 | attack",
        ],
        &[(0, Other, other), (1, Check, &[10, 10, 10])],
    )
}

#[test]
fn tc_13_a_hit_that_does_damage_fizzles_the_spell() {
    let played = disturbed("rules.fizzle_chance=1", "armor = 0", &[]);
    assert_eq!(
        played.only(&["fizzles", "concentrates", "goes off"]),
        ["R1 18 mage fire fizzles"]
    );
    assert_eq!(played.record.combatants[0].spells_fizzled, 1);
    // A hit without damage does not fizzle the spell.
    let played = disturbed("rules.fizzle_chance=1", "armor = 3", &[]);
    assert_eq!(
        played.only(&["fizzles", "concentrates", "goes off"]),
        ["R1 0 mage fire goes off at archer"]
    );
}

#[test]
fn tc_13_as_an_option_it_never_fizzles_or_each_hit_may() {
    let played = disturbed("rules.fizzle_chance=0", "armor = 0", &[]);
    assert_eq!(
        played.only(&["fizzles", "goes off"]),
        ["R1 0 mage fire goes off at archer"]
    );
    // Each hit rolls once; a 1 fizzles the spell.
    let played = disturbed("rules.fizzle_chance=0.5", "armor = 0", &[2, 1]);
    assert_eq!(
        played.only(&["fizzles", "concentrates", "goes off"]),
        ["R1 18 mage concentrates", "R1 13 mage fire fizzles"]
    );
    let played = disturbed("rules.fizzle_chance=0.5", "armor = 0", &[2, 2, 2]);
    assert_eq!(played.only(&["fizzles"]).len(), 0);
}

#[test]
fn tc_13_the_marks_of_a_fizzled_spell_stay_spent() {
    let played = play_fighters(
        &["encounter.max_rounds=2"],
        &[
            "mage a 0 15 | spells = ['fire'] | cast fire if round = 1; pass",
            "archer b 20 14 | weapons = ['bow'] | attack if round = 1",
        ],
        &[(1, Check, &[10, 1, 1])],
    );
    assert_eq!(
        played.only(&["mage score", "fizzles"]),
        [
            "R1 30 mage score 15",
            "R1 14 mage fire fizzles",
            "R2 30 mage score 10",
        ]
    );
}

/// The caster's bolt is due at Mark 10, at which an archer shoots after it has waited for 10 Marks.
fn at_the_mark_of_the_effect(caster: &str, archer: &str) -> Vec<String> {
    let attributes =
        |intellect: &str| format!("attributes = {{ agility = 20, intellect = {intellect} }}");
    let played = play_fighters(
        &["weapons.bow.attacks=1"],
        &[
            &format!(
                "mage a 0 20 | spells = ['bolt']; {} | cast bolt; pass",
                attributes(caster)
            ),
            &format!(
                "archer b 20 20 | weapons = ['bow']; {} | wait 10 if mark = 20; attack",
                attributes(archer)
            ),
        ],
        &[(1, Check, &[10])],
    );
    let lines = played.only(&["fizzles", "goes off", "attacks"]);
    lines.into_iter().map(str::to_owned).collect()
}

#[test]
fn tc_13_at_the_mark_of_the_effect_the_higher_characteristic_comes_first() {
    assert_eq!(
        at_the_mark_of_the_effect("19", "20"),
        ["R1 10 archer attacks mage hit", "R1 10 mage bolt fizzles"]
    );
    assert_eq!(
        at_the_mark_of_the_effect("20", "19"),
        [
            "R1 10 mage bolt goes off at archer",
            "R1 10 archer attacks mage hit",
        ]
    );
}

#[test]
fn tc_13_hits_by_one_tied_at_the_very_instant_do_not_count() {
    let mut tied = at_the_mark_of_the_effect("20", "20");
    tied.sort();
    assert_eq!(
        tied,
        [
            "R1 10 archer attacks mage hit",
            "R1 10 mage bolt goes off at archer",
        ]
    );
}

#[test]
fn tc_13_who_falls_loses_the_spell() {
    let played = play_fighters(
        &["rules.fizzle_chance=0", "encounter.max_rounds=2"],
        &[
            "mage a 0 20 | spells = ['fire']; health = 3 | cast fire",
            "friend a 0 1 | | pass",
            "archer b 20 18 | weapons = ['bow'] | attack mage",
        ],
        &[(2, Check, &[10, 1, 1, 1, 1, 1])],
    );
    assert!(played.only(&["goes off", "wasted"]).is_empty());
}

#[test]
fn tc_13_a_spell_can_fizzle_another() {
    let played = play_fighters(
        &[],
        &[
            "mage a 0 20 | spells = ['fire'] | cast fire",
            "other b 20 19 | spells = ['bolt'] | cast bolt",
        ],
        &[],
    );
    assert_eq!(
        played.only(&["goes off", "fizzles"]),
        ["R1 9 other bolt goes off at mage", "R1 9 mage fire fizzles"]
    );
}

#[test]
fn tc_13_a_spell_may_fizzle_in_the_round_into_which_it_was_carried_over() {
    let played = play_fighters(
        &["encounter.max_rounds=2", "weapons.bow.attacks=1"],
        &[
            "mage a 0 15 | spells = ['fire'] | cast fire if round = 1; pass",
            "archer b 20 26 | weapons = ['bow'] | attack if round = 2",
        ],
        &[(1, Check, &[10])],
    );
    assert_eq!(played.only(&["fizzles"]), ["R2 26 mage fire fizzles"]);
}
