//! The table that answers at a glance, for the terminal or as Markdown.

use super::number::{decimals, encounters, grouped};
use super::overview::overview;
use super::page::{Grid, Page, Style};
use super::{Report, VariantReport};
use crate::engine::{Ended, StopRule};
use crate::stats::{Confidence, Interval, Point, Summary};
use crate::tally::{Kind, Metric, Tally, metrics};
use std::fmt::Write;

/// The whole report as text.
#[must_use]
pub fn table(report: &Report, style: Style) -> String {
    let mut page = Page::new(style);
    page.heading(1, &report.title);
    if let Some(question) = &report.question {
        page.line(&page.name(question));
    }
    for variant in &report.variants {
        variant_section(&mut page, report, variant);
    }
    let played = |variant: &&VariantReport| variant.tally.encounters() > 0;
    if report.variants.iter().filter(played).count() > 1 {
        page.blank();
        page.heading(2, "all variants");
        page.blank();
        page.grid(&overview(&page, report));
    }
    page.into_text()
}

fn variant_section(page: &mut Page, report: &Report, variant: &VariantReport) {
    let tally = &variant.tally;
    let played = tally.encounters();
    let head = match (variant.ended, &report.stop) {
        (ended @ (Ended::Interrupted | Ended::Partial), StopRule::Encounters(planned)) => {
            let (played, planned) = (grouped(played), encounters(planned.get()));
            let why = match ended {
                Ended::Partial => "partial",
                _ => "interrupted",
            };
            format!("{}: {played} of {planned} ({why})", variant.name)
        }
        (ended, _) => {
            let what = match ended {
                Ended::Enough => "",
                Ended::Exhausted => " (the most that were allowed)",
                Ended::Interrupted => " (interrupted)",
                Ended::Partial => " (partial)",
            };
            format!("{}: {}{what}", variant.name, encounters(played))
        }
    };
    page.blank();
    page.heading(2, &head);
    if played == 0 {
        return;
    }
    page.blank();
    page.grid(&outcomes(tally, report.confidence));
    page.blank();
    page.grid(&combatants(page, tally, report.confidence));
    page.blank();
    for note in report.notes(variant) {
        page.line(&format!("note: {}", page.name(&note)));
        if page.style() == Style::Markdown {
            // Else it would run into the next line.
            page.blank();
        }
    }
    replay(page, report, variant);
}

/// Which interval is wider than was asked for, and how wide, if the run ended before it was narrow
/// enough.
pub(super) fn too_wide(report: &Report, variant: &VariantReport) -> Option<String> {
    let StopRule::Precision(rule) = &report.stop else {
        return None;
    };
    let widest = rule.widest(&variant.tally, report.confidence)?;
    if variant.ended == Ended::Enough || widest.excess <= 1.0 {
        return None;
    }
    let (metric, precision) = (widest.metric, &rule.precision);
    let known = if metric.kind == Kind::Rate {
        percent_about(&widest.summary)
    } else {
        mean_about(&widest.summary)
    };
    Some(format!(
        "not as precise as asked for, ±{precision}: {} of `{}` is {known}",
        metric.name,
        variant.tally.subject(metric.scope, widest.subject),
    ))
}

/// How encounters end: a line a side, then the rest.
fn outcomes(tally: &Tally, confidence: Confidence) -> Grid {
    let mut grid = Grid::new(&["outcome", "share", &format!("{confidence} interval")]);
    let mut share = |name: &str, metric: &str, subject| {
        let summary = summary(tally, metric, subject, confidence);
        if let (Some(rate), Some(interval)) = (summary.mean, summary.interval) {
            let (rate, low, high) = percents(rate, interval);
            grid.row(vec![name.to_owned(), rate, format!("{low} to {high}")]);
        }
    };
    for (index, side) in tally.sides().iter().enumerate() {
        share(&format!("{side} win"), "win_rate", index);
    }
    share(metrics::MUTUAL, metrics::MUTUAL, 0);
    share(metrics::TIMEOUT, metrics::TIMEOUT, 0);
    for chase in [metrics::ESCAPED, metrics::CAUGHT] {
        if tally.metric(chase).is_some() {
            share(chase, chase, 0);
        }
    }
    let rounds = summary(tally, metrics::ROUNDS, 0, confidence);
    if let (Some(mean), Some(median)) = (rounds.mean, rounds.median()) {
        let digits = rounds
            .interval
            .map_or(2, |interval| decimals(interval.half_width()));
        let interval = rounds.interval.map_or_else(String::new, |interval| {
            format!("{:.digits$} to {:.digits$}, ", interval.low, interval.high)
        });
        grid.row(vec![
            metrics::ROUNDS.to_owned(),
            format!("{mean:.digits$}"),
            format!("{interval}median {}", median.value),
        ]);
    }
    grid
}

