//! Distributions in panels on one scale: bars side by side for one, outlines over each other for several.

use super::super::drawing::{Drawing, LINE, Px, WIDTH, path};
use super::super::scale::{Scale, around};
use super::{ChartAxis, Panel, caption, class, stack, within};
use crate::output::chart::Unit;
use crate::report::number::extremes;
use crate::stats::Interval;
use std::fmt::Write;

/// Distributions on one scale.
pub(crate) struct Histogram<'a> {
    pub(crate) panels: Vec<Panel<Vec<Distribution>>>,
    /// The label of the values.
    pub(crate) axis: &'a str,
}

/// A distribution.
pub(crate) struct Distribution {
    /// Its name, if it is one of several.
    pub(crate) name: String,
    /// The mean, the median and what the axis does not show, in words.
    pub(crate) about: String,
    /// Its colour, and the dashes of its outline.
    pub(crate) look: (usize, usize),
    pub(crate) bars: Vec<Bar>,
    /// The class that switches it off.
    pub(crate) switch: Option<String>,
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

const PLOT: f64 = 115.0;
const MARGIN: f64 = 44.0;
/// The length of a sample of an outline.
const SAMPLE: f64 = 30.0;

impl Histogram<'_> {
    /// Draws the chart.
    pub(crate) fn draw(&self) -> Drawing {
        stack(&self.panels, |drawing, panel, top| {
            self.panel(drawing, panel, top)
        })
    }

    /// Draws a panel from `top` down. Returns its lower end.
    fn panel(&self, drawing: &mut Drawing, panel: &Panel<Vec<Distribution>>, top: f64) -> f64 {
        let bars = panel.content.iter().flat_map(|content| &content.bars);
        let (from, to) = extremes(bars.clone().flat_map(|bar| [bar.from, bar.to]));
        // A single value does not fill the width, and there may be no value at all.
        let (from, to) = if from > to {
            (0.5, 5.5)
        } else if to - from < 5.0 {
            let middle = f64::midpoint(from, to);
            (middle - 2.5, middle + 2.5)
        } else {
            (from, to)
        };
        let across = Scale {
            from,
            to,
            start: MARGIN,
            end: WIDTH - 4.0,
        };
        let highest = bars.map(|bar| bar.interval.high).fold(0.0, f64::max);
        let mut head = top + 8.0;
        if let [only] = &panel.content[..] {
            head = caption(drawing, (0.0, top), [&only.about, ""]) + 8.0;
        }
        let base = head + PLOT;
        let up = Scale {
            from: 0.0,
            to: around(0.0, highest, 4).1.min(1.0),
            start: base,
            end: head,
        };
        ChartAxis::new(up, Unit::Share).beside(drawing, (across.start, across.end));
        ChartAxis {
            whole: true,
            ..ChartAxis::new(across, Unit::Plain)
        }
        .below(drawing, (base, base), self.axis);
        let bottom = base + ChartAxis::HEIGHT + 8.0;
        if let [only] = &panel.content[..] {
            bars_of(drawing, only, &panel.title, (across, up));
            return bottom;
        }
        for content in &panel.content {
            drawing.layer(content.switch.as_deref(), |drawing| {
                let title = within(
                    &panel.title,
                    &format!("{}: {}", content.name, content.about),
                );
                drawing.titled(outline(content, (across, up)), &content.line(), &title);
            });
        }
        let mut y = bottom;
        for content in &panel.content {
            y = drawing.switched(content.switch.as_deref(), y, |drawing| {
                let at = y + 10.0;
                drawing.line((0.0, at), (SAMPLE, at), &content.line());
                let words = [content.name.as_str(), &content.about];
                caption(drawing, (SAMPLE + 8.0, y), words)
            });
        }
        y + LINE / 2.0
    }
}

impl Distribution {
    /// Returns the classes of its outline.
    fn line(&self) -> String {
        let (series, rank) = self.look;
        format!("{} curve outline d{rank}", class('l', series))
    }
}

/// Returns the outline of bars, with a step at each end of one.
fn outline(content: &Distribution, (across, up): (Scale, Scale)) -> String {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for bar in &content.bars {
        let [from, to] = [bar.from, bar.to].map(|end| across.at(end));
        let last = corners.last().copied();
        // Between bars with a gap the outline goes along the axis.
        if last.is_none_or(|(x, _)| (x - from).abs() > 0.01) {
            corners.extend(last.map(|(x, _)| (x, up.start)));
            corners.push((from, up.start));
        }
        corners.extend([from, to].map(|x| (x, up.at(bar.share))));
    }
    corners.extend(corners.last().map(|(x, _)| (*x, up.start)));
    path(&corners)
}

/// Draws the bars of the only distribution of a panel, each with its interval.
fn bars_of(
    drawing: &mut Drawing,
    content: &Distribution,
    panel: &str,
    (across, up): (Scale, Scale),
) {
    let mut whiskers = String::new();
    let fill = class('f', content.look.0);
    for bar in &content.bars {
        let (from, to) = (across.at(bar.from), across.at(bar.to));
        // Wide bars have a gap between them.
        let gap = if to - from > 4.0 { 0.5 } else { 0.0 };
        // Even the rarest value has a visible bar.
        let top = up.at(bar.share).min(up.start - 0.5);
        let title = within(panel, &bar.title);
        drawing.rect((from + gap, top), (to - gap, up.start), &fill, &title);
        let [low, high] = bar.interval.ends().map(|end| Px(up.at(end)));
        if low.0 - high.0 >= 1.0 && to - from >= 3.0 {
            let x = Px(f64::midpoint(from, to));
            let _ = write!(whiskers, "M{x} {low}V{high}");
        }
    }
    if !whiskers.is_empty() {
        drawing.path(whiskers, "whisker");
    }
}
