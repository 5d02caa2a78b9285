//! Numbers as people write them on the command line and in scenarios: `0.01`, `1%`, `-12.5`.

/// A number as written in input, perhaps in per cent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decimal<'a> {
    /// The text before the `%`.
    pub digits: &'a str,
    /// Its value: 0.01 for `1%`.
    pub value: f64,
    /// Whether it is in per cent.
    pub percent: bool,
}

impl<'a> Decimal<'a> {
    /// Reads a number: digits, optionally with a point and digits on both sides, a sign before them, and a `%` behind
    /// them. Returns `None` for any other text, such as `1e3`, `.5` or `inf`.
    pub fn read(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (digits, percent) = match text.strip_suffix('%') {
            Some(digits) => (digits.trim_end(), true),
            None => (text, false),
        };
        let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !plain(whole) || !plain(fraction) {
            return None;
        }
        let number: f64 = digits
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())?;
        let value = if percent { number / 100.0 } else { number };
        Some(Self {
            digits,
            value,
            percent,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;
    use proptest::prelude::*;

    fn value(text: &str) -> Option<f64> {
        Decimal::read(text).map(|decimal| decimal.value)
    }

    #[test]
    fn a_number_is_read_as_it_stands_and_in_per_cent() {
        for (text, expected) in [
            ("0.01", 0.01),
            ("1%", 0.01),
            ("1 %", 0.01),
            (" 12.5 ", 12.5),
            ("-3", -3.0),
            ("+0.5%", 0.005),
            ("007", 7.0),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
        assert_eq!(
            Decimal::read("45.0 %").map(|read| (read.digits, read.percent)),
            Some(("45.0", true))
        );
    }

    #[test]
    fn what_is_no_such_number_is_not_read() {
        let long = "9".repeat(400);
        for text in [
            "", "%", "-", ".5", "5.", "1.2.3", "1%%", "1e3", "inf", "NaN", "--1", "0x1", "1_000",
            "٣", &long,
        ] {
            assert_eq!(Decimal::read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_printed_is_read_back(number in -1e12_f64..1e12) {
            prop_assert_eq!(value(&format!("{number:.6}")), format!("{number:.6}").parse().ok());
        }

        #[test]
        fn nothing_makes_it_stumble(text in any::<String>()) {
            let _ = Decimal::read(&text);
        }
    }
}
