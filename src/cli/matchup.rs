//! `skirmish matchup`: plays every build against every other.

use super::args::count;
use super::publish::AnswerArgs;
use crate::scenario::BASE;
use crate::stats::Precision;
use crate::task::{Decided, NarrowEnough, Question, Until, usual_metrics};
use clap::Args;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Arguments of `skirmish matchup`.
#[derive(Debug, Args)]
#[command(mut_arg("exact", |exact| exact.conflicts_with_all([
    "encounters", "precision", "until_decided", "indifference", "max_encounters",
])))]
pub struct MatchupArgs {
    /// Scenario file with `[[builds]]`
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Variant in which the builds meet; `base` is the file as written
    #[arg(long, value_name = "NAME", default_value = BASE)]
    pub variant: String,

    /// Instead of --precision: encounters of each fight: 40k, 1M; two fights a pair, one from each end
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = count)]
    #[arg(conflicts_with_all = ["until_decided", "indifference", "precision", "max_encounters"])]
    pub encounters: Option<NonZeroU64>,

    /// Play each pair until its score is known this well, all of them together
    #[arg(long, value_name = "WIDTH", default_value = "1%")]
    pub precision: Precision,

    /// Instead: play a pair only while it matters: until it is certain who wins it, and nothing takes more than
    /// --indifference from the mix
    #[arg(long, conflicts_with = "precision")]
    pub until_decided: bool,

    /// The largest difference that does not matter
    #[arg(
        long,
        value_name = "WIDTH",
        default_value = "1%",
        requires = "until_decided",
        conflicts_with = "precision"
    )]
    pub indifference: Precision,

    /// Stop after this many encounters of each fight
    #[arg(long, value_name = "COUNT", default_value = "1M", value_parser = count)]
    pub max_encounters: NonZeroU64,

    /// How it is answered
    #[command(flatten)]
    pub answer: AnswerArgs,
}

impl MatchupArgs {
    pub(super) fn question(&self) -> Question {
        Question::Matchup {
            variant: self.variant.clone(),
        }
    }

    pub(super) fn until(&self) -> Until {
        let most = self.max_encounters;
        match (self.encounters, self.until_decided) {
            (Some(encounters), _) => Until::Encounters(encounters),
            (None, true) => Until::Decided(Decided {
                indifference: self.indifference.clone(),
                most,
            }),
            (None, false) => Until::Precision(NarrowEnough {
                precision: self.precision.clone(),
                metrics: usual_metrics(),
                most,
            }),
        }
    }
}
