//! Counting, and what is said on the strength of counts.

mod runner;
mod tally;
