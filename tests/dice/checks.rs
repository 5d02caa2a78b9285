//! Checks that `skirmish odds` asks about: the numbers of the rule texts, and those that the program gave when it decided
//! checks by formulas of their own.

use super::odds;
use crate::support::{TestDir, skirmish};
use serde_json::Value;

/// Returns the facts of an answer.
#[track_caller]
fn facts(question: &str) -> Value {
    odds(&format!("{question} --format json")).json()["facts"].clone()
}

/// Asserts that the fact of an answer is this number to the last digit.
#[track_caller]
fn assert_fact(question: &str, fact: &str, expected: f64) {
    let found = facts(question)[fact].as_f64();
    assert_eq!(found, Some(expected), "{question}: {fact}");
}

#[test]
fn tc_22_reaching_the_evade_hits() {
    assert_fact("2d10+9 --evade 15", "p_success", 0.9);
    assert_fact("2d10+3 --evade 20", "p_success", 0.1);
    // Unless the rules say that it does not.
    assert_fact("2d10+3 --evade 19 --set rules.hit=beat", "p_success", 0.1);
}

/// A desperate shot goes without mastery, and a 5 or less on either die spoils it.
#[test]
fn tc_11_a_five_on_either_die_spoils_a_desperate_shot() {
    assert_fact("2d10+50 --evade 15 --with spoils=5", "p_success", 0.25);
    assert_fact("2d10 --evade 20 --with spoils=5", "p_success", 0.01);
    assert_fact("2d10+9 --evade 15 --with mastery=2", "p_success", 0.97);
    let csv = odds("2d10+9 --evade 15 --vary spoils=0,5 --format csv").printed();
    let rows: Vec<&str> = csv.lines().map(|row| &row[..row.len().min(7)]).collect();
    assert_eq!(rows, ["spoils,", "0,0.9,2", "5,0.25,"]);
}

#[test]
fn w_9_natural_totals_hit_and_miss_whatever_the_evade() {
    let check = "{dice='1d20',bonus=5,critical=20,fumble=1}";
    assert_fact(&format!("{check} --evade 15"), "p_success", 0.55);
    assert_fact(&format!("{check} --evade 15"), "p_critical", 0.05);
    assert_fact(&format!("{check} --evade 99"), "p_success", 0.05);
    assert_fact(&format!("{check} --evade=-99"), "p_success", 0.95);
}

#[test]
fn ep_9_criticals_are_doubles_and_00_and_99_are_sure() {
    for (skill, [critical, success, failure]) in [
        (55, [0.06, 0.56, 0.04]),
        (45, [0.05, 0.46, 0.05]),
        (-30, [0.01, 0.01, 0.09]),
        (150, [0.09, 0.99, 0.01]),
    ] {
        let check = format!("{{skill={skill}}}");
        assert_fact(&check, "p_critical", critical);
        assert_fact(&check, "p_success", success);
        assert_fact(&check, "p_critical_failure", failure);
    }
}

/// A critical beats any plain success; else the higher success wins, and equal ones defend.
#[test]
fn ep_9_a_defence_wins_with_the_higher_success() {
    let hits = |skill: i64, fray: i64, rule: &str| {
        facts(&format!(
            "{{skill={skill}}} --against {{skill={fray}}} --system eclipse-phase --set rules.defence={rule}"
        ))["p_hit"]
            .as_f64()
            .unwrap()
    };
    assert!((hits(55, 30, "opposed") - 0.5038).abs() < 1e-15);
    assert!((hits(0, 50, "opposed") - 0.0095).abs() < 1e-15);
    assert!((hits(0, 50, "success") - 0.0049).abs() < 1e-15);
    // Ranks of successes: all criticals above all plain ones.
    let rank = |skill: i64, shown: i64| {
        let success = shown == 0 || (shown < 99 && shown <= skill);
        success.then_some(shown + if shown % 11 == 0 { 1_000 } else { 0 })
    };
    for [skill, fray] in [[45, 30], [60, 60], [98, 5], [-20, 120], [130, 130]] {
        let pairs = (0..100).flat_map(|attack| (0..100).map(move |defence| (attack, defence)));
        let is_hit = |&(attack, defence): &(i64, i64)| {
            rank(skill, attack)
                .is_some_and(|attack| rank(fray, defence).is_none_or(|defence| defence < attack))
        };
        let expected = pairs.filter(is_hit).count() as f64 / 10_000.0;
        assert!(
            (hits(skill, fray, "opposed") - expected).abs() < 1e-14,
            "{skill} {fray}"
        );
    }
}

