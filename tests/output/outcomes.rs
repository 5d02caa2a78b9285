//! Encounters that end with an outcome that no side wins (W-17), in all places that show endings.

use crate::support::{Outcome, Row, TestDir};
use std::collections::HashMap;

const HULL: &str = include_str!("hull.toml");
const OUTCOMES: [&str; 2] = ["hull breached", "relief"];

/// Returns the mean of `outcome_rate` and its interval for each outcome of the base, from a summary.
fn rates(dir: &TestDir, file: &str) -> HashMap<String, [f64; 3]> {
    let number = |row: &Row, key: &str| row[key].parse::<f64>().expect("a number");
    let rows = dir.rows(file).into_iter();
    let rows = rows.filter(|row| row["metric"] == "outcome_rate" && row["variant"] == "base");
    rows.map(|row| {
        let estimate = ["ci_low", "mean", "ci_high"].map(|key| number(&row, key));
        (row["subject"].clone(), estimate)
    })
    .collect()
}

#[test]
fn outcomes_are_counted_under_their_own_names() {
    let dir = TestDir::with("hull.toml", HULL);
    let table = dir
        .run("run hull.toml -n 2000 --details -o results --each each.csv")
        .printed();
    for outcome in OUTCOMES {
        let lines = table.lines().filter(|line| line.starts_with(outcome));
        assert_eq!(lines.count(), 2, "{table}");
    }
    let counted = rates(&dir, "results/hull/summary.csv");
    let each = dir.rows("each.csv");
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
    let endings = dir.rows("results/hull/distributions.csv");
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
    let dir = TestDir::with("hull.toml", HULL);
    dir.run("run hull.toml -q -n 20000 -o sampled")
        .assert_done();
    let table = dir.run("run hull.toml --exact -o solved").printed();
    let [sampled, solved] =
        ["sampled", "solved"].map(|folder| rates(&dir, &format!("{folder}/hull/summary.csv")));
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
    let dir = TestDir::with("hull.toml", HULL);
    // The name of the outcome has a space.
    let trace = |options: &str| {
        let mut command = dir.command(&format!("trace hull.toml {options} --find"));
        Outcome::of(command.arg("winner=hull breached").output().unwrap()).printed()
    };
    let story = trace("");
    assert!(story.contains("\nhull breached in Round "), "{story}");
    let story = trace("--format json");
    let story: String = story.split_whitespace().collect();
    assert!(story.contains(r#""ending":"hullbreached""#), "{story}");
    let verdict = dir.run("check hull.toml").printed();
    assert!(verdict.contains("2 passed"), "{verdict}");
    let page = dir.run("report hull.toml -n 500 -o page.html -q").printed();
    assert_eq!(page, "");
    let page = dir.read("page.html");
    assert!(page.contains(">hull breached</text>"));
}

#[test]
fn sweeps_and_comparisons_show_outcomes() {
    let dir = TestDir::with("hull.toml", HULL);
    let sweep = "sweep hull.toml -n 300 --vary hull.health=4..8:4 --metric outcome_rate -o swept";
    let table = dir.run(&format!("{sweep} --outcome relief")).printed();
    assert!(table.contains("relief"), "{table}");
    dir.run("reproduce swept/hull").assert_done();
    dir.run("report swept/hull -o page.html -q").assert_done();
    let page = dir.read("page.html");
    assert!(page.contains("outcome_rate of relief: most at health = "));
    let table = dir
        .run("compare hull.toml -n 2000 --metric outcome_rate")
        .printed();
    assert!(table.contains("it ends with hull breached"), "{table}");
    let misspelt = dir.run(&format!("{sweep} --outcome reliev"));
    misspelt.assert_refused("relief");
}

#[test]
fn shards_of_a_fight_with_outcomes_are_one_run() {
    let dir = TestDir::with("hull.toml", HULL);
    dir.run("plan hull.toml -n 90 --shards 3 -o run -q")
        .assert_done();
    for shard in ["0", "1", "2"] {
        dir.run(&format!("run --plan run --shard {shard} -q"))
            .assert_done();
    }
    dir.run("merge run -o merged -q").assert_done();
    dir.run("run hull.toml -n 90 -o whole -q").assert_done();
    for file in ["summary.csv", "distributions.csv"] {
        let [merged, whole] =
            ["merged", "whole"].map(|folder| dir.read(&format!("{folder}/hull/{file}")));
        assert_eq!(merged, whole, "{file}");
    }
}
