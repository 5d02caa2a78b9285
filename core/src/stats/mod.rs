//! Statistics derived from counts: means, intervals and quantiles.
//!
//! All results are derived from the integers of a [`tally`](crate::tally) by addition, subtraction, multiplication,
//! division and square root, which are exact to the last bit on every machine, and by functions of the crate `libm`,
//! which consist of those operations. So equal counts give equal bytes. `docs/STATISTICS.md` explains the choices.

mod binomial;
mod bounds;
pub mod confidence;
pub mod game;
pub mod intervals;
pub mod normal;
pub mod paired;
pub mod precision;
pub mod quantile;
pub mod separate;
pub mod sequential;
pub mod significance;
mod student;
pub mod summary;
pub mod threshold;

pub use confidence::Confidence;
pub use intervals::Interval;
pub use precision::Precision;
pub use summary::{Point, STATISTICS, Summary};

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::thread::LocalKey;

/// Results of a function, by its arguments.
type Memo<K, V> = RefCell<BTreeMap<K, V>>;

/// The most results that a memo keeps.
const MOST_KEPT: usize = 1000;

/// Returns the result of `compute`, which depends on `key` alone, from a memo of this thread if it is there: the rows of a
/// report ask for the same few again and again.
fn memoized<K: Ord, V: Copy>(
    memo: &'static LocalKey<Memo<K, V>>,
    key: K,
    compute: impl FnOnce() -> V,
) -> V {
    memo.with_borrow_mut(|memo| {
        if memo.len() == MOST_KEPT {
            memo.clear();
        }
        *memo.entry(key).or_insert_with(compute)
    })
}

#[cfg(test)]
mod testing {
    /// Returns whether two numbers are equal within a share of their size.
    pub(super) fn alike(a: f64, b: f64, share: f64) -> bool {
        (a - b).abs() <= share * a.abs().max(b.abs())
    }
}
