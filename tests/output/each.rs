//! `run --each`: one row for each encounter.

use super::runs::{self, FakeSource};
use crate::support::{TestDir, skirmish};
use skirmish::cli::Exit;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// Reads a CSV file: the names of its columns, and its rows.
pub(super) fn csv(path: &Path) -> (Vec<String>, Vec<HashMap<String, String>>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    let rows = reader.deserialize().map(Result::unwrap);
    (names, rows.collect())
}

/// Runs the program, asserts that it succeeds, and returns its messages.
fn run(words: &[&str]) -> String {
    skirmish(&[&["run"], words].concat()).assert_done().err
}

/// Runs the program with `line`, with results in `out` and rows in `file`.
fn run_into(line: &str, out: &Path, file: &Path) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    let [out, file] = [out, file].map(|path| path.to_str().unwrap());
    words.extend(["-o", out, "--each", file]);
    run(&words)
}

/// Counts each value of a column; empty cells are not counted.
fn counts(rows: &[&HashMap<String, String>], column: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for row in rows {
        let cell = row
            .get(column)
            .unwrap_or_else(|| panic!("no column {column}"));
        if !cell.is_empty() {
            *counts.entry(cell.clone()).or_insert(0) += 1;
        }
    }
    counts
}

/// Compares the rows of a scenario with all counts of the same run.
fn rows_are_what_was_counted(scenario: &str, more: &[&str]) {
    let dir = TestDir::empty();
    let (results, file) = (dir.path("out"), dir.path("rows.csv"));
    let path = format!("scenarios/{scenario}.toml");
    let words = [
        path.as_str(),
        "-q",
        "-o",
        results.to_str().unwrap(),
        "--each",
        file.to_str().unwrap(),
    ];
    run(&[&words, more].concat());
    let (columns, rows) = csv(&file);
    let results = results.join(scenario);
    let column =
        |row: &HashMap<String, String>| match (row["metric"].as_str(), row["subject"].as_str()) {
            ("winner", _) => "outcome".to_owned(),
            ("standing", who) => format!("fell_round.{who}"),
            (metric, "encounter") => metric.to_owned(),
            (metric, subject) => format!("{metric}.{subject}"),
        };
    let of = |variant: &str| -> Vec<&HashMap<String, String>> {
        rows.iter()
            .filter(|row| row["variant"] == *variant)
            .collect()
    };
    // The rows agree with the mean and the number of encounters of each rate, ...
    let mut compared = Vec::new();
    for summary in csv(&results.join("summary.csv")).1 {
        let rows = of(&summary["variant"]);
        let values = counts(&rows, &column(&summary));
        compared.push(column(&summary));
        let n: u64 = values.values().sum();
        assert_eq!(n.to_string(), summary["n"], "{summary:?}");
        if n == 0 {
            continue;
        }
        let numbers = values
            .iter()
            .map(|(value, count)| value.parse::<u64>().unwrap() * count);
        let mean = numbers.sum::<u64>() as f64 / n as f64;
        let told: f64 = summary["mean"].parse().unwrap();
        assert!(
            (mean - told).abs() <= 1e-9 * mean.abs(),
            "{mean}: {summary:?}"
        );
    }
    // ... and with the count of each value of all other metrics.
    let mut told: HashMap<(String, String), BTreeMap<String, u64>> = HashMap::new();
    for row in csv(&results.join("distributions.csv")).1 {
        let counts = told
            .entry((row["variant"].clone(), column(&row)))
            .or_default();
        if row["count"] != "0" || row["metric"] == "standing" {
            counts.insert(row["value"].clone(), row["count"].parse().unwrap());
        }
    }
    for ((variant, column), told) in told {
        compared.push(column.clone());
        let rows = of(&variant);
        let found = counts(&rows, &column);
        if column.starts_with("fell_round.") {
            for (round, standing) in told {
                let round: u32 = round.parse().unwrap();
                let fallen = found
                    .iter()
                    .filter(|(fell, _)| fell.parse::<u32>().unwrap() <= round);
                let fallen: u64 = fallen.map(|(_, count)| count).sum();
                assert_eq!(
                    rows.len() as u64 - fallen,
                    standing,
                    "{column} in Round {round}"
                );
            }
        } else {
            assert_eq!(found, told, "{column} of {variant}");
        }
    }
    // Every column has been compared.
    for name in columns {
        let known = ["scenario", "variant", "seed", "encounter"].contains(&name.as_str());
        assert!(known || compared.contains(&name), "{name}");
    }
}

