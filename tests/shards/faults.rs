//! The program, killed and short of resources: no invalid result is ever merged, no valid one is ever lost.

use super::results;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

const PROGRAM: &str = env!("CARGO_BIN_EXE_skirmish");

/// A folder with `duel.toml` and a plan of shards in `run`.
struct Place(TempDir);

impl Place {
    fn new(plan: &str) -> Self {
        let folder = tempdir().unwrap();
        fs::write(folder.path().join("duel.toml"), crate::sweep::DUEL).unwrap();
        let place = Self(folder);
        if !plan.is_empty() {
            place.done(&format!("plan duel.toml -o run {plan} -q"));
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn output(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs a command that must succeed, and returns its output.
    fn done(&self, line: &str) -> String {
        let output = self.output(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a shell script with the program as `$0`.
    fn sh(&self, script: &str) -> Output {
        Command::new("sh")
            .args(["-c", script, PROGRAM])
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    /// Plays the missing shards, merges them, and compares the results with a single run.
    fn ends_well(&self, encounters: &str) {
        for number in 0..4 {
            self.done(&format!("run --plan run --shard {number} -q"));
        }
        assert_eq!(self.done("missing run"), "");
        let merged = self.done("merge run -o merged -q");
        assert_eq!(
            merged,
            self.done(&format!("run duel.toml -n {encounters} -o whole -q"))
        );
        assert_eq!(results(&self.path("merged")), results(&self.path("whole")));
    }

    /// Returns the names in the folder of shards, if it exists.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path("run/shards"))
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn said(output: &Output) -> String {
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
fn mounts(place: &Place) -> bool {
    place
        .sh("unshare -rm sh -c 'mkdir -p m && mount -t tmpfs -o size=64k tmpfs m'")
        .status
        .success()
}

#[test]
fn a_shard_that_is_killed_is_whole_or_not_there() {
    let place = Place::new("-n 20k --shards 4");
    // The pauses range from before the run has begun to after its end, on any machine.
    for pause in [0, 1, 3, 10, 20, 40, 80, 160, 320, 640] {
        let child = place
            .command("run --plan run --shard 1 -q")
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        kill(child);
        let missing = place.output("missing run");
        assert!(missing.stderr.is_empty(), "{}", said(&missing));
        let list = String::from_utf8(missing.stdout).unwrap();
        assert!(list == "0-3\n" || list == "0,2-3\n", "{list}");
        assert_eq!(place.output("merge run -o merged").status.code(), Some(3));
        let _ = fs::remove_file(place.path("run/shards/000001.shard"));
    }
    place.ends_well("20k");
}

/// A limit on file size kills the program in the middle of a write.
#[test]
fn a_shard_that_is_killed_in_mid_write_is_not_there() {
    let place = Place::new("-n 20k --shards 4");
    let output = place.sh("ulimit -f 1; exec \"$0\" run --plan run --shard 1 -q");
    assert_eq!(
        output.status.code(),
        None,
        "killed by a signal: {}",
        said(&output)
    );
    let names = place.names();
    let [left] = names.as_slice() else {
        panic!("what was being written is left: {names:?}");
    };
    assert!(left.starts_with(".skirmish-"), "{left}");
    let half = fs::metadata(place.path("run/shards").join(left))
        .unwrap()
        .len();
    assert!((1..=1024).contains(&half), "{half} bytes");
    assert_eq!(place.done("missing run"), "0-3\n");
    place.ends_well("20k");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let place = Place::new("-n 20k --shards 4");
    let limited = |line: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 1; exec \"$0\" {line}");
        place.sh(&script)
    };
    let output = limited("run --plan run --shard 1 -q");
    assert_eq!(output.status.code(), Some(74), "{}", said(&output));
    assert!(
        said(&output).contains("cannot write `run/shards/000001.shard`"),
        "{}",
        said(&output)
    );
    assert_eq!(place.names(), Vec::<String>::new(), "nothing is left");
    // A run continues without its checkpoint, but its results are too long in the end.
    let output = limited("run duel.toml -n 20k -q -o r --checkpoint check --checkpoint-every 0");
    assert_eq!(output.status.code(), Some(74), "{}", said(&output));
    assert!(
        said(&output).contains("the last checkpoint is kept, and the run goes on"),
        "{}",
        said(&output)
    );
    place.ends_well("20k");
}

#[test]
fn a_full_disk_is_an_error_and_what_was_there_stays() {
    let place = Place::new("");
    if !mounts(&place) {
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
    let output = place.sh(script);
    assert!(output.status.success(), "{}", said(&output));
    let whole = place.done("run duel.toml -n 20k -o whole -q");
    assert_eq!(fs::read_to_string(place.path("merged.txt")).unwrap(), whole);
    assert_eq!(
        results(&place.path("merged")),
        results(&place.path("whole"))
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_and_can_be_merged() {
    let place = Place::new("");
    if !mounts(&place) {
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
    let output = place.sh(script);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn two_processes_may_write_the_same_shard() {
    let place = Place::new("-n 20k --shards 4");
    let children: Vec<Child> = (0..4)
        .map(|_| {
            place
                .command("run --plan run --shard 1 -q")
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    assert_eq!(place.names(), ["000001.shard"]);
    assert_eq!(place.done("missing run"), "0,2-3\n");
    place.ends_well("20k");
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
    let place = Place::new("");
    let line = "run duel.toml -n 60k -o part -q --checkpoint check --checkpoint-every 0";
    let mut last = None;
    for _ in 0..4 {
        // The program is killed while it saves as often as it can, in the middle of a write or between writes.
        let child = place.command(line).spawn().unwrap();
        let saved = changed(&place.path("check"), last.as_ref());
        kill(child);
        last = Some(saved);
    }
    let before = place.output(&format!("{} --seed 2", line.replace("-q", "")));
    assert_eq!(before.status.code(), Some(3), "{}", said(&before));
    let ended = place.done(line);
    assert_eq!(ended, place.done("run duel.toml -n 60k -o whole -q"));
    assert_eq!(results(&place.path("part")), results(&place.path("whole")));
    assert!(!place.path("check").exists());
}

#[test]
fn ctrl_c_saves_and_the_same_command_goes_on() {
    let place = Place::new("");
    let line = "run duel.toml -n 60k -o part --checkpoint check --checkpoint-every 0";
    let child = place.command(line).spawn().unwrap();
    changed(&place.path("check"), None);
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    if output.status.code() == Some(0) {
        return skipped("Ctrl-C came too late: the run was over");
    }
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("saved in `check`: rerun the same command to resume"));
    let ended = place.done(line);
    assert_eq!(ended, place.done("run duel.toml -n 60k -o whole -q"));
    assert_eq!(results(&place.path("part")), results(&place.path("whole")));
}
