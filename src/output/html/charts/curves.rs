//! Curves with bands, in panels on one scale. Each curve is named at its end. More curves than the eye can tell apart
//! become the rows of a grid.

use super::super::drawing::{
    BASELINE, Drawing, LINE, WIDTH, apart, mark, path, polygon, width, wrap,
};
use super::super::scale::{Scale, around};
use super::super::words::level_note;
use super::heat::HeatRow;
use super::{ChartAxis, Heat, HeatCell, Panel, class, stack, within};
use crate::output::chart::Unit;
use crate::report::number::{Rounded, extremes};
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
    /// The label below the ends beyond the axis, if some curves have such ends.
    pub(crate) limit: Option<String>,
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
    /// The end beyond the axis, at the far right.
    pub(crate) end: Option<CurvePoint>,
}

impl Curve {
    /// Returns all points, also the end beyond the axis.
    fn all(&self) -> impl Iterator<Item = &CurvePoint> {
        self.points.iter().chain(&self.end)
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
/// Width right of the axis for the ends beyond it.
const LIMIT: f64 = 58.0;
/// Distance of a name from the end of the plot.
const NAME: f64 = 23.0;
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
    pub(crate) const MOST: usize = 8;

    /// The most columns of a grid. With about half as many, cells have room for their numbers.
    const MOST_COLUMNS: usize = 24;

    /// Creates curves in a single panel, without a level.
    pub(crate) fn new(unit: Unit, axis: &'a str, curves: Vec<Curve>) -> Self {
        Self {
            panels: vec![Panel::alone(curves)],
            unit,
            axis,
            level: None,
            limit: None,
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
        let points = self.curves().flat_map(Curve::all);
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
            let point = curve.all().find(|point| point.x.total_cmp(x).is_eq())?;
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
            panels: panels.collect(),
        }
    }

    /// Returns the note on the intervals and on the level.
    pub(crate) fn note(&self, intervals: &str) -> String {
        if self.is_grid() {
            Heat::note(self.unit, intervals)
        } else {
            format!(
                "Bands are {intervals}.{}",
                level_note(self.level, self.unit)
            )
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
        let limit = if self.limit.is_some() { LIMIT } else { 0.0 };
        let across = Scale {
            from,
            to,
            start: MARGIN,
            end: WIDTH - names - limit,
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
        let ends = self
            .curves()
            .flat_map(Curve::all)
            .flat_map(CurvePoint::ends);
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
        let at = |point: &CurvePoint, y: f64| (across.at(point.x), up.at(y));
        for curve in &panel.content {
            let end = |index: usize| move |point: &CurvePoint| at(point, point.ends()[index]);
            let lower = curve.points.iter().map(end(0));
            let upper = curve.points.iter().map(end(1));
            if lower
                .clone()
                .zip(upper.clone())
                .any(|(low, high)| low.1 - high.1 >= THIN)
            {
                let outline: Vec<(f64, f64)> = upper.chain(lower.rev()).collect();
                let band = format!("{} band", class('f', curve.series));
                drawing.path(polygon(&outline), &band);
            }
        }
        let point = |drawing: &mut Drawing, curve: &Curve, point: &CurvePoint, at: (f64, f64)| {
            let look = format!("{} point", class('f', curve.series));
            drawing.titled(
                mark(curve.rank, at),
                &look,
                &within(&panel.title, &point.title),
            );
        };
        for curve in &panel.content {
            let line = curve.points.iter().map(|point| at(point, point.y));
            let line: Vec<(f64, f64)> = line.collect();
            let look = format!(
                "{} curve d{}",
                class('l', curve.series),
                curve.rank % DASHES
            );
            drawing.titled(path(&line), &look, &curve.name);
            for (place, at) in curve.points.iter().zip(line).filter(|_| is_marked) {
                point(drawing, curve, place, at);
            }
        }
        let mut right = across.end;
        if let Some(limit) = &self.limit {
            right += LIMIT;
            let x = right - LIMIT / 2.0 + 4.0;
            if panel.content.iter().any(|curve| curve.end.is_some()) {
                drawing.line((x - 24.0, up.start), (right, up.start), "axis");
                drawing.text((x, up.start + ChartAxis::LABELS), "soft small m", limit);
            }
            for curve in &panel.content {
                let (Some(last), Some(end)) = (curve.points.last(), &curve.end) else {
                    continue;
                };
                let beyond = (x, up.at(end.y));
                let leap = path(&[at(last, last.y), beyond]);
                drawing.path(leap, &format!("{} leap", class('l', curve.series)));
                point(drawing, curve, end, beyond);
            }
        }
        names(drawing, &panel.content, (across, up), right);
    }
}

/// Draws the name of each curve beside its end, right of `right` and without overlaps. If a name had to move, a line
/// leads to the end.
fn names(drawing: &mut Drawing, curves: &[Curve], (across, up): (Scale, Scale), right: f64) {
    let end = |curve: &Curve| match (&curve.end, curve.points.last()) {
        (Some(end), _) => Some((right, up.at(end.y))),
        (None, last) => last.map(|last| (across.at(last.x), up.at(last.y))),
    };
    let label = |curve: &Curve| wrap(&curve.name, WIDTH - right - NAME);
    let mut labels: Vec<((f64, f64), Vec<String>, &Curve)> = curves
        .iter()
        .filter_map(|curve| Some((end(curve)?, label(curve), curve)))
        .collect();
    labels.sort_by(|((_, above), ..), ((_, below), ..)| above.total_cmp(below));
    let wanted: Vec<(f64, f64)> = labels
        .iter()
        .map(|((_, y), lines, _)| (*y, LINE * lines.len() as f64))
        .collect();
    let places = apart(&wanted, (up.end, up.start + 4.0 + LINE));
    for (((x, y), lines, curve), place) in labels.into_iter().zip(places) {
        if right - x > 1.0 || (place - y).abs() > 3.0 {
            let lead = path(&[(x + 6.0, y), (right + 7.0, place)]);
            drawing.path(lead, "lead");
        }
        let key = mark(curve.rank, (right + 14.0, place));
        drawing.path(key, &class('f', curve.series));
        drawing.lines((right + NAME, place + BASELINE), "", &lines);
    }
}
