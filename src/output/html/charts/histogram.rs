//! Distributions: bars side by side, in panels on one scale.

use super::super::drawing::{Anchor, Drawing, Px, WIDTH};
use super::super::scale::{Scale, around};
use super::{Below, Beside, Drawn, Sheet, class, within};
use crate::output::chart::Unit;
use std::fmt::Write;

/// Distributions on one scale.
pub(crate) struct Histogram<'a> {
    pub(crate) panels: Vec<HistogramPanel>,
    /// The label of the values.
    pub(crate) axis: &'a str,
}

/// A distribution.
pub(crate) struct HistogramPanel {
    pub(crate) title: String,
    /// Its mean and median in words.
    pub(crate) about: String,
    pub(crate) series: usize,
    pub(crate) bars: Vec<Bar>,
}

/// How often values came that lie from one to the other.
pub(crate) struct Bar {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) share: f64,
    /// The interval of the share, where it has one.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The same in words.
    pub(crate) title: String,
}

const PLOT: f64 = 92.0;
const HEAD: f64 = 30.0;
const ABOUT: f64 = 18.0;
const MARGIN: f64 = 44.0;
const GAP: f64 = 24.0;

impl Histogram<'_> {
    /// The chart.
    pub(crate) fn draw(&self) -> Drawn {
        Drawn::on(|paper| self.on(paper))
    }

    fn on(&self, paper: f64) -> Sheet {
        let bars = || self.panels.iter().flat_map(|panel| &panel.bars);
        let (from, to) = bars().fold((f64::MAX, f64::MIN), |(from, to), bar| {
            (from.min(bar.from), to.max(bar.to))
        });
        // A single value does not fill the paper.
        let (from, to) = if to - from < 5.0 {
            let middle = f64::midpoint(from, to);
            (middle - 2.5, middle + 2.5)
        } else {
            (from, to)
        };
        let highest = bars().map(|bar| bar.high).fold(0.0, f64::max);
        let (_, highest) = around(0.0, highest, 4);
        let columns = if self.panels.len() > 1 && paper == WIDTH {
            2
        } else {
            1
        };
        let wide = (paper - GAP * (columns - 1) as f64) / columns as f64;
        let plot = if wide > 500.0 { 1.8 * PLOT } else { PLOT };
        let titled = self.panels.iter().any(|panel| !panel.title.is_empty());
        let head = if titled { HEAD + ABOUT } else { HEAD };
        let high = head + plot + Below::HEIGHT + 8.0;
        let mut drawing = Drawing::default();
        for (index, panel) in self.panels.iter().enumerate() {
            let left = (index % columns) as f64 * (wide + GAP);
            let top = (index / columns) as f64 * high;
            let across = Scale {
                from,
                to,
                start: left + MARGIN,
                end: left + wide - 4.0,
            };
            let up = Scale {
                from: 0.0,
                to: highest.min(1.0),
                start: top + head + plot,
                end: top + head,
            };
            if !panel.title.is_empty() {
                let at = (left, top + 15.0);
                drawing.fitted(at, Anchor::Start, "strong", &panel.title, wide);
            }
            let at = (left, top + head - 14.0);
            drawing.fitted(at, Anchor::Start, "soft small", &panel.about, wide);
            self.panel(&mut drawing, panel, wide, (across, up));
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
        let below = Below {
            scale: across,
            top: up.start,
            bottom: up.start,
            most: if wide > 500.0 { 12 } else { 7 },
            unit: Unit::Plain,
            signed: false,
            whole: true,
            title: self.axis,
        };
        below.draw(drawing);
        let fill = class('f', panel.series);
        let mut whiskers = String::new();
        for bar in &panel.bars {
            let (from, to) = (across.at(bar.from), across.at(bar.to));
            // A gap between bars where there is room for one.
            let gap = if to - from > 4.0 { 0.5 } else { 0.0 };
            let top = up.at(bar.share);
            let title = within(&panel.title, &bar.title);
            drawing.rect((from + gap, top), (to - gap, up.start), &fill, &title);
            let (low, high) = (up.at(bar.low), up.at(bar.high));
            if low - high >= 1.0 && to - from >= 3.0 {
                let x = f64::midpoint(from, to);
                let _ = write!(whiskers, "M{} {}V{}", Px(x), Px(low), Px(high));
            }
        }
        if !whiskers.is_empty() {
            drawing.path(whiskers, "whisker", "");
        }
    }
}
