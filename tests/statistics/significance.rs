//! Tests of differences, compared with published tables and tables made by hand.

use super::near;
use proptest::prelude::*;
use skirmish::stats::significance::{holm, holm_of_tested, mcnemar, two_sided};
use statrs::distribution::{Binomial, DiscreteCDF};

#[test]
fn the_two_sided_tails_of_the_normal_distribution_are_the_tables() {
    for (z, p) in [
        (0.0, 1.0),
        (1.0, 0.317_310_5),
        (-1.0, 0.317_310_5),
        (1.959_964, 0.05),
        (2.575_829, 0.01),
        (-5.0, 5.733_031e-7),
    ] {
        near(two_sided(z), p, 7);
    }
}

/// By hand: twice the probability of at most k heads of n coins.
#[test]
fn the_sign_test_counts_coins() {
    for (b, c, p) in [
        (0, 0, 1.0),
        (3, 3, 1.0),
        (0, 1, 1.0),
        (0, 5, 2.0 / 32.0),
        (5, 0, 2.0 / 32.0),
        (1, 7, 2.0 * (1.0 + 8.0) / 256.0),
        (2, 8, 2.0 * (1.0 + 10.0 + 45.0) / 1024.0),
        (5, 6, 1.0),
    ] {
        near(mcnemar(b, c), p, 12);
    }
}

/// A. Agresti, "Categorical Data Analysis" (2002), table 10.1, on the approval of a prime minister: 150 changed their
/// mind one way and 86 the other. The probabilities are sums of exact binomial coefficients.
#[test]
fn mcnemars_test_is_exact() {
    for (b, c, p) in [
        (86_u64, 150_u64, 3.715_936_139_571e-5),
        (59, 121, 4.434_449_263_755e-6),
        (24_000, 26_000, 3.857_469_951_032e-19),
        (0, 900, 2.366_104_372_334e-271),
    ] {
        let found = mcnemar(b, c);
        assert!((found / p - 1.0).abs() < 1e-9, "{b}, {c}: {found}");
    }
}

#[test]
fn mcnemars_test_is_that_of_the_distribution() {
    for pairs in [1, 10, 333, 20_000] {
        let coins = Binomial::new(0.5, pairs).unwrap();
        for part in 0..=50 {
            let b = pairs * part / 100;
            let expected = (2.0 * coins.cdf(b)).min(1.0);
            let found = mcnemar(b, pairs - b);
            assert!(
                (found - expected).abs() <= 1e-9 * expected || found.max(expected) < 1e-290,
                "{b} of {pairs}: {found} is not {expected}"
            );
        }
    }
}

#[test]
fn millions_of_pairs_neither_overflow_nor_take_long() {
    // The normal approximation with continuity correction is accurate here.
    for (b, c) in [
        (499_500_000, 500_500_000),
        (499_900_000_u64, 500_100_000_u64),
        (3_000_000_000_000, 3_000_004_000_000),
    ] {
        let z = (b.abs_diff(c) as f64 - 1.0) / ((b + c) as f64).sqrt();
        let (found, expected) = (mcnemar(b, c), two_sided(z));
        let share = if found < 1e-100 { 0.01 } else { 1e-6 };
        assert!(
            (found / expected - 1.0).abs() < share,
            "{found}, {expected}"
        );
    }
    for pairs in [1_000_000_000_000, u64::MAX] {
        assert!(mcnemar(0, pairs) < 1e-290);
    }
}

/// `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")` in R; by hand: 4 · 0.005, 3 · 0.01, 2 · 0.03, and 1 · 0.04, which may
/// not be less than its predecessor.
#[test]
fn holms_adjustment_is_the_textbooks() {
    let close = |p_values: &[f64], expected: &[f64]| {
        let adjusted = holm(p_values);
        assert_eq!(adjusted.len(), expected.len());
        for (found, expected) in adjusted.into_iter().zip(expected) {
            near(found, *expected, 12);
        }
    };
    close(&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]);
    close(&[0.02, 0.02, 0.5], &[0.06, 0.06, 0.5]);
    close(&[0.6, 0.9], &[1.0, 1.0]);
    close(&[0.04], &[0.04]);
    close(&[], &[]);
}

#[test]
fn what_was_not_tested_does_not_count() {
    let found = holm_of_tested(&[Some(0.01), None, Some(0.25), None]);
    assert_eq!(found, [Some(0.02), None, Some(0.25), None]);
    assert_eq!(holm_of_tested(&[None]), [None]);
}

proptest! {
    #[test]
    fn an_adjusted_probability_keeps_its_rank_and_is_no_smaller(
        p_values in prop::collection::vec(0.0..=1.0_f64, 0..30),
    ) {
        let adjusted = holm(&p_values);
        for (i, (&p, &a)) in p_values.iter().zip(&adjusted).enumerate() {
            prop_assert!(p <= a && a <= 1.0);
            // Holm's adjustment never exceeds Bonferroni's.
            prop_assert!(a <= p * p_values.len() as f64 + 1e-12);
            for (&q, &b) in p_values[i..].iter().zip(&adjusted[i..]) {
                prop_assert!((p - q) * (a - b) >= 0.0);
            }
        }
    }

    #[test]
    fn mcnemars_test_has_no_side_and_falls_as_the_split_grows(b in 0_u64..2000, c in 0_u64..2000) {
        prop_assert_eq!(mcnemar(b, c).to_bits(), mcnemar(c, b).to_bits());
        let (less, more) = (b.min(c), b.max(c));
        if less > 0 {
            let (even, uneven) = (mcnemar(less, more), mcnemar(less - 1, more + 1));
            prop_assert!(uneven < even || even >= 1.0 || uneven <= 0.0);
        }
    }
}
