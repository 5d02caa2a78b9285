//! Confidence levels of intervals.

use super::{normal, student};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// A confidence level: the probability with which an interval covers the true value.
///
/// A level in text is from 50% to 99.9999%. Computed levels, by which many intervals together keep one level, may be
/// higher: [`Confidence::of_error`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    error: f64,
    z: f64,
}

/// Levels are read in units of a billionth: seven decimals of a per cent.
const UNIT: u64 = 1_000_000_000;

/// The lowest and the highest level in text, in billionths.
const LIMITS: [u64; 2] = [500_000_000, 999_999_000];

impl Confidence {
    /// 95%, the default level. Its quantile is a constant, so that a change in computing quantiles cannot change the
    /// last digit of results.
    pub const DEFAULT: Self = Self {
        error: 0.05,
        z: 1.959_963_984_540_054,
    };

    /// Returns the level that misses with probability `error`; `None` if `error` is not from 1e-12 to 0.5.
    pub fn of_error(error: f64) -> Option<Self> {
        if !(1e-12..=0.5).contains(&error) {
            return None;
        }
        if error.to_bits() == Self::DEFAULT.error.to_bits() {
            return Some(Self::DEFAULT);
        }
        let z = normal::quantile_above(error / 2.0);
        Some(Self { error, z })
    }

    /// Returns the level of each of `intervals` intervals that together keep this level.
    pub fn shared(self, intervals: usize) -> Self {
        Self::of_error(self.error / intervals.max(1) as f64).unwrap_or(self)
    }

    /// Returns the probability with which an interval misses the true value, to either side: 0.05 at 95%.
    pub fn error(self) -> f64 {
        self.error
    }

    /// Returns the probability with which an interval covers the true value: 0.95 at 95%.
    pub fn level(self) -> f64 {
        1.0 - self.error
    }

    /// Returns the two-sided normal quantile in standard deviations: 1.96 at 95%.
    pub fn z(self) -> f64 {
        self.z
    }

    /// Returns the two-sided quantile of Student's distribution with `degrees` degrees of freedom: 2.262
    /// for 9 at 95%. It is exact to 13 digits up to 200 degrees; above, to 7 digits (11 at 95%).
    ///
    /// # Panics
    /// If `degrees` is 0.
    pub fn student(self, degrees: u64) -> f64 {
        student::quantile(self.error, self.z, degrees)
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Writes the level in per cent, with at most ten decimals and no trailing zeros: `95%`, `99.9%`.
impl Display for Confidence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // The error is rounded to ten digits, so that levels close to 100% differ.
        let error: f64 = format!("{:.9e}", self.error * 100.0)
            .parse()
            .map_err(|_| fmt::Error)?;
        let text = format!("{:.10}", 100.0 - error);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{text}%")
    }
}

impl<'de> Deserialize<'de> for Confidence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl Serialize for Confidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The reason why a text is not a confidence level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoConfidence {
    /// The text is not a decimal number, with or without a per cent sign.
    #[error("not a confidence level; write 95%, 99.9% or 0.99")]
    NotANumber,
    /// The level has more than 7 decimals of a per cent.
    #[error("a confidence level has at most 7 decimals of a per cent")]
    TooManyDecimals,
    /// The level is not from 50% to 99.9999%.
    #[error("a confidence level is from 50% to 99.9999%: write 95% or 0.95")]
    OutOfRange,
}

/// Reads `99%` and `0.99`, which are equal to the last bit.
impl FromStr for Confidence {
    type Err = NoConfidence;

    fn from_str(text: &str) -> Result<Self, NoConfidence> {
        let (number, decimals) = match text.strip_suffix('%') {
            Some(percent) => (percent.trim_end(), 7),
            None => (text, 9),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let fraction = fraction.trim_end_matches('0');
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || number.ends_with('.') || !digits(whole) || !digits(fraction) {
            return Err(NoConfidence::NotANumber);
        }
        if fraction.len() > decimals {
            return Err(NoConfidence::TooManyDecimals);
        }
        let level = format!("{whole}{fraction:0<decimals$}")
            .parse::<u64>()
            .map_err(|_| NoConfidence::OutOfRange)?;
        if !(LIMITS[0]..=LIMITS[1]).contains(&level) {
            return Err(NoConfidence::OutOfRange);
        }
        Self::of_error((UNIT - level) as f64 / UNIT as f64).ok_or(NoConfidence::OutOfRange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Confidence {
        text.parse().unwrap()
    }

    #[test]
    fn a_level_reads_as_per_cent_and_as_a_share() {
        for (percent, share) in [
            ("95%", "0.95"),
            ("99%", "0.99"),
            ("99.9%", "0.999"),
            ("50%", "0.5"),
            ("99.9999%", "0.999999"),
            ("97.1234567%", "0.971234567"),
            ("95.0%", "0.950"),
        ] {
            assert_eq!(read(percent), read(share));
        }
        assert_eq!(read("95%"), Confidence::DEFAULT);
        assert_eq!(read("99 %"), read("99%"));
    }

    #[test]
    fn a_level_is_written_as_it_is_read() {
        for text in ["95%", "99%", "99.9%", "50%", "99.9999%", "97.1234567%"] {
            assert_eq!(read(text).to_string(), text);
        }
        let many = Confidence::of_error(0.05 / 17.0).unwrap();
        assert_eq!(many.to_string(), "99.7058823529%");
    }

    #[test]
    fn what_is_no_level_is_refused() {
        use NoConfidence::{NotANumber, OutOfRange, TooManyDecimals};
        for (text, why) in [
            ("", NotANumber),
            ("%", NotANumber),
            ("high", NotANumber),
            ("-95%", NotANumber),
            ("9_5%", NotANumber),
            ("95.%", NotANumber),
            (".95", NotANumber),
            ("1e-1", NotANumber),
            ("NaN", NotANumber),
            ("95%%", NotANumber),
            ("0.9999999999", TooManyDecimals),
            ("95.12345678%", TooManyDecimals),
            ("95", OutOfRange),
            ("1", OutOfRange),
            ("100%", OutOfRange),
            ("49.9%", OutOfRange),
            ("0%", OutOfRange),
            ("99.99991%", OutOfRange),
            ("999999999999999999999999%", OutOfRange),
        ] {
            assert_eq!(text.parse::<Confidence>(), Err(why), "{text}");
        }
    }

    #[test]
    fn the_default_is_the_quantile_that_would_be_computed() {
        let computed = normal::quantile_above(0.025);
        assert!((Confidence::DEFAULT.z() - computed).abs() < 1e-15);
    }

    #[test]
    fn errors_out_of_range_are_no_level() {
        for error in [0.0, -1.0, 1e-13, 0.51, 1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Confidence::of_error(error), None);
        }
        assert_eq!(Confidence::of_error(0.05), Some(Confidence::DEFAULT));
    }
}
