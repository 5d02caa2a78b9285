//! `plan --dry-run`: plays for a second to estimate the time and space of all shards.
//!
//! A probe plays all fights without files and with as many encounters as a second allows. Its time and the bytes that
//! it would have written give the estimates.

use super::console::Console;
use crate::output::{encounters, grouped};
use crate::report::number::counted;
use crate::task::shard::{Plan, ShardPart};
use crate::task::{Context, Exit, Failure, Prepared, Source};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The encounters of each fight at the start of a probe.
const FIRST: u64 = 1;

/// The approximate time of a probe.
const SECOND: Duration = Duration::from_secs(1);

/// Calls `play` repeatedly, with more and more encounters of each fight, up to `most`, until about a second has
/// passed. `play` returns the encounters of all fights together and the bytes of their counts. Returns those of the last
/// call and its seconds, or `None` if interrupted.
fn probe(
    most: u64,
    stop: &AtomicBool,
    mut play: impl FnMut(u64) -> Result<(u64, u64), Failure>,
) -> Result<Option<(u64, u64, f64)>, Failure> {
    let begun = Instant::now();
    let mut count = FIRST.min(most);
    loop {
        let start = Instant::now();
        let (played, bytes) = play(count)?;
        let seconds = start.elapsed().as_secs_f64();
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let left = SECOND.saturating_sub(begun.elapsed());
        let times = left.as_secs_f64() / seconds.max(1e-6);
        if count >= most || times < 2.0 && count > FIRST {
            return Ok(Some((played, bytes, seconds)));
        }
        count = count.saturating_mul((times as u64).clamp(4, 32)).min(most);
    }
}

/// Prints the time and space for all shards of a plan in the folder `output` on this machine.
pub(super) fn foresee(
    plan: &Plan,
    prepared: &Prepared,
    output: &Path,
    context: &Context<'_, impl Source>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let (layout, each) = (&plan.layout, prepared.each());
    let fights = layout.fights() as u64;
    let probe = probe(layout.encounters(), context.stop, |count| {
        let part = |fight| ShardPart {
            fight,
            encounters: 0..count,
        };
        let parts: Vec<ShardPart> = (0..layout.fights()).map(part).collect();
        let counts = prepared.play_parts(&parts, context)?;
        let bytes = counts.iter().map(|counts| counts.len() as u64).sum();
        Ok((fights * count * each, bytes))
    })?;
    let Some((played, bytes, seconds)) = probe else {
        return Ok(Exit::Interrupted);
    };
    let all = layout.all() * each;
    let rate = played as f64 / seconds.max(1e-6);
    // A cut divides the counts of a fight into two parts, each about as long as the counts of the whole fight.
    let bytes = bytes / fights * fights.max(layout.shards());
    console.tell(format!(
        "{} of {} of {} each: {}\n\
         about {} on {}, at {} a second\n\
         about {} into `{}`\n\
         this was a dry run: nothing was written",
        counted(layout.shards(), "shard"),
        counted(fights * each, "fight"),
        encounters(layout.encounters()),
        encounters(all),
        about(all as f64 / rate),
        counted(context.threads.get() as u64, "thread"),
        grouped(rate as u64),
        size(bytes),
        output.display(),
    ))?;
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
fn size(bytes: u64) -> String {
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
            played.push(count);
            Ok((count * 3, 7))
        });
        assert_eq!(played, [1, 32, 100]);
        assert_eq!(probe.ok().flatten().map(|(played, ..)| played), Some(300));
    }

    #[test]
    fn a_probe_that_is_stopped_tells_nothing() {
        let stop = AtomicBool::new(true);
        let probe = probe(100, &stop, |_| Ok((0, 0)));
        assert!(probe.is_ok_and(|probe| probe.is_none()));
    }
}
