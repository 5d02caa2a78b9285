//! `skirmish sweep`: plays a variant at every value of one key, or two, and shows what comes of it.
//!
//! All points face the same luck. Arguments, every point's scenario and the folder for results are
//! proved right before the first encounter.

mod args;
mod subjects;
mod threshold;

pub use args::{ChangeArgs, MeasureArgs, SweepArgs, VaryArgs};
pub(super) use subjects::shown;

use super::console::{Console, watched};
use super::dry_run::{Forecast, Small, bytes_of, into_folder, probe};
use super::load::{Source, Variant, stem, told};
use super::progress::Fights;
use super::publish::{Answer, Made, Publisher};
use super::report::Command;
use super::{Exit, Failure, results};
use crate::names::safe;
use crate::output::manifest::{Manifest, Options, Run, timestamp};
use crate::output::origin::Origin;
use crate::output::sweep::{Fact, Key, Point, Report, Setting, Shown, Threshold};
use crate::output::{Style, Target, VariantReport, encounters, sweep as pages};
use crate::run::{Ended, points};
use crate::scenario::{self, Loaded, Sweep, Value};
use crate::stats::Summary;
use crate::stats::threshold::{Level, Played, finding, next};
use crate::tally::Tally;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

impl Answer for Report {
    const FILES: [&'static str; 2] = ["sweep.csv", "sweep.manifest.json"];

    fn table(&self, style: Style) -> String {
        pages::table(self, style)
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        pages::csv(self, out)
    }

    fn json(&self, manifest: &Manifest, out: &mut dyn Write) -> io::Result<()> {
        pages::json(self, manifest, out)
    }
}

/// A sweep that is ready to be played.
pub(super) struct Ready {
    stem: String,
    loaded: Loaded,
    pub(super) sweep: Sweep,
    shown: Vec<Shown>,
    /// What is looked for, if anything is.
    level: Option<f64>,
}

/// Who plays a sweep, and what is kept of it.
pub(super) struct Job<'a> {
    args: &'a ChangeArgs,
    ready: &'a Ready,
}

/// Runs the subcommand. When `stop` is set, the encounters under way are finished, and the points
/// that are complete are written.
///
/// # Errors
/// If the input is wrong, or results cannot be written.
pub fn run(
    args: &SweepArgs,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let Some(ready) = ready(args, source, console)? else {
        return Ok(Exit::BadInput);
    };
    if args.change.foretelling.dry_run {
        return dry_run(args, &ready, source, stop, console);
    }
    let mut target = target(args, &ready)?;
    args.change.paper.prove()?;
    ready.warn(console);

    let (time, begun) = (SystemTime::now(), Instant::now());
    let job = Job::new(&args.change, &ready);
    let played = match ready.level {
        None => job.all(source, stop)?,
        Some(level) => {
            let bar = Fights::new(job.watched(), "search", 0);
            let found = job.until_found(level, stop, |wanted| {
                bar.more(args.change.measure.encounters.get() * wanted.len() as u64);
                job.play(wanted, source, stop, &bar)
            });
            bar.finish();
            found?
        }
    };
    let made = Made::now(Run {
        time: timestamp(time),
        threads: args.change.playing.threads().get(),
        seconds: begun.elapsed().as_secs_f64(),
    });
    publish(args, &ready, played, made, stop, &mut target, console)
}

/// Reads a sweep and finds it right; nothing if anything is wrong with the scenario, which has then
/// been said.
pub(super) fn ready(
    args: &SweepArgs,
    source: &impl Source,
    console: &mut Console<'_>,
) -> Result<Option<Ready>, Failure> {
    let (along, change) = (&args.along, &args.change);
    let stem = stem(&along.file)?;
    let sets = &change.playing.given.overrides;
    let Some(loaded) = source.read(&along.file, sets, console) else {
        return Ok(None);
    };
    let sweep = loaded.document.sweep(&change.measure.variant, &along.vary);
    let Some(sweep) = told(sweep, console) else {
        return Ok(None);
    };
    let fights = sweep.points.iter().map(|point| &point.variant.fight);
    let shown = shown(change, &fights.collect::<Vec<_>>())?;
    let level = along.threshold.as_deref();
    let level = level.map(|text| threshold::read(text, &sweep, &shown));
    let level = level.transpose()?;
    Ok(Some(Ready {
        stem,
        loaded,
        sweep,
        shown,
        level,
    }))
}

