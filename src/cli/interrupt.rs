//! Ends the process early: on an internal error, on Ctrl-C, and on a request to end (SIGTERM from schedulers,
//! SIGHUP from a closed terminal). The first signal finishes in order; the second, and any while input is
//! read, ends the process at once.

use crate::output::atomic;
use crate::task::{Exit, Failure};
use anyhow::Context;
use std::cell::Cell;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static STOP: AtomicBool = AtomicBool::new(false);

/// Whether input is being read. It may never end, as from a terminal, and nothing has to be finished yet.
static READING: AtomicBool = AtomicBool::new(false);

/// Signals this soon after the first are the same request: `timeout` and schedulers signal a process and then its
/// group.
const ONE_REQUEST: Duration = Duration::from_millis(500);

/// Reads input. A signal meanwhile ends the process at once.
pub(super) fn reading<T>(read: impl FnOnce() -> T) -> T {
    READING.store(true, Ordering::Relaxed);
    let input = read();
    READING.store(false, Ordering::Relaxed);
    input
}

/// Listens for Ctrl-C, SIGTERM and SIGHUP. The first of them sets the flag. The second, if it comes more than half
/// a second later, and any while input is read, ends the process and leaves old results as they were. `finish` says
/// what happens in between. Must be called before any file is read.
///
/// # Errors
/// If the operating system does not allow it.
pub fn install(finish: &'static str) -> Result<&'static AtomicBool, Failure> {
    keep_ignoring();
    let mut first = None;
    ctrlc::set_handler(move || {
        let is_same_request = first.get_or_insert_with(Instant::now).elapsed() < ONE_REQUEST;
        let stopped_before = STOP.swap(true, Ordering::Relaxed);
        let reading = READING.load(Ordering::Relaxed);
        if reading && !stopped_before {
            let _ = writeln!(
                std::io::stderr(),
                "\ninterrupted before all input was read; nothing was written"
            );
        }
        if stopped_before && is_same_request && !reading {
            return;
        }
        if reading || stopped_before {
            atomic::abandon(i32::from(Exit::Interrupted.code()));
        }
        let _ = writeln!(
            std::io::stderr(),
            "\nstopping{finish}; Ctrl-C again to stop at once"
        );
    })
    .context("cannot listen for Ctrl-C")
    .map_err(Failure::io)?;
    Ok(&STOP)
}

thread_local! {
    /// What to do about an internal error of this thread, instead of ending the process.
    static LOST: Cell<Option<Box<dyn FnOnce()>>> = const { Cell::new(None) };
}

/// Does work whose internal error costs this thread, and not the process. A release does not unwind, so the work cannot
/// be left: after `lost` its thread rests for ever, with all that it holds.
#[cfg(feature = "serve")]
pub(super) fn expendable<T>(work: impl FnOnce() -> T, lost: impl FnOnce() + 'static) -> T {
    LOST.set(Some(Box::new(lost)));
    let done = work();
    LOST.set(None);
    done
}

/// Turns a panic, which only an internal error can cause, into a message and an exit code of its own.
pub fn report_defects() {
    std::panic::set_hook(Box::new(|defect| {
        let _ = writeln!(
            std::io::stderr(),
            "internal error: {defect}\n\
             Please report it, with this message, the command and the scenario.\n\
             Results of earlier runs are as they were."
        );
        if let Some(lost) = LOST.try_with(Cell::take).ok().flatten() {
            lost();
            loop {
                std::thread::park();
            }
        }
        atomic::abandon(i32::from(Exit::Defect.code()));
    }));
}

/// Keeps ignoring signals that were ignored at the start (`nohup`): they are blocked in this thread, and so in
/// all threads that it starts.
#[cfg(target_os = "linux")]
fn keep_ignoring() {
    use nix::sys::signal::{SigSet, Signal};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let ignored = ignored.unwrap_or_default();
    let mut blocked = SigSet::empty();
    for signal in [Signal::SIGHUP, Signal::SIGTERM] {
        if ignored & (1 << (signal as u32 - 1)) != 0 {
            blocked.add(signal);
        }
    }
    // If blocking fails, the signal still stops the run and keeps its results.
    let _ = blocked.thread_block();
}

#[cfg(not(target_os = "linux"))]
fn keep_ignoring() {}
