//! A temporary folder in which commands run, for the tests of all subcommands.

pub(crate) mod fights;
mod scripted;

pub(crate) use scripted::Scripted;

use clap::Parser as _;
use serde_json::Value;
use skirmish::cli::{Cli, Console, Exit, Failure, Session, execute};
use skirmish::task::{Files, Source};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Output, Stdio};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;
use unicode_width::UnicodeWidthChar as _;

/// The cells of a row, by the names of their columns.
pub(crate) type Row = HashMap<String, String>;

/// Returns the rows of a CSV file.
#[track_caller]
pub(crate) fn rows(text: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader
        .deserialize()
        .map(|row| row.expect("a row"))
        .collect()
}

/// A temporary folder. Commands run in it as processes ([`Self::run`]) or within the test ([`Self::call`]).
pub(crate) struct TestDir {
    folder: TempDir,
    /// The stop flag of commands that run within the test.
    pub(crate) stop: AtomicBool,
}

impl TestDir {
    pub(crate) fn empty() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            stop: AtomicBool::new(false),
        }
    }

    /// Creates a folder with one file.
    pub(crate) fn with(name: &str, text: &str) -> Self {
        let dir = Self::empty();
        dir.write(name, text);
        dir
    }

    /// Creates a folder with `duel.toml`.
    pub(crate) fn with_duel(text: &str) -> Self {
        Self::with("duel.toml", text)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file, and creates the folders above it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        let text = fs::read_to_string(self.path(name));
        text.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).expect(name)
    }

    /// Returns the rows of a CSV file.
    #[track_caller]
    pub(crate) fn rows(&self, name: &str) -> Vec<Row> {
        rows(&self.read(name))
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
        below(self.root(), "", &mut files);
        files.sort();
        files
    }

    /// Returns the process `skirmish LINE` in this folder.
    pub(crate) fn command(&self, line: &str) -> process::Command {
        let mut command = program();
        command.args(line.split_whitespace());
        command.current_dir(self.root()).stdin(Stdio::null());
        command
    }

    /// Runs the process `skirmish LINE` in this folder to its end.
    #[track_caller]
    pub(crate) fn run(&self, line: &str) -> Outcome {
        Outcome::of(self.command(line).output().unwrap())
    }

    /// Starts the process `skirmish LINE` in this folder.
    pub(crate) fn start(&self, line: &str) -> Child {
        let mut command = self.command(line);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Runs `skirmish LINE` within the test. `@` stands for this folder, in the line and in the output.
    pub(crate) fn call(&self, line: &str) -> Outcome {
        let folder = self.root().to_str().unwrap();
        let line = line.replace('@', folder);
        let words = line.split_whitespace().map(str::to_owned).collect();
        self.call_words(&Files, words)
    }

    /// Runs `skirmish COMMAND @/duel.toml -q -o @/results ARGUMENTS` within the test.
    pub(crate) fn call_on_duel(&self, command: &str, arguments: &[&str]) -> Outcome {
        self.call_on_duel_with(&Files, command, arguments)
    }

    pub(crate) fn call_on_duel_with(
        &self,
        source: &impl Source,
        command: &str,
        arguments: &[&str],
    ) -> Outcome {
        let [file, results] =
            ["duel.toml", "results"].map(|name| self.path(name).to_str().unwrap().to_owned());
        let words = [command, &file, "-q", "-o", &results];
        let words = words.iter().chain(arguments);
        self.call_words(source, words.map(|&word| word.to_owned()).collect())
    }

    fn call_words(&self, source: &impl Source, mut words: Vec<String>) -> Outcome {
        words.insert(0, "skirmish".to_owned());
        let cli = Cli::try_parse_from(words).expect("arguments");
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut session = Session {
            source,
            stop: &self.stop,
            console: Console::new(&mut out, &mut err).hushed(cli.quiet),
        };
        let result = execute(cli.command, &[], &mut session);
        let outcome = Outcome::of_call(result, out, err);
        // The folder has another name every time.
        let folder = self.root().to_str().unwrap();
        Outcome {
            out: outcome.out.replace(folder, "@"),
            err: outcome.err.replace(folder, "@"),
            ..outcome
        }
    }
}