/// The folder for the results, proved writable. A sweep of other keys than the one whose results are
/// there gets files of its own, named after its keys.
pub(super) fn target(args: &SweepArgs, ready: &Ready) -> Result<Target, Failure> {
    let change = &args.change;
    let folder = change.output.join(&ready.stem);
    let names = own_names(&folder, args, ready);
    let wanted = names.as_ref().map_or(Report::FILES, |names| {
        [names[0].as_str(), names[1].as_str()]
    });
    let mut target = results::claim(&folder, &wanted, change.no_clobber)?;
    for (name, own) in Report::FILES.into_iter().zip(names.into_iter().flatten()) {
        target.rename(name, own);
    }
    Ok(target)
}

/// The names of the files of a sweep, if the usual ones hold one of other keys.
fn own_names(folder: &Path, args: &SweepArgs, ready: &Ready) -> Option<[String; 2]> {
    let there = fs::read(folder.join(Report::FILES[1])).ok()?;
    let there = Origin::read(Report::FILES[1], &there).ok()?;
    let keys = |vary: &[String]| -> Vec<String> {
        let key = |one: &String| one.split('=').next().unwrap_or_default().trim().to_owned();
        vary.iter().map(key).collect()
    };
    if keys(&there.options.vary) == keys(&args.along.vary) {
        return None;
    }
    let keys: Vec<String> = ready
        .sweep
        .axes
        .iter()
        .map(scenario::sweep::Axis::key)
        .collect();
    // Keys have names of combatants in them, which may be anything.
    let name = safe(&keys.join(" and ").replace('"', "'"));
    Some([
        format!("sweep {name}.csv"),
        format!("sweep {name}.manifest.json"),
    ])
}

impl Ready {
    /// Says what the sweep deserves to be warned of.
    pub(super) fn warn(&self, console: &mut Console<'_>) {
        if all_alike(&self.sweep) {
            console.say(
                "warning: all points are the same fight: nothing of it depends on what varies",
            );
        }
    }

    /// What each point is a fight of.
    pub(super) fn variants(&self) -> Vec<&Variant> {
        let points = self.sweep.points.iter();
        points.map(|point| &point.variant).collect()
    }
}

/// Points that were played, and what was found.
pub(super) struct PlayedPoints {
    points: Vec<Point>,
    threshold: Option<Threshold>,
}

/// Says what would be played and written: of a search, all that it may ask for.
fn dry_run(
    args: &SweepArgs,
    ready: &Ready,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    ready.warn(console);
    let each = args.change.measure.encounters.get();
    let points = ready.sweep.points.len() as u64;
    let probe = probe(each, stop, |count| {
        let mut small = args.clone();
        small.change.measure.encounters = count;
        small.change.playing.quiet = true;
        let played = Job::new(&small.change, ready).all(source, stop)?;
        let played = PlayedPoints {
            threshold: None,
            ..played
        };
        let (report, manifest) = answer(&small, ready, played, false);
        Ok(Small {
            played: report.points.len() as u64 * count.get(),
            bytes: bytes_of(&report, &manifest)?,
        })
    })?;
    let Some(probe) = probe else {
        return Ok(Exit::Interrupted);
    };
    let search = if ready.level.is_some() {
        "at most "
    } else {
        ""
    };
    Forecast {
        what: format!("{search}{points} points of {} each", encounters(each)),
        encounters: [points.saturating_mul(each); 2],
        threads: args.change.playing.threads(),
        files: Some(into_folder(
            probe.bytes(),
            &args.change.output.join(&ready.stem),
        )),
        probe: &probe,
    }
    .print(console)
}

