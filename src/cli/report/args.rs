//! The arguments of `skirmish report`, as they are written.

use crate::cli::args::{Playing, SEED, count};
use crate::stats::Confidence;
use clap::{Args, ValueEnum};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// Arguments of `skirmish report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Scenario files, which are played; folders of results, which are read
    #[arg(required = true, value_name = "FILE|DIR")]
    pub inputs: Vec<PathBuf>,

    /// Encounters of each variant
    #[arg(
        short = 'n',
        long,
        help = "Encounters of each variant of a scenario: 250k, 1M, 2_000_000 [default: 1M]",
        value_name = "COUNT",
        value_parser = count,
        allow_hyphen_values = true
    )]
    pub encounters: Option<NonZeroU64>,

    /// Show this variant only; may be given several times; others are held against the first
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,

    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Html)]
    pub format: Format,

    /// File to write, or the folder of --format svg [default: report.html, or charts]
    #[arg(short, long, value_name = "FILE|DIR")]
    pub output: Option<PathBuf>,

    /// Open the page in a browser
    #[arg(long, conflicts_with = "format")]
    pub open: bool,

    /// What is the same for all that play
    #[command(flatten)]
    pub playing: Playing,
}

/// What `report` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One page that needs nothing but itself
    Html,
    /// A picture a chart, for slides
    Svg,
}

impl ReportArgs {
    /// Where it is written.
    pub(super) fn place(&self) -> &Path {
        let usual = match self.format {
            Format::Html => "report.html",
            Format::Svg => "charts",
        };
        self.output.as_deref().unwrap_or(Path::new(usual))
    }

    /// The first option that says how to play.
    pub(super) fn playing_option(&self) -> Option<&'static str> {
        let playing = &self.playing;
        [
            (self.encounters.is_some(), "-n"),
            (!self.variants.is_empty(), "--variant"),
            (!playing.given.overrides.is_empty(), "--set"),
            (playing.given.seed != SEED, "--seed"),
            (
                playing.given.confidence != Confidence::DEFAULT,
                "--confidence",
            ),
        ]
        .into_iter()
        .find_map(|(given, name)| given.then_some(name))
    }
}
