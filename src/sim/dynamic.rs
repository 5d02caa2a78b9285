//! One type for all observers that listen, and one for the chance that they play on. Clocks are compiled for these two
//! and for [`Silent`](super::Silent), however many types there are.

use super::events::{Event, Moment, Observer};
use crate::chance::{Chance, Purpose};
use crate::dice::{PoolDraw, PoolTable, TotalTable};

/// An observer of any type that listens.
pub(crate) struct DynObserver<'a>(&'a mut dyn ErasedObserver);

/// The methods of an observer, whatever its type.
trait ErasedObserver {
    fn wants_all(&self) -> bool;
    fn hear(&mut self, moment: Moment, event: Event);
    fn see(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32);
}

impl<O: Observer> ErasedObserver for O {
    fn wants_all(&self) -> bool {
        self.sees_all()
    }

    fn hear(&mut self, moment: Moment, event: Event) {
        self.event(moment, event);
    }

    fn see(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32) {
        self.die(who, purpose, sides, face);
    }
}

impl<'a> DynObserver<'a> {
    pub(crate) fn new(observer: &'a mut impl Observer) -> Self {
        Self(observer)
    }
}

impl Observer for DynObserver<'_> {
    #[inline]
    fn sees_all(&self) -> bool {
        self.0.wants_all()
    }

    #[inline]
    fn event(&mut self, moment: Moment, event: Event) {
        self.0.hear(moment, event);
    }

    #[inline]
    fn die(&mut self, who: usize, purpose: Purpose, sides: u32, face: u32) {
        self.0.see(who, purpose, sides, face);
    }
}

/// Chance of any type that gives one answer to each question.
pub(crate) struct DynChance<'a>(&'a mut dyn ErasedChance);

/// The methods of a chance, whatever its type.
trait ErasedChance {
    fn one_face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32;
    fn one_sum(&mut self, who: usize, purpose: Purpose, count: u32, sides: u32) -> u64;
    fn one_chance(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool;
    fn one_pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw>;
    fn one_total(&mut self, who: usize, purpose: Purpose, table: &TotalTable) -> Option<i64>;
}

impl<C: Chance> ErasedChance for C {
    fn one_face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        self.face(who, purpose, sides)
    }

    fn one_sum(&mut self, who: usize, purpose: Purpose, count: u32, sides: u32) -> u64 {
        self.sum(who, purpose, count, sides)
    }

    fn one_chance(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool {
        self.happens(who, purpose, chance)
    }

    fn one_pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        self.pool(who, purpose, table)
    }

    fn one_total(&mut self, who: usize, purpose: Purpose, table: &TotalTable) -> Option<i64> {
        self.total(who, purpose, table)
    }
}

impl<'a> DynChance<'a> {
    pub(crate) fn new(chance: &'a mut impl Chance) -> Self {
        Self(chance)
    }
}

impl Chance for DynChance<'_> {
    #[inline]
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        self.0.one_face(who, purpose, sides)
    }

    #[inline]
    fn sum(&mut self, who: usize, purpose: Purpose, count: u32, sides: u32) -> u64 {
        self.0.one_sum(who, purpose, count, sides)
    }

    #[inline]
    fn happens(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool {
        self.0.one_chance(who, purpose, chance)
    }

    #[inline]
    fn pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        self.0.one_pool(who, purpose, table)
    }

    #[inline]
    fn total(&mut self, who: usize, purpose: Purpose, table: &TotalTable) -> Option<i64> {
        self.0.one_total(who, purpose, table)
    }
}
