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

/// Answers that were found before, by their questions.
type Known<Q, A> = RefCell<BTreeMap<Q, A>>;

/// The most answers that a thread keeps, of each kind.
const MOST_KNOWN: usize = 1000;

/// Returns the answer to a question that the rows of a report ask again and again. `find` depends on the question alone.
fn known<Q: Ord, A: Copy>(
    known: &'static LocalKey<Known<Q, A>>,
    question: Q,
    find: impl FnOnce() -> A,
) -> A {
    known.with_borrow_mut(|known| {
        if known.len() == MOST_KNOWN {
            known.clear();
        }
        *known.entry(question).or_insert_with(find)
    })
}

#[cfg(test)]
mod testing {
    /// Returns whether two numbers are equal within a share of their size.
    pub(super) fn alike(a: f64, b: f64, share: f64) -> bool {
        (a - b).abs() <= share * a.abs().max(b.abs())
    }
}
