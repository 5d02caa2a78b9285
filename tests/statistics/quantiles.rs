//! Quantiles and their intervals: ties, ranks of published tables, coverage summed over all outcomes.

use super::histogram;
use proptest::prelude::*;
use skirmish::stats::quantile::{quantile, quantile_interval};
use skirmish::stats::{Confidence, Interval};

fn interval(values: &[u32], percent: u64, level: &str) -> Option<Interval> {
    quantile_interval(
        &histogram(values).distribution(),
        percent,
        level.parse().unwrap(),
    )
}

/// Returns the ranks of the ends of the interval, from values that equal their ranks.
fn ranks(n: u32, percent: u64, level: &str) -> Option<(u32, u32)> {
    let values: Vec<u32> = (1..=n).collect();
    interval(&values, percent, level).map(|i| (i.low as u32, i.high as u32))
}

/// W. J. Conover, "Practical Nonparametric Statistics" (1999), and any table of the sign test: the
/// largest k for which at most k of n coins show heads with probability 0.025, plus one.
#[test]
fn the_interval_of_a_median_has_the_ranks_of_the_tables() {
    for (n, low) in [
        (6, 1),
        (8, 1),
        (9, 2),
        (10, 2),
        (12, 3),
        (15, 4),
        (20, 6),
        (25, 8),
        (30, 10),
        (50, 18),
        (100, 40),
    ] {
        assert_eq!(ranks(n, 50, "95%"), Some((low, n + 1 - low)), "{n}");
    }
    for n in 0..6 {
        assert_eq!(ranks(n, 50, "95%"), None);
    }
    assert_eq!(ranks(20, 50, "99%"), Some((4, 17)));
}

#[test]
fn the_interval_of_a_quantile_is_open_where_values_are_too_few() {
    // 0.95^n must fall to 0.025 before the lowest rank is a bound.
    assert_eq!(ranks(71, 5, "95%"), None);
    assert!(ranks(72, 5, "95%").is_some_and(|(low, high)| low == 1 && high < 20));
    assert_eq!(ranks(71, 95, "95%"), None);
    assert!(ranks(72, 95, "95%").is_some());
}

#[test]
fn ties_narrow_the_interval_down_to_nothing() {
    let of = |threes: usize| {
        let mut values = vec![3; threes];
        values.resize(100, 9);
        interval(&values, 50, "95%").unwrap()
    };
    // 70 of 100 values are at most 3, and none is less than 3: the median is 3 beyond doubt.
    assert_eq!(
        of(70),
        Interval {
            low: 3.0,
            high: 3.0
        }
    );
    assert_eq!(
        of(30),
        Interval {
            low: 9.0,
            high: 9.0
        }
    );
    // Near the limit both values are possible. The ranks for 100 values are 40 and 61.
    assert_eq!(
        of(61),
        Interval {
            low: 3.0,
            high: 3.0
        }
    );
    assert_eq!(
        of(60),
        Interval {
            low: 3.0,
            high: 9.0
        }
    );
    assert_eq!(
        of(40),
        Interval {
            low: 3.0,
            high: 9.0
        }
    );
    assert_eq!(
        of(39),
        Interval {
            low: 9.0,
            high: 9.0
        }
    );
}

#[test]
fn a_quantile_is_a_value_that_came() {
    let values = histogram(&[3, 3, 8, 9]).distribution();
    let at = |percent| quantile(&values, percent);
    assert_eq!(
        [0, 50, 51, 75, 76, 100].map(|p| at(p).value),
        [3, 3, 8, 8, 9, 9]
    );
    assert_eq!(at(76).encounter, Some(3));
}

proptest! {
    #[test]
    fn the_interval_contains_the_quantile_and_widens_with_the_level(
        values in prop::collection::vec(0_u32..60, 200..600),
        percent in 5_u64..=95,
    ) {
        let distribution = histogram(&values).distribution();
        let estimate = f64::from(quantile(&distribution, percent).value);
        let mut inner = Interval { low: estimate, high: estimate };
        for level in ["50%", "95%", "99%"] {
            let outer = quantile_interval(&distribution, percent, level.parse().unwrap()).unwrap();
            prop_assert!(outer.low <= inner.low && inner.high <= outer.high);
            inner = outer;
        }
    }
}

#[test]
fn a_median_of_millions_is_quick() {
    let mut many = histogram(&(0..1000).collect::<Vec<_>>());
    for _ in 0..40 {
        many.merge(&many.clone());
    }
    let all = many.distribution();
    assert!(all.total() > 1 << 49);
    let interval = quantile_interval(&all, 50, Confidence::DEFAULT).unwrap();
    assert!(interval.low >= 499.0 && interval.high <= 500.0);
}
