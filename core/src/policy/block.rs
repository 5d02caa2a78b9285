//! Blocks of lines whose order a search may change: `any order {`, lines, `}`.
//!
//! The marks are members of the list of lines, as the lines are. Only a search changes the order of a block; otherwise
//! its lines are tried as they are written.

use crate::document::diagnostics::Diagnostic;
use std::ops::Range;

/// The mark that begins a block.
pub const OPEN: &str = "any order {";

/// The mark that ends a block.
pub const CLOSE: &str = "}";

/// The most lines of a block: 40,320 orders.
pub const MOST: usize = 8;

/// A member of a list of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    /// A line.
    Line,
    /// The beginning of a block.
    Open,
    /// The end of a block.
    Close,
}

impl Member {
    /// Distinguishes a mark of a block from a line.
    pub fn of(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["any", "order" | "order{", ..] => Self::Open,
            [CLOSE] => Self::Close,
            _ => Self::Line,
        }
    }
}

/// Finds the blocks of a list: for each block the members between its marks. Problems come with the index of their
/// member.
pub fn blocks(texts: &[&str]) -> (Vec<Range<usize>>, Vec<(usize, Diagnostic)>) {
    let mut blocks = Vec::new();
    let mut problems = Vec::new();
    let mut open: Option<usize> = None;
    let mut complain = |at: usize, title: &str, label: &str| {
        let whole = 0..texts[at].len();
        let problem = Diagnostic::error(whole, title, label);
        problems.push((
            at,
            problem.help("written `\"any order {\", \"LINE\", \"LINE\", \"}\"`"),
        ));
    };
    for (at, text) in texts.iter().enumerate() {
        let written: String = text.split_whitespace().collect();
        if Member::of(text) == Member::Open && written != "anyorder{" {
            complain(
                at,
                "a block is written in several members of the list",
                "expected `any order {` and nothing else",
            );
        }
        match (Member::of(text), open) {
            (Member::Line, _) => {}
            (Member::Open, None) => open = Some(at),
            (Member::Open, Some(_)) => {
                complain(at, "a block stands in a block", "expected `}` before this");
            }
            (Member::Close, None) => {
                complain(
                    at,
                    "a block ends that never began",
                    "no `any order {` before this",
                );
            }
            (Member::Close, Some(start)) => {
                let block = start + 1..at;
                if block.len() < 2 {
                    complain(
                        start,
                        "a block has no order",
                        "expected at least two lines in it",
                    );
                } else if block.len() > MOST {
                    let label = format!("{} lines; at most {MOST} in any order", block.len());
                    complain(start, "a block is too long", &label);
                }
                blocks.push(block);
                open = None;
            }
        }
    }
    if let Some(start) = open {
        complain(start, "a block does not end", "no `}` after this");
    }
    (blocks, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_and_what_is_no_block_is_refused() {
        let found = |texts: &[&str]| {
            let (blocks, problems) = blocks(texts);
            let ends = |block: Range<usize>| (block.start, block.end);
            (
                blocks.into_iter().map(ends).collect::<Vec<_>>(),
                problems.into_iter().map(|(at, _)| at).collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            found(&["a", "any order {", "b", "c", "}", "d"]),
            (vec![(2, 4)], vec![])
        );
        assert_eq!(
            found(&["any  order{", "b", "c", " } "]),
            (vec![(1, 3)], vec![])
        );
        assert_eq!(found(&["a", "}"]), (vec![], vec![1]));
        assert_eq!(found(&["any order {", "a", "b"]), (vec![], vec![0]));
        assert_eq!(found(&["any order {", "a", "}"]).1, [0]);
        assert_eq!(found(&["any order {", "any order {", "a", "b", "}"]).1, [1]);
        let long: Vec<&str> = [OPEN].into_iter().chain(["a"; 9]).chain([CLOSE]).collect();
        assert_eq!(found(&long).1, [0]);
    }
}
