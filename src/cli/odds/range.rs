//! Numbers and ranges of numbers in arguments: `8`, `1..20`.

use std::ops::{Range, RangeInclusive};

use super::OddsError;

/// Reads `8` or `1..20`, both ends included; `option` names the argument in messages.
pub(super) fn range(option: &str, text: &str) -> Result<RangeInclusive<i64>, OddsError> {
    let fail = |span: Range<usize>, message: &str| {
        let message = format!("{option}: {message}");
        let help = "write a number such as `8`, or a range such as `1..20`";
        Err(OddsError::at(text, span, &message, Some(help)))
    };
    if text.trim().is_empty() {
        return fail(0..text.len(), "a number is missing");
    }
    let Some(dots) = text.find("..") else {
        return number(option, text, 0..text.len()).map(|value| value..=value);
    };
    let rest = dots + 2;
    for (span, side) in [(0..dots, "before"), (rest..text.len(), "after")] {
        if text[span].trim().is_empty() {
            return fail(
                dots..rest,
                &format!("a range needs a number {side} its dots"),
            );
        }
    }
    let first = number(option, text, 0..dots)?;
    let last = number(option, text, rest..text.len())?;
    if first > last {
        return fail(0..text.len(), "this range runs backwards");
    }
    Ok(first..=last)
}

/// Reads one number.
pub(super) fn single(option: &str, text: &str) -> Result<i64, OddsError> {
    if text.trim().is_empty() {
        return Err(OddsError::input(format!("{option}: a number is missing")));
    }
    number(option, text, 0..text.len())
}

fn number(option: &str, text: &str, span: Range<usize>) -> Result<i64, OddsError> {
    let written = text[span.clone()].trim();
    if let Ok(value) = written.parse::<i64>() {
        return Ok(value);
    }
    let digits = written.strip_prefix('-').unwrap_or(written);
    let (at, message) = match digits.char_indices().find(|(_, c)| !c.is_ascii_digit()) {
        Some((at, stranger)) => {
            let lead = text[span.clone()].len() - text[span.clone()].trim_start().len();
            let at = span.start + lead + (written.len() - digits.len()) + at;
            let message = format!("{option}: `{}` is not a digit", stranger.escape_debug());
            (at..at + stranger.len_utf8(), message)
        }
        None if digits.is_empty() => (span, format!("{option}: a number is missing")),
        None => (span, format!("{option}: this number is too large")),
    };
    Err(OddsError::at(text, at, &message, None))
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn numbers_and_ranges() {
        assert_eq!(range("--pool", "8").unwrap(), 8..=8);
        assert_eq!(range("--pool", "1..20").unwrap(), 1..=20);
        assert_eq!(range("--pool", "-2..3").unwrap(), -2..=3);
        assert_eq!(range("--pool", " 2 .. 3 ").unwrap(), 2..=3);
    }

    #[test]
    fn malformed_ranges_are_pointed_at() {
        for text in [
            "",
            " ",
            "..",
            "1..",
            "..3",
            "3..1",
            "1..x",
            "1.5",
            "é",
            "1…3",
            "-",
            "--1",
            "99999999999999999999",
            "1...3",
            "1..2..3",
        ] {
            let message = range("--pool", text).unwrap_err().to_string();
            assert!(message.contains("--pool"), "{text}: {message}");
        }
    }
}
