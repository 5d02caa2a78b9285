//! `skirmish run`: plays every variant of scenarios and prints a table for each scenario.
//!
//! All possible errors are found before the first encounter: in arguments, scenarios, variants and the folders
//! for results.

use super::Session;
use super::args::{RARE, SavingArgs, count};
use super::closing::{closing, say_resumed, say_saved};
use super::console::Console;
use super::load::inputs;
use super::publish::{AnswerArgs, prepared, publish, timed};
use super::shard;
use crate::output::Target;
use crate::report::number::counted;
use crate::stats::Precision;
use crate::tally::Metric;
use crate::task::run::Runs;
use crate::task::{
    Answer, Checkpoint, EachFile, Exit, Failure, Input, NarrowEnough, Played, Prepared, Question,
    Source, Task, Until, check_each, summed_up, usual_end, usual_metrics,
};
use anyhow::{anyhow, bail, ensure};
use clap::Args;
use std::collections::HashMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Arguments of `skirmish run`.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("exact", |exact| exact.conflicts_with_all([
    "encounters", "precision", "metrics", "max_encounters", "each", "checkpoint", "checkpoint_every", "plan",
])))]
#[command(mut_arg("checkpoint", |checkpoint| checkpoint.conflicts_with("plan")))]
pub struct RunArgs {
    /// Scenario files
    #[arg(required_unless_present = "plan", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Instead of a file: play a shard of a plan (`skirmish plan`)
    #[arg(long, value_name = "PLAN", requires = "shard", display_order = RARE, conflicts_with_all = [
        "files", "encounters", "precision", "metrics", "max_encounters", "output", "no_clobber", "format",
        "variants", "seed", "confidence", "overrides", "report", "checkpoint_every",
    ])]
    pub plan: Option<PathBuf>,

    /// How progress is saved
    #[command(flatten)]
    pub saving: SavingArgs,

    /// Which shard of --plan, from 0: 17, or 17/200
    #[arg(long, value_name = "NUMBER", requires = "plan", conflicts_with = "files", value_parser = shard::number)]
    #[arg(display_order = RARE)]
    pub shard: Option<(u64, Option<u64>)>,

    /// Where the shard goes; `-` is standard output [default: a file in the folder `shards` beside the plan]
    #[arg(long, value_name = "FILE", requires = "shard", display_order = RARE)]
    pub shard_file: Option<PathBuf>,

    /// Encounters of each variant: 250k, 1M, 2_000_000 [default: until every win rate is known to ±0.5%, at most 1M]
    #[expect(clippy::doc_markdown, reason = "it is shown as help")]
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = count)]
    pub encounters: Option<NonZeroU64>,

    /// Instead of -n: play each variant until its win rates are known to ± this, such as 0.1%
    #[arg(long, value_name = "HALF-WIDTH")]
    pub precision: Option<Precision>,

    /// Metric for --precision, instead of `win_rate`; may be given several times; for counts, 0.1% is of the
    /// mean and 0.1 in their own unit
    #[arg(long = "metric", value_name = "NAME", value_parser = summed_up)]
    #[arg(requires = "precision", conflicts_with = "encounters", display_order = RARE)]
    pub metrics: Vec<&'static Metric>,

    /// Stop --precision after this many encounters of each variant
    #[arg(long, value_name = "COUNT", default_value = "1G", value_parser = count)]
    #[arg(requires = "precision", conflicts_with = "encounters", display_order = RARE)]
    pub max_encounters: NonZeroU64,

    /// Also write raw data: a CSV file with a row for every encounter
    #[arg(long, value_name = "FILE.csv")]
    pub each: Option<PathBuf>,

    /// Play only this variant; may be given several times; `base` is the file as written
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,

    /// Print a table for each of several variants
    #[arg(long)]
    pub details: bool,

    /// How it is answered
    #[command(flatten)]
    pub answer: AnswerArgs,
}

impl RunArgs {
    /// Returns the task to ask of each file.
    fn task(&self) -> anyhow::Result<Task> {
        let given = &self.answer.playing.given;
        let exact = self.answer.exact.until(given)?;
        let until = match (&self.precision, self.encounters) {
            (None, None) => exact.unwrap_or_else(usual_end),
            (None, Some(encounters)) => Until::Encounters(encounters),
            (Some(_), Some(_)) => {
                bail!(
                    "-n and --precision exclude each other: one sets the count, the other finds it \
                     (--max-encounters bounds it)"
                );
            }
            (Some(precision), None) => Until::Precision(NarrowEnough {
                precision: precision.clone(),
                metrics: match &self.metrics[..] {
                    [] => usual_metrics(),
                    metrics => metrics.to_vec(),
                },
                most: self.max_encounters,
            }),
        };
        let variant = self.variants.clone();
        Ok(given.task(Question::Run { variant }, until))
    }

    /// Checks `--each` before anything is written.
    fn check_each(&self, path: &Path, runs: &[Prepared]) -> anyhow::Result<()> {
        ensure!(
            self.saving.checkpoint.is_none(),
            "--each {}: a checkpoint keeps counts, not encounters: rows of those played before \
             it would be missing. Leave out --each or --checkpoint",
            path.display()
        );
        check_each(path, runs, self.answer.delivery.folder())
    }
}

/// Returns whether all fights of a run are small enough to be solved at once.
fn is_small(run: &Prepared, stop: &AtomicBool) -> bool {
    run.variants()
        .iter()
        .all(|variant| crate::exact::is_small(&variant.fight, &variant.rules, stop))
}

