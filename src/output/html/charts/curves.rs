//! Curves with bands, in panels on one scale. Each curve is named at its end. More curves than the eye can tell apart
//! become the rows of a grid.

use super::super::drawing::{
    BASELINE, Drawing, LINE, WIDTH, apart, mark, path, polygon, width, wrap,
};
use super::super::scale::{Scale, around};
use super::super::words::{MINUS, level_note, named};
use super::heat::HeatRow;
use super::{ChartAxis, Heat, HeatCell, Panel, class, stack, within};
use crate::output::chart::Unit;
use crate::report::number::{Rounded, decimals, extremes};
use crate::stats::Interval;

/// Curves on one scale.
pub(crate) struct Curves<'a> {
    pub(crate) panels: Vec<Panel<Vec<Curve>>>,
    /// The unit of the metric.
    pub(crate) unit: Unit,
    /// The name of the quantity that varies.
    pub(crate) axis: &'a str,
    /// A number that a dashed line marks.
    pub(crate) level: Option<f64>,
    /// Whether the vertical scale starts at 0 and the horizontal axis has whole numbers. A scale of shares then ends at
    /// 1 if a share exceeds one half.
    pub(crate) whole: bool,
}

/// A curve.
pub(crate) struct Curve {
    pub(crate) name: String,
    /// Its colour.
    pub(crate) series: usize,
    /// Index of the mark and the dashes, in which curves of one colour differ.
    pub(crate) rank: usize,
    /// The points of the curve, from left to right.
    pub(crate) points: Vec<CurvePoint>,
    /// The class that switches the curve off.
    pub(crate) switch: Option<String>,
}

impl Curve {
    /// Returns the place at which the curve crosses a level, if it does so once, and the decimals that neighbouring
    /// points allow for it.
    fn crossing(&self, level: f64) -> Option<(f64, usize)> {
        let crossed = |pair: &[CurvePoint]| {
            let [before, after] = [&pair[0], &pair[1]].map(|point| point.y - level);
            let step = pair[1].x - pair[0].x;
            let x = pair[0].x + step * before / (before - after);
            (before * after < 0.0).then(|| (x, decimals(step / 5.0).max(1)))
        };
        let mut all = self.points.windows(2).filter_map(crossed);
        all.next().filter(|_| all.next().is_none())
    }

    /// Returns the classes of a line that belongs to the curve.
    fn look(&self, kind: &str) -> String {
        let dashes = self.rank % DASHES;
        format!("{} {kind} d{dashes}", class('l', self.series))
    }
}

/// A point of a curve.
pub(crate) struct CurvePoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The interval of `y`; without one the band has no width here.
    pub(crate) interval: Option<Interval>,
    /// The tooltip of the point.
    pub(crate) title: String,
}

impl CurvePoint {
    fn ends(&self) -> [f64; 2] {
        self.interval.unwrap_or(Interval::at(self.y)).ends()
    }
}

const PLOT: f64 = 150.0;
/// The distance of the plot from a heading.
const HEAD: f64 = 8.0;
const MARGIN: f64 = 52.0;
/// Distance of a name from the end of the plot.
const NAME: f64 = 18.0;
/// The most room for names, as a part of the width. Longer names get several lines.
const NAMES: f64 = 0.35;
/// A band thinner than this is hidden by its line.
const THIN: f64 = 1.0;
/// With more points than this, single points can neither be seen nor pointed at.
const MOST_MARKS: usize = 400;
/// Number of dash patterns; the first is a solid line.
const DASHES: usize = 5;

impl<'a> Curves<'a> {
    /// The most curves that a panel draws as lines. The sides of a fight divide the colours among them, so that several
    /// curves have the same colour.
    pub(crate) const MOST: usize = 10;

    /// The most columns of a grid. With about half as many, cells have room for their numbers.
    const MOST_COLUMNS: usize = 24;

    /// Creates curves in a single panel, without a level.
    pub(crate) fn new(unit: Unit, axis: &'a str, curves: Vec<Curve>) -> Self {
        Self {
            panels: vec![Panel::alone(curves)],
            unit,
            axis,
            level: None,
            whole: false,
        }
    }

