//! The end of a chapter: the rules and the seed, and how to get the same results again.

use super::chapter::{Background, Chapter, RulingInForce};
use super::figure::Table;
use super::page::{PageBlock, Section};
use super::words::named;
use crate::output::Manifest;
use crate::report::number::grouped;
use std::collections::BTreeSet;

/// The most changes of variants that are listed.
const MOST_CHANGES: usize = 200;

/// Returns the section on how the chapter was made.
pub(super) fn section(chapter: &Chapter) -> Section {
    let mut blocks = vec![PageBlock::Table(facts(chapter))];
    let mut changes = changes(chapter);
    let all = changes.rows.len();
    changes.rows.truncate(MOST_CHANGES);
    if all > 0 {
        blocks.push(PageBlock::Folded {
            summary: "What each variant changes".to_owned(),
            table: changes,
        });
        if all > MOST_CHANGES {
            blocks.push(PageBlock::paragraph(format!(
                "And {} more; manifest.json has all.",
                all - MOST_CHANGES
            )));
        }
    }
    match &chapter.background {
        Some(background) => {
            blocks.push(PageBlock::Folded {
                summary: format!(
                    "Rulings of {} in the base, changed ones first",
                    background.system
                ),
                table: rulings(background),
            });
        }
        None => blocks.push(PageBlock::paragraph("Results do not contain the rulings and single encounters: the page that skirmish report makes of the \
             scenario shows them.")),
    }
    blocks.extend(PageBlock::page_command(&chapter.command));
    Section::new("made", "How this was made", blocks)
}

/// Returns the facts of the results. A fact that all results share has one row; otherwise each subcommand has its own.
fn facts(chapter: &Chapter) -> Table {
    let manifests: Vec<(&str, &Manifest)> = chapter
        .all()
        .map(|part| (part.sheet.kind().command, &part.manifest))
        .collect();
    let mut table = Table::new(&["what", "how"], &[]);
    for (what, how) in FACTS {
        let mut answers: Vec<(&str, String)> = manifests
            .iter()
            .map(|(name, manifest)| (*name, how(manifest)))
            .collect();
        let alike = answers.windows(2).all(|pair| pair[0].1 == pair[1].1);
        if alike {
            answers.truncate(1);
        }
        for (name, how) in answers {
            if !how.is_empty() {
                let whose = named(!alike, &format!(" of {name}"));
                table.row(vec![format!("{what}{whose}"), how]);
            }
        }
    }
    table
}

/// The label of a fact and the function that returns its value. A fact with an empty value is not shown.
type Fact = (&'static str, fn(&Manifest) -> String);

const FACTS: [Fact; 8] = [
    ("scenario", |manifest| manifest.scenario.name.clone()),
    ("fingerprint", |manifest| manifest.scenario.hash.clone()),
    ("seed", |manifest| manifest.task.seed.to_string()),
    ("encounters", encounters),
    ("intervals", |manifest| {
        if manifest.is_exact() {
            manifest.intervals()
        } else {
            manifest.task.confidence.to_string()
        }
    }),
    ("program", |manifest| {
        format!("skirmish {}", manifest.version)
    }),
    ("options", options),
    ("interrupted", |manifest| {
        named(manifest.interrupted, "not all encounters were played")
    }),
];

fn encounters(manifest: &Manifest) -> String {
    if manifest.is_exact() {
        let states = manifest
            .variants
            .iter()
            .filter_map(|variant| variant.states)
            .sum();
        return match states {
            0 => "none: solved".to_owned(),
            states => format!("none: solved, {} situations", grouped(states)),
        };
    }
    let counts = manifest.variants.iter().map(|variant| variant.encounters);
    let ends = [counts.clone().min(), counts.max()];
    let mut ends: Vec<String> = ends.into_iter().flatten().map(grouped).collect();
    ends.dedup();
    let each = named(manifest.variants.len() > 1, " of each variant");
    format!("{}{each}", ends.join(" to "))
}

/// Returns the options of the command that asked the question.
fn options(manifest: &Manifest) -> String {
    let command = manifest.task.command([]).text();
    let words = command.splitn(3, ' ');
    words.skip(2).collect()
}

fn changes(chapter: &Chapter) -> Table {
    let mut table = Table::new(&["variant", "key", "value"], &[]);
    let mut seen = BTreeSet::new();
    for variant in chapter.manifests().flat_map(|manifest| &manifest.variants) {
        if !seen.insert(&variant.name) {
            continue;
        }
        for (key, value) in &variant.changes {
            table.row(vec![variant.name.clone(), key.clone(), value.clone()]);
        }
    }
    table
}

fn rulings(background: &Background) -> Table {
    let mut table = Table::new(&["ruling", "value", "default", "what it rules"], &[]);
    let is_changed = |ruling: &RulingInForce| ruling.value != ruling.default;
    let mut rulings: Vec<&RulingInForce> = background.rulings.iter().collect();
    rulings.sort_by_key(|ruling| !is_changed(ruling));
    for ruling in rulings {
        let mark = named(is_changed(ruling), " (changed)");
        table.row(vec![
            ruling.key.clone(),
            format!("{}{mark}", ruling.value),
            ruling.default.clone(),
            ruling.meaning.clone(),
        ]);
    }
    table
}
