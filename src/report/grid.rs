//! Text tables for a terminal. A table that is too wide is folded into blocks of columns, one below the other.

use crate::clean::acts;
use crate::wrap::{fold, width};
use std::ops::Range;

/// Blanks between two columns.
const GAP: usize = 2;

/// Indentation of the cells below a name that has a line of its own.
const BELOW_NAMES: usize = 4;

/// Least width of a column of wrapped sentences.
const LEAST: usize = 30;

/// A table of text cells with column titles.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextGrid {
    columns: Vec<Column>,
    /// The cells of each row. The name of a group is the first cell of its row, which comes with `true`.
    rows: Vec<(Vec<String>, bool)>,
    /// Whether the last column holds bars. Bars are left out if they do not fit.
    has_bars: bool,
    /// Whether cells hold sentences. Sentences are wrapped and the columns are not folded.
    is_listing: bool,
}

#[derive(Debug, Clone)]
struct Column {
    title: String,
    is_left: bool,
    /// Whether the column is folded together with the column before it.
    stays: bool,
}

impl TextGrid {
    /// Creates a table with these columns, the first aligned left and the others right.
    pub(crate) fn new(titles: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let columns = titles.into_iter().enumerate().map(|(index, title)| Column {
            title: one_line(title.as_ref().to_owned()),
            is_left: index == 0,
            stays: false,
        });
        Self {
            columns: columns.collect(),
            ..Self::default()
        }
    }

    /// Creates a table of sentences, with all columns aligned left.
    pub(crate) fn listing(titles: &[&str]) -> Self {
        let mut grid = Self::new(titles);
        for column in &mut grid.columns {
            column.is_left = true;
        }
        grid.is_listing = true;
        grid
    }

    /// Aligns all columns right.
    pub(crate) fn aligned_right(mut self) -> Self {
        for column in &mut self.columns {
            column.is_left = false;
        }
        self
    }

    /// Marks the last column as bars, aligned left.
    pub(crate) fn with_bars(mut self) -> Self {
        self.has_bars = true;
        if let Some(last) = self.columns.last_mut() {
            last.is_left = true;
        }
        self
    }

    /// Keeps these columns in one block when the table is folded.
    pub(crate) fn together(mut self, columns: Range<usize>) -> Self {
        for column in self.columns[columns].iter_mut().skip(1) {
            column.stays = true;
        }
        self
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        let cells = cells.into_iter().map(one_line).collect();
        self.rows.push((cells, false));
    }

    /// Adds a group name for the rows that follow.
    pub(crate) fn group(&mut self, name: String) {
        let mut cells = vec![String::new(); self.columns.len()];
        cells[0] = one_line(name);
        self.rows.push((cells, true));
    }

    /// Returns each title, and whether its column is aligned left.
    pub(super) fn titles(&self) -> impl Iterator<Item = (&str, bool)> {
        let columns = self.columns.iter();
        columns.map(|column| (column.title.as_str(), column.is_left))
    }

