//! Numbers as text, the same on every machine.

use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

/// A number that is written with ten significant digits and no more than it needs.
///
/// Sixteen digits would show rounding noise; ten are far more than any interval leaves certain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rounded(f64);

impl Rounded {
    pub(crate) fn new(value: f64) -> Self {
        // Writing and reading decimal numbers is exact, so no machine rounds differently.
        let rounded = format!("{value:.9e}").parse().unwrap_or(value);
        // Adding 0 turns -0 into 0.
        Self(rounded + 0.0)
    }
}

impl Display for Rounded {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl Serialize for Rounded {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

/// A count with commas between thousands.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many encounters, in words.
pub(crate) fn encounters(count: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} encounter{plural}", grouped(count))
}

/// Decimals with which a number of that uncertainty is worth showing: those at which the
/// uncertainty itself is at least 2 units of the last one.
pub(super) fn decimals(uncertainty: f64) -> usize {
    let mut decimals = 0;
    let mut scaled = uncertainty;
    while scaled > 0.0 && scaled < 2.0 && decimals < 8 {
        scaled *= 10.0;
        decimals += 1;
    }
    decimals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_digits_and_no_more_than_needed() {
        let text = |value| Rounded::new(value).to_string();
        assert_eq!(text(0.5), "0.5");
        assert_eq!(text(1.0 / 3.0), "0.3333333333");
        assert_eq!(text(2.0 / 3.0 * 1e9), "666666666.7");
        assert_eq!(text(3.841_458_8e-7), "0.00000038414588");
        assert_eq!(text(-0.0), "0");
        assert_eq!(text(12_345_678_901_234.0), "12345678900000");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
        assert_eq!(encounters(1), "1 encounter");
        assert_eq!(encounters(1000), "1,000 encounters");
    }

    #[test]
    fn digits_end_where_doubt_begins() {
        assert_eq!(decimals(3.0), 0);
        assert_eq!(decimals(1.5), 1);
        assert_eq!(decimals(0.5), 1);
        assert_eq!(decimals(0.098), 2);
        assert_eq!(decimals(0.0), 0);
    }
}
