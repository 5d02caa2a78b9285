//! Free actions at any time (W-8).

use super::armory::{errors_of, play_fighters};
use crate::support::fights::errors;
use skirmish::chance::Purpose::{Check, Other};

/// Attacks three times, at Marks 20, 15 and 10 (all at 20 in a Simple Round), with 3 points of damage each.
const STRIKER: &str = "striker a 0 20 | weapons = ['blades'] | attack";

#[test]
fn w_8_a_potion_saves_between_two_attacks_of_a_volley() {
    let victim = |line: &str| format!("victim b 0 9 | health = 5; items = ['pill'] | {line}; pass");
    let plain = play_fighters(
        &[],
        &[STRIKER, &victim("use pill if hp <= 2")],
        &[(0, Check, &[6, 6])],
    );
    assert_eq!(plain.only(&["falls"]), ["R1 15 victim falls"]);
    for (option, second, third) in [("full", 15, 10), ("simple", 20, 20)] {
        let round = format!("rules.round={option}");
        let saved = play_fighters(
            &[&round],
            &[STRIKER, &victim("anytime use pill if hp <= 2")],
            &[(0, Check, &[6, 6, 6])],
        );
        assert_eq!(
            saved.only(&["uses", "falls"]),
            [
                "R1 20 victim uses pill +2".to_owned(),
                format!("R1 {second} victim uses pill +2"),
                format!("R1 {third} victim falls"),
            ]
        );
    }
}

#[test]
fn w_8_it_is_asked_before_the_score_after_a_pass_and_without_marks() {
    // One combatant has passed at Mark 25, and the other has a Score of 0.
    let hasty = "hasty b 0 25 | items = ['pill'] | anytime use pill if hp < 10; pass";
    let late =
        "late c 0 0 | items = ['pill'] | anytime use pill if mark = 15 and uses.pill = 30; pass";
    let played = play_fighters(&[], &[STRIKER, hasty, late], &[(0, Check, &[6, 1, 1])]);
    assert_eq!(played.only(&["late uses"]), ["R1 15 late uses pill +0"]);
    let used = played.only(&["hasty uses"]);
    assert_eq!(
        used,
        ["R1 20 hasty uses pill +2", "R1 20 hasty uses pill +1"]
    );
}

#[test]
fn w_8_a_mark_that_passes_is_an_event_and_those_who_stand_are_asked_in_order() {
    let low = "low a 0 5 | items = ['pill'] | anytime use pill if mark = 12; pass";
    let high = "high b 20 8 | items = ['pill'] | anytime use pill if mark = 12; pass";
    let played = play_fighters(&[], &[low, high], &[]);
    let mut expected = vec!["R1 12 high uses pill +0"; 16];
    expected.extend(["R1 12 low uses pill +0"; 16]);
    assert_eq!(played.only(&["uses"]), expected);
}

#[test]
fn w_8_w_7_bounds_free_actions_at_one_instant() {
    let one = "one a 0 5 | items = ['pill'] | anytime use pill; pass";
    let other = "other b 20 8 | | pass";
    let played = play_fighters(&[], &[one, other], &[]);
    let at = |mark: &str| played.only(&[&format!("R1 {mark} one uses")]).len();
    assert_eq!((at("30"), at("8")), (16, 14));
}

#[test]
fn w_8_not_at_mark_0() {
    // The spell goes off at Mark 0, and no action begins there (TC-1).
    let mage = "mage a 0 20 | spells = ['fire'] | cast fire";
    let victim = "victim b 9 5 | items = ['pill'] | anytime use pill if hp < 10; pass";
    let played = play_fighters(&["encounter.max_rounds=2"], &[mage, victim], &[]);
    let used = played.only(&["uses"]);
    assert_eq!(used, ["R2 30 victim uses pill +2"]);
}

#[test]
fn w_8_never_while_channelling_but_after_breaking_it() {
    let monk = |until: &str| {
        format!(
            "monk b 0 25 | spells = ['beam']; items = ['pill'] | \
             anytime use pill if hp < 10; channel beam{until}"
        )
    };
    let dice: &[u32] = &[6, 1, 1];
    let through = play_fighters(&[], &[STRIKER, &monk("")], &[(0, Check, dice)]);
    assert!(through.only(&["uses"]).is_empty());
    let broken = play_fighters(&[], &[STRIKER, &monk(" until hp < 9")], &[(0, Check, dice)]);
    assert_eq!(
        broken.only(&["uses"]),
        ["R1 19 monk uses pill +2", "R1 19 monk uses pill +1"]
    );
}

