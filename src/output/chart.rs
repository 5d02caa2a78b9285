//! Pictures made of characters for a terminal: a line with its interval band, bars, and a shaded grid.
//!
//! Pictures give an impression; the numbers beside them are exact. Everything is computed from the given numbers with
//! operations that give the same picture on every machine.

use super::table::percents;
use crate::report;
use crate::report::number::{
    Rounded, arm, at_a_glance, decimals, decimals_shown, extremes, in_cell, is_narrow,
    share_of_way, with_ends,
};
use crate::stats::{Interval, Summary};
use crate::tally::{Kind, Metric};
use crate::wrap::{COLUMNS, fold, width, wrap};
use std::fmt::Write;

/// The widest line of a picture, in columns. A wider terminal does not widen it.
const WIDEST: usize = COLUMNS;

/// Rows of a line chart.
const ROWS: usize = 16;

/// The longest bar, in characters.
const BAR: usize = 32;

/// Dots of a Braille character, across and down.
const DOTS: (usize, usize) = (2, 4);

/// One value of a picture, with the ends of its interval. Without an interval both ends are the value itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mark {
    /// Name of the value, such as a variant.
    label: String,
    /// Horizontal position.
    x: f64,
    /// The value.
    mean: f64,
    /// Lower end.
    low: f64,
    /// Upper end.
    pub(super) high: f64,
}

impl Mark {
    /// Creates a mark at `x` from the mean of a summary, if it has one.
    pub(super) fn of(summary: &Summary, label: &str, x: f64) -> Option<Self> {
        let mean = summary.mean?;
        let [low, high] = summary.interval.unwrap_or(Interval::at(mean)).ends();
        Some(Self {
            label: label.to_owned(),
            x,
            mean,
            low,
            high,
        })
    }
}

/// The unit of a picture's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Shares from 0 to 1, shown in per cent.
    Share,
    /// Anything else.
    Plain,
}

impl Unit {
    /// Returns the unit of a metric's numbers.
    pub(super) fn of(metric: &Metric) -> Self {
        if metric.kind == Kind::Rate {
            Self::Share
        } else {
            Self::Plain
        }
    }

    /// Returns the factor by which numbers are multiplied before they are shown.
    pub(super) fn factor(self) -> f64 {
        match self {
            Self::Share => 100.0,
            Self::Plain => 1.0,
        }
    }

    /// Returns the sign after a number.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Share => "%",
            Self::Plain => "",
        }
    }

    /// Returns the word after a difference, with a blank before it.
    pub(super) fn points(self) -> &'static str {
        match self {
            Self::Share => " points",
            Self::Plain => "",
        }
    }

    /// Formats a number and its interval, with the digits that the interval allows.
    pub(super) fn estimate(self, value: f64, interval: Option<Interval>) -> (String, String) {
        match (self, interval) {
            (_, Some(interval)) if is_narrow(value, interval, self == Self::Share) => {
                let (value, bounds) = (value * self.factor(), interval.scaled(self.factor()));
                let number = at_a_glance(value, bounds, self == Self::Share);
                (number + self.sign(), arm(value, bounds) + self.sign())
            }
            (Self::Share, Some(interval)) => {
                let (value, low, high) = percents(value, interval);
                (value, format!("{low} to {high}"))
            }
            (Self::Plain, Some(interval)) => {
                let [low, high] = interval.ends();
                let certain = decimals(interval.half_width());
                let [value, low, high] = with_ends([value, low, high], certain, false);
                (value, format!("{low} to {high}"))
            }
            // Nothing says how many digits are certain.
            (_, None) => {
                let shown = value * self.factor();
                let digits = if shown.fract() == 0.0 {
                    0
                } else {
                    decimals_shown(2, &[shown])
                };
                (self.text(value, digits), String::new())
            }
        }
    }

    /// Formats a number and its interval as one text: `54.3% (53.6% to 55.0%)`.
    pub(super) fn in_words(self, value: f64, interval: Option<Interval>) -> String {
        match self.estimate(value, interval) {
            (value, interval) if interval.is_empty() => value,
            (value, interval) => format!("{value} ({interval})"),
        }
    }

    /// Formats a number with all its digits.
    pub(super) fn exact(self, value: f64) -> String {
        format!("{}{}", Rounded::new(value * self.factor()), self.sign())
    }

    /// Formats a number with `decimals` decimals.
    pub(super) fn text(self, value: f64, decimals: usize) -> String {
        format!("{:.decimals$}{}", value * self.factor(), self.sign())
    }

    /// Formats a number with four digits, or more before the decimal point. A whole number has no others.
    pub(super) fn four(self, value: f64) -> String {
        let shown = value * self.factor();
        let size = shown.abs().log10().floor();
        let number = match shown.fract() {
            0.0 => shown.to_string(),
            _ if size < -6.0 => format!("{shown:.3e}"),
            _ => format!("{shown:.*}", (3.0 - size).max(0.0) as usize),
        };
        number + self.sign()
    }

    /// Formats a number for a cell without room for more decimals and without a per cent sign: `<0.1` if it would read
    /// as 0.
    pub(super) fn cell(self, value: f64, decimals: usize) -> String {
        in_cell(value * self.factor(), decimals, self == Self::Share)
    }
}

