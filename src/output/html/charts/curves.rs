//! Curves with bands, in panels on one scale. Each curve is named at its end. More curves than the eye can tell apart
//! become the rows of a grid.

use super::super::drawing::{Anchor, BOLD, Drawing, LINE, WIDTH, mark, path, width, wrap};
use super::super::scale::{Scale, around};
use super::super::words::level_note;
use super::{Below, Beside, Cell, Drawn, Heat, HeatPanel, HeatRow, Sheet, class, within};
use crate::output::chart::Unit;
use crate::report::number::{Rounded, extremes};
use crate::stats::Interval;

/// Curves on one scale.
pub(crate) struct Curves<'a> {
    pub(crate) panels: Vec<CurvesPanel>,
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

/// Curves that are compared in one panel.
pub(crate) struct CurvesPanel {
    pub(crate) title: String,
    /// The class that switches the panel off.
    pub(crate) switch: Option<String>,
    pub(crate) curves: Vec<Curve>,
}

/// A curve.
pub(crate) struct Curve {
    pub(crate) name: String,
    /// Its colour.
    pub(crate) series: usize,
    /// Index of the mark and the dashes, in which curves of one colour differ.
    pub(crate) rank: usize,
    /// The places of the curve, from left to right.
    pub(crate) places: Vec<Place>,
    /// The end beyond the axis, at the far right.
    pub(crate) end: Option<Place>,
}

impl Curve {
    /// Returns all places, also the end beyond the axis.
    fn all(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().chain(&self.end)
    }
}

/// A place of a curve.
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The tooltip of the place.
    pub(crate) title: String,
}

impl Place {
    /// Creates a place of a number. Without an interval the band has no width there.
    pub(crate) fn new(x: f64, (y, interval): (f64, Option<Interval>), title: String) -> Self {
        let [low, high] = interval.unwrap_or(Interval::at(y)).ends();
        Self {
            x,
            y,
            low,
            high,
            title,
        }
    }
}

const PLOT: f64 = 150.0;
const HEAD: f64 = 28.0;
const MARGIN: f64 = 52.0;
/// Width right of the axis for the ends beyond it.
const LIMIT: f64 = 58.0;
/// Distance of a name from the end of the plot.
const NAME: f64 = 23.0;
/// A band thinner than this is hidden by its line.
const THIN: f64 = 1.0;
/// With more places than this, single places can neither be seen nor pointed at.
const MOST_MARKS: usize = 400;
/// Number of dash patterns; the first is a solid line.
const DASHES: usize = 5;

impl<'a> Curves<'a> {
    /// The most curves that a panel draws as lines. The sides of a fight divide the colours among them, so that several
    /// curves have the same colour.
    pub(crate) const MOST: usize = 8;

    /// The most columns of a grid. Cells of fewer than about this many columns have room for their numbers.
    const MOST_COLUMNS: usize = 24;

    /// Creates curves in a single panel, without a level.
    pub(crate) fn new(unit: Unit, axis: &'a str, curves: Vec<Curve>) -> Self {
        let panel = CurvesPanel {
            title: String::new(),
            switch: None,
            curves,
        };
        Self {
            panels: vec![panel],
            unit,
            axis,
            level: None,
            limit: None,
            whole: false,
        }
    }

    /// Draws the chart.
    pub(crate) fn draw(&self) -> Drawn {
        if self.is_grid() {
            self.grid().draw()
        } else {
            Drawn::on(|paper| self.on(paper))
        }
    }

    /// Returns whether the curves become the rows of a grid.
    fn is_grid(&self) -> bool {
        let mut panels = self.panels.iter();
        panels.any(|panel| panel.curves.len() > Self::MOST)
            && self.columns().len() <= Self::MOST_COLUMNS
    }

