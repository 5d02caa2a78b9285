//! Tests of whether a difference can be due to chance.

use super::binomial::Binomial;
use super::normal;

/// Returns the probability that a standard normal value is at least as far from 0 as `z`, to either side.
pub fn two_sided(z: f64) -> f64 {
    2.0 * normal::upper_tail(z.abs())
}

/// Returns the p-value of the exact test of McNemar, which is the two-sided sign test: the probability that pairs which
/// differ split at least as unevenly as `b` to `c`, if both directions are equally likely. Pairs that agree carry no
/// information and are not counted.
///
/// The result is 1 if no pairs differ. It is exact to nine digits up to 2^40 pairs (a million million). Above, it is
/// the normal approximation with continuity correction, which is off by less than a millionth of the result. A
/// probability below 1e-290 may be returned as 0.
///
/// Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions
/// or percentages", Psychometrika 12 (1947); exact as in A. Agresti, "Categorical Data Analysis"
/// (2002), 10.1.
///
/// # Panics
/// If `b + c` does not fit in 64 bits.
pub fn mcnemar(b: u64, c: u64) -> f64 {
    let pairs = b.checked_add(c).expect("no run has so many pairs");
    let rarer = Binomial::of_percent(pairs, 50).at_most(b.min(c));
    (2.0 * rarer).min(1.0)
}

/// Returns Holm's adjustment of p-values for multiple tests, in the given order. Each adjusted p-value may be compared
/// with the same level, however many hypotheses are tested.
///
/// If all hypotheses with an adjusted p-value of at most 5% are rejected, the probability that any rejection is wrong
/// is at most 5%, however the tests depend on each other.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
/// of Statistics 6 (1979).
///
/// # Panics
/// If a p-value is not from 0 to 1.
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

/// Returns [`holm`] of the hypotheses that were tested. The others stay `None` and do not count.
///
/// # Panics
/// If a p-value is not from 0 to 1.
pub fn holm_of_tested(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let tested: Vec<f64> = p_values.iter().copied().flatten().collect();
    let mut adjusted = holm(&tested).into_iter();
    let take_next = |p_value: &Option<f64>| p_value.and_then(|_| adjusted.next());
    p_values.iter().map(take_next).collect()
}