/// Runs the subcommand.
pub(super) fn run(args: &RunArgs, session: &mut Session<'_, impl Source>) -> Result<Exit, Failure> {
    let (playing, delivery) = (&args.answer.playing, &args.answer.delivery.settled()?);
    if let (Some(plan), Some(number)) = (&args.plan, args.shard) {
        if args.each.is_some() {
            return Err(Failure::input(anyhow!(
                "--each: a shard of a plan keeps counts, not encounters. For rows, run the scenario \
                 itself: `skirmish run FILE --each FILE.csv`"
            )));
        }
        return shard::run(plan, number, args.shard_file.as_deref(), playing, session);
    }
    let task = args.task()?;
    let runs = runs(args, &task, session.source, &mut session.console)?;
    let bar = session.bar(playing.given.confidence());
    let context = session.context(playing.threads, &bar);
    let console = &mut session.console;
    let checkpoint_file = args.saving.checkpoint.as_deref();
    let files = [
        ("--each", args.each.as_deref()),
        ("--checkpoint", checkpoint_file),
    ];
    delivery.check_apart(&files, &runs)?;
    delivery.page.check_writable()?;
    let each = match &args.each {
        Some(path) => {
            args.check_each(path, &runs)?;
            Some(EachFile::prepare(path, &runs)?)
        }
        None => None,
    };
    let checkpoint = match checkpoint_file {
        Some(file) => {
            let checkpoint = Checkpoint::open(file, &runs, args.saving.every())?;
            say_resumed(file, checkpoint.encounters(), console);
            Some(checkpoint)
        }
        None => None,
    };
    let claim = |run: &Prepared| run.claim(delivery.folder(), delivery.no_clobber);
    let mut targets: Vec<Target> = runs.iter().map(claim).collect::<Result<_, _>>()?;

    let fights = runs.iter().map(Prepared::fights).sum();
    let mut players = Runs::new(&context, fights, each.as_ref(), checkpoint);
    let (mut encounters, mut states, mut seconds, mut folders) = (0, 0, 0.0, Vec::new());
    let mut chapters = Vec::new();
    let (mut printed, mut missing) = (false, false);
    let command = || {
        let files = args.files.iter().map(PathBuf::as_path);
        delivery.page.command(task.command(files))
    };
    for (index, (run, target)) in runs.iter().zip(&mut targets).enumerate() {
        if context.stopped() {
            if index == 0 {
                console.say(run.nothing_played());
            }
            break;
        }
        let (played, made) = timed(context.threads, run, || players.play(run));
        let played = match played {
            // The other files may be small enough to be solved.
            Err(failure)
                if runs.len() > 1 && task.until.is_exact() && failure.exit == Exit::BadInput =>
            {
                console.say(format_args!("warning: {failure}"));
                missing = true;
                continue;
            }
            played => Played::Run(played?),
        };
        if played.is_empty() {
            console.say(run.nothing_played());
            break;
        }
        encounters += players.new;
        states += played.states();
        seconds += made.seconds;
        let mut results = run.results(played);
        missing |= results.answer.interrupted();
        if delivery.page.report.is_some() {
            chapters.push(results.chapter(run, command()));
        }
        results.manifest.run = Some(made);
        if let Answer::Run(report) = &mut results.answer {
            report.is_detailed = args.details;
        }
        let written = publish(&mut results, target, delivery, !printed, console)?;
        printed = true;
        folders.extend(written.then(|| target.folder().to_owned()));
    }
    if !chapters.is_empty() {
        delivery.page.write_chapters(|| Ok(chapters))?;
    }
    let checkpoint = players.checkpoint;
    if let (Some(file), Some(path)) = (each, &args.each) {
        let path = path.display();
        match file.finish()? {
            0 => console.say(format_args!(
                "`{path}` was not written: no encounter was finished"
            )),
            rows => console.remark(format_args!("{} in {path}", counted(rows, "row"))),
        }
    }
    // A signal from here on ends only the search for a hint.
    let stopped = context.stopped();
    if !console.quiet && (encounters > 0 || !folders.is_empty()) {
        console.say(closing(encounters, states, seconds, &folders));
        if task.until.budget().is_none() && !stopped {
            for run in runs.iter().filter(|run| is_small(run, context.stop)) {
                let stem = &run.input().stem;
                console.say(format_args!(
                    "`{stem}` is small: --exact solves it instead of sampling"
                ));
            }
        }
    }
    if let (Some(checkpoint), Some(file)) = (checkpoint, checkpoint_file) {
        if !stopped {
            checkpoint.remove()?;
        } else if checkpoint.is_saved() {
            say_saved(file, console);
        }
    }
    Ok(Exit::of_missing(missing || stopped, stopped))
}

/// Returns the runs of all files.
fn runs(
    args: &RunArgs,
    task: &Task,
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Vec<Prepared>, Failure> {
    task.validate()?;
    check_names(&args.files)?;
    let inputs = inputs(&args.files, &task.set, source, console)?.into_iter();
    inputs
        .map(|input| prepared(task, vec![input], console))
        .collect()
}

/// Checks that no two files write to the same folder.
fn check_names(files: &[PathBuf]) -> anyhow::Result<()> {
    let mut seen: HashMap<String, &Path> = HashMap::new();
    for file in files {
        let stem = Input::stem(file)?;
        // Some file systems ignore the case of letters.
        if let Some(other) = seen.insert(stem.to_lowercase(), file) {
            let place = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
            ensure!(
                place(other) != place(file),
                "`{}` is named twice: leave one out",
                file.display()
            );
            bail!(
                "`{}` and `{}` would both write to the folder `{stem}`: run them one by one, \
                 each with its own --output",
                other.display(),
                file.display()
            );
        }
    }
    Ok(())
}
