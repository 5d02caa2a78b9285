//! A sentence that says which variant wins most.
//!
//! Sides and variants have any names, so no sentence gives a name a verb.

use super::RunReport;
use super::chart::Unit;
use super::comparisons::{Comparisons, Row, Statistic};
use crate::scenario::BASE;
use crate::stats::{Interval, Summary};
use std::cmp::Ordering;
use std::fmt::Write as _;

/// Lists with more names than this are shortened.
const NAMED: usize = 8;

/// The answer if the intervals of all variants overlap.
const ALL_OVERLAP: &str = "the intervals of all variants overlap";

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
    let (side, ranked) = rates(report)?;
    Ranking::new(side, ranked)?.sentence()
}

/// Returns the sentence for a run of one variant or several.
pub(super) fn headline(report: &RunReport) -> Option<String> {
    let (side, ranked) = rates(report)?;
    let [only] = &ranked[..] else {
        return Ranking::new(side, ranked)?.sentence();
    };
    let rate = Unit::Share.in_words(only.rate, Some(only.interval));
    Some(format!("Wins of {side}: {rate}."))
}

/// Returns the first side of a run, and how often it wins in each variant.
fn rates(report: &RunReport) -> Option<(&str, Vec<Ranked<'_>>)> {
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
    Some((side, ranked.collect()))
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

    /// Names the best variant and the worst, those that are not told apart from the best, and the fight as written.
    pub(super) fn sentence(&self) -> Option<String> {
        let (side, ranked) = (self.side, &self.ranked);
        // What is solved differs from its bounds by rounding alone.
        let known = |one: &Ranked<'_>| Some(one.interval).filter(|one| one.half_width() > 1e-12);
        let rate = |one: &Ranked<'_>| Unit::Share.estimate(one.rate, known(one)).0;
        let [best, between @ .., worst] = &ranked[..] else {
            return None;
        };
        if self.is_level() {
            let named = |one: &Ranked<'_>| format!("{} {}", as_written(one.variant), rate(one));
            let all = listed(&ranked.iter().map(named).collect::<Vec<_>>());
            let alike = if self.is_solved() {
                format!("all variants are alike ({all})")
            } else {
                format!("{ALL_OVERLAP} ({all}); `skirmish compare` tells more apart")
            };
            return Some(format!("Wins of {side}: {alike}."));
        }
        let [more, less] = [best, worst].map(|one| (with(one.variant), rate(one)));
        let mut text = match between {
            [] => format!("{} {} instead of {} {}", more.1, more.0, less.1, less.0),
            _ => format!("most {}, {}; fewest {}, {}", more.0, more.1, less.0, less.1),
        };
        if let Some(written) = between.iter().find(|one| one.variant == BASE) {
            let _ = write!(text, "; as written {}", rate(written));
        }
        let is_rival = |one: &&Ranked<'_>| one.interval.high >= best.interval.low;
        let rivals = ranked[1..].iter().filter(is_rival);
        let rivals: Vec<String> = rivals.map(|one| as_written(one.variant)).collect();
        if !rivals.is_empty() {
            let apart = if self.is_solved() {
                "alike"
            } else {
                "intervals overlap with the most"
            };
            let _ = write!(text, "; {apart}: {}", listed(&rivals));
        }
        Some(format!("Wins of {side}: {text}."))
    }

    /// Returns whether the intervals of all variants overlap, so that no variant can be said to win most.
    fn is_level(&self) -> bool {
        let lowest = self.ranked.iter().map(|one| one.interval.high);
        let highest = self.ranked.iter().map(|one| one.interval.low);
        highest.fold(0.0, f64::max) <= lowest.fold(1.0, f64::min)
    }

    /// Returns whether all rates are exact but for rounding: then variants whose intervals overlap are alike.
    fn is_solved(&self) -> bool {
        let mut ranked = self.ranked.iter();
        ranked.all(|one| one.interval.is_rounding(one.rate))
    }
}

