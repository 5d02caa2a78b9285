//! Throwing a notation.

use super::{Dice, Expression, Reroll};
use crate::dice::Faces;

impl Expression {
    pub(super) fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        match self {
            Self::Constant(value) => *value,
            Self::Dice(dice) => dice.roll(faces),
            Self::Negated(inner) => -inner.roll(faces),
            Self::Sum(left, right) => left.roll(faces) + right.roll(faces),
            Self::Difference(left, right) => left.roll(faces) - right.roll(faces),
            Self::Product(left, right) => left.roll(faces) * right.roll(faces),
        }
    }
}

impl Dice {
    fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        if self.keep.is_some() {
            let mut shown = Vec::with_capacity(self.count as usize);
            self.throw(faces, |face| shown.push(face));
            return self.sum_of_kept(&mut shown);
        }
        let mut sum = 0;
        self.throw(faces, |face| sum += self.worth(face));
        sum
    }

    /// Throws the dice and hands over each face that stays on the table.
    fn throw<F: Faces + ?Sized>(&self, faces: &mut F, mut stays: impl FnMut(u32)) {
        let mut left = self.count;
        let mut first_throw = true;
        while left > 0 {
            let mut extra = 0;
            for _ in 0..left {
                let face = self.face(faces);
                extra += u32::from(self.explodes(face));
                stays(face);
            }
            let once = self.explode.is_some_and(|explode| explode.once);
            left = if once && !first_throw { 0 } else { extra };
            first_throw = false;
        }
    }

    #[inline]
    fn face<F: Faces + ?Sized>(&self, faces: &mut F) -> u32 {
        let mut face = faces.face(self.sides);
        if let Some(Reroll { when, always }) = self.reroll
            && when.holds(face)
        {
            face = faces.face(self.sides);
            while always && when.holds(face) {
                face = faces.face(self.sides);
            }
        }
        face
    }

    fn sum_of_kept(&self, shown: &mut [u32]) -> i64 {
        shown.sort_unstable_by(|a, b| b.cmp(a));
        // Explosions add dice; keeping and dropping count all of them.
        let (start, length) = Self {
            count: shown.len() as u32,
            ..self.clone()
        }
        .window();
        let kept = shown.iter().skip(start as usize).take(length as usize);
        kept.map(|&face| self.worth(face)).sum()
    }
}
