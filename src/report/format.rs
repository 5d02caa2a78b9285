//! Formatting of values for people.

use super::Value;
use super::number::{Rounded, digits, in_cell};

/// Formats a value for a table or a list of facts.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Whole(number) => number.to_string(),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Chance(chance) => percent(*chance),
        Value::Real(number) => real(*number),
        Value::OneIn(number) => one_in(*number),
        Value::Sampled(number) => {
            number.map_or_else(String::new, |number| Rounded::new(number).to_string())
        }
        Value::Exact(number) => number.map_or_else(String::new, digits),
        Value::Object(_) | Value::List(_) | Value::Json(_) => String::new(),
    }
}

/// Formats a value for a cell of a grid, with fewer decimals.
pub(crate) fn cell(value: &Value) -> String {
    match value {
        Value::Chance(chance) => match chance * 100.0 {
            0.0 => "0".to_owned(),
            percent if percent < 0.05 => "<0.1".to_owned(),
            percent if percent >= 99.95 && *chance < 1.0 => ">99.9".to_owned(),
            percent => format!("{percent:.1}"),
        },
        Value::Real(number) => in_cell(*number, 2, false),
        other => text(other),
    }
}

fn percent(chance: f64) -> String {
    let percent = chance * 100.0;
    if chance <= 0.0 {
        "0 %".to_owned()
    } else if percent < 0.0001 {
        format!("{percent:.2e} %")
    } else if percent >= 99.999_95 && chance < 1.0 {
        ">99.9999 %".to_owned()
    } else {
        format!("{percent:.4} %")
    }
}

fn real(number: f64) -> String {
    let size = number.abs();
    if size >= 1e9 || (size > 0.0 && size < 1e-4) {
        format!("{number:.4e}")
    } else {
        format!("{number:.4}")
    }
}

fn one_in(number: f64) -> String {
    if number.is_infinite() {
        "never".to_owned()
    } else if number < 9.95 {
        format!("1 in {number:.2}")
    } else if number < 999.5 {
        format!("1 in {number:.1}")
    } else if number < 999_999.5 {
        format!("1 in {number:.0}")
    } else {
        format!("1 in {number:.2e}")
    }
}

/// Formats a number in the shortest form that reads back as the same number.
pub(crate) fn shortest(number: f64) -> String {
    let size = number.abs();
    if size >= 1e16 || (size > 0.0 && size < 1e-5) {
        format!("{number:e}")
    } else {
        format!("{number}")
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, one_in, percent, shortest};
    use crate::report::Value;

    #[test]
    fn chances() {
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.123_456), "12.3456 %");
        assert_eq!(percent(1e-20), "1.00e-18 %");
        assert_eq!(percent(1.0), "100.0000 %");
        assert_eq!(percent(1.0 - 1e-9), ">99.9999 %");
        assert_eq!(cell(&Value::Chance(1e-7)), "<0.1");
        assert_eq!(cell(&Value::Chance(0.9999)), ">99.9");
    }

    #[test]
    fn one_in_so_many() {
        assert_eq!(one_in(1.0), "1 in 1.00");
        assert_eq!(one_in(37.52), "1 in 37.5");
        assert_eq!(one_in(123_456.7), "1 in 123457");
        assert_eq!(one_in(1e20), "1 in 1.00e20");
        assert_eq!(one_in(f64::INFINITY), "never");
    }

    #[test]
    fn the_shortest_form_reads_back() {
        for number in [0.1, 1e-20, 2.0 / 3.0, 0.0, 1e300, 12.5, 5e-324] {
            let text = shortest(number);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), number.to_bits());
        }
        assert_eq!(shortest(1e-20), "1e-20");
    }
}
