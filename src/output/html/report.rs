//! A page of several chapters, and its figures one by one.

use super::Sides;
use super::chapter::{Chapter, Part, Run};
use super::fight::{Detail, Fight};
use super::figure::Figure;
use super::page::{Block, Entry, Page, Rank, Section};
use super::sides::{FigureStyle, VariantClasses};
use super::words::{named, verdict};
use super::{best, changes, differences, made, matchup, sweep, tune};
use crate::output::chart::Unit;
use crate::output::ranking::{ALL_OVERLAP, Ranked, Ranking};
use crate::output::sheet::{self, Record, SheetKind, distinct};
use crate::report::number::grouped;
use crate::scenario::BASE;
use crate::tally::Scope;
use std::collections::HashMap;

/// The most bytes of a page with one chapter. A page is meant to be mailed, and must stay below 500 kB.
const CHAPTER: usize = 485_000;

/// The most bytes of a chapter's figures, without single encounters.
const PICTURES: usize = 410_000;

/// The most bytes of these figures if all are drawn twice, for wide and for narrow windows.
const TWICE: usize = 370_000;

/// The most bytes of drawings for narrow windows, unless all fit.
const SOME: usize = 16_000;

/// The most variants on the ranking card.
const MOST_RANKED: usize = 8;

/// The most variants that the answer describes.
const MOST_TOLD: usize = 60;

/// Returns the bytes that a chapter leaves for single encounters.
pub fn room(chapter: &Chapter) -> usize {
    let page = page(std::slice::from_ref(chapter)).html();
    CHAPTER.saturating_sub(page.as_str().len())
}

/// Returns the page of these chapters.
pub fn page(chapters: &[Chapter]) -> Page {
    let titles: Vec<&str> = chapters.iter().map(Chapter::title).collect();
    let question = match chapters {
        [only] => only.question.clone(),
        _ => None,
    };
    let sections = chapters.iter().enumerate().flat_map(|(index, chapter)| {
        let several = chapters.len() > 1;
        let prefix = named(several, &format!("s{}-", index + 1));
        let of = named(several, &format!("{}: ", chapter.title()));
        sections(chapter, &prefix, &of)
    });
    Page {
        title: titles.join(" / "),
        subtitle: question,
        sections: sections.collect(),
        footer: vec![format!(
            "Made by skirmish {}. Every number has its interval. Variants are played on the same dice, so a \
                 difference can be real where two intervals overlap: `skirmish compare` shows differences. \
                 docs/REPORT.md explains the figures.",
            env!("CARGO_PKG_VERSION")
        )],
    }
}

/// Returns all figures of a page in order.
pub fn figures(page: &Page) -> impl Iterator<Item = &Figure> {
    page.blocks().filter_map(|block| match block {
        Block::Figure(figure) => Some(figure),
        _ => None,
    })
}

fn sections(chapter: &Chapter, prefix: &str, of: &str) -> Vec<Section> {
    let (pictures, shown) = pictures(chapter, prefix, of);
    let mut sections = vec![Section::new(
        format!("{prefix}answer"),
        format!("{of}The answer"),
        answer(chapter, &switches(chapter, prefix), shown),
    )];
    sections.extend(pictures);
    sections.extend(encounters(chapter, prefix, of));
    sections.push(made::section(
        chapter,
        prefix,
        &format!("{of}How this was made"),
    ));
    sections
}

/// Returns the sections of figures, in the most detail that fits, and the number of variants that they show. Single
/// encounters do not change them, so that a page of a folder, which has no single encounters, shows the same figures.
fn pictures(chapter: &Chapter, prefix: &str, of: &str) -> (Vec<Section>, usize) {
    let mut sections = Vec::new();
    let (mut bytes, mut once, mut shown) = (0, 0, 0);
    for detail in Detail::levels(variants(chapter)) {
        sections = drawn(chapter, prefix, of, detail);
        shown = detail.variants;
        bytes = sections.iter().map(Section::bytes).sum();
        let figures = sections.iter_mut().flat_map(Section::figures);
        once = bytes - figures.map(|figure| narrow(figure)).sum::<usize>();
        if once <= PICTURES {
            break;
        }
    }
    // Drawings for narrow windows are left out first, starting with the largest. Charts can be scrolled there.
    let most = TWICE.max(once + SOME);
    let mut figures: Vec<&mut Figure> = sections.iter_mut().flat_map(Section::figures).collect();
    figures.sort_by_key(|figure| std::cmp::Reverse(narrow(figure)));
    for figure in figures {
        if bytes > most {
            bytes -= narrow(figure);
            figure.narrow = None;
            if let Some(each) = &mut figure.each {
                each.narrow = None;
            }
        }
    }
    (sections, shown)
}

/// Returns the word for a Round.
fn round(chapter: &Chapter) -> &'static str {
    chapter.round.unwrap_or("Round")
}

/// Returns the number of variants of a chapter.
fn variants(chapter: &Chapter) -> usize {
    let counts = chapter.manifests().map(|manifest| manifest.variants.len());
    counts.max().unwrap_or_default()
}

