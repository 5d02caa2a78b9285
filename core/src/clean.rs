//! Text at the borders of the program. Titles, names and paths may come from untrusted files. They must
//! not steer a terminal, break markup, reverse the direction of text, or be run by a spreadsheet.
//!
//! There is one rule for each border:
//!
//! - Terminals and text files: [`Cleaning`] filters all text on its way to them, and [`clean`] does the same for a
//!   single text. Characters that act instead of being seen are replaced by `\u{fffd}`.
//! - Text for people, whose lines a build server may read: [`calm`] breaks what would be a command to it.
//! - CSV: [`push_cell`] also marks text that a spreadsheet would run as a formula, [`from_cell`] removes the mark.
//! - Markup is escaped where it is made, by the templates of `output::html`; the files go through
//!   [`Cleaning`] as well.

use crate::wrap::pieces;
use std::borrow::Cow;
use std::io::{self, Write};

/// Replaces a character that is removed.
const REPLACEMENT: char = '\u{fffd}';

/// Returns whether a character acts instead of being seen: control characters except the line feed and the tab, those
/// that set the direction of text, and those that XML forbids.
pub fn acts(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => true,
        c => c.is_control(),
    }
}

/// Returns whether text is printable ASCII, as most is: then nothing in it acts. It is looked at to its end, many bytes
/// at once.
fn is_plain(text: &[u8]) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    text.iter().fold(true, |all, byte| all & is_plain(*byte))
}

/// Replaces characters that [act](acts).
pub fn clean(text: &str) -> Cow<'_, str> {
    if !is_plain(text.as_bytes()) && text.contains(acts) {
        Cow::Owned(text.replace(acts, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Cleans text for a single line: line feeds and tabs become spaces, too.
pub fn clean_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\t']) {
        Cow::Owned(clean(text).replace(['\n', '\t'], " "))
    } else {
        clean(text)
    }
}

/// Cleans coloured text of the program's own: sequences that only set colours stay.
pub fn clean_but_colours(text: &str) -> String {
    let is_colour = |piece: &str| piece.starts_with("\u{1b}[");
    pieces(text)
        .map(|(piece, _)| {
            if is_colour(piece) {
                piece.into()
            } else {
                clean(piece)
            }
        })
        .collect()
}

/// Breaks what build servers would read as a command: their runners obey lines of a program's output. `GitHub` looks for
/// `::` and a name at the beginning of a line, after blanks, and for `##[` anywhere; Azure and `TeamCity` look for `##vso[` and
/// `##teamcity[`. The first character of a command is replaced, so that columns stay.
pub fn calm(text: &str) -> String {
    let mut calmed = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let words = line.trim_start();
        calmed.push_str(&line[..line.len() - words.len()]);
        let mut rest = words;
        let name = words.strip_prefix("::").unwrap_or_default();
        // Messages about two places have lines with `:::`.
        if name.starts_with(|c: char| c != ':') {
            calmed.push(REPLACEMENT);
            rest = &words[1..];
        }
        while let Some(at) = rest.find("##") {
            let word = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
            calmed.push_str(&rest[..at]);
            calmed.push(if word.starts_with('[') {
                REPLACEMENT
            } else {
                '#'
            });
            rest = &rest[at + 1..];
        }
        calmed.push_str(rest);
    }
    calmed
}

/// Cleans all text that is written through it.
#[derive(Debug)]
pub struct Cleaning<W: Write> {
    out: W,
    /// The first bytes of a character that is not complete yet.
    begun: Vec<u8>,
}

impl<W: Write> Cleaning<W> {
    /// Returns a writer that cleans text on its way to `out`.
    pub fn new(out: W) -> Self {
        Self {
            out,
            begun: Vec::new(),
        }
    }

    /// Writes text, and keeps an incomplete character at its end.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut left = bytes.len();
        for chunk in bytes.utf8_chunks() {
            let (text, wrong) = (chunk.valid(), chunk.invalid());
            self.out.write_all(clean(text).as_bytes())?;
            left -= text.len() + wrong.len();
            let is_incomplete =
                std::str::from_utf8(wrong).is_err_and(|error| error.error_len().is_none());
            if left == 0 && is_incomplete {
                self.begun.extend_from_slice(wrong);
            } else if !wrong.is_empty() {
                write!(self.out, "{REPLACEMENT}")?;
            }
        }
        Ok(())
    }
}

