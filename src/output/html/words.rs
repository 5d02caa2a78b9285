//! Numbers and findings in words.

use super::charts::Row;
use crate::output::chart::Unit;
use crate::output::sheet::Record;
use crate::report::number::{arm, decimals_shown, is_narrow, sampled_difference, signed};
use crate::stats::Interval;
use crate::tally::{Metric, metrics};

const MINUS: &str = "\u{2212}";

/// Formats a difference and its interval with signs; a difference of shares is in points.
pub(super) fn difference(unit: Unit, value: f64, interval: Option<Interval>) -> String {
    let shown = value * unit.factor();
    let signed = |digits| signed(shown, digits).replace('-', MINUS);
    let Some(interval) = interval else {
        let digits = decimals_shown(2, &[shown]);
        return format!("{} in every encounter", signed(digits));
    };
    let bounds = interval.scaled(unit.factor());
    if !is_narrow(value, interval, false) {
        let [value, bounds] = sampled_difference(shown, bounds);
        return format!("{value} ({bounds})").replace('-', MINUS);
    }
    let number = if interval.excludes_zero() {
        signed(decimals_shown(4, &[shown]))
    } else {
        "0".to_owned()
    };
    format!("{number} ({})", arm(shown, bounds))
}

/// Returns the unit of differences of a metric.
pub(super) fn unit_of_differences(metric: &Metric) -> &'static str {
    match Unit::of(metric) {
        Unit::Share => "points",
        Unit::Plain => metric.unit,
    }
}

/// Returns a name, or an empty text if it is not shown.
pub(super) fn named(is_shown: bool, name: &str) -> String {
    if is_shown { name } else { "" }.to_owned()
}

/// Returns the note on the dashed line of a figure, with a blank before it.
pub(super) fn level_note(level: Option<f64>, unit: Unit) -> String {
    level.map_or_else(String::new, |level| {
        format!(" The dashed line is at {}.", unit.exact(level))
    })
}

/// Returns a row of means as a bar.
pub(super) fn bar(row: Record<'_>, series: usize, name: &str, unit: Unit) -> Option<Row> {
    let known = (row.number("mean")?, row.interval());
    Some(Row::new(
        name,
        series,
        known,
        unit.in_words(known.0, known.1),
    ))
}

/// Returns the name of an outcome: `heroes win`.
pub(super) fn outcome(metric: &str, subject: &str) -> String {
    match metric {
        "win_rate" => format!("{subject} win"),
        metrics::MUTUAL => "no combatant is left standing".to_owned(),
        metrics::TIMEOUT => "round limit (timeout)".to_owned(),
        metrics::OUTCOME_RATE => subject.to_owned(),
        other => other.to_owned(),
    }
}

/// Formats the mean of a row of `summary.csv`.
pub(super) fn mean(row: Record<'_>, unit: Unit) -> Option<String> {
    Some(unit.in_words(row.number("mean")?, row.interval()))
}

