//! Health: what harm does. Here, points that stop at 0 (TC-22).

use crate::dice::{Faces, Notation, PlainSum};

/// A dice expression, compiled: a plain sum where it is one, the whole notation otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum Roll {
    /// So many dice of one kind and a bonus.
    Sum(PlainSum),
    /// Anything else that the notation can say.
    Notation(Box<Notation>),
}

impl Roll {
    /// Rolls it.
    #[inline]
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        match self {
            Self::Sum(sum) => sum.roll(faces),
            Self::Notation(notation) => notation.roll(faces),
        }
    }
}

impl From<Notation> for Roll {
    fn from(notation: Notation) -> Self {
        match notation.as_sum() {
            Some(sum) => Self::Sum(sum),
            None => Self::Notation(Box::new(notation)),
        }
    }
}
