//! The figures of a knockout and of a sensitivity: the worth of each change, the greatest first.

use super::chapter::Part;
use super::charts::{Group, Whisker, Whiskers};
use super::figure::{Figure, Table};
use super::palette::NEUTRAL;
use super::sides::FigureStyle;
use super::words::{difference, key_in_words, unit_of_differences};
use crate::output::changes::UNEVEN_NAME;
use crate::output::chart::Unit;
use crate::output::sheet::{self, Column, Record, columns};
use crate::stats::Interval;
use crate::tally::Metric;

/// The texts in which the figures of a knockout and of a sensitivity differ.
struct Question {
    /// The part of ids.
    id: &'static str,
    /// The columns of the figure's table that hold text.
    names: &'static [Column],
    /// The title, without the metric at its end.
    title: &'static str,
    description: &'static str,
    /// The end of the axis label.
    axis: &'static str,
}

const KNOCKOUT: Question = Question {
    id: "knockout",
    names: &columns![Change, From, To, Without, Verdict],
    title: "What does each change do to the",
    description: "The largest effect first, on the same dice: the changed fight against the fight as it is; a number is \
                  1 more.",
    axis: "with the change",
};

const SENSITIVITY: Question = Question {
    id: "sensitivity",
    names: &columns![Key, Value, From, To],
    title: "What is 1 more of each number worth in the",
    description: "The largest effect first, on the same dice: the fight with 1 more against the fight as it is.",
    axis: "for 1 more",
};

/// Whether the rows cover all changes, and not only numbers.
fn is_knockout(part: &Part) -> bool {
    part.sheet.kind() == &sheet::KNOCKOUT
}

fn question(part: &Part) -> &'static Question {
    if is_knockout(part) {
        &KNOCKOUT
    } else {
        &SENSITIVITY
    }
}

/// Returns a figure for every metric.
pub(super) fn figures(part: &Part, style: FigureStyle<'_>) -> Vec<Figure> {
    let figures = part.metrics();
    let figures = figures.filter_map(|metric| figure(part, style, metric));
    figures.collect()
}

/// Returns the rows of a metric, the greatest effect first. Equal effects keep the order of the file.
fn ranked<'a>(part: &'a Part, metric: &Metric) -> Vec<Record<'a>> {
    let mut rows: Vec<Record<'a>> = part.sheet.of_metric(metric.name).collect();
    let size = |row: &Record<'_>| worth(row).map_or(0.0, |(worth, _)| worth.abs());
    rows.sort_by(|one, other| size(other).total_cmp(&size(one)));
    rows
}

/// Returns the effect of a change and its interval.
fn worth(row: &Record<'_>) -> Option<(f64, Option<Interval>)> {
    row.estimate(Column::Effect)
}

/// The certainty of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Certain,
    /// The last point and the next one differ much in worth.
    Uneven,
    Uncertain,
    Idle,
}

fn known(row: &Record<'_>) -> Known {
    match row.text(Column::Verdict) {
        "difference" => Known::Certain,
        UNEVEN_NAME => Known::Uneven,
        "none" => Known::Idle,
        _ => Known::Uncertain,
    }
}

fn figure(part: &Part, style: FigureStyle<'_>, metric: &Metric) -> Option<Figure> {
    let unit = Unit::of(metric);
    let rows = ranked(part, metric);
    let first = rows.first()?;
    let colour = style.sides.colour(metric.scope, first.subject());
    let (mut groups, mut idle) = (Vec::new(), 0);
    let uncertain = if part.manifest.is_exact() {
        "no measurable difference"
    } else {
        "not told apart from chance"
    };
    for (series, of, name) in [
        (colour, Known::Certain, "measurable difference"),
        (
            colour,
            Known::Uneven,
            "the last point was worth something else",
        ),
        (NEUTRAL, Known::Uncertain, uncertain),
        (NEUTRAL, Known::Idle, "no difference at all"),
    ] {
        let members = rows.iter().filter(|row| known(row) == of);
        if of == Known::Idle && is_knockout(part) {
            idle = members.count();
            continue;
        }
        let members = members.filter_map(|row| bar(row, series, unit));
        let members: Vec<Whisker> = members.collect();
        if !members.is_empty() {
            groups.push(Group::new(name, members));
        }
    }
    let subject = first.subject();
    let what = metric.words_of(subject);
    let question = question(part);
    let points = style.in_its_words(unit_of_differences(metric));
    let axis = format!("{points} of {what} {}", question.axis);
    let drawn = Whiskers {
        differences: true,
        ..Whiskers::new(unit, &axis, groups)
    }
    .draw();
    let mut note = if part.manifest.is_exact() {
        "The fights were solved: the effects are exact.".to_owned()
    } else {
        format!(
            "Error bars are {}, each on its own; the groups account for several comparisons (Holm).",
            part.manifest.intervals()
        )
    };
    if idle > 0 {
        note = format!("{note} {idle} changes without any difference are in the table alone.");
    }
    let table = Table::excerpt(
        &rows,
        question.names,
        &columns![
            N, MeanFrom, MeanTo, Effect, CiLow, CiHigh, PValue, PAdjusted
        ],
        &[(Column::Metric, metric.name), (Column::Subject, subject)],
    );
    let id = format!("{}{}-{}", style.prefix, question.id, metric.id());
    let title = format!("{} {what}?", question.title);
    let words = [title.as_str(), question.description];
    Some(Figure::new(id, words, &drawn, table, &note))
}

fn bar(row: &Record<'_>, series: usize, unit: Unit) -> Option<Whisker> {
    let known = worth(row)?;
    let is_idle = known.0 == 0.0 && known.1.is_none_or(|one| one.low >= one.high);
    let text = if is_idle {
        "0".to_owned()
    } else {
        difference(unit, known.0, known.1)
    };
    Some(Whisker::new(label(row), series, known, text))
}

/// Returns the name of a bar: the change, or the number and its value.
fn label(row: &Record<'_>) -> String {
    if row.kind() == &sheet::KNOCKOUT {
        return row.text(Column::Change).to_owned();
    }
    let key = key_in_words(row.text(Column::Key));
    format!("{key} ({})", row.text(Column::Value))
}
