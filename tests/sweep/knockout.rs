//! `skirmish knockout`: what each policy line, each piece of gear, each ruling and each number is worth.

use super::{DUEL, Room, cell, rows};
use insta::assert_snapshot;
use rayon::prelude::*;
use skirmish::cli::Exit;
use skirmish::scenario::Scenario;
use skirmish::task::{Answer, Context, Files, Measure, Question, Source, Task};
use std::sync::atomic::Ordering;

type Row = Vec<(String, String)>;

const SPARE: &str = include_str!("../../scenarios/spare-lines.toml");

fn effects(room: &Room, arguments: &[&str]) -> Vec<Row> {
    room.skirmish("knockout", arguments).printed();
    rows(&room.written("knockout.csv"))
}

fn row<'a>(rows: &'a [Row], change: &str) -> &'a Row {
    rows.iter()
        .find(|row| cell(row, "change") == change)
        .unwrap_or_else(|| panic!("no row of {change}"))
}

/// The changes of a scenario: name, keys that are set, and lines that go with it; or why it cannot be made.
fn changes(text: &str) -> String {
    let loaded = Scenario::parse("fight.toml", text, &[]).expect("a scenario");
    let changes = loaded.document.changes("base").expect("changes");
    let told = changes
        .all
        .iter()
        .filter(|change| !change.key.starts_with("rules.") && change.kind.name() != "number");
    let told = told.map(|change| {
        let keys: Vec<&str> = { change.overrides().iter() }
            .map(|(key, _)| key.as_str())
            .collect();
        let without = match change.without.join("; ") {
            lines if lines.is_empty() => lines,
            lines => format!(", without {lines}"),
        };
        format!(
            "{} {}: sets {}{without}{}",
            change.kind.name(),
            change.name(),
            keys.join(", "),
            change.reason
        )
    });
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn lines_and_gear_are_taken_away_with_the_lines_that_need_them() {
    assert_snapshot!(changes(SPARE), @"
    line fencer: without line 1, use potion if health_percent <= 50: sets policies.fencer
    line fencer: without line 2, attack: sets policies.fencer
    line fencer: without line 3, set if in_melee and not ready: sets policies.fencer
    line fencer: without line 4, advance: sets policies.fencer
    line fencer: without line 5, retreat 5 if distance > 30: sets policies.fencer
    line fencer: without line 6, pass: sets policies.fencer
    line guard: without line 1, attack: sets combatants.guard.policy
    line guard: without line 2, set if in_melee and not ready: sets combatants.guard.policy
    line guard: without line 3, advance: sets combatants.guard.policy
    weapon fencer: without rapier: sets combatants.fencer.weapons
    weapon fencer: without dagger: sets combatants.fencer.weapons
    item fencer: without potion: sets combatants.fencer.items, combatants.fencer.policy, without line 1, use potion if health_percent <= 50
    weapon guard: without axe: sets combatants.guard.weapons, combatants.guard.policy, without line 1, attack
    ");
}

/// A fight with a bit of everything that can be taken away.
const RICH: &str = r#"
system = "tara-corax"

[encounter.hazards.fire]
stretch = [0, 30]
effects = [{ damage = "1d4" }, { condition = "dazed", lasts = 1 }]

[encounter.ground.mud]
stretch = [0, 5]
modifies = { evade = -1 }

[encounter.goals.relief]
wins = "castle"
round = 9

[conditions.dazed]
modifies = { evade = -2 }

[conditions.shaken]
modifies = { attack = -1 }

[conditions.unused]
modifies = { attack = -1 }

[weapons.sword]
kind = "melee"
check = { dice = "2d10", bonus = 6 }
damage = "1d6+2"
effects = [{ condition = "dazed", lasts = 1 }]

[weapons."long bow"]
kind = "ranged"
range = 30
check = { dice = "2d10", bonus = 6 }
damage = "1d6+2"

[spells.bolt]
casting_time = 15
range = 30
damage = "1d6"

[[combatants]]
name = "the knight"
side = "castle"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 16
health = 20
weapons = ["sword", "long bow"]
undrawn = ["long bow"]
abilities = ["counter", "frenzied-charge"]
spells = ["bolt"]
policy = "both"

[[combatants]]
name = "squire"
side = "castle"
position = 0
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 16
health = 20
weapons = ["sword", "long bow"]
undrawn = ["long bow"]
abilities = ["frenzied-charge"]
spells = ["bolt"]
policy = "both"

[[combatants]]
name = "raider"
side = "coast"
position = 12
attributes = { agility = 10, intellect = 10 }
move = 10
evade = 16
health = 20
weapons = ["sword"]
morale = { when = "half_side_down", check = { dice = "2d10" }, needs = 12, condition = "shaken" }
policy = ["attack"]

[policies]
both = [
  "cast bolt if distance > 5",
  "charge with sword",
  "draw 'long bow' if not in_hand.'long bow' and distance > 40",
  "attack if not has mud",
  "attack if target.has dazed",
  "advance",
]
"#;

#[test]
fn a_policy_that_several_follow_changes_for_the_one_that_lost_something() {
    assert_snapshot!(changes(RICH), @"");
}

#[test]
fn planted_lines_are_useless_or_essential_whatever_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("spare-lines.toml");
    std::fs::write(&file, SPARE).unwrap();
    let measure = Measure {
        variant: "base".to_owned(),
        metric: vec!["win_rate".to_owned()],
        side: None,
        combatant: None,
    };
    let answer = |seed: u64| -> Vec<[String; 2]> {
        let task = Task {
            seed,
            ..Task::new(Question::Knockout(measure.clone()), 120.try_into().unwrap())
        };
        let inputs = vec![Files.input(&file, &[]).unwrap()];
        let prepared = task.prepare(inputs).unwrap();
        let played = prepared.play(&Context::new(&Files)).unwrap();
        let results = prepared.results(played, false);
        assert!(matches!(results.answer, Answer::Knockout(_)));
        let mut csv = Vec::new();
        results.answer.csv(&mut csv, true).unwrap();
        let rows = rows(&String::from_utf8(csv).unwrap());
        let cells = rows
            .iter()
            .map(|row| ["change", "verdict"].map(|key| cell(row, key).to_owned()));
        cells.collect()
    };
    let seeds: Vec<u64> = (1..=100).collect();
    seeds.par_iter().for_each(|&seed| {
        let rows = answer(seed);
        for (change, verdict) in [
            ("fencer: without line 5, retreat 5 if distance > 30", "none"),
            ("fencer: without line 6, pass", "none"),
            ("fencer: without dagger", "none"),
            ("fencer: without line 2, attack", "difference"),
            ("guard: without line 1, attack", "difference"),
            ("fencer: without rapier", "difference"),
        ] {
            let row = rows.iter().find(|row| row[0] == change).unwrap();
            assert_eq!(row[1], verdict, "{change} with seed {seed}");
        }
    });
}

/// The row's `set` gives the second fight to `run`, on the same dice.
#[test]
fn a_change_is_what_its_overrides_do() {
    let room = Room::with(SPARE);
    let effects = effects(&room, &["-n", "300"]);
    let mut run = 0;
    for change in [
        "fencer: without line 1, use potion if health_percent <= 50",
        "fencer: without potion",
        "guard: without axe",
        "rules.hit = beat",
        "rules.carry_over = any",
        "guard.armor +1",
        "rules.costs.full +1",
    ] {
        let row = row(&effects, change);
        let set = cell(row, "set").replace('\'', "");
        let words: Vec<&str> = set.split("--set ").skip(1).map(str::trim).collect();
        let sets: Vec<&str> = words.iter().flat_map(|word| ["--set", word]).collect();
        let line = [&["-n", "300", "--variant", "base"], &sets[..]].concat();
        room.skirmish("run", &line).printed();
        let summary = rows(&room.written("summary.csv"));
        let wins = summary
            .iter()
            .find(|row| cell(row, "metric") == "win_rate")
            .unwrap();
        assert_eq!(
            cell(wins, "mean"),
            cell(row, "mean_to"),
            "{change}: {sets:?}"
        );
        run += 1;
    }
    assert_eq!(run, 7);
}

#[test]
fn numbers_are_those_of_a_sensitivity() {
    let room = Room::new();
    let line = ["-n", "200", "--metric", "win_rate", "--metric", "rounds"];
    let all = effects(&room, &line);
    room.skirmish("sensitivity", &line).printed();
    let numbers = rows(&room.written("sensitivity.csv"));
    assert_eq!(numbers.len(), 2 * 18);
    for number in &numbers {
        let same = |row: &&Row| {
            let is = |key| cell(row, key) == cell(number, key);
            cell(row, "kind") == "number" && is("key") && is("metric")
        };
        let row = all.iter().find(same).expect("the number");
        for (one, other) in [
            ("from", "less"),
            ("to", "more"),
            ("mean_from", "mean_less"),
            ("mean_to", "mean_more"),
            ("effect", "effect"),
            ("ci_low", "ci_low"),
            ("p_value", "p_value"),
        ] {
            assert_eq!(cell(row, one), cell(number, other), "{row:?}");
        }
    }
    // More is asked, so that more must hold together.
    let p = |row: &Row, key| cell(row, key).parse::<f64>().unwrap();
    let armor = row(&all, "knight.armor +1");
    assert!(p(armor, "p_adjusted") > 30.0 * p(armor, "p_value"));
}

/// The metric may be the same in every encounter while others are not.
#[test]
fn no_difference_in_any_encounter_is_said_of_everything_that_is_measured() {
    let text = SPARE.replace("\"pass\",", "\"wait 1 if not in_melee\",");
    let room = Room::with(&text);
    let effects = effects(&room, &["-n", "200", "--metric", "mutual_rate"]);
    let verdict = |change| cell(row(&effects, change), "verdict").to_owned();
    assert_eq!(
        verdict("fencer: without line 5, retreat 5 if distance > 30"),
        "none"
    );
    // Nobody falls together with another, but the fight is another.
    let potion = row(&effects, "fencer: without potion");
    assert_eq!(cell(potion, "effect"), "0");
    assert_eq!(cell(potion, "verdict"), "unclear");
}

#[test]
fn a_ranking_of_everything() {
    let room = Room::with(SPARE);
    let outcome = room.skirmish("knockout", &["-n", "1000"]);
    assert_snapshot!(outcome.printed(), @"");
    let line = ["-n", "300", "--metric", "rounds", "--format", "markdown"];
    assert_snapshot!(room.skirmish("knockout", &line).printed(), @"");
}

#[test]
fn threads_change_nothing_that_is_written() {
    let room = Room::new();
    let written = |threads| {
        let line = ["-n", "300", "--format", "json", "--threads", threads];
        let printed = room.skirmish("knockout", &line);
        (printed.printed().to_owned(), room.written("knockout.csv"))
    };
    assert_eq!(written("3"), written("1"));
}

#[test]
fn a_variant_is_changed_and_not_the_base() {
    let room = Room::with(SPARE);
    let rows = effects(&room, &["-n", "50", "--variant", "four lines"]);
    let lines = rows.iter().filter(|row| cell(row, "kind") == "line");
    assert_eq!(lines.count(), 4 + 3);
}

#[test]
fn a_knockout_that_is_wrong_is_refused_before_anything_is_played() {
    let room = Room::new();
    let refused = |arguments: &[&str]| room.skirmish("knockout", arguments).refused();
    assert_snapshot!(refused(&["--side", "cost"]), @"
    error: no side is called `cost`: did you mean `coast`?
    ");
    assert_snapshot!(refused(&["--variant", "armored"]), @r#"
    error: the scenario has no variant "armored"
     |
     = help: did you mean "armoured"?
    "#);
    assert_snapshot!(refused(&["--metric", "standing"]), @"
    error: --metric standing: a curve has no mean that could be shown; write another, such as `win_rate`
    ");
    assert!(!room.results().exists(), "nothing is left behind");
}

#[test]
fn an_interrupted_knockout_writes_nothing_before_the_first_encounters() {
    let room = Room::new();
    room.stop.store(true, Ordering::Relaxed);
    let outcome = room.skirmish("knockout", &["-n", "50"]);
    assert_eq!(outcome.result.unwrap(), Exit::Interrupted);
    assert!(
        outcome.err.contains("nothing was written"),
        "{}",
        outcome.err
    );
    assert!(!room.results().exists());
}

/// What is kept is the result of a run of that many encounters.
#[test]
fn an_interrupted_knockout_keeps_the_encounters_that_all_fights_have_played() {
    use super::command::Interrupting;
    let room = Room::with(DUEL);
    let source = Interrupting {
        stop: &room.stop,
        health: 21,
    };
    let line = ["-n", "5000", "--threads", "1"];
    let outcome = room.skirmish_with(&source, "knockout", &line);
    assert_eq!(outcome.result.unwrap(), Exit::Interrupted);
    assert!(outcome.out.contains(" (interrupted)"), "{}", outcome.out);
    let kept = rows(&room.written("knockout.csv"));
    let n = cell(&kept[0], "n").to_owned();
    assert!(n.parse::<u64>().unwrap() < 5000, "{n}");
    let manifest: serde_json::Value =
        serde_json::from_str(&room.written("knockout.manifest.json")).expect("JSON");
    assert_eq!(manifest["interrupted"], true);
    room.stop.store(false, Ordering::Relaxed);
    assert_eq!(effects(&room, &["-n", &n]), kept);
}
