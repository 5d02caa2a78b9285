//! The figures of a knockout and a sensitivity: what each change is worth, the most first.

use super::Sides;
use super::chapter::Part;
use super::charts::{Group, Row, Whiskers};
use super::figure::{Figure, Table};
use super::palette::NEUTRAL;
use super::words::difference;
use crate::output::chart::Unit;
use crate::output::sheet::{self, Record, distinct};
use crate::stats::Interval;
use crate::tally::{Metric, Scope, metrics};

/// The columns of a figure's table that hold texts.
fn names(part: &Part) -> &'static [&'static str] {
    if is_knockout(part) {
        &["change", "from", "to", "without", "verdict"]
    } else {
        &["key", "value", "less", "more"]
    }
}

/// The columns of a figure's table that hold numbers.
fn numbers(part: &Part) -> [&'static str; 8] {
    let [first, second] = if is_knockout(part) {
        ["mean_from", "mean_to"]
    } else {
        ["mean_less", "mean_more"]
    };
    [
        "n",
        first,
        second,
        "effect",
        "ci_low",
        "ci_high",
        "p_value",
        "p_adjusted",
    ]
}

/// Whether all changes were asked about, and not numbers alone.
fn is_knockout(part: &Part) -> bool {
    part.sheet.kind() == &sheet::KNOCKOUT
}

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
    match row.text("verdict") {
        "difference" => return Known::Certain,
        "none" => return Known::Idle,
        // The first sensitivities had no verdicts.
        "" => {}
        _ => return Known::Uncertain,
    }
    let (effect, never_varied) = (row.number("effect"), row.number("se") == Some(0.0));
    if effect == Some(0.0) && never_varied {
        return Known::Idle;
    }
    let is_certain = if row.is("method", "exact") {
        let bounds = row.interval();
        if bounds.is_some_and(|bounds| !bounds.excludes_zero() && bounds.is_rounding(1.0)) {
            return Known::Idle;
        }
        bounds.is_some_and(Interval::excludes_zero)
    } else {
        // What differs by the same in every encounter of several has no p-value.
        { row.number("p_adjusted") }.map_or(never_varied, |p| p <= error)
    };
    if is_certain {
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
    let (mut groups, mut idle) = (Vec::new(), 0);
    for (series, of, name) in [
        (colour, Known::Certain, "measurable difference"),
        (NEUTRAL, Known::Uncertain, "no measurable difference"),
        (NEUTRAL, Known::Idle, "no difference at all"),
    ] {
        let members = rows.iter().filter(|row| known(row, error) == of);
        if of == Known::Idle && is_knockout(part) {
            idle = members.count();
            continue;
        }
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
        Scope::Side | Scope::Combatant | Scope::Outcome => {
            format!("{} of {subject}", metric.name.replace('_', " "))
        }
    };
    let points = if unit == Unit::Share {
        "points"
    } else {
        metric.unit
    };
    let axis = if is_knockout(part) {
        format!("{points} of {what} with the change")
    } else {
        format!("{points} of {what} for 1 more")
    };
    let drawn = Whiskers {
        differences: true,
        ..Whiskers::new(unit, &axis, groups)
    }
    .draw();
    let (title, description) = if is_knockout(part) {
        (
            format!("What does each change do to the {what}?"),
            "The largest effect first: the changed fight and the fight as it is, on the same dice.",
        )
    } else {
        (
            format!("What is 1 more of each number worth in the {what}?"),
            "The largest effect first: half of the change from 1 less to 1 more, on the same dice.",
        )
    };
    let mut note = if part.origin.is_exact() {
        "The fights were solved: the effects are exact.".to_owned()
    } else {
        format!(
            "Error bars are {}, each on its own; the groups account for several comparisons (Holm).",
            part.origin.intervals()
        )
    };
    if idle > 0 {
        note = format!("{note} {idle} changes without any difference are in the table alone.");
    }
    let table = Table::excerpt(
        &rows,
        names(part),
        &numbers(part),
        &[("metric", metric.name), ("subject", subject)],
    );
    let question = if is_knockout(part) {
        "knockout"
    } else {
        "sensitivity"
    };
    let id = format!("{prefix}{question}-{}", metric.name.replace('_', "-"));
    Some(Figure::new(id, [&title, description], &drawn, table, &note))
}

fn bar(row: &Record<'_>, series: usize, unit: Unit) -> Option<Row> {
    let value = row.number("effect")?;
    let idle = value == 0.0 && row.number("se") == Some(0.0);
    let interval = row.interval();
    Some(Row {
        name: label(row),
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

/// Returns the name of a bar: a number with its value.
fn label(row: &Record<'_>) -> String {
    if row.kind() == &sheet::KNOCKOUT {
        name(row).to_owned()
    } else {
        format!("{} ({})", name(row), row.text("value"))
    }
}

/// Returns the name of its change, or its key; keys of combatants need no prefix.
fn name<'a>(row: &Record<'a>) -> &'a str {
    if row.kind() == &sheet::KNOCKOUT {
        return row.text("change");
    }
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
        let [none, some, these] = if is_knockout(part) {
            ["No change makes", "The changes that matter most", "changes"]
        } else {
            [
                "1 more of any number makes",
                "The largest effects of 1 more",
                "numbers",
            ]
        };
        all.push(if most.is_empty() {
            format!("{none} a measurable difference to the {what}.")
        } else {
            format!(
                "{some}, in{points} of {what} ({}): {}. Of {} {these}, {} make a measurable difference.",
                part.origin.intervals(),
                most.join("; "),
                rows.len(),
                certain.len()
            )
        });
        let lines = rows.iter().filter(|row| {
            let is_idle = known(row, error) == Known::Idle;
            is_knockout(part) && row.is("kind", "line") && is_idle
        });
        let lines: Vec<&str> = lines.map(name).collect();
        if !lines.is_empty() {
            all.push(format!(
                "No difference in any encounter: {}.",
                lines.join("; ")
            ));
        }
    }
    all
}
