//! Rows with a number each: a bar from 0 or a mark at the number, a whisker from end to end of its
//! interval, and the number in words.

use super::super::drawing::{Anchor, Drawing, WIDTH, mark, path, width};
use super::super::scale::{Scale, around};
use super::{Below, Drawn, class};
use crate::output::chart::Unit;
use crate::stats::Interval;

/// Numbers in rows, on one scale.
pub(crate) struct Whiskers<'a> {
    /// The rows.
    pub(crate) groups: Vec<Group>,
    /// What the numbers are.
    pub(crate) unit: Unit,
    /// Whether they are differences: marks instead of bars, signs before numbers.
    pub(crate) differences: bool,
    /// Numbers that the scale has to hold besides.
    pub(crate) range: Option<(f64, f64)>,
    /// What the scale shows.
    pub(crate) axis: &'a str,
}

/// Rows that belong together.
pub(crate) struct Group {
    /// What they have in common; nothing if there is no need to say so.
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
}

/// A number.
pub(crate) struct Row {
    pub(crate) name: String,
    /// Which colour and which mark it has.
    pub(crate) series: usize,
    pub(crate) value: f64,
    pub(crate) interval: Option<Interval>,
    /// The number and its interval in words.
    pub(crate) text: String,
    /// Where it was wanted.
    pub(crate) wanted: Option<Interval>,
}

const ROW: f64 = 23.0;
const HEAD: f64 = 28.0;
const TOP: f64 = 6.0;

impl Whiskers<'_> {
    /// The chart.
    pub(crate) fn draw(&self) -> Drawn {
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let widest = |widths: &mut dyn Iterator<Item = f64>, most: f64| {
            widths.fold(40.0, f64::max).min(most) + 12.0
        };
        // Names of groups are bold, and must not run into the plot either.
        let heads = self.groups.iter().map(|group| 1.1 * width(&group.name));
        let mut names = rows().map(|row| width(&row.name)).chain(heads);
        let labels = widest(&mut names, 230.0);
        let values = widest(&mut rows().map(|row| width(&row.text)), 240.0);
        let scale = self.scale(labels, WIDTH - values);

        let heads = self
            .groups
            .iter()
            .filter(|group| !group.name.is_empty())
            .count();
        let bottom = TOP + ROW * rows().count() as f64 + HEAD * heads as f64 + 4.0;
        let mut drawing = Drawing::default();
        Below {
            scale,
            top: TOP,
            bottom,
            most: 7,
            unit: self.unit,
            signed: self.differences,
            whole: false,
            title: self.axis,
        }
        .draw(&mut drawing);
        let zero = scale.at(0.0);
        drawing.line((zero, TOP), (zero, bottom), "axis");

        let mut y = TOP;
        for group in &self.groups {
            if !group.name.is_empty() {
                let at = (0.0, y + HEAD - 8.0);
                drawing.fitted(at, Anchor::Start, "strong", &group.name, labels - 8.0);
                y += HEAD;
            }
            for row in &group.rows {
                self.row(&mut drawing, row, y + ROW / 2.0, labels, &scale);
                y += ROW;
            }
        }
        Drawn {
            drawing,
            height: bottom + Below::HEIGHT,
        }
    }

    fn scale(&self, start: f64, end: f64) -> Scale {
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let ends = rows().flat_map(|row| {
            let interval = [row.interval, row.wanted];
            let ends = interval.into_iter().flatten();
            ends.flat_map(|interval| [interval.low, interval.high])
                .chain([row.value])
        });
        let range = self.range.into_iter().flat_map(|(from, to)| [from, to]);
        let all = ends.chain(range).chain([0.0]);
        let (low, high) = all.fold((0.0_f64, 0.0_f64), |(low, high), end| {
            (low.min(end), high.max(end))
        });
        let (low, high) = match (high > low, self.unit) {
            (true, _) => (low, high),
            // Nothing differs from 0: it stands in the middle.
            (false, Unit::Share) => (-0.01, 0.01),
            (false, Unit::Plain) => (-1.0, 1.0),
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

    fn row(&self, drawing: &mut Drawing, row: &Row, y: f64, labels: f64, scale: &Scale) {
        let hover = format!("{}: {}", row.name, row.text);
        drawing.fitted((0.0, y + 4.5), Anchor::Start, "", &row.name, labels - 12.0);
        if let Some(wanted) = row.wanted {
            let (from, to) = (scale.at(wanted.low), scale.at(wanted.high));
            drawing.rect((from, y - 9.0), (to, y + 9.0), "want", "");
        }
        let at = scale.at(row.value);
        if !self.differences {
            let fill = class('f', row.series);
            drawing.rect((scale.at(0.0), y - 6.5), (at, y + 6.5), &fill, &hover);
        }
        if let Some(interval) = row.interval {
            let (low, high) = (scale.at(interval.low), scale.at(interval.high));
            let ends = |x: f64| path(&[(x, y - 4.0), (x, y + 4.0)]);
            let whisker = format!(
                "{}{}{}",
                path(&[(low, y), (high, y)]),
                ends(low),
                ends(high)
            );
            drawing.path(whisker.clone(), "halo", "");
            drawing.path(whisker, "whisker", "");
        }
        if self.differences {
            let fill = format!("{} point", class('f', row.series));
            drawing.path(mark(row.series, (at, y)), &fill, &hover);
        }
        drawing.fitted((WIDTH, y + 4.5), Anchor::End, "", &row.text, 240.0);
    }
}
