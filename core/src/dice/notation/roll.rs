//! Rolls a notation.

use super::{Dice, Expression, Reroll, rounded_down};
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
            Self::Quotient(left, by) => rounded_down(left.roll(faces), *by),
            Self::Standoff(standoff) => standoff.roll(faces),
            Self::Extreme { highest, parts } => {
                let rolls = parts.iter().map(|part| part.roll(faces));
                let best = if *highest { rolls.max() } else { rolls.min() };
                best.unwrap_or(0)
            }
            Self::Several(count, die) => {
                let count = count.roll(faces);
                let mut sum = 0;
                die.throw(count as u32, faces, |value| sum += die.counted(value));
                sum
            }
        }
    }
}

impl Dice {
    fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        if self.keep.is_some() {
            let mut shown = Vec::with_capacity(self.count as usize);
            self.throw(self.count, faces, |value| shown.push(value));
            return self.sum_of_kept(&mut shown);
        }
        let mut sum = 0;
        self.throw(self.count, faces, |value| sum += self.counted(value));
        sum
    }

    /// Rolls `count` dice and passes the value of each, with that of its extra dice where they are one die, to `stays`.
    fn throw<F: Faces + ?Sized>(&self, count: u32, faces: &mut F, mut stays: impl FnMut(i64)) {
        if self.joins() {
            return self.joined(count, faces).into_iter().for_each(stays);
        }
        let mut left = count;
        let mut first_throw = true;
        while left > 0 {
            let mut extra = 0;
            for _ in 0..left {
                let face = self.face(faces);
                extra += u32::from(self.explodes(face));
                let less = !first_throw && self.explode.is_some_and(|explode| explode.penetrates);
                stays(self.value(face) - i64::from(less));
            }
            let once = self.explode.is_some_and(|explode| explode.once);
            left = if once && !first_throw { 0 } else { extra };
            first_throw = false;
        }
    }

    /// Rolls `count` dice, then an extra die for each that explodes, and so on. Returns the values of the chains.
    fn joined<F: Faces + ?Sized>(&self, count: u32, faces: &mut F) -> Vec<i64> {
        let mut values = vec![0; count as usize];
        let mut open: Vec<usize> = (0..values.len()).collect();
        let mut less = 0;
        while !open.is_empty() {
            open.retain(|&at| {
                let face = self.face(faces);
                values[at] += self.value(face) - less;
                self.explodes(face)
            });
            less = self
                .explode
                .is_some_and(|explode| explode.penetrates)
                .into();
        }
        values
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

    fn sum_of_kept(&self, shown: &mut [i64]) -> i64 {
        shown.sort_unstable_by(|a, b| b.cmp(a));
        // Explosions add dice, and keeping and dropping apply to all of them.
        let (start, length) = self.window_of(shown.len() as u32);
        let kept = shown.iter().skip(start as usize).take(length as usize);
        kept.map(|&value| self.counted(value)).sum()
    }
}
