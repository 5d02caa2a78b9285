//! Where scenarios come from and who plays them: what `run` needs to know of either.

use super::report::background;
use super::{Console, Failure};
use crate::fight::Fight;
use crate::names::{self, unknown};
use crate::output::html::Background;
use crate::run::{Play, Player};
use crate::scenario;
pub use crate::scenario::Variant;
use crate::scenario::{Diagnostics, Loaded};
use crate::shard::Plan;
use crate::tally::Metric;
use anyhow::{Context, anyhow};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// A scenario that has been read and found right.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// What tables are headed with.
    pub title: String,
    /// What it asks.
    pub question: Option<String>,
    /// What a page tells of it besides results.
    pub background: Background,
    /// Identifies the text of the file.
    pub hash: String,
    /// The text of the file.
    pub text: String,
    /// `base` first, then the others in file order.
    pub variants: Vec<Variant>,
}

impl Scenario {
    /// The variant of that name.
    ///
    /// # Errors
    /// If there is none; the message names the nearest.
    pub fn variant(&self, name: &str, file: &Path) -> Result<&Variant, Failure> {
        if let Some(variant) = self.variants.iter().find(|variant| variant.name == name) {
            return Ok(variant);
        }
        let known = self.variants.iter().map(|v| v.name.as_str());
        Err(Failure::input(anyhow!(
            "`{}`: {}",
            file.display(),
            unknown("variant", name, known)
        )))
    }
}

/// A source of scenarios, and of those who play them.
pub trait Source {
    /// Reads a scenario file as [`load`](Self::load) does, and keeps the tree that can be changed.
    fn read(&self, path: &Path, overrides: &[String], console: &mut Console<'_>) -> Option<Loaded> {
        read(path, overrides, console)
    }

    /// Reads a scenario with the overrides of the command line, and says what it deserves to be
    /// warned of; nothing if anything is wrong with it, which has then been said.
    fn load(
        &self,
        path: &Path,
        overrides: &[String],
        console: &mut Console<'_>,
    ) -> Option<Scenario>;

    /// Somebody who plays the encounters of a variant.
    fn player<'a>(&'a self, variant: &'a Variant, seed: u64) -> impl Play + 'a;
}

/// Scenario files.
#[derive(Debug, Clone, Copy)]
pub struct Files;

impl Source for Files {
    fn load(
        &self,
        path: &Path,
        overrides: &[String],
        console: &mut Console<'_>,
    ) -> Option<Scenario> {
        self.read(path, overrides, console).map(Scenario::from)
    }

    fn player<'a>(&'a self, variant: &'a Variant, seed: u64) -> impl Play + 'a {
        Player::new(&variant.fight, &variant.rules, seed)
    }
}

/// Scenarios as they were when they were planned, by the names of their files.
#[derive(Debug, Clone, Copy)]
pub struct Planned<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Whether to say what they deserve to be warned of: it has been said when they were planned.
    pub warns: bool,
}

impl Source for Planned<'_> {
    fn read(&self, path: &Path, overrides: &[String], console: &mut Console<'_>) -> Option<Loaded> {
        let mut texts = self.plan.files.iter().zip(&self.plan.order.scenarios);
        let (file, text) = texts.find(|(file, _)| Path::new(file) == path)?;
        let parsed = scenario::Scenario::parse(file, &text.text, overrides);
        let loaded = told(parsed, console)?;
        if self.warns {
            warn(&loaded, console);
        }
        Some(loaded)
    }

    fn load(
        &self,
        path: &Path,
        overrides: &[String],
        console: &mut Console<'_>,
    ) -> Option<Scenario> {
        self.read(path, overrides, console).map(Scenario::from)
    }

    fn player<'a>(&'a self, variant: &'a Variant, seed: u64) -> impl Play + 'a {
        Files.player(variant, seed)
    }
}

impl From<Loaded> for Scenario {
    fn from(loaded: Loaded) -> Self {
        let hash = loaded.scenario.hash_hex();
        let text = loaded.document.text().to_owned();
        let background = background(&loaded);
        let scenario::Scenario {
            title,
            question,
            variants,
            ..
        } = loaded.scenario;
        Self {
            title,
            question,
            background,
            hash,
            text,
            variants,
        }
    }
}

/// Reads a scenario file and says what it deserves to be warned of; if anything is wrong with it, that
/// has been said.
pub(super) fn read(path: &Path, overrides: &[String], console: &mut Console<'_>) -> Option<Loaded> {
    let loaded = told(scenario::Scenario::load(path, overrides), console)?;
    warn(&loaded, console);
    Some(loaded)
}

fn warn(loaded: &Loaded, console: &mut Console<'_>) {
    if !loaded.warnings.is_empty() {
        console.say_in_colour(&rendered(&loaded.warnings));
    }
}

/// What was read, or nothing once it has been said what is wrong.
pub(super) fn told<T>(read: Result<T, Diagnostics>, console: &mut Console<'_>) -> Option<T> {
    read.map_err(|wrong| console.say_in_colour(&rendered(&wrong)))
        .ok()
}

fn rendered(diagnostics: &Diagnostics) -> String {
    diagnostics.render(std::io::stderr().is_terminal())
}

/// What is read from each of the files; nothing if anything is wrong with any of them, all of which
/// has then been said.
pub(super) fn each<T>(
    files: &[PathBuf],
    mut read: impl FnMut(&Path) -> Option<T>,
) -> Option<Vec<T>> {
    // All are read before any is missed, so that all that is wrong is said at once.
    let all: Vec<Option<T>> = files.iter().map(|file| read(file)).collect();
    all.into_iter().collect()
}

/// What a scenario's results are called: see [`names::stem`].
///
/// # Errors
/// If the file has no such name.
pub(super) fn stem(file: &Path) -> Result<String, Failure> {
    names::stem(file)
        .with_context(|| {
            format!(
                "`{}` does not name a file that a folder could be named after",
                file.display()
            )
        })
        .map_err(Failure::input)
}

/// Proves that a metric is measured in a fight.
///
/// # Errors
/// If the fight's system does not measure it.
pub(super) fn measured_in(metric: &Metric, fight: &Fight) -> Result<(), Failure> {
    if metric.is_measured(fight) {
        return Ok(());
    }
    Err(Failure::input(anyhow!(
        "`{}` is not measured in this fight of {}; `skirmish explain metrics` says where each is",
        metric.name,
        fight.system.title
    )))
}