/// The answer, and what is needed to get it again.
fn answer(
    args: &SweepArgs,
    ready: &Ready,
    played: PlayedPoints,
    partial: bool,
) -> (Report, Manifest) {
    let change = &args.change;
    let complete = match &played.threshold {
        None => played.points.len() == ready.sweep.points.len(),
        Some(threshold) => threshold.finding.is_some(),
    };
    let report = Report {
        scenario: ready.stem.clone(),
        title: ready.loaded.scenario.title.clone(),
        variant: change.measure.variant.clone(),
        keys: ready.sweep.axes.iter().map(key).collect(),
        changes: ready.sweep.changes.clone(),
        shown: ready.shown.clone(),
        encounters: change.measure.encounters.get(),
        confidence: change.playing.given.confidence,
        points: played.points,
        ended: match (complete, partial) {
            (true, _) => Ended::Enough,
            (false, false) => Ended::Interrupted,
            (false, true) => Ended::Partial,
        },
        threshold: played.threshold,
    };
    let manifest = manifest(args, &report, &ready.loaded);
    (report, manifest)
}

/// Writes the files and prints the answer; says how the process ends.
pub(super) fn publish(
    args: &SweepArgs,
    ready: &Ready,
    played: PlayedPoints,
    made: Made,
    stop: &AtomicBool,
    target: &mut Target,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let change = &args.change;
    if played.points.is_empty() {
        console.say(format_args!(
            "`{}`: interrupted before the first point was finished; nothing was written",
            args.along.file.display()
        ));
        return Ok(Exit::Interrupted);
    }
    let (report, manifest) = answer(args, ready, played, made.partial.is_some());
    let publisher = Publisher {
        format: change.format,
        quiet: change.playing.quiet,
        made,
        played: report.points.len() as u64 * report.encounters,
        interrupted: report.ended == Ended::Interrupted,
        stop,
        paper: &change.paper,
        about: change.about(
            &ready.loaded,
            pages::notes(&report),
            Command::new("sweep", [args.along.file.as_path()])
                .options("--vary", &args.along.vary)
                .options("--threshold", &args.along.threshold),
        ),
    };
    publisher.publish(&report, manifest, target, console)
}

fn manifest(args: &SweepArgs, report: &Report, loaded: &Loaded) -> Manifest {
    let options = Options {
        vary: args.along.vary.clone(),
        threshold: args.along.threshold.clone(),
        ..args.change.options()
    };
    let (interrupted, changes) = (report.ended == Ended::Interrupted, &report.changes);
    let mut manifest = args.change.manifest(loaded, interrupted, changes, options);
    manifest.points = Some(report.points.len());
    manifest
}

/// Whether what varies changes nothing that is played.
fn all_alike(sweep: &Sweep) -> bool {
    sweep.points.len() > 1
        && sweep.points.windows(2).all(|pair| {
            let (one, other) = (&pair[0].variant, &pair[1].variant);
            one.fight == other.fight && one.rules == other.rules
        })
}

fn key(axis: &scenario::sweep::Axis) -> Key {
    let json = |value: &Value| match value {
        Value::Integer(Some(number)) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Boolean(truth) => (*truth).into(),
        other => other.plain().into(),
    };
    Key {
        name: axis.key(),
        values: axis
            .values()
            .map(|value| Setting {
                text: value.plain(),
                json: json(value),
            })
            .collect(),
    }
}

impl<'a> Job<'a> {
    pub(super) fn new(args: &'a ChangeArgs, ready: &'a Ready) -> Self {
        Self { args, ready }
    }

