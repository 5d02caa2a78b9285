//! Runs under adverse conditions: existing files, two runs at once, signals, unusable names.
//!
//! These tests start the program itself, as a user would.

mod folders;
mod machines;
mod names;
mod signals;
#[cfg(unix)]
mod watch;

use crate::output::width::joined;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A fight that ends quickly.
pub(crate) const DUEL: &str = include_str!("../check/duel.toml");

/// A temporary folder.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Creates a folder with the duel in `duel.toml`.
    pub(crate) fn with_duel() -> Self {
        let place = Self::new();
        place.write("duel.toml", DUEL);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the names of all files below the folder, including hidden ones, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        fn below(folder: &Path, prefix: &str, into: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                if entry.path().is_dir() {
                    below(&entry.path(), &format!("{name}/"), into);
                } else {
                    into.push(name);
                }
            }
        }
        let mut files = Vec::new();
        below(self.0.path(), "", &mut files);
        files.sort();
        files
    }

    /// Returns a command that runs the program with `words` in this folder.
    pub(crate) fn command(&self, words: &str) -> Command {
        let program = std::env::var_os("SKIRMISH");
        let program = program.unwrap_or_else(|| env!("CARGO_BIN_EXE_skirmish").into());
        let mut command = Command::new(program);
        command.args(words.split_whitespace());
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, words: &str) -> Ran {
        Ran::of(self.command(words).output().unwrap())
    }

    /// Starts the program.
    pub(crate) fn start(&self, words: &str) -> Child {
        let mut command = self.command(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }
}

/// The exit code and the output of a finished process.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: joined(&String::from_utf8(output.stderr).unwrap()),
        }
    }

    /// Asserts that the program succeeded.
    #[track_caller]
    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }

    /// Asserts that the program refused its input with a message that contains `message`.
    #[track_caller]
    pub(crate) fn refused(self, message: &str) -> Self {
        assert_eq!(self.code, Some(2), "{self:#?}");
        assert!(self.err.contains(message), "{self:#?}");
        self
    }
}

/// Waits until `so` returns true, for a minute at most.
#[track_caller]
pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_mins(1), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
