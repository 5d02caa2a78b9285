//! The figures of a comparison: the differences of variants from the baseline.

use super::chapter::Part;
use super::charts::{Group, Whisker, Whiskers};
use super::figure::{Figure, Table};
use super::sides::FigureStyle;
use super::words::{difference, drawn, named, unit_of_differences};
use crate::names::list;
use crate::output::chart::Unit;
use crate::output::comparisons::{Statistic, none_differs};
use crate::output::sheet::{Column, Record, columns, distinct};
use crate::stats::Interval;
use crate::tally::{Metric, Scope};
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

/// Returns a sentence with the variants that show no measurable difference, all comparisons considered.
pub(super) fn noise(part: &Part) -> Option<String> {
    let error = part.manifest.task.confidence.error();
    // Medians have no p-value. The bounds of solved fights may leave open whether there is a difference.
    let is_apart = |row: &Record<'_>| {
        let (value, interval) = row.estimate(Column::Difference).unwrap_or_default();
        let is_open = row.is(Column::Method, "exact")
            && interval.is_some_and(|bounds| bounds.half_width() > 1e-9);
        row.is(Column::Statistic, Statistic::Mean.name())
            && match row.number(Column::PAdjusted) {
                Some(p) => value != 0.0 && p <= error,
                None => value != 0.0 || is_open,
            }
    };
    let apart = part.sheet.rows().filter(is_apart);
    let apart: HashSet<&str> = apart.map(|row| row.variant()).collect();
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
