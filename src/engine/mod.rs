//! The engine: one encounter, and many.

pub mod record;
pub mod runner;
pub mod stop;

pub use record::{Counts, Ending, Record};
pub use runner::{Play, Progress};
pub use stop::StopRule;
