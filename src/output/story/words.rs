//! Numbers and dice in words.

use super::Die;
use super::writer::SentenceWriter;
use crate::fight::check::{CheckKind, SKILL_OF_A_DIE};
use crate::fight::sum::{Modifier, Sum};
use crate::report::number::counted;

/// Describes the dice of an event: `2d10: 7 4, d8: 3`. In a percentile test a d100 that shows 100 reads 00.
pub(super) fn dice_note(dice: &[Die], is_percentile: bool) -> String {
    let hands: Vec<String> = dice
        .chunk_by(|die, next| die.sides == next.sides && die.purpose == next.purpose)
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

impl SentenceWriter<'_> {
    /// Returns the outcome of a check in words, with the whole sum; without a `total` the number that was needed.
    pub(super) fn reached(
        &self,
        kind: CheckKind,
        sum: &Sum,
        total: Option<i64>,
        needed: i64,
    ) -> String {
        let Some(total) = total else {
            return format!("against {needed}");
        };
        let luck = match sum.advantage {
            0 => "",
            1.. => " with advantage",
            _ => " with disadvantage",
        };
        match kind {
            CheckKind::Pool => {
                let successes = format!("{total} of {needed} successes{luck}");
                match self.numbers(kind, sum, 0).len() {
                    0 | 1 => successes,
                    _ => format!("{successes}, {}", self.dice(&dice_word(sum.total()), sum)),
                }
            }
            CheckKind::Percentile => {
                let skill = whole(&self.numbers(kind, sum, 0), needed);
                format!("{}{luck} against {skill}", percentile(total))
            }
            CheckKind::RollOver => {
                format!("{}{luck} against {needed}", self.rolled(sum, total))
            }
        }
    }

    /// Returns the total of a roll with the numbers of which it is made.
    pub(super) fn rolled(&self, sum: &Sum, total: i64) -> String {
        let numbers = self.numbers(CheckKind::RollOver, sum, total - sum.total());
        whole(&numbers, total)
    }

    /// Returns the damage that is taken with the numbers of which it is made.
    pub(super) fn taken(&self, sum: &Sum, points: i64) -> String {
        if points >= 0 {
            return self.rolled(sum, points);
        }
        match &self.numbers(CheckKind::RollOver, sum, points - sum.total())[..] {
            [] | [_] => "0".to_owned(),
            numbers => format!("0: {}", numbers.concat()),
        }
    }

    /// Returns the dice of a pool with the numbers of which they are made.
    pub(super) fn dice(&self, dice: &str, sum: &Sum) -> String {
        match &self.numbers(CheckKind::Pool, sum, 0)[..] {
            [] | [_] => dice.to_owned(),
            numbers => format!("{dice}: {}", numbers.concat()),
        }
    }

    /// Returns the numbers of a sum that are not 0, each with its sign and its reason: first that of the dice.
    fn numbers(&self, kind: CheckKind, sum: &Sum, dice: i64) -> Vec<String> {
        let worth = match kind {
            CheckKind::Percentile => SKILL_OF_A_DIE,
            CheckKind::RollOver | CheckKind::Pool => 1,
        };
        let reason = |modifier: Modifier, points: i64| match modifier {
            Modifier::Yards | Modifier::YardsBeyondHalf => {
                let yards = counted(points.unsigned_abs() / worth as u64, "yard");
                modifier.name().replacen("yards", &yards, 1)
            }
            Modifier::Armour => self.fight.system.words.ward.to_owned(),
            _ => modifier.name().to_owned(),
        };
        let modifiers = sum
            .modifiers()
            .map(|(modifier, points)| (points, format!(" ({})", reason(modifier, points))));
        [(dice, String::new()), (sum.bonus(), String::new())]
            .into_iter()
            .chain(modifiers)
            .filter(|(points, _)| *points != 0)
            .enumerate()
            .map(|(place, (points, why))| match points {
                _ if place == 0 => format!("{points}{why}"),
                1.. => format!(" + {points}{why}"),
                _ => format!(" - {}{why}", -points),
            })
            .collect()
    }
}

/// Returns the numbers of a sum with its total; a single number stands alone.
fn whole(numbers: &[String], total: i64) -> String {
    match numbers {
        [] | [_] => total.to_string(),
        numbers => format!("{} = {total}", numbers.concat()),
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

/// Returns a number of dice in words; there are none below 0.
pub(super) fn dice_word(dice: i64) -> String {
    match dice.max(0) {
        1 => "1 die".to_owned(),
        dice => format!("{dice} dice"),
    }
}
