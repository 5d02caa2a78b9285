//! `skirmish reproduce`: repeats results and compares every file, byte for byte.

use super::args::{threads, threads_or_all};
use super::console::Console;
use super::progress::Bar;
use crate::task::reproduce::{Comparison, find};
use crate::task::{Context, Exit, Failure, Files};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Arguments of `skirmish reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Folders of results, such as results/kiting
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,

    /// The scenario, if it has moved; both, for a comparison of two
    #[arg(long = "scenario", value_name = "FILE")]
    pub scenarios: Vec<PathBuf>,

    /// Threads; results do not depend on them [default: all]
    #[arg(long, value_name = "COUNT", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,

    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Runs the subcommand. If `stop` is set, the rest is not compared.
///
/// # Errors
/// If a folder has no results, they cannot be reproduced, or a scenario is missing or has changed.
pub fn run(
    args: &ReproduceArgs,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    // All results are found before any are played.
    let mut found = Vec::with_capacity(args.folders.len());
    for folder in &args.folders {
        found.push(find(folder, &args.scenarios, &Files)?);
    }
    let mut exit = Exit::Done;
    for (folder, results) in args.folders.iter().zip(&found) {
        for one in results {
            let bar = Bar::new(args.quiet, one.prepared().task.confidence);
            let context = Context {
                source: &Files,
                threads: threads_or_all(args.threads),
                stop,
                watch: &bar,
            };
            let Some(files) = one.compare(&context)? else {
                console.say("interrupted: the rest was not compared");
                return Ok(Exit::Interrupted);
            };
            for (name, comparison) in files {
                let verdict = match comparison {
                    Comparison::Same => "same",
                    Comparison::SameChecksum => "same, by its checksum",
                    Comparison::Different => "different",
                    Comparison::Missing => "missing",
                };
                if matches!(comparison, Comparison::Different | Comparison::Missing) {
                    exit = Exit::ExpectationFailed;
                }
                let file = folder.join(name);
                console.answer(&format!("{verdict}: {}\n", file.display()))?;
            }
        }
    }
    Ok(exit)
}
