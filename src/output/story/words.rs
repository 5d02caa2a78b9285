//! Numbers and dice in words.

use super::Die;
use crate::fight::check::Check;

/// The dice behind an event: `2d10: 7 4, d8: 3`.
pub(super) fn dice_note(dice: &[Die]) -> String {
    let hands: Vec<String> = dice
        .chunk_by(|one, next| one.sides == next.sides && one.purpose == next.purpose)
        .map(|hand| {
            let faces: Vec<String> = hand.iter().map(|die| die.face.to_string()).collect();
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

/// What a check came to, in words.
pub(super) fn reached(check: Option<&Check>, total: i64, needed: i64) -> String {
    match check {
        Some(Check::Pool { .. }) => format!("{total} of {needed} successes"),
        _ => format!("{total} against {needed}"),
    }
}

/// A number of dice, in words.
pub(super) fn dice_word(dice: u32) -> String {
    if dice == 1 {
        "1 die".to_owned()
    } else {
        format!("{dice} dice")
    }
}
