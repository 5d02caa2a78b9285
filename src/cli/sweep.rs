//! `skirmish sweep`: plays a variant at every value of one key, or two; `skirmish sensitivity` and `skirmish knockout`:
//! measure the effect of each change of a scenario.

use super::Session;
use super::args::count;
use super::publish::AnswerArgs;
use crate::scenario::BASE;
use crate::task::{Exit, Failure, Measure, Question, Source, Until};
use clap::Args;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// The varied keys and the threshold.
#[derive(Debug, Clone, Args)]
pub struct VaryArgs {
    /// Vary a key: combatants.archer.move=8..20, weapons.axe.damage=1d8,1d10; once or twice
    #[arg(
        long,
        alias = "over",
        required = true,
        value_name = "KEY=VALUES",
        long_help = "Vary a key: a range `8..20` (both ends included), a range with a step \
                     `8..20:2`, or values `8,10,15`, `full,simple`, `1d8,1d10+1`. Given twice, \
                     all combinations are played"
    )]
    pub vary: Vec<String>,

    /// Find where the win rate crosses this (50%, 0.5), and play no more values than that takes
    #[arg(long, value_name = "LEVEL")]
    pub threshold: Option<String>,
}

/// Arguments of `skirmish sweep`.
#[derive(Debug, Clone, Args)]
pub struct SweepArgs {
    /// The varied keys
    #[command(flatten)]
    pub along: VaryArgs,

    /// What changes and is measured
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// The options of a measurement.
#[derive(Debug, Clone, Args)]
pub struct MeasureArgs {
    /// Encounters of each fight: 20k, 1M
    #[arg(short = 'n', long, value_name = "COUNT", default_value = "100k", value_parser = count)]
    pub encounters: NonZeroU64,

    /// Variant to start from; `base` is the file as written
    #[arg(long, value_name = "NAME", default_value = BASE)]
    pub variant: String,

    /// Metric, see `skirmish explain metrics`; may be given several times
    #[arg(long, value_name = "NAME", default_value = "win_rate")]
    pub metric: Vec<String>,

    /// The side to show, for metrics of sides [default: the first]
    #[arg(long, value_name = "NAME")]
    pub side: Option<String>,

    /// The combatant to show, for metrics of combatants [default: the first]
    #[arg(long, value_name = "NAME")]
    pub combatant: Option<String>,

    /// The outcome to show, for `outcome_rate` [default: the first]
    #[arg(long, value_name = "NAME")]
    pub outcome: Option<String>,
}

/// Arguments of all that change one variant's numbers and measure what that does.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("exact", |exact| exact.conflicts_with_all(["encounters"])))]
pub struct ChangeArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The metrics
    #[command(flatten)]
    pub measure: MeasureArgs,

    /// How it is answered
    #[command(flatten)]
    pub answer: AnswerArgs,
}

impl MeasureArgs {
    pub(super) fn measure(&self) -> Measure {
        Measure {
            variant: self.variant.clone(),
            metric: self.metric.clone(),
            side: self.side.clone(),
            combatant: self.combatant.clone(),
            outcome: self.outcome.clone(),
        }
    }
}

impl VaryArgs {
    pub(super) fn question(&self, measure: Measure) -> Question {
        Question::Sweep {
            vary: self.vary.clone(),
            threshold: self.threshold.clone(),
            measure,
        }
    }
}

impl ChangeArgs {
    /// Asks a question about the measure.
    pub(super) fn ask(
        &self,
        question: impl FnOnce(Measure) -> Question,
        session: &mut Session<'_, impl Source>,
    ) -> Result<Exit, Failure> {
        let question = question(self.measure.measure());
        let until = Until::Encounters(self.measure.encounters);
        self.answer.answer(question, until, &[&self.file], session)
    }
}
