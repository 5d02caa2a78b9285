//! Intervals, compared with published values and by how often they cover the truth.

use super::near;
use crate::synthetic::mix;
use proptest::prelude::*;
use skirmish::stats::intervals::{of_mean, of_rate};
use skirmish::stats::{Confidence, Interval};
use statrs::distribution::{Binomial, Discrete};

/// R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table
/// I, method 5; ours is at most 0.0006 wider if few encounters decide.
#[test]
fn the_interval_of_a_rate_is_the_published_exact_one() {
    for (successes, encounters, low, high) in [
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0, 0.1690),
        (1, 29, 0.0008, 0.1778),
    ] {
        let interval = of_rate(successes, encounters, Confidence::DEFAULT).unwrap();
        near(interval.low, low, 4);
        near(interval.high, high, 4);
    }
}

#[test]
fn a_rate_of_none_or_all_has_an_interval_of_some_width() {
    let none = of_rate(0, 1_000_000, Confidence::DEFAULT).unwrap();
    assert!(none.low <= 0.0 && none.high > 3e-6);
    let all = of_rate(1_000_000, 1_000_000, Confidence::DEFAULT).unwrap();
    assert!(all.high >= 1.0 && all.low < 1.0 - 3e-6);
}

#[test]
fn without_encounters_there_is_no_rate() {
    assert_eq!(of_rate(0, 0, Confidence::DEFAULT), None);
}

/// Student (1908) on ten patients: mean 1.58, standard deviation 1.23; the quantile is 2.262.
#[test]
fn the_interval_of_a_mean_is_students() {
    let error = 1.23 / 10_f64.sqrt();
    let interval = of_mean(1.58, error, 10, Confidence::DEFAULT).unwrap();
    near(interval.low, 1.58 - 2.262_157 * error, 5);
    near(interval.high, 1.58 + 2.262_157 * error, 5);
}

/// Values from tables of Student's distribution: one degree of freedom.
#[test]
fn two_encounters_are_enough_for_an_interval() {
    let interval = of_mean(3.0, 1.0, 2, Confidence::DEFAULT).unwrap();
    near(interval.high, 3.0 + 12.706_205, 5);
    assert_eq!(of_mean(3.0, 1.0, 1, Confidence::DEFAULT), None);
}

/// Values from tables of the normal distribution.
#[test]
fn a_level_has_its_error_and_its_quantile() {
    for (text, level, z) in [
        ("50%", 0.5, 0.674_490),
        ("95%", 0.95, 1.959_964),
        ("99%", 0.99, 2.575_829),
        ("99.9%", 0.999, 3.290_527),
    ] {
        let confidence: Confidence = text.parse().unwrap();
        near(confidence.level(), level, 12);
        near(confidence.error(), 1.0 - level, 12);
        near(confidence.z(), z, 6);
        let written = serde_json::to_string(&confidence).unwrap();
        assert_eq!(written, format!("\"{text}\""));
        assert_eq!(
            serde_json::from_str::<Confidence>(&written).unwrap(),
            confidence
        );
    }
}

/// Computed with 40 digits from the incomplete beta function (mpmath). Near the middle of the distribution and
/// with many degrees of freedom its series has the most terms.
#[test]
fn students_quantile_has_its_13_digits_where_the_series_is_long() {
    let half: Confidence = "50%".parse().unwrap();
    for (degrees, exact) in [
        (150, 0.676_128_847_657_729_5),
        (199, 0.675_724_595_610_645_7),
        (200, 0.675_718_411_404_220_2),
    ] {
        let found = half.student(degrees);
        assert!((found / exact - 1.0).abs() < 1e-13, "{degrees}: {found}");
    }
}

/// An interval that touches 0 does not prove a difference.
#[test]
fn an_interval_excludes_zero_only_if_it_lies_on_one_side() {
    for (low, high, excludes) in [
        (0.1, 0.3, true),
        (-0.3, -0.1, true),
        (-0.1, 0.2, false),
        (0.0, 0.2, false),
        (-0.2, 0.0, false),
    ] {
        assert_eq!(
            Interval { low, high }.excludes_zero(),
            excludes,
            "{low} to {high}"
        );
    }
}

#[test]
fn a_mean_has_no_interval_where_no_spread_is_known() {
    assert_eq!(of_mean(3.0, 0.0, 1, Confidence::DEFAULT), None);
    assert_eq!(of_mean(3.0, 0.0, 1000, Confidence::DEFAULT), None);
}

/// Returns the probability that the interval covers the true rate, summed over all outcomes without simulation.
fn exact_coverage(rate: f64, encounters: u64) -> f64 {
    let outcomes = Binomial::new(rate, encounters).unwrap();
    (0..=encounters)
        .filter(|&successes| {
            let interval = of_rate(successes, encounters, Confidence::DEFAULT).unwrap();
            interval.low <= rate && rate <= interval.high
        })
        .map(|successes| outcomes.pmf(successes))
        .sum()
}

#[test]
fn the_interval_of_a_rate_covers_it_in_at_least_95_of_100_runs() {
    // Counts are integers, so the coverage oscillates with the rate, but it is never below 95%.
    for percent in 1..=99 {
        let coverage = exact_coverage(f64::from(percent) / 100.0, 2000);
        assert!((0.95..=0.975).contains(&coverage), "{percent}%: {coverage}");
    }
}

#[test]
fn the_interval_of_a_mean_covers_it_in_95_of_100_runs() {
    // 10,000 runs of n throws of a skewed die (0 0 0 0 1 5, mean 1), with fixed seeds. The standard error of the
    // coverage is 0.22 points; 4 of them are allowed, and at n = 30 two more points for the skew that normal theory
    // ignores.
    const FACES: [u32; 6] = [0, 0, 0, 0, 1, 5];
    for (n, least) in [(30, 0.92), (400, 0.941)] {
        let mut covered = 0;
        for run in 0..10_000_u64 {
            let (mut sum, mut squares) = (0.0, 0.0);
            for throw in 0..n {
                let face = FACES[(mix(run << 20 | throw) % 6) as usize];
                sum += f64::from(face);
                squares += f64::from(face * face);
            }
            let n = n as f64;
            let mean = sum / n;
            let error = ((squares - sum * mean) / (n - 1.0) / n).sqrt();
            if of_mean(mean, error, n as u64, Confidence::DEFAULT)
                .is_some_and(|i| i.low <= 1.0 && 1.0 <= i.high)
            {
                covered += 1;
            }
        }
        let coverage = f64::from(covered) / 10_000.0;
        assert!((least..0.959).contains(&coverage), "n = {n}: {coverage}");
    }
}

proptest! {
    #[test]
    fn the_interval_of_a_rate_contains_the_estimate_and_lies_within_0_and_1(
        encounters in 1_u64..20_000_000_000,
        part in 0.0..=1.0,
    ) {
        let successes = (part * encounters as f64) as u64;
        let interval = of_rate(successes.min(encounters), encounters, Confidence::DEFAULT).unwrap();
        let rate = successes as f64 / encounters as f64;
        prop_assert!(0.0 <= interval.low && interval.low <= rate);
        prop_assert!(rate <= interval.high && interval.high <= 1.0);
        prop_assert!(interval.low < interval.high);
    }

    #[test]
    fn more_encounters_never_widen_the_interval(successes in 0_u64..1000, extra in 0_u64..1000) {
        let encounters = successes + extra + 1;
        let few = of_rate(successes, encounters, Confidence::DEFAULT).unwrap();
        let many = of_rate(successes * 10, encounters * 10, Confidence::DEFAULT).unwrap();
        prop_assert!(many.half_width() < few.half_width());
    }
}
