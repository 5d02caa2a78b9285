//! The end of a chapter: the rules and the seed, and how to get the same results again.

use super::chapter::{Background, Chapter};
use super::figure::Table;
use super::page::{Block, Section};
use super::words::named;
use crate::output::origin::Origin;
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
    blocks.extend(Block::again(&chapter.command));
    Section::new(format!("{prefix}made"), title, blocks)
}

/// Returns the facts of the results. A fact that all results share has one row; otherwise each subcommand has its own.
fn facts(chapter: &Chapter) -> Table {
    let run = chapter.run.iter().map(|run| ("run", &run.origin));
    let parts = chapter.parts.iter();
    let parts = parts.map(|part| (part.sheet.kind().command, &part.origin));
    let origins: Vec<(&str, &Origin)> = run.chain(parts).collect();
    let mut table = Table::new(&["what", "how"], &[]);
    for (what, how) in FACTS {
        let told = origins.iter().map(|(name, origin)| (*name, how(origin)));
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
type Fact = (&'static str, fn(&Origin) -> String);

const FACTS: [Fact; 8] = [
    ("scenario", |origin| origin.scenario.name.clone()),
    ("fingerprint", |origin| origin.scenario.hash.clone()),
    ("seed", |origin| origin.seed.to_string()),
    ("encounters", encounters),
    ("intervals", |origin| {
        if origin.is_exact() {
            origin.intervals()
        } else {
            origin.confidence().to_string()
        }
    }),
    ("program", |origin| format!("skirmish {}", origin.version)),
    ("options", options),
    ("interrupted", |origin| {
        named(origin.interrupted, "not all encounters were played")
    }),
];

fn encounters(origin: &Origin) -> String {
    if origin.is_exact() {
        let states = origin.variants.iter().filter_map(|one| one.states).sum();
        return match states {
            0 => "none: solved".to_owned(),
            states => format!("none: solved, {} situations", grouped(states)),
        };
    }
    let counts = origin.variants.iter().map(|one| one.encounters);
    let ends = [counts.clone().min(), counts.max()];
    let mut ends: Vec<String> = ends.into_iter().flatten().map(grouped).collect();
    ends.dedup();
    let each = if origin.variants.len() > 1 {
        " of each variant"
    } else {
        ""
    };
    format!("{}{each}", ends.join(" to "))
}

fn options(origin: &Origin) -> String {
    let options = &origin.options;
    let named: [(&str, &[String]); 12] = [
        ("--set", &options.set),
        ("--variant", &options.variant),
        ("--baseline", options.baseline.as_slice()),
        ("--metric", &options.metric),
        ("--vary", &options.vary),
        ("--threshold", options.threshold.as_slice()),
        ("--over", &options.over),
        ("--goal", &options.goal),
        ("--within", options.within.as_slice()),
        ("--side", options.side.as_slice()),
        ("--combatant", options.combatant.as_slice()),
        ("--outcome", options.outcome.as_slice()),
    ];
    let all = named.iter().flat_map(|(name, values)| {
        let values = values.iter();
        values.map(move |value| format!("{name} {value}"))
    });
    all.collect::<Vec<_>>().join(", ")
}

fn changes(chapter: &Chapter) -> Table {
    let mut table = Table::new(&["variant", "key", "value"], &[]);
    let mut seen = BTreeSet::new();
    for variant in chapter.origins().flat_map(|origin| &origin.variants) {
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