/// Values of the program before checks were asked about by the code of fights.
#[test]
fn md_1_to_md_3_pools_have_the_odds_of_their_dice_to_the_last_digit() {
    for (check, fact, expected) in [
        ("{pool=2,difficulty=6,required=2}", "p_success", 0.28126),
        (
            "{pool=3,difficulty=7,required=2}",
            "p_diminished",
            0.321_691_5,
        ),
        (
            "{pool=3,difficulty=7,required=2}",
            "sd_net",
            1.247_219_128_924_647,
        ),
        ("{pool=8}", "p_botch", 0.027_667_042_889_312),
    ] {
        assert_fact(check, fact, expected);
    }
    // The tail of twenty 1s keeps its digits.
    let csv = odds("{pool=20,difficulty=6} --format csv").printed();
    assert!(csv.contains("\n-20,1e-20,1,1e-20,"), "{csv}");
}

#[test]
fn cd_6_a_chance_die_succeeds_on_a_10() {
    assert_fact("{pool=0} --system chronicles", "p_success", 0.1);
    assert_fact("{pool=0} --system chronicles", "p_botch", 0.1);
    assert_fact("{pool=1} --system chronicles", "p_success", 0.3);
}

/// Pools of traits have the traits that the question names.
#[test]
fn md_4_a_pool_is_a_sum_of_traits() {
    let named = facts("{pool='dexterity+brawl'} --with dexterity=3 --with brawl=2");
    assert_eq!(named, facts("{pool=5}"));
    let refused = odds("{pool='dexterity+brawl'} --with dexterity=3").errors();
    assert!(refused.contains("brawl"), "{refused}");
}

#[test]
fn md_1_the_worked_rolls_of_the_text() {
    let read = |question: &str| {
        let facts = facts(question);
        [&facts["net"], &facts["owed"]].map(|fact| fact.as_i64().unwrap())
    };
    assert_eq!(read("--rolled 7,4,3,8,1 --difficulty 6"), [1, 0]);
    assert_eq!(read("--rolled 6,2,5,10,9 --difficulty 6"), [3, 1]);
    assert_eq!(read("--pool 5 --rolled 6,2,5,10,9,10,1"), [3, 0]);
    // The extra dice of extra dice, under rules that give fewer.
    assert_eq!(read("--pool 2 --rolled 10,10,3,10"), [3, 1]);
    assert_eq!(read("{pool=2,tens='once'} --rolled 10,10,3,10"), [3, 0]);
}

#[test]
fn md_5_james_and_his_three_difficulties() {
    for (manner, net, outcome, paradox) in [
        ("", 2, "success", 0),
        (" --vulgar", 1, "diminished", 3),
        (" --vulgar --witnessed", 1, "diminished", 4),
    ] {
        let facts = facts(&format!(
            "--arete 4 --sphere 3 --required 2 --rolled 6,9,2,5{manner}"
        ));
        assert_eq!(facts["net"], net);
        assert_eq!(facts["outcome"], outcome);
        assert_eq!(facts["paradox"], paradox);
    }
}

#[test]
fn md_2_a_botch_at_any_time_is_seen_while_reading() {
    let outcome = |botch: &str, faces: &str| {
        facts(&format!("{{pool=3,botch='{botch}'}} --rolled {faces}"))["outcome"].clone()
    };
    assert_eq!(outcome("at-any-time", "1,1,10,7"), "botch");
    assert_eq!(outcome("ones-exceed", "1,1,10,7"), "failure");
    assert_eq!(outcome("at-any-time", "1,7,3"), "failure");
}

