//! Builds text out of headings, sentences and tables, for a terminal of some width or as Markdown.

use super::grid::{TextGrid, one_line};
use crate::wrap::{COLUMNS, wrap};

/// The narrowest terminal that text is laid out for.
const NARROWEST: usize = 40;

/// The greatest width of sentences: longer lines are hard to read.
const WIDEST: usize = 100;

/// The most columns of text on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    sentence: usize,
    table: usize,
}

impl Width {
    /// The width without a terminal: 80 columns.
    pub const USUAL: Self = Self::of(COLUMNS);

    /// Unlimited: nothing is wrapped or folded.
    pub const ENDLESS: Self = Self {
        sentence: usize::MAX,
        table: usize::MAX,
    };

    /// Returns the width for a terminal with `columns` columns.
    pub const fn of(columns: usize) -> Self {
        let table = if columns < NARROWEST {
            NARROWEST
        } else {
            columns
        };
        let sentence = if table > WIDEST { WIDEST } else { table };
        Self { sentence, table }
    }

    /// Returns the same width, but with tables that are never folded.
    pub const fn whole(self) -> Self {
        Self {
            table: usize::MAX,
            ..self
        }
    }

    /// Returns the columns of sentences and pictures.
    pub const fn columns(self) -> usize {
        self.sentence
    }
}

/// The output style of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// For a terminal: lines of this width, tables with columns separated by blanks.
    Terminal(Width),
    /// Markdown, for a README or a forum.
    Markdown,
}

impl Style {
    /// Returns whether the style is Markdown.
    pub(crate) fn is_markdown(self) -> bool {
        self == Self::Markdown
    }
}

/// Text under construction.
pub(crate) struct Page {
    text: String,
    style: Style,
}

impl Page {
    /// Creates an empty page.
    pub(crate) fn new(style: Style) -> Self {
        Self {
            text: String::new(),
            style,
        }
    }

    /// Returns the text of the page.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Returns whether the page is Markdown.
    pub(crate) fn is_markdown(&self) -> bool {
        self.style.is_markdown()
    }

    /// Returns the columns of sentences and pictures.
    pub(crate) fn columns(&self) -> usize {
        match self.style {
            Style::Terminal(width) => width.columns(),
            Style::Markdown => COLUMNS,
        }
    }

    /// Returns the columns of tables.
    pub(crate) fn columns_of_tables(&self) -> usize {
        match self.style {
            Style::Terminal(width) => width.table,
            Style::Markdown => usize::MAX,
        }
    }

