//! Dice, tested against an oracle that shares no code with the crate, published tables, theory, and samples; and the
//! command as typed by users.

mod as_in_fights;
mod command;
mod extended;
mod initiative_order;
mod notation;
mod oracle;
mod pool;
mod properties;
mod published;
mod rolls;
mod sources;
pub(crate) mod statistics;
mod totals;
mod written;

use crate::support::{Outcome, skirmish};

/// Runs `skirmish odds LINE`.
#[track_caller]
fn odds(line: &str) -> Outcome {
    let words: Vec<&str> = line.split_whitespace().collect();
    skirmish(&[&["odds"], &words[..]].concat())
}
