//! A grid of shaded numbers.

use super::super::drawing::{Anchor, BOLD, Drawing, LINE, WIDTH, width, wrap};
use super::super::palette::SHADES;
use super::{Drawn, Sheet, class, within};
use crate::output::chart::Unit;
use crate::report::number::{extremes, share_of_way};

/// Numbers that depend on two quantities, in panels with the same columns and shades.
pub(crate) struct Heat<'a> {
    /// Name of the quantity that varies from row to row.
    pub(crate) down: &'a str,
    /// Name of the quantity that varies from column to column, and its values.
    pub(crate) across: (&'a str, Vec<String>),
    pub(crate) panels: Vec<HeatPanel>,
}

/// Rows below a common title.
pub(crate) struct HeatPanel {
    pub(crate) title: String,
    /// The class that switches the panel off.
    pub(crate) switch: Option<String>,
    pub(crate) rows: Vec<HeatRow>,
}

/// The cells of a row.
pub(crate) struct HeatRow {
    pub(crate) name: String,
    /// The colour of the row's name tag, if it has one.
    pub(crate) series: Option<usize>,
    /// A cell for each column, or `None` if its number is unknown.
    pub(crate) cells: Vec<Option<Cell>>,
}

/// The number of a cell, its short text and its tooltip.
pub(crate) struct Cell {
    pub(crate) value: f64,
    pub(crate) text: String,
    pub(crate) title: String,
}

/// The positions of the columns and rows of a sheet.
struct Geometry {
    paper: f64,
    /// The left end of the cells.
    left: f64,
    /// The width of a cell.
    cell: f64,
    /// The height of a row.
    row: f64,
    /// The height of the names of the columns.
    head: f64,
    /// The least and the greatest number.
    ends: (f64, f64),
    /// Whether cells have room for their numbers.
    written: bool,
}

const ROW: f64 = 28.0;
const HEAD: f64 = 46.0;
const TITLE: f64 = 28.0;
const WIDEST: f64 = 90.0;
/// Distance of labels of rows from the cells.
const GAP: f64 = 12.0;
/// Room on the left of them: letters of some fonts are wider than others.
const MARGIN: f64 = 4.0;
/// The width of a name tag.
const TAG: f64 = 4.0;
/// The size of a shade in the key.
const SWATCH: f64 = 20.0;

