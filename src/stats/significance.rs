//! How surprising a difference would be if there were none.

use super::binomial::Binomial;
use super::normal;

/// The probability that a standard normal value is at least as far from 0 as `z`, to either side.
#[must_use]
pub fn two_sided(z: f64) -> f64 {
    2.0 * normal::upper_tail(z.abs())
}

/// The exact test of McNemar, which is the two-sided sign test: how probable it is that pairs which
/// differ split at least as unevenly as `b` to `c`, if either way is equally likely. Pairs that agree
/// say nothing and are not counted.
///
/// 1 where nothing differs. Exact to nine digits up to 2^40 pairs (a million million), above the
/// normal approximation with continuity correction, which is off by less than a millionth of the
/// result. A probability below 1e-290 may be returned as 0.
///
/// Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions
/// or percentages", Psychometrika 12 (1947); exact as in A. Agresti, "Categorical Data Analysis"
/// (2002), 10.1.
///
/// # Panics
/// If `b + c` is more than 64 bits hold.
#[must_use]
pub fn mcnemar(b: u64, c: u64) -> f64 {
    let pairs = b.checked_add(c).expect("no run has so many pairs");
    let rarer = Binomial::of_percent(pairs, 50).at_most(b.min(c));
    (2.0 * rarer).min(1.0)
}

/// Holm's adjustment for testing many things at once: from the probability of each by itself to one
/// that may be held against the same level whatever else is tested. In the order given.
///
/// If things whose adjusted probability is at most 5% are called real, then the probability that any
/// one of these calls is wrong is at most 5%, however the tests depend on each other.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
/// of Statistics 6 (1979).
///
/// # Panics
/// If one of them is no probability.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    assert!(
        p_values.iter().all(|p| (0.0..=1.0).contains(p)),
        "no probabilities: {p_values:?}"
    );
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        let left = (p_values.len() - rank) as f64;
        least = least.max((left * p_values[index]).min(1.0));
        adjusted[index] = least;
    }
    adjusted
}

/// [`holm`] of the hypotheses that were tested. The others stay `None` and do not count.
///
/// # Panics
/// If one of them is no probability.
#[must_use]
pub fn holm_of_tested(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let tested: Vec<f64> = p_values.iter().copied().flatten().collect();
    let mut adjusted = holm(&tested).into_iter();
    let take_next = |p_value: &Option<f64>| p_value.and_then(|_| adjusted.next());
    p_values.iter().map(take_next).collect()
}
