//! The end of a chapter: the rules and the seed, and how to get the same results again.

use super::chapter::{Background, Chapter};
use super::figure::Table;
use super::page::{Block, Section};
use super::words::named;
use crate::output::Manifest;
use crate::report::number::grouped;
use std::collections::BTreeSet;

/// The most changes of variants that are listed.
const MOST_CHANGES: usize = 200;

/// Returns the section on how the chapter was made.
pub(super) fn section(chapter: &Chapter, prefix: &str, title: &str) -> Section {
    let mut blocks = vec![Block::Table(facts(chapter))];
    let mut changes = changes(chapter);
    let all = changes.rows.len();
    changes.rows.truncate(MOST_CHANGES);
    if all > 0 {
        blocks.push(Block::paragraph("What each variant changes:"));
        blocks.push(Block::Table(changes));
        if all > MOST_CHANGES {
            blocks.push(Block::paragraph(format!(
                "And {} more; manifest.json has all.",
                all - MOST_CHANGES
            )));
        }
    }
    match &chapter.background {
        Some(background) => {
            blocks.push(Block::Folded {
                summary: format!(
                    "Rulings of {} in the base, changed ones first",
                    background.system
                ),
                table: rulings(background),
            });
        }
        None => blocks.push(Block::paragraph("Results do not contain the rulings and single encounters: the page that skirmish report makes of the \
             scenario shows them.")),
    }
    blocks.extend(Block::page_command(&chapter.command));
    Section::new(format!("{prefix}made"), title, blocks)
}

/// Returns the facts of the results. A fact that all results share has one row; otherwise each subcommand has its own.
fn facts(chapter: &Chapter) -> Table {
    let run = chapter.run.iter().map(|run| ("run", &run.manifest));
    let parts = chapter.parts.iter();
    let parts = parts.map(|part| (part.sheet.kind().command, &part.manifest));
    let manifests: Vec<(&str, &Manifest)> = run.chain(parts).collect();
    let mut table = Table::new(&["what", "how"], &[]);
    for (what, how) in FACTS {
        let told = manifests
            .iter()
            .map(|(name, manifest)| (*name, how(manifest)));
        let mut told: Vec<(&str, String)> = told.collect();
        let alike = told.windows(2).all(|pair| pair[0].1 == pair[1].1);
        if alike {
            told.truncate(1);
        }
        for (name, how) in told {
            let what = if alike {
                what.to_owned()
            } else {
                format!("{what} of {name}")
            };
            if !how.is_empty() {
                table.row(vec![what, how]);
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
        let states = manifest.variants.iter().filter_map(|one| one.states).sum();
        return match states {
            0 => "none: solved".to_owned(),
            states => format!("none: solved, {} situations", grouped(states)),
        };
    }
    let counts = manifest.variants.iter().map(|one| one.encounters);
    let ends = [counts.clone().min(), counts.max()];
    let mut ends: Vec<String> = ends.into_iter().flatten().map(grouped).collect();
    ends.dedup();
    let each = if manifest.variants.len() > 1 {
        " of each variant"
    } else {
        ""
    };
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
    let (changed, usual): (Vec<_>, Vec<_>) = background
        .rulings
        .iter()
        .partition(|ruling| ruling.value != ruling.default);
    for ruling in changed.into_iter().chain(usual) {
        let mark = if ruling.value == ruling.default {
            ""
        } else {
            " (changed)"
        };
        table.row(vec![
            ruling.key.clone(),
            format!("{}{mark}", ruling.value),
            ruling.default.clone(),
            ruling.meaning.clone(),
        ]);
    }
    table
}
