//! Checks against committed results: unchanged, moved, or written by another program.

use super::{Bench, Outcome, shown, skirmish, wins};
use crate::output::width::joined;
use std::fs;

/// Returns the duel with committed results of a thousand encounters.
fn committed() -> Bench {
    let bench = Bench::new("");
    let (file, out) = (bench.path("duel.toml"), bench.path("results"));
    let run = skirmish(&[
        "run",
        shown(&file),
        "-n",
        "1k",
        "--seed",
        "3",
        "-q",
        "-o",
        shown(&out),
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    bench
}

fn against(bench: &Bench, options: &str) -> Outcome {
    let out = bench.path("results");
    bench.check(&format!("--baseline {} {options}", shown(&out)))
}

/// Replaces `old` with `new` in the duel's text.
fn change(bench: &Bench, old: &str, new: &str) {
    let text = fs::read_to_string(bench.path("duel.toml")).unwrap();
    assert!(text.contains(old), "{old}");
    bench.write("duel.toml", &text.replacen(old, new, 1));
}

/// Changes a committed file and removes its checksum from the manifest.
fn forge(bench: &Bench, name: &str, old: &str, new: &str) {
    forget_checksums(bench);
    let path = bench.path("results/duel").join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{old} in {text}");
    fs::write(path, text.replacen(old, new, 1)).unwrap();
}

/// Removes the checksums from the manifest; manifests of older versions have none.
fn forget_checksums(bench: &Bench) {
    let manifest = bench.path("results/duel/manifest.json");
    if let Ok(text) = fs::read_to_string(&manifest)
        && let Some((before, rest)) = text.split_once("  \"files\": {")
    {
        let (_, after) = rest.split_once("  },\n").unwrap();
        fs::write(&manifest, format!("{before}{after}")).unwrap();
    }
}

#[test]
fn the_same_fight_gives_the_same_bytes() {
    let bench = committed();
    let outcome = against(&bench, "");
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.ends_with("2 passed\n"), "{}", outcome.out);
    assert!(joined(&outcome.out).contains(" 0%  "), "{}", outcome.out);
    assert!(!joined(&outcome.out).contains("not the committed bytes"));
    // The check takes seed and encounters from the committed results and ignores the command line's.
    assert_eq!(against(&bench, "--seed 9 --threads 3").code, 0);
}

#[test]
fn distributions_that_are_not_committed_are_compared_by_their_checksum() {
    let bench = committed();
    let whole = against(&bench, "");
    fs::remove_file(bench.path("results/duel/distributions.csv")).unwrap();
    assert_eq!(against(&bench, "").out, whole.out);

    change(&bench, "health = 30", "health = 36");
    let moved = against(&bench, "");
    assert_eq!(moved.code, 2, "{}", moved.out);
    assert!(
        joined(&moved.err)
            .contains("only its distributions.csv, which is not there, tells how far"),
        "{}",
        moved.err
    );
}

#[test]
fn a_changed_comment_changes_no_bytes() {
    let bench = committed();
    change(&bench, "[encounter]", "# Nothing has changed.\n[encounter]");
    let outcome = against(&bench, "");
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    assert!(!joined(&outcome.out).contains("not the committed bytes"));
}

#[test]
fn a_changed_fight_is_told_by_what_has_moved() {
    let bench = committed();
    change(&bench, "health = 30", "health = 36");
    let outcome = against(&bench, "");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
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
    let json = against(&bench, "--format json").out;
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
    let bench = committed();
    change(&bench, "health = 30", "health = 36");
    let outcome = against(&bench, "--tolerance 90%");
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    let told = "win_rate of heroes: 5";
    assert!(joined(&outcome.out).contains(told), "{}", outcome.out);
    assert_eq!(against(&bench, "--tolerance 0.01").code, 1);
}

#[test]
fn small_changes_are_no_moves_that_anybody_could_tell() {
    let bench = committed();
    // One encounter ends differently: two numbers of one row change.
    forge(
        &bench,
        "summary.csv",
        "duel,base,mutual,encounter,1000,0,",
        "duel,base,mutual,encounter,1000,0.001,",
    );
    let outcome = against(&bench, "");
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    assert!(
        joined(&outcome.out).contains("the scenario is as it was"),
        "{}",
        outcome.out
    );
}

#[test]
fn expectations_are_checked_besides() {
    let bench = committed();
    let text = fs::read_to_string(bench.path("duel.toml")).unwrap();
    bench.write("duel.toml", &(text + &wins("min = 0.9")));
    let outcome = against(&bench, "");
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.out.ends_with("2 passed, 1 failed\n"),
        "{}",
        outcome.out
    );
}

