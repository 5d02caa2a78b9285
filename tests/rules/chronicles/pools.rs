//! Pools, Defence, chance dice and dramatic failures (CD-6).

use super::stage::{GEAR, Played, one, rounds};

fn duel(weapon: &str, hero: &str, foe: &str, most: u32, set: &[&str], dice: &[u32]) -> Played {
    let weapon = format!("[weapons.blade]\nkind = \"melee\"\n{weapon}\n");
    let parts = [
        weapon,
        one("hero left 0 9 9", hero, &["attack with blade", "pass"])
            .replace("[\"fist\"", "[\"blade\", \"fist\""),
        one("foe right 0 5 5", foe, &["pass"]),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    rounds(most, &parts, set, &[(0, dice)])
}

#[test]
fn cd_6_eight_or_more_succeeds_and_tens_roll_again() {
    let blade = "check = { pool = 4 }\ndamage = 2";
    let damage = |set: &[&str], dice: &[u32]| duel(blade, "", "", 1, set, dice).counts_of(0).damage;
    // Damage is successes + weapon.
    assert_eq!(damage(&[], &[8, 7, 9, 1]), 4);
    assert_eq!(damage(&[], &[10, 7, 1, 2, 10, 8]), 5);
    assert_eq!(damage(&["rules.again=9"], &[9, 7, 1, 2, 3]), 3);
    assert_eq!(damage(&["rules.again=none"], &[10, 7, 1, 2]), 3);
    assert_eq!(damage(&[], &[7, 7, 1, 1]), 0);
}

#[test]
fn cd_6_damage_is_successes_and_weapon_less_armour() {
    let blade = "check = { pool = 3, required = 2 }\ndamage = 1";
    let told = |foe: &str, dice: &[u32]| {
        let played = duel(blade, "", foe, 1, &[], dice);
        (played.counts_of(0).hits, played.counts_of(0).damage)
    };
    assert_eq!(told("armor = 2", &[8, 8, 8]), (1, 2));
    assert_eq!(told("armor = 9", &[8, 8, 8]), (1, 0));
    // Fewer successes than required.
    assert_eq!(told("", &[8, 1, 1]), (0, 0));
    let double =
        "check = { pool = 3, extra_damage = 2, again = \"none\", rote = true }\ndamage = 0";
    let played = duel(double, "", "", 1, &[], &[10, 3, 3, 8, 2]);
    assert_eq!(played.counts_of(0).damage, 4);
}

#[test]
fn cd_6_a_pool_of_nothing_is_a_chance_die() {
    let blade = "check = { pool = 2 }\ndamage = 0";
    let told = |die: u32| {
        let played = duel(blade, "", "defence = 5", 1, &[], &[die]);
        let words = ["rolls", "attacks", "dramatically"];
        played.only_untimed(&words).join(", ")
    };
    // A 10 succeeds and is not rolled again; an 8 fails.
    assert_eq!(told(10), "hero rolls -3 of 2-0-5, hero attacks foe hit");
    assert_eq!(told(8), "hero rolls -3 of 2-0-5, hero attacks foe miss");
    assert_eq!(
        told(1),
        "hero rolls -3 of 2-0-5, hero attacks foe miss, hero fails dramatically"
    );
    // A pool that starts at 0 rolls a chance die; a 1 on an ordinary die has no effect.
    let played = duel("check = { pool = 0 }\ndamage = 0", "", "", 1, &[], &[1]);
    assert_eq!(played.counts_of(0).botches, 1);
    let played = duel("check = { pool = 1 }\ndamage = 0", "", "", 1, &[], &[1]);
    assert_eq!(played.counts_of(0).botches, 0);
}

#[test]
fn cd_6_what_a_dramatic_failure_does_is_an_option() {
    let blade = "check = { pool = 0 }\ndamage = 0";
    let told = |set: &[&str], dice: &[u32]| {
        let played = duel(blade, "", "", 3, set, dice);
        let words = ["dramatically", "loses", "hero takes"];
        (
            played.only_untimed(&words).join(", "),
            played.counts_of(0).attacks,
        )
    };
    assert_eq!(told(&[], &[1, 5, 5]), ("hero fails dramatically".into(), 3));
    assert_eq!(
        told(&["rules.dramatic_failure=lose-turn"], &[1, 5]),
        ("hero fails dramatically, hero loses the turn".into(), 2)
    );
    assert_eq!(
        told(
            &["rules.dramatic_failure=damage", "rules.dramatic_damage=3"],
            &[1, 5, 5]
        ),
        ("hero fails dramatically, hero takes 3 has 7".into(), 3)
    );
}

#[test]
fn cd_6_defence_takes_dice_off_and_erodes() {
    let foe = |who: &str| {
        one(who, "", &["attack with blade", "pass"]).replace("[\"fist\"", "[\"blade\", \"fist\"")
    };
    let dice = |weapon: &str, set: &[&str], thrown: [usize; 3]| {
        let weapon = format!("[weapons.blade]\nkind = \"melee\"\n{weapon}\n");
        let parts = [
            weapon,
            one("hero left 0 1 1", "defence = 2", &["pass"]),
            foe("a right 0 9 9"),
            foe("b right 0 7 7"),
            foe("c right 0 5 5"),
        ];
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let [a, b, c] = thrown.map(|dice| vec![3; dice]);
        let played = rounds(1, &parts, set, &[(1, &a), (2, &b), (3, &c)]);
        let rolls = played.only_untimed(&["rolls"]).into_iter();
        rolls.map(|line| line[8..].to_owned()).collect::<Vec<_>>()
    };
    let blade = "check = { pool = 5 }\ndamage = 0";
    assert_eq!(
        dice(blade, &[], [3, 4, 5]),
        ["3 of 5-0-2", "4 of 5-0-1", "5 of 5-0-0"]
    );
    assert_eq!(
        dice(blade, &["rules.defence=constant"], [3, 3, 3]),
        ["3 of 5-0-2", "3 of 5-0-2", "3 of 5-0-2"]
    );
    let gun = format!("ignores_defence = true\n{blade}");
    assert_eq!(
        dice(&gun, &[], [5, 5, 5]),
        ["5 of 5-0-0", "5 of 5-0-0", "5 of 5-0-0"]
    );
}

#[test]
fn cd_6_wounds_take_dice_off_attacks() {
    let levels = "health = [{ name = \"Sore\", penalty = 2 }, { name = \"Out\" }]\nongoing = { damage = 1, rounds = 1 }";
    let blade = "check = { pool = 3 }\ndamage = 0";
    let foe = "health = [{ name = \"Out\" }]";
    let played = duel(blade, levels, foe, 1, &["rules.health=track"], &[3]);
    assert_eq!(played.only_untimed(&["rolls"]), ["hero rolls 1 of 3-2-0"]);
}

#[test]
fn cd_6_spells_are_rolled_without_defence_or_always_work() {
    assert!(GEAR.contains("[spells.bolt]"));
    let spell = |check: &str, dice: &[u32]| {
        let flame = format!("[spells.flame]\nrange = 9\ndamage = 1\n{check}");
        let hero = one("hero left 0 9 9", "", &["cast flame"]).replace("[\"bolt\"]", "[\"flame\"]");
        let foe = one("foe right 0 5 5", "defence = 9\narmor = 1", &["pass"]);
        let played = rounds(1, &[&flame, &hero, &foe], &[], &[(0, dice)]);
        (played.counts_of(0).damage, played.counts_of(0).spells_cast)
    };
    assert_eq!(spell("", &[]), (0, 1));
    assert_eq!(spell("check = { pool = 2 }", &[8, 9]), (2, 1));
    assert_eq!(spell("check = { pool = 2 }", &[1, 2]), (0, 1));
}

#[test]
fn cd_6_first_blood_is_the_first_harm_to_an_enemy() {
    let played = duel("check = { pool = 1 }\ndamage = 0", "", "", 2, &[], &[3, 8]);
    assert_eq!(
        (
            played.counts_of(0).first_blood,
            played.counts_of(1).first_blood
        ),
        (1, 0)
    );
}
