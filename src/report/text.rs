//! Answers as text, with bars and shaded grids, and as Markdown.

use std::fmt::Write;

use super::format::{cell, text};
use super::number::{extremes, share_of_way};
use super::{Block, Fact, Grid, Page, Report, Style, Table, TextGrid, Value};
use crate::wrap::{pad, width};

/// The widest bar, in characters.
const BAR: f64 = 24.0;

/// Formats the answer as text; `coloured` shades the cells of grids.
pub(crate) fn page(report: &Report, style: Style, coloured: bool) -> String {
    let mut page = Page::new(style);
    page.heading(3, report.headline());
    if page.is_markdown() && !report.rules.is_empty() {
        page.blank();
    }
    for rule in &report.rules {
        page.item(rule);
    }
    for block in &report.blocks {
        page.blank();
        match block {
            Block::Facts(facts) if page.is_markdown() => {
                let mut grid = TextGrid::new(["", ""]);
                for fact in facts {
                    grid.row(vec![fact.label.clone(), text(&fact.value)]);
                }
                page.grid(&grid);
            }
            Block::Facts(facts) => push_facts(&mut page, facts),
            Block::Table(table) => push_table(&mut page, table),
            Block::Grid(grid) => push_heatmap(&mut page, grid, coloured),
            Block::Note(note) => page.prose(note),
        }
    }
    page.into_text()
}

fn push_facts(page: &mut Page, facts: &[Fact]) {
    let label = facts.iter().map(|fact| width(&fact.label)).max();
    let label = label.unwrap_or(0);
    // Figures are aligned right; a sentence among them does not widen their column.
    let is_figure = |fact: &&Fact| !matches!(fact.value, Value::Text(_));
    let figures = facts.iter().filter(is_figure).map(|fact| text(&fact.value));
    let right = figures.map(|figure| width(&figure)).max().unwrap_or(0);
    for fact in facts {
        let value = text(&fact.value);
        let right = if is_figure(&fact) { right } else { 0 };
        page.line(&format!("{}  {value:>right$}", pad(&fact.label, label)));
    }
}

fn push_table(page: &mut Page, table: &Table) {
    page.prose(&table.title);
    if page.is_markdown() {
        page.blank();
    }
    let has_bars = table.bars.is_some() && !page.is_markdown();
    let labels = table.columns.iter().map(|column| column.label.as_str());
    let titles = labels.chain(has_bars.then_some(""));
    let mut grid = TextGrid::new(titles).aligned_right();
    if has_bars {
        grid = grid.with_bars();
    }
    let chance = |row: &[Value]| table.bars.map_or(0.0, |at| row[at].number());
    // The name of the row that others are folded into is longer than a value.
    let longest = if table.is_folded() { BAR - 6.0 } else { BAR };
    let most = table.shown().map(|row| chance(&row)).fold(0.0, f64::max);
    for row in table.shown() {
        let bar = has_bars.then(|| bar(chance(&row) / most * longest));
        grid.row(row.iter().map(text).chain(bar).collect());
    }
    page.grid(&grid);
    if let Some(hidden) = table.hidden() {
        page.blank();
        page.prose(&hidden);
    }
}

/// Returns a bar of `cells` characters, in steps of an eighth.
pub(crate) fn bar(cells: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (cells * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn push_heatmap(page: &mut Page, grid: &Grid, coloured: bool) {
    page.prose(&grid.title);
    let rows = grid.row_heads.iter().zip(&grid.cells);
    if page.is_markdown() {
        page.blank();
        let corner = format!("{} / {}", grid.row_label, grid.column_label);
        let heads = grid.column_heads.iter().cloned();
        let titles = std::iter::once(corner).chain(heads);
        let mut table = TextGrid::new(titles).aligned_right();
        for (head, values) in rows {
            let head = std::iter::once(head.clone());
            table.row(head.chain(values.iter().map(cell)).collect());
        }
        page.grid(&table);
        return;
    }
    let cells = || grid.cells.iter().flatten();
    let ends = extremes(cells().map(Value::number));
    let wide = cells().map(|value| width(&cell(value))).fold(4, usize::max);
    let label = width(&grid.row_label).max(4);
    let shaded = |value: &Value| {
        let text = cell(value);
        if !coloured {
            return format!(" {text:>wide$} ");
        }
        // From dark to light over the greys of a terminal, with text in a contrasting colour.
        let share = share_of_way(value.number(), ends);
        let grey = 234 + (share * 18.0).round() as u32;
        let ink = if share < 0.5 { 255 } else { 232 };
        format!("\x1b[48;5;{grey}m\x1b[38;5;{ink}m {text:>wide$} \x1b[0m")
    };
    let together = (page.columns_of_tables().saturating_sub(label) / (wide + 2)).max(1);
    let mut out = String::new();
    for (index, heads) in grid.column_heads.chunks(together).enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "{:label$}  {}", "", grid.column_label);
        let _ = write!(out, "{:>label$}", grid.row_label);
        for head in heads {
            let _ = write!(out, " {head:>wide$} ");
        }
        trim_line(&mut out);
        for (head, values) in rows.clone() {
            let _ = write!(out, "{head:>label$}");
            for value in values.iter().skip(index * together).take(together) {
                out.push_str(&shaded(value));
            }
            trim_line(&mut out);
        }
    }
    page.picture(&out);
}

fn trim_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}
