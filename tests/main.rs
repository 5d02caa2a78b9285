//! All integration tests, in one binary, which links once.

mod cli;
mod output;
mod scenario;
mod statistics;
mod synthetic;
