//! 95% intervals for rates and means.

/// The 97.5% quantile of the normal distribution: 95% of it lie within so many standard
/// deviations.
pub const Z: f64 = 1.959_963_984_540_054;

/// The 97.5% quantiles of Student's distribution with 1 to 10 degrees of freedom.
const STUDENT: [f64; 10] = [
    12.706_204_736_174_7,
    4.302_652_729_749_46,
    3.182_446_305_283_71,
    2.776_445_105_197_79,
    2.570_581_835_636_31,
    2.446_911_851_144_97,
    2.364_624_251_592_78,
    2.306_004_135_204_17,
    2.262_157_162_798_2,
    2.228_138_851_986_27,
];

/// A range that covers the true value in 95 of 100 runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Half its width.
    #[must_use]
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Wilson's interval for a rate: so many successes in so many encounters.
///
/// It lies within 0 and 1, contains the estimate, and has a width even at 0 and 1: never having
/// seen a thing is no proof that it cannot be. `None` without encounters.
///
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
/// Journal of the American Statistical Association 22 (1927), without continuity correction.
///
/// # Panics
/// If there are more successes than encounters.
#[must_use]
pub fn wilson(successes: u64, encounters: u64) -> Option<Interval> {
    assert!(successes <= encounters, "more successes than encounters");
    if encounters == 0 {
        return None;
    }
    let n = encounters as f64;
    let rate = successes as f64 / n;
    let weight = Z * Z / n;
    let centre = (rate + weight / 2.0) / (1.0 + weight);
    let half = Z / (1.0 + weight) * (rate * (1.0 - rate) / n + weight / (4.0 * n)).sqrt();
    // At the ends the exact bounds are 0 and 1; rounding must not move them, nor the estimate out.
    let low = if successes == 0 {
        0.0
    } else {
        (centre - half).clamp(0.0, rate)
    };
    let high = if successes == encounters {
        1.0
    } else {
        (centre + half).clamp(rate, 1.0)
    };
    Some(Interval { low, high })
}

/// Student's interval for a mean with that standard error, from so many encounters.
///
/// `None` where nothing is known about the spread: with fewer than two encounters, or when all
/// showed the same value. An interval without width would claim a certainty that nobody has.
#[must_use]
pub fn of_mean(mean: f64, standard_error: f64, encounters: u64) -> Option<Interval> {
    if encounters < 2 || standard_error <= 0.0 {
        return None;
    }
    let half = student(encounters - 1) * standard_error;
    Some(Interval {
        low: mean - half,
        high: mean + half,
    })
}

/// The 97.5% quantile of Student's distribution: from the table, then by the expansion of Cornish
/// and Fisher, whose error is below 0.00002 from 11 degrees of freedom on.
#[must_use]
fn student(degrees: u64) -> f64 {
    if let Some(&quantile) = usize::try_from(degrees)
        .ok()
        .and_then(|degrees| STUDENT.get(degrees.checked_sub(1)?))
    {
        return quantile;
    }
    let v = degrees as f64;
    let z = Z;
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
    use statrs::distribution::{ContinuousCDF, StudentsT};

    #[test]
    fn students_quantiles_are_those_of_the_distribution() {
        for degrees in (1..200).chain([1000, 100_000, 10_000_000]) {
            let exact = StudentsT::new(0.0, 1.0, degrees as f64)
                .unwrap()
                .cdf(student(degrees));
            assert!((exact - 0.975).abs() < 1e-6, "{degrees}: {exact}");
        }
    }

    #[test]
    fn students_quantiles_fall_towards_the_normal_one() {
        assert!((1..2000).is_sorted_by(|&a, &b| student(a) > student(b)));
        assert!(student(u64::MAX) >= Z);
    }
}