/// The vertical axis: its ends, the distance of its ticks and their decimals, all in the unit shown.
struct Scale {
    from: f64,
    to: f64,
    step: f64,
    decimals: usize,
}

impl Scale {
    /// Chooses round numbers around all intervals.
    fn around(marks: &[Mark], unit: Unit) -> Self {
        let factor = unit.factor();
        let low = marks.iter().map(|mark| mark.low).fold(f64::MAX, f64::min) * factor;
        let high = marks.iter().map(|mark| mark.high).fold(f64::MIN, f64::max) * factor;
        let span = if high > low { high - low } else { 1.0 };
        let mut step: f64 = 1e-6;
        let mut decimals = 6_usize;
        // At most five steps; 1, 2, 5, 10, 20, 50 and so on.
        'found: loop {
            for round in [1.0, 2.0, 5.0] {
                if span <= step * round * 5.0 {
                    step *= round;
                    break 'found;
                }
            }
            step *= 10.0;
            decimals = decimals.saturating_sub(1);
        }
        let mut from = (low / step).floor() * step;
        let mut to = (high / step).ceil() * step;
        if to <= from {
            to = from + step;
        }
        if unit == Unit::Share {
            from = from.max(0.0);
            to = to.min(100.0);
        }
        Self {
            from,
            to,
            step,
            decimals,
        }
    }
}

