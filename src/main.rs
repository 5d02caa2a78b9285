//! The `skirmish` program: arguments in, exit code out.

use skirmish::cli::{self, Exit};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    report_defects();
    match cli::main(std::env::args_os()) {
        Ok(exit) => exit.into(),
        // `skirmish explain metrics | head` has done what was asked.
        Err(failure) if failure.is_closed_pipe() => Exit::Done.into(),
        Err(failure) => {
            // Without a standard error there is still the exit code.
            let _ = writeln!(std::io::stderr(), "error: {:#}", failure.error);
            failure.exit.into()
        }
    }
}

/// Turns a panic, which only a defect of the program can cause, into a message and an exit code of
/// its own.
fn report_defects() {
    std::panic::set_hook(Box::new(|defect| {
        let _ = writeln!(
            std::io::stderr(),
            "skirmish has a defect: {defect}\n\
             Please report it, with this message, the command and the scenario.\n\
             Results of earlier runs are as they were."
        );
        skirmish::output::atomic::abandon(i32::from(Exit::Defect.code()));
    }));
}
