//! Decimal numbers: as people write them on the command line and in scenarios (`0.01`, `1%`, `-12.5`), and as files have
//! them, with ten digits, the same on every machine.

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

/// Rounds a number to ten significant digits. Sixteen would show rounding noise; ten are far more than any interval makes
/// certain.
pub fn rounded(value: f64) -> f64 {
    let rounded = match ten_digits(value) {
        // Both numbers are exact, so their quotient is the nearest to the decimal number.
        Some((digits, decimals)) => digits as f64 / 10_u64.pow(decimals) as f64,
        // Writing and reading decimal numbers is exact, so no machine rounds differently.
        None => format!("{value:.9e}").parse().unwrap_or(value),
    };
    // Adding 0 turns -0 into 0.
    rounded + 0.0
}

/// Returns the first ten digits of a number of common size as one number, rounded half to even as [`format`] does, and how
/// many of them are decimals.
///
/// Such a number is whole times a power of two, and fits in 128 bits when it is multiplied by a power of ten.
fn ten_digits(number: f64) -> Option<(u64, u32)> {
    const LEAST: u128 = 1_000_000_000;
    if number == 0.0 {
        return Some((0, 0));
    }
    if !(1e-6..1e10).contains(&number) {
        return None;
    }
    let bits = number.to_bits();
    let below = 1075 - (bits >> 52);
    let mut scaled = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    let mut decimals = 0;
    while scaled >> below < LEAST {
        scaled *= 10;
        decimals += 1;
    }
    let (digits, half) = (scaled >> below, 1 << (below - 1));
    let rest = scaled - (digits << below);
    let is_up = rest > half || rest == half && digits % 2 == 1;
    Some(((digits + u128::from(is_up)) as u64, decimals))
}

/// Writes the [digits] of a [rounded] number: ten are fewer than it takes to tell neighbouring numbers apart.
pub fn push_rounded(value: f64, out: &mut Vec<u8>) {
    let Some((mut number, mut decimals)) = ten_digits(value) else {
        return out.extend_from_slice(digits(rounded(value)).as_bytes());
    };
    while decimals > 0 && number.is_multiple_of(10) {
        number /= 10;
        decimals -= 1;
    }
    push_decimal(number, decimals, out);
}

/// Writes a number whose last digits are decimals. Formatting it would take most of the time of a row.
pub fn push_decimal(mut number: u64, decimals: u32, out: &mut Vec<u8>) {
    let mut text = [b'.'; 24];
    let mut begin = text.len();
    let mut written = 0;
    while number > 0 || written <= decimals {
        // The point stays where it is.
        begin -= 1 + usize::from(decimals > 0 && written == decimals);
        text[begin] = b'0' + (number % 10) as u8;
        number /= 10;
        written += 1;
    }
    out.extend_from_slice(&text[begin..]);
}

/// Formats a number with all its digits. A number that would begin with many zeros, such as a p-value, has an exponent.
pub fn digits(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-12 {
        format!("{number:e}")
    } else {
        number.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str) -> Option<f64> {
        Decimal::read(text).map(|decimal| decimal.value)
    }

    fn assert_rounded(value: f64) {
        let slow = format!("{value:.9e}").parse::<f64>().unwrap() + 0.0;
        assert_eq!(rounded(value).to_bits(), slow.to_bits(), "{value:e}");
        let mut text = Vec::new();
        push_rounded(value, &mut text);
        assert_eq!(String::from_utf8(text).unwrap(), digits(slow), "{value:e}");
    }

    #[test]
    fn ten_digits_are_those_of_the_standard_library() {
        // Each of these is half-way between two numbers of ten digits, or close by.
        for half in 0_u32..4000 {
            let half = f64::from(half) + 0.5;
            for value in [
                half / 1024.0,
                half * 1024.0 + 1e6,
                1e9 + half,
                1e8 + half / 8.0,
            ] {
                for value in [value.next_down(), value, value.next_up()] {
                    assert_rounded(value);
                }
            }
        }
        for count in 0..=777 {
            assert_rounded(f64::from(count) / 777.0);
        }
        for edge in [
            0.0,
            -0.0,
            1e-6,
            1.0,
            10.0,
            999_999_999.95,
            1e10,
            1e16,
            f64::MAX,
        ] {
            for value in [edge.next_down(), edge, edge.next_up()] {
                assert_rounded(value.min(f64::MAX));
            }
        }
    }

    proptest! {
        #[test]
        fn any_number_is_rounded_as_the_standard_library_does(size in -12.0..14.0, sign in any::<bool>()) {
            let value = 10_f64.powf(size);
            assert_rounded(if sign { value } else { -value });
        }
    }

    #[test]
    fn whole_numbers_are_written_as_to_string_writes_them() {
        for number in [0, 7, 10, 4_294_967_295, u64::MAX] {
            let mut out = Vec::new();
            push_decimal(number, 0, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
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
