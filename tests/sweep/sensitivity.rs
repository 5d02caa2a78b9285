//! `skirmish sensitivity`: the effect of adding 1 to each number.

use super::{DUEL, ONE_ROUND, SURE, cell, row};
use crate::support::{Row, TestDir};
use insta::assert_snapshot;
use skirmish::scenario::Scenario;
use std::sync::atomic::Ordering;

/// Returns the effects on the castle's win rate, in the order of the file.
fn effects(dir: &TestDir, arguments: &[&str]) -> Vec<Row> {
    super::effects(dir, "sensitivity", arguments)
}

fn number(row: &Row, column: &str) -> f64 {
    cell(row, column).parse().expect("a number")
}

#[test]
fn numbers_are_found_in_the_file() {
    let loaded = Scenario::load("scenarios/party.toml".as_ref(), &[]).expect("a scenario");
    let numbers = loaded.document.numbers("base").expect("numbers");
    let text: Vec<String> = numbers
        .all
        .iter()
        .map(|number| {
            let end = |end: &Option<(String, _)>| match end {
                Some((value, _)) => value.clone(),
                None => "-".to_owned(),
            };
            let (less, more) = (end(&number.from), end(&number.to));
            format!("{}: {less} < {} < {more}", number.key, number.value)
        })
        .collect();
    assert_snapshot!(text.join("\n"), @r#"
combatants.warrior.position: 3 < 4 < 5
combatants.warrior.attributes.agility: 12 < 13 < 14
combatants.warrior.attributes.intellect: 10 < 11 < 12
combatants.warrior.evade_modifier: 3 < 4 < 5
combatants.warrior.move: 9 < 10 < 11
combatants.warrior.evade: 17 < 18 < 19
combatants.warrior.armor: 4 < 5 < 6
combatants.warrior.health: 49 < 50 < 51
combatants.warrior.car: 9 < 10 < 11
combatants.rogue.position: 1 < 2 < 3
combatants.rogue.attributes.agility: 16 < 17 < 18
combatants.rogue.attributes.intellect: 12 < 13 < 14
combatants.rogue.move: 13 < 14 < 15
combatants.rogue.evade: 18 < 19 < 20
combatants.rogue.armor: 1 < 2 < 3
combatants.rogue.health: 34 < 35 < 36
combatants.archer.position: -1 < 0 < 1
combatants.archer.attributes.agility: 15 < 16 < 17
combatants.archer.attributes.intellect: 13 < 14 < 15
combatants.archer.move: 12 < 13 < 14
combatants.archer.evade: 16 < 17 < 18
combatants.archer.armor: 1 < 2 < 3
combatants.archer.health: 31 < 32 < 33
combatants.mage.position: -3 < -2 < -1
combatants.mage.attributes.agility: 11 < 12 < 13
combatants.mage.attributes.intellect: 17 < 18 < 19
combatants.mage.move: 9 < 10 < 11
combatants.mage.evade: 15 < 16 < 17
combatants.mage.health: 27 < 28 < 29
combatants.mage.combat_casting.check: 1d10+4 < 1d10+5 < 1d10+6
combatants.mage.combat_casting.target: 1 < 2 < 3
combatants.mage.combat_casting.units_per: 2 < 3 < 4
combatants.brute.position: 24 < 25 < 26
combatants.brute.attributes.agility: 10 < 11 < 12
combatants.brute.attributes.intellect: 8 < 9 < 10
combatants.brute.evade_modifier: 3 < 4 < 5
combatants.brute.move: 11 < 12 < 13
combatants.brute.evade: 15 < 16 < 17
combatants.brute.armor: 2 < 3 < 4
combatants.brute.health: 94 < 95 < 96
combatants.shaman.position: 30 < 31 < 32
combatants.shaman.attributes.agility: 9 < 10 < 11
combatants.shaman.attributes.intellect: 15 < 16 < 17
combatants.shaman.move: 8 < 9 < 10
combatants.shaman.evade: 14 < 15 < 16
combatants.shaman.armor: 0 < 1 < 2
combatants.shaman.health: 39 < 40 < 41
weapons.longbow.range: 59 < 60 < 61
weapons.longbow.attacks: 2 < 3 < 4
weapons.longbow.check.bonus: 7 < 8 < 9
weapons.longbow.mastery: 0 < 1 < 2
weapons.longbow.damage: 1d8+2 < 1d8+3 < 1d8+4
weapons.sword.attacks: 2 < 3 < 4
weapons.sword.check.bonus: 8 < 9 < 10
weapons.sword.damage: 1d10+3 < 1d10+4 < 1d10+5
weapons.dagger.attacks: 1 < 2 < 3
weapons.dagger.check.bonus: 8 < 9 < 10
weapons.dagger.damage: 1d6+4 < 1d6+5 < 1d6+6
weapons."throwing knife".range: 11 < 12 < 13
weapons."throwing knife".attacks: 1 < 2 < 3
weapons."throwing knife".check.bonus: 7 < 8 < 9
weapons."throwing knife".damage: 1d6+2 < 1d6+3 < 1d6+4
weapons.staff.check.bonus: 3 < 4 < 5
weapons.staff.damage: 1d6-1 < 1d6 < 1d6+1
weapons.axe.attacks: 1 < 2 < 3
weapons.axe.check.bonus: 8 < 9 < 10
weapons.axe.damage: 2d6+3 < 2d6+4 < 2d6+5
spells."fire bolt".casting_time: 9 < 10 < 11
spells."fire bolt".range: 49 < 50 < 51
spells."fire bolt".damage: 4d6-1 < 4d6 < 4d6+1
spells.curse.casting_time: 11 < 12 < 13
spells.curse.range: 39 < 40 < 41
spells.curse.check.bonus: 9 < 10 < 11
spells.curse.damage: 3d6+3 < 3d6+4 < 3d6+5
items.potion.heal: 2d8+3 < 2d8+4 < 2d8+5
"#);
}

#[test]
fn signs_are_as_they_must_be() {
    let dir = TestDir::with_duel(DUEL);
    let rows = effects(&dir, &["-n", "4000"]);
    for (key, better) in [
        ("combatants.knight.evade", true),
        ("combatants.knight.armor", true),
        ("combatants.knight.health", true),
        ("weapons.sword.check.bonus", true),
        ("weapons.sword.damage", true),
        ("combatants.raider.evade", false),
        ("combatants.raider.armor", false),
        ("combatants.raider.health", false),
        ("weapons.spear.check.bonus", false),
        ("weapons.spear.damage", false),
    ] {
        let row = row(&rows, "key", key);
        let (low, high) = (number(row, "ci_low"), number(row, "ci_high"));
        let certain = if better { low > 0.0 } else { high < 0.0 };
        assert!(certain, "{key}: {low} to {high}");
        assert!(number(row, "p_adjusted") < 0.001, "{key}");
    }
    // They stand toe to toe, so no combatant needs to walk.
    for key in ["combatants.knight.move", "combatants.raider.move"] {
        let row = row(&rows, "key", key);
        assert_eq!(cell(row, "effect"), "0");
        assert_eq!(cell(row, "p_value"), "");
    }
}

/// The values have Wilson's interval, the difference has an interval of pairs.
#[test]
fn an_effect_is_the_difference_of_two_points_of_a_sweep() {
    let dir = TestDir::with_duel(DUEL);
    let line = ["-n", "1500", "--metric", "win_rate", "--metric", "rounds"];
    let effects = effects(&dir, &line);
    for (key, values) in [
        ("combatants.knight.evade", "16,17"),
        ("combatants.raider.health", "20,21"),
        ("weapons.sword.damage", "1d6+2,1d6+3"),
        ("weapons.spear.check.bonus", "6,7"),
    ] {
        let vary = format!("{key}={values}");
        dir.call_on_duel("sweep", &[&["--vary", &vary], &line[..]].concat())
            .printed();
        // The first sweep has the usual file name; sweeps of other keys have names of their own.
        let file = match key {
            "combatants.knight.evade" => "sweep.csv".to_owned(),
            _ => format!("sweep-{key}.csv"),
        };
        let sweep = dir.rows(&format!("results/duel/{file}"));
        for (metric, subject) in [("win_rate", "castle"), ("rounds", "encounter")] {
            let mut points = sweep
                .iter()
                .filter(|row| cell(row, "metric") == metric && cell(row, "subject") == subject);
            let (now, more) = (points.next().unwrap(), points.next().unwrap());
            let effect = effects
                .iter()
                .find(|row| cell(row, "key") == key && cell(row, "metric") == metric)
                .unwrap();
            assert_eq!(cell(effect, "mean_from"), cell(now, "mean"), "{key}");
            assert_eq!(cell(effect, "mean_to"), cell(more, "mean"), "{key}");
            assert_eq!(cell(effect, "from"), cell(now, "value1"), "{key}");
            assert_eq!(cell(effect, "to"), cell(more, "value1"), "{key}");
            let worth = number(more, "mean") - number(now, "mean");
            assert!((number(effect, "effect") - worth).abs() < 1e-9, "{key}");
        }
    }
}

/// Half of Agility counts, rounded down (TC-2): with an odd sum the last point raises the Score, and the next one does
/// not.
#[test]
fn both_steps_of_a_number_are_known_by_themselves() {
    let key = "combatants.knight.attributes.agility";
    let dir = TestDir::with_duel(DUEL);
    // The raider's Score is higher by more than a point of Agility, so Agility breaks no tie (TC-20).
    let line = [
        "-n",
        "3000",
        "--set",
        "combatants.raider.attributes.agility=12",
    ];
    let rows = effects(&dir, &line);
    let agility = row(&rows, "key", key);
    assert!(number(agility, "last_low") > 0.0, "{agility:?}");
    assert_eq!(cell(agility, "effect"), "0");
    let said = dir.call_on_duel("sensitivity", &line);
    assert!(
        said.printed().contains("agility: 9 to 10 +"),
        "{}",
        said.printed()
    );
    assert!(
        said.printed().contains("10 to 11 0\n"),
        "{}",
        said.printed()
    );
    // A sweep gives the same results.
    let vary = format!("{key}=9,10,11");
    dir.call_on_duel(
        "sweep",
        &[&["--vary", &vary, "--metric", "win_rate"], &line[..]].concat(),
    )
    .printed();
    let swept = dir.rows("results/duel/sweep.csv");
    let castle = swept.iter().filter(|row| cell(row, "subject") == "castle");
    let means: Vec<f64> = castle.map(|row| number(row, "mean")).collect();
    assert!(
        (number(agility, "last") - (means[1] - means[0])).abs() < 1e-9,
        "{means:?}"
    );
    assert!((means[2] - means[1]).abs() < f64::EPSILON, "{means:?}");
}

/// At 0 Units both stand in melee; one Unit apart, to either side, one of them has to walk first.
#[test]
fn a_number_whose_two_steps_cancel_is_not_said_to_do_nothing() {
    // The ogre stands in a pit of one Unit. Each step is the same in every encounter.
    let bow = SURE
        .replace("kind = \"melee\"", "kind = \"ranged\", range = 30")
        .replace("side = \"b\", position = 0", "side = \"b\", position = 9");
    let pit = "\n[encounter.hazards.pit]\nstretch = [0, 0]\neffects = [{ damage = 100 }]\n";
    let rows = effects(&TestDir::with_duel(&(bow + pit)), &["-n", "100"]);
    let position = row(&rows, "key", "combatants.ogre.position");
    assert_eq!(
        [cell(position, "last"), cell(position, "effect")],
        ["-1", "1"]
    );
    assert_eq!(cell(position, "verdict"), "uneven");
}

#[test]
fn one_encounter_proves_no_difference() {
    let dir = TestDir::with_duel(DUEL);
    let line = ["-n", "1", "--metric", "rounds"];
    for command in ["sensitivity", "knockout"] {
        let outcome = dir.call_on_duel(command, &line);
        let printed = outcome.printed();
        assert!(!printed.contains("makes a difference"), "{printed}");
        let rows = dir.rows(&format!("results/duel/{command}.csv"));
        assert!(rows.iter().any(|row| number(row, "effect").abs() > 0.0));
        assert!(rows.iter().all(|row| cell(row, "verdict") != "difference"));
    }
}

#[test]
fn a_metric_that_never_comes_is_said_to_be_missing() {
    let dir = TestDir::with_duel(ONE_ROUND);
    let line = ["--metric", "first_attack", "--combatant", "bob"];
    let line = [&line[..], &["--set", "combatants.bob.position=50"]].concat();
    for command in ["sensitivity", "knockout"] {
        for how in [["-n", "20"], ["--exact", "--max-states=100"]] {
            let outcome = dir.call_on_duel(command, &[&line[..], &how].concat());
            let said = "No encounter of the fight as it is shows first_attack of bob";
            assert!(outcome.printed().contains(said), "{}", outcome.printed());
        }
    }
}

#[test]
fn where_a_number_can_go_one_way_only_the_fight_as_it_is_takes_part() {
    let text = DUEL.replace(
        "armor = 1\nhealth = 20\nweapons = [\"sword\"]",
        "armor = 0\nhealth = 1\nweapons = [\"sword\"]",
    );
    let dir = TestDir::with_duel(&text);
    let rows = effects(&dir, &["-n", "600"]);
    let armor = row(&rows, "key", "combatants.knight.armor");
    assert_eq!((cell(armor, "from"), cell(armor, "to")), ("0", "1"));
    assert_eq!(cell(armor, "last"), "", "it cannot be less than 0");
    let health = row(&rows, "key", "combatants.knight.health");
    assert_eq!((cell(health, "from"), cell(health, "to")), ("1", "2"));
    let step = number(health, "mean_to") - number(health, "mean_from");
    assert!((number(health, "effect") - step).abs() < 1e-9);
}

/// Both combatants are the same but for names: a change helps the one as much as it hurts the other.
#[test]
fn mirror_images_are_worth_the_same() {
    let rows = effects(&TestDir::with_duel(DUEL), &["-n", "6000"]);
    for (one, other) in [
        ("combatants.knight.evade", "combatants.raider.evade"),
        ("combatants.knight.health", "combatants.raider.health"),
        ("weapons.sword.damage", "weapons.spear.damage"),
    ] {
        let (one, other) = (row(&rows, "key", one), row(&rows, "key", other));
        let gap = number(one, "effect") + number(other, "effect");
        let se = number(one, "se").hypot(number(other, "se"));
        assert!(gap.abs() < 4.0 * se, "{gap} with a standard error of {se}");
    }
}

#[test]
fn pairs_know_more_than_two_runs() {
    let rows = effects(&TestDir::with_duel(DUEL), &["-n", "2000"]);
    let row = row(&rows, "key", "combatants.knight.health");
    let rate = number(row, "mean_from");
    // The standard error of the difference of two independent rates near this one.
    let apart = (2.0 * rate * (1.0 - rate) / 2000.0).sqrt();
    assert!(
        number(row, "se") < 0.6 * apart,
        "{} against {apart}",
        number(row, "se")
    );
}

#[test]
fn a_ranking_with_bars() {
    let dir = TestDir::with_duel(DUEL);
    let outcome = dir.call_on_duel("sensitivity", &["-n", "500", "--side", "coast"]);
    assert_snapshot!(outcome.printed(), @"
A duel
as written: what 1 more of each number is worth, 500 encounters of each fight

win_rate of coast

1 more of knight.armor costs coast 24 points of win rate (20 to 28). No number does more; 11 others make a difference. Worth nothing (no difference in this metric in any encounter): knight.move; raider.move. Not told apart from chance: raider.attributes.agility; raider.attributes.intellect.

as it is: 52% (48% to 57%)

number                         value  worth  95% interval
makes a difference
  knight.armor                     1    -24    -28 to -20  ███████│
  raider.armor                     1    +18    +15 to +22         │█████
  weapons.sword.damage         1d6+2    -17    -21 to -14    █████│
  knight.evade                    16    -13    -16 to -10     ████│
  weapons.spear.damage         1d6+2    +12     +9 to +16         │████
  weapons.sword.check.bonus        6    -12     -15 to -9      ███│
  raider.evade                    16    +10     +8 to +13         │███
  weapons.spear.check.bonus        6     +8     +6 to +11         │██
  knight.health                   20     -5      -7 to -3        █│
  raider.health                   20   +4.2  +2.4 to +6.3         │█
the last point was worth something else (below)
  knight.attributes.agility       10      0  -0.7 to +0.7         │
  knight.attributes.intellect     10      0  -0.7 to +0.7         │
not told apart from chance
  raider.attributes.agility       10   +1.2  +0.1 to +2.6         │█
  raider.attributes.intellect     10   +1.2  +0.1 to +2.6         │█
no difference in this metric in any encounter
  knight.move                     10      0  -0.7 to +0.7         │
  raider.move                     10      0  -0.7 to +0.7         │

worth of the last point and of the next one
  knight.attributes.agility: 9 to 10 -2.2 (-3.9 to -0.8), 10 to 11 0
  knight.attributes.intellect: 9 to 10 -2.2 (-3.9 to -0.8), 10 to 11 0

expect about 0.7 of these 14 intervals to miss (each is 95%)
the differences are certain at 95% for all numbers together (Holm)

left out: 2 changes
  no attack of castle in any encounter: knight.position +1
  no attack of coast in any encounter: raider.position +1
");
    let line = ["-n", "200", "--metric", "rounds", "--format", "markdown"];
    assert_snapshot!(dir.call_on_duel("sensitivity", &line).printed(), @"
# A duel

as written: what 1 more of each number is worth, 200 encounters of each fight

## rounds

1 more of weapons.spear.damage lowers rounds by 0.72 (0.54 to 0.90). No number does more; 9 others make a difference. Worth nothing (no difference in this metric in any encounter): 6 numbers.

as it is: 6.3 (6.0 to 6.5)

| number | value | worth | 95% interval |
| --- | ---: | ---: | ---: |
| **makes a difference** |  |  |  |
| weapons.spear.damage | 1d6+2 | -0.72 | -0.90 to -0.54 |
| weapons.sword.damage | 1d6+2 | -0.65 | -0.80 to -0.49 |
| knight.armor | 1 | +0.62 | +0.48 to +0.76 |
| raider.armor | 1 | +0.54 | +0.40 to +0.69 |
| knight.evade | 16 | +0.40 | +0.26 to +0.53 |
| weapons.spear.check.bonus | 6 | -0.35 | -0.50 to -0.21 |
| raider.evade | 16 | +0.35 | +0.22 to +0.49 |
| weapons.sword.check.bonus | 6 | -0.34 | -0.48 to -0.22 |
| knight.health | 20 | +0.14 | +0.06 to +0.22 |
| raider.health | 20 | +0.12 | +0.06 to +0.20 |
| **no difference in this metric in any encounter** |  |  |  |
| knight.attributes.agility | 10 | 0 | -0.9 to +0.9 |
| knight.attributes.intellect | 10 | 0 | -0.9 to +0.9 |
| knight.move | 10 | 0 | -0.9 to +0.9 |
| raider.attributes.agility | 10 | 0 | -0.9 to +0.9 |
| raider.attributes.intellect | 10 | 0 | -0.9 to +0.9 |
| raider.move | 10 | 0 | -0.9 to +0.9 |

expect about 0.5 of these 10 intervals to miss (each is 95%)
the differences are certain at 95% for all numbers together (Holm)

left out: 2 changes
- no attack of castle in any encounter: knight.position +1
- no attack of coast in any encounter: raider.position +1
");
}

#[test]
fn a_group_is_changed_as_a_whole() {
    let text = DUEL.replace("name = \"raider\"", "name = \"raider\"\ncount = 2");
    let rows = effects(&TestDir::with_duel(&text), &["-n", "100"]);
    assert_eq!(
        cell(row(&rows, "key", "combatants.raider.health"), "value"),
        "20"
    );
    assert!(
        rows.iter()
            .all(|row| cell(row, "key") != "combatants.raider.count")
    );
}

#[test]
fn where_nothing_makes_a_difference_no_interval_is_spoken_of() {
    let line = ["-n", "100", "--set", "weapons.club.reach=3"];
    let outcome = TestDir::with_duel(SURE).call_on_duel("sensitivity", &line);
    let text = outcome.printed();
    assert!(
        text.contains("no difference in this metric in any encounter"),
        "{text}"
    );
    assert!(!text.contains("expect about"), "{text}");
    assert!(!text.contains("are certain"), "{text}");
}

#[test]
fn threads_change_nothing_that_is_written() {
    let dir = TestDir::with_duel(DUEL);
    let written = |threads| {
        let line = ["-n", "700", "--format", "json", "--threads", threads];
        let printed = dir.call_on_duel("sensitivity", &line);
        (printed.printed(), dir.read("results/duel/sensitivity.csv"))
    };
    assert_eq!(written("3"), written("1"));
}

#[test]
fn a_variant_has_numbers_of_its_own() {
    let dir = TestDir::with_duel(DUEL);
    let rows = effects(&dir, &["-n", "50", "--variant", "armoured"]);
    let armor = row(&rows, "key", "combatants.knight.armor");
    let values = ["value", "from", "to"].map(|column| cell(armor, column));
    assert_eq!(values, ["3", "3", "4"]);
    let manifest = dir.json("results/duel/sensitivity.manifest.json");
    assert_eq!(manifest["variants"][0]["name"], "armoured");
    assert_eq!(
        manifest["variants"][0]["changes"]["combatants.knight.armor"],
        "3"
    );
}

#[test]
fn what_is_wrong_is_said_before_anything_is_played() {
    let dir = TestDir::with_duel(DUEL);
    let refused = |arguments: &[&str]| dir.call_on_duel("sensitivity", arguments).errors();
    assert_snapshot!(refused(&["--metric", "standing"]), @"
error: `standing` is a curve: it has no mean; write another, such as `win_rate`
");
    assert_snapshot!(refused(&["--side", "cost"]), @"
error: no side is called `cost`: did you mean `coast`?
");
    assert_snapshot!(refused(&["--variant", "armored"]), @r#"
error: the scenario has no variant "armored"
 |
 = help: did you mean "armoured"?
"#);
    assert_snapshot!(refused(&["--set", "combatants.knight.health=0"]), @"
error: `health` is out of range
 --> --set:1:26
  |
1 | combatants.knight.health=0
  |                          ^ expected a whole number from 1 to 1000000
");
    assert!(!dir.path("results").exists(), "nothing is left behind");
}

#[test]
fn an_interrupted_sensitivity_writes_nothing_before_the_first_encounters() {
    let dir = TestDir::with_duel(DUEL);
    dir.stop.store(true, Ordering::Relaxed);
    let outcome = dir.call_on_duel("sensitivity", &["-n", "50"]);
    outcome.assert_nothing_written();
    assert!(!dir.path("results").exists());
}

/// A trait of a mage counts in every pool that includes it, and in initiative.
#[test]
fn md_4_a_trait_is_worth_what_all_pools_made_of_it_are_worth() {
    let text = r#"
system = "mage"
[encounter]
max_rounds = 20
[weapons.sword]
kind = "melee"
check = { pool = "dexterity + brawl" }
damage = 3
[weapons.club]
kind = "melee"
check = { pool = 5 }
damage = 3
[[combatants]]
name = "mage"
side = "castle"
position = 0
attributes = { dexterity = 3, wits = 2, stamina = 2 }
skills = { brawl = 2, athletics = 1 }
weapons = ["sword"]
policy = ["attack"]
[[combatants]]
name = "raider"
side = "raiders"
position = 0
attributes = { dexterity = 3, wits = 2, stamina = 2 }
weapons = ["club"]
policy = ["attack"]
"#;
    let dir = TestDir::with_duel(text);
    let rows = effects(&dir, &["-n", "2000"]);
    let interval = |key: &str| {
        let row = row(&rows, "key", key);
        (number(row, "ci_low"), number(row, "ci_high"))
    };
    // Both add a die; Dexterity also improves initiative.
    let (dexterity, brawl) = (
        "combatants.mage.attributes.dexterity",
        "combatants.mage.skills.brawl",
    );
    assert!(interval(dexterity).0 > 0.0, "{:?}", interval(dexterity));
    assert!(interval(brawl).0 > 0.0, "{:?}", interval(brawl));
    let effect = |key: &str| number(row(&rows, "key", key), "effect");
    assert!(effect(dexterity) > effect(brawl));
    // The raider's pool is a number, so Dexterity affects only its initiative.
    let raider = "combatants.raider.attributes.dexterity";
    assert!(effect(raider) > -effect(brawl), "{}", effect(raider));
    // No pool includes Athletics.
    let athletics = row(&rows, "key", "combatants.mage.skills.athletics");
    assert_eq!(cell(athletics, "effect"), "0");
}
