//! Intervals for rates and means.

use super::{Confidence, Memo, bounds, memoized};

/// A range that covers the true value with the probability of its confidence level: in 95 of 100 runs at 95%.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the interval between two ends.
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// The interval without a width: that number alone.
    pub fn at(number: f64) -> Self {
        Self::new(number, number)
    }

    /// Both ends, the lower first.
    pub fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// Both ends times a positive factor.
    pub fn scaled(self, factor: f64) -> Self {
        Self::new(self.low * factor, self.high * factor)
    }

    /// Returns half the width.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns the greater distance from a number to an end.
    pub fn greatest_arm(self, number: f64) -> f64 {
        (self.high - number).max(number - self.low)
    }

    /// Returns whether the interval lies wholly above 0, or wholly below.
    pub fn excludes_zero(self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// Returns whether the interval is as narrow as rounding allows for numbers of about `size`, so that guaranteed
    /// bounds leave nothing open.
    pub fn is_rounding(self, size: f64) -> bool {
        self.half_width() <= 1e-9 * size.abs().max(1.0)
    }
}

/// Returns the interval for the rate of `successes` in `encounters`.
///
/// These are the exact bounds of C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated
/// in the case of the binomial", Biometrika 26 (1934): they cover the rate at least as often as stated, however rare
/// the event is. They lie within 0 and 1, contain the estimate, and have a width even at 0 and 1, because an event that
/// never occurred may still be possible. `None` without encounters.
///
/// # Panics
/// If there are more successes than encounters.
pub fn of_rate(successes: u64, encounters: u64, confidence: Confidence) -> Option<Interval> {
    assert!(successes <= encounters, "more successes than encounters");
    of_score([encounters - successes, 0, successes], confidence)
}

/// Returns the interval for the mean score of encounters that were lost, drawn or won, scored as 0, one half or 1
/// respectively. Without draws it equals the interval of [`of_rate`]. `None` without encounters.
pub fn of_score(encounters: [u64; 3], confidence: Confidence) -> Option<Interval> {
    thread_local!(static MEMO: Memo<([u64; 3], u64), Option<Interval>> = Memo::default());
    let key = (encounters, confidence.error().to_bits());
    memoized(&MEMO, key, || of_score_anew(encounters, confidence))
}

fn of_score_anew([lost, drawn, won]: [u64; 3], confidence: Confidence) -> Option<Interval> {
    let encounters = lost + drawn + won;
    let values = [(0.0, lost), (0.5, drawn), (1.0, won)];
    let interval = of_few(&values, Interval::new(0.0, 1.0), confidence)?;
    let score = (won as f64 + 0.5 * drawn as f64) / encounters as f64;
    Some(Interval::new(
        interval.low.clamp(0.0, score),
        interval.high.clamp(score, 1.0),
    ))
}

/// Returns bounds for the mean of values, each with the number of encounters that showed it. They hold even
/// if a few encounters determine the mean. No value lies beyond `ends`. `None` without values.
pub(super) fn of_few(
    values: &[(f64, u64)],
    ends: Interval,
    confidence: Confidence,
) -> Option<Interval> {
    let values: Vec<bounds::Weighted> = values
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|&(value, n)| (value, n as f64))
        .collect();
    let tail = confidence.error() / 2.0;
    (!values.is_empty()).then(|| {
        Interval::new(
            bounds::lower(&values, ends.low, tail),
            bounds::upper(&values, ends.high, tail),
        )
    })
}

/// Returns the probability that chance alone shows a mean at least as far from 0, to either side, as the mean of these
/// values, if the true mean is 0. This is the error of the level at which the bounds of [`of_few`] just reach 0. No
/// value is farther from 0 than `reach`.
pub(super) fn p_value_of_few(values: &[(f64, u64)], reach: f64) -> f64 {
    let tail = |sign: f64| {
        let values = values.iter().filter(|(_, n)| *n > 0);
        let values: Vec<bounds::Weighted> =
            values.map(|&(value, n)| (sign * value, n as f64)).collect();
        bounds::tail(&values, reach, 0.0)
    };
    (2.0 * tail(1.0).min(tail(-1.0))).min(1.0)
}

/// Returns the interval for the mean of values, each with the number of encounters that showed it. Each end is that of
/// Student's interval or the bound of [`bounds`], whichever is farther. The interval holds for few encounters, and for
/// many of which a few determine the mean. `ends` are the least and the greatest possible value, usually those that
/// were seen. `None` without values.
pub(super) fn of_values(
    values: &[(f64, u64)],
    (mean, standard_error): (f64, f64),
    ends: Interval,
    confidence: Confidence,
) -> Option<Interval> {
    let encounters = values.iter().map(|(_, n)| n).sum();
    let few = of_few(values, ends, confidence)?;
    let student = of_mean(mean, standard_error, encounters, confidence).unwrap_or(few);
    Some(Interval::new(
        few.low.min(student.low),
        few.high.max(student.high),
    ))
}

/// Returns the interval for the difference of two estimates, second less first, each with an interval of its own.
/// `correlation` is the correlation of the two estimates.
///
/// Source: G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a general
/// approach", Statistics in Medicine 27 (2008), after R. G. Newcombe's method 10, "Interval estimation
/// for the difference between independent proportions", Statistics in Medicine 17 (1998).
pub(super) fn of_difference(
    first: (f64, Interval),
    second: (f64, Interval),
    correlation: f64,
) -> Interval {
    let arms = |(estimate, interval): (f64, Interval)| {
        [estimate - interval.low, interval.high - estimate].map(|arm| arm.max(0.0))
    };
    let ([first_down, first_up], [second_down, second_up]) = (arms(first), arms(second));
    let root = |a: f64, b: f64| (a * a + b * b - 2.0 * correlation * a * b).max(0.0).sqrt();
    let difference = second.0 - first.0;
    Interval::new(
        difference - root(second_down, first_up),
        difference + root(second_up, first_down),
    )
}

/// Returns Student's interval for a mean with a given standard error, from `encounters` encounters.
///
/// `None` where the spread is unknown: with fewer than two encounters, or if all showed the same value. An interval
/// without width would claim more certainty than the data give.
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
    Some(Interval::new(mean - half, mean + half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_that_are_kept_are_those_that_are_found_anew() {
        let levels = ["90%", "95%", "99.9%"].map(|level| level.parse::<Confidence>().unwrap());
        // Twice, and more of them than are kept.
        for _ in 0..2 {
            for level in levels {
                for encounters in 0..30 {
                    for won in 0..=encounters {
                        let lost = encounters - won;
                        let score = [lost, won % 3, won];
                        assert_eq!(of_score(score, level), of_score_anew(score, level));
                        let rate = of_rate(won, encounters, level);
                        assert_eq!(rate, of_score_anew([lost, 0, won], level));
                    }
                }
            }
        }
    }
}
