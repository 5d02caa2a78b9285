//! The figures of a sensitivity: what 1 more of each number is worth, the most first.

use super::Sides;
use super::chapter::Part;
use super::charts::{Group, Row, Whiskers};
use super::figure::{Figure, Table};
use super::palette::NEUTRAL;
use super::words::difference;
use crate::output::chart::Unit;
use crate::output::sheet::{Record, distinct};
use crate::stats::Interval;
use crate::tally::{Metric, Scope, metrics};

const NAMES: [&str; 4] = ["key", "value", "less", "more"];
const NUMBERS: [&str; 8] = [
    "n",
    "mean_less",
    "mean_more",
    "effect",
    "ci_low",
    "ci_high",
    "p_value",
    "p_adjusted",
];

/// A figure for every metric.
pub(super) fn figures(part: &Part, sides: &Sides, prefix: &str) -> Vec<Figure> {
    let names = distinct(part.sheet.rows(), "metric");
    let figures = names
        .iter()
        .filter_map(|name| figure(part, sides, prefix, metrics::find(name)?));
    figures.collect()
}

/// The rows of a metric, the greatest effect first; the order of the file where they are alike.
fn ranked<'a>(part: &'a Part, metric: &Metric) -> Vec<Record<'a>> {
    let rows = part
        .sheet
        .rows()
        .filter(|row| row.is("metric", metric.name));
    let mut rows: Vec<Record<'a>> = rows.collect();
    let effect = |row: &Record<'_>| row.number("effect").unwrap_or_default().abs();
    rows.sort_by(|one, other| effect(other).total_cmp(&effect(one)));
    rows
}

/// How much is known of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Certain,
    Uncertain,
    Idle,
}

fn known(row: &Record<'_>, error: f64) -> Known {
    if row.number("effect") == Some(0.0) && row.number("se") == Some(0.0) {
        return Known::Idle;
    }
    if row.is("method", "exact") {
        let differs = row.interval().is_some_and(Interval::excludes_zero);
        return if differs { Known::Certain } else { Known::Idle };
    }
    // What differs by the same in every encounter has no p-value.
    if row.number("p_adjusted").unwrap_or(0.0) <= error {
        Known::Certain
    } else {
        Known::Uncertain
    }
}

fn figure(part: &Part, sides: &Sides, prefix: &str, metric: &'static Metric) -> Option<Figure> {
    let unit = Unit::of(metric);
    let rows = ranked(part, metric);
    let first = rows.first()?;
    let error = part.origin.confidence().error();
    let colour = sides.colour(metric.scope, first.text("subject"));
    let mut groups = Vec::new();
    for (series, of, name) in [
        (colour, Known::Certain, "measurable difference"),
        (NEUTRAL, Known::Uncertain, "no measurable difference"),
        (NEUTRAL, Known::Idle, "no difference at all"),
    ] {
        let members = rows.iter().filter(|row| known(row, error) == of);
        let members: Vec<Row> = members.filter_map(|row| bar(row, series, unit)).collect();
        if !members.is_empty() {
            groups.push(Group {
                name: name.to_owned(),
                rows: members,
            });
        }
    }
    let subject = first.text("subject");
    let what = match metric.scope {
        Scope::Encounter => metric.name.replace('_', " "),
        Scope::Side | Scope::Combatant => format!("{} of {subject}", metric.name.replace('_', " ")),
    };
    let points = if unit == Unit::Share {
        "points"
    } else {
        metric.unit
    };
    let axis = format!("{points} of {what} for 1 more");
    let drawn = Whiskers {
        differences: true,
        ..Whiskers::new(unit, &axis, groups)
    }
    .draw();
    let title = format!("What is 1 more of each number worth in the {what}?");
    let description =
        "The largest effect first: half of the change from 1 less to 1 more, on the same dice.";
    let note = if part.origin.is_exact() {
        "The fights were solved: the effects are exact.".to_owned()
    } else {
        format!(
            "Error bars are {}, each on its own; the groups account for several comparisons (Holm).",
            part.origin.intervals()
        )
    };
    let table = Table::excerpt(
        &rows,
        &NAMES,
        &NUMBERS,
        &[("metric", metric.name), ("subject", subject)],
    );
    let id = format!("{prefix}sensitivity-{}", metric.name.replace('_', "-"));
    Some(Figure::new(id, [&title, description], &drawn, table, &note))
}

fn bar(row: &Record<'_>, series: usize, unit: Unit) -> Option<Row> {
    let value = row.number("effect")?;
    let idle = value == 0.0 && row.number("se") == Some(0.0);
    let interval = row.interval();
    Some(Row {
        name: format!("{} ({})", name(row), row.text("value")),
        series,
        value,
        interval,
        text: if idle {
            "0".to_owned()
        } else {
            difference(unit, value, interval)
        },
        wanted: None,
        switch: None,
    })
}

/// Returns its key; keys of combatants need no prefix.
fn name<'a>(row: &Record<'a>) -> &'a str {
    let key = row.text("key");
    key.strip_prefix("combatants.").unwrap_or(key)
}

/// What matters most, in sentences.
pub(super) fn sentences(part: &Part) -> Vec<String> {
    let error = part.origin.confidence().error();
    let mut all = Vec::new();
    for metric in distinct(part.sheet.rows(), "metric")
        .iter()
        .filter_map(|name| metrics::find(name))
    {
        let rows = ranked(part, metric);
        let certain: Vec<&Record<'_>> = rows
            .iter()
            .filter(|row| known(row, error) == Known::Certain)
            .collect();
        let unit = Unit::of(metric);
        let what = metric.name.replace('_', " ");
        let points = if unit == Unit::Share { " points" } else { "" };
        let worth = |row: &&Record<'_>| {
            let value = row.number("effect").unwrap_or_default();
            format!("{} {}", name(row), difference(unit, value, row.interval()))
        };
        let most: Vec<String> = certain.iter().take(3).map(worth).collect();
        all.push(if most.is_empty() {
            format!("1 more of any number makes no measurable difference to the {what}.")
        } else {
            format!(
                "The largest effects of 1 more, in{points} of {what} ({}): {}. Of {} numbers, {} make a measurable difference.",
                part.origin.intervals(),
                most.join("; "),
                rows.len(),
                certain.len()
            )
        });
    }
    all
}
