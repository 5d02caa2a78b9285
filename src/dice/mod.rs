//! Dice (interface in use; the full library replaces this).
use std::ops::Range;

/// A source of die faces.
pub trait Faces {
    /// One face, 1 to `sides`.
    fn face(&mut self, sides: u32) -> u32;
}
impl<F: FnMut(u32) -> u32> Faces for F {
    #[inline]
    fn face(&mut self, sides: u32) -> u32 {
        self(sides)
    }
}

/// So many dice of one kind and a bonus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlainSum {
    /// Number of dice.
    pub count: u32,
    /// Faces of each.
    pub sides: u32,
    /// Added.
    pub bonus: i64,
}
impl PlainSum {
    /// Rolls it.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        let mut sum = self.bonus;
        for _ in 0..self.count {
            sum += i64::from(faces.face(self.sides));
        }
        sum
    }
}
/// A dice expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Notation(PlainSum);
/// What is wrong with a notation.
#[derive(Debug, Clone)]
pub struct NotationError {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}
impl Notation {
    /// Reads `NdS`, `NdS+K` or `K`.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        let fail = || NotationError {
            span: 0..text.len(),
            message: "not dice".into(),
            help: None,
        };
        let compact: String = text.split_whitespace().collect();
        if let Ok(bonus) = compact.parse() {
            return Ok(Self(PlainSum {
                count: 0,
                sides: 1,
                bonus,
            }));
        }
        let (dice, bonus) = match compact.find(['+', '-']) {
            Some(at) => (&compact[..at], compact[at..].parse().map_err(|_| fail())?),
            None => (&compact[..], 0),
        };
        let (count, sides) = dice.split_once('d').ok_or_else(fail)?;
        Ok(Self(PlainSum {
            count: if count.is_empty() {
                1
            } else {
                count.parse().map_err(|_| fail())?
            },
            sides: sides.parse().map_err(|_| fail())?,
            bonus,
        }))
    }
    /// The plain sum, if it is one.
    #[must_use]
    pub fn as_sum(&self) -> Option<PlainSum> {
        Some(self.0)
    }
    /// Rolls it.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        self.0.roll(faces)
    }
    /// Least value.
    #[must_use]
    pub fn min(&self) -> i64 {
        i64::from(self.0.count) + self.0.bonus
    }
}

/// One face, 1 to `sides`, from 64 fair bits.
#[must_use]
#[inline]
pub fn face_from_bits(bits: u64, sides: u32) -> u32 {
    1 + ((u128::from(bits) * u128::from(sides)) >> 64) as u32
}
