//! Distributions as bars side by side, in panels on one scale.

use super::super::drawing::{Anchor, BOLD, Drawing, LINE, Px, WIDTH, wrap};
use super::super::scale::{Scale, around};
use super::{Below, Beside, Drawn, Sheet, class, within};
use crate::output::chart::Unit;
use crate::report::number::extremes;
use std::fmt::Write;

/// Distributions on one scale.
pub(crate) struct Histogram<'a> {
    pub(crate) panels: Vec<HistogramPanel>,
    /// The label of the values.
    pub(crate) axis: &'a str,
    /// The label below the bars beyond the axis.
    pub(crate) limit: &'a str,
}

/// A distribution.
pub(crate) struct HistogramPanel {
    pub(crate) title: String,
    /// The class that switches the panel off.
    pub(crate) switch: Option<String>,
    /// The mean and the median in words.
    pub(crate) about: String,
    pub(crate) series: usize,
    pub(crate) bars: Vec<Bar>,
    /// A separate bar beyond the axis, for encounters that were broken off there.
    pub(crate) beyond: Option<Bar>,
}

/// The share of values in a range.
pub(crate) struct Bar {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) share: f64,
    /// The interval of the share; both ends are the share itself if there is none.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The tooltip of the bar.
    pub(crate) title: String,
}

const PLOT: f64 = 92.0;
const HEAD: f64 = 30.0;
const ABOUT: f64 = 18.0;
const MARGIN: f64 = 44.0;
const GAP: f64 = 24.0;
/// Width right of the axis for a bar beyond it; the bar itself has the width `LIMIT_BAR`.
const LIMIT: f64 = 62.0;
const LIMIT_BAR: f64 = 20.0;

impl Histogram<'_> {
    /// Draws the chart.
    pub(crate) fn draw(&self) -> Drawn {
        Drawn::on(|paper| self.on(paper))
    }

    fn on(&self, paper: f64) -> Sheet {
        let bars = || self.panels.iter().flat_map(|panel| &panel.bars);
        let (from, to) = extremes(bars().flat_map(|bar| [bar.from, bar.to]));
        // A single value does not fill the width, and there may be no value at all.
        let (from, to) = if from > to {
            (0.5, 5.5)
        } else if to - from < 5.0 {
            let middle = f64::midpoint(from, to);
            (middle - 2.5, middle + 2.5)
        } else {
            (from, to)
        };
        let is_limited = self.panels.iter().any(|panel| panel.beyond.is_some());
        let limit = if is_limited { LIMIT } else { 0.0 };
        // Panels of one colour are compared with one another, so they share a scale.
        let highest = |series: usize| {
            let panels = self.panels.iter().filter(|panel| panel.series == series);
            let bars = panels.flat_map(|panel| panel.bars.iter().chain(&panel.beyond));
            around(0.0, bars.map(|bar| bar.high).fold(0.0, f64::max), 4).1
        };
        let columns = 1 + usize::from(self.panels.len() > 1 && paper == WIDTH);
        let wide = (paper - GAP * (columns - 1) as f64) / columns as f64;
        let plot = if wide > 500.0 { 1.8 * PLOT } else { PLOT };
        let titled = self.panels.iter().any(|panel| !panel.title.is_empty());
        let lines = |panel: &HistogramPanel| wrap(&panel.title, wide / BOLD);
        let most = self.panels.iter().map(|panel| lines(panel).len()).max();
        let more = LINE * most.unwrap_or(1).saturating_sub(1) as f64;
        let head = if titled { HEAD + ABOUT + more } else { HEAD };
        let high = head + plot + Below::HEIGHT + 8.0;
        let mut drawing = Drawing::default();
        for (index, panel) in self.panels.iter().enumerate() {
            let left = (index % columns) as f64 * (wide + GAP);
            let top = (index / columns) as f64 * high;
            let across = Scale {
                from,
                to,
                start: left + MARGIN,
                end: left + wide - 4.0 - limit,
            };
            let up = Scale {
                from: 0.0,
                to: highest(panel.series).min(1.0),
                start: top + head + plot,
                end: top + head,
            };
            drawing.switched(panel.switch.as_deref(), (left, top), high, |drawing| {
                if !panel.title.is_empty() {
                    // The last line stands next to the plot.
                    let lines = lines(panel);
                    let first = head - HEAD - LINE * (lines.len() - 1) as f64;
                    let at = (left, top + first - ABOUT + 15.0);
                    drawing.lines(at, Anchor::Start, "strong", &lines);
                }
                let at = (left, top + head - 14.0);
                drawing.fitted(at, Anchor::Start, "soft small", &panel.about, wide);
                self.panel(drawing, panel, wide, (across, up));
            });
        }
        Sheet {
            drawing,
            width: paper,
            height: self.panels.len().div_ceil(columns) as f64 * high,
        }
    }

    fn panel(
        &self,
        drawing: &mut Drawing,
        panel: &HistogramPanel,
        wide: f64,
        (across, up): (Scale, Scale),
    ) {
        Beside {
            scale: up,
            left: across.start,
            right: across.end,
            most: 5,
            unit: Unit::Share,
        }
        .draw(drawing);
        Below {
            scale: across,
            top: up.start,
            bottom: up.start,
            most: if wide > 500.0 { 12 } else { 7 },
            unit: Unit::Plain,
            signed: false,
            whole: true,
            title: self.axis,
        }
        .draw(drawing);
        if let Some(bar) = &panel.beyond {
            let x = across.end + LIMIT / 2.0;
            let (from, to) = (x - LIMIT_BAR / 2.0, x + LIMIT_BAR / 2.0);
            let look = format!("{} out", class('l', panel.series));
            let title = within(&panel.title, &bar.title);
            drawing.line((from - 8.0, up.start), (to + 8.0, up.start), "axis");
            drawing.rect((from, up.at(bar.share)), (to, up.start), &look, &title);
            let d = format!("M{} {}V{}", Px(x), Px(up.at(bar.low)), Px(up.at(bar.high)));
            drawing.path(d, "whisker");
            let at = (x, up.start + 17.0);
            drawing.text(at, Anchor::Middle, "soft small", self.limit);
        }
        let fill = class('f', panel.series);
        let mut whiskers = String::new();
        for bar in &panel.bars {
            let (from, to) = (across.at(bar.from), across.at(bar.to));
            // Wide bars have a gap between them.
            let gap = if to - from > 4.0 { 0.5 } else { 0.0 };
            // Even the rarest value has a visible bar.
            let top = up.at(bar.share).min(up.start - 0.5);
            let title = within(&panel.title, &bar.title);
            drawing.rect((from + gap, top), (to - gap, up.start), &fill, &title);
            let (low, high) = (up.at(bar.low), up.at(bar.high));
            if low - high >= 1.0 && to - from >= 3.0 {
                let x = f64::midpoint(from, to);
                let _ = write!(whiskers, "M{} {}V{}", Px(x), Px(low), Px(high));
            }
        }
        if !whiskers.is_empty() {
            drawing.path(whiskers, "whisker");
        }
    }
}
