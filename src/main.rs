//! The `skirmish` program: arguments in, exit code out.

use skirmish::cli::interrupt::report_defects;
use skirmish::cli::{self, Exit};
use std::process::ExitCode;

fn main() -> ExitCode {
    report_defects();
    match cli::main(std::env::args_os()) {
        Ok(exit) => exit.into(),
        // A closed pipe is no error: `skirmish explain metrics | head`.
        Err(failure) if failure.is_closed_pipe() => Exit::Done.into(),
        Err(failure) => {
            cli::print_error(&format!("error: {:#}", failure.error));
            failure.exit.into()
        }
    }
}
