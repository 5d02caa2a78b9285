//! `skirmish run --plan`: plays one shard of a plan.

use super::Session;
use super::args::Playing;
use super::closing::closing;
use crate::names::{folder_of, is_stdin};
use crate::output::Target;
use crate::task::shard::{Head, InvalidFile, ReadError, ShardPart};
use crate::task::{Exit, Failure, Folder, Source, Watch as _, follow, write_file};
use anyhow::{Context as _, anyhow};
use std::ffi::OsStr;
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

/// Returns whether a file that a user has named may be replaced by a shard: it is empty, or was this shard.
fn may_replace(file: &Path, fault: &ReadError) -> bool {
    let is_damaged = matches!(
        fault,
        ReadError::Invalid(InvalidFile::Checksum | InvalidFile::Malformed(_))
    );
    is_damaged || file.metadata().is_ok_and(|data| data.len() == 0)
}

/// Checks the number of a shard, and the number of shards if that is given too.
fn check_number(number: u64, all: Option<u64>, shards: u64) -> Result<(), Failure> {
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
    Ok(())
}

/// Returns the folder in which a file can be written, and its name there. A symbolic link is kept.
fn prepare(file: &Path) -> anyhow::Result<(Target, String)> {
    let file = follow(file);
    let name = file.file_name().and_then(OsStr::to_str);
    let name = name.with_context(|| format!("`{}` does not name a file", file.display()))?;
    let target = Target::prepare(folder_of(&file), &[name])?;
    Ok((target, name.to_owned()))
}

/// Plays a shard and writes its file, unless a valid one exists: `to` or, by default, a file beside the plan. If it is
/// told to stop, nothing is written: the file of a shard is complete or missing.
pub(super) fn run(
    plan: &Path,
    (number, all): (u64, Option<u64>),
    to: Option<&Path>,
    playing: &Playing,
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    let folder = Folder::open(plan)?;
    let shards = folder.plan.layout.shards();
    check_number(number, all, shards)?;
    let path = to.map_or_else(|| folder.file(number), Path::to_owned);
    let file = path.display();
    let prepared = folder.plan.prepare()?;
    let parts: Vec<ShardPart> = folder.plan.layout.parts(number).collect();
    let bar = session.bar(prepared.task.confidence);
    let context = session.context(playing.threads, &bar);
    let console = &mut session.console;
    let label = format!("shard {number}/{shards}");
    let mut destination = None;
    if !to.is_some_and(is_stdin) {
        match folder.read_file(&path, number, |body, parts| {
            prepared.check_parts(body, parts)
        }) {
            Ok(()) => {
                console.remark(format_args!("`{file}` is there already: nothing to do"));
                return Ok(Exit::Done);
            }
            Err(ReadError::Missing) => {}
            Err(fault) if to.is_some() && !may_replace(&path, &fault) => {
                return Err(Failure {
                    exit: Exit::Mismatch,
                    error: anyhow!(
                        "--shard-file: `{file}`: {fault}; it was left as it is: name another file"
                    ),
                });
            }
            Err(fault) => console.say(format_args!("`{file}`: {fault}; it is played again")),
        }
        destination = Some(prepare(&path).map_err(Failure::input)?);
    }

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
    let written = if let Some((mut target, name)) = destination {
        write_file(&mut target, &name, |out| out.write_all(&bytes)).map_err(Failure::io)?;
        format!("in {file}")
    } else {
        console.bytes(&bytes)?;
        "is written to standard output".to_owned()
    };
    let total = closing(encounters, 0, begun.elapsed().as_secs_f64(), &[]);
    console.remark(format_args!("{total}; shard {number} {written}"));
    Ok(Exit::Done)
}
