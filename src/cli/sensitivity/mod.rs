//! `skirmish sensitivity`: what 1 more of each number of each combatant is worth.
//!
//! Two fights are played on the same luck for each number: one in which it is 1 more, one in which
//! it is 1 less. Half their difference is what a point is worth; where one of the two is not
//! allowed, the fight as it is takes its place, and the whole difference counts.

use super::console::{Console, watched};
use super::dry_run::{Forecast, Small, bytes_of, into_folder, probe};
use super::load::{Source, Variant, read, stem, told};
use super::progress::Fights;
use super::publish::{Answer, Made, Publisher};
use super::report::Command;
use super::sweep::{ChangeArgs, shown};
use super::{Exit, Failure, results};
use crate::output::manifest::{Manifest, Run, timestamp};
use crate::output::sensitivity::{self as pages, Effect, Report};
use crate::output::sweep::Shown;
use crate::output::{self, Style};
use crate::run::paired::{self, Contender, Question};
use crate::run::runner;
use crate::scenario::{Loaded, Number, Numbers};
use crate::stats::paired::{Difference, Luck};
use crate::stats::{Summary, significance};
use anyhow::anyhow;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

/// Arguments of `skirmish sensitivity`.
#[derive(Debug, Args)]
pub struct SensitivityArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// What is measured
    #[command(flatten)]
    pub change: ChangeArgs,
}

impl Answer for Report {
    const FILES: [&'static str; 2] = ["sensitivity.csv", "sensitivity.manifest.json"];

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

/// Runs the subcommand. When `stop` is set, the encounters under way are finished, and the numbers
/// that are complete are written.
///
/// # Errors
/// If the input is wrong, or results cannot be written.
pub fn run(
    args: &SensitivityArgs,
    source: &impl Source,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let stem = stem(&args.file)?;
    let change = &args.change;
    let Some(loaded) = read(&args.file, &change.playing.given.overrides, console) else {
        return Ok(Exit::BadInput);
    };
    let Some(numbers) = told(loaded.document.numbers(&change.measure.variant), console) else {
        return Ok(Exit::BadInput);
    };
    let shown = shown(change, &[&numbers.base.fight])?;
    let contests: Vec<Contest<'_>> = contests(&numbers);
    if contests.is_empty() {
        return Err(Failure::input(anyhow!(
            "`{}`: no number of any combatant can be 1 more or 1 less",
            args.file.display()
        )));
    }
    let ready = Ready {
        stem,
        loaded: &loaded,
        numbers: &numbers,
        contests,
        shown,
    };
    if change.foretelling.dry_run {
        return ready.dry_run(change, source, stop, console);
    }
    let folder = change.output.join(&ready.stem);
    let mut target = results::claim(&folder, &Report::FILES, change.no_clobber)?;

    change.paper.prove()?;

    let (time, begun) = (SystemTime::now(), Instant::now());
    let played = ready.play(change, source, stop)?;
    let seconds = begun.elapsed();
    if played.base.is_empty() || played.effects.is_empty() {
        console.say("interrupted before the first number was finished; nothing was written");
        return Ok(Exit::Interrupted);
    }
    let encounters = encounters_of(played.numbers, change.measure.encounters.get());
    let (report, manifest) = ready.answer(change, played);
    let publisher = Publisher {
        format: change.format,
        quiet: change.playing.quiet,
        made: Made::now(Run {
            time: timestamp(time),
            threads: change.playing.threads().get(),
            seconds: seconds.as_secs_f64(),
        }),
        played: encounters,
        interrupted: report.interrupted,
        stop,
        paper: &change.paper,
        about: change.about(
            &loaded,
            notes(&report),
            Command::new("sensitivity", [args.file.as_path()]),
        ),
    };
    publisher.publish(&report, manifest, &mut target, console)
}

/// What a reader should know.
fn notes(report: &Report) -> Vec<String> {
    let fixed = report.fixed.join(", ");
    let fixed = (!fixed.is_empty()).then(|| format!("cannot be 1 more nor 1 less: {fixed}"));
    fixed.into_iter().collect()
}

/// Encounters of all fights together, for so many numbers.
fn encounters_of(numbers: usize, each: u64) -> u64 {
    each.saturating_mul(2 * numbers as u64 + 1)
}

/// A sensitivity that is ready to be played.
struct Ready<'a> {
    stem: String,
    loaded: &'a Loaded,
    numbers: &'a Numbers,
    contests: Vec<Contest<'a>>,
    shown: Vec<Shown>,
}

impl Ready<'_> {
    fn play(
        &self,
        change: &ChangeArgs,
        source: &impl Source,
        stop: &AtomicBool,
    ) -> Result<Played, Failure> {
        let job = Job {
            args: change,
            shown: &self.shown,
            source,
            stop,
        };
        job.all(self.numbers, &self.contests)
    }

