//! `skirmish explain WORD`: everything that has a word in its name, from the tables that the program itself uses.

use crate::cli::integrate::SCHEMA;
use crate::fight::system::{Clocks, System};
use crate::fight::variables::{Fact, SHARED};
use crate::names::{self, alike};
use crate::policy::actions::{TARGETS, TRIGGERS};
use crate::report::Page;
use crate::scenario::Remark;
use crate::systems::{SHARED_RULINGS, titles};
use crate::tally::metrics;
use crate::task::Failure;
use anyhow::anyhow;
use serde_json::Value;

/// The deepest nesting of keys, which ends the walk through a schema that refers to itself.
const DEEPEST: usize = 8;

/// The most tables that are listed for a key of several tables.
const MOST_PLACES: usize = 3;

/// A word of the program.
struct Word {
    /// Its last part: `lasts` of `items.NAME.effects.lasts`.
    name: String,
    kind: String,
    /// As it is written.
    written: String,
    meaning: String,
}

impl Word {
    fn new(kind: impl Into<String>, written: &str, meaning: impl Into<String>) -> Self {
        let name = written.split(' ').next().unwrap_or(written);
        Self {
            name: name.rsplit('.').next().unwrap_or(name).to_owned(),
            kind: kind.into(),
            written: written.to_owned(),
            meaning: meaning.into(),
        }
    }
}

/// Explains all that is called `word`, or else all whose name or meaning has it.
pub(super) fn explain(
    page: &mut Page,
    word: &str,
    systems: &[&'static System],
    clocks: Clocks,
) -> Result<(), Failure> {
    let words = words(systems, clocks);
    let wanted = word.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let tiers: [&dyn Fn(&Word) -> bool; 3] = [
        &|one| alike(&one.name, &wanted) || alike(&one.written, &wanted),
        &|one| has(&one.written),
        &|one| has(&one.meaning),
    ];
    let tiers = tiers.into_iter();
    let mut found = tiers.map(|tier| words.iter().filter(|one| tier(one)).collect::<Vec<_>>());
    let Some(found) = found.find(|found| !found.is_empty()) else {
        let near = names::suggest(word, words.iter().map(|one| one.name.as_str()), '`');
        let near = near.map_or_else(String::new, |near| format!("; {near}"));
        return Err(Failure::input(anyhow!(
            "no key, ruling, action, variable, metric or remark has the word `{word}`{near}\n\
             things of a game of its own, a shield or a poison, are made of conditions and effects:\n\
             `skirmish explain effects`"
        )));
    };
    let rows = found
        .iter()
        .map(|one| [&one.written, &one.kind, &one.meaning].map(String::as_str));
    page.listing(["written", "is", "meaning"], rows);
    Ok(())
}

/// All words of some systems.
fn words(systems: &[&'static System], clocks: Clocks) -> Vec<Word> {
    let mut words = Vec::new();
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    keys(&schema, &schema, "", 0, &mut words);
    for (name, remark) in Remark::ALL {
        let meaning = format!(
            "{}; `silence = [\"{name}\"]` switches it off",
            remark.meaning()
        );
        words.push(Word::new("remark", name, meaning));
    }
    for (name, meaning, _) in TARGETS {
        words.push(Word::new("target of an action", name, *meaning));
    }
    if clocks.meets(Clocks::ORDER) {
        for (syntax, meaning, _) in TRIGGERS {
            words.push(Word::new("trigger", syntax, *meaning));
        }
    }
    let fact = |kind: &str, fact: &Fact| Word::new(kind, fact.name, fact.meaning);
    words.extend(SHARED.iter().map(|shared| fact("variable", shared)));
    for system in systems {
        let title = system.title;
        for ruling in system.rulings.iter().chain(SHARED_RULINGS) {
            let meaning = format!("{} [{}]: {}", ruling.values, ruling.default, ruling.meaning);
            let written = format!("rules.{}", ruling.key);
            words.push(Word::new(format!("ruling of {title}"), &written, meaning));
        }
        for action in system.actions {
            let meaning = format!("costs {}; {}", action.cost, action.legal);
            words.push(Word::new(
                format!("action of {title}"),
                action.syntax,
                meaning,
            ));
        }
        let kind = format!("variable of {title}");
        words.extend(system.facts.iter().map(|own| fact(&kind, own)));
    }
    for metric in metrics::all().filter(|metric| metric.clocks.meets(clocks)) {
        let kind = match metric.clocks {
            Clocks::ALL => "metric".to_owned(),
            own => format!("metric of {}", titles(own)),
        };
        words.push(Word::new(kind, metric.name, metric.meaning));
    }
    words
}

/// Adds the keys below a part of the schema. A key that several tables have with one meaning is listed once.
fn keys(schema: &Value, part: &Value, path: &str, depth: usize, words: &mut Vec<Word>) {
    if depth > DEEPEST {
        return;
    }
    if let Some(pointer) = part["$ref"]
        .as_str()
        .and_then(|link| link.strip_prefix('#'))
        && let Some(definition) = schema.pointer(pointer)
    {
        keys(schema, definition, path, depth, words);
    }
    for option in part["anyOf"].as_array().into_iter().flatten() {
        keys(schema, option, path, depth, words);
    }
    keys(schema, &part["items"], path, depth + 1, words);
    let below = |key: &str| match path {
        "" => key.to_owned(),
        _ => format!("{path}.{key}"),
    };
    if part["additionalProperties"].is_object() {
        keys(
            schema,
            &part["additionalProperties"],
            &below("NAME"),
            depth + 1,
            words,
        );
    }
    // Rulings have rows of their own.
    let properties = part["properties"].as_object().into_iter().flatten();
    for (key, rule) in properties {
        let written = below(key);
        let meaning = rule["description"].as_str().unwrap_or_default();
        let same = |one: &&mut Word| one.name == *key && one.meaning == meaning;
        let is_ruling = written.starts_with("rules.");
        if let Some(known) = words.iter_mut().find(same) {
            if known.written.split(", ").count() < MOST_PLACES {
                known.written = format!("{}, {written}", known.written);
            }
        } else if !is_ruling {
            words.push(Word::new("key", &written, meaning));
        }
        keys(schema, rule, &written, depth + 1, words);
    }
}
