//! `--dry-run`: what a command would play and write, foreseen from a second of playing.
//!
//! The command is carried out in small, with fewer encounters and no files: as many as a second
//! allows. How long that took and how much it would have written says how long and how much the
//! whole will. Both are estimates; the counts are not.

use super::publish::Answer;
use super::{Console, Exit, Failure};
use crate::output::manifest::Manifest;
use crate::output::{encounters, grouped};
use anyhow::Context;
use std::io::{self, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The encounters of each fight with which a probe begins.
const FIRST: u64 = 16;

/// How long a probe takes, about.
const SECOND: Duration = Duration::from_secs(1);

/// What came of carrying out something in small.
pub(super) struct Small {
    /// Encounters of all fights together.
    pub(super) played: u64,
    /// Bytes that it would have written.
    pub(super) bytes: u64,
}

/// What a probe has shown.
pub(super) struct Probe {
    small: Small,
    /// What the small one took.
    time: Duration,
}

/// Carries out something in small again and again, with ever more encounters of each fight, up to
/// `most`, until a second has gone.
pub(super) fn probe(
    most: u64,
    stop: &AtomicBool,
    mut play: impl FnMut(NonZeroU64) -> Result<Small, Failure>,
) -> Result<Option<Probe>, Failure> {
    let begun = Instant::now();
    let mut count = FIRST.min(most);
    loop {
        let start = Instant::now();
        let small = play(NonZeroU64::new(count).unwrap_or(NonZeroU64::MIN))?;
        let time = start.elapsed();
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let left = SECOND.saturating_sub(begun.elapsed());
        let times = left.as_secs_f64() / time.as_secs_f64().max(1e-6);
        if count >= most || times < 2.0 {
            return Ok(Some(Probe { small, time }));
        }
        count = count.saturating_mul((times as u64).min(32)).min(most);
    }
}

impl Probe {
    /// Encounters a second.
    fn rate(&self) -> f64 {
        self.small.played as f64 / self.time.as_secs_f64().max(1e-6)
    }

    /// Bytes that were counted.
    pub(super) fn bytes(&self) -> u64 {
        self.small.bytes
    }
}

/// What is foreseen.
pub(super) struct Forecast<'a> {
    /// What is played: `9 variants of 1,000,000 encounters each`.
    pub(super) what: String,
    /// Encounters of all fights together, at least and at most.
    pub(super) encounters: [u64; 2],
    /// Threads that play.
    pub(super) threads: NonZeroUsize,
    /// What was seen.
    pub(super) probe: &'a Probe,
    /// What would be written, if anything.
    pub(super) files: Option<String>,
}

impl Forecast<'_> {
    /// Prints it.
    pub(super) fn print(&self, console: &mut Console<'_>) -> Result<Exit, Failure> {
        let [least, most] = self.encounters;
        let time = |count: u64| about(count as f64 / self.probe.rate());
        let (all, time) = if least == most {
            (encounters(most), time(most))
        } else {
            (
                format!("{} to {}", grouped(least), encounters(most)),
                format!("{} to {}", time(least), time(most)),
            )
        };
        let threads = match self.threads.get() {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        let rate = grouped(self.probe.rate() as u64);
        console
            .result(|out| {
                writeln!(out, "{}: {all}", self.what)?;
                writeln!(out, "about {time} on {threads}, at {rate} a second")?;
                if let Some(files) = &self.files {
                    writeln!(out, "{files}")?;
                }
                writeln!(out, "this was a dry run: nothing was written")
            })
            .context("cannot write to standard output")
            .map_err(Failure::io)?;
        Ok(Exit::Done)
    }
}

/// What would be written into a folder.
pub(super) fn into_folder(bytes: u64, folder: &Path) -> String {
    format!("about {} into `{}`", size(bytes), folder.display())
}

/// The bytes of an answer's files.
pub(super) fn bytes_of<A: Answer>(answer: &A, manifest: &Manifest) -> Result<u64, Failure> {
    let mut counted = Counted::default();
    answer
        .csv(&mut counted)
        .and_then(|()| manifest.write(&mut counted))
        .map_err(Failure::io)?;
    Ok(counted.0)
}

/// Counts bytes and drops them.
#[derive(Default)]
pub(super) struct Counted(pub(super) u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A time for people.
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

/// A size for people.
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
            Ok(Small {
                played: count.get() * 3,
                bytes: 7,
            })
        });
        assert_eq!(played, [16, 100]);
        assert_eq!(
            probe.ok().flatten().map(|probe| probe.small.played),
            Some(300)
        );
    }

    #[test]
    fn a_probe_that_is_stopped_tells_nothing() {
        let stop = AtomicBool::new(true);
        let probe = probe(100, &stop, |_| {
            Ok(Small {
                played: 0,
                bytes: 0,
            })
        });
        assert!(probe.is_ok_and(|probe| probe.is_none()));
    }
}
