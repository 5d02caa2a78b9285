//! Dotted paths to values: `rules.round`, `weapons."long bow".range`.

use super::diagnostics::Diagnostic;
use super::source::Span;

/// One part of a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PathKey {
    /// The name, without quotes.
    pub(crate) name: String,
    /// The place of the part.
    pub(crate) span: Span,
}

/// A path as written, with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Path {
    /// The parts, at least one.
    pub(crate) parts: Vec<PathKey>,
    /// The place of the whole path.
    pub(crate) span: Span,
}

impl PathKey {
    pub(crate) fn new(name: impl Into<String>, span: Span) -> Self {
        let name = name.into();
        Self { name, span }
    }
}

impl Path {
    /// Returns the whole path as text.
    pub(crate) fn whole(&self) -> String {
        self.written(self.parts.len())
    }

    /// Returns the first `count` parts as text, quoted where necessary.
    pub(crate) fn written(&self, count: usize) -> String {
        let parts: Vec<String> = self
            .parts
            .iter()
            .take(count)
            .map(|part| quoted(&part.name))
            .collect();
        parts.join(".")
    }
}

/// Returns a part as text, quoted if necessary.
pub(crate) fn quoted(name: &str) -> String {
    let bare = !name.is_empty()
        && !name
            .chars()
            .any(|c| c.is_whitespace() || is_special(c) || c == '.');
    if bare {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    }
}

const fn is_special(c: char) -> bool {
    matches!(c, '"' | '\'' | '=' | '[' | ']' | '{' | '}' | '#' | ',')
}

/// Reads a path from the start of `text` up to its end or a `=` outside quotes. Returns the path and the number of
/// bytes read. `place` converts bytes of the text into a place.
pub(crate) fn read(
    text: &str,
    place: impl Fn(std::ops::Range<usize>) -> Span,
) -> Result<(Path, usize), Diagnostic> {
    let mut parts = Vec::new();
    let mut at = 0;
    loop {
        at += spaces(&text[at..]);
        let start = at;
        let name = if let Some(quote @ ('"' | '\'')) = text[at..].chars().next() {
            let Some(length) = text[at + 1..].find(quote) else {
                return Err(Diagnostic::error(
                    place(start..text.len()),
                    "a quoted part of a path does not end",
                    format!("this {quote} has no partner"),
                ));
            };
            at += length + 2;
            &text[start + 1..at - 1]
        } else {
            // A name may contain spaces: only a dot or one of the characters of [`is_special`] ends it.
            let rest = &text[at..];
            let end = rest.find(|c: char| is_special(c) || c == '.');
            let name = rest[..end.unwrap_or(rest.len())].trim_end();
            at += name.len();
            name
        };
        if name.is_empty() {
            return Err(Diagnostic::error(
                place(start..at),
                "a part of a path is missing",
                "expected a name",
            )
            .help("a path is written like `rules.round` or `combatants.archer.move`"));
        }
        parts.push(PathKey::new(name, place(start..at)));
        let end = at;
        at += spaces(&text[at..]);
        match text[at..].chars().next() {
            Some('.') => at += 1,
            None | Some('=') => {
                let span = place(0..end);
                return Ok((Path { parts, span }, at));
            }
            Some(other) => {
                return Err(Diagnostic::error(
                    place(at..at + other.len_utf8()),
                    "a path is broken off",
                    "expected `.` or the end of the path",
                )
                .help("a part with dots or signs is quoted: `weapons.\"long bow 2.0\".range`"));
            }
        }
    }
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::{Span, read};

    fn parts(text: &str) -> Option<Vec<String>> {
        let (path, _) = read(text, |bytes| Span::new(0, bytes)).ok()?;
        Some(path.parts.into_iter().map(|part| part.name).collect())
    }

    #[test]
    fn parts_are_split_at_dots_outside_quotes() {
        let some = |parts: &[&str]| Some(parts.iter().map(|&part| part.to_owned()).collect());
        assert_eq!(parts("rules.round"), some(&["rules", "round"]));
        assert_eq!(
            parts("weapons.\"long bow\".range = 3"),
            some(&["weapons", "long bow", "range"])
        );
        assert_eq!(parts("a.'b.c=d'"), some(&["a", "b.c=d"]));
        assert_eq!(parts(" a . b "), some(&["a", "b"]));
        assert_eq!(parts("Þór.x"), some(&["Þór", "x"]));
        assert_eq!(
            parts("combatants.Big Bad .health = 3"),
            some(&["combatants", "Big Bad", "health"])
        );
        assert_eq!(parts("a b"), some(&["a b"]));
        for wrong in [
            "", ".", "a.", "a..b", "a \"b\"", "a.\"b", "a.\"\"", "=3", "a[0]",
        ] {
            assert_eq!(parts(wrong), None, "{wrong}");
        }
    }
}
