//! Writes the parts of `docs/` that follow from the rows of the program: `cargo run --example documentation`.

use skirmish::fight::initiative::LastResort;
use skirmish::fight::system::{Ruling, System, Values};
use skirmish::systems::{SHARED_RULINGS, SYSTEMS};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A generated part of a file: where it begins, where the text after it begins, and the part itself.
type Part = (String, &'static str, String);

/// Returns every file with generated parts, by its path from the root of the project, with these parts.
fn files() -> [(&'static str, Vec<Part>); 2] {
    let of_system = |system: &&System| table(system.name, system.rulings);
    let tables = SYSTEMS.iter().map(of_system);
    let shared = table("every system", SHARED_RULINGS);
    let schema = (
        "    \"rules\": {\n".to_owned(),
        "    \"encounter\": {\n",
        schema(),
    );
    [
        ("docs/FORMAT.md", tables.chain([shared]).collect()),
        ("docs/scenario.schema.json", vec![schema]),
    ]
}

/// Returns each file as it is, and as it is to be.
///
/// # Panics
/// If a file or the place of a part is missing.
pub(crate) fn documents() -> Vec<(&'static str, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = files().into_iter();
    files
        .map(|(path, parts)| {
            let old = fs::read_to_string(root.join(path)).expect("a file of the documentation");
            let new = parts
                .iter()
                .fold(old.clone(), |text, (begins, after, part)| {
                    let place = "the place of a generated part";
                    let (before, rest) = text.split_once(begins.as_str()).expect(place);
                    let (_, rest) = rest.split_once(after).expect(place);
                    format!("{before}{begins}{part}{after}{rest}")
                });
            (path, old, new)
        })
        .collect()
}

/// Returns the table of the rulings of a system.
fn table(system: &str, rulings: &[Ruling]) -> Part {
    let mut rows = String::from("\n| key | values | default | rule |\n| --- | --- | --- | --- |\n");
    for ruling in rulings {
        let default = word(ruling, ruling.default);
        let values = match ruling.values {
            Values::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|value| word(ruling, value)).collect();
                words.join(", ")
            }
            values => values.to_string(),
        };
        let meaning = ruling.meaning.replace('|', "\\|");
        let _ = writeln!(
            rows,
            "| `{}` | {values} | {default} | {meaning} |",
            ruling.key
        );
    }
    (
        format!("<!-- rulings of {system} -->\n"),
        "\n<!-- end -->",
        rows,
    )
}

/// Returns a value as a scenario writes it.
fn word(ruling: &Ruling, value: &str) -> String {
    let is_word = ruling.values.listed().contains(&value) && ruling.values != Values::Boolean;
    if is_word && value.parse::<i64>().is_err() {
        format!("`\"{value}\"`")
    } else {
        value.to_owned()
    }
}

/// Returns the schema of `[rules]`: the options of all systems.
fn schema() -> String {
    let mut tables: Vec<(Option<&str>, Vec<String>)> = Vec::new();
    let all = || SYSTEMS.iter().flat_map(|system| system.rulings);
    let mut keys: Vec<&str> = SHARED_RULINGS
        .iter()
        .chain(all())
        .map(|ruling| ruling.key)
        .collect();
    let mut seen = std::collections::BTreeSet::new();
    keys.retain(|key| seen.insert(*key));
    for key in keys {
        let (table, last) = match key.split_once('.') {
            Some((table, last)) => (Some(table), last),
            None => (None, key),
        };
        let property = format!("\"{last}\": {{\"description\": {}}}", property(key));
        match tables.iter_mut().find(|(name, _)| *name == table) {
            Some((_, properties)) => properties.push(property),
            None => tables.push((table, vec![property])),
        }
    }
    let object = |properties: &[String], indent: &str| {
        let joint = format!(",\n{indent}    ");
        format!(
            "{indent}  \"type\": \"object\",\n{indent}  \"additionalProperties\": false,\n\
             {indent}  \"properties\": {{\n{indent}    {}\n{indent}  }}\n",
            properties.join(&joint)
        )
    };
    let (inner, plain): (Vec<_>, Vec<_>) = tables.into_iter().partition(|(name, _)| name.is_some());
    let inner = inner.iter().map(|(name, properties)| {
        let name = name.unwrap_or_default();
        let body = object(properties, "        ");
        format!(
            "\"{name}\": {{\n          \"description\": \"Rulings: {name}.\",\n{body}        }}"
        )
    });
    let properties: Vec<String> = plain
        .into_iter()
        .flat_map(|(_, plain)| plain)
        .chain(inner)
        .collect();
    let about =
        "      \"description\": \"Rulings: what the text leaves open, and its options.\",\n";
    format!("{about}{}    }},\n", object(&properties, "    "))
}

