//! Dice scripts: the dice that a trace shows form a script that plays the same encounter.

use crate::support::fights::{heard, player, shipped};
use crate::support::{Outcome, TestDir, program};
use skirmish::chance::script::{Answer, Replay, Script};
use skirmish::output::story::Story;
use skirmish::scenario::{Scenario, Variant};
use skirmish::sim::Event;
use skirmish::systems::Rules;
use std::cell::Cell;
use std::path::Path;

/// Returns the dice of a story as a script.
fn script_of(story: &Story, rules: &Rules) -> Script {
    // Chance decides whether a hit fizzles a spell only if neither outcome is certain.
    let fizzles_by_chance = match rules {
        Rules::Marks(rules) => 0 < rules.fizzle_chance && rules.fizzle_chance < 1 << 32,
        _ => false,
    };
    let mut script = Script::default();
    for told in &story.events {
        for die in &told.dice {
            script.extend(die.who, die.purpose, [Answer::Face(die.face)]);
        }
        let chance = match told.event {
            Event::Fizzle { who, .. } => Some((who, true)),
            Event::Concentrates { who, .. } => Some((who, false)),
            _ => None,
        };
        if let Some((who, fizzles)) = chance
            && fizzles_by_chance
        {
            let other = skirmish::chance::Purpose::Other;
            script.extend(who, other, [Answer::Happens(fizzles)]);
        }
    }
    script
}

/// Plays an encounter of a variant twice: from the seed, and from the dice shown, and compares.
fn plays_again(name: &str, variant: &Variant, encounter: u64) {
    let player = player(variant, 1);
    let (story, record) = heard(variant, encounter);
    let mut script = script_of(&story, &variant.rules);
    let unanswered = Cell::new(None);
    // Streams of another encounter: none of their dice may be drawn.
    let streams = player.streams(encounter + 1);
    let mut dice = Replay::new(&mut script, streams, true, &unanswered);
    let mut again = Story::default();
    let repeated = player.show_on(&mut dice, &mut again);
    assert_eq!(unanswered.get(), None, "{name}");
    assert_eq!(script.left_over().count(), 0, "{name}");
    assert_eq!(again, story, "{name}");
    assert_eq!(repeated, record, "{name}");
}

#[test]
fn an_encounter_can_be_played_again_by_the_dice_of_its_trace() {
    let mut systems = std::collections::BTreeSet::new();
    for file in shipped() {
        let loaded = Scenario::load(&file, &[]).unwrap_or_else(|all| panic!("{all}"));
        for variant in &loaded.scenario.variants {
            systems.insert(variant.fight.system.name);
            for encounter in 0..2 {
                let name = format!("{}, {}: {encounter}", file.display(), variant.name);
                plays_again(&name, variant, encounter);
            }
        }
    }
    assert_eq!(systems.len(), skirmish::systems::SYSTEMS.len());
}

#[test]
fn dice_that_no_script_names_are_those_of_the_encounter() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/mage-alley.toml");
    let loaded = Scenario::load(&file, &[]).unwrap_or_else(|all| panic!("{all}"));
    let variant = &loaded.scenario.variants[0];
    let player = player(variant, 1);
    let (mut story, mut again) = (Story::default(), Story::default());
    player.show(3, &mut story);
    // With an empty script pools are drawn from their tables, and their dice are shown.
    let (mut script, unanswered) = (Script::default(), Cell::new(None));
    let mut dice = Replay::new(&mut script, player.streams(3), false, &unanswered);
    player.show_on(&mut dice, &mut again);
    assert_eq!(again, story);
}

fn trace(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut command = program();
    command.arg("trace").args(arguments).current_dir(folder);
    Outcome::of(command.output().unwrap())
}

const PUNCH: [&str; 4] = [
    "examples/worked/md-punch.toml",
    "--dice",
    "examples/worked/md-punch-ten.dice.toml",
    "--dice-only",
];

#[test]
fn objects_pages_and_pictures_say_where_their_dice_come_from() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made =
        |format: &str| trace(project, &[&PUNCH[..], &["--format", format]].concat()).printed();
    let told: serde_json::Value = serde_json::from_str(&made("json")).unwrap();
    assert_eq!(told["dice"], serde_json::json!([PUNCH[2]]));
    assert!(told["seed"].is_null() && told["encounter"].is_null());
    let faces: Vec<u64> = told["events"]
        .as_array()
        .unwrap()
        .iter()
        .find(|event| event["event"] == "attack")
        .map(|event| event["dice"].as_array().unwrap())
        .unwrap()
        .iter()
        .map(|die| die["face"].as_u64().unwrap())
        .collect();
    assert_eq!(faces, [6, 2, 5, 10, 9, 4]);
    let page = made("html").replace("&#x2f;", "/");
    assert!(page.contains(&format!("skirmish trace {}", PUNCH.join(" "))));
    let picture = made("svg").replace("&#x2f;", "/");
    assert!(picture.contains("dice of examples/worked/md-punch-ten.dice.toml"));
}

#[test]
fn a_script_that_does_not_fit_leaves_the_file_as_it_was() {
    let dir = TestDir::empty();
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scenario = project.join("examples/worked/md-punch.toml");
    let (old, new) = (dir.path("old.svg"), dir.path("new.svg"));
    let picture = "<!-- Made by `skirmish trace` -->\n\n<svg>as it was</svg>";
    std::fs::write(&old, picture).unwrap();
    for file in [&old, &new] {
        let arguments = [
            scenario.to_str().unwrap(),
            "--dice",
            "puncher.check = [7, 4, 3]",
            "--format",
            "svg",
            "-o",
            file.to_str().unwrap(),
        ];
        trace(dir.root(), &arguments).assert_refused("too few dice: Turn 1, initiative");
    }
    assert_eq!(std::fs::read_to_string(&old).unwrap(), picture);
    assert!(!new.exists());
    assert_eq!(std::fs::read_dir(dir.root()).unwrap().count(), 1);
}

#[test]
fn a_moment_is_named_as_each_system_names_it() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (scenario, script, moment) in [
        (
            "ep-speed",
            "'Speed 1'.check = [70]\n'Speed 2'.check = [70, 70]\n'Speed 3'.check = [70, 70, 70]\n\
             'Speed 4'.check = [70, 70]",
            "Turn 1, Phase 3, initiative ",
        ),
        ("cd-rival", "rival.check = [2]", "Round 1, turn 3"),
        (
            "ma-movement",
            "runner.check = [2, 2, 2, 2, 2, 2]",
            "Turn 2, initiative ",
        ),
        ("tc-e5", "rogue.initiative = [9, 9]", "Round 3, Mark 30"),
    ] {
        let file = format!("examples/worked/{scenario}.toml");
        let output = trace(project, &[&file, "--dice", script]);
        output.assert_refused(&format!("too few dice: {moment}"));
    }
}
