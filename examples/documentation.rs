//! Writes the parts of `docs/` that follow from the rows of the program: `cargo run --example documentation`.

use skirmish::document::format::{KeyRow, Keys, Values};
use skirmish::fight::system::System;
use skirmish::fight::variables::VariableRow;
use skirmish::output::schema::{meaning, schema};
use skirmish::policy::actions::{own_facts, shared_facts};
use skirmish::scenario::keys::SCENARIO;
use skirmish::systems::{SHARED_RULINGS, SYSTEMS};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A generated part of a file: the line before it, and the part itself.
type Part = (String, String);

/// Returns the tables of `docs/FORMAT.md`: rulings and variables of systems, and keys.
fn tables() -> Vec<Part> {
    let part = |name: &str, table| (format!("<!-- {name} -->\n"), table);
    let of_system = |system: &&'static System| {
        let rulings = table("rule", system.rulings.iter());
        [
            part(&format!("rulings of {}", system.name), rulings),
            part(
                &format!("variables of {}", system.name),
                variables(own_facts(system)),
            ),
        ]
    };
    let of_rules = SHARED_RULINGS.iter().flat_map(|key| key.values.tables());
    let mut kinds: Vec<&'static Keys> = std::iter::once(&SCENARIO).chain(of_rules).collect();
    let mut next = 0;
    while let Some(keys) = kinds.get(next) {
        for inner in keys.all().flat_map(|key| key.values.tables()) {
            if !kinds.iter().any(|known| known.name == inner.name) {
                kinds.push(inner);
            }
        }
        next += 1;
    }
    let shared = table("rule", SHARED_RULINGS.iter());
    let keys = kinds.into_iter().map(|keys| {
        let name = format!("keys of {}", keys.name);
        part(&name, table("meaning", keys.all()))
    });
    { SYSTEMS.iter().flat_map(of_system) }
        .chain([
            part("rulings of every system", shared),
            part("variables of every system", variables(shared_facts())),
        ])
        .chain(keys)
        .collect()
}

/// Returns each file as it is, and as it is to be.
///
/// # Panics
/// If a file or the end of a part is missing.
pub(crate) fn documents() -> [(&'static str, String, String); 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path| fs::read_to_string(root.join(path)).expect("a file of the documentation");
    let old = read("docs/FORMAT.md");
    let new = tables().iter().fold(old.clone(), |text, (begins, part)| {
        // Small tables are described where they are used.
        let Some((before, rest)) = text.split_once(begins.as_str()) else {
            return text;
        };
        let (_, after) = rest
            .split_once("\n<!-- end -->")
            .expect("the end of a generated part");
        format!("{before}{begins}{part}\n<!-- end -->{after}")
    });
    let path = "docs/skirmish.schema.json";
    [
        ("docs/FORMAT.md", old, new),
        (path, read(path), format!("{:#}\n", schema())),
    ]
}

/// Returns a table of keys.
fn table<'a>(heading: &str, keys: impl Iterator<Item = &'a KeyRow>) -> String {
    let mut rows = format!("\n| key | values | default | {heading} |\n| --- | --- | --- | --- |\n");
    for key in keys {
        let values = match key.values {
            Values::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|value| word(key, value)).collect();
                words.join(", ")
            }
            values => values.to_string(),
        };
        let meaning = meaning(key).replace('|', "\\|");
        let default = word(key, key.default);
        let _ = writeln!(
            rows,
            "| `{}` | {values} | {default} | {meaning} |",
            key.name
        );
    }
    rows
}

/// Returns a table of variables.
fn variables(facts: impl Iterator<Item = &'static VariableRow>) -> String {
    let mut rows = String::from("\n| variable | type | meaning |\n| --- | --- | --- |\n");
    for fact in facts {
        let unit = fact.unit.unwrap_or("boolean");
        let _ = writeln!(rows, "| `{}` | {unit} | {} |", fact.name, fact.meaning);
    }
    rows
}

/// Returns a value as a scenario writes it.
fn word(key: &KeyRow, value: &str) -> String {
    let is_word = matches!(key.values, Values::OneOf(words) | Values::Range(_, _, words) if words.contains(&value));
    if is_word && value.parse::<i64>().is_err() {
        format!("`\"{value}\"`")
    } else {
        value.to_owned()
    }
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, old, new) in documents() {
        if old != new {
            fs::write(root.join(path), new).expect("a file of the documentation can be written");
            println!("renewed {path}");
        }
    }
}
