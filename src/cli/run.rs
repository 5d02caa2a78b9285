//! `skirmish run`: plays every variant of scenarios and reports what came of it.
//!
//! Everything that can be wrong is found before the first encounter: arguments, scenarios,
//! variants and the folders for results.

use super::args::{ENCOUNTERS, Format, RunArgs};
use super::closing::Total;
use super::console::{Console, watched};
use super::load::{Scenario, Source, Variant, each, measured_in, stem};
use super::progress::Live;
use super::report::{Command, files};
use super::shards;
use super::{Exit, Failure};
use crate::engine::stop::NarrowEnough;
use crate::engine::{StopRule, runner};
use crate::output::html::{Chapter, Files};
use crate::output::manifest::{Manifest, Options, Run, timestamp};
use crate::output::{Report, Style, Target, VariantReport, csv, json, shell, table};
use crate::stats::Confidence;
use crate::tally::{Kind, Tally, metrics};
use anyhow::{Context, anyhow};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

/// The files of a result, in the order in which they appear: who sees the manifest sees them all.
pub const FILES: [&str; 4] = [
    "summary.csv",
    "distributions.csv",
    "examples.csv",
    "manifest.json",
];

/// A scenario that is ready to be played.
pub(super) struct Job {
    pub(super) file: PathBuf,
    pub(super) stem: String,
    pub(super) scenario: Scenario,
}

/// What of the command line holds for every scenario.
pub(super) struct Settings {
    pub(super) stop: StopRule,
    pub(super) confidence: Confidence,
    pub(super) seed: u64,
    pub(super) threads: NonZeroUsize,
    pub(super) format: Format,
    pub(super) options: Options,
    pub(super) quiet: bool,
}

