//! Ctrl-C, and being asked to end (SIGTERM, which schedulers send; SIGHUP, when a terminal is
//! closed): once to finish in order, twice to end at once.

use super::Failure;
use super::exit::Exit;
use crate::output::atomic;
use anyhow::Context;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C, SIGTERM and SIGHUP. The flag is set by the first of them; the second ends the
/// process, and leaves old results as they were. To be called before any file is read.
///
/// # Errors
/// If the operating system does not let one listen.
pub fn install() -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            atomic::abandon(i32::from(Exit::Interrupted.code()));
        }
        let _ = writeln!(
            std::io::stderr(),
            "\nstopping: what is finished will be written; Ctrl-C again to stop at once"
        );
    })
    .context("cannot listen for Ctrl-C")
    .map_err(Failure::io)?;
    Ok(&STOP)
}
