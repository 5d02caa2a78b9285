//! `skirmish compare`: compares variants with a baseline, encounter by encounter on the same dice.

use super::args::count;
use super::publish::AnswerArgs;
use crate::scenario::BASE;
use crate::stats::Precision;
use crate::task::{Compare, Decided, ENCOUNTERS, Question, Until};
use clap::Args;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// The variants and metrics of a comparison.
#[derive(Debug, Clone, Args)]
pub struct ContestArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Another scenario, whose variants are compared with the baseline instead
    #[arg(value_name = "OTHER")]
    pub other: Option<PathBuf>,

    /// The variant of FILE that the others are compared with
    #[arg(long, value_name = "NAME", default_value = BASE)]
    pub baseline: String,

    /// Compare only this variant; may be given several times
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,

    /// Metric to compare, or `all`; may be given several times
    /// [default: `win_rate`, `rounds`]
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<String>,
}

/// Arguments of `skirmish compare`.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("exact", |exact| exact.conflicts_with_all([
    "encounters", "until_decided", "indifference", "max_encounters",
])))]
pub struct CompareArgs {
    /// The variants and metrics
    #[command(flatten)]
    pub contest: ContestArgs,

    /// Encounters of each variant: 250k, 1M, 2_000_000 [default: 1M]
    #[expect(clippy::doc_markdown, reason = "it is shown as help")]
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = count)]
    #[arg(conflicts_with_all = ["until_decided", "indifference", "max_encounters"])]
    pub encounters: Option<NonZeroU64>,

    /// Instead of -n: play until each difference is certain, or certainly within --indifference
    #[arg(long)]
    pub until_decided: bool,

    /// The largest difference that does not matter; for counts, 0.5% is of the baseline's mean and
    /// 0.5 in their own unit
    #[arg(
        long,
        value_name = "WIDTH",
        default_value = "0.5%",
        requires = "until_decided"
    )]
    pub indifference: Precision,

    /// Stop --until-decided after this many encounters of each variant
    #[arg(long, value_name = "COUNT", default_value = "100M", requires = "until_decided", value_parser = count)]
    pub max_encounters: NonZeroU64,

    /// How it is answered
    #[command(flatten)]
    pub answer: AnswerArgs,
}

impl ContestArgs {
    /// Returns the files to compare.
    pub(super) fn files(&self) -> Vec<&PathBuf> {
        [&self.file].into_iter().chain(&self.other).collect()
    }

    pub(super) fn question(&self) -> Question {
        Question::Compare(Compare {
            baseline: self.baseline.clone(),
            variant: self.variants.clone(),
            metric: self.metrics.clone(),
        })
    }
}

impl CompareArgs {
    pub(super) fn until(&self) -> Until {
        if self.until_decided {
            Until::Decided(Decided {
                indifference: self.indifference.clone(),
                most: self.max_encounters,
            })
        } else {
            Until::Encounters(self.encounters.unwrap_or(ENCOUNTERS))
        }
    }
}