/// Returns the bytes of the pictures for narrow windows.
fn narrow(figure: &Figure) -> usize {
    let each = figure.each.as_ref().and_then(|each| each.narrow.as_ref());
    let pictures = figure.narrow.iter().chain(each);
    pictures.map(|svg| svg.as_str().len()).sum()
}

/// Returns the switches of the chapter's variants.
fn switches<'a>(chapter: &'a Chapter, prefix: &'a str) -> VariantClasses<'a> {
    let run = chapter
        .run
        .as_ref()
        .map(|run| distinct(run.summary.rows(), "variant"));
    let compared = chapter.part(&sheet::COMPARISONS);
    let compared = compared.map(|part| distinct(part.sheet.rows(), "variant"));
    VariantClasses::new(prefix, run.or(compared).unwrap_or_default())
}

fn drawn(chapter: &Chapter, prefix: &str, of: &str, detail: Detail) -> Vec<Section> {
    let style = FigureStyle {
        sides: &chapter.sides,
        switches: &switches(chapter, prefix),
        prefix,
        round: round(chapter),
    };
    let mut sections = Vec::new();
    let mut push = |id: &str, title: &str, figures: Vec<Figure>| {
        if !figures.is_empty() {
            let (id, title) = (format!("{prefix}{id}"), format!("{of}{title}"));
            let blocks = figures.into_iter().map(Block::Figure);
            sections.push(Section::new(id, title, blocks));
        }
    };
    let fight = chapter
        .run
        .as_ref()
        .map(|run| Fight::new(run, style, detail));
    if let Some(fight) = &fight {
        push("who-wins", "Who wins", fight.wins().into_iter().collect());
    }
    if let Some(part) = chapter.part(&sheet::COMPARISONS) {
        let figures = differences::figures(part, style, detail.variants);
        push("differences", "What the variants change", figures);
    }
    for topic in &TOPICS {
        if let Some(part) = chapter.part(topic.kind) {
            push(topic.id, topic.title, (topic.figures)(part, style));
        }
    }
    if let Some(fight) = &fight {
        let rounds = fight.rounds().into_iter().collect();
        push("length", "How long it takes", rounds);
        let left = fight.standing().into_iter().chain(fight.health());
        push("left", "Who survives", left.collect());
        push("deeds", "Who does what", fight.deeds());
    }
    sections
}

