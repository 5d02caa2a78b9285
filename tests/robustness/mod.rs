//! Runs under adverse conditions: existing files, two runs at once, signals, unusable names.
//!
//! These tests start the program itself, as a user would.

mod folders;
mod machines;
mod messages;
mod names;
#[cfg(unix)]
pub(crate) mod signals;
#[cfg(unix)]
mod watch;

use std::time::{Duration, Instant};

/// Waits until `so` returns true, for a minute at most.
#[track_caller]
pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_mins(1), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
