//! `skirmish plan`: cuts what plays a fixed number of encounters into shards.
//!
//! The plan contains the text of the scenarios, so that a machine needs only the plan to play a shard, and
//! edits of the files in the meantime change nothing.

use super::Session;
use super::args::{Given, count, threads};
use super::compare::ContestArgs;
use super::console::Console;
use super::dry_run::foresee;
use super::load::refuse_stdin;
use super::publish::prepare;
use super::sweep::{MeasureArgs, VaryArgs};
use crate::output::{Target, encounters, grouped};
use crate::report::number::counted;
use crate::scenario::BASE;
use crate::task::shard::{JobSpec, Plan, PlanError, ScenarioText};
use crate::task::{ENCOUNTERS, Exit, Failure, PLAN, Question, Source, Until, write_file};
use anyhow::{Context as _, anyhow};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

/// Arguments of `skirmish plan`: those of a run, or a subcommand for another question.
#[derive(Debug)]
pub enum PlanArgs {
    /// A run.
    Run(PlanRunArgs),
    /// Another question.
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
    #[command(
        override_usage = "skirmish plan compare [OPTIONS] --shards <COUNT> -o <RUN> <FILE> [OTHER]"
    )]
    Compare {
        /// The variants and metrics
        #[command(flatten)]
        contest: ContestArgs,

        /// How much is played
        #[command(flatten)]
        each: EachArgs,

        /// What a comparison can wait for, and a plan cannot
        #[arg(long, hide = true, num_args = 0, default_missing_value = "", value_parser = endless)]
        until_decided: Option<String>,

        /// How it is cut
        #[command(flatten)]
        cut: Cut,
    },
    /// Plan a sweep: see `skirmish sweep`
    #[command(
        override_usage = "skirmish plan sweep [OPTIONS] --vary <KEY=VALUES> --shards <COUNT>\n       \
                          -o <RUN> <FILE>"
    )]
    Sweep {
        /// Scenario file
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// The varied keys
        #[command(flatten)]
        along: VaryArgs,

        /// The metrics
        #[command(flatten)]
        measure: MeasureArgs,

        /// How it is cut
        #[command(flatten)]
        cut: Cut,
    },
    /// Plan a knockout: see `skirmish knockout`
    #[command(override_usage = "skirmish plan knockout [OPTIONS] --shards <COUNT> -o <RUN> <FILE>")]
    Knockout(PlanChangesArgs),
    /// Plan a sensitivity: see `skirmish sensitivity`
    #[command(
        override_usage = "skirmish plan sensitivity [OPTIONS] --shards <COUNT> -o <RUN> <FILE>"
    )]
    Sensitivity(PlanChangesArgs),
    /// Plan a matchup: see `skirmish matchup`
    #[command(override_usage = "skirmish plan matchup [OPTIONS] --shards <COUNT> -o <RUN> <FILE>")]
    Matchup {
        /// Scenario file with `[[builds]]`
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// Variant in which the builds meet; `base` is the file as written
        #[arg(long, value_name = "NAME", default_value = BASE)]
        variant: String,

        /// How much is played
        #[command(flatten)]
        each: EachArgs,

        /// How it is cut
        #[command(flatten)]
        cut: Cut,
    },
}

/// The changes of a variant that are planned.
#[derive(Debug, Args)]
pub struct PlanChangesArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The metrics
    #[command(flatten)]
    measure: MeasureArgs,

    /// How it is cut
    #[command(flatten)]
    cut: Cut,
}

/// How much of each fight is played.
#[derive(Debug, Args)]
pub struct EachArgs {
    /// Encounters of each fight: 250k, 1M, 10G
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = ENCOUNTERS, value_parser = count)]
    pub encounters: NonZeroU64,
}

/// A run that is planned.
#[derive(Debug, Args)]
pub struct PlanRunArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// How much is played
    #[command(flatten)]
    pub each: EachArgs,

    /// Play only this variant; may be given several times; `base` is the file as written
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,

    /// What a run can wait for, and a plan cannot
    #[arg(long, hide = true, value_parser = endless)]
    pub precision: Option<String>,

    /// How it is cut
    #[command(flatten)]
    pub cut: Cut,
}

/// Into how many shards, and where they go.
#[derive(Debug, Args)]
pub struct Cut {
    /// What decides the numbers
    #[command(flatten)]
    pub given: Given,

    /// Number of shards: jobs that run independently
    #[arg(long, value_name = "COUNT", value_parser = shards)]
    pub shards: NonZeroU64,

    /// Folder for the plan and its shards
    #[arg(short, long, value_name = "RUN")]
    pub output: PathBuf,

    /// Estimate the encounters, time and space, and write nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Threads for the estimate [default: all]
    #[arg(long, value_name = "COUNT", requires = "dry_run", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
}

