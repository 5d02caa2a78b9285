//! Answers for eyes: text with bars and shaded grids, and Markdown.

use std::fmt::Write;

use super::format::{cell, text};
use super::{Block, Fact, Grid, Report, Table, Value};

/// The widest bar, in characters.
const BAR: usize = 24;

/// The widest line of a sentence, in characters.
const WIDTH: usize = 80;

/// The answer as text for a terminal.
pub(crate) fn table(report: &Report, coloured: bool) -> String {
    let mut out = String::new();
    push_text(&mut out, report.headline(), "", "  ");
    for rule in &report.rules {
        push_text(&mut out, rule, "  ", "    ");
    }
    for block in &report.blocks {
        out.push('\n');
        match block {
            Block::Facts(facts) => push_facts(&mut out, facts),
            Block::Table(table) => push_table(&mut out, table),
            Block::Grid(grid) => push_grid(&mut out, grid, coloured),
            Block::Note(note) => push_text(&mut out, note, "", ""),
        }
    }
    out
}

/// Writes a sentence, broken between words where it would not fit.
fn push_text(out: &mut String, text: &str, first: &str, others: &str) {
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in text.split(' ') {
        if !is_empty && width(&line) + 1 + width(word) > WIDTH {
            let _ = writeln!(out, "{line}");
            others.clone_into(&mut line);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    let _ = writeln!(out, "{line}");
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn push_facts(out: &mut String, facts: &[Fact]) {
    let values: Vec<String> = facts.iter().map(|fact| text(&fact.value)).collect();
    let label = facts.iter().map(|fact| width(&fact.label)).max();
    // Figures line up; a sentence among them does not push them aside.
    let is_figure = |fact: &&Fact| !matches!(fact.value, Value::Text(_));
    let figures = facts.iter().filter(is_figure).map(|fact| text(&fact.value));
    let right = figures.map(|figure| width(&figure)).max().unwrap_or(0);
    for (fact, value) in facts.iter().zip(values) {
        let label_width = label.unwrap_or(0);
        let line = if matches!(fact.value, Value::Text(_)) {
            format!("{:<label_width$}  {value}", fact.label)
        } else {
            format!("{:<label_width$}  {value:>right$}", fact.label)
        };
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn push_table(out: &mut String, table: &Table) {
    let _ = writeln!(out, "{}", table.title);
    let cells: Vec<Vec<String>> = table
        .shown()
        .map(|row| row.iter().map(text).collect())
        .collect();
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|at| {
            let head = width(&table.columns[at].label);
            cells
                .iter()
                .map(|row| width(&row[at]))
                .fold(head, usize::max)
        })
        .collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| -> String {
        let padded = cells
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:>width$}"));
        padded.collect::<Vec<_>>().join("  ")
    };
    let head = line(&mut table.columns.iter().map(|column| column.label.as_str()));
    let _ = writeln!(out, "{head}");
    let chance = |row: &Vec<Value>| table.bars.map_or(0.0, |at| row[at].number());
    let most = table.shown().map(chance).fold(0.0, f64::max);
    for (row, cells) in table.shown().zip(&cells) {
        let mut shown = line(&mut cells.iter().map(String::as_str));
        if table.bars.is_some() {
            shown.push_str("  ");
            shown.push_str(&bar(chance(row) / most));
        }
        let _ = writeln!(out, "{}", shown.trim_end());
    }
}

fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * (BAR * 8) as f64).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn push_grid(out: &mut String, grid: &Grid, coloured: bool) {
    let _ = writeln!(out, "{}", grid.title);
    let cells: Vec<Vec<String>> = grid
        .cells
        .iter()
        .map(|row| row.iter().map(cell).collect())
        .collect();
    let heads = grid.column_heads.iter().map(ToString::to_string);
    let wide = cells
        .iter()
        .flatten()
        .map(|cell| width(cell))
        .max()
        .unwrap_or(0)
        .max(4);
    let label = width(grid.row_label).max(4);
    let _ = writeln!(out, "{:label$}  {}", "", grid.column_label);
    let _ = write!(out, "{:>label$}", grid.row_label);
    for head in heads {
        let _ = write!(out, " {head:>wide$} ");
    }
    trim_line(out);
    let numbers = |row: &Vec<Value>| -> Vec<f64> { row.iter().map(Value::number).collect() };
    let all: Vec<Vec<f64>> = grid.cells.iter().map(numbers).collect();
    let most = all.iter().flatten().copied().fold(f64::MIN, f64::max);
    let least = all.iter().flatten().copied().fold(f64::MAX, f64::min);
    for ((head, row), numbers) in grid.row_heads.iter().zip(&cells).zip(&all) {
        let _ = write!(out, "{head:>label$}");
        for (cell, &number) in row.iter().zip(numbers) {
            if coloured {
                // From dark to light over the 24 greys of a terminal, text in contrast.
                let share = if most > least {
                    (number - least) / (most - least)
                } else {
                    0.0
                };
                let grey = 234 + (share * 18.0).round() as u32;
                let ink = if share < 0.5 { 255 } else { 232 };
                let _ = write!(
                    out,
                    "\x1b[48;5;{grey}m\x1b[38;5;{ink}m {cell:>wide$} \x1b[0m"
                );
            } else {
                let _ = write!(out, " {cell:>wide$} ");
            }
        }
        trim_line(out);
    }
}

fn trim_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

/// The answer as Markdown.
pub(crate) fn markdown(report: &Report) -> String {
    let mut out = format!("### {}\n", report.headline());
    for rule in &report.rules {
        let _ = write!(out, "\n*{rule}*  ");
    }
    trim_line(&mut out);
    let row = |out: &mut String, cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    let rule = |out: &mut String, columns: usize| {
        let _ = writeln!(out, "|{}", " ---: |".repeat(columns));
    };
    for block in &report.blocks {
        out.push('\n');
        match block {
            Block::Facts(facts) => {
                let _ = writeln!(out, "| | |\n| :--- | ---: |");
                for fact in facts {
                    row(
                        &mut out,
                        &mut [fact.label.clone(), text(&fact.value)].into_iter(),
                    );
                }
            }
            Block::Table(table) => {
                let _ = writeln!(out, "{}\n", table.title);
                row(
                    &mut out,
                    &mut table.columns.iter().map(|column| column.label.clone()),
                );
                rule(&mut out, table.columns.len());
                for values in table.shown() {
                    row(&mut out, &mut values.iter().map(text));
                }
            }
            Block::Grid(grid) => {
                let _ = writeln!(out, "{}\n", grid.title);
                let corner = format!("{} \\ {}", grid.row_label, grid.column_label);
                let heads = grid.column_heads.iter().map(ToString::to_string);
                row(&mut out, &mut std::iter::once(corner).chain(heads));
                rule(&mut out, grid.column_heads.len() + 1);
                for (head, values) in grid.row_heads.iter().zip(&grid.cells) {
                    let cells = values.iter().map(cell);
                    row(
                        &mut out,
                        &mut std::iter::once(head.to_string()).chain(cells),
                    );
                }
            }
            Block::Note(note) => {
                let _ = writeln!(out, "{note}");
            }
        }
    }
    out
}
