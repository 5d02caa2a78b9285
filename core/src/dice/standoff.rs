//! Dice against dice, each side by the highest die of the other.

use super::weight::Weight;
use super::{Distribution, Faces};

/// Two sides that roll dice. Each counts those of its dice that reach, so are at least, the highest die of the other; a
/// side without dice has the highest die 0.
///
/// ```
/// use skirmish_core::dice::standoff::Standoff;
/// let three_against_two = Standoff { mine: (3, 6), theirs: (2, 6) };
/// let margin = three_against_two.distribution();
/// assert_eq!(format!("{:.4}", margin.at_least(1)), "0.5186");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Standoff {
    /// The number of dice of the side that asks, and their sides, at least 1.
    pub mine: (u32, u32),
    /// The same of the other side.
    pub theirs: (u32, u32),
}

impl Standoff {
    /// Rolls the dice of the side that asks, then the others. Returns its count less the other's.
    pub fn roll<F: Faces + ?Sized>(&self, faces: &mut F) -> i64 {
        let [mine, theirs] = [self.mine, self.theirs].map(|(count, sides)| {
            let rolled = (0..count).map(|_| faces.face(sides));
            rolled.collect::<Vec<u32>>()
        });
        let reaching = |dice: &[u32], others: &[u32]| {
            let highest = others.iter().max().copied().unwrap_or(0);
            dice.iter().filter(|die| **die >= highest).count() as i64
        };
        reaching(&mine, &theirs) - reaching(&theirs, &mine)
    }

    /// Returns the exact distribution of [`roll`](Self::roll).
    pub fn distribution(&self) -> Distribution {
        let highest = self.mine.1.max(self.theirs.1);
        (0..=highest).fold(Distribution::empty(), |margin, top| {
            let sides = [self.mine, self.theirs].map(|dice| counted(dice, top));
            let [(my_tops, my_more), (their_tops, their_more)] = sides;
            margin
                .with(&my_tops.plus(&their_tops.negated()))
                .with(&my_more.scaled(their_tops.mass()))
                .with(&their_more.scaled(my_tops.mass()).negated())
        })
    }

    /// Returns the least and the greatest margin.
    pub fn range(&self) -> [i64; 2] {
        let most = |(dice, sides): (u32, u32), (others, _): (u32, u32)| {
            // Dice with one side never beat a die, and all that they equal count too.
            let tied = if dice > 0 && sides > 1 { 0 } else { others };
            i64::from(dice) - i64::from(tied)
        };
        [-most(self.theirs, self.mine), most(self.mine, self.theirs)]
    }

    /// Returns the approximate number of multiplications for the distribution, with `overhead` for each series.
    pub(crate) fn work(&self, overhead: f64) -> f64 {
        let [mine, theirs] = [self.mine.0, self.theirs.0].map(f64::from);
        let each = |dice: f64| dice * (3.0 * dice + 4.0 * overhead);
        let tops = f64::from(self.mine.1.max(self.theirs.1)) + 1.0;
        tops * (each(mine) + each(theirs) + mine * theirs)
    }
}

/// Returns the number of dice that are at least `top`, among the rolls of which it is the highest face, and among those
/// with a higher one.
fn counted((count, sides): (u32, u32), top: u32) -> (Distribution, Distribution) {
    let below = top.saturating_sub(1).min(sides);
    let equal = u32::from((1..=sides).contains(&top));
    let share = |faces| Weight::ratio(faces, sides);
    let lower = Distribution::collect(&[(0, share(below)), (1, share(equal))]);
    let any = Distribution::collect(&[(0, share(below)), (1, share(sides - below))]);
    let higher = Distribution::single(1, share(sides - below - equal));
    let (mut tops, mut more) = (Distribution::certain(0), Distribution::empty());
    for _ in 0..count {
        more = more.plus(&any).with(&tops.plus(&higher));
        tops = tops.plus(&lower);
    }
    // Without a die that shows it, `top` is not the highest, but for the 0 of a side without dice.
    (tops.part((top > 0).into(), count.into()), more)
}
