//! `skirmish validate`: prints all errors of scenarios without playing them.

use super::console::Console;
use super::load;
use crate::names;
use crate::scenario::{Diagnostics, Loaded};
use crate::task::{Exit, Failure, Files, Source};
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `skirmish validate`.
#[derive(Debug, Clone, Args)]
pub struct ValidateArgs {
    /// Scenario files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Change a value first, as `run --set` does: weapons.bow.range=40; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// Reads scenarios from files, and refuses one of which a part is wrong.
struct Whole;

impl Source for Whole {
    fn load(&self, path: &Path, set: &[String]) -> Result<Loaded, Diagnostics> {
        Files.load(path, set)?.whole()
    }
}

/// Runs the subcommand. Errors and warnings of all files are printed.
pub(super) fn run(args: &ValidateArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for file in &args.files {
        let read = load::input(file, &args.set, &Whole, console);
        let Some(input) = load::or_print(read, console)? else {
            exit = Exit::BadInput;
            continue;
        };
        if console.quiet {
            continue;
        }
        let scenario = &input.loaded.scenario;
        let variants = scenario
            .variants
            .iter()
            .map(|variant| variant.name.as_str());
        let line = format!(
            "{}: valid; {}: {}",
            names::of_file(file),
            scenario.variants[0].fight.system.title,
            names::list(variants, "and"),
        );
        console.tell(line)?;
    }
    Ok(exit)
}