impl<'a> Heat<'a> {
    /// Creates a single panel without a title, from the names and the cells of its rows.
    pub(crate) fn new(
        (down, names): (&'a str, Vec<String>),
        across: (&'a str, Vec<String>),
        cells: impl IntoIterator<Item = Vec<Option<Cell>>>,
    ) -> Self {
        let rows = names.into_iter().zip(cells).map(|(name, cells)| HeatRow {
            name,
            series: None,
            cells,
        });
        let panel = HeatPanel {
            title: String::new(),
            switch: None,
            rows: rows.collect(),
        };
        Self {
            down,
            across,
            panels: vec![panel],
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
    pub(crate) fn draw(&self) -> Drawn {
        Drawn::on(|paper| self.on(paper))
    }

    fn on(&self, paper: f64) -> Sheet {
        let rows = || self.panels.iter().flat_map(|panel| &panel.rows);
        let numbers = || rows().flat_map(|row| row.cells.iter().flatten());
        // Narrow paper has no room for a name beside the rows, so the name gets a line of its own.
        let (name, head) = if paper < WIDTH && !self.down.is_empty() {
            (0.0, HEAD + LINE + 3.0)
        } else {
            (width(self.down), HEAD)
        };
        let labels = rows().map(|row| width(&row.name)).fold(name, f64::max);
        let left = MARGIN + labels.min(0.29 * paper) + GAP;
        let count = self.across.1.len().max(1);
        let cell = ((paper - left) / count as f64).min(WIDEST);
        let lines = rows().map(|row| wrap(&row.name, left - GAP - MARGIN).len());
        let lines = lines.max().unwrap_or_default();
        let geometry = Geometry {
            paper,
            left,
            cell,
            row: ROW + LINE * lines.saturating_sub(1) as f64,
            head,
            ends: extremes(numbers().map(|cell| cell.value)),
            written: numbers().all(|one| width(&one.text) <= cell - 2.0),
        };
        let mut drawing = Drawing::default();
        let mut height = 0.0;
        for panel in &self.panels {
            let titles = match &*panel.title {
                "" => Vec::new(),
                title => wrap(title, paper / BOLD),
            };
            let title = match titles.len() {
                0 => 0.0,
                lines => TITLE + LINE * (lines - 1) as f64,
            };
            let below = geometry.row * panel.rows.len() as f64 + 4.0;
            let high = title + geometry.head + below;
            let gap = if titles.is_empty() { 0.0 } else { 14.0 };
            drawing.switched(
                panel.switch.as_deref(),
                (0.0, height),
                high + gap,
                |drawing| {
                    drawing.lines((0.0, height + 16.0), Anchor::Start, "strong", &titles);
                    self.panel(drawing, panel, height + title, &geometry);
                },
            );
            height += high + gap;
        }
        let by_value = |one: &&Cell, other: &&Cell| one.value.total_cmp(&other.value);
        let (least, most) = (numbers().min_by(by_value), numbers().max_by(by_value));
        if let (false, Some(least), Some(most)) = (geometry.written, least, most) {
            let ends = [&least.text, &most.text].map(String::as_str);
            key(&mut drawing, (left, height + GAP), ends);
            height += GAP + SWATCH + 4.0;
        }
        Sheet {
            drawing,
            width: paper,
            height,
        }
    }

    fn panel(&self, drawing: &mut Drawing, panel: &HeatPanel, top: f64, geometry: &Geometry) {
        let &Geometry {
            paper, left, cell, ..
        } = geometry;
        let columns = &self.across.1;
        let end = left + cell * columns.len().max(1) as f64;
        let head = top + geometry.head;
        let middle = (f64::midpoint(left, end), head - 32.0);
        if paper < WIDTH {
            let [down, across] =
                [(self.down, '↓'), (self.across.0, '→')].map(|(name, way)| format!("{name} {way}"));
            if !self.down.is_empty() {
                drawing.fitted((0.0, top + 14.0), Anchor::Start, "soft", &down, paper);
            }
            let at = (left, middle.1);
            drawing.fitted(at, Anchor::Start, "soft", &across, paper - left);
        } else {
            drawing.fitted(middle, Anchor::Middle, "soft", self.across.0, paper - left);
            let down = (left - GAP, head - 9.0);
            drawing.fitted(down, Anchor::End, "soft", self.down, left - GAP - MARGIN);
        }

        // If numbers would touch, only every n-th one is drawn. No name follows from others, so names are cut.
        let widest = columns.iter().map(|text| width(text)).fold(0.0, f64::max);
        let every = if columns.iter().all(|text| text.parse::<f64>().is_ok()) {
            ((widest + 6.0) / cell).ceil().max(1.0) as usize
        } else {
            1
        };
        for (column, text) in columns.iter().enumerate().step_by(every) {
            let at = (left + cell * (column as f64 + 0.5), head - 9.0);
            let room = cell * every as f64 - 6.0;
            drawing.fitted(at, Anchor::Middle, "", text, room);
        }
        for (index, row) in panel.rows.iter().enumerate() {
            let y = head + geometry.row * index as f64;
            let middle = y + geometry.row / 2.0;
            let lines = wrap(&row.name, left - GAP - MARGIN);
            let first = middle + 4.5 - LINE / 2.0 * (lines.len() - 1) as f64;
            drawing.lines((left - GAP, first), Anchor::End, "", &lines);
            if let Some(series) = row.series {
                let at = [left - TAG - 3.0, y + 3.0, TAG, geometry.row - 6.0];
                drawing.block(at, &class('f', series), "");
            }
            for (column, one) in row.cells.iter().enumerate() {
                let Some(one) = one else { continue };
                let shade = shade(one.value, geometry.ends);
                let x = left + cell * column as f64;
                let class = format!("cell h{shade}");
                let title = within(&panel.title, &one.title);
                drawing.rect((x, y), (x + cell, y + geometry.row), &class, &title);
                if geometry.written {
                    let at = (x + cell / 2.0, middle + 4.5);
                    drawing.text(at, Anchor::Middle, &format!("t{shade}"), &one.text);
                }
            }
        }
    }
}

/// Draws all shades, between the least number and the greatest.
fn key(drawing: &mut Drawing, (x, y): (f64, f64), [least, most]: [&str; 2]) {
    let middle = y + SWATCH / 2.0 + 4.5;
    drawing.text((x, middle), Anchor::Start, "", least);
    let first = x + width(least) + GAP;
    for shade in 0..SHADES {
        let x = first + SWATCH * shade as f64;
        let class = format!("cell h{shade}");
        drawing.rect((x, y), (x + SWATCH, y + SWATCH), &class, "");
    }
    let end = first + SWATCH * SHADES as f64 + GAP;
    drawing.text((end, middle), Anchor::Start, "", most);
}

/// Returns the shade of a number, from the least to the greatest.
fn shade(value: f64, ends: (f64, f64)) -> usize {
    let share = share_of_way(value, ends);
    ((share * SHADES as f64) as usize).min(SHADES - 1)
}

#[cfg(test)]
mod tests {
    use super::{SHADES, shade};

    #[test]
    fn the_least_is_lightest_and_the_greatest_darkest() {
        let shades = [0.0, 0.5, 1.0].map(|value| shade(value, (0.0, 1.0)));
        assert_eq!(shades, [0, SHADES / 2, SHADES - 1]);
        assert_eq!(shade(3.0, (3.0, 3.0)), 0);
    }
}
