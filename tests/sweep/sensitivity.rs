//! `skirmish sensitivity`: what 1 more of each number is worth.

use super::{DUEL, Room, cell, rows};
use insta::assert_snapshot;
use skirmish::cli::Exit;
use skirmish::scenario::Scenario;
use std::sync::atomic::Ordering;

type Row = Vec<(String, String)>;

/// The effects on the castle's win rate, in the order of the file.
fn effects(room: &Room, arguments: &[&str]) -> Vec<Row> {
    room.skirmish("sensitivity", arguments).printed();
    rows(&room.written("sensitivity.csv"))
}

fn row<'a>(rows: &'a [Row], key: &str) -> &'a Row {
    rows.iter()
        .find(|row| cell(row, "key") == key)
        .unwrap_or_else(|| panic!("no row of {key}"))
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
            let side = |side: &Option<(String, _)>| match side {
                Some((value, _)) => value.clone(),
                None => "-".to_owned(),
            };
            let (less, more) = (side(&number.less), side(&number.more));
            format!("{}: {less} < {} < {more}", number.key, number.value)
        })
        .collect();
    assert_snapshot!(text.join("\n"), @"");
}

#[test]
fn signs_are_as_they_must_be() {
    let room = Room::new();
    let rows = effects(&room, &["-n", "4000"]);
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
        let row = row(&rows, key);
        let (low, high) = (number(row, "ci_low"), number(row, "ci_high"));
        let certain = if better { low > 0.0 } else { high < 0.0 };
        assert!(certain, "{key}: {low} to {high}");
        assert!(number(row, "p_adjusted") < 0.001, "{key}");
    }
    // They stand toe to toe: nobody has to walk.
    for key in ["combatants.knight.move", "combatants.raider.move"] {
        let row = row(&rows, key);
        assert_eq!(cell(row, "effect"), "0");
        assert_eq!(cell(row, "p_value"), "1");
    }
}

/// Wilson's interval belongs to the values, that of the difference to the pairs.
#[test]
fn an_effect_is_half_the_difference_of_two_points_of_a_sweep() {
    let room = Room::new();
    let line = ["-n", "1500", "--metric", "win_rate", "--metric", "rounds"];
    let effects = effects(&room, &line);
    for (key, values) in [
        ("combatants.knight.evade", "15,17"),
        ("combatants.raider.health", "19,21"),
        ("weapons.sword.damage", "1d6+1,1d6+3"),
        ("weapons.spear.check.bonus", "5,7"),
    ] {
        let vary = format!("{key}={values}");
        room.skirmish("sweep", &[&["--vary", &vary], &line[..]].concat())
            .printed();
        let sweep = rows(&room.written("sweep.csv"));
        for (metric, subject) in [("win_rate", "castle"), ("rounds", "encounter")] {
            let mut points = sweep
                .iter()
                .filter(|row| cell(row, "metric") == metric && cell(row, "subject") == subject);
            let (less, more) = (points.next().unwrap(), points.next().unwrap());
            let effect = effects
                .iter()
                .find(|row| cell(row, "key") == key && cell(row, "metric") == metric)
                .unwrap();
            assert_eq!(cell(effect, "mean_less"), cell(less, "mean"), "{key}");
            assert_eq!(cell(effect, "mean_more"), cell(more, "mean"), "{key}");
            assert_eq!(cell(effect, "less"), cell(less, "value1"), "{key}");
            assert_eq!(cell(effect, "more"), cell(more, "value1"), "{key}");
            let half = (number(more, "mean") - number(less, "mean")) / 2.0;
            assert!((number(effect, "effect") - half).abs() < 1e-9, "{key}");
        }
    }
}

#[test]
fn where_a_number_can_go_one_way_only_the_fight_as_it_is_takes_part() {
    let text = DUEL.replace(
        "armor = 1\nhealth = 20\nweapons = [\"sword\"]",
        "armor = 0\nhealth = 1\nweapons = [\"sword\"]",
    );
    let room = Room::with(&text);
    let rows = effects(&room, &["-n", "600"]);
    let armor = row(&rows, "combatants.knight.armor");
    assert_eq!((cell(armor, "less"), cell(armor, "more")), ("0", "1"));
    let health = row(&rows, "combatants.knight.health");
    assert_eq!((cell(health, "less"), cell(health, "more")), ("1", "2"));
    let step = number(health, "mean_more") - number(health, "mean_less");
    assert!(
        (number(health, "effect") - step).abs() < 1e-9,
        "one step, so no half"
    );
}

