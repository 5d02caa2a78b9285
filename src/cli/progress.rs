//! The bar that shows how a variant is getting on.

use crate::clean::clean_line;
use crate::output::{grouped, percents};
use crate::run::{Progress, StopRule};
use crate::stats::Confidence;
use crate::stats::intervals::of_rate;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
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
        Self(bar(show, encounters, "").with_prefix(clean_line(prefix).into_owned()))
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

/// A bar for all fights of a run, with the live win rate of the first side of the one at hand.
pub(super) struct Live {
    show: bool,
    bar: ProgressBar,
    confidence: Confidence,
    start: Instant,
    /// The first side of the fight at hand.
    side: Mutex<String>,
    /// Encounters that each fight is likely to take.
    expected: Mutex<Vec<u64>>,
    done: AtomicU64,
    wins: AtomicU64,
    /// Milliseconds after the start at which the win rate was last shown.
    shown: AtomicU64,
}

impl Live {
    /// Returns a bar for `fights` fights, of which `played` encounters have been played before.
    pub(super) fn new(
        show: bool,
        rule: &StopRule,
        confidence: Confidence,
        fights: usize,
        played: u64,
    ) -> Self {
        let about = match rule {
            StopRule::Encounters(_) => "",
            StopRule::Precision(_) | StopRule::Decisions(_) => "about ",
        };
        // Who waits for precision knows at the first look how far it is.
        let first = rule.looks().counts().next().unwrap_or_default();
        let expected = vec![first; fights];
        let bar = bar(show, first.saturating_mul(fights as u64), about).with_position(played);
        bar.reset_eta();
        Self {
            show,
            bar,
            confidence,
            start: Instant::now(),
            side: Mutex::default(),
            expected: Mutex::new(expected),
            done: AtomicU64::new(0),
            wins: AtomicU64::new(0),
            shown: AtomicU64::new(0),
        }
    }

    /// Continues with a fight whose first side has won `wins` of `encounters`.
    pub(super) fn begin(&self, variant: &str, side: &str, encounters: u64, wins: u64) {
        self.bar.set_prefix(clean_line(variant).into_owned());
        *lock(&self.side) = clean_line(side).into_owned();
        self.done.store(encounters, Ordering::Relaxed);
        self.wins.store(wins, Ordering::Relaxed);
    }

    /// Sets the length to the encounters likely needed, if after `encounters` the intervals are `excess` times too
    /// wide. Widths shrink with the root of the count.
    pub(super) fn expect(&self, fight: usize, encounters: u64, excess: f64, most: u64) {
        let needed = encounters as f64 * excess * excess;
        let mut expected = lock(&self.expected);
        if let Some(expected) = expected.get_mut(fight) {
            *expected = (needed as u64).clamp(encounters, most);
        }
        let all = expected.iter().copied().fold(0, u64::saturating_add);
        self.bar.set_length(all);
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
                .set_message(format!("{} win {rate} ({low} to {high})", lock(&self.side)));
        }
    }
}
