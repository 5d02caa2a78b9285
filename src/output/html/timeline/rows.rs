//! Chooses the Rounds to draw, and their rows. A page cannot show any number of Rounds.

use super::model::{Measure, Timeline};
use std::ops::Range;

/// The most columns of a row, unless a single Round has more.
const COLUMNS: u32 = 12;

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
pub(super) fn pieces(timeline: &Timeline, bytes: &[usize], budget: usize) -> Vec<Piece> {
    let kept = kept(timeline, bytes, budget);
    let mut pieces = Vec::new();
    let mut at = 0;
    for same in kept.chunk_by(|round, next| round == next) {
        let rounds = at..at + same.len();
        at = rounds.end;
        if same[0] {
            rows(timeline, rounds, &mut pieces);
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
    let with_falls = (0..count).filter(|at| falls[*at]);
    let from_both_ends = (0..count).flat_map(|at| [at, count - 1 - at]);
    let mut kept = vec![false; count];
    let mut left = budget;
    for at in [0, count - 1]
        .into_iter()
        .chain(with_falls)
        .chain(from_both_ends)
    {
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
            let Range { start, end } = round.ticks;
            let mut blocks = timeline.blocks.iter().map(|block| &block.ticks);
            !blocks.any(|block| block.start < end && block.end.max(block.start + 1) > start)
        })
        .collect();
    for same in quiet.chunk_by_mut(|round, next| round == next) {
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
fn rows(timeline: &Timeline, rounds: Range<usize>, pieces: &mut Vec<Piece>) {
    let mut begun = rounds.start;
    for at in rounds.clone() {
        let columns = timeline.rounds[at].ticks.end - timeline.rounds[begun].ticks.start;
        let full = match timeline.measure {
            Measure::Marks(_) => at > begun,
            Measure::Columns => at > begun && columns > COLUMNS,
        };
        if full {
            pieces.push(Piece::Row(begun..at));
            begun = at;
        }
    }
    pieces.push(Piece::Row(begun..rounds.end));
}
