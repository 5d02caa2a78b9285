//! The bar that shows how a variant is getting on.

use crate::engine::{Progress, StopRule};
use crate::output::{grouped, percents};
use crate::stats::Confidence;
use crate::stats::intervals::of_rate;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Milliseconds between two looks at the win rate: people do not read faster.
const LOOK: u64 = 200;

/// A bar that fills as encounters are played; `about` goes before what is not known for certain.
fn bar(show: bool, encounters: u64, about: &str) -> ProgressBar {
    let target = if show {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let rate = |state: &ProgressState, text: &mut dyn Write| {
        let _ = write!(text, "{}/s", grouped(state.per_sec() as u64));
    };
    let style = ProgressStyle::with_template(&format!(
        "{{prefix}} {{bar:20}} {{human_pos}} of {about}{{human_len}}, {{rate}}, \
         {about}{{eta}} left  {{msg}}"
    ))
    .unwrap_or_else(|_| ProgressStyle::default_bar())
    .with_key("rate", rate);
    ProgressBar::with_draw_target(Some(encounters), target).with_style(style)
}

/// A bar for many fights, whose rates have nothing to say together.
pub(super) struct Fights(ProgressBar);

impl Fights {
    pub(super) fn new(show: bool, prefix: &str, encounters: u64) -> Self {
        Self(bar(show, encounters, "").with_prefix(prefix.to_owned()))
    }

    /// So many encounters are to be played besides.
    pub(super) fn more(&self, encounters: u64) {
        self.0.inc_length(encounters);
    }

    /// So many encounters are to be played in all, as far as is known now.
    pub(super) fn length(&self, encounters: u64) {
        self.0.set_length(encounters);
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
        rule: &StopRule,
        confidence: Confidence,
    ) -> Self {
        let about = match rule {
            StopRule::Encounters(_) => "",
            StopRule::Precision(_) | StopRule::Decisions(_) => "about ",
        };
        // Who waits for precision knows at the first look how far it is.
        let length = rule.looks().counts().next().unwrap_or_default();
        let bar = bar(show, length, about).with_prefix(variant.to_owned());
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

    /// So many encounters leave intervals that are `excess` times as wide as they should be: sets the
    /// length to what is likely needed. Widths shrink with the root of the count.
    pub(super) fn expect(&self, encounters: u64, excess: f64, most: u64) {
        let needed = encounters as f64 * excess * excess;
        self.bar.set_length((needed as u64).clamp(encounters, most));
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
        let first = wins.first().copied().unwrap_or_default();
        let done = self.done.fetch_add(encounters, Ordering::Relaxed) + encounters;
        let wins = self.wins.fetch_add(first, Ordering::Relaxed) + first;
        self.bar.inc(encounters);
        let now = self.start.elapsed().as_millis() as u64;
        let shown = self.shown.load(Ordering::Relaxed);
        let mine = now >= shown + LOOK
            && self
                .shown
                .compare_exchange(shown, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        // Another thread may have added its wins but not yet its encounters.
        let wins = wins.min(done);
        if mine && let Some(interval) = of_rate(wins, done, self.confidence) {
            let (rate, low, high) = percents(wins as f64 / done as f64, interval);
            self.bar
                .set_message(format!("{} win {rate} ({low} to {high})", self.side));
        }
    }
}
