//! One encounter of a seed, and many.

pub mod answers;
pub mod each;
pub mod encounter;
pub mod jobs;
pub mod paired;
pub mod points;
pub mod runner;
pub mod stop;

pub use encounter::Player;
pub use runner::{Play, Progress};
pub use stop::{Ended, Looks, Until};