/// Refuses a stopping rule.
fn endless(_: &str) -> Result<String, String> {
    Err(
        "a plan needs a fixed count (-n): a stopping rule looks at results as they come in; play on \
         one machine instead"
            .to_owned(),
    )
}

/// Parses a number of shards.
fn shards(text: &str) -> Result<NonZeroU64, String> {
    count(text).map_err(|_| "write a whole number from 1 to 1M".to_owned())
}

/// Runs the subcommand.
pub(super) fn run(
    args: &PlanArgs,
    session: &mut Session<'_, impl Source>,
) -> Result<Exit, Failure> {
    let (files, question, encounters, cut) = match args {
        PlanArgs::Other(Other::Compare {
            contest, each, cut, ..
        }) => (contest.files(), contest.question(), each.encounters, cut),
        PlanArgs::Other(Other::Sweep {
            file,
            along,
            measure,
            cut,
        }) => {
            let question = along.question(measure.measure());
            (vec![file], question, measure.encounters, cut)
        }
        PlanArgs::Other(
            other @ (Other::Knockout(PlanChangesArgs { file, measure, cut })
            | Other::Sensitivity(PlanChangesArgs { file, measure, cut })),
        ) => {
            let question = match other {
                Other::Knockout(_) => Question::Knockout,
                _ => Question::Sensitivity,
            };
            let encounters = measure.encounters;
            (vec![file], question(measure.measure()), encounters, cut)
        }
        PlanArgs::Other(Other::Matchup {
            file,
            variant,
            each,
            cut,
        }) => {
            let variant = variant.clone();
            let question = Question::Matchup { variant };
            (vec![file], question, each.encounters, cut)
        }
        PlanArgs::Run(run) => {
            let variant = run.variants.clone();
            let question = Question::Run { variant };
            (vec![&run.file], question, run.each.encounters, &run.cut)
        }
    };
    let console = &mut session.console;
    let task = cut.given.task(question, Until::Encounters(encounters));
    for file in &files {
        refuse_stdin(file, "the plan names the file that it is made of")?;
    }
    let prepared = prepare(&task, &files, session.source, console)?;
    let job = JobSpec::new(task, prepared.inputs.iter().map(ScenarioText::of).collect());
    let names = files.iter().map(|file| file.display().to_string());
    let plan = Plan::new(job, names.collect(), prepared.fights(), cut.shards)
        .context(format!("--shards {}", cut.shards))
        .map_err(Failure::input)?;
    if !cut.dry_run {
        return write(&plan, cut, prepared.each(), console);
    }
    let context = session.context(cut.threads, &());
    foresee(
        &plan,
        &prepared,
        &cut.output,
        &context,
        &mut session.console,
    )
}

/// Writes a plan, unless the same plan exists already.
fn write(plan: &Plan, cut: &Cut, each: u64, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = cut.output.join(PLAN);
    let mut is_there = is_there(&file, plan)?;
    if !is_there {
        let mut target = Target::claim(&cut.output, &[PLAN]).map_err(Failure::input)?;
        // Before the claim another process may have written a plan.
        is_there = self::is_there(&file, plan)?;
        if !is_there {
            write_file(&mut target, PLAN, |mut out| plan.write(&mut out)).map_err(Failure::io)?;
        }
    }
    let shards = plan.layout.shards();
    // The line of all encounters is cut into equal parts, rounded down or up.
    let most = plan.layout.all().div_ceil(shards) * each;
    let least = plan.layout.all() / shards * each;
    let size = if least == most {
        encounters(most)
    } else {
        format!("{} or {}", grouped(least), encounters(most))
    };
    console.remark(format_args!(
        "{} of each of {}, {} of {} each; `{}` {}",
        encounters(plan.layout.encounters()),
        counted(plan.layout.fights() as u64 * each, "fight"),
        counted(shards, "shard"),
        size,
        file.display(),
        if is_there {
            "is there already"
        } else {
            "is written"
        },
    ));
    Ok(Exit::Done)
}

/// Returns whether the same plan exists already.
fn is_there(file: &Path, plan: &Plan) -> anyhow::Result<bool> {
    let why = match Plan::read(file) {
        Ok(old) if old.id == plan.id && old.layout == plan.layout => return Ok(true),
        Ok(old) if old.id == plan.id => format!(
            "the same run, cut into {} shards",
            grouped(old.layout.shards())
        ),
        Ok(old) => format!("run {}", old.id.short()),
        Err(PlanError::Unreadable(_)) if !file.exists() => return Ok(false),
        Err(wrong) => format!("something else ({wrong})"),
    };
    Err(anyhow!(
        "`{}` holds {why}: write this plan into another folder, or remove the old one and its shards",
        file.display()
    ))
}
