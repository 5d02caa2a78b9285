//! A grid of shaded numbers.

use super::super::drawing::{BASELINE, Drawing, LINE, WIDTH, width, wrap};
use super::super::palette::{DIVERGING, RISING};
use super::{Panel, class, stack, within};
use crate::output::chart::Unit;
use crate::report::number::{extremes, share_of_way};

/// Numbers that depend on two quantities, in panels with the same columns and shades.
pub(crate) struct Heat<'a> {
    /// Name of the quantity that varies from row to row.
    pub(super) down: &'a str,
    /// Name of the quantity that varies from column to column, and its values.
    pub(super) across: (&'a str, Vec<String>),
    /// The number between two hues, if numbers above and below it are opposites.
    pub(super) middle: Option<f64>,
    pub(super) panels: Vec<Panel<Vec<HeatRow>>>,
}

/// The cells of a row.
pub(super) struct HeatRow {
    pub(super) name: String,
    /// The colour of the row's name tag, if it has one.
    pub(super) series: Option<usize>,
    /// A cell for each column, or `None` if its number is unknown.
    pub(super) cells: Vec<Option<HeatCell>>,
}

/// The number of a cell, its short text and its tooltip.
pub(crate) struct HeatCell {
    pub(crate) value: f64,
    pub(crate) text: String,
    pub(crate) title: String,
}

/// The positions of the columns and rows of a grid.
struct Geometry {
    /// The left end of the cells.
    left: f64,
    /// The width of a cell.
    cell: f64,
    /// The height of a row.
    row: f64,
    /// The least and the greatest number.
    ends: (f64, f64),
    /// Whether cells have room for their numbers.
    written: bool,
}

const ROW: f64 = 28.0;
/// The height of the names of both quantities, and of the columns.
const HEAD: f64 = 48.0;
const WIDEST: f64 = 90.0;
/// The widest name of a row, as a part of the width. Longer names get several lines.
const LABELS: f64 = 0.29;
/// Distance of names of rows from the cells.
const GAP: f64 = 12.0;
/// Room on the left of them: letters of some fonts are wider than others.
const MARGIN: f64 = 4.0;
/// The width of a name tag.
const TAG: f64 = 4.0;
/// The size of a shade in the key.
const SWATCH: f64 = 20.0;

