//! Text in the making: headings, lines and tables, for the terminal or as Markdown.

use crate::clean::acts;
use std::fmt::Write;

/// The columns of a terminal.
const WIDTH: usize = 80;

/// How a table is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Columns of spaces.
    Terminal,
    /// Markdown, for a README or a forum.
    Markdown,
}

/// Rows of cells, the first column to the left and the others to the right.
pub(crate) struct Grid {
    titles: Vec<String>,
    rows: Vec<Row>,
    /// Whether the last column holds bars, which begin at the left.
    bars: bool,
}

enum Row {
    Cells(Vec<String>),
    /// A name for the rows that follow.
    Group(String),
}

impl Grid {
    /// A table with those columns.
    pub(crate) fn new(titles: &[&str]) -> Self {
        Self {
            titles: titles.iter().map(|&title| title.to_owned()).collect(),
            rows: Vec::new(),
            bars: false,
        }
    }

    /// The same with bars in the last column, which begin at the left.
    pub(crate) fn with_bars(mut self) -> Self {
        self.bars = true;
        self
    }

    /// One more row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(Row::Cells(cells));
    }

    /// A name for the rows that follow.
    pub(crate) fn group(&mut self, name: String) {
        self.rows.push(Row::Group(name));
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

    /// How it is set.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// A line, without the blanks at its end.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A text with names of the user's, wrapped for a terminal; further lines of it stand further in.
    pub(crate) fn paragraph(&mut self, text: &str) {
        let text = self.name(text);
        if self.style == Style::Markdown {
            self.line(&text);
            return;
        }
        let mut line = String::new();
        for word in text.split(' ') {
            if !line.trim().is_empty() && width(&line) + 1 + width(word) > WIDTH {
                self.line(&line);
                line.clear();
                line.push(' ');
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.line(&line);
    }

    /// An empty line.
    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A heading of that level, 1 for the page's.
    pub(crate) fn heading(&mut self, level: usize, text: &str) {
        let text = self.name(text);
        match self.style {
            Style::Terminal => self.line(&text),
            Style::Markdown => {
                self.line(&format!("{} {text}", "#".repeat(level)));
                if level == 1 {
                    self.blank();
                }
            }
        }
    }

    /// A name of the user's: it must not set the terminal's colours nor Markdown's marks.
    pub(crate) fn name(&self, name: &str) -> String {
        let mut text = String::with_capacity(name.len());
        for c in name.chars() {
            match c {
                c if c == '\n' || c == '\t' || acts(c) => text.push(' '),
                '\\' | '|' | '*' | '_' | '<' | '>' | '[' | ']' | '#' => {
                    if self.style == Style::Markdown {
                        text.push('\\');
                    }
                    text.push(c);
                }
                c => text.push(c),
            }
        }
        text
    }

    /// A command that may be copied.
    pub(crate) fn command(&self, command: &str) -> String {
        let command: String = command
            .chars()
            .map(|c| {
                if c == '\n' || c == '\t' || acts(c) {
                    ' '
                } else {
                    c
                }
            })
            .collect();
        match self.style {
            Style::Terminal => format!("  {command}"),
            Style::Markdown => format!("`{command}`"),
        }
    }

    /// A name that stands under that of its group.
    pub(crate) fn indented(&self, name: &str) -> String {
        match self.style {
            Style::Terminal => format!("  {name}"),
            Style::Markdown => name.to_owned(),
        }
    }

    /// Lines that are set already: in Markdown, where blanks would be lost, as they stand.
    pub(crate) fn picture(&mut self, picture: &str) {
        let fence = self.style == Style::Markdown;
        if fence {
            self.line("```text");
        }
        self.text.push_str(picture);
        if fence {
            self.line("```");
        }
    }

    /// A table.
    pub(crate) fn grid(&mut self, grid: &Grid) {
        match self.style {
            Style::Terminal => self.columns(grid),
            Style::Markdown => self.pipes(grid),
        }
    }

    fn columns(&mut self, grid: &Grid) {
        let mut widths: Vec<usize> = grid.titles.iter().map(|title| width(title)).collect();
        for row in &grid.rows {
            if let Row::Cells(cells) = row {
                for (width_so_far, cell) in widths.iter_mut().zip(cells) {
                    *width_so_far = (*width_so_far).max(width(cell));
                }
            }
        }
        let set = |cells: &[String]| {
            let mut line = String::new();
            for (index, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
                let _ = if index == 0 {
                    write!(line, "{cell:<width$}")
                } else if grid.bars && index + 1 == cells.len() {
                    write!(line, "  {cell}")
                } else {
                    write!(line, "  {cell:>width$}")
                };
            }
            line
        };
        self.line(&set(&grid.titles));
        for row in &grid.rows {
            let line = match row {
                Row::Cells(cells) => set(cells),
                Row::Group(name) => name.clone(),
            };
            self.line(&self.name(&line));
        }
    }

    fn pipes(&mut self, grid: &Grid) {
        let joined = |cells: &[String]| format!("| {} |", cells.join(" | "));
        self.line(&joined(&grid.titles));
        let rule: Vec<String> = (0..grid.titles.len())
            .map(|index| if index == 0 { "---" } else { "---:" }.to_owned())
            .collect();
        self.line(&joined(&rule));
        for row in &grid.rows {
            let cells: Vec<String> = match row {
                Row::Cells(cells) => cells.iter().map(|cell| self.name(cell)).collect(),
                Row::Group(name) => {
                    let mut cells = vec![String::new(); grid.titles.len()];
                    cells[0] = format!("**{}**", self.name(name));
                    cells
                }
            };
            self.line(&joined(&cells));
        }
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}
