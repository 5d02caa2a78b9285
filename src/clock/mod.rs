//! Clocks: who acts when, and what acting costs.

pub mod marks;
