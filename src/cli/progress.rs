//! The bar that shows how a variant is getting on.

use crate::engine::Progress;
use crate::output::{grouped, percents};
use crate::stats::Confidence;
use crate::stats::intervals::wilson;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Milliseconds between two looks at the win rate: people do not read faster.
const LOOK: u64 = 200;

/// A bar that fills as encounters are played.
fn bar(show: bool, encounters: u64) -> ProgressBar {
    let target = if show {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let rate = |state: &ProgressState, text: &mut dyn Write| {
        let _ = write!(text, "{}/s", grouped(state.per_sec() as u64));
    };
    let style = ProgressStyle::with_template(
        "{prefix} {bar:20} {human_pos} of {human_len}, {rate}, {eta} left  {msg}",
    )
    .unwrap_or_else(|_| ProgressStyle::default_bar())
    .with_key("rate", rate);
    ProgressBar::with_draw_target(Some(encounters), target).with_style(style)
}

/// A bar for many fights, whose rates have nothing to say together.
pub(super) struct Fights(ProgressBar);

impl Fights {
    pub(super) fn new(show: bool, prefix: &str, encounters: u64) -> Self {
        Self(bar(show, encounters).with_prefix(prefix.to_owned()))
    }

    /// So many encounters are to be played besides.
    pub(super) fn more(&self, encounters: u64) {
        self.0.inc_length(encounters);
    }

    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Fights {
    fn tick(&self, encounters: u64, _wins: &[u64]) {
        self.0.inc(encounters);
    }
}

/// A bar with the live win rate of the first side.
pub(super) struct Live {
    show: bool,
    bar: ProgressBar,
    side: String,
    confidence: Confidence,
    start: Instant,
    done: AtomicU64,
    wins: AtomicU64,
    /// Milliseconds after the start at which the win rate was last shown.
    shown: AtomicU64,
}

impl Live {
    pub(super) fn new(
        show: bool,
        variant: &str,
        side: &str,
        encounters: u64,
        confidence: Confidence,
    ) -> Self {
        let bar = bar(show, encounters).with_prefix(variant.to_owned());
        Self {
            show,
            bar,
            side: side.to_owned(),
            confidence,
            start: Instant::now(),
            done: AtomicU64::new(0),
            wins: AtomicU64::new(0),
            shown: AtomicU64::new(0),
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Live {
    fn tick(&self, encounters: u64, wins: &[u64]) {
        if !self.show {
            return;
        }
        self.bar.inc(encounters);
        // Who plays several fights at once has no single win rate to show.
        let Some(first) = wins.first().copied() else {
            return;
        };
        let done = self.done.fetch_add(encounters, Ordering::Relaxed) + encounters;
        let wins = self.wins.fetch_add(first, Ordering::Relaxed) + first;
        let now = self.start.elapsed().as_millis() as u64;
        let shown = self.shown.load(Ordering::Relaxed);
        let mine = now >= shown + LOOK
            && self
                .shown
                .compare_exchange(shown, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        // Another thread may have added its wins but not yet its encounters.
        let wins = wins.min(done);
        if mine && let Some(interval) = wilson(wins, done, self.confidence) {
            let (rate, low, high) = percents(wins as f64 / done as f64, interval);
            self.bar
                .set_message(format!("{} win {rate} ({low} to {high})", self.side));
        }
    }
}
