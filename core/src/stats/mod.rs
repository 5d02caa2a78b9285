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

#[cfg(test)]
mod testing {
    /// Returns whether two numbers are equal within a share of their size.
    pub(super) fn alike(a: f64, b: f64, share: f64) -> bool {
        (a - b).abs() <= share * a.abs().max(b.abs())
    }
}
