//! The engine: one encounter, and many.

pub mod events;
pub mod record;
pub mod runner;
pub mod stop;

pub use events::{Event, Moment, Observer, Silent};
pub use record::{Counts, Ending, Record};
pub use runner::{Play, Progress};
pub use stop::StopRule;
