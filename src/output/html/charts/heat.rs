//! A grid of shaded numbers.

use super::super::drawing::{Anchor, Drawing, WIDTH, width};
use super::super::palette::SHADES;
use super::{Drawn, Sheet};
use crate::report::number::{extremes, share_of_way};

/// Numbers that depend on two quantities.
pub(crate) struct Heat<'a> {
    /// Name of the quantity that varies from row to row, and its values.
    pub(crate) down: (&'a str, Vec<String>),
    /// Name of the quantity that varies from column to column, and its values.
    pub(crate) across: (&'a str, Vec<String>),
    /// A cell for each row and column, or `None` if its number is unknown.
    pub(crate) cells: Vec<Vec<Option<Cell>>>,
}

/// The number of a cell, its short text and its tooltip.
pub(crate) struct Cell {
    pub(crate) value: f64,
    pub(crate) text: String,
    pub(crate) title: String,
}

const ROW: f64 = 28.0;
const HEAD: f64 = 46.0;
const WIDEST: f64 = 90.0;
/// Distance of labels of rows from the cells.
const GAP: f64 = 12.0;
/// Room on the left of them: letters of some fonts are wider than others.
const MARGIN: f64 = 4.0;
/// The size of a shade in the key.
const SWATCH: f64 = 20.0;
/// Distance from one line of text to the next.
const LINE: f64 = 18.0;

impl Heat<'_> {
    /// Draws the chart.
    pub(crate) fn draw(&self) -> Drawn {
        Drawn::on(|paper| self.on(paper))
    }

    fn on(&self, paper: f64) -> Sheet {
        let mut drawing = Drawing::default();
        let rows = &self.down.1;
        let narrow = paper < WIDTH;
        // Narrow paper has no room for a name beside the rows, so the name gets a line of its own.
        let (name, head) = if narrow {
            (0.0, HEAD + LINE)
        } else {
            (width(self.down.0), HEAD)
        };
        let labels = rows.iter().map(|text| width(text)).fold(name, f64::max);
        let left = MARGIN + labels.min(0.29 * paper) + GAP;
        let count = self.across.1.len().max(1);
        let cell = ((paper - left) / count as f64).min(WIDEST);
        let end = left + cell * count as f64;
        let middle = (f64::midpoint(left, end), head - 32.0);
        if narrow {
            let [down, across] = [(self.down.0, '↓'), (self.across.0, '→')]
                .map(|(name, way)| format!("{name} {way}"));
            drawing.fitted((0.0, 14.0), Anchor::Start, "soft", &down, paper);
            let at = (left, middle.1);
            drawing.fitted(at, Anchor::Start, "soft", &across, paper - left);
        } else {
            drawing.fitted(middle, Anchor::Middle, "soft", self.across.0, paper - left);
            let down = (left - GAP, head - 9.0);
            drawing.fitted(down, Anchor::End, "soft", self.down.0, left - GAP - MARGIN);
        }

        // If numbers would touch, only every n-th one is drawn. No name follows from others, so names are cut.
        let columns = &self.across.1;
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
        let numbers = || self.cells.iter().flatten().flatten();
        let ends = extremes(numbers().map(|cell| cell.value));
        let written = numbers().all(|one| width(&one.text) <= cell - 2.0);
        for (row, (name, cells)) in rows.iter().zip(&self.cells).enumerate() {
            let y = head + ROW * row as f64;
            let at = (left - GAP, y + ROW / 2.0 + 4.5);
            drawing.fitted(at, Anchor::End, "", name, left - GAP - MARGIN);
            for (column, one) in cells.iter().enumerate() {
                let Some(one) = one else { continue };
                let shade = shade(one.value, ends);
                let x = left + cell * column as f64;
                let class = format!("cell h{shade}");
                drawing.rect((x, y), (x + cell, y + ROW), &class, &one.title);
                if written {
                    let at = (x + cell / 2.0, y + ROW / 2.0 + 4.5);
                    drawing.text(at, Anchor::Middle, &format!("t{shade}"), &one.text);
                }
            }
        }
        let mut height = head + ROW * rows.len() as f64 + 4.0;
        let by_value = |one: &&Cell, other: &&Cell| one.value.total_cmp(&other.value);
        let (least, most) = (numbers().min_by(by_value), numbers().max_by(by_value));
        if let (false, Some(least), Some(most)) = (written, least, most) {
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
