//! `skirmish missing`: which shards of a plan are still to be played.

use super::console::Console;
use crate::task::shard::shard_name;
use crate::task::{Exit, Failure, Folder, Survey, ranges};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `skirmish missing`.
#[derive(Debug, Args)]
pub struct MissingArgs {
    /// The folder of a plan
    #[arg(value_name = "RUN")]
    pub folder: PathBuf,
}

/// Runs the subcommand: numbers on standard output, nothing if none is missing; problems with
/// files that are no shards on standard error. A file that is none counts as missing.
///
/// # Errors
/// If there is no plan, or it cannot be carried out.
pub fn run(args: &MissingArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let folder = Folder::open(&args.folder)?;
    let prepared = folder.prepare()?;
    let check = |number| folder.read(number, |body, parts| prepared.check_parts(body, parts));
    let survey = folder.survey(check)?;
    let way_out = |_| "playing it again replaces it".to_owned();
    say_wrong(&folder, &survey, way_out, console);
    let unplayed = survey.unplayed();
    if unplayed.is_empty() {
        return Ok(Exit::Done);
    }
    console.answer(|out| writeln!(out, "{}", ranges(&unplayed)))?;
    Ok(Exit::Done)
}

/// Says what is wrong with files of a folder, and for each shard the way out.
pub(super) fn say_wrong(
    folder: &Folder,
    survey: &Survey,
    way_out: impl Fn(u64) -> String,
    console: &mut Console<'_>,
) {
    for (number, fault) in &survey.wrong {
        let file = folder.shown(&shard_name(*number));
        console.say(format_args!("`{file}`: {fault}; {}", way_out(*number)));
    }
    for stray in &survey.strays {
        let file = folder.shown(stray);
        console.say(format_args!(
            "`{file}` is no shard of this plan: move it away"
        ));
    }
}
