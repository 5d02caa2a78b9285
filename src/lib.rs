//! skirmish plays a tabletop fight millions of times and tells a game designer, with honest
//! intervals, what the rules do to it.

pub mod cli;
pub mod dice;
