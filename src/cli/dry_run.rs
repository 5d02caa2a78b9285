//! `plan --dry-run`: plays for a second to estimate the time and space of all shards.
//!
//! A probe plays the parts without files and with as many encounters as a second allows. Its time and the bytes that it
//! would have written give the estimates.

use super::console::Console;
use crate::output::{encounters, grouped};
use crate::report::number::counted;
use crate::task::shard::Part;
use crate::task::{Context, Exit, Failure, Prepared, Source};
use anyhow::Context as _;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The encounters of each fight at the start of a probe.
const FIRST: u64 = 1;

/// The approximate time of a probe.
const SECOND: Duration = Duration::from_secs(1);

/// The encounters and bytes of parts played with fewer encounters.
struct ProbeSize {
    /// The encounters of all fights together.
    played: u64,
    /// The bytes that would have been written.
    bytes: u64,
}

/// The result of a probe.
struct Probe {
    small: ProbeSize,
    /// The time of the last attempt.
    time: Duration,
    /// The seconds of another encounter.
    each: f64,
}

/// Calls `play` repeatedly, with more and more encounters of each fight, up to `most`, until about a second has
/// passed. Returns `None` if interrupted.
fn probe(
    most: u64,
    stop: &AtomicBool,
    mut play: impl FnMut(NonZeroU64) -> Result<ProbeSize, Failure>,
) -> Result<Option<Probe>, Failure> {
    let begun = Instant::now();
    let mut count = FIRST.min(most);
    let mut before = (0, 0.0);
    loop {
        let start = Instant::now();
        let small = play(NonZeroU64::new(count).unwrap_or(NonZeroU64::MIN))?;
        let time = start.elapsed();
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        // Part of the time is the same for any number of encounters: the other attempt tells how much.
        let (played, took) = (small.played, time.as_secs_f64());
        let each = match (played.saturating_sub(before.0), took - before.1) {
            (more, longer) if more > 0 && longer > 0.0 => longer / more as f64,
            _ => took / played.max(1) as f64,
        };
        before = (played, took);
        let left = SECOND.saturating_sub(begun.elapsed());
        let times = left.as_secs_f64() / time.as_secs_f64().max(1e-6);
        if count >= most || times < 2.0 && count > FIRST {
            return Ok(Some(Probe { small, time, each }));
        }
        count = count.saturating_mul((times as u64).clamp(4, 32)).min(most);
    }
}

impl Probe {
    /// Returns the seconds that this number of encounters takes.
    fn seconds(&self, encounters: u64) -> f64 {
        let more = encounters as f64 - self.small.played as f64;
        (self.time.as_secs_f64() + more * self.each).max(0.0)
    }
}

/// Prints how much it takes to play `parts`, described by `what`; `files` describes the files for a number of bytes.
pub(super) fn foresee<S: Source>(
    prepared: &Prepared,
    parts: &[Part],
    what: &str,
    files: impl FnOnce(u64) -> String,
    context: &Context<'_, S>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let silent = &context.silent();
    let length = |part: &Part| part.encounters.end - part.encounters.start;
    let all = |parts: &[Part]| parts.iter().map(length).sum::<u64>() * prepared.each();
    let longest = parts.iter().map(length).max().unwrap_or_default();
    let probe = probe(longest, context.stop, |count| {
        let mut parts = parts.to_vec();
        for Part { encounters, .. } in &mut parts {
            encounters.end = encounters.end.min(encounters.start + count.get());
        }
        let counted = prepared.play_parts(&parts, silent)?;
        Ok(ProbeSize {
            played: all(&parts),
            bytes: counted.iter().map(|counts| counts.len() as u64).sum(),
        })
    })?;
    let Some(probe) = probe else {
        return Ok(Exit::Interrupted);
    };
    let all = all(parts);
    let text = format!(
        "{what}: {}\nabout {} on {}, at {} a second\n{}\nthis was a dry run: nothing was written",
        encounters(all),
        about(probe.seconds(all)),
        counted(context.threads.get() as u64, "thread"),
        grouped((1.0 / probe.each.max(1e-9)) as u64),
        files(probe.small.bytes)
    );
    console
        .tell(text)
        .context("cannot write to standard output")
        .map_err(Failure::io)?;
    Ok(Exit::Done)
}

/// Formats a time for people.
fn about(seconds: f64) -> String {
    let whole = |number: f64, unit: &str| format!("{} {unit}", grouped(number.round() as u64));
    match seconds {
        _ if seconds < 1.0 => "a second".to_owned(),
        _ if seconds < 120.0 => whole(seconds, "s"),
        _ if seconds < 7200.0 => whole(seconds / 60.0, "minutes"),
        _ if seconds < 172_800.0 => whole(seconds / 3600.0, "hours"),
        _ => whole(seconds / 86_400.0, "days"),
    }
}

/// Formats a size for people.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", grouped(bytes / 1_000_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_told_in_units_that_one_can_imagine() {
        let times = [0.2, 59.7, 600.0, 36_000.0, 1e7].map(about);
        assert_eq!(
            times,
            ["a second", "60 s", "10 minutes", "10 hours", "116 days"]
        );
        let sizes = [999, 45_300, 7_000_001, 12_000_000_000_000].map(size);
        assert_eq!(sizes, ["999 bytes", "45 kB", "7 MB", "12,000 GB"]);
    }

    #[test]
    fn a_probe_plays_no_more_than_there_is() {
        let mut played = Vec::new();
        let never = AtomicBool::new(false);
        let probe = probe(100, &never, |count| {
            played.push(count.get());
            Ok(ProbeSize {
                played: count.get() * 3,
                bytes: 7,
            })
        });
        assert_eq!(played, [1, 32, 100]);
        assert_eq!(
            probe.ok().flatten().map(|probe| probe.small.played),
            Some(300)
        );
    }

    #[test]
    fn a_probe_that_is_stopped_tells_nothing() {
        let stop = AtomicBool::new(true);
        let probe = probe(100, &stop, |_| {
            Ok(ProbeSize {
                played: 0,
                bytes: 0,
            })
        });
        assert!(probe.is_ok_and(|probe| probe.is_none()));
    }
}
