//! `skirmish check`: holds results against what is expected of them, for people who want to be
//! told when a change has changed more than it should.
//!
//! Three questions, each decided on intervals and not on point estimates: do a scenario's
//! expectations hold (`expectations`), are results those that are committed (`baseline`), does
//! it matter from which end a fight is told ([`mirror`])?

mod baseline;
mod expectations;
pub mod mirror;

use super::args::{Foretelling, Playing, count};
use super::closing::Total;
use super::dry_run::{Forecast, Small, probe};
use super::load::{each, read, stem};
use super::place::{Kind, Place};
use super::report::{Command, PaperArgs};
use super::{Console, Exit, Failure};
use crate::decimal::Decimal;
use crate::output::findings::{Checked, Finding, Findings, github, json, junit, text};
use crate::output::html::findings;
use crate::output::{encounters, grouped};
use crate::run::stop::Looks;
use crate::scenario::Loaded;
use crate::stats::Confidence;
use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Arguments of `skirmish check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Scenario files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Encounters of each variant at the first look; half as many again at each further one
    #[arg(
        short = 'n',
        long,
        value_name = "COUNT",
        default_value = "10k",
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub encounters: NonZeroU64,

    /// Encounters after which what is undecided stays so
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "1M",
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub max_encounters: NonZeroU64,

    /// Let pass what stays undecided
    #[arg(long)]
    pub allow_undecided: bool,

    /// Compare with committed results too, those in the folders of DIR: seed and encounters are
    /// theirs
    #[arg(long, value_name = "DIR", conflicts_with = "mirror")]
    pub baseline: Option<PathBuf>,

    /// Instead of expectations: play each fight as written and from the other end, and look for bias
    #[arg(long)]
    pub mirror: bool,

    /// What --baseline and --mirror let pass: 1% or 0.01 is a point of a rate, and a hundredth of
    /// any other mean [default: 0 for --baseline; 0.1%, and 0.5% of other means, for --mirror]
    #[arg(long, value_name = "SHARE", value_parser = share, allow_hyphen_values = true)]
    pub tolerance: Option<f64>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// Write that into a file, and print the text besides
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Whether it is only foretold
    #[command(flatten)]
    pub foretelling: Foretelling,

    /// Whether there is to be a page with pictures
    #[command(flatten)]
    pub paper: PaperArgs,

    /// What is the same for all that play
    #[command(flatten)]
    pub playing: Playing,
}

/// What `check` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line an expectation
    Text,
    /// XML as most build servers read it
    Junit,
    /// One document
    Json,
    /// Annotations for GitHub Actions
    Github,
}

/// What holds for every scenario.
#[derive(Debug)]
pub struct Plan {
    /// Counts of encounters at which somebody looks whether a question is decided.
    looks: Vec<u64>,
    /// How sure to be at each of them, so that all together are as sure as was asked for, whatever
    /// is done after any of them.
    each: Confidence,
    seed: u64,
    threads: NonZeroUsize,
    confidence: Confidence,
}

impl Plan {
    /// Looks from the first count of encounters to the second, sure to that level all together.
    #[must_use]
    pub fn new(
        encounters: [NonZeroU64; 2],
        seed: u64,
        threads: NonZeroUsize,
        confidence: Confidence,
    ) -> Self {
        let [first, most] = encounters;
        let looks = Looks::for_decisions(first, most);
        Self {
            looks: looks.counts().collect(),
            each: looks.each(confidence),
            seed,
            threads,
            confidence,
        }
    }

    /// The level of each interval at each look, for one question that is looked at as often.
    #[must_use]
    pub fn each(&self) -> Confidence {
        self.each
    }

    /// Encounters at the look of that index; none after the last.
    fn look(&self, index: usize) -> Option<u64> {
        self.looks.get(index).copied()
    }

    /// Whether that is the last look.
    fn is_last(&self, index: usize) -> bool {
        index + 1 >= self.looks.len()
    }
}

/// Why a check ends without an answer.
#[derive(Debug)]
pub enum Halt {
    /// Somebody pressed Ctrl-C: what would be decided now would be decided by when.
    Interrupted,
    /// It cannot be done.
    Failed(Failure),
}

impl Halt {
    fn io(error: impl Into<anyhow::Error>) -> Self {
        Self::Failed(Failure::io(error))
    }

    fn input(error: impl Into<anyhow::Error>) -> Self {
        Self::Failed(Failure::input(error))
    }
}

/// Runs the subcommand. When `stop` is set, nothing is decided.
///
/// # Errors
/// If the input is wrong, or the report cannot be written.
pub fn run(
    args: &CheckArgs,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let begun = Instant::now();
    understand(args)?;
    let stems = args.files.iter().map(|file| stem(file));
    let stems: Vec<String> = stems.collect::<Result<_, _>>()?;
    let sets = &args.playing.given.overrides;
    let read = each(&args.files, |file| read(file, sets, console));
    let Some(scenarios) = read else {
        return Ok(Exit::BadInput);
    };
    let committed = match &args.baseline {
        None => None,
        Some(folder) => match baseline::open(folder, args, &stems) {
            Ok(committed) => Some(committed),
            Err(wrong) => {
                console.say(wrong);
                return Ok(Exit::BadInput);
            }
        },
    };
    let expected = |loaded: &Loaded| !loaded.scenario.expectations.is_empty();
    if !args.mirror && committed.is_none() && !scenarios.iter().any(expected) {
        return Err(Failure::input(anyhow!(
            "nothing is expected of {}: write `[[expect]]` into the scenario (docs/CI.md), or ask \
             for --baseline or --mirror",
            if scenarios.len() == 1 {
                "it"
            } else {
                "any of them"
            }
        )));
    }
    if args.foretelling.dry_run {
        return dry_run(args, &scenarios, &stems, stop, console);
    }
    let kind = match args.format {
        Format::Text | Format::Github => Kind::Text,
        Format::Junit => Kind::Xml,
        Format::Json => Kind::Json,
    };
    let place = args.output.as_deref();
    let place = place.map(|path| Place::prepare(path, kind)).transpose();
    let place = place.map_err(Failure::input)?;
    args.paper.prove()?;
    let playing = &args.playing;
    let plan = Plan::new(
        [args.encounters, args.max_encounters],
        playing.given.seed,
        playing.threads(),
        playing.given.confidence,
    );

    let mut total = 0;
    let mut files = Vec::with_capacity(scenarios.len());
    for (index, loaded) in scenarios.iter().enumerate() {
        let committed = committed.as_ref().map(|all| &all[index]);
        let list = match examine(args, loaded, committed, &plan, stop, &mut total) {
            Ok(list) => list,
            Err(Halt::Failed(failure)) => return Err(failure),
            Err(Halt::Interrupted) => {
                console.say("interrupted: nothing was decided");
                return Ok(Exit::Interrupted);
            }
        };
        files.push(Findings {
            file: args.files[index].display().to_string(),
            scenario: stems[index].clone(),
            list,
        });
    }
    let checked = Checked {
        files,
        seed: plan.seed,
        confidence: plan.confidence,
        undecided_passes: args.allow_undecided,
    };
    args.paper.page(|| Ok(findings(&checked, &command(args))))?;
    report(&checked, args.format, place, console)?;
    if !playing.quiet {
        let mut closing = Total::default();
        closing.play(total, begun.elapsed());
        console.say(closing.line());
    }
    Ok(if checked.passed() {
        Exit::Done
    } else {
        Exit::ExpectationFailed
    })
}

/// Says of each scenario how much may be played: from one look to all of them.
fn dry_run(
    args: &CheckArgs,
    scenarios: &[Loaded],
    stems: &[String],
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let playing = &args.playing;
    let bounds = [args.encounters, args.max_encounters];
    for (loaded, stem) in scenarios.iter().zip(stems) {
        let mut fights = 0;
        let look = |count: NonZeroU64| {
            let (seed, threads) = (playing.given.seed, playing.threads());
            let plan = Plan::new([count, count], seed, threads, playing.given.confidence);
            let mut played = 0;
            match examine(args, loaded, None, &plan, stop, &mut played) {
                Err(Halt::Failed(failure)) => return Err(failure),
                Ok(_) | Err(Halt::Interrupted) => {}
            }
            fights = played / count;
            Ok(Small { played, bytes: 0 })
        };
        let Some(probe) = probe(args.encounters.get(), stop, look)? else {
            return Ok(Exit::Interrupted);
        };
        let [least, most] = bounds.map(NonZeroU64::get);
        Forecast {
            what: format!(
                "{stem}: {fights} fights of {} to {} each",
                grouped(least),
                encounters(most)
            ),
            encounters: [least, most].map(|count| count.saturating_mul(fights)),
            threads: playing.threads(),
            files: None,
            probe: &probe,
        }
        .print(console)?;
    }
    Ok(Exit::Done)
}

/// All that was asked of one scenario.
fn examine(
    args: &CheckArgs,
    loaded: &Loaded,
    committed: Option<&baseline::Committed>,
    plan: &Plan,
    stop: &AtomicBool,
    total: &mut u64,
) -> Result<Vec<Finding>, Halt> {
    if args.mirror {
        let given = args.tolerance.map(|share| mirror::Tolerance {
            rate: share,
            mean: share,
        });
        let tolerance = given.unwrap_or(mirror::Tolerance::DEFAULT);
        return mirror::examine(loaded, tolerance, plan, stop, total);
    }
    let mut list = expectations::examine(loaded, plan, stop, total)?;
    if let Some(committed) = committed {
        let tolerance = args.tolerance.unwrap_or_default();
        list.extend(baseline::compare(committed, tolerance, plan, stop, total)?);
    }
    Ok(list)
}

/// The command that makes a page of the same findings again.
fn command(args: &CheckArgs) -> String {
    let command = Command::new("check", args.files.iter().map(PathBuf::as_path))
        .option("-n", args.encounters)
        .option("--max-encounters", args.max_encounters)
        .options(
            "--baseline",
            args.baseline.iter().map(|path| path.display()),
        )
        .options("--tolerance", args.tolerance);
    let command = if args.mirror {
        command.plain("--mirror")
    } else {
        command
    };
    command.given(&args.playing.given).report(&args.paper)
}

/// What clap cannot know about the arguments.
fn understand(args: &CheckArgs) -> Result<(), Failure> {
    if args.foretelling.dry_run && args.baseline.is_some() {
        return Err(Failure::input(anyhow!(
            "--dry-run cannot foresee --baseline, which plays what the committed manifests say: \
             their `encounters` tell how much that is"
        )));
    }
    if args.max_encounters < args.encounters {
        return Err(Failure::input(anyhow!(
            "--max-encounters is less than --encounters, with which looking begins: {} is less \
             than {}",
            args.max_encounters,
            args.encounters
        )));
    }
    let Some(tolerance) = args.tolerance else {
        return Ok(());
    };
    if !args.mirror && args.baseline.is_none() {
        return Err(Failure::input(anyhow!(
            "--tolerance is for --baseline and --mirror; expectations have bounds of their own"
        )));
    }
    if args.mirror && tolerance <= 0.0 {
        return Err(Failure::input(anyhow!(
            "--mirror needs some --tolerance: no number of encounters shows that there is no bias \
             at all, only that there is none greater than this"
        )));
    }
    Ok(())
}

fn report(
    checked: &Checked,
    format: Format,
    place: Option<Place>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let write = |format: Format, out: &mut dyn Write| match format {
        Format::Text => out.write_all(text(checked).as_bytes()),
        Format::Github => out.write_all(github(checked).as_bytes()),
        Format::Junit => junit(checked, out),
        Format::Json => json(checked, out),
    };
    let printed = match place {
        Some(mut place) => {
            place.write(|out| write(format, out)).map_err(Failure::io)?;
            Format::Text
        }
        None => format,
    };
    console
        .result(|out| write(printed, out))
        .context("cannot write to standard output")
        .map_err(Failure::io)
}

/// A share: `1%` or `0.01`.
fn share(text: &str) -> Result<f64, String> {
    Decimal::read(text)
        .map(|decimal| decimal.value)
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "write a share from 0 to 1, such as 0.01 or 1%".to_owned())
}
