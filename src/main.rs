//! The `skirmish` program: arguments in, exit code out.

use skirmish::clean::clean;
use skirmish::cli::interrupt::report_defects;
use skirmish::cli::{self, Exit};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    report_defects();
    match cli::main(std::env::args_os()) {
        Ok(exit) => exit.into(),
        // A closed pipe is no error: `skirmish explain metrics | head`.
        Err(failure) if failure.is_closed_pipe() => Exit::Done.into(),
        Err(failure) => {
            // Without a standard error there is still the exit code.
            let told = format!("error: {:#}", failure.error);
            let _ = writeln!(std::io::stderr(), "{}", clean(&told));
            failure.exit.into()
        }
    }
}