/// Returns the sentence for a comparison: the effect of the variants on the win rate of the first side, from the best
/// to the worst. Returns `None` if win rates are not compared.
pub(super) fn of_comparisons(all: &Comparisons) -> Option<String> {
    let is_win = |row: &&Row| row.metric.name == "win_rate" && row.statistic == Statistic::Mean;
    let mut rows = all.variants.iter().flat_map(|one| &one.differences);
    let side = &rows.find(is_win)?.subject;
    let baseline = as_written(&all.baseline);
    let worth = |row: &Row| row.difference.difference;
    let rows = all.variants.iter().filter_map(|variant| {
        let mut rows = variant.differences.iter().filter(is_win);
        let row = rows.find(|row| row.subject == *side)?;
        Some((variant.name.as_str(), row))
    });
    // For all rows of the comparison together: of many variants a few intervals miss.
    let is_known =
        |(_, row): &(&str, &Row)| row.difference.is_apart(row.p_adjusted, all.confidence);
    let (mut known, alike): (Vec<_>, Vec<_>) = rows.partition(is_known);
    known.sort_by(|(_, one), (_, other)| worth(other).total_cmp(&worth(one)));
    let gap = |(name, row): &(&str, &Row)| format!("{} {}", as_written(name), row.gap());
    let gaps = |all: &[(&str, &Row)]| listed(&all.iter().map(gap).collect::<Vec<_>>());
    let names = |all: &[(&str, &Row)]| {
        let names = all.iter().map(|(name, _)| as_written(name));
        listed(&names.collect::<Vec<_>>())
    };
    let none = if alike.iter().any(|(_, row)| row.difference.is_open()) {
        "not decided by the bounds"
    } else {
        "no difference found"
    };
    let mut text = match known.as_slice() {
        [] => format!(
            "Wins of {side}: {none} between {baseline} and {}",
            names(&alike)
        ),
        [(name, only)] if all.variants.len() == 1 => {
            let way = if worth(only) > 0.0 { "helps" } else { "hurts" };
            let (gap, values) = (only.gap(), only.values());
            let (name, baseline) = (capital(&as_written(name)), with(&all.baseline));
            format!("{name} {way} {side}: {values} {baseline} ({gap})")
        }
        [(name, best), ..] if worth(best) > 0.0 => {
            let better = known.partition_point(|(_, row)| worth(row) > 0.0);
            let (better, worse) = known.split_at(better);
            // All of these differ from the baseline, but not always from one another or from the rest.
            let mut rivals = better[1..].iter().chain(&alike);
            let is_best = rivals.all(|(_, rival)| are_apart(rival, best));
            let mut text = if is_best {
                let gap = best.gap();
                format!(
                    "Wins of {side}: most {}, {gap} against {baseline}",
                    with(name)
                )
            } else {
                format!("Wins of {side}: more than {baseline}: {}", gaps(better))
            };
            if is_best && better.len() > 1 {
                let _ = write!(text, "; also more: {}", gaps(&better[1..]));
            }
            if !worse.is_empty() {
                let _ = write!(text, "; fewer: {}", gaps(worse));
            }
            text
        }
        others if alike.is_empty() => {
            format!(
                "Wins of {side}: most {}; fewer: {}",
                with(&all.baseline),
                gaps(others)
            )
        }
        others => format!(
            "Wins of {side}: no variant is known to have more than {baseline}; fewer: {}",
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

/// Returns the name of a variant in a sentence. The file itself has none.
pub(super) fn as_written(variant: &str) -> String {
    match variant {
        BASE => "as written".to_owned(),
        variant => quoted(variant),
    }
}

/// Returns the words for fights of a variant.
fn with(variant: &str) -> String {
    match variant {
        BASE => as_written(variant),
        variant => format!("with {}", quoted(variant)),
    }
}

/// Capitalizes the first letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Quotes a name that contains a separator of the list.
fn quoted(name: &str) -> String {
    if name.contains([',', ';', ':']) {
        format!("\"{name}\"")
    } else {
        name.to_owned()
    }
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
    fn the_best_and_the_worst_variant_are_named_and_those_like_the_best() {
        assert_eq!(sentence(&[("base", 0.5, 0.1)]), None);
        assert_eq!(sentence(&[("base", 0.0, 0.1), ("axe", 0.0, 0.1)]), None);
        let all = [
            ("base", 0.5, 0.01),
            ("axe", 0.9, 0.01),
            ("bow, far", 0.2, 0.01),
        ];
        assert_eq!(
            sentence(&all).unwrap(),
            "Wins of heroes: most with axe, 90.0%; fewest with \"bow, far\", 20.0%; as written 50.0%."
        );
        assert_eq!(
            sentence(&all[..2]).unwrap(),
            "Wins of heroes: 90.0% with axe instead of 50.0% as written."
        );
        assert_eq!(
            sentence(&[("base", 0.5, 0.02), ("axe", 0.51, 0.02)]).unwrap(),
            "Wins of heroes: the intervals of all variants overlap (axe 51%, as written 50%); `skirmish compare` tells \
             more apart."
        );
        // The second overlaps both its neighbours, and the third does not overlap the first.
        assert_eq!(
            sentence(&[
                ("a", 0.50, 0.02),
                ("b", 0.47, 0.02),
                ("c", 0.44, 0.02),
                ("d", 0.1, 0.01)
            ])
            .unwrap(),
            "Wins of heroes: most with a, 50%; fewest with d, 10.0%; intervals overlap with the most: b."
        );
    }

    #[test]
    fn solved_variants_that_differ_by_rounding_are_alike() {
        let arm = 1e-13;
        assert_eq!(
            sentence(&[("a", 0.5 + 1e-14, arm), ("b", 0.5, arm)]).unwrap(),
            "Wins of heroes: all variants are alike (a 50.00%, b 50%)."
        );
        assert_eq!(
            sentence(&[("a", 0.75, arm), ("b", 0.75, arm), ("c", 0.5, arm)]).unwrap(),
            "Wins of heroes: most with a, 75%; fewest with c, 50%; alike: b."
        );
    }

    #[test]
    fn a_hundred_variants_are_not_all_named() {
        let names: Vec<String> = (0..100).map(|index| format!("v{index}")).collect();
        let all = names.iter().enumerate();
        let all: Vec<(&str, f64, f64)> = all
            .map(|(index, name)| (name.as_str(), index as f64 / 1000.0, 0.03))
            .collect();
        assert_eq!(
            sentence(&all).unwrap(),
            "Wins of heroes: most with v99, 10%; fewest with v0, 0%; intervals overlap with the most: v98, v97, v96, v95, \
             55 more, and last v39."
        );
    }
}
