//! `skirmish run --plan`: plays one shard of a plan.

use super::args::ShardNumber;
use super::folder::Folder;
use super::work::{dry_run, with_planned};
use crate::cli::args::RunArgs;
use crate::cli::closing::Total;
use crate::cli::console::watched;
use crate::cli::dry_run::size;
use crate::cli::progress::Fights;
use crate::cli::{Console, Exit, Failure};
use crate::output::Target;
use crate::shard::{Fault, Head, Part, shard_name};
use anyhow::anyhow;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Plays a shard and writes its file, unless it is there. When `stop` is set, nothing is written: a
/// shard is whole or not there.
///
/// # Errors
/// If the plan cannot be carried out, there is no such shard, or it cannot be written.
pub(in crate::cli) fn run(
    plan: &Path,
    shard: ShardNumber,
    args: &RunArgs,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let playing = &args.playing;
    let folder = Folder::open(plan)?;
    let number = shard.number;
    let shards = folder.plan.layout.shards();
    if let Some(of) = shard.of
        && of != shards
    {
        return Err(Failure::input(anyhow!(
            "--shard {number}/{of}: the plan has {shards} shards; write {number}/{shards}"
        )));
    }
    if number >= shards {
        return Err(Failure::input(anyhow!(
            "--shard {number}: the plan has {shards} shards, with the numbers 0 to {}",
            shards - 1
        )));
    }
    let file = folder.file(number);
    let file = file.display();
    with_planned(&folder.plan, console, |work, console| {
        if args.foretelling.dry_run {
            let parts: Vec<Part> = folder.plan.layout.parts(number).collect();
            let what = format!("shard {number}/{shards}");
            let files = |bytes| format!("about {} into `{file}`", size(bytes));
            let threads = playing.threads();
            return dry_run(work, &parts, what, files, threads, stop, console);
        }
        match folder.read(number, |body, parts| work.check(body, parts)) {
            Ok(()) => {
                if !playing.quiet {
                    console.say(format_args!("`{file}` is there already: nothing to do"));
                }
                return Ok(Exit::Done);
            }
            Err(Fault::Missing) => {}
            Err(fault) => console.say(format_args!("`{file}`: {fault}; it is played again")),
        }
        let name = shard_name(number);
        let mut target = Target::prepare(&folder.shards(), &[&name]).map_err(Failure::input)?;

        let parts: Vec<Part> = folder.plan.layout.parts(number).collect();
        let head = Head::shard(&folder.plan, number);
        let begun = Instant::now();
        let show = !playing.quiet && watched();
        let encounters = head.encounters * work.each();
        let bar = Fights::new(show, &format!("shard {number}/{shards}"), encounters);
        let counted = work.play(&parts, playing.threads(), stop, &bar)?;
        bar.finish();
        if counted.len() < parts.len() {
            console.say(format_args!(
                "interrupted: shard {number} is not finished, and was not written"
            ));
            return Ok(Exit::Interrupted);
        }
        let parts: Vec<_> = parts.into_iter().zip(counted).collect();
        let bytes = head.file(&parts);
        let mut batch = target.batch();
        batch
            .file(&name, |out| out.write_all(&bytes))
            .and_then(|()| batch.commit())
            .map_err(Failure::io)?;
        if !playing.quiet {
            let mut total = Total::default();
            total.play(encounters, begun.elapsed());
            console.say(format_args!("{}; shard {number} in {file}", total.line()));
        }
        Ok(Exit::Done)
    })
}