    /// Adds a finished line, without trailing blanks.
    fn push(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Adds a text, wrapped for a terminal. Lines after the first are indented by `hang` columns.
    fn set(&mut self, text: &str, hang: usize) {
        match self.style {
            Style::Markdown => {
                // Markdown would take a line directly below a table for a row of the table.
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

    /// Adds a text that contains no names from the user, or whose names are [escaped](Self::name) already. For a
    /// terminal it is wrapped, and further lines are indented.
    pub(crate) fn line(&mut self, text: &str) {
        self.set(text, 2);
    }

    /// Adds a text with names from the user, wrapped like a [line](Self::line).
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.line(&self.name(text));
    }

    /// Adds several paragraphs.
    pub(crate) fn paragraphs(&mut self, texts: &[String]) {
        for text in texts {
            self.paragraph(text);
        }
    }

    /// Adds a paragraph whose lines all begin at the left.
    pub(crate) fn prose(&mut self, text: &str) {
        self.set(&self.name(text), 0);
    }

    /// Adds a list item with names from the user.
    pub(crate) fn item(&mut self, text: &str) {
        let mark = if self.is_markdown() { "- " } else { "  " };
        self.line(&format!("{mark}{}", self.name(text)));
    }

    /// Adds a note.
    pub(crate) fn note(&mut self, note: &str) {
        self.paragraph(&format!("note: {note}"));
        if self.is_markdown() {
            // Without it, the note would run into the next line.
            self.blank();
        }
    }

    /// Adds notes.
    pub(crate) fn notes(&mut self, notes: impl IntoIterator<Item = String>) {
        for note in notes {
            self.note(&note);
        }
    }

    /// Adds an empty line, unless one ends the text.
    pub(crate) fn blank(&mut self) {
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Adds a heading; level 1 is the title of the page.
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

    /// Escapes a text with names from the user, so that it neither controls the terminal nor acts as Markdown markup.
    /// In a code span a backslash would be seen, and nothing acts.
    pub(crate) fn name(&self, name: &str) -> String {
        let name = one_line(name.to_owned());
        if self.is_markdown() {
            escaped(&name, false)
        } else {
            name
        }
    }

    /// Adds a command on a line of its own, however wide, so that it can be copied into any shell.
    pub(crate) fn command(&mut self, command: &str) {
        let command = one_line(command.to_owned());
        let line = if self.is_markdown() {
            code_span(&command)
        } else {
            format!("  {command}")
        };
        self.push(&line);
    }

    /// Indents a name that stands below the name of its group.
    pub(crate) fn indented(&self, name: &str) -> String {
        if self.is_markdown() {
            name.to_owned()
        } else {
            format!("  {name}")
        }
    }

    /// Adds finished lines. In Markdown they become a code block, which keeps blanks.
    pub(crate) fn picture(&mut self, picture: &str) {
        if self.is_markdown() {
            self.push("```text");
        }
        self.text.push_str(picture);
        if self.is_markdown() {
            self.push("```");
        }
    }

    /// Adds a table.
    pub(crate) fn grid(&mut self, grid: &TextGrid) {
        if self.is_markdown() {
            self.pipes(grid);
            return;
        }
        for line in grid.lines(self.columns_of_tables()) {
            self.push(&line);
        }
    }

    /// Adds a title after a blank line, and a list of items below it. Adds nothing if there are no items.
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
        let titles = grid
            .titles()
            .map(|(title, _)| escaped(title, true))
            .collect();
        let rule = |is_left| if is_left { "---" } else { "---:" };
        let rule = grid.titles().map(|(_, is_left)| rule(is_left).to_owned());
        let mut lines: Vec<Vec<String>> = vec![titles, rule.collect()];
        lines.extend(grid.rows().map(|(cells, is_group)| {
            let mut cells: Vec<String> = cells.iter().map(|cell| escaped(cell, true)).collect();
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

/// Escapes the characters that act as Markdown markup, except in code spans: a run of backticks begins one if a run of the
/// same length ends it, and is literal otherwise. A bar splits cells of a table even in a code span.
fn escaped(text: &str, is_cell: bool) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let run = backticks(rest);
        let mut ends = ends_of_runs(&rest[run..]);
        let mut length = run.max(c.len_utf8());
        if run == 0 {
            if matches!(c, '\\' | '|' | '*' | '_' | '<' | '>' | '[' | ']' | '#') {
                safe.push('\\');
            }
            safe.push(c);
        } else if let Some((end, _)) = ends.find(|(_, length)| *length == run) {
            length += end;
            let bar = if is_cell { "\\|" } else { "|" };
            safe.push_str(&rest[..length].replace('|', bar));
        } else {
            safe.push_str(&"\\`".repeat(run));
        }
        rest = &rest[length..];
    }
    safe
}

/// Returns the number of backticks with which a text begins.
fn backticks(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Returns the end and the length of each run of backticks.
fn ends_of_runs(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut end = 0;
    std::iter::from_fn(move || {
        end += text[end..].find('`')?;
        let length = backticks(&text[end..]);
        end += length;
        Some((end, length))
    })
}

/// Returns a text as a code span, between more backticks than it has in a row.
fn code_span(text: &str) -> String {
    let longest = ends_of_runs(text).map(|(_, length)| length).max();
    match longest {
        Some(longest) => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
        None => format!("`{text}`"),
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

    #[test]
    fn a_code_span_of_markdown_is_not_escaped() {
        let mut page = Page::new(Style::Markdown);
        page.paragraph("in_melee is `in_melee`, a*b is ``a*`|b``, and ` is `_`_`");
        page.command("skirmish run a`b``");
        let mut grid = TextGrid::new(["`a|b_`"]);
        grid.row(vec!["`c|d_` e|f_".to_owned()]);
        page.grid(&grid);
        assert_eq!(
            page.into_text(),
            "in\\_melee is `in_melee`, a\\*b is ``a*`|b``, and ` is `\\_`_`\n\
             ``` skirmish run a`b`` ```\n\
             | `a\\|b_` |\n| --- |\n| `c\\|d_` e\\|f\\_ |\n"
        );
        assert_eq!(escaped("a ` b_ `` c", false), "a \\` b\\_ \\`\\` c");
    }
}
