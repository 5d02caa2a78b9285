//! `skirmish watch`: plays a scenario again each time its file is saved.

use super::signals::send;
use super::until;
use crate::check::DUEL;
use crate::support::TestDir;
use skirmish::cli::Exit;
use std::fs::File;
use std::process::Child;
use std::thread;
use std::time::Duration;

/// Starts the program with its output in the files `out` and `err`.
fn start(dir: &TestDir, words: &str) -> Child {
    let mut command = dir.command(words);
    command.stdout(File::create(dir.path("out")).unwrap());
    command.stderr(File::create(dir.path("err")).unwrap());
    command.spawn().unwrap()
}

/// Waits until the program has finished playing `saves` saves.
fn watching(dir: &TestDir, saves: usize) {
    until("the end of a play", || {
        dir.read("err").matches("watching `duel.toml`").count() == saves
    });
}

#[test]
fn a_saved_change_is_played_at_once_and_compared_with_the_last_save() {
    let dir = TestDir::with_duel(DUEL);
    let mut child = start(&dir, "watch duel.toml --threads 1");
    watching(&dir, 1);
    let first = dir.read("out");
    assert!(first.starts_with("duel.toml, 500 encounters of each variant:\n"));
    assert!(first.contains("  base: heroes win 5"), "{first}");
    assert!(!first.contains("->"), "nothing to compare with: {first}");

    // An editor empties the file before it writes it.
    dir.write("duel.toml", "");
    thread::sleep(Duration::from_millis(300));
    dir.write("duel.toml", DUEL.replace("health = 30", "health = 40"));
    watching(&dir, 2);
    assert!(!dir.read("err").contains("error"), "{}", dir.read("err"));
    let second = dir.read("out").split_off(first.len());
    let line = second.lines().find(|line| line.contains("base:")).unwrap();
    assert!(line.starts_with("  base: heroes win 5"), "{line}");
    assert!(line.contains("% -> 2") && line.contains(", -2"), "{line}");

    dir.write("duel.toml", "health");
    watching(&dir, 3);
    assert!(
        dir.read("err").contains("not valid TOML"),
        "{}",
        dir.read("err")
    );

    // The error is fixed: the numbers are compared with the last file that could be played.
    let played = dir.read("out").len();
    dir.write("duel.toml", DUEL.replace("health = 30", "health = 40"));
    watching(&dir, 4);
    let fourth = dir.read("out").split_off(played);
    assert!(
        fourth.contains(", as before\n") && !fourth.contains("->"),
        "{fourth}"
    );

    dir.write("duel.toml", "");
    until("a message about a file that stays empty", || {
        dir.read("err")
            .contains("error: cannot read `duel.toml`: it is empty\n")
    });

    send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let told = dir.read("err");
    assert!(
        told.contains("stopping; Ctrl-C") && !told.contains("results"),
        "{told}"
    );
    assert_eq!(
        dir.files(),
        ["duel.toml", "err", "out"],
        "it writes nothing"
    );
}

#[test]
fn a_subcommand_follows_the_numbers_of_each_save() {
    let dir = TestDir::with_duel(DUEL);
    let words = "watch duel.toml --threads 1 trace --encounter 3";
    let mut child = start(&dir, words);
    watching(&dir, 1);
    dir.write("duel.toml", DUEL.replace("health = 30", "health = 31"));
    watching(&dir, 2);
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let traces = dir
        .read("out")
        .matches("encounter 3 of seed 1, variant base")
        .count();
    assert_eq!(traces, 2, "{}", dir.read("out"));
}

#[test]
fn what_cannot_be_watched_is_said_at_once() {
    let dir = TestDir::with_duel(DUEL);
    for (words, wrong) in [
        ("watch none.toml", "cannot read `none.toml`"),
        ("watch duel.toml rum", "unrecognized subcommand 'rum'"),
        (
            "watch duel.toml -n 5",
            "`-n` stands where a subcommand belongs",
        ),
        ("watch duel.toml watch", "watch cannot watch itself"),
    ] {
        let ran = dir.run(words);
        assert_eq!(ran.exit, Exit::BadInput, "{words}: {ran:#?}");
        assert!(ran.err.contains(wrong), "{words}: {ran:#?}");
    }
}
