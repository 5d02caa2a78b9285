//! Files that are not scenarios.

use crate::support::TestDir;
use std::path::Path;

use insta::assert_snapshot;
use skirmish::scenario::Scenario;

fn bad_file(name: &str, bytes: &[u8]) -> String {
    let dir = TestDir::empty();
    let path = dir.path(name);
    std::fs::write(&path, bytes).expect("a file");
    report(&path, dir.root())
}

fn report(path: &Path, folder: &Path) -> String {
    match Scenario::load(path, &[]) {
        Ok(_) => panic!("this was accepted"),
        Err(errors) => errors
            .to_string()
            .replace(&folder.display().to_string(), "FOLDER"),
    }
}

#[test]
fn empty_files() {
    assert_snapshot!(bad_file("empty.toml", b""), @r"
error: the scenario `FOLDER/empty.toml` is empty
 |
 = help: docs/FORMAT.md describes what belongs in it
");
    assert_snapshot!(bad_file("blank.toml", b"\xEF\xBB\xBF \n\n"), @r"
error: the scenario `FOLDER/blank.toml` is empty
 |
 = help: docs/FORMAT.md describes what belongs in it
");
}

#[test]
fn files_that_are_not_text() {
    assert_snapshot!(bad_file("latin.toml", b"title = \"x\"\nquestion = \"caf\xe9?\"\n"), @r#"
error: the scenario is not UTF-8 text
 --> FOLDER/latin.toml:2:16
  |
2 | question = "caf�?"
  |                ^ this byte belongs to no character
  |
  = help: save the file as UTF-8, without other encodings such as UTF-16 or Latin-1
"#);
}

#[test]
fn directories_and_missing_files() {
    let dir = TestDir::empty();
    dir.write("kiting.toml", "x");
    assert_snapshot!(report(dir.root(), dir.root()), @r"
error: the scenario `FOLDER` is a folder
 |
 = help: name a scenario file in it
");
    assert_snapshot!(report(&dir.path("kitting.toml"), dir.root()), @r"
error: the scenario `FOLDER/kitting.toml` cannot be read: No such file or directory (os error 2)
 |
 = help: did you mean `FOLDER/kiting.toml`?
");
    assert_snapshot!(report(&dir.path("nowhere/x.toml"), dir.root()), @r"
error: the scenario `FOLDER/nowhere/x.toml` cannot be read: No such file or directory (os error 2)
 |
 = help: check the path; scenarios are files ending in .toml
");
}

#[test]
fn a_byte_order_mark_moves_nothing() {
    let text = format!("\u{feff}{}", super::KITING);
    super::good(&text);
    assert_snapshot!(super::bad("\u{feff}sistem = 3"), @r"
error: the scenario lacks `combatants`
 --> fight.toml:1:1
  |
1 | sistem = 3
  | ^ `combatants` is required here

error: the scenario has no key `sistem`
 --> fight.toml:1:1
  |
1 | sistem = 3
  | ^^^^^^ did you mean `system`?
  |
  = help: its keys are `base`, `builds`, `clock`, `combatants`, `conditions`, `encounter`, `expect`, `format`, `items`, `parameters`, `policies`, `question`, `rules`, `silence`, `spells`, `system`, `title`, `variants`, `weapons`
");
}

#[test]
fn nesting_without_end_ends() {
    let nested = format!("a = {}", "[".repeat(100_000));
    assert!(super::bad(&nested).contains("not valid TOML"));
    let inline = format!("a = {}1{}", "{ b = ".repeat(60), " }".repeat(60));
    assert!(super::bad(&inline).contains("nested too deeply"));
    // Dotted keys inside inline tables nest most deeply.
    let dotted = vec!["a"; 70].join(".");
    let text = format!(
        "{}1{}",
        format!("{{ {dotted} = ").repeat(70),
        " }".repeat(70)
    );
    super::bad(&format!("a = {text}"));
}
