//! `skirmish merge`: merges the shards of a plan into the results of one run.

use super::args::Delivery;
use super::console::Console;
use super::missing::{PlayedArgs, say_wrong};
use super::publish::{is_missing, timed};
use crate::output::manifest::Partial;
use crate::question::shell_path;
use crate::task::shard::Layout;
use crate::task::{Exit, Failure, Folder, Survey, ranges};
use clap::Args;
use std::num::NonZeroUsize;

/// Arguments of `skirmish merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The plan and its shards
    #[command(flatten)]
    pub played: PlayedArgs,

    /// Merge the shards that exist, and say how many are missing
    #[arg(long, conflicts_with = "report")]
    pub partial: bool,

    /// Where results go
    #[command(flatten)]
    pub delivery: Delivery,
}

/// Runs the subcommand. It is fast and is not interrupted half-way: results are either old or new.
///
/// # Errors
/// If the plan cannot be carried out, or results cannot be written.
pub fn run(args: &MergeArgs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let folder = args.played.open()?;
    let delivery = &args.delivery.settled()?;
    delivery.page.check_writable()?;
    let prepared = folder.plan.prepare()?;
    delivery.check_apart(&[], std::slice::from_ref(&prepared))?;
    let (gathered, run) = timed(NonZeroUsize::MIN, &prepared, || prepared.gather(&folder));
    let (played, survey) = gathered?;
    if !args.accepted(&folder, &survey, console) {
        return Ok(Exit::Mismatch);
    }
    if played.is_empty() {
        console.say("error: nothing was merged: no point of the sweep has all its shards");
        return Ok(Exit::Mismatch);
    }
    let mut target = prepared.claim(delivery.folder(), delivery.no_clobber)?;
    let partial = partial(&folder.plan.layout, &survey);
    let made = (played, run);
    let results = delivery.publish(&prepared, made, partial, &mut target, console)?;
    Ok(Exit::of_missing(is_missing(results.as_ref()), true))
}

/// Returns how much of a plan has been played, if not all.
fn partial(layout: &Layout, survey: &Survey) -> Option<Partial> {
    let unplayed = survey.unplayed();
    let ranges = unplayed.iter().map(|&number| layout.range(number));
    let lacking: u64 = ranges.map(|range| range.end - range.start).sum();
    (lacking > 0).then(|| Partial {
        shards: layout.shards() - unplayed.len() as u64,
        of_shards: layout.shards(),
        encounters: layout.all() - lacking,
        of_encounters: layout.all(),
    })
}

impl MergeArgs {
    /// Returns whether the shards in the folder can be merged, and prints the problems of its files.
    fn accepted(&self, folder: &Folder, survey: &Survey, console: &mut Console<'_>) -> bool {
        let run = format!(
            "skirmish run --plan {} --shard",
            shell_path(&self.played.plan)
        );
        let into = |file: &str| {
            let elsewhere = folder
                .is_elsewhere()
                .then(|| format!(" --shard-file {file}"));
            elsewhere.unwrap_or_default()
        };
        let way_out = |number| {
            let file = into(&shell_path(&folder.file(number)));
            format!("play it again: {run} {number}{file}")
        };
        say_wrong(folder, survey, way_out, console);
        if !survey.missing.is_empty() {
            console.say(format_args!(
                "missing: {}; play them: {run} NUMBER{}",
                ranges(&survey.missing),
                into("FILE")
            ));
        }
        let unplayed = survey.unplayed().len() as u64;
        let all = folder.plan.layout.shards();
        let is_whole = unplayed == 0 && survey.strays.is_empty();
        if is_whole || self.partial && unplayed < all {
            return true;
        }
        let played = all - unplayed;
        let reason = match unplayed {
            0 => "files are there that are not the plan's; --partial leaves them out".to_owned(),
            _ if played == 0 => format!("0 of {all} shards are there"),
            _ => {
                format!("{played} of {all} shards are there; --partial merges those that are there")
            }
        };
        console.say(format_args!("error: nothing was merged: {reason}"));
        false
    }
}
