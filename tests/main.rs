//! All integration tests, in one binary.

mod output;
mod statistics;
mod synthetic;
