//! The required width of intervals, and how far intervals are from it.

use super::{Confidence, Interval, Summary};
use crate::decimal::Decimal;
use crate::tally::{Kind, Metric, Tally};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The half-width that intervals are required to have.
///
/// For a rate, `0.1%` means a tenth of a percentage point, and `0.001` means the same as a share. For a count, `0.1%`
/// means a thousandth of its mean, and `0.001` is in the count's own unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Precision {
    text: String,
    /// The half-width; a share if it was written in per cent.
    value: f64,
    percent: bool,
}

impl Precision {
    /// Returns the half-width that is required for a rate.
    pub fn of_rate(&self) -> f64 {
        self.value
    }

    /// Returns the half-width that is required for a metric with the given kind and mean, in the metric's unit.
    pub fn of(&self, kind: Kind, mean: Option<f64>) -> f64 {
        match mean {
            // Counts are never negative, so a metric that varies has a mean above 0.
            Some(mean) if self.percent && kind != Kind::Rate => self.value * mean,
            _ => self.value,
        }
    }

    /// Returns the half-width of a summary's interval as a multiple of the required one: 1 or less is narrow enough.
    ///
    /// The result is infinite where the spread is unknown: with a single encounter, if all encounters showed the same
    /// value and no limit bounds the metric, and for a share of a mean of 0. `None` if no encounter showed a value.
    pub fn excess(&self, summary: &Summary, kind: Kind) -> Option<f64> {
        let known = |interval: Interval| match interval.half_width() {
            width if width > 0.0 => width / self.of(kind, summary.mean),
            // An interval without width comes from a metric that cannot vary.
            _ => 0.0,
        };
        (summary.n > 0).then(|| summary.interval.map_or(f64::INFINITY, known))
    }

    /// Returns the interval with the greatest excess among all subjects of these metrics; `None` if no encounter showed
    /// a value of any.
    pub fn widest(
        &self,
        tally: &Tally,
        metrics: &[&'static Metric],
        confidence: Confidence,
    ) -> Option<Widest> {
        let mut widest: Option<Widest> = None;
        for metric in metrics {
            for subject in 0..tally.subjects(metric.scope) {
                let summary = Summary::of_metric(tally, metric, subject, confidence);
                if let Some(excess) = self.excess(&summary, metric.kind)
                    && widest.as_ref().is_none_or(|widest| excess > widest.excess)
                {
                    widest = Some(Widest {
                        metric,
                        subject,
                        excess,
                        summary,
                    });
                }
            }
        }
        widest
    }
}

/// Writes the precision as the user wrote it.
impl Display for Precision {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Precision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl Serialize for Precision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// The reason why a text is not a precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoPrecision {
    /// The text is not a decimal number, with or without a per cent sign.
    #[error("not a precision; write 0.1% or 0.001")]
    NotANumber,
    /// The precision is 0 or below 1e-12.
    #[error("no interval is ever so narrow; write 0.1% or 0.001")]
    Nothing,
    /// The precision is above 1e9.
    #[error("any interval is as narrow as that; write 0.1% or 0.001")]
    TooGreat,
}

impl FromStr for Precision {
    type Err = NoPrecision;

    fn from_str(text: &str) -> Result<Self, NoPrecision> {
        let Decimal {
            digits,
            value,
            percent,
        } = Decimal::read(text).ok_or(NoPrecision::NotANumber)?;
        if digits.starts_with(['-', '+']) {
            return Err(NoPrecision::NotANumber);
        }
        if value < 1e-12 {
            return Err(NoPrecision::Nothing);
        }
        if value > 1e9 {
            return Err(NoPrecision::TooGreat);
        }
        Ok(Self {
            text: format!("{digits}{}", if percent { "%" } else { "" }),
            value,
            percent,
        })
    }
}

/// The interval that is farthest from the required precision.
#[derive(Debug, Clone)]
pub struct Widest {
    /// The metric.
    pub metric: &'static Metric,
    /// The index of the subject among those of the metric.
    pub subject: usize,
    /// The half-width as a multiple of the required one.
    pub excess: f64,
    /// The summary that contains the interval.
    pub summary: Summary,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Histogram;

    fn precision(text: &str) -> Precision {
        text.parse().unwrap()
    }

    fn excess(text: &str, values: &[u32], kind: Kind) -> Option<f64> {
        let mut histogram = Histogram::default();
        for (encounter, &value) in (0..).zip(values) {
            histogram.add(value, encounter);
        }
        let summary = Summary::of(&histogram.distribution(), kind, Confidence::DEFAULT);
        precision(text).excess(&summary, kind)
    }

    #[test]
    fn what_is_no_precision_is_refused() {
        use NoPrecision::{NotANumber, Nothing, TooGreat};
        for (text, why) in [
            ("", NotANumber),
            ("%", NotANumber),
            ("-1%", NotANumber),
            ("1e-3", NotANumber),
            ("NaN", NotANumber),
            ("inf", NotANumber),
            (".1%", NotANumber),
            ("1.%", NotANumber),
            ("1.2.3", NotANumber),
            ("1%%", NotANumber),
            ("0", Nothing),
            ("0.000%", Nothing),
            ("99999999999", TooGreat),
        ] {
            assert_eq!(text.parse::<Precision>(), Err(why), "{text}");
        }
        assert_eq!(precision("0.1 %").to_string(), "0.1%");
    }

    #[test]
    fn per_cent_are_points_of_a_rate_and_a_share_of_a_mean() {
        let coins = [0, 1].repeat(5000);
        let points = excess("1%", &coins, Kind::Rate).unwrap();
        // One half, give or take 1.96 * sqrt(0.25 / 10,000) and half an encounter.
        assert!((points - 0.984_8).abs() < 1e-3, "{points}");
        assert_eq!(Some(points), excess("0.01", &coins, Kind::Rate));
        let counts: Vec<u32> = coins.iter().map(|coin| 99 + 2 * coin).collect();
        // 100, give or take 0.0197.
        let share = excess("0.01%", &counts, Kind::Count).unwrap();
        assert!((share - 1.969_7).abs() < 1e-3, "{share}");
        let units = excess("0.01", &counts, Kind::Count).unwrap();
        assert!((units - 1.969_7).abs() < 1e-3, "{units}");
    }

    #[test]
    fn what_has_never_varied_is_not_known_precisely() {
        assert_eq!(excess("1%", &[], Kind::Count), None);
        for values in [&[0; 50][..], &[7; 50], &[7]] {
            assert_eq!(excess("1%", values, Kind::Count), Some(f64::INFINITY));
        }
        // A rate is never known for certain.
        assert!(excess("1%", &[0; 50], Kind::Rate).unwrap() > 1.0);
    }
}