/// Returns the program, or the one that the environment variable `SKIRMISH` names.
pub(crate) fn program() -> process::Command {
    let program = std::env::var_os("SKIRMISH");
    process::Command::new(program.unwrap_or_else(|| env!("CARGO_BIN_EXE_skirmish").into()))
}

/// Runs the program in the folder of the project.
#[track_caller]
pub(crate) fn skirmish(arguments: &[&str]) -> Outcome {
    Outcome::of(program().args(arguments).output().unwrap())
}

/// The exit and the output of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) exit: Exit,
    pub(crate) out: String,
    /// Of a process, with wrapped sentences joined.
    pub(crate) err: String,
}

impl Outcome {
    /// Returns the outcome of a finished process, which no signal may have ended.
    #[track_caller]
    pub(crate) fn of(output: Output) -> Self {
        let err = joined(&String::from_utf8(output.stderr).unwrap());
        let exit = match output.status.code() {
            Some(0) => Exit::Done,
            Some(1) => Exit::ExpectationFailed,
            Some(2) => Exit::BadInput,
            Some(3) => Exit::Mismatch,
            Some(70) => Exit::Defect,
            Some(74) => Exit::Io,
            Some(130) => Exit::Interrupted,
            other => panic!("exit code {other:?}: {err}"),
        };
        Self {
            exit,
            out: String::from_utf8(output.stdout).unwrap(),
            err,
        }
    }

    /// Returns the outcome of a command that ran within the test, with the error that the program would print.
    pub(crate) fn of_call(result: Result<Exit, Failure>, out: Vec<u8>, err: Vec<u8>) -> Self {
        let mut err = String::from_utf8(err).unwrap();
        let exit = result.unwrap_or_else(|failure| {
            writeln!(err, "error: {:#}", failure.error).expect("memory");
            failure.exit
        });
        Self {
            exit,
            out: String::from_utf8(out).unwrap(),
            err,
        }
    }

    #[track_caller]
    pub(crate) fn assert_done(self) -> Self {
        assert_eq!(self.exit, Exit::Done, "{self:#?}");
        self
    }

    /// Asserts that the command succeeded, and returns its output.
    #[track_caller]
    pub(crate) fn printed(&self) -> String {
        assert_eq!(self.exit, Exit::Done, "{self:#?}");
        self.out.clone()
    }

    /// Asserts that the command succeeded, and returns its output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.printed()).expect("JSON")
    }

    /// Asserts that the command was interrupted before it had anything to write.
    #[track_caller]
    pub(crate) fn assert_nothing_written(&self) {
        assert_eq!(self.exit, Exit::Interrupted);
        assert!(self.err.contains("nothing was written"), "{}", self.err);
    }

    /// Asserts that the command ended with `exit` and printed nothing, and returns its messages.
    #[track_caller]
    pub(crate) fn messages(&self, exit: Exit) -> String {
        assert_eq!((self.exit, self.out.as_str()), (exit, ""), "{}", self.err);
        self.err.clone()
    }

    /// Asserts that the command refused its input and printed nothing, and returns its errors.
    #[track_caller]
    pub(crate) fn errors(&self) -> String {
        self.messages(Exit::BadInput)
    }

    /// Asserts that the command refused its input with an error that contains `message`.
    #[track_caller]
    pub(crate) fn assert_refused(&self, message: &str) {
        assert_eq!(self.exit, Exit::BadInput, "{self:#?}");
        assert!(self.err.contains(message), "{self:#?}");
    }
}

/// Returns a text with its wrapped sentences joined: a continuation line is indented two columns further.
pub(crate) fn joined(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let goes_on = line.strip_prefix("  ").filter(|rest| {
            let first = rest.chars().next();
            first.is_some_and(|c| !matches!(c, ' ' | '|' | '=')) && !rest.starts_with("-->")
        });
        match (goes_on, lines.last_mut()) {
            (Some(rest), Some(last)) if !last.is_empty() => {
                last.push(' ');
                last.push_str(rest);
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Returns a text with single spaces between its words.
pub(crate) fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number of columns that a line takes on a terminal.
pub(crate) fn columns(line: &str) -> usize {
    line.chars().map(|c| c.width().unwrap_or(1)).sum()
}

/// Asserts that no line is wider than 80 columns.
#[track_caller]
pub(crate) fn assert_narrow(text: &str) {
    for line in text.lines() {
        assert!(columns(line) <= 80, "{} columns: {line}", columns(line));
    }
}
