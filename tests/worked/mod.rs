//! Rules as files: the worked examples of the rule books in `examples/worked`, and the cases that they leave out in
//! `tests/rules/files`. Each file `*.txt` holds commands, with their dice or the name of a script of them, and below each
//! what it prints; the files of rules add what is counted in the encounter.
//!
//! After a change that is meant to change the output, `TRYCMD=overwrite cargo test worked` writes the new text into the
//! files; review the diff before keeping it.

pub(crate) mod counts;
mod dice;

use crate::support::program;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

const WORKED: &str = "examples/worked";
/// A file here is called after the rule and what it holds: `tc-5-standing-up-is-a-quarter-action`, in a folder for its
/// system.
const RULES: &str = "tests/rules/files";

/// Returns the files of a folder and the folders in it that end in `ending`, in order.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(project().join(folder)).unwrap() {
        let (path, name) = (entry.as_ref().unwrap().path(), entry.unwrap().file_name());
        if path.is_dir() {
            files.extend(self::files(&format!("{folder}/{}", name.display()), ending));
        } else if path.to_string_lossy().ends_with(ending) {
            files.push(path);
        }
    }
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

/// A command of a file, that line, and what it prints.
struct Block {
    command: Vec<String>,
    line: String,
    expected: String,
}

/// Returns the commands of a file with what is written below each.
fn read(file: &Path) -> Vec<Block> {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.starts_with(PROMPT), "{}: no command", file.display());
    text.split_inclusive('\n')
        .fold(Vec::new(), |mut blocks, line| {
            if let Some(command) = line.strip_prefix(PROMPT) {
                blocks.push(Block {
                    command: words(command.trim_end()),
                    line: line.to_owned(),
                    expected: String::new(),
                });
            } else if let Some(block) = blocks.last_mut() {
                block.expected.push_str(line);
            }
            blocks
        })
}

const PROMPT: &str = "$ skirmish ";

/// Returns what a command prints and, if `counted`, the counts of its encounter.
fn played(command: &[String], counted: bool) -> String {
    let output = program()
        .args(command)
        .current_dir(project())
        .output()
        .unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    if counted && output.status.success() {
        printed + "\n" + &counts::of(command)
    } else {
        printed
    }
}

/// Plays the files of a folder. Each prints what is written in it, be it an encounter or an error.
#[track_caller]
fn play_as_written(folder: &str, counted: bool) {
    let overwrite = std::env::var_os("TRYCMD").is_some_and(|value| value == "overwrite");
    let files = files(folder, ".txt");
    let wrong = files.par_iter().filter_map(|file| {
        let (mut text, mut wrong) = (String::new(), String::new());
        for block in read(file) {
            let printed = played(&block.command, counted);
            text.extend([block.line.as_str(), &printed]);
            if printed != block.expected {
                wrong.extend([block.line.as_str(), &printed]);
            }
        }
        if overwrite && !wrong.is_empty() {
            fs::write(file, text).unwrap();
        }
        (!wrong.is_empty()).then_some(wrong)
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn each_worked_example_plays_as_the_page_says() {
    play_as_written(WORKED, false);
}

#[test]
fn each_file_of_a_rule_plays_as_written() {
    play_as_written(RULES, true);
}

/// Returns the TOML files that the commands of a folder name.
fn named_files(folder: &str) -> BTreeSet<PathBuf> {
    let files = files(folder, ".txt");
    let blocks = files.iter().flat_map(|file| read(file));
    blocks
        .flat_map(|block| block.command)
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
        let first = &read(&file)[0];
        let (command, first) = (&first.command, first.line.trim_end());
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
