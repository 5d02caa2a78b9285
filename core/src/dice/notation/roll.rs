//! Rolls a notation.

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
            Self::Extreme { highest, parts } => {
                let rolls = parts.iter().map(|part| part.roll(faces));
                let best = if *highest { rolls.max() } else { rolls.min() };
                best.unwrap_or(0)
            }
            Self::Several(count, die) => {
                let count = count.roll(faces);
                let mut sum = 0;
                die.throw(count as u32, faces, |_, worth| sum += worth);
                sum
            }
        }
    }
}

impl Dice {
    fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        if self.keep.is_some() {
            let mut shown = Vec::with_capacity(self.count as usize);
            self.throw(self.count, faces, |side, _| shown.push(side));
            return self.sum_of_kept(&mut shown);
        }
        let mut sum = 0;
        self.throw(self.count, faces, |_, worth| sum += worth);
        sum
    }

    /// Rolls `count` dice and passes each final side, with its value, to `stays`.
    fn throw<F: Faces + ?Sized>(&self, count: u32, faces: &mut F, mut stays: impl FnMut(u32, i64)) {
        let mut left = count;
        let mut first_throw = true;
        while left > 0 {
            let mut extra = 0;
            for _ in 0..left {
                let face = self.face(faces);
                extra += u32::from(self.explodes(face));
                let less = !first_throw && self.explode.is_some_and(|explode| explode.penetrates);
                stays(face, self.worth(face) - i64::from(less));
            }
            let once = self.explode.is_some_and(|explode| explode.once);
            left = if once && !first_throw { 0 } else { extra };
            first_throw = false;
        }
    }

    #[inline]
    fn face<F: Faces + ?Sized>(&self, faces: &mut F) -> u32 {
        let mut face = faces.face(self.sides);
        if let Some(Reroll { always, .. }) = self.reroll
            && self.rerolls(face)
        {
            face = faces.face(self.sides);
            while always && self.rerolls(face) {
                face = faces.face(self.sides);
            }
        }
        face
    }

    fn sum_of_kept(&self, shown: &mut [u32]) -> i64 {
        shown.sort_unstable_by(|a, b| b.cmp(a));
        // Explosions add dice, and keeping and dropping apply to all of them.
        let (start, length) = self.window_of(shown.len() as u32);
        let kept = shown.iter().skip(start as usize).take(length as usize);
        kept.map(|&face| self.worth(face)).sum()
    }
}