#[test]
fn a_new_variant_is_not_compared_and_a_missing_one_is_an_error() {
    let bench = committed();
    let text = fs::read_to_string(bench.path("duel.toml")).unwrap();
    let new = "[[variants]]\nname = \"x\"\nset = { \"combatants.monster.health\" = 1 }\n";
    bench.write("duel.toml", &(text + new));
    assert_eq!(against(&bench, "").code, 0);
    change(
        &bench,
        "name = \"simple round\"",
        "name = \"simple rounds\"",
    );
    let outcome = against(&bench, "");
    assert_eq!(outcome.code, 2, "{}", outcome.out);
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
    let bench = committed();
    change(&bench, "name = \"monster\"", "name = \"beast\"");
    let outcome = against(&bench, "--tolerance 100%");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
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
    let bench = Bench::new("");
    let (file, out) = (bench.path("duel.toml"), bench.path("results"));
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
    assert_eq!(skirmish(&run).code, 0);
    assert_eq!(against(&bench, "").code, 0);
    let changed = against(&bench, "--set combatants.monster.health=30");
    assert_eq!(changed.code, 1);
    let cause = "the command line has changed the scenario";
    assert!(joined(&changed.out).contains(cause), "{}", changed.out);
}

#[test]
fn foreign_results_are_refused_before_anything_is_played() {
    let refused = |bench: &Bench, words: &str| {
        let outcome = against(bench, "");
        assert_eq!((outcome.code, &outcome.out[..]), (2, ""), "{}", outcome.err);
        assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
    };
    let bench = committed();
    forge(&bench, "manifest.json", "\"format\": 1", "\"format\": 2");
    refused(&bench, "is of format 2");

    let bench = committed();
    forge(
        &bench,
        "manifest.json",
        "\"name\": \"duel\"",
        "\"name\": \"dual\"",
    );
    refused(&bench, "another scenario, `dual`");

    let bench = committed();
    forge(&bench, "manifest.json", "{", "[");
    refused(&bench, "no manifest");

    let bench = committed();
    forge(
        &bench,
        "manifest.json",
        "\"encounters\": 1000,\n      \"changes\": {}",
        "\"encounters\": 0,\n      \"changes\": {}",
    );
    refused(&bench, "0 encounters of `base`");

    let bench = committed();
    forge(&bench, "summary.csv", "metric,subject", "metric,object");
    refused(&bench, "columns");

    let bench = committed();
    forge(
        &bench,
        "summary.csv",
        "duel,base,win_rate,heroes,1000,",
        "duel,base,win_rate,heroes,many,",
    );
    refused(
        &bench,
        "summary.csv, line 2: `many` is no number that `n` could hold",
    );

    let bench = committed();
    forge(
        &bench,
        "distributions.csv",
        "duel,base,winner",
        "kiting,base,winner",
    );
    refused(&bench, "another scenario, `kiting`");

    // Both the file and its checksum are missing.
    let bench = committed();
    forget_checksums(&bench);
    fs::remove_file(bench.path("results/duel/distributions.csv")).unwrap();
    refused(&bench, "cannot read");

    let bench = committed();
    fs::rename(bench.path("results/duel"), bench.path("results/duell")).unwrap();
    refused(&bench, "there are no results of `duel`");
    refused(&bench, "there is `duell`");
}
