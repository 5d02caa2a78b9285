//! The only source of randomness in a fight.
//!
//! The clocks ask a [`Chance`] for every die. [`stream::Streams`] samples, [`script::Replay`] reads
//! a dice script, [`enumerate::Enumerator`] gives every answer. Every question names the combatant
//! and the purpose of the die, so that a source can keep separate streams: a change to one combatant's
//! rolls leaves the dice of all others unchanged, and variants of a scenario can be compared pair by pair.

mod answers;
pub mod enumerate;
mod questions;
pub mod script;
pub mod stream;

pub use enumerate::Enumerator;
pub use script::{Replay, Script};
pub use stream::Streams;

use crate::names::named;
use std::hash::Hash;

use crate::dice::{Pool, PoolDraw, PoolTable, TotalTable, Totals};

named! {
    /// The purpose of a die roll. Each combatant has one random stream for each purpose.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Purpose {
        /// Initiative.
        Initiative "initiative";
        /// Attack rolls.
        Check "check";
        /// Damage rolls.
        Damage "damage";
        /// Everything else: healing, skills, fizzling.
        Other "other";
        /// The dice that a trace shows of a pool or a total that was drawn from its table: nothing depends on them.
        Shown "shown";
    }
}

impl Purpose {
    /// The number of purposes.
    pub const COUNT: usize = Self::ALL.len();

    /// The purposes whose dice decide something: a dice script may name them.
    pub const DECISIVE: [Self; 4] = [Self::Initiative, Self::Check, Self::Damage, Self::Other];
}

/// A source of answers to random questions.
pub trait Chance {
    /// Returns one face, 1 to `sides`, of a die that `who` (a combatant, by file order) rolls for `purpose`.
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32;

    /// Returns the sum of the next `count` such faces.
    #[inline]
    fn sum(&mut self, who: usize, purpose: Purpose, count: u32, sides: u32) -> u64 {
        let faces = (0..count).map(|_| u64::from(self.face(who, purpose, sides)));
        faces.sum()
    }

    /// Returns whether an event with probability `chance`, in parts of 2^32, happens to `who`.
    fn happens(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool;

    /// Returns the outcome of a pool that `who` rolls for `purpose`, drawn from the table of its exact distribution;
    /// `None` if the source wants the pool rolled die by die.
    fn pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        let _ = (who, purpose, table);
        None
    }

    /// Returns the total of a roll that `who` makes for `purpose`, drawn from the table of its exact distribution by
    /// one draw; `None` if the source wants the roll made die by die.
    fn total(&mut self, who: usize, purpose: Purpose, table: &TotalTable) -> Option<i64> {
        let _ = (who, purpose, table);
        None
    }

    /// Returns the outcome of a pool with this table: [`pool`](Self::pool), or for exact odds the outcome of its dice.
    #[inline(always)]
    fn pool_of(
        &mut self,
        who: usize,
        purpose: Purpose,
        of: (&Pool, &PoolTable),
    ) -> Option<PoolDraw> {
        self.pool(who, purpose, of.1)
    }

    /// Returns the total of a roll: [`total`](Self::total), or for exact odds the total of its dice.
    #[inline(always)]
    fn total_of(&mut self, who: usize, purpose: Purpose, totals: &Totals) -> Option<i64> {
        self.total(who, purpose, totals.table())
    }

    /// Whether a pool with more dice than any table has is drawn from a table made for it.
    #[inline(always)]
    fn wants_table(&self) -> bool {
        false
    }

    /// Returns the result of a roll. `kind` maps a result to the one that stands for all of its kind; what happens next
    /// may depend on the kind alone. A source that gives every answer calls `roll` for each path of dice and returns each
    /// kind once. Equal questions must have equal results.
    #[inline(always)]
    fn result<K, T>(
        &mut self,
        question: K,
        mut roll: impl FnMut(&mut Self) -> T,
        kind: impl Fn(T) -> T,
    ) -> T
    where
        Self: Sized,
        K: PartialEq + Hash + 'static,
        T: Copy + Eq + Hash + 'static,
    {
        let _ = (question, kind);
        roll(self)
    }

