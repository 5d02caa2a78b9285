//! Rows with one number each: a name and the number in words, and below them a bar from 0 or a mark at the number, with a
//! whisker along its interval.

use super::super::drawing::{Drawing, WIDTH, mark, path};
use super::super::scale::{Scale, around};
use super::{ChartAxis, Panel, caption, class, stack, within};
use crate::output::chart::Unit;
use crate::report::number::extremes;
use crate::stats::Interval;

/// Numbers in rows, on one scale.
pub(crate) struct Whiskers<'a> {
    /// The rows.
    pub(crate) groups: Vec<Group>,
    /// The unit of the numbers.
    pub(crate) unit: Unit,
    /// Whether the numbers are differences, which have marks instead of bars, and signs.
    pub(crate) differences: bool,
    /// Numbers that the scale must include, besides the rows.
    pub(crate) range: Option<(f64, f64)>,
    /// A number that a dashed line marks.
    pub(crate) level: Option<f64>,
    /// The label of the scale.
    pub(crate) axis: &'a str,
}

/// Rows with a common label, which is empty if none is needed.
pub(crate) type Group = Panel<Vec<Whisker>>;

/// A row: a number with its name and its interval.
pub(crate) struct Whisker {
    pub(crate) name: String,
    /// Index of the colour and the mark.
    pub(crate) series: usize,
    pub(crate) value: f64,
    pub(crate) interval: Option<Interval>,
    /// The number and its interval in words.
    pub(crate) text: String,
    /// The range that was wanted; one end may be infinite.
    pub(crate) wanted: Option<Interval>,
    /// The class that switches the row off.
    pub(crate) switch: Option<String>,
}

impl Whisker {
    /// Creates a row from a number and its interval; `text` has both in words.
    pub(crate) fn new(
        name: impl Into<String>,
        series: usize,
        (value, interval): (f64, Option<Interval>),
        text: String,
    ) -> Self {
        Self {
            name: name.into(),
            series,
            value,
            interval,
            text,
            wanted: None,
            switch: None,
        }
    }
}

impl Group {
    /// Creates a group of rows.
    pub(crate) fn new(title: impl Into<String>, rows: impl IntoIterator<Item = Whisker>) -> Self {
        Self {
            title: title.into(),
            ..Self::alone(rows.into_iter().collect())
        }
    }
}

/// The height of a row below its words, and the distance of its mark from its lower end.
const ROW: f64 = 18.0;
const MARK: f64 = 12.0;
/// Half the height of a bar.
const BAR: f64 = 6.5;
/// Margin beside the plot: half the width of the tick labels at its ends.
const SIDE: f64 = 24.0;

impl<'a> Whiskers<'a> {
    /// Creates bars on a scale that includes all of them.
    pub(crate) fn new(unit: Unit, axis: &'a str, groups: Vec<Group>) -> Self {
        Self {
            groups,
            unit,
            differences: false,
            range: None,
            level: None,
            axis,
        }
    }

    /// Draws the chart.
    pub(crate) fn draw(&self) -> Drawing {
        let scale = self.scale();
        let rows = stack(&self.groups, |drawing, group, mut y| {
            for row in &group.content {
                y = drawing.switched(row.switch.as_deref(), y, |drawing| {
                    self.row(drawing, row, &group.title, y, &scale)
                });
            }
            y
        });
        let bottom = rows.height.0 + 4.0;
        let mut drawing = Drawing::new(WIDTH);
        ChartAxis {
            signed: self.differences,
            ..ChartAxis::new(scale, self.unit)
        }
        .below(&mut drawing, (0.0, bottom), self.axis);
        let mut upright = |value: f64, class: &str| {
            let x = scale.at(value);
            drawing.line((x, 0.0), (x, bottom), class);
        };
        upright(0.0, "axis");
        if let Some(level) = self.level {
            upright(level, "level");
        }
        drawing.append(rows);
        drawing.height.0 = bottom + ChartAxis::HEIGHT;
        drawing
    }

    /// Returns the rows of all groups.
    fn rows(&self) -> impl Iterator<Item = &Whisker> {
        self.groups.iter().flat_map(|group| &group.content)
    }

    fn scale(&self) -> Scale {
        let ends = self.rows().flat_map(|row| {
            let intervals = [row.interval, row.wanted].into_iter().flatten();
            let ends = intervals.flat_map(Interval::ends);
            // A range that was wanted may be open at one end.
            ends.filter(|end| end.is_finite()).chain([row.value])
        });
        let range = self.range.into_iter().flat_map(|(from, to)| [from, to]);
        let (low, high) = extremes([0.0].into_iter().chain(ends).chain(range).chain(self.level));
        // A part of an open range is shown.
        let open = |end: fn(Interval) -> f64| {
            let mut wanted = self.rows().filter_map(|row| row.wanted);
            let is_open = wanted.any(|range| end(range).is_infinite());
            if is_open { 0.08 * (high - low) } else { 0.0 }
        };
        let (low, high) = (
            low - open(|range| range.low),
            high + open(|range| range.high),
        );
        let little = match self.unit {
            Unit::Share => 0.01,
            Unit::Plain => 1.0,
        };
        let (low, high) = if high > low {
            (low, high)
        } else if self.differences {
            // Nothing differs from 0, so 0 is in the middle.
            (-little, little)
        } else {
            (0.0, little)
        };
        let (mut from, mut to) = around(low, high, 5);
        if self.unit == Unit::Share && !self.differences {
            (from, to) = (from.max(0.0), to.min(1.0));
        }
        Scale {
            from,
            to,
            start: SIDE,
            end: WIDTH - SIDE,
        }
    }

    /// Draws a row from `top` down. Returns its lower end.
    fn row(
        &self,
        drawing: &mut Drawing,
        row: &Whisker,
        group: &str,
        top: f64,
        scale: &Scale,
    ) -> f64 {
        let bottom = caption(drawing, (0.0, top), [&row.name, &row.text]) + ROW;
        let y = bottom - MARK;
        let title = format!("{}: {}", within(group, &row.name), row.text);
        let x = scale.at(row.value);
        if !self.differences {
            let fill = class('f', row.series);
            drawing.rect((scale.at(0.0), y - BAR), (x, y + BAR), &fill, &title);
        }
        if let Some(wanted) = row.wanted {
            let [from, to] = wanted
                .ends()
                .map(|end| scale.at(end.clamp(scale.from, scale.to)));
            drawing.rect((from, y - 9.0), (to, y + 9.0), "want", "");
        }
        if let Some(interval) = row.interval {
            let [low, high] = interval.ends().map(|end| scale.at(end));
            let ends = |x: f64| path(&[(x, y - 4.0), (x, y + 4.0)]);
            let whisker = path(&[(low, y), (high, y)]) + &ends(low) + &ends(high);
            drawing.path(whisker.clone(), "halo");
            drawing.path(whisker, "whisker");
        }
        if self.differences {
            let fill = format!("{} point", class('f', row.series));
            drawing.titled(mark(row.series, (x, y)), &fill, &title);
        }
        bottom
    }
}
