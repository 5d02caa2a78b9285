//! How a task ends, and why it could not be done: the exit codes, all of them, in one place.

use crate::document::diagnostics::Diagnostics;
use anyhow::Error;
use std::io;
use std::process::ExitCode;

/// How a task, and so the process, ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All is done.
    Done = 0,
    /// An expectation failed.
    ExpectationFailed = 1,
    /// The input is wrong: the command line, a scenario, or a target that cannot be written.
    BadInput = 2,
    /// Files do not belong together: shards and their plan, a checkpoint and its run.
    Mismatch = 3,
    /// A defect of the program.
    Defect = 70,
    /// Reading or writing failed.
    Io = 74,
    /// Interrupted; finished work is kept.
    Interrupted = 130,
}

impl Exit {
    /// The code.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// All is done, or what is done by now.
    #[must_use]
    pub const fn of(interrupted: bool) -> Self {
        if interrupted {
            Self::Interrupted
        } else {
            Self::Done
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why something could not be done, and the exit code that goes with it.
#[derive(Debug, thiserror::Error)]
#[error("{error:#}")]
pub struct Failure {
    /// How the process ends.
    pub exit: Exit,
    /// What happened, and why.
    pub error: Error,
}

impl From<Diagnostics> for Failure {
    fn from(wrong: Diagnostics) -> Self {
        Self::input(wrong)
    }
}

impl Failure {
    /// The input is wrong.
    pub fn input(error: impl Into<Error>) -> Self {
        Self {
            exit: Exit::BadInput,
            error: error.into(),
        }
    }

    /// Reading or writing failed.
    pub fn io(error: impl Into<Error>) -> Self {
        Self {
            exit: Exit::Io,
            error: error.into(),
        }
    }

    /// Whether all that happened is that the reader of standard output has gone.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        self.error.chain().any(|cause| {
            cause
                .downcast_ref::<io::Error>()
                .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        })
    }
}