    /// Returns, within another roll, the result that [`result`](Self::result) has `given` before. A source that gives
    /// every answer has given its kind alone: it rolls again, and drops the paths on which another kind comes.
    #[inline(always)]
    fn again<T: Copy + PartialEq>(
        &mut self,
        given: T,
        roll: impl FnMut(&mut Self) -> T,
        kind: impl Fn(T) -> T,
    ) -> T
    where
        Self: Sized,
    {
        let _ = (roll, kind);
        given
    }

    /// Rolls the damage that the first combatant of a pair does to the second. A source that gives every answer gives
    /// each amount once or, where the world does not know the health of the second, the least amount of each `kind`:
    /// nothing but health may depend on the exact amount within a kind.
    #[inline(always)]
    fn damage<K>(
        &mut self,
        whose: (usize, usize),
        question: K,
        mut roll: impl FnMut(&mut Self) -> i32,
        kind: impl Fn(i32) -> i32,
    ) -> i32
    where
        Self: Sized,
        K: PartialEq + Hash + 'static,
    {
        let _ = (whose, question, kind);
        roll(self)
    }

    /// Returns the place of each of this many equals in an order. All orders are equally likely. `None` if the source
    /// wants the equals to roll off.
    #[inline(always)]
    fn order<const N: usize>(&mut self, equals: usize) -> Option<[u8; N]>
    where
        Self: Sized,
    {
        let _ = equals;
        None
    }

    /// Counts net successes of `who` beyond those that the record has. Nothing but the count may depend on the number.
    #[inline(always)]
    fn count_more_successes<K>(
        &mut self,
        who: usize,
        question: K,
        roll: impl FnMut(&mut Self) -> i32,
    ) where
        Self: Sized,
        K: PartialEq + Hash + 'static,
    {
        let _ = (who, question, roll);
    }

    /// Returns whether the next decision that is left open may end its path, if its situation is known.
    fn wants_situation(&self) -> bool {
        false
    }

    /// Chooses one of several options for a combatant whose decisions are left open, and returns its index. Only
    /// sources that give every answer are asked. `situation` are bytes on which alone, besides the step, it depends how
    /// the step can go on.
    fn choose(&mut self, options: enumerate::Options, situation: Option<Vec<u8>>) -> usize {
        let _ = situation;
        options.written
    }

    /// Begins a decision that is left open. Returns its answer, a line or nothing to do, if an earlier path of answers
    /// has asked [`choose`](Self::choose) for it; the answer then counts as given.
    fn decided_before(&mut self) -> Option<Option<u16>> {
        None
    }

    /// Postpones the damage that was rolled last: it counts later.
    #[inline]
    fn put_off(&mut self) {}

    /// Counts the damage that was put off and hits `who`, which has fallen meanwhile: it takes no health.
    fn count_put_off(&mut self, who: usize) {
        let _ = who;
    }

    /// Forgets all damage that was put off: it does not count.
    fn drop_put_off(&mut self) {}

    /// Returns whether `damage` fells `who`, where the world does not know its health; `None` where it does. The damage
    /// was either `put_off` or done just now.
    #[inline]
    fn fells(&mut self, who: usize, damage: i32, put_off: bool) -> Option<bool> {
        let _ = (who, damage, put_off);
        None
    }
}

/// Chance of any type that gives one answer to each question.
impl Chance for &mut (dyn Chance + '_) {
    #[inline]
    fn face(&mut self, who: usize, purpose: Purpose, sides: u32) -> u32 {
        (**self).face(who, purpose, sides)
    }

    #[inline]
    fn sum(&mut self, who: usize, purpose: Purpose, count: u32, sides: u32) -> u64 {
        (**self).sum(who, purpose, count, sides)
    }

    #[inline]
    fn happens(&mut self, who: usize, purpose: Purpose, chance: u64) -> bool {
        (**self).happens(who, purpose, chance)
    }

    #[inline]
    fn pool(&mut self, who: usize, purpose: Purpose, table: &PoolTable) -> Option<PoolDraw> {
        (**self).pool(who, purpose, table)
    }

    #[inline]
    fn total(&mut self, who: usize, purpose: Purpose, table: &TotalTable) -> Option<i64> {
        (**self).total(who, purpose, table)
    }
}
