//! What counts allow one to say: means, intervals and quantiles.
//!
//! Everything here is derived from the integers of a [`tally`](crate::tally), by addition,
//! subtraction, multiplication, division and square root alone. Those five are exact to the last
//! bit on every machine, so equal counts give equal bytes. `docs/STATISTICS.md` explains the
//! choices.

pub mod intervals;
pub mod summary;

pub use intervals::Interval;
pub use summary::{Point, STATISTICS, Summary};
