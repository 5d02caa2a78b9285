//! The arguments as they are written, each checked for itself as it is read.

use super::check::CheckArgs;
use super::compare::CompareArgs;
use super::explain::ExplainArgs;
use super::new::NewArgs;
use super::odds::OddsArgs;
use super::report::{PaperArgs, ReportArgs};
use super::sensitivity::SensitivityArgs;
use super::shards::{MergeArgs, MissingArgs, PlanArgs, ShardNumber};
use super::sweep::SweepArgs;
use super::trace::TraceArgs;
use crate::names::unknown;
use crate::stats::{Confidence, Precision};
use crate::tally::{Metric, metrics};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

/// The seed of a run that names none: fixed, so that equal commands give equal results.
pub const SEED: u64 = 1;

/// The encounters of each variant of a run that says nothing of its length.
pub const ENCOUNTERS: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();

/// Plays tabletop fights millions of times and reports, with honest intervals, what the rules do.
#[derive(Debug, Parser)]
#[command(
    name = "skirmish",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 done, 1 an expectation failed, 2 wrong input, 3 files that do \
                  not belong together, 70 a defect of the program, 74 reading or writing failed, \
                  130 interrupted (what was finished is kept)."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play every variant of scenarios, print a table, write CSV files
    Run(RunArgs),
    /// Hold every variant against a baseline, encounter by encounter on the same luck
    Compare(CompareArgs),
    /// Play one variant at every value of a key or two, print a chart, write a CSV file
    Sweep(Box<SweepArgs>),
    /// Tell what 1 more of each number of each combatant is worth
    Sensitivity(Box<SensitivityArgs>),
    /// Hold results against what scenarios expect of them; for build servers
    Check(CheckArgs),
    /// Answer dice questions exactly: pools, dice notation, opposed and extended rolls
    Odds(Box<OddsArgs>),
    /// Cut a run into shards, to be played anywhere (`run --plan`) and merged
    Plan(Box<PlanArgs>),
    /// List the shards of a plan that are not there yet, as `sbatch --array` wants them
    Missing(MissingArgs),
    /// Make the results of a plan out of its shards, as one run would
    Merge(MergeArgs),
    /// Show scenarios or results on a page of pictures, one HTML file
    Report(ReportArgs),
    /// Tell one encounter, Mark by Mark
    Trace(TraceArgs),
    /// Write a scenario to begin with, which runs at once
    New(NewArgs),
    /// List the rule systems, and the clocks, checks and health models they are made of
    Systems,
    /// Print what can be written in a scenario, and what is measured
    Explain(ExplainArgs),
}

/// Arguments of `skirmish run`.
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// Scenario files
    #[arg(required_unless_present = "plan", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Instead of a file: play a shard of a plan (`skirmish plan`), and write it beside the plan
    #[arg(
        long,
        value_name = "PLAN",
        requires = "shard",
        conflicts_with_all = [
            "files", "encounters", "precision", "metrics", "max_encounters", "output", "no_clobber", "format",
            "variants", "seed", "confidence", "overrides", "report",
        ]
    )]
    pub plan: Option<PathBuf>,

    /// Save now and then in this file what has been played, and on Ctrl-C; the same command goes on
    /// from there. Removed when all is done
    #[arg(long, value_name = "FILE", conflicts_with = "plan")]
    pub checkpoint: Option<PathBuf>,

    /// Seconds from one checkpoint to the next
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 30,
        requires = "checkpoint",
        value_parser = clap::value_parser!(u64).range(..=86_400)
    )]
    pub checkpoint_every: u64,

    /// Which shard of --plan, from 0: 17, or 17/200
    #[arg(
        long,
        value_name = "NUMBER",
        requires = "plan",
        allow_hyphen_values = true
    )]
    pub shard: Option<ShardNumber>,

    /// Encounters of each variant; [`ENCOUNTERS`] if nothing else ends the run
    #[arg(
        short = 'n',
        long,
        help = "Encounters of each variant: 250k, 1M, 2_000_000 [default: 1M]",
        value_name = "COUNT",
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub encounters: Option<NonZeroU64>,

    /// Instead of -n: play each variant until the win rates are known to so much, such as 0.1%
    #[arg(long, value_name = "HALF-WIDTH", allow_hyphen_values = true)]
    pub precision: Option<Precision>,

    /// Metric that has to be as precise, instead of `win_rate`; may be given several times; for
    /// counts, 0.1% is of the mean and 0.1 in their own unit
    #[arg(
        long = "metric",
        value_name = "NAME",
        requires = "precision",
        value_parser = summed_up
    )]
    pub metrics: Vec<&'static Metric>,

    /// The most encounters of each variant, however imprecise they leave it
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "1G",
        requires = "precision",
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub max_encounters: NonZeroU64,

    /// Folder for results: each scenario gets a folder in it, named like its file
    #[arg(short, long, value_name = "DIR", default_value = "results")]
    pub output: PathBuf,

    /// Write raw data, too: a CSV file with a row for every encounter of every variant and scenario
    #[arg(long, value_name = "FILE.csv")]
    pub each: Option<PathBuf>,

    /// Refuse to replace results that are there already
    #[arg(long)]
    pub no_clobber: bool,

    /// What to print; the files are written in any case
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,

    /// Play this variant only; may be given several times; the file as it stands is `base`
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,

    /// Whether it is only foretold
    #[command(flatten)]
    pub foretelling: Foretelling,

    /// Whether there is to be a page with pictures
    #[command(flatten)]
    pub paper: PaperArgs,

    /// What is the same for all that play many encounters
    #[command(flatten)]
    pub playing: Playing,
}

