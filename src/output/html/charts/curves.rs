//! Lines with bands, in panels on one scale, each named where it ends.

use super::super::drawing::{Anchor, Drawing, WIDTH, mark, path, width};
use super::super::scale::{Scale, around};
use super::{Below, Beside, Drawn, Sheet, class, within};
use crate::output::chart::Unit;

/// Curves on one scale.
pub(crate) struct Curves<'a> {
    pub(crate) panels: Vec<CurvesPanel>,
    /// The metric.
    pub(crate) unit: Unit,
    /// What varies.
    pub(crate) axis: &'a str,
    /// A number that a dashed line marks.
    pub(crate) level: Option<f64>,
    /// Whether the scale goes from 0 to all, over whole numbers.
    pub(crate) whole: bool,
}

/// Curves that are held against each other.
pub(crate) struct CurvesPanel {
    pub(crate) title: String,
    pub(crate) curves: Vec<Curve>,
}

/// A curve.
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) series: usize,
    /// From left to right.
    pub(crate) places: Vec<Place>,
}

/// A place of a curve.
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The same in words.
    pub(crate) title: String,
}

const PLOT: f64 = 150.0;
const HEAD: f64 = 28.0;
const MARGIN: f64 = 52.0;
/// Between the baselines of two names.
const LINE: f64 = 15.0;
/// A band that is thinner than this is hidden by its line.
const THIN: f64 = 1.0;
/// With more places than this, single ones can neither be seen nor pointed at.
const MOST_MARKS: usize = 400;
/// Dashes, the first of which is none.
const DASHES: usize = 5;

impl Curves<'_> {
    /// The chart.
    pub(crate) fn draw(&self) -> Drawn {
        Drawn::on(|paper| self.on(paper))
    }

    fn on(&self, paper: f64) -> Sheet {
        let curves = || self.panels.iter().flat_map(|panel| &panel.curves);
        let places = || curves().flat_map(|curve| &curve.places);
        let names = curves().map(|curve| width(&curve.name) + 27.0);
        let names = names.fold(30.0, f64::max).min(0.27 * paper);
        let fold = |ends: &mut dyn Iterator<Item = f64>| {
            ends.fold((f64::MAX, f64::MIN), |(low, high), end| {
                (low.min(end), high.max(end))
            })
        };
        let (from, to) = fold(&mut places().map(|place| place.x));
        let level = self.level.into_iter();
        let ends = places().flat_map(|place| [place.low, place.high]);
        let (low, high) = fold(&mut ends.chain(level));
        let (low, high) = match (self.whole, self.unit) {
            (true, Unit::Share) => (0.0, 1.0),
            (true, Unit::Plain) => around(0.0, high, 5),
            (false, Unit::Share) => {
                let (low, high) = around(low * 100.0, high * 100.0, 5);
                ((low / 100.0).max(0.0), (high / 100.0).min(1.0))
            }
            (false, Unit::Plain) => around(low, high, 5),
        };
        let marked = places().count() <= MOST_MARKS;
        let mut drawing = Drawing::default();
        let mut top = 0.0;
        for panel in &self.panels {
            let head = if panel.title.is_empty() { 8.0 } else { HEAD };
            let alone = if self.panels.len() == 1 { 1.5 } else { 1.0 };
            let plot = (alone * PLOT).max(LINE * panel.curves.len() as f64);
            let across = Scale {
                from,
                to,
                start: MARGIN,
                end: paper - names,
            };
            let up = Scale {
                from: low,
                to: high,
                start: top + head + plot,
                end: top + head,
            };
            if !panel.title.is_empty() {
                let at = (0.0, top + 16.0);
                drawing.fitted(at, Anchor::Start, "strong", &panel.title, paper);
            }
            self.panel(&mut drawing, panel, (across, up), paper, marked);
            top += head + plot + Below::HEIGHT + 8.0;
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
            drawing.path(format!("{}Z", path(&outline)), &band, "");
        }
        for curve in &panel.curves {
            let line: Vec<_> = curve
                .places
                .iter()
                .map(|place| at(place, place.y))
                .collect();
            let dash = curve.series % DASHES;
            let look = format!("{} curve d{dash}", class('l', curve.series));
            drawing.path(path(&line), &look, &curve.name);
            if marked {
                let look = format!("{} point", class('f', curve.series));
                for (place, at) in curve.places.iter().zip(line) {
                    let title = within(&panel.title, &place.title);
                    drawing.path(mark(curve.series, at), &look, &title);
                }
            }
        }
        names(drawing, panel, (across.end, paper), up);
    }
}

/// The name of each curve beside its end, apart from the others.
fn names(drawing: &mut Drawing, panel: &CurvesPanel, (right, paper): (f64, f64), up: Scale) {
    let mut ends: Vec<(f64, &Curve)> = panel
        .curves
        .iter()
        .filter_map(|curve| Some((up.at(curve.places.last()?.y), curve)))
        .collect();
    ends.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut free = up.end;
    for (y, _) in &mut ends {
        *y = y.max(free);
        free = *y + LINE;
    }
    // A label that was pushed below the bottom moves the others back up.
    let mut most = up.start + 4.0;
    for (y, curve) in ends.iter_mut().rev() {
        *y = y.min(most);
        most = *y - LINE;
        let key = mark(curve.series, (right + 14.0, *y));
        drawing.path(key, &class('f', curve.series), "");
        let room = paper - right - 23.0;
        drawing.fitted(
            (right + 23.0, *y + 4.5),
            Anchor::Start,
            "",
            &curve.name,
            room,
        );
    }
}
