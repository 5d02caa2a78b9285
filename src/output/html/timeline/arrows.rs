//! Arrows from lane to lane: actions against other combatants, and their results.

use super::super::drawing::{Drawing, Px};
use super::labels::signed;
use super::letters::width;
use super::model::{Arrow, Means, Outcome};
use super::sheet::{BLOCK, SMALL, Sheet};
use std::collections::BTreeMap;

/// The heights within a lane at which arrows start and end: its upper and its lower edge.
const EDGES: [f64; 2] = [BLOCK[0] - 1.0, BLOCK[0] + BLOCK[1] + 1.0];
/// The height at which arrows from below end: under the health.
const HEAD_BELOW: f64 = 36.0;
/// Length of an arrow without a target.
const STUB: f64 = 13.0;

/// Returns the horizontal positions of the arrows in a row; arrows of one tick are side by side.
pub(super) fn places(sheet: &Sheet<'_>) -> Vec<(usize, f64)> {
    let arrows = &sheet.layout.timeline.arrows;
    let here = || {
        let all = arrows.iter().enumerate();
        all.filter(|(_, arrow)| sheet.ticks.contains(&arrow.at))
    };
    let mut at: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (_, arrow) in here() {
        at.entry(arrow.at).or_default().0 += 1;
    }
    here()
        .map(|(index, arrow)| {
            let (count, next) = at.entry(arrow.at).or_default();
            *next += 1;
            let share = *next as f64 / (*count + 1) as f64;
            (index, sheet.x(arrow.at) + share * sheet.cell)
        })
        .collect()
}

/// Draws the arrows of a row.
pub(super) fn draw(sheet: &Sheet<'_>, canvas: &mut Drawing) {
    let layout = sheet.layout;
    for (index, x) in &sheet.arrows {
        let arrow = &layout.timeline.arrows[*index];
        let Some(from) = sheet.lanes[arrow.who] else {
            continue;
        };
        let target = arrow.target.and_then(|target| sheet.lanes[target]);
        // An arrow of a block is described with the block.
        let label = if arrow.block.is_none() {
            layout.texts.arrow(layout.timeline, arrow)
        } else {
            String::new()
        };
        let told = layout.label_and_title(label, || layout.texts.of(&arrow.events));
        let colour = layout.colour(arrow.who);
        canvas.group("arrow", told, |canvas| {
            shaft_and_head(canvas, arrow, *x, from, target, colour);
        });
    }
    damages(sheet, canvas);
}

/// Draws the damage of each arrow beside its head, if there is room.
fn damages(sheet: &Sheet<'_>, canvas: &mut Drawing) {
    let mut taken: Vec<[f64; 3]> = Vec::new();
    for (index, x) in &sheet.arrows {
        let arrow = &sheet.layout.timeline.arrows[*index];
        let lanes = arrow.target.and_then(|target| sheet.lanes[target]);
        let (Some(from), Some(target), Some(damage)) =
            (sheet.lanes[arrow.who], lanes, arrow.damage)
        else {
            continue;
        };
        let y = if target > from {
            target + EDGES[0]
        } else {
            target + HEAD_BELOW + 9.0
        };
        let told = signed(-damage);
        let wide = width(&told, SMALL);
        let right = *x + 5.0;
        let left = *x - 5.0 - wide;
        let free = |begin: &f64| {
            let apart = |[from, to, at]: &[f64; 3]| {
                (*at - y).abs() > 1.0 || *begin >= *to + 2.0 || begin + wide + 2.0 <= *from
            };
            *begin >= sheet.left && begin + wide <= sheet.right() + 30.0 && taken.iter().all(apart)
        };
        if let Some(begin) = [right, left].into_iter().find(free) {
            taken.push([begin, begin + wide, y]);
            canvas.words((begin, y), "small strong over", &told);
        }
    }
}

