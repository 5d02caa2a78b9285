//! `skirmish run`: plays every variant of scenarios and reports what came of it.
//!
//! Everything that can be wrong is found before the first encounter: arguments, scenarios,
//! variants and the folders for results.

use super::args::{ENCOUNTERS, Format, RunArgs};
use super::checkpoint::{Checkpoint, Pausing};
use super::closing::Total;
use super::console::{Console, watched};
use super::dry_run::{Forecast, Small, into_folder, probe, size};
use super::each::{self, Each, EachFile};
use super::load::{self, Scenario, Source, Variant, measured_in, stem};
use super::progress::Live;
use super::publish::Made;
use super::report::{Command, files};
use super::results;
use super::shards;
use super::{Exit, Failure};
use crate::output::html::{Chapter, Files};
use crate::output::manifest::{Manifest, Options, Run, timestamp};
use crate::output::{Report, Style, Target, VariantReport, csv, encounters, json, shell, table};
use crate::run::each::WithRows;
use crate::run::runner::Desk;
use crate::run::stop::NarrowEnough;
use crate::run::{Ended, Play, StopRule, runner};
use crate::sim::Record;
use crate::stats::Confidence;
use crate::tally::{Kind, Tally, metrics};
use anyhow::{Context, anyhow};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
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
#[derive(Clone)]
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
        if args.each.is_some() {
            return Err(Failure::input(anyhow!(
                "--each: a shard of a plan keeps counts, not encounters. For rows, run the scenario \
                 itself: `skirmish run FILE --each FILE.csv`"
            )));
        }
        return shards::play(plan, shard, args, stop, console);
    }
    let settings = Settings::new(args)?;
    let Some(jobs) = jobs(args, source, console)? else {
        return Ok(Exit::BadInput);
    };
    if args.foretelling.dry_run {
        return dry_run(args, &settings, &jobs, source, stop, console);
    }
    args.paper.prove()?;
    let each = args.each.as_deref();
    let each = each.map(|path| EachFile::prepare(path, args, &jobs));
    let each = each.transpose()?;
    let file = args.checkpoint.as_deref();
    let checkpoint = file.map(|file| Checkpoint::open(file, args, &settings.stop, &jobs, console));
    let checkpoint = checkpoint.transpose()?;
    let targets = jobs.iter().map(|job| target(args, job));
    let mut targets: Vec<Target> = targets.collect::<Result<_, _>>()?;

    let mut players = Players {
        settings: &settings,
        source,
        stop,
        each: each.as_ref().map(|file| &file.each),
        checkpoint,
        all: jobs.iter().map(|job| job.scenario.variants.len()).sum(),
        fights: 0,
        played: 0,
        new: 0,
    };
    let mut total = Total::default();
    let mut chapters = Vec::new();
    for (index, (job, target)) in jobs.iter().zip(&mut targets).enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let (time, begun) = (SystemTime::now(), Instant::now());
        let variants = players.play(job, console)?;
        let seconds = begun.elapsed();
        let played: u64 = variants.iter().map(|one| one.tally.encounters()).sum();
        if played == 0 {
            console.say(format_args!(
                "`{}`: interrupted before the first encounters were finished; nothing was written",
                job.file.display()
            ));
            break;
        }
        total.add(players.new, seconds, target.folder());
        let report = report(job, &settings, variants);
        let made = Made::now(Run {
            time: timestamp(time),
            threads: settings.threads.get(),
            seconds: seconds.as_secs_f64(),
        });
        if args.paper.report.is_some() {
            chapters.push(chapter(job, &report, &settings)?);
        }
        publish(job, &report, &settings, made, target, console, index == 0)?;
    }
    if !chapters.is_empty() {
        let command = command(args);
        for chapter in &mut chapters {
            chapter.command.clone_from(&command);
        }
        args.paper.chapters(|| Ok(chapters))?;
    }
    let checkpoint = players.checkpoint;
    if let Some(file) = each {
        file.finish(settings.quiet, console)?;
    }
    if !settings.quiet {
        console.say(total.line());
    }
    let stopped = stop.load(Ordering::Relaxed);
    match checkpoint {
        Some(checkpoint) if stopped => checkpoint.left(console),
        Some(checkpoint) => checkpoint.remove()?,
        None => {}
    }
    Ok(if stopped {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}

/// Says of each scenario what would be played and written.
fn dry_run(
    args: &RunArgs,
    settings: &Settings,
    jobs: &[Job],
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if let Some(path) = &args.each {
        each::check(path, args, jobs)?;
    }
    let most = match &settings.stop {
        StopRule::Encounters(count) => *count,
        StopRule::Precision(rule) => rule.most,
        StopRule::Decisions(rule) => rule.most,
    };
    for job in jobs {
        let mut enough = 0u64;
        let mut row_bytes = 0.0;
        let probe = probe(most.get(), stop, |count| {
            let each = args.each.as_deref();
            let each = each.map(|path| Each::counting(path, settings.seed, jobs));
            let each = each.transpose()?;
            let small = Settings {
                stop: StopRule::Encounters(count),
                quiet: true,
                ..settings.clone()
            };
            let mut players = Players {
                settings: &small,
                source,
                stop,
                each: each.as_ref(),
                checkpoint: None,
                all: job.scenario.variants.len(),
                fights: 0,
                played: 0,
                new: 0,
            };
            let variants = players.play(job, console)?;
            let rows = each.as_ref().map_or(0, |each| each.rows.bytes());
            let played: u64 = variants.iter().map(|one| one.tally.encounters()).sum();
            row_bytes = rows as f64 / played.max(1) as f64;
            let foreseen = variants.iter().map(|one| settings.foreseen(&one.tally));
            enough = foreseen.fold(0, u64::saturating_add);
            let report = report(job, &small, variants);
            let manifest = manifest(job, &report, &small);
            let mut written = Files::new();
            files::run(&report, &manifest, &mut written);
            Ok(Small {
                played,
                bytes: written.values().map(|file| file.len() as u64).sum(),
            })
        })?;
        let Some(probe) = probe else {
            return Ok(Exit::Interrupted);
        };
        let variants = job.scenario.variants.len() as u64;
        let most = encounters(most.get());
        let each = match &settings.stop {
            StopRule::Precision(rule) => {
                format!("until ±{} is reached, {most} each at most", rule.precision)
            }
            _ => format!("of {most} each"),
        };
        let plural = if variants == 1 { "" } else { "s" };
        let mut files = into_folder(probe.bytes(), &args.output.join(&job.stem));
        if let Some(path) = &args.each {
            let bytes = size((row_bytes * enough as f64) as u64);
            let _ = write!(files, ", and about {bytes} into `{}`", path.display());
        }
        Forecast {
            what: format!("{}: {variants} variant{plural} {each}", job.stem),
            encounters: [enough; 2],
            threads: settings.threads,
            files: Some(files),
            probe: &probe,
        }
        .print(console)?;
    }
    Ok(Exit::Done)
}

/// Who plays, and where it is saved.
struct Players<'a, S> {
    settings: &'a Settings,
    source: &'a S,
    stop: &'a AtomicBool,
    /// Where the rows of encounters go, if they are wanted.
    each: Option<&'a Each>,
    checkpoint: Option<Checkpoint>,
    /// Fights of all scenarios.
    all: usize,
    /// Fights of the scenarios that have been played.
    fights: usize,
    /// Encounters of those, and of what had been played before.
    played: u64,
    /// Encounters of the scenario at hand that have been played now.
    new: u64,
}

