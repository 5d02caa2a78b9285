//! Options that several subcommands share, each validated when it is parsed.

use super::console::Console;
use super::page_args::PageArgs;
use crate::decimal::Decimal;
use crate::exact::{Budget, MAX_STATES};
use crate::report::{Style, Width};
use crate::stats::Confidence;
use crate::task::{Prepared, Question, SEED, Task, Until, check_apart, check_no_folder};
use anyhow::bail;
use clap::Args;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) use crate::options::RARE;
pub use crate::options::{Format, WideArgs, count, seed};

/// What decides what happens in every encounter, and how sure intervals are.
#[derive(Debug, Clone, Args)]
pub struct Given {
    /// Seed: encounter i of a seed is the same on every machine [default: 1]
    #[arg(long, value_parser = seed)]
    pub seed: Option<u64>,

    /// Confidence level of all intervals: 99% or 0.99 [default: 95%]
    #[arg(long, value_name = "LEVEL", display_order = RARE)]
    pub confidence: Option<Confidence>,

    /// Change a value of the scenario: combatants.archer.move=12; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
}

impl Given {
    /// Returns the task that asks `question` with these options.
    pub(super) fn task(&self, question: Question, until: Until) -> Task {
        Task {
            question,
            until,
            seed: self.seed.unwrap_or(SEED),
            confidence: self.confidence(),
            set: self.overrides.clone(),
        }
    }

    pub(super) fn confidence(&self) -> Confidence {
        self.confidence.unwrap_or(Confidence::DEFAULT)
    }
}

/// Arguments of every subcommand that plays many encounters.
#[derive(Debug, Clone, Args)]
pub struct Playing {
    /// What decides the numbers
    #[command(flatten)]
    pub given: Given,

    /// Threads; results do not depend on them [default: all]
    #[arg(long, value_name = "COUNT", value_parser = threads, display_order = RARE)]
    pub threads: Option<NonZeroUsize>,
}

/// The options for writing and printing results.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("output", |output| output.value_name("DIR").help(
    "Folder for results; each scenario gets a folder in it, named like its file [default: results]"
)))]
pub struct Delivery {
    /// Refuse to replace existing results, and all other files that are there
    #[arg(long, display_order = RARE)]
    pub no_clobber: bool,

    /// Format to print; the files are written in any case
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,

    /// How wide tables are
    #[command(flatten)]
    pub wide: WideArgs,

    /// Where results go, and whether there is to be a page with figures
    #[command(flatten)]
    pub page: PageArgs,
}

impl Delivery {
    /// Returns these options with the file of `--format html -o FILE` as that of the page.
    pub(super) fn settled(&self) -> anyhow::Result<Self> {
        Ok(Self {
            page: self.page.settled(self.format == Format::Html)?,
            ..self.clone()
        })
    }

    /// Returns the folder of all results.
    pub(super) fn folder(&self) -> &Path {
        self.page.output.as_deref().unwrap_or("results".as_ref())
    }

    /// Checks that `--report` and `files`, the other options that name files, all name different files, and none
    /// names a folder for the results of `runs`. Called before anything is played.
    pub(super) fn check_apart(
        &self,
        files: &[(&str, Option<&Path>)],
        runs: &[Prepared],
    ) -> anyhow::Result<()> {
        let report = ("--report", self.page.report.as_deref());
        let files = [files, &[report]].concat();
        check_apart(&files)?;
        for (option, path) in files {
            let Some(path) = path else { continue };
            // A checkpoint is there to be continued.
            if self.no_clobber && option != "--checkpoint" && path.symlink_metadata().is_ok() {
                bail!(
                    "{option}: `{}` exists already, and --no-clobber keeps it: name another file",
                    path.display()
                );
            }
            for run in runs {
                check_no_folder(option, path, &self.folder().join(&run.name))?;
            }
        }
        Ok(())
    }
}

impl WideArgs {
    /// Returns the width of printed text.
    pub(super) fn width(self, console: &Console<'_>) -> Width {
        let width = console.out_width;
        if self.wide { width.whole() } else { width }
    }

    /// Returns the style of printed tables.
    pub(super) fn style(self, format: Format, console: &Console<'_>) -> Style {
        match format {
            Format::Markdown => Style::Markdown,
            _ => Style::Terminal(self.width(console)),
        }
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
    #[arg(long, value_name = "COUNT", default_value = "4M", requires = "exact", value_parser = count)]
    #[arg(display_order = RARE)]
    pub max_states: NonZeroU64,

    /// End --exact as soon as this share of the encounters or less is undecided, such as 1e-4
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.0,
        hide_default_value = true
    )]
    #[arg(requires = "exact", value_parser = bound, display_order = RARE)]
    pub bound: f64,
}

impl ExactArgs {
    /// Returns when solved fights end, or `None` if fights are not solved.
    pub(super) fn until(&self, given: &Given) -> anyhow::Result<Option<Until>> {
        if !self.exact {
            // If the command line excludes --exact, clap does not require it for these options.
            let option = if self.max_states.get() != MAX_STATES {
                "--max-states"
            } else if self.bound > 0.0 {
                "--bound"
            } else {
                return Ok(None);
            };
            bail!(
                "{option} is for --exact, which solves fights instead of playing them: leave it out"
            );
        }
        let idle = [
            (given.seed.is_some(), "--seed"),
            (given.confidence.is_some(), "--confidence"),
        ];
        if let Some((_, option)) = idle.into_iter().find(|(is_given, _)| *is_given) {
            bail!(
                "{option} does nothing to --exact, which plays no encounter and has bounds instead of \
                 intervals: leave it out"
            );
        }
        Ok(Some(Until::Exact(Budget {
            max_states: self.max_states.get(),
            bound: self.bound,
        })))
    }
}

/// Parses a share of encounters from 0 to less than 1: with a bound of 1 there is nothing to solve.
fn bound(text: &str) -> Result<f64, String> {
    // `Decimal` knows per cent, but no exponent.
    let share = Decimal::read(text).map(|decimal| decimal.value);
    share
        .or_else(|| text.parse().ok())
        .filter(|share| (0.0..1.0).contains(share))
        .ok_or_else(|| "write a share from 0 to less than 1, such as 1e-4".to_owned())
}

/// How progress is saved.
#[derive(Debug, Clone, Args)]
pub struct SavingArgs {
    /// Save progress in this file, and on Ctrl-C; rerun to resume. Removed at the end
    #[arg(long, value_name = "FILE", display_order = RARE)]
    pub checkpoint: Option<PathBuf>,

    /// Seconds between checkpoints
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 30,
        requires = "checkpoint",
        display_order = RARE
    )]
    #[arg(value_parser = clap::value_parser!(u64).range(..=86_400))]
    pub checkpoint_every: u64,
}

impl SavingArgs {
    /// Returns the time between checkpoints.
    pub(super) const fn every(&self) -> Duration {
        Duration::from_secs(self.checkpoint_every)
    }
}

/// Returns the given number of threads, or else the number of processors.
pub(super) fn threads_or_all(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    threads
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// Parses a number of threads.
///
/// # Errors
/// If it is not a whole number from 1 to 1024.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .ok()
        .filter(|threads: &NonZeroUsize| threads.get() <= 1024)
        .ok_or_else(|| "write 1 to 1024, or leave it out to use all".to_owned())
}
