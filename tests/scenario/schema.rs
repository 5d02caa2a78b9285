//! The schema that `skirmish schema` writes, as editors use it: it accepts what the reader accepts.

use jsonschema::Validator;
use serde_json::{Value, json};
use skirmish::document::format::Values;
use skirmish::output::schema::schema;
use skirmish::scenario::Scenario;
use skirmish::systems::SYSTEMS;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the places of a scenario that break the schema, each with the rule that is broken.
fn broken(validator: &Validator, scenario: &Value) -> Vec<String> {
    let errors = validator.iter_errors(scenario);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// Appends all scenario files of a folder and its subfolders to `found`.
fn scenarios(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scenarios(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "toml")
            && Scenario::load(&path, &[]).is_ok()
        {
            found.push(path);
        }
    }
}

#[test]
fn the_schema_accepts_every_scenario_that_the_reader_accepts() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let mut files = Vec::new();
    for folder in ["scenarios", "examples", "tests"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        scenarios(&root.join(folder), &mut files);
    }
    assert!(files.len() > 60, "{}", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let scenario: Value = toml::from_str(&text).unwrap();
        assert_eq!(broken(&validator, &scenario), [""; 0], "{}", file.display());
    }
}

#[test]
fn the_schema_has_the_words_that_a_ruling_has_in_any_system() {
    let mut rules = schema()["properties"]["rules"].take();
    rules["$defs"] = schema()["$defs"].take();
    let validator = jsonschema::validator_for(&rules).unwrap();
    for system in SYSTEMS {
        for ruling in system.rulings {
            for word in ruling.values.words() {
                let word = match ruling.values {
                    Values::Boolean => json!(word == "true"),
                    Values::List(_) => json!([word]),
                    _ => json!(word),
                };
                let rules = ruling
                    .name
                    .rsplit('.')
                    .fold(word, |inner, key| json!({key: inner}));
                assert_eq!(broken(&validator, &rules), [""; 0], "{rules}");
            }
        }
    }
}

#[test]
fn the_schema_refuses_what_is_misspelt_and_says_where() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let text = fs::read_to_string("scenarios/walled-duel.toml").unwrap();
    let mut scenario: Value = toml::from_str(&text).unwrap();
    scenario["combatants"][0]["armour"] = json!(3);
    scenario["combatants"][1]["position"] = json!("near");
    scenario["combatants"][1]["health"] = json!(0);
    scenario["weapons"]["axe"]["kind"] = json!("mele");
    let found = broken(&validator, &scenario);
    for wrong in [
        "/combatants/0: Additional properties are not allowed ('armour' was unexpected)",
        "/combatants/1/position: \"near\" does not match",
        "/combatants/1/health: 0 is not valid under any of the schemas",
        "/weapons/axe/kind: \"mele\" is not one of",
    ] {
        let is_found = found.iter().any(|line| line.starts_with(wrong));
        assert!(is_found, "{wrong}: {found:#?}");
    }
    assert_eq!(found.len(), 4, "{found:#?}");
}
