//! The normal distribution.
//!
//! [`libm`] computes exponentials and error functions in plain Rust, from the same operations on every machine. The
//! standard library calls the functions of the platform, which differ in the last digit.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Returns the probability that a standard normal value is above `z`, to within some units of the last digit.
pub fn upper_tail(z: f64) -> f64 {
    libm::erfc(z * FRAC_1_SQRT_2) / 2.0
}

/// Returns the density of the standard normal distribution.
pub fn density(z: f64) -> f64 {
    libm::exp(-z * z / 2.0) / (2.0 * PI).sqrt()
}

/// Returns the value that a standard normal variable exceeds with probability `tail`, to within some units of the last
/// digit: the inverse of [`upper_tail`].
///
/// The calculation starts from a rational approximation, off by less than 0.0005 (M. Abramowitz and I. A. Stegun,
/// "Handbook of Mathematical Functions", 26.2.23), and improves it by Newton's method.
///
/// # Panics
/// If `tail` is not from 1e-300 to 0.5.
pub fn quantile_above(tail: f64) -> f64 {
    assert!((1e-300..=0.5).contains(&tail), "no tail: {tail}");
    let t = (-2.0 * libm::log(tail)).sqrt();
    let numerator = (0.010_328 * t + 0.802_853) * t + 2.515_517;
    let denominator = ((0.001_308 * t + 0.189_269) * t + 1.432_788) * t + 1.0;
    let mut z = t - numerator / denominator;
    // The logarithm of the tail is nearly a parabola: each step more than doubles the good digits.
    for _ in 0..3 {
        let found = upper_tail(z);
        z += libm::log(found / tail) * found / density(z);
    }
    z.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::alike;
    use statrs::distribution::{ContinuousCDF, Normal};

    #[test]
    fn tails_are_those_of_the_distribution() {
        let normal = Normal::standard();
        for step in -300..300 {
            let z = f64::from(step) / 37.0;
            // The other library is good to nine digits.
            assert!(alike(upper_tail(z), normal.sf(z), 1e-9), "{z}");
        }
    }

    /// Computed with 40 digits from the inverse of the error function (mpmath).
    #[test]
    fn quantiles_are_exact() {
        for (tail, exact) in [
            (0.25, 0.674_489_750_196_081_7),
            (0.1, 1.281_551_565_544_600_4),
            (0.05, 1.644_853_626_951_472_2),
            (0.025, 1.959_963_984_540_054),
            (0.005, 2.575_829_303_548_901),
            (0.0005, 3.290_526_731_491_894_5),
            (1e-10, 6.361_340_902_404_056),
            (1e-20, 9.262_340_089_798_408),
        ] {
            let found = quantile_above(tail);
            assert!(alike(found, exact, 2e-15), "{tail}: {found}");
        }
        assert!(quantile_above(0.5).abs() < 1e-15);
    }

    #[test]
    fn a_quantile_has_its_tail() {
        for step in 1..1200_i32 {
            let tail = 0.5 * 0.6_f64.powi(step);
            if tail > 1e-300 {
                let back = upper_tail(quantile_above(tail));
                assert!(alike(back, tail, 2e-12), "{tail}: {back}");
            }
        }
    }
}
