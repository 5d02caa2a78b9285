//! Ctrl-C and internal errors, in a separate process: this test binary, started again.

use super::runs::{FakeSource, with_streams};
use crate::robustness::signals::send;
use crate::support::TestDir;
use skirmish::cli::{Exit, interrupt};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The variable that marks the child process of a test, and names the folder to write to.
const FOLDER: &str = "SKIRMISH_TEST_FOLDER";

/// Starts this binary again to run one test as the child process.
fn start(test: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "--nocapture",
            &format!("output::interrupts::{test}"),
        ])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The body of the child process: a run of half a minute or more. An encounter takes a millisecond, except `slow_encounter`,
/// which takes a minute.
fn long_run(slow_encounter: u64) {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let stop = interrupt::install(": finished results will be written").unwrap();
    let source = FakeSource {
        slow: true,
        slow_encounter,
        stop_with: Some(stop),
        ..FakeSource::new()
    };
    let line = "a.toml -n 60k --threads 2 -q";
    let mut out = Vec::new();
    let exit = with_streams(
        &source,
        Path::new(&folder),
        line,
        &mut out,
        &mut std::io::stderr(),
    );
    std::process::exit(i32::from(exit.unwrap().code()));
}

#[test]
fn other_process_plays_on() {
    long_run(u64::MAX);
}

#[test]
fn other_process_gets_stuck() {
    long_run(0);
}

#[test]
fn ctrl_c_writes_what_is_finished_and_exits_with_130() {
    let dir = TestDir::empty();
    let mut child = start("other_process_plays_on", dir.root());
    let mut said = BufReader::new(child.stderr.take().unwrap());
    wait_for("playing", &mut said);
    send("-INT", &child);
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(
        rest.contains("stopping: finished results will be written"),
        "{rest}"
    );
    let manifest = dir.json("a/manifest.json");
    assert_eq!(manifest["interrupted"], true);
    assert!(manifest["variants"][0]["encounters"].as_u64().unwrap() > 0);
}

#[test]
fn a_second_ctrl_c_ends_at_once_and_leaves_old_results_whole() {
    let dir = TestDir::empty();
    fs::create_dir(dir.path("a")).unwrap();
    dir.write("a/summary.csv", "scenario,old");
    let mut child = start("other_process_gets_stuck", dir.root());
    let mut said = BufReader::new(child.stderr.take().unwrap());
    wait_for("playing", &mut said);
    send("-INT", &child);
    wait_for("stopping", &mut said);
    // Two signals within half a second are one request.
    std::thread::sleep(Duration::from_millis(600));
    send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let files: Vec<_> = fs::read_dir(dir.path("a")).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(dir.read("a/summary.csv"), "scenario,old");
}

fn wait_for(word: &str, said: &mut impl BufRead) {
    let mut line = String::new();
    while !line.contains(word) {
        line.clear();
        assert!(
            said.read_line(&mut line).unwrap() > 0,
            "the other process ended"
        );
    }
}

#[test]
fn other_process_has_a_defect() {
    if std::env::var_os(FOLDER).is_some() {
        skirmish::cli::interrupt::report_defects();
        panic!("two and two are five");
    }
}

#[test]
fn a_defect_exits_with_70_and_asks_for_a_report() {
    let dir = TestDir::empty();
    let child = start("other_process_has_a_defect", dir.root());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(Exit::Defect.code())));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("internal error"), "{said}");
    assert!(
        said.contains("two and two are five") && said.contains("Please report it"),
        "{said}"
    );
}