/// Draws an arrow at `x` from the lane at `from` to the lane at `target`.
pub(super) fn shaft_and_head(
    canvas: &mut Drawing,
    arrow: &Arrow,
    x: f64,
    from: f64,
    target: Option<f64>,
    colour: usize,
) {
    let down = target.is_none_or(|target| target > from);
    let way = if down { 1.0 } else { -1.0 };
    let begin = if down {
        from + EDGES[1]
    } else {
        from + EDGES[0]
    };
    let mut sign = ArrowPen {
        canvas,
        x,
        way,
        colour,
    };
    let whole = match arrow.outcome {
        Outcome::Hit | Outcome::Miss | Outcome::TurnedAside => {
            target.map(|target| target + if down { EDGES[0] } else { HEAD_BELOW })
        }
        Outcome::Forfeited | Outcome::NoTarget | Outcome::Fizzled => None,
    };
    let end = whole.unwrap_or(begin + way * STUB);
    match arrow.outcome {
        Outcome::Hit => {
            sign.shaft(begin, end - way * 5.0, "");
            sign.head(end);
        }
        Outcome::Miss => {
            sign.shaft(begin, end - way * 5.0, " missed");
            sign.open(end - way * 3.0);
        }
        Outcome::TurnedAside => {
            sign.shaft(begin, end - way * 5.0, "");
            sign.bar(end - way * 5.0);
        }
        Outcome::Forfeited => {
            sign.shaft(begin, end, " dotted");
            sign.bar(end);
        }
        Outcome::NoTarget => {
            sign.shaft(begin, end - way * 4.0, " missed");
            sign.cross(end);
        }
        // The crack goes through the block.
        Outcome::Fizzled => sign.crack(from),
    }
    match arrow.means {
        Means::Weapon => {}
        Means::Spell if arrow.outcome == Outcome::Fizzled => {}
        Means::Counter => sign.tail(begin, 4.0, "l4 -4 4 4 -4 4Z"),
        Means::Spell => sign.tail(begin, 3.5, "a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z"),
    }
}

/// The state for drawing the parts of an arrow.
struct ArrowPen<'a> {
    canvas: &'a mut Drawing,
    x: f64,
    /// 1 for down, -1 for up.
    way: f64,
    colour: usize,
}

impl ArrowPen<'_> {
    fn stroke(&mut self, d: String, class: &str) {
        let colour = self.colour;
        self.canvas.path(d, &format!("{class} l{colour}"));
    }

    fn shaft(&mut self, from: f64, to: f64, how: &str) {
        let (x, from, to) = (Px(self.x), Px(from), Px(to));
        let d = format!("M{x} {from}V{to}");
        self.canvas.path(d.clone(), "halo");
        self.stroke(d, &format!("shaft{how}"));
    }

    fn head(&mut self, at: f64) {
        let (x, y, back) = (Px(self.x), Px(at), Px(-8.0 * self.way));
        let colour = self.colour;
        let d = format!("M{x} {y}l-4.5 {back}h9Z");
        self.canvas.path(d, &format!("head f{colour}"));
    }

    fn open(&mut self, at: f64) {
        let (x, y, back) = (
            Px(self.x - 4.0),
            Px(at - 6.0 * self.way),
            Px(6.0 * self.way),
        );
        let forth = Px(-6.0 * self.way);
        self.stroke(format!("M{x} {y}l4 {back}l4 {forth}"), "open");
    }

    fn bar(&mut self, at: f64) {
        let (x, y) = (Px(self.x - 5.5), Px(at));
        self.stroke(format!("M{x} {y}h11"), "bar");
    }

    fn cross(&mut self, at: f64) {
        let (x, y) = (Px(self.x - 3.5), Px(at - 3.5));
        self.stroke(format!("M{x} {y}l7 7m0 -7l-7 7"), "open");
    }

    fn crack(&mut self, lane: f64) {
        let (x, y) = (Px(self.x + 2.0), Px(lane + BLOCK[0] - 3.0));
        let d = format!("M{x} {y}l-5 7h6l-6 8h6l-5 9");
        self.canvas.path(d.clone(), "halo");
        self.canvas.path(d, "crack");
    }

    /// Draws the tail: an outline from its leftmost point, at a distance of `half` from the middle.
    fn tail(&mut self, at: f64, half: f64, outline: &str) {
        let (x, y, colour) = (Px(self.x - half), Px(at), self.colour);
        self.canvas
            .path(format!("M{x} {y}{outline}"), &format!("tail f{colour}"));
    }
}
