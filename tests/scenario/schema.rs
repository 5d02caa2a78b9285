//! `skirmish schema` agrees with the reader of scenarios: the same keys, words and ranges.

use rayon::prelude::*;
use serde_json::{Value, json};
use skirmish::scenario::{Scenario, Severity};
use skirmish::systems::SYSTEMS;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../docs/scenario.schema.json")).unwrap()
});

/// Collects the rules of a schema that a value breaks, for the part of JSON Schema that ours uses.
fn breaks(rule: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    for (word, bound) in rule.as_object().unwrap() {
        let holds = match word.as_str() {
            "$schema" | "title" | "description" | "$defs" => true,
            "$ref" => {
                let pointer = bound.as_str().unwrap().trim_start_matches('#');
                breaks(SCHEMA.pointer(pointer).unwrap(), value, at, found);
                true
            }
            "const" => value == bound,
            "enum" => bound.as_array().unwrap().contains(value),
            "type" => {
                let kinds = bound
                    .as_array()
                    .cloned()
                    .unwrap_or_else(|| vec![bound.clone()]);
                kinds.iter().any(|kind| match kind.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64(),
                    "number" => value.is_number(),
                    other => panic!("{other}"),
                })
            }
            "minimum" => value
                .as_f64()
                .is_none_or(|value| value >= bound.as_f64().unwrap()),
            "maximum" => value
                .as_f64()
                .is_none_or(|value| value <= bound.as_f64().unwrap()),
            // This is the only pattern of the schema.
            "pattern" => {
                assert_eq!(bound, "^[$]");
                value.as_str().is_none_or(|text| text.starts_with('$'))
            }
            "minItems" => value
                .as_array()
                .is_none_or(|list| list.len() as u64 >= bound.as_u64().unwrap()),
            "maxItems" => value
                .as_array()
                .is_none_or(|list| list.len() as u64 <= bound.as_u64().unwrap()),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    breaks(bound, item, &format!("{at}/{index}"), found);
                }
                true
            }
            "anyOf" => bound.as_array().unwrap().iter().any(|rule| {
                let mut broken = Vec::new();
                breaks(rule, value, at, &mut broken);
                broken.is_empty()
            }),
            "required" => bound.as_array().unwrap().iter().all(|key| {
                value
                    .as_object()
                    .is_none_or(|table| table.contains_key(key.as_str().unwrap()))
            }),
            "properties" => {
                for (key, rule) in bound.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        breaks(rule, value, &format!("{at}/{key}"), found);
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = |key: &str| {
                    rule.get("properties")
                        .is_some_and(|known| known.get(key).is_some())
                };
                for (key, value) in value.as_object().into_iter().flatten() {
                    if known(key) {
                        continue;
                    }
                    match bound {
                        Value::Bool(false) => found.push(format!("{at}: unknown {key}")),
                        rule => breaks(rule, value, &format!("{at}/{key}"), found),
                    }
                }
                true
            }
            other => panic!("the schema uses `{other}`, which this test does not know"),
        };
        if !holds {
            found.push(format!("{at}: {word}"));
        }
    }
}

fn broken(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    breaks(&SCHEMA, value, "", &mut found);
    found
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
    let mut files = Vec::new();
    for folder in ["scenarios", "examples", "tests"] {
        scenarios(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut files,
        );
    }
    assert!(files.len() > 60, "{}", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let value: Value = toml::from_str(&text).unwrap();
        assert_eq!(broken(&value), [""; 0], "{}", file.display());
    }
}

#[test]
fn the_schema_refuses_what_is_misspelt_and_says_where() {
    let text = fs::read_to_string("scenarios/walled-duel.toml").unwrap();
    let mut value: Value = toml::from_str(&text).unwrap();
    value["combatants"][0]["armour"] = json!(3);
    value["combatants"][1]["position"] = json!("near");
    value["weapons"]["axe"]["kind"] = json!("mele");
    let wrong = [
        "/combatants/0: unknown armour",
        "/combatants/1/position: pattern",
        "/weapons/axe/kind: enum",
    ];
    let mut found = broken(&value);
    found.sort();
    assert_eq!(found, wrong);
}

