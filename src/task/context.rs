//! The environment of a task: scenarios, players, threads, progress.

use super::Failure;
use crate::names;
use crate::run::paired::{self, ComparedMetric, Contender, FightCounts, Paired};
use crate::run::points::{self, Point};
use crate::run::{Play, Player, Progress};
use crate::scenario::{Diagnostics, Loaded, Scenario, Variant};
use crate::tally::Tally;
use anyhow::Context as _;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The environment in which a task is played. It does not change the answer.
pub struct Context<'a, S> {
    /// Plays the encounters.
    pub source: &'a S,
    /// The number of threads to play on.
    pub threads: NonZeroUsize,
    /// Set from outside to end early: encounters in progress are finished.
    pub stop: &'a AtomicBool,
    /// Receives progress and warnings.
    pub watch: &'a dyn Watch,
    /// The encounters of the preceding pieces of the command.
    pub before: u64,
    /// The expected encounters of its following pieces.
    pub later: u64,
}

impl<'a, S> Context<'a, S> {
    /// Returns a context that plays on one thread without progress and never stops early.
    pub fn new(source: &'a S) -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self {
            source,
            threads: NonZeroUsize::MIN,
            stop: &NEVER,
            watch: &(),
            before: 0,
            later: 0,
        }
    }

    /// Says that play begins, with `encounters` to play, as [`Watch::begin`] does.
    pub(super) fn begin(&self, label: &str, encounters: u64, played: u64, estimated: bool) {
        let played = self.before.saturating_add(played);
        let encounters = self.of_all(encounters);
        self.watch.begin(label, encounters, played, estimated);
    }

    /// Corrects the number of encounters to play.
    pub(super) fn length(&self, encounters: u64) {
        self.watch.length(self.of_all(encounters));
    }

    fn of_all(&self, encounters: u64) -> u64 {
        let later = encounters.saturating_add(self.later);
        self.before.saturating_add(later)
    }

    /// Returns whether the task must end early.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl<S: Source> Context<'_, S> {
    /// Plays some encounters of each fight. `complete` turns the index and the tally of a fight into its result. If
    /// interrupted, returns only those of the first fights.
    pub(super) fn play_each<'a, R: Send>(
        &self,
        fights: impl IntoIterator<Item = (&'a Variant, Range<u64>)>,
        seed: u64,
        complete: impl Fn(usize, Tally) -> R + Sync,
    ) -> Result<Vec<R>, Failure> {
        let point = |(variant, encounters): (&'a Variant, _)| Point {
            play: self.source.player(variant, seed),
            fight: &variant.fight,
            encounters,
        };
        let points: Vec<_> = fights.into_iter().map(point).collect();
        points::run(&points, self.threads, self.stop, &self.watch, complete).map_err(Failure::io)
    }

    /// Returns the fights with their players, to be played side by side.
    pub(super) fn contenders<'a>(
        &'a self,
        variants: impl IntoIterator<Item = &'a Variant>,
        seed: u64,
    ) -> Vec<Contender<'a, impl Play + 'a>> {
        let contender = |variant: &'a Variant| Contender {
            player: self.source.player(variant, seed),
            fight: &variant.fight,
        };
        variants.into_iter().map(contender).collect()
    }

    /// Plays encounters of several fights on the same dice.
    ///
    /// # Errors
    /// If the operating system refuses the threads.
    pub(super) fn side_by_side<C: FightCounts>(
        &self,
        contenders: &[Contender<'_, impl Play>],
        questions: &[ComparedMetric],
        range: Range<u64>,
    ) -> Result<Paired<C>, Failure> {
        let (threads, stop) = (self.threads, self.stop);
        let played = paired::run(contenders, questions, range, threads, stop, &self.watch);
        played.map_err(Failure::io)
    }
}

/// Receives the progress of a task. The unit type ignores it.
pub trait Watch: Sync {
    /// Called when play begins with `encounters` to play, which is an estimate if `estimated`; `played` of them
    /// have been played before.
    fn begin(&self, label: &str, encounters: u64, played: u64, estimated: bool) {
        let _ = (label, encounters, played, estimated);
    }

    /// Corrects the number of encounters to play.
    fn length(&self, encounters: u64) {
        let _ = encounters;
    }

    /// Called when the play of a fight begins or continues. Its first side, `side`, has won `wins` of
    /// `encounters` so far.
    fn fight(&self, variant: &str, side: &str, encounters: u64, wins: u64) {
        let _ = (variant, side, encounters, wins);
    }

    /// Called when `encounters` more are finished; `wins` are the wins of each side among them.
    fn tick(&self, encounters: u64, wins: &[u64]) {
        let _ = (encounters, wins);
    }

    /// Called while a fight is being solved, with the situations found so far and the share of encounters still
    /// undecided in a Round.
    fn solving(&self, variant: &str, states: u64, round: u32, undecided: f64) {
        let _ = (variant, states, round, undecided);
    }

    /// Called when play has ended.
    fn end(&self) {}

    /// Reports a problem that does not stop the play.
    fn warn(&self, message: &str) {
        let _ = message;
    }
}

impl Watch for () {}

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
    /// If the scenario has errors: all of them.
    fn load(&self, path: &Path, set: &[String]) -> Result<Loaded, Diagnostics> {
        Scenario::load(path, set)
    }

    /// Reads a scenario with `--set` overrides, and names its results.
    ///
    /// # Errors
    /// If the scenario has errors, or its file name cannot name results.
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

/// Reads scenarios from files.
#[derive(Debug, Clone, Copy)]
pub struct Files;

impl Source for Files {}

/// Reads the same text under any name.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a>(pub &'a str);

impl Source for Text<'_> {
    fn load(&self, path: &Path, set: &[String]) -> Result<Loaded, Diagnostics> {
        Scenario::parse(&path.display().to_string(), self.0, set)
    }
}

/// A scenario that has been read.
#[derive(Debug, Clone)]
pub struct Input {
    /// The path of the file as given.
    pub file: PathBuf,
    /// The name of its results.
    pub stem: String,
    /// The content of the scenario.
    pub loaded: Loaded,
}

impl Input {
    /// Returns the name of a scenario's results: see [`names::stem`].
    ///
    /// # Errors
    /// If the path is a folder or does not give such a name.
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

    /// Returns the variant called `name`.
    ///
    /// # Errors
    /// If there is none; the message suggests the nearest name. If it is left out: its errors.
    pub fn variant(&self, name: &str) -> Result<&Variant, Failure> {
        self.loaded.has_sound(name)?;
        self.loaded.scenario.variant(name).ok_or_else(|| {
            let known = self.variants().iter().map(|variant| variant.name.as_str());
            Failure::input(anyhow::anyhow!(
                "`{}`: {}",
                names::of_file(&self.file),
                names::unknown("variant", name, known)
            ))
        })
    }

    /// Returns the title of the scenario.
    pub fn title(&self) -> &str {
        &self.loaded.scenario.title
    }

    /// Returns all variants, `base` first.
    pub fn variants(&self) -> &[Variant] {
        &self.loaded.scenario.variants
    }
}