/// Draws a line through the marks from left to right, with a band between the ends of their intervals, in lines of
/// `wide` columns. A dashed line marks `level` if it lies within the picture. There must be at least two marks, at
/// different x.
pub(super) fn line(
    marks: &[Mark],
    unit: Unit,
    level: Option<f64>,
    title: &str,
    wide: usize,
) -> String {
    let scale = Scale::around(marks, unit);
    let factor = unit.factor();
    let ticks: Vec<f64> = (0..=((scale.to - scale.from) / scale.step).round() as usize)
        .map(|tick| scale.from + tick as f64 * scale.step)
        .collect();
    let tick_text = |tick: f64| unit.text(tick / factor, scale.decimals);
    let widths = ticks.iter().map(|&tick| width(&tick_text(tick)));
    let margin = widths.max().unwrap_or(0);
    let wide = wide.min(WIDEST);
    let columns = wide.saturating_sub(margin + 3).max(2);
    let dots = (columns * DOTS.0, ROWS * DOTS.1);

    let (first, last) = (marks[0].x, marks[marks.len() - 1].x);
    // One cell stays free at both ends, so that the outermost marks do not touch the axis.
    let across = |x: f64| {
        let free = (dots.0 - 2 * DOTS.0 - 1) as f64;
        DOTS.0 + ((x - first) / (last - first) * free).round() as usize
    };
    let down = |value: f64| {
        let share = (scale.to - value * factor) / (scale.to - scale.from);
        (share.clamp(0.0, 1.0) * (dots.1 - 1) as f64).round() as usize
    };

    let mut cells = vec![vec![' '; columns]; ROWS];
    if let Some(level) = level.filter(|l| (scale.from..=scale.to).contains(&(l * factor))) {
        cells[down(level) / DOTS.1].fill('╌');
    }
    let mut braille = vec![vec![0_u8; columns]; ROWS];
    let mut before: Option<usize> = None;
    for pair in marks.windows(2) {
        let (left, right) = (&pair[0], &pair[1]);
        let (from, to) = (across(left.x), across(right.x));
        for x in from..=to {
            let share = if to > from {
                (x - from) as f64 / (to - from) as f64
            } else {
                1.0
            };
            let between = |one: f64, other: f64| one + (other - one) * share;
            let column = x / DOTS.0;
            let (top, bottom) = (
                down(between(left.high, right.high)) / DOTS.1,
                down(between(left.low, right.low)) / DOTS.1,
            );
            for row in &mut cells[top..=bottom] {
                row[column] = '░';
            }
            let y = down(between(left.mean, right.mean));
            let (upper, lower) = match before {
                Some(old) if old < y => (old + 1, y),
                Some(old) if old > y => (y, old - 1),
                _ => (y, y),
            };
            for y in upper..=lower {
                braille[y / DOTS.1][column] |= dot(x % DOTS.0, y % DOTS.1);
            }
            before = Some(y);
        }
    }
    for (row, bits) in cells.iter_mut().zip(&braille) {
        for (cell, &bits) in row.iter_mut().zip(bits) {
            if bits > 0 {
                *cell = char::from_u32(0x2800 + u32::from(bits)).unwrap_or(*cell);
            }
        }
    }
    // If marks are close together, only the line is drawn.
    if marks.len() <= columns / 2 {
        for mark in marks {
            cells[down(mark.mean) / DOTS.1][across(mark.x) / DOTS.0] = '●';
        }
    }

    let mut out = String::new();
    for (index, row) in cells.iter().enumerate() {
        let mut ticks = ticks.iter();
        let (text, axis) = match ticks.find(|&&tick| down(tick / factor) / DOTS.1 == index) {
            Some(&tick) => (tick_text(tick), '┤'),
            None => (String::new(), '│'),
        };
        let row: String = row.iter().collect();
        push_line(&mut out, &format!("{text:>margin$} {axis}{row}"));
    }
    let places: Vec<usize> = marks.iter().map(|mark| across(mark.x) / DOTS.0).collect();
    let shown = shown_labels(marks, &places, columns);
    let mut rule = vec!['─'; columns];
    let mut labels = vec![' '; columns + 1];
    for &index in &shown {
        rule[places[index]] = '┬';
        let start = label_start(&marks[index].label, places[index], columns);
        for (at, c) in marks[index].label.chars().enumerate() {
            labels[start + at] = c;
        }
    }
    let indent = " ".repeat(margin + 1);
    let rule: String = rule.iter().collect();
    push_line(&mut out, &format!("{indent}└{rule}"));
    let labels: String = labels.iter().collect();
    push_line(&mut out, &format!("{indent} {labels}"));
    for title in fold(title, wide) {
        let free = wide - width(&title);
        let centre = margin + 2 + columns.saturating_sub(width(&title)) / 2;
        let indent = " ".repeat(centre.min(free));
        push_line(&mut out, &format!("{indent}{title}"));
    }
    out
}

/// Returns the start of a label that is centred below its mark and inside the picture.
fn label_start(label: &str, place: usize, columns: usize) -> usize {
    let wide = width(label);
    (place + 1)
        .saturating_sub(wide.div_ceil(2))
        .min((columns + 1).saturating_sub(wide))
}

/// Returns the marks whose labels are written below the axis: all marks, or every n-th so that labels do not overlap.
fn shown_labels(marks: &[Mark], places: &[usize], columns: usize) -> Vec<usize> {
    let fits = |every: &usize| {
        let mut free = 0;
        (0..marks.len()).step_by(*every).all(|index| {
            let start = label_start(&marks[index].label, places[index], columns);
            let end = start + width(&marks[index].label);
            let fits = start >= free && end <= columns + 1;
            free = end + 1;
            fits
        })
    };
    let every = (1..=marks.len()).find(fits);
    every.map_or_else(Vec::new, |every| (0..marks.len()).step_by(every).collect())
}

const fn dot(x: usize, y: usize) -> u8 {
    const BITS: [[u8; DOTS.0]; DOTS.1] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    BITS[y][x]
}

/// Draws a bar from 0 to a mean. Its end is shaded between the ends of the interval. `most` is the value of the longest
/// bar.
pub(super) fn bar(mark: &Mark, most: f64) -> String {
    let cells = |value: f64| value.max(0.0) / most * BAR as f64;
    let (low, high) = (cells(mark.low).floor(), cells(mark.high).ceil());
    if most <= 0.0 {
        return String::new();
    }
    if high - low > 2.0 {
        let (low, high) = (low as usize, high as usize);
        return format!("{}{}", "█".repeat(low), "▒".repeat(high - low));
    }
    report::bar(cells(mark.mean))
}

