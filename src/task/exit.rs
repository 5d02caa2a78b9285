//! The exit codes of all tasks, and the errors that lead to them.

use crate::document::diagnostics::Diagnostics;
use anyhow::Error;
use std::io;
use std::process::ExitCode;

/// The way in which a task, and so the process, ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Done = 0,
    /// An expectation failed.
    ExpectationFailed = 1,
    /// The input is wrong: the command line, a scenario, or a target that cannot be written.
    BadInput = 2,
    /// Files do not belong together: shards and their plan, a checkpoint and its run.
    Mismatch = 3,
    /// An internal error of the program.
    Defect = 70,
    /// Reading or writing failed.
    Io = 74,
    /// Interrupted; finished work is kept.
    Interrupted = 130,
}

impl Exit {
    /// Returns the exit code.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the end of a task of which results may be `missing`: unless it was `stopped`, because a fight is too
    /// large to be solved.
    pub const fn of_missing(missing: bool, stopped: bool) -> Self {
        match (missing, stopped) {
            (false, _) => Self::Done,
            (true, true) => Self::Interrupted,
            (true, false) => Self::BadInput,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error with its exit code.
#[derive(Debug, thiserror::Error)]
#[error("{error:#}")]
pub struct Failure {
    /// The exit code of the process.
    pub exit: Exit,
    /// The error with its causes.
    pub error: Error,
}

/// An error that says nothing else is one of the input.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        error.downcast().unwrap_or_else(Self::input)
    }
}

impl From<Diagnostics> for Failure {
    fn from(wrong: Diagnostics) -> Self {
        Self::input(wrong)
    }
}

impl Failure {
    /// Returns a failure for invalid input.
    pub fn input(error: impl Into<Error>) -> Self {
        Self {
            exit: Exit::BadInput,
            error: error.into(),
        }
    }

    /// Returns a failure to read or write.
    pub fn io(error: impl Into<Error>) -> Self {
        Self {
            exit: Exit::Io,
            error: error.into(),
        }
    }

    /// Returns whether the only error is that the reader of standard output has closed the pipe.
    pub fn is_closed_pipe(&self) -> bool {
        self.error.chain().any(|cause| {
            cause
                .downcast_ref::<io::Error>()
                .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        })
    }
}
