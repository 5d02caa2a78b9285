//! `skirmish sweep`: its output and its files.

use super::{DUEL, ONE_ROUND, cell};
use crate::support::{TestDir, rows, unwrapped};
use insta::assert_snapshot;
use skirmish::cli::Exit;
use skirmish::run::Play;
use skirmish::scenario::Variant;
use skirmish::sim::Record;
use skirmish::task::{Context, Files, Measure, Question, Source, Task};
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn a_sweep_is_run_with_set_point_by_point() {
    let dir = TestDir::with_duel(DUEL);
    let arguments = ["--vary", "combatants.knight.health=16..24:4", "-n", "700"];
    let metrics = [
        "--metric", "win_rate", "--metric", "rounds", "--metric", "damage",
    ];
    dir.call_on_duel("sweep", &[&arguments[..], &metrics].concat())
        .printed();
    let sweep = dir.read("results/duel/sweep.csv");
    let mut seen = 0;
    for health in ["16", "20", "24"] {
        let set = format!("combatants.knight.health={health}");
        let line = ["--set", &set, "--variant", "base", "-n", "700"];
        dir.call_on_duel("run", &line).printed();
        let summary = dir.read("results/duel/summary.csv");
        let wanted = ["win_rate", "rounds", "damage"];
        for row in rows(&summary) {
            if !wanted.contains(&cell(&row, "metric")) {
                continue;
            }
            let found = rows(&sweep).into_iter().find(|other| {
                cell(other, "value1") == health
                    && ["metric", "subject"].map(|name| cell(other, name))
                        == ["metric", "subject"].map(|name| cell(&row, name))
            });
            let found = found.expect("a row of the sweep");
            for (column, value) in &row {
                assert_eq!(cell(&found, column), value, "{column} at {health}");
            }
            seen += 1;
        }
    }
    assert_eq!(seen, rows(&sweep).len());
    assert_eq!(seen, 3 * (2 + 1 + 2));
}

