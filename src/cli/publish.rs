//! Plays a task, writes its results and prints the answer.

use super::args::{Delivery, ExactArgs, Format, Playing};
use super::closing::Total;
use super::console::Console;
use super::load::{inputs, or_print};
use crate::output::Target;
use crate::output::manifest::{Partial, Run, timestamp};
use crate::task::{
    Answer, Exit, Failure, Input, Played, Prepared, Question, Results, Source, Task, Until,
};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

/// The start of play.
pub(super) struct Stopwatch {
    time: SystemTime,
    begun: Instant,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self {
            time: SystemTime::now(),
            begun: Instant::now(),
        }
    }

    /// Returns the time, threads, duration and files of the play, for its manifest.
    pub(super) fn run(&self, threads: NonZeroUsize, prepared: &Prepared) -> Run {
        let files = prepared.inputs.iter();
        Run {
            time: timestamp(self.time),
            threads: threads.get(),
            seconds: self.begun.elapsed().as_secs_f64(),
            files: files.map(|one| one.file.display().to_string()).collect(),
        }
    }
}

/// Reads the scenarios of a task and checks the task. Returns `None` on errors in them, after printing these.
pub(super) fn prepare<'a>(
    task: &Task,
    files: impl IntoIterator<Item = &'a PathBuf>,
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Option<Prepared>, Failure> {
    task.validate()?;
    let Some(inputs) = inputs(files, &task.set, source, console)? else {
        return Ok(None);
    };
    prepared(task, inputs, console)
}

/// Checks a task with its scenarios. Returns `None` on errors in them, after printing these.
pub(super) fn prepared(
    task: &Task,
    inputs: Vec<Input>,
    console: &mut Console<'_>,
) -> Result<Option<Prepared>, Failure> {
    let prepared = or_print(task.prepare(inputs), console)?;
    if let Some(warning) = prepared.as_ref().and_then(Prepared::warning) {
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
    /// are solved. If `stop` is set, encounters in progress are finished, and the answer is about those played.
    pub(super) fn answer(
        &self,
        question: Question,
        until: Until,
        files: &[&PathBuf],
        source: &impl Source,
        stop: &AtomicBool,
        console: &mut Console<'_>,
    ) -> Result<Exit, Failure> {
        let (delivery, playing) = (&self.delivery, &self.playing);
        let until = self.exact.until(&playing.given)?.unwrap_or(until);
        let task = playing.given.task(question, until);
        let Some(prepared) = prepare(&task, files.iter().copied(), source, console)? else {
            return Ok(Exit::BadInput);
        };
        let bar = playing.bar();
        let context = playing.context(source, stop, &bar);
        delivery.check_apart(&[], std::slice::from_ref(&prepared))?;
        let mut target = prepared.claim(&delivery.output, delivery.no_clobber)?;
        delivery.page.check_writable()?;
        let watch = Stopwatch::start();
        let played = prepared.play(&context)?;
        let publication = Publication {
            prepared: &prepared,
            delivery,
            quiet: playing.quiet,
            run: watch.run(context.threads, &prepared),
            partial: None,
        };
        let missing = publication.publish(played, &mut target, console)?;
        Ok(Exit::of_missing(missing, context.stopped()))
    }
}

/// Everything needed to publish the results of a task.
pub(super) struct Publication<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) delivery: &'a Delivery,
    pub(super) quiet: bool,
    pub(super) run: Run,
    /// How much of a plan has been played, if not all.
    pub(super) partial: Option<Partial>,
}

impl Publication<'_> {
    /// Writes the results and prints them. Returns whether results are missing because of an interrupt or because a
    /// fight is too large to be solved.
    pub(super) fn publish(
        self,
        played: Played,
        target: &mut Target,
        console: &mut Console<'_>,
    ) -> Result<bool, Failure> {
        let (prepared, delivery) = (self.prepared, self.delivery);
        if played.is_empty() {
            console.say(prepared.nothing_played());
            return Ok(true);
        }
        let (encounters, states) = (played.encounters(), played.states());
        let mut results = prepared.results(played, self.partial.is_some());
        results.manifest.partial = self.partial;
        let seconds = Duration::from_secs_f64(self.run.seconds);
        results.manifest.run = Some(self.run);
        let written = publish(&mut results, target, delivery, true, console)?;
        delivery.page.write_chapters(|| {
            let files = prepared.inputs.iter().map(|input| input.file.as_path());
            let command = delivery.page.command(prepared.task.command(files));
            Ok(vec![results.chapter(prepared, command)])
        })?;
        if !self.quiet {
            let mut total = Total::default();
            let folder = written.then(|| target.folder());
            total.add(encounters, states, seconds, folder);
            console.say(total.line());
        }
        Ok(results.answer.interrupted())
    }
}

/// Writes the files of results and prints the answer, even if they cannot be written; `first` is whether it is the first
/// of several. Returns whether the files were written: a run that is not whole does not replace larger results of the
/// same fights.
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
        for variant in &report.variants {
            for note in report.notes(variant) {
                let (stem, name) = (&report.scenario, &variant.name);
                console.say(format_args!("warning: {stem}, {name}: {note}"));
            }
        }
        for note in report.common_notes() {
            console.say(format_args!("warning: {}: {note}", report.scenario));
        }
    }
    let answer = &results.answer;
    let style = delivery.wide.style(format, console);
    match format {
        Format::Table | Format::Markdown => {
            let gap = if first { "" } else { "\n" };
            console.answer(&format!("{gap}{}", answer.table(style)))?;
        }
        Format::Csv => console.data(|out| answer.csv(out, first))?,
        Format::Json => console.data(|out| results.json(out))?,
    }
    outcome.map(|()| written)
}
