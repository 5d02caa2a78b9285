//! `skirmish plan`: cuts a run, a comparison or a sweep into shards.
//!
//! The plan keeps the text of the scenarios, so that a machine that plays a shard needs nothing but
//! the plan, and a file that is edited meanwhile changes nothing.

use super::args::{Cut, Other, PlanArgs};
use super::folder::PLAN;
use super::work::{Work, dry_run, with_work};
use crate::cli::args::{Given, threads_or_all};
use crate::cli::dry_run::size;
use crate::cli::load::{Files, Planned, Source as _, stem};
use crate::cli::{Console, Exit, Failure};
use crate::output::{Target, encounters, grouped};
use crate::shard::{Order, Part, Plan, PlanError, Task, Text, Until};
use anyhow::{Context, anyhow};
use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Runs the subcommand.
///
/// # Errors
/// If the input is wrong, or the folder holds another plan.
pub fn run(args: &PlanArgs, stop: &AtomicBool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let (files, task, until, given, cut) = match args {
        PlanArgs::Run(run) => (
            vec![&run.file],
            Task::Run {
                variant: run.variants.clone(),
            },
            run.encounters,
            &run.given,
            &run.cut,
        ),
        PlanArgs::Other(Other::Compare(args)) => {
            let contest = &args.contest;
            (
                [Some(&contest.file), contest.other.as_ref()]
                    .into_iter()
                    .flatten()
                    .collect(),
                Task::Compare {
                    baseline: contest.baseline.clone(),
                    variant: contest.variants.clone(),
                    metric: contest.metrics.clone(),
                },
                args.encounters,
                &args.given,
                &args.cut,
            )
        }
        PlanArgs::Other(Other::Sweep(args)) => (
            vec![&args.along.file],
            Task::Sweep {
                vary: args.along.vary.clone(),
                threshold: args.along.threshold.clone(),
                variant: args.measure.variant.clone(),
                metric: args.measure.metric.clone(),
                side: args.measure.side.clone(),
                combatant: args.measure.combatant.clone(),
            },
            args.measure.encounters,
            &args.given,
            &args.cut,
        ),
    };
    let Some(scenarios) = texts(&files, given, console)? else {
        return Ok(Exit::BadInput);
    };
    let order = Order {
        seed: given.seed,
        confidence: given.confidence.to_string(),
        set: given.overrides.clone(),
        ..Order::new(task, Until::Encounters(until), scenarios)
    };
    let files = files.iter().map(|file| file.display().to_string());
    let plan = Plan::new(order, files.collect(), 1, NonZeroU64::MIN).map_err(Failure::input)?;
    let source = Planned {
        plan: &plan,
        warns: true,
    };
    let done = with_work(&source, console, |work, console| {
        let (order, files) = (plan.order.clone(), plan.files.clone());
        let plan = Plan::new(order, files, work.fights(), cut.shards)
            .context(format!("--shards {}", cut.shards))
            .map_err(Failure::input)?;
        if cut.dry_run {
            return foresee(&plan, work, cut, stop, console);
        }
        write(&plan, cut, work.each(), console)
    })?;
    Ok(done.unwrap_or(Exit::BadInput))
}

/// Says what it takes to play all shards on this machine.
fn foresee(
    plan: &Plan,
    work: &dyn Work,
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
        plural(layout.shards(), "shard"),
        plural(layout.fights() as u64 * work.each(), "fight"),
        encounters(layout.encounters())
    );
    // A cut divides the counts of a fight into two, each about as long as the whole.
    let files = |bytes: u64| {
        let fights = layout.fights() as u64;
        let parts = fights.max(layout.shards());
        format!(
            "about {} into `{}`",
            size(bytes / fights * parts),
            cut.output.display()
        )
    };
    let threads = threads_or_all(cut.threads);
    dry_run(work, &parts, what, files, threads, stop, console)
}

/// The scenarios as they are now; nothing if anything is wrong with a file, which has then been said.
fn texts(
    files: &[&PathBuf],
    given: &Given,
    console: &mut Console<'_>,
) -> Result<Option<Vec<Text>>, Failure> {
    let mut texts = Vec::with_capacity(files.len());
    for file in files {
        let name = stem(file)?;
        let text = fs::read(file).ok().map(String::from_utf8);
        let Some(Ok(text)) = text else {
            // It is the one place that says why.
            Files.read(file, &given.overrides, console);
            return Ok(None);
        };
        texts.push(Text { name, text });
    }
    Ok(Some(texts))
}

/// Writes a plan, unless it is there.
fn write(plan: &Plan, cut: &Cut, each: u64, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = cut.output.join(PLAN);
    let there = there(&file, plan)?;
    if !there {
        let mut target = Target::prepare(&cut.output, &[PLAN]).map_err(Failure::input)?;
        let mut batch = target.batch();
        batch
            .file(PLAN, |out| plan.write(out))
            .and_then(|()| batch.commit())
            .map_err(Failure::io)?;
    }
    if cut.quiet {
        return Ok(Exit::Done);
    }
    let shards = plan.layout.shards();
    let size = plan.layout.range(0);
    console.say(format_args!(
        "{} of each of {}, {} of {} each; `{}` {}",
        encounters(plan.layout.encounters()),
        plural(plan.layout.fights() as u64 * each, "fight"),
        plural(shards, "shard"),
        encounters((size.end - size.start) * each),
        file.display(),
        if there {
            "is there already"
        } else {
            "is written"
        },
    ));
    Ok(Exit::Done)
}

/// So many of something.
fn plural(number: u64, one: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {one}{ending}", grouped(number))
}

/// Whether the very plan is there.
fn there(file: &Path, plan: &Plan) -> Result<bool, Failure> {
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
