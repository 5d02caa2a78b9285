//! Quantiles of distributions, and intervals for them.

use super::binomial::Binomial;
use super::{Confidence, Interval, Memo, Point, memoized};
use crate::tally::{Distribution, ValueCount};

/// Returns the lowest value that at least `percent` per cent of the encounters do not exceed.
///
/// # Panics
/// If there are no encounters.
pub fn quantile(distribution: &Distribution, percent: u64) -> Point {
    let wanted = u128::from(percent) * u128::from(distribution.total());
    let rank = u64::try_from(wanted.div_ceil(100)).unwrap_or(u64::MAX);
    let entry = ranked(distribution, rank);
    Point {
        value: entry.value,
        encounter: entry.first,
    }
}

/// Returns an interval for a quantile, from 1 to 99 per cent. Its ends are two of the observed values, and it holds for
/// any distribution. `None` if there are too few encounters to close both ends: below six for a median at 95%.
///
/// The interval covers the true quantile with the probability of its level or more. The number of encounters at or
/// below the true quantile is binomial, so the ends are the values at the ranks that this number passes by chance with
/// half the error each: exact up to 2^40 encounters (a million million), by the normal approximation above. If many
/// encounters show the same value, the interval covers more, and it may have no width: then the neighbouring value is
/// far from being the quantile.
///
/// Source: W. R. Thompson, "On confidence ranges for the median", Annals of Mathematical Statistics
/// 7 (1936); for values that repeat, H. Scheffé and J. W. Tukey, "Non-parametric estimation" I,
/// Annals of Mathematical Statistics 16 (1945).
///
/// # Panics
/// If `percent` is not from 1 to 99.
pub fn quantile_interval(
    distribution: &Distribution,
    percent: u64,
    confidence: Confidence,
) -> Option<Interval> {
    let (low, high) = ranks(distribution.total(), percent, confidence)?;
    let end = |rank| f64::from(ranked(distribution, rank).value);
    Some(Interval::new(end(low), end(high)))
}

/// Returns the ranks between which the quantile lies; `None` if one end is open. They depend only on the number of
/// encounters, which is the same for all metrics of a report.
fn ranks(total: u64, percent: u64, confidence: Confidence) -> Option<(u64, u64)> {
    thread_local!(static MEMO: Memo<(u64, u64, u64), Option<(u64, u64)>> = Memo::default());
    let key = (total, percent, confidence.error().to_bits());
    memoized(&MEMO, key, || ranks_anew(total, percent, confidence))
}

fn ranks_anew(total: u64, percent: u64, confidence: Confidence) -> Option<(u64, u64)> {
    let below = Binomial::of_percent(total, percent);
    let tail = confidence.error() / 2.0;
    let low = below.lower_bound(tail)? + 1;
    let high = total - below.mirrored().lower_bound(tail)?;
    Some((low, high))
}

/// Returns the greatest rate of an event that all of `n` encounters miss with probability `error` or more:
/// Clopper and Pearson's upper bound for an event that never came.
///
/// An event of probability p is missed by n encounters with probability (1 - p)^n.
///
/// # Panics
/// If `n` is 0.
pub fn unseen(n: u64, error: f64) -> f64 {
    assert!(n > 0, "no encounters");
    -libm::expm1(libm::log(error) / n as f64)
}

/// Returns the entry with the given rank among all values, in rising order: the lowest value has rank 1.
fn ranked(distribution: &Distribution, rank: u64) -> &ValueCount {
    let mut cumulative = 0;
    let entries = distribution.entries();
    entries
        .iter()
        .find(|entry| {
            cumulative += entry.count;
            cumulative >= rank
        })
        .unwrap_or(&entries[entries.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::alike;

    #[test]
    fn kept_ranks_are_those_that_are_found_anew() {
        let levels = ["90%", "95%", "99.9%"].map(|level| level.parse::<Confidence>().unwrap());
        // Twice: first computed, then kept.
        for _ in 0..2 {
            for total in [3, 59, 100, 1000, 20_000] {
                for percent in [5, 25, 50, 75, 95] {
                    for level in levels {
                        let found = ranks(total, percent, level);
                        assert_eq!(found, ranks_anew(total, percent, level));
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_rarer_than_the_bound_may_have_been_missed() {
        for error in [0.25, 0.025, 5e-7] {
            for n in [1, 2, 10, 1000, 1_000_000] {
                let missed = libm::pow(1.0 - unseen(n, error), n as f64);
                assert!(alike(missed, error, 1e-8), "{n}: {missed}");
            }
        }
        // About 3.7 in a million for a million encounters; close to 0, but never 0, for very many.
        assert!(alike(unseen(1_000_000, 0.025), 3.688_872_65e-6, 1e-8));
        assert!(unseen(1 << 60, 0.025) > 0.0);
    }
}
