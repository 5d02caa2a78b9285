//! The figures of a comparison: the differences of variants from the baseline.

use super::chapter::Part;
use super::charts::{Group, Whisker, Whiskers};
use super::figure::{Figure, Table};
use super::sides::FigureStyle;
use super::words::{difference, drawn, named, unit_of_differences};
use crate::names::{Named as _, list};
use crate::output::chart::Unit;
use crate::output::comparisons::{self, Statistic, none_differs};
use crate::output::sheet::{Column, Record, columns, distinct};
use crate::stats::Interval;
use crate::stats::paired::Difference;
use crate::tally::{Metric, Scope, metrics};
use std::collections::HashSet;
use std::fmt::Write;

/// The columns of the figure's table.
const NAMES: [Column; 3] = columns![Variant, Subject, Statistic];
const NUMBERS: [Column; 7] = columns![
    N,
    BaselineValue,
    VariantValue,
    Difference,
    CiLow,
    CiHigh,
    PAdjusted
];

/// Returns a figure for every metric compared, with the first `most` variants.
pub(super) fn figures(part: &Part, style: FigureStyle<'_>, most: usize) -> Vec<Figure> {
    let variants = distinct(part.sheet.rows(), Column::Variant);
    let shown: HashSet<&str> = variants.iter().take(most).copied().collect();
    let of = (&shown, variants.len());
    let figures = part
        .metrics()
        .filter_map(|one| figure(part, style, one, of));
    figures.collect()
}

fn figure(
    part: &Part,
    style: FigureStyle<'_>,
    metric: &Metric,
    (shown, all): (&HashSet<&str>, usize),
) -> Option<Figure> {
    let unit = Unit::of(metric);
    let rows: Vec<Record<'_>> = part
        .sheet
        .of_metric(metric.name)
        .filter(|row| shown.contains(row.variant()))
        .collect();
    let baseline = rows.first()?.text(Column::Baseline);
    let is_mean = |row: &&Record<'_>| row.is(Column::Statistic, Statistic::Mean.name());
    let means: Vec<Record<'_>> = rows.iter().filter(is_mean).copied().collect();
    let mut groups = Vec::new();
    for subject in drawn(&means, Column::Difference, 0.0) {
        let series = style.sides.colour(metric.scope, subject);
        let of = means.iter().filter(|row| row.is(Column::Subject, subject));
        let members = of.filter_map(|row| {
            let (known, text) = in_words(part, row, unit)?;
            let variant = row.variant();
            Some(Whisker {
                switch: style.switches.class(variant),
                ..Whisker::new(variant, series, known, text)
            })
        });
        let name = named(metric.scope != Scope::Encounter, subject);
        groups.push(Group::new(name, members));
    }
    let points = style.in_its_words(unit_of_differences(metric));
    let axis = format!("{points} more or less than {baseline}");
    let drawn = Whiskers {
        differences: true,
        ..Whiskers::new(unit, &axis, groups)
    }
    .draw();
    let title = format!("What does each variant change in the {}?", metric.words());
    let dice = if part.manifest.is_exact() {
        ""
    } else {
        ", on the same dice"
    };
    let mut description = format!("Variant minus {baseline}{dice}.");
    let mut note = if part.manifest.is_exact() {
        "The fights were solved: the differences are exact.".to_owned()
    } else {
        let _ = write!(
            description,
            " If the error bar misses 0, the difference is more than chance alone makes in {} of cases.",
            part.manifest.task.confidence
        );
        format!(
            "Error bars are {}, each on its own; p_adjusted in the table accounts for several comparisons (Holm).",
            part.manifest.intervals()
        )
    };
    if shown.len() < all {
        let _ = write!(
            note,
            " Shown are the first {} of {all} variants; comparisons.csv has all.",
            shown.len()
        );
    }
    let table = Table::excerpt(
        &rows,
        &NAMES,
        &NUMBERS,
        &[(Column::Baseline, baseline), (Column::Metric, metric.name)],
    )
    .switched(style.switches);
    let id = format!("{}difference-{}", style.prefix, metric.id());
    let words = [title.as_str(), &description];
    Some(Figure::new(id, words, &drawn, table, &note))
}

/// Returns the difference of a row with its interval, and both in words.
pub(super) fn in_words(
    part: &Part,
    row: &Record<'_>,
    unit: Unit,
) -> Option<((f64, Option<Interval>), String)> {
    let known = row.estimate(Column::Difference)?;
    let text = match known {
        (0.0, None) => {
            let n = row.number(Column::N).unwrap_or_default();
            none_differs(n as u64, part.manifest.task.confidence)
        }
        (value, interval) => difference(unit, value, interval),
    };
    Some((known, text))
}

/// Returns the differences of a variant as a sentence; empty if there are none.
pub(super) fn sentence(part: &Part, variant: &str) -> String {
    let confidence = part.manifest.task.confidence;
    let mut first_side = None;
    let rows = { part.sheet.rows() }.filter(|row| row.is(Column::Variant, variant));
    let told = rows.filter_map(typed).filter(|row| {
        // The win rates of the other sides mostly mirror the win rate of the first side.
        let is_other = row.metric.scope == Scope::Side
            && *first_side.get_or_insert(row.subject.clone()) != row.subject;
        row.statistic == Statistic::Mean && !is_other
    });
    let told: Vec<String> = told.map(|row| row.sentence(confidence)).collect();
    named(!told.is_empty(), &format!("{}.", told.join("; ")))
}

/// Returns a sentence with the variants that show no measurable difference, all comparisons considered.
pub(super) fn noise(part: &Part) -> Option<String> {
    let confidence = part.manifest.task.confidence;
    let mut apart: HashSet<&str> = HashSet::new();
    for row in part.sheet.rows() {
        // Medians have no p-value. If the bounds of solved fights are open, a difference is still possible.
        let is_apart = typed(row).is_some_and(|row| {
            row.difference.is_open() || row.difference.is_apart(row.p_adjusted, confidence)
        });
        if is_apart {
            apart.insert(row.variant());
        }
    }
    let mut alike = distinct(part.sheet.rows(), Column::Variant);
    alike.retain(|variant| !apart.contains(variant));
    (!alike.is_empty()).then(|| {
        format!(
            "Of several comparisons some intervals leave out 0 by chance alone. All comparisons considered, there is no \
             measurable difference for {}.",
            list(alike, "and").replace('`', "")
        )
    })
}

/// Returns a row as the type that `compare` uses.
fn typed(row: Record<'_>) -> Option<comparisons::Row> {
    let is_exact = row.is(Column::Method, "exact");
    // A solved fight has no counts.
    let count = |column: Column| {
        if is_exact { Some(0) } else { row.count(column) }
    };
    Some(comparisons::Row {
        metric: metrics::find(row.text(Column::Metric))?,
        statistic: Statistic::named(row.text(Column::Statistic))?,
        subject: row.subject().to_owned(),
        difference: Difference {
            counts: [count(Column::BaselineN)?, count(Column::VariantN)?],
            n: count(Column::N)?,
            first: row.number(Column::BaselineValue)?,
            second: row.number(Column::VariantValue)?,
            difference: row.number(Column::Difference)?,
            se: row.number(Column::Se),
            interval: row.interval(),
            p_value: row.number(Column::PValue),
            correlation: row.number(Column::Correlation),
            shrinkage: row.number(Column::Shrinkage),
            is_exact,
        },
        p_adjusted: row.number(Column::PAdjusted),
    })
}
