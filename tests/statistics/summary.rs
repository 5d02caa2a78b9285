//! Summaries of distributions with known results.

use super::histogram;
use proptest::prelude::*;
use skirmish::stats::quantile::quantile_interval;
use skirmish::stats::{Confidence, STATISTICS, Summary};
use skirmish::tally::Kind;

fn summary(values: &[u32]) -> Summary {
    Summary::of(
        &histogram(values).distribution(),
        Kind::Count,
        Confidence::DEFAULT,
    )
}

fn quantiles(values: &[u32]) -> [u32; STATISTICS.len()] {
    summary(values).points.map(|point| point.unwrap().value)
}

fn near(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!(
        (found - expected).abs() <= expected.abs() * 1e-14,
        "{found} is not {expected}"
    );
}

#[test]
fn mean_and_standard_deviation_are_the_textbooks() {
    let summary = summary(&[2, 4, 4, 4, 5, 5, 7, 9]);
    near(summary.mean, 5.0);
    near(summary.sd, (32.0_f64 / 7.0).sqrt());
    near(summary.se, (32.0_f64 / 56.0).sqrt());
}

#[test]
fn digits_do_not_cancel_far_from_zero() {
    let summary = summary(&[4_294_967_290, 4_294_967_291, 4_294_967_292]);
    near(summary.mean, 4_294_967_291.0);
    near(summary.sd, 1.0);
}

#[test]
fn a_quantile_is_the_lowest_value_that_enough_encounters_do_not_exceed() {
    // Ties: half of the values are 3, so the median is 3 although as many are above.
    assert_eq!(quantiles(&[3, 3, 8, 9]), [3, 3, 3, 3, 8, 9, 9]);
    assert_eq!(quantiles(&[1, 2, 3, 4, 5]), [1, 1, 2, 3, 4, 5, 5]);
    assert_eq!(quantiles(&[6]), [6; 7]);
    let hundred: Vec<u32> = (1..=100).rev().collect();
    assert_eq!(quantiles(&hundred), [1, 5, 25, 50, 75, 95, 100]);
}

#[test]
fn a_quantile_names_the_first_encounter_that_showed_it() {
    let points = summary(&[7, 2, 7, 2, 9]).points.map(Option::unwrap);
    assert_eq!(points.map(|p| p.encounter.unwrap()), [1, 1, 1, 0, 0, 4, 4]);
}

#[test]
fn one_encounter_has_a_mean_but_no_spread() {
    let summary = summary(&[4]);
    assert_eq!(summary.mean, Some(4.0));
    assert_eq!(
        (summary.sd, summary.se, summary.interval),
        (None, None, None)
    );
}

#[test]
fn few_encounters_have_an_interval_only_within_known_limits() {
    assert_eq!(summary(&[1, 3]).interval, None);
    assert_eq!(summary(&[1, 3].repeat(9)).interval, None);
    assert!(summary(&[1, 3].repeat(10)).interval.is_some());
    let distribution = histogram(&[1, 3]).distribution().at_least(1).up_to(Some(9));
    let known = Summary::of(&distribution, Kind::Count, Confidence::DEFAULT);
    let [low, high] = known.interval.unwrap().ends();
    assert!(
        (1.0..1.1).contains(&low) && high > 7.0 && high <= 9.0,
        "{low} to {high}"
    );
}

#[test]
fn no_encounters_say_nothing() {
    let summary = summary(&[]);
    assert_eq!(
        (summary.n, summary.mean, summary.points),
        (0, None, [None; 7])
    );
}

#[test]
fn values_all_alike_have_no_interval_where_nothing_bounds_them() {
    let summary = summary(&[4; 50]);
    assert_eq!((summary.sd, summary.interval), (Some(0.0), None));
}

#[test]
fn a_rate_has_the_exact_interval() {
    let rate = Summary::of(
        &histogram(&[0; 20]).distribution(),
        Kind::Rate,
        Confidence::DEFAULT,
    );
    let interval = rate.interval.unwrap();
    assert!(interval.low == 0.0 && (interval.high - 0.1690).abs() < 1e-4);
}

#[test]
fn quantiles_have_intervals_but_not_the_least_and_the_greatest() {
    let hundred: Vec<u32> = (1..=100).collect();
    let summary = summary(&hundred);
    let distribution = histogram(&hundred).distribution();
    for ((name, percent), interval) in STATISTICS.into_iter().zip(summary.point_intervals) {
        match name {
            "min" | "max" => assert_eq!(interval, None),
            _ => assert_eq!(
                interval,
                quantile_interval(&distribution, percent, Confidence::DEFAULT)
            ),
        }
    }
    let median = summary.median_interval().unwrap();
    assert_eq!(
        [median.low, median.high].map(f64::to_bits),
        [40.0, 61.0].map(f64::to_bits)
    );
    // With few encounters one end is open.
    assert_eq!(super::summary::summary(&[1, 2, 3]).median_interval(), None);
}

#[test]
fn counts_bound_what_was_never_seen_and_rates_need_not() {
    let values = histogram(&[0, 1, 1, 0, 1]).distribution();
    let unseen = |kind| Summary::of(&values, kind, Confidence::DEFAULT).unseen;
    // Five encounters all miss an event of probability 52% once in forty times.
    let bound = unseen(Kind::Count).unwrap();
    assert!((bound - 0.521_824).abs() < 1e-6, "{bound}");
    assert_eq!(unseen(Kind::Rate), None);
    assert_eq!(summary(&[]).unseen, None);
}

proptest! {
    #[test]
    fn a_summary_agrees_with_a_stupid_one(values in prop::collection::vec(0_u32..5000, 2..300)) {
        let summary = summary(&values);
        let n = values.len() as f64;
        let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
        let spread = values.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>();
        prop_assert!((summary.mean.unwrap() - mean).abs() < 1e-9);
        prop_assert!((summary.sd.unwrap() - (spread / (n - 1.0)).sqrt()).abs() < 1e-6);
        if let Some(interval) = summary.interval {
            prop_assert!(interval.low <= mean + 1e-9 && mean <= interval.high + 1e-9);
        }
        let mut sorted = values.clone();
        sorted.sort_unstable();
        for (point, (_, percent)) in summary.points.map(Option::unwrap).into_iter().zip(STATISTICS) {
            let rank = (percent as usize * sorted.len()).div_ceil(100).max(1);
            prop_assert_eq!(point.value, sorted[rank - 1]);
            prop_assert_eq!(values[point.encounter.unwrap() as usize], point.value);
        }
    }
}
