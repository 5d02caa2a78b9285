//! The line at the end: how much was played, how fast, and where the results are.

use crate::output::{encounters, grouped};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// What all scenarios together took.
#[derive(Default)]
pub(super) struct Total {
    encounters: u64,
    /// The situations of solved fights.
    states: u64,
    time: Duration,
    folders: Vec<String>,
}

impl Total {
    pub(super) fn add(&mut self, encounters: u64, time: Duration, folder: &Path) {
        self.play(encounters, time);
        self.folders.push(folder.display().to_string());
    }

    /// Counts encounters that left no files.
    pub(super) fn play(&mut self, encounters: u64, time: Duration) {
        self.encounters += encounters;
        self.time += time;
    }

    /// Counts the situations of fights that were solved.
    pub(super) fn solve(&mut self, states: u64) {
        self.states += states;
    }

    /// Whether nothing was finished.
    pub(super) fn is_empty(&self) -> bool {
        self.encounters == 0 && self.folders.is_empty()
    }

    pub(super) fn line(&self) -> String {
        let seconds = self.time.as_secs_f64();
        let what = match (self.encounters, self.states) {
            (0, 0) => "solved".to_owned(),
            (0, states) => format!("{} situations", grouped(states)),
            (count, _) => encounters(count),
        };
        let mut line = format!("{what} in {seconds:.2} s");
        if seconds > 0.0 && self.encounters > 0 {
            let rate = self.encounters as f64 / seconds;
            let _ = write!(line, ", {} a second", grouped(rate as u64));
        }
        if !self.folders.is_empty() {
            let _ = write!(line, "; results in {}", self.folders.join(", "));
        }
        line
    }
}