    /// Returns whether the curves become the rows of a grid.
    fn is_grid(&self) -> bool {
        let mut panels = self.panels.iter();
        panels.any(|panel| panel.content.len() > Self::MOST)
            && self.columns().len() <= Self::MOST_COLUMNS
    }

    fn curves(&self) -> impl Iterator<Item = &Curve> {
        self.panels.iter().flat_map(|panel| &panel.content)
    }

    /// Returns the horizontal places of all curves.
    fn columns(&self) -> Vec<f64> {
        let points = self.curves().flat_map(|curve| &curve.points);
        let mut columns: Vec<f64> = points.map(|point| point.x).collect();
        columns.sort_by(f64::total_cmp);
        columns.dedup();
        columns
    }

    /// Returns the curves as rows, with a column for each place.
    fn grid(&self) -> Heat<'_> {
        let columns = self.columns();
        let decimals = match self.unit {
            Unit::Share => 0,
            Unit::Plain => 1,
        };
        let cell = |curve: &Curve, x: &f64| {
            let mut points = curve.points.iter();
            let point = points.find(|point| point.x.total_cmp(x).is_eq())?;
            Some(HeatCell {
                value: point.y,
                text: self.unit.cell(point.y, decimals),
                title: point.title.clone(),
            })
        };
        let row = |curve: &Curve| HeatRow {
            name: curve.name.clone(),
            series: Some(curve.series),
            cells: columns.iter().map(|x| cell(curve, x)).collect(),
        };
        let panels = self.panels.iter().map(|panel| Panel {
            title: panel.title.clone(),
            switch: panel.switch.clone(),
            content: panel.content.iter().map(row).collect(),
        });
        let names = columns.iter().map(|x| Rounded::new(*x).to_string());
        Heat {
            down: "",
            across: (self.axis, names.collect()),
            middle: None,
            panels: panels.collect(),
        }
    }

    /// Returns the note on the intervals and on the level.
    pub(crate) fn note(&self, intervals: &str) -> String {
        if self.is_grid() {
            Heat::note(self.unit, intervals)
        } else {
            let mut crossings = self.curves().map(|curve| curve.crossing(self.level?));
            let read = named(
                crossings.any(|crossing| crossing.is_some()),
                " Where a curve crosses it is read off the straight line between two values.",
            );
            let level = level_note(self.level, self.unit);
            format!("Bands are {intervals}.{level}{read}")
        }
    }

    /// Draws the chart.
    pub(crate) fn draw(&self) -> Drawing {
        if self.is_grid() {
            return self.grid().draw();
        }
        let names = self
            .curves()
            .map(|curve| width(&curve.name) + NAME + 4.0)
            .fold(30.0, f64::max)
            .min(NAMES * WIDTH);
        let points = || self.curves().flat_map(|curve| &curve.points);
        let (from, to) = extremes(points().map(|point| point.x));
        let across = Scale {
            from,
            to,
            start: MARGIN,
            end: WIDTH - names,
        };
        let (low, high) = self.range();
        let is_marked = points().count() <= MOST_MARKS;
        let least = if self.panels.len() == 1 { 1.5 } else { 1.0 } * PLOT;
        stack(&self.panels, |drawing, panel, top| {
            let lines = panel
                .content
                .iter()
                .map(|curve| wrap(&curve.name, names - NAME).len());
            let plot = least.max(LINE * lines.sum::<usize>() as f64);
            let up = Scale {
                from: low,
                to: high,
                start: top + HEAD + plot,
                end: top + HEAD,
            };
            self.panel(drawing, panel, (across, up), is_marked);
            up.start + ChartAxis::HEIGHT + 8.0
        })
    }

    /// Returns the least and the greatest number of the vertical scale.
    fn range(&self) -> (f64, f64) {
        let points = self.curves().flat_map(|curve| &curve.points);
        let ends = points.flat_map(CurvePoint::ends);
        let (low, high) = extremes(ends.chain(self.level));
        match (self.whole, self.unit) {
            (true, Unit::Share) if high > 0.5 => (0.0, 1.0),
            (true, Unit::Share) => (0.0, around(0.0, high * 100.0, 5).1 / 100.0),
            (true, Unit::Plain) => around(0.0, high, 5),
            (false, Unit::Share) => {
                let (low, high) = around(low * 100.0, high * 100.0, 5);
                ((low / 100.0).max(0.0), (high / 100.0).min(1.0))
            }
            (false, Unit::Plain) => around(low, high, 5),
        }
    }

    fn panel(
        &self,
        drawing: &mut Drawing,
        panel: &Panel<Vec<Curve>>,
        (across, up): (Scale, Scale),
        is_marked: bool,
    ) {
        ChartAxis::new(up, self.unit).beside(drawing, (across.start, across.end));
        ChartAxis {
            whole: self.whole,
            ..ChartAxis::new(across, Unit::Plain)
        }
        .below(drawing, (up.start, up.start), self.axis);
        if let Some(level) = self.level {
            let y = up.at(level);
            drawing.line((across.start, y), (across.end, y), "level");
        }
        for curve in &panel.content {
            drawing.layer(curve.switch.as_deref(), |drawing| {
                self.curve(drawing, curve, &panel.title, (across, up), is_marked);
            });
        }
        names(drawing, &panel.content, (across, up));
    }

    /// Draws the band, the line and the points of a curve, and where it crosses the level.
    fn curve(
        &self,
        drawing: &mut Drawing,
        curve: &Curve,
        panel: &str,
        (across, up): (Scale, Scale),
        is_marked: bool,
    ) {
        let line = |y: fn(&CurvePoint) -> f64| {
            let points = curve.points.iter();
            points.map(move |point| (across.at(point.x), up.at(y(point))))
        };
        let (lower, upper) = (line(|point| point.ends()[0]), line(|point| point.ends()[1]));
        let mut ends = lower.clone().zip(upper.clone());
        if ends.any(|(low, high)| low.1 - high.1 >= THIN) {
            let outline: Vec<(f64, f64)> = upper.chain(lower.rev()).collect();
            let band = format!("{} band", class('f', curve.series));
            drawing.path(polygon(&outline), &band);
        }
        let line: Vec<(f64, f64)> = line(|point| point.y).collect();
        drawing.titled(path(&line), &curve.look("curve"), &curve.name);
        let look = format!("{} point", class('f', curve.series));
        for (point, at) in curve.points.iter().zip(line).filter(|_| is_marked) {
            let title = within(panel, &point.title);
            drawing.titled(mark(curve.rank, at), &look, &title);
        }
        let Some(level) = self.level else { return };
        if let Some((x, decimals)) = curve.crossing(level) {
            let (at, foot) = ((across.at(x), up.at(level)), up.start - 6.0);
            drawing.line(at, (at.0, up.start), "level crossing");
            let text = format!("{x:.decimals$}").replace('-', MINUS);
            drawing.text((at.0 + 5.0, foot), "small over", &text);
        }
    }
}

