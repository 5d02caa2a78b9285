//! A run in shards equals a single run, byte for byte, however it is split and played.

use super::{DUEL, play_shard, results, shard_file};
use crate::support::TestDir;
use clap::Parser as _;
use proptest::prelude::*;
use skirmish::cli::Cli;
use skirmish::cli::Exit;
use std::fs;
use std::sync::atomic::Ordering;

/// A way to carry out a plan.
#[derive(Debug)]
struct Way {
    shards: u64,
    /// The order of the shards; some occur twice.
    order: Vec<u64>,
    threads: Vec<u8>,
}

fn ways() -> impl Strategy<Value = Way> {
    (1u64..12).prop_flat_map(|shards| {
        let all: Vec<u64> = (0..shards).chain(0..shards / 2).collect();
        let threads = prop::collection::vec(1u8..5, 20);
        (Just(all).prop_shuffle(), threads).prop_map(move |(order, threads)| Way {
            shards,
            order,
            threads,
        })
    })
}

/// Plans, plays and merges a run, and asserts that the results equal those of a single run.
fn the_same(plan: &str, one: &str, options: &str, way: &Way) {
    let dir = TestDir::with_duel(DUEL);
    let Way { shards, .. } = way;
    let line = format!("plan {plan} @/duel.toml {options} --shards {shards} -o @/run -q");
    assert_eq!(dir.call(&line).printed(), "");
    let last = shards - 1;
    let all = if last == 0 {
        "0".to_owned()
    } else {
        format!("0-{last}")
    };
    assert_eq!(dir.call("missing @/run").printed(), format!("{all}\n"));
    for (number, threads) in way.order.iter().zip(way.threads.iter().cycle()) {
        let line =
            format!("run --plan @/run/plan.json --shard {number}/{shards} --threads {threads} -q");
        assert_eq!(dir.call(&line).printed(), "");
    }
    assert_eq!(dir.call("missing @/run").printed(), "");
    let page = dir.path("page.html");
    let line = "merge @/run -o @/merged -q --report @/page.html";
    let merged = dir.call(line).printed();
    let merged_page = fs::read(&page).unwrap();
    let line = format!("{one} @/duel.toml {options} -o @/whole -q");
    let with_page = format!("{line} --report @/page.html");
    assert_eq!(merged, dir.call(&with_page).printed());
    assert_eq!(results(&dir.path("merged")), results(&dir.path("whole")));
    assert!(merged_page == fs::read(&page).unwrap());
    for format in ["csv", "json", "markdown"] {
        let merged = dir.call(&format!("merge @/run -o @/merged -q --format {format}"));
        let whole = dir.call(&format!("{line} --format {format}"));
        assert_eq!(merged.printed(), whole.printed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn a_run_in_shards_is_one_run(way in ways(), encounters in 12u64..700, seed: u64) {
        let options = format!("-n {encounters} --seed {seed} --confidence 99% --set combatants.knight.armor=2");
        the_same("", "run", &options, &way);
    }

    #[test]
    fn a_comparison_in_shards_is_one_comparison(way in ways(), encounters in 12u64..700, seed: u64) {
        let options = format!("-n {encounters} --seed {seed} --metric all --confidence 90%");
        the_same("compare", "compare", &options, &way);
    }

    #[test]
    fn changes_in_shards_are_those_of_one_run(way in ways(), encounters in 12u64..300, seed: u64) {
        let options = format!("-n {encounters} --seed {seed} --metric win_rate --metric rounds");
        the_same("knockout", "knockout", &options, &way);
        the_same("sensitivity", "sensitivity", &options, &way);
    }

    #[test]
    fn a_sweep_in_shards_is_one_sweep(way in ways(), encounters in 4u64..300, points in 3u64..9) {
        let options = format!(
            "-n {encounters} --vary combatants.knight.health=15..{} --metric win_rate --metric rounds",
            14 + points
        );
        the_same("sweep", "sweep", &options, &way);
    }

    #[test]
    fn a_search_in_shards_is_one_search(way in ways(), encounters in 4u64..300) {
        let options = format!("-n {encounters} --vary combatants.knight.health=8..30 --threshold 50%");
        the_same("sweep", "sweep", &options, &way);
    }
}

#[test]
fn two_files_are_compared_in_shards() {
    let dir = TestDir::with_duel(DUEL);
    fs::copy(dir.path("duel.toml"), dir.path("other.toml")).unwrap();
    let files = "compare @/duel.toml @/other.toml -n 300 --variant armoured";
    dir.call(&format!("plan {files} --shards 3 -o @/run -q"))
        .printed();
    (0..3).for_each(|number| play_shard(&dir, number));
    let merged = dir.call("merge @/run -o @/merged -q").printed();
    assert_eq!(
        merged,
        dir.call(&format!("{files} -o @/whole -q")).printed()
    );
    assert_eq!(results(&dir.path("merged")), results(&dir.path("whole")));
}

#[test]
fn a_matchup_in_shards_is_one_matchup() {
    let dir =
        TestDir::with_duel(&fs::read_to_string("scenarios/hammer-knives-shield.toml").unwrap());
    let plan = "plan matchup @/duel.toml -n 301 --shards 5 -o @/run -q";
    dir.call(plan).printed();
    (0..5).for_each(|number| play_shard(&dir, number));
    let merged = dir.call("merge @/run -o @/merged -q").printed();
    let whole = dir.call("matchup @/duel.toml -n 301 -o @/whole -q");
    assert_eq!(merged, whole.printed());
    assert_eq!(results(&dir.path("merged")), results(&dir.path("whole")));
    fs::remove_file(shard_file(&dir, 2)).unwrap();
    let partial = dir
        .call("merge @/run --partial -o @/partial -q --format json")
        .printed();
    assert!(partial.contains("\"shards\": 4"), "{partial}");
}

#[test]
fn a_scenario_that_is_edited_after_planning_changes_nothing() {
    let dir = TestDir::with_duel(DUEL);
    let before = dir.call("run @/duel.toml -n 200 -o @/whole -q").printed();
    dir.call("plan @/duel.toml -n 200 --shards 2 -o @/run -q")
        .printed();
    play_shard(&dir, 0);
    dir.write("duel.toml", "title = 7");
    play_shard(&dir, 1);
    assert_eq!(dir.call("merge @/run -o @/merged -q").printed(), before);
    fs::remove_file(dir.path("duel.toml")).unwrap();
    assert_eq!(dir.call("merge @/run -o @/again -q").printed(), before);
}

#[test]
fn planning_the_same_again_does_nothing_and_anything_else_is_refused() {
    let dir = TestDir::with_duel(DUEL);
    let plan = |options: &str| dir.call(&format!("plan @/duel.toml -o @/run {options}"));
    let said = plan("-n 1k --shards 4").messages(Exit::Done);
    assert_eq!(
        said,
        "1,000 encounters of each of 2 fights, 4 shards of 500 encounters each; \
         `@/run/plan.json` is written\n"
    );
    let written = fs::read(dir.path("run/plan.json")).unwrap();
    let said = plan("-n 1k --shards 4").messages(Exit::Done);
    assert!(
        said.ends_with("`@/run/plan.json` is there already\n"),
        "{said}"
    );
    let said = plan("-n 1k --shards 5").errors();
    assert!(
        said.contains("holds the same run, cut into 4 shards: write this plan into another folder"),
        "{said}"
    );
    for other in [
        "-n 2k --shards 4",
        "-n 1k --shards 4 --seed 2",
        "-n 1k --shards 4 --confidence 99%",
    ] {
        let said = plan(other).errors();
        assert!(said.contains("`@/run/plan.json` holds run "), "{said}");
    }
    assert_eq!(fs::read(dir.path("run/plan.json")).unwrap(), written);
    dir.write("run/plan.json", "{}");
    let said = plan("-n 1k --shards 4").errors();
    assert!(said.contains("holds something else"), "{said}");
}

#[test]
fn shards_of_two_sizes_are_told() {
    let dir = TestDir::with_duel(DUEL);
    let said = dir
        .call("plan @/duel.toml -o @/run -n 1k --shards 3")
        .messages(Exit::Done);
    assert!(
        said.contains("3 shards of 666 or 667 encounters each"),
        "{said}"
    );
}

#[test]
fn a_shard_that_is_there_is_not_played_again() {
    let dir = TestDir::with_duel(DUEL);
    dir.call("plan @/duel.toml -n 1k --shards 4 -o @/run -q")
        .printed();
    let said = dir.call("run --plan @/run --shard 2").messages(Exit::Done);
    assert!(said.starts_with("500 encounters in "), "{said}");
    assert!(
        said.ends_with("; shard 2 in @/run/shards/000002.shard\n"),
        "{said}"
    );
    let before = fs::metadata(shard_file(&dir, 2))
        .unwrap()
        .modified()
        .unwrap();
    let said = dir
        .call("run --plan @/run --shard 2/4")
        .messages(Exit::Done);
    assert_eq!(
        said,
        "`@/run/shards/000002.shard` is there already: nothing to do\n"
    );
    assert_eq!(
        fs::metadata(shard_file(&dir, 2))
            .unwrap()
            .modified()
            .unwrap(),
        before
    );
}

#[test]
fn an_interrupted_shard_is_not_there() {
    let dir = TestDir::with_duel(DUEL);
    dir.call("plan @/duel.toml -n 1k --shards 4 -o @/run -q")
        .printed();
    dir.stop.store(true, Ordering::Relaxed);
    let said = dir
        .call("run --plan @/run --shard 2")
        .messages(Exit::Interrupted);
    assert_eq!(
        said,
        "interrupted: shard 2 is not finished, and was not written\n"
    );
    assert!(!dir.path("run/shards").exists(), "nothing is left behind");
}

#[test]
fn what_is_there_can_be_merged_and_says_how_much_that_is() {
    let dir = TestDir::with_duel(DUEL);
    dir.call("plan @/duel.toml -n 1k --variant base --shards 4 -o @/run -q")
        .printed();
    (0..3).for_each(|number| play_shard(&dir, number));
    let said = dir
        .call("merge @/run -o @/merged -q")
        .messages(Exit::Mismatch);
    assert_eq!(
        said,
        "missing: 3; play them: skirmish run --plan @/run --shard NUMBER\n\
         error: nothing was merged: 3 of 4 shards are there; --partial merges those that are there\n"
    );
    assert!(!dir.path("merged").exists());
    // No single command can reproduce a page of a part.
    let both = [
        "skirmish",
        "merge",
        "run",
        "--partial",
        "--report",
        "page.html",
    ];
    assert!(Cli::try_parse_from(both).is_err());
    assert!(Cli::try_parse_from(&both[..3]).is_ok());
    let table = dir.call("merge @/run -o @/merged -q --partial").printed();
    assert!(
        table.contains("as written: 750 of 1,000 encounters (partial)"),
        "{table}"
    );
    let manifest = dir.json("merged/duel/manifest.json");
    let partial = serde_json::json!({
        "shards": 3, "of_shards": 4, "encounters": 750, "of_encounters": 1000
    });
    assert_eq!(manifest["partial"], partial);
    dir.call("report @/merged/duel -o @/page.html -q");
    let page = dir.read("page.html");
    let told = "Only 3 of 4 shards are merged: 750 of 1,000 encounters.";
    assert!(page.contains(told));
    assert_eq!(manifest["interrupted"], false);
    assert_eq!(manifest["variants"][0]["encounters"], 750);
    // The merged encounters are the first ones of the run.
    dir.call("run @/duel.toml --variant base -n 750 -o @/whole -q")
        .printed();
    for file in ["summary.csv", "distributions.csv", "examples.csv"] {
        let read = |folder: &str| fs::read(dir.path(folder).join("duel").join(file)).unwrap();
        assert!(read("merged") == read("whole"), "{file}");
    }
    play_shard(&dir, 3);
    let table = dir.call("merge @/run -o @/merged -q --partial").printed();
    assert!(!table.contains("partial"), "{table}");
}

#[test]
fn a_partial_sweep_has_the_points_that_are_whole() {
    for threshold in ["", " --threshold 50%"] {
        a_partial_sweep_has_what_is_whole(threshold);
    }
}

fn a_partial_sweep_has_what_is_whole(threshold: &str) {
    let dir = TestDir::with_duel(DUEL);
    let options = format!("-n 100 --vary combatants.knight.health=18..21{threshold}");
    dir.call(&format!(
        "plan sweep @/duel.toml {options} --shards 8 -o @/run -q"
    ))
    .printed();
    play_shard(&dir, 0);
    let said = dir
        .call("merge @/run -o @/merged -q --partial")
        .messages(Exit::Mismatch);
    assert!(
        said.ends_with("no point of the sweep has all its shards\n"),
        "{said}"
    );
    for number in [1, 2, 6, 7] {
        play_shard(&dir, number);
    }
    let table = dir.call("merge @/run -o @/merged -q --partial").printed();
    assert!(
        table.contains(
            "as written: 2 points of 100 encounters each (partial; the others are missing)"
        ),
        "{table}"
    );
    let csv = dir.read("merged/duel/sweep.csv");
    let has = |health: &str| {
        csv.lines()
            .any(|line| line.contains(&format!(",{health},")))
    };
    assert!(has("18") && !has("19") && !has("20") && has("21"), "{csv}");
}
