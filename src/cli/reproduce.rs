//! `skirmish reproduce`: repeats results and compares every file, byte for byte.

use super::Session;
use super::args::{RARE, threads};
use crate::task::reproduce::{Comparison, find};
use crate::task::{Exit, Failure, Source};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

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
    #[arg(long, value_name = "COUNT", value_parser = threads, display_order = RARE)]
    pub threads: Option<NonZeroUsize>,
}

/// Runs the subcommand. If it is told to stop, the rest is not compared.
pub(super) fn run(
    args: &ReproduceArgs,
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    let folders = args.folders.iter();
    // All results are found before any are played.
    let found = folders.map(|folder| find(folder, &args.scenarios, session.source));
    let found: Vec<_> = found.collect::<Result<_, _>>()?;
    let mut exit = Exit::Done;
    for result in found.iter().flatten() {
        let bar = session.bar(result.prepared().task.confidence);
        let context = session.context(args.threads, &bar);
        let Some(files) = result.compare(&context)? else {
            session
                .console
                .say("interrupted: the rest was not compared");
            return Ok(Exit::Interrupted);
        };
        for (name, comparison) in files {
            if matches!(comparison, Comparison::Different | Comparison::Missing) {
                exit = Exit::ExpectationFailed;
            }
            let file = result.folder.join(name);
            let line = format!("{}: {}\n", comparison.name(), file.display());
            session.console.answer(&line)?;
        }
    }
    Ok(exit)
}
