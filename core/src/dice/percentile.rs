//! Percentile tests (EP-9): a d100 read as 00 to 99, against a skill.

use super::Faces;

/// The doubles of a d100 (both dice show the same digit) are the multiples of this number.
pub const DOUBLES: i64 = 11;

/// A test against a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Percentile {
    /// The skill with all modifiers. Below 0 only 00 succeeds; from 98 on only 99 fails.
    pub skill: i64,
}

/// The outcome of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PercentileResult {
    /// The number that the dice show, 0 to 99.
    pub shown: u32,
    /// Whether the test succeeded.
    pub success: bool,
    /// Whether both dice show the same digit: a critical success or failure.
    pub critical: bool,
}

impl PercentileResult {
    /// Returns whether a defender who rolled this withstands `attack`, a success: as a success too, with the higher or
    /// an equal roll. If `doubles` count, a critical beats any plain success. With `any_success`, the ruling
    /// `defence = "success"`, any success is enough.
    #[inline]
    pub const fn defends(self, attack: Self, doubles: bool, any_success: bool) -> bool {
        let beats = match (self.critical, attack.critical) {
            (true, false) if doubles => true,
            (false, true) if doubles => false,
            _ => self.shown >= attack.shown,
        };
        self.success && (any_success || beats)
    }
}

impl Percentile {
    /// Returns the result of dice that show `shown` (0 to 99).
    #[inline]
    pub const fn judge(&self, shown: u32) -> PercentileResult {
        let success = match shown {
            0 => true,
            99 => false,
            _ => shown as i64 <= self.skill,
        };
        PercentileResult {
            shown,
            success,
            critical: shown.is_multiple_of(DOUBLES as u32),
        }
    }

    /// Rolls the dice: one face of a d100, where 100 reads as 00.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> PercentileResult {
        self.judge(faces.face(100) % 100)
    }
}
