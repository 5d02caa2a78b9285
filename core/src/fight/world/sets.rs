//! Sets of combatants, or of anything else numbered 0 to 63.

/// The set with one member.
#[inline]
pub const fn bit(who: usize) -> u64 {
    1 << who
}

/// The members of a set, in file order.
#[inline]
pub const fn members(set: u64) -> Members {
    Members(set)
}

/// An iterator over the members of a set. Created by [`members`].
#[derive(Debug, Clone)]
pub struct Members(u64);

impl Iterator for Members {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let who = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(who)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}
