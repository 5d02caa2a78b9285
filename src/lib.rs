//! skirmish plays a tabletop fight millions of times and tells a game designer, with honest
//! intervals, what the rules do to it.

pub mod chance;
pub mod cli;
pub mod clock;
pub mod dice;
pub mod engine;
pub mod fight;
pub mod names;
pub mod output;
pub mod policy;
pub mod scenario;
pub mod stats;
pub mod tally;
