//! Numbers as text, the same on every machine.

use crate::decimal;
pub(crate) use crate::decimal::digits;
use crate::stats::Interval;
use std::fmt::{self, Display, Formatter};

/// A number that is written with at most [ten significant digits](decimal::rounded).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rounded(f64);

impl Rounded {
    pub(crate) fn new(value: f64) -> Self {
        Self(decimal::rounded(value))
    }
}

impl Display for Rounded {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        decimal::push_rounded(self.0, &mut text);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// Formats a number that is known more precisely than a reader needs, with six decimals, or none if it is whole. It has
/// three significant digits if six decimals would read as 0, and more decimals if a percentage would read as 100, unless
/// its bounds include 0 or 100.
pub(crate) fn at_a_glance(number: f64, bounds: Interval, is_percent: bool) -> String {
    const GLANCE: usize = 6;
    let size = number.abs();
    let digits = if number.fract() == 0.0 {
        0
    } else if bounds.excludes_zero() && size < 1e-6 {
        if size < 1e-12 {
            return format!("{number:.2e}");
        }
        decimals(2.0 * size) + 2
    } else if is_percent && number > 50.0 && bounds.high < 100.0 {
        decimals_of_percents(GLANCE, &[number])
    } else {
        GLANCE
    };
    // Adding 0 turns -0 into 0.
    format!("{:.digits$}", number + 0.0)
}

/// Formats the greater distance from a number to one of its bounds, rounded up to one digit: `±2e-10`.
pub(crate) fn arm(number: f64, bounds: Interval) -> String {
    let half = bounds.greatest_arm(number).max(1e-16);
    let exponent = half.log10().floor() as i32;
    let digit = (half / 10_f64.powi(exponent)).ceil();
    let (digit, exponent) = if digit < 10.0 {
        (digit, exponent)
    } else {
        (1.0, exponent + 1)
    };
    format!("±{digit:.0}e{exponent}")
}

/// The least width to each side at which the bounds of solved fights show in the digits of a number.
pub(crate) const VISIBLE: f64 = 1e-6;

/// Returns the decimals of a solved number that its bounds allow.
pub(crate) fn exact_decimals(bounds: Interval) -> usize {
    let half = bounds.half_width();
    if half < VISIBLE { 4 } else { decimals(half) }
}

/// Formats a difference of solved fights and its bounds, with signs: `+13.7000`, or `-1` if it is whole, and `±2e-10`. If
/// the bounds are wide enough for both ends to differ visibly, they are written as a range: `+13.7` and `-4.1 to +20.3`.
pub(crate) fn exact_difference(number: f64, bounds: Interval) -> [String; 2] {
    let Interval { low, high } = bounds;
    if bounds.half_width() >= VISIBLE {
        let shown = if bounds.excludes_zero() {
            [number, low, high]
        } else {
            [0.0; 3]
        };
        let digits = decimals_shown(exact_decimals(bounds), &shown);
        let scale = power_of_ten(digits);
        let low = signed((low * scale).floor() / scale, digits);
        let high = signed(rounded_up(high, digits), digits);
        return [signed(number, digits), format!("{low} to {high}")];
    }
    let text = if !bounds.excludes_zero() {
        "0".to_owned()
    } else if number.fract() == 0.0 {
        signed(number, 0)
    } else {
        signed(number, decimals_shown(exact_decimals(bounds), &[number]))
    };
    [text, arm(number, bounds)]
}

/// Formats a sampled difference and the ends of its interval with signs, and with the digits that the interval allows:
/// `+13.7` and `-4.1 to +20.3`.
pub(crate) fn sampled_difference(number: f64, interval: Interval) -> [String; 2] {
    let [low, high] = interval.ends();
    let digits = decimals_shown(decimals(interval.half_width()), &[number, low, high]);
    let [low, high] = [low, high].map(|end| signed(end, digits));
    [signed(number, digits), format!("{low} to {high}")]
}

/// Whether an interval is so narrow that its ends and the number read alike. No sampled number is known that precisely.
pub(crate) fn is_narrow(number: f64, interval: Interval, is_share: bool) -> bool {
    let half = interval.half_width();
    let rest = if is_share {
        1.0 - number
    } else {
        f64::INFINITY
    };
    interval.low < interval.high && (half < 1e-6 * number.abs().min(rest) || half < 1e-13)
}

/// Returns a guaranteed lower bound whose decimal digits do not lie above `bound`.
pub(crate) fn floor(bound: f64) -> f64 {
    // The shortest digits lie within half a unit in the last place of their number; whole numbers are exact.
    if bound.fract() == 0.0 {
        bound
    } else {
        bound.next_down()
    }
}

/// Returns a guaranteed upper bound whose decimal digits do not lie below `bound`.
pub(crate) fn ceiling(bound: f64) -> f64 {
    if bound.fract() == 0.0 {
        bound
    } else {
        bound.next_up()
    }
}

/// Formats a count with commas between thousands.
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

/// Formats a count of encounters: `1,000 encounters`.
pub(crate) fn encounters(count: u64) -> String {
    counted(count, "encounter")
}

/// Formats a count of things called `name`: `1 point`, `1,000 points`.
pub(crate) fn counted(count: u64, name: &str) -> String {
    format!("{} {name}{}", grouped(count), plural(count))
}

/// Returns the plural ending of a word for `count` things.
pub(crate) fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Formats a number with its sign. A number that rounds to 0 has no sign.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    let size = text.trim_start_matches(['+', '-']);
    if size.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        size.to_owned()
    } else {
        text
    }
}

