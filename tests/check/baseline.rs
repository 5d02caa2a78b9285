//! Checks against committed results: unchanged, moved, or written by another program.

use super::{check, duel_with, shown, wins};
use crate::support::joined;
use crate::support::{Outcome, TestDir, skirmish};
use skirmish::cli::Exit;
use std::fs;

/// Returns the duel with committed results of a thousand encounters.
fn committed() -> TestDir {
    committed_of("1k")
}

/// Returns the duel with committed results of this many encounters.
fn committed_of(encounters: &str) -> TestDir {
    let dir = duel_with("");
    let (file, out) = (dir.path("duel.toml"), dir.path("results"));
    let run = skirmish(&[
        "run",
        shown(&file),
        "-n",
        encounters,
        "--seed",
        "3",
        "-q",
        "-o",
        shown(&out),
    ]);
    assert_eq!(run.exit, Exit::Done, "{}", run.err);
    dir
}

fn against(dir: &TestDir, options: &str) -> Outcome {
    let out = dir.path("results");
    check(dir, &format!("--baseline {} {options}", shown(&out)))
}

/// Replaces `old` with `new` in the duel's text.
fn change(dir: &TestDir, old: &str, new: &str) {
    let text = dir.read("duel.toml");
    assert!(text.contains(old), "{old}");
    dir.write("duel.toml", text.replacen(old, new, 1));
}

/// Changes a committed file and removes its checksum from the manifest.
fn forge(dir: &TestDir, name: &str, old: &str, new: &str) {
    forget_checksums(dir);
    let path = dir.path("results/duel").join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{old} in {text}");
    fs::write(path, text.replacen(old, new, 1)).unwrap();
}

/// Removes the checksums from the manifest; manifests of older versions have none.
fn forget_checksums(dir: &TestDir) {
    let manifest = dir.path("results/duel/manifest.json");
    if let Ok(text) = fs::read_to_string(&manifest)
        && let Some((before, rest)) = text.split_once("  \"files\": {")
    {
        let (_, after) = rest.split_once("  },\n").unwrap();
        fs::write(&manifest, format!("{before}{after}")).unwrap();
    }
}

#[test]
fn the_same_fight_gives_the_same_bytes() {
    let dir = committed();
    let outcome = against(&dir, "");
    assert_eq!(outcome.exit, Exit::Done, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.ends_with("2 passed\n"), "{}", outcome.out);
    assert!(joined(&outcome.out).contains(" 0%  "), "{}", outcome.out);
    assert!(!joined(&outcome.out).contains("not the committed bytes"));
    // The check takes seed and encounters from the committed results and ignores the command line's.
    assert_eq!(against(&dir, "--seed 9 --threads 3").exit, Exit::Done);
}

#[test]
fn distributions_that_are_not_committed_are_compared_by_their_checksum() {
    let dir = committed();
    let whole = against(&dir, "");
    fs::remove_file(dir.path("results/duel/distributions.csv")).unwrap();
    assert_eq!(against(&dir, "").out, whole.out);

    change(&dir, "health = 30", "health = 36");
    let moved = against(&dir, "");
    assert_eq!(moved.exit, Exit::BadInput, "{}", moved.out);
    assert!(
        joined(&moved.err)
            .contains("only its distributions.csv, which is not there, tells how far"),
        "{}",
        moved.err
    );
}

#[test]
fn a_changed_comment_changes_no_bytes() {
    let dir = committed();
    change(&dir, "[encounter]", "# Nothing has changed.\n[encounter]");
    let outcome = against(&dir, "");
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.out);
    assert!(!joined(&outcome.out).contains("not the committed bytes"));
}

#[test]
fn a_move_without_an_interval_is_undecided() {
    let dir = committed_of("1");
    assert_eq!(against(&dir, "").exit, Exit::Done);
    change(&dir, "health = 30", "health = 60");
    let outcome = against(&dir, "");
    let out = joined(&outcome.out);
    assert!(
        out.contains("undecided  greatest certain move of "),
        "{out}"
    );
    assert!(out.contains("to tell this from chance"), "{out}");
    assert!(!out.contains("failed"), "{out}");
}

#[test]
fn a_changed_fight_is_told_by_what_has_moved() {
    let dir = committed();
    change(&dir, "health = 30", "health = 36");
    let outcome = against(&dir, "");
    assert_eq!(outcome.exit, Exit::ExpectationFailed, "{}", outcome.out);
    // The ten largest moves are shown; the rest are counted.
    let out = joined(&outcome.out);
    assert_eq!(out.matches(", moved, base").count(), 10 + 10, "{out}");
    assert!(out.contains("base: "), "{out}");
    assert!(
        out.contains(" smaller moves failed too; --format json lists all"),
        "{out}"
    );
    assert!(
        out.contains("failed     greatest certain move of "),
        "{out}"
    );
    assert!(
        joined(&outcome.out).contains("in the committed results, "),
        "{}",
        outcome.out
    );
    assert!(
        joined(&outcome.out).contains("the scenario has changed"),
        "{}",
        outcome.out
    );
    // The monster's health has no effect on how early it attacks.
    assert!(!joined(&outcome.out).contains("first_attack of combatant, moved"));
    let json = against(&dir, "--format json").out;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let list = value["files"][0]["findings"].as_array().unwrap();
    assert!(list.iter().filter(|one| one["variant"] == "base").count() > 12);
    // No row calls a variant passed if one of its numbers failed.
    let passed = list.iter().find(|one| one["verdict"] == "passed");
    assert!(passed.is_none_or(|one| one["variant"] != "base"), "{json}");
    let win = list.iter().find(|one| one["metric"] == "win_rate").unwrap();
    assert_eq!(win["verdict"], "failed");
    assert_eq!(win["wanted"]["tolerance"], 0.0);
    assert!(win["ci_high"].as_f64().unwrap() < 0.0, "{win}");
}

