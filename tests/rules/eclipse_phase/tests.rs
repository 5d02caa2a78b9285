//! Tests, defence, damage and wounds (EP-9).

use super::stage::{GUN, Played, one, play, play_turn, scenario};
use crate::support::Scripted;
use crate::support::fights::{shown, variant_with};
use skirmish::chance::Purpose::{Check, Damage, Initiative, Other};
use skirmish::output::story::{Story, StoryOptions};

/// Plays one attack of `a` on `b` with the given dice.
fn attack(
    weapon: &str,
    arms: &str,
    foe: &str,
    set: &[&str],
    dice: (u32, &[u32], &[u32]),
) -> Played {
    let text = scenario(&[
        arms,
        &one(
            "a",
            0,
            9,
            &format!("weapons = [\"{weapon}\"]\npolicy = [\"attack\"]"),
        ),
        &one("b", 1, 1, &format!("{foe}\npolicy = [\"pass\"]")),
    ]);
    let (check, other, damage) = dice;
    let dice: &[_] = &[
        (0, Check, &[check][..]),
        (1, Other, other),
        (0, Damage, damage),
    ];
    play_turn(&text, set, &[1, 1], dice)
}

#[test]
fn ep_9_at_or_under_the_skill_00_always_99_never() {
    for (skill, die, told) in [
        (60, 60, "60/60 hit"),
        (60, 61, "61/60 miss"),
        (-20, 100, "0/-20 hit"),
        (-20, 1, "1/-20 miss"),
        (130, 98, "98/130 hit"),
        (130, 99, "99/130 miss"),
    ] {
        let played = attack(
            "gun",
            "",
            "",
            &[&format!("weapons.gun.check.skill={skill}")],
            (die, &[], &[]),
        );
        assert_eq!(
            played.only(&["attacks"]),
            [format!("1.1 10 a attacks b {told}")]
        );
    }
}

#[test]
fn ep_9_a_critical_ignores_armour_unless_the_rules_or_the_check_say_otherwise() {
    let foe = "armor = 4";
    let takes = |set: &[&str], die| {
        let played = attack("gun", "", foe, set, (die, &[], &[]));
        let criticals = played.counts_of(0).phases.criticals;
        (played.counts_of(1).damage_taken, criticals)
    };
    assert_eq!(takes(&[], 32), (2, 0));
    assert_eq!(takes(&[], 33), (6, 1));
    assert_eq!(takes(&["rules.critical=none"], 33), (2, 0));
    assert_eq!(takes(&["weapons.gun.check.critical=none"], 33), (2, 0));
    let both = [
        "rules.critical=none",
        "weapons.gun.check.critical=ignores-armor",
    ];
    assert_eq!(takes(&both, 33), (6, 1));
    let told = |set: &[&str], die| {
        let played = attack("gun", "", foe, set, (die, &[], &[]));
        played.only(&["hits critically"]).len()
    };
    assert_eq!([told(&[], 32), told(&[], 33)], [0, 1]);
    assert_eq!(told(&["rules.critical=none"], 33), 0);
}

#[test]
fn ep_9_damage_less_armour_is_never_below_nought() {
    let played = attack("gun", "", "armor = 40", &[], (32, &[], &[]));
    assert_eq!(played.only(&["takes"]), ["1.1 10 b takes 0 has 30"]);
    let arms = "[weapons.rifle]\nkind = \"ranged\"\nrange = 9\ncheck = { skill = 50 }\ndamage = \"2d10+2\"\n";
    let played = attack("rifle", arms, "armor = 5", &[], (50, &[], &[7, 8]));
    assert_eq!(played.only(&["takes"]), ["1.1 10 b takes 12 has 18"]);
}

#[test]
fn ep_9_fray_defends_by_rolling_no_lower_and_is_rolled_only_against_a_success() {
    let foe = "fray = 50";
    let told = |attack_die, fray: &[u32]| {
        let played = attack("blade", "", foe, &[], (attack_die, fray, &[]));
        let lines = played.only(&["fray"]).join("");
        (
            lines,
            played.counts_of(0).hits,
            played.counts_of(1).phases.defended,
        )
    };
    // Both succeed: the higher roll wins.
    assert_eq!(
        told(30, &[40]),
        ("1.1 10 b fray 40/50 defends".into(), 0, 1)
    );
    assert_eq!(told(30, &[20]), ("1.1 10 b fray 20/50 fails".into(), 1, 0));
    assert_eq!(
        told(30, &[30]),
        ("1.1 10 b fray 30/50 defends".into(), 0, 1)
    );
    // Fray fails.
    assert_eq!(told(30, &[51]), ("1.1 10 b fray 51/50 fails".into(), 1, 0));
    // A critical beats any plain success, for either side.
    assert_eq!(told(22, &[40]), ("1.1 10 b fray 40/50 fails".into(), 1, 0));
    assert_eq!(
        told(40, &[22]),
        ("1.1 10 b fray 22/50 defends".into(), 0, 1)
    );
    assert_eq!(told(33, &[22]), ("1.1 10 b fray 22/50 fails".into(), 1, 0));
    // The attack fails, so there is no Fray roll.
    assert_eq!(told(90, &[]), (String::new(), 0, 0));
}

