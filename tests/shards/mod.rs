//! Runs in parts: plans, shards, merging, checkpoints, and file errors.

mod checkpoints;
mod codes;
mod commands;
mod docs;
#[cfg(unix)]
mod faults;
mod foretold;
mod refusals;

use clap::Parser;
use skirmish::cli::{Cli, Command, Console, Exit, Failure};
use skirmish::cli::{compare, merge, missing, plan, run, sweep};
use skirmish::task::{Files, Source};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::{TempDir, tempdir};

/// The exit and the output of a command, as the process would show them.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) exit: Exit,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Outcome {
    /// Returns the output of a command that succeeded.
    fn printed(self) -> String {
        assert_eq!(self.exit, Exit::Done, "{}", self.err);
        self.out
    }

    /// Returns the messages of a command that ended with `exit` and printed nothing.
    fn said(self, exit: Exit) -> String {
        assert_eq!(self.exit, exit, "{}", self.err);
        assert_eq!(self.out, "");
        self.err
    }
}

/// A folder with a scenario, `duel.toml`, in which commands are run.
pub(crate) struct Room {
    folder: TempDir,
    pub(crate) stop: AtomicBool,
}

impl Room {
    pub(crate) fn new() -> Self {
        let folder = tempdir().expect("a folder");
        fs::write(folder.path().join("duel.toml"), crate::sweep::DUEL).expect("a file");
        Self {
            folder,
            stop: AtomicBool::new(false),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `skirmish LINE`, with `@` replaced by the folder.
    pub(crate) fn skirmish(&self, line: &str) -> Outcome {
        self.skirmish_with(&Files, line)
    }

    pub(crate) fn skirmish_with(&self, source: &impl Source, line: &str) -> Outcome {
        let folder = self.folder.path().to_str().expect("a path in UTF-8");
        let line = line.replace('@', folder);
        let words = ["skirmish"].into_iter().chain(line.split_whitespace());
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console::new(&mut out, &mut err);
        let command = Cli::try_parse_from(words).expect("arguments").command;
        let result: Result<Exit, Failure> = match command {
            Command::Run(args) => run::run(&args, source, &self.stop, &mut console),
            Command::Compare(args) => compare::run(&args, source, &self.stop, &mut console),
            Command::Sweep(args) => sweep::run(&args, source, &self.stop, &mut console),
            Command::Plan(args) => plan::run(&args, &self.stop, &mut console),
            Command::Missing(args) => missing::run(&args, &mut console),
            Command::Merge(args) => merge::run(&args, &mut console),
            _ => panic!("no command of this room"),
        };
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("UTF-8");
            text.replace(folder, "@")
        };
        let mut err = text(err);
        let exit = result.unwrap_or_else(|failure| {
            err += &format!("error: {:#}\n", failure.error).replace(folder, "@");
            failure.exit
        });
        Outcome {
            exit,
            out: text(out),
            err,
        }
    }

    /// Returns the path of the file of a shard of `@/run`.
    pub(crate) fn shard(&self, number: u64) -> PathBuf {
        self.path("run/shards").join(format!("{number:06}.shard"))
    }

    /// Plays a shard of `@/run`.
    pub(crate) fn play(&self, number: u64) {
        let line = format!("run --plan @/run --shard {number} -q --threads 1");
        self.skirmish(&line).printed();
    }
}

/// Returns all files below a folder, by name; manifests without the parts that may differ between equal runs.
pub(crate) fn results(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.extend(results(&path));
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file of results");
        let text = match text.split_once("\n  \"run\": {") {
            Some((before, _)) => before.to_owned(),
            None => text,
        };
        assert!(all.insert(name, text).is_none(), "two files of one name");
    }
    all
}