/// What decides what happens in every encounter, and how sure intervals are.
#[derive(Debug, Clone, Args)]
pub struct Given {
    /// Seed: encounter number i of a seed is the same on every machine
    #[arg(long, default_value_t = SEED, value_parser = seed, allow_hyphen_values = true)]
    pub seed: u64,

    /// Level of all intervals: 99% or 0.99
    #[arg(long, value_name = "LEVEL", default_value_t = Confidence::DEFAULT, allow_hyphen_values = true)]
    pub confidence: Confidence,

    /// Change a number of the scenario: combatants.archer.move=12; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
}

/// Arguments of every subcommand that plays many encounters.
#[derive(Debug, Clone, Args)]
pub struct Playing {
    /// What decides the numbers
    #[command(flatten)]
    pub given: Given,

    /// Threads to play on; they change nothing but the time [default: all]
    #[arg(long, value_name = "COUNT", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<NonZeroUsize>,

    /// Show no progress and no closing line
    #[arg(short, long)]
    pub quiet: bool,
}

/// Whether a command is carried out at all.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Foretelling {
    /// Only say how much would be played and written, and how long that may take
    #[arg(long)]
    pub dry_run: bool,
}

impl Playing {
    /// The threads to play on.
    #[must_use]
    pub fn threads(&self) -> NonZeroUsize {
        threads_or_all(self.threads)
    }
}

/// So many threads, or as many as there are processors.
pub(super) fn threads_or_all(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    threads
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// What `run` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people
    Table,
    /// The content of the CSV file (of `run`: of summary.csv)
    Csv,
    /// Everything, one document a scenario
    Json,
    /// The table in Markdown
    Markdown,
}

/// A metric that has a mean.
///
/// # Errors
/// If there is none of that name, or it has no mean; the message names the nearest.
pub fn summed_up(name: &str) -> Result<&'static Metric, String> {
    match metrics::find(name) {
        Some(metric) if metric.kind.has_summary() => Ok(metric),
        Some(metric) => Err(format!(
            "`{name}` is a {}: it has no mean",
            metric.kind.name()
        )),
        None => {
            let known = metrics::all().filter(|metric| metric.kind.has_summary());
            Err(unknown("metric", name, known.map(|metric| metric.name)))
        }
    }
}

/// A count of encounters, with `_` between digits and `k`, `M` or `G` behind them.
///
/// # Errors
/// If it is no whole number from 1 to a million G.
pub fn count(text: &str) -> Result<NonZeroU64, String> {
    const MOST: u64 = 1_000_000_000_000_000;
    const EXAMPLES: &str = "write a whole number such as 250k, 1M or 2_000_000";
    let (digits, scale) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    if digits.starts_with('-') {
        return Err(format!("there is no negative count; {EXAMPLES}"));
    }
    let grouped = digits
        .split('_')
        .all(|group| !group.is_empty() && group.bytes().all(|digit| digit.is_ascii_digit()));
    if !grouped {
        return Err(format!("not a count; {EXAMPLES}"));
    }
    let too_many = || "more than a million G encounters would take years".to_owned();
    let count = digits
        .replace('_', "")
        .parse::<u64>()
        .ok()
        .and_then(|count| count.checked_mul(scale))
        .filter(|count| *count <= MOST)
        .ok_or_else(too_many)?;
    NonZeroU64::new(count).ok_or_else(|| format!("a run has at least one encounter; {EXAMPLES}"))
}

/// A seed.
///
/// # Errors
/// If it is no whole number that 64 bits hold.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}

/// A count of threads.
///
/// # Errors
/// If it is no whole number from 1 to 1024.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .ok()
        .filter(|threads: &NonZeroUsize| threads.get() <= 1024)
        .ok_or_else(|| "write 1 to 1024, or leave it out to use all".to_owned())
}
