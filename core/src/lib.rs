//! The fights of skirmish: scenarios are read, played and solved, and their results counted.
//!
//! The package `skirmish` adds questions, their answers as tables and pages, and the command line. It passes on these
//! modules under their names; its documentation leads through both.

pub mod chance;
pub mod clean;
pub mod decimal;
pub mod dice;
pub mod document;
pub mod exact;
pub mod fields;
pub mod fight;
pub mod names;
pub mod policy;
pub mod run;
pub mod scenario;
pub mod sim;
pub mod stats;
pub mod systems;
pub mod tally;
pub mod wrap;
