//! Workflow commands of GitHub Actions, which annotate lines of the scenario file.
//!
//! Source: "Workflow commands for GitHub Actions", <https://docs.github.com/actions/reference>.

use super::{Checked, Verdict};
use std::fmt::Write as _;

/// Formats an annotation for each finding that has not passed, and a summary line.
#[must_use]
pub fn github(checked: &Checked) -> String {
    let mut text = String::new();
    for file in &checked.files {
        for finding in &file.list {
            let (level, title) = match finding.verdict {
                Verdict::Passed => continue,
                Verdict::Undecided if checked.undecided_passes => ("warning", "undecided"),
                Verdict::Undecided => ("error", "undecided"),
                Verdict::Failed => ("error", "failed"),
            };
            let (line, column) = finding.place.unwrap_or((1, 1));
            let _ = writeln!(
                text,
                "::{level} file={},line={line},col={column},title={}::{}",
                property(&file.file),
                property(&format!("skirmish: {title}")),
                message_text(&finding.lines())
            );
        }
    }
    // The summary line contains no names, so no name can turn it into a command.
    text.push_str(&checked.tally());
    text.push('\n');
    text
}

/// Escapes a message so that it is a single line.
fn message_text(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property, which also ends at a comma or colon.
fn property(text: &str) -> String {
    message_text(text).replace(':', "%3A").replace(',', "%2C")
}
