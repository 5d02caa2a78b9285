//! `skirmish plan`: cuts a run, a comparison or a sweep into shards.
//!
//! The plan contains the text of the scenarios, so that a machine needs only the plan to play a shard, and
//! edits of the files in the meantime change nothing.

use super::args::{Given, count, threads, threads_or_all};
use super::compare::ContestArgs;
use super::console::Console;
use super::dry_run::{self, size};
use super::load::{input, refuse_stdin};
use super::publish::prepare;
use super::sweep::{MeasureArgs, VaryArgs};
use crate::output::{Target, encounters, grouped};
use crate::report::number::counted;
use crate::task::shard::{JobSpec, Part, Plan, PlanError, Text};
use crate::task::{
    Context, ENCOUNTERS, Exit, Failure, Files, Input, PLAN, Planned, Prepared, Question, Until,
    write_file,
};
use anyhow::{Context as _, anyhow};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Arguments of `skirmish plan`: those of a run, or a subcommand for a comparison or a sweep.
#[derive(Debug)]
pub enum PlanArgs {
    /// A run.
    Run(PlanRunArgs),
    /// A comparison or a sweep.
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

/// How much of each variant is played.
#[derive(Debug, Args)]
pub struct EachArgs {
    /// Encounters of each variant
    #[arg(
        short = 'n',
        long,
        help = "Encounters of each variant: 250k, 1M, 10G",
        value_name = "COUNT",
        default_value_t = ENCOUNTERS,
        value_parser = count
    )]
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
    pub precision: Option<Never>,

    /// How it is cut
    #[command(flatten)]
    pub cut: Cut,
}

/// A comparison that is planned.
#[derive(Debug, Args)]
#[command(
    override_usage = "skirmish plan compare [OPTIONS] --shards <COUNT> -o <RUN> <FILE> [OTHER]"
)]
pub struct PlanCompareArgs {
    /// The variants and metrics
    #[command(flatten)]
    pub contest: ContestArgs,

    /// How much is played
    #[command(flatten)]
    pub each: EachArgs,

    /// What a comparison can wait for, and a plan cannot
    #[arg(
        long,
        hide = true,
        num_args = 0,
        default_missing_value = "",
        value_parser = endless
    )]
    pub until_decided: Option<Never>,

    /// How it is cut
    #[command(flatten)]
    pub cut: Cut,
}

/// A sweep that is planned.
#[derive(Debug, Args)]
#[command(
    override_usage = "skirmish plan sweep [OPTIONS] --vary <KEY=VALUES> --shards <COUNT>\n       \
                      -o <RUN> <FILE>"
)]
pub struct PlanSweepArgs {
    /// The varied keys
    #[command(flatten)]
    pub along: VaryArgs,

    /// The metrics
    #[command(flatten)]
    pub measure: MeasureArgs,

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

    /// Show no closing line
    #[arg(short, long)]
    pub quiet: bool,

    /// Estimate the encounters, time and space, and write nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Threads for the estimate [default: all]
    #[arg(
        long,
        value_name = "COUNT",
        requires = "dry_run",
        value_parser = threads
    )]
    pub threads: Option<NonZeroUsize>,
}

/// A type without values.
#[derive(Debug, Clone, Copy)]
pub enum Never {}

fn endless(_: &str) -> Result<Never, String> {
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
///
/// # Errors
/// If the input is wrong, or the folder holds another plan.
pub fn run(args: &PlanArgs, stop: &AtomicBool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let (files, question, encounters, cut) = match args {
        PlanArgs::Run(args) => {
            let variant = args.variants.clone();
            let question = Question::Run { variant };
            (vec![&args.file], question, args.each.encounters, &args.cut)
        }
        PlanArgs::Other(Other::Compare(args)) => {
            let (files, question) = (args.contest.files(), args.contest.question());
            (files, question, args.each.encounters, &args.cut)
        }
        PlanArgs::Other(Other::Sweep(args)) => {
            let (along, measure) = (&args.along, &args.measure);
            let question = along.question(measure);
            (vec![&along.file], question, measure.encounters, &args.cut)
        }
    };
    let task = cut.given.task(question, Until::Encounters(encounters));
    for file in &files {
        refuse_stdin(file, "the plan names the file that it is made of")?;
    }
    let Some(scenarios) = texts(&files, &task.set, console)? else {
        return Ok(Exit::BadInput);
    };
    let names = files.iter().map(|file| file.display().to_string());
    let job = JobSpec::new(task, scenarios);
    let mut plan = Plan::new(job, names.collect(), 1, NonZeroU64::MIN).map_err(Failure::input)?;
    let task = &plan.job.task;
    let Some(prepared) = prepare(task, files, &Planned(&plan), console)? else {
        return Ok(Exit::BadInput);
    };
    plan = Plan::new(plan.job, plan.files, prepared.fights(), cut.shards)
        .context(format!("--shards {}", cut.shards))
        .map_err(Failure::input)?;
    if cut.dry_run {
        return foresee(&plan, &prepared, cut, stop, console);
    }
    write(&plan, cut, prepared.each(), console)
}

/// Prints the time and space for all shards on this machine.
fn foresee(
    plan: &Plan,
    prepared: &Prepared,
    cut: &Cut,
    stop: &AtomicBool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let layout = &plan.layout;
    let parts: Vec<Part> = (0..layout.fights())
        .map(|fight| Part {
            fight,
            encounters: 0..layout.encounters(),
        })
        .collect();
    let what = format!(
        "{} of {} of {} each",
        counted(layout.shards(), "shard"),
        counted(layout.fights() as u64 * prepared.each(), "fight"),
        encounters(layout.encounters())
    );
    // A cut divides the counts of a fight into two parts, each about as long as the counts of the whole fight.
    let files = |bytes: u64| {
        let fights = layout.fights() as u64;
        let parts = fights.max(layout.shards());
        format!(
            "about {} into `{}`",
            size(bytes / fights * parts),
            cut.output.display()
        )
    };
    let context = Context {
        source: &Files,
        threads: threads_or_all(cut.threads),
        stop,
        watch: &(),
    };
    dry_run::foresee(prepared, &parts, &what, files, &context, console)
}

/// Reads the current text of the scenarios. Returns `None` if a file cannot be read, after printing the error.
fn texts(
    files: &[&PathBuf],
    set: &[String],
    console: &mut Console<'_>,
) -> Result<Option<Vec<Text>>, Failure> {
    let mut texts = Vec::with_capacity(files.len());
    for file in files {
        let name = Input::stem(file)?;
        let text = fs::read(file).ok().map(String::from_utf8);
        let Some(Ok(text)) = text else {
            // `input` prints the error.
            input(file, set, &Files, console)?;
            return Ok(None);
        };
        texts.push(Text { name, text });
    }
    Ok(Some(texts))
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
    if cut.quiet {
        return Ok(Exit::Done);
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
    console.say(format_args!(
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
fn is_there(file: &Path, plan: &Plan) -> Result<bool, Failure> {
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
    Err(Failure::input(anyhow!(
        "`{}` holds {why}: write this plan into another folder, or remove the old one and its shards",
        file.display()
    )))
}