/// Returns the least and the greatest of some numbers, or `(f64::MAX, f64::MIN)` if there are none.
pub(crate) fn extremes(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let wider = |(least, most): (f64, f64), number| (least.min(number), most.max(number));
    numbers.into_iter().fold((f64::MAX, f64::MIN), wider)
}

/// Returns the position of a number between the least and the greatest, from 0 to 1.
pub(crate) fn share_of_way(number: f64, (least, most): (f64, f64)) -> f64 {
    if most > least {
        (number - least) / (most - least)
    } else {
        0.0
    }
}

/// The most decimals that are ever written.
const MOST_DECIMALS: usize = 20;

/// Returns the number of decimals worth showing for a number of this uncertainty: the fewest at which the uncertainty
/// is at least 2 units of the last decimal.
pub(crate) fn decimals(uncertainty: f64) -> usize {
    let mut decimals = 0;
    let mut scaled = uncertainty;
    while scaled > 0.0 && scaled < 2.0 && decimals < MOST_DECIMALS {
        scaled *= 10.0;
        decimals += 1;
    }
    decimals
}

/// Returns the least number of decimals, from `decimals` on, at which none of these numbers reads as 0 unless it is 0.
pub(crate) fn decimals_shown(decimals: usize, numbers: &[f64]) -> usize {
    let shown = |number: &f64| reads_apart(*number, 0.0, decimals, MOST_DECIMALS);
    numbers.iter().map(shown).fold(decimals, usize::max)
}

/// Returns the same for percentages, which must not read as 100 either, unless they are 100.
pub(crate) fn decimals_of_percents(decimals: usize, numbers: &[f64]) -> usize {
    let shown = |number: &f64| reads_apart(*number, 100.0, decimals, MOST_DECIMALS);
    let decimals = decimals_shown(decimals, numbers);
    numbers.iter().map(shown).fold(decimals, usize::max)
}

/// The most decimals beyond those that an interval leaves certain.
const MOST_BEYOND: usize = 6;

/// Formats a number and the ends of its interval with `certain` decimals, or with more if one of them would read as 0, or
/// a percentage as 100, without being so. A number that would take many more is written alone: `3e-20`, or `>99`.
pub(crate) fn with_ends(numbers: [f64; 3], certain: usize, is_percent: bool) -> [String; 3] {
    let needed = |number: f64| {
        if is_percent {
            decimals_of_percents(certain, &[number])
        } else {
            decimals_shown(certain, &[number])
        }
    };
    let most = certain + MOST_BEYOND;
    let fits = numbers
        .map(needed)
        .into_iter()
        .filter(|needed| *needed <= most);
    let digits = fits.fold(certain, usize::max);
    numbers.map(|number| {
        if needed(number) <= most {
            format!("{number:.digits$}")
        } else if number.abs() < 1.0 {
            format!("{number:.0e}")
        } else {
            in_cell(number, digits, is_percent)
        }
    })
}

/// Returns the decimals, up to `most`, at which a number reads unlike `other`; `decimals` if the two are equal.
fn reads_apart(number: f64, other: f64, decimals: usize, most: usize) -> usize {
    let alike = |decimals: &usize| {
        let decimals = *decimals;
        format!("{:.decimals$}", number.abs()) == format!("{other:.decimals$}")
    };
    let differs = number.abs() > other || number.abs() < other;
    if !differs {
        return decimals;
    }
    (decimals..most)
        .find(|decimals| !alike(decimals))
        .unwrap_or(most)
}

/// Rounds a number up to `decimals` decimals.
pub(crate) fn rounded_up(number: f64, decimals: usize) -> f64 {
    let scale = power_of_ten(decimals);
    (number * scale).ceil() / scale
}

fn power_of_ten(exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |power, _| power * 10.0)
}