/// A variant that is being played.
struct Course<'a, P> {
    variant: &'a Variant,
    player: P,
    tally: Tally,
    /// How it has ended, once it has.
    ended: Option<Ended>,
    /// What had been counted when all had been played equally far for the last time.
    equal: Tally,
}

/// The first stretch of encounters after which it is the next variant's turn.
const FIRST_STRETCH: u64 = 1024;

/// Into how many stretches a long run is cut: what is lost of it at most if it is stopped, for all
/// variants are kept as far as the last stretch of which all have played.
const STRETCHES: u64 = 64;

/// Where stretches end: short ones at first, so that who stops a long run soon has something of all
/// variants.
fn stretches(rule: &StopRule, variants: usize) -> Vec<u64> {
    let StopRule::Encounters(all) = rule else {
        return rule.looks().counts().collect();
    };
    let all = all.get();
    let mut ends = Vec::new();
    if variants > 1 {
        let mut end = FIRST_STRETCH;
        while end < all {
            ends.push(end);
            end = end.saturating_add(end.min(all / STRETCHES).max(FIRST_STRETCH));
        }
    }
    ends.push(all);
    ends
}

/// A player that shares what memory there is with others.
struct Among<P>(P, usize);

impl<P: Play> Play for Among<P> {
    type State = P::State;

    fn state(&self) -> P::State {
        self.0.state_among(self.1)
    }

