//! Mends what is certainly meant otherwise in the text of a scenario: words of other games and other spellings, for which
//! errors know the right text. All other bytes stay.

use super::{Document, Loaded, Scenario};
use crate::document::diagnostics::{Diagnostics, Fix};
use crate::document::source::Span;
use std::cmp::Reverse;
use std::path::Path;

/// The greatest number of fixes that are tried, so that a file full of errors does not take too long.
const MOST: usize = 1000;

/// A text that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// The line, from 1.
    pub line: usize,
    /// The text that stood there.
    pub old: String,
    /// The text that stands there now.
    pub new: String,
}

/// Returns the text of a file, without the byte order mark; `None` if it cannot be read, or is not TOML.
pub fn text_of(file: &Path) -> Option<String> {
    let (document, _) = Document::open(file, &[]).ok()?;
    Some(document.text().to_owned())
}

/// Returns the text of the file `name` with everything replaced that its errors know better, and what was replaced, by
/// line. A fix is not made if an error is left in its place, or if it makes more errors in its line.
pub fn fixed(name: &str, text: &str) -> (String, Vec<Replacement>) {
    let mut text = text.to_owned();
    let (mut made, mut tried) = (Vec::new(), 0);
    let mut found = problems(name, &text);
    loop {
        let before = made.len();
        // From the end on, so that the other places stay where they are.
        for fix in fixes(found.as_ref()) {
            tried += 1;
            let bytes = fix.span.bytes();
            let mut trial = text.clone();
            trial.replace_range(bytes.clone(), &fix.text);
            let line = text[..bytes.start].matches('\n').count() + 1;
            let after = problems(name, &trial);
            let is_toml = Document::parse(name, &trial, &[]).is_ok();
            let [old, new] = [found.as_ref(), after.as_ref()].map(|found| errors_in(found, line));
            if is_toml && new.len() <= old.len() && !new.contains(&bytes.start) {
                made.push(Replacement {
                    line,
                    old: text[bytes].to_owned(),
                    new: fix.text.into(),
                });
                (text, found) = (trial, after);
            }
        }
        // With a right name more of the file is read, which may have other names.
        if made.len() == before || tried > MOST {
            made.sort_by_key(|replacement| replacement.line);
            return (text, made);
        }
    }
}

/// Returns the errors and warnings of a scenario that is not valid.
fn problems(name: &str, text: &str) -> Option<Diagnostics> {
    Scenario::parse(name, text, &[])
        .and_then(Loaded::whole)
        .err()
}

/// Returns the fixes of errors in the file itself, the last first.
fn fixes(problems: Option<&Diagnostics>) -> Vec<Fix> {
    let list = problems.map(Diagnostics::list).unwrap_or_default();
    let fixes = list.into_iter().filter(|problem| problem.is_error());
    let mut fixes: Vec<Fix> = fixes.filter_map(|problem| problem.fix().cloned()).collect();
    fixes.retain(|fix| fix.span.source() == 0);
    fixes.sort_by_key(|fix| Reverse(fix.span));
    fixes.dedup_by(|earlier, later| earlier.span.bytes().end > later.span.bytes().start);
    fixes
}

/// Returns where the errors in a line of the file begin.
fn errors_in(problems: Option<&Diagnostics>, line: usize) -> Vec<usize> {
    let Some(problems) = problems else {
        return Vec::new();
    };
    let errors = problems
        .list()
        .into_iter()
        .filter(|problem| problem.is_error());
    let places = errors.filter_map(|problem| problem.place.as_ref().map(|place| place.0));
    let is_here =
        |span: &Span| span.source() == 0 && problems.sources.line_and_column(*span).0 == line;
    places
        .filter(is_here)
        .map(|span| span.bytes().start)
        .collect()
}
