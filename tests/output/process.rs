//! The program as a process: exit codes and pipes.

use std::process::{Command, Output, Stdio};

pub(super) fn skirmish(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .args(arguments)
        .output()
        .unwrap()
}

pub(super) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

#[test]
fn explanations_come_from_the_lists_that_the_program_works_with() {
    for topic in ["policy", "tara-corax", "mage", "chronicles", "metrics"] {
        let output = skirmish(&["explain", topic]);
        assert_eq!(output.status.code(), Some(0));
        let text = stdout(&output);
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
        insta::assert_snapshot!(format!("explain_{topic}"), text);
    }
}

#[test]
fn wrong_usage_exits_with_2_and_help_with_0() {
    assert_eq!(skirmish(&["run"]).status.code(), Some(2));
    assert_eq!(skirmish(&["dance"]).status.code(), Some(2));
    assert_eq!(skirmish(&[]).status.code(), Some(2));
    assert_eq!(skirmish(&["--help"]).status.code(), Some(0));
    assert_eq!(skirmish(&["--version"]).status.code(), Some(0));
}

#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [&["explain", "metrics"][..], &["--help"]] {
        let (reader, writer) = io_pipe();
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_skirmish"))
            .args(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stderr.is_empty());
    }
}

fn io_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    std::io::pipe().unwrap()
}