#[test]
fn md_6_a_botch_of_coincidental_magick_gives_a_point_of_paradox() {
    let quiet = facts("--arete 4 --sphere 3");
    assert_eq!(quiet["mean_paradox"], quiet["p_botch"]);
    assert_fact("--arete 4 --sphere 3 --vulgar", "mean_paradox", 3.0);
}

/// The check of a scenario has the numbers of its combatants.
#[test]
fn a_check_of_a_scenario_is_that_of_its_fight() {
    let file = "scenarios/kiting.toml --check weapons.longbow";
    let whole = facts(file);
    assert_eq!(whole["p_success"], facts("2d10+9 --evade 16")["p_success"]);
    assert_eq!(whole["needed"], 16);
    let varied = odds(&format!(
        "{file} --vary combatants.brute.evade=14..16 --show success"
    ));
    assert!(varied.printed().contains("combatants.brute.evade"));
    let bonus = odds(&format!("{file} --vary evade=10..20:5 --format csv")).printed();
    assert_eq!(bonus.lines().count(), 4, "{bonus}");
}

/// MA-3: the parts of a divided pool are checks of their own.
#[test]
fn ma_3_several_checks_are_asked_about_together() {
    let both = facts("{pool=4} {pool=3}");
    let one = |pool| {
        facts(&format!("{{pool={pool}}}"))["p_success"]
            .as_f64()
            .unwrap()
    };
    let (first, second) = (one(4), one(3));
    let close = |fact: &str, expected: f64| {
        assert!(
            (both[fact].as_f64().unwrap() - expected).abs() < 1e-15,
            "{fact}"
        );
    };
    close("p_all", first * second);
    close("p_any", 1.0 - (1.0 - first) * (1.0 - second));
}

/// A check in words by itself has the traits that the question gives it, and one of a scenario those of its combatants.
#[test]
fn w_19_a_check_in_words_has_the_traits_of_the_question_or_of_the_combatants() {
    let fact = |arguments: &[&str], fact: &str| {
        let arguments = [&["odds"], arguments, &["--format", "json"]].concat();
        skirmish(&arguments).json()["facts"][fact].as_f64()
    };
    let check = "1d20 + attack >= target.ac";
    let with = |attack: &'static str, ac: &'static str| {
        let alone = [check, "--with", attack, "--with", ac];
        ["p_success", "needed"].map(|name| fact(&alone, name))
    };
    assert_eq!(with("attack=4", "target.ac=18"), [Some(0.35), Some(18.0)]);
    assert_eq!(with("attack=5", "target.ac=18"), [Some(0.4), Some(18.0)]);
    let fighter = |name: &str, traits: &str| {
        format!(
            "[[combatants]]\nname = \"{name}\"\nside = \"{name}\"\nposition = 0\ninitiative = 1\nmove = 1\nhealth = 9\n\
             traits = {{ {traits} }}\nweapons = [\"bite\"]\npolicy = [\"attack\"]\n"
        )
    };
    let bite = |check: &str| {
        format!(
            "system = \"chronicles\"\n[weapons.bite]\nkind = \"melee\"\ncheck = \"{check}\"\ndamage = \"1d8 + attack\"\n{}{}",
            fighter("wolf", "attack = 4, ac = 13"),
            fighter("knight", "attack = 6, ac = 18")
        )
    };
    let dir = TestDir::with("bite.toml", &bite(check));
    let file = dir.path("bite.toml").display().to_string();
    let asked = |of: &'static str| {
        let file = [&*file, "--check", "weapons.bite", "--of", of];
        ["p_success", "needed"].map(|name| fact(&file, name))
    };
    assert_eq!(asked("wolf"), [Some(0.35), Some(18.0)]);
    assert_eq!(asked("knight"), [Some(0.7), Some(13.0)]);
    dir.write("bite.toml", bite("1d20 + distance >= target.ac"));
    skirmish(&["odds", &file, "--check", "weapons.bite"])
        .assert_refused("asks for a fact of a fight under way");
}
