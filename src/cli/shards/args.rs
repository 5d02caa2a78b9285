//! The arguments of `plan`, `missing` and `merge`, as they are written.

use crate::cli::args::{ENCOUNTERS, Format, Given, count, threads};
use crate::cli::compare::ContestArgs;
use crate::cli::report::PaperArgs;
use crate::cli::sweep::{MeasureArgs, VaryArgs};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

/// Arguments of `skirmish plan`: those of a run, or a subcommand for what else can be planned.
#[derive(Debug)]
pub enum PlanArgs {
    /// A run.
    Run(PlanRunArgs),
    /// Something else.
    Other(Other),
}

impl FromArgMatches for PlanArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        if matches.subcommand_name().is_some() {
            Other::from_arg_matches(matches).map(Self::Other)
        } else {
            PlanRunArgs::from_arg_matches(matches).map(Self::Run)
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for PlanArgs {
    fn augment_args(command: Command) -> Command {
        Other::augment_subcommands(PlanRunArgs::augment_args(command))
            .args_conflicts_with_subcommands(true)
            .subcommand_negates_reqs(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// What else can be planned.
#[derive(Debug, Subcommand)]
pub enum Other {
    /// Plan a comparison: see `skirmish compare`
    Compare(PlanCompareArgs),
    /// Plan a sweep: see `skirmish sweep`
    Sweep(PlanSweepArgs),
}

/// A run that is planned.
#[derive(Debug, Args)]
pub struct PlanRunArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Encounters of each variant
    #[arg(
        short = 'n',
        long,
        help = "Encounters of each variant: 250k, 1M, 10G",
        value_name = "COUNT",
        default_value_t = ENCOUNTERS,
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub encounters: NonZeroU64,

    /// Play this variant only; may be given several times; the file as it stands is `base`
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,

    /// What a run can wait for, and a plan cannot
    #[arg(long, hide = true, value_parser = endless, allow_hyphen_values = true)]
    pub precision: Option<Never>,

    /// What decides the numbers
    #[command(flatten)]
    pub given: Given,

    /// How it is cut
    #[command(flatten)]
    pub cut: Cut,
}

/// A comparison that is planned.
#[derive(Debug, Args)]
pub struct PlanCompareArgs {
    /// What is compared
    #[command(flatten)]
    pub contest: ContestArgs,

    /// Encounters of each variant
    #[arg(
        short = 'n',
        long,
        help = "Encounters of each variant: 250k, 1M, 10G",
        value_name = "COUNT",
        default_value_t = ENCOUNTERS,
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub encounters: NonZeroU64,

    /// What a comparison can wait for, and a plan cannot
    #[arg(
        long,
        hide = true,
        num_args = 0,
        default_missing_value = "",
        value_parser = endless
    )]
    pub until_decided: Option<Never>,

    /// What decides the numbers
    #[command(flatten)]
    pub given: Given,

    /// How it is cut
    #[command(flatten)]
    pub cut: Cut,
}

/// A sweep that is planned.
#[derive(Debug, Args)]
pub struct PlanSweepArgs {
    /// What is varied
    #[command(flatten)]
    pub along: VaryArgs,

    /// What is measured
    #[command(flatten)]
    pub measure: MeasureArgs,

    /// What decides the numbers
    #[command(flatten)]
    pub given: Given,

    /// How it is cut
    #[command(flatten)]
    pub cut: Cut,
}

/// Into how many shards, and where they go.
#[derive(Debug, Args)]
pub struct Cut {
    /// Into how many shards: jobs that can be run apart from each other
    #[arg(long, value_name = "COUNT", value_parser = shards, allow_hyphen_values = true)]
    pub shards: NonZeroU64,

    /// Folder for the plan and its shards
    #[arg(short, long, value_name = "RUN")]
    pub output: PathBuf,

    /// Show no closing line
    #[arg(short, long)]
    pub quiet: bool,

    /// Only say how much would be played and written, and how long that may take
    #[arg(long)]
    pub dry_run: bool,

    /// Threads to try it on [default: all]
    #[arg(
        long,
        value_name = "COUNT",
        requires = "dry_run",
        value_parser = threads,
        allow_hyphen_values = true
    )]
    pub threads: Option<NonZeroUsize>,
}

/// Arguments of `skirmish missing`.
#[derive(Debug, Args)]
pub struct MissingArgs {
    /// The folder of a plan
    #[arg(value_name = "RUN")]
    pub folder: PathBuf,
}

/// Arguments of `skirmish merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The folder of a plan
    #[arg(value_name = "RUN")]
    pub folder: PathBuf,

    /// Merge the shards that are there, and say how much that is
    #[arg(long, conflicts_with = "report")]
    pub partial: bool,

    /// Folder for results: each scenario gets a folder in it, named like its file
    #[arg(short, long, value_name = "DIR", default_value = "results")]
    pub output: PathBuf,

    /// Refuse to replace results that are there already
    #[arg(long)]
    pub no_clobber: bool,

    /// What to print; the files are written in any case
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,

    /// Where a page of what was merged goes, if one is wanted
    #[command(flatten)]
    pub paper: PaperArgs,

    /// Show no closing line
    #[arg(short, long)]
    pub quiet: bool,
}

/// A shard's number, and how many there are if that was given too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShardNumber {
    /// Its number, from 0.
    pub number: u64,
    /// How many shards there are thought to be.
    pub of: Option<u64>,
}

impl FromStr for ShardNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| {
            let number = digits.parse::<u64>().ok();
            number
                .filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
                .ok_or_else(|| "write a shard's number, such as 17 or 17/200".to_owned())
        };
        let (first, of) = match text.split_once('/') {
            Some((first, of)) => (first, Some(number(of)?)),
            None => (text, None),
        };
        Ok(Self {
            number: number(first)?,
            of,
        })
    }
}

/// A value that there is none of.
#[derive(Debug, Clone, Copy)]
pub enum Never {}

fn endless(_: &str) -> Result<Never, String> {
    Err(
        "a plan is for a fixed count, for who waits for a result decides as it comes in: write -n, \
         or play on one machine"
            .to_owned(),
    )
}

/// A count of shards.
fn shards(text: &str) -> Result<NonZeroU64, String> {
    count(text).map_err(|_| "write a whole number from 1 to 1M".to_owned())
}
