//! The positions of all combatants on the line over time (W-1), below the lanes.

use super::super::drawing::{Drawing, path};
use super::labels::number;
use super::letters::{cut, cut_name, width};
use super::model::Lane;
use super::sheet::{SMALL, Sheet};
use crate::fight::Units;
use crate::report::number::extremes;
use std::ops::Range;

/// The height of the drawing of the line.
const HEIGHT: f64 = 74.0;
/// The fewest Units that are drawn from top to bottom.
const FEWEST: f64 = 8.0;
/// Distance between the ways of combatants at the same position.
const BESIDE: f64 = 1.4;

/// Draws the positions below `y` if any combatant moves. Returns the lower end.
pub(super) fn draw(sheet: &Sheet<'_>, canvas: &mut Drawing, y: f64) -> f64 {
    let layout = sheet.layout;
    let timeline = layout.timeline;
    let shown = || sheet.shown().map(|(who, _)| who);
    let moves = |who: usize| {
        let course = &timeline.lanes[who].positions;
        let walks = course.windows(2).filter(|pair| pair[0].1 != pair[1].1);
        let mut walks = walks.map(|pair| pair[0].0..pair[1].0 + 1);
        walks.any(|walk| walk.start < sheet.ticks.end && walk.end > sheet.ticks.start + 1)
    };
    if !shown().any(moves) {
        return y;
    }
    let ways = shown().map(|who| (who, course(&timeline.lanes[who], &sheet.ticks)));
    let ways: Vec<(usize, Vec<(f64, f64)>)> = ways.collect();
    let all = ways.iter().flat_map(|(_, way)| way.iter().map(|one| one.1));
    let (low, high) = extremes(all);
    // A few Units are not enlarged to the full height.
    let more = ((FEWEST - (high - low)) / 2.0).max(0.0);
    let (low, high) = ((low - more).floor(), (high + more).ceil());
    let span = high - low;
    let (top, base) = (y + 4.0, y + 4.0 + HEIGHT);
    let place = |at: f64| base - 6.0 - (at - low) / span * (HEIGHT - 12.0);

    let field = [sheet.left, top, sheet.right() - sheet.left, HEIGHT];
    canvas.block(field, "field", "");
    for at in ticks(low as Units..high as Units) {
        let y = place(f64::from(at));
        canvas.line((sheet.left, y), (sheet.right(), y), "grid");
        canvas.words((sheet.left - 5.0, y + 3.5), "small soft e", &number(at));
    }
    canvas.words((0.0, top + 12.0), "small soft", "place");

    let mut names = Vec::new();
    let count = shown().count();
    for (rank, (who, way)) in ways.into_iter().enumerate() {
        let beside = (rank as f64 - (count - 1) as f64 / 2.0) * BESIDE.min(8.0 / count as f64);
        let end = sheet.end(who);
        let way = way.into_iter().map(|(at, unit)| {
            let x = sheet.left + (at - f64::from(sheet.ticks.start)) * sheet.cell;
            (end.map_or(x, |end| x.min(end)), place(unit) + beside)
        });
        let way: Vec<(f64, f64)> = way.collect();
        let colour = layout.colour(who);
        let dash = layout.rank(who) % 5;
        canvas.path(path(&way), &format!("way d{dash} l{colour}"));
        let Some((x, y)) = way.last().copied() else {
            continue;
        };
        if end.is_some() {
            let stroke = |way: f64| path(&[(x - way, y - 4.0), (x + way, y + 4.0)]);
            let cross = stroke(4.0) + &stroke(-4.0);
            canvas.path(cross, &format!("cross l{colour}"));
        } else {
            names.push((y, who));
        }
    }
    write_names(sheet, canvas, names, top..base);
    base
}

/// Returns the course of a combatant in these ticks, up to their end or the end of its lane.
fn course(lane: &Lane, ticks: &Range<u32>) -> Vec<(f64, f64)> {
    let place = |at: f64| {
        let known = lane.positions.partition_point(|one| f64::from(one.0) <= at);
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
        if next.0 < begin || next.0 > end {
            continue;
        }
        // A point on a straight line from the last but one to the next is redundant.
        if let [.., before, last] = course.as_slice()
            && straight(*before, *last, next)
        {
            course.pop();
        }
        course.push(next);
    }
    course.push((end, place(end)));
    course
}

fn straight(one: (f64, f64), other: (f64, f64), third: (f64, f64)) -> bool {
    let left = (other.1 - one.1) * (third.0 - one.0);
    let right = (third.1 - one.1) * (other.0 - one.0);
    (left - right).abs() < 1e-9 && other.0 > one.0 && third.0 >= other.0
}

/// Returns a few round positions to label beside the line.
fn ticks(range: Range<Units>) -> Vec<Units> {
    let span = i64::from(range.end) - i64::from(range.start);
    let steps = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000, 1_000_000,
    ];
    let step = steps
        .into_iter()
        .find(|step| span / step <= 4)
        .unwrap_or(span.max(1));
    let first = i64::from(range.start).div_euclid(step) * step;
    (0..7)
        .map(|index| first + index * step)
        .filter(|at| *at >= range.start.into() && *at <= range.end.into())
        .filter_map(|at| Units::try_from(at).ok())
        .collect()
}

/// Writes names beside the ends of their ways, one below the other if they would overlap.
fn write_names(
    sheet: &Sheet<'_>,
    canvas: &mut Drawing,
    mut names: Vec<(f64, usize)>,
    room: Range<f64>,
) {
    const LINE: f64 = 11.5;
    let layout = sheet.layout;
    let x = sheet.right() + 6.0;
    names.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let most = ((room.end - room.start + LINE) / LINE) as usize;
    // If there are too many names, combatants that stand together share a line.
    let mut lines: Vec<(f64, usize, Vec<&str>)> = Vec::new();
    let crowded = names.len() > most;
    for (y, who) in names {
        let name = layout.fight.combatants[who].name.as_str();
        let colour = layout.colour(who);
        match lines.last_mut() {
            Some((last, of, together)) if crowded && *of == colour && y - *last < LINE => {
                together.push(name);
            }
            _ => lines.push((y, colour, vec![name])),
        }
    }
    lines.truncate(most);
    let mut at: Vec<f64> = lines.iter().map(|line| line.0 + 3.5).collect();
    // Moves names down from the top, then up from the bottom.
    let lowest = room.end + 2.0;
    for index in 1..at.len() {
        at[index] = at[index].max(at[index - 1] + LINE);
    }
    if let Some(last) = at.last_mut() {
        *last = last.min(lowest);
    }
    for index in (1..at.len()).rev() {
        at[index - 1] = at[index - 1].min(at[index] - LINE);
    }
    for ((_, colour, together), y) in lines.iter().zip(at) {
        let room = layout.margin - 8.0;
        let whole = together.join(", ");
        let text = if width(&whole, SMALL) <= room || together.len() == 1 {
            cut_name(&whole, SMALL, room)
        } else {
            let more = format!(" +{}", together.len() - 1);
            cut(together[0], SMALL, room - width(&more, SMALL)) + &more
        };
        canvas.words((x, y), &format!("small f{colour}"), &text);
    }
}
