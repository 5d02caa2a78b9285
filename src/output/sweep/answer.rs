//! The first sentence of a sweep: where a fight is even, or where it is best and worst.

use super::{Key, Point, Shown, SweepReport, at_level, crossings};
use crate::report::number::counted;
use crate::stats::Interval;
use crate::stats::threshold::{Played, finding};

/// The rate at which a fight of two sides is even.
const EVEN: f64 = 0.5;

/// Returns the answer for one metric. Returns `None` if fewer than two points were played, or if the crossing of a
/// threshold is the answer.
pub(super) fn answer(report: &SweepReport, shown: &Shown) -> Option<String> {
    if report.threshold.is_some() {
        return None;
    }
    let values = report.points.iter().filter_map(|point| {
        let mean = point.summary(shown)?.mean?;
        Some(Value { point, mean })
    });
    let values: Vec<Value<'_>> = values.collect();
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
struct Value<'a> {
    point: &'a Point,
    mean: f64,
}

/// Describes where a side wins half of the encounters, or that it does so at no value.
fn even(report: &SweepReport, shown: &Shown, key: &Key, values: &[Value<'_>]) -> String {
    let (side, name) = (&shown.subject, short(&report.keys, 0));
    let levels = values.iter();
    let levels = levels.filter_map(|value| Some((value.point.at[0], value.point.level(shown)?)));
    let played: Played = levels.collect();
    let labels = key.labels();
    let told = |at: usize| format!("{} ({})", labels[at], report.mean_at(shown, at));
    let exactly = at_level(report, shown, EVEN);
    let found = finding(&played, EVEN);
    let crossings = crossings(&found, &exactly);
    // A sample on one side of 50% does not prove that the true rate is on that side.
    let holds_even = |value: &&Value<'_>| {
        let interval = value.point.summary(shown).and_then(|all| all.interval);
        interval.is_some_and(|interval| (interval.low..=interval.high).contains(&EVEN))
    };
    let open = values.iter().filter(holds_even);
    let open: Vec<usize> = open.map(|value| value.point.at[0]).collect();
    let unsure = open.len();
    let doubt = match (open.iter().min(), open.iter().max()) {
        (Some(&from), Some(&to)) => {
            let (from, to) = (&labels[from], &labels[to]);
            let all = if from == to {
                from.clone()
            } else {
                format!("{from} to {to}")
            };
            format!("; not told apart from even: {name} = {all}")
        }
        _ => String::new(),
    };
    if !exactly.is_empty() && exactly.len() < values.len() {
        let places: Vec<&str> = exactly.iter().map(|&at| labels[at].as_str()).collect();
        let between = crossings.iter().map(|one| {
            let [from, to] = [one.from, one.to].map(told);
            format!(", and between {from} and {to}")
        });
        let (places, between) = (places.join(", "), between.collect::<String>());
        return format!("{side}: even (50%) at {name} = {places}{between}.");
    }
    let pairs = crossings.iter().filter(|_| unsure < values.len());
    let pairs = pairs.map(|one| [one.from, one.to].map(told).join(" and "));
    let pairs: Vec<String> = pairs.collect();
    match pairs.as_slice() {
        [] => {
            // An interrupted sweep has not played all values.
            let (each, of) = if values.len() < labels.len() {
                let of = format!("of the {} values of {name} played", values.len());
                ("each", of)
            } else {
                ("every", format!("value of {name}"))
            };
            let everywhere = format!("at {each} {of}");
            let [low, high] = ends(values);
            let told = |value: &Value<'_>| shown.estimate(value.point.summary(shown)).0;
            if low.mean >= high.mean {
                let doubt = if unsure < values.len() || !exactly.is_empty() {
                    ""
                } else {
                    ", not told apart from even (50%)"
                };
                return format!("{side} win {} {everywhere}{doubt}.", told(low));
            }
            let [from, to] = [low, high]
                .map(|value| format!("{} at {}", told(value), labels[value.point.at[0]]));
            if unsure == values.len() {
                return format!(
                    "{side}: not told apart from even (50%) at any {of}: from {from} to {to}."
                );
            }
            let rate = if values[0].mean < EVEN {
                "less than 50%"
            } else {
                "50% or more"
            };
            let doubt = if unsure == 0 {
                ""
            } else {
                ", though not all are told apart from 50%"
            };
            format!("{side} win {rate} {everywhere}: from {from} to {to}{doubt}.")
        }
        [only] => format!("{side}: even (50%) between {name} = {only}{doubt}."),
        many => format!(
            "{side}: even (50%) {} times: between {name} = {}{doubt}.",
            many.len(),
            many.join(", between ")
        ),
    }
}

/// Returns the lowest and the highest value, the first of equal ones.
fn ends<'a, 'b>(values: &'a [Value<'b>]) -> [&'a Value<'b>; 2] {
    let (mut low, mut high) = (&values[0], &values[0]);
    for value in values {
        if value.mean < low.mean {
            low = value;
        }
        if value.mean > high.mean {
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
    if low.mean >= high.mean {
        let (mean, _) = shown.estimate(low.point.summary(shown));
        return format!("{what}{colon} {mean} at every point.");
    }
    let told = |value: &Value<'_>| {
        let (mean, _) = shown.estimate(value.point.summary(shown));
        let places = report.keys.iter().enumerate().map(|(index, key)| {
            let label = &key.labels()[value.point.at[index]];
            format!("{} = {label}", short(&report.keys, index))
        });
        let places: Vec<String> = places.collect();
        let alike = values
            .iter()
            .filter(|other| other.mean.total_cmp(&value.mean).is_eq());
        let alike = match alike.count() as u64 - 1 {
            0 => String::new(),
            others => format!(", as at {}", counted(others, "other point")),
        };
        format!("{} ({mean}{alike})", places.join(", "))
    };
    let interval = |value: &Value<'_>| value.point.summary(shown)?.interval;
    let apart = |one: Interval, other: Interval| one.high < other.low;
    let doubt = match (interval(low), interval(high)) {
        (Some(one), Some(other)) if !apart(one, other) => "; their intervals overlap",
        _ => "",
    };
    format!(
        "{what}{colon} most at {} and least at {}{doubt}.",
        told(high),
        told(low)
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
