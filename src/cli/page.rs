//! Pages of text for the terminal: paragraphs and tables, wrapped.

use std::fmt::Write;

/// A page of text for the terminal.
pub(super) struct Page {
    pub(super) text: String,
}

/// Columns of a page.
pub(super) const WIDTH: usize = 100;

/// The least width to which a column of a table is wrapped.
const LEAST: usize = 30;

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

    /// A table whose last column is wrapped, and the widest before it if the last has too little room.
    pub(super) fn table<const N: usize>(
        &mut self,
        titles: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        let rows: Vec<[String; N]> = std::iter::once(titles.map(str::to_owned))
            .chain(rows)
            .collect();
        let mut widths: Vec<usize> = (0..N)
            .map(|column| rows.iter().map(|row| row[column].chars().count()).max())
            .map(Option::unwrap_or_default)
            .collect();
        let margin =
            |widths: &[usize]| widths[..N - 1].iter().map(|width| width + 2).sum::<usize>();
        // The last column has room for a few words; the widest before it is wrapped for that.
        let excess = (margin(&widths) + LEAST).saturating_sub(WIDTH);
        if let Some(widest) = widths[..N - 1].iter_mut().max() {
            *widest -= excess.min(widest.saturating_sub(LEAST / 2));
        }
        widths[N - 1] = WIDTH.saturating_sub(margin(&widths)).max(LEAST);
        self.text.push('\n');
        for row in &rows {
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(column, (cell, width))| {
                    if column + 1 < N && cell.chars().count() <= *width {
                        vec![cell.clone()]
                    } else {
                        wrapped(cell, *width)
                    }
                })
                .collect();
            let lines = cells.iter().map(Vec::len).max().unwrap_or_default();
            for at in 0..lines {
                let mut line = String::new();
                for (cell, width) in cells.iter().zip(&widths) {
                    let part = cell.get(at).map_or("", String::as_str);
                    let _ = write!(line, "{part:<width$}  ");
                }
                self.text.push_str(line.trim_end());
                self.text.push('\n');
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
