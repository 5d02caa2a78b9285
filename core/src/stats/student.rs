//! Student's distribution.

use std::f64::consts::PI;

/// The most degrees of freedom for which quantiles are solved iteratively; above, a series is used.
const SOLVED: u64 = 200;

/// Returns the two-sided quantile: a Student variable with `degrees` degrees of freedom lies farther from 0 with
/// probability `error`. `z` is the same quantile of the normal distribution.
///
/// Up to 200 degrees of freedom the quantile is solved for, to within a relative error of 1e-13. Above, it is the
/// expansion of Cornish and Fisher by powers of 1 / `degrees` up to the fourth (M. Abramowitz and I. A. Stegun,
/// "Handbook of Mathematical Functions", 26.7.5): off by less than 1e-11 at 95% and less than 1e-7 for every `error` of
/// at least 1e-9.
///
/// # Panics
/// If `degrees` is 0, or `error` is not above 0 and below 1.
pub(super) fn quantile(error: f64, z: f64, degrees: u64) -> f64 {
    assert!(degrees > 0, "no degrees of freedom");
    assert!(error > 0.0 && error < 1.0, "no probability: {error}");
    if degrees > SOLVED {
        return expanded(z, degrees);
    }
    // The tails are convex, so Newton's method from below climbs to the quantile and never passes it. The normal
    // quantile is below. Far out the tails fall like a power, and each step covers a fixed share of the distance, so
    // many steps may be needed; each step is cheap there.
    let mut t = z;
    for _ in 0..1000 {
        let (tails, density) = tails(t, degrees);
        let step = (tails - error) / (2.0 * density);
        t += step;
        if step <= t * 1e-15 {
            break;
        }
    }
    t
}

/// Returns the probability of both tails beyond `t`, and the density at `t`.
///
/// With a whole number of degrees v, the probability between the tails is a finite sum in x = cos(arctan(t / √v))
/// (Abramowitz and Stegun, 26.7.3 and 26.7.4). Its terms are the first ones of the series of arcsine or of an inverse
/// square root; the remaining terms are the tails. All terms are positive, so no digits cancel, however thin the tails.
fn tails(t: f64, degrees: u64) -> (f64, f64) {
    let v = degrees as f64;
    let square = v / (v + t * t);
    let sine = t / (v + t * t).sqrt();
    let odd = degrees % 2 == 1;
    let half = degrees / 2;
    // The coefficients rise by the factor (2k - 1) / 2k, or by 2k / (2k + 1).
    let shift = if odd { 1.0 } else { 0.0 };
    let ratio = |k: u64| {
        let even = 2.0 * k as f64 + shift;
        (even - 1.0) / even * square
    };
    let (mut term, weight, density) = if odd {
        (square.sqrt(), 2.0 / PI, v / PI)
    } else {
        (1.0, 1.0, half as f64)
    };
    for k in 1..=half {
        term *= ratio(k);
    }
    let density = density * term * (square / v).sqrt();
    let (mut sum, mut k) = (0.0, half);
    // The remainder is less than a geometric series with the ratio `square`.
    while term > sum * 1e-17 * (1.0 - square) {
        sum += term;
        k += 1;
        term *= ratio(k);
    }
    (weight * sine * sum, density)
}

fn expanded(z: f64, degrees: u64) -> f64 {
    let v = degrees as f64;
    let z2 = z * z;
    let g1 = z * (z2 + 1.0) / 4.0;
    let g2 = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let g3 = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    let g4 = z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0;
    z + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::normal::quantile_above;
    use crate::stats::testing::alike;
    use statrs::distribution::{Continuous, ContinuousCDF, StudentsT};

    const ERRORS: [f64; 7] = [0.5, 0.1, 0.05, 0.01, 0.001, 1e-6, 1e-9];

    fn of(error: f64, degrees: u64) -> f64 {
        quantile(error, quantile_above(error / 2.0), degrees)
    }

    #[test]
    fn quantiles_have_the_tails_of_the_distribution() {
        for degrees in (1..=230).chain([1000, 100_000, 10_000_000]) {
            let student = StudentsT::new(0.0, 1.0, degrees as f64).unwrap();
            for error in ERRORS {
                let t = of(error, degrees);
                let tails = 2.0 * student.sf(t);
                // A thin tail changes by far more than its quantile.
                assert!(
                    alike(tails, error, 1e-5),
                    "{degrees}, {error}: {t} has {tails}"
                );
            }
        }
    }

    #[test]
    fn tails_and_density_are_those_of_the_distribution() {
        for degrees in 1..=SOLVED {
            let student = StudentsT::new(0.0, 1.0, degrees as f64).unwrap();
            for t in [0.3, 1.0, 2.0, 5.0, 40.0] {
                let (tails, density) = tails(t, degrees);
                assert!(
                    alike(tails, 2.0 * student.sf(t), 1e-9),
                    "{degrees}, {t}: {tails}"
                );
                assert!(
                    alike(density, student.pdf(t), 1e-9),
                    "{degrees}, {t}: {density}"
                );
            }
        }
    }

    /// Computed with 40 digits from the incomplete beta function (mpmath).
    #[test]
    fn quantiles_are_exact() {
        for (error, degrees, exact) in [
            (0.05, 1, 12.706_204_736_174_7),
            (0.05, 2, 4.302_652_729_749_46),
            (0.05, 3, 3.182_446_305_283_71),
            (0.05, 9, 2.262_157_162_798_2),
            (0.05, 10, 2.228_138_851_986_27),
            (0.01, 1, 63.656_741_162_871_6),
            (0.01, 5, 4.032_142_983_555_23),
            (0.01, 30, 2.749_995_653_567_23),
            (0.001, 120, 3.373_453_768_562_5),
            (1e-6, 3, 130.154_589_558_358),
            (0.05, 1000, 1.962_339_080_826_41),
        ] {
            let found = of(error, degrees);
            assert!(alike(found, exact, 1e-14), "{error}, {degrees}: {found}");
        }
    }

    #[test]
    fn where_the_expansion_takes_over_it_is_as_good() {
        for error in ERRORS {
            let z = quantile_above(error / 2.0);
            let solved = quantile(error, z, SOLVED);
            let allowed = if error < 0.01 { 1e-7 } else { 1e-10 };
            assert!(alike(solved, expanded(z, SOLVED), allowed), "{error}");
        }
    }

    #[test]
    fn quantiles_fall_towards_the_normal_one() {
        for error in ERRORS {
            assert!((1..1000).is_sorted_by(|&a, &b| of(error, a) > of(error, b)));
            assert!(of(error, u64::MAX) >= quantile_above(error / 2.0));
        }
    }
}
