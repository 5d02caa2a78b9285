//! `skirmish run --plan`: plays one shard of a plan.

use super::Session;
use super::args::Playing;
use super::closing::closing;
use crate::output::Target;
use crate::task::shard::{Head, ReadError, ShardPart, shard_name};
use crate::task::{Exit, Failure, Folder, Source, Watch as _, write_file};
use anyhow::anyhow;
use std::path::Path;
use std::time::Instant;

/// Parses the number of a shard, and the number of shards if that is given too.
pub(super) fn number(text: &str) -> Result<(u64, Option<u64>), String> {
    let number = |digits: &str| {
        let number = digits.parse::<u64>().ok();
        number
            .filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
            .ok_or_else(|| "write a shard's number, such as 17 or 17/200".to_owned())
    };
    match text.split_once('/') {
        Some((first, all)) => Ok((number(first)?, Some(number(all)?))),
        None => Ok((number(text)?, None)),
    }
}

/// Plays a shard and writes its file, unless a valid one exists. If it is told to stop, nothing is written: the file
/// of a shard is complete or missing.
pub(super) fn run(
    plan: &Path,
    (number, all): (u64, Option<u64>),
    playing: &Playing,
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    let folder = Folder::open(plan)?;
    let shards = folder.plan.layout.shards();
    if let Some(all) = all
        && all != shards
    {
        return Err(Failure::input(anyhow!(
            "--shard {number}/{all}: the plan has {shards} shards; write {number}/{shards}"
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
    let prepared = folder.prepare()?;
    let parts: Vec<ShardPart> = folder.plan.layout.parts(number).collect();
    let bar = session.bar(prepared.task.confidence);
    let context = session.context(playing.threads, &bar);
    let console = &mut session.console;
    let label = format!("shard {number}/{shards}");
    match folder.read(number, |body, parts| prepared.check_parts(body, parts)) {
        Ok(()) => {
            console.remark(format_args!("`{file}` is there already: nothing to do"));
            return Ok(Exit::Done);
        }
        Err(ReadError::Missing) => {}
        Err(fault) => console.say(format_args!("`{file}`: {fault}; it is played again")),
    }
    let name = shard_name(number);
    let mut target = Target::prepare(&folder.shards(), &[&name]).map_err(Failure::input)?;

    let head = Head::shard(&folder.plan, number);
    let begun = Instant::now();
    let encounters = head.encounters * prepared.each();
    bar.begin(&label, encounters, 0, false);
    let counted = prepared.play_parts(&parts, &context)?;
    bar.end();
    if counted.len() < parts.len() {
        console.say(format_args!(
            "interrupted: shard {number} is not finished, and was not written"
        ));
        return Ok(Exit::Interrupted);
    }
    let parts: Vec<_> = parts.into_iter().zip(counted).collect();
    let bytes = head.file(&parts);
    write_file(&mut target, &name, |out| out.write_all(&bytes)).map_err(Failure::io)?;
    let total = closing(encounters, 0, begun.elapsed().as_secs_f64(), &[]);
    console.remark(format_args!("{total}; shard {number} in {file}"));
    Ok(Exit::Done)
}