    /// Returns the cells of each row, and whether it is the name of a group.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Vec<&str>, bool)> {
        let rows = self.rows.iter();
        rows.map(|(cells, is_group)| (cells.iter().map(String::as_str).collect(), *is_group))
    }

    fn cells(&self) -> impl Iterator<Item = &Vec<String>> {
        let rows = self.rows.iter().filter(|(_, is_group)| !is_group);
        rows.map(|(cells, _)| cells)
    }

    /// Returns the width of a column: the widest of its cells and its title, or the title's widest word if
    /// `splits_title` is set.
    fn width_of(&self, column: usize, splits_title: bool) -> usize {
        let title = &self.columns[column].title;
        let title = if splits_title {
            title.split(' ').map(width).max().unwrap_or(0)
        } else {
            width(title)
        };
        let cells = self.cells().map(|cells| width(&cells[column]));
        cells.fold(title, usize::max)
    }

    /// Formats the table in lines of at most `most` columns.
    pub(super) fn lines(&self, most: usize) -> Vec<String> {
        let count = self.columns.len();
        let all = |count: usize, splits: bool| -> Vec<usize> {
            let widths = (0..count).map(|column| self.width_of(column, splits));
            widths.collect()
        };
        let fits = |widths: &Vec<usize>| total(widths) <= most;
        let mut wide = all(count, false);
        if self.is_listing && !fits(&wide) {
            self.narrow(&mut wide, most);
            return self.block(&wide, 0..count, None);
        }
        let bare = count - usize::from(self.has_bars);
        let ways = [(count, false), (count, true), (bare, false), (bare, true)];
        let ways = ways.map(|(count, splits)| all(count, splits));
        match ways.iter().find(|widths| fits(widths)) {
            Some(widths) => self.block(widths, 0..widths.len(), None),
            None => self.folded(all(bare, true), most),
        }
    }

    /// Narrows the columns of sentences to fit. The last column is wrapped; the columns before it give up width, the
    /// widest first, if the last has too little room.
    fn narrow(&self, widths: &mut [usize], most: usize) {
        let last = widths.len() - 1;
        let margin = |widths: &[usize]| total(&widths[..last]) + GAP;
        let mut excess = (margin(widths) + LEAST).saturating_sub(most);
        let mut before: Vec<usize> = (0..last).collect();
        before.sort_by_key(|&column| std::cmp::Reverse(widths[column]));
        for column in before {
            // Words are not split.
            let words = self.cells().flat_map(|cells| cells[column].split(' '));
            let least = words.map(width).max().unwrap_or(0).max(LEAST / 3);
            let taken = excess.min(widths[column].saturating_sub(least));
            widths[column] -= taken;
            excess -= taken;
        }
        widths[last] = most.saturating_sub(margin(widths)).max(LEAST / 2);
    }

    /// Formats blocks of columns one below the other, each with the names of the rows.
    fn folded(&self, mut widths: Vec<usize>, most: usize) -> Vec<String> {
        let others = BELOW_NAMES + total(&widths[1..]) + GAP;
        let apart = widths[0] > most / 2 || (widths[0] > most / 4 && others <= most);
        let label = if apart { BELOW_NAMES } else { widths[0] };
        let room = most.saturating_sub(label).max(GAP + 1);
        for width in &mut widths[1..] {
            *width = (*width).min(room - GAP);
        }
        let mut lines = Vec::new();
        for columns in self.split(&widths, room) {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.extend(self.block(&widths, columns, apart.then_some(most)));
        }
        lines
    }

    /// Distributes all columns but the first evenly over as few blocks as possible.
    fn split(&self, widths: &[usize], room: usize) -> Vec<Range<usize>> {
        let fits = |columns: Range<usize>, room: usize| {
            let wide: usize = widths[columns].iter().map(|width| width + GAP).sum();
            wide <= room
        };
        // Columns that stay together, unless they do not fit side by side.
        let mut units: Vec<Range<usize>> = Vec::new();
        for column in 1..widths.len() {
            let stays = self.columns[column].stays;
            match units.last_mut() {
                Some(unit) if stays && fits(unit.start..column + 1, room) => unit.end = column + 1,
                _ => units.push(column..column + 1),
            }
        }
        let blocks = |room: usize| {
            let mut blocks: Vec<Range<usize>> = Vec::new();
            for unit in &units {
                match blocks.last_mut() {
                    Some(block) if fits(block.start..unit.end, room) => block.end = unit.end,
                    _ => blocks.push(unit.clone()),
                }
            }
            blocks
        };
        let fewest = blocks(room).len();
        let even = (1..=room).find(|&room| blocks(room).len() == fewest);
        blocks(even.unwrap_or(room))
    }

    /// Formats the rows of these columns, led by the first column. If `names` is given, the first column has lines of
    /// its own of that width.
    fn block(&self, widths: &[usize], columns: Range<usize>, names: Option<usize>) -> Vec<String> {
        let has_first = names.is_some() || columns.start == 0;
        let first = (!has_first).then_some(0);
        let shown: Vec<usize> = first.into_iter().chain(columns).collect();
        let titles: Vec<&str> = self.titles().map(|(title, _)| title).collect();
        let rows = std::iter::once((titles, false)).chain(self.rows());
        let mut lines = Vec::new();
        for (index, (cells, is_group)) in rows.enumerate() {
            if is_group {
                lines.extend(fold(cells[0], names.unwrap_or_else(|| total(widths))));
                continue;
            }
            if let Some(most) = names
                && !cells[0].is_empty()
            {
                lines.extend(fold(cells[0], most));
            }
            let fits = |&column: &usize| width(cells[column]) <= widths[column];
            if shown.iter().all(fits) {
                lines.push(self.line(widths, &shown, names.is_some(), |column| cells[column]));
                continue;
            }
            let parts: Vec<Vec<String>> = (0..cells.len())
                .map(|column| match widths.get(column) {
                    Some(&width) => fold(cells[column], width),
                    None => Vec::new(),
                })
                .collect();
            let heights = shown.iter().map(|&column| parts[column].len());
            let height = heights.max().unwrap_or(0);
            for at in 0..height {
                lines.push(self.line(widths, &shown, names.is_some(), |column| {
                    // Titles are aligned at the bottom, directly above their columns.
                    let parts = &parts[column];
                    let above = if index == 0 { height - parts.len() } else { 0 };
                    let part = at.checked_sub(above).and_then(|at| parts.get(at));
                    part.map_or("", String::as_str)
                }));
            }
        }
        lines
    }

    /// Formats one line of the cells of these columns.
    fn line<'a>(
        &self,
        widths: &[usize],
        columns: &[usize],
        is_below_names: bool,
        cell: impl Fn(usize) -> &'a str,
    ) -> String {
        let mut line = " ".repeat(if is_below_names { BELOW_NAMES } else { 0 });
        for &column in columns {
            let cell = cell(column);
            if column > 0 {
                line.push_str(&" ".repeat(GAP));
            }
            let blanks = " ".repeat(widths[column].saturating_sub(width(cell)));
            if self.columns[column].is_left {
                line.push_str(cell);
                line.push_str(&blanks);
            } else {
                line.push_str(&blanks);
                line.push_str(cell);
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// Makes a text fit on one line: replaces line breaks, tabs and terminal control characters by blanks.
pub(super) fn one_line(text: String) -> String {
    let steers = |c: char| c == '\n' || c == '\t' || acts(c);
    if text.contains(steers) {
        text.replace(steers, " ")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> TextGrid {
        let mut grid =
            TextGrid::new(["combatant", "alive", "health", "first attack"]).together(1..3);
        grid.group("heroes".into());
        for name in ["  warrior", "  mage"] {
            grid.row(vec![name.into(), "50%".into(), "7.25".into(), "3".into()]);
        }
        grid
    }

    #[test]
    fn a_table_that_fits_stays_whole() {
        let whole = [
            "combatant  alive  health  first attack",
            "heroes",
            "  warrior    50%    7.25             3",
            "  mage       50%    7.25             3",
        ];
        assert_eq!(grid().lines(38), whole);
        assert_eq!(grid().lines(usize::MAX), whole);
    }

    #[test]
    fn titles_are_broken_before_columns_are_folded() {
        let lines = [
            "                           first",
            "combatant  alive  health  attack",
            "heroes",
            "  warrior    50%    7.25       3",
            "  mage       50%    7.25       3",
        ];
        assert_eq!(grid().lines(37), lines);
        assert_eq!(grid().lines(32), lines);
    }

    #[test]
    fn a_wide_table_folds_into_blocks_of_columns() {
        let lines = [
            "combatant  alive  health",
            "heroes",
            "  warrior    50%    7.25",
            "  mage       50%    7.25",
            "",
            "            first",
            "combatant  attack",
            "heroes",
            "  warrior       3",
            "  mage          3",
        ];
        assert_eq!(grid().lines(26), lines);
        assert_eq!(grid().lines(24), lines);
        // Each column is in a block of its own.
        assert_eq!(grid().lines(23).len(), 15);
    }

    #[test]
    fn columns_are_spread_evenly_over_the_blocks() {
        let mut grid = TextGrid::new(["", "aaaa", "bbbb", "cccc", "dddd"]);
        grid.row(["x", "1", "2", "3", "4"].map(str::to_owned).to_vec());
        let lines = [
            "   aaaa  bbbb",
            "x     1     2",
            "",
            "   cccc  dddd",
            "x     3     4",
        ];
        assert_eq!(grid.lines(20), lines);
    }

    #[test]
    fn a_long_name_stands_on_a_line_of_its_own() {
        let mut grid = TextGrid::new(["variant", "wins", "rounds"]);
        grid.row(vec![
            "a very long name of a variant".into(),
            "50%".into(),
            "12".into(),
        ]);
        let lines = [
            "variant",
            "      wins  rounds",
            "a very long name of",
            "a variant",
            "       50%      12",
        ];
        assert_eq!(grid.lines(20), lines);
    }

    #[test]
    fn bars_are_left_out_where_they_have_no_room() {
        let mut grid = TextGrid::new(["value", "share", ""]).with_bars();
        grid.row(vec!["1".into(), "50%".into(), "█████".into()]);
        assert_eq!(grid.lines(19), ["value  share", "1        50%  █████"]);
        assert_eq!(grid.lines(18), ["value  share", "1        50%"]);
    }

    #[test]
    fn sentences_are_wrapped_in_their_columns() {
        let mut grid = TextGrid::listing(&["key", "meaning"]);
        grid.row(vec![
            "health".into(),
            "points that a combatant has at the beginning".into(),
        ]);
        let lines = [
            "key     meaning",
            "health  points that a combatant has at",
            "        the beginning",
        ];
        assert_eq!(grid.lines(40), lines);
    }
}