    /// Plays all points; only the first ones if it is stopped.
    fn all(&self, source: &impl Source, stop: &AtomicBool) -> Result<PlayedPoints, Failure> {
        let all: Vec<usize> = (0..self.ready.sweep.points.len()).collect();
        let encounters = self.args.measure.encounters.get() * all.len() as u64;
        let bar = Fights::new(self.watched(), "sweep", encounters);
        let points = self.play(&all, source, stop, &bar);
        bar.finish();
        Ok(PlayedPoints {
            points: points?,
            threshold: None,
        })
    }

    /// Plays as many points as it takes to find where the metric crosses a level.
    fn until_found(
        &self,
        level: f64,
        stop: &AtomicBool,
        mut play: impl FnMut(&[usize]) -> Result<Vec<Point>, Failure>,
    ) -> Result<PlayedPoints, Failure> {
        let values = self.ready.sweep.points.len();
        let mut points: BTreeMap<usize, Point> = BTreeMap::new();
        let mut levels = Played::new();
        let mut threshold = Threshold {
            value: level,
            finding: None,
        };
        while !stop.load(Ordering::Relaxed) {
            let wanted = next(&levels, values, level);
            if wanted.is_empty() {
                threshold.finding = Some(finding(&levels, level));
                break;
            }
            let played = play(&wanted)?;
            let all = played.len() == wanted.len();
            for (&index, point) in wanted.iter().zip(played) {
                if let Some(known) = known(&point, &self.ready.shown[0]) {
                    levels.insert(index, known);
                }
                points.insert(index, point);
            }
            if !all {
                break;
            }
        }
        Ok(PlayedPoints {
            points: points.into_values().collect(),
            threshold: Some(threshold),
        })
    }

    /// What a sweep would have played and found, of points that have been played: those that it would
    /// have asked for, if it looks for something.
    pub(super) fn found_among(
        &self,
        points: BTreeMap<usize, Point>,
    ) -> Result<PlayedPoints, Failure> {
        let Some(level) = self.ready.level else {
            return Ok(PlayedPoints {
                points: points.into_values().collect(),
                threshold: None,
            });
        };
        let never = AtomicBool::new(false);
        self.until_found(level, &never, |wanted| {
            let known = wanted.iter().map_while(|index| points.get(index));
            Ok(known.cloned().collect())
        })
    }

    fn watched(&self) -> bool {
        !self.args.playing.quiet && watched()
    }

    fn play(
        &self,
        wanted: &[usize],
        source: &impl Source,
        stop: &AtomicBool,
        bar: &Fights,
    ) -> Result<Vec<Point>, Failure> {
        let variant = |index: usize| &self.ready.sweep.points[index].variant;
        let fights: Vec<_> = wanted
            .iter()
            .map(|&index| points::Point {
                play: source.player(variant(index), self.args.playing.given.seed),
                fight: &variant(index).fight,
                encounters: 0..self.args.measure.encounters.get(),
            })
            .collect();
        let complete = |at: usize, tally| self.point(wanted[at], tally);
        let threads = self.args.playing.threads();
        points::run(&fights, threads, stop, bar, complete).map_err(Failure::io)
    }

    /// What is kept of a point.
    pub(super) fn point(&self, index: usize, tally: Tally) -> Point {
        let point = &self.ready.sweep.points[index];
        let confidence = self.args.playing.given.confidence;
        let facts = self.ready.shown.iter().flat_map(|shown| {
            let metric = shown.metric;
            let tally = &tally;
            (0..tally.subjects(metric.scope)).map(move |subject| Fact {
                metric,
                subject: tally.subject(metric.scope, subject).to_owned(),
                summary: Summary::of(
                    &tally.distribution(metric, subject),
                    metric.kind,
                    confidence,
                ),
            })
        });
        let facts = facts.collect();
        let notes = VariantReport::new(&point.variant, tally, Ended::Exhausted).notes();
        Point {
            at: point.at.clone(),
            facts,
            notes,
        }
    }
}

/// The level of a metric at a point.
fn known(point: &Point, shown: &Shown) -> Option<Level> {
    let summary = point.summary(shown)?;
    Some(Level {
        mean: summary.mean?,
        interval: summary.interval,
    })
}
