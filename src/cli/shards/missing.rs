//! `skirmish missing`: which shards of a plan are still to be played.

use super::args::MissingArgs;
use super::folder::{Folder, ranges};
use super::work::with_planned;
use crate::cli::{Console, Exit, Failure};
use crate::shard::shard_name;
use anyhow::Context;

/// Runs the subcommand: numbers on standard output, nothing if none is missing; what is wrong with
/// files that are no shards on standard error. A file that is none counts as missing.
///
/// # Errors
/// If there is no plan, or it cannot be carried out.
pub fn run(args: &MissingArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let folder = Folder::open(&args.folder)?;
    let survey = with_planned(&folder.plan, console, |work, _| {
        folder.survey(|number| folder.read(number, |body, parts| work.check(body, parts)))
    })?;
    for (number, fault) in &survey.wrong {
        let file = folder.told(&shard_name(*number));
        console.say(format_args!(
            "`{file}`: {fault}; playing it again replaces it"
        ));
    }
    for stray in &survey.strays {
        let file = folder.told(stray);
        console.say(format_args!(
            "`{file}` is no shard of this plan: move it away"
        ));
    }
    let unplayed = survey.unplayed();
    if unplayed.is_empty() {
        return Ok(Exit::Done);
    }
    console
        .result(|out| writeln!(out, "{}", ranges(&unplayed)))
        .context("cannot write to standard output")
        .map_err(Failure::io)?;
    Ok(Exit::Done)
}
