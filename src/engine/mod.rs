//! The engine: one encounter, and many.

pub mod events;
pub mod record;

pub use events::{Event, Moment, Observer, Silent};
pub use record::{Counts, Ending, Record};
