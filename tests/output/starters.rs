//! `skirmish new` and `skirmish systems`.

use crate::support::fights::{loaded, sampled};
use crate::support::{TestDir, skirmish};
use skirmish::cli::new::{starter, starts};
use skirmish::systems::SYSTEMS;
use std::fs;

#[test]
fn a_new_scenario_is_written_once_and_runs() {
    let dir = TestDir::empty();
    for start in starts() {
        let file = dir.root().join(start.name);
        let file = file.to_str().unwrap();
        let new = ["new", file, "--system", start.name];
        let output = skirmish(&new).assert_done();
        let told = output.err;
        assert!(
            told.contains(&format!("skirmish run {file}.toml")),
            "{told}"
        );

        let toml = format!("{file}.toml");
        let results = dir.path("results");
        let run = [
            "run",
            &toml,
            "-n",
            "1k",
            "-q",
            "-o",
            results.to_str().unwrap(),
        ];
        let output = skirmish(&run).assert_done();
        assert!(output.err.is_empty(), "{:?}", output.err);
        let table = output.out;
        assert!(
            !table.contains("note:"),
            "a starter does not mislead:\n{table}"
        );

        // An edited file is never overwritten.
        fs::write(&toml, "mine").unwrap();
        skirmish(&new).assert_refused("is there already");
        assert_eq!(fs::read_to_string(&toml).unwrap(), "mine");
    }
}

/// Whoever names the file after a system wants a fight of it.
#[test]
fn a_file_with_the_name_of_a_system_is_a_fight_of_that_system() {
    let dir = TestDir::empty();
    let system_of = |words: &str, file: &str| {
        let told = dir.run(&format!("new {words}")).assert_done().err;
        let text = fs::read_to_string(dir.path(file)).unwrap();
        let system = loaded(&text, &[]).scenario.variants[0].fight.system;
        assert!(
            told.contains(&format!("a fight of {}", system.title)),
            "{told}"
        );
        system.name
    };
    for system in SYSTEMS {
        let name = system.name;
        assert_eq!(system_of(name, &format!("{name}.toml")), name);
    }
    assert_eq!(
        system_of("eclipse_phase", "eclipse_phase.toml"),
        "eclipse-phase"
    );
    assert_eq!(system_of("duel", "duel.toml"), SYSTEMS[0].name);
    fs::remove_file(dir.path("mage.toml")).unwrap();
    let other = "mage --system chronicles";
    assert_eq!(system_of(other, "mage.toml"), "chronicles");
}

#[test]
fn a_file_with_the_name_of_a_template_is_a_game_of_ones_own() {
    let dir = TestDir::empty();
    let written = dir.run("new three_actions").assert_done().err;
    assert!(
        written.contains("a fight of three-action rules"),
        "{written}"
    );
    let text = fs::read_to_string(dir.path("three_actions.toml")).unwrap();
    assert!(text.contains("budget = { action = 3"), "{text}");
}

/// A game that the program does not know by name is one of the user's own.
#[test]
fn the_error_for_an_unknown_game_names_the_way_to_play_it() {
    for (name, template) in [
        ("d20", "d20"),
        ("dnd", "d20"),
        ("5e", "d20"),
        ("pathfinder", "d20"),
        ("old_school", "old-school"),
    ] {
        let dir = TestDir::with("duel.toml", &format!("system = \"{name}\""));
        let refused = skirmish(&["validate", dir.path("duel.toml").to_str().unwrap()]);
        // The message is wrapped.
        let words: Vec<&str> = refused.err.split_whitespace().collect();
        let way = format!(
            "any other game is `system = \"own\"` (docs/OWN-GAME.md), and `skirmish new FILE --system {template}`"
        );
        assert!(words.join(" ").contains(&way), "{name}: {}", refused.err);
    }
}

#[test]
fn an_unknown_system_is_told_where_systems_are_described() {
    let where_ = "`skirmish systems` describes each of them";
    skirmish(&["new", "duel", "--system", "chess"]).assert_refused(where_);
    let dir = TestDir::with("duel.toml", "system = \"dnd\"");
    skirmish(&["validate", dir.path("duel.toml").to_str().unwrap()]).assert_refused(where_);
}

#[test]
fn a_scenario_that_cannot_be_written_is_refused_with_the_reason() {
    let dir = TestDir::empty();
    let within = |name: &str| dir.path(name).to_str().unwrap().to_owned();
    for (name, reason) in [
        (within("nowhere/duel"), "there is no such folder"),
        ("..".to_owned(), "does not name a file"),
        ("/".to_owned(), "does not name a file"),
    ] {
        skirmish(&["new", &name]).assert_refused(reason);
    }
    skirmish(&["new", "duel", "--system", "chess"]).assert_refused("tara-corax");
}

#[test]
fn without_a_name_all_scenarios_to_begin_with_are_listed() {
    let printed = skirmish(&["new"]).printed();
    for start in starts() {
        let begins = format!("{} ", start.name);
        assert!(
            printed.lines().any(|line| line.starts_with(&begins)),
            "{printed}"
        );
    }
    insta::assert_snapshot!("starts", printed);
    skirmish(&["new", "--system", "d20"]).assert_refused("<NAME>");
    let dir = TestDir::empty();
    let pointer = "other games to begin with: skirmish new";
    assert!(dir.run("new duel").err.contains(pointer));
    assert!(!dir.run("new d20").err.contains(pointer));
}

#[test]
fn systems_are_listed_with_what_they_are_made_of() {
    insta::assert_snapshot!("systems", skirmish(&["systems"]).printed());
}

#[test]
fn every_starter_runs_without_a_warning_and_nothing_in_it_is_a_foregone_conclusion() {
    for start in starts() {
        let text = starter(&start, "A \"fight\"");
        let loaded = loaded(&text, &[]);
        assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
        assert_eq!(loaded.scenario.title, "A \"fight\"");
        assert!(loaded.scenario.variants.len() > 1);
        for variant in &loaded.scenario.variants {
            assert_eq!(variant.fight.system, start.system);
            let tally = sampled(variant, 1, 2000);
            for side in 0..2 {
                let name = &variant.name;
                assert!(
                    tally.wins(side) >= 100,
                    "{} of {name}: side {side}",
                    start.name
                );
            }
        }
    }
}

#[test]
fn every_ruling_is_listed_in_the_starter() {
    for start in starts() {
        let text = starter(&start, "Fight");
        for ruling in start.system.rulings {
            let listed = format!("#   {}: ", ruling.name);
            assert!(text.contains(&listed), "{}", ruling.name);
        }
        assert!(!text.contains("TITLE") && !text.contains("RULINGS"));
    }
}