/// Both fights are the same but for names: what helps the one hurts the other as much.
#[test]
fn mirror_images_are_worth_the_same() {
    let rows = effects(&Room::new(), &["-n", "6000"]);
    for (one, other) in [
        ("combatants.knight.evade", "combatants.raider.evade"),
        ("combatants.knight.health", "combatants.raider.health"),
        ("weapons.sword.damage", "weapons.spear.damage"),
    ] {
        let (one, other) = (row(&rows, one), row(&rows, other));
        let gap = number(one, "effect") + number(other, "effect");
        let se = number(one, "se").hypot(number(other, "se"));
        assert!(gap.abs() < 4.0 * se, "{gap} with a standard error of {se}");
    }
}

#[test]
fn pairs_know_more_than_two_runs() {
    let rows = effects(&Room::new(), &["-n", "2000"]);
    let row = row(&rows, "combatants.knight.health");
    let rate = number(row, "mean_less");
    // Half the difference of two independent rates near this one.
    let apart = (2.0 * rate * (1.0 - rate) / 2000.0).sqrt() / 2.0;
    assert!(
        number(row, "se") < 0.6 * apart,
        "{} against {apart}",
        number(row, "se")
    );
}

#[test]
fn a_ranking_with_bars() {
    let room = Room::new();
    let outcome = room.skirmish("sensitivity", &["-n", "500", "--side", "coast"]);
    assert_snapshot!(outcome.printed(), @"");
    let line = ["-n", "200", "--metric", "rounds", "--format", "markdown"];
    assert_snapshot!(room.skirmish("sensitivity", &line).printed(), @"");
}

#[test]
fn a_group_is_changed_as_a_whole() {
    let text = DUEL.replace("name = \"raider\"", "name = \"raider\"\ncount = 2");
    let rows = effects(&Room::with(&text), &["-n", "100"]);
    assert_eq!(cell(row(&rows, "combatants.raider.health"), "value"), "20");
    assert!(
        rows.iter()
            .all(|row| cell(row, "key") != "combatants.raider.count")
    );
}

#[test]
fn threads_change_nothing_that_is_written() {
    let room = Room::new();
    let written = |threads| {
        let line = ["-n", "700", "--format", "json", "--threads", threads];
        let printed = room.skirmish("sensitivity", &line);
        (
            printed.printed().to_owned(),
            room.written("sensitivity.csv"),
        )
    };
    assert_eq!(written("3"), written("1"));
}

#[test]
fn a_variant_has_numbers_of_its_own() {
    let room = Room::new();
    let rows = effects(&room, &["-n", "50", "--variant", "armoured"]);
    let armor = row(&rows, "combatants.knight.armor");
    let values = ["less", "value", "more"].map(|column| cell(armor, column));
    assert_eq!(values, ["2", "3", "4"]);
    let manifest: serde_json::Value =
        serde_json::from_str(&room.written("sensitivity.manifest.json")).expect("JSON");
    assert_eq!(manifest["variants"][0]["name"], "armoured");
    assert_eq!(
        manifest["variants"][0]["changes"]["combatants.knight.armor"],
        "3"
    );
}

#[test]
fn what_is_wrong_is_said_before_anything_is_played() {
    let room = Room::new();
    let refused = |arguments: &[&str]| room.skirmish("sensitivity", arguments).refused();
    assert_snapshot!(refused(&["--metric", "standing"]), @"");
    assert_snapshot!(refused(&["--side", "cost"]), @"");
    assert_snapshot!(refused(&["--variant", "armored"]), @"");
    assert_snapshot!(refused(&["--set", "combatants.knight.health=0"]), @"");
    assert!(!room.results().exists(), "nothing is left behind");
}

#[test]
fn an_interrupted_sensitivity_writes_nothing_before_the_first_number() {
    let room = Room::new();
    room.stop.store(true, Ordering::Relaxed);
    let outcome = room.skirmish("sensitivity", &["-n", "50"]);
    assert_eq!(outcome.result.unwrap(), Exit::Interrupted);
    assert!(
        outcome.err.contains("nothing was written"),
        "{}",
        outcome.err
    );
    assert!(!room.results().exists());
}
