//! Numbers and dice in words.

use super::Die;
use crate::fight::check::{Check, CheckKind};

/// Describes the dice of an event: `2d10: 7 4, d8: 3`. In a percentile test a d100 that shows 100 reads 00.
pub(super) fn dice_note(dice: &[Die], is_percentile: bool) -> String {
    let hands: Vec<String> = dice
        .chunk_by(|one, next| one.sides == next.sides && one.purpose == next.purpose)
        .map(|hand| {
            let face = |die: &Die| match die {
                Die {
                    sides: 100,
                    face: 100,
                    ..
                } if is_percentile => percentile(0),
                die => die.face.to_string(),
            };
            let faces: Vec<String> = hand.iter().map(face).collect();
            let count = if hand.len() == 1 {
                String::new()
            } else {
                hand.len().to_string()
            };
            format!("{count}d{}: {}", hand[0].sides, faces.join(" "))
        })
        .collect();
    hands.join(", ")
}

/// Returns the outcome of a check in words; without a `total` the number that was needed.
pub(super) fn reached(check: Option<&Check>, total: Option<i64>, needed: i64) -> String {
    let Some(total) = total else {
        return format!("against {needed}");
    };
    match check {
        Some(Check::Pool { .. }) => format!("{total} of {needed} successes"),
        Some(check) if check.kind() == CheckKind::Percentile => {
            format!("{} against {needed}", percentile(total))
        }
        _ => format!("{total} against {needed}"),
    }
}

/// Returns the number of a percentile test: 00, or 1 to 99 (EP-9).
pub(super) fn percentile(total: i64) -> String {
    if total == 0 {
        "00".to_owned()
    } else {
        total.to_string()
    }
}

/// Returns a number of dice in words.
pub(super) fn dice_word(dice: u32) -> String {
    if dice == 1 {
        "1 die".to_owned()
    } else {
        format!("{dice} dice")
    }
}
