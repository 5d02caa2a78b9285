//! Numbers and findings in words.

use super::charts::Whisker;
use crate::output::chart::Unit;
use crate::output::sheet::{Column, Record, distinct};
use crate::report::number::{arm, decimals_shown, is_narrow, sampled_difference, signed};
use crate::stats::Interval;
use crate::tally::{Metric, metrics};

/// A minus sign that is as wide as a digit.
pub(super) const MINUS: &str = "\u{2212}";

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
pub(super) fn bar(row: Record<'_>, series: usize, name: &str, unit: Unit) -> Option<Whisker> {
    let known = row.estimate(Column::Mean)?;
    Some(Whisker::new(
        name,
        series,
        known,
        unit.in_words(known.0, known.1),
    ))
}

/// Returns the subjects that a figure of a metric draws: all, but of two sides whose win rates always add up to `sum` only
/// the first. The other would be its mirror image.
pub(super) fn drawn<'a>(rows: &[Record<'a>], column: Column, sum: f64) -> Vec<&'a str> {
    let subjects = distinct(rows.iter().copied(), Column::Subject);
    let [first, second] = subjects[..] else {
        return subjects;
    };
    let of = |subject| {
        let rows = rows
            .iter()
            .filter(move |row| row.is(Column::Subject, subject));
        rows.map(|row| row.number(column).unwrap_or_default())
    };
    let is_mirror = |(one, other): (f64, f64)| (one + other - sum).abs() < 0.005;
    let is_win = rows[0].is(Column::Metric, "win_rate");
    if is_win && of(first).zip(of(second)).all(is_mirror) {
        return vec![first];
    }
    subjects
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
    let (mean, interval) = row.estimate(Column::Mean)?;
    Some(unit.in_words(mean, interval))
}

/// Returns a key of a scenario as a name: `ogre: health` for `combatants.ogre.health`.
pub(super) fn key_in_words(key: &str) -> String {
    let mut quoted = false;
    let parts = key.split(|c| {
        quoted ^= c == '"';
        c == '.' && !quoted
    });
    let parts: Vec<String> = parts
        .map(|part| part.replace('"', "").replace('_', " "))
        .collect();
    match &parts[..] {
        [_, name, rest @ ..] if !rest.is_empty() => format!("{name}: {}", rest.join(" ")),
        [name, rest] => format!("{name}: {rest}"),
        _ => key.to_owned(),
    }
}

/// Describes in sentences who wins a fight. `rows` are the rows of one variant in `summary.csv`, and `round` is the
/// system's word for a Round.
pub(super) fn verdict(rows: &[Record<'_>], round: &str) -> Vec<String> {
    let rate = |row: &Record<'_>| row.number(Column::Mean).unwrap_or_default();
    let share = |row: &Record<'_>| mean(*row, Unit::Share).unwrap_or_default();
    let of_metric = |metric: &'static str| {
        rows.iter()
            .filter(move |row| row.is(Column::Metric, metric))
    };
    let mut sides: Vec<&Record<'_>> = of_metric("win_rate").collect();
    sides.sort_by(|first, second| rate(second).total_cmp(&rate(first)));
    let is_exact = sides
        .first()
        .is_some_and(|row| row.is(Column::Method, "exact"));
    let is_played = sides.first().and_then(|row| row.number(Column::N)) > Some(0.0);
    let mut timeouts = of_metric(metrics::TIMEOUT);
    if (is_played || is_exact) && timeouts.any(|row| rate(row) >= 1.0) {
        return vec!["No side wins: every encounter hit the round limit undecided.".to_owned()];
    }
    let mut sentences = Vec::new();
    match sides[..] {
        [first, second, ref others @ ..] => {
            let is_apart = match (first.interval(), second.interval()) {
                (Some(first), Some(second)) => first.low > second.high,
                _ => false,
            };
            let is_open = [first, second].iter().any(|row| {
                let bounds = row.interval();
                bounds.is_some_and(|bounds| !bounds.is_rounding(rate(row)))
            });
            let no_difference = match (is_exact, is_open) {
                (true, true) => "the bounds leave open which win more often",
                (true, false) => "no difference between them",
                (false, _) => "no measurable difference between them",
            };
            let [winner, loser] = [first, second].map(Record::subject);
            let [more, less] = [first, second].map(share);
            sentences.push(if is_apart {
                format!(
                    "{winner} win more often than {loser}: in {more} of all encounters, against {less}."
                )
            } else {
                format!(
                    "{winner} win in {more} of all encounters, {loser} in {less}: {no_difference}."
                )
            });
            let name = |row: &Record<'_>| format!("{} win in {}.", row.subject(), share(row));
            sentences.extend(others.iter().map(|row| name(row)));
        }
        [only] => {
            let name = outcome("win_rate", only.subject());
            sentences.push(format!("{name} in {} of all encounters.", share(only)));
        }
        [] => {}
    }
    for (metric, [before, after]) in [
        (metrics::MUTUAL, ["In ", " no combatant is left standing"]),
        (metrics::TIMEOUT, ["", " hit the round limit undecided"]),
        (metrics::ESCAPED, ["", " end with an escape"]),
        (metrics::CAUGHT, ["", " end when one side is caught"]),
        (metrics::OUTCOME_RATE, ["", " end with "]),
    ] {
        for row in of_metric(metric).filter(|row| rate(row) > 0.0) {
            let name = named(metric == metrics::OUTCOME_RATE, row.subject());
            sentences.push(format!("{before}{}{after}{name}.", share(row)));
        }
    }
    if let Some(row) = of_metric(metrics::ROUNDS).next()
        && let Some(text) = mean(*row, Unit::Plain)
    {
        let end = if text == "1" { "" } else { "s" };
        // Wide bounds may leave open which value the median is.
        let is_known = row.number(Column::P50).is_some();
        let median = named(is_known, &format!(", median {}", row.median()));
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
    fn keys_are_named_by_what_they_belong_to() {
        let words = [
            ("combatants.ogre.health", "ogre: health"),
            ("combatants.\"J. R.\".weapons.0", "J. R.: weapons 0"),
            ("weapons.longbow.check.bonus", "longbow: check bonus"),
            ("encounter.max_rounds", "encounter: max rounds"),
            ("near", "near"),
        ];
        for (key, name) in words {
            assert_eq!(key_in_words(key), name);
        }
    }

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
