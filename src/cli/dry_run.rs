//! `--dry-run`: plays for a second to estimate the time and space of a command.
//!
//! A probe runs the command without files and with as many encounters as a second allows. Its time and the
//! bytes it would have written give estimates for the whole command. The numbers of encounters are not
//! estimates unless a precision ends the run.

use super::args::Delivery;
use super::console::Console;
use crate::output::{encounters, grouped};
use crate::run::Until;
use crate::task::run::Runs;
use crate::task::shard::Part;
use crate::task::{Context, EachRows, Exit, Failure, Played, Prepared, Source};
use anyhow::Context as _;
use std::fmt::Write as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The encounters of each fight at the start of a probe.
const FIRST: u64 = 1;

/// The approximate time of a probe.
const SECOND: Duration = Duration::from_secs(1);

/// The encounters and bytes of a command run with fewer encounters.
pub(super) struct ProbeSize {
    /// The encounters of all fights together.
    pub(super) played: u64,
    /// The bytes that would have been written.
    pub(super) bytes: u64,
}

/// The result of a probe.
pub(super) struct Probe {
    small: ProbeSize,
    /// The time of the last attempt.
    time: Duration,
    /// The time of another encounter.
    each: f64,
}

/// Calls `play` repeatedly, with more and more encounters of each fight, up to `most`, until about a second has
/// passed. Returns `None` if interrupted.
pub(super) fn probe(
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
    /// Returns the encounters per second.
    fn rate(&self) -> f64 {
        1.0 / self.each.max(1e-9)
    }

    /// Returns the seconds that this number of encounters takes.
    fn seconds(&self, encounters: u64) -> f64 {
        let more = encounters as f64 - self.small.played as f64;
        (self.time.as_secs_f64() + more * self.each).max(0.0)
    }

    /// Returns the number of bytes counted.
    pub(super) fn bytes(&self) -> u64 {
        self.small.bytes
    }
}

/// A forecast of the work of a command.
pub(super) struct Forecast<'a> {
    /// The work: `9 variants of 1,000,000 encounters each`.
    pub(super) what: String,
    /// The fewest and the most encounters of all fights together.
    pub(super) encounters: [u64; 2],
    /// The number of threads.
    pub(super) threads: NonZeroUsize,
    /// The probe.
    pub(super) probe: &'a Probe,
    /// A description of the files to be written, if any.
    pub(super) files: Option<String>,
}

impl Forecast<'_> {
    /// Prints the forecast.
    pub(super) fn print(&self, console: &mut Console<'_>) -> Result<Exit, Failure> {
        let [least, most] = self.encounters;
        let time = |count: u64| about(self.probe.seconds(count));
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
        let mut text = format!("{}: {all}\n", self.what);
        let _ = writeln!(text, "about {time} on {threads}, at {rate} a second");
        if let Some(files) = &self.files {
            let _ = writeln!(text, "{files}");
        }
        text.push_str("this was a dry run: nothing was written");
        console
            .tell(text)
            .context("cannot write to standard output")
            .map_err(Failure::io)?;
        Ok(Exit::Done)
    }
}

/// Prints how much a task would play and write; `each` is the path for rows of encounters.
pub(super) fn dry_run<S: Source>(
    mut prepared: Prepared,
    delivery: &Delivery,
    each: Option<&Path>,
    context: &Context<'_, S>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let silent = &context.silent();
    let rule = prepared.task.until.clone();
    let (what, ([least, most], fights)) = (prepared.describe(), prepared.counts());
    let mut foreseen = None;
    let mut bytes_of_row = 0.0;
    let probe = probe(least, context.stop, |count| {
        prepared.task.until = Until::Encounters(count);
        let rows = each.map(|path| EachRows::counting(path, std::slice::from_ref(&prepared)));
        let rows = rows.transpose()?;
        let mut runs = Runs::new(silent, prepared.fights(), rows.as_ref(), None);
        let played = if rows.is_some() {
            Played::Run(runs.play(&prepared)?)
        } else {
            prepared.play(silent)?
        };
        let count = played.encounters();
        foreseen = played.foreseen(&prepared, &rule);
        let bytes = rows.map_or(0, |rows| rows.rows.bytes());
        bytes_of_row = bytes as f64 / count.max(1) as f64;
        let files = prepared.results(played, false).files();
        let files = files.map_err(Failure::io)?;
        Ok(ProbeSize {
            played: count,
            bytes: files.values().map(|file| file.len() as u64).sum(),
        })
    })?;
    let Some(probe) = probe else {
        return Ok(Exit::Interrupted);
    };
    let all = foreseen.map_or(
        [least, most].map(|count| count.saturating_mul(fights)),
        |all| [all; 2],
    );
    let folder = delivery.output.join(&prepared.name);
    let mut files = format!("about {} into `{}`", size(probe.bytes()), folder.display());
    if let Some(path) = each {
        let bytes = size((bytes_of_row * all[1] as f64) as u64);
        let _ = write!(files, ", and about {bytes} into `{}`", path.display());
    }
    Forecast {
        what,
        encounters: all,
        threads: context.threads,
        files: Some(files),
        probe: &probe,
    }
    .print(console)
}

/// Prints how much it takes to play parts of a plan; `files` describes the files for a number of bytes.
pub(super) fn foresee_parts<S: Source>(
    prepared: &Prepared,
    parts: &[Part],
    what: String,
    files: impl FnOnce(u64) -> String,
    context: &Context<'_, S>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let silent = &context.silent();
    let length = |part: &Part| part.encounters.end - part.encounters.start;
    let encounters = |parts: &[Part]| parts.iter().map(length).sum::<u64>() * prepared.each();
    let longest = parts.iter().map(length).max().unwrap_or_default();
    let probe = probe(longest, context.stop, |count| {
        let mut parts = parts.to_vec();
        for Part { encounters, .. } in &mut parts {
            encounters.end = encounters.end.min(encounters.start + count.get());
        }
        let counted = prepared.play_parts(&parts, silent)?;
        Ok(ProbeSize {
            played: encounters(&parts),
            bytes: counted.iter().map(|counts| counts.len() as u64).sum(),
        })
    })?;
    let Some(probe) = probe else {
        return Ok(Exit::Interrupted);
    };
    Forecast {
        what,
        encounters: [encounters(parts); 2],
        threads: context.threads,
        files: Some(files(probe.bytes())),
        probe: &probe,
    }
    .print(console)
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
