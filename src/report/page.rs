//! Text in the making: headings, sentences and tables, for a terminal of some width or as Markdown.

use super::grid::{TextGrid, one_line};
use crate::wrap::{COLUMNS, wrap};

/// The narrowest terminal that text is set for.
const NARROWEST: usize = 40;

/// Sentences are not set wider than this: longer lines are hard to read.
const WIDEST: usize = 100;

/// The most columns of text on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    sentence: usize,
    table: usize,
}

impl Width {
    /// Without a terminal: 80 columns.
    pub const USUAL: Self = Self::of(COLUMNS);

    /// Nothing is wrapped or folded.
    pub const ENDLESS: Self = Self {
        sentence: usize::MAX,
        table: usize::MAX,
    };

    /// Of a terminal with that many columns.
    #[must_use]
    pub const fn of(columns: usize) -> Self {
        let table = if columns < NARROWEST {
            NARROWEST
        } else {
            columns
        };
        let sentence = if table > WIDEST { WIDEST } else { table };
        Self { sentence, table }
    }

    /// The same where tables are not folded, however wide they are.
    #[must_use]
    pub const fn whole(self) -> Self {
        Self {
            table: usize::MAX,
            ..self
        }
    }

    /// The columns of sentences and pictures.
    #[must_use]
    pub const fn columns(self) -> usize {
        self.sentence
    }
}

/// How text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// For a terminal: lines of that width, tables with columns of blanks.
    Terminal(Width),
    /// Markdown, for a README or a forum.
    Markdown,
}

impl Style {
    /// Returns whether it is Markdown.
    pub(crate) fn is_markdown(self) -> bool {
        self == Self::Markdown
    }
}

/// Text in the making.
pub(crate) struct Page {
    text: String,
    style: Style,
}

impl Page {
    /// An empty page.
    pub(crate) fn new(style: Style) -> Self {
        Self {
            text: String::new(),
            style,
        }
    }

    /// All that has been set.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Whether it is set as Markdown.
    pub(crate) fn is_markdown(&self) -> bool {
        self.style.is_markdown()
    }

    /// The columns of sentences and pictures.
    pub(crate) fn columns(&self) -> usize {
        match self.style {
            Style::Terminal(width) => width.columns(),
            Style::Markdown => COLUMNS,
        }
    }

    /// The columns of tables.
    pub(crate) fn columns_of_tables(&self) -> usize {
        match self.style {
            Style::Terminal(width) => width.table,
            Style::Markdown => usize::MAX,
        }
    }

    /// A line that is set already, without the blanks at its end.
    fn push(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A text, wrapped for a terminal; what follows a break stands further in by `hang` columns.
    fn set(&mut self, text: &str, hang: usize) {
        match self.style {
            Style::Markdown => {
                // A line below a table would be a row of it.
                if self.text.ends_with("|\n") {
                    self.blank();
                }
                self.push(text);
            }
            Style::Terminal(width) => {
                for line in wrap(text, width.columns(), hang) {
                    self.push(&line);
                }
            }
        }
    }

    /// A text without names of the user's, or whose names are [escaped](Self::name) already. Wrapped for a
    /// terminal; further lines of it stand further in.
    pub(crate) fn line(&mut self, text: &str) {
        self.set(text, 2);
    }

    /// A text with names of the user's, wrapped like a [line](Self::line).
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.line(&self.name(text));
    }

    /// The same whose lines all begin at the left.
    pub(crate) fn prose(&mut self, text: &str) {
        self.set(&self.name(text), 0);
    }

    /// An item of a list, with names of the user's.
    pub(crate) fn item(&mut self, text: &str) {
        let mark = if self.is_markdown() { "- " } else { "  " };
        self.line(&format!("{mark}{}", self.name(text)));
    }

    /// A remark.
    pub(crate) fn note(&mut self, note: &str) {
        self.paragraph(&format!("note: {note}"));
        if self.is_markdown() {
            // Else it would run into the next line.
            self.blank();
        }
    }

    /// An empty line.
    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A heading of that level, 1 for the page's.
    pub(crate) fn heading(&mut self, level: usize, text: &str) {
        if self.is_markdown() {
            self.push(&format!("{} {}", "#".repeat(level), self.name(text)));
            if level == 1 {
                self.blank();
            }
        } else {
            self.paragraph(text);
        }
    }

