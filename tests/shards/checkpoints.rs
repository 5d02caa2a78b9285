//! A run that is stopped and resumed ends with the same bytes as a run that was not stopped.

use super::{DUEL, play_shard, results, shard_file};
use crate::output::runs::{self, FakeSource};
use crate::support::{Outcome, TestDir};
use skirmish::cli::Exit;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a command on a made-up engine that stops at `stop_at`.
fn run(dir: &TestDir, line: &str, stop_at: u64) -> Outcome {
    // The flag that the engine sets must be the one that the command reads.
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let source = FakeSource {
        stop_at,
        stop_with: Some(stop),
        ..FakeSource::new()
    };
    let line = line.replace('@', dir.root().to_str().unwrap());
    runs::skirmish(&source, &dir.path("part"), &line)
}

fn whole(dir: &TestDir, line: &str) -> String {
    runs::skirmish(&FakeSource::new(), &dir.path("whole"), line).printed()
}

/// Stops a run at each of these encounters in turn, and resumes it until its end.
fn goes_on(line: &str, stops: &[u64]) {
    let dir = TestDir::with_duel(DUEL);
    let saved = format!("{line} --checkpoint @/saved/check --threads 1");
    for &stop in stops {
        let stopped = run(&dir, &saved, stop);
        assert_eq!(stopped.exit, Exit::Interrupted, "{}", stopped.err);
        let line = stopped.err.lines().last().unwrap_or_default();
        assert!(
            line.contains("rerun the same command to resume"),
            "{}",
            stopped.err
        );
        assert!(dir.path("saved/check").is_file());
    }
    let ended = run(&dir, &saved.replace("threads 1", "threads 3"), u64::MAX);
    assert!(ended.err.contains("resuming from `"), "{}", ended.err);
    assert_eq!(ended.exit, Exit::Done);
    assert_eq!(ended.out, whole(&dir, line));
    assert_eq!(results(&dir.path("part")), results(&dir.path("whole")));
    assert!(!dir.path("saved/check").exists(), "all is done");
}

#[test]
fn a_run_goes_on() {
    goes_on("a.toml -n 9k", &[100, 3000, 8999]);
    goes_on("a.toml -n 5k --variant base --seed 7", &[0, 1000]);
}

#[test]
fn a_run_to_a_precision_ends_at_the_same_look() {
    goes_on("a.toml --precision 1%", &[100, 5000]);
    goes_on("a.toml --precision 0.6%", &[11_000, 20_000]);
    goes_on(
        "a.toml --precision 0.5% --metric rounds --max-encounters 12k",
        &[10_100],
    );
}

/// The three files have results with the same names.
#[test]
fn several_files_go_on() {
    let dir = TestDir::with_duel(DUEL);
    let line = "a.toml b.toml c.toml -n 4k";
    let saved = format!("{line} --checkpoint @/check --threads 1");
    // Each run stops in the next variant; three files have two variants each.
    for fight in 0..6 {
        let stopped = run(&dir, &saved, 2000);
        assert_eq!(stopped.exit, Exit::Interrupted);
        assert_eq!(dir.path("part/b").exists(), fight >= 2);
    }
    let ended = run(&dir, &saved, 2000);
    assert_eq!(ended.exit, Exit::Done);
    assert_eq!(ended.out, whole(&dir, line));
    for stem in ["a", "b", "c"] {
        let of = |folder: &str| results(&dir.path(folder).join(stem));
        assert_eq!(of("part"), of("whole"));
    }
}

#[test]
fn how_often_it_is_saved_cannot_be_seen() {
    let dir = TestDir::with_duel(DUEL);
    let line = "a.toml -n 3k --threads 2";
    let ended = run(
        &dir,
        &format!("{line} --checkpoint @/check --checkpoint-every 0"),
        u64::MAX,
    );
    assert_eq!(ended.exit, Exit::Done);
    assert_eq!(ended.out, whole(&dir, line));
    assert_eq!(results(&dir.path("part")), results(&dir.path("whole")));
    assert!(!dir.path("check").exists());
}