impl<W: Write> Write for Cleaning<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty() && is_plain(bytes) {
            self.out.write_all(bytes)?;
        } else if self.begun.is_empty() {
            self.pass(bytes)?;
        } else {
            let mut all = std::mem::take(&mut self.begun);
            all.extend_from_slice(bytes);
            self.pass(&all)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a cell of CSV with [cleaned](clean) text, in quotes where necessary. Text that a spreadsheet would run as a formula
/// is marked with an apostrophe before it; so is text that looks like marked text.
///
/// Text is a formula if it begins with `=` or `@`, or if it begins with a sign and calls something (`(`, `|` or `!`). A
/// name such as `+1 evade` is none.
pub fn push_cell(text: &str, out: &mut Vec<u8>) {
    let text = marked(clean(text));
    let is_split = |byte: &u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
    if text.as_bytes().iter().any(is_split) {
        out.extend_from_slice(format!("\"{}\"", text.replace('"', "\"\"")).as_bytes());
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

/// Returns text with the mark that it needs in a cell.
fn marked(text: Cow<'_, str>) -> Cow<'_, str> {
    // Nearly all text begins with a letter.
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
    if !is_word && is_formula(text.trim_start_matches('\'')) {
        format!("'{text}").into()
    } else {
        text
    }
}

/// Returns the text of a cell that [`push_cell`] has written.
pub fn from_cell(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if is_formula(text.trim_start_matches('\'')) => text,
        _ => cell,
    }
}

fn is_formula(text: &str) -> bool {
    // Spreadsheets ignore leading blanks.
    let text = text.trim_start();
    text.starts_with(['=', '@']) || (text.starts_with(['+', '-']) && text.contains(['(', '|', '!']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_acts_is_replaced_and_what_is_read_stays() {
        assert_eq!(
            clean("T\u{1b}[31mRED\u{9b}31m\u{7}\u{202e}abc"),
            "T�[31mRED�31m��abc"
        );
        assert_eq!(
            clean("a\tb\nZoë 射手 🏹 עברית\u{200f}"),
            "a\tb\nZoë 射手 🏹 עברית\u{200f}"
        );
        assert_eq!(clean("\u{7f}\r\0\u{2028}\u{ffff}"), "�����");
        assert_eq!(clean_line("a\nerror: b\u{7}"), "a error: b�");
    }

    #[test]
    fn colours_stay_and_nothing_else() {
        let text = "\u{1b}[1;31merror\u{1b}[0m: \u{1b}]0;title\u{7} \u{1b}[2J \u{1b}[";
        assert_eq!(
            clean_but_colours(text),
            "\u{1b}[1;31merror\u{1b}[0m: �]0;title� �[2J �["
        );
    }

    #[test]
    fn no_line_is_a_command_to_a_build_server() {
        assert_eq!(
            calm(
                "::error::x\n \t::stop\n ::: a.toml:1:7\na ::b\n##vso[x]\na ####[y] ## z #[\n##TeamCity[q"
            ),
            "�:error::x\n \t�:stop\n ::: a.toml:1:7\na ::b\n�#vso[x]\na ##�#[y] ## z #[\n�#TeamCity[q"
        );
    }

    #[test]
    fn names_are_no_formulas_and_formulas_come_back() {
        for formula in [
            "=1+1",
            "=cmd|' /C calc'!A0",
            "@SUM(1)",
            "+HYPERLINK(A1)",
            "-2+3+cmd|' /C calc'!A0",
            " =1",
            "'=1",
            "''@x",
        ] {
            let marked = marked(formula.into());
            assert_eq!(marked, format!("'{formula}"));
            assert_eq!(from_cell(&marked), formula);
        }
        for name in [
            "+1 evade",
            "-2 armor",
            "-0.5",
            "'til dawn",
            "a = b",
            "",
            "'",
        ] {
            assert_eq!((&*marked(name.into()), from_cell(name)), (name, name));
        }
    }

    proptest! {
        #[test]
        fn text_is_cleaned_however_it_is_cut(
            text in "[a\\n\u{1b}\u{80}\u{9b}é\u{202e}射🏹\u{ffff}]{0,20}",
            cuts in prop::collection::vec(0_usize..5, 1..9),
        ) {
            prop_assert_eq!(clean(&text), text.replace(acts, "\u{fffd}"));
            let mut out = Cleaning::new(Vec::new());
            let mut rest = text.as_bytes();
            for cut in cuts.into_iter().cycle().take(100) {
                let (part, others) = rest.split_at(cut.min(rest.len()));
                out.write_all(part).unwrap();
                rest = others;
            }
            out.write_all(rest).unwrap();
            prop_assert_eq!(String::from_utf8(out.out).unwrap(), clean(&text).into_owned());
        }

        #[test]
        fn cells_come_back(text in "[=@+'| a(-]{0,6}") {
            let marked = marked((&*text).into());
            prop_assert_eq!(from_cell(&marked), &text[..]);
        }

        #[test]
        fn cells_are_quoted_as_others_read_them(text in "[=@+'|a(\",;\\n\\r\u{1b}é -]{0,6}") {
            let mut cell = Vec::new();
            push_cell(&text, &mut cell);
            let cell = String::from_utf8(cell).unwrap();
            let marked = marked(clean(&text));
            let is_quoted = marked.contains(['"', ',', '\n', '\r']);
            let quoted = format!("\"{}\"", marked.replace('"', "\"\""));
            prop_assert_eq!(&cell, if is_quoted { &quoted } else { &*marked });
        }
    }
}
