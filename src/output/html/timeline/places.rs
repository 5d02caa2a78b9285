//! The positions of all combatants on the line over time (W-1), below the lanes.

use super::super::drawing::{Drawing, apart, cross, path};
use super::super::scale::{Scale, ticks};
use super::super::words::MINUS;
use super::lane_row::{LaneRow, SMALL};
use super::letters::{cut, cut_name, width};
use super::model::Lane;
use crate::report::number::extremes;
use std::ops::Range;

/// The height of the drawing of the line.
const HEIGHT: f64 = 74.0;
/// The fewest Units that are drawn from top to bottom.
const FEWEST: f64 = 8.0;
/// Distance between the ways of combatants at the same position.
const BESIDE: f64 = 1.4;

/// Draws the positions below `y` if any combatant moves. Returns the lower end.
pub(super) fn draw(row: &LaneRow<'_>, canvas: &mut Drawing, y: f64) -> f64 {
    let layout = row.layout;
    let timeline = layout.timeline;
    let shown = || row.shown().map(|(who, _)| who);
    let moves = |who: usize| {
        let mut steps = timeline.lanes[who].positions.windows(2);
        steps.any(|step| {
            let [(from, before), (to, after)] = [step[0], step[1]];
            before != after && from < row.ticks.end && to > row.ticks.start
        })
    };
    if !shown().any(moves) {
        return y;
    }
    let ways: Vec<(usize, Vec<(f64, f64)>)> = shown()
        .map(|who| (who, course(&timeline.lanes[who], &row.ticks)))
        .collect();
    let units = ways.iter().flat_map(|(_, way)| way.iter().map(|at| at.1));
    let (low, high) = extremes(units);
    // A few Units are not enlarged to the full height.
    let more = ((FEWEST - (high - low)) / 2.0).max(0.0);
    let (top, base) = (y + 4.0, y + 4.0 + HEIGHT);
    let scale = Scale {
        from: (low - more).floor(),
        to: (high + more).ceil(),
        start: base - 6.0,
        end: top + 6.0,
    };

    let field = [row.left, top, row.right() - row.left, HEIGHT];
    canvas.block(field, "field", "");
    for tick in ticks(scale.from, scale.to, 5, true) {
        let y = scale.at(tick.value);
        canvas.line((row.left, y), (row.right(), y), "grid");
        let text = tick.text.replace('-', MINUS);
        canvas.text((row.left - 5.0, y + 3.5), "small soft e", &text);
    }
    canvas.text((0.0, top + 12.0), "small soft", "place");

    let mut names = Vec::new();
    let count = shown().count();
    for (rank, (who, way)) in ways.into_iter().enumerate() {
        let beside = (rank as f64 - (count - 1) as f64 / 2.0) * BESIDE.min(8.0 / count as f64);
        let end = row.end(who);
        let place = |(at, unit): (f64, f64)| {
            let x = row.left + (at - f64::from(row.ticks.start)) * row.cell;
            (end.map_or(x, |end| x.min(end)), scale.at(unit) + beside)
        };
        let way: Vec<(f64, f64)> = way.into_iter().map(place).collect();
        let colour = layout.colour(who);
        let dash = layout.rank(who) % 5;
        canvas.path(path(&way), &format!("way d{dash} l{colour}"));
        let Some((x, y)) = way.last().copied() else {
            continue;
        };
        if end.is_some() {
            canvas.path(cross((x, y), 4.0), &format!("cross l{colour}"));
        } else {
            names.push((y, who));
        }
    }
    write_names(row, canvas, names, top..base);
    base
}

/// Returns the course of a combatant in these ticks, up to their end or the end of its lane.
fn course(lane: &Lane, ticks: &Range<u32>) -> Vec<(f64, f64)> {
    let place = |at: f64| {
        let known = lane
            .positions
            .partition_point(|(tick, _)| f64::from(*tick) <= at);
        let (before, after) = lane.positions.split_at(known);
        match (before.last(), after.first()) {
            (Some(from), Some(to)) => {
                let share = (at - f64::from(from.0)) / f64::from(to.0 - from.0);
                f64::from(from.1) + share * f64::from(to.1 - from.1)
            }
            (Some(only), None) | (None, Some(only)) => f64::from(only.1),
            (None, None) => 0.0,
        }
    };
    let end = match lane.ended {
        Some((at, _)) if ticks.contains(&at) => f64::from(at) + 1.0,
        _ => f64::from(ticks.end),
    };
    let begin = f64::from(ticks.start.max(lane.begins.unwrap_or_default()));
    let mut course = vec![(begin, place(begin))];
    for (at, unit) in &lane.positions {
        let next = (f64::from(*at), f64::from(*unit));
        if (begin..=end).contains(&next.0) {
            course.push(next);
        }
    }
    course.push((end, place(end)));
    course
}

/// Writes names beside the ends of their ways, one below the other if they would overlap.
fn write_names(
    row: &LaneRow<'_>,
    canvas: &mut Drawing,
    mut names: Vec<(f64, usize)>,
    room: Range<f64>,
) {
    const LINE: f64 = 11.5;
    let layout = row.layout;
    let x = row.right() + 6.0;
    names.sort_by(|above, below| above.0.total_cmp(&below.0).then(above.1.cmp(&below.1)));
    let most = ((room.end - room.start + LINE) / LINE) as usize;
    // If there are too many names, combatants that stand together share a line.
    let mut lines: Vec<(f64, usize, Vec<&str>)> = Vec::new();
    let crowded = names.len() > most;
    for (y, who) in names {
        let name = layout.fight.combatants[who].name.as_str();
        let colour = layout.colour(who);
        match lines.last_mut() {
            Some((last, other, together)) if crowded && *other == colour && y - *last < LINE => {
                together.push(name);
            }
            _ => lines.push((y, colour, vec![name])),
        }
    }
    lines.truncate(most);
    let wanted: Vec<(f64, f64)> = lines.iter().map(|line| (line.0 + 3.5, LINE)).collect();
    let at = apart(&wanted, (room.start, room.end + 2.0 + LINE));
    for ((_, colour, together), y) in lines.iter().zip(at) {
        let room = layout.margin - 8.0;
        let whole = together.join(", ");
        let text = if width(&whole, SMALL) <= room || together.len() == 1 {
            cut_name(&whole, SMALL, room)
        } else {
            let more = format!(" +{}", together.len() - 1);
            cut(together[0], SMALL, room - width(&more, SMALL)) + &more
        };
        canvas.text((x, y), &format!("small f{colour}"), &text);
    }
}