#[test]
fn what_moves_within_the_tolerance_passes_and_is_told() {
    let dir = committed();
    change(&dir, "health = 30", "health = 36");
    let outcome = against(&dir, "--tolerance 90%");
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.out);
    let told = "win_rate of heroes: 5";
    assert!(joined(&outcome.out).contains(told), "{}", outcome.out);
    assert_eq!(
        against(&dir, "--tolerance 0.01").exit,
        Exit::ExpectationFailed
    );
}

#[test]
fn small_changes_are_no_moves_that_anybody_could_tell() {
    let dir = committed();
    // One encounter ends differently: two numbers of one row change.
    forge(
        &dir,
        "summary.csv",
        "duel,base,mutual,encounter,1000,0,",
        "duel,base,mutual,encounter,1000,0.001,",
    );
    let outcome = against(&dir, "");
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.out);
    assert!(
        joined(&outcome.out).contains("the scenario is as it was"),
        "{}",
        outcome.out
    );
}

#[test]
fn expectations_are_checked_besides() {
    let dir = committed();
    let text = dir.read("duel.toml");
    dir.write("duel.toml", &(text + &wins("min = 0.9")));
    let outcome = against(&dir, "");
    assert_eq!(outcome.exit, Exit::ExpectationFailed);
    assert!(
        outcome.out.ends_with("2 passed, 1 failed\n"),
        "{}",
        outcome.out
    );
}

#[test]
fn a_new_variant_is_not_compared_and_a_missing_one_is_an_error() {
    let dir = committed();
    let text = dir.read("duel.toml");
    let new = "[[variants]]\nname = \"x\"\nset = { \"combatants.monster.health\" = 1 }\n";
    dir.write("duel.toml", &(text + new));
    assert_eq!(against(&dir, "").exit, Exit::Done);
    change(&dir, "name = \"simple round\"", "name = \"simple rounds\"");
    let outcome = against(&dir, "");
    assert_eq!(outcome.exit, Exit::BadInput, "{}", outcome.out);
    assert!(
        outcome.err.contains("no variant \"simple round\""),
        "{}",
        outcome.err
    );
    assert!(
        outcome.err.contains("did you mean \"simple rounds\"?"),
        "{}",
        outcome.err
    );
}

#[test]
fn a_combatant_that_is_gone_or_new_is_told() {
    let dir = committed();
    change(&dir, "name = \"monster\"", "name = \"beast\"");
    let outcome = against(&dir, "--tolerance 100%");
    assert_eq!(outcome.exit, Exit::ExpectationFailed, "{}", outcome.out);
    assert!(
        outcome
            .out
            .contains("alive of beast is not in the committed results"),
        "{}",
        outcome.out
    );
    assert!(
        outcome
            .out
            .contains("alive of monster is in the committed results alone")
    );
}

#[test]
fn what_was_set_then_is_set_now() {
    let dir = duel_with("");
    let (file, out) = (dir.path("duel.toml"), dir.path("results"));
    let set = "combatants.monster.health=36";
    let run = [
        "run",
        shown(&file),
        "-n",
        "1k",
        "-q",
        "-o",
        shown(&out),
        "--set",
        set,
    ];
    assert_eq!(skirmish(&run).exit, Exit::Done);
    assert_eq!(against(&dir, "").exit, Exit::Done);
    let changed = against(&dir, "--set combatants.monster.health=30");
    assert_eq!(changed.exit, Exit::ExpectationFailed);
    let cause = "the command line has changed the scenario";
    assert!(joined(&changed.out).contains(cause), "{}", changed.out);
}

#[test]
fn foreign_results_are_refused_before_anything_is_played() {
    let refused = |dir: &TestDir, words: &str| {
        let outcome = against(dir, "");
        assert_eq!(
            (outcome.exit, &outcome.out[..]),
            (Exit::BadInput, ""),
            "{}",
            outcome.err
        );
        assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
    };
    let dir = committed();
    forge(&dir, "manifest.json", "\"format\": 2", "\"format\": 3");
    refused(&dir, "is of format 3");

    let dir = committed();
    forge(
        &dir,
        "manifest.json",
        "\"name\": \"duel\"",
        "\"name\": \"dual\"",
    );
    refused(&dir, "another scenario, `dual`");

    let dir = committed();
    forge(&dir, "manifest.json", "{", "[");
    refused(&dir, "no manifest");

    let dir = committed();
    forge(
        &dir,
        "manifest.json",
        "\"encounters\": 1000,\n      \"changes\": {}",
        "\"encounters\": 0,\n      \"changes\": {}",
    );
    refused(&dir, "0 encounters of `base`");

    let dir = committed();
    forge(&dir, "summary.csv", "metric,subject", "metric,object");
    refused(&dir, "columns");

    let dir = committed();
    forge(
        &dir,
        "summary.csv",
        "duel,base,win_rate,heroes,1000,",
        "duel,base,win_rate,heroes,many,",
    );
    refused(
        &dir,
        "summary.csv, line 2: `many` is no number that `n` could hold",
    );

    let dir = committed();
    forge(
        &dir,
        "distributions.csv",
        "duel,base,winner",
        "kiting,base,winner",
    );
    refused(&dir, "another scenario, `kiting`");

    // Both the file and its checksum are missing.
    let dir = committed();
    forget_checksums(&dir);
    fs::remove_file(dir.path("results/duel/distributions.csv")).unwrap();
    refused(&dir, "cannot read");

    let dir = committed();
    fs::rename(dir.path("results/duel"), dir.path("results/duell")).unwrap();
    refused(&dir, "there are no results of `duel`");
    refused(&dir, "there is `duell`");
}
