//! The figures of a comparison: the differences of variants from the baseline.

use super::chapter::Part;
use super::charts::{Group, Whisker, Whiskers};
use super::figure::{Figure, Table};
use super::sides::FigureStyle;
use super::words::{difference, named, unit_of_differences};
use crate::names::{Named as _, list};
use crate::output::chart::Unit;
use crate::output::comparisons::{self, Statistic, none_differs};
use crate::output::sheet::{Record, distinct};
use crate::stats::paired::Difference;
use crate::tally::{Metric, Scope, metrics};
use std::collections::HashSet;
use std::fmt::Write;

/// The columns of the figure's table.
const NAMES: [&str; 3] = ["variant", "subject", "statistic"];
const NUMBERS: [&str; 10] = [
    "n",
    "baseline_n",
    "variant_n",
    "baseline_value",
    "variant_value",
    "difference",
    "ci_low",
    "ci_high",
    "p_value",
    "p_adjusted",
];

/// Returns a figure for every metric compared, with the first `most` variants.
pub(super) fn figures(part: &Part, style: FigureStyle<'_>, most: usize) -> Vec<Figure> {
    let variants = distinct(part.sheet.rows(), "variant");
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
        .filter(|row| shown.contains(row.text("variant")))
        .collect();
    let baseline = rows.first()?.text("baseline");
    let is_mean = |row: &&Record<'_>| row.is("statistic", Statistic::Mean.name());
    let means: Vec<Record<'_>> = rows.iter().filter(is_mean).copied().collect();
    let mut groups = Vec::new();
    for subject in distinct(means.iter().copied(), "subject") {
        let series = style.sides.colour(metric.scope, subject);
        let of = means.iter().filter(|row| row.is("subject", subject));
        let members = of.filter_map(|row| {
            let known = (row.number("difference")?, row.interval());
            let variant = row.text("variant");
            let text = match known {
                (0.0, None) => {
                    let n = row.number("n").unwrap_or_default();
                    none_differs(n as u64, part.manifest.task.confidence)
                }
                (value, interval) => difference(unit, value, interval),
            };
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
        &[("baseline", baseline), ("metric", metric.name)],
    )
    .switched(style.switches);
    let id = format!("{}difference-{}", style.prefix, metric.id());
    let words = [title.as_str(), &description];
    Some(Figure::new(id, words, &drawn, table, &note))
}

/// Returns a sentence about each of the first `most` variants, and the number of all variants.
pub(super) fn sentences(part: &Part, most: usize) -> (Vec<String>, usize) {
    let confidence = part.manifest.task.confidence;
    let mut all = Vec::new();
    let variants = distinct(part.sheet.rows(), "variant");
    for variant in variants.iter().take(most) {
        let mut told = Vec::new();
        let mut first_side = None;
        for row in part.sheet.rows().filter(|row| row.is("variant", variant)) {
            let Some(row) = typed(row) else { continue };
            // The win rates of the other sides mostly mirror the win rate of the first side.
            if row.statistic != Statistic::Mean
                || (row.metric.scope == Scope::Side
                    && *first_side.get_or_insert(row.subject.clone()) != row.subject)
            {
                continue;
            }
            told.push(row.sentence(confidence));
        }
        if !told.is_empty() {
            all.push(format!("{variant}: {}.", told.join("; ")));
        }
    }
    (all, variants.len())
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
            apart.insert(row.text("variant"));
        }
    }
    let mut alike = distinct(part.sheet.rows(), "variant");
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
    let is_exact = row.is("method", "exact");
    // A solved fight has no counts.
    let count = |column: &str| {
        let count = row.text(column).parse::<u64>().ok();
        if is_exact { Some(0) } else { count }
    };
    Some(comparisons::Row {
        metric: metrics::find(row.text("metric"))?,
        statistic: Statistic::named(row.text("statistic"))?,
        subject: row.text("subject").to_owned(),
        difference: Difference {
            counts: [count("baseline_n")?, count("variant_n")?],
            n: count("n")?,
            first: row.number("baseline_value")?,
            second: row.number("variant_value")?,
            difference: row.number("difference")?,
            se: row.number("se"),
            interval: row.interval(),
            p_value: row.number("p_value"),
            correlation: row.number("correlation"),
            shrinkage: row.number("shrinkage"),
            is_exact,
        },
        p_adjusted: row.number("p_adjusted"),
    })
}
