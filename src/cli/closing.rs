//! The closing line: the encounters played, the speed, and the folders of the results.

use super::args::Playing;
use super::console::Console;
use crate::output::{encounters, grouped};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// The encounters, situations and time of all scenarios together.
#[derive(Default)]
pub(super) struct Total {
    encounters: u64,
    /// The situations of solved fights.
    states: u64,
    time: Duration,
    folders: Vec<String>,
}

impl Total {
    /// Returns the total of a single run.
    pub(super) fn of(encounters: u64, time: Duration) -> Self {
        Self {
            encounters,
            time,
            ..Self::default()
        }
    }

    /// Adds the numbers of one scenario, whose results are in `folder` if they were written.
    pub(super) fn add(
        &mut self,
        encounters: u64,
        states: u64,
        time: Duration,
        folder: Option<&Path>,
    ) {
        self.encounters += encounters;
        self.states += states;
        self.time += time;
        let folder = folder.map(|folder| folder.display().to_string());
        self.folders.extend(folder);
    }

    /// Returns whether nothing was finished.
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
        // Over a shorter time the rate says more about the clock.
        if seconds >= 0.1 && self.encounters > 0 {
            let rate = self.encounters as f64 / seconds;
            let _ = write!(line, ", {} a second", grouped(rate as u64));
        }
        if !self.folders.is_empty() {
            let _ = write!(line, "; results in {}", self.folders.join(", "));
        }
        line
    }
}

/// Prints how many encounters a checkpoint contains.
pub(super) fn say_resumed(file: &Path, found: u64, playing: &Playing, console: &mut Console<'_>) {
    if found > 0 && !playing.quiet {
        console.say(format_args!(
            "resuming from `{}`: {} encounters have been played",
            file.display(),
            grouped(found)
        ));
    }
}

/// Prints the place of a checkpoint.
pub(super) fn say_saved(file: &Path, console: &mut Console<'_>) {
    console.say(format_args!(
        "saved in `{}`: rerun the same command to resume",
        file.display()
    ));
}
