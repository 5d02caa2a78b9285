//! The closing line: the encounters played, the speed, and the folders of the results.

use super::console::Console;
use crate::report::number::{counted, grouped};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Returns the closing line; `states` are the situations of solved fights.
pub(super) fn closing(encounters: u64, states: u64, seconds: f64, folders: &[PathBuf]) -> String {
    let what = match (encounters, states) {
        (0, 0) => "solved".to_owned(),
        (0, states) => format!("{} situations", grouped(states)),
        (count, _) => counted(count, "encounter"),
    };
    let mut line = format!("{what} in {seconds:.2} s");
    // Over a shorter time the rate says more about the clock.
    if seconds >= 0.1 && encounters > 0 {
        let rate = encounters as f64 / seconds;
        let _ = write!(line, ", {} a second", grouped(rate as u64));
    }
    if !folders.is_empty() {
        let folders: Vec<String> = folders
            .iter()
            .map(|folder| folder.display().to_string())
            .collect();
        let _ = write!(line, "; results in {}", folders.join(", "));
    }
    line
}

/// Prints how many encounters a checkpoint contains.
pub(super) fn say_resumed(file: &Path, found: u64, console: &mut Console<'_>) {
    if found > 0 {
        console.remark(format_args!(
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
