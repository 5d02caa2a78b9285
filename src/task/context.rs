//! The means of answering a task: scenarios, players, threads, progress.

use super::Failure;
use super::shard::Plan;
use crate::names;
use crate::run::{Play, Player, Progress};
use crate::scenario::{Diagnostics, Loaded, Scenario, Variant};
use anyhow::Context as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// What encounters are played with. Nothing of it changes the answer.
pub struct Context<'a, S> {
    /// Plays the encounters.
    pub source: &'a S,
    /// Threads to play on.
    pub threads: NonZeroUsize,
    /// Set from outside to end early: encounters under way are finished.
    pub stop: &'a AtomicBool,
    /// Receives progress and warnings.
    pub watch: &'a dyn Watch,
}

impl<'a, S> Context<'a, S> {
    /// Plays on one thread, unwatched, to the end.
    pub fn new(source: &'a S) -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self {
            source,
            threads: NonZeroUsize::MIN,
            stop: &NEVER,
            watch: &(),
        }
    }

    /// The same, unwatched.
    #[must_use]
    pub fn silent(&self) -> Self {
        Self {
            watch: &(),
            ..*self
        }
    }

    /// Whether it is to end early.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Receives the progress of a task. The unit type ignores it.
pub trait Watch: Sync {
    /// Play begins. `encounters` is how many there are to play, an estimate if `estimated`; `played` of
    /// them have been played before.
    fn begin(&self, label: &str, encounters: u64, played: u64, estimated: bool) {
        let _ = (label, encounters, played, estimated);
    }

    /// Corrects the number of encounters to play.
    fn length(&self, encounters: u64) {
        let _ = encounters;
    }

    /// Goes on with a fight whose first side has won `wins` of `encounters`.
    fn fight(&self, variant: &str, side: &str, encounters: u64, wins: u64) {
        let _ = (variant, side, encounters, wins);
    }

    /// More encounters are done; `wins` of them by each side.
    fn tick(&self, encounters: u64, wins: &[u64]) {
        let _ = (encounters, wins);
    }

    /// A fight is being solved: so many situations are known, and that share of the encounters is
    /// undecided in a Round.
    fn solving(&self, variant: &str, states: u64, round: u32, undecided: f64) {
        let _ = (variant, states, round, undecided);
    }

    /// Play has ended.
    fn end(&self) {}

    /// Something is wrong that does not stop the play.
    fn warn(&self, message: &str) {
        let _ = message;
    }
}

impl Watch for () {}

/// Watches one of several pieces of a command, and reports progress of the whole.
pub struct Within<'a> {
    whole: &'a dyn Watch,
    /// Encounters of the pieces before.
    before: u64,
    /// Encounters expected of the pieces that follow.
    later: u64,
}

impl<'a> Within<'a> {
    /// Of a piece with `before` encounters played before it, and `later` expected after it.
    pub fn new(whole: &'a dyn Watch, before: u64, later: u64) -> Self {
        Self {
            whole,
            before,
            later,
        }
    }

    fn of_all(&self, encounters: u64) -> u64 {
        let later = encounters.saturating_add(self.later);
        self.before.saturating_add(later)
    }
}

impl Watch for Within<'_> {
    fn begin(&self, label: &str, encounters: u64, played: u64, estimated: bool) {
        let played = self.before.saturating_add(played);
        self.whole
            .begin(label, self.of_all(encounters), played, estimated);
    }

    fn length(&self, encounters: u64) {
        self.whole.length(self.of_all(encounters));
    }

    fn fight(&self, variant: &str, side: &str, encounters: u64, wins: u64) {
        self.whole.fight(variant, side, encounters, wins);
    }

    fn tick(&self, encounters: u64, wins: &[u64]) {
        self.whole.tick(encounters, wins);
    }

    fn solving(&self, variant: &str, states: u64, round: u32, undecided: f64) {
        self.whole.solving(variant, states, round, undecided);
    }

    fn end(&self) {
        self.whole.end();
    }

    fn warn(&self, message: &str) {
        self.whole.warn(message);
    }
}

impl Progress for &(dyn Watch + '_) {
    fn tick(&self, encounters: u64, wins: &[u64]) {
        Watch::tick(*self, encounters, wins);
    }
}

/// Loads scenarios and plays their encounters.
pub trait Source {
    /// Reads a scenario with `--set` overrides.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    fn load(&self, path: &Path, set: &[String]) -> Result<Loaded, Diagnostics> {
        Scenario::load(path, set)
    }

    /// Reads a scenario with `--set` overrides, and names its results.
    ///
    /// # Errors
    /// If anything is wrong with it, or the file has no name.
    fn input(&self, path: &Path, set: &[String]) -> Result<Input, Failure> {
        Ok(Input {
            stem: Input::stem(path)?,
            file: path.to_owned(),
            loaded: self.load(path, set)?,
        })
    }

    /// Returns the player of a variant.
    fn player<'a>(&'a self, variant: &'a Variant, seed: u64) -> impl Play + 'a {
        Player::new(&variant.fight, &variant.rules, seed)
    }
}

/// Scenario files.
#[derive(Debug, Clone, Copy)]
pub struct Files;

impl Source for Files {}

/// Scenarios as they were when they were planned, by the names of their files.
#[derive(Debug, Clone, Copy)]
pub struct Planned<'a>(pub &'a Plan);

impl Source for Planned<'_> {
    fn load(&self, path: &Path, set: &[String]) -> Result<Loaded, Diagnostics> {
        let mut texts = self.0.files.iter().zip(&self.0.order.scenarios);
        match texts.find(|(file, _)| Path::new(file) == path) {
            Some((file, text)) => Scenario::parse(file, &text.text, set),
            None => Scenario::load(path, set),
        }
    }
}

/// A scenario that has been read.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its file, as it was named.
    pub file: PathBuf,
    /// The name of its results.
    pub stem: String,
    /// Its content.
    pub loaded: Loaded,
}

impl Input {
    /// The name of a scenario's results: see [`names::stem`].
    ///
    /// # Errors
    /// If the file has no such name.
    pub fn stem(file: &Path) -> Result<String, Failure> {
        names::stem(file)
            .with_context(|| {
                let shown = file.display();
                if file.is_dir() {
                    let files = file.join("*.toml");
                    format!(
                        "`{shown}` is a folder: name scenario files, such as {}",
                        files.display()
                    )
                } else {
                    format!("`{shown}` does not name a file that a folder could be named after")
                }
            })
            .map_err(Failure::input)
    }

    /// Returns the variant of that name.
    ///
    /// # Errors
    /// If there is none; the message names the nearest.
    pub fn variant(&self, name: &str) -> Result<&Variant, Failure> {
        self.loaded.scenario.variant(name).ok_or_else(|| {
            let known = self.variants().iter().map(|one| one.name.as_str());
            Failure::input(anyhow::anyhow!(
                "`{}`: {}",
                names::of_file(&self.file),
                names::unknown("variant", name, known)
            ))
        })
    }

    /// The title of the scenario.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.loaded.scenario.title
    }

    /// All variants, `base` first.
    #[must_use]
    pub fn variants(&self) -> &[Variant] {
        &self.loaded.scenario.variants
    }
}
