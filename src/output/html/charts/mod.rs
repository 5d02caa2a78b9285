//! The kinds of charts. Each takes numbers with their texts, and returns a drawing with its size.

mod curves;
mod heat;
mod histogram;
mod whiskers;

pub(crate) use curves::{Curve, Curves, CurvesPanel, Place};
pub(crate) use heat::{Cell, Heat};
use heat::{HeatPanel, HeatRow};
pub(crate) use histogram::{Bar, Histogram, HistogramPanel};
pub(crate) use whiskers::{Group, Row, Whiskers};

use super::Markup;
use super::drawing::{Anchor, Drawing, NARROW, WIDTH, path};
use super::palette::SERIES;
use super::scale::{Scale, Tick, ticks, whole_ticks};
use crate::output::chart::Unit;

/// The same chart for a window of usual width and for a narrow one. Letters have the same size in both.
pub(crate) struct Drawn {
    wide: Sheet,
    narrow: Sheet,
}

/// A drawing and its size in pixels.
struct Sheet {
    drawing: Drawing,
    width: f64,
    height: f64,
}

impl Drawn {
    /// Draws the chart for each width.
    fn on(draw: impl Fn(f64) -> Sheet) -> Self {
        Self {
            wide: draw(WIDTH),
            narrow: draw(NARROW),
        }
    }

    /// Renders both drawings as SVG. Their ids begin with `id` and `end`.
    pub(super) fn svgs(&self, id: &str, end: &str, words: [&str; 2]) -> [Markup; 2] {
        [(&self.wide, ""), (&self.narrow, "-narrow")].map(|(sheet, width)| {
            let size = (sheet.width, sheet.height);
            sheet.drawing.svg(&format!("{id}{end}{width}"), size, words)
        })
    }
}

/// Returns the class that gives a series its colour: `f` to fill, `l` for lines.
fn class(letter: char, series: usize) -> String {
    format!("{letter}{}", series % SERIES + 1)
}

/// Returns the tooltip of a mark, with the name of its group or panel.
fn within(group: &str, told: &str) -> String {
    if group.is_empty() {
        told.to_owned()
    } else {
        format!("{group}, {told}")
    }
}

/// Returns the label of a tick. Shares are in per cent; differences of shares are in points, with a sign.
fn tick_text(tick: &Tick, unit: Unit, signed: bool) -> String {
    let sign = if signed && tick.value > 0.0 { "+" } else { "" };
    let end = if unit == Unit::Share && !signed {
        "%"
    } else {
        ""
    };
    format!("{sign}{}{end}", tick.text.replace('-', "\u{2212}"))
}

/// An axis below a plot: a line, ticks with a grid up to `top`, and a label.
struct Below<'a> {
    scale: Scale,
    top: f64,
    bottom: f64,
    most: usize,
    unit: Unit,
    signed: bool,
    /// Whether all ticks are whole numbers.
    whole: bool,
    title: &'a str,
}

impl Below<'_> {
    /// Height of the texts below the plot, in pixels.
    const HEIGHT: f64 = 42.0;

    fn draw(&self, drawing: &mut Drawing) {
        let factor = self.unit.factor();
        let (start, end) = (self.scale.start, self.scale.end);
        let ticks = if self.whole { whole_ticks } else { ticks };
        let mut grid = String::new();
        for tick in ticks(self.scale.from * factor, self.scale.to * factor, self.most) {
            let x = self.scale.at(tick.value / factor);
            if self.top < self.bottom {
                grid.push_str(&path(&[(x, self.top), (x, self.bottom)]));
            }
            let text = tick_text(&tick, self.unit, self.signed);
            let at = (x, self.bottom + 17.0);
            drawing.text(at, Anchor::Middle, "soft small", &text);
        }
        drawing.grid(grid);
        drawing.line((start, self.bottom), (end, self.bottom), "axis");
        let middle = (f64::midpoint(start, end), self.bottom + 36.0);
        let room = (end - start).max(300.0);
        drawing.fitted(middle, Anchor::Middle, "soft small", self.title, room);
    }
}

/// An axis to the left of a plot.
struct Beside {
    scale: Scale,
    left: f64,
    right: f64,
    most: usize,
    unit: Unit,
}

impl Beside {
    fn draw(&self, drawing: &mut Drawing) {
        let factor = self.unit.factor();
        let mut grid = String::new();
        for tick in ticks(self.scale.from * factor, self.scale.to * factor, self.most) {
            let y = self.scale.at(tick.value / factor);
            grid.push_str(&path(&[(self.left, y), (self.right, y)]));
            let text = tick_text(&tick, self.unit, false);
            let at = (self.left - 7.0, y + 4.0);
            drawing.text(at, Anchor::End, "soft small", &text);
        }
        drawing.grid(grid);
    }
}
