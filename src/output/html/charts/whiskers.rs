//! Rows with one number each: a bar from 0 or a mark at the number, a whisker along its interval, and the number in
//! words.

use super::super::drawing::{Anchor, BOLD, Drawing, LINE, WIDTH, mark, path, width, wrap};
use super::super::scale::{Scale, around};
use super::{Below, Drawn, Sheet, class, within};
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

/// Rows with a common label.
pub(crate) struct Group {
    /// The common label; empty if none is needed.
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
}

/// A number with its name and its interval.
pub(crate) struct Row {
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

impl Row {
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
    /// Creates a group of rows below a common label, which is empty if none is needed.
    pub(crate) fn new(name: impl Into<String>, rows: impl IntoIterator<Item = Row>) -> Self {
        Self {
            name: name.into(),
            rows: rows.into_iter().collect(),
        }
    }
}

const ROW: f64 = 23.0;
const HEAD: f64 = 28.0;
const TOP: f64 = 6.0;
/// Distance between words and the plot.
const GAP: f64 = 16.0;
/// The greatest width of a number in words.
const NUMBER: f64 = 240.0;
/// The least width of the plot beside long names.
const PLOT: f64 = 280.0;
/// The height of a row whose words are above its mark.
const STACKED: f64 = 42.0;
/// Margin beside the plot of such rows: half the width of the tick labels at its ends.
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
    pub(crate) fn draw(&self) -> Drawn {
        Drawn::on(|paper| self.on(paper))
    }

    fn on(&self, paper: f64) -> Sheet {
        let places = { self.side_by_side(paper).filter(|_| paper >= WIDTH) }
            .unwrap_or_else(|| self.stacked(paper));
        let scale = self.scale(places.plot);
        let head = |group: &Group| match &*group.name {
            "" => (Vec::new(), 0.0),
            name => {
                let lines = wrap(name, paper / BOLD);
                let high = HEAD + LINE * (lines.len() - 1) as f64;
                (lines, high)
            }
        };
        let heads: f64 = self.groups.iter().map(|group| head(group).1).sum();
        let bottom = TOP + places.row * self.rows().count() as f64 + heads + 4.0;
        let mut drawing = Drawing::default();
        Below {
            scale,
            top: TOP,
            bottom,
            most: if paper < WIDTH { 6 } else { 7 },
            unit: self.unit,
            signed: self.differences,
            whole: false,
            title: self.axis,
        }
        .draw(&mut drawing);
        let zero = scale.at(0.0);
        drawing.line((zero, TOP), (zero, bottom), "axis");
        if let Some(level) = self.level {
            let x = scale.at(level);
            drawing.line((x, TOP), (x, bottom), "level");
        }

        let mut y = TOP;
        for group in &self.groups {
            let (lines, high) = head(group);
            let look = format!("strong{}", places.look);
            drawing.lines((0.0, y + HEAD - 8.0), Anchor::Start, &look, &lines);
            y += high;
            for row in &group.rows {
                let whose = within(&group.name, &row.name);
                let switch = row.switch.as_deref();
                drawing.switched(switch, (0.0, y), places.row, |drawing| {
                    places.words(drawing, row, y);
                    self.row(drawing, row, &whose, y + places.mark, &scale);
                });
                y += places.row;
            }
        }
        Sheet {
            drawing,
            width: paper,
            height: bottom + Below::HEIGHT,
        }
    }

    /// Returns the rows of all groups.
    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// Puts names to the left of the plot and numbers to the right. Returns `None` if the names leave too little room
    /// for the plot.
    fn side_by_side(&self, paper: f64) -> Option<RowGeometry> {
        let widest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(40.0, f64::max) + GAP;
        // Names of groups are bold, and must not run into the plot either.
        let heads = self.groups.iter().map(|group| BOLD * width(&group.name));
        let mut names = self.rows().map(|row| width(&row.name)).chain(heads);
        let values = widest(&mut self.rows().map(|row| width(&row.text).min(NUMBER)));
        let labels = widest(&mut names);
        (labels + PLOT + values <= paper).then_some(RowGeometry {
            paper,
            plot: (labels, paper - values),
            row: ROW,
            mark: ROW / 2.0,
            words: ROW / 2.0 + 4.5,
            number: ROW / 2.0 + 4.5,
            look: "",
        })
    }