    /// The answer, and what is needed to get it again.
    fn answer(&self, change: &ChangeArgs, played: Played) -> (Report, Manifest) {
        let fixed = |number: &&Number| number.less.is_none() && number.more.is_none();
        let report = Report {
            scenario: self.stem.clone(),
            title: self.loaded.scenario.title.clone(),
            variant: change.measure.variant.clone(),
            encounters: change.measure.encounters.get(),
            confidence: change.playing.given.confidence,
            base: played.base,
            interrupted: played.numbers < self.contests.len(),
            effects: adjusted(played.effects),
            fixed: self
                .numbers
                .all
                .iter()
                .filter(fixed)
                .map(|one| one.key.clone())
                .collect(),
            shown: self.shown.clone(),
        };
        let changes = &self.numbers.base.changes;
        let options = change.options();
        let manifest = change.manifest(self.loaded, report.interrupted, changes, options);
        (report, manifest)
    }

    /// Says what would be played and written.
    fn dry_run(
        &self,
        change: &ChangeArgs,
        source: &impl Source,
        stop: &AtomicBool,
        console: &mut Console<'_>,
    ) -> Result<Exit, Failure> {
        let each = change.measure.encounters.get();
        let all = self.contests.len();
        let probe = probe(each, stop, |count| {
            let mut small = change.clone();
            small.measure.encounters = count;
            small.playing.quiet = true;
            let played = self.play(&small, source, stop)?;
            let (report, manifest) = self.answer(&small, played);
            Ok(Small {
                played: encounters_of(all, count.get()),
                bytes: bytes_of(&report, &manifest)?,
            })
        })?;
        let Some(probe) = probe else {
            return Ok(Exit::Interrupted);
        };
        let encounters = output::encounters(each);
        Forecast {
            what: format!("{all} numbers, 2 fights of {encounters} each and one of the base"),
            encounters: [encounters_of(all, each); 2],
            threads: change.playing.threads(),
            files: Some(into_folder(probe.bytes(), &change.output.join(&self.stem))),
            probe: &probe,
        }
        .print(console)
    }
}

/// Two fights that differ in one number.
struct Contest<'a> {
    number: &'a Number,
    values: [&'a str; 2],
    fights: [&'a Variant; 2],
    /// By how much the number differs: 2, or 1 where one of the two is the fight as it is.
    steps: u32,
}

/// The contests of all numbers that can be changed.
fn contests(numbers: &Numbers) -> Vec<Contest<'_>> {
    let all = numbers.all.iter();
    all.filter_map(|number| Contest::of(number, &numbers.base))
        .collect()
}

impl<'a> Contest<'a> {
    fn of(number: &'a Number, base: &'a Variant) -> Option<Self> {
        let steps = u32::from(number.less.is_some()) + u32::from(number.more.is_some());
        if steps == 0 {
            return None;
        }
        let side = |other: &'a Option<(String, Variant)>| match other {
            Some((value, fight)) => (value.as_str(), fight),
            None => (number.value.as_str(), base),
        };
        let (less, more) = (side(&number.less), side(&number.more));
        Some(Self {
            number,
            values: [less.0, more.0],
            fights: [less.1, more.1],
            steps,
        })
    }
}

/// What has been played.
struct Played {
    /// The metrics of the fight as it is, in the order they were asked for.
    base: Vec<Summary>,
    /// For each metric the numbers, in the order of the file.
    effects: Vec<Effect>,
    /// Numbers that are complete.
    numbers: usize,
}

struct Job<'a, S> {
    args: &'a ChangeArgs,
    shown: &'a [Shown],
    source: &'a S,
    stop: &'a AtomicBool,
}

