//! A page of several chapters, and its figures one by one.

use super::chapter::{Chapter, Part};
use super::fight::{Detail, FightFigures};
use super::figure::Figure;
use super::page::{Anchor, Page, PageBlock, Rate, Section};
use super::sides::{FigureStyle, VariantClasses};
use super::words::{named, unit_of_differences, verdict};
use super::{best, changes, differences, made, matchup, sweep, tune};
use crate::output::chart::Unit;
use crate::output::ranking::{Ranked, Ranking};
use crate::output::sheet::{self, Column, Record, Sheet, SheetKind, distinct};
use crate::report::number::grouped;
use crate::stats::Interval;

/// The most bytes of a page with one chapter. A page is meant to be mailed, and must stay below 500 kB.
const CHAPTER: usize = 485_000;

/// The most bytes of a chapter's figures, without single encounters.
const PICTURES: usize = 410_000;

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
        let name = named(several, &format!("{}: ", chapter.title()));
        sections(chapter, &prefix)
            .into_iter()
            .map(move |section| Section {
                id: format!("{prefix}{}", section.id),
                title: format!("{name}{}", section.title),
                ..section
            })
    });
    Page {
        title: titles.join(" / "),
        subtitle: question,
        sections: sections.collect(),
        footer: vec![format!(
            "Made by skirmish {}. Every number has its interval. Variants are played on the same dice, so a \
                 difference can be real where two intervals overlap: `skirmish compare` shows differences.",
            env!("CARGO_PKG_VERSION")
        )],
    }
}

/// Returns all figures of a page in order.
pub fn figures(page: &Page) -> impl Iterator<Item = &Figure> {
    page.blocks().filter_map(|block| match block {
        PageBlock::Figure(figure) => Some(figure),
        _ => None,
    })
}

/// Returns the sections of a chapter. The ids of figures begin with `prefix`, those of sections do not.
fn sections(chapter: &Chapter, prefix: &str) -> Vec<Section> {
    let style = FigureStyle {
        sides: &chapter.sides,
        switches: &switches(chapter, prefix),
        prefix,
        round: chapter.round.unwrap_or("Round"),
    };
    let (pictures, shown) = pictures(chapter, style);
    let answer = answer(chapter, style, shown);
    let mut sections = vec![Section::new("answer", "The answer", answer)];
    sections.extend(pictures);
    sections.extend(encounters(chapter));
    sections.push(made::section(chapter));
    sections
}

/// Returns the sections of figures, in the most detail that fits, and the number of variants that they show. Single
/// encounters do not change them, so that a page of a folder, which has no single encounters, shows the same figures.
fn pictures(chapter: &Chapter, style: FigureStyle<'_>) -> (Vec<Section>, usize) {
    let mut sections = Vec::new();
    let mut shown = 0;
    for detail in Detail::levels(variants(chapter)) {
        sections = drawn(chapter, style, detail);
        shown = detail.variants;
        if sections.iter().map(Section::bytes).sum::<usize>() <= PICTURES {
            break;
        }
    }
    (sections, shown)
}

/// Returns the number of variants of a chapter.
fn variants(chapter: &Chapter) -> usize {
    let counts = chapter.manifests().map(|manifest| manifest.variants.len());
    counts.max().unwrap_or_default()
}

/// Returns the switches of the chapter's variants.
fn switches<'a>(chapter: &'a Chapter, prefix: &'a str) -> VariantClasses<'a> {
    let run = chapter.run.as_ref().map(|run| &run.sheet);
    let compared = chapter.part(&sheet::COMPARISONS).map(|part| &part.sheet);
    let rows = run.or(compared).into_iter().flat_map(Sheet::rows);
    VariantClasses::new(prefix, distinct(rows, Column::Variant))
}