#[test]
fn rows_of_every_system_are_what_was_counted() {
    for scenario in [
        "multi-attacker",
        "mage-chase",
        "chronicles-door",
        "eclipse-ambush",
        "four-clocks",
    ] {
        rows_are_what_was_counted(scenario, &["-n", "300", "--threads", "2", "--seed", "5"]);
    }
}

#[test]
fn threads_change_no_byte_and_longer_runs_go_on_where_shorter_ones_end() {
    let dir = TestDir::empty();
    let rows = |name: &str, words: &[&str]| {
        let file = dir.path(name);
        let out = dir.path("out");
        let place = [
            "-q",
            "-o",
            out.to_str().unwrap(),
            "--each",
            file.to_str().unwrap(),
        ];
        run(&[
            &["scenarios/walled-duel.toml", "--variant", "base"],
            &place[..],
            words,
        ]
        .concat());
        fs::read_to_string(file).unwrap()
    };
    let one = rows("one.csv", &["-n", "1500", "--threads", "1"]);
    assert_eq!(one, rows("five.csv", &["-n", "1500", "--threads", "5"]));
    assert_eq!(one.lines().count(), 1501);
    let long = rows("long.csv", &["-n", "1700", "--threads", "3"]);
    assert!(long.starts_with(&one));
    // A run that waits for precision may look several times; its rows continue over all looks.
    let words = [
        "--precision",
        "0.1%",
        "--max-encounters",
        "1700",
        "--threads",
        "2",
    ];
    assert_eq!(rows("long.csv", &words), long, "and rows may be replaced");
    let numbers = long
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(3).unwrap());
    assert!(numbers.eq((0..1700).map(|number| number.to_string())));
}

#[test]
fn a_row_says_what_trace_shows() {
    let dir = TestDir::empty();
    let file = dir.path("rows.csv");
    let out = dir.path("out");
    let scenario = "scenarios/mage-alley.toml";
    run_into(&format!("{scenario} -n 40 --seed 9 -q"), &out, &file);
    let (_, rows) = csv(&file);
    for row in rows.iter().step_by(rows.len() / 12) {
        let trace = [
            "trace",
            scenario,
            "--format",
            "json",
            "--seed",
            &row["seed"],
            "--variant",
            &row["variant"],
            "--encounter",
            &row["encounter"],
        ];
        let told = skirmish(&trace).json();
        let end = told["events"].as_array().unwrap().last().unwrap();
        assert_eq!(end["ending"], row["outcome"], "{row:?}");
        assert_eq!(end["turn"].to_string(), row["rounds"], "{row:?}");
    }
}

#[test]
fn scenarios_of_several_systems_share_one_file_in_which_cells_may_be_empty() {
    let dir = TestDir::empty();
    let file = dir.path("new/rows.csv");
    let out = dir.path("out");
    let line = "scenarios/walled-duel.toml scenarios/mage-alley.toml -n 3";
    let said = run_into(line, &out, &file);
    let (columns, rows) = csv(&file);
    assert!(said.contains(&format!("{} rows in ", rows.len())), "{said}");
    let scenarios: Vec<&str> = rows.iter().map(|row| row["scenario"].as_str()).collect();
    assert!(
        scenarios.is_sorted_by(
            |one, other| one == other || (*one, *other) == ("walled-duel", "mage-alley")
        )
    );
    assert!(
        columns.contains(&"marks".to_owned())
            && columns.iter().any(|name| name.starts_with("botches."))
    );
    for row in &rows {
        assert_eq!(row["marks"].is_empty(), row["scenario"] == "mage-alley");
        assert!(!row["rounds"].is_empty());
    }
    let mut sorted = columns.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), columns.len(), "each column once");
}

