//! A hostile scenario passes through every subcommand: no text of it controls a terminal, breaks markup or is executed
//! by a spreadsheet.

use crate::support::{TestDir, program};
use skirmish::clean::{acts, from_cell};
use std::fs;
use std::path::Path;

/// A scenario whose title and question hold terminal escape sequences, and whose names are markup, templates and
/// formulas.
const HOSTILE: &str = include_str!("hostile.toml");

/// A file name that sets a colour, rings the bell and reverses the direction of text.
const FILE: &str = "h\u{1b}[31m\u{7}\u{202e}ostile.toml";

/// Runs the program in a folder, asserts that no output controls the terminal, and returns both streams.
fn said(folder: &Path, words: &[&str]) -> String {
    let mut command = program();
    let output = command.args(words).current_dir(folder).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    let code = output.status.code();
    assert!(
        code == Some(0) || (words[0] == "check" && code == Some(1)),
        "{words:?}: {err}"
    );
    for text in [&out, &err] {
        assert_eq!(text.find(acts), None, "{words:?}: {text:?}");
    }
    // Annotations are commands to a build server, and data for programs is as it is.
    let data = ["github", "csv", "json", "junit", "svg"];
    let is_data = words.iter().any(|word| data.contains(word));
    for line in err.lines().chain(out.lines().filter(|_| !is_data)) {
        let is_command = line.trim_start().starts_with("::")
            || ["##[", "##vso["]
                .iter()
                .any(|command| line.contains(command));
        assert!(!is_command, "{words:?}: {line}");
    }
    assert!(
        !words.contains(&"json")
            || serde_json::Deserializer::from_str(&out)
                .into_iter::<serde_json::Value>()
                .all(|value| value.is_ok())
    );
    if words.contains(&"svg") && !words.contains(&"-o") || words.contains(&"junit") {
        is_xml(&out);
    }
    out + &err
}

fn is_xml(text: &str) {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    if let Err(error) = roxmltree::Document::parse_with_options(text, options) {
        panic!("{error}: {text}");
    }
}

/// Checks all files in a folder, and counts them by kind.
fn files_are_calm(folder: &Path, kinds: &mut std::collections::BTreeMap<String, usize>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_are_calm(&path, kinds);
            continue;
        }
        let kind = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        *kinds.entry(kind.clone()).or_default() += 1;
        // A plan stores the scenario unchanged, and counts are not text.
        if path.ends_with("plan.json") || !["csv", "json", "html", "svg"].contains(&&kind[..]) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.find(acts), None, "{}: {text}", path.display());
        match &kind[..] {
            "html" | "svg" => is_xml(&text),
            "csv" => {
                let mut reader = csv::ReaderBuilder::new()
                    .has_headers(false)
                    .from_reader(text.as_bytes());
                for cell in reader.records().flat_map(|row| {
                    let row = row.unwrap();
                    row.iter().map(str::to_owned).collect::<Vec<_>>()
                }) {
                    let runs = cell.starts_with(['=', '@'])
                        || (cell.starts_with(['+', '-']) && cell.contains(['(', '|', '!']));
                    assert!(!runs, "{}: {cell}", path.display());
                }
            }
            _ => {}
        }
    }
}

