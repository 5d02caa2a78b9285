//! The command line of skirmish.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use skirmish::cli::odds;

/// Plays a tabletop fight millions of times and tells what the rules do to it.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer dice questions exactly: pools, dice notation, opposed and extended rolls
    Odds(Box<odds::OddsArgs>),
}

fn main() -> ExitCode {
    let Command::Odds(args) = Arguments::parse().command;
    match odds::run(&args, &mut std::io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