#[test]
fn ep_9_without_criticals_doubles_are_plain_successes() {
    let told = |set: &[&str], attack_die, fray: u32| {
        let played = attack("blade", "", "fray = 50", set, (attack_die, &[fray], &[]));
        played.only(&["fray"]).join("")
    };
    let none = ["rules.critical=none"];
    assert_eq!(told(&none, 40, 22), "1.1 10 b fray 22/50 fails");
    assert_eq!(told(&none, 22, 40), "1.1 10 b fray 40/50 defends");
    // A check has a value of its own.
    let of_check = ["weapons.blade.check.critical=none"];
    assert_eq!(told(&of_check, 40, 22), "1.1 10 b fray 22/50 fails");
    assert_eq!(told(&of_check, 22, 40), "1.1 10 b fray 40/50 defends");
}

#[test]
fn ep_9_against_shots_fray_is_half() {
    let told = |set: &[&str], fray: &[u32]| {
        let played = attack("gun", "", "fray = 45", set, (30, fray, &[]));
        played.only(&["fray"]).join("")
    };
    assert_eq!(told(&[], &[40]), "1.1 10 b fray 40/22 fails");
    assert_eq!(
        told(&["rules.fray_shots=full"], &[40]),
        "1.1 10 b fray 40/45 defends"
    );
    assert_eq!(told(&["rules.fray_shots=none"], &[]), "");
}

#[test]
fn ep_9_any_success_may_defend_by_option() {
    let played = attack(
        "blade",
        "",
        "fray = 50",
        &["rules.defence=success"],
        (44, &[3], &[]),
    );
    assert_eq!(played.only(&["fray"]), ["1.1 10 b fray 3/50 defends"]);
}

#[test]
fn ep_9_each_full_threshold_in_one_hit_is_a_wound() {
    let wounds = |damage: u32, set: &[&str]| {
        let damage = format!("weapons.gun.damage={damage}");
        let mut all = vec![damage.as_str()];
        all.extend(set);
        let foe = "armor = 2";
        attack("gun", "", foe, &all, (32, &[], &[]))
            .counts_of(1)
            .phases
            .wounds
    };
    // Durability 30 gives a threshold of 6; 2 points of armour come off first.
    assert_eq!(
        [7, 8, 13, 14, 25].map(|damage| wounds(damage, &[])),
        [0, 1, 1, 2, 3]
    );
    let threshold = ["combatants.b.wound_threshold=12"];
    assert_eq!(
        [13, 14, 25, 26].map(|damage| wounds(damage, &threshold)),
        [0, 1, 1, 2]
    );
    // A fifth of 31 is 7, rounded up.
    let tough = ["combatants.b.health=31"];
    assert_eq!([8, 9].map(|damage| wounds(damage, &tough)), [0, 1]);
}

#[test]
fn ep_9_wounds_take_ten_each_off_attacks_and_off_fray() {
    let text = scenario(&[
        &one("a", 0, 9, GUN),
        &one("b", 9, 5, &format!("fray = 80\n{GUN}")),
    ]);
    let dice: &[(usize, skirmish::chance::Purpose, &[u32])] = &[
        (0, Initiative, &[5, 5]),
        (1, Initiative, &[5, 5]),
        (0, Check, &[51, 51]),
        (1, Other, &[90, 30]),
        (1, Check, &[99, 99]),
    ];
    let played = play(&text, &["encounter.max_rounds=2"], dice);
    assert_eq!(
        played.only(&["fray", "b attacks"]),
        [
            "1.1 14 b fray 90/40 fails",
            "1.1 9 b attacks a 99/50 miss",
            "2.1 14 b fray 30/30 fails",
            "2.1 8 b attacks a 99/40 miss",
        ]
    );
    let played = play(
        &text,
        &["encounter.max_rounds=2", "rules.wound_penalty=3"],
        dice,
    );
    assert_eq!(
        played.only(&["fray", "b attacks"]),
        [
            "1.1 14 b fray 90/40 fails",
            "1.1 9 b attacks a 99/57 miss",
            "2.1 14 b fray 30/37 fails",
            "2.1 8 b attacks a 99/54 miss",
        ]
    );
}