/// Draws the name of each curve right of the plot, without overlaps. A line leads from the end of the curve to the name.
fn names(drawing: &mut Drawing, curves: &[Curve], (across, up): (Scale, Scale)) {
    let right = across.end;
    let mut labels: Vec<((f64, f64), Vec<String>, &Curve)> = curves
        .iter()
        .filter_map(|curve| {
            let last = curve.points.last()?;
            let lines = wrap(&curve.name, WIDTH - right - NAME);
            Some(((across.at(last.x), up.at(last.y)), lines, curve))
        })
        .collect();
    labels.sort_by(|((_, above), ..), ((_, below), ..)| above.total_cmp(below));
    let wanted: Vec<(f64, f64)> = labels
        .iter()
        .map(|((_, y), lines, _)| (*y, LINE * lines.len() as f64))
        .collect();
    let places = apart(&wanted, (up.end, up.start + 4.0 + LINE));
    for ((end, lines, curve), place) in labels.into_iter().zip(places) {
        drawing.layer(curve.switch.as_deref(), |drawing| {
            let lead = path(&[end, (right + 6.0, place), (right + NAME - 4.0, place)]);
            drawing.path(lead, &curve.look("lead"));
            drawing.lines((right + NAME, place + BASELINE), "", &lines);
        });
    }
}
