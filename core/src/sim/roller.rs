//! One combatant's dice for one purpose.

use crate::dice::{Faces, Pool, PoolDraw, TotalTable, Totals};
use crate::sim::Observer;
use crate::sim::prelude::*;

/// One combatant's dice, seen by the observer.
pub(crate) struct Roller<'a, C, O> {
    chance: &'a mut C,
    observer: &'a mut O,
    who: usize,
    purpose: Purpose,
}

impl<'a, C, O> Roller<'a, C, O> {
    pub(crate) fn new(
        chance: &'a mut C,
        observer: &'a mut O,
        who: usize,
        purpose: Purpose,
    ) -> Self {
        Self {
            chance,
            observer,
            who,
            purpose,
        }
    }
}

impl<C: Chance, O: Observer> Roller<'_, C, O> {
    /// Shows the observer dice that come to a drawn total. They come from a separate stream, so that no result depends
    /// on the observer.
    #[cold]
    #[inline(never)]
    fn show(&mut self, totals: &Totals, total: i64) {
        let (who, mut silent) = (self.who, Silent);
        let mut unseen = Roller::new(&mut *self.chance, &mut silent, who, Purpose::Shown);
        for (sides, face) in totals.such(total, &mut unseen) {
            self.observer.die(who, self.purpose, sides, face);
        }
    }
}

/// Makes a check.
#[inline(always)]
pub(crate) fn roll_check<C: Chance, O: Observer>(
    check: &Check,
    question: &CheckTerms,
    chance: &mut C,
    observer: &mut O,
) -> Attempt {
    roll_attack::<true, C, O>(check, question, chance, observer)
}

/// Makes the check of an attack, which without `WORDS` is not in words and has no advantage.
#[inline(always)]
pub(crate) fn roll_attack<const WORDS: bool, C: Chance, O: Observer>(
    check: &Check,
    question: &CheckTerms,
    chance: &mut C,
    observer: &mut O,
) -> Attempt {
    if WORDS && question.words.advantage != 0 {
        // The question itself is not lent, so that it may stay in registers.
        return roll_twice(check, *question, chance, observer);
    }
    let who = question.who;
    if WORDS {
        check.attempt(question, chance, |chance| {
            Roller::new(chance, observer, who, Purpose::Check)
        })
    } else {
        check.attempt_plain(question, chance, |chance| {
            Roller::new(chance, observer, who, Purpose::Check)
        })
    }
}

/// Makes a check twice; the better or the worse attempt counts.
#[cold]
#[inline(never)]
fn roll_twice<C: Chance, O: Observer>(
    check: &Check,
    mut question: CheckTerms,
    chance: &mut C,
    observer: &mut O,
) -> Attempt {
    let wants_better = std::mem::take(&mut question.words.advantage) > 0;
    let [first, second] =
        [(); 2].map(|()| roll_check(check, &question, &mut *chance, &mut *observer));
    if (check.quality(&second) > check.quality(&first)) == wants_better {
        second
    } else {
        first
    }
}

impl<C: Chance, O: Observer> Faces for Roller<'_, C, O> {
    #[inline]
    fn face(&mut self, sides: u32) -> u32 {
        let face = self.chance.face(self.who, self.purpose, sides);
        if self.observer.sees_all() {
            self.observer.die(self.who, self.purpose, sides, face);
        }
        face
    }

    #[inline]
    fn sum(&mut self, count: u32, sides: u32) -> u64 {
        if self.observer.sees_all() {
            return (0..count).map(|_| u64::from(self.face(sides))).sum();
        }
        self.chance.sum(self.who, self.purpose, count, sides)
    }

    #[inline]
    fn total(&mut self, table: &TotalTable) -> Option<i64> {
        self.chance.total(self.who, self.purpose, table)
    }

    #[inline]
    fn total_of(&mut self, totals: &Totals) -> Option<i64> {
        self.chance.total_of(self.who, self.purpose, totals)
    }

    #[inline]
    fn stand_in_for(&mut self, totals: &Totals, total: i64) {
        if self.observer.sees_all() {
            self.show(totals, total);
        }
    }

    /// Shows dice of a separate stream, so that no result depends on the observer.
    #[inline]
    fn stand_in(&mut self, pool: &Pool, drawn: PoolDraw) {
        if !self.observer.sees_all() {
            return;
        }
        let who = self.who;
        let mut shown = |sides| self.chance.face(who, Purpose::Shown, sides);
        for (sides, face) in pool.such(drawn, &mut shown) {
            self.observer.die(who, self.purpose, sides, face);
        }
    }
}