impl<S: Source> Job<'_, S> {
    fn all(&self, numbers: &Numbers, contests: &[Contest<'_>]) -> Result<Played, Failure> {
        let encounters = self.args.measure.encounters.get();
        let show = !self.args.playing.quiet && watched();
        let bar = Fights::new(
            show,
            "sensitivity",
            encounters.saturating_mul(2 * contests.len() as u64 + 1),
        );
        let mut played = Played {
            base: self.base(&numbers.base, &bar)?,
            effects: Vec::new(),
            numbers: 0,
        };
        for contest in contests {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let Some(effects) = self.play(contest, &bar)? else {
                break;
            };
            played.effects.extend(effects);
            played.numbers += 1;
        }
        bar.finish();
        Ok(played)
    }

    /// The fight as it is; nothing if it was not finished.
    fn base(&self, base: &Variant, bar: &Fights) -> Result<Vec<Summary>, Failure> {
        let player = self.source.player(base, self.args.playing.given.seed);
        let (threads, range) = (
            self.args.playing.threads(),
            0..self.args.measure.encounters.get(),
        );
        let (tally, finished) = runner::run(&player, &base.fight, range, threads, self.stop, bar)
            .map_err(Failure::io)?;
        if finished < self.args.measure.encounters.get() {
            return Ok(Vec::new());
        }
        let summaries = self.shown.iter().map(|shown| {
            let subject = shown.metric.scope.subject(&base.fight, &shown.subject);
            let distribution = tally.distribution(shown.metric, subject.unwrap_or_default());
            Summary::of(
                &distribution,
                shown.metric.kind,
                self.args.playing.given.confidence,
            )
        });
        Ok(summaries.collect())
    }

    /// Plays a number's two fights; nothing if they were not finished.
    fn play(&self, contest: &Contest<'_>, bar: &Fights) -> Result<Option<Vec<Effect>>, Failure> {
        let contenders = contest.fights.map(|variant| Contender {
            player: self.source.player(variant, self.args.playing.given.seed),
            fight: &variant.fight,
        });
        let questions: Vec<Question> = self
            .shown
            .iter()
            .map(|shown| {
                let fights = contest.fights.iter().map(|variant| &variant.fight);
                Question::new(shown.metric, &shown.subject, fights)
            })
            .collect();
        let encounters = self.args.measure.encounters.get();
        let threads = self.args.playing.threads();
        let paired = paired::run(
            &contenders,
            &questions,
            0..encounters,
            threads,
            self.stop,
            bar,
        )
        .map_err(Failure::io)?;
        if paired.encounters() < encounters {
            return Ok(None);
        }
        let confidence = self.args.playing.given.confidence;
        let effects = self
            .shown
            .iter()
            .zip(&paired.pairs)
            .filter_map(|(shown, pairs)| {
                let metric = shown.metric;
                let mut values = Vec::new();
                for (variant, tally) in contest.fights.iter().zip(&paired.tallies) {
                    let subject = metric.scope.subject(&variant.fight, &shown.subject)?;
                    values.push(tally.distribution(metric, subject));
                }
                let [less, more] = &values[..] else {
                    return None;
                };
                let difference = Difference::of_means(
                    pairs.first()?,
                    [less, more],
                    metric.kind,
                    Luck::Common,
                    confidence,
                )?;
                Some(Effect {
                    metric: shown.metric,
                    subject: shown.subject.clone(),
                    key: contest.number.key.clone(),
                    value: contest.number.value.clone(),
                    less: contest.values[0].to_owned(),
                    more: contest.values[1].to_owned(),
                    steps: contest.steps,
                    difference,
                    p_adjusted: None,
                })
            });
        Ok(Some(effects.collect()))
    }
}

/// The effects with p-values that take into account how many were asked for.
fn adjusted(mut effects: Vec<Effect>) -> Vec<Effect> {
    let raw = effects.iter().map(|one| one.difference.p_value);
    let adjusted = significance::holm_of_tested(&raw.collect::<Vec<_>>());
    for (effect, p_adjusted) in effects.iter_mut().zip(adjusted) {
        effect.p_adjusted = p_adjusted;
    }
    effects
}
