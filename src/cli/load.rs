//! Where scenarios come from and who plays them: what `run` needs to know of either.

use crate::clock::marks::rules::Rules;
use crate::engine::{Ending, Play, Record};
use crate::fight::Fight;
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

/// A scenario as it stands, or with something changed.
#[derive(Debug, Clone)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Who fights.
    pub fight: Fight,
    /// By which rules.
    pub rules: Rules,
    /// What it changes: keys and values.
    pub changes: Vec<(String, String)>,
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
    fn load(&self, path: &Path, _overrides: &[String]) -> Result<(Scenario, Vec<String>), String> {
        Err(format!(
            "error: `{}`: this version reads no scenario files",
            path.display()
        ))
    }

    fn player<'a>(&'a self, variant: &'a Variant, _seed: u64) -> impl Play + 'a {
        Nobody(&variant.fight)
    }
}

/// Lets every encounter run into its limit of Rounds.
struct Nobody<'a>(&'a Fight);

impl Play for Nobody<'_> {
    type State = ();

    fn state(&self) {}

    fn play(&self, _state: &mut (), _encounter: u64, record: &mut Record) {
        record.ending = Ending::Timeout;
        record.rounds = self.0.max_rounds;
        record.marks = self.0.max_rounds * 30;
    }
}