/// The results of a subcommand on a page: a section of figures.
struct Topic {
    kind: &'static SheetKind,
    id: &'static str,
    title: &'static str,
    figures: fn(&Part, FigureStyle<'_>) -> Vec<Figure>,
}

/// Lists topics, one row each: the kind of their rows, id, title, and the module with their figures.
macro_rules! topics {
    ($($KIND:ident $id:literal, $title:literal, $module:ident;)*) => {
        [$(Topic {
            kind: &sheet::$KIND,
            id: $id,
            title: $title,
            figures: $module::figures,
        }),*]
    };
}

/// The results of all subcommands but `run` and `compare`, in page order.
static TOPICS: [Topic; 6] = topics! {
    SWEEP "sweep", "What changes with the value", sweep;
    KNOCKOUT "changes", "What matters", changes;
    SENSITIVITY "worth", "What each number is worth", changes;
    TUNE "best", "What is best", tune;
    BEST_PLAY "best-play", "What the best play would do", best;
    MATCHUP "matchup", "Who beats whom", matchup;
};

/// Returns the section of single encounters, and of the commands for those that did not fit.
fn encounters(chapter: &Chapter, prefix: &str, of: &str) -> Option<Section> {
    let mut blocks = Vec::new();
    if !chapter.encounters.is_empty() {
        let entries = chapter.encounters.iter().map(|figure| Entry {
            id: figure.id.clone(),
            title: figure.title.clone(),
            text: figure.folded.clone().unwrap_or_default(),
        });
        blocks.push(Block::Index {
            entries: entries.collect(),
        });
    }
    blocks.extend(chapter.encounters.iter().cloned().map(Block::Figure));
    for (encounter, command) in &chapter.left_out {
        blocks.push(Block::paragraph(format!(
            "{encounter}: left out to keep the page small. This command draws it:"
        )));
        blocks.push(Block::Command {
            text: command.clone(),
        });
    }
    (!blocks.is_empty()).then(|| {
        let title = format!("{of}Single encounters");
        Section::new(format!("{prefix}encounters"), title, blocks)
    })
}

/// Returns the note on variants that are left out.
fn not_told(all: usize, file: &str) -> Option<Block> {
    let more = all.saturating_sub(MOST_TOLD);
    (more > 0).then(|| Block::paragraph(format!("{more} more variants are in {file}.")))
}

/// Returns the card that shows which variant wins most.
fn ranking(run: &Run, switches: &VariantClasses<'_>, sides: &Sides) -> Option<Block> {
    let of_wins = |row: &Record<'_>| row.is("metric", "win_rate");
    let rows: Vec<Record<'_>> = run.summary.rows().filter(of_wins).collect();
    let side = rows.first()?.text("subject");
    let ranked = rows
        .iter()
        .filter(|row| row.is("subject", side))
        .filter_map(|row| {
            Some(Ranked {
                variant: row.text("variant"),
                rate: row.number("mean")?,
                interval: row.interval()?,
            })
        });
    let ranking = Ranking::new(side, ranked.collect())?;
    let ranks = ranking.ranked.iter().take(MOST_RANKED).map(|one| Rank {
        name: one.variant.to_owned(),
        text: Unit::Share.in_words(one.rate, Some(one.interval)),
        switch: switches.class(one.variant),
    });
    let best = ranking.ranked.first()?.variant;
    let mut notes = Vec::new();
    let more = ranking.ranked.len().saturating_sub(MOST_RANKED);
    if let Some(last) = ranking.ranked.last().filter(|_| more > 0) {
        let rate = Unit::Share.in_words(last.rate, Some(last.interval));
        notes.push(format!(
            "{more} more, the last {} with {rate}",
            last.variant
        ));
    }
    let title = if ranking.is_level() {
        format!("{side}: {ALL_OVERLAP}")
    } else {
        notes.extend(ranking.indistinguishable());
        format!("{side} win most often with {best}")
    };
    Some(Block::Ranking {
        title,
        colour: sides.colour(Scope::Side, side) + 1,
        ranks: ranks.collect(),
        notes,
    })
}

/// Returns the answer in words, which begins the chapter. The figures show the first `shown` variants.
fn answer(chapter: &Chapter, switches: &VariantClasses<'_>, shown: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    let entries = switches.all().take(shown.min(MOST_TOLD));
    let entries: Vec<Entry> = entries.map(|(id, name)| Entry::named(id, name)).collect();
    if !entries.is_empty() {
        blocks.push(Block::Switches { entries });
    }
    let lead = |text: String| Block::Lead { text };
    if let Some(run) = &chapter.run {
        let variants = distinct(run.summary.rows(), "variant");
        let mut rows: HashMap<&str, Vec<Record<'_>>> = HashMap::new();
        for row in run.summary.rows() {
            rows.entry(row.text("variant")).or_default().push(row);
        }
        let told = |variant: &str| verdict(&rows[variant], round(chapter)).join(" ");
        blocks.extend(ranking(run, switches, &chapter.sides));
        if let Some((first, others)) = variants.split_first() {
            let of = named(!others.is_empty(), &format!("{first}: "));
            blocks.push(lead(format!("{of}{}", told(first))));
            if chapter.part(&sheet::COMPARISONS).is_none() && !others.is_empty() {
                let items = others.iter().take(MOST_TOLD);
                let items = items.map(|variant| format!("{variant}: {}", told(variant)));
                blocks.push(Block::List {
                    items: items.collect(),
                });
                blocks.extend(not_told(others.len(), "summary.csv"));
                blocks.push(Block::paragraph(
                    "To see whether two variants differ, run skirmish compare, or skirmish report of the \
                     scenario: they compare variants on the same dice.",
                ));
            }
        }
        blocks.push(Block::paragraph(format!(
            "In brackets: {}.",
            run.manifest.intervals()
        )));
    }
    if let Some(part) = chapter.part(&sheet::COMPARISONS) {
        let mut rows = part.sheet.rows();
        let baseline = rows.next().map_or(BASE, |row| row.text("baseline"));
        let dice = if part.manifest.is_exact() {
            ""
        } else {
            " on the same dice"
        };
        blocks.push(Block::paragraph(format!("Compared with {baseline}{dice}:")));
        let (items, all) = differences::sentences(part, MOST_TOLD);
        blocks.push(Block::List { items });
        blocks.extend(not_told(all, "comparisons.csv"));
        blocks.extend(differences::noise(part).map(Block::paragraph));
    }
    for topic in &TOPICS {
        if let Some(part) = chapter.part(topic.kind) {
            blocks.extend(part.manifest.answer.iter().cloned().map(lead));
        }
    }
    let mut notes = chapter.notes.clone();
    if let Some(early) = chapter.manifests().find(|manifest| manifest.interrupted) {
        let why = if early.task.until.is_exact() {
            "Not all fights are solved: those left out are too large, or the run was interrupted."
        } else {
            "The run was interrupted before it played all encounters."
        };
        notes.insert(0, why.to_owned());
    }
    if let Some(partial) = chapter
        .manifests()
        .find_map(|manifest| manifest.partial.as_ref())
    {
        notes.insert(
            0,
            format!(
                "Only {} of {} shards are merged: {} of {} encounters.",
                grouped(partial.shards),
                grouped(partial.of_shards),
                grouped(partial.encounters),
                grouped(partial.of_encounters)
            ),
        );
    }
    // Backticks, which the terminal uses, become quotation marks on the page.
    for note in &mut notes {
        *note = note.replace('`', "\"");
    }
    if !notes.is_empty() {
        blocks.push(Block::paragraph("Notes:"));
        blocks.push(Block::List { items: notes });
    }
    blocks
}
