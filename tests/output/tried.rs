//! Command lines that users try: standard input, counts, colours, names with spaces, pairs of topics.

use super::width::joined;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const KITING: &str = include_str!("../scenario/kiting.toml");

/// Runs the program in a folder with `input` on standard input.
fn skirmish(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = program.stdin.take().expect("a pipe");
    // A program that refuses its arguments does not read its input.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    program.wait_with_output().expect("the program ends")
}

fn done(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = skirmish(folder, arguments, input);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = skirmish(folder, arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Asserts that every line fits a terminal.
fn assert_narrow(said: &str) {
    for line in said.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_scenario_may_come_from_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    fs::write(at.join("kiting.toml"), KITING).expect("a file");
    let options = ["-n", "50", "-q", "-o", "results"];
    for file in ["-", "kiting.toml"] {
        done(at, &[&["run", file][..], &options].concat(), KITING);
    }
    let rows = |name: &str| {
        let rows = fs::read_to_string(at.join("results").join(name).join("summary.csv"));
        rows.expect("rows").replace(name, "NAME")
    };
    assert!(rows("stdin") == rows("kiting"));
    let told = done(at, &["validate", "-"], KITING);
    assert!(told.starts_with("<stdin>: valid;"), "{told}");
    let [one, other] = ["-", "kiting.toml"].map(|file| done(at, &["trace", file], KITING));
    assert_eq!(one, other);
    let expects = "\n[[expect]]\nmetric = \"rounds\"\nmin = 1\n";
    done(at, &["check", "-", "-q"], &format!("{KITING}{expects}"));
    let vary = [
        "sweep",
        "-",
        "--vary",
        "archer.move=10,12",
        "-n",
        "20",
        "-q",
    ];
    done(at, &vary, KITING);
    done(at, &["sensitivity", "-", "-n", "20", "-q"], KITING);
    done(at, &["compare", "-", "-n", "20", "-q"], KITING);
    let wrong = KITING.replacen("range = 60", "rnage = 60", 1);
    let said = refused(at, &["run", "-"], &wrong);
    assert!(said.contains("--> <stdin>:15:1"), "{said}");
    let said = refused(at, &["run", "-"], "");
    assert!(said.contains("the scenario `<stdin>` is empty"), "{said}");
}

#[test]
fn standard_input_is_refused_where_the_scenario_is_needed_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for command in [
        &["plan", "-", "--shards", "2", "-o", "run"][..],
        &["watch", "-"],
    ] {
        let said = refused(at, command, KITING);
        assert_narrow(&said);
        assert!(
            said.contains("`-` (standard input) cannot be the scenario here"),
            "{said}"
        );
    }
    done(at, &["run", "-", "-n", "20", "-q"], KITING);
    let said = refused(at, &["reproduce", "results/stdin"], "");
    assert!(said.contains("save it as `stdin.toml`"), "{said}");
    fs::write(at.join("stdin.toml"), KITING).expect("a file");
    done(
        at,
        &["reproduce", "results/stdin", "--scenario", "stdin.toml"],
        "",
    );
}

#[test]
fn counts_are_read_as_people_write_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    fs::write(at.join("kiting.toml"), KITING).expect("a file");
    for (text, count) in [("1e3", 1000), ("0.2k", 200), ("1.5e2", 150), ("1_00", 100)] {
        let run = ["run", "kiting.toml", "-n", text, "--format", "json", "-q"];
        let told: serde_json::Value = serde_json::from_str(&done(at, &run, "")).expect("JSON");
        assert_eq!(told["variants"][0]["encounters"], count, "{text}");
    }
    for text in [
        "1e-3", "1.5", "1.2345k", "e5", "1e", "1e99", "1e5k", "-1e5", "0e3", "1._5k",
    ] {
        assert!(skirmish::cli::args::count(text).is_err(), "{text}");
    }
}

#[test]
fn colours_are_chosen_anywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let coloured = |output: &[u8]| output.contains(&0x1b);
    let wrong = KITING.replacen("range = 60", "rnage = 60", 1);
    for (choice, wanted) in [("always", true), ("never", false), ("auto", false)] {
        let output = skirmish(at, &["validate", "-", "--color", choice], &wrong);
        assert_eq!(coloured(&output.stderr), wanted, "{choice}");
        let output = skirmish(
            at,
            &[
                "--color",
                choice,
                "odds",
                "--pool",
                "1..3",
                "--difficulty",
                "5..6",
            ],
            "",
        );
        assert_eq!(coloured(&output.stdout), wanted, "{choice}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains(char::REPLACEMENT_CHARACTER));
        let output = skirmish(at, &["run", "--colour", &format!("--color={choice}")], "");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(coloured(&output.stderr), wanted, "{choice}");
        let output = skirmish(at, &["run", "--help", "--color", choice], "");
        assert_eq!(output.status.code(), Some(0));
    }
    let said = refused(at, &["run", "-", "--color", "red"], "");
    assert!(said.contains("auto, always, never"), "{said}");
}

