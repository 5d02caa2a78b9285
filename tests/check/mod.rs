//! `skirmish check`: expectations, committed results, mirror images.

mod baseline;
mod formats;
mod mirror;
mod mistakes;
mod progress;
mod verdicts;

use crate::output::width::joined;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::{TempDir, tempdir};

/// A fight that the heroes win in 54.6% of encounters with Full Rounds and in 68.4% with Simple ones. It usually ends
/// in Round 2, and no combatant casts spells.
const DUEL: &str = include_str!("duel.toml");

/// The exit code and the output of a process.
struct Outcome {
    code: i32,
    out: String,
    err: String,
}

fn skirmish(arguments: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .args(arguments)
        .output()
        .unwrap();
    Outcome {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: joined(&String::from_utf8(output.stderr).unwrap()),
    }
}

/// A folder with the duel and its expectations.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new(expectations: &str) -> Self {
        let bench = Self {
            folder: tempdir().unwrap(),
        };
        bench.write("duel.toml", &format!("{DUEL}\n{expectations}"));
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Checks the duel, with few encounters unless `options` say otherwise.
    fn check(&self, options: &str) -> Outcome {
        let file = self.path("duel.toml");
        let mut arguments = vec!["check", shown(&file), "-q", "--wide"];
        if !options.contains("-n ") {
            arguments.extend(["-n", "1k", "--max-encounters", "8k"]);
        }
        arguments.extend(options.split_whitespace());
        skirmish(&arguments)
    }

    /// Asserts that the duel's expectations are refused, and returns the error.
    fn refused(&self) -> String {
        let outcome = self.check("");
        assert_eq!((outcome.code, &outcome.out[..]), (2, ""), "{}", outcome.err);
        outcome.err
    }
}

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Returns an expectation of the heroes' win rate.
fn wins(claim: &str) -> String {
    format!("[[expect]]\nmetric = \"win_rate\"\nside = \"heroes\"\n{claim}\n")
}

/// Returns the only line of the text that begins with a verdict, with single spaces between its cells.
fn only_line(text: &str) -> String {
    let mut lines = text.lines().filter(|line| {
        ["passed ", "failed ", "undecided "]
            .iter()
            .any(|verdict| line.starts_with(verdict))
    });
    let line = lines.next().unwrap_or_else(|| panic!("no line in\n{text}"));
    assert_eq!(lines.next(), None, "{text}");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