#[test]
fn w_8_who_casts_may_take_a_free_action() {
    let mage =
        "mage b 0 25 | spells = ['fire']; items = ['pill'] | anytime use pill if hp < 9; cast fire";
    let played = play_fighters(
        &["rules.fizzle_chance=0"],
        &[STRIKER, mage],
        &[(0, Check, &[6, 1, 1])],
    );
    assert_eq!(
        played
            .only(&["uses", "fire takes effect", "effect"])
            .first(),
        Some(&"R1 20 mage uses pill +2")
    );
}

#[test]
fn w_8_tied_combatants_are_asked_when_all_of_them_have_acted() {
    let twin = |name: &str, side: &str, health: i32| {
        format!(
            "{name} {side} 0 20 | health = {health}; weapons = ['sword']; items = ['pill'] | \
             anytime use pill if hp < {health}; attack"
        )
    };
    // The damage counts before the `anytime` lines are asked, and a fallen combatant is not asked.
    let played = play_fighters(
        &[],
        &[&twin("left", "a", 3), &twin("right", "b", 5)],
        &[(0, Check, &[6]), (1, Check, &[6])],
    );
    assert_eq!(played.only(&["falls"]), ["R1 20 left falls"]);
    assert!(played.only(&["uses"]).is_empty(), "the encounter is over");
    let both = play_fighters(
        &[],
        &[&twin("left", "a", 4), &twin("right", "b", 5)],
        &[(0, Check, &[6]), (1, Check, &[6])],
    );
    assert_eq!(
        both.only(&["uses"]),
        [
            "R1 20 left uses pill +2",
            "R1 20 left uses pill +1",
            "R1 20 right uses pill +2",
            "R1 20 right uses pill +1",
        ]
    );
}

#[test]
fn w_8_only_free_actions_of_this_clock() {
    let line = |line: &str| {
        let fighter = format!(
            "a a 0 5 | car = 3; weapons = ['sword']; items = ['pill', 'draught'] | {line}; pass"
        );
        errors_of(&[&fighter, "b b 0 5 | | pass"])
    };
    for (written, said) in [
        ("anytime use draught", "using \"draught\" takes Marks"),
        (
            "anytime attack",
            "only free actions can be taken at any time",
        ),
        ("anytime set", "only free actions can be taken at any time"),
        (
            "anytime charge",
            "only free actions can be taken at any time",
        ),
        ("anytime", "`anytime` lacks a free action"),
        (
            "anytime anytime use pill",
            "at the beginning of a line, once",
        ),
        ("anytme use pill", "did you mean `anytime`?"),
    ] {
        let told = line(written);
        assert!(told.contains(said), "{written}: {told}");
    }
    let mage = errors_on("mage");
    assert!(
        mage.contains("the clock of Mage has no `anytime`"),
        "{mage}"
    );
}

#[test]
fn w_8_a_car_move_at_any_time_needs_no_decision_and_no_enemy_that_moves() {
    // The enemy stands within the radius from the start: a plain `car` waits for the Score.
    let warrior =
        |line: &str| format!("warrior a 0 9 | car = 5; weapons = ['sword'] | {line}; attack");
    let enemy = "enemy b 4 20 | health = 9; weapons = ['bow'] | wait 3 if mark = 20; attack";
    let dice: &[_] = &[(0, Check, &[6][..]), (1, Check, &[1, 1, 1][..])];
    let plain = play_fighters(&[], &[&warrior("car"), enemy], dice);
    assert_eq!(plain.only(&["cars at"]), ["R1 9 warrior cars at enemy"]);
    let at_once = play_fighters(&[], &[&warrior("anytime car"), enemy], dice);
    assert_eq!(at_once.only(&["cars at"]), ["R1 30 warrior cars at enemy"]);
    let when = play_fighters(&[], &[&warrior("anytime car if mark = 12"), enemy], dice);
    assert_eq!(when.only(&["cars at"]), ["R1 12 warrior cars at enemy"]);
    // It is a move into melee like any other, once a Round (TC-16): the mover is Set, for a single attack.
    let blades = "warrior a 0 20 | car = 5; weapons = ['blades'] | anytime car; attack";
    let idle = "enemy b 4 5 | health = 9 | pass";
    let played = play_fighters(&[], &[blades, idle], &[(0, Check, &[6])]);
    assert_eq!(
        played.only(&["cars at", "begins", "attacks"]),
        [
            "R1 30 warrior cars at enemy",
            "R1 20 warrior begins 1",
            "R1 20 warrior attacks enemy hit",
        ]
    );
    // It is illegal while channelling and while casting.
    let spell = |line: &str| {
        format!(
            "mage a 0 25 | car = 5; weapons = ['sword']; spells = ['fire', 'beam'] | anytime car if mark < 25; {line}"
        )
    };
    for line in ["channel beam", "cast fire"] {
        let played = play_fighters(&[], &[&spell(line), idle], &[]);
        let mark = played.only(&["cars at"]);
        assert!(
            mark.iter()
                .all(|told| line == "cast fire" && !told.contains(" 24 ")),
            "{mark:?}"
        );
    }
}

