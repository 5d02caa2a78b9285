//! The width of text in columns of a terminal, and lines that are broken between words.

use unicode_width::UnicodeWidthChar;

/// The columns of a line where there is no terminal.
pub const COLUMNS: usize = 80;

/// Returns the number of columns that a text takes. Sequences that set colours take none.
pub fn width(text: &str) -> usize {
    pieces(text).map(|(_, width)| width).sum()
}

/// Splits a text into characters and sequences that set colours, each with its width.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (length, width) = match colour(rest) {
            Some(length) => (length, 0),
            None => (first.len_utf8(), first.width().unwrap_or(1)),
        };
        let (piece, others) = rest.split_at(length);
        rest = others;
        Some((piece, width))
    })
}

/// Returns the length of the sequence that sets a colour at the beginning of a text.
fn colour(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("\u{1b}[")?;
    let codes = inside
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || *byte == b';')
        .count();
    inside[codes..].starts_with('m').then_some(codes + 3)
}

/// Returns a text with blanks after it, so that it takes this number of columns.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Breaks the lines of a text between words, so that none is wider than `columns`. A continued line is indented by
/// `hang` columns more than its first line. A word that is too wide stands on a line of its own, so that paths and
/// names can be copied.
pub fn wrap(text: &str, columns: usize, hang: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for text in text.split('\n') {
        let words = text.trim_start_matches(' ');
        let begin = text.len() - words.len();
        let mut line = " ".repeat(begin);
        let (mut reached, mut is_empty) = (begin, true);
        for word in words.split(' ') {
            let wide = width(word);
            if !is_empty && !word.is_empty() && reached + 1 + wide > columns {
                lines.push(line.trim_end().to_owned());
                line = " ".repeat(begin + hang);
                (reached, is_empty) = (begin + hang, true);
            }
            if !is_empty {
                line.push(' ');
                reached += 1;
            }
            line.push_str(word);
            reached += wide;
            is_empty &= word.is_empty();
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Wraps the text of a table cell: like [`wrap`], but words wider than `columns` are broken, too.
pub fn fold(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in wrap(text, columns, 0) {
        let (mut part, mut reached) = (String::new(), 0);
        for (piece, wide) in pieces(&line) {
            if reached + wide > columns && reached > 0 {
                lines.push(std::mem::take(&mut part));
                reached = 0;
            }
            part.push_str(piece);
            reached += wide;
        }
        lines.push(part);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_a_terminal() {
        assert_eq!(width("hero"), 4);
        assert_eq!(width("英雄"), 4);
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(width("\u{1b}[1;31mred\u{1b}[0m"), 3);
        assert_eq!(width("\u{1b}[2J"), 4);
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 8, 2), ["one two", "  three"]);
        assert_eq!(wrap("  one two three", 9, 2), ["  one two", "    three"]);
        assert_eq!(wrap("one  two", 8, 0), ["one  two"]);
        assert_eq!(wrap("one  two", 6, 0), ["one", "two"]);
        assert_eq!(wrap("one\ntwo", 80, 2), ["one", "two"]);
        assert_eq!(wrap("a /a/long/path b", 6, 0), ["a", "/a/long/path", "b"]);
        assert_eq!(wrap("", 6, 0), [""]);
    }

    #[test]
    fn words_of_cells_are_broken_where_they_are_too_wide() {
        assert_eq!(fold("a longword", 4), ["a", "long", "word"]);
        assert_eq!(fold("英雄英雄", 5), ["英雄", "英雄"]);
    }
}
