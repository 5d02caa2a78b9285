//! Workflow commands of GitHub Actions: a line of the file with a remark beside it.
//!
//! Source: "Workflow commands for GitHub Actions", <https://docs.github.com/actions/reference>.

use super::{Checked, Verdict};
use std::fmt::Write as _;

/// An annotation for everything that has not passed, and a closing line.
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
    // A closing line that no name in it can turn into a command: it holds none.
    text.push_str(&checked.tally());
    text.push('\n');
    text
}

/// A message: one line, whatever is in it.
fn message_text(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property, which also ends at a comma or colon.
fn property(text: &str) -> String {
    message_text(text).replace(':', "%3A").replace(',', "%2C")
}
