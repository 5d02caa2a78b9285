//! docs/rules/COVERAGE.md lists every statement of the rule texts. This test asserts that the tests and options it
//! names exist.

use skirmish::systems::{SHARED_RULINGS, SYSTEMS};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A statement of a rule text: one row of the page.
#[derive(Debug)]
struct Statement {
    id: String,
    options: Vec<String>,
    /// The last column: a test in backticks, `colour` or `deferred`.
    test: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/rules/COVERAGE.md")).expect("docs/rules/COVERAGE.md")
}

fn in_backticks(cell: &str) -> Vec<String> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

fn statements() -> Vec<Statement> {
    let is_id = |cell: &str| {
        cell.starts_with(|first: char| "TPACE".contains(first))
            && cell.len() > 1
            && cell[1..].chars().all(|c| c.is_ascii_digit())
    };
    page()
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, id, _, _, _, options, test, _] = cells[..] else {
                return None;
            };
            is_id(id).then(|| Statement {
                id: id.to_owned(),
                options: in_backticks(options),
                test: test.to_owned(),
            })
        })
        .collect()
}

/// Collects the names of all functions in the Rust files under `folder`.
fn functions(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            functions(&path, names);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("a Rust file");
            for rest in text.split("fn ").skip(1) {
                let name = rest.split(['(', '<']).next().unwrap_or_default();
                names.insert(name.to_owned());
            }
        }
    }
}

#[test]
fn every_statement_of_the_texts_names_a_test_that_exists() {
    let mut names = BTreeSet::new();
    functions(&root().join("tests"), &mut names);
    functions(&root().join("src"), &mut names);
    functions(&root().join("core"), &mut names);
    for folder in ["examples/worked", "tests/rules/files"] {
        let files = crate::worked::files(folder, ".txt").into_iter();
        names.extend(files.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()));
    }
    let mut missing = Vec::new();
    for statement in statements() {
        let exempt = ["colour", "deferred"].contains(&statement.test.as_str());
        let tests = in_backticks(&statement.test);
        if !exempt && (tests.is_empty() || tests.iter().any(|test| !names.contains(test))) {
            missing.push(format!("{}: {}", statement.id, statement.test));
        }
    }
    assert!(missing.is_empty(), "no such test:\n{}", missing.join("\n"));
}

#[test]
fn every_option_of_the_page_is_explained_or_documented() {
    let rulings: BTreeSet<&str> = SYSTEMS
        .iter()
        .flat_map(|system| system.rulings)
        .chain(SHARED_RULINGS)
        .map(|ruling| ruling.name)
        .collect();
    let format = fs::read_to_string(root().join("docs/FORMAT.md")).expect("docs/FORMAT.md");
    let mut unknown = Vec::new();
    for statement in statements() {
        for option in &statement.options {
            let known = if option.contains(".*.") || option.starts_with("encounter.") {
                let key = option.rsplit('.').next().unwrap_or_default();
                format.contains(&format!("`{key}`")) || format.contains(&format!("{key} = "))
            } else {
                rulings.contains(option.as_str())
            };
            if !known {
                unknown.push(format!("{}: {option}", statement.id));
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "no such option:\n{}",
        unknown.join("\n")
    );
}

#[test]
fn the_statements_of_each_text_are_numbered_without_gaps() {
    let all = statements();
    for (text, count) in [('T', 95), ('P', 33), ('A', 29), ('C', 27), ('E', 31)] {
        let ids: Vec<&str> = all
            .iter()
            .map(|statement| statement.id.as_str())
            .filter(|id| id.starts_with(text))
            .collect();
        let expected: Vec<String> = (1..=count)
            .map(|number| format!("{text}{number}"))
            .collect();
        assert_eq!(ids, expected, "statements of one text");
    }
}
