//! Pages of text for the terminal: paragraphs and tables, wrapped.

use std::fmt::Write;

/// A page of text for the terminal.
pub(super) struct Page {
    pub(super) text: String,
}

/// Columns of a page.
pub(super) const WIDTH: usize = 100;

impl Page {
    /// Begins with a paragraph.
    pub(super) fn new(introduction: &str) -> Self {
        let mut page = Self {
            text: String::new(),
        };
        page.paragraph(introduction);
        page
    }

    /// A paragraph, set apart from what comes before.
    pub(super) fn text(&mut self, paragraph: &str) {
        self.text.push('\n');
        self.paragraph(paragraph);
    }

    fn paragraph(&mut self, paragraph: &str) {
        for line in wrapped(paragraph, WIDTH) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// A table whose last column is wrapped.
    pub(super) fn table<const N: usize>(
        &mut self,
        titles: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        let rows: Vec<[String; N]> = std::iter::once(titles.map(str::to_owned))
            .chain(rows)
            .collect();
        let widths: Vec<usize> = (0..N)
            .map(|column| rows.iter().map(|row| row[column].chars().count()).max())
            .map(Option::unwrap_or_default)
            .collect();
        let margin: usize = widths[..N - 1].iter().map(|width| width + 2).sum();
        self.text.push('\n');
        for row in &rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths).take(N - 1) {
                let _ = write!(line, "{cell:<width$}  ");
            }
            for part in wrapped(&row[N - 1], WIDTH.saturating_sub(margin).max(30)) {
                line.push_str(&part);
                self.text.push_str(line.trim_end());
                self.text.push('\n');
                line = " ".repeat(margin);
            }
        }
    }
}

/// Lines no longer than that, broken between words.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > width {
            lines.push(String::new());
            length = 0;
        }
        if let Some(line) = lines.last_mut() {
            if length > 0 {
                line.push(' ');
                length += 1;
            }
            line.push_str(word);
        }
        length += letters;
    }
    lines
}
