//! Differences between two runs of which only the counts are known, not the single encounters: second less first.
//!
//! Both functions treat the runs as independent. Runs with the same seed are mostly positively correlated, so their
//! difference is known better than stated: the intervals are too wide rather than too narrow.

use super::intervals::{of_difference, of_rate, of_values};
use super::{Confidence, Interval, Summary};
use crate::tally::{Distribution, Kind};

/// Returns the interval for the difference of two rates, each given as successes and encounters, from the
/// exact intervals of both (Newcombe's method 10 with those bounds); `None` without encounters.
///
/// # Panics
/// If there are more successes than encounters.
pub fn of_rates(first: (u64, u64), second: (u64, u64), confidence: Confidence) -> Option<Interval> {
    let estimate = |(successes, encounters): (u64, u64)| {
        let interval = of_rate(successes, encounters, confidence)?;
        Some((successes as f64 / encounters as f64, interval))
    };
    Some(of_difference(estimate(first)?, estimate(second)?, 0.0))
}

/// Returns the interval for the difference of two means, from the intervals of both, which hold for means of rare
/// counts too (Zou and Donner, as in `intervals::of_difference`); `None` if either run has fewer than two encounters.
///
/// A run in which hardly any encounter differs from the others says little about the possible values, so the range of
/// values is that of both runs together.
pub fn of_means(
    first: &Distribution,
    second: &Distribution,
    confidence: Confidence,
) -> Option<Interval> {
    let shown = |run: &Distribution| {
        let ends = [run.entries().first()?.value, run.entries().last()?.value];
        let [least, greatest] = run.ends().unwrap_or(ends);
        Some([least.min(ends[0]), greatest.max(ends[1])])
    };
    let ([a, b], [c, d]) = (shown(first)?, shown(second)?);
    let ends = Interval::new(a.min(c).into(), b.max(d).into());
    let estimate = |run: &Distribution| {
        let summary = Summary::of(run, Kind::Count, confidence);
        let mean = summary.mean?;
        let interval = of_values(&run.weighted(), (mean, summary.se?), ends, confidence)?;
        Some((mean, interval))
    };
    Some(of_difference(estimate(first)?, estimate(second)?, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe's own table, method 10, has 0.0524 to 0.3339 for 56/70 and 48/80, and -0.2775 to 0.1611 for 0/20 and
    /// 0/10. From exact intervals the result is wider, by about half an encounter at each end.
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

    fn run(values: &[(u32, u64)]) -> Distribution {
        Distribution::of_counts(values.iter().copied())
    }

    /// Of 1,000,000 encounters each, half 8 and half 12, half 9 and half 15: standard errors of 0.002 and
    /// 0.003.
    #[test]
    fn errors_of_means_add_as_squares() {
        let half = 500_000;
        let (first, second) = (run(&[(8, half), (12, half)]), run(&[(9, half), (15, half)]));
        let interval = of_means(&first, &second, Confidence::DEFAULT).unwrap();
        let width = 1.959_964 * 13.0_f64.sqrt() / 1000.0;
        assert!((interval.low - (2.0 - width)).abs() < 1e-5, "{interval:?}");
        assert!((interval.high - (2.0 + width)).abs() < 1e-5, "{interval:?}");
    }

    #[test]
    fn what_one_encounter_shows_is_no_difference() {
        let none = run(&[(0, 1000)]);
        let one = run(&[(0, 999), (40, 1)]);
        let interval = of_means(&none, &one, Confidence::DEFAULT).unwrap();
        assert!(interval.low < 0.0 && interval.high > 0.2, "{interval:?}");
        let other = of_means(&one, &none, Confidence::DEFAULT).unwrap();
        assert!((other.low + interval.high).abs() < 1e-12);
        // All encounters have moved by 1.
        let five = of_means(&run(&[(5, 1000)]), &run(&[(6, 1000)]), Confidence::DEFAULT).unwrap();
        assert!(five.low > 0.9, "{five:?}");
        assert!(of_means(&run(&[(5, 1)]), &run(&[(6, 1)]), Confidence::DEFAULT).is_none());
        assert!(of_means(&run(&[]), &none, Confidence::DEFAULT).is_none());
    }
}
