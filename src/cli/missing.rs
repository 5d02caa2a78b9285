//! `skirmish missing`: lists the shards of a plan that still have to be played.

use super::console::Console;
use crate::task::{Exit, Failure, Folder, Survey, ranges};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `skirmish missing`.
#[derive(Debug, Args)]
pub struct MissingArgs {
    /// The plan and its shards
    #[command(flatten)]
    pub played: PlayedArgs,
}

/// A plan and its shards.
#[derive(Debug, Args)]
pub struct PlayedArgs {
    /// The folder of a plan, or the file of the plan
    #[arg(value_name = "RUN")]
    pub plan: PathBuf,

    /// Shards that do not lie in RUN/shards: files of any name, or folders of them
    #[arg(value_name = "SHARD")]
    pub shards: Vec<PathBuf>,
}

impl PlayedArgs {
    /// Opens the plan with its shards.
    pub(super) fn open(&self) -> Result<Folder, Failure> {
        Folder::with_shards(&self.plan, &self.shards)
    }
}

/// Runs the subcommand. Prints the numbers of missing shards to standard output, if there are any, and problems
/// with files to standard error. A shard whose file is wrong counts as missing.
///
/// # Errors
/// If there is no plan, or it cannot be carried out.
pub fn run(args: &MissingArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let folder = args.played.open()?;
    let prepared = folder.plan.prepare()?;
    let check = |number| folder.read(number, |body, parts| prepared.check_parts(body, parts));
    let survey = folder.survey(check)?;
    let way_out = |_| "playing it again replaces it".to_owned();
    say_wrong(&folder, &survey, way_out, console);
    let unplayed = survey.unplayed();
    if unplayed.is_empty() {
        return Ok(Exit::Done);
    }
    console.answer(&format!("{}\n", ranges(&unplayed)))?;
    Ok(Exit::Done)
}

/// Prints the problem of each wrong file in a folder, with the way out for its shard.
pub(super) fn say_wrong(
    folder: &Folder,
    survey: &Survey,
    way_out: impl Fn(u64) -> String,
    console: &mut Console<'_>,
) {
    for (number, fault) in &survey.wrong {
        let file = folder.file(*number);
        console.say(format_args!(
            "`{}`: {fault}; {}",
            file.display(),
            way_out(*number)
        ));
    }
    for stray in &survey.strays {
        console.say(stray);
    }
}
