//! The format of scenarios as a JSON schema, made from the rows of its keys.

use crate::document::format::{KeyRow, Keys, REQUIRED, Values};
use crate::fight::system::System;
use crate::scenario::keys::SCENARIO;
use crate::systems::{SHARED_RULINGS, SYSTEMS};
use serde_json::{Map, Value, json};

/// The name of the schema, which stays the same from version to version: editors and catalogues know it by this name.
pub const ID: &str = "urn:skirmish:scenario";

/// Returns the schema.
pub fn schema() -> Value {
    let mut defined = Map::new();
    define(&SCENARIO, &mut defined);
    let of_rules = SHARED_RULINGS.iter().flat_map(|key| key.values.tables());
    of_rules.for_each(|keys| define(keys, &mut defined));
    let mut top = defined.remove(SCENARIO.name).unwrap_or_default();
    top["properties"]["rules"] = rules();
    top["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    top["$id"] = json!(ID);
    top["title"] = json!("A scenario of skirmish");
    top["$defs"] = Value::Object(defined);
    top
}

/// Defines a kind of table and all that it holds.
fn define(keys: &'static Keys, defined: &mut Map<String, Value>) {
    if defined.contains_key(keys.name) {
        return;
    }
    defined.insert(keys.name.to_owned(), Value::Null);
    let inner = keys.all().flat_map(|key| key.values.tables());
    inner.for_each(|keys| define(keys, defined));
    let of_key = |key| property(&[(meaning(key), key)]);
    let properties: Map<String, Value> = { keys.all() }
        .filter(|key| !key.is_placeholder())
        .map(|key| (key.name.to_owned(), of_key(key)))
        .collect();
    let mut table = object(keys.meaning, &properties);
    if let Some(key) = keys.all().find(|key| key.is_placeholder()) {
        table["additionalProperties"] = of_key(key);
    }
    let required: Vec<&str> = { keys.all() }
        .filter(|key| key.default == REQUIRED)
        .map(|key| key.name)
        .collect();
    if !required.is_empty() {
        table["required"] = json!(required);
    }
    defined.insert(keys.name.to_owned(), table);
}

/// Returns the schema of `[rules]`: the options of all systems, those with a dot in tables of their own.
fn rules() -> Value {
    let shared = SHARED_RULINGS.iter().map(|key| (meaning(key), key));
    let own = |system: &&'static System| {
        let rulings = system.rulings.iter();
        rulings.map(|key| (format!("{}: {}", system.title, key.meaning), key))
    };
    let all: Vec<(String, &KeyRow)> = shared.chain(SYSTEMS.iter().flat_map(own)).collect();
    let mut rules = object("rulings", &Map::new());
    for (_, KeyRow { name, .. }) in &all {
        let rows: Vec<_> = { all.iter() }
            .filter(|(_, key)| key.name == *name)
            .cloned()
            .collect();
        let Some((table, last)) = name.split_once('.') else {
            rules["properties"][name] = property(&rows);
            continue;
        };
        let inner = &mut rules["properties"][table];
        if inner.is_null() {
            *inner = object(&format!("rulings: {table}"), &Map::new());
        }
        inner["properties"][last] = property(&rows);
    }
    rules
}

fn object(about: &str, properties: &Map<String, Value>) -> Value {
    json!({
        "description": about,
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    })
}

/// Returns the meaning of a key, after the titles of the systems that have it if not all do.
pub fn meaning(key: &KeyRow) -> String {
    match &titles(key)[..] {
        [] => key.meaning.to_owned(),
        titles => format!("{}: {}", titles.join(", "), key.meaning),
    }
}

/// Returns the titles of the systems that have a key; none if all have it.
pub fn titles(key: &KeyRow) -> Vec<&'static str> {
    let systems = SYSTEMS
        .iter()
        .filter(|system| key.systems.contains(&system.name));
    systems.map(|system| system.title).collect()
}

/// Returns the schema of a key from its rows, each with its meaning.
fn property(rows: &[(String, &KeyRow)]) -> Value {
    let about: Vec<String> = { rows.iter() }
        .map(|(meaning, key)| match key.default {
            REQUIRED | "none" => format!("{meaning}."),
            default if default.starts_with(REQUIRED) => format!("{meaning}; {default}."),
            default => format!("{meaning}; {default} by default."),
        })
        .collect();
    // Systems may have words of their own.
    let values = rows.iter().map(|(_, key)| key.values);
    let mut property = match rows[0].1.values {
        Values::OneOf(_) => one_of(values.flat_map(Values::words)),
        Values::List(Values::OneOf(_) | Values::Words(_)) => {
            json!({"type": "array", "items": one_of(values.flat_map(Values::words))})
        }
        values => of_values(&values),
    };
    property["description"] = json!(about.join(" "));
    property
}

/// Returns the schema of values.
fn of_values(values: &Values) -> Value {
    match values {
        Values::Boolean => json!({"type": "boolean"}),
        Values::OneOf(_) | Values::Words(_) => one_of(values.words().into_iter()),
        // A text such as "$near" stands for a parameter.
        Values::Range(least, most, []) => {
            json!({"type": ["integer", "string"], "pattern": "^[$]", "minimum": least, "maximum": most})
        }
        Values::Range(least, most, words) => {
            let numbers = of_values(&Values::Range(*least, *most, &[]));
            json!({"anyOf": [numbers, one_of(words.iter().copied())]})
        }
        Values::Chance => {
            json!({"type": ["number", "string"], "pattern": "^[$]", "minimum": 0, "maximum": 1})
        }
        Values::Number => json!({"type": "number"}),
        Values::Text => json!({"type": "string"}),
        Values::Dice => json!({"type": ["string", "integer"]}),
        Values::List(inner) => json!({"type": "array", "items": of_values(inner)}),
        Values::Tables(keys) => json!({"type": "array", "items": of_values(&Values::Table(keys))}),
        Values::Pair(inner) => {
            json!({"type": "array", "items": of_values(inner), "minItems": 2, "maxItems": 2})
        }
        Values::Named(inner) => {
            json!({"type": "object", "additionalProperties": of_values(inner)})
        }
        Values::Table(keys) => json!({"$ref": format!("#/$defs/{}", keys.name)}),
        Values::Any(all) => {
            let all: Vec<Value> = all.iter().map(of_values).collect();
            json!({"anyOf": all})
        }
        Values::Free => json!({"type": "object"}),
    }
}

/// Returns the schema of words, with either sign for the other; numbers may be written as such, too.
fn one_of<'a>(words: impl Iterator<Item = &'a str>) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for word in words {
        let number = word.parse::<i64>().ok().map(|number| json!(number));
        let other = if word.contains('-') {
            word.replace('-', "_")
        } else {
            word.replace('_', "-")
        };
        for value in { number.into_iter() }.chain([json!(word), json!(other)]) {
            if !all.contains(&value) {
                all.push(value);
            }
        }
    }
    json!({"enum": all})
}