#[test]
fn names_in_several_words_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    fs::write(at.join("my file.toml"), KITING).expect("a file");
    let wanted = "help: there is a file `my file.toml`: put its name in quotes, 'my file.toml'";
    for command in [
        "run",
        "check",
        "validate",
        "trace",
        "sensitivity",
        "knockout",
        "matchup",
    ] {
        let said = refused(at, &[command, "my", "file.toml"], "");
        assert!(said.contains(wanted), "{command}: {said}");
    }
    done(at, &["validate", "my file.toml"], "");
    let said = refused(at, &["run", "your", "file.toml"], "");
    assert!(!said.contains("put its name in quotes"), "{said}");
}

#[test]
fn topics_go_with_systems() {
    let at = Path::new(".");
    let policy = done(at, &["explain", "policy", "mage"], "");
    assert_eq!(policy, done(at, &["explain", "mage", "policy"], ""));
    assert!(
        policy.contains("Mage alone:") && !policy.contains("Tara-Corax"),
        "{policy}"
    );
    let rules = done(at, &["explain", "rules", "chronicles"], "");
    assert_eq!(rules, done(at, &["explain", "chronicles"], ""));
    let all = done(at, &["explain", "rules"], "");
    assert!(all.contains(&rules) && all.len() > 3 * rules.len());
    let metrics = done(at, &["explain", "metrics", "eclipse-phase"], "");
    assert!(
        metrics.contains("\nwin_rate") && !metrics.contains("paradox"),
        "{metrics}"
    );
    let said = refused(at, &["explain", "policy", "metrics"], "");
    assert_narrow(&said);
    let said = joined(&said);
    assert!(
        said.contains("`policy`, `rules`, `metrics` and `effects`"),
        "{said}"
    );
    assert!(
        said.contains("`tara-corax`, `mage`, `chronicles` or `eclipse-phase`"),
        "{said}"
    );
}

#[test]
fn an_answer_begins_with_the_number_that_was_asked_for() {
    let at = Path::new(".");
    for (question, first) in [
        (
            &["4d6", "--at-least", "18"][..],
            "4d6 is at least 18: 15.9%",
        ),
        (&["2d10+9"], "2d10+9 is 20.00 on average, from 11 to 29"),
        (&["1d6x"], "1d6x6 is 4.20 on average, 1 or more"),
        (
            &["-1d6+10", "--at-least", "9"],
            "-1d6+10 is at least 9: 16.7%",
        ),
        (
            &["1d6 vs 1d6"],
            "1d6 vs 1d6: the first wins 41.7%, a tie 16.7%, the second wins",
        ),
        (
            &["--pool", "5"],
            "5 dice, difficulty 6: success 85.0%, botch 5.1%",
        ),
        (
            &["--pool", "5", "--rolled", "6,2,5,10,9"],
            "5 dice, difficulty 6, rolled 6 2 5 10 9: ",
        ),
        (
            &["percentile", "--skill", "55"],
            "a percentile test against 55: success, critical or not",
        ),
        (
            &["attack", "1d20", "--evade", "15", "--critical", "20"],
            "1d20 against evade 15: hits 30.0%, hits critically 5.0%, mean damage 0.30",
        ),
        (
            &["desperate", "--bonus", "9", "--evade", "15"],
            "2d10+9 with mastery +0 against evade 15: plain",
        ),
        (
            &["--pool", "5", "--compare", "tens=plain"],
            "5 dice, difficulty 6: success 85.0%; with tens=plain",
        ),
        (
            &["initiative", "--characteristic", "15"],
            "Initiative Score, characteristic 15: mean",
        ),
        (
            &["--pool", "5", "--ritual", "--required", "9"],
            "5 dice, difficulty 6, again and again",
        ),
        (
            &["initiative", "--rating", "6", "--against", "5"],
            "who acts first in Tara-Corax: rating 6 against 5: the first acts",
        ),
    ] {
        let told = done(at, &[&["odds"][..], question].concat(), "");
        // A long sentence continues on the next line.
        let told = told.replace("\n  ", " ");
        assert!(told.starts_with(first), "{question:?}: {told}");
        let json = done(
            at,
            &[&["odds"][..], question, &["--format", "json"]].concat(),
            "",
        );
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert!(
            json["answer"]
                .as_str()
                .expect("an answer")
                .starts_with(first)
        );
    }
}
