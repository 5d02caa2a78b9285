//! The engine: one encounter, and many.

pub mod record;

pub use record::{Counts, Ending, Record};