#[test]
#[cfg(unix)]
fn a_hostile_scenario_goes_through_every_subcommand_and_does_nothing() {
    let dir = TestDir::empty();
    let at = dir.root();
    fs::write(at.join(FILE), HOSTILE).unwrap();
    let key = "combatants.\"=HYPERLINK(A1)\".health";
    let vary = format!("{key}=5,6,7");
    let all = [
        "run FILE -n 30 --each each.csv --report run.html -o res",
        "run FILE -n 30 --format markdown -o res",
        "run FILE -n 30 --format csv -o res",
        "run FILE -n 30 --format json -o res",
        "run FILE -n 30 --checkpoint saved\u{1b}[2J -o res",
        "compare FILE -n 30 -o res --report compare.html",
        "compare FILE -n 30 -o res --format json",
        "sweep FILE -n 30 --vary VARY -o res --report sweep.html",
        "sweep FILE -n 30 --vary VARY -o res --format json",
        "sensitivity FILE -n 30 -o res --report sensitivity.html",
        "knockout FILE -n 30 -o res --report knockout.html",
        "matchup FILE -n 30 -o res --report matchup.html",
        "matchup FILE -n 30 -o res --format json",
        "check FILE -n 30 --max-encounters 30 --report check.html",
        "check FILE -n 30 --max-encounters 30 --format github",
        "check FILE -n 30 --max-encounters 30 --format junit",
        "check FILE -n 30 --max-encounters 30 --format json",
        "plan FILE -n 30 --shards 2 -o plan\u{9b}31m",
        "missing plan\u{9b}31m",
        "run --plan plan\u{9b}31m/plan.json --shard 0",
        "run --plan plan\u{9b}31m/plan.json --shard 1",
        "merge plan\u{9b}31m -o merged --report merged.html",
        "report FILE -n 30 -o report.html",
        "trace FILE --why",
        "trace FILE --format json",
        "trace FILE --format svg",
        "trace FILE --format html -o trace.html",
        "trace FILE --format svg -o trace.svg --variant ../../x",
    ];
    for line in all {
        let words = line.split(' ').map(|word| match word {
            "FILE" => FILE,
            "VARY" => &vary,
            other => other,
        });
        said(at, &words.collect::<Vec<_>>());
    }
    // The written results are read again, including their names.
    let results = fs::read_dir(at.join("res"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let results = results.path();
    let results = results.strip_prefix(at).unwrap().to_str().unwrap();
    said(at, &["report", results, "-o", "folder.html"]);
    let page = fs::read_to_string(at.join("folder.html")).unwrap();
    assert!(page.contains("=HYPERLINK(A1)") && !page.contains("'=HYPERLINK(A1)"));
    let mut kinds = std::collections::BTreeMap::new();
    files_are_calm(at, &mut kinds);
    assert!(
        kinds["csv"] >= 7 && kinds["html"] >= 8 && kinds["svg"] >= 1,
        "{kinds:?}"
    );
}

#[test]
#[cfg(unix)]
fn what_is_wrong_is_told_calmly() {
    let dir = TestDir::empty();
    let at = dir.root();
    // A raw escape is not valid TOML; a name that reverses text is refused; other names are quoted in messages.
    for (text, told) in [
        (HOSTILE.replace("\\u001b[31m", "\u{1b}[31m"), "error"),
        (HOSTILE.replace("../../x", "\\u202ex"), "control characters"),
        (HOSTILE.replace("../../x", "x\\u0007"), "control characters"),
        (HOSTILE.replace("tara-corax", "\\u001b]0;x\\u0007"), "error"),
        (
            HOSTILE.replace("rules.hit", "rules.\u{202e}hit\u{9b}31m"),
            "error",
        ),
    ] {
        fs::write(at.join(FILE), text).unwrap();
        let mut command = program();
        command.args(["validate", FILE]).current_dir(at);
        let output = command.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(told) && err.find(acts).is_none(), "{err:?}");
    }
}

#[test]
fn formulas_are_marked_in_csv_and_come_back() {
    let dir = TestDir::empty();
    let at = dir.root();
    fs::write(at.join("hostile.toml"), HOSTILE).unwrap();
    said(at, &["run", "hostile.toml", "-n", "30", "-q", "-o", "res"]);
    let text = fs::read_to_string(at.join("res/hostile/summary.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names: std::collections::BTreeSet<String> = reader
        .records()
        .map(|row| row.unwrap()[3].to_owned())
        .collect();
    assert!(names.contains("'=HYPERLINK(A1)"), "{names:?}");
    let back: Vec<&str> = names.iter().map(|name| from_cell(name)).collect();
    assert!(back.contains(&"=HYPERLINK(A1)"));
    // The results match the scenario, including its names.
    let check = "check hostile.toml --baseline res -n 30 --max-encounters 30";
    let told = said(at, &check.split(' ').collect::<Vec<_>>());
    assert!(!told.contains("missing"), "{told}");
}
