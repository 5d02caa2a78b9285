//! `skirmish knockout`: the effect of each policy line, each piece of gear, each ruling and each number.

use super::{DUEL, cell, row};
use crate::support::fights::loaded;
use crate::support::{Row, TestDir, rows};
use insta::assert_snapshot;
use rayon::prelude::*;
use skirmish::cli::Exit;
use skirmish::task::{Answer, Context, Files, Measure, Question, Source, Task};
use std::sync::atomic::Ordering;

const SPARE: &str = include_str!("../../scenarios/spare-lines.toml");

fn effects(dir: &TestDir, arguments: &[&str]) -> Vec<Row> {
    super::effects(dir, "knockout", arguments)
}

/// Returns the changes of a scenario: name, keys to set, and lines that go with them; or the reason why a change cannot
/// be made.
fn changes(text: &str) -> String {
    let loaded = loaded(text, &[]);
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

/// A fight with one thing of each kind that can be taken away.
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
morale = { when = "half_side_down", check = { dice = "2d10" }, needs = 12, condition = "shaken", lasts = 3 }
policy = ["attack"]

[policies]
both = [
  "cast bolt if distance > 5",
  "charge with sword if distance > 2",
  "draw 'long bow' if not in_hand.'long bow' and round > 2",
  "attack if not has mud",
  "attack if target.has dazed",
  "advance",
]
"#;

#[test]
fn a_policy_that_several_follow_changes_for_the_one_that_lost_something() {
    assert_snapshot!(changes(RICH), @r#"
    line both: without line 1, cast bolt if distance > 5: sets policies.both
    line both: without line 2, charge with sword if distance > 2: sets policies.both
    line both: without line 3, draw 'long bow' if not in_hand.'long bow' and round > 2: sets policies.both
    line both: without line 4, attack if not has mud: sets policies.both
    line both: without line 5, attack if target.has dazed: sets policies.both
    line both: without line 6, advance: sets policies.both
    line raider: without line 1, attack: sets combatants.raider.policy
    weapon the knight: without sword: sets combatants."the knight".weapons, combatants."the knight".policy, without line 2, charge with sword if distance > 2
    weapon the knight: without long bow: sets combatants."the knight".weapons, combatants."the knight".undrawn, combatants."the knight".policy, without line 3, draw 'long bow' if not in_hand.'long bow' and round > 2
    spell the knight: without bolt: sets combatants."the knight".spells, combatants."the knight".policy, without line 1, cast bolt if distance > 5
    ability the knight: without counter: sets combatants."the knight".abilities
    ability the knight: without frenzied-charge: sets combatants."the knight".abilities, combatants."the knight".policy, without line 2, charge with sword if distance > 2
    weapon squire: without sword: sets combatants.squire.weapons, combatants.squire.policy, without line 2, charge with sword if distance > 2
    weapon squire: without long bow: sets combatants.squire.weapons, combatants.squire.undrawn, combatants.squire.policy, without line 3, draw 'long bow' if not in_hand.'long bow' and round > 2
    spell squire: without bolt: sets combatants.squire.spells, combatants.squire.policy, without line 1, cast bolt if distance > 5
    ability squire: without frenzied-charge: sets combatants.squire.abilities, combatants.squire.policy, without line 2, charge with sword if distance > 2
    weapon raider: without sword: sets combatants.raider.weapons, combatants.raider.policy, without line 1, attack
    ability raider: without morale: sets combatants.raider.morale
    condition without condition dazed: sets weapons.sword.effects, encounter.hazards.fire.effects
    condition without condition shaken: sets combatants.raider.morale
    hazard without hazard fire: sets encounter.hazards
    ground without ground mud: sets encounter.ground.mud.stretch
    goal without goal relief: sets encounter.goals
    "#);
}

/// A remark and a search count the marks of a block too.
#[test]
fn lines_have_the_numbers_of_the_file() {
    let blocks = RICH.replace(
        r#"  "cast bolt if distance > 5",
  "charge with sword if distance > 2","#,
        r#"  "any order {", "cast bolt if distance > 5", "charge with sword if distance > 2", "}","#,
    );
    assert_ne!(blocks, RICH);
    let changes = changes(&blocks);
    for line in [
        "both: without line 2, cast bolt if distance > 5",
        "both: without line 5, draw 'long bow'",
        "without line 3, charge with sword if distance > 2",
    ] {
        assert!(changes.contains(line), "{line}: {changes}");
    }
}

#[test]
fn planted_lines_are_useless_or_essential_whatever_the_seed() {
    let dir = TestDir::empty();
    let file = dir.path("spare-lines.toml");
    std::fs::write(&file, SPARE).unwrap();
    let measure = Measure {
        variant: "base".to_owned(),
        metric: vec!["win_rate".to_owned()],
        side: None,
        combatant: None,
        outcome: None,
    };
    let answer = |seed: u64| -> Vec<[String; 2]> {
        let task = Task {
            seed,
            ..Task::new(Question::Knockout(measure.clone()), 120.try_into().unwrap())
        };
        let inputs = vec![Files.input(&file, &[]).unwrap()];
        let prepared = task.prepare(inputs).unwrap();
        let played = prepared.play(&Context::new(&Files)).unwrap();
        let results = prepared.results(played);
        assert!(matches!(results.answer, Answer::Changes(_)));
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
            ("fencer: without line 2, attack", "left out"),
            ("guard: without line 1, attack", "left out"),
            ("fencer: without rapier", "difference"),
        ] {
            let row = rows.iter().find(|row| row[0] == change);
            let found = row.map_or("left out", |row| &row[1]);
            assert_eq!(found, verdict, "{change} with seed {seed}");
        }
    });
}

