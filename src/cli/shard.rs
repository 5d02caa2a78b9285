//! `skirmish run --plan`: plays one shard of a plan.

use super::args::Playing;
use super::closing::Total;
use super::console::Console;
use super::progress::Bar;
use crate::output::Target;
use crate::task::shard::{Head, Part, ReadError, shard_name};
use crate::task::{Exit, Failure, Files, Folder, Watch as _, write_file};
use anyhow::anyhow;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The number of a shard, and the number of shards if that was given too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShardNumber {
    /// The number of the shard, from 0.
    pub number: u64,
    /// The expected number of shards.
    pub of: Option<u64>,
}

impl FromStr for ShardNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| {
            let number = digits.parse::<u64>().ok();
            number
                .filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
                .ok_or_else(|| "write a shard's number, such as 17 or 17/200".to_owned())
        };
        let (first, of) = match text.split_once('/') {
            Some((first, of)) => (first, Some(number(of)?)),
            None => (text, None),
        };
        Ok(Self {
            number: number(first)?,
            of,
        })
    }
}

/// Plays a shard and writes its file, unless a valid one exists. If `stop` is set, nothing is written: the file
/// of a shard is complete or missing.
///
/// # Errors
/// If the plan cannot be carried out, there is no such shard, or its file cannot be written.
pub(super) fn run(
    plan: &Path,
    shard: ShardNumber,
    playing: &Playing,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
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
    let prepared = folder.prepare()?;
    let parts: Vec<Part> = folder.plan.layout.parts(number).collect();
    let bar = Bar::new(playing.quiet, prepared.task.confidence);
    let context = playing.context(&Files, stop, &bar);
    let label = format!("shard {number}/{shards}");
    match folder.read(number, |body, parts| prepared.check_parts(body, parts)) {
        Ok(()) => {
            if !playing.quiet {
                console.say(format_args!("`{file}` is there already: nothing to do"));
            }
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
    if !playing.quiet {
        let total = Total::of(encounters, begun.elapsed()).line();
        console.say(format_args!("{total}; shard {number} in {file}"));
    }
    Ok(Exit::Done)
}
