//! Numbers, sums, ranges and lists in arguments: `8`, `5+4`, `1..20`, `4,3@7`.

use std::ops::{Range, RangeInclusive};

use super::{OddsError, refuse};

/// Reads `8` or `1..20`, both ends included. `option` names the argument in messages.
pub(super) fn range(option: &str, text: &str) -> Result<RangeInclusive<i64>, OddsError> {
    let fail = |span: Range<usize>, message: &str| {
        let message = format!("{option}: {message}");
        let help = "write a number such as `8` or `5+4`, or a range such as `2..10`";
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
        return refuse(format!("{option}: a number is missing"));
    }
    number(option, text, 0..text.len())
}

/// Reads a number that may be written as a sum: `5+4-1` (Attribute, Skill, penalty).
fn number(option: &str, text: &str, span: Range<usize>) -> Result<i64, OddsError> {
    let too_large = || {
        let message = format!("{option}: this number is too large");
        OddsError::at(text, span.clone(), &message, None)
    };
    let written = &text[span.clone()];
    // A sign at the start belongs to the first number.
    let lead = written.len() - written.trim_start().len();
    let signs = written.match_indices(['+', '-']);
    let signs = signs.map(|(at, _)| at).filter(|&at| at > lead);
    let mut sum = 0_i64;
    let mut start = 0;
    for end in signs.chain([written.len()]) {
        let (from, is_less) = match written.as_bytes().get(start) {
            Some(b'-') if start > 0 => (start + 1, true),
            Some(b'+') if start > 0 => (start + 1, false),
            _ => (start, false),
        };
        let value = term(option, text, span.start + from..span.start + end)?;
        let value = if is_less {
            value.checked_neg()
        } else {
            Some(value)
        };
        sum = value
            .and_then(|value| sum.checked_add(value))
            .ok_or_else(too_large)?;
        start = end;
    }
    Ok(sum)
}

/// Reads one number of a sum.
fn term(option: &str, text: &str, span: Range<usize>) -> Result<i64, OddsError> {
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
    // `5d10` and `dexterity+brawl` are what players say.
    let help = text.chars().any(char::is_alphabetic).then(|| {
        let count = written.split(['d', 'D']).next().unwrap_or_default();
        let is_dice = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        if is_dice {
            format!("the number alone: `{option} {count}`")
        } else {
            format!("numbers, not names: `{option} 3+2`")
        }
    });
    Err(OddsError::at(text, at, &message, help.as_deref()))
}

/// Returns whether a number is written as a sum, so that the answer must state its value.
pub(super) fn is_sum(text: &str) -> bool {
    text.trim_start()
        .chars()
        .skip(1)
        .any(|c| matches!(c, '+' | '-'))
        && !text.contains("..")
}

/// Reads a list of pools, each with its dice and its difficulty, if one is given: `4,3`, `4@6,3@7`, `3+2@8`.
pub(super) fn parts(option: &str, text: &str) -> Result<Vec<(i64, Option<i64>)>, OddsError> {
    pieces(text)
        .map(|span| {
            if text[span.clone()].trim().is_empty() {
                let message = format!("{option}: a pool is missing");
                let help = "write dice, and a difficulty if it is another: `4,3@7`";
                return Err(OddsError::at(text, span, &message, Some(help)));
            }
            let at = text[span.clone()].find('@').map(|at| span.start + at);
            let dice = number(option, text, span.start..at.unwrap_or(span.end))?;
            let difficulty = at.map(|at| number(option, text, at + 1..span.end));
            Ok((dice, difficulty.transpose()?))
        })
        .collect()
}

/// Returns the byte ranges of the pieces between commas.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split(',').map(move |piece| {
        let span = start..start + piece.len();
        start = span.end + 1;
        span
    })
}

#[cfg(test)]
mod tests {
    use super::{is_sum, parts, range};

    #[test]
    fn numbers_and_ranges() {
        assert_eq!(range("--pool", "8").unwrap(), 8..=8);
        assert_eq!(range("--pool", "1..20").unwrap(), 1..=20);
        assert_eq!(range("--pool", "-2..3").unwrap(), -2..=3);
        assert_eq!(range("--pool", " 2 .. 3 ").unwrap(), 2..=3);
    }

    #[test]
    fn sums_of_traits() {
        assert_eq!(range("--pool", "5+4").unwrap(), 9..=9);
        assert_eq!(range("--pool", " 5 + 4 - 2 ").unwrap(), 7..=7);
        assert_eq!(range("--pool", "-1+4").unwrap(), 3..=3);
        assert_eq!(range("--pool", "1+2..5+4").unwrap(), 3..=9);
        assert!(is_sum("5+4") && is_sum("9-2"));
        assert!(!is_sum("-2") && !is_sum("9"));
    }

    #[test]
    fn lists_of_pools() {
        let read = parts("--with", "4, 3@7,2+1@8").unwrap();
        assert_eq!(read, [(4, None), (3, Some(7)), (3, Some(8))]);
        for text in ["", "4,", ",4", "4@", "@7", "4@7@8", "4;3"] {
            let message = parts("--with", text).unwrap_err().to_string();
            assert!(message.contains("--with"), "{text}: {message}");
        }
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
            "1+",
            "1++2",
            "+",
            "9223372036854775807+1",
        ] {
            let message = range("--pool", text).unwrap_err().to_string();
            assert!(message.contains("--pool"), "{text}: {message}");
        }
        for (text, help) in [
            ("5d10", "the number alone: `--pool 5`"),
            ("dexterity+brawl", "numbers, not names: `--pool 3+2`"),
        ] {
            let message = range("--pool", text).unwrap_err().to_string();
            assert!(message.contains(help), "{text}: {message}");
        }
    }
}
