//! The engine: one encounter, and many.

pub mod each;
pub mod encounter;
pub mod events;
pub mod jobs;
pub mod memo;
pub mod paired;
pub mod points;
pub mod record;
pub mod runner;
pub mod stop;

pub use encounter::Player;
pub use events::{Event, Moment, Observer, Silent};
pub use record::{Counts, Ending, First, PhaseCounts, Record};
pub use runner::{Play, Progress};
pub use stop::{Ended, Looks, StopRule};
