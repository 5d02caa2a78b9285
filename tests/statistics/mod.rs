//! Counting, and what is said on the strength of counts.

mod intervals;
mod runner;
mod summary;
mod tally;
