//! Command lines that users try: standard input, counts, colours, names with spaces, pairs of topics.

use crate::support::{Outcome, TestDir, assert_narrow, joined};
use std::io::Write as _;
use std::process::{Output, Stdio};

const KITING: &str = include_str!("../scenario/kiting.toml");

/// Runs the program in a folder with `input` on standard input.
fn skirmish(dir: &TestDir, arguments: &[&str], input: &str) -> Output {
    let mut command = dir.command("");
    command.args(arguments).env_remove("NO_COLOR");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().expect("a pipe");
    // A program that refuses its arguments does not read its input.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("the program ends")
}

#[track_caller]
fn printed(dir: &TestDir, arguments: &[&str], input: &str) -> String {
    Outcome::of(skirmish(dir, arguments, input)).printed()
}

/// Returns the errors of a command, as they are wrapped.
#[track_caller]
fn errors_of(dir: &TestDir, arguments: &[&str], input: &str) -> String {
    let output = skirmish(dir, arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn a_scenario_may_come_from_standard_input() {
    let dir = &TestDir::with("kiting.toml", KITING);
    let options = ["-n", "50", "-q", "-o", "results"];
    for file in ["-", "kiting.toml"] {
        printed(dir, &[&["run", file][..], &options].concat(), KITING);
    }
    let rows = |name: &str| {
        let rows = dir.read(&format!("results/{name}/summary.csv"));
        rows.replace(name, "NAME")
    };
    assert!(rows("stdin") == rows("kiting"));
    let told = printed(dir, &["validate", "-"], KITING);
    assert!(told.starts_with("<stdin>: valid;"), "{told}");
    let [one, other] = ["-", "kiting.toml"].map(|file| printed(dir, &["trace", file], KITING));
    assert_eq!(one, other);
    let expects = "\n[[expect]]\nmetric = \"rounds\"\nmin = 1\n";
    printed(dir, &["check", "-", "-q"], &format!("{KITING}{expects}"));
    let vary = [
        "sweep",
        "-",
        "--vary",
        "archer.move=10,12",
        "-n",
        "20",
        "-q",
    ];
    printed(dir, &vary, KITING);
    printed(dir, &["sensitivity", "-", "-n", "20", "-q"], KITING);
    printed(dir, &["compare", "-", "-n", "20", "-q"], KITING);
    let wrong = KITING.replacen("range = 60", "rnage = 60", 1);
    let said = errors_of(dir, &["run", "-"], &wrong);
    assert!(said.contains("--> <stdin>:15:1"), "{said}");
    let said = errors_of(dir, &["run", "-"], "");
    assert!(said.contains("the scenario `<stdin>` is empty"), "{said}");
}

#[test]
fn standard_input_is_refused_where_the_scenario_is_needed_again() {
    let dir = &TestDir::empty();
    for command in [
        &["plan", "-", "--shards", "2", "-o", "run"][..],
        &["watch", "-"],
    ] {
        let said = errors_of(dir, command, KITING);
        assert_narrow(&said);
        assert!(
            said.contains("`-` (standard input) cannot be the scenario here"),
            "{said}"
        );
    }
    printed(dir, &["run", "-", "-n", "20", "-q"], KITING);
    let said = errors_of(dir, &["reproduce", "results/stdin"], "");
    assert!(said.contains("save it as `stdin.toml`"), "{said}");
    dir.write("stdin.toml", KITING);
    printed(
        dir,
        &["reproduce", "results/stdin", "--scenario", "stdin.toml"],
        "",
    );
}

#[test]
fn counts_are_read_as_people_write_them() {
    let dir = &TestDir::with("kiting.toml", KITING);
    for (text, count) in [("1e3", 1000), ("0.2k", 200), ("1.5e2", 150), ("1_00", 100)] {
        let run = ["run", "kiting.toml", "-n", text, "--format", "json", "-q"];
        let told: serde_json::Value = serde_json::from_str(&printed(dir, &run, "")).expect("JSON");
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
    let dir = &TestDir::empty();
    let coloured = |output: &[u8]| output.contains(&0x1b);
    let wrong = KITING.replacen("range = 60", "rnage = 60", 1);
    for (choice, wanted) in [("always", true), ("never", false), ("auto", false)] {
        let output = skirmish(dir, &["validate", "-", "--color", choice], &wrong);
        assert_eq!(coloured(&output.stderr), wanted, "{choice}");
        let output = skirmish(
            dir,
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
        let output = skirmish(dir, &["run", "--colour", &format!("--color={choice}")], "");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(coloured(&output.stderr), wanted, "{choice}");
        let output = skirmish(dir, &["run", "--help", "--color", choice], "");
        assert_eq!(output.status.code(), Some(0));
    }
    let said = errors_of(dir, &["run", "-", "--color", "red"], "");
    assert!(said.contains("auto, always, never"), "{said}");
}

#[test]
fn names_in_several_words_are_found() {
    let dir = &TestDir::with("my file.toml", KITING);
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
        let said = errors_of(dir, &[command, "my", "file.toml"], "");
        assert!(said.contains(wanted), "{command}: {said}");
    }
    printed(dir, &["validate", "my file.toml"], "");
    let said = errors_of(dir, &["run", "your", "file.toml"], "");
    assert!(!said.contains("put its name in quotes"), "{said}");
}

#[test]
fn topics_go_with_systems() {
    let dir = &TestDir::empty();
    let policy = printed(dir, &["explain", "policy", "mage"], "");
    assert_eq!(policy, printed(dir, &["explain", "mage", "policy"], ""));
    assert!(
        policy.contains("Mage alone:") && !policy.contains("Tara-Corax"),
        "{policy}"
    );
    let rules = printed(dir, &["explain", "rules", "chronicles"], "");
    assert_eq!(rules, printed(dir, &["explain", "chronicles"], ""));
    let all = printed(dir, &["explain", "rules"], "");
    assert!(all.contains(&rules) && all.len() > 3 * rules.len());
    let metrics = printed(dir, &["explain", "metrics", "eclipse-phase"], "");
    assert!(
        metrics.contains("\nwin_rate") && !metrics.contains("paradox"),
        "{metrics}"
    );
    let said = errors_of(dir, &["explain", "policy", "metrics"], "");
    assert_narrow(&said);
    let said = joined(&said);
    assert!(
        said.contains("`policy`, `rules`, `clock`, `metrics` and `effects`"),
        "{said}"
    );
    assert!(
        said.contains("`tara-corax`, `mage`, `chronicles`, `eclipse-phase` or `own`"),
        "{said}"
    );
}

#[test]
fn an_answer_begins_with_the_number_that_was_asked_for() {
    let dir = &TestDir::empty();
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
        (&["--pool", "5"], "{ pool = 5 }: success 85.0%, botch 5.1%"),
        (
            &["--pool", "5", "--rolled", "6,2,5,10,9"],
            "{ pool = 5 }, rolled 6 2 5 10 9: outcome so far success, net successes 3",
        ),
        (
            &["{ skill = 55 }"],
            "{ skill = 55 }: success 56.0%, critical success 6.0%",
        ),
        (
            &["{ dice = '1d20', critical = 20 }", "--evade", "15"],
            "{ dice = '1d20', critical = 20 }, evade = 15: success 30.0%, critical success 5.0%",
        ),
        (
            &["2d10+9", "--evade", "15", "--with", "spoils=5"],
            "2d10+9, spoils = 5, evade = 15: success 25.0%",
        ),
        (
            &["--pool", "5", "--ritual", "--required", "9"],
            "{ pool = 5, required = 9 }: done in the end",
        ),
    ] {
        let told = printed(dir, &[&["odds"][..], question].concat(), "");
        // A long sentence continues on the next line.
        let told = told.replace("\n  ", " ");
        assert!(told.starts_with(first), "{question:?}: {told}");
        let json = printed(
            dir,
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