    fn state_among(&self, all: usize) -> P::State {
        self.0.state_among(all.max(self.1))
    }

    fn take_back(&self, state: P::State) {
        self.0.take_back(state);
    }

    fn play(&self, state: &mut P::State, encounter: u64, record: &mut Record) {
        self.0.play(state, encounter, record);
    }

    fn play_all(
        &self,
        state: &mut P::State,
        encounters: Range<u64>,
        record: &mut Record,
        each: impl FnMut(u64, &Record),
    ) {
        self.0.play_all(state, encounters, record, each);
    }
}

/// So many players keep what they have learnt whole; more share as much.
const WHOLE_MEMORIES: usize = 4;

impl<S: Source> Players<'_, S> {
    /// Plays the variants of a scenario.
    fn play(
        &mut self,
        job: &Job,
        console: &mut Console<'_>,
    ) -> Result<Vec<VariantReport>, Failure> {
        self.new = 0;
        let all = &job.scenario.variants;
        if self.each.is_none() {
            return self.play_together(&job.stem, all, console);
        }
        // Their rows come one variant after the other.
        let mut variants = Vec::with_capacity(all.len());
        for variant in all {
            let one = std::slice::from_ref(variant);
            variants.extend(self.play_together(&job.stem, one, console)?);
        }
        Ok(variants)
    }

    /// Plays variants in turns, a stretch of each. If a run of a fixed count is stopped, all are kept
    /// as far as the last stretch that all have played.
    fn play_together(
        &mut self,
        scenario: &str,
        variants: &[Variant],
        console: &mut Console<'_>,
    ) -> Result<Vec<VariantReport>, Failure> {
        let settings = self.settings;
        let show = !settings.quiet && watched();
        let memories = variants.len().div_ceil(WHOLE_MEMORIES);
        let mut courses = Vec::with_capacity(variants.len());
        for (index, variant) in variants.iter().enumerate() {
            let rows = match self.each {
                None => None,
                Some(each) => Some((each.begin(scenario, variant)?, &each.rows)),
            };
            let tally = match &self.checkpoint {
                None => Tally::new(&variant.fight),
                Some(checkpoint) => checkpoint.tally(self.fights + index),
            };
            let player = Among(self.source.player(variant, settings.seed), memories);
            courses.push(Course {
                variant,
                player: WithRows::new(player, rows),
                equal: tally.clone(),
                tally,
                ended: None,
            });
        }
        let found: u64 = courses.iter().map(|one| one.tally.encounters()).sum();
        self.played += found;
        let (rule, confidence) = (&settings.stop, settings.confidence);
        let live = Live::new(show, rule, confidence, self.all, self.played);
        for end in stretches(rule, variants.len()) {
            for (index, course) in courses.iter_mut().enumerate() {
                if course.ended.is_none() {
                    self.play_stretch(self.fights + index, course, end, &live, console)?;
                }
            }
            let whole = |one: &Course<'_, _>| one.ended != Some(Ended::Interrupted);
            if !courses.iter().all(whole) {
                break;
            }
            if courses.iter().all(|one| one.ended.is_some()) {
                break;
            }
            for course in &mut courses {
                course.equal.clone_from(&course.tally);
            }
        }
        live.finish();
        if let Some(each) = self.each {
            each.check()?;
        }
        self.fights += variants.len();
        let played: u64 = courses.iter().map(|one| one.tally.encounters()).sum();
        self.played += played - found;
        self.new += played - found;
        let fixed = matches!(rule, StopRule::Encounters(_));
        let stopped = courses
            .iter()
            .any(|one| one.ended == Some(Ended::Interrupted));
        // Before all have played a stretch there is nothing that all have.
        let any = courses.iter().all(|one| one.equal.encounters() > 0);
        let report = |one: Course<'_, _>| {
            let ended = one.ended.unwrap_or(Ended::Interrupted);
            // Who waits for precision compares nothing, and waits of each variant for itself.
            if stopped && any && fixed {
                VariantReport::new(one.variant, one.equal, Ended::Interrupted)
            } else {
                VariantReport::new(one.variant, one.tally, ended)
            }
        };
        Ok(courses.into_iter().map(report).collect())
    }

    /// Plays a variant to the end of a stretch.
    fn play_stretch(
        &mut self,
        fight: usize,
        course: &mut Course<'_, impl Play>,
        end: u64,
        live: &Live,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        let settings = self.settings;
        let variant = course.variant;
        let last = settings.stop.looks().counts().last() == Some(end);
        let failed = || self.each.is_some_and(|each| each.rows.has_failed());
        let enough = |tally: &Tally| match &settings.stop {
            StopRule::Encounters(_) | StopRule::Decisions(_) => last,
            StopRule::Precision(rule) => {
                let widest = rule.widest(tally, settings.confidence);
                let excess = widest.map_or(0.0, |widest| widest.excess);
                live.expect(fight, tally.encounters(), excess, rule.most.get());
                excess <= 1.0
            }
        };
        let side = variant.fight.sides.first().map_or("", String::as_str);
        let tally = &course.tally;
        live.begin(&variant.name, side, tally.encounters(), tally.wins(0));
        loop {
            let due = self.checkpoint.as_ref().map(Checkpoint::due);
            let pausing = Pausing::new(live, self.stop, due, &failed);
            let desk = Desk {
                threads: settings.threads,
                stop: &pausing.pause,
                progress: &pausing,
            };
            let tally = std::mem::replace(&mut course.tally, Tally::new(&variant.fight));
            let player = &course.player;
            let (tally, ended) = runner::go_on(player, &variant.fight, tally, [end], &desk, enough)
                .map_err(Failure::io)?;
            course.tally = tally;
            let stopped = self.stop.load(Ordering::Relaxed);
            if let Some(checkpoint) = &mut self.checkpoint {
                checkpoint.keep(fight, &course.tally, stopped, console)?;
            }
            course.ended = match ended {
                Ended::Interrupted if stopped || failed() => Some(ended),
                Ended::Interrupted => continue,
                // There are further stretches.
                Ended::Exhausted if !last => None,
                _ => Some(ended),
            };
            return Ok(());
        }
    }
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
    let Some(scenarios) = load::each(&args.files, |file| source.load(file, sets, console)) else {
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
    results::claim(&args.output.join(&job.stem), &FILES, args.no_clobber)
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

impl Settings {
    /// How many encounters a variant is going to take, of which so much has been counted. Widths of
    /// intervals shrink with the root of the count.
    fn foreseen(&self, tally: &Tally) -> u64 {
        let looks = self.stop.looks();
        let needed = match &self.stop {
            StopRule::Precision(rule) => {
                let widest = rule.widest(tally, self.confidence);
                let excess = widest.map_or(0.0, |widest| widest.excess);
                tally.encounters() as f64 * excess * excess
            }
            StopRule::Encounters(_) | StopRule::Decisions(_) => 0.0,
        };
        let mut reached = 0;
        for count in looks.counts() {
            reached = count;
            if count as f64 >= needed {
                break;
            }
        }
        reached
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

/// Plays a variant.
pub(super) fn play_variant(
    variant: &Variant,
    settings: &Settings,
    source: &impl Source,
    stop: &AtomicBool,
) -> Result<VariantReport, Failure> {
    let mut players = Players {
        settings,
        source,
        stop,
        each: None,
        checkpoint: None,
        all: 1,
        fights: 0,
        played: 0,
        new: 0,
    };
    // Who saves nothing has nothing to say of that.
    let (mut out, mut err) = (io::sink(), io::sink());
    let mut console = Console::new(&mut out, &mut err);
    let played = players.play_together("", std::slice::from_ref(variant), &mut console)?;
    played
        .into_iter()
        .next()
        .context("one was played")
        .map_err(Failure::io)
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
pub(super) fn command(args: &RunArgs) -> String {
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
    made: Made,
    target: &mut Target,
    console: &mut Console<'_>,
    first: bool,
) -> Result<(), Failure> {
    let mut manifest = manifest(job, report, settings);
    manifest.run = Some(made.run);
    manifest.partial = made.partial;
    results::tell_replaced(target.folder(), FILES[3], &manifest, console);
    write_files(report, &mut manifest, target).map_err(Failure::io)?;
    let manifest = manifest.without_files();

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

fn write_files(
    report: &Report,
    manifest: &mut Manifest,
    target: &mut Target,
) -> anyhow::Result<()> {
    let [summary, distributions, examples, manifest_json] = FILES;
    let mut batch = target.batch();
    batch.text(summary, |out| csv::summary(report, out, true))?;
    batch.text(distributions, |out| csv::distributions(report, out))?;
    batch.text(examples, |out| csv::examples(report, out))?;
    manifest.files = batch.sums();
    batch.text(manifest_json, |out| manifest.write(out))?;
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
