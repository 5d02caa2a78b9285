//! The pages in `docs/examples` are the output of their commands.

use super::{all, assert_is_sound, text, tree};
use crate::support::TestDir;
use std::fs;
use std::path::Path;

/// The commands, as the pages state them.
const EXAMPLES: [(&str, &str); 4] = [
    (
        "fight.html",
        "report scenarios/multi-attacker.toml -n 2000 -o docs/examples/fight.html",
    ),
    (
        "compare.html",
        "compare scenarios/wizard-interceptor.toml -n 1000 --report docs/examples/compare.html",
    ),
    (
        "sweep.html",
        "sweep scenarios/multi-attacker.toml --vary combatants.monster.health=20..60:5 --threshold 50% \
         -n 1000 --report docs/examples/sweep.html",
    ),
    (
        "odds.html",
        "odds --pool 1..10 --difficulty 3..9 --report docs/examples/odds.html",
    ),
];

#[test]
fn each_command_makes_its_page_byte_for_byte() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = TestDir::empty();
    fs::create_dir_all(dir.path("docs/examples")).unwrap();
    fs::create_dir(dir.path("scenarios")).unwrap();
    for name in ["multi-attacker.toml", "wizard-interceptor.toml"] {
        let place = Path::new("scenarios").join(name);
        fs::copy(project.join(&place), dir.root().join(&place)).unwrap();
    }
    for (name, command) in EXAMPLES {
        dir.run(command).assert_done();
        let place = Path::new("docs/examples").join(name);
        let made = fs::read_to_string(dir.root().join(&place)).unwrap();
        let committed = fs::read_to_string(project.join(&place)).unwrap();
        assert_is_sound(&made);
        assert!(
            made == committed,
            "{name} is not what `skirmish {command}` makes: run that, and look at what has changed"
        );
        // The page states the command that made it.
        let document = tree(&made);
        let commands = all(document.root_element(), "pre");
        assert_eq!(text(commands[0]), format!("skirmish {command}"));
    }
}

#[test]
fn the_picture_in_the_readme_is_made_by_its_command() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = TestDir::empty();
    fs::create_dir(dir.path("scenarios")).unwrap();
    let scenario = "scenarios/multi-attacker.toml";
    fs::copy(project.join(scenario), dir.root().join(scenario)).unwrap();
    let name = "encounter.svg";
    let command = format!("trace {scenario} --find winner=monsters --format svg -o {name}");
    dir.run(&command).assert_done();
    let made = fs::read(dir.root().join(name)).unwrap();
    assert!(made == fs::read(project.join("docs/examples").join(name)).unwrap());
}

#[test]
fn every_example_has_its_command() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    let pages = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let pages = pages.filter(|name| name.to_string_lossy().ends_with(".html"));
    assert_eq!(pages.count(), EXAMPLES.len());
}
