//! `plan --dry-run` counts correctly, estimates, and writes nothing.

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
fn plans_are_foretold() {
    let dir = TestDir::with_duel(DUEL);
    let plan = "plan @/duel.toml -n 1k --shards 4 -o @/run";
    let first = &lines(&dir, &format!("{plan} --dry-run --threads 1"))[0];
    assert_eq!(
        first,
        "4 shards of 2 fights of 1,000 encounters each: 2,000 encounters"
    );
    dir.stop.store(true, Ordering::Relaxed);
    let stopped = dir.call(&format!("{plan} --dry-run"));
    assert_eq!(
        (stopped.exit, stopped.out.as_str()),
        (Exit::Interrupted, "")
    );
}