/// What each combatant did and suffered, under the name of its side.
fn combatants(page: &Page, tally: &Tally, confidence: Confidence) -> Grid {
    // What nobody does gets no column.
    let columns: Vec<(&str, &Metric)> = [
        ("alive", "alive"),
        ("health", "health"),
        ("damage", "damage"),
        ("hits", "hits"),
        ("attacks", "attacks"),
        ("moved", "units_moved"),
        ("spells", "spells_cast"),
        ("fizzled", "spells_fizzled"),
        ("1st attack", "first_attack"),
        ("1st attack", "first_attack_turn"),
        ("successes", "successes"),
        ("botches", "botches"),
        ("diminished", "diminished"),
        ("dice lost", "dice_lost"),
        ("collapsed", "collapsed"),
        ("paradox", "paradox"),
        ("wounds", "wounds"),
        ("defended", "defended"),
        ("reordered", "reorderings"),
        ("Moxie", "moxie_spent"),
        ("delays", "delays"),
        ("lost", "delays_lost"),
        ("tasks", "tasks_done"),
    ]
    .into_iter()
    .filter_map(|(title, name)| Some((title, tally.metric(name)?)))
    .filter(|(_, metric)| {
        let always = matches!(
            metric.name,
            "alive" | "health" | "damage" | "hits" | "attacks"
        );
        always || (0..tally.combatants().len()).any(|c| happens(tally, metric, c))
    })
    .collect();
    let mut titles = vec!["combatant"];
    titles.extend(columns.iter().map(|(title, _)| *title));
    let mut grid = Grid::new(&titles);
    for (side, name) in tally.sides().iter().enumerate() {
        grid.group(name.clone());
        for (combatant, name) in tally.combatants().iter().enumerate() {
            if tally.side_of()[combatant] != side {
                continue;
            }
            let mut row = vec![page.indented(name)];
            row.extend(columns.iter().map(|(_, metric)| {
                let distribution = tally.distribution(metric, combatant);
                let summary = Summary::of(&distribution, metric.kind, confidence);
                if metric.kind == Kind::Rate {
                    percent_about(&summary)
                } else {
                    mean_about(&summary)
                }
            }));
            grid.row(row);
        }
    }
    grid
}

/// Whether a subject ever showed a value of that metric other than 0.
pub(super) fn happens(tally: &Tally, metric: &Metric, subject: usize) -> bool {
    tally
        .distribution(metric, subject)
        .entries()
        .iter()
        .any(|entry| entry.value > 0)
}

fn summary(tally: &Tally, metric: &str, subject: usize, confidence: Confidence) -> Summary {
    let metric = tally
        .metric(metric)
        .expect("the metrics of the table are in the registry");
    Summary::of(
        &tally.distribution(metric, subject),
        metric.kind,
        confidence,
    )
}

/// A rate and its interval in per cent, with the digits that the interval allows.
pub(crate) fn percents(rate: f64, interval: Interval) -> (String, String, String) {
    let digits = decimals(interval.half_width() * 100.0);
    let percent = |share: f64| {
        // Exactly none and exactly all need no zeros after the point.
        if share <= 0.0 || share >= 1.0 {
            format!("{:.0}%", share * 100.0)
        } else {
            format!("{:.digits$}%", share * 100.0)
        }
    };
    (percent(rate), percent(interval.low), percent(interval.high))
}

/// A rate in per cent, plus or minus the greater arm of its interval.
pub(super) fn percent_about(summary: &Summary) -> String {
    let (Some(rate), Some(interval)) = (summary.mean, summary.interval) else {
        return "-".to_owned();
    };
    let arm = (interval.high - rate).max(rate - interval.low) * 100.0;
    about(rate * 100.0, Some(arm)) + "%"
}

pub(super) fn mean_about(summary: &Summary) -> String {
    let Some(mean) = summary.mean else {
        return "-".to_owned();
    };
    about(mean, summary.interval.map(Interval::half_width))
}

/// A number plus or minus another. Where nothing is known about the spread, the number alone.
///
/// Four digits are enough for a glance, whatever the number of encounters; the files have the rest.
/// The arm is rounded up: it never looks shorter than it is, and never like nothing.
fn about(value: f64, arm: Option<f64>) -> String {
    match arm {
        Some(arm) => {
            let most = match value {
                100.0.. => 1,
                1.0.. => 2,
                _ => 3,
            };
            let digits = decimals(arm).min(most);
            let scale = [1.0, 10.0, 100.0, 1000.0][digits];
            let arm = (arm * scale).ceil() / scale;
            format!("{value:.digits$}±{arm:.digits$}")
        }
        None if value.fract() == 0.0 => format!("{value:.0}"),
        None => format!("{value:.2}"),
    }
}

/// Which encounters to look at, and how.
fn replay(page: &mut Page, report: &Report, variant: &VariantReport) {
    let length = variant.tally.system().length;
    let Some(points) = summary(&variant.tally, length, 0, report.confidence).points else {
        return;
    };
    let number = |point: Point| point.encounter.unwrap_or_default();
    let [quickest, _, _, typical, _, _, longest] = points;
    let mut command = format!("{} --encounter {}", report.replay, number(typical));
    if variant.name != "base" {
        let _ = write!(command, " --variant {}", shell(&variant.name));
    }
    page.line(&format!(
        "quickest encounter {}, typical {}, longest {}; to see one:",
        number(quickest),
        number(typical),
        number(longest),
    ));
    // On a line of its own, to be copied.
    page.line(&page.command(&command));
}

/// A word as a shell reads it back.
pub(crate) fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
