//! Encounters that end with an outcome that no side wins (W-17), in all places that show endings.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const HULL: &str = include_str!("hull.toml");
const OUTCOMES: [&str; 2] = ["hull breached", "relief"];

fn skirmish(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_skirmish"));
    program.args(arguments).current_dir(folder);
    program.output().expect("the program runs")
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = skirmish(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn room() -> tempfile::TempDir {
    let room = tempfile::tempdir().expect("a folder");
    fs::write(room.path().join("hull.toml"), HULL).expect("a file");
    room
}

type Row = HashMap<String, String>;

fn rows(file: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(file).expect("a file");
    reader.deserialize().map(Result::unwrap).collect()
}

/// Returns the mean of `outcome_rate` and its interval for each outcome of the base, from a summary.
fn rates(file: &Path) -> HashMap<String, [f64; 3]> {
    let number = |row: &Row, key: &str| row[key].parse::<f64>().expect("a number");
    let rows = rows(file).into_iter();
    let rows = rows.filter(|row| row["metric"] == "outcome_rate" && row["variant"] == "base");
    rows.map(|row| {
        let estimate = ["ci_low", "mean", "ci_high"].map(|key| number(&row, key));
        (row["subject"].clone(), estimate)
    })
    .collect()
}

#[test]
fn outcomes_are_counted_under_their_own_names() {
    let room = room();
    let at = room.path();
    let table = done(
        at,
        &[
            "run",
            "hull.toml",
            "-n",
            "2000",
            "-o",
            "results",
            "--each",
            "each.csv",
        ],
    );
    for outcome in OUTCOMES {
        let lines = table.lines().filter(|line| line.starts_with(outcome));
        assert_eq!(lines.count(), 2, "{table}");
    }
    let counted = rates(&at.join("results/hull/summary.csv"));
    let each = rows(&at.join("each.csv"));
    for outcome in OUTCOMES {
        let base = each.iter().filter(|row| row["variant"] == "base");
        let ends = base.filter(|row| row["outcome"] == outcome);
        let marked = ends
            .clone()
            .all(|row| row[&format!("outcome_rate.{outcome}")] == "1");
        assert!(marked, "{outcome}");
        let share = ends.count() as f64 / 2000.0;
        assert!(share > 0.05, "{outcome}: {share}");
        assert!((counted[outcome][1] - share).abs() < 1e-9, "{outcome}");
    }
    // Each encounter has exactly one ending.
    let endings = rows(&at.join("results/hull/distributions.csv"));
    let endings = endings
        .iter()
        .filter(|row| row["metric"] == "winner" && row["variant"] == "base");
    let count = |row: &Row| row["count"].parse::<u64>().expect("a count");
    assert_eq!(endings.clone().map(count).sum::<u64>(), 2000);
    let names: Vec<&str> = endings.map(|row| row["value"].as_str()).collect();
    assert_eq!(
        names,
        [
            "ship",
            "raiders",
            "mutual",
            "timeout",
            OUTCOMES[0],
            OUTCOMES[1]
        ]
    );
}

#[test]
fn outcomes_are_solved_and_lie_in_the_intervals_of_samples() {
    let room = room();
    let at = room.path();
    done(
        at,
        &["run", "hull.toml", "-q", "-n", "20000", "-o", "sampled"],
    );
    let table = done(at, &["run", "hull.toml", "--exact", "-o", "solved"]);
    let [sampled, solved] =
        ["sampled", "solved"].map(|folder| rates(&at.join(folder).join("hull/summary.csv")));
    for outcome in OUTCOMES {
        assert!(table.contains(outcome), "{table}");
        let ([low, _, high], [_, mean, _]) = (sampled[outcome], solved[outcome]);
        // Of 20,000 encounters: within twice the 95% interval.
        let slack = (high - low) / 2.0;
        let range = low - slack..high + slack;
        assert!(range.contains(&mean), "{outcome}: {mean} in {range:?}");
    }
}

#[test]
fn outcomes_are_found_traced_and_expected() {
    let room = room();
    let at = room.path();
    let found = ["trace", "hull.toml", "--find", "winner=hull breached"];
    let story = done(at, &found);
    assert!(story.contains("\nhull breached in Round "), "{story}");
    let story = done(at, &[&found[..], &["--format", "json"]].concat());
    let story: String = story.split_whitespace().collect();
    assert!(story.contains(r#""ending":"hullbreached""#), "{story}");
    let verdict = done(at, &["check", "hull.toml"]);
    assert!(verdict.contains("2 passed"), "{verdict}");
    let page = done(
        at,
        &["report", "hull.toml", "-n", "500", "-o", "page.html", "-q"],
    );
    assert_eq!(page, "");
    let page = fs::read_to_string(at.join("page.html")).expect("a page");
    assert!(page.contains("end with hull breached."));
}

#[test]
fn sweeps_and_comparisons_show_outcomes() {
    let room = room();
    let at = room.path();
    let sweep = [
        "sweep",
        "hull.toml",
        "-n",
        "300",
        "--vary",
        "hull.health=4..8:4",
        "--metric",
        "outcome_rate",
        "--outcome",
        "relief",
        "-o",
        "swept",
    ];
    let table = done(at, &sweep);
    assert!(table.contains("relief"), "{table}");
    done(at, &["reproduce", "swept/hull"]);
    let table = done(
        at,
        &[
            "compare",
            "hull.toml",
            "-n",
            "2000",
            "--metric",
            "outcome_rate",
        ],
    );
    assert!(table.contains("it ends with hull breached"), "{table}");
    let wrong = [&sweep[..9], &["reliev"]].concat();
    let output = skirmish(at, &wrong);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("relief"), "{said}");
}

#[test]
fn shards_of_a_fight_with_outcomes_are_one_run() {
    let room = room();
    let at = room.path();
    done(
        at,
        &[
            "plan",
            "hull.toml",
            "-n",
            "90",
            "--shards",
            "3",
            "-o",
            "run",
            "-q",
        ],
    );
    for shard in ["0", "1", "2"] {
        done(at, &["run", "--plan", "run", "--shard", shard, "-q"]);
    }
    done(at, &["merge", "run", "-o", "merged", "-q"]);
    done(at, &["run", "hull.toml", "-n", "90", "-o", "whole", "-q"]);
    for file in ["summary.csv", "distributions.csv"] {
        let [merged, whole] = ["merged", "whole"]
            .map(|folder| fs::read_to_string(at.join(folder).join("hull").join(file)).unwrap());
        assert_eq!(merged, whole, "{file}");
    }
}
