//! Ctrl-C and internal errors, in a separate process: this test binary, started again.

use super::runs::{Book, with_streams};
use skirmish::cli::{Exit, interrupt};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::tempdir;

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

fn press_ctrl_c(child: &Child) {
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
}

/// The body of the child process: a run of half a minute or more. An encounter takes a millisecond, except `stuck_at`,
/// which takes a minute.
fn long_run(stuck_at: u64) {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let stop = interrupt::install(": finished results will be written").unwrap();
    let book = Book {
        slow: true,
        stuck_at,
        stop_with: Some(stop),
        ..Book::new()
    };
    let line = "a.toml -n 60k --threads 2 -q";
    let mut out = Vec::new();
    let exit = with_streams(
        &book,
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
    let folder = tempdir().unwrap();
    let mut child = start("other_process_plays_on", folder.path());
    let mut said = BufReader::new(child.stderr.take().unwrap());
    wait_for("playing", &mut said);
    press_ctrl_c(&child);
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(
        rest.contains("stopping: finished results will be written"),
        "{rest}"
    );
    let manifest = fs::read(folder.path().join("a/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(manifest["interrupted"], true);
    assert!(manifest["variants"][0]["encounters"].as_u64().unwrap() > 0);
}

#[test]
fn a_second_ctrl_c_ends_at_once_and_leaves_old_results_whole() {
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("a")).unwrap();
    fs::write(folder.path().join("a/summary.csv"), "old").unwrap();
    let mut child = start("other_process_gets_stuck", folder.path());
    let mut said = BufReader::new(child.stderr.take().unwrap());
    wait_for("playing", &mut said);
    press_ctrl_c(&child);
    wait_for("stopping", &mut said);
    press_ctrl_c(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let files: Vec<_> = fs::read_dir(folder.path().join("a")).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(
        fs::read_to_string(folder.path().join("a/summary.csv")).unwrap(),
        "old"
    );
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
    let folder = tempdir().unwrap();
    let child = start("other_process_has_a_defect", folder.path());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(Exit::Defect.code())));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("internal error"), "{said}");
    assert!(
        said.contains("two and two are five") && said.contains("Please report it"),
        "{said}"
    );
}
