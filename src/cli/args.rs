//! Options that several subcommands have, each checked for itself as it is read.

use super::console::Console;
use super::page_args::PageArgs;
use crate::exact::Budget;
use crate::report::Width;
use crate::stats::Confidence;
use crate::task::{Failure, Question, SEED, Task, Until};
use anyhow::anyhow;
use clap::{Args, ValueEnum};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

/// What decides what happens in every encounter, and how sure intervals are.
#[derive(Debug, Clone, Args)]
pub struct Given {
    /// Seed: encounter i of a seed is the same on every machine
    #[arg(long, default_value_t = SEED, value_parser = seed, allow_hyphen_values = true)]
    pub seed: u64,

    /// Confidence level of all intervals: 99% or 0.99
    #[arg(long, value_name = "LEVEL", default_value_t = Confidence::DEFAULT, allow_hyphen_values = true)]
    pub confidence: Confidence,

    /// Change a number of the scenario: combatants.archer.move=12; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
}

impl Given {
    /// A task that asks `question` of them.
    pub(super) fn task(&self, question: Question, until: Until) -> Task {
        Task {
            question,
            until,
            seed: self.seed,
            confidence: self.confidence,
            set: self.overrides.clone(),
        }
    }
}

/// Arguments of every subcommand that plays many encounters.
#[derive(Debug, Clone, Args)]
pub struct Playing {
    /// What decides the numbers
    #[command(flatten)]
    pub given: Given,

    /// Threads; results do not depend on them [default: all]
    #[arg(long, value_name = "COUNT", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<NonZeroUsize>,

    /// Show no progress and no closing line
    #[arg(short, long)]
    pub quiet: bool,
}

/// The options for writing and printing results.
#[derive(Debug, Clone, Args)]
pub struct Delivery {
    /// Folder for results; each scenario gets a folder in it, named like its file
    #[arg(short, long, value_name = "DIR", default_value = "results")]
    pub output: PathBuf,

    /// Refuse to replace existing results
    #[arg(long)]
    pub no_clobber: bool,

    /// Format to print; the files are written in any case
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,

    /// How wide tables are
    #[command(flatten)]
    pub wide: WideArgs,

    /// Whether there is to be a page with figures
    #[command(flatten)]
    pub page: PageArgs,
}

/// How wide tables are: the option of every subcommand that prints some.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub struct WideArgs {
    /// Print whole tables, instead of folding those that are wider than the terminal (80 columns without one)
    #[arg(long)]
    pub wide: bool,
}

impl WideArgs {
    /// The width of printed text.
    pub(super) fn width(self, console: &Console<'_>) -> Width {
        let width = console.widths().out;
        if self.wide { width.whole() } else { width }
    }
}

/// Whether fights are solved instead of played.
#[derive(Debug, Clone, Args)]
pub struct ExactArgs {
    /// Solve each fight instead of sampling it: exact numbers with guaranteed bounds. For duels and small
    /// fights
    #[arg(long)]
    pub exact: bool,

    /// Give up --exact beyond this many situations, or 2 GiB of them
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "4M",
        requires = "exact",
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub max_states: NonZeroU64,

    /// End --exact as soon as this share of the encounters or less is undecided, such as 1e-4
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.0,
        hide_default_value = true,
        requires = "exact",
        value_parser = bound,
        allow_hyphen_values = true
    )]
    pub bound: f64,
}

impl ExactArgs {
    /// When fights end that are to be solved; none if they are not.
    pub(super) fn until(&self, given: &Given) -> Result<Option<Until>, Failure> {
        if !self.exact {
            return Ok(None);
        }
        let idle = match given {
            given if given.seed != SEED => Some("--seed"),
            given if given.confidence != Confidence::DEFAULT => Some("--confidence"),
            _ => None,
        };
        if let Some(option) = idle {
            return Err(Failure::input(anyhow!(
                "{option} does nothing to --exact, which plays no encounter and has bounds instead of \
                 intervals: leave it out"
            )));
        }
        Ok(Some(Until::Exact(Budget {
            max_states: self.max_states.get(),
            bound: self.bound,
        })))
    }
}

/// A share of encounters, from 0 to 1.
fn bound(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "write a share from 0 to 1, such as 1e-4".to_owned())
}

/// Whether a command is only estimated.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct DryRun {
    /// Estimate the encounters, time and space, and write nothing
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

/// That number of threads, or as many as there are processors.
pub(super) fn threads_or_all(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    threads
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// What `run` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// A table for people
    #[default]
    Table,
    /// The content of the CSV file (of `run`: of summary.csv)
    Csv,
    /// Everything, one document a scenario
    Json,
    /// The table in Markdown
    Markdown,
}

/// A count of encounters: digits with `_` between them, `k`, `M` or `G` behind them, or `1e5`.
///
/// # Errors
/// If it is no whole number from 1 to a million G.
pub fn count(text: &str) -> Result<NonZeroU64, String> {
    const MOST: u64 = 1_000_000_000_000_000;
    const EXAMPLES: &str = "write a whole number such as 250k, 1M, 1e6 or 2_000_000";
    let (number, zeros) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 3),
        Some((at, 'm' | 'M')) => (&text[..at], 6),
        Some((at, 'g' | 'G')) => (&text[..at], 9),
        _ => match text.split_once(['e', 'E']) {
            Some((number, power)) => match power.strip_prefix('+').unwrap_or(power).parse() {
                Ok(zeros @ 0..=15_usize) => (number, zeros),
                _ => return Err(format!("not a count; {EXAMPLES}")),
            },
            None => (text, 0),
        },
    };
    if number.starts_with('-') {
        return Err(format!("there is no negative count; {EXAMPLES}"));
    }
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let grouped = |digits: &str| {
        let mut groups = digits.split('_');
        groups.all(|group| !group.is_empty() && group.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let part = part.trim_end_matches('0');
    if !grouped(whole) || !(part.is_empty() || grouped(part)) || part.len() > zeros {
        return Err(format!("not a count; {EXAMPLES}"));
    }
    let too_many = || "more than a million G encounters would take years".to_owned();
    let count = format!("{whole}{part:0<zeros$}")
        .replace('_', "")
        .parse::<u64>()
        .ok()
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