    /// A name of the user's: it must not set the terminal's colours nor Markdown's marks.
    pub(crate) fn name(&self, name: &str) -> String {
        let name = one_line(name.to_owned());
        if !self.is_markdown() {
            return name;
        }
        let mut text = String::with_capacity(name.len());
        for c in name.chars() {
            if matches!(c, '\\' | '|' | '*' | '_' | '<' | '>' | '[' | ']' | '#') {
                text.push('\\');
            }
            text.push(c);
        }
        text
    }

    /// A command on a line of its own, however wide, to be copied into any shell.
    pub(crate) fn command(&mut self, command: &str) {
        let command = one_line(command.to_owned());
        let line = if self.is_markdown() {
            format!("`{command}`")
        } else {
            format!("  {command}")
        };
        self.push(&line);
    }

    /// A name that stands under that of its group.
    pub(crate) fn indented(&self, name: &str) -> String {
        if self.is_markdown() {
            name.to_owned()
        } else {
            format!("  {name}")
        }
    }

    /// Lines that are set already: in Markdown, where blanks would be lost, as they stand.
    pub(crate) fn picture(&mut self, picture: &str) {
        if self.is_markdown() {
            self.push("```text");
        }
        self.text.push_str(picture);
        if self.is_markdown() {
            self.push("```");
        }
    }

    /// A table.
    pub(crate) fn grid(&mut self, grid: &TextGrid) {
        if self.is_markdown() {
            self.pipes(grid);
            return;
        }
        for line in grid.lines(self.columns_of_tables()) {
            self.push(&line);
        }
    }

    /// A list of items below a line, after a blank line; nothing without items.
    pub(crate) fn list(&mut self, title: &str, items: impl IntoIterator<Item = String>) {
        for (index, item) in items.into_iter().enumerate() {
            if index == 0 {
                self.blank();
                self.line(title);
            }
            self.item(&item);
        }
    }

    /// Adds a table of sentences after a blank line.
    pub(crate) fn listing<const N: usize>(
        &mut self,
        titles: [&str; N],
        rows: impl IntoIterator<Item = [impl Into<String>; N]>,
    ) {
        let mut grid = TextGrid::listing(&titles);
        for row in rows {
            grid.row(row.map(Into::into).into());
        }
        self.blank();
        self.grid(&grid);
    }

    fn pipes(&mut self, grid: &TextGrid) {
        let titles = grid.titles().map(|(title, _)| self.name(title)).collect();
        let rule = |is_left| if is_left { "---" } else { "---:" };
        let rule = grid.titles().map(|(_, is_left)| rule(is_left).to_owned());
        let mut lines: Vec<Vec<String>> = vec![titles, rule.collect()];
        lines.extend(grid.rows().map(|(cells, is_group)| {
            let mut cells: Vec<String> = cells.iter().map(|cell| self.name(cell)).collect();
            if is_group {
                cells[0] = format!("**{}**", cells[0]);
            }
            cells
        }));
        for cells in lines {
            self.push(&format!("| {} |", cells.join(" | ")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_that_of_the_terminal_within_reason() {
        assert_eq!(Width::of(10), Width::of(40));
        assert_eq!(Width::of(70).columns(), 70);
        assert_eq!(Width::of(500).columns(), 100);
        let style = Style::Terminal(Width::USUAL);
        let mut grid = TextGrid::new(["name", &"x".repeat(60), &"y".repeat(60)]);
        grid.row(vec![String::new(); 3]);
        let lines = |style| {
            let mut page = Page::new(style);
            page.grid(&grid);
            page.into_text().lines().count()
        };
        assert_eq!(lines(style), 5);
        assert_eq!(lines(Style::Terminal(Width::of(140))), 2);
        assert_eq!(lines(Style::Terminal(Width::USUAL.whole())), 2);
    }

    #[test]
    fn a_line_below_a_table_of_markdown_is_no_row_of_it() {
        let mut grid = TextGrid::new(["name"]);
        grid.row(vec!["red".to_owned()]);
        let mut page = Page::new(Style::Markdown);
        page.grid(&grid);
        page.line("all of them");
        assert_eq!(
            page.into_text(),
            "| name |\n| --- |\n| red |\n\nall of them\n"
        );
    }

    #[test]
    fn names_do_not_become_markup() {
        let mut page = Page::new(Style::Markdown);
        page.paragraph("a*b|c\n\u{1b}[31m");
        page.command("skirmish run a*b");
        assert_eq!(page.into_text(), "a\\*b\\|c  \\[31m\n`skirmish run a*b`\n");
    }
}
