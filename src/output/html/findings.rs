//! The page of a check: every number with its interval, next to the range that was wanted.

use super::charts::{Group, Row, Whiskers};
use super::figure::{Figure, Table};
use super::page::{Block, Page, Section};
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
            .filter_map(|kind| kind.figure(checked, file, &prefix));
        let blocks: Vec<Block> = figures.map(Block::Figure).collect();
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
    let made = std::iter::once(Block::Table(facts)).chain(Block::page_command(command));
    sections.push(Section::new("made", "How this was made", made));
    let names = checked.files.iter().map(|file| file.scenario.as_str());
    let names: Vec<&str> = names.collect();
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
    let mut blocks = vec![Block::Lead {
        text: format!("{}.", counts.join(", ")),
    }];
    if !not_passed.is_empty() {
        blocks.push(Block::List { items: not_passed });
    }
    Section::new("answer", "The answer", blocks)
}

/// Findings that share a scale.
struct Kind {
    id: &'static str,
    title: &'static str,
    axis: &'static str,
    share: bool,
    difference: bool,
}

const KINDS: [Kind; 4] = [
    Kind {
        id: "rates",
        title: "Are rates within their expected range?",
        axis: "share of encounters",
        share: true,
        difference: false,
    },
    Kind {
        id: "rate-differences",
        title: "Are differences of rates within their expected range?",
        axis: "points more or less",
        share: true,
        difference: true,
    },
    Kind {
        id: "means",
        title: "Are other numbers within their expected range?",
        axis: "each in its own unit",
        share: false,
        difference: false,
    },
    Kind {
        id: "differences",
        title: "Are differences of other numbers within their expected range?",
        axis: "each in its own unit, more or less",
        share: false,
        difference: true,
    },
];

impl Kind {
    fn has(&self, finding: &Finding) -> bool {
        finding.found.is_some()
            && finding.share == self.share
            && finding.from.is_some() == self.difference
    }

    fn figure(&self, checked: &Checked, file: &Findings, prefix: &str) -> Option<Figure> {
        let list = || file.list.iter().filter(|finding| self.has(finding));
        let rows: Vec<Row> = list().filter_map(row).collect();
        let unit = list().next()?.unit();
        let drawn = Whiskers {
            differences: self.difference,
            range: (self.share && !self.difference).then_some((0.0, 1.0)),
            ..Whiskers::new(unit, self.axis, vec![Group::new("", rows)])
        }
        .draw();
        let mut table = Table::new(
            &["verdict", "what", "wanted"],
            &["value", "ci_low", "ci_high", "encounters"],
        );
        for finding in list() {
            let found = finding.found;
            let number = |value: Option<f64>| {
                value.map_or_else(String::new, |value| Rounded::new(value).to_string())
            };
            let interval = found.and_then(|found| found.interval);
            table.row(vec![
                finding.verdict_name().to_owned(),
                finding.heading(),
                finding.wish(),
                number(found.map(|found| found.value)),
                number(interval.map(|interval| interval.low)),
                number(interval.map(|interval| interval.high)),
                grouped(finding.encounters),
            ]);
        }
        let words = [
            self.title,
            "Shaded: the expected range. Error bar: the measured interval.",
        ];
        let note = if list().all(|finding| finding.is_exact) {
            "The fights were solved: values are exact.".to_owned()
        } else {
            format!("Error bars are {} intervals.", checked.confidence)
        };
        let id = format!("{prefix}{}", self.id);
        Some(Figure::new(id, words, &drawn, table, &note))
    }
}

fn row(finding: &Finding) -> Option<Row> {
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
    Some(Row {
        wanted: match finding.wanted {
            Expected::Within(low, high) => Some(Interval { low, high }),
            Expected::Exactly(value) => Some(Interval::at(value)),
            Expected::Unmoved(_) => None,
        },
        ..Row::new(name, series, (value, interval), text)
    })
}
