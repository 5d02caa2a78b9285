//! Intervals for rates and means.

use super::Confidence;

/// A range that covers the true value with the probability of its confidence level: in 95 of 100
/// runs at 95%.
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
pub fn wilson(successes: u64, encounters: u64, confidence: Confidence) -> Option<Interval> {
    assert!(successes <= encounters, "more successes than encounters");
    if encounters == 0 {
        return None;
    }
    let n = encounters as f64;
    let rate = successes as f64 / n;
    let z = confidence.z();
    let weight = z * z / n;
    let centre = (rate + weight / 2.0) / (1.0 + weight);
    let half = z / (1.0 + weight) * (rate * (1.0 - rate) / n + weight / (4.0 * n)).sqrt();
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
pub fn of_mean(
    mean: f64,
    standard_error: f64,
    encounters: u64,
    confidence: Confidence,
) -> Option<Interval> {
    if encounters < 2 || standard_error <= 0.0 {
        return None;
    }
    let half = confidence.student(encounters - 1) * standard_error;
    Some(Interval {
        low: mean - half,
        high: mean + half,
    })
}
