//! Mistakes are told before anything is played, and nothing is written then.

use super::{DUEL, Desk};
use std::fs;

#[test]
fn what_cannot_be_shown_is_said() {
    let desk = Desk::new();
    fs::create_dir(desk.path("empty")).unwrap();
    desk.skirmish("run duel.toml -n 50 -q -o res");
    fs::create_dir(desk.path("half")).unwrap();
    fs::copy(
        desk.path("res/duel/summary.csv"),
        desk.path("half/summary.csv"),
    )
    .unwrap();
    fs::create_dir(desk.path("spoilt")).unwrap();
    for name in ["distributions.csv", "examples.csv", "manifest.json"] {
        fs::copy(
            desk.path("res/duel").join(name),
            desk.path("spoilt").join(name),
        )
        .unwrap();
    }
    let summary = desk
        .read("res/duel/summary.csv")
        .replacen(",50,", ",fifty,", 1);
    desk.write("spoilt/summary.csv", &summary);
    for (command, message) in [
        (
            "report empty -o page.html",
            "`empty`: there are no results in it",
        ),
        ("report half -o page.html", "manifest.json is missing"),
        (
            "report spoilt -o page.html",
            "summary.csv, line 2: `fifty` is no number for `n`",
        ),
        ("report res/duel -n 5 -o page.html", "-n says how to play"),
        (
            "report res/duel --seed 5 -o page.html",
            "--seed says how to play",
        ),
        ("report nowhere.toml -o page.html", "nowhere.toml"),
        (
            "report duel.toml --variant bas -o page.html",
            "did you mean",
        ),
        (
            "report duel.toml -n 50 -q -o duel.toml/page.html",
            "duel.toml",
        ),
        (
            "report duel.toml -n 50 -q -o res",
            "`./res` is in the way: it is not a file",
        ),
        (
            "run duel.toml -n 50 -q -o new --report res",
            "`./res` is in the way: it is not a file",
        ),
    ] {
        let outcome = desk.skirmish(command);
        assert_eq!((outcome.code, &outcome.out[..]), (2, ""), "{command}");
        assert!(outcome.err.contains(message), "{command}: {}", outcome.err);
        assert!(!desk.path("page.html").exists(), "{command}");
    }
    assert!(!desk.path("new/duel/summary.csv").exists());
}

#[test]
fn results_of_another_format_are_refused() {
    let desk = Desk::new();
    desk.skirmish("run duel.toml -n 50 -q -o res");
    let manifest = desk.read("res/duel/manifest.json");
    desk.write(
        "res/duel/manifest.json",
        &manifest.replace("\"format\": 1", "\"format\": 9"),
    );
    let outcome = desk.skirmish("report res/duel -o page.html");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.err.contains("manifest.json is of format 9"),
        "{}",
        outcome.err
    );
}

#[test]
fn all_wrong_scenarios_are_told_at_once() {
    let desk = Desk::new();
    desk.write("one.toml", &DUEL.replace("tara-corax", "tara"));
    desk.write("two.toml", &DUEL.replace("evade = 16", "evad = 16"));
    let outcome = desk.skirmish("report one.toml two.toml -o page.html");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.err.contains("tara") && outcome.err.contains("evad"),
        "{}",
        outcome.err
    );
}
