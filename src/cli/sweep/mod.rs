//! `skirmish sweep`: plays a variant at every value of one key, or two, and shows what comes of it.
//!
//! All points face the same luck. Arguments, every point's scenario and the folder for results are
//! proved right before the first encounter.

mod args;
mod subjects;
mod threshold;

pub use args::{ChangeArgs, SweepArgs};
pub(super) use subjects::shown;

use super::console::{Console, watched};
use super::load::{Source, Variant, read, stem, told};
use super::progress::Fights;
use super::publish::{Answer, Publisher};
use super::{Exit, Failure};
use crate::engine::{Ended, points};
use crate::output::manifest::{Manifest, Options, Run, timestamp};
use crate::output::sweep::{Fact, Key, Point, Report, Setting, Shown, Threshold};
use crate::output::{Style, Target, VariantReport, sweep as pages};
use crate::scenario::{self, Loaded, Sweep, Value};
use crate::stats::Summary;
use crate::stats::threshold::{Level, Played, finding, next};
use crate::tally::Tally;
use std::collections::BTreeMap;
use std::io::{self, Write};
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
struct Job<'a> {
    args: &'a ChangeArgs,
    sweep: &'a Sweep,
    shown: &'a [Shown],
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
    let stem = stem(&args.file)?;
    let play = &args.change;
    let Some(loaded) = read(&args.file, &play.playing.overrides, console) else {
        return Ok(Exit::BadInput);
    };
    let Some(sweep) = told(loaded.document.sweep(&play.variant, &args.vary), console) else {
        return Ok(Exit::BadInput);
    };
    let fights = sweep.points.iter().map(|point| &point.variant.fight);
    let shown = shown(play, &fights.collect::<Vec<_>>())?;
    let level = args
        .threshold
        .as_deref()
        .map(|text| threshold::read(text, &sweep, &shown))
        .transpose()?;
    let mut target =
        Target::prepare(&play.output.join(&stem), &Report::FILES).map_err(Failure::input)?;
    if all_alike(&sweep) {
        console.say("warning: all points are the same fight: nothing of it depends on what varies");
    }

    let time = SystemTime::now();
    let begun = Instant::now();
    let job = Job {
        args: play,
        sweep: &sweep,
        shown: &shown,
    };
    let (points, threshold) = match level {
        None => (job.all(source, stop)?, None),
        Some(level) => {
            let (points, threshold) = job.until_found(level, source, stop)?;
            (points, Some(threshold))
        }
    };
    let complete = match &threshold {
        None => points.len() == sweep.points.len(),
        Some(threshold) => threshold.finding.is_some(),
    };
    let seconds = begun.elapsed();
    if points.is_empty() {
        console.say(format_args!(
            "`{}`: interrupted before the first point was finished; nothing was written",
            args.file.display()
        ));
        return Ok(Exit::Interrupted);
    }
    let report = Report {
        scenario: stem,
        title: loaded.scenario.title.clone(),
        variant: play.variant.clone(),
        keys: sweep.axes.iter().map(key).collect(),
        changes: sweep.changes.clone(),
        shown,
        encounters: play.encounters.get(),
        confidence: play.playing.confidence,
        points,
        interrupted: !complete,
        threshold,
    };
    let publisher = Publisher {
        format: play.format,
        quiet: play.playing.quiet,
        run: Run {
            time: timestamp(time),
            threads: play.playing.threads().get(),
            seconds: seconds.as_secs_f64(),
        },
        played: report.points.len() as u64 * report.encounters,
        interrupted: report.interrupted,
        stop,
    };
    let manifest = manifest(args, &report, &loaded);
    publisher.publish(&report, manifest, &mut target, console)
}

fn manifest(args: &SweepArgs, report: &Report, loaded: &Loaded) -> Manifest {
    let options = Options {
        vary: args.vary.clone(),
        threshold: args.threshold.clone(),
        ..args.change.options()
    };
    let (interrupted, changes) = (report.interrupted, &report.changes);
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

impl Job<'_> {
    /// Plays all points; only the first ones if it is stopped.
    fn all(&self, source: &impl Source, stop: &AtomicBool) -> Result<Vec<Point>, Failure> {
        let all: Vec<usize> = (0..self.sweep.points.len()).collect();
        let encounters = self.args.encounters.get() * all.len() as u64;
        let bar = Fights::new(self.watched(), "sweep", encounters);
        let points = self.play(&all, source, stop, &bar);
        bar.finish();
        points
    }

    /// Plays as many points as it takes to find where the metric crosses a level.
    fn until_found(
        &self,
        level: f64,
        source: &impl Source,
        stop: &AtomicBool,
    ) -> Result<(Vec<Point>, Threshold), Failure> {
        let values = self.sweep.points.len();
        let mut points: BTreeMap<usize, Point> = BTreeMap::new();
        let mut levels = Played::new();
        let mut threshold = Threshold {
            value: level,
            finding: None,
        };
        let bar = Fights::new(self.watched(), "search", 0);
        while !stop.load(Ordering::Relaxed) {
            let wanted = next(&levels, values, level);
            if wanted.is_empty() {
                threshold.finding = Some(finding(&levels, level));
                break;
            }
            bar.more(self.args.encounters.get() * wanted.len() as u64);
            for (&index, point) in wanted.iter().zip(self.play(&wanted, source, stop, &bar)?) {
                if let Some(known) = known(&point, &self.shown[0]) {
                    levels.insert(index, known);
                }
                points.insert(index, point);
            }
        }
        bar.finish();
        Ok((points.into_values().collect(), threshold))
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
        let variant = |index: usize| &self.sweep.points[index].variant;
        let fights: Vec<_> = wanted
            .iter()
            .map(|&index| points::Point {
                play: source.player(variant(index), self.args.playing.seed),
                fight: &variant(index).fight,
            })
            .collect();
        let complete = |at: usize, tally| {
            let index = wanted[at];
            let at = &self.sweep.points[index].at;
            self.point(at, variant(index), tally)
        };
        let (encounters, threads) = (self.args.encounters, self.args.playing.threads());
        points::run(&fights, encounters, threads, stop, bar, complete).map_err(Failure::io)
    }

    /// What is kept of a point.
    fn point(&self, at: &[usize], variant: &Variant, tally: Tally) -> Point {
        let confidence = self.args.playing.confidence;
        let facts = self.shown.iter().flat_map(|shown| {
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
        let notes = VariantReport::new(variant, tally, Ended::Exhausted).notes();
        Point {
            at: at.to_vec(),
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