fn drawn(chapter: &Chapter, style: FigureStyle<'_>, detail: Detail) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut push = |id: &str, title: &str, figures: Vec<Figure>| {
        if !figures.is_empty() {
            let blocks = figures.into_iter().map(PageBlock::Figure);
            sections.push(Section::new(id, title, blocks));
        }
    };
    let fight = chapter
        .run
        .as_ref()
        .map(|run| FightFigures::new(run, style, detail));
    if let Some(fight) = &fight {
        push("who-wins", "Who wins", fight.wins().into_iter().collect());
    }
    if let Some(part) = chapter.part(&sheet::COMPARISONS) {
        let figures = differences::figures(part, style, detail.variants);
        push("differences", "What the variants change", figures);
    }
    for (kind, [id, title], figures) in &TOPICS {
        if let Some(part) = chapter.part(kind) {
            push(id, title, figures(part, style));
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

/// A kind of results with the id and the title of its section, and the function that returns its figures.
type Topic = (
    &'static SheetKind,
    [&'static str; 2],
    fn(&Part, FigureStyle<'_>) -> Vec<Figure>,
);

/// The results of all subcommands but `run` and `compare`, in page order.
static TOPICS: [Topic; 6] = [
    (
        &sheet::SWEEP,
        ["sweep", "What changes with the value"],
        sweep::figures,
    ),
    (
        &sheet::KNOCKOUT,
        ["changes", "What matters"],
        changes::figures,
    ),
    (
        &sheet::SENSITIVITY,
        ["worth", "What each number is worth"],
        changes::figures,
    ),
    (&sheet::TUNE, ["best", "What is best"], tune::figures),
    (
        &sheet::BEST_PLAY,
        ["best-play", "What the best play would do"],
        best::figures,
    ),
    (
        &sheet::MATCHUP,
        ["matchup", "Who beats whom"],
        matchup::figures,
    ),
];

/// Returns the section of single encounters, and of the commands for those that did not fit.
fn encounters(chapter: &Chapter) -> Option<Section> {
    let mut blocks = Vec::new();
    if !chapter.encounters.is_empty() {
        let entries = chapter.encounters.iter().map(|figure| Anchor {
            id: figure.id.clone(),
            title: figure.title.clone(),
            text: figure.folded.clone().unwrap_or_default(),
        });
        blocks.push(PageBlock::Index(entries.collect()));
    }
    blocks.extend(chapter.encounters.iter().cloned().map(PageBlock::Figure));
    for (encounter, command) in &chapter.left_out {
        let about = format!("{encounter}: left out to keep the page small. This command draws it:");
        blocks.extend(PageBlock::command(&about, command));
    }
    (!blocks.is_empty()).then(|| Section::new("encounters", "Single encounters", blocks))
}

/// Returns the note on variants that are left out.
fn not_told(all: usize, file: &str) -> Option<PageBlock> {
    let more = all.saturating_sub(MOST_TOLD);
    (more > 0).then(|| PageBlock::paragraph(format!("{more} more variants are in {file}.")))
}

/// Returns the means of a metric of a subject, in a run or in a comparison.
fn means<'a>(part: &'a Part, metric: &str, subject: &'a str) -> impl Iterator<Item = Record<'a>> {
    let rows = part.sheet.of_metric(metric).collect::<Vec<_>>().into_iter();
    let is_mean = |row: &Record<'_>| ["", "mean"].contains(&row.text(Column::Statistic));
    rows.filter(move |row| row.is(Column::Subject, subject) && is_mean(row))
}

/// Returns the sentence that says in which variant a side wins most.
fn ranking(run: &Part) -> Option<String> {
    let side = run.sheet.of_metric("win_rate").next()?.subject();
    let ranked = means(run, "win_rate", side).filter_map(|row| {
        Some(Ranked {
            variant: row.variant(),
            rate: row.number(Column::Mean)?,
            interval: row.interval()?,
        })
    });
    Ranking::new(side, ranked.collect())?.sentence()
}

/// Returns the table of how often the first side wins in each variant, and of what the variants change. Comparisons without
/// win rates have their first metric instead.
fn rates(chapter: &Chapter, style: FigureStyle<'_>) -> Option<PageBlock> {
    let compared = chapter.part(&sheet::COMPARISONS);
    let part = chapter.run.as_ref().or(compared)?;
    let metric = { part.metrics() }.find(|metric| metric.name == "win_rate");
    let metric = metric.or(part.metrics().next())?;
    let (unit, name) = (Unit::of(metric), metric.name);
    let side = part.sheet.of_metric(name).next()?.subject();
    let rate = |name: &str, known: (f64, Option<Interval>)| Rate {
        name: name.to_owned(),
        share: (unit == Unit::Share).then_some(100.0 * known.0),
        text: unit.in_words(known.0, known.1),
        difference: String::new(),
        switch: style.switches.class(name),
    };
    let mut rows: Vec<Rate> = Vec::new();
    if chapter.run.is_some() {
        rows.extend(
            means(part, name, side)
                .filter_map(|row| Some(rate(row.variant(), row.estimate(Column::Mean)?))),
        );
    }
    let mut baseline = None;
    for row in compared
        .into_iter()
        .flat_map(|part| means(part, name, side))
    {
        let compared = compared?;
        let first = *baseline.get_or_insert(row.text(Column::Baseline));
        for (name, column) in [
            (first, Column::BaselineValue),
            (row.variant(), Column::VariantValue),
        ] {
            if rows.iter().all(|known| known.name != name) {
                rows.push(rate(name, (row.number(column)?, None)));
            }
        }
        let (_, text) = differences::in_words(compared, &row, unit)?;
        let of_variant = rows.iter_mut().find(|known| known.name == row.variant())?;
        of_variant.difference = text;
    }
    rows.truncate(MOST_TOLD);
    (rows.len() > 1).then(|| PageBlock::Rates {
        title: match name {
            "win_rate" => format!("wins of {side}"),
            _ => metric.words_of(side),
        },
        colour: style.sides.colour(metric.scope, side) + 1,
        against: baseline.map(|baseline| {
            let points = style.in_its_words(unit_of_differences(metric));
            format!("{points} against {baseline}")
        }),
        rows,
    })
}

/// Returns the answer, which begins the chapter: a sentence, the win rates, and then switches for the first `shown`
/// variants, which the figures show.
fn answer(chapter: &Chapter, style: FigureStyle<'_>, shown: usize) -> Vec<PageBlock> {
    let mut blocks = Vec::new();
    if let Some(run) = &chapter.run {
        let first = run.sheet.rows().next().map_or("", |row| row.variant());
        let rows: Vec<Record<'_>> = run
            .sheet
            .rows()
            .filter(|row| row.variant() == first)
            .collect();
        let sentences = || {
            let name = named(style.switches.all().count() > 1, &format!("{first}: "));
            format!("{name}{}", verdict(&rows, style.round).join(" "))
        };
        blocks.push(PageBlock::Lead(ranking(run).unwrap_or_else(sentences)));
    }
    blocks.extend(rates(chapter, style));
    if let Some(run) = &chapter.run {
        blocks.push(PageBlock::paragraph(format!(
            "In brackets: {}.",
            run.manifest.intervals()
        )));
    }
    let all = style.switches.all().count();
    if let Some(part) = chapter.part(&sheet::COMPARISONS) {
        blocks.extend(differences::noise(part).map(PageBlock::paragraph));
        blocks.extend(not_told(all, "comparisons.csv"));
    } else if all > 1 {
        blocks.extend(not_told(all, "summary.csv"));
        blocks.push(PageBlock::paragraph(
            "To see whether two variants differ, run `skirmish compare`, or `skirmish report` of the scenario: they \
             compare variants on the same dice.",
        ));
    }
    let switches = style.switches.all().take(shown.min(MOST_TOLD));
    let entries: Vec<Anchor> = switches
        .map(|(id, name)| Anchor {
            id,
            title: name.to_owned(),
            text: String::new(),
        })
        .collect();
    if !entries.is_empty() {
        blocks.push(PageBlock::Switches(entries));
    }
    for (kind, ..) in &TOPICS {
        if let Some(part) = chapter.part(kind) {
            blocks.extend(part.manifest.answer.iter().cloned().map(PageBlock::Lead));
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
    let mut partial = chapter
        .manifests()
        .filter_map(|manifest| manifest.partial.as_ref());
    if let Some(partial) = partial.next() {
        let note = format!(
            "Only {} of {} shards are merged: {} of {} encounters.",
            grouped(partial.shards),
            grouped(partial.of_shards),
            grouped(partial.encounters),
            grouped(partial.of_encounters)
        );
        notes.insert(0, note);
    }
    if !notes.is_empty() {
        blocks.push(PageBlock::paragraph("Notes:"));
        blocks.push(PageBlock::List(notes));
    }
    blocks
}
