//! Plays a task, writes its results and prints the answer.

use super::Session;
use super::args::{Delivery, ExactArgs, Format, Playing, SavingArgs};
use super::closing::{closing, say_resumed};
use super::console::Console;
use super::load::inputs;
use crate::output::Target;
use crate::output::manifest::{Partial, Run, timestamp};
use crate::task::{
    Answer, Exit, Failure, Input, Played, Prepared, Question, Results, Source, Task, Until,
};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::slice;
use std::time::{Instant, SystemTime};

/// Plays, and returns what was played and the time, threads, duration and files of the play, for its manifest.
pub(super) fn timed<T>(
    threads: NonZeroUsize,
    prepared: &Prepared,
    play: impl FnOnce() -> T,
) -> (T, Run) {
    let (time, begun) = (SystemTime::now(), Instant::now());
    let played = play();
    let files = prepared.inputs.iter();
    let run = Run {
        time: timestamp(time),
        threads: threads.get(),
        seconds: begun.elapsed().as_secs_f64(),
        files: files
            .map(|input| input.file.display().to_string())
            .collect(),
    };
    (played, run)
}

/// Reads the scenarios of a task and checks the task.
pub(super) fn prepare(
    task: &Task,
    files: &[&PathBuf],
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Prepared, Failure> {
    task.validate()?;
    let inputs = inputs(files, &task.set, source, console)?;
    prepared(task, inputs, console)
}

/// Checks a task with its scenarios.
pub(super) fn prepared(
    task: &Task,
    inputs: Vec<Input>,
    console: &mut Console<'_>,
) -> Result<Prepared, Failure> {
    let prepared = task.prepare(inputs)?;
    if let Some(warning) = prepared.warning() {
        console.say(format_args!("warning: {warning}"));
    }
    Ok(prepared)
}

/// The options of a subcommand with one answer.
#[derive(Debug, Clone, Args)]
pub struct AnswerArgs {
    /// Whether fights are solved
    #[command(flatten)]
    pub exact: ExactArgs,

    /// Where results go
    #[command(flatten)]
    pub delivery: Delivery,

    /// The options of every simulation
    #[command(flatten)]
    pub playing: Playing,
}

impl AnswerArgs {
    /// Answers a question about `files` and publishes the results. `until` says when play ends, unless fights
    /// are solved.
    pub(super) fn answer(
        &self,
        question: Question,
        until: Until,
        files: &[&PathBuf],
        session: &mut Session<'_, impl Source>,
    ) -> Result<Exit, Failure> {
        let given = &self.playing.given;
        let until = self.exact.until(given)?.unwrap_or(until);
        let task = given.task(question, until);
        let prepared = prepare(&task, files, session.source, &mut session.console)?;
        let results = self.play(&prepared, None, session)?;
        let missing = is_missing(results.as_ref());
        Ok(Exit::of_missing(missing, session.stopped()))
    }

    /// Plays a task and publishes the results, which it returns if there are any.
    pub(super) fn play(
        &self,
        prepared: &Prepared,
        saving: Option<&SavingArgs>,
        session: &mut Session<'_, impl Source>,
    ) -> Result<Option<Results>, Failure> {
        let delivery = &self.delivery.settled()?;
        let bar = session.bar(self.playing.given.confidence());
        let context = session.context(self.playing.threads, &bar);
        let file = saving.and_then(|saving| saving.checkpoint.as_deref());
        delivery.check_apart(&[("--checkpoint", file)], slice::from_ref(prepared))?;
        delivery.page.check_writable()?;
        let resumed = match saving.zip(file) {
            Some((saving, file)) => Some(prepared.resume(file, saving.every())?),
            None => None,
        };
        if let (Some(resumed), Some(file)) = (&resumed, file) {
            say_resumed(file, resumed.encounters(), &mut session.console);
        }
        let mut target = prepared.claim(delivery.folder(), delivery.no_clobber)?;
        let play = || prepared.play_on(&context, resumed);
        let (played, run) = timed(context.threads, prepared, play);
        let made = (played?, run);
        delivery.publish(prepared, made, None, &mut target, &mut session.console)
    }
}

/// Returns whether results are missing because of an interrupt or because a fight is too large to be solved.
pub(super) fn is_missing(results: Option<&Results>) -> bool {
    results.is_none_or(|results| results.answer.interrupted())
}

impl Delivery {
    /// Writes the results of a play and prints them; `partial` is how much of a plan has been played, if not all.
    /// Returns the results, unless nothing was played.
    pub(super) fn publish(
        &self,
        prepared: &Prepared,
        (played, run): (Played, Run),
        partial: Option<Partial>,
        target: &mut Target,
        console: &mut Console<'_>,
    ) -> Result<Option<Results>, Failure> {
        if played.is_empty() {
            console.say(prepared.nothing_played());
            return Ok(None);
        }
        let (encounters, states, seconds) = (played.encounters(), played.states(), run.seconds);
        let mut results = prepared.results(played);
        results.manifest.partial = partial;
        results.manifest.run = Some(run);
        let written = publish(&mut results, target, self, true, console)?;
        self.page.write_chapters(|| {
            let files = prepared.inputs.iter().map(|input| input.file.as_path());
            let command = self.page.command(prepared.task.command(files));
            Ok(vec![results.chapter(prepared, command)])
        })?;
        let folder = written.then(|| target.folder().to_owned());
        console.remark(closing(encounters, states, seconds, folder.as_slice()));
        Ok(Some(results))
    }
}

/// Writes the files of results and prints the answer, even if they cannot be written; `first` is whether it is the
/// first of several. Returns whether the files were written: a run that is not whole does not replace larger results of
/// the same fights.
pub(super) fn publish(
    results: &mut Results,
    target: &mut Target,
    delivery: &Delivery,
    first: bool,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    let folder = target.folder().display().to_string();
    let kept = results.fewer_than(target);
    let written = kept.is_none();
    let mut outcome = Ok(());
    if let Some(kept) = kept {
        let fewer = if results.manifest.task.until.is_exact() {
            "has solved fewer of the same fights"
        } else {
            "has fewer of the same encounters"
        };
        console.say(format_args!(
            "note: `{folder}` keeps {kept}: this run {fewer}"
        ));
    } else {
        if let Some(replaced) = results.replaces(target) {
            console.say(format_args!(
                "note: replaces {replaced} in `{folder}` (--no-clobber keeps what is there)"
            ));
        }
        outcome = results.write(target);
    }
    let format = delivery.format;
    if let (Answer::Run(report), Format::Csv | Format::Json) = (&results.answer, format) {
        for note in results.answer.notes() {
            console.say(format_args!("warning: {}: {note}", report.scenario));
        }
    }
    let answer = &results.answer;
    let style = delivery.wide.style(format, console);
    match format {
        Format::Table | Format::Markdown | Format::Html => {
            let gap = if first { "" } else { "\n" };
            console.answer(&format!("{gap}{}", answer.table(style)))?;
        }
        Format::Csv => console.data(|out| answer.csv(out, first))?,
        Format::Json => console.data(|out| results.json(out))?,
    }
    outcome.map(|()| written)
}