    /// Returns the places of all curves.
    fn columns(&self) -> Vec<f64> {
        let curves = self.panels.iter().flat_map(|panel| &panel.curves);
        let mut columns: Vec<f64> = curves.flat_map(Curve::all).map(|place| place.x).collect();
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
        let row = |curve: &Curve| HeatRow {
            name: curve.name.clone(),
            series: Some(curve.series),
            cells: { columns.iter() }
                .map(|x| {
                    let place = curve.all().find(|place| place.x.total_cmp(x).is_eq())?;
                    Some(Cell {
                        value: place.y,
                        text: self.unit.cell(place.y, decimals),
                        title: place.title.clone(),
                    })
                })
                .collect(),
        };
        let panels = self.panels.iter().map(|panel| HeatPanel {
            title: panel.title.clone(),
            switch: panel.switch.clone(),
            rows: panel.curves.iter().map(row).collect(),
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

    fn on(&self, paper: f64) -> Sheet {
        let curves = || self.panels.iter().flat_map(|panel| &panel.curves);
        let places = || curves().flat_map(|curve| &curve.places);
        let beyond = || curves().flat_map(|curve| &curve.end);
        let names = curves().map(|curve| width(&curve.name) + NAME + 4.0);
        // Long names get several lines.
        let most = if paper < WIDTH { 0.4 } else { 0.3 };
        let names = names.fold(30.0, f64::max).min(most * paper);
        let room = names - NAME;
        let (from, to) = extremes(places().map(|place| place.x));
        let ends = places().chain(beyond());
        let ends = ends.flat_map(|place| [place.low, place.high]);
        let (low, high) = extremes(ends.chain(self.level));
        let (low, high) = match (self.whole, self.unit) {
            (true, Unit::Share) if high > 0.5 => (0.0, 1.0),
            (true, Unit::Share) => (0.0, around(0.0, high * 100.0, 5).1 / 100.0),
            (true, Unit::Plain) => around(0.0, high, 5),
            (false, Unit::Share) => {
                let (low, high) = around(low * 100.0, high * 100.0, 5);
                ((low / 100.0).max(0.0), (high / 100.0).min(1.0))
            }
            (false, Unit::Plain) => around(low, high, 5),
        };
        let limit = if self.limit.is_some() { LIMIT } else { 0.0 };
        let marked = places().count() <= MOST_MARKS;
        let mut drawing = Drawing::default();
        let mut top = 0.0;
        for panel in &self.panels {
            let titles = wrap(&panel.title, paper / BOLD);
            let head = match &*panel.title {
                "" => 8.0,
                _ => HEAD + LINE * (titles.len() - 1) as f64,
            };
            let alone = if self.panels.len() == 1 { 1.5 } else { 1.0 };
            let lines = panel
                .curves
                .iter()
                .map(|curve| wrap(&curve.name, room).len());
            let plot = (alone * PLOT).max(LINE * lines.sum::<usize>() as f64);
            let across = Scale {
                from,
                to,
                start: MARGIN,
                end: paper - names - limit,
            };
            let up = Scale {
                from: low,
                to: high,
                start: top + head + plot,
                end: top + head,
            };
            let high = head + plot + Below::HEIGHT + 8.0;
            drawing.switched(panel.switch.as_deref(), (0.0, top), high, |drawing| {
                if !panel.title.is_empty() {
                    drawing.lines((0.0, top + 16.0), Anchor::Start, "strong", &titles);
                }
                self.panel(drawing, panel, (across, up), paper, marked);
            });
            top += high;
        }
        Sheet {
            drawing,
            width: paper,
            height: top,
        }
    }

    fn panel(
        &self,
        drawing: &mut Drawing,
        panel: &CurvesPanel,
        (across, up): (Scale, Scale),
        paper: f64,
        marked: bool,
    ) {
        Beside {
            scale: up,
            left: across.start,
            right: across.end,
            most: 6,
            unit: self.unit,
        }
        .draw(drawing);
        Below {
            scale: across,
            top: up.start,
            bottom: up.start,
            most: if paper < WIDTH { 6 } else { 12 },
            unit: Unit::Plain,
            signed: false,
            whole: self.whole,
            title: self.axis,
        }
        .draw(drawing);
        if let Some(level) = self.level {
            let y = up.at(level);
            drawing.line((across.start, y), (across.end, y), "level");
        }
        let at = |place: &Place, y: f64| (across.at(place.x), up.at(y));
        for curve in &panel.curves {
            let thick = |place: &Place| up.at(place.low) - up.at(place.high);
            if curve.places.iter().all(|place| thick(place) < THIN) {
                continue;
            }
            let upper = curve.places.iter().map(|place| at(place, place.high));
            let lower = curve.places.iter().rev().map(|place| at(place, place.low));
            let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
            let band = format!("{} band", class('f', curve.series));
            drawing.path(format!("{}Z", path(&outline)), &band);
        }
        for curve in &panel.curves {
            let line = curve.places.iter().map(|place| at(place, place.y));
            let line: Vec<_> = line.collect();
            let dash = curve.rank % DASHES;
            let look = format!("{} curve d{dash}", class('l', curve.series));
            drawing.titled(path(&line), &look, &curve.name);
            if marked {
                let look = format!("{} point", class('f', curve.series));
                for (place, at) in curve.places.iter().zip(line) {
                    let title = within(&panel.title, &place.title);
                    drawing.titled(mark(curve.rank, at), &look, &title);
                }
            }
        }
        let right = self.beyond(drawing, panel, (across, up));
        names(drawing, panel, (across, right, paper - right - NAME), up);
    }

    /// Draws the ends beyond the axis. Returns the right end of the plot including them.
    fn beyond(
        &self,
        drawing: &mut Drawing,
        panel: &CurvesPanel,
        (across, up): (Scale, Scale),
    ) -> f64 {
        let Some(limit) = &self.limit else {
            return across.end;
        };
        let right = across.end + LIMIT;
        let x = right - LIMIT / 2.0 + 4.0;
        if panel.curves.iter().any(|curve| curve.end.is_some()) {
            drawing.line((x - 24.0, up.start), (right, up.start), "axis");
            drawing.text((x, up.start + 17.0), Anchor::Middle, "soft small", limit);
        }
        for curve in &panel.curves {
            let (Some(last), Some(end)) = (curve.places.last(), &curve.end) else {
                continue;
            };
            let at = (x, up.at(end.y));
            let leap = path(&[(across.at(last.x), up.at(last.y)), at]);
            drawing.path(leap, &format!("{} leap", class('l', curve.series)));
            let look = format!("{} point", class('f', curve.series));
            let title = within(&panel.title, &end.title);
            drawing.titled(mark(curve.rank, at), &look, &title);
        }
        right
    }
}

/// Draws the name of each curve beside its end, without overlaps. If a name had to move, a line leads to the end.
fn names(
    drawing: &mut Drawing,
    panel: &CurvesPanel,
    (across, right, room): (Scale, f64, f64),
    up: Scale,
) {
    let ends = panel.curves.iter().filter_map(|curve| {
        let last = curve.places.last();
        let x = if curve.end.is_some() {
            right
        } else {
            across.at(last?.x)
        };
        let end = (x, up.at(curve.end.as_ref().or(last)?.y));
        Some((end, curve))
    });
    let mut ends: Vec<((f64, f64), &Curve)> = ends.collect();
    ends.sort_by(|(one, _), (other, _)| one.1.total_cmp(&other.1));
    let labels: Vec<Vec<String>> = { ends.iter() }
        .map(|(_, curve)| wrap(&curve.name, room))
        .collect();
    let wanted = ends.iter().zip(&labels);
    let wanted: Vec<(f64, f64)> = wanted
        .map(|((end, _), label)| (end.1, LINE * label.len() as f64))
        .collect();
    let places = apart(&wanted, (up.end, up.start + 4.0));
    for (((x, y), curve), (label, place)) in ends.into_iter().zip(labels.iter().zip(places)) {
        if right - x > 1.0 || (place - y).abs() > 3.0 {
            let lead = path(&[(x + 6.0, y), (right + 7.0, place)]);
            drawing.path(lead, "lead");
        }
        let key = mark(curve.rank, (right + 14.0, place));
        drawing.path(key, &class('f', curve.series));
        drawing.lines((right + NAME, place + 4.5), Anchor::Start, "", label);
    }
}

/// Returns places for labels with these wanted places, in ascending order, and heights, so that none overlap. If there is
/// no room for all labels, the first ones go beyond `high`.
fn apart(wanted: &[(f64, f64)], (high, low): (f64, f64)) -> Vec<f64> {
    let mut free = high;
    let mut places: Vec<f64> = wanted
        .iter()
        .map(|(y, height)| {
            let place = y.max(free);
            free = place + height;
            place
        })
        .collect();
    // A label that was pushed below the bottom moves the labels above it back up.
    let mut most = low + LINE;
    for (place, (_, height)) in places.iter_mut().zip(wanted).rev() {
        *place = place.min(most - height);
        most = *place;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{LINE, apart};

    #[test]
    fn labels_never_overlap() {
        for wanted in [
            vec![10.0, 10.0, 10.0, 40.0],
            vec![0.0, 95.0, 96.0, 97.0],
            vec![50.0; 6],
            vec![3.0],
        ] {
            // The second label has two lines.
            let heights = [LINE, 2.0 * LINE, LINE, LINE, LINE, LINE];
            let wanted: Vec<(f64, f64)> = wanted.into_iter().zip(heights).collect();
            let places = apart(&wanted, (0.0, 100.0));
            let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(
                gaps.zip(heights).all(|(gap, height)| gap >= height),
                "{places:?}"
            );
            let last = places.last().zip(wanted.last());
            assert!(
                last.is_some_and(|(place, (_, height))| place + height <= 100.0 + LINE)
                    && places[0] >= 0.0,
                "{places:?}"
            );
        }
        // Labels that are far enough apart stay where they are.
        let wanted = [10.0, 40.0, 80.0].map(|y| (y, LINE));
        assert_eq!(apart(&wanted, (0.0, 100.0)), [10.0, 40.0, 80.0]);
    }
}
