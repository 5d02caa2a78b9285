//! `--dry-run` counts correctly, estimates, and writes nothing.

use super::DUEL;
use crate::support::TestDir;
use skirmish::cli::Exit;
use std::fs;
use std::sync::atomic::Ordering;

fn lines(dir: &TestDir, line: &str) -> Vec<String> {
    let out = dir.call(line).printed();
    let names: Vec<_> = fs::read_dir(dir.path("")).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing is written: {names:?}");
    out.lines().map(str::to_owned).collect()
}

#[test]
fn a_run_is_foretold() {
    let dir = TestDir::with_duel(DUEL);
    let lines = lines(
        &dir,
        "run @/duel.toml -n 100k --threads 2 -o @/results --dry-run",
    );
    assert_eq!(
        lines[0],
        "duel: 2 variants of 100,000 encounters each: 200,000 encounters"
    );
    assert!(lines[1].starts_with("about "), "{}", lines[1]);
    assert!(lines[1].contains(" on 2 threads, at ") && lines[1].ends_with(" a second"));
    assert!(
        lines[2].ends_with(" kB into `@/results/duel`"),
        "{}",
        lines[2]
    );
    assert_eq!(lines[3], "this was a dry run: nothing was written");
}

#[test]
fn the_bytes_of_a_small_run_are_exact() {
    let dir = TestDir::with_duel(DUEL);
    // A probe that may play all encounters sees what is written, except times.
    let foretold = dir
        .call("run @/duel.toml -n 30 -o @/results --dry-run")
        .printed();
    let kilobytes = foretold
        .lines()
        .nth(2)
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .to_owned();
    dir.call("run @/duel.toml -n 30 -o @/results -q").printed();
    let written: u64 = fs::read_dir(dir.path("results/duel"))
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    let foretold: u64 = kilobytes.parse().unwrap();
    assert!(
        foretold.abs_diff(written / 1000) <= 1,
        "{foretold} kB, {written} bytes"
    );
}

#[test]
fn a_run_to_a_precision_is_foretold_from_how_far_it_is() {
    let dir = TestDir::with_duel(DUEL);
    let line = "run @/duel.toml --variant base --precision 10% --dry-run -o @/results";
    let first = &lines(&dir, line)[0];
    assert_eq!(
        first,
        "duel: 1 variant until ±10% is reached, 1,000,000,000 encounters each at most: \
         10,000 encounters"
    );
    let first = &lines(&dir, &line.replace("10%", "0.1%"))[0];
    let all: String = first
        .rsplit(": ")
        .next()
        .unwrap()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    // (1.96 / 2 / 0.001)^2 is 960,400 for a rate of one half.
    let all: u64 = all.parse().unwrap();
    assert!((800_000..1_300_000).contains(&all), "{first}");
}

#[test]
fn comparisons_sweeps_and_sensitivities_are_foretold() {
    let dir = TestDir::with_duel(DUEL);
    let first = |line: &str| lines(&dir, line)[0].clone();
    assert_eq!(
        first("compare @/duel.toml -n 50k -o @/results --dry-run"),
        "2 variants of 50,000 encounters each: 100,000 encounters"
    );
    assert_eq!(
        first("compare @/duel.toml --until-decided --max-encounters 1M -o @/results --dry-run"),
        "2 variants of 1,000 to 1,000,000 encounters each: 2,000 to 2,000,000 encounters"
    );
    let sweep =
        "sweep @/duel.toml --vary combatants.knight.health=10..14 -n 1k -o @/results --dry-run";
    assert_eq!(
        first(sweep),
        "5 points of 1,000 encounters each: 5,000 encounters"
    );
    assert_eq!(
        first(&format!("{sweep} --threshold 50%")),
        "at most 5 points of 1,000 encounters each: 5,000 encounters"
    );
}

#[test]
fn plans_and_shards_are_foretold() {
    let dir = TestDir::with_duel(DUEL);
    let plan = "plan @/duel.toml -n 1k --shards 4 -o @/run";
    let first = &lines(&dir, &format!("{plan} --dry-run --threads 1"))[0];
    assert_eq!(
        first,
        "4 shards of 2 fights of 1,000 encounters each: 2,000 encounters"
    );
    dir.call(&format!("{plan} -q")).printed();
    let out = dir.call("run --plan @/run --shard 3 --dry-run").printed();
    assert!(out.starts_with("shard 3/4: 500 encounters\n"), "{out}");
    assert!(out.contains("into `@/run/shards/000003.shard`"), "{out}");
    assert!(!dir.path("run/shards").exists());
    dir.stop.store(true, Ordering::Relaxed);
    let stopped = dir.call("run --plan @/run --shard 3 --dry-run");
    assert_eq!(
        (stopped.exit, stopped.out.as_str()),
        (Exit::Interrupted, "")
    );
}
