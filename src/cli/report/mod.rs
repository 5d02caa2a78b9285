//! `skirmish report`: one page of pictures, made of scenarios that are played or of results that are
//! there.
//!
//! Every scenario, folder and place is proved right before the first encounter.

mod args;
mod background;
mod command;
pub(super) mod files;
mod paper;
mod play;

pub use args::{Format, ReportArgs};
pub(super) use background::background;
pub(super) use command::Command;
pub use paper::PaperArgs;

use super::closing::Total;
use super::console::Console;
use super::load::{Source, stem};
use super::run::selected;
use super::{Exit, Failure};
use crate::output::Target;
use crate::output::html::{Chapter, page};
use anyhow::{Context, anyhow};
use play::Task;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What a chapter is made of.
enum Input {
    Scenario(Box<Task>),
    Results(Box<Chapter>),
}

/// Where the pictures go.
enum Output {
    Page(PaperArgs),
    Slides(Target),
}

/// Runs the subcommand. When `stop` is set, the encounters under way are finished, and what has been
/// played is shown.
///
/// # Errors
/// If the input is wrong, or the page cannot be written.
pub fn run(
    args: &ReportArgs,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let Some(inputs) = read(args, source, console)? else {
        return Ok(Exit::BadInput);
    };
    let output = match args.format {
        Format::Html => {
            let paper = PaperArgs {
                report: Some(args.place().to_owned()),
            };
            paper.prove()?;
            Output::Page(paper)
        }
        Format::Svg => Output::Slides(Target::prepare(args.place(), &[]).map_err(Failure::input)?),
    };

    let begun = Instant::now();
    let mut chapters = Vec::with_capacity(inputs.len());
    let mut played = 0;
    for input in inputs {
        match input {
            Input::Results(chapter) => chapters.push(*chapter),
            Input::Scenario(task) if !stop.load(Ordering::Relaxed) => {
                if let Some(done) = task.play(source, stop)? {
                    played += done.encounters;
                    chapters.push(done.chapter);
                }
            }
            Input::Scenario(_) => {}
        }
    }
    let seconds = begun.elapsed();
    let interrupted = stop.load(Ordering::Relaxed);
    if chapters.is_empty() {
        console.say("interrupted before the first encounters were finished; nothing was written");
        return Ok(Exit::Interrupted);
    }
    let place = args.place();
    let written = match output {
        Output::Page(paper) => {
            paper.chapters(|| Ok(chapters))?;
            format!("`{}`", place.display())
        }
        Output::Slides(mut target) => {
            let count = paper::slides(&page(&chapters), &mut target)?;
            format!("{count} charts in `{}`", place.display())
        }
    };
    if !args.playing.quiet {
        let mut total = Total::default();
        if played > 0 {
            total.play(played, seconds);
            console.say(total.line());
        }
        console.say(format_args!("wrote {written}"));
    }
    if args.open {
        open(place, console);
    }
    Ok(if interrupted {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}

/// Reads all inputs; nothing if anything is wrong with a scenario, all of which has then been said.
fn read(
    args: &ReportArgs,
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Option<Vec<Input>>, Failure> {
    if args.inputs.iter().all(|input| input.is_dir())
        && let Some(option) = args.playing_option()
    {
        return Err(Failure::input(anyhow!(
            "{option} says how to play, and results are not played again: leave it out, or name the \
             scenario instead of the folder"
        )));
    }
    let mut inputs = Vec::with_capacity(args.inputs.len());
    let mut wrong = false;
    for input in &args.inputs {
        if input.is_dir() {
            let chapters = results(args, input)?;
            inputs.extend(
                chapters
                    .into_iter()
                    .map(|one| Input::Results(Box::new(one))),
            );
            continue;
        }
        let stem = stem(input)?;
        let Some(scenario) = source.load(input, &args.playing.given.overrides, console) else {
            wrong = true;
            continue;
        };
        let scenario = selected(scenario, &args.variants, input)?;
        let prefix = if args.inputs.len() > 1 {
            format!("s{}-", inputs.len() + 1)
        } else {
            String::new()
        };
        let task = Task::new(args, input, stem, scenario, prefix)?;
        inputs.push(Input::Scenario(Box::new(task)));
    }
    Ok((!wrong).then_some(inputs))
}

/// The chapters of a folder: one, and one for each sweep of other keys.
fn results(args: &ReportArgs, folder: &Path) -> Result<Vec<Chapter>, Failure> {
    let read = || {
        let mut all = vec![files::folder(folder)?];
        all.extend(files::other_sweeps(folder)?);
        let chapters = all.iter().map(Chapter::read);
        anyhow::Ok(chapters.collect::<Result<Vec<_>, _>>()?)
    };
    let mut chapters = read()
        .with_context(|| format!("`{}`", folder.display()))
        .map_err(Failure::input)?;
    let command = Command::new("report", [folder])
        .option("-o", args.place().display())
        .text();
    for chapter in &mut chapters {
        chapter.command.clone_from(&command);
    }
    Ok(chapters)
}

/// Opens the page in a browser; if that cannot be done, it lies there all the same.
fn open(place: &Path, console: &mut Console<'_>) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    if let Err(error) = std::process::Command::new(program).arg(place).spawn() {
        console.say(format_args!(
            "warning: cannot open `{}` with {program}: {error}",
            place.display()
        ));
    }
}
