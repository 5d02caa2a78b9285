//! Where scenarios come from and who plays them: what `run` needs to know of either.

use crate::engine::{Play, Player};
use crate::scenario;
pub use crate::scenario::Variant;
use std::io::IsTerminal;
use std::path::Path;

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
