//! Workflow commands of GitHub Actions, which annotate lines of the scenario file.
//!
//! Source: "Workflow commands for GitHub Actions", <https://docs.github.com/actions/reference>.

use super::text::{largest_moves, smaller_moves};
use super::{Checked, Verdict};
use crate::document::diagnostics::Diagnostics;

/// Formats an annotation for each finding that has not passed (of the moves of a variant, for the largest), and a summary
/// line.
pub fn github(checked: &Checked) -> String {
    let mut text = String::new();
    for file in &checked.files {
        let (shown, hidden) = largest_moves(&file.list);
        for finding in shown {
            let (level, title) = match finding.verdict {
                Verdict::Passed => continue,
                Verdict::Undecided if checked.undecided_passes => ("warning", "undecided"),
                Verdict::Undecided => ("error", "undecided"),
                Verdict::Failed => ("error", "failed"),
            };
            let place = finding.place.unwrap_or((1, 1));
            text += &annotation(level, &file.file, place, title, &finding.lines());
        }
        for hidden in hidden {
            text += &annotation(
                "notice",
                &file.file,
                (1, 1),
                "failed",
                &smaller_moves(hidden),
            );
        }
    }
    // The summary line contains no names, so no name can turn it into a command.
    text.push_str(&checked.tally());
    text.push('\n');
    text
}

/// Formats an annotation for each error by which `file` is no valid scenario. An error without a place in a file is
/// shown at the first line.
pub fn github_errors(file: &str, error: &anyhow::Error) -> String {
    let Some(wrong) = error.downcast_ref::<Diagnostics>() else {
        return annotation("error", file, (1, 1), "not valid", &format!("{error:#}"));
    };
    let mut text = String::new();
    for problem in wrong.list().iter().filter(|problem| problem.is_error()) {
        let (mut title, mut place) = (problem.title.to_string(), (file, (1, 1)));
        if let Some((span, label)) = &problem.place {
            title = format!("{title}: {label}");
            let source = wrong.sources.get(span.source());
            if let Some(source) = source.filter(|source| source.name != "--set") {
                place = (&source.name, wrong.sources.line_and_column(*span));
            }
        }
        let lines = [&[title], &problem.help[..]].concat().join("\n");
        text += &annotation("error", place.0, place.1, "not valid", &lines);
    }
    text
}

fn annotation(
    level: &str,
    file: &str,
    (line, column): (usize, usize),
    title: &str,
    lines: &str,
) -> String {
    format!(
        "::{level} file={},line={line},col={column},title={}::{}\n",
        property(file),
        property(&format!("skirmish: {title}")),
        message_text(lines)
    )
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
