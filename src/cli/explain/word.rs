//! `skirmish explain WORD`: everything that has a word in its name, from the tables that the program itself uses.

use crate::document::format::{KeyRow, Keys, Values};
use crate::fight::system::{Clocks, System};
use crate::fight::variables::VariableRow;
use crate::names::{self, alike};
use crate::output::schema;
use crate::policy::actions::{TARGETS, TRIGGERS, own_facts, shared_facts};
use crate::report::Page;
use crate::scenario::Remark;
use crate::scenario::keys::SCENARIO;
use crate::systems::{SHARED_RULINGS, titles};
use crate::tally::metrics;
use anyhow::bail;

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

    fn of_row(kind: String, written: &str, row: &KeyRow) -> Self {
        let meaning = format!("{} [{}]: {}", row.values, row.default, row.meaning);
        Self::new(kind, written, meaning)
    }
}

/// Explains all that is called `original`, or else all whose name or meaning has it.
pub(super) fn explain(
    page: &mut Page,
    original: &str,
    systems: &[&System],
    clocks: Clocks,
) -> anyhow::Result<()> {
    let words = words(systems, clocks);
    let wanted = original.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let tiers: [&dyn Fn(&&Word) -> bool; 3] = [
        &|word| alike(&word.name, &wanted) || alike(&word.written, &wanted),
        &|word| has(&word.written),
        &|word| has(&word.meaning),
    ];
    let found = tiers.into_iter().find_map(|tier| {
        let found: Vec<&Word> = words.iter().filter(tier).collect();
        (!found.is_empty()).then_some(found)
    });
    let Some(found) = found else {
        let near = names::suggest(original, words.iter().map(|word| word.name.as_str()), '`');
        let near = near.map_or_else(String::new, |near| format!("; {near}"));
        bail!(
            "no key, ruling, action, variable, metric or remark has the word `{original}`{near}\n\
             things of a game of its own, a shield or a poison, are made of conditions and effects:\n\
             `skirmish explain effects`"
        );
    };
    let rows = found
        .iter()
        .map(|word| [&word.written, &word.kind, &word.meaning].map(String::as_str));
    page.listing(["written", "is", "meaning"], rows);
    Ok(())
}

/// All words of some systems.
fn words(systems: &[&System], clocks: Clocks) -> Vec<Word> {
    let mut words = Vec::new();
    keys(&SCENARIO, "", &mut words);
    for ruling in SHARED_RULINGS {
        for inner in ruling.values.tables() {
            keys(inner, &format!("rules.{}.", ruling.name), &mut words);
        }
    }
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
    let fact = |kind: &str, fact: &VariableRow| Word::new(kind, fact.name, fact.meaning);
    words.extend(shared_facts().map(|shared| fact("variable", shared)));
    for system in systems {
        let title = system.title;
        for ruling in system.rulings.iter().chain(SHARED_RULINGS) {
            let written = format!("rules.{}", ruling.name);
            words.push(Word::of_row(format!("ruling of {title}"), &written, ruling));
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
        words.extend(own_facts(system).map(|own| fact(&kind, own)));
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

/// Adds the keys of a table at a path, and of the tables that it holds. A key that several tables have with one meaning
/// is listed once.
fn keys(table: &'static Keys, path: &str, words: &mut Vec<Word>) {
    for key in table.all() {
        let written = format!("{path}{}", key.name);
        let same = |word: &&mut Word| word.name == key.name && word.meaning.ends_with(key.meaning);
        match words.iter_mut().find(same) {
            None => {
                let kind = match &schema::titles(key)[..] {
                    [] => "key".to_owned(),
                    titles => format!("key of {}", titles.join(", ")),
                };
                words.push(Word::of_row(kind, &written, key));
            }
            Some(known) if known.written.split(", ").count() < MOST_PLACES => {
                known.written = format!("{}, {written}", known.written);
            }
            Some(_) => {}
        }
        let name = if let Values::Named(_) = key.values {
            ".NAME"
        } else {
            ""
        };
        for inner in key.values.tables() {
            keys(inner, &format!("{written}{name}."), words);
        }
    }
}