#[test]
fn ctrl_c_leaves_the_rows_of_the_encounters_that_were_counted() {
    let dir = TestDir::empty();
    let file = dir.path("rows.csv");
    let source = FakeSource {
        stop_at: 300,
        ..FakeSource::new()
    };
    let line = format!(
        "a.toml b.toml -n 100k --threads 2 --each {}",
        file.display()
    );
    let outcome = runs::skirmish(&source, dir.root(), &line);
    assert_eq!(outcome.exit, Exit::Interrupted);
    let (_, rows) = csv(&file);
    let manifest = runs::manifest(dir.root(), "a");
    assert_eq!(manifest["variants"][0]["encounters"], rows.len());
    assert!(outcome.err.contains(" rows in "), "{}", outcome.err);
    let numbers = rows
        .iter()
        .map(|row| row["encounter"].parse::<usize>().unwrap());
    assert!(numbers.eq(0..rows.len()));
    assert!(
        rows.iter()
            .all(|row| row["scenario"] == "a" && row["variant"] == "base")
    );
}

#[test]
fn rows_are_refused_where_something_would_be_lost() {
    let dir = TestDir::empty();
    let text = include_str!("../../scenarios/walled-duel.toml");
    let at = |name: &str| dir.path(name);
    fs::write(at("duel.toml"), text).unwrap();
    fs::write(at("other.csv"), "name,age\nbrute,3\n").unwrap();
    fs::write(at("empty.csv"), "").unwrap();
    fs::create_dir(at("folder")).unwrap();
    let refused = |each: &str, more: &[&str], way_out: &str| {
        let (scenario, each, out) = (at("duel.toml"), at(each), at("out"));
        let [scenario, each, out] = [&scenario, &each, &out].map(|path| path.to_str().unwrap());
        let words = ["run", scenario, "-n", "2", "-o", out, "--each", each];
        let output = skirmish(&[&words, more].concat());
        let said = output.err;
        assert_eq!(output.exit, Exit::BadInput, "{said}");
        assert!(said.contains(way_out) && said.contains("--each"), "{said}");
        assert!(!at("out").exists(), "nothing was begun");
    };
    refused("duel.toml", &[], "this is the scenario");
    refused("folder", &[], "this is a folder");
    refused("-", &[], "rows go to a file");
    refused("other.csv", &[], "does not hold rows of encounters");
    refused("out/duel/summary.csv", &[], "the results of this run");
    let report = at("page.html");
    refused(
        "page.html",
        &["--report", report.to_str().unwrap()],
        "--each and --report name the same file",
    );
    let saved = at("saved");
    refused(
        "rows.csv",
        &["--checkpoint", saved.to_str().unwrap()],
        "Leave out --each or --checkpoint",
    );
    assert_eq!(fs::read_to_string(at("duel.toml")).unwrap(), text);
    assert_eq!(
        fs::read_to_string(at("other.csv")).unwrap(),
        "name,age\nbrute,3\n"
    );
    let plan = [
        "run", "--plan", "plan", "--shard", "0", "--each", "rows.csv",
    ];
    skirmish(&plan).assert_refused("a shard of a plan keeps counts");
    // An existing empty file may be replaced.
    let [scenario, each, out] = [at("duel.toml"), at("empty.csv"), at("out")];
    let [scenario, each, out] = [&scenario, &each, &out].map(|path| path.to_str().unwrap());
    run(&[scenario, "-n", "2", "-o", out, "--each", each]);
    assert!(csv(Path::new(each)).1.len() >= 2);
}

/// Returns the code blocks of a language in docs/STATISTICS.md that read rows.
fn blocks(language: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/STATISTICS.md");
    let page = fs::read_to_string(page).unwrap();
    let fence = format!("\n```{language}\n");
    let blocks = page.split(&fence).skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap_or_default().to_owned());
    blocks.filter(|block| block.contains("rows.csv")).collect()
}

/// Writes to the real standard error, so that the message is shown even if the test passes.
fn skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}");
}