/// `run` with the `set` of a row plays the second fight on the same dice.
#[test]
fn a_change_is_what_its_overrides_do() {
    let dir = TestDir::with_duel(SPARE);
    let effects = effects(&dir, &["-n", "300"]);
    let mut run = 0;
    for change in [
        "fencer: without line 1, use potion if health_percent <= 50",
        "fencer: without potion",
        "fencer: without rapier",
        "rules.hit = beat",
        "rules.carry_over = any",
        "guard.armor +1",
        "rules.costs.full +1",
    ] {
        let row = row(&effects, "change", change);
        let set = cell(row, "set").replace('\'', "");
        let words: Vec<&str> = set.split("--set ").skip(1).map(str::trim).collect();
        let sets: Vec<&str> = words.iter().flat_map(|word| ["--set", word]).collect();
        let line = [&["-n", "300", "--variant", "base"], &sets[..]].concat();
        dir.call_on_duel("run", &line).printed();
        let summary = dir.rows("results/duel/summary.csv");
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
    let dir = TestDir::with_duel(DUEL);
    let line = ["-n", "200", "--metric", "win_rate", "--metric", "rounds"];
    let all = effects(&dir, &line);
    dir.call_on_duel("sensitivity", &line).printed();
    let numbers = dir.rows("results/duel/sensitivity.csv");
    // All but the positions, which take both out of reach.
    assert_eq!(numbers.len(), 2 * 16);
    for number in &numbers {
        let same = |row: &&Row| {
            let is = |key| cell(row, key) == cell(number, key);
            cell(row, "kind") == "number" && is("key") && is("metric")
        };
        let row = all.iter().find(same).expect("the number");
        for key in [
            "from",
            "to",
            "mean_from",
            "mean_to",
            "effect",
            "ci_low",
            "p_value",
            "last",
        ] {
            assert_eq!(cell(row, key), cell(number, key), "{row:?}");
        }
    }
    // More comparisons require a larger adjustment.
    let p = |row: &Row, key| cell(row, key).parse::<f64>().unwrap();
    let armor = row(&all, "change", "knight.armor +1");
    assert!(p(armor, "p_adjusted") > 20.0 * p(armor, "p_value"));
}

/// The metric may be the same in every encounter while other metrics differ.
#[test]
fn no_difference_in_any_encounter_is_said_of_everything_that_is_measured() {
    let text = SPARE.replace("\"pass\",", "\"wait 1 if not in_melee\",");
    let dir = TestDir::with_duel(&text);
    let effects = effects(&dir, &["-n", "200", "--metric", "timeout"]);
    let verdict = |change| cell(row(&effects, "change", change), "verdict").to_owned();
    assert_eq!(
        verdict("fencer: without line 5, retreat 5 if distance > 30"),
        "none"
    );
    // No encounter hits the limit of Rounds, but the fight changes.
    let potion = row(&effects, "change", "fencer: without potion");
    assert_eq!(cell(potion, "effect"), "0");
    assert_eq!(cell(potion, "verdict"), "unclear");
}

#[test]
fn a_ranking_of_everything() {
    let dir = TestDir::with_duel(SPARE);
    let outcome = dir.call_on_duel("knockout", &["-n", "1000"]);
    assert_snapshot!(outcome.printed(), @"
    Spare lines
    as written: what each change is worth, 1,000 encounters of each fight

    win_rate of guests

    Taking rapier from fencer costs guests 43 points of win rate (39 to 46). No change does more; 21 others make a difference. Of the policy lines: removing line 1 of fencer, `use potion if health_percent <= 50`, costs guests 12 points of win rate (10 to 15). Of the numbers: 1 more of weapons.axe.attacks costs guests 34 points of win rate (30 to 37). Worth nothing (no difference in any encounter, so in less than 0.3% of all): line 5 of fencer, `retreat 5 if distance > 30`; line 6 of fencer, `pass`. Not told apart from chance: line 4 of fencer, `advance`; line 3 of guard, `advance`; line 3 of fencer, `set if in_melee and not ready`; line 2 of guard, `set if in_melee and not ready`.

    as it is: 43% (40% to 46%)

    change                                        difference    95% interval
    makes a difference
      fencer: without rapier                             -43      -46 to -39  ███████│
      weapons.axe.attacks +1                             -34      -37 to -30    █████│
      weapons.rapier.attacks +1                          +30      +28 to +33         │█████
      guard.armor +1                                     -22      -25 to -20     ████│
      fencer.armor +1                                    +18      +16 to +21         │███
      weapons.rapier.damage +1                           +17      +14 to +19         │███
      fencer.evade +1                                    +17      +14 to +19         │███
      weapons.axe.damage +1                              -15      -17 to -13       ██│
      weapons.axe.check.bonus +1                         -14      -16 to -11       ██│
      fencer: without line 1, use potion if h...         -12      -15 to -10       ██│
      fencer: without potion and 1 line                  -12      -15 to -10       ██│
      guard.evade +1                                    -9.6   -11.6 to -7.7       ██│
      rules.carry_over = any                            +8.5   +6.7 to +10.4         │█
      rules.hit = beat                                    +8       +5 to +10         │█
      weapons.rapier.check.bonus +1                     +7.2    +5.6 to +9.0         │█
      rules.round = simple                                -6        -9 to -4        █│
      rules.initiative.explode = none                   -3.5    -5.4 to -1.7        █│
      guard.health +1                                   -3.4    -4.7 to -2.2        █│
      rules.attack_actions = any                        +2.1    +0.7 to +3.5         │█
      rules.attack_actions +1                           +2.1    +0.7 to +3.5         │█
      fencer.health +1                                  +2.1    +1.1 to +3.2         │█
      items.potion.heal +1                              +2.1    +1.2 to +3.2         │█
    not told apart from chance
      fencer: without line 4, advance                   +1.2    -0.2 to +2.7         │█
      guard: without line 3, advance                    -1.1    -2.5 to +0.3        █│
      fencer: without line 3, set if in_melee...       -0.60  -1.30 to -0.05        █│
      rules.costs.full +1                               -0.6    -1.7 to +0.5        █│
      guard.position +1                                 -0.6    -2.1 to +0.9        █│
      guard: without line 2, set if in_melee...        +0.50  -0.02 to +1.16         │█
      fencer.position +1                                -0.4    -2.0 to +1.2        █│
      rules.initiative.explode = recursive              -0.3    -1.0 to +0.3        █│
      rules.costs.half +1                               -0.3    -0.9 to +0.2        █│
      rules.initiative.mode = fixed                     +0.2    -1.7 to +2.1         │█
      rules.costs.quarter +1                            -0.2    -0.7 to +0.2        █│
      rules.round_marks +1                              +0.1    -0.3 to +0.6         │█
      rules.initiative.dice +1                           0.0    -1.1 to +1.1         │
      fencer.attributes.agility +1                         0    -0.4 to +0.4         │
      fencer.attributes.intellect +1                       0    -0.4 to +0.4         │
      guard.attributes.agility +1                          0    -0.4 to +0.4         │
      guard.attributes.intellect +1                        0    -0.4 to +0.4         │

    no difference in any encounter, so in less than 0.3% of all
      lines: fencer: without line 5, retreat 5 if distance > 30; fencer: without line 6, pass
      weapon: fencer: without dagger
      rulings: rules.advantage = count; rules.at_zero = down; rules.temporary_health = adds; rules.initiative.delay_marks = kept; rules.initiative.delay_half = roll; rules.carry_over = casting; rules.melee_unsets = false; rules.mover_shot = always; rules.combat_casting_set = if-unset; rules.channel_damage_breaks = true; rules.car_counts_as_move = true; rules.wait = false
      numbers: rules.fizzle_chance +1; rules.car_per_round +1; rules.charges_per_round +1; rules.counters_per_round +1; fencer.move +1; guard.move +1; weapons.dagger.attacks +1; weapons.dagger.check.bonus +1; weapons.dagger.damage +1

    policy lines that go with what they need
      fencer: without potion: line 1, use potion if health_percent <= 50

    expect about 2.0 of these 39 intervals to miss (each is 95%)
    the differences are certain at 95% for all changes together (Holm)

    left out: 6 changes
      `check` has no `pool`: rules.check = pool
      `check` has no `skill`: rules.check = percentile
      `health` is a whole number: rules.health = track
      no attack of guests in any encounter: fencer: without line 2, attack
      no attack of house in any encounter: guard: without line 1, attack; guard: without axe
    ");
    let line = ["-n", "300", "--metric", "rounds", "--format", "markdown"];
    let outcome = dir.call_on_duel("knockout", &line);
    let text = outcome.printed();
    assert!(
        text.starts_with("# Spare lines\n\nas written: what each change"),
        "{text}"
    );
    assert!(
        text.contains("\n| change | difference | 95% interval |\n"),
        "{text}"
    );
    assert!(text.contains(" lowers rounds by 1.14 "), "{text}");
}

#[test]
fn a_number_that_cannot_change_says_why() {
    let dir = TestDir::with_duel(include_str!("../../scenarios/mage-initiative.toml"));
    let outcome = dir.call_on_duel("knockout", &["-n", "20"]);
    let text = outcome.printed();
    let why = "`paradox_threshold` does nothing here: rules.magick.paradox_threshold +1";
    assert!(text.contains(why), "{text}");
}

#[test]
fn threads_change_nothing_that_is_written() {
    let dir = TestDir::with_duel(DUEL);
    let written = |threads| {
        let line = ["-n", "300", "--format", "json", "--threads", threads];
        let printed = dir.call_on_duel("knockout", &line);
        (printed.printed(), dir.read("results/duel/knockout.csv"))
    };
    assert_eq!(written("3"), written("1"));
}

#[test]
fn a_variant_is_changed_and_not_the_base() {
    let dir = TestDir::with_duel(SPARE);
    let rows = effects(&dir, &["-n", "50", "--variant", "four lines"]);
    let lines = rows.iter().filter(|row| cell(row, "kind") == "line");
    // All but the attacks, without which a side does nothing.
    assert_eq!(lines.count(), 3 + 2);
}

#[test]
fn a_knockout_that_is_wrong_is_refused_before_anything_is_played() {
    let dir = TestDir::with_duel(DUEL);
    let refused = |arguments: &[&str]| dir.call_on_duel("knockout", arguments).errors();
    assert_snapshot!(refused(&["--side", "cost"]), @"
    error: no side is called `cost`: did you mean `coast`?
    ");
    assert_snapshot!(refused(&["--variant", "armored"]), @r#"
    error: the scenario has no variant "armored"
     |
     = help: did you mean "armoured"?
    "#);
    assert_snapshot!(refused(&["--metric", "standing"]), @"
error: `standing` is a curve: it has no mean; write another, such as `win_rate`
    ");
    assert!(!dir.path("results").exists(), "nothing is left behind");
}

#[test]
fn an_interrupted_knockout_writes_nothing_before_the_first_encounters() {
    let dir = TestDir::with_duel(DUEL);
    dir.stop.store(true, Ordering::Relaxed);
    let outcome = dir.call_on_duel("knockout", &["-n", "50"]);
    outcome.assert_nothing_written();
    assert!(!dir.path("results").exists());
}

/// The saved result is that of a run with the same number of encounters.
#[test]
fn an_interrupted_knockout_keeps_the_encounters_that_all_fights_have_played() {
    use super::command::Interrupting;
    let dir = TestDir::with_duel(DUEL);
    let source = Interrupting::at(21, &dir);
    let line = ["-n", "5000", "--threads", "1"];
    let outcome = dir.call_on_duel_with(&source, "knockout", &line);
    assert_eq!(outcome.exit, Exit::Interrupted);
    assert!(outcome.out.contains(" (interrupted)"), "{}", outcome.out);
    let kept = dir.rows("results/duel/knockout.csv");
    let n = cell(&kept[0], "n").to_owned();
    assert!(n.parse::<u64>().unwrap() < 5000, "{n}");
    let manifest = dir.json("results/duel/knockout.manifest.json");
    assert_eq!(manifest["interrupted"], true);
    dir.stop.store(false, Ordering::Relaxed);
    assert_eq!(effects(&dir, &["-n", &n]), kept);
}

#[test]
fn what_disables_its_own_side_is_left_out_and_counted() {
    let dir = TestDir::with_duel(DUEL);
    for (command, left_out) in [("knockout", true), ("sensitivity", false)] {
        let printed = dir.call_on_duel(command, &["-n", "200"]).printed();
        assert!(printed.contains("left out: "), "{printed}");
        let lost = "no attack of castle in any encounter: ";
        assert!(printed.contains(lost), "{printed}");
        let rows = dir.read(&format!("results/duel/{command}.csv"));
        // Neither of the two has a line that comes nearer.
        assert!(!rows.contains("combatants.knight.position"), "{rows}");
        let page = dir.path("page.html");
        dir.call_on_duel(command, &["-n", "200", "--report", page.to_str().unwrap()])
            .printed();
        let page = dir.read("page.html");
        assert!(page.contains("left out: "), "{page}");
        if left_out {
            assert!(
                printed.contains("fight: without line 1, attack"),
                "{printed}"
            );
            assert!(printed.contains("knight: without sword"), "{printed}");
            assert!(!rows.contains("without line 1"), "{rows}");
        }
    }
}

#[test]
fn what_disables_the_enemy_is_a_result() {
    let fast = include_str!("../../scenarios/kiting.toml");
    let dir = TestDir::with_duel(fast);
    let rows = effects(&dir, &["-n", "200"]);
    // With these rolls the brute never reaches the archer; that is worth knowing.
    row(&rows, "change", "rules.initiative.mode = fixed");
    assert!(
        rows.iter()
            .all(|row| cell(row, "change") != "archer: without longbow")
    );
}

#[test]
fn a_solved_fight_leaves_out_the_same() {
    let dir = TestDir::with_duel(super::ONE_ROUND);
    let printed = dir.call_on_duel("knockout", &["--exact"]).printed();
    let lost = "no attack of left in any encounter: alice: without line 1, attack";
    assert!(printed.contains(lost), "{printed}");
}