/// Returns the schema of an option, from its description on.
fn property(key: &str) -> String {
    let shared = SHARED_RULINGS
        .iter()
        .filter(|ruling| ruling.key == key)
        .map(|ruling| (None, ruling));
    let own = SYSTEMS.iter().flat_map(|system| {
        let rulings = system.rulings.iter().filter(|ruling| ruling.key == key);
        rulings.map(|ruling| (Some(system.title), ruling))
    });
    let all: Vec<(Option<&str>, &Ruling)> = shared.chain(own).collect();
    let about: Vec<String> = all
        .iter()
        .map(|(system, ruling)| {
            let system = system.unwrap_or("All systems");
            format!(
                "{system}: {}; {} by default.",
                ruling.meaning, ruling.default
            )
        })
        .collect();
    let values: Vec<Values> = all.iter().map(|(_, ruling)| ruling.values).collect();
    format!("{:?}, {}", about.join(" "), values_of(&values))
}

/// Returns the schema of the values that an option has in any system.
fn values_of(all: &[Values]) -> String {
    let range = |least: i64, most: i64| {
        format!(
            "\"type\": [\"integer\", \"string\"], \"pattern\": \"^[$]\", \"minimum\": {least}, \"maximum\": {most}"
        )
    };
    match all[0] {
        Values::Boolean => "\"type\": \"boolean\"".to_owned(),
        Values::OneOf(_) => {
            let words = all.iter().flat_map(|values| values.listed());
            format!("\"enum\": [{}]", listed(words.copied()))
        }
        Values::Range(least, most, []) => range(least, most),
        Values::Range(least, most, words) => {
            let words = listed(words.iter().copied());
            format!(
                "\"anyOf\": [{{{}}}, {{\"enum\": [{words}]}}]",
                range(least, most)
            )
        }
        Values::Of("dice or points") => "\"$ref\": \"#/$defs/dice\"".to_owned(),
        Values::Of("list of sides and groups") => {
            "\"type\": \"array\", \"items\": {\"type\": \"string\"}".to_owned()
        }
        Values::Of("list of words") => {
            let traits = SYSTEMS.iter().flat_map(|system| system.ties.traits);
            let last = LastResort::NAMES.iter().copied();
            let words = listed(["total", "rating"].into_iter().chain(traits).chain(last));
            format!("\"type\": \"array\", \"items\": {{\"enum\": [{words}]}}")
        }
        Values::Of("0 to 1") => "\"type\": \"number\", \"minimum\": 0, \"maximum\": 1".to_owned(),
        Values::Of(_) => {
            let list = format!("{{\"type\": \"array\", \"items\": {{{}}}}}", range(0, 60));
            format!("\"type\": \"object\", \"additionalProperties\": {list}")
        }
    }
}

/// Returns words for a list of the schema, each once; numbers may be written as such, too.
fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut list: Vec<String> = Vec::new();
    for word in words {
        let number = word.parse::<i64>().ok().map(|number| number.to_string());
        for value in number.into_iter().chain([format!("{word:?}")]) {
            if !list.contains(&value) {
                list.push(value);
            }
        }
    }
    list.join(", ")
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