#[test]
fn ep_9_other_checks_lose_a_tenth_of_the_penalty() {
    let text = scenario(&[
        &one("a", 0, 9, GUN),
        &one("b", 9, 5, "weapons = [\"spear\"]\npolicy = [\"attack\"]"),
        "[weapons.spear]\nkind = \"thrown\"\nrange = 20\ncheck = { dice = \"1d20\", bonus = 5 }\ndamage = 1\n",
    ]);
    let played = play_turn(
        &text,
        &["combatants.a.evade=15", "combatants.b.evade=9"],
        &[5, 5],
        &[(0, Check, &[51]), (1, Check, &[10])],
    );
    assert_eq!(
        played.only(&["b attacks"]),
        ["1.1 9 b attacks a 14/15 miss"]
    );
}

#[test]
fn ep_9_at_durability_one_is_out() {
    let played = attack("blade", "", "", &[], (10, &[], &[]));
    assert_eq!(
        played.only(&[" b "])[2..],
        [
            "1.1 10 b takes 30 has 0",
            "1.1 10 b wounded 5, now -3",
            "1.1 10 b falls",
        ]
    );
}

#[test]
fn a_track_has_its_own_penalties_and_wounds_only_by_a_threshold_of_its_own() {
    let set = ["rules.health=track"];
    let text = scenario(&[&one("a", 0, 9, GUN), &one("b", 9, 5, GUN)]).replace("health = 30\n", "");
    let text = text.replace("damage = 6", "damage = 2");
    let dice: &[(usize, skirmish::chance::Purpose, &[u32])] = &[
        (0, Initiative, &[5]),
        (1, Initiative, &[5]),
        (0, Check, &[51]),
        (1, Check, &[99]),
    ];
    let mut set = set.to_vec();
    set.push("encounter.max_rounds=1");
    let played = play(&text, &set, dice);
    // The damage is one die, which is ten points.
    assert_eq!(
        played.only(&["b attacks"]),
        ["1.1 10 b attacks a 99/50 miss"]
    );
    assert_eq!(played.counts_of(1).phases.wounds, 0);
    set.push("combatants.b.wound_threshold=2");
    let played = play(&text, &set, dice);
    assert_eq!(
        played.only(&["b attacks"]),
        ["1.1 9 b attacks a 99/40 miss"]
    );
}

#[test]
fn ep_9_one_may_begin_with_wounds() {
    let text = scenario(&[
        &one("a", 0, 9, &format!("wounds = 2\n{GUN}")),
        &one("b", 9, 1, "policy = [\"pass\"]"),
    ]);
    let played = play_turn(&text, &[], &[1, 1], &[(0, Check, &[99])]);
    assert_eq!(played.only(&["attacks"]), ["1.1 8 a attacks b 99/40 miss"]);
    // Only wounds suffered in the fight are counted.
    assert_eq!(played.counts_of(0).phases.wounds, 0);
}

#[test]
fn ep_9_double_nought_is_told_as_it_is_read() {
    let text = scenario(&[
        "[weapons.maul]\nkind = \"melee\"\nreach = 1\ncheck = { skill = 60 }\ndamage = \"1d100\"\n",
        &one("a", 0, 9, "weapons = [\"maul\"]\npolicy = [\"attack\"]"),
        &one("b", 1, 1, "health = 200\nfray = 40\npolicy = [\"pass\"]")
            .replace("health = 30\n", ""),
    ]);
    let variant = variant_with(&text, &["encounter.max_rounds=2"]);
    let mut chance = Scripted::new()
        .with(0, Initiative, &[1, 1])
        .with(1, Initiative, &[1, 1])
        .with(0, Check, &[100, 7])
        .with(1, Other, &[99, 100])
        .with(0, Damage, &[100]);
    let mut story = Story::default();
    let record = shown(&variant, &mut chance, &mut story);
    let told = story.text(&variant.fight, &record, StoryOptions::default());
    for line in [
        "attacks b: 00 against 60, hit  [d100: 00]",
        // Only a test reads 100 as 00.
        "takes 100, 100 left  [d100: 100]",
        "attacks b: 7 against 60, hit  [d100: 7]",
        "defends: 00 against 40 - 20 (wounds) = 20, a critical, turns it aside",
    ] {
        assert!(told.contains(line), "no {line:?} in\n{told}");
    }
}
