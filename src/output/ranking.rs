//! A sentence that says which variant wins most.

use super::RunReport;
use super::chart::Unit;
use super::comparisons::{Comparisons, Row, Statistic};
use crate::report::number::counted;
use crate::stats::{Interval, Summary};
use std::cmp::Ordering;
use std::fmt::Write as _;

/// Lists with more names than this are shortened.
const NAMED: usize = 8;

/// The answer if the intervals of all variants overlap.
pub(super) const ALL_OVERLAP: &str = "the intervals of all variants overlap";

/// A variant with the win rate of the ranked side.
pub(super) struct Ranked<'a> {
    pub(super) variant: &'a str,
    pub(super) rate: f64,
    pub(super) interval: Interval,
}

/// Variants in order of win rate, the best first.
pub(super) struct Ranking<'a> {
    /// The side whose win rate ranks the variants.
    side: &'a str,
    pub(super) ranked: Vec<Ranked<'a>>,
}

/// Returns the sentence for a run of several variants: how often its first side wins in each variant.
pub(super) fn of_report(report: &RunReport) -> Option<String> {
    let side = report.variants.first()?.tally.sides().first()?;
    let ranked = report.variants.iter().filter_map(|variant| {
        let tally = &variant.tally;
        let metric = tally.metric("win_rate")?;
        let index = tally.sides().iter().position(|name| name == side)?;
        let summary = Summary::of_metric(tally, metric, index, report.confidence);
        Some(Ranked {
            variant: &variant.name,
            rate: summary.mean?,
            interval: summary.interval?,
        })
    });
    Ranking::new(side, ranked.collect())?.sentence()
}

impl<'a> Ranking<'a> {
    /// Ranks variants by the win rate of a side. Returns `None` for fewer than two variants, or if all rates are equal.
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
            let (rate, _) = Unit::Share.estimate(one.rate, Some(one.interval));
            format!("{} {rate}", quoted(one.variant))
        };
        if self.is_level() {
            let all: Vec<String> = ranked.iter().map(told).collect();
            let all = listed(&all);
            return Some(if self.is_solved() {
                format!("{side}: all variants are alike ({all}).")
            } else {
                format!("{side}: {ALL_OVERLAP} ({all}); `skirmish compare` tells more apart.")
            });
        }
        let (first, others) = ranked.split_first()?;
        let (rate, _) = Unit::Share.estimate(first.rate, Some(first.interval));
        let head = format!("{side} win most with {}: {rate}", quoted(first.variant));
        let others: Vec<String> = others.iter().map(told).collect();
        let alike = self.indistinguishable();
        let alike = match alike {
            None => String::new(),
            Some(alike) if self.is_solved() => format!("; {alike}"),
            Some(alike) => format!("; {alike} (`skirmish compare` tells more apart)"),
        };
        Some(format!("{head}; then {}{alike}.", listed(&others)))
    }

    /// Returns whether the intervals of all variants overlap, so that no variant can be said to win most.
    pub(super) fn is_level(&self) -> bool {
        alike(&self.ranked)
            .first()
            .is_some_and(|group| group.len() == self.ranked.len())
    }

    /// Returns whether all rates are exact but for rounding: then variants whose intervals overlap are alike.
    fn is_solved(&self) -> bool {
        let mut ranked = self.ranked.iter();
        ranked.all(|one| one.interval.is_rounding(one.rate))
    }

    /// Names the variants whose intervals overlap.
    ///
    /// Variants use the same dice, so overlapping intervals do not prove that there is no difference: `skirmish
    /// compare` distinguishes more of them.
    pub(super) fn indistinguishable(&self) -> Option<String> {
        let named = |group: &[Ranked<'_>]| {
            let names: Vec<String> = group.iter().map(|one| quoted(one.variant)).collect();
            match &names[..] {
                [names @ .., last] if names.len() < NAMED => {
                    format!("{} and {last}", names.join(", "))
                }
                [first, .., last] => format!("{first} to {last}"),
                _ => String::new(),
            }
        };
        let groups: Vec<String> = alike(&self.ranked).into_iter().map(named).collect();
        let more = match groups.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; {}", counted(more as u64, "more group")),
        };
        let shown = &groups[..groups.len().min(NAMED)];
        let what = if self.is_solved() {
            "alike"
        } else {
            "intervals overlap"
        };
        (!groups.is_empty()).then(|| format!("{what}: {}{more}", shown.join("; ")))
    }
}

