//! The figures of a search: the best and its rivals, and the curve of each parameter around the best.

use super::chapter::Part;
use super::charts::{Group, Whiskers};
use super::figure::{Figure, Table};
use super::palette::NEUTRAL;
use super::sides::FigureStyle;
use super::sweep::OverValues;
use super::words::{bar, key_in_words, level_note};
use crate::decimal::Decimal;
use crate::names::alike;
use crate::output::chart::Unit;
use crate::output::sheet::{Column, Record, columns, distinct};
use crate::question::Question;
use crate::tally::Metric;

const NUMBERS: [Column; 9] = columns![
    N,
    Mean,
    CiLow,
    CiHigh,
    Difference,
    DifferenceLow,
    DifferenceHigh,
    PValue,
    PAdjusted
];

/// Returns a ranking for every metric, and a curve for each of its parameters.
pub(super) fn figures(part: &Part, style: FigureStyle<'_>) -> Vec<Figure> {
    let mut all = Vec::new();
    for metric in part.metrics() {
        let rows: Vec<Record<'_>> = part.sheet.of_metric(metric.name).collect();
        all.extend(ranking(part, style, metric, &rows));
        let curves = || {
            rows.iter()
                .filter(|row| row.is(Column::Role, "curve"))
                .copied()
        };
        for (index, key) in distinct(curves(), Column::Key).into_iter().enumerate() {
            let of: Vec<Record<'_>> = curves().filter(|row| row.is(Column::Key, key)).collect();
            all.push(curve(part, style, (metric, index), (key, &of)));
        }
    }
    all
}

/// Splits a candidate into its values, such as `near = 1`.
fn values(candidate: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for part in candidate.split(", ") {
        match values.last_mut() {
            // The previous value contains a comma, as orders do.
            Some(last) if !part.contains(" = ") => *last = format!("{last}, {part}"),
            _ => values.push(part.to_owned()),
        }
    }
    values
}

fn ranking(
    part: &Part,
    style: FigureStyle<'_>,
    metric: &Metric,
    rows: &[Record<'_>],
) -> Option<Figure> {
    let rows: Vec<Record<'_>> = rows
        .iter()
        .filter(|row| !row.is(Column::Role, "curve"))
        .copied()
        .collect();
    let first = rows.first()?;
    let unit = Unit::of(metric);
    let colour = style.sides.colour(metric.scope, first.subject());
    let best = values(first.text(Column::Candidate));
    let bars = rows.iter().filter_map(|row| {
        let name = match row.text(Column::Role) {
            "best" => "best".to_owned(),
            "written" => "as written".to_owned(),
            _ => {
                let mut own = values(row.text(Column::Candidate));
                own.retain(|value| !best.contains(value));
                own.join(", ")
            }
        };
        let colour = if row.is(Column::Role, "written") {
            NEUTRAL
        } else {
            colour
        };
        bar(*row, colour, &name, unit)
    });
    let axis = format!("{}, mean", metric.words());
    let level = level(part, metric);
    let drawn = Whiskers {
        level,
        ..Whiskers::new(unit, &axis, vec![Group::new("", bars)])
    }
    .draw();
    let what = metric.words_of(first.subject());
    let title = if level.is_some() {
        format!("How near do the candidates come in the {what}?")
    } else {
        format!("Which candidate is best in the {what}?")
    };
    let description = "The best first, then those that came to the end with it, by what differs from the best, and the file as it is.";
    let note = format!(
        "Bounds are {}.{} Best of the candidates that were tried.",
        part.manifest.intervals(),
        level_note(level, unit)
    );
    let table = Table::excerpt(
        &rows,
        &columns![Role, Candidate],
        &NUMBERS,
        &[(Column::Metric, metric.name)],
    );
    let id = format!("{}tune-{}", style.prefix, metric.id());
    Some(Figure::new(id, [&title, description], &drawn, table, &note))
}

fn curve(
    part: &Part,
    style: FigureStyle<'_>,
    (metric, index): (&'static Metric, usize),
    (key, rows): (&str, &[Record<'_>]),
) -> Figure {
    let values = OverValues {
        rows,
        key: (key, Column::Value),
        metric,
        level: level(part, metric),
    };
    let (drawn, note) = values.draw(style, &part.manifest.intervals());
    let subject = rows.first().map_or("", |row| row.subject());
    let (name, what) = (key_in_words(key), metric.words_of(subject));
    let title = format!("What does {name} do to the {what} around the best?");
    let description = "Values near the best; all else is as in the best candidate.";
    let table = Table::excerpt(
        rows,
        &columns![Value, Candidate],
        &NUMBERS,
        &[(Column::Key, key), (Column::Metric, metric.name)],
    );
    let id = format!("{}tune-{}-{index}", style.prefix, metric.id());
    Figure::new(id, [&title, description], &drawn, table, &note)
}

/// Returns the level that the search tries to reach in a metric.
fn level(part: &Part, metric: &Metric) -> Option<f64> {
    let Question::Tune(tune) = &part.manifest.task.question else {
        return None;
    };
    let mut goals = tune.goal.iter().filter_map(|goal| goal.split_once('='));
    let (_, level) = goals.find(|(name, _)| alike(name.trim(), metric.name))?;
    Some(Decimal::read(level)?.value)
}

#[cfg(test)]
mod tests {
    use super::values;

    #[test]
    fn a_candidate_is_split_at_its_values_and_not_at_their_commas() {
        let candidate = "near = 1, archer.policy lines 1 to 3 = 2, 1, 3, archer.policy line 4 = on";
        let order = "archer.policy lines 1 to 3 = 2, 1, 3";
        let all = ["near = 1", order, "archer.policy line 4 = on"];
        assert_eq!(values(candidate), all);
    }
}
