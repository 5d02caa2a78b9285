//! The program, killed and short of resources: no invalid result is ever merged, no valid one is ever lost.

use super::{DUEL, results};
use crate::robustness::signals::send;
use crate::robustness::until;
use crate::support::{Outcome, TestDir, assert_narrow};
use skirmish::cli::Exit;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

/// Returns a folder with `duel.toml` and a plan of four shards in `run`.
fn planned() -> TestDir {
    let dir = TestDir::with_duel(DUEL);
    dir.run("plan duel.toml -o run -n 20k --shards 4 -q")
        .assert_done();
    dir
}

/// Runs a shell script with the program as `$0`.
fn sh(dir: &TestDir, script: &str) -> Output {
    let program = dir.command("").get_program().to_owned();
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(program);
    shell.current_dir(dir.root()).output().unwrap()
}

/// Plays the missing shards, merges them, and compares the results with a single run.
fn assert_ends_well(dir: &TestDir) {
    for number in 0..4 {
        let line = format!("run --plan run --shard {number} -q");
        dir.run(&line).assert_done();
    }
    assert_eq!(dir.run("missing run").printed(), "");
    assert_merged_is_whole(dir, &dir.run("merge run -o merged -q").printed());
}

/// Asserts that merged results and their output are those of a single run.
fn assert_merged_is_whole(dir: &TestDir, merged: &str) {
    let whole = dir.run("run duel.toml -n 20k -o whole -q").printed();
    assert_eq!(merged, whole);
    assert_eq!(results(&dir.path("merged")), results(&dir.path("whole")));
}

/// Asserts that an interrupted run of 60,000 encounters is finished by the same command.
fn assert_resumes(dir: &TestDir, line: &str) {
    let ended = dir.run(line).printed();
    let whole = dir.run("run duel.toml -n 60k -o whole -q").printed();
    assert_eq!(ended, whole);
    assert_eq!(results(&dir.path("part")), results(&dir.path("whole")));
}

/// Returns the names in the folder of shards, if it exists.
fn names(dir: &TestDir) -> Vec<String> {
    let shards = |name: String| name.strip_prefix("run/shards/").map(str::to_owned);
    dir.files().into_iter().filter_map(shards).collect()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn skipped(what: &str) {
    // Bypasses the test harness, which would capture the message.
    let _ = writeln!(std::io::stderr(), "skipped: {what}");
}

/// Returns whether a script may mount file systems.
fn mounts(dir: &TestDir) -> bool {
    sh(
        dir,
        "unshare -rm sh -c 'mkdir -p m && mount -t tmpfs -o size=64k tmpfs m'",
    )
    .status
    .success()
}

#[test]
fn a_shard_that_is_killed_is_whole_or_not_there() {
    let dir = planned();
    // The pauses range from before the run has begun to after its end, on any machine.
    for pause in [0, 1, 3, 10, 20, 40, 80, 160, 320, 640] {
        let child = dir.start("run --plan run --shard 1 -q");
        std::thread::sleep(Duration::from_millis(pause));
        kill(child);
        let missing = dir.run("missing run");
        assert_eq!(missing.err, "");
        assert!(
            ["0-3\n", "0,2-3\n"].contains(&missing.out.as_str()),
            "{missing:#?}"
        );
        assert_eq!(dir.run("merge run -o merged").exit, Exit::Mismatch);
        let _ = fs::remove_file(dir.path("run/shards/000001.shard"));
    }
    assert_ends_well(&dir);
}

/// A limit on file size kills the program in the middle of a write.
#[test]
fn a_shard_that_is_killed_in_mid_write_is_not_there() {
    let dir = planned();
    let output = sh(&dir, "ulimit -f 1; exec \"$0\" run --plan run --shard 1 -q");
    assert_eq!(
        output.status.code(),
        None,
        "killed by a signal: {}",
        stderr(&output)
    );
    let names = names(&dir);
    let [left] = names.as_slice() else {
        panic!("what was being written is left: {names:?}");
    };
    assert!(left.starts_with(".skirmish-"), "{left}");
    let half = fs::metadata(dir.path("run/shards").join(left))
        .unwrap()
        .len();
    assert!((1..=1024).contains(&half), "{half} bytes");
    assert_eq!(dir.run("missing run").printed(), "0-3\n");
    assert_ends_well(&dir);
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let dir = planned();
    let limited = |line: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 1; exec \"$0\" {line}");
        sh(&dir, &script)
    };
    let outcome = Outcome::of(limited("run --plan run --shard 1 -q"));
    assert_eq!(outcome.exit, Exit::Io, "{outcome:#?}");
    assert!(
        outcome
            .err
            .contains("cannot write `run/shards/000001.shard`"),
        "{outcome:#?}"
    );
    assert_eq!(names(&dir), Vec::<String>::new(), "nothing is left");
    // A run continues without its checkpoint, but its results are too long in the end.
    let output = limited("run duel.toml -n 20k -q -o r --checkpoint check --checkpoint-every 0");
    assert_narrow(&String::from_utf8_lossy(&output.stderr));
    let outcome = Outcome::of(output);
    assert_eq!(outcome.exit, Exit::Io, "{outcome:#?}");
    // The checkpoint is too long from the first time on.
    assert!(
        outcome.err.contains("; there is no checkpoint yet"),
        "{outcome:#?}"
    );
    assert!(!outcome.err.contains("is kept"), "{outcome:#?}");
    assert!(!dir.path("check").exists());
    let line = "run duel.toml -n 1G -q -o r --checkpoint check --checkpoint-every 0";
    let child = dir.start(line);
    until("a checkpoint", || dir.path("check").exists());
    send("-INT", &child);
    child.wait_with_output().unwrap();
    let script =
        format!("trap '' XFSZ; ulimit -f 1; timeout --preserve-status -s INT 2 \"$0\" {line}");
    let outcome = Outcome::of(sh(&dir, &script));
    assert!(
        outcome.err.contains("; the last checkpoint is kept"),
        "{outcome:#?}"
    );
    assert_ends_well(&dir);
}