/// Returns the sentence for a comparison: the effect of the variants on the win rate of the first side, from the best
/// to the worst. Returns `None` if win rates are not compared.
pub(super) fn of_comparisons(all: &Comparisons) -> Option<String> {
    let is_win = |row: &&Row| row.metric.name == "win_rate" && row.statistic == Statistic::Mean;
    let mut rows = all.variants.iter().flat_map(|one| &one.differences);
    let side = &rows.find(is_win)?.subject;
    let baseline = quoted(&all.baseline);
    let worth = |row: &Row| row.difference.difference;
    let rows = all.variants.iter().filter_map(|variant| {
        let mut rows = variant.differences.iter().filter(is_win);
        let row = rows.find(|row| row.subject == *side)?;
        Some((quoted(&variant.name), row))
    });
    // For all rows of the comparison together: of many variants a few intervals miss.
    let is_known =
        |(_, row): &(String, &Row)| row.difference.is_apart(row.p_adjusted, all.confidence);
    let (mut known, alike): (Vec<_>, Vec<_>) = rows.partition(is_known);
    known.sort_by(|(_, one), (_, other)| worth(other).total_cmp(&worth(one)));
    let gap = |(name, row): &(String, &Row)| format!("{name} {}", row.gap());
    let gaps = |all: &[(String, &Row)]| listed(&all.iter().map(gap).collect::<Vec<_>>());
    let names = |all: &[(String, &Row)]| {
        let names = all.iter().map(|(name, _)| name.clone());
        listed(&names.collect::<Vec<_>>())
    };
    let none = if alike.iter().any(|(_, row)| row.difference.is_open()) {
        "not decided by the bounds"
    } else {
        "no difference found"
    };
    let mut text = match known.as_slice() {
        [] => format!("{side}: {none} between {baseline} and {}", names(&alike)),
        [(name, only)] if all.variants.len() == 1 => {
            let way = if worth(only) > 0.0 { "better" } else { "worse" };
            let (gap, values) = (only.gap(), only.values());
            format!("{name} is {way} for {side} than {baseline}: {gap} ({values})")
        }
        [(name, best), ..] if worth(best) > 0.0 => {
            let better = known.partition_point(|(_, row)| worth(row) > 0.0);
            let (better, worse) = known.split_at(better);
            // All of these differ from the baseline, but not always from one another or from the rest.
            let mut rivals = better[1..].iter().chain(&alike);
            let is_best = rivals.all(|(_, rival)| are_apart(rival, best));
            let mut text = if is_best {
                let gap = best.gap();
                format!("{side} win most with {name}: {gap} against {baseline}")
            } else {
                format!("{side} win more than with {baseline}: {}", gaps(better))
            };
            if is_best && better.len() > 1 {
                let _ = write!(text, "; also more: {}", gaps(&better[1..]));
            }
            if !worse.is_empty() {
                let _ = write!(text, "; less: {}", gaps(worse));
            }
            text
        }
        others if alike.is_empty() => {
            format!("{side} win most with {baseline}; less: {}", gaps(others))
        }
        others => format!(
            "no variant is known to be better for {side} than {baseline}; less: {}",
            gaps(others)
        ),
    };
    if !known.is_empty() && !alike.is_empty() {
        let _ = write!(text, "; {none} for {}", names(&alike));
    }
    Some(text + ".")
}

/// Whether the interval of one difference lies below the interval of the other. Missing intervals count as apart.
fn are_apart(lower: &Row, higher: &Row) -> bool {
    let intervals = lower.difference.interval.zip(higher.difference.interval);
    intervals.is_none_or(|(lower, higher)| lower.high < higher.low)
}

/// Joins names; a long list is shortened in the middle.
fn listed(all: &[String]) -> String {
    match all {
        [first @ .., last] if all.len() >= NAMED => {
            let shown = &first[..NAMED / 2];
            let between = first.len() - shown.len();
            format!("{}, {between} more, and last {last}", shown.join(", "))
        }
        _ => all.join(", "),
    }
}

/// Quotes a name that contains a separator of the list.
fn quoted(name: &str) -> String {
    if name.contains([',', ';', ':']) {
        format!("\"{name}\"")
    } else {
        name.to_owned()
    }
}