/// Returns a scenario that contains every table of the format.
fn everything(system: &str) -> Value {
    let fighter = |name: &str, more: &Value| {
        let mut one = json!({
            "name": name, "side": name, "position": 0, "move": 5, "evade": 10, "health": 9,
            "weapons": ["w", "r", "p"], "policy": ["attack"], "attributes": {}, "combat_casting": {
                "check": "1d10", "target": 2, "units_per": 3
            }, "climb": {"pool": 3}, "soak": {"pool": 3}, "ongoing": {"damage": 1, "rounds": 1},
        });
        for (key, value) in more.as_object().unwrap() {
            one[key] = value.clone();
        }
        one
    };
    json!({
        "system": system,
        "rules": {"initiative": {}, "costs": {}, "endurance": {}, "magick": {"paradox_backlash": "damage", "paradox_damage": 1}, "speed": {"max": 8}},
        "encounter": {},
        "weapons": {
            "w": {"kind": "melee", "check": {"dice": "1d10", "critical": {"on": 10}}, "damage": {"pool": 2}, "ongoing": {
                "damage": 1, "rounds": 1
            }, "ready_check": {"pool": 1}},
            "r": {"kind": "ranged", "range": 9, "check": {"pool": 3}, "damage": 1},
            "p": {"kind": "thrown", "range": 9, "check": {"skill": 50}, "damage": 1},
        },
        "spells": {"s": {
            "range": 5, "damage": 1, "check": {"dice": "1d10"}, "ongoing": {"damage": 1, "rounds": 1},
            "casting_time": 15, "sphere": 1, "ritual": true,
        }, "t": {"range": 5, "target": "point", "area": 2, "check": {"dice": "1d10"}, "needs": 4, "damage": 1}},
        "conditions": {"c": {
            "ends": "check", "check": {"dice": "1d10"}, "needs": 5, "modifies": {}, "ongoing": {"damage": 1},
        }},
        "items": {
            "i": {
                "ready_check": {"pool": 1}, "target": "ally", "range": 3, "area": 1, "check": {"dice": "1d10"}, "needs": 5,
                "resist": {"check": {"dice": "1d10"}, "needs": 5},
                "effects": [
                    {"damage": 1}, {"heal": 1}, {"condition": "c"}, {"removes": "c"}, {"push": 1}, {"pull": 1},
                    {"prone": true}, {"uses": "i", "change": 1}, {"disarm": true},
                ],
            },
        },
        "tasks": {"t": {"phases": 2, "damage": 1, "range": 4}},
        "combatants": [fighter("A", &json!({})), fighter("B", &json!({}))],
        "parameters": {"p": {"value": 1}},
        "policies": {},
        "variants": [{"name": "v", "set": {"encounter.max_rounds": 7}}],
        "expect": [
            {"metric": "win_rate", "side": "A", "difference": {"from": "v", "min": 0.1}},
            {"metric": "rounds", "equal": 3, "encounters": 5, "seed": 1},
            {"metric": "damage_dealt", "combatant": "A", "min": 3},
        ],
    })
}

/// Each table of the schema, with its places in [`everything`].
const TABLES: &[(&str, &[&str])] = &[
    ("", &[""]),
    ("/properties/rules", &["/rules"]),
    (
        "/properties/rules/properties/initiative",
        &["/rules/initiative"],
    ),
    ("/properties/rules/properties/costs", &["/rules/costs"]),
    (
        "/properties/rules/properties/endurance",
        &["/rules/endurance"],
    ),
    ("/properties/rules/properties/magick", &["/rules/magick"]),
    ("/properties/rules/properties/speed", &["/rules/speed"]),
    ("/properties/encounter", &["/encounter"]),
    ("/$defs/parameter", &["/parameters/p"]),
    ("/$defs/weapon", &["/weapons/w", "/weapons/r", "/weapons/p"]),
    (
        "/$defs/check/anyOf/1",
        &[
            "/weapons/w/check",
            "/weapons/r/check",
            "/weapons/p/check",
            "/spells/s/check",
        ],
    ),
    ("/$defs/critical", &["/weapons/w/check/critical"]),
    (
        "/$defs/pool",
        &[
            "/weapons/w/damage",
            "/weapons/w/ready_check",
            "/combatants/0/climb",
            "/combatants/0/soak",
        ],
    ),
    (
        "/$defs/ongoing",
        &[
            "/weapons/w/ongoing",
            "/spells/s/ongoing",
            "/combatants/0/ongoing",
        ],
    ),
    ("/$defs/spell", &["/spells/s", "/spells/t"]),
    ("/$defs/item", &["/items/i"]),
    ("/$defs/task", &["/tasks/t"]),
    ("/$defs/resist", &["/items/i/resist"]),
    (
        "/$defs/effect",
        &[
            "/items/i/effects/0",
            "/items/i/effects/1",
            "/items/i/effects/2",
            "/items/i/effects/3",
            "/items/i/effects/4",
            "/items/i/effects/5",
            "/items/i/effects/6",
            "/items/i/effects/7",
            "/items/i/effects/8",
        ],
    ),
    ("/$defs/condition", &["/conditions/c"]),
    ("/$defs/modifies", &["/conditions/c/modifies"]),
    ("/$defs/pain", &["/conditions/c/ongoing"]),
    ("/$defs/combatant", &["/combatants/0"]),
    (
        "/$defs/combatant/properties/attributes",
        &["/combatants/0/attributes"],
    ),
    (
        "/$defs/combatant/properties/combat_casting",
        &["/combatants/0/combat_casting"],
    ),
    ("/$defs/variant", &["/variants/0"]),
    ("/$defs/expect", &["/expect/0", "/expect/1", "/expect/2"]),
    (
        "/$defs/expect/properties/difference",
        &["/expect/0/difference"],
    ),
];

/// The errors of a scenario: title and help.
type Errors = BTreeSet<(String, String)>;

