//! Chooses the Rounds to draw, and their rows. A page cannot show any number of Rounds.

use super::model::{Measure, Timeline};
use std::ops::Range;

/// The most columns of a row, unless a single Round has more: for a wide and for a narrow picture.
pub(super) const COLUMNS: [u32; 2] = [12, 5];

/// The number of consecutive Rounds without actions up to which all are drawn.
const QUIET: usize = 2;

/// A strip of the picture, from top to bottom. It holds indices of Rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Rounds side by side.
    Row(Range<usize>),
    /// Rounds that are left out.
    LeftOut(Range<usize>),
}

/// Returns the pieces of a picture of at most `budget` bytes. `bytes` has the estimated bytes of each Round.
pub(super) fn pieces(
    timeline: &Timeline,
    bytes: &[usize],
    budget: usize,
    columns: u32,
) -> Vec<Piece> {
    let kept = kept(timeline, bytes, budget);
    let mut pieces = Vec::new();
    let mut at = 0;
    for same in kept.chunk_by(|one, next| one == next) {
        let rounds = at..at + same.len();
        at = rounds.end;
        if same[0] {
            rows(timeline, rounds, columns, &mut pieces);
        } else {
            pieces.push(Piece::LeftOut(rounds));
        }
    }
    pieces
}

/// Chooses the Rounds to draw. If there is room, these are all but the quiet ones; otherwise the first and the last,
/// those with a fall, and as many from both ends as fit.
fn kept(timeline: &Timeline, bytes: &[usize], budget: usize) -> Vec<bool> {
    let count = timeline.rounds.len();
    let quiet = quiet(timeline);
    let of_blocks = (0..count).filter(|at| !quiet[*at]).map(|at| bytes[at]);
    if of_blocks.sum::<usize>() <= budget {
        return quiet.iter().map(|quiet| !quiet).collect();
    }
    let mut falls = vec![false; count];
    for lane in &timeline.lanes {
        if let Some((at, _)) = lane.ended {
            let mut rounds = timeline.rounds.iter();
            let round = rounds.position(|round| round.ticks.contains(&at));
            falls[round.unwrap_or(count - 1)] = true;
        }
    }
    let ends = (0..count).map(|at| {
        if at % 2 == 0 {
            at / 2
        } else {
            count - 1 - at / 2
        }
    });
    let first = [0, count - 1].into_iter();
    let with_falls = (0..count).filter(|at| falls[*at]);
    let mut kept = vec![false; count];
    let mut left = budget;
    for at in first.chain(with_falls).chain(ends) {
        if kept[at] || quiet[at] {
            continue;
        }
        // The first and the last Round are drawn whatever their size.
        if bytes[at] > left && at != 0 && at != count - 1 {
            if falls[at] {
                continue;
            }
            break;
        }
        left = left.saturating_sub(bytes[at]);
        kept[at] = true;
    }
    kept
}

/// Marks Rounds without any action, if there are several in a row.
fn quiet(timeline: &Timeline) -> Vec<bool> {
    let last = timeline.rounds.len() - 1;
    let mut quiet: Vec<bool> = timeline
        .rounds
        .iter()
        .map(|round| {
            let ticks = &round.ticks;
            let during = |block: &Range<u32>| {
                block.start < ticks.end && block.end > ticks.start || ticks.contains(&block.start)
            };
            !timeline.blocks.iter().any(|block| during(&block.ticks))
        })
        .collect();
    for same in quiet.chunk_by_mut(|one, next| one == next) {
        if same.len() <= QUIET {
            same.fill(false);
        }
    }
    // If no action ever happens, the first and the last Round are still drawn.
    quiet[0] = false;
    quiet[last] = false;
    quiet
}

/// Puts Rounds into rows: one each if ticks are Marks, otherwise as many as fit.
fn rows(timeline: &Timeline, rounds: Range<usize>, most: u32, pieces: &mut Vec<Piece>) {
    let mut begun = rounds.start;
    for at in rounds.clone() {
        let columns = timeline.rounds[at].ticks.end - timeline.rounds[begun].ticks.start;
        let full = match timeline.measure {
            Measure::Marks(_) => at > begun,
            Measure::Columns => at > begun && columns > most,
        };
        if full {
            pieces.push(Piece::Row(begun..at));
            begun = at;
        }
    }
    pieces.push(Piece::Row(begun..rounds.end));
}