#[test]
fn w_8_a_car_move_waits_for_the_end_of_what_is_under_way() {
    // The move ends the combatant's own volley, as a reaction does (TC-16), but never in the middle of a blow.
    let archer = "archer a 0 20 | car = 5; weapons = ['bow', 'sword'] | \
                  anytime car if attacked; attack with bow";
    let enemy = "enemy b 4 5 | health = 9 | pass";
    let played = play_fighters(&[], &[archer, enemy], &[(0, Check, &[6])]);
    assert_eq!(
        played.only(&["attacks", "cars at"]),
        [
            "R1 20 archer attacks enemy hit",
            "R1 20 archer cars at enemy"
        ]
    );
}

#[test]
fn w_8_combat_casting_may_answer_an_event() {
    // The mage is hit at Mark 20, during the spell: it moves its Units at once, with the use of the skill that a spell
    // has (TC-14).
    let mage = |line: &str| {
        format!(
            "mage b 0 25 | spells = ['fire']; move = 9; \
             combat_casting = {{ check = '1d10', target = 2, units_per = 1 }} | {line}; set; cast fire"
        )
    };
    let options = ["rules.fizzle_chance=0"];
    let striker = "striker a 0 20 | weapons = ['blades'] | attack";
    let with = |line: &str, striking: &[u32], rolled: &[u32]| {
        let dice: &[_] = &[(0, Check, striking), (1, Other, rolled)];
        let played = play_fighters(&options, &[striker, &mage(line)], dice);
        let told = played.only(&["attacks", "shifts"]);
        told.iter().map(|&line| line.to_owned()).collect::<Vec<_>>()
    };
    let told = with("anytime combat_cast retreat if hp < 10", &[6], &[5]);
    assert_eq!(told[0], "R1 20 striker attacks mage hit");
    let moved: Vec<_> = told[1..]
        .iter()
        .filter(|line| line.contains("shifts"))
        .collect();
    assert_eq!(moved.len(), 3, "{told:?}");
    assert!(
        moved.iter().all(|line| line.starts_with("R1 20 mage ")),
        "{told:?}"
    );
}

#[test]
fn w_7_what_is_done_at_any_time_does_not_hide_that_a_policy_never_acts() {
    let notes = |lines: &str| {
        let a = format!("a a 0 5 | weapons = ['sword']; items = ['pill'] | {lines}");
        let played = play_fighters(&[], &[&a, "b b 20 8 | | pass"], &[]);
        let decisions = played.record.combatants[0].decisions;
        (played.only(&["uses"]).len(), decisions)
    };
    // The enemy is out of reach.
    assert_eq!(notes("anytime use pill if mark = 9; attack"), (16, 0));
    // If a policy has only `anytime` lines, they count as decisions.
    let (used, decisions) = notes("anytime use pill if mark = 9");
    assert_eq!((used, decisions), (16, 16));
}

/// Returns the errors about such a line in another system.
fn errors_on(system: &str) -> String {
    let text = format!(
        "system = '{system}'\n[[combatants]]\nname = 'a'\nside = 'a'\nposition = 0\ninitiative = 5\n\
         policy = ['anytime use pill']\n[[combatants]]\nname = 'b'\nside = 'b'\nposition = 0\n\
         initiative = 5\npolicy = ['pass']\n"
    );
    errors(&text)
}

#[test]
fn tc_15_marks_in_an_until_are_those_that_breaking_it_would_leave() {
    let monk = "monk a 0 25 | spells = ['beam'] | channel beam until marks <= 7";
    let played = play_fighters(&[], &[monk, "b b 0 5 | | pass"], &[]);
    let broken = played.only(&["breaks"]);
    assert_eq!(broken.len(), 1);
    assert!(broken[0].starts_with("R1 7 "), "{broken:?}");
}

/// While several tied combatants act, no event asks them for `anytime` lines; each asks its own lines when it decides
/// (W-3, W-5).
#[test]
fn w_8_a_tied_combatant_asks_its_lines_when_it_decides() {
    let played = play_fighters(
        &[],
        &[
            "b b 3 20 | weapons = ['sword']; car = 10 | anytime car; retreat",
            "c c 3 26 | weapons = ['spear'] | pass",
            "d d 8 20 | weapons = ['spear'] | advance 3 if not acted",
        ],
        &[],
    );
    assert_eq!(
        played.only(&["b "])[1..5],
        [
            "R1 19 b steps 3>2",
            "R1 19 b cars at c",
            "R1 19 b intercepts 2>3",
            "R1 18 b steps 3>2",
        ]
    );
}