/// Draws a bar from the middle of the line, to the left for a negative and to the right for a positive value. `most` is
/// the value of half a line.
pub(super) fn deviation(value: f64, most: f64) -> String {
    const HALF: usize = 7;
    let cells = if most > 0.0 {
        (value.abs() / most * HALF as f64).round() as usize
    } else {
        0
    };
    // A value other than 0 has at least one block.
    let bar = "█".repeat(if value.abs() > 0.0 { cells.max(1) } else { 0 });
    if value < 0.0 {
        format!("{bar:>HALF$}│")
    } else {
        format!("{:HALF$}│{bar}", "")
    }
}

/// Characters for the numbers, from the least to the greatest.
const SHADES: [char; 5] = ['·', '░', '▒', '▓', '█'];

/// Formats a grid of shaded numbers in lines of `wide` columns; darker cells have greater numbers, and unknown ones are
/// empty. `rows` and `columns` name a quantity and its values. If the numbers do not fit, only their shades are shown;
/// if the shades do not fit either, the columns are split into blocks.
pub(super) fn shaded(
    (down, rows): (&str, &[String]),
    (across, columns): (&str, &[String]),
    cells: &[Vec<Option<f64>>],
    unit: Unit,
    decimals: usize,
    wide: usize,
) -> String {
    let wide = wide.min(WIDEST);
    let numbers = || cells.iter().flatten().flatten().copied();
    let (least, most) = extremes(numbers());
    if least > most {
        return String::new();
    }
    let widest = |texts: &[String]| texts.iter().map(|text| width(text)).max().unwrap_or(0);
    let label = widest(rows).max(2);
    let heads = widest(columns);
    let count = columns.len();
    let number = |value: f64, decimals| unit.cell(value, decimals);
    let room = wide.saturating_sub(label);
    // Shade characters before the number, and its decimals, the best way first.
    let ways = [(2, decimals), (2, 0), (1, 0)].map(|(shades, decimals)| {
        let digits = numbers().map(|value| width(&number(value, decimals)));
        let cell = (shades + digits.max().unwrap_or(0)).max(heads) + 1;
        (shades, decimals, cell)
    });
    let with_numbers = ways.into_iter().find(|(_, _, cell)| cell * count <= room);
    // Beside a number, the lightest shade is left blank.
    let seen = |shade: char| {
        let bare = with_numbers.is_some() && shade == SHADES[0];
        if bare { ' ' } else { shade }
    };
    let shade = |value: f64| {
        let share = share_of_way(value, (least, most));
        let step = (share * SHADES.len() as f64) as usize;
        seen(SHADES[step.min(SHADES.len() - 1)]).to_string()
    };
    let cell = with_numbers.map_or(heads.max(2) + 1, |(_, _, cell)| cell);
    let set = |value: Option<f64>| match (value, with_numbers) {
        (None, _) => " ".repeat(cell),
        (Some(value), Some((shades, decimals, _))) => {
            let (room, number) = (cell - 1 - shades, number(value, decimals));
            format!(" {}{number:>room$}", shade(value).repeat(shades))
        }
        (Some(value), None) => format!(" {}", shade(value).repeat(cell - 1)),
    };
    let mut out = String::new();
    let head = format!("down: {down}, across: {across}");
    let together = (room / cell).max(1);
    for (block, heads) in columns.chunks(together).enumerate() {
        for line in wrap(&head, wide, 2) {
            push_line(&mut out, &line);
        }
        let mut line = " ".repeat(label);
        for head in heads {
            let _ = write!(line, "{head:>cell$}");
        }
        push_line(&mut out, &line);
        for (name, row) in rows.iter().zip(cells) {
            let mut line = format!("{name:>label$}");
            for value in row.iter().skip(block * together).take(together) {
                line.push_str(&set(*value));
            }
            push_line(&mut out, &line);
        }
    }
    let steps = SHADES.len();
    let ranges = SHADES.iter().enumerate().map(|(index, shade)| {
        let from = least + (most - least) * index as f64 / steps as f64;
        let shade = match seen(*shade) {
            ' ' => "blank".to_owned(),
            shade => shade.to_string(),
        };
        format!("{shade} from {}", unit.text(from, decimals))
    });
    if most > least {
        for line in wrap(&ranges.collect::<Vec<_>>().join("  "), wide, 2) {
            push_line(&mut out, &line);
        }
    }
    out
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}
