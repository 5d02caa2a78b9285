//! All integration tests in one binary, which is linked once.

mod check;
mod checks;
mod cli;
mod compare;
mod dice;
mod exact;
mod fuzz;
mod matchup;
mod output;
mod report;
mod robustness;
mod rules;
mod scenario;
mod shards;
mod statistics;
mod support;
mod sweep;
mod synthetic;
mod timeline;
mod tune;
mod worked;
