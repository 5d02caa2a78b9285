//! Rules as files: the worked examples of the rule books in `examples/worked`, and the cases that they leave out in
//! `tests/rules/files`. Each file `*.txt` holds a command in its first line, with its dice or the name of a script of
//! them, and below what the command prints.
//!
//! After a change that is meant to change the output, `TRYCMD=overwrite cargo test worked` writes the new text into the
//! files; review the diff before keeping it.

mod dice;

use crate::support::program;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

const WORKED: &str = "examples/worked";
/// A file here is called after the rule and what it holds: `tc-5-standing-up-is-a-quarter-action`.
const RULES: &str = "tests/rules/files";

/// Returns the files of a folder that end in `ending`, in order.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(project().join(folder)).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder}: {ending}");
    files
}

/// Splits a command line into words; a word may stand in single quotes.
pub(crate) fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Returns the command in the first line of an example, that line, and the expected output.
fn read(file: &Path) -> (Vec<String>, String, String) {
    let text = fs::read_to_string(file).unwrap();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let command = first
        .strip_prefix("$ skirmish ")
        .unwrap_or_else(|| panic!("{}: no command in the first line", file.display()));
    (words(command), first.to_owned(), rest.to_owned())
}

/// Plays the files of a folder. Each prints what is written in it, be it an encounter or an error.
#[track_caller]
fn play_as_written(folder: &str) {
    let mut wrong = Vec::new();
    for file in files(folder, ".txt") {
        let (command, first, expected) = read(&file);
        let output = program()
            .args(&command)
            .current_dir(project())
            .output()
            .unwrap();
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8(printed).unwrap();
        if printed != expected {
            if std::env::var_os("TRYCMD").is_some_and(|value| value == "overwrite") {
                fs::write(&file, format!("{first}\n{printed}")).unwrap();
            }
            wrong.push(format!("{first}\n{printed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn each_worked_example_plays_as_the_page_says() {
    play_as_written(WORKED);
}

#[test]
fn each_file_of_a_rule_plays_as_written() {
    play_as_written(RULES);
}

/// Returns the TOML files that the commands of a folder name.
fn named_files(folder: &str) -> BTreeSet<PathBuf> {
    let commands = files(folder, ".txt").into_iter().map(|file| read(&file).0);
    commands
        .flatten()
        .filter(|word| Path::new(word).extension().is_some_and(|end| end == "toml"))
        .map(|name| project().join(name))
        .collect()
}

#[test]
fn every_scenario_and_script_belongs_to_a_command() {
    for folder in [WORKED, RULES] {
        let all: BTreeSet<_> = files(folder, ".toml").into_iter().collect();
        assert_eq!(all, named_files(folder));
    }
}

#[test]
fn every_example_is_listed() {
    let list = fs::read_to_string(project().join("examples/worked/README.md")).unwrap();
    for file in files(WORKED, ".txt") {
        let (command, first, _) = read(&file);
        assert!(command.contains(&"--dice-only".to_owned()), "{first}");
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(list.contains(&format!("({name})")), "{name}");
        assert!(list.contains(&format!("`{}`", &first[2..])), "{first}");
        let page = format!("examples/worked/{name})");
        let is_linked = [
            "tara-corax",
            "mage",
            "mage-dice",
            "chronicles",
            "eclipse-phase",
        ]
        .iter()
        .any(|system| {
            let page_of = project().join(format!("docs/rules/{system}.md"));
            fs::read_to_string(page_of).unwrap().contains(&page)
        });
        assert!(is_linked, "{name}");
    }
}
