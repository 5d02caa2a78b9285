//! The worked examples of the rule books. Each file `examples/worked/*.txt` holds a command and its output; all dice
//! come from a script.
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

/// Returns the files of `examples/worked` that end in `ending`, in order.
fn files(ending: &str) -> Vec<PathBuf> {
    let folder = fs::read_dir(project().join("examples/worked")).unwrap();
    let files = folder.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{ending}");
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

#[test]
fn each_worked_example_plays_as_the_page_says() {
    let mut wrong = Vec::new();
    for file in files(".txt") {
        let (command, first, expected) = read(&file);
        let output = program()
            .args(&command)
            .current_dir(project())
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let problem = String::from_utf8(output.stderr).unwrap();
        if !output.status.success() || !problem.is_empty() {
            wrong.push(format!("{first}\n{problem}"));
        } else if printed != expected {
            if std::env::var_os("TRYCMD").is_some_and(|value| value == "overwrite") {
                fs::write(&file, format!("{first}\n{printed}")).unwrap();
            }
            wrong.push(format!("{first}\n{printed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_file_belongs_to_an_example_and_every_example_is_listed() {
    let list = fs::read_to_string(project().join("examples/worked/README.md")).unwrap();
    let mut used = BTreeSet::new();
    for file in files(".txt") {
        let (command, first, _) = read(&file);
        assert!(command.contains(&"--dice-only".to_owned()), "{first}");
        let named = command
            .iter()
            .filter(|word| Path::new(word).extension().is_some_and(|end| end == "toml"));
        used.extend(named.map(|name| project().join(name)));
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
    let files: BTreeSet<_> = files(".toml").into_iter().collect();
    assert_eq!(files, used);
}