/// Describes in sentences who wins a fight. `rows` are the rows of one variant in `summary.csv`, and `round` is the
/// system's word for a Round.
pub(super) fn verdict(rows: &[Record<'_>], round: &str) -> Vec<String> {
    let rate = |row: &Record<'_>| row.number("mean").unwrap_or_default();
    let share = |row: &Record<'_>| mean(*row, Unit::Share).unwrap_or_default();
    let find = |metric: &str| rows.iter().find(|row| row.is("metric", metric));
    let sides = rows.iter().filter(|row| row.is("metric", "win_rate"));
    let mut sides: Vec<&Record<'_>> = sides.collect();
    sides.sort_by(|one, other| rate(other).total_cmp(&rate(one)));
    let mut sentences = Vec::new();
    let n = sides
        .first()
        .map_or(0.0, |row| row.number("n").unwrap_or_default());
    let timeout = find(metrics::TIMEOUT);
    let is_exact = sides.first().is_some_and(|row| row.is("method", "exact"));
    if (n > 0.0 || is_exact) && timeout.is_some_and(|row| rate(row) >= 1.0) {
        sentences.push("No side wins: every encounter hit the round limit undecided.".to_owned());
        return sentences;
    }
    match sides[..] {
        [first, second, ref others @ ..] => {
            let apart = match (first.interval(), second.interval()) {
                (Some(first), Some(second)) => first.low > second.high,
                _ => false,
            };
            let (one, other) = (first.text("subject"), second.text("subject"));
            let (more, less) = (share(first), share(second));
            let is_open = [first, second].iter().any(|row| {
                let (mean, bounds) = (rate(row), row.interval());
                bounds.is_some_and(|bounds| !bounds.is_rounding(mean))
            });
            let no_difference = match (is_exact, is_open) {
                (true, true) => "the bounds leave open which win more often",
                (true, false) => "no difference between them",
                (false, _) => "no measurable difference between them",
            };
            sentences.push(if apart {
                format!(
                    "{one} win more often than {other}: in {more} of all encounters, against {less}."
                )
            } else {
                format!(
                    "{one} win in {more} of all encounters, {other} in {less}: {no_difference}."
                )
            });
            for other in others {
                let name = other.text("subject");
                sentences.push(format!("{name} win in {}.", share(other)));
            }
        }
        [only] => {
            let name = outcome("win_rate", only.text("subject"));
            sentences.push(format!("{name} in {} of all encounters.", share(only)));
        }
        [] => {}
    }
    for metric in [
        metrics::MUTUAL,
        metrics::TIMEOUT,
        metrics::ESCAPED,
        metrics::CAUGHT,
    ] {
        let Some(row) = find(metric).filter(|row| rate(row) > 0.0) else {
            continue;
        };
        let text = share(row);
        sentences.push(match metric {
            metrics::MUTUAL => format!("In {text} no combatant is left standing."),
            metrics::TIMEOUT => format!("{text} hit the round limit undecided."),
            metrics::ESCAPED => format!("{text} end with an escape."),
            _ => format!("{text} end when one side is caught."),
        });
    }
    let of_outcomes = |row: &&Record<'_>| row.is("metric", metrics::OUTCOME_RATE);
    let came = rows
        .iter()
        .filter(of_outcomes)
        .filter(|row| rate(row) > 0.0);
    sentences.extend(came.map(|row| format!("{} end with {}.", share(row), row.text("subject"))));
    if let Some(row) = find(metrics::ROUNDS)
        && let Some(text) = mean(*row, Unit::Plain)
    {
        let end = if text == "1" { "" } else { "s" };
        // Wide bounds may leave open which value the median is.
        let median = match row.quantile("p50") {
            _ if row.text("p50").is_empty() => String::new(),
            median => format!(", median {median}"),
        };
        sentences.push(format!(
            "An encounter takes {text} {round}{end} on average{median}."
        ));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_looks_like_nothing_unless_it_is() {
        let around = |value: f64, arm: f64| {
            Some(Interval {
                low: value - arm,
                high: value + arm,
            })
        };
        assert_eq!(
            Unit::Plain.in_words(0.000_055_7, around(0.000_055_7, 9e-7)),
            "0.0000557 (0.0000548 to 0.0000566)"
        );
        assert_eq!(
            Unit::Share.in_words(0.000_02, around(0.000_02, 7e-7)),
            "0.00200% (0.00193% to 0.00207%)"
        );
        assert_eq!(
            difference(Unit::Plain, 0.000_01, around(0.000_01, 0.003)),
            "+0.00001 (\u{2212}0.00299 to +0.00301)"
        );
        assert_eq!(
            difference(Unit::Share, 1e-6, None),
            "+0.0001 in every encounter"
        );
        assert_eq!(
            difference(Unit::Plain, 0.0, around(0.0, 0.3)),
            "0.0 (\u{2212}0.3 to +0.3)"
        );
    }
}
