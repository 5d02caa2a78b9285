//! The numbers that sliders can change.

use crate::dice::Notation;
use crate::scenario::BASE;
use crate::task::{Input, Source as _, Text};
use serde_json::{Value, json};

/// Returns the numbers of the base, as `skirmish sensitivity` finds them, each with the least and the greatest
/// value of its slider. For dice the slider changes the bonus.
pub(super) fn numbers(input: &Input, text: &str, given: &[String]) -> anyhow::Result<Value> {
    let changes = input.loaded.document.numbers(BASE)?;
    let possible = changes.all.iter().filter(|change| change.is_possible());
    let numbers = possible.filter_map(|change| {
        let (dice, value) = apart(&change.value)?;
        let is_allowed = |number: &i64| {
            let set = format!("{}={}", change.key, together(&dice, *number));
            let set = [given, &[set]].concat();
            Text(text).input(&input.file, &set).is_ok()
        };
        // Some numbers must be above 0, and some have an upper limit.
        let far = if value > 0 { 0 } else { 2 * value - 10 };
        let lows = [far, 1, value - 1].into_iter();
        let low = lows.filter(|low| *low < value).find(is_allowed);
        let mut high = (2 * value).max(10);
        while change.to.is_some() && high > value + 1 && !is_allowed(&high) {
            high = value + (high - value) / 2;
        }
        Some(json!({
            "key": change.key,
            "name": change.number(),
            "dice": dice,
            "value": value,
            "least": low.unwrap_or(value),
            "most": if change.to.is_some() { high } else { value },
        }))
    });
    Ok(numbers.collect())
}

/// Splits a value into dice and a number: `2d6+1` into `2d6` and 1, and `3` into no dice and 3. Returns `None`
/// if it is neither a number nor dice.
fn apart(value: &str) -> Option<(String, i64)> {
    if let Ok(number) = value.parse() {
        return Some((String::new(), number));
    }
    Some(match Notation::parse(value).ok()?.as_sum() {
        Some(sum) if sum.count == 0 => (String::new(), sum.bonus),
        Some(sum) => (format!("{}d{}", sum.count, sum.sides), sum.bonus),
        None => (format!("{value} "), 0),
    })
}

/// Joins dice and a number to a value.
fn together(dice: &str, number: i64) -> String {
    match dice {
        "" => number.to_string(),
        _ => format!("{dice}{number:+}"),
    }
}