/// Returns the largest groups of neighbours in the ranking whose intervals all overlap.
fn alike<'a, 'b>(ranked: &'a [Ranked<'b>]) -> Vec<&'a [Ranked<'b>]> {
    let mut groups = Vec::new();
    let mut reached = 0;
    for (start, one) in ranked.iter().enumerate() {
        let (mut low, mut high) = (one.interval.low, one.interval.high);
        let overlap = |other: &&Ranked<'_>| {
            low = low.max(other.interval.low);
            high = high.min(other.interval.high);
            low <= high
        };
        let end = start + ranked[start..].iter().take_while(overlap).count();
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

    fn sentence(variants: &[(&str, f64, f64)]) -> Option<String> {
        let ranked = variants.iter().map(|&(variant, rate, arm)| Ranked {
            variant,
            rate,
            interval: Interval {
                low: rate - arm,
                high: rate + arm,
            },
        });
        Ranking::new("heroes", ranked.collect())?.sentence()
    }

    #[test]
    fn variants_are_ranked_and_those_alike_are_named() {
        assert_eq!(sentence(&[("base", 0.5, 0.1)]), None);
        assert_eq!(sentence(&[("base", 0.0, 0.1), ("axe", 0.0, 0.1)]), None);
        assert_eq!(
            sentence(&[
                ("base", 0.2, 0.01),
                ("axe", 0.9, 0.01),
                ("bow, far", 0.5, 0.01)
            ])
            .unwrap(),
            "heroes win most with axe: 90.0%; then \"bow, far\" 50.0%, base 20.0%."
        );
        assert_eq!(
            sentence(&[("base", 0.5, 0.02), ("axe", 0.51, 0.02)]).unwrap(),
            "heroes: the intervals of all variants overlap (axe 51%, base 50%); `skirmish compare` tells \
             more apart."
        );
        // The intervals of the first and the third do not overlap; the second overlaps both.
        assert_eq!(
            sentence(&[
                ("a", 0.50, 0.02),
                ("b", 0.47, 0.02),
                ("c", 0.44, 0.02),
                ("d", 0.1, 0.01)
            ])
            .unwrap(),
            "heroes win most with a: 50%; then b 47%, c 44%, d 10.0%; intervals overlap: a and b; b and c (`skirmish \
             compare` tells more apart)."
        );
        // The intervals of the second and the third do not overlap; the first overlaps both.
        assert_eq!(
            sentence(&[("a", 0.52, 0.1), ("b", 0.49, 0.03), ("c", 0.40, 0.03)]).unwrap(),
            "heroes win most with a: 52%; then b 49%, c 40%; intervals overlap: a and b (`skirmish compare` tells more \
             apart)."
        );
    }

    #[test]
    fn solved_variants_that_differ_by_rounding_are_alike() {
        let arm = 1e-13;
        assert_eq!(
            sentence(&[("a", 0.5 + 1e-14, arm), ("b", 0.5, arm)]).unwrap(),
            "heroes: all variants are alike (a 50.000000%, b 50%)."
        );
        assert_eq!(
            sentence(&[("a", 0.75, arm), ("b", 0.5, arm), ("c", 0.5, arm)]).unwrap(),
            "heroes win most with a: 75%; then b 50%, c 50%; alike: b and c."
        );
    }

    #[test]
    fn the_many_overlaps_of_sixty_variants_are_counted() {
        let names: Vec<String> = (0..60).map(|index| format!("v{index}")).collect();
        let all = names.iter().enumerate();
        let all = all.map(|(index, name)| (name.as_str(), index as f64 / 100.0, 0.008));
        let told = sentence(&all.collect::<Vec<_>>()).unwrap();
        let (_, overlaps) = told.split_once("intervals overlap: ").unwrap();
        let expected = "v59 and v58; v58 and v57; v57 and v56; v56 and v55; v55 and v54; v54 and v53; v53 and v52; \
                        v52 and v51; 51 more groups (";
        assert!(overlaps.starts_with(expected), "{overlaps}");
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
            sentence(&all).unwrap(),
            "heroes win most with v99: 99.00%; then v98 98.00%, v97 97.00%, v96 96.00%, v95 95.00%, \
             94 more, and last v0 0%."
        );
    }
}