#[test]
fn a_full_disk_is_an_error_and_what_was_there_stays() {
    let dir = TestDir::with_duel(DUEL);
    if !mounts(&dir) {
        return skipped("a full disk: no file system can be mounted here");
    }
    let script = r#"
        unshare -rm sh -e -c '
            mount -t tmpfs -o size=256k tmpfs m
            "$0" plan duel.toml -n 20k --shards 4 -o m/run -q
            "$0" run --plan m/run --shard 0 -q
            cp m/run/shards/000000.shard first
            dd if=/dev/zero of=m/filler bs=1024 2>/dev/null || true
            code=0; "$0" run --plan m/run --shard 1 -q || code=$?
            test $code = 74 || test $code = 2
            cmp m/run/shards/000000.shard first
            test "$("$0" missing m/run)" = 1-3
            test -z "$(find m/run/shards -name "*.tmp")"
            rm m/filler
            for i in 1 2 3; do "$0" run --plan m/run --shard $i -q; done
            "$0" merge m/run -o merged -q > merged.txt
        ' "$0"
    "#;
    let output = sh(&dir, script);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_merged_is_whole(&dir, &dir.read("merged.txt"));
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_and_can_be_merged() {
    let dir = TestDir::with_duel(DUEL);
    if !mounts(&dir) {
        return skipped("a read-only folder: no file system can be mounted here");
    }
    let script = r#"
        unshare -rm sh -e -c '
            mount -t tmpfs -o size=1m tmpfs m
            "$0" plan duel.toml -n 20k --shards 4 -o m/run -q
            for i in 0 1 2; do "$0" run --plan m/run --shard $i -q; done
            mount -o remount,ro m
            code=0; "$0" run --plan m/run --shard 3 -q 2> said || code=$?
            test $code = 2
            grep -q "cannot write in the folder .m/run/shards" said
            "$0" run --plan m/run --shard 2 -q
            test "$("$0" missing m/run)" = 3
            code=0; "$0" run duel.toml -n 10 -q -o r --checkpoint m/check 2> said || code=$?
            test $code = 2
            "$0" merge m/run --partial -o merged -q > /dev/null 2>&1
            test -f merged/duel/manifest.json
        ' "$0"
    "#;
    let output = sh(&dir, script);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn two_processes_may_write_the_same_shard() {
    let dir = planned();
    let children: Vec<Child> = (0..4)
        .map(|_| dir.start("run --plan run --shard 1 -q"))
        .collect();
    for child in children {
        Outcome::of(child.wait_with_output().unwrap()).assert_done();
    }
    assert_eq!(names(&dir), ["000001.shard"]);
    assert_eq!(dir.run("missing run").printed(), "0,2-3\n");
    assert_ends_well(&dir);
}

/// Waits until the content of `path` differs from `before`, and returns it.
fn changed(path: &Path, before: Option<&Vec<u8>>) -> Vec<u8> {
    let patience = Instant::now() + Duration::from_mins(2);
    loop {
        match fs::read(path) {
            Ok(bytes) if Some(&bytes) != before => return bytes,
            _ => assert!(Instant::now() < patience, "nothing is saved"),
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let dir = TestDir::with_duel(DUEL);
    let line = "run duel.toml -n 60k -o part -q --checkpoint check --checkpoint-every 0";
    let mut last = None;
    for _ in 0..4 {
        // The program is killed while it saves as often as it can, in the middle of a write or between writes.
        let child = dir.start(line);
        let saved = changed(&dir.path("check"), last.as_ref());
        kill(child);
        last = Some(saved);
    }
    let other_seed = dir.run(&format!("{} --seed 2", line.replace("-q", "")));
    assert_eq!(other_seed.exit, Exit::Mismatch, "{other_seed:#?}");
    assert_resumes(&dir, line);
    assert!(!dir.path("check").exists());
}

#[test]
fn ctrl_c_saves_and_the_same_command_goes_on() {
    let dir = TestDir::with_duel(DUEL);
    let line = "run duel.toml -n 60k -o part --checkpoint check --checkpoint-every 0";
    let child = dir.start(line);
    changed(&dir.path("check"), None);
    send("-INT", &child);
    let outcome = Outcome::of(child.wait_with_output().unwrap());
    if outcome.exit == Exit::Done {
        return skipped("Ctrl-C came too late: the run was over");
    }
    assert_eq!(outcome.exit, Exit::Interrupted, "{outcome:#?}");
    let saved = "saved in `check`: rerun the same command to resume";
    assert!(outcome.err.contains(saved), "{outcome:#?}");
    assert_resumes(&dir, line);
}