fn errors(scenario: &Value) -> Errors {
    let text = toml::to_string(scenario).unwrap();
    let Err(diagnostics) = Scenario::parse("everything.toml", &text, &[]) else {
        return BTreeSet::new();
    };
    let list = diagnostics.list().into_iter();
    list.filter(|one| one.severity == Severity::Error)
        .map(|one| (one.title.to_string(), one.help.concat()))
        .collect()
}

/// Returns the errors that a key with this value adds to [`everything`] in a system.
fn added(system: &str, table: &str, key: &str, value: &Value) -> Vec<(String, String)> {
    static BEFORE: LazyLock<Vec<Errors>> = LazyLock::new(|| {
        SYSTEMS
            .map(|system| errors(&everything(system.name)))
            .to_vec()
    });
    let mut scenario = everything(system);
    let place = scenario
        .pointer_mut(table)
        .unwrap()
        .as_object_mut()
        .unwrap();
    let old = place.insert(key.to_owned(), value.clone());
    let after = errors(&scenario);
    let index = SYSTEMS.iter().position(|one| one.name == system).unwrap();
    if old.is_none() {
        return after.difference(&BEFORE[index]).cloned().collect();
    }
    let place = scenario
        .pointer_mut(table)
        .unwrap()
        .as_object_mut()
        .unwrap();
    place.remove(key);
    after.difference(&errors(&scenario)).cloned().collect()
}

#[test]
fn the_schema_has_the_keys_that_the_reader_has() {
    for (pointer, places) in TABLES {
        let mut read = BTreeSet::new();
        for system in SYSTEMS {
            for place in *places {
                for (title, help) in added(system.name, place, "zzz", &json!(1)) {
                    if title.ends_with("has no key `zzz`")
                        && let Some(keys) = help.strip_prefix("its keys are ")
                    {
                        read.extend(keys.split(", ").map(|key| key.trim_matches('`').to_owned()));
                    }
                }
            }
        }
        let properties = SCHEMA.pointer(pointer).unwrap()["properties"]
            .as_object()
            .unwrap();
        let written: BTreeSet<String> = properties.keys().cloned().collect();
        assert_eq!(written, read, "keys of {pointer}");
    }
}

/// Returns the systems that read a table, each with one of the table's places.
fn readers<'a>(places: &[&'a str]) -> Vec<(&'static str, &'a str)> {
    let of = |place: &'a str| SYSTEMS.into_iter().map(move |system| (system.name, place));
    let all = places.iter().flat_map(|place| of(place));
    all.filter(|(system, place)| {
        let errors = added(system, place, "zzz", &json!(1));
        errors
            .iter()
            .any(|(title, _)| title.ends_with("has no key `zzz`"))
    })
    .collect()
}

/// Compares a key of the schema with the reader: some system must accept a `right` value, and none may accept another.
fn hold(readers: &[(&str, &str)], key: &str, value: &Value, right: bool) -> Option<String> {
    let quoted = format!("`{key}`");
    let (mut accepted, mut refused) = (Vec::new(), Vec::new());
    for (system, place) in readers {
        // A check that lacks the keys of another kind is not an error in `rules.check`.
        let is_wrong = |title: &str| {
            title.ends_with(&format!("has no key {quoted}"))
                || title.ends_with(&format!("has no {quoted}"))
                || (title.starts_with(&quoted) && !title.contains(" has no "))
        };
        let errors = added(system, place, key, value);
        if errors.iter().any(|(title, _)| is_wrong(title)) {
            refused.push((system, place, errors));
        } else {
            accepted.push((system, place));
        }
    }
    let told = || format!("{key} = {value}: accepted {accepted:?}, refused {refused:?}");
    (accepted.is_empty() == right).then(told)
}

#[test]
fn the_schema_has_the_words_and_ranges_that_the_reader_has() {
    let held: Vec<(usize, Vec<String>)> = TABLES
        .par_iter()
        .map(|(pointer, places)| {
            let readers = readers(places);
            let properties = SCHEMA.pointer(pointer).unwrap()["properties"].as_object();
            let held = properties.unwrap().iter().flat_map(|(key, property)| {
                let values = values(property).into_iter();
                values.map(|(value, right)| hold(&readers, key, &value, right))
            });
            let held: Vec<Option<String>> = held.collect();
            (held.len(), held.into_iter().flatten().collect())
        })
        .collect();
    let wrong: Vec<&String> = held.iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let held: usize = held.iter().map(|(held, _)| held).sum();
    assert!(held > 400, "{held}");
}

/// Returns values of a property, each with whether it is valid: all its words, the ends of its range and the values
/// just beyond.
fn values(property: &Value) -> Vec<(Value, bool)> {
    let mut values = Vec::new();
    if let Some(words) = property["enum"].as_array() {
        values.extend(words.iter().map(|word| (word.clone(), true)));
        values.push((json!("zzz"), false));
    }
    for (bound, beyond) in [("minimum", -1), ("maximum", 1)] {
        if let Some(number) = property[bound].as_i64()
            && let Some(outside) = number.checked_add(beyond)
        {
            values.extend([(json!(number), true), (json!(outside), false)]);
        }
    }
    if property["type"] == json!("boolean") {
        values.extend([(json!(true), true), (json!("zzz"), false)]);
    }
    values
}
