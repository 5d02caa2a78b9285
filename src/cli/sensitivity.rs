//! `skirmish sensitivity`: measures the effect of 1 more of each number of each combatant.

use super::console::Console;
use super::sweep::ChangeArgs;
use crate::task::{Exit, Failure, Question, Source};
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Arguments of `skirmish sensitivity`.
#[derive(Debug, Args)]
pub struct SensitivityArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The metrics
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// Runs the subcommand. If `stop` is set, encounters in progress are finished, and those that all fights have
/// played are written.
///
/// # Errors
/// If the input is wrong, or results cannot be written.
pub fn run(
    args: &SensitivityArgs,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let question = Question::Sensitivity(args.change.measure.measure());
    args.change.ask(question, &args.file, source, stop, console)
}
