//! The command line: one room a subcommand, each with its arguments and a `run`.

pub mod odds;
