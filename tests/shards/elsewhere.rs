//! Shards that do not lie beside their plan: a shard goes to any file, and files of any name and place are merged.

use super::{DUEL, results, shard_file};
use crate::support::TestDir;
use skirmish::cli::Exit;
use skirmish::task::shard::{Head, Plan};
use std::fs;
use std::process::Stdio;

/// Returns a folder with a plan of four shards in `run`, which are played into files elsewhere.
fn scattered() -> TestDir {
    let dir = TestDir::with_duel(DUEL);
    dir.call("plan @/duel.toml -n 1k --shards 4 -o @/run -q")
        .printed();
    for (number, file) in ["a/last", "a/first.shard", "b", "c/d/x.bin"]
        .iter()
        .enumerate()
    {
        play_into(&dir, number, file);
    }
    dir
}

#[track_caller]
fn play_into(dir: &TestDir, number: usize, file: &str) {
    let line = format!("run --plan @/run/plan.json --shard {number} --shard-file @/{file} -q");
    assert_eq!(dir.call(&line).printed(), "");
}

/// Returns the errors of a merge of these files that leaves no results.
#[track_caller]
fn refused(dir: &TestDir, files: &str) -> String {
    let line = format!("merge @/run {files} -o @/merged -q");
    let said = dir.call(&line).messages(Exit::Mismatch);
    assert!(!dir.path("merged").exists());
    said
}

#[test]
fn files_of_any_name_place_and_order_are_merged() {
    let dir = scattered();
    fs::rename(dir.path("run/plan.json"), dir.path("that.json")).unwrap();
    dir.write("a/.hidden", "ignored");
    let files = "@/c/d/x.bin @/a @/b";
    assert_eq!(
        dir.call(&format!("missing @/that.json {files}")).printed(),
        ""
    );
    let merged = dir
        .call(&format!("merge @/that.json {files} -o @/merged -q"))
        .printed();
    let whole = dir.call("run @/duel.toml -n 1k -o @/whole -q").printed();
    assert_eq!(merged, whole);
    assert_eq!(results(&dir.path("merged")), results(&dir.path("whole")));
}

#[test]
fn a_shard_elsewhere_is_the_one_beside_the_plan() {
    let dir = scattered();
    dir.call("run --plan @/run --shard 2 -q").printed();
    let whole = fs::read(shard_file(&dir, 2)).unwrap();
    assert!(whole == fs::read(dir.path("b")).unwrap());
    let output = dir
        .command("run --plan run --shard 2 --shard-file -")
        .output()
        .unwrap();
    assert!(output.stdout == whole);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("shard 2 is written to standard output"),
        "{said}"
    );
}

#[test]
fn bytes_that_are_not_read_to_the_end_are_an_error() {
    let dir = scattered();
    let mut command = dir.command("run --plan run --shard 2 --shard-file - -q");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(74));
}

#[test]
fn missing_and_damaged_files_are_named() {
    let dir = scattered();
    assert_eq!(dir.call("missing @/run @/b @/a").printed(), "3\n");
    assert_eq!(
        refused(&dir, "@/b @/a @/lost"),
        "`@/lost`: it is missing; leave it out\n\
         missing: 3; play them: skirmish run --plan @/run --shard NUMBER --shard-file FILE\n\
         error: nothing was merged: 3 of 4 shards are there; --partial merges those that are there\n"
    );
    let mut bytes = fs::read(dir.path("b")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(dir.path("b"), bytes).unwrap();
    let said = refused(&dir, "@/a @/b @/c/d @/duel.toml");
    let damaged =
        "`@/b`: it is damaged or cut short: its checksum is not that of its content; leave it out";
    let foreign = "`@/duel.toml`: it is no shard or checkpoint of skirmish; leave it out";
    for part in [damaged, foreign, "missing: 2;"] {
        assert!(said.contains(part), "{said}");
    }
    // What is damaged is replaced under its name.
    play_into(&dir, 2, "b");
    dir.call("merge @/run @/a @/b @/c/d -o @/merged -q")
        .printed();
    dir.call("merge @/run - -o @/merged -q")
        .assert_refused("`-` (standard input) cannot be a shard");
}

#[test]
fn a_shard_that_is_there_twice_counts_once() {
    let dir = scattered();
    fs::copy(dir.path("b"), dir.path("copy")).unwrap();
    let merged = dir.call("merge @/run @/copy @/a @/b @/c/d -o @/merged -q");
    merged.printed();
    assert_eq!(merged.err, "");
    dir.call("run @/duel.toml -n 1k -o @/whole -q").printed();
    assert_eq!(results(&dir.path("merged")), results(&dir.path("whole")));
}

#[test]
fn two_files_of_a_shard_that_differ_are_refused() {
    let dir = scattered();
    let plan = Plan::read(&dir.path("run/plan.json")).unwrap();
    // Its head and its checksum are right.
    fs::write(dir.path("other"), Head::shard(&plan, 2).file(&[])).unwrap();
    let said = refused(&dir, "@/a @/b @/c/d @/other");
    let both = "`@/other`: it is shard 2, and so is `@/b`, but they differ; leave out both";
    assert!(said.starts_with(both), "{said}");
}

#[test]
fn a_shard_of_another_plan_is_refused() {
    let dir = scattered();
    dir.call("plan @/duel.toml -n 1k --shards 5 -o @/other -q")
        .printed();
    let line = "run --plan @/other --shard 4 --shard-file @/e -q";
    dir.call(line).printed();
    let said = refused(&dir, "@/a @/b @/c/d @/e");
    assert!(
        said.starts_with("`@/e`: it is shard 4/5 with encounters 1600 to 2000, not shard 3/4 "),
        "{said}"
    );
    assert!(said.ends_with("--partial leaves them out\n"), "{said}");
    dir.call("merge @/run --partial @/a @/b @/c/d @/e -o @/merged -q")
        .printed();
}

#[test]
fn only_a_damaged_copy_of_a_shard_is_replaced() {
    let dir = scattered();
    for file in ["duel.toml", "a/last"] {
        let before = fs::read(dir.path(file)).unwrap();
        let line = format!("run --plan @/run --shard 2 --shard-file @/{file} -q");
        let said = dir.call(&line).messages(Exit::Mismatch);
        assert!(
            said.ends_with("it was left as it is: name another file\n"),
            "{said}"
        );
        assert!(before == fs::read(dir.path(file)).unwrap());
    }
    dir.call("run --plan @/run --shard 2 --shard-file @/a -q")
        .messages(Exit::Mismatch);
    // As `mktemp` makes it.
    dir.write("empty", "");
    play_into(&dir, 2, "empty");
    assert!(fs::read(dir.path("empty")).unwrap() == fs::read(dir.path("b")).unwrap());
}
