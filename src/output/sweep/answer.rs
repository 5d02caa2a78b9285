//! The first sentence of a sweep: where a fight is even, or where it is best and worst.

use super::{Key, Point, Shown, SweepReport, at_level, crossings};
use crate::report::number::counted;
use crate::stats::Interval;
use crate::stats::threshold::{Level, Played, finding};

/// The rate at which a fight of two sides is even.
const EVEN: f64 = 0.5;

/// Returns the answer for one metric. Returns `None` if fewer than two points were played, or if the crossing of a
/// threshold is the answer.
pub(super) fn answer(report: &SweepReport, shown: &Shown) -> Option<String> {
    if report.threshold.is_some() {
        return None;
    }
    let values = report.points.iter();
    let values: Vec<Value<'_>> = values
        .filter_map(|point| Some((point, point.summary(shown)?.mean?)))
        .collect();
    if values.len() < 2 {
        return None;
    }
    Some(match report.keys.as_slice() {
        [key] if shown.metric.name == "win_rate" && key.is_numeric() => {
            even(report, shown, key, &values)
        }
        _ => extremes(report, shown, &values),
    })
}

/// A point with its mean.
type Value<'a> = (&'a Point, f64);

/// Describes where a side wins half of the encounters, or that it does so at no value.
fn even(report: &SweepReport, shown: &Shown, key: &Key, values: &[Value<'_>]) -> String {
    let (side, name) = (&shown.subject, short(&report.keys, 0));
    let labels = key.labels();
    let with_mean = |at: usize| format!("{} ({})", labels[at], report.mean_at(shown, at));
    let levels = values.iter();
    let played: Played = levels
        .filter_map(|(point, _)| Some((point.at[0], point.level(shown)?)))
        .collect();
    let exactly = at_level(report, shown, EVEN);
    let found = finding(&played, EVEN);
    let crossings = crossings(&found, &exactly);
    if !exactly.is_empty() && exactly.len() < values.len() {
        let places: Vec<&str> = exactly.iter().map(|&at| labels[at].as_str()).collect();
        let between = crossings.iter().map(|crossing| {
            let [from, to] = [crossing.from, crossing.to].map(with_mean);
            format!(", and between {from} and {to}")
        });
        let (places, between) = (places.join(", "), between.collect::<String>());
        return format!("{side}: even (50%) at {name} = {places}{between}.");
    }
    // A sample on one side of 50% does not prove that the true rate is on that side.
    let holds_even = |(_, level): &(&usize, &Level)| {
        let interval = level.interval;
        interval.is_some_and(|interval| (interval.low..=interval.high).contains(&EVEN))
    };
    let open: Vec<usize> = played
        .iter()
        .filter(holds_even)
        .map(|(at, _)| *at)
        .collect();
    if crossings.is_empty() || open.len() == values.len() {
        let is_at_level = !exactly.is_empty();
        return one_sided(report, shown, &labels, values, open.len(), is_at_level);
    }
    let pairs = crossings.iter().map(|crossing| {
        let ends = [crossing.from, crossing.to];
        ends.map(with_mean).join(" and ")
    });
    let times = match crossings.len() {
        1 => String::new(),
        many => format!(" {many} times:"),
    };
    let pairs = pairs.collect::<Vec<_>>().join(", between ");
    let doubt = match (open.iter().min(), open.iter().max()) {
        (Some(from), Some(to)) if from == to => format!("{name} = {}", labels[*from]),
        (Some(&from), Some(&to)) => format!("{name} = {} to {}", labels[from], labels[to]),
        _ => return format!("{side}: even (50%){times} between {name} = {pairs}."),
    };
    format!(
        "{side}: even (50%){times} between {name} = {pairs}; not told apart from even: {doubt}."
    )
}

/// Describes the win rate of a side that is not known to be on either side of 50% in turn. At `unsure` values it is not
/// told apart from 50%.
fn one_sided(
    report: &SweepReport,
    shown: &Shown,
    labels: &[String],
    values: &[Value<'_>],
    unsure: usize,
    is_at_level: bool,
) -> String {
    let (side, name) = (&shown.subject, short(&report.keys, 0));
    // An interrupted sweep has not played all values.
    let (each, of) = if values.len() < labels.len() {
        (
            "each",
            format!("of the {} values of {name} played", values.len()),
        )
    } else {
        ("every", format!("value of {name}"))
    };
    let [low, high] = ends(values);
    let rate = |(point, _): &Value<'_>| shown.estimate(point.summary(shown)).0;
    let is_unsure = unsure == values.len();
    if low.1 >= high.1 {
        let doubt = if is_unsure && !is_at_level {
            ", not told apart from even (50%)"
        } else {
            ""
        };
        return format!("{side} win {} at {each} {of}{doubt}.", rate(low));
    }
    let [from, to] =
        [low, high].map(|value| format!("{} at {}", rate(value), labels[value.0.at[0]]));
    if is_unsure {
        return format!("{side}: not told apart from even (50%) at any {of}: from {from} to {to}.");
    }
    let half = if values[0].1 < EVEN {
        "less than 50%"
    } else {
        "50% or more"
    };
    let doubt = match unsure {
        0 => "",
        _ => ", though not all are told apart from 50%",
    };
    format!("{side} win {half} at {each} {of}: from {from} to {to}{doubt}.")
}

/// Returns the lowest and the highest value, the first of equal ones.
fn ends<'a, 'b>(values: &'a [Value<'b>]) -> [&'a Value<'b>; 2] {
    let (mut low, mut high) = (&values[0], &values[0]);
    for value in values {
        if value.1 < low.1 {
            low = value;
        }
        if value.1 > high.1 {
            high = value;
        }
    }
    [low, high]
}

/// Describes the best and the worst point.
fn extremes(report: &SweepReport, shown: &Shown, values: &[Value<'_>]) -> String {
    let [low, high] = ends(values);
    let is_win = shown.metric.name == "win_rate";
    let what = if is_win {
        format!("{} win", shown.subject)
    } else {
        shown.title()
    };
    let colon = if is_win { "" } else { ":" };
    if low.1 >= high.1 {
        let (mean, _) = shown.estimate(low.0.summary(shown));
        return format!("{what}{colon} {mean} at every point.");
    }
    let place = |(point, value): &Value<'_>| {
        let (mean, _) = shown.estimate(point.summary(shown));
        let places = report.keys.iter().enumerate().map(|(index, key)| {
            let label = &key.labels()[point.at[index]];
            format!("{} = {label}", short(&report.keys, index))
        });
        let places: Vec<String> = places.collect();
        let alike = values
            .iter()
            .filter(|(_, other)| other.total_cmp(value).is_eq());
        let alike = match alike.count() as u64 - 1 {
            0 => String::new(),
            others => format!(", as at {}", counted(others, "other point")),
        };
        format!("{} ({mean}{alike})", places.join(", "))
    };
    let interval = |(point, _): &Value<'_>| point.summary(shown)?.interval;
    let apart = |one: Interval, other: Interval| one.high < other.low;
    let doubt = match (interval(low), interval(high)) {
        (Some(one), Some(other)) if !apart(one, other) => "; their intervals overlap",
        _ => "",
    };
    format!(
        "{what}{colon} most at {} and least at {}{doubt}.",
        place(high),
        place(low)
    )
}

/// Returns the name of a key in a sentence: its last word, or the whole name if another key has the same last word.
fn short(keys: &[Key], index: usize) -> &str {
    let last = |key: &Key| key.name.rsplit('.').next().unwrap_or_default().to_owned();
    let name = &keys[index].name;
    let same = keys.iter().filter(|key| last(key) == last(&keys[index]));
    if same.count() > 1 {
        name.strip_prefix("combatants.").unwrap_or(name)
    } else {
        name.rsplit('.').next().unwrap_or(name)
    }
}
