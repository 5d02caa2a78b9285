//! Quantiles of distributions, and intervals for them.

use super::binomial::Binomial;
use super::{Confidence, Interval, Point};
use crate::tally::{Distribution, Entry};

/// The lowest value that at least so many per cent of the encounters do not exceed.
///
/// # Panics
/// If there are no encounters.
#[must_use]
pub fn quantile(distribution: &Distribution, percent: u64) -> Point {
    let wanted = u128::from(percent) * u128::from(distribution.total());
    let rank = u64::try_from(wanted.div_ceil(100)).unwrap_or(u64::MAX);
    let entry = ranked(distribution, rank);
    Point {
        value: entry.value,
        encounter: entry.first,
    }
}

/// An interval for a quantile, from 1 to 99 per cent: between two of the values that came, no matter
/// how values are spread. `None` if so few encounters leave one end open: below six for a median at
/// 95%.
///
/// It covers the true quantile with the probability of its level or more. How many encounters stay
/// at or below the true quantile is binomial, so the ends are the values at those ranks that it
/// passes by chance with half the error each: exact up to 2^40 encounters (a million million), by the
/// normal approximation above. Where many encounters show the same value it covers more, and may
/// have no width: then the value next to it is far from being the quantile.
///
/// Source: W. R. Thompson, "On confidence ranges for the median", Annals of Mathematical Statistics
/// 7 (1936); for values that repeat, H. Scheffé and J. W. Tukey, "Non-parametric estimation" I,
/// Annals of Mathematical Statistics 16 (1945).
///
/// # Panics
/// If `percent` is not from 1 to 99.
#[must_use]
pub fn quantile_interval(
    distribution: &Distribution,
    percent: u64,
    confidence: Confidence,
) -> Option<Interval> {
    let total = distribution.total();
    let below = Binomial::of_percent(total, percent);
    let tail = confidence.error() / 2.0;
    let low = below.lower_bound(tail)? + 1;
    let high = total - below.mirrored().lower_bound(tail)?;
    let end = |rank| f64::from(ranked(distribution, rank).value);
    Some(Interval {
        low: end(low),
        high: end(high),
    })
}

/// The value of that rank among all that came, in rising order: the lowest has rank 1.
fn ranked(distribution: &Distribution, rank: u64) -> &Entry {
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