impl<'a> Heat<'a> {
    /// Creates a single panel without a title, from the names of both quantities, their values, and the cell of two values.
    pub(crate) fn new(
        [down, across]: [&'a str; 2],
        [downs, acrosses]: [&[&str]; 2],
        middle: Option<f64>,
        cell: impl Fn(&str, &str) -> Option<HeatCell>,
    ) -> Self {
        let row = |name: &&str| HeatRow {
            name: (*name).to_owned(),
            series: None,
            cells: acrosses.iter().map(|other| cell(name, other)).collect(),
        };
        Self {
            down,
            across: (across, acrosses.iter().map(ToString::to_string).collect()),
            middle,
            panels: vec![Panel::alone(downs.iter().map(row).collect())],
        }
    }

    /// Returns the note on the numbers of cells.
    pub(crate) fn note(unit: Unit, intervals: &str) -> String {
        let per_cent = match unit {
            Unit::Share => "Numbers are in per cent. ",
            Unit::Plain => "",
        };
        format!("{per_cent}Point at a cell for its number; the table has all of the {intervals}.")
    }

    /// Draws the chart.
    pub(crate) fn draw(&self) -> Drawing {
        let rows = || self.panels.iter().flat_map(|panel| &panel.content);
        let cells = || rows().flat_map(|row| row.cells.iter().flatten());
        let names = rows().map(|row| width(&row.name)).fold(0.0, f64::max);
        let left = MARGIN + names.min(LABELS * WIDTH) + GAP;
        let cell = ((WIDTH - left) / self.across.1.len().max(1) as f64).min(WIDEST);
        let lines = rows().map(|row| wrap(&row.name, left - GAP - MARGIN).len());
        let geometry = Geometry {
            left,
            cell,
            row: ROW + LINE * (lines.max().unwrap_or(1) - 1) as f64,
            ends: self.ends(cells().map(|cell| cell.value)),
            written: cells().all(|shown| width(&shown.text) <= cell - 2.0),
        };
        let mut drawing = stack(&self.panels, |drawing, panel, top| {
            self.panel(drawing, panel, top, &geometry)
        });
        let by_value = |first: &&HeatCell, second: &&HeatCell| first.value.total_cmp(&second.value);
        let (least, most) = (cells().min_by(by_value), cells().max_by(by_value));
        if let (false, Some(least), Some(most)) = (geometry.written, least, most) {
            let at = (left, drawing.height.0 + GAP);
            self.key(&mut drawing, at, [&least.text, &most.text]);
            drawing.height.0 = at.1 + SWATCH + 4.0;
        }
        drawing
    }

    /// Returns the ends of the shades. A middle is as far from both.
    fn ends(&self, values: impl Iterator<Item = f64>) -> (f64, f64) {
        let (least, most) = extremes(values);
        self.middle.map_or((least, most), |middle| {
            let far = (middle - least).max(most - middle);
            (middle - far, middle + far)
        })
    }

    /// Returns the colours of cells, from the least to the greatest number.
    fn shades(&self) -> [usize; 7] {
        if self.middle.is_some() {
            DIVERGING
        } else {
            RISING
        }
    }

    /// Draws all shades, between the least number and the greatest.
    fn key(&self, drawing: &mut Drawing, (x, y): (f64, f64), [least, most]: [&str; 2]) {
        let middle = y + SWATCH / 2.0 + BASELINE;
        drawing.text((x, middle), "", least);
        let mut at = x + width(least) + GAP;
        for shade in self.shades() {
            let class = format!("cell h{shade}");
            drawing.block([at, y, SWATCH, SWATCH], &class, "");
            at += SWATCH;
        }
        drawing.text((at + GAP, middle), "", most);
    }

    /// Draws a panel from `top` down. Returns its lower end.
    fn panel(
        &self,
        drawing: &mut Drawing,
        panel: &Panel<Vec<HeatRow>>,
        top: f64,
        geometry: &Geometry,
    ) -> f64 {
        let &Geometry {
            left, cell, row, ..
        } = geometry;
        let (across, columns) = &self.across;
        let mut head = top;
        if !self.down.is_empty() {
            // Beside the rows there is no room for this name, so it has a line of its own.
            let down = format!("{} \u{2193}", self.down);
            drawing.fitted((0.0, top + 14.0), "soft", &down, WIDTH);
            head += LINE + 3.0;
        }
        let name = format!("{across} \u{2192}");
        drawing.fitted((left, head + 14.0), "soft", &name, WIDTH - left);
        head += HEAD;

        // If numbers would touch, only every n-th one is drawn. No name follows from others, so names are cut.
        let widest = columns.iter().map(|text| width(text)).fold(0.0, f64::max);
        let every = if columns.iter().all(|text| text.parse::<f64>().is_ok()) {
            ((widest + 6.0) / cell).ceil().max(1.0) as usize
        } else {
            1
        };
        for (column, text) in columns.iter().enumerate().step_by(every) {
            let at = (left + cell * (column as f64 + 0.5), head - 9.0);
            drawing.fitted(at, "m", text, cell * every as f64 - 6.0);
        }
        for (index, heat_row) in panel.content.iter().enumerate() {
            let y = head + row * index as f64;
            let baseline = y + row / 2.0 + BASELINE;
            let lines = wrap(&heat_row.name, left - GAP - MARGIN);
            let first = baseline - LINE / 2.0 * (lines.len() - 1) as f64;
            drawing.lines((left - GAP, first), "e", &lines);
            if let Some(series) = heat_row.series {
                let at = [left - TAG - 3.0, y + 3.0, TAG, row - 6.0];
                drawing.block(at, &class('f', series), "");
            }
            for (column, known) in heat_row.cells.iter().enumerate() {
                let Some(known) = known else { continue };
                let shade = self.shades()[step(known.value, geometry.ends)];
                let x = left + cell * column as f64;
                let look = format!("cell h{shade}");
                let title = within(&panel.title, &known.title);
                drawing.block([x, y, cell, row], &look, &title);
                if geometry.written {
                    let look = format!("t{shade} m");
                    drawing.text((x + cell / 2.0, baseline), &look, &known.text);
                }
            }
        }
        head + row * panel.content.len() as f64 + 8.0
    }
}

/// Returns the step of a number from the least to the greatest, of as many as there are shades.
fn step(value: f64, ends: (f64, f64)) -> usize {
    let steps = RISING.len();
    ((share_of_way(value, ends) * steps as f64) as usize).min(steps - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_lightest_and_the_greatest_darkest() {
        let steps = [0.0, 0.5, 1.0].map(|value| step(value, (0.0, 1.0)));
        assert_eq!(steps, [0, 3, 6]);
        assert_eq!(step(3.0, (3.0, 3.0)), 0);
    }

    #[test]
    fn even_is_between_two_hues() {
        let heat = Heat::new(["", ""], [&["a"], &["b"]], Some(0.5), |_, _| None);
        let ends = heat.ends([0.5, 0.75, 0.45].into_iter());
        assert_eq!(ends, (0.25, 0.75));
        let shade = |value| heat.shades()[step(value, ends)];
        assert_eq!([0.25, 0.5, 0.75].map(shade), [9, 0, 6]);
    }
}
