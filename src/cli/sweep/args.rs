//! The arguments of `skirmish sweep`, as they are written.

use crate::cli::args::{Foretelling, Format, Playing, count};
use crate::cli::publish::About;
use crate::cli::report::{Command, PaperArgs, background};
use crate::output::manifest::{Contents, Manifest, Options, Variant};
use crate::run::StopRule;
use crate::scenario::{BASE, Loaded};
use clap::Args;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// What is varied.
#[derive(Debug, Clone, Args)]
pub struct VaryArgs {
    /// Scenario file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Vary a key: combatants.archer.move=8..20, weapons.axe.damage=1d8,1d10; once or twice
    #[arg(
        long,
        required = true,
        value_name = "KEY=VALUES",
        long_help = "Vary a key: a range `8..20` (both ends included), a range with a step \
                     `8..20:2`, or values `8,10,15`, `full,simple`, `1d8,1d10+1`. Given twice, \
                     all combinations are played"
    )]
    pub vary: Vec<String>,

    /// Play only as many values of a single key as it takes to find where the win rate crosses
    /// this: 50%, 0.5
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    pub threshold: Option<String>,
}

/// Arguments of `skirmish sweep`.
#[derive(Debug, Clone, Args)]
pub struct SweepArgs {
    /// What is varied
    #[command(flatten)]
    pub along: VaryArgs,

    /// What changes and is measured
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// What is measured of each fight.
#[derive(Debug, Clone, Args)]
pub struct MeasureArgs {
    /// Encounters of each fight
    #[arg(
        short = 'n',
        long,
        help = "Encounters of each fight that is played: 20k, 1M",
        value_name = "COUNT",
        default_value = "100k",
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub encounters: NonZeroU64,

    /// Variant to start from; the file as it stands is `base`
    #[arg(long, value_name = "NAME", default_value = BASE)]
    pub variant: String,

    /// What to measure; see `skirmish explain metrics`; may be given several times
    #[arg(long, value_name = "NAME", default_value = "win_rate")]
    pub metric: Vec<String>,

    /// The side that tables show of a metric of sides [default: the first]
    #[arg(long, value_name = "NAME")]
    pub side: Option<String>,

    /// The combatant that tables show of a metric of combatants [default: the first]
    #[arg(long, value_name = "NAME")]
    pub combatant: Option<String>,
}

/// Arguments of all that change one variant's numbers and measure what that does.
#[derive(Debug, Clone, Args)]
pub struct ChangeArgs {
    /// What is measured
    #[command(flatten)]
    pub measure: MeasureArgs,

    /// Folder for results: the scenario gets a folder in it, named like its file
    #[arg(short, long, value_name = "DIR", default_value = "results")]
    pub output: PathBuf,

    /// Refuse to replace results that are there already
    #[arg(long)]
    pub no_clobber: bool,

    /// What to print; the files are written in any case
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,

    /// Whether it is only foretold
    #[command(flatten)]
    pub foretelling: Foretelling,

    /// Whether there is to be a page with pictures
    #[command(flatten)]
    pub paper: PaperArgs,

    /// What is the same for all that play
    #[command(flatten)]
    pub playing: Playing,
}

impl ChangeArgs {
    /// The options as a manifest has them.
    pub(in crate::cli) fn options(&self) -> Options {
        Options {
            set: self.playing.given.overrides.clone(),
            variant: vec![self.measure.variant.clone()],
            metric: self.measure.metric.clone(),
            side: self.measure.side.clone(),
            combatant: self.measure.combatant.clone(),
            ..Options::default()
        }
    }

    /// What a page tells besides the results of `command`, which says what was changed.
    pub(in crate::cli) fn about(
        &self,
        loaded: &Loaded,
        notes: Vec<String>,
        command: Command,
    ) -> About {
        let measure = &self.measure;
        let variant = Some(&measure.variant).filter(|name| *name != BASE);
        let usual = measure.metric == ["win_rate"];
        let metrics = measure.metric.iter().filter(|_| !usual);
        About {
            question: loaded.scenario.question.clone(),
            notes,
            background: Some(background(loaded)),
            command: command
                .option("-n", measure.encounters)
                .options("--variant", variant)
                .options("--metric", metrics)
                .options("--side", &measure.side)
                .options("--combatant", &measure.combatant)
                .given(&self.playing.given)
                .report(&self.paper),
        }
    }

    /// The manifest of what was played of a scenario; `changes` are those of the variant.
    pub(in crate::cli) fn manifest(
        &self,
        loaded: &Loaded,
        interrupted: bool,
        changes: &[(String, String)],
        options: Options,
    ) -> Manifest {
        let contents = Contents {
            scenario: loaded.scenario.stem.clone(),
            title: loaded.scenario.title.clone(),
            stop: StopRule::Encounters(self.measure.encounters),
            confidence: self.playing.given.confidence,
            interrupted,
            variants: vec![Variant::new(
                &self.measure.variant,
                self.measure.encounters.get(),
                changes,
            )],
        };
        let hash = loaded.scenario.hash_hex();
        Manifest::new(contents, &hash, self.playing.given.seed, options)
    }
}
