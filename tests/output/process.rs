//! The program as a process: exit codes and pipes.

use crate::support::{program, skirmish};
use skirmish::cli::Exit;
use std::process::Stdio;

#[test]
fn explanations_come_from_the_lists_that_the_program_works_with() {
    for topic in [
        "policy",
        "tara-corax",
        "mage",
        "chronicles",
        "metrics",
        "effects",
    ] {
        let text = skirmish(&["explain", topic]).printed();
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
        insta::assert_snapshot!(format!("explain_{topic}"), text);
    }
}

/// A key, a ruling, an action, a variable, a metric and a remark are each found by their name, and others by what
/// they mean.
#[test]
fn any_word_is_explained() {
    let explained = |words: &[&str]| skirmish(&[&["explain"], words].concat()).printed();
    for (word, is) in [
        ("lasts", "effects.lasts"),
        ("carry_over", "rules.carry_over"),
        ("carry-over", "ruling of Tara-Corax"),
        ("desperate", "action of Tara-Corax"),
        ("move_left", "variable"),
        ("first_attack", "metric"),
        ("never-hurts", "switches it off"),
        ("comes-within", "trigger"),
        ("weakest_ally", "target of an action"),
        ("armour", "damage dealt to others,"),
    ] {
        let text = explained(&[word]);
        assert!(text.contains(is), "{word}: {text}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
    }
    skirmish(&["explain", "rond"]).assert_refused("did you mean `round`?");
    skirmish(&["explain", "shield"]).assert_refused("`skirmish explain effects`");
    let of_mage = explained(&["roll", "mage"]);
    assert!(of_mage.contains("rules.initiative.roll"), "{of_mage}");
    assert!(!of_mage.contains("Chronicles"), "{of_mage}");
}

#[test]
fn wrong_usage_exits_with_2_and_help_with_0() {
    assert_eq!(skirmish(&["run"]).exit, Exit::BadInput);
    assert_eq!(skirmish(&["dance"]).exit, Exit::BadInput);
    assert_eq!(skirmish(&[]).exit, Exit::BadInput);
    skirmish(&["--help"]).assert_done();
    skirmish(&["--version"]).assert_done();
}

#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [&["explain", "metrics"][..], &["--help"]] {
        let (reader, writer) = io_pipe();
        drop(reader);
        let mut command = program();
        command
            .args(arguments)
            .stdout(writer)
            .stderr(Stdio::piped());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stderr.is_empty());
    }
}

fn io_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    std::io::pipe().unwrap()
}

#[test]
fn trace_finds_the_first_encounter_of_which_all_conditions_are_true() {
    let found = |what: &str| {
        let trace = ["trace", "scenarios/multi-attacker.toml", "--find", what];
        let told = skirmish(&trace).printed();
        let (_, after) = told.split_once("encounter ").unwrap();
        let (number, _) = after.split_once(' ').unwrap();
        (number.parse::<u64>().unwrap(), told)
    };
    let (wins, _) = found("winner=monsters");
    let (long, _) = found("rounds>=4");
    let (both, told) = found("winner=monsters and rounds>=4");
    assert!(both >= wins.max(long));
    let end = told
        .lines()
        .find(|line| line.starts_with("monsters win in Round "));
    let round = end.and_then(|line| line.split([' ', ',']).nth(4)).unwrap();
    assert!(round.parse::<u32>().unwrap() >= 4, "{told}");
    // Several conditions find an encounter in which all are true, in either order.
    assert_eq!(found("rounds>=4 and winner=monsters").0, both);
}
