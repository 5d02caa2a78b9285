//! Distributions as bars side by side, in panels on one scale.

use super::super::drawing::{Drawing, Px, WIDTH};
use super::super::scale::{Scale, around};
use super::{ChartAxis, Panel, class, stack, within};
use crate::output::chart::Unit;
use crate::report::number::extremes;
use crate::stats::Interval;
use std::fmt::Write;

/// Distributions on one scale.
pub(crate) struct Histogram<'a> {
    pub(crate) panels: Vec<Panel<Distribution>>,
    /// The label of the values.
    pub(crate) axis: &'a str,
}

/// The bars of a panel.
pub(crate) struct Distribution {
    /// The mean and the median in words.
    pub(crate) about: String,
    pub(crate) series: usize,
    pub(crate) bars: Vec<Bar>,
    /// A separate bar beyond the axis, for encounters that the round limit ended there.
    pub(crate) beyond: Option<Bar>,
}

/// The share of values in a range.
pub(crate) struct Bar {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) share: f64,
    /// The interval of the share; both ends are the share itself if there is none.
    pub(crate) interval: Interval,
    /// The tooltip of the bar.
    pub(crate) title: String,
}

const PLOT: f64 = 100.0;
const ABOUT: f64 = 30.0;
const MARGIN: f64 = 44.0;
/// Width right of the axis for a bar beyond it; the bar itself has the width `LIMIT_BAR`.
const LIMIT: f64 = 62.0;
const LIMIT_BAR: f64 = 20.0;

impl Histogram<'_> {
    /// Draws the chart.
    pub(crate) fn draw(&self) -> Drawing {
        let contents = || self.panels.iter().map(|panel| &panel.content);
        let bars = contents().flat_map(|content| &content.bars);
        let (from, to) = extremes(bars.flat_map(|bar| [bar.from, bar.to]));
        // A single value does not fill the width, and there may be no value at all.
        let (from, to) = if from > to {
            (0.5, 5.5)
        } else if to - from < 5.0 {
            let middle = f64::midpoint(from, to);
            (middle - 2.5, middle + 2.5)
        } else {
            (from, to)
        };
        let is_limited = contents().any(|content| content.beyond.is_some());
        let limit = if is_limited { LIMIT } else { 0.0 };
        let across = Scale {
            from,
            to,
            start: MARGIN,
            end: WIDTH - 4.0 - limit,
        };
        // Panels of one colour are compared with one another, so they share a scale.
        let highest = |series: usize| {
            let bars = contents()
                .filter(|content| content.series == series)
                .flat_map(|content| content.bars.iter().chain(&content.beyond));
            around(
                0.0,
                bars.map(|bar| bar.interval.high).fold(0.0, f64::max),
                4,
            )
            .1
        };
        let plot = if self.panels.len() == 1 { 1.5 } else { 1.0 } * PLOT;
        stack(&self.panels, |drawing, panel, top| {
            let up = Scale {
                from: 0.0,
                to: highest(panel.content.series).min(1.0),
                start: top + ABOUT + plot,
                end: top + ABOUT,
            };
            let about = &panel.content.about;
            drawing.fitted((0.0, top + 14.0), "soft small", about, WIDTH);
            self.panel(drawing, panel, (across, up));
            up.start + ChartAxis::HEIGHT + 8.0
        })
    }

    fn panel(
        &self,
        drawing: &mut Drawing,
        panel: &Panel<Distribution>,
        (across, up): (Scale, Scale),
    ) {
        let base = up.start;
        ChartAxis::new(up, Unit::Share).beside(drawing, (across.start, across.end));
        ChartAxis {
            whole: true,
            ..ChartAxis::new(across, Unit::Plain)
        }
        .below(drawing, (base, base), self.axis);
        let content = &panel.content;
        let mut whiskers = String::new();
        let mut whisker = |x: f64, bar: &Bar| {
            let [low, high] = bar.interval.ends().map(|end| Px(up.at(end)));
            let _ = write!(whiskers, "M{} {low}V{high}", Px(x));
        };
        if let Some(bar) = &content.beyond {
            let x = across.end + LIMIT / 2.0;
            let (from, to) = (x - LIMIT_BAR / 2.0, x + LIMIT_BAR / 2.0);
            let look = format!("{} out", class('l', content.series));
            let title = within(&panel.title, &bar.title);
            drawing.line((from - 8.0, base), (to + 8.0, base), "axis");
            drawing.rect((from, up.at(bar.share)), (to, base), &look, &title);
            drawing.text((x, base + ChartAxis::LABELS), "soft small m", "timeout");
            whisker(x, bar);
        }
        let fill = class('f', content.series);
        for bar in &content.bars {
            let (from, to) = (across.at(bar.from), across.at(bar.to));
            // Wide bars have a gap between them.
            let gap = if to - from > 4.0 { 0.5 } else { 0.0 };
            // Even the rarest value has a visible bar.
            let top = up.at(bar.share).min(base - 0.5);
            let title = within(&panel.title, &bar.title);
            drawing.rect((from + gap, top), (to - gap, base), &fill, &title);
            let [low, high] = bar.interval.ends();
            if up.at(low) - up.at(high) >= 1.0 && to - from >= 3.0 {
                whisker(f64::midpoint(from, to), bar);
            }
        }
        if !whiskers.is_empty() {
            drawing.path(whiskers, "whisker");
        }
    }
}
