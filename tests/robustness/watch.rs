//! `skirmish watch`: plays a scenario again each time its file is saved.

use super::signals::send;
use super::{DUEL, Place, until};
use std::fs::File;
use std::process::Child;

/// Starts the program with its output in the files `out` and `err`.
fn start(place: &Place, words: &str) -> Child {
    let mut command = place.command(words);
    command.stdout(File::create(place.path("out")).unwrap());
    command.stderr(File::create(place.path("err")).unwrap());
    command.spawn().unwrap()
}

/// Waits until the program has finished playing `saves` saves.
fn watching(place: &Place, saves: usize) {
    until("the end of a play", || {
        place.read("err").matches("watching `duel.toml`").count() == saves
    });
}

#[test]
fn a_saved_change_is_played_at_once_and_compared_with_the_last_save() {
    let place = Place::with_duel();
    let mut child = start(&place, "watch duel.toml --threads 1");
    watching(&place, 1);
    let first = place.read("out");
    assert!(first.starts_with("duel.toml, 500 encounters of each variant:\n"));
    assert!(first.contains("  base: heroes win 5"), "{first}");
    assert!(!first.contains("->"), "nothing to compare with: {first}");

    place.write("duel.toml", &DUEL.replace("health = 30", "health = 40"));
    watching(&place, 2);
    let second = place.read("out").split_off(first.len());
    let line = second.lines().find(|line| line.contains("base:")).unwrap();
    assert!(line.starts_with("  base: heroes win 5"), "{line}");
    assert!(line.contains("% -> 2") && line.contains(", -2"), "{line}");

    place.write("duel.toml", "health");
    watching(&place, 3);
    assert!(
        place.read("err").contains("not valid TOML"),
        "{}",
        place.read("err")
    );

    // The error is fixed: the numbers are compared with the last file that could be played.
    let played = place.read("out").len();
    place.write("duel.toml", &DUEL.replace("health = 30", "health = 40"));
    watching(&place, 4);
    let fourth = place.read("out").split_off(played);
    assert!(
        fourth.contains(", as before\n") && !fourth.contains("->"),
        "{fourth}"
    );

    send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let told = place.read("err");
    assert!(
        told.contains("stopping; Ctrl-C") && !told.contains("results"),
        "{told}"
    );
    assert_eq!(
        place.files(),
        ["duel.toml", "err", "out"],
        "it writes nothing"
    );
}

#[test]
fn a_subcommand_follows_the_numbers_of_each_save() {
    let place = Place::with_duel();
    let words = "watch duel.toml --threads 1 trace --encounter 3";
    let mut child = start(&place, words);
    watching(&place, 1);
    place.write("duel.toml", &DUEL.replace("health = 30", "health = 31"));
    watching(&place, 2);
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let traces = place
        .read("out")
        .matches("encounter 3 of seed 1, variant base")
        .count();
    assert_eq!(traces, 2, "{}", place.read("out"));
}

#[test]
fn what_cannot_be_watched_is_said_at_once() {
    let place = Place::with_duel();
    for (words, wrong) in [
        ("watch none.toml", "cannot read `none.toml`"),
        ("watch duel.toml rum", "unrecognized subcommand 'rum'"),
        (
            "watch duel.toml -n 5",
            "`-n` stands where a subcommand belongs",
        ),
        ("watch duel.toml watch", "watch cannot watch itself"),
    ] {
        let ran = place.run(words);
        assert_eq!(ran.code, Some(2), "{words}: {ran:#?}");
        assert!(ran.err.contains(wrong), "{words}: {ran:#?}");
    }
}
