//! Differences between two runs of which no more is known than their summaries: second less first.
//!
//! Both treat the runs as independent. Runs of one seed go up and down together, as a rule, so
//! their difference is known better than this says: the intervals err on the wide side.

use super::intervals::wilson;
use super::{Confidence, Interval};

/// The interval for the difference of two rates, each so many successes in so many encounters;
/// `None` without encounters.
///
/// Source: R. G. Newcombe, "Interval estimation for the difference between independent
/// proportions", Statistics in Medicine 17 (1998), method 10: from two of Wilson's intervals.
///
/// # Panics
/// If there are more successes than encounters.
#[must_use]
pub fn of_rates(first: (u64, u64), second: (u64, u64), confidence: Confidence) -> Option<Interval> {
    let arms = |(successes, encounters): (u64, u64)| {
        let interval = wilson(successes, encounters, confidence)?;
        let rate = successes as f64 / encounters as f64;
        Some((rate, rate - interval.low, interval.high - rate))
    };
    let (first, first_down, first_up) = arms(first)?;
    let (second, second_down, second_up) = arms(second)?;
    let root = |a: f64, b: f64| (a * a + b * b).sqrt();
    let difference = second - first;
    Some(Interval {
        low: difference - root(second_down, first_up),
        high: difference + root(second_up, first_down),
    })
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

    /// Newcombe's own table, method 10: 56/70 and 48/80.
    #[test]
    fn rates_as_in_newcombes_table() {
        let interval = of_rates((48, 80), (56, 70), Confidence::DEFAULT).unwrap();
        assert!((interval.low - 0.0524).abs() < 5e-5, "{interval:?}");
        assert!((interval.high - 0.3339).abs() < 5e-5, "{interval:?}");
        let none = of_rates((0, 10), (0, 20), Confidence::DEFAULT).unwrap();
        assert!((none.low + 0.2775).abs() < 5e-5, "{none:?}");
        assert!((none.high - 0.1611).abs() < 5e-5, "{none:?}");
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
