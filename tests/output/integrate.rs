//! `skirmish validate`, `skirmish completions`, `skirmish man` and `skirmish schema`.

use crate::support::{TestDir, joined, skirmish};
use serde_json::Value;
use std::fs;
use std::path::Path;

const BROKEN: &str = "system = \"mage\"\n[rules]\nbotch = 3\nnonsense = 1\n";

#[test]
fn valid_scenarios_are_listed_with_their_variants() {
    let output = skirmish(&[
        "validate",
        "scenarios/multi-attacker.toml",
        "scenarios/mage-chase.toml",
    ])
    .assert_done();
    assert_eq!(
        joined(&output.out),
        "scenarios/multi-attacker.toml: valid; Tara-Corax: `base` and `simple round`\n\
         scenarios/mage-chase.toml: valid; Mage: `base`, `willpower 8`, `nimble thief` and `strenuous`\n"
    );
    assert!(output.err.is_empty());
}

#[test]
fn everything_wrong_with_every_file_is_told() {
    let dir = TestDir::empty();
    let within = |name: &str| dir.path(name).to_str().unwrap().to_owned();
    let (broken, missing) = (within("broken.toml"), within("missing.toml"));
    fs::write(&broken, BROKEN).unwrap();
    let output = skirmish(&["validate", &broken, "scenarios/walled-duel.toml", "-q"]);
    let told = output.errors();
    for wrong in ["`botch` is a whole number", "nonsense"] {
        assert!(told.contains(wrong), "{wrong}: {told}");
    }
    skirmish(&["validate", &missing]).errors();
    assert!(!dir.path("results").exists(), "nothing is played");
}

#[test]
fn the_hook_for_commits_validates_quietly() {
    let hooks = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    let hooks = fs::read_to_string(hooks).unwrap();
    let entry = hooks
        .lines()
        .find_map(|line| line.trim().strip_prefix("entry: skirmish "));
    let words: Vec<&str> = entry
        .unwrap()
        .split(' ')
        .chain(["scenarios/kiting.toml"])
        .collect();
    let output = skirmish(&words).assert_done();
    assert!(output.out.is_empty() && output.err.is_empty());
}

#[test]
fn every_shell_gets_completions_of_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = skirmish(&["completions", shell]).printed();
        for word in ["sensitivity", "--until-decided", "--precision"] {
            let bare = word.trim_start_matches('-');
            assert!(script.contains(bare), "{shell}: {word}");
        }
    }
}

#[test]
fn bash_offers_each_topic_of_explain_once() {
    let printed = skirmish(&["completions", "bash"]).printed();
    let topics = printed
        .lines()
        .find(|line| line.contains("mage chronicles"));
    let mut topics: Vec<&str> = topics.expect("topics").split_whitespace().collect();
    let all = topics.len();
    topics.sort_unstable();
    topics.dedup();
    assert_eq!(topics.len(), all, "{topics:?}");
}

#[test]
fn the_manual_has_a_page_for_each_subcommand() {
    let dir = TestDir::empty();
    let pages = dir.path("man1");
    skirmish(&["man", pages.to_str().unwrap()]).assert_done();
    let run = fs::read_to_string(pages.join("skirmish-run.1")).unwrap();
    assert!(
        run.starts_with(".ie") && run.contains("max\\-encounters"),
        "{run}"
    );
    let all = fs::read_to_string(pages.join("skirmish.1")).unwrap();
    for name in ["run", "compare", "odds", "validate"] {
        assert!(pages.join(format!("skirmish-{name}.1")).exists(), "{name}");
        assert!(all.contains(name), "{name}");
    }
}

#[test]
fn a_page_of_another_manual_is_left_as_it_is() {
    let dir = TestDir::empty();
    let words = ["man", dir.root().to_str().unwrap()];
    skirmish(&words).assert_done();
    // Its own pages are no obstacle.
    skirmish(&words).assert_done();
    let page = dir.path("skirmish.1");
    fs::write(&page, "mine").unwrap();
    skirmish(&words).assert_refused("does not say that skirmish wrote it");
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
}

#[test]
fn the_schema_is_the_one_of_the_documentation() {
    let printed = skirmish(&["schema"]).printed();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/skirmish.schema.json");
    assert_eq!(printed, fs::read_to_string(file).unwrap());
    // What editors and catalogues have noted down.
    let schema: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(schema["$id"], "urn:skirmish:scenario");
    let format = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/FORMAT.md");
    let format = fs::read_to_string(format).unwrap();
    let (_, entry) = format.split_once("```json\n").unwrap();
    let entry: Value = serde_json::from_str(entry.split_once("```").unwrap().0).unwrap();
    for key in ["name", "description", "fileMatch", "url"] {
        assert!(!entry[key].is_null(), "{key}");
    }
    let url = entry["url"].as_str().unwrap();
    assert!(url.ends_with("/docs/skirmish.schema.json"), "{url}");
}
