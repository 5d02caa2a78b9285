//! The page of a check: every number with its interval, next to the range that was wanted.

use super::charts::{Group, Whisker, Whiskers};
use super::figure::{Figure, Table};
use super::page::{Page, PageBlock, Section};
use super::words::{difference, named};
use crate::output::findings::{Checked, Expected, Finding, Findings, Measurement, Verdict};
use crate::report::number::{Rounded, grouped};
use crate::stats::Interval;

/// Builds the page of findings. `command` creates the same page again.
pub fn findings(checked: &Checked, command: &str) -> Page {
    let mut sections = vec![answer(checked)];
    let several = checked.files.len() > 1;
    for (index, file) in checked.files.iter().enumerate() {
        let prefix = named(several, &format!("s{}-", index + 1));
        let figures = KINDS
            .iter()
            .filter_map(|kind| figure(checked, file, &prefix, *kind));
        let blocks: Vec<PageBlock> = figures.map(PageBlock::Figure).collect();
        if !blocks.is_empty() {
            let id = format!("{prefix}findings");
            sections.push(Section::new(id, &file.scenario, blocks));
        }
    }
    let mut facts = Table::new(&["what", "how"], &[]);
    facts.row(vec!["seed".to_owned(), checked.seed.to_string()]);
    facts.row(vec!["intervals".to_owned(), checked.confidence.to_string()]);
    facts.row(vec![
        "program".to_owned(),
        format!("skirmish {}", env!("CARGO_PKG_VERSION")),
    ]);
    let made = std::iter::once(PageBlock::Table(facts)).chain(PageBlock::page_command(command));
    sections.push(Section::new("made", "How this was made", made));
    let names: Vec<&str> = checked
        .files
        .iter()
        .map(|file| file.scenario.as_str())
        .collect();
    Page {
        title: format!("Check of {}", names.join(", ")),
        subtitle: None,
        sections,
        footer: vec![format!("Made by skirmish {}.", env!("CARGO_PKG_VERSION"))],
    }
}

fn answer(checked: &Checked) -> Section {
    let counts = [Verdict::Passed, Verdict::Failed, Verdict::Undecided].map(|verdict| {
        let count = checked.count(verdict);
        format!("{count} {}", verdict.name())
    });
    let not_passed: Vec<String> = checked
        .all()
        .filter(|finding| finding.verdict != Verdict::Passed)
        .map(|finding| format!("{}: {}", finding.verdict.name(), finding.sentence()))
        .collect();
    let mut blocks = vec![PageBlock::Lead(format!("{}.", counts.join(", ")))];
    if !not_passed.is_empty() {
        blocks.push(PageBlock::List(not_passed));
    }
    Section::new("answer", "The answer", blocks)
}

/// Shares and other numbers, and differences of both: findings of one kind share a scale.
const KINDS: [[bool; 2]; 4] = [[true, false], [true, true], [false, false], [false, true]];

/// Returns the figure of the findings of a kind, if there are any.
fn figure(
    checked: &Checked,
    file: &Findings,
    prefix: &str,
    [is_share, is_difference]: [bool; 2],
) -> Option<Figure> {
    let (id, what, axis) = match (is_share, is_difference) {
        (true, false) => ("rates", "rates", "share of encounters"),
        (true, true) => (
            "rate-differences",
            "differences of rates",
            "points more or less",
        ),
        (false, false) => ("means", "other numbers", "each in its own unit"),
        (false, true) => (
            "differences",
            "differences of other numbers",
            "each in its own unit, more or less",
        ),
    };
    let is_of_kind = |finding: &&Finding| {
        finding.found.is_some()
            && finding.share == is_share
            && finding.from.is_some() == is_difference
    };
    let list = || file.list.iter().filter(is_of_kind);
    let unit = list().next()?.unit();
    let drawing = Whiskers {
        differences: is_difference,
        range: (is_share && !is_difference).then_some((0.0, 1.0)),
        ..Whiskers::new(unit, axis, vec![Group::new("", list().filter_map(row))])
    }
    .draw();
    let mut table = Table::new(
        &["verdict", "what", "wanted"],
        &["value", "ci_low", "ci_high", "encounters"],
    );
    let number = |value: Option<f64>| {
        value.map_or_else(String::new, |value| Rounded::new(value).to_string())
    };
    for finding in list() {
        let interval = finding.found.and_then(|found| found.interval);
        table.row(vec![
            finding.verdict_name().to_owned(),
            finding.heading(),
            finding.wish(),
            number(finding.found.map(|found| found.value)),
            number(interval.map(|interval| interval.low)),
            number(interval.map(|interval| interval.high)),
            grouped(finding.encounters),
        ]);
    }
    let words = [
        &format!("Are {what} within their expected range?"),
        "Shaded: the expected range. Error bar: the measured interval.",
    ];
    let note = if list().all(|finding| finding.is_exact) {
        "The fights were solved: values are exact.".to_owned()
    } else {
        format!("Error bars are {} intervals.", checked.confidence)
    };
    Some(Figure::new(
        format!("{prefix}{id}"),
        words,
        &drawing,
        table,
        &note,
    ))
}

fn row(finding: &Finding) -> Option<Whisker> {
    let Measurement { value, interval } = finding.found?;
    let series = match finding.verdict {
        Verdict::Passed => 2,
        Verdict::Failed => 1,
        Verdict::Undecided => 7,
    };
    let name = format!("{}: {}", finding.verdict_name(), finding.heading());
    let text = match finding.from {
        Some(_) => difference(finding.unit(), value, interval),
        None => finding.unit().in_words(value, interval),
    };
    Some(Whisker {
        wanted: match finding.wanted {
            Expected::Within(low, high) => Some(Interval { low, high }),
            Expected::Exactly(value) => Some(Interval::at(value)),
            Expected::Unmoved(_) => None,
        },
        ..Whisker::new(name, series, (value, interval), text)
    })
}
