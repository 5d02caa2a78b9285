//! `skirmish check`: expectations and committed results.

mod baseline;
mod formats;
mod mistakes;
mod progress;
mod verdicts;

use crate::support::{Outcome, TestDir, skirmish, unwrapped};
use std::path::Path;

/// A fight that the heroes win in 54.6% of encounters with Full Rounds and in 68.4% with Simple ones. It usually ends
/// in Round 2, and no combatant casts spells.
pub(crate) const DUEL: &str = include_str!("duel.toml");

/// Returns the duel with claims that hold, whose findings take more than 512 bytes in any format.
pub(crate) fn claimed() -> String {
    let claim = "\n[[expect]]\nmetric = \"win_rate\"\nside = \"heroes\"\nmin = 0.1\n";
    format!("{DUEL}{}", claim.repeat(4))
}

/// Creates a folder with the duel and expectations.
fn duel_with(expectations: &str) -> TestDir {
    TestDir::with_duel(&format!("{DUEL}\n{expectations}"))
}

/// Checks the duel, with few encounters unless `options` say otherwise.
#[track_caller]
fn check(dir: &TestDir, options: &str) -> Outcome {
    let file = dir.path("duel.toml");
    let mut arguments = vec!["check", shown(&file), "-q", "--wide"];
    if !options.contains("-n ") {
        arguments.extend(["-n", "1k", "--max-encounters", "8k"]);
    }
    arguments.extend(options.split_whitespace());
    skirmish(&arguments)
}

/// Returns the errors of the duel with these expectations.
#[track_caller]
fn errors_of(expectations: &str) -> String {
    check(&duel_with(expectations), "").errors()
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
    unwrapped(line)
}
