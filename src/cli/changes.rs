//! `skirmish sensitivity` and `skirmish knockout`: measure the effect of each change of a scenario.

use super::console::Console;
use super::sweep::ChangeArgs;
use crate::task::{Exit, Failure, Measure, Question, Source};
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Arguments of both subcommands.
#[derive(Debug, Args)]
pub struct ChangesArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The metrics
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// Runs the subcommand that asks `question`. If `stop` is set, encounters in progress are finished, and those that
/// all fights have played are written.
///
/// # Errors
/// If the input is wrong, or results cannot be written.
pub fn run(
    args: &ChangesArgs,
    question: fn(Measure) -> Question,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let question = question(args.change.measure.measure());
    args.change.ask(question, &args.file, source, stop, console)
}
