//! The progress bar on standard error.

use super::console::{print_error, watched};
use crate::clean::clean_line;
use crate::output::{grouped, percents};
use crate::stats::Confidence;
use crate::stats::intervals::of_rate;
use crate::task::Watch;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two updates of the win rate: people do not read faster.
const UPDATE: Duration = Duration::from_millis(200);

/// A progress bar with the live win rate of the first side of the current fight, if there is one.
pub(super) struct Bar {
    /// `None` if the bar is not shown: with `quiet`, or without a terminal.
    state: Option<Mutex<LiveBar>>,
    confidence: Confidence,
}

struct LiveBar {
    bar: ProgressBar,
    /// The first side of the current fight, with its encounters and wins.
    fight: Option<(String, u64, u64)>,
    updated: Instant,
}

impl LiveBar {
    /// Shows the win rate of the current fight; none before its first encounter.
    fn show_rate(&mut self, confidence: Confidence) {
        let Some((side, played, won)) = &self.fight else {
            return;
        };
        let message = of_rate(*won, *played, confidence).map(|interval| {
            let (rate, low, high) = percents(*won as f64 / *played as f64, interval);
            format!("{side} win {rate} ({low} to {high})")
        });
        self.bar.set_message(message.unwrap_or_default());
        self.updated = Instant::now();
    }
}

impl Bar {
    /// Returns a bar that is shown on a terminal, unless `quiet`.
    pub(super) fn new(quiet: bool, confidence: Confidence) -> Self {
        let state = || {
            Mutex::new(LiveBar {
                bar: ProgressBar::hidden(),
                fight: None,
                updated: Instant::now(),
            })
        };
        Self {
            state: (!quiet && watched()).then(state),
            confidence,
        }
    }

    fn state(&self) -> Option<MutexGuard<'_, LiveBar>> {
        let state = self.state.as_ref()?;
        Some(state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the style of the bar. `about` precedes a length that is an estimate. The time left is shown only
/// after the first encounters.
fn style(about: &str) -> ProgressStyle {
    let left = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let time = HumanDuration(state.eta());
        if state.elapsed() > UPDATE && state.pos() > 0 {
            let _ = write!(text, "{time:#} left");
        }
    };
    ProgressStyle::with_template(&format!(
        "{{prefix}} {{bar:10}} {{human_pos}} of {about}{{human_len}} {{left}}  {{wide_msg}}"
    ))
    .unwrap_or_else(|_| ProgressStyle::default_bar())
    .with_key("left", left)
}

impl Watch for Bar {
    fn begin(&self, label: &str, encounters: u64, played: u64, estimated: bool) {
        let Some(mut state) = self.state() else {
            return;
        };
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(encounters), target)
            .with_style(style(if estimated { "about " } else { "" }))
            .with_prefix(clean_line(label).into_owned())
            .with_position(played);
        bar.reset_eta();
        state.bar = bar;
        state.fight = None;
    }

    fn length(&self, encounters: u64) {
        if let Some(state) = self.state() {
            state.bar.set_length(encounters);
        }
    }

    fn fight(&self, variant: &str, side: &str, encounters: u64, wins: u64) {
        if let Some(mut state) = self.state() {
            state.bar.set_prefix(clean_line(variant).into_owned());
            state.fight = Some((clean_line(side).into_owned(), encounters, wins));
            // The rate that is shown is that of the variant before.
            state.show_rate(self.confidence);
        }
    }

    fn tick(&self, encounters: u64, wins: &[u64]) {
        let Some(mut state) = self.state() else {
            return;
        };
        state.bar.inc(encounters);
        let Some((_, played, won)) = &mut state.fight else {
            return;
        };
        *played += encounters;
        *won += wins.first().copied().unwrap_or_default();
        if state.updated.elapsed() >= UPDATE {
            state.show_rate(self.confidence);
        }
    }

    fn solving(&self, variant: &str, states: u64, round: u32, undecided: f64) {
        let Some(mut state) = self.state() else {
            return;
        };
        if state.updated.elapsed() < UPDATE {
            return;
        }
        let (variant, found) = (clean_line(variant), grouped(states));
        state.bar.set_message(match round {
            0 => format!("{variant}: {found} situations"),
            _ => format!("{variant}: {found} situations, Round {round}, {undecided:.0e} undecided"),
        });
        state.updated = Instant::now();
    }

    fn end(&self) {
        if let Some(state) = self.state() {
            state.bar.finish_and_clear();
        }
    }

    fn warn(&self, message: &str) {
        let print = || print_error(&format!("warning: {message}"));
        match self.state() {
            Some(state) => state.bar.suspend(print),
            None => print(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_never_shows_the_rate_of_another() {
        let state = LiveBar {
            bar: ProgressBar::hidden(),
            fight: None,
            updated: Instant::now(),
        };
        let bar = Bar {
            state: Some(Mutex::new(state)),
            confidence: Confidence::DEFAULT,
        };
        let shown = || {
            let state = bar.state().unwrap();
            (state.bar.prefix(), state.bar.message())
        };
        bar.fight("first", "heroes", 1_000, 700);
        let (label, rate) = shown();
        assert_eq!(label, "first");
        assert!(rate.starts_with("heroes win 70% ("), "{rate}");
        bar.fight("second", "heroes", 0, 0);
        assert_eq!(shown(), ("second".to_owned(), String::new()));
        bar.fight("first", "heroes", 1_000, 700);
        assert_eq!(shown(), (label, rate));
    }
}
