//! Differences between two runs of which no more is known than their summaries: second less first.
//!
//! Both treat the runs as independent. Runs of one seed go up and down together, as a rule, so
//! their difference is known better than this says: the intervals err on the wide side.

use super::intervals::{of_difference, of_rate};
use super::{Confidence, Interval};

/// Returns the interval for the difference of two rates, each given as successes and encounters, from the
/// exact intervals of both (Newcombe's method 10 with those bounds); `None` without encounters.
///
/// # Panics
/// If there are more successes than encounters.
#[must_use]
pub fn of_rates(first: (u64, u64), second: (u64, u64), confidence: Confidence) -> Option<Interval> {
    let estimate = |(successes, encounters): (u64, u64)| {
        let interval = of_rate(successes, encounters, confidence)?;
        Some((successes as f64 / encounters as f64, interval))
    };
    Some(of_difference(estimate(first)?, estimate(second)?, 0.0))
}

/// The interval for the difference of two means, each with its standard error and the encounters
/// that it is of. `None` where nothing is known about the spread of either, or with fewer than two
/// encounters.
///
/// The degrees of freedom are those of the smaller run, which is never too few (J. L. Hodges and
/// E. L. Lehmann, "Basic Concepts of Probability and Statistics", of Welch's problem).
#[must_use]
pub fn of_means(
    first: (f64, f64, u64),
    second: (f64, f64, u64),
    confidence: Confidence,
) -> Option<Interval> {
    let error = (first.1 * first.1 + second.1 * second.1).sqrt();
    super::intervals::of_mean(second.0 - first.0, error, first.2.min(second.2), confidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe's own table, method 10, has 0.0524 to 0.3339 for 56/70 and 48/80, and -0.2775 to 0.1611
    /// for 0/20 and 0/10; from exact intervals it is wider, by about half an encounter at each end.
    #[test]
    fn rates_hold_newcombes_table() {
        for (first, second, low, high) in [
            ((48, 80), (56, 70), 0.0524, 0.3339),
            ((0, 10), (0, 20), -0.2775, 0.1611),
        ] {
            let interval = of_rates(first, second, Confidence::DEFAULT).unwrap();
            assert!(
                interval.low < low && interval.low > low - 0.035,
                "{interval:?}"
            );
            assert!(
                interval.high > high && interval.high < high + 0.02,
                "{interval:?}"
            );
        }
        assert!(of_rates((0, 0), (0, 20), Confidence::DEFAULT).is_none());
    }

    #[test]
    fn means_add_their_errors_as_squares() {
        let many = 1_000_000_000;
        let interval = of_means((10.0, 3.0, many), (12.0, 4.0, many), Confidence::DEFAULT).unwrap();
        assert!((interval.low - (2.0 - 5.0 * 1.959_964)).abs() < 1e-5);
        assert!((interval.high - (2.0 + 5.0 * 1.959_964)).abs() < 1e-5);
        let constant = of_means((1.0, 0.0, many), (2.0, 0.0, many), Confidence::DEFAULT);
        assert!(constant.is_none());
    }
}