/// Runs the subcommand. When `stop` is set, the encounters under way are finished, what has been
/// played is written, and nothing further is begun.
///
/// # Errors
/// If the input is wrong, or results cannot be written.
pub fn run(
    args: &RunArgs,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if let (Some(plan), Some(shard)) = (&args.plan, args.shard) {
        return shards::play(plan, shard, &args.playing, stop, console);
    }
    let settings = Settings::new(args)?;
    args.paper.prove()?;
    let Some(jobs) = jobs(args, source, console)? else {
        return Ok(Exit::BadInput);
    };
    let targets = jobs.iter().map(|job| target(args, job));
    let mut targets: Vec<Target> = targets.collect::<Result<_, _>>()?;

    let mut total = Total::default();
    let mut chapters = Vec::new();
    for (index, (job, target)) in jobs.iter().zip(&mut targets).enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        play(
            job,
            &settings,
            source,
            stop,
            target,
            console,
            &mut total,
            index == 0,
            args.paper.report.is_some().then_some(&mut chapters),
        )?;
    }
    if !chapters.is_empty() {
        let command = command(args);
        for chapter in &mut chapters {
            chapter.command.clone_from(&command);
        }
        args.paper.chapters(|| Ok(chapters))?;
    }
    if !settings.quiet {
        console.say(total.line());
    }
    Ok(if stop.load(Ordering::Relaxed) {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}

/// The scenarios, ready to be played; nothing if anything is wrong with them, which has then been
/// said.
pub(super) fn jobs(
    args: &RunArgs,
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Option<Vec<Job>>, Failure> {
    let stems = stems(&args.files)?;
    let sets = &args.playing.given.overrides;
    let Some(scenarios) = each(&args.files, |file| source.load(file, sets, console)) else {
        return Ok(None);
    };
    let mut jobs = Vec::with_capacity(scenarios.len());
    for ((file, stem), scenario) in args.files.iter().zip(stems).zip(scenarios) {
        let scenario = selected(scenario, &args.variants, file)?;
        for metric in &args.metrics {
            for variant in &scenario.variants {
                measured_in(metric, &variant.fight)?;
            }
        }
        jobs.push(Job {
            file: file.clone(),
            stem,
            scenario,
        });
    }
    Ok(Some(jobs))
}

/// The folder for a scenario's results, proved writable.
pub(super) fn target(args: &RunArgs, job: &Job) -> Result<Target, Failure> {
    Target::prepare(&args.output.join(&job.stem), &FILES).map_err(Failure::input)
}

impl Settings {
    /// What the command line says.
    pub(super) fn new(args: &RunArgs) -> Result<Self, Failure> {
        Ok(Self {
            stop: stop_rule(args)?,
            confidence: args.playing.given.confidence,
            seed: args.playing.given.seed,
            threads: args.playing.threads(),
            format: args.format,
            options: Options {
                set: args.playing.given.overrides.clone(),
                variant: args.variants.clone(),
                ..Options::default()
            },
            quiet: args.playing.quiet,
        })
    }
}

/// What ends the play of each variant.
fn stop_rule(args: &RunArgs) -> Result<StopRule, Failure> {
    let Some(precision) = &args.precision else {
        return Ok(StopRule::Encounters(args.encounters.unwrap_or(ENCOUNTERS)));
    };
    if args.encounters.is_some() {
        return Err(Failure::input(anyhow!(
            "-n plays so many encounters, --precision as many as it takes: leave one of them out \
             (--max-encounters bounds --precision)"
        )));
    }
    let metrics = if args.metrics.is_empty() {
        metrics::find("win_rate").into_iter().collect()
    } else {
        args.metrics.clone()
    };
    if precision.of_rate() >= 0.5
        && let Some(rate) = metrics.iter().find(|metric| metric.kind == Kind::Rate)
    {
        return Err(Failure::input(anyhow!(
            "--precision {precision}: `{}` is a rate, and known to ±50% without playing; \
             write 1% or 0.01",
            rate.name
        )));
    }
    Ok(StopRule::Precision(NarrowEnough {
        precision: precision.clone(),
        metrics,
        most: args.max_encounters,
    }))
}

/// The folders' names: files of one name would write over each other's results.
fn stems(files: &[PathBuf]) -> Result<Vec<String>, Failure> {
    let mut seen: HashMap<String, &Path> = HashMap::new();
    files
        .iter()
        .map(|file| {
            let stem = stem(file)?;
            // Not every file system tells capitals from small letters.
            if let Some(other) = seen.insert(stem.to_lowercase(), file) {
                return Err(Failure::input(anyhow!(
                    "`{}` and `{}` would both write to the folder `{stem}`: run them one by one, \
                     each with its own --output",
                    other.display(),
                    file.display()
                )));
            }
            Ok(stem)
        })
        .collect()
}

/// The scenario with the wanted variants only; with all of them if none is named.
pub(super) fn selected(
    mut scenario: Scenario,
    names: &[String],
    file: &Path,
) -> Result<Scenario, Failure> {
    if names.is_empty() {
        return Ok(scenario);
    }
    for name in names {
        scenario.variant(name, file)?;
    }
    scenario
        .variants
        .retain(|variant| names.contains(&variant.name));
    Ok(scenario)
}

/// Plays one scenario, writes its files and prints its result; its chapter goes to `chapters`, if a page is
/// wanted.
#[expect(clippy::too_many_arguments, reason = "work in progress")]
fn play(
    job: &Job,
    settings: &Settings,
    source: &impl Source,
    stop: &AtomicBool,
    target: &mut Target,
    console: &mut Console<'_>,
    total: &mut Total,
    first: bool,
    chapters: Option<&mut Vec<Chapter>>,
) -> Result<(), Failure> {
    let time = SystemTime::now();
    let begun = Instant::now();
    let mut variants = Vec::with_capacity(job.scenario.variants.len());
    for variant in &job.scenario.variants {
        variants.push(play_variant(variant, settings, source, stop)?);
    }
    let seconds = begun.elapsed();
    let report = report(job, settings, variants);
    let played: u64 = report.variants.iter().map(|v| v.tally.encounters()).sum();
    if played == 0 {
        console.say(format_args!(
            "`{}`: interrupted before the first encounters were finished; nothing was written",
            job.file.display()
        ));
        return Ok(());
    }
    total.add(played, seconds, target.folder());
    let run = Run {
        time: timestamp(time),
        threads: settings.threads.get(),
        seconds: seconds.as_secs_f64(),
    };
    if let Some(chapters) = chapters {
        chapters.push(chapter(job, &report, settings)?);
    }
    publish(job, &report, settings, run, target, console, first)
}

/// What a page tells of a scenario whose variants have been played.
pub(super) fn chapter(job: &Job, report: &Report, settings: &Settings) -> Result<Chapter, Failure> {
    let mut files = Files::new();
    files::run(report, &manifest(job, report, settings), &mut files);
    let several = report.variants.len() > 1;
    let notes = report.variants.iter().flat_map(|variant| {
        let of = if several {
            format!("{}: ", variant.name)
        } else {
            String::new()
        };
        let notes = report.notes(variant).into_iter();
        notes.map(move |note| format!("{of}{note}"))
    });
    Ok(Chapter {
        notes: notes.collect(),
        question: report.question.clone(),
        background: Some(job.scenario.background.clone()),
        ..Chapter::read(&files).map_err(Failure::input)?
    })
}

/// The command that makes a page of the same results again.
fn command(args: &RunArgs) -> String {
    let metrics = args.metrics.iter().map(|metric| metric.name);
    let bounded = args.precision.as_ref().map(|_| args.max_encounters);
    Command::new("run", args.files.iter().map(PathBuf::as_path))
        .options("-n", args.encounters)
        .options("--precision", &args.precision)
        .options("--metric", metrics)
        .options("--max-encounters", bounded)
        .options("--variant", &args.variants)
        .given(&args.playing.given)
        .report(&args.paper)
}

/// What is needed to get the same again.
fn manifest(job: &Job, report: &Report, settings: &Settings) -> Manifest {
    Manifest::new(
        report.into(),
        &job.scenario.hash,
        settings.seed,
        settings.options.clone(),
    )
}

/// What is reported of a scenario, its variants having been played.
pub(super) fn report(job: &Job, settings: &Settings, variants: Vec<VariantReport>) -> Report {
    Report {
        scenario: job.stem.clone(),
        title: job.scenario.title.clone(),
        question: job.scenario.question.clone(),
        replay: replay(&job.file, settings),
        stop: settings.stop.clone(),
        confidence: settings.confidence,
        variants,
    }
}

/// Writes a scenario's files and prints its result.
pub(super) fn publish(
    job: &Job,
    report: &Report,
    settings: &Settings,
    run: Run,
    target: &mut Target,
    console: &mut Console<'_>,
    first: bool,
) -> Result<(), Failure> {
    let mut manifest = manifest(job, report, settings);
    manifest.run = Some(run);
    write_files(report, &manifest, target).map_err(Failure::io)?;
    manifest.run = None;

    if matches!(settings.format, Format::Csv | Format::Json) {
        for variant in &report.variants {
            for note in report.notes(variant) {
                console.say(format_args!(
                    "warning: {}, {}: {note}",
                    job.stem, variant.name
                ));
            }
        }
    }
    console
        .result(|out| match settings.format {
            Format::Table | Format::Markdown => {
                let style = match settings.format {
                    Format::Markdown => Style::Markdown,
                    _ => Style::Terminal,
                };
                if !first {
                    out.write_all(b"\n")?;
                }
                out.write_all(table::table(report, style).as_bytes())
            }
            Format::Csv => csv::summary(report, out, first),
            Format::Json => json::write(report, &manifest, out),
        })
        .context("cannot write to standard output")
        .map_err(Failure::io)
}

pub(super) fn play_variant(
    variant: &Variant,
    settings: &Settings,
    source: &impl Source,
    stop: &AtomicBool,
) -> Result<VariantReport, Failure> {
    let side = variant.fight.sides.first().map_or("", String::as_str);
    let show = !settings.quiet && watched();
    let live = Live::new(
        show,
        &variant.name,
        side,
        &settings.stop,
        settings.confidence,
    );
    let player = source.player(variant, settings.seed);
    let enough = |tally: &Tally| match &settings.stop {
        StopRule::Encounters(_) | StopRule::Decisions(_) => true,
        StopRule::Precision(rule) => {
            let widest = rule.widest(tally, settings.confidence);
            let excess = widest.map_or(0.0, |widest| widest.excess);
            live.expect(tally.encounters(), excess, rule.most.get());
            excess <= 1.0
        }
    };
    let counts = settings.stop.looks().counts();
    let (tally, ended) = runner::run_until(
        &player,
        &variant.fight,
        counts,
        settings.threads,
        stop,
        &live,
        enough,
    )
    .map_err(Failure::io)?;
    live.finish();
    Ok(VariantReport::new(variant, tally, ended))
}

fn write_files(report: &Report, manifest: &Manifest, target: &mut Target) -> anyhow::Result<()> {
    let [summary, distributions, examples, manifest_json] = FILES;
    let mut batch = target.batch();
    batch.file(summary, |out| csv::summary(report, out, true))?;
    batch.file(distributions, |out| csv::distributions(report, out))?;
    batch.file(examples, |out| csv::examples(report, out))?;
    batch.file(manifest_json, |out| manifest.write(out))?;
    Ok(batch.commit()?)
}

/// The command that replays an encounter of this run.
fn replay(file: &Path, settings: &Settings) -> String {
    let mut command = format!("skirmish trace {}", shell(&file.display().to_string()));
    if settings.seed != super::args::SEED {
        let _ = write!(command, " --seed {}", settings.seed);
    }
    for change in &settings.options.set {
        let _ = write!(command, " --set {}", shell(change));
    }
    command
}
