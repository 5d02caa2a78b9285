//! Without a terminal no line is wider than 80 columns, and `--wide` prints whole tables. Suggested commands are never
//! wrapped, so that they can be copied into any shell.

use crate::support::fights::shipped;
use crate::support::{TestDir, columns, program, skirmish};
use crate::worked::{project, words};
use std::fs;
use std::path::PathBuf;

/// Returns the lines of a command's output, on both streams, that are wider than 80 columns.
fn too_wide(command: &[&str]) -> Vec<String> {
    let output = program().args(command).output().unwrap();
    assert_ne!(output.status.code(), None, "{command:?}");
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    let lines = texts.iter().flat_map(|text| text.lines());
    let wide = lines.filter(|line| columns(line) > 80 && !line.starts_with("  skirmish "));
    wide.map(|line| format!("{}: {line}", command.join(" ")))
        .collect()
}

/// Asserts that no line of these commands' output is wider than 80 columns.
fn assert_output_narrow<'a>(commands: impl IntoIterator<Item = Vec<&'a str>>) {
    let wide: Vec<String> = commands
        .into_iter()
        .flat_map(|one| too_wide(&one))
        .collect();
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

fn scenarios() -> Vec<PathBuf> {
    let files = shipped();
    assert!(files.len() > 20);
    files
        .into_iter()
        .map(|path| PathBuf::from("scenarios").join(path.file_name().unwrap()))
        .collect()
}

/// Asserts the width of `command` for every scenario; FILE stands for the scenario, DIR for a folder.
fn assert_narrow_of_scenarios(command: &str) {
    let dir = TestDir::empty();
    let (folder, files) = (dir.root().display().to_string(), scenarios());
    let files = files.iter().map(|file| file.to_str().unwrap());
    assert_output_narrow(files.map(|file| {
        let word = |word| match word {
            "FILE" => file,
            "DIR" => folder.as_str(),
            other => other,
        };
        command.split(' ').map(word).collect()
    }));
}

#[test]
fn runs_fit_80_columns() {
    assert_narrow_of_scenarios("run FILE -n 200 -o DIR");
}

#[test]
fn comparisons_fit_80_columns() {
    assert_narrow_of_scenarios("compare FILE -n 50 -o DIR --metric all");
}

#[test]
fn sensitivities_fit_80_columns() {
    assert_narrow_of_scenarios("sensitivity FILE -n 8 -o DIR");
}

#[test]
fn knockouts_fit_80_columns() {
    assert_narrow_of_scenarios("knockout FILE -n 4 -o DIR");
}

#[test]
fn meetings_of_builds_fit_80_columns() {
    let dir = TestDir::empty();
    let folder = dir.root().display().to_string();
    let file = "scenarios/hammer-knives-shield.toml";
    assert_output_narrow([vec!["matchup", file, "-n", "20", "-o", folder.as_str()]]);
    assert_output_narrow([vec!["matchup", file, "--exact", "-o", folder.as_str()]]);
}

#[test]
fn searches_fit_80_columns() {
    let dir = TestDir::empty();
    let folder = dir.root().display().to_string();
    let file = "tests/tune/thresholds.toml";
    assert_output_narrow([vec!["tune", file, "-n", "400", "-o", folder.as_str()]]);
}

#[test]
fn checks_fit_80_columns() {
    assert_narrow_of_scenarios("check FILE -n 50 --max-encounters 100");
}

#[test]
fn summaries_and_refusals_fit_80_columns() {
    assert_narrow_of_scenarios("validate FILE");
    assert_narrow_of_scenarios("run FILE -n 0");
    assert_narrow_of_scenarios("sweep FILE --vary combatants.none.health=1..3");
}

#[test]
fn traces_fit_80_columns() {
    assert_narrow_of_scenarios("trace FILE");
    assert_narrow_of_scenarios("trace FILE --encounter 7 --why");
}

#[test]
fn sweeps_fit_80_columns() {
    let dir = TestDir::empty();
    let folder = dir.root().display().to_string();
    let of_kiting = [
        "--vary combatants.archer.move=8..20:4",
        "--vary combatants.archer.move=8..20:4 --threshold 50%",
        "--vary combatants.archer.move=8,12 --vary combatants.brute.move=8..30",
        "--vary weapons.longbow.damage=1d8,2d6 --metric damage",
        "--vary rules.round=full,simple --metric rounds",
    ];
    assert_output_narrow(of_kiting.map(|options| {
        let command = ["sweep", "scenarios/kiting.toml", "-n", "100", "-o", &folder];
        command.into_iter().chain(options.split(' ')).collect()
    }));
}

#[test]
fn odds_fit_80_columns() {
    let page = fs::read_to_string(project().join("docs/DICE.md")).unwrap();
    let commands: Vec<Vec<String>> = page
        .split('`')
        .filter_map(|text| text.strip_prefix("skirmish odds "))
        .map(|command| words(&format!("odds {command}")))
        .collect();
    assert!(commands.len() > 20);
    assert_output_narrow(
        commands
            .iter()
            .map(|words| words.iter().map(String::as_str).collect()),
    );
}

#[test]
fn explanations_and_help_fit_80_columns() {
    let topics = [
        "policy",
        "tara-corax",
        "mage",
        "chronicles",
        "eclipse-phase",
        "metrics",
    ];
    assert_output_narrow(topics.map(|topic| vec!["explain", topic]));
    let commands = [
        "",
        "run",
        "compare",
        "sweep",
        "sensitivity",
        "knockout",
        "matchup",
        "check",
        "odds",
        "plan",
        "plan compare",
        "plan sweep",
        "missing",
        "merge",
        "report",
        "reproduce",
        "trace",
        "validate",
        "new",
        "systems",
        "explain",
        "completions",
        "man",
    ];
    for help in ["-h", "--help"] {
        assert_output_narrow(commands.map(|command| {
            let words = command.split_whitespace();
            words.chain([help]).collect()
        }));
    }
    assert_output_narrow([vec!["systems"]]);
}

#[test]
fn wide_prints_whole_tables() {
    let dir = TestDir::empty();
    let folder = dir.root().display().to_string();
    let run = [
        "run",
        "scenarios/party.toml",
        "-n",
        "100",
        "--details",
        "-o",
        &folder,
    ];
    let head = |command: &[&str]| {
        let text = skirmish(command).out;
        let heads = text.lines().filter(|line| line.starts_with("combatant "));
        heads.map(str::to_owned).collect::<Vec<_>>()
    };
    let folded = head(&run);
    let whole = head(&[&run[..], &["--wide"]].concat());
    // The table of each variant is in two blocks, or on one line.
    assert_eq!(folded.len(), 2 * whole.len());
    assert!(whole.iter().all(|line| columns(line) > 80), "{whole:?}");
    // Other words of a title may be on the line above.
    let titles = |lines: &[String]| -> Vec<String> {
        let titles = lines.iter().flat_map(|line| line.split("  "));
        let words = titles.filter_map(|title| title.split_whitespace().last());
        words.map(str::to_owned).collect()
    };
    let all = titles(&folded[..2]);
    for title in titles(&whole[..1]) {
        assert!(all.contains(&title), "{title}: {all:?}");
    }
}

#[test]
fn wide_keeps_each_row_of_an_explanation_on_a_line() {
    for command in [&["explain", "metrics"][..], &["systems"]] {
        let whole = skirmish(&[command, &["--wide"]].concat()).out;
        let widest = whole.lines().map(columns).max().unwrap();
        assert!(widest > 100, "{command:?}: {widest}");
    }
}

#[test]
fn wide_holds_for_checks_and_odds() {
    let check = [
        "check",
        "scenarios/kiting.toml",
        "-n",
        "50",
        "--max-encounters",
        "50",
    ];
    let odds = ["odds", "--pool", "1..20", "--required", "1..20"];
    let widest = |command: &[&str]| {
        let output = skirmish(command).out;
        output.lines().map(columns).max().unwrap()
    };
    for command in [&check[..], &odds] {
        assert!(widest(command) <= 80, "{command:?}");
        assert!(widest(&[command, &["--wide"]].concat()) > 80, "{command:?}");
    }
}
