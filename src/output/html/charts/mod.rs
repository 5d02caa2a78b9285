//! The kinds of charts. Each takes numbers with their texts, and returns a drawing.

mod curves;
mod heat;
mod histogram;
mod whiskers;

pub(crate) use curves::{Curve, CurvePoint, Curves};
pub(crate) use heat::{Heat, HeatCell};
pub(crate) use histogram::{Bar, Distribution, Histogram};
pub(crate) use whiskers::{Group, Whisker, Whiskers};

use super::drawing::{BASELINE, Drawing, LINE, WIDTH, path, width, wrap};
use super::palette::SERIES;
use super::scale::{Scale, ticks};
use super::words::MINUS;
use crate::output::chart::Unit;

/// The win rate of even sides, and the score of even builds.
pub(crate) const EVEN: f64 = 0.5;

/// A part of a chart below a title.
pub(crate) struct Panel<T> {
    pub(crate) title: String,
    /// The class that switches the panel off.
    pub(crate) switch: Option<String>,
    pub(crate) content: T,
}

impl<T> Panel<T> {
    /// Creates the only panel of a chart, which needs no title.
    fn alone(content: T) -> Self {
        Self {
            title: String::new(),
            switch: None,
            content,
        }
    }
}

/// Draws panels one below the other. `draw` draws the content of a panel from the given height down, and returns its
/// lower end.
fn stack<T>(panels: &[Panel<T>], draw: impl Fn(&mut Drawing, &Panel<T>, f64) -> f64) -> Drawing {
    let mut drawing = Drawing::new(WIDTH);
    let mut top = 0.0;
    for panel in panels {
        top = drawing.switched(panel.switch.as_deref(), top, |drawing| {
            let head = drawing.heading(top, &panel.title);
            draw(drawing, panel, head)
        });
    }
    drawing.height.0 = top;
    drawing
}

/// Returns the class that gives a series its colour: `f` to fill, `l` for lines.
fn class(letter: char, series: usize) -> String {
    format!("{letter}{}", series % SERIES + 1)
}

/// Returns the tooltip of a mark, with the name of its group or panel.
fn within(group: &str, text: &str) -> String {
    if group.is_empty() {
        text.to_owned()
    } else {
        format!("{group}, {text}")
    }
}

/// Distance between a name and the text beside it, with room for letters of wide fonts.
const GAP: f64 = 32.0;

/// Writes a name from a place on, and a text at the right end of its last line, or below it if there is no room. Returns
/// the lower end.
fn caption(drawing: &mut Drawing, (left, top): (f64, f64), [name, text]: [&str; 2]) -> f64 {
    let names = wrap(name, WIDTH - left);
    let last = left + names.last().map_or(0.0, |line| width(line));
    let baseline = top + 14.0;
    drawing.lines((left, baseline), "over", &names);
    let end = baseline + LINE * (names.len() - 1) as f64;
    if last + width(text) + GAP <= WIDTH {
        drawing.text((WIDTH, end), "over e", text);
        return end + 6.0;
    }
    let lines = wrap(text, WIDTH);
    let below = end + LINE + 2.0;
    for (index, line) in lines.iter().enumerate() {
        drawing.text((WIDTH, below + LINE * index as f64), "over e", line);
    }
    below + LINE * (lines.len() - 1) as f64 + 6.0
}

/// An axis: the positions of numbers, and the kind of its ticks.
struct ChartAxis {
    scale: Scale,
    unit: Unit,
    /// Whether numbers are differences, which have signs.
    signed: bool,
    /// Whether all ticks are whole numbers.
    whole: bool,
}

impl ChartAxis {
    /// Height of the texts below a plot.
    const HEIGHT: f64 = 48.0;

    /// Distance of the labels of ticks below a plot. In the corner they do not touch those to its left.
    const LABELS: f64 = 20.0;

    /// The most ticks, below a plot and to its left.
    const MOST: [usize; 2] = [7, 6];

    fn new(scale: Scale, unit: Unit) -> Self {
        Self {
            scale,
            unit,
            signed: false,
            whole: false,
        }
    }

    /// Returns the positions and the labels of ticks. Shares are in per cent; differences of shares are in points.
    fn ticks(&self, most: usize) -> impl Iterator<Item = (f64, String)> {
        let Scale { from, to, .. } = self.scale;
        let factor = self.unit.factor();
        ticks(from * factor, to * factor, most, self.whole)
            .into_iter()
            .map(move |tick| {
                let plus = if self.signed && tick.value > 0.0 {
                    "+"
                } else {
                    ""
                };
                let sign = if self.signed { "" } else { self.unit.sign() };
                let text = tick.text.replace('-', MINUS);
                (
                    self.scale.at(tick.value / factor),
                    format!("{plus}{text}{sign}"),
                )
            })
    }

    /// Draws the axis below a plot: ticks with a grid up to `top`, a line and a title.
    fn below(&self, drawing: &mut Drawing, (top, bottom): (f64, f64), title: &str) {
        let Scale { start, end, .. } = self.scale;
        let mut grid = String::new();
        for (x, text) in self.ticks(Self::MOST[0]) {
            if top < bottom {
                grid.push_str(&path(&[(x, top), (x, bottom)]));
            }
            drawing.text((x, bottom + Self::LABELS), "soft small m", &text);
        }
        drawing.grid(grid);
        drawing.line((start, bottom), (end, bottom), "axis");
        let middle = (f64::midpoint(start, end), bottom + 40.0);
        drawing.fitted(middle, "soft small m", title, (end - start).max(300.0));
    }

    /// Draws the axis to the left of a plot, with a grid from `left` to `right`.
    fn beside(&self, drawing: &mut Drawing, (left, right): (f64, f64)) {
        let mut grid = String::new();
        for (y, text) in self.ticks(Self::MOST[1]) {
            grid.push_str(&path(&[(left, y), (right, y)]));
            drawing.text((left - 7.0, y + BASELINE), "soft small e", &text);
        }
        drawing.grid(grid);
    }
}