#[test]
fn all_combinations_of_two_keys_are_played() {
    let dir = TestDir::with_duel(DUEL);
    let keys = [
        "--vary",
        "combatants.knight.health=18,22",
        "--vary",
        "rules.round=full,simple",
    ];
    dir.call_on_duel("sweep", &[&keys[..], &["-n", "50"]].concat())
        .printed();
    let csv = dir.read("results/duel/sweep.csv");
    let places: Vec<String> = rows(&csv)
        .iter()
        .map(|row| {
            let columns = ["key1", "value1", "key2", "value2", "subject"];
            columns.map(|column| cell(row, column)).join(" ")
        })
        .collect();
    assert_snapshot!(places.join("\n"), @"
    combatants.knight.health 18 rules.round full castle
    combatants.knight.health 18 rules.round full coast
    combatants.knight.health 18 rules.round simple castle
    combatants.knight.health 18 rules.round simple coast
    combatants.knight.health 22 rules.round full castle
    combatants.knight.health 22 rules.round full coast
    combatants.knight.health 22 rules.round simple castle
    combatants.knight.health 22 rules.round simple coast
    ");
}

#[test]
fn threads_change_nothing_that_is_written() {
    let dir = TestDir::with_duel(DUEL);
    let line = [
        "--vary",
        "combatants.knight.evade=10..22",
        "-n",
        "900",
        "--format",
        "json",
    ];
    let written = |threads| {
        let threads = ["--threads", threads];
        let printed = dir.call_on_duel("sweep", &[&line[..], &threads].concat());
        (printed.printed(), dir.read("results/duel/sweep.csv"))
    };
    let one = written("1");
    assert_eq!(written("2"), one);
    assert_eq!(written("5"), one);
}

#[test]
fn what_is_printed_as_csv_is_what_is_written() {
    let dir = TestDir::with_duel(DUEL);
    let line = [
        "--vary",
        "combatants.knight.evade=14,16",
        "-n",
        "60",
        "--format",
        "csv",
    ];
    let printed = dir.call_on_duel("sweep", &line);
    assert_eq!(printed.printed(), dir.read("results/duel/sweep.csv"));
}

#[test]
fn a_variant_is_swept_as_it_is() {
    let dir = TestDir::with_duel(DUEL);
    let line = ["--vary", "combatants.knight.health=20,21", "-n", "400"];
    let armoured = [&line[..], &["--variant", "armoured"]].concat();
    dir.call_on_duel("sweep", &armoured).printed();
    let variant = dir.read("results/duel/sweep.csv");
    dir.call_on_duel("run", &["--variant", "armoured", "-n", "400"])
        .printed();
    let summary = dir.read("results/duel/summary.csv");
    let mean = |text: &str| cell(&rows(text)[0], "mean").to_owned();
    assert_eq!(mean(&variant), mean(&summary));
    // A sweep may vary a key that the variant sets: the sweep overrides the variant.
    let line = ["--vary", "combatants.knight.armor=0,3", "-n", "400"];
    dir.call_on_duel("sweep", &[&line[..], &["--variant", "armoured"]].concat())
        .printed();
    // A sweep of another key has its own file.
    let csv = dir.read("results/duel/sweep-combatants.knight.armor.csv");
    let rows = rows(&csv);
    assert_eq!(cell(&rows[2], "mean"), mean(&summary));
    assert_ne!(cell(&rows[0], "mean"), mean(&summary));
}

#[test]
fn a_group_may_grow() {
    let text = super::DUEL.replace(
        "name = \"raider\"\nside = \"coast\"",
        "name = \"raider\"\ncount = 2\nside = \"coast\"",
    );
    let dir = TestDir::with_duel(&text);
    let line = ["--vary", "combatants.raider.count=1..3", "-n", "40"];
    let who = ["--metric", "alive", "--combatant", "raider 3"];
    let outcome = dir.call_on_duel("sweep", &[&line[..], &who].concat());
    assert_snapshot!(outcome.printed(), @"
A duel
as written: 3 points of 40 encounters each

alive of raider 3

combatants.raider.count  mean  95% interval
1                           -
2                           -
3                        100%   91% to 100%  █████████████████████████████▒▒▒
");
    let subjects: Vec<String> = dir
        .rows("results/duel/sweep.csv")
        .iter()
        .map(|row| format!("{} {}", cell(row, "value1"), cell(row, "subject")))
        .collect();
    assert_eq!(
        subjects,
        [
            "1 knight",
            "1 raider",
            "2 knight",
            "2 raider 1",
            "2 raider 2",
            "3 knight",
            "3 raider 1",
            "3 raider 2",
            "3 raider 3"
        ]
    );
}

#[test]
fn a_line_for_a_number() {
    let dir = TestDir::with_duel(DUEL);
    let line = ["--vary", "combatants.knight.health=8..36:2", "-n", "150"];
    assert_snapshot!(dir.call_on_duel("sweep", &line).printed(), @"
A duel
as written: 15 points of 150 encounters each

win_rate of castle

castle: even (50%) between health = 20 (49%) and 22 (57%); not told apart from even: health = 18 to 22.

100% ┤
     │                                                          ░░░░░░░░░░⢀⣀⣀●
     │                                                ░░░░░░░░░░⣀⡠⠔●⠒⠊⠉⠉●⠉⠁░░░
 80% ┤                                           ░░░░░⢀⣀⠤●⠒⠒⠒⠊●⠉░░░░░░░░░░░
     │                                       ░░░░░⣀⠤●⠉⠁░░░░░░░░░░
     │                                   ░░░░░⣀●⠒⠉░░░░░░
 60% ┤                              ░░░░░░●⡠⠔⠊░░░░░
     │                         ░░░░░░░⣀⡠⠔⠊⠁░░░░░
     │                    ░░░░░░░⣀⡠⠔⠒●░░░░░░
 40% ┤                 ░░░░░⣀⠤⠔⠊●░░░░░░░
     │             ░░░░░⢀⠤⠒●░░░░░░░
     │         ░░░░░⢀⣀●⠊⠁░░░░
 20% ┤     ░░░░⢀⡠●⠒⠉⠁░░░░
     │ ░░░░⣀●⠔⠊⠁░░░░░
     │ ●⠒⠊⠉░░░░
  0% ┤ ░░
     └─┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬────┬─
       8    10   12   14   16   18   20   22   24   26   28   30   32   34   36
                              combatants.knight.health

health  mean  95% interval
8         8%     4% to 14%
10       13%     8% to 20%
12       21%    14% to 28%
14       27%    20% to 34%
16       37%    29% to 45%
18       43%    35% to 51%
20       49%    40% to 57%
22       57%    48% to 65%
24       65%    57% to 73%
26       73%    66% to 80%
28       79%    71% to 85%
30       81%    73% to 87%
32       86%    79% to 91%
34       87%    81% to 92%
36       89%    83% to 94%
");
}

#[test]
fn a_bar_for_a_word_and_for_dice() {
    let dir = TestDir::with_duel(DUEL);
    let line = [
        "--vary",
        "weapons.sword.damage=1d4,1d6+2,2d6+2,9",
        "-n",
        "300",
    ];
    let metrics = [
        "--metric",
        "win_rate",
        "--metric",
        "damage",
        "--combatant",
        "knight",
    ];
    let outcome = dir.call_on_duel("sweep", &[&line[..], &metrics].concat());
    assert_snapshot!(outcome.printed(), @"
A duel
as written: 4 points of 300 encounters each

win_rate of castle

castle win most at damage = 9 (85%) and least at damage = 1d4 (0.33%).

weapons.sword.damage   mean    95% interval
1d4                   0.33%  0.01% to 1.84%  ▏
1d6+2                   47%      41% to 52%  ██████████████▒▒▒▒▒
2d6+2                   81%      76% to 86%  ███████████████████████████▒▒▒▒
9                       85%      81% to 89%  █████████████████████████████▒▒▒

damage of knight

damage of knight: most at damage = 9 (22.4) and least at damage = 1d4 (6.9).

weapons.sword.damage  mean  95% interval
1d4                    6.9    6.4 to 7.4  ████████▒▒▒
1d6+2                 17.2  16.4 to 17.9  ██████████████████████▒▒▒
2d6+2                 22.2  21.4 to 22.8  █████████████████████████████▒▒▒
9                     22.4  21.8 to 22.9  ███████████████████████████████▍
");
}

#[test]
fn a_shaded_grid_for_two_keys() {
    let dir = TestDir::with_duel(DUEL);
    let keys = [
        "--vary",
        "combatants.knight.health=14..26:3",
        "--vary",
        "combatants.raider.evade=10..22:2",
    ];
    let outcome = dir.call_on_duel(
        "sweep",
        &[&keys[..], &["-n", "400", "--side", "coast"]].concat(),
    );
    assert_snapshot!(outcome.printed(), @"
A duel
as written: 35 points of 400 encounters each

win_rate of coast

coast win most at health = 14, evade = 22 (98.8%) and least at health = 26, evade = 10 (4%).

down: combatants.knight.health, across: combatants.raider.evade
     10   12   14   16   18   20   22
14 ▒▒46 ▒▒52 ▓▓64 ▓▓77 ██89 ██96 ██99
17 ░░28 ░░33 ▒▒48 ▓▓62 ██80 ██94 ██98
20   14   18 ░░32 ▒▒53 ▓▓75 ██92 ██98
23    8   12   21 ▒▒42 ▓▓68 ██88 ██97
26    4    7   14 ░░28 ▒▒57 ██86 ██97
blank from 4%  ░ from 23%  ▒ from 42%  ▓ from 61%  █ from 80%
95% intervals are at most ±6 points; sweep.csv has each of them
");
    let markdown = [&keys[..], &["-n", "400", "--format", "markdown"]].concat();
    assert_snapshot!(dir.call_on_duel("sweep", &markdown).printed(), @r"
# A duel

as written: 35 points of 400 encounters each

## win\_rate of castle

castle win most at health = 26, evade = 10 (96%) and least at health = 14, evade = 22 (1.2%).

| combatants.knight.health / combatants.raider.evade | 10 | 12 | 14 | 16 | 18 | 20 | 22 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 14 | 52% | 46% | 35% | 22% | 11% | 4% | 1% |
| 17 | 72% | 66% | 52% | 37% | 19% | 6% | 2% |
| 20 | 85% | 80% | 67% | 46% | 24% | 8% | 2% |
| 23 | 91% | 87% | 78% | 56% | 31% | 12% | 3% |
| 26 | 96% | 92% | 85% | 69% | 40% | 14% | 3% |

95% intervals are at most ±6 points; sweep.csv has each of them
");
    // There are so many columns that only shades fit, in two rows.
    let keys = [
        "--vary",
        "combatants.knight.health=14,20,26",
        "--vary",
        "combatants.raider.evade=4..33",
    ];
    let outcome = dir.call_on_duel("sweep", &[&keys[..], &["-n", "60"]].concat());
    assert_snapshot!(outcome.printed(), @"
A duel
as written: 90 points of 60 encounters each

win_rate of castle

castle win most at health = 26, evade = 4 (96.7%, as at 6 other points) and least at health = 14, evade = 20 (0%, as at 35 other points).

down: combatants.knight.health, across: combatants.raider.evade
    4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
14 ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ░░ ░░ ░░ ░░ ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ··
20 ██ ██ ██ ██ ██ ██ ██ ██ ▓▓ ▓▓ ▓▓ ▓▓ ▒▒ ░░ ░░ ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ··
26 ██ ██ ██ ██ ██ ██ ██ ██ ██ ██ ██ ██ ▓▓ ▓▓ ▒▒ ░░ ·· ·· ·· ·· ·· ·· ·· ·· ·· ··
down: combatants.knight.health, across: combatants.raider.evade
   30 31 32 33
14 ·· ·· ·· ··
20 ·· ·· ·· ··
26 ·· ·· ·· ··
· from 0%  ░ from 19%  ▒ from 39%  ▓ from 58%  █ from 77%
95% intervals are at most ±14 points; sweep.csv has each of them
");
}

#[test]
fn a_line_in_markdown() {
    let dir = TestDir::with_duel(DUEL);
    let line = ["--vary", "combatants.knight.health=10,20,40", "-n", "100"];
    let markdown = [&line[..], &["--format", "markdown"]].concat();
    assert_snapshot!(dir.call_on_duel("sweep", &markdown).printed(), @r"
# A duel

as written: 3 points of 100 encounters each

## win\_rate of castle

castle: even (50%) between health = 20 (48%) and 40 (93%); not told apart from even: health = 20.

```text
100% ┤                                                                    ░░░░
     │                                                             ░░░░░⢀⣀⡠⠤⠒●
     │                                                     ░░░░░░░⣀⡠⠤⠔⠒⠉⠁░░░░░
 80% ┤                                             ░░░░░░░░⢀⣀⠤⠔⠒⠊⠉░░░░░░░░
     │                                      ░░░░░░░░⢀⣀⡠⠤⠒⠊⠉⠁░░░░░░░░
     │                              ░░░░░░░░░░⣀⣀⠤⠔⠒⠉⠁░░░░░░░░
 60% ┤                       ░░░░░░░░░░⢀⣀⠤⠤⠒⠊⠉░░░░░░░░░
     │                  ░░░░░░░░░⣀⡠⠤⠒⠒⠉⠁░░░░░░░░░
     │              ░░░░░░░⢀⡠⠤●⠉⠉░░░░░░░░░░
 40% ┤         ░░░░░░░⢀⡠⠤⠒⠉⠁░░░░░░░░░
     │    ░░░░░░░⢀⡠⠤⠒⠉⠁░░░░░░░
     │ ░░░░░⢀⡠⠤⠒⠉⠁░░░░░░░
 20% ┤ ⢀⡠⠤⠒⠉⠁░░░░░░
     │ ●░░░░░░
     │ ░
  0% ┤
     └─┬──────────────────────┬──────────────────────────────────────────────┬─
       10                     20                                             40
                              combatants.knight.health
```

| health | mean | 95% interval |
| --- | ---: | ---: |
| 10 | 18% | 11% to 27% |
| 20 | 48% | 38% to 58% |
| 40 | 93% | 86% to 97% |
");
}

#[test]
fn no_line_of_a_picture_is_longer_than_a_terminal() {
    let dir = TestDir::with_duel(DUEL);
    for vary in [
        "combatants.knight.health=1..200",
        "combatants.knight.health=1,1000000",
        "combatants.knight.position=-100000,0,100000",
        "combatants.knight.evade=-1000..1000:100",
    ] {
        for metric in ["win_rate", "rounds", "damage_taken"] {
            let line = ["--vary", vary, "-n", "3", "--metric", metric];
            let printed = dir.call_on_duel("sweep", &line).printed();
            let picture = printed
                .lines()
                .filter(|line| !line.starts_with("note: ") && !line.ends_with('.'));
            for line in picture {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }
}

#[test]
fn a_threshold_is_found_between_neighbours() {
    let dir = TestDir::with_duel(DUEL);
    let line = ["--vary", "combatants.knight.health=1..200", "-n", "2000"];
    let search = [&line[..], &["--threshold", "75%"]].concat();
    let printed = dir.call_on_duel("sweep", &search).printed();
    let sentences: Vec<&str> = printed
        .lines()
        .filter(|line| line.contains("75%") || line.contains("crossing") || line.contains("played"))
        .filter(|line| !line.contains('┤'))
        .collect();
    assert_snapshot!(sentences.join("\n"), @"
rises through 75% between health = 27 (73.8%) and 28 (76.2%)
95% intervals contain 75% from health = 27 to 28: the data do not tell these apart
so the crossing lies between health = 26 and 29 (95% certain)
15 of 200 values were played; between them the curve is taken to run straight
");
    // The rows that were played equal those of a plain sweep.
    let searched = dir.read("results/duel/sweep.csv");
    dir.call_on_duel("sweep", &line).printed();
    let all = dir.read("results/duel/sweep.csv");
    let all: Vec<&str> = all.lines().collect();
    let played = searched.lines().count();
    assert!(
        played < 60 && searched.lines().all(|row| all.contains(&row)),
        "{played}"
    );
    let json = [&search[..], &["--format", "json"]].concat();
    let json = dir.call_on_duel("sweep", &json);
    let json = json.json();
    assert_snapshot!(json["threshold"], @r#"
{"bend":null,"bounds":[26,29],"compatible":[27,28],"crossings":[{"from":27,"rises":true,"to":28}],"metric":"win_rate","subject":"castle","threshold":0.75}
"#);
}

#[test]
fn a_threshold_out_of_reach_is_said_to_be_so() {
    let dir = TestDir::with_duel(DUEL);
    let line = ["--vary", "combatants.knight.health=10..30", "-n", "500"];
    let search = [&line[..], &["--threshold", "99.5%"]].concat();
    let outcome = dir.call_on_duel("sweep", &search);
    assert!(
        outcome
            .printed()
            .contains("99.5% is not crossed between health = 10")
    );
}

#[test]
fn values_without_the_metric_are_no_endless_search() {
    let dir = TestDir::with_duel(ONE_ROUND);
    let search = |values: &str| {
        let vary = format!("combatants.bob.evade={values}");
        let line = ["--exact", "--metric", "first_attack", "--combatant", "bob"];
        let line = [&line[..], &["--threshold", "11", "--vary", &vary]].concat();
        dir.call_on_duel("sweep", &line).printed()
    };
    let none = search("-20..-2");
    assert!(
        none.contains("11: no value of evade that was played shows first_attack of bob"),
        "{none}"
    );
    let some = search("-20..9");
    for sentence in [
        "11 is not crossed between evade = 5 (12) and 9 (12)",
        "no encounter shows it at evade = -20, -17, -13, -10, -6, -2, 1",
    ] {
        assert!(some.contains(sentence), "{some}");
    }
}

#[test]
fn a_value_that_is_at_the_level_is_no_crossing() {
    let dir = TestDir::with_duel(ONE_ROUND);
    let line = ["--exact", "--vary", "combatants.bob.evade=5..9"];
    let even = dir.call_on_duel("sweep", &line);
    assert!(even.printed().contains("left: even (50%) at evade = 6."));
    let search = [&line[..], &["--threshold", "50%"]].concat();
    let found = dir.call_on_duel("sweep", &search);
    let found = found.printed();
    assert!(found.contains("evade = 6 is at 50%"), "{found}");
    for word in ["crosse", "falls", "interval", "between"] {
        assert!(!found.contains(word), "{found}");
    }
}

#[test]
fn what_is_not_told_apart_is_even_nowhere() {
    let dir = TestDir::with_duel(ONE_ROUND);
    let line = ["--vary", "combatants.bob.evade=3..9", "-n", "1"];
    let answers = (1..9).map(|seed: u64| {
        let seed = seed.to_string();
        let outcome = dir.call_on_duel("sweep", &[&line[..], &["--seed", &seed]].concat());
        let printed = outcome.printed();
        printed
            .lines()
            .find(|line| line.starts_with("left"))
            .unwrap_or_default()
            .to_owned()
    });
    for answer in answers {
        assert!(
            answer.contains("not told apart from even (50%)"),
            "{answer}"
        );
    }
}

#[test]
fn what_makes_no_difference_is_warned_of() {
    let dir = TestDir::with_duel(DUEL);
    let line = ["--vary", "question=1,2", "-n", "10"];
    assert!(
        dir.call_on_duel("sweep", &line)
            .errors()
            .contains("no part of the fight")
    );
    let line = ["--vary", "format=1", "-n", "10"];
    assert!(
        dir.call_on_duel("sweep", &line)
            .errors()
            .contains("property of the file")
    );
    let text = super::DUEL.replace("[policies]", "[items.draught]\nheal = 3\n\n[policies]");
    let dir = TestDir::with_duel(&text);
    let outcome = dir.call_on_duel("sweep", &["--vary", "items.draught.heal=1..5", "-n", "10"]);
    outcome.printed();
    assert!(
        outcome.err.contains("all points are the same fight"),
        "{}",
        outcome.err
    );
}

/// Plays scenario files, and requests a stop while the second point is played.
pub(crate) struct Interrupting<'a> {
    stop: &'a AtomicBool,
    health: i32,
}

impl<'a> Interrupting<'a> {
    /// Requests the stop in the fights whose first combatant has this health.
    pub(crate) fn at(health: i32, dir: &'a TestDir) -> Self {
        let stop = &dir.stop;
        Self { stop, health }
    }
}

impl Source for Interrupting<'_> {
    fn player<'a>(&'a self, variant: &'a Variant, seed: u64) -> impl Play + 'a {
        let stops = variant.fight.combatants[0].health == self.health;
        Stopping {
            inner: Files.player(variant, seed),
            stop: stops.then_some(self.stop),
        }
    }
}

struct Stopping<'a, P> {
    inner: P,
    stop: Option<&'a AtomicBool>,
}

impl<P: Play> Play for Stopping<'_, P> {
    type State = P::State;

    fn state(&self) -> P::State {
        self.inner.state()
    }

    fn play(&self, state: &mut P::State, encounter: u64, record: &mut Record) {
        if let Some(stop) = self.stop {
            stop.store(true, Ordering::Relaxed);
        }
        self.inner.play(state, encounter, record);
    }
}

#[test]
fn an_interrupted_sweep_replaces_no_whole_one() {
    let dir = TestDir::with_duel(DUEL);
    let line = ["--vary", "combatants.knight.health=20..30", "-n", "600"];
    dir.call_on_duel("sweep", &line).printed();
    let whole = dir.read("results/duel/sweep.csv");
    let source = Interrupting::at(22, &dir);
    let outcome =
        dir.call_on_duel_with(&source, "sweep", &[&line[..], &["--threads", "1"]].concat());
    assert_eq!(outcome.exit, Exit::Interrupted);
    let kept = "keeps a run of 600 encounters of \"A duel\", seed 1: this run has fewer";
    assert!(outcome.err.contains(kept), "{}", outcome.err);
    assert_eq!(dir.read("results/duel/sweep.csv"), whole);
}

#[test]
fn the_most_encounters_at_several_points_are_no_overflow() {
    let dir = TestDir::with_duel(DUEL);
    dir.stop.store(true, Ordering::Relaxed);
    let question = Question::Sweep {
        vary: vec!["combatants.knight.health=20..30".to_owned()],
        threshold: None,
        measure: Measure {
            variant: "base".to_owned(),
            metric: Vec::new(),
            side: None,
            combatant: None,
            outcome: None,
        },
    };
    let input = Files.input(&dir.path("duel.toml"), &[]).unwrap();
    let prepared = Task::new(question, NonZeroU64::MAX).prepare(vec![input]);
    let context = Context {
        stop: &dir.stop,
        ..Context::new(&Files)
    };
    let played = prepared.unwrap().play(&context).unwrap();
    assert_eq!(played.encounters(), 0);
}

#[test]
fn an_interrupted_sweep_keeps_whole_points_and_says_so() {
    let dir = TestDir::with_duel(DUEL);
    let source = Interrupting::at(22, &dir);
    let line = [
        "--vary",
        "combatants.knight.health=20..30",
        "-n",
        "600",
        "--threads",
        "1",
    ];
    let outcome = dir.call_on_duel_with(&source, "sweep", &line);
    assert_eq!(outcome.exit, Exit::Interrupted);
    assert!(
        outcome
            .out
            .contains("(interrupted; the others are missing)"),
        "{}",
        outcome.out
    );
    let csv = dir.read("results/duel/sweep.csv");
    let values: Vec<String> = rows(&csv)
        .iter()
        .map(|row| cell(row, "value1").to_owned())
        .collect();
    assert_eq!(values, ["20", "20", "21", "21"]);
    let manifest = dir.json("results/duel/sweep.manifest.json");
    assert_eq!(manifest["interrupted"], true);
    assert_eq!(manifest["points"], 2);
}

#[test]
fn a_search_that_is_interrupted_has_found_nothing() {
    let dir = TestDir::with_duel(DUEL);
    let source = Interrupting::at(25, &dir);
    let line = [
        "--vary",
        "combatants.knight.health=1..200",
        "-n",
        "600",
        "--threads",
        "1",
    ];
    let line = [&line[..], &["--threshold", "0.5"]].concat();
    let outcome = dir.call_on_duel_with(&source, "sweep", &line);
    assert_eq!(outcome.exit, Exit::Interrupted);
    assert!(!outcome.out.contains("so the crossing"), "{}", outcome.out);
}

#[test]
fn nothing_is_written_before_the_first_point_is_whole() {
    let dir = TestDir::with_duel(DUEL);
    dir.stop.store(true, Ordering::Relaxed);
    let outcome = dir.call_on_duel("sweep", &["--vary", "combatants.knight.health=20..30"]);
    outcome.assert_nothing_written();
    assert!(!dir.path("results").exists());
}

#[test]
fn the_manifest_has_all_that_is_needed_to_get_the_same_bytes() {
    let dir = TestDir::with_duel(DUEL);
    let line = [
        "--vary",
        "combatants.knight.health=20,21",
        "-n",
        "30",
        "--seed",
        "5",
    ];
    let more = [
        "--set",
        "rules.round=simple",
        "--variant",
        "armoured",
        "--format",
        "json",
    ];
    let outcome = dir.call_on_duel("sweep", &[&line[..], &more].concat());
    let printed = outcome.json();
    let mut manifest = dir.json("results/duel/sweep.manifest.json");
    let run = manifest.as_object_mut().unwrap().remove("run");
    assert!(run.is_some_and(|run| run["threads"].is_number()));
    let files = manifest.as_object_mut().unwrap().remove("files");
    assert!(files.is_some_and(|files| files["sweep.csv"].is_string()));
    assert_eq!(printed["manifest"], manifest);
    let text = serde_json::to_string_pretty(&manifest).unwrap();
    assert_snapshot!(text, @r#"
{
  "answer": [
    "castle win 50% or more at every value of health: from 83% at 20 to 90% at 21."
  ],
  "confidence": "95%",
  "format": 2,
  "interrupted": false,
  "points": 2,
  "program": "skirmish",
  "scenario": {
    "hash": "9f5d470c463ff78b",
    "name": "duel",
    "title": "A duel"
  },
  "seed": 5,
  "set": [
    "rules.round=simple"
  ],
  "task": {
    "combatant": null,
    "command": "sweep",
    "metric": [
      "win_rate"
    ],
    "side": null,
    "threshold": null,
    "variant": "armoured",
    "vary": [
      "combatants.knight.health=20,21"
    ]
  },
  "until": {
    "encounters": 30
  },
  "variants": [
    {
      "changes": {
        "combatants.knight.armor": "3"
      },
      "encounters": 30,
      "name": "armoured"
    }
  ],
  "version": "0.1.0"
}
"#);
    assert_eq!(
        printed["points"][1]["values"]["combatants.knight.health"],
        21
    );
}

/// They stand toe to toe, so the speed changes nothing; health changes at least the health at the end.
#[test]
fn values_that_nothing_uses_are_said_to_change_nothing() {
    let dir = TestDir::with_duel(DUEL);
    let said = |vary: &str| {
        dir.call_on_duel("sweep", &["-n", "50", "--vary", vary])
            .printed()
    };
    let idle = said("knight.move=10..13");
    let words = unwrapped(&idle);
    let note = "no value of combatants.knight.move changes anything that is measured";
    assert!(words.contains(note), "{idle}");
    let used = said("knight.health=10..13");
    assert!(!used.contains("changes anything"), "{used}");
}