#[test]
fn the_lines_of_the_documentation_read_the_rows() {
    let dir = TestDir::empty();
    let (out, file) = (dir.path("out"), dir.path("rows.csv"));
    run_into("scenarios/kiting.toml -n 20 -q", &out, &file);
    let (_, rows) = csv(&file);
    let mut means: HashMap<String, (f64, f64)> = HashMap::new();
    for row in &rows {
        let (sum, n) = means.entry(row["variant"].clone()).or_default();
        *sum += row["health.archer"].parse::<f64>().unwrap();
        *n += 1.0;
    }
    let works = |program: &str, words: &[&str]| {
        let output = Command::new(program).args(words).output();
        output.is_ok_and(|output| output.status.success())
    };
    let python = works("python3", &["-c", ""]);
    // Debian's package belongs to Debian's Python, which may not be the first in the path.
    let pandas = ["python3", "/usr/bin/python3"]
        .into_iter()
        .find(|python| works(python, &["-c", "import pandas"]));
    let rscript = works("Rscript", &["-e", "1"]);
    let (python_blocks, r_blocks) = (blocks("python"), blocks("r"));
    assert_eq!((python_blocks.len(), r_blocks.len()), (2, 1));
    assert!(python_blocks[0].contains("pandas") && python_blocks[1].contains("import csv"));
    let cases = [
        (
            &python_blocks[0],
            pandas.unwrap_or("python3"),
            "-c",
            pandas.is_some(),
        ),
        (&python_blocks[1], "python3", "-c", python),
        (&r_blocks[0], "Rscript", "-e", rscript),
    ];
    for (block, program, option, runs) in cases {
        if !runs {
            skipped(&format!(
                "{program} or a library is not here to run\n{block}"
            ));
            continue;
        }
        let output = Command::new(program)
            .args([option, block])
            .current_dir(dir.root())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{told}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        for (variant, (sum, n)) in &means {
            let mean = format!("{:.2}", sum / n);
            let mean = mean.trim_end_matches('0').trim_end_matches('.');
            assert!(
                told.contains(variant.as_str()) && told.contains(mean),
                "{variant} {mean}: {told}"
            );
        }
    }
}

#[test]
fn small_batches_on_several_threads_write_the_rows_of_one_thread() {
    use skirmish::output::each::EncounterRow;
    use skirmish::run::each::{InOrder, WithRows};
    use skirmish::run::{Player, runner};
    use std::num::NonZeroUsize;
    use std::sync::atomic::AtomicBool;
    for name in ["kiting", "mage-alley"] {
        let path = format!("scenarios/{name}.toml");
        let loaded = skirmish::scenario::Scenario::load(Path::new(&path), &[]).unwrap();
        let variant = &loaded.scenario.variants[0];
        let (fight, rules) = (&variant.fight, &variant.rules);
        let columns = skirmish::tally::values::columns(&[fight]);
        let rows = |threads: usize| {
            let queue = InOrder::with_room(Vec::new(), 1000);
            let row = EncounterRow::new(("fight", "base"), 3, fight, &columns);
            let player = Player::new(fight, rules, 3);
            let player = WithRows::new(player, Some((row, &queue)));
            let threads = NonZeroUsize::new(threads).unwrap();
            let stop = AtomicBool::new(false);
            runner::run_in_batches(&player, fight, 0..500, threads, 37, &stop, &()).unwrap();
            drop(player);
            queue.finish()
        };
        let (plain, count) = rows(1);
        assert_eq!(count, 500);
        assert_eq!(rows(3), (plain, count));
    }
}

#[test]
#[cfg(unix)]
fn a_full_disk_ends_the_run_and_leaves_nothing() {
    let dir = TestDir::empty();
    dir.write("rows.csv", "");
    // No file may exceed 4 kB; rows are written a quarter of a megabyte at a time.
    let command = "trap '' XFSZ; ulimit -f 8; exec \"$0\" run \"$1\" -n 1G --threads 2 -q -o out --each rows.csv";
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/walled-duel.toml");
    let output = Command::new("sh")
        .args(["-c", command, env!("CARGO_BIN_EXE_skirmish"), scenario])
        .current_dir(dir.root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(74), "{said}");
    // The results, which are larger than this, fail first.
    assert!(
        said.contains("cannot write `out/walled-duel/summary.csv`"),
        "{said}"
    );
    assert_eq!(fs::read(dir.path("rows.csv")).unwrap(), b"");
    let left = fs::read_dir(dir.root()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(
        left,
        ["rows.csv"],
        "the file is as it was, and there are no results"
    );
    // With 512 kB for each file the results can be written, and they are kept.
    let output = Command::new("sh")
        .args(["-c", &command.replace("ulimit -f 8", "ulimit -f 1024")])
        .args([env!("CARGO_BIN_EXE_skirmish"), scenario])
        .current_dir(dir.root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(74), "{said}");
    assert!(said.contains("cannot write `rows.csv`"), "{said}");
    assert_eq!(fs::read(dir.path("rows.csv")).unwrap(), b"");
    assert!(dir.path("out/walled-duel/summary.csv").exists(), "{said}");
}