/// Formats a number with `decimals` decimals, for cells without room for more digits: `<0.1` if it would read as 0,
/// `>99.9` if a percentage would read as 100.
pub(crate) fn in_cell(number: f64, decimals: usize, is_percent: bool) -> String {
    let text = format!("{number:.decimals$}");
    let step = 1.0 / power_of_ten(decimals);
    let reads_as = |other| reads_apart(number, other, decimals, decimals + 1) > decimals;
    if reads_as(0.0) {
        let sign = if number > 0.0 { "<" } else { ">-" };
        format!("{sign}{step:.decimals$}")
    } else if is_percent && reads_as(100.0) {
        format!(">{:.decimals$}", 100.0 - step)
    } else {
        text
    }
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
    fn the_arm_of_bounds_is_rounded_up() {
        let told = |half: f64| {
            let [low, high] = [0.5 - half, 0.5 + half];
            arm(0.5, Interval { low, high })
        };
        assert_eq!(told(1.4e-9), "±2e-9");
        assert_eq!(told(9.6e-9), "±1e-8");
        assert_eq!(told(0.0), "±1e-16");
    }

    #[test]
    fn a_small_number_does_not_look_like_0_at_a_glance() {
        let told = |number: f64| {
            let (low, high) = (number - 1e-3 * number.abs(), number + 1e-3 * number.abs());
            at_a_glance(number, Interval { low, high }, true)
        };
        assert_eq!(told(16.076_428_61), "16.076429");
        assert_eq!(told(2.583e-10), "0.000000000258");
        assert_eq!(told(-1.1e-7), "-0.000000110");
        assert_eq!(told(50.0), "50");
        assert_eq!(told(2.583e-15), "2.58e-15");
        let bounds = |low, high| Interval { low, high };
        let all = 100.0 - 2e-9;
        assert_eq!(at_a_glance(all, bounds(all, all), true), "99.999999998");
        assert_eq!(at_a_glance(1e-9, bounds(0.0, 2e-9), true), "0.000000");
    }

    #[test]
    fn tiny_numbers_have_an_exponent() {
        let text = |number| Rounded::new(number).to_string();
        assert_eq!(text(3.164_254_767_4e-252), "3.164254767e-252");
        assert_eq!(text(-1e-13), "-1e-13");
        assert_eq!(text(1e-12), "0.000000000001");
        assert_eq!(text(0.0), "0");
        assert_eq!(digits(1.5e-20), "1.5e-20");
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
        assert_eq!(decimals(3e-12), 12);
    }

    #[test]
    fn nothing_but_0_looks_like_0() {
        assert_eq!(decimals_shown(3, &[0.342, 0.0]), 3);
        assert_eq!(decimals_shown(3, &[0.342, 0.000_055_7]), 4);
        assert_eq!(decimals_shown(0, &[-0.02]), 2);
        // Numbers half-way are rounded to the even digit, as they are when they are printed.
        assert_eq!(
            (decimals_shown(0, &[0.5]), format!("{:.0}", 0.5)),
            (1, "0".to_owned())
        );
        assert_eq!(decimals_shown(0, &[1e-300]), MOST_DECIMALS);
    }

    #[test]
    fn a_tiny_end_does_not_lengthen_the_other_numbers() {
        assert_eq!(
            with_ends([0.02, 0.01, 0.04], 2, true),
            ["0.02", "0.01", "0.04"]
        );
        assert_eq!(
            with_ends([3e-20, 1e-20, 47.1], 0, true),
            ["3e-20", "1e-20", "47"]
        );
        let all = 100.0 - 1e-12;
        assert_eq!(with_ends([60.0, 50.0, all], 0, true), ["60", "50", ">99"]);
    }

    #[test]
    fn nothing_but_100_looks_like_100_per_cent() {
        assert_eq!(decimals_of_percents(1, &[0.0, 54.3, 100.0]), 1);
        assert_eq!(decimals_of_percents(1, &[99.9993]), 3);
        assert_eq!(decimals_of_percents(1, &[0.0004, 99.97]), 4);
    }

    #[test]
    fn where_there_is_no_room_for_digits_it_says_less_than_the_last() {
        let cells = [
            (0.02, 1),
            (0.0, 1),
            (99.97, 1),
            (100.0, 1),
            (12.34, 1),
            (0.3, 0),
        ];
        let texts = cells.map(|(number, decimals)| in_cell(number, decimals, true));
        assert_eq!(texts, ["<0.1", "0.0", ">99.9", "100.0", "12.3", "<1"]);
        assert_eq!(in_cell(99.97, 1, false), "100.0");
        assert_eq!(in_cell(-0.02, 1, false), ">-0.1");
    }
}