#[test]
fn a_checkpoint_of_anything_else_is_refused_and_left_as_it_is() {
    let dir = TestDir::with_duel(DUEL);
    run(&dir, "a.toml -n 9k --checkpoint @/check --threads 1", 1000);
    let saved = fs::read(dir.path("check")).unwrap();
    for other in [
        "a.toml -n 8k",
        "a.toml -n 9k --seed 2",
        "b.toml -n 9k",
        "a.toml b.toml -n 9k",
        "a.toml -n 9k --variant base",
        "a.toml -n 9k --confidence 99%",
        "a.toml -n 9k --set x=1",
        "a.toml --precision 1%",
    ] {
        let refused = run(&dir, &format!("{other} --checkpoint @/check"), u64::MAX);
        assert_eq!(refused.exit, Exit::Mismatch, "{other}: {}", refused.err);
        assert!(refused.err.contains("`: it is of run "), "{}", refused.err);
        assert!(
            refused
                .err
                .contains("It was left as it is: remove it to begin anew, or name another file"),
            "{}",
            refused.err
        );
        assert_eq!(fs::read(dir.path("check")).unwrap(), saved);
    }
}

#[test]
fn a_damaged_checkpoint_is_refused_and_left_as_it_is() {
    let dir = TestDir::with_duel(DUEL);
    let line = "a.toml -n 9k --checkpoint @/check --threads 1";
    run(&dir, line, 1000);
    let saved = fs::read(dir.path("check")).unwrap();
    let mut flipped = saved.clone();
    flipped[saved.len() / 2] ^= 1;
    let wrong = [
        b"notes".to_vec(),
        saved[..saved.len() - 1].to_vec(),
        flipped,
    ];
    for wrong in wrong {
        dir.write("check", &wrong);
        let refused = run(&dir, line, u64::MAX);
        assert_eq!(refused.exit, Exit::Mismatch, "{}", refused.err);
        assert!(refused.err.contains("cannot go on from"), "{}", refused.err);
        assert_eq!(fs::read(dir.path("check")).unwrap(), wrong);
    }
    // An empty file holds nothing to lose.
    for begun in [saved, Vec::new()] {
        dir.write("check", begun);
        assert_eq!(run(&dir, line, u64::MAX).exit, Exit::Done);
    }
}

#[test]
fn a_shard_is_no_checkpoint() {
    let dir = TestDir::with_duel(DUEL);
    dir.call("plan @/duel.toml -n 100 --shards 2 -o @/run -q")
        .printed();
    play_shard(&dir, 0);
    let line = format!(
        "run @/duel.toml -n 100 -o @/r --checkpoint {}",
        shard_file(&dir, 0).display()
    );
    let said = dir.call(&line).messages(Exit::Mismatch);
    assert!(
        said.contains("it is shard 0/2 with encounters 0 to 100, not a checkpoint"),
        "{said}"
    );
    assert_eq!(
        dir.call("missing @/run").out,
        "1\n",
        "the shard is as it was"
    );
}

#[test]
fn a_place_where_nothing_can_be_saved_is_refused_before_the_run() {
    let dir = TestDir::with_duel(DUEL);
    fs::create_dir(dir.path("folder")).unwrap();
    let refused = run(&dir, "a.toml -n 100 --checkpoint @/folder", u64::MAX);
    assert_eq!(refused.exit, Exit::BadInput, "{}", refused.err);
    let refused = run(
        &dir,
        "a.toml -n 100 --checkpoint @/duel.toml/check",
        u64::MAX,
    );
    assert_eq!(refused.exit, Exit::BadInput, "{}", refused.err);
    assert!(!dir.path("part/a").exists());
}

#[test]
fn a_stop_at_once_leaves_nothing_to_go_on_from() {
    let dir = TestDir::with_duel(DUEL);
    let source = FakeSource::new();
    source.stop.store(true, Ordering::Relaxed);
    let check = dir.path("check");
    let line = format!("a.toml -n 9k --checkpoint {}", check.display());
    let outcome = runs::skirmish(&source, &dir.path("part"), &line);
    assert_eq!(outcome.exit, Exit::Interrupted);
    assert!(!check.exists());
    assert!(
        !outcome.err.contains("rerun the same command"),
        "{}",
        outcome.err
    );
}
