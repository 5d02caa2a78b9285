//! Arrows from lane to lane: actions against other combatants, and their results.

use super::super::drawing::{Drawing, Px, circle, cross, diamond, path, polygon};
use super::labels::signed;
use super::lane_row::{BLOCK, LaneRow, SMALL};
use super::letters::width;
use super::model::{Arrow, Outcome};
use crate::sim::events::ActionKind;
use std::collections::BTreeMap;

/// The heights within a lane at which arrows start and end: its upper and its lower edge.
const EDGES: [f64; 2] = [BLOCK[0] - 1.0, BLOCK[0] + BLOCK[1] + 1.0];
/// The height at which arrows from below end: under the health.
const HEAD_BELOW: f64 = 36.0;
/// Length of an arrow without a target.
const STUB: f64 = 13.0;

/// Returns the horizontal positions of the arrows in a row; arrows of one tick are side by side.
pub(super) fn places(row: &LaneRow<'_>) -> Vec<(usize, f64)> {
    let mut of_tick: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, arrow) in row.layout.timeline.arrows.iter().enumerate() {
        if row.ticks.contains(&arrow.at) {
            of_tick.entry(arrow.at).or_default().push(index);
        }
    }
    let mut places = Vec::new();
    for (tick, arrows) in of_tick {
        let gap = row.cell / (arrows.len() + 1) as f64;
        let beside = (1..).map(|place| row.x(tick) + f64::from(place) * gap);
        places.extend(arrows.into_iter().zip(beside));
    }
    places.sort_unstable_by_key(|(index, _)| *index);
    places
}

/// Draws the arrows of a row.
pub(super) fn draw(row: &LaneRow<'_>, canvas: &mut Drawing) {
    let layout = row.layout;
    for (index, x) in &row.arrows {
        let arrow = &layout.timeline.arrows[*index];
        let Some(from) = row.lanes[arrow.who] else {
            continue;
        };
        let target = arrow.target.and_then(|target| row.lanes[target]);
        // An arrow of a block is described with the block.
        let what = match arrow.outcome {
            Outcome::Fizzled => "fizzles",
            _ => "counter",
        };
        let deed = arrow.block.is_none().then_some((arrow.who, what));
        let texts = layout.label_and_title(deed, &arrow.events);
        let colour = layout.colour(arrow.who);
        canvas.group("arrow", texts, |canvas| {
            shaft_and_head(canvas, arrow, *x, (from, target), colour);
        });
    }
    damages(row, canvas);
}

/// Draws the damage of each arrow beside its head, if there is room.
fn damages(row: &LaneRow<'_>, canvas: &mut Drawing) {
    let mut taken: Vec<[f64; 3]> = Vec::new();
    for (index, x) in &row.arrows {
        let arrow = &row.layout.timeline.arrows[*index];
        let target = arrow.target.and_then(|target| row.lanes[target]);
        let (Some(from), Some(target), Some(damage)) = (row.lanes[arrow.who], target, arrow.damage)
        else {
            continue;
        };
        let y = if target > from {
            target + EDGES[0]
        } else {
            target + HEAD_BELOW + 9.0
        };
        let text = signed(-damage);
        let wide = width(&text, SMALL);
        let free = |begin: &f64| {
            let apart = |[from, to, at]: &[f64; 3]| {
                (*at - y).abs() > 1.0 || *begin >= *to + 2.0 || begin + wide + 2.0 <= *from
            };
            *begin >= row.left && begin + wide <= row.right() + 30.0 && taken.iter().all(apart)
        };
        if let Some(begin) = [x + 5.0, x - 5.0 - wide].into_iter().find(free) {
            taken.push([begin, begin + wide, y]);
            canvas.text((begin, y), "small strong over", &text);
        }
    }
}

/// Draws an arrow at `x` from a lane to the lane of its target.
pub(super) fn shaft_and_head(
    canvas: &mut Drawing,
    arrow: &Arrow,
    x: f64,
    (from, target): (f64, Option<f64>),
    colour: usize,
) {
    let is_down = target.is_none_or(|target| target > from);
    // 1 for down, -1 for up.
    let way = if is_down { 1.0 } else { -1.0 };
    let begin = from + EDGES[usize::from(is_down)];
    let head = if is_down { EDGES[0] } else { HEAD_BELOW };
    let end = match arrow.outcome {
        Outcome::Hit | Outcome::Miss | Outcome::TurnedAside => target.map(|target| target + head),
        Outcome::Forfeited | Outcome::NoTarget | Outcome::Fizzled => None,
    };
    let end = end.unwrap_or(begin + way * STUB);
    let behind = |far: f64| end - way * far;
    let bar = |y: f64| path(&[(x - 5.5, y), (x + 5.5, y)]);
    // The distance of the shaft from the end, its look, and the sign at the end.
    let (gap, look, sign, class) = match arrow.outcome {
        Outcome::Hit => {
            let corners = [(x, end), (x - 4.5, behind(8.0)), (x + 4.5, behind(8.0))];
            (5.0, "", polygon(&corners), "head f")
        }
        Outcome::Miss => {
            let (back, tip) = (behind(9.0), behind(3.0));
            let corners = [(x - 4.0, back), (x, tip), (x + 4.0, back)];
            (5.0, " missed", path(&corners), "open l")
        }
        Outcome::TurnedAside => (5.0, "", bar(behind(5.0)), "bar l"),
        Outcome::Forfeited => (0.0, " dotted", bar(end), "bar l"),
        Outcome::NoTarget => (4.0, " missed", cross((x, end), 3.5), "open l"),
        // The crack goes through the block.
        Outcome::Fizzled => {
            let (x, y) = (Px(x + 2.0), Px(from + BLOCK[0] - 3.0));
            let crack = format!("M{x} {y}l-5 7h6l-6 8h6l-5 9");
            canvas.path(crack.clone(), "halo");
            return canvas.path(crack, "crack");
        }
    };
    let shaft = path(&[(x, begin), (x, behind(gap))]);
    canvas.path(shaft.clone(), "halo");
    canvas.path(shaft, &format!("shaft{look} l{colour}"));
    canvas.path(sign, &format!("{class}{colour}"));
    let tail = match arrow.kind {
        ActionKind::Counter => diamond((x, begin), (4.0, 4.0)),
        _ if arrow.is_by_weapon() => return,
        _ => circle((x, begin), 3.5),
    };
    canvas.path(tail, &format!("tail f{colour}"));
}
