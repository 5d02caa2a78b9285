//! Where scenarios come from and who plays them: what `run` needs to know of either.

use super::{Console, Failure};
use crate::engine::{Play, Player};
use crate::fight::Fight;
use crate::names::unknown;
use crate::scenario;
pub use crate::scenario::Variant;
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
    /// Identifies the text of the file and of all overrides.
    pub hash: String,
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
    /// Reads a scenario with the overrides of the command line, and the warnings that it deserves.
    ///
    /// # Errors
    /// Everything that is wrong with it, ready to be printed.
    fn load(&self, path: &Path, overrides: &[String]) -> Result<(Scenario, Vec<String>), String>;

    /// Somebody who plays the encounters of a variant.
    fn player<'a>(&'a self, variant: &'a Variant, seed: u64) -> impl Play + 'a;
}

/// Scenario files.
#[derive(Debug, Clone, Copy)]
pub struct Files;

impl Source for Files {
    fn load(&self, path: &Path, overrides: &[String]) -> Result<(Scenario, Vec<String>), String> {
        let color = std::io::stderr().is_terminal();
        let loaded = scenario::Scenario::load(path, overrides).map_err(|all| all.render(color))?;
        let warnings = if loaded.warnings.is_empty() {
            Vec::new()
        } else {
            vec![loaded.warnings.render(color)]
        };
        let hash = loaded.scenario.hash_hex();
        let scenario::Scenario {
            title,
            question,
            variants,
            ..
        } = loaded.scenario;
        let scenario = Scenario {
            title,
            question,
            hash,
            variants,
        };
        Ok((scenario, warnings))
    }

    fn player<'a>(&'a self, variant: &'a Variant, seed: u64) -> impl Play + 'a {
        Player::new(&variant.fight, &variant.rules, seed)
    }
}

/// Reads all files and says all that is wrong with any of them; `None` if anything is.
pub(super) fn load_all(
    files: &[PathBuf],
    overrides: &[String],
    source: &impl Source,
    console: &mut Console<'_>,
) -> Option<Vec<Scenario>> {
    let mut scenarios = Some(Vec::with_capacity(files.len()));
    for file in files {
        match source.load(file, overrides) {
            Ok((scenario, warnings)) => {
                for warning in warnings {
                    console.say(warning);
                }
                if let Some(scenarios) = &mut scenarios {
                    scenarios.push(scenario);
                }
            }
            Err(wrong) => {
                console.say(wrong);
                scenarios = None;
            }
        }
    }
    scenarios
}

/// What a scenario's results are called: its file, without folder and ending.
///
/// # Errors
/// If the file has no such name.
pub(super) fn stem(file: &Path) -> Result<String, Failure> {
    file.file_stem()
        .and_then(|stem| stem.to_str())
        .filter(|stem| !stem.is_empty())
        .map(str::to_owned)
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
