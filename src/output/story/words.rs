//! Numbers and dice in words.

use super::Die;
use crate::fight::check::{CheckKind, SKILL_OF_A_DIE, Sum};
use crate::report::number::counted;

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

/// Returns the outcome of a check in words, with the whole sum; without a `total` the number that was needed.
pub(super) fn reached(kind: CheckKind, sum: &Sum, total: Option<i64>, needed: i64) -> String {
    let Some(total) = total else {
        return format!("against {needed}");
    };
    match kind {
        CheckKind::Pool => {
            let dice = match summands(kind, sum) {
                rest if rest.is_empty() => String::new(),
                rest => format!(", pool {}{rest} = {} dice", sum.bonus, sum.total().max(0)),
            };
            format!("{total} of {needed} successes{dice}")
        }
        CheckKind::Percentile => {
            let skill = match summands(kind, sum) {
                rest if rest.is_empty() => needed.to_string(),
                rest => format!("{}{rest} = {needed}", sum.bonus),
            };
            format!("{} against {skill}", percentile(total))
        }
        CheckKind::RollOver => format!("{} against {needed}", rolled(sum, total)),
    }
}

/// Returns the total of a roll with the numbers added to its dice.
pub(super) fn rolled(sum: &Sum, total: i64) -> String {
    // A roll may be a number without dice.
    let (first, bonus) = match total - sum.total() {
        0 => (sum.bonus, String::new()),
        dice => (dice, summand(sum.bonus, "")),
    };
    match bonus + &summands(CheckKind::RollOver, sum) {
        rest if rest.is_empty() => total.to_string(),
        rest => format!("{first}{rest} = {total}"),
    }
}

/// Returns the numbers added to the bonus, the skill or the pool of a check, and taken off, each with its reason.
fn summands(kind: CheckKind, sum: &Sum) -> String {
    let worth = match kind {
        CheckKind::Percentile => SKILL_OF_A_DIE,
        CheckKind::RollOver | CheckKind::Pool => 1,
    };
    let yards = counted((sum.yards / worth) as u64, "yard");
    let beyond = if sum.every_yard {
        ""
    } else {
        " beyond the free half"
    };
    [
        summand(sum.mastery, " (mastery)"),
        summand(sum.conditions, " (conditions)"),
        summand(-sum.wounds, " (wounds)"),
        summand(-sum.yards, &format!(" ({yards}{beyond})")),
        summand(-sum.defence, " (Defence)"),
    ]
    .concat()
}

/// Returns a summand with its sign and its reason; nothing for 0.
fn summand(points: i64, why: &str) -> String {
    match points {
        0 => String::new(),
        1.. => format!(" + {points}{why}"),
        _ => format!(" - {}{why}", -points),
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
