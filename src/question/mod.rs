//! Questions as plain data, which plans, checkpoints and manifests store.

mod command;

pub use crate::run::stop::{Decided, NarrowEnough, Until};
pub use command::Command;
pub(crate) use command::{shell, shell_path};

use crate::names::unknown;
use crate::stats::Confidence;
use crate::tally::{Metric, metrics};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;
use std::path::PathBuf;

/// The default seed. It is fixed, so that equal commands give equal results.
pub const SEED: u64 = 1;

/// The default number of encounters of each fight, and the most of a run without a given length.
pub const ENCOUNTERS: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();

/// A run without a given length ends when the intervals of all win rates have this half-width.
pub const PRECISION: &str = "0.5%";

/// A question with everything that decides the bytes of its answer, except for the scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The question.
    #[serde(rename = "task")]
    pub question: Question,
    /// When to end the play of each fight.
    pub until: Until,
    /// The seed.
    pub seed: u64,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The overrides, as given with `--set`.
    pub set: Vec<String>,
}

impl Task {
    /// Returns a question about a fixed number of encounters of each fight, with the default seed and confidence.
    pub fn new(question: Question, encounters: NonZeroU64) -> Self {
        Self {
            question,
            until: Until::Encounters(encounters),
            seed: SEED,
            confidence: Confidence::DEFAULT,
            set: Vec::new(),
        }
    }
}

/// The question about the encounters, with its options as given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase")]
pub enum Question {
    /// The results of each variant.
    Run {
        /// `--variant`; empty for all.
        variant: Vec<String>,
    },
    /// The difference of each variant from a baseline.
    Compare(Compare),
    /// The results of a variant at all values of keys.
    Sweep {
        /// `--vary`.
        vary: Vec<String>,
        /// `--threshold`.
        threshold: Option<String>,
        /// The metric and the variant.
        #[serde(flatten)]
        measure: Measure,
    },
    /// The effect of 1 more of each number of each combatant.
    Sensitivity(Measure),
    /// The effect of each change: of policy lines, gear, rulings and numbers.
    Knockout(Measure),
    /// The values that are best, or reach a level.
    Tune(Tune),
    /// The best play of a side.
    #[serde(rename = "best-play")]
    BestPlay {
        /// `--variant`.
        variant: String,
        /// `--side`.
        side: Option<String>,
    },
    /// The scores of all builds against each other, and the mix of builds that cannot be exploited.
    Matchup {
        /// `--variant`.
        variant: String,
    },
    /// Whether the scenarios meet their expectations.
    Check(Check),
}

/// A check of scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// `--tolerance`, as a share.
    pub tolerance: Option<f64>,
    /// `--baseline`: committed results to compare with as well.
    pub baseline: Option<PathBuf>,
    /// `--allow-undecided`.
    pub allow_undecided: bool,
}

/// A search for the best candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tune {
    /// `--vary`; empty for all parameters with a range.
    pub over: Vec<String>,
    /// `--goal`.
    pub goal: Vec<String>,
    /// `--within`; `None` for the default.
    pub within: Option<String>,
    /// `--variant`.
    pub variant: String,
    /// `--side`.
    pub side: Option<String>,
    /// `--combatant`.
    pub combatant: Option<String>,
    /// `--outcome`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
}

/// A comparison of variants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compare {
    /// `--baseline`.
    pub baseline: String,
    /// `--variant`; empty for all others.
    pub variant: Vec<String>,
    /// `--metric`; empty for the default metrics.
    pub metric: Vec<String>,
}

/// The metrics of one variant that sweeps, sensitivities and knockouts measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// `--variant`.
    pub variant: String,
    /// `--metric`.
    pub metric: Vec<String>,
    /// `--side`.
    pub side: Option<String>,
    /// `--combatant`.
    pub combatant: Option<String>,
    /// `--outcome`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
}

/// Returns the end of a run without a given length: every win rate is known to [`PRECISION`].
///
/// # Panics
/// Never: the text is a precision.
pub fn usual_end() -> Until {
    Until::Precision(NarrowEnough {
        precision: PRECISION.parse().expect("a precision"),
        metrics: usual_metrics(),
        most: ENCOUNTERS,
    })
}

/// Returns the metrics that a precision is about if no other is named.
pub fn usual_metrics() -> Vec<&'static Metric> {
    metrics::find("win_rate").into_iter().collect()
}

/// Returns the metric called `name`.
///
/// # Errors
/// If there is none, or it has no mean. The message for an unknown name suggests the nearest.
pub fn summed_up(name: &str) -> Result<&'static Metric, String> {
    match metrics::find(name) {
        Some(metric) if metric.kind.has_summary() => Ok(metric),
        Some(metric) => Err(format!(
            "`{name}` is a {}: it has no mean; write another, such as `win_rate`",
            metric.kind.name()
        )),
        None => {
            let known = metrics::all().filter(|metric| metric.kind.has_summary());
            Err(unknown("metric", name, known.map(|metric| metric.name)))
        }
    }
}
