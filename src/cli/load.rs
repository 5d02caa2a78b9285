//! Where scenarios come from and who plays them: what `run` needs to know of either.

use super::Failure;
use crate::engine::{Play, Player};
use crate::names::nearest;
use crate::scenario;
pub use crate::scenario::Variant;
use anyhow::anyhow;
use std::fmt::Write as _;
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

impl Scenario {
    /// The variant of that name.
    ///
    /// # Errors
    /// If there is none; the message names the nearest.
    pub fn variant(&self, name: &str, file: &Path) -> Result<&Variant, Failure> {
        if let Some(variant) = self.variants.iter().find(|variant| variant.name == name) {
            return Ok(variant);
        }
        let known: Vec<&str> = self.variants.iter().map(|v| v.name.as_str()).collect();
        let mut message = format!("`{}` has no variant `{name}`", file.display());
        let _ = match nearest(name, known.iter().copied()) {
            Some(near) => write!(message, ": did you mean `{near}`?"),
            None => write!(message, "; it has `{}`", known.join("`, `")),
        };
        Err(Failure::input(anyhow!(message)))
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
