//! Runs in shards: `skirmish plan`, `run --plan`, `missing` and `merge`.
//!
//! A folder holds the plan and, in `shards`, what has been played. Whoever carries out a plan makes
//! of it the very arguments that one run would have been given, and goes the same way from there: so
//! what is merged cannot be told from what is run.

mod args;
mod folder;
mod merge;
mod missing;
mod plan;
mod play;
mod work;

pub use args::{MergeArgs, MissingArgs, PlanArgs, ShardNumber};
pub use merge::run as merge;
pub use missing::run as missing;
pub use plan::run as plan;
pub(super) use play::run as play;

use super::args::{Foretelling, Format, Given, Playing, RunArgs};
use super::compare::{CompareArgs, ContestArgs, INDIFFERENCE};
use super::report::PaperArgs;
use super::sweep::{ChangeArgs, MeasureArgs, SweepArgs, VaryArgs};
use super::{Exit, Failure};
use crate::shard::{Order, Plan, Task, Until};
use std::path::PathBuf;

/// How results of a plan are handed over.
struct Handing {
    output: PathBuf,
    no_clobber: bool,
    format: Format,
    quiet: bool,
    paper: PaperArgs,
}

impl Handing {
    /// Nothing is handed over.
    const NONE: Self = Self {
        output: PathBuf::new(),
        no_clobber: false,
        format: Format::Table,
        quiet: true,
        paper: PaperArgs { report: None },
    };
}

/// The arguments of one run that does what a plan says.
enum Whole {
    Run(RunArgs),
    Compare(CompareArgs),
    Sweep(SweepArgs),
}

impl Whole {
    /// Those of a plan.
    fn of(plan: &Plan, handing: Handing) -> Result<Self, Failure> {
        let Order {
            task,
            until,
            seed,
            confidence,
            set,
            ..
        } = &plan.order;
        let Until::Encounters(encounters) = *until else {
            return Err(changed());
        };
        let given = Given {
            seed: *seed,
            confidence: confidence.parse().map_err(|_| changed())?,
            overrides: set.clone(),
        };
        let playing = Playing {
            given,
            threads: None,
            quiet: handing.quiet,
        };
        let Handing {
            output,
            no_clobber,
            format,
            paper,
            ..
        } = handing;
        let mut files = plan.files.iter().map(PathBuf::from);
        Ok(match task {
            Task::Run { variant } => Self::Run(RunArgs {
                files: files.collect(),
                plan: None,
                shard: None,
                checkpoint: None,
                checkpoint_every: 0,
                encounters: Some(encounters),
                precision: None,
                metrics: Vec::new(),
                max_encounters: encounters,
                output,
                each: None,
                no_clobber,
                format,
                variants: variant.clone(),
                foretelling: Foretelling::default(),
                paper,
                playing,
            }),
            Task::Compare {
                baseline,
                variant,
                metric,
            } => Self::Compare(CompareArgs {
                contest: ContestArgs {
                    file: files.next().ok_or_else(changed)?,
                    other: files.next(),
                    baseline: baseline.clone(),
                    variants: variant.clone(),
                    metrics: metric.clone(),
                },
                encounters: Some(encounters),
                until_decided: false,
                indifference: INDIFFERENCE.parse().map_err(|_| changed())?,
                max_encounters: encounters,
                output,
                no_clobber,
                format,
                foretelling: Foretelling::default(),
                paper,
                playing,
            }),
            Task::Sweep {
                vary,
                threshold,
                variant,
                metric,
                side,
                combatant,
            } => Self::Sweep(SweepArgs {
                along: VaryArgs {
                    file: files.next().ok_or_else(changed)?,
                    vary: vary.clone(),
                    threshold: threshold.clone(),
                },
                change: ChangeArgs {
                    measure: MeasureArgs {
                        encounters,
                        variant: variant.clone(),
                        metric: metric.clone(),
                        side: side.clone(),
                        combatant: combatant.clone(),
                    },
                    output,
                    no_clobber,
                    format,
                    foretelling: Foretelling::default(),
                    paper,
                    playing,
                },
            }),
        })
    }
}

/// A plan that `skirmish plan` has not written so.
fn changed() -> Failure {
    Failure {
        exit: Exit::Mismatch,
        error: anyhow::anyhow!(
            "the plan is none that `skirmish plan` writes: plan again, into another folder"
        ),
    }
}