    /// Puts words above the marks, which then have the full width. If a name and its number are too long for a line,
    /// they have separate lines.
    fn stacked(&self, paper: f64) -> RowGeometry {
        let fits = |row: &Row| width(&row.name) + width(&row.text) + GAP <= paper;
        let above = if self.rows().all(fits) {
            0
        } else {
            { self.rows().map(|row| wrap(&row.name, paper).len()).max() }.unwrap_or(1)
        };
        let more = LINE * above as f64;
        RowGeometry {
            paper,
            plot: (SIDE, paper - SIDE),
            row: STACKED + more,
            mark: STACKED + more - 15.0,
            words: 14.0,
            number: 14.0 + more,
            look: " over",
        }
    }

    fn scale(&self, (start, end): (f64, f64)) -> Scale {
        let ends = self.rows().flat_map(|row| {
            let intervals = [row.interval, row.wanted].into_iter().flatten();
            let ends = intervals.flat_map(Interval::ends);
            // A range that was wanted may be open at one end.
            ends.filter(|end| end.is_finite()).chain([row.value])
        });
        let range = self.range.into_iter().flat_map(|(from, to)| [from, to]);
        let ends = ends.chain(range).chain(self.level);
        let (low, high) = extremes([0.0].into_iter().chain(ends));
        // A part of an open range is shown.
        let open = |end: fn(Interval) -> f64| {
            let mut wanted = self.rows().filter_map(|row| row.wanted);
            let margin = if wanted.any(|one| end(one).is_infinite()) {
                0.08
            } else {
                0.0
            };
            margin * (high - low)
        };
        let (low, high) = (low - open(|one| one.low), high + open(|one| one.high));
        let (low, high) = match (high > low, self.unit) {
            (true, _) => (low, high),
            // Nothing differs from 0, so 0 is in the middle.
            (false, Unit::Share) if self.differences => (-0.01, 0.01),
            (false, Unit::Plain) if self.differences => (-1.0, 1.0),
            (false, Unit::Share) => (0.0, 0.01),
            (false, Unit::Plain) => (0.0, 1.0),
        };
        let (mut from, mut to) = around(low, high, 5);
        if self.unit == Unit::Share && !self.differences {
            (from, to) = (from.max(0.0), to.min(1.0));
        }
        Scale {
            from,
            to,
            start,
            end,
        }
    }

    fn row(&self, drawing: &mut Drawing, row: &Row, whose: &str, y: f64, scale: &Scale) {
        let hover = format!("{whose}: {}", row.text);
        let at = scale.at(row.value);
        if !self.differences {
            let fill = class('f', row.series);
            drawing.rect((scale.at(0.0), y - 6.5), (at, y + 6.5), &fill, &hover);
        }
        if let Some(wanted) = row.wanted {
            let on_plot = |end: f64| scale.at(end.clamp(scale.from, scale.to));
            let (from, to) = (on_plot(wanted.low), on_plot(wanted.high));
            drawing.rect((from, y - 9.0), (to, y + 9.0), "want", "");
        }
        if let Some(interval) = row.interval {
            let (low, high) = (scale.at(interval.low), scale.at(interval.high));
            let ends = |x: f64| path(&[(x, y - 4.0), (x, y + 4.0)]);
            let whisker = path(&[(low, y), (high, y)]) + &ends(low) + &ends(high);
            drawing.path(whisker.clone(), "halo");
            drawing.path(whisker, "whisker");
        }
        if self.differences {
            let fill = format!("{} point", class('f', row.series));
            drawing.titled(mark(row.series, (at, y)), &fill, &hover);
        }
    }
}

/// The positions of the parts of a sheet.
struct RowGeometry {
    paper: f64,
    /// The left and the right end of the plot.
    plot: (f64, f64),
    /// The height of a row; within the row, the middle of the mark and the baseline of the words.
    row: f64,
    mark: f64,
    words: f64,
    /// The baseline of the number.
    number: f64,
    /// A class of words.
    look: &'static str,
}

impl RowGeometry {
    /// Draws the name and the number of a row that begins at `y`.
    fn words(&self, drawing: &mut Drawing, row: &Row, y: f64) {
        let look = self.look.trim();
        let (name, number) = ((0.0, y + self.words), (self.paper, y + self.number));
        let lines = wrap(&row.name, self.paper);
        drawing.lines(name, Anchor::Start, look, &lines);
        drawing.fitted(number, Anchor::End, look, &row.text, NUMBER);
    }
}
