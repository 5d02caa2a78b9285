//! Which variant wins most, in a sentence.

use super::{Report, percents};
use crate::stats::{Interval, Summary};
use std::cmp::Ordering;

/// More variants than these are not all named.
const NAMED: usize = 8;

/// A variant with the win rate of the side that is ranked.
pub(super) struct Ranked<'a> {
    pub(super) variant: &'a str,
    pub(super) rate: f64,
    pub(super) interval: Interval,
}

/// Variants, the best first.
pub(super) struct Ranking<'a> {
    /// The side whose win rate ranks them.
    side: &'a str,
    pub(super) ranked: Vec<Ranked<'a>>,
}

/// The sentence for a run of several variants: how often its first side wins in each.
pub(super) fn of_report(report: &Report) -> Option<String> {
    let side = report.variants.first()?.tally.sides().first()?;
    let ranked = report.variants.iter().filter_map(|variant| {
        let tally = &variant.tally;
        let metric = tally.metric("win_rate")?;
        let index = tally.sides().iter().position(|name| name == side)?;
        let distribution = tally.distribution(metric, index);
        let summary = Summary::of(&distribution, metric.kind, report.confidence);
        Some(Ranked {
            variant: &variant.name,
            rate: summary.mean?,
            interval: summary.interval?,
        })
    });
    ranking(side, ranked.collect())
}

/// The ranking as a sentence, if there is one.
fn ranking(side: &str, ranked: Vec<Ranked<'_>>) -> Option<String> {
    Ranking::new(side, ranked)?.sentence()
}

impl<'a> Ranking<'a> {
    /// Ranks variants by the win rate of a side. Nothing if there are not several, or all have the same rate.
    pub(super) fn new(side: &'a str, mut ranked: Vec<Ranked<'a>>) -> Option<Self> {
        ranked.sort_by(|one, other| other.rate.partial_cmp(&one.rate).unwrap_or(Ordering::Equal));
        let apart = match &ranked[..] {
            [first, .., last] => last.rate < first.rate,
            _ => false,
        };
        apart.then_some(Self { side, ranked })
    }

    fn sentence(&self) -> Option<String> {
        let (side, ranked) = (self.side, &self.ranked);
        let told = |one: &Ranked<'_>| {
            let (rate, ..) = percents(one.rate, one.interval);
            format!("{} {rate}", quoted(one.variant))
        };
        let (first, others) = ranked.split_first()?;
        let (rate, ..) = percents(first.rate, first.interval);
        let head = format!("{side} win most with {}: {rate}", quoted(first.variant));
        let shown = if ranked.len() > NAMED {
            NAMED / 2
        } else {
            others.len()
        };
        let mut list: Vec<String> = others[..shown].iter().map(told).collect();
        if let Some(last) = others[shown..].last() {
            let between = others.len() - shown - 1;
            list.push(format!("{between} more, and last {}", told(last)));
        }
        let mut text = format!("{head}; then {}", list.join(", "));
        if let Some(alike) = self.indistinguishable() {
            text.push_str("; ");
            text.push_str(&alike);
        }
        text.push('.');
        Some(text)
    }

    /// Names those whose intervals overlap.
    ///
    /// Variants play on the same luck, so intervals that overlap do not prove that there is no difference:
    /// `skirmish compare` tells more of them apart.
    pub(super) fn indistinguishable(&self) -> Option<String> {
        let groups = alike(&self.ranked);
        let groups: Vec<String> = groups
            .iter()
            .map(|group| {
                let names: Vec<String> = group.iter().map(|one| quoted(one.variant)).collect();
                match &names[..] {
                    [names @ .., last] if names.len() < NAMED => {
                        format!("{} and {last}", names.join(", "))
                    }
                    [first, .., last] => format!("{first} to {last}"),
                    _ => String::new(),
                }
            })
            .collect();
        (!groups.is_empty()).then(|| format!("not distinguishable: {}", groups.join("; ")))
    }
}

/// A name that commas do not tear apart.
fn quoted(name: &str) -> String {
    if name.contains([',', ';', ':']) {
        format!("\"{name}\"")
    } else {
        name.to_owned()
    }
}

/// The largest groups of neighbours in the ranking whose intervals all overlap.
fn alike<'a, 'b>(ranked: &'a [Ranked<'b>]) -> Vec<&'a [Ranked<'b>]> {
    let mut groups = Vec::new();
    let mut reached = 0;
    for (start, one) in ranked.iter().enumerate() {
        let overlap = |other: &Ranked<'_>| other.interval.high >= one.interval.low;
        let end = start
            + ranked[start..]
                .iter()
                .take_while(|other| overlap(other))
                .count();
        if end > reached && end - start > 1 {
            groups.push(&ranked[start..end]);
        }
        reached = reached.max(end);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(variants: &[(&str, f64, f64)]) -> Option<String> {
        let ranked = variants.iter().map(|&(variant, rate, arm)| Ranked {
            variant,
            rate,
            interval: Interval {
                low: rate - arm,
                high: rate + arm,
            },
        });
        ranking("heroes", ranked.collect())
    }

    #[test]
    fn variants_are_ranked_and_those_alike_are_named() {
        assert_eq!(told(&[("base", 0.5, 0.1)]), None);
        assert_eq!(told(&[("base", 0.0, 0.1), ("axe", 0.0, 0.1)]), None);
        assert_eq!(
            told(&[
                ("base", 0.2, 0.01),
                ("axe", 0.9, 0.01),
                ("bow, far", 0.5, 0.01)
            ])
            .unwrap(),
            "heroes win most with axe: 90.0%; then \"bow, far\" 50.0%, base 20.0%."
        );
        // The first and the third do not overlap, the second overlaps both.
        assert_eq!(
            told(&[
                ("a", 0.50, 0.02),
                ("b", 0.47, 0.02),
                ("c", 0.44, 0.02),
                ("d", 0.1, 0.01)
            ])
            .unwrap(),
            "heroes win most with a: 50%; then b 47%, c 44%, d 10.0%; not distinguishable: a and b; b and c."
        );
    }

    #[test]
    fn a_hundred_variants_are_not_all_named() {
        let names: Vec<String> = (0..100).map(|index| format!("v{index}")).collect();
        let all: Vec<(&str, f64, f64)> = names
            .iter()
            .enumerate()
            .map(|(index, name)| (name.as_str(), index as f64 / 100.0, 0.001))
            .collect();
        assert_eq!(
            told(&all).unwrap(),
            "heroes win most with v99: 99.00%; then v98 98.00%, v97 97.00%, v96 96.00%, v95 95.00%, \
             94 more, and last v0 0%."
        );
    }
}
